//! Small instances of every puzzle.

/// The mazes of the course: their costs are 6, 16, none, 21 and 26.
pub(crate) const MAZES: [&str; 5] = [
    "S...G\n.....\n",
    "S....\n..***\n.*..G\n.....\n*....\n",
    "S.....\n.****.\n.*....\n.*....\n.....G\n",
    ".G*.S.\n...*..\n.*...*\n......\n...*..\n",
    "...........S\n............\n............\n............\n....*.......\n...*........\n\
     ..*.........\n............\n....*.......\n...*........\n..*.........\nG...........\n",
];
/// Costs 6.
pub(crate) const MAZE: &str = MAZES[0];
/// Has no solution.
pub(crate) const CLOSED_MAZE: &str = MAZES[2];

/// Costs 2.
pub(crate) const TILES: &str = "1 2 3\n4 0 5\n7 8 6\n";
/// Costs 14.
pub(crate) const MIXED_TILES: &str = "8 1 3\n4 0 2\n7 6 5\n";
/// Costs 21, and no board of this size more.
pub(crate) const FAR_TILES: &str = "2 1\n4 3\n0 5\n";
/// Has no solution.
pub(crate) const SWAPPED_TILES: &str = "1 2 3\n4 5 6\n8 7 0\n";
/// The first of Korf's 15-puzzle instances; 57 with the gap first.
pub(crate) const KORF_1: &str = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n";
/// The second; 55 with the gap first.
pub(crate) const KORF_2: &str = "13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6\n";
/// The first of Korf's and Felner's 24-puzzle instances; 95 with the gap first.
pub(crate) const KORF_24_1: &str = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13\n";

/// In digits; costs 3.
pub(crate) const KLOTSKI_DIGITS: &str = "7277\n7204\n3304\n1156\n1156\n";
/// In symbols; costs 2.
pub(crate) const KLOTSKI: &str = "<><>\n2^^2\n^vv2\nv.11\n.211\n";
/// Start and goal; costs 1.
pub(crate) const KLOTSKI_GOAL: &str = "2^22\n2v<>\n<><>\n11.^\n11.v\n\n2^22\n2v<>\n<><>\n.11^\n.11v\n";
/// Start and goal; has no solution.
pub(crate) const STUCK_KLOTSKI: &str = "2^22\n2v<>\n11<>\n11.^\n<>.v\n\n2^22\n2v<>\n<><>\n.11^\n.11v\n";
/// The classic layout; costs 116.
pub(crate) const KLOTSKI_CLASSIC: &str = "^11^\nv11v\n^<>^\nv22v\n2..2\n";

/// Costs 4.
pub(crate) const CHEXERS: &str =
    "{\"colour\": \"green\", \"pieces\": [[0, -1]], \"blocks\": [[-2, 2], [-1, 2], [0, 2]]}\n";
/// The example of the course; costs 10.
pub(crate) const CHEXERS_EXAMPLE: &str =
    "{\"colour\": \"red\", \"pieces\": [[0,0],[0,-1],[-2,1]], \"blocks\": [[-1,0],[-1,1],[1,1],[3,-1]]}\n";
/// Has no solution.
pub(crate) const CLOSED_CHEXERS: &str =
    "{\"colour\": \"red\", \"pieces\": [[0, 0]], \"blocks\": [[3, -3], [3, -2], [3, -1], [3, 0]]}\n";

/// A solvable instance of each kind, with name and cost.
pub(crate) const SOLVABLE: [(&str, &str, u32); 4] =
    [("die", MAZE, 6), ("tiles", FAR_TILES, 21), ("klotski", KLOTSKI, 2), ("chexers", CHEXERS, 4)];
/// An unsolvable instance of each kind.
pub(crate) const UNSOLVABLE: [(&str, &str); 4] =
    [("die", CLOSED_MAZE), ("tiles", SWAPPED_TILES), ("klotski", STUCK_KLOTSKI), ("chexers", CLOSED_CHEXERS)];
