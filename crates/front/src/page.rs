//! A puzzle's part of the page: the module that draws and plays its boards, and example boards.

/// The code that draws, edits and plays a puzzle on the page.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// A JavaScript module. The page knows it as `puzzles/NAME.js`, so it imports shared modules from `../`.
    pub module: &'static str,
    /// Its part of the style sheet. All puzzles share the sheet, so class names must be unique.
    pub style: &'static str,
}

/// An example board.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The name of its file in the folder `instances` of the puzzle.
    pub file: &'static str,
    /// Its title in lists.
    pub title: &'static str,
    /// The content of the file.
    pub text: &'static str,
}

impl Example {
    /// A file with its title and content.
    pub const fn new(file: &'static str, title: &'static str, text: &'static str) -> Self {
        Example { file, title, text }
    }
}
