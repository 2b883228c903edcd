//! The page's module for Chexers, and its examples.

use admissible_front::{Example, Page};

pub(crate) const PAGE: Page = Page { module: include_str!("../page.js"), style: include_str!("../page.css") };

pub(crate) const EXAMPLES: &[Example] = &[
    Example::new("random_red.json", "random red", include_str!("../instances/random_red.json")),
    Example::new("random_green.json", "random green", include_str!("../instances/random_green.json")),
    Example::new("random_blue.json", "random blue", include_str!("../instances/random_blue.json")),
    Example::new("eight_pieces.json", "eight pieces", include_str!("../instances/eight_pieces.json")),
    Example::new("no_way_out.json", "no way out", include_str!("../instances/no_way_out.json")),
];
