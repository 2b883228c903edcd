//! A table of figures, as CSV or Markdown.

use serde_json::Value;

use crate::latex;
use crate::numbers::grouped;

/// A table of JSON values with named columns.
#[derive(Debug, Clone, Default)]
pub struct Sheet {
    /// The names of the columns.
    pub columns: Vec<&'static str>,
    /// The rows, each with a value for every column; null if it is missing.
    pub rows: Vec<Vec<Value>>,
}

impl Sheet {
    /// Comma-separated values with a line of names.
    pub fn csv(&self) -> String {
        let header = self.columns.iter().map(ToString::to_string).collect();
        csv_text(std::iter::once(header).chain(self.rows.iter().map(|row| row.iter().map(plain).collect())))
    }

    /// A Markdown table with right-aligned numbers.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let rules = (0..self.columns.len()).map(|at| if self.is_number(at) { "---:".into() } else { "---".into() });
        let mut text = line(self.columns.iter().map(|name| name.replace('_', " ")).collect());
        text += &line(rules.collect());
        for row in &self.rows {
            text += &line(row.iter().map(|value| plain(value).replace('|', "\\|")).collect());
        }
        text
    }

    /// A LaTeX table for the booktabs package.
    pub fn latex(&self, caption: &str) -> String {
        let alignment: String = (0..self.columns.len()).map(|at| if self.is_number(at) { 'r' } else { 'l' }).collect();
        let names: Vec<String> = self.columns.iter().map(|name| latex::escape(&name.replace('_', " "))).collect();
        let cell = |value: &Value| match value {
            Value::Null => "--".into(),
            Value::Number(number) => match (number.as_u64(), number.as_f64()) {
                (Some(whole), _) => grouped(whole),
                (None, Some(value)) if value.fract() == 0.0 => format!("{value:.0}"),
                (None, value) => format!("{:.2}", value.unwrap_or(0.0)),
            },
            other => latex::escape(&plain(other)),
        };
        let rows: Vec<Vec<String>> = self.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
        latex::table(caption, &latex::tabular(&alignment, &[format!("{} \\\\", names.join(" & "))], &rows))
    }

    /// Keeps these columns, in this order.
    pub(crate) fn select(&self, names: &[&'static str]) -> Sheet {
        let place = |name: &&str| self.columns.iter().position(|column| column == name).expect("a column of the sheet");
        let places: Vec<usize> = names.iter().map(place).collect();
        let row = |row: &Vec<Value>| places.iter().map(|&at| row[at].clone()).collect();
        Sheet { columns: names.to_vec(), rows: self.rows.iter().map(row).collect() }
    }

    /// Whether a column has numbers only.
    fn is_number(&self, column: usize) -> bool {
        let mut values = self.rows.iter().map(|row| &row[column]).filter(|value| !value.is_null()).peekable();
        values.peek().is_some() && values.all(Value::is_number)
    }
}

/// Comma-separated values of records that all have the same number of fields.
pub(crate) fn csv_text(records: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    records.for_each(|record| writer.write_record(record).expect("every record has all fields"));
    let bytes = writer.into_inner().expect("memory can be written to");
    String::from_utf8(bytes).expect("all fields are UTF-8")
}

/// A value without quotation marks; empty for null, and fractions with four to six decimals.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().expect("the number is a float");
            let decimals = if number.abs() < 0.1 { 6 } else { 4 };
            format!("{number:.decimals$}")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn csv_and_markdown_are_quoted() {
        let sheet = Sheet {
            columns: vec!["name", "max_frontier", "b"],
            rows: vec![
                vec![json!("max(a, b)"), json!(7), json!(1.5)],
                vec![json!("a|b \"c\""), json!(12), Value::Null],
            ],
        };
        assert_eq!(sheet.csv(), "name,max_frontier,b\n\"max(a, b)\",7,1.5000\n\"a|b \"\"c\"\"\",12,\n");
        let expected = "\
| name | max frontier | b |
| --- | ---: | ---: |
| max(a, b) | 7 | 1.5000 |
| a\\|b \"c\" | 12 |  |
";
        assert_eq!(sheet.markdown(), expected);
    }
}
