//! Tables on the terminal.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

use crate::show::DIM;

/// Rows below a line of column names, indented by two. A column whose name begins with `<` is aligned to the left, the
/// others to the right.
pub(crate) fn table(names: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_preset(NOTHING).force_no_tty();
    table.set_header(names.iter().map(|name| format!("{DIM}{}{DIM:#}", name.trim_start_matches('<'))));
    table.add_rows(rows);
    for (column, name) in table.column_iter_mut().zip(names) {
        let alignment = if name.starts_with('<') { CellAlignment::Left } else { CellAlignment::Right };
        column.set_cell_alignment(alignment);
        column.set_padding((0, 2));
    }
    table.lines().map(|line| format!("  {}\n", line.trim_end())).collect()
}
