//! The page's module for sliding blocks, and its examples.

use admissible_front::{Example, Page};

pub(crate) const PAGE: Page = Page { module: include_str!("../page.js"), style: include_str!("../page.css") };

pub(crate) const EXAMPLES: &[Example] = &[
    Example::new("classic.txt", "classic", include_str!("../instances/classic.txt")),
    Example::new("random_31.txt", "random, 2 empties", include_str!("../instances/random_31.txt")),
    Example::new("start_and_goal.txt", "start and goal", include_str!("../instances/start_and_goal.txt")),
    Example::new("tall_7x4.txt", "tall", include_str!("../instances/tall_7x4.txt")),
];
