//! The page's module for mazes, and its examples.

use admissible_front::{Example, Page};

pub(crate) const PAGE: Page = Page { module: include_str!("../page.js"), style: include_str!("../page.css") };

pub(crate) const EXAMPLES: &[Example] = &[
    Example::new("course_puzzle4.txt", "course puzzle 4", include_str!("../instances/course_puzzle4.txt")),
    Example::new("course_puzzle1.txt", "course puzzle 1", include_str!("../instances/course_puzzle1.txt")),
    Example::new("course_puzzle2.txt", "course puzzle 2", include_str!("../instances/course_puzzle2.txt")),
    Example::new("course_puzzle3.txt", "course puzzle 3, unsolvable", include_str!("../instances/course_puzzle3.txt")),
    Example::new("course_puzzle5.txt", "course puzzle 5", include_str!("../instances/course_puzzle5.txt")),
    Example::new("random_12x16.txt", "random 12 x 16", include_str!("../instances/random_12x16.txt")),
    Example::new("random_30x40.txt", "random 30 x 40", include_str!("../instances/random_30x40.txt")),
];
