//! The page's module for sliding tiles, and its examples.

use admissible_front::{Example, Page};

pub(crate) const PAGE: Page = Page { module: include_str!("../page.js"), style: include_str!("../page.css") };

pub(crate) const EXAMPLES: &[Example] = &[
    Example::new("random_3x3.txt", "random 8-puzzle", include_str!("../instances/random_3x3.txt")),
    Example::new("hardest_3x3.txt", "hardest 8-puzzle", include_str!("../instances/hardest_3x3.txt")),
    Example::new("own_goal_3x3.txt", "own goal", include_str!("../instances/own_goal_3x3.txt")),
    Example::new("random_3x4.txt", "3 x 4", include_str!("../instances/random_3x4.txt")),
    Example::new("scrambled_4x4.txt", "15-puzzle", include_str!("../instances/scrambled_4x4.txt")),
    Example::new("fourteen_fifteen.txt", "14-15, unsolvable", include_str!("../instances/fourteen_fifteen.txt")),
    Example::new("scrambled_5x5.txt", "24-puzzle", include_str!("../instances/scrambled_5x5.txt")),
];
