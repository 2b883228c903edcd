//! Partitions of the tiles into groups.

use super::pattern::{MOST_TILES, Pattern};

/// The most tiles of a group without a preset, on boards of up to 25 cells and on larger ones.
const MOST_IN_STRIP: [usize; 2] = [6, 4];

/// The most groups of a partition.
pub(in super::super) const MOST_GROUPS: usize = 10;

/// A partition of the tiles of a board into groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// Its name.
    pub name: String,
    /// The groups.
    pub patterns: Vec<Pattern>,
    /// By cell: its image under the reflection that takes the home of the gap to the last cell.
    pub(super) reflection: Vec<usize>,
}

/// A partition that ships with the program.
#[derive(Debug)]
pub struct Preset {
    /// The name on the command line.
    pub name: &'static str,
    /// Rows and columns of the board.
    pub size: (usize, usize),
    /// By cell of a board with the gap's home last: the letter of its tile's group.
    groups: &'static str,
    /// The name of the heuristic.
    pub heuristic: &'static str,
    /// A higher rank makes searches faster.
    pub rank: u8,
    /// The time to build the tables, in seconds on two cores.
    pub seconds: u32,
    /// The size of the tables, in a few words.
    pub summary: &'static str,
}

/// The partitions that ship with the program; the first of each board size is the default.
pub static PRESETS: &[Preset] = &[
    preset("8", "pdb:8", (3, 3), "aaa aaa aa.", 1, 1, "the whole board: the exact distance"),
    preset("6-6-3", "pdb:6-6-3", (4, 4), "accc aabb aabb abb.", 2, 2, "34 MB, built in a second or two"),
    preset("5-5-5", "pdb:5-5-5", (4, 4), "aaab aabb ccbb ccc.", 1, 1, "2 MB, built in a moment"),
    preset("7-8", "pdb:7-8", (4, 4), "bbbb bbbb aaaa aaa.", 3, 60, "577 MB, built in a minute"),
    preset("5-5-5-5-4", "pdb:5-5-5-5-4", (5, 5), "aabbb aaabb ccddd ccedd ceee.", 1, 4, "40 MB, built in seconds"),
    preset("6-6-6-6", "pdb:6-6-6-6", (5, 5), "aaabb aaabb ddcbb ddccc ddcc.", 3, 40, "488 MB, built in half a minute"),
    // Lookups in its large table are slower, and it prunes hardly more.
    preset(
        "7-6-6-5",
        "pdb:7-6-6-5",
        (5, 5),
        "aaabb aabbb aaccb ddccc dddc.",
        2,
        300,
        "2.9 GB, built in minutes with 10 GB",
    ),
];

const fn preset(
    name: &'static str,
    heuristic: &'static str,
    size: (usize, usize),
    groups: &'static str,
    rank: u8,
    seconds: u32,
    summary: &'static str,
) -> Preset {
    Preset { name, size, groups, heuristic, rank, seconds, summary }
}

impl Partition {
    /// The partition of that name for a board whose goal has the gap in cell `gap`: a preset, for goals with the gap in
    /// a corner, or a drawing. Without a name, the default of the board, which always exists.
    pub fn named(rows: usize, columns: usize, gap: usize, name: Option<&str>) -> Option<Partition> {
        let (reflection, gap) = match reflection_to_last(rows, columns, gap) {
            Some(reflection) => (reflection, rows * columns - 1),
            None => ((0..rows * columns).collect(), gap),
        };
        let fits = |preset: &&Preset| preset.size == (rows, columns) && name.is_none_or(|name| name == preset.name);
        let preset = PRESETS.iter().find(fits).filter(|_| gap == rows * columns - 1);
        match preset {
            Some(preset) => Some(Partition::of(preset.name, rows, columns, preset.groups, gap, reflection)),
            None => match name {
                None => Some(Partition::in_strips(rows, columns, gap, reflection)),
                Some(drawing) => Partition::drawn(drawing, rows, columns, gap, reflection),
            },
        }
    }

