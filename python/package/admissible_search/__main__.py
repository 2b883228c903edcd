"""``python -m admissible_search``: the program ``admissible``."""

import sys

from ._program import main

if __name__ == "__main__":
    sys.exit(main())
