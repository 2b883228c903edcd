//! Tables for LaTeX, with the rules of the `booktabs` package.

/// The text with every character escaped that LaTeX treats specially.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\\' => escaped += r"\textbackslash{}",
            '~' => escaped += r"\textasciitilde{}",
            '^' => escaped += r"\textasciicircum{}",
            '<' => escaped += r"\textless{}",
            '>' => escaped += r"\textgreater{}",
            '|' => escaped += r"\textbar{}",
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// A `tabular` environment. The alignment has a letter for each column; header and rows are LaTeX already.
pub(crate) fn tabular(alignment: &str, header: &[String], rows: &[Vec<String>]) -> String {
    let mut text = format!("\\begin{{tabular}}{{@{{}}{alignment}@{{}}}}\n\\toprule\n");
    header.iter().for_each(|line| text += &format!("{line}\n"));
    text += "\\midrule\n";
    rows.iter().for_each(|row| text += &format!("{} \\\\\n", row.join(" & ")));
    text + "\\bottomrule\n\\end{tabular}\n"
}

/// A `table` environment around a tabular, with its caption.
pub(crate) fn table(caption: &str, tabular: &str) -> String {
    format!("\\begin{{table}}\n\\centering\n\\caption{{{}}}\n{tabular}\\end{{table}}\n", escape(caption))
}

/// The first line of a file with tables.
pub(crate) const PREAMBLE: &str = "% needs \\usepackage{booktabs}\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(escape("a_b & 50% #1 {x} $y"), r"a\_b \& 50\% \#1 \{x\} \$y");
        assert_eq!(
            escape(r"\~^<>|"),
            concat!(r"\textbackslash{}\textasciitilde{}\textasciicircum{}", r"\textless{}\textgreater{}\textbar{}")
        );
    }

    #[test]
    fn a_table_has_three_rules() {
        let text = tabular("lr", &["a & b \\\\".into()], &[vec!["x".into(), "1".into()]]);
        let expected =
            "\\begin{tabular}{@{}lr@{}}\n\\toprule\na & b \\\\\n\\midrule\nx & 1 \\\\\n\\bottomrule\n\\end{tabular}\n";
        assert_eq!(text, expected);
    }
}