    /// A partition from a drawing: for each cell of the goal the letter of its tile's group, a dot for the gap, and a
    /// slash between rows, as in `aabb/aabb/ccdd/ccd.`.
    fn drawn(drawing: &str, rows: usize, columns: usize, gap: usize, reflection: Vec<usize>) -> Option<Partition> {
        let lines: Vec<&[u8]> = drawing.split('/').map(str::as_bytes).collect();
        if lines.len() != rows || lines.iter().any(|line| line.len() != columns) {
            return None;
        }
        let mut letters = vec![b'.'; rows * columns];
        for (&letter, &cell) in lines.concat().iter().zip(&reflection) {
            letters[cell] = letter;
        }
        let fits =
            |(cell, &letter): (usize, &u8)| if cell == gap { letter == b'.' } else { letter.is_ascii_lowercase() };
        if !letters.iter().enumerate().all(fits) {
            return None;
        }
        let letters = String::from_utf8(letters).expect("letters and a dot");
        let partition = Partition::of(drawing, rows, columns, &letters, gap, reflection);
        let possible = partition.patterns.len() <= MOST_GROUPS && partition.patterns.iter().all(Pattern::is_possible);
        possible.then_some(partition)
    }

    /// The default for boards without a preset: one group if its table is possible, else strips along the longer side.
    fn in_strips(rows: usize, columns: usize, gap: usize, reflection: Vec<usize>) -> Partition {
        let tiles = rows * columns - 1;
        let most = MOST_IN_STRIP[usize::from(tiles >= 25)];
        let groups = if tiles <= MOST_TILES { 1 } else { tiles.div_ceil(most) };
        let along = |cell: usize| if columns > rows { cell % columns * rows + cell / columns } else { cell };
        let letter = |cell: usize| match along(cell) {
            _ if cell == gap => '.',
            at => char::from(b'a' + ((at - usize::from(at > along(gap))) * groups / tiles) as u8),
        };
        let letters: String = (0..=tiles).map(letter).collect();
        let size = |group: usize| letters.matches(char::from(b'a' + group as u8)).count().to_string();
        let name: Vec<String> = (0..groups).map(size).collect();
        Partition::of(&name.join("-"), rows, columns, &letters, gap, reflection)
    }

    fn of(name: &str, rows: usize, columns: usize, groups: &str, gap: usize, reflection: Vec<usize>) -> Partition {
        let letters: Vec<char> = groups.chars().filter(|c| !c.is_whitespace()).collect();
        let mut groups: Vec<char> = letters.iter().copied().filter(|&letter| letter != '.').collect();
        groups.sort_unstable();
        groups.dedup();
        let pattern = |group: char| {
            let homes = letters.iter().enumerate().filter(|&(_, &letter)| letter == group).map(|(cell, _)| 1 << cell);
            Pattern { rows, columns, homes: homes.sum(), gap }
        };
        Partition { name: name.into(), patterns: groups.into_iter().map(pattern).collect(), reflection }
    }

    /// The patterns of the tables that it needs; symmetric patterns share a table.
    pub fn tables(&self) -> Vec<Pattern> {
        let mut tables: Vec<Pattern> = self.patterns.iter().map(|pattern| pattern.canonical().0).collect();
        tables.sort();
        tables.dedup();
        tables
    }

    /// The bits of the largest key.
    pub(in super::super) fn key_bits(&self) -> u32 {
        self.patterns.iter().map(Pattern::key_bits).max().unwrap_or(0)
    }

    /// Whether the board mirrored at the diagonal gives a second estimate: the home of the gap is on the diagonal.
    pub(super) fn has_mirror(&self) -> bool {
        let mirrored = |Pattern { rows, columns, gap, .. }: &Pattern| rows == columns && gap / columns == gap % columns;
        self.patterns.iter().all(mirrored)
    }
}

