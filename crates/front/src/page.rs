//! What the page has of a puzzle: how boards are drawn and played, and boards to begin with.

/// How a puzzle is drawn, edited and played on the page.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// A JavaScript module. The page serves it as `/puzzles/NAME.js`, so it imports what modules share from `../`.
    pub module: &'static str,
    /// Its part of the style sheet. All puzzles share one, so the names of classes are its own.
    pub style: &'static str,
}

/// A board to begin with.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The name of its file in the folder `instances` of the puzzle.
    pub file: &'static str,
    /// What lists call it.
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
