"""``python -m admissible_search``: the program ``admissible``."""

import sys

from ._program import main

sys.exit(main())