/// By cell: its image under the reflection that takes a corner to the last cell; `None` if `corner` is none.
fn reflection_to_last(rows: usize, columns: usize, corner: usize) -> Option<Vec<usize>> {
    let (row, column) = (corner / columns, corner % columns);
    let in_corner = (row == 0 || row == rows - 1) && (column == 0 || column == columns - 1);
    if !in_corner {
        return None;
    }
    let image = |cell: usize| {
        let (r, c) = (cell / columns, cell % columns);
        let r = if row == 0 { rows - 1 - r } else { r };
        let c = if column == 0 { columns - 1 - c } else { c };
        r * columns + c
    };
    Some((0..rows * columns).map(image).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_preset_lists_the_sizes_of_its_groups() {
        for preset in PRESETS {
            let (rows, columns) = preset.size;
            let partition = Partition::named(rows, columns, rows * columns - 1, Some(preset.name)).expect("it fits");
            let mut sizes: Vec<usize> = partition.patterns.iter().map(Pattern::tiles).collect();
            let mut named: Vec<usize> = preset.name.split('-').map(|size| size.parse().unwrap()).collect();
            sizes.sort_unstable();
            named.sort_unstable();
            assert_eq!(sizes, named, "{}", preset.name);
            assert_eq!(preset.heuristic, format!("pdb:{}", preset.name));
            let all = partition.patterns.iter().fold(0, |all, pattern| all | pattern.homes);
            assert_eq!(all, (1 << (rows * columns - 1)) - 1, "{}", preset.name);
            assert!(partition.patterns.iter().all(Pattern::is_possible), "{}", preset.name);
        }
    }

    #[test]
    fn every_board_has_a_partition() {
        let sizes = (2..=20).flat_map(|rows| (2..=20).map(move |columns| (rows, columns)));
        for (rows, columns) in sizes.filter(|(rows, columns)| rows * columns <= 40) {
            for gap in 0..rows * columns {
                let partition = Partition::named(rows, columns, gap, None).expect("there is always one");
                let homes = partition.patterns.iter().fold(0, |all, pattern| {
                    assert_eq!(all & pattern.homes, 0);
                    all | pattern.homes
                });
                let gap = partition.reflection[gap];
                assert_eq!(homes, ((1 << (rows * columns)) - 1) ^ 1 << gap, "{rows}x{columns} {gap}");
                assert!(partition.patterns.iter().all(|pattern| pattern.gap == gap && pattern.is_possible()));
                assert!(partition.patterns.len() <= MOST_GROUPS);
            }
        }
    }

    #[test]
    fn a_drawing_is_a_partition_of_the_goal() {
        let preset = Partition::named(4, 4, 15, Some("6-6-3")).unwrap();
        let drawn = Partition::named(4, 4, 15, Some("accc/aabb/aabb/abb.")).unwrap();
        assert_eq!(drawn.patterns, preset.patterns);
        // With the gap in the first corner, the drawing is upside down.
        let reflected = Partition::named(4, 4, 0, Some(".bba/bbaa/bbaa/ccca")).unwrap();
        assert_eq!(reflected.patterns, preset.patterns);
        for wrong in
            ["", "aabb", "accc/aabb/aabb/abbb", "accc/aabb/aabb/ab..", "Accc/aabb/aabb/abb.", "aaaa/aaaa/aabb/abb."]
        {
            assert_eq!(Partition::named(4, 4, 15, Some(wrong)), None, "{wrong}");
        }
    }

    #[test]
    fn every_corner_can_be_the_last_cell() {
        for corner in [0, 2, 3, 5] {
            let reflection = reflection_to_last(2, 3, corner).unwrap();
            assert_eq!(reflection[corner], 5);
            let mut cells = reflection.clone();
            cells.sort_unstable();
            assert_eq!(cells, [0, 1, 2, 3, 4, 5]);
        }
        assert_eq!(reflection_to_last(2, 3, 1), None);
        assert_eq!(reflection_to_last(2, 3, 4), None);
    }
}
