//! JSON values with their places in the document.
//!
//! serde_json checks the syntax. In well-formed text, counting brackets finds the parts of a value, and serde_json
//! reads strings. So every fault of the content is reported with its line and column, which a parsed value lacks.

use serde::de::IgnoredAny;

use admissible_front::text::{Faults, shown};

/// The most characters of a value in a message.
const SHOWN: usize = 40;

/// A value in its document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Json<'a> {
    document: &'a str,
    start: usize,
    end: usize,
}

impl<'a> Json<'a> {
    /// The value of a whole document.
    pub(super) fn read(document: &'a str) -> Result<Self, Faults> {
        let document = document.strip_prefix('\u{feff}').unwrap_or(document);
        match serde_json::from_str::<IgnoredAny>(document) {
            Ok(_) => Ok(Json { document, start: 0, end: document.len() }.trimmed()),
            Err(error) => Err(syntax_fault(document, &error)),
        }
    }

    /// The keys and values of an object, in order.
    pub(super) fn members(self) -> Option<Vec<(String, Json<'a>)>> {
        let parts = self.parts('{')?;
        Some(parts.chunks_exact(2).map(|pair| (pair[0].string().unwrap_or_default(), pair[1])).collect())
    }

    /// The items of a list.
    pub(super) fn items(self) -> Option<Vec<Json<'a>>> {
        self.parts('[')
    }

    /// The text of a string.
    pub(super) fn string(self) -> Option<String> {
        serde_json::from_str(self.text()).ok()
    }

    /// The value of a whole number; `i64::MAX` if it does not fit.
    pub(super) fn whole_number(self) -> Option<i64> {
        let digits = self.text().strip_prefix('-').unwrap_or(self.text());
        let whole = digits.bytes().all(|byte| byte.is_ascii_digit());
        whole.then(|| self.text().parse().unwrap_or(i64::MAX))
    }

    /// Line and column, from 1.
    pub(super) fn place(self) -> (usize, usize) {
        place(self.document, self.start)
    }

    /// The value for a message: on one line, and truncated.
    pub(super) fn shown(self) -> String {
        let line = self.text().split_whitespace().collect::<Vec<_>>().join(" ");
        match line.char_indices().nth(SHOWN) {
            None => line,
            Some((end, _)) => format!("{}...", &line[..end]),
        }
    }

    fn text(self) -> &'a str {
        &self.document[self.start..self.end]
    }

    /// The value without the blanks around it.
    fn trimmed(self) -> Self {
        let start = self.end - self.text().trim_start().len();
        let end = start + self.text().trim().len();
        Json { start, end, ..self }
    }

    /// The parts between the brackets: the items of a list, or the keys and values of an object in turn.
    fn parts(self, open: char) -> Option<Vec<Json<'a>>> {
        if !self.text().starts_with(open) {
            return None;
        }
        let mut parts = Vec::new();
        let mut begin = self.start + 1;
        let (mut depth, mut in_string, mut escaped) = (0, false, false);
        for (at, byte) in (self.start..).zip(self.text().bytes()) {
            if in_string {
                in_string = escaped || byte != b'"';
                escaped = !escaped && byte == b'\\';
                continue;
            }
            let ends_part = match byte {
                b'"' => {
                    in_string = true;
                    false
                }
                b'[' | b'{' => {
                    depth += 1;
                    false
                }
                b']' | b'}' => {
                    depth -= 1;
                    depth == 0
                }
                b',' | b':' => depth == 1,
                _ => false,
            };
            if ends_part {
                parts.push(Json { start: begin, end: at, ..self }.trimmed());
                begin = at + 1;
            }
        }
        parts.retain(|part| part.start < part.end);
        Some(parts)
    }
}

/// Line and column of a byte, from 1. Lines end with LF, CR LF or CR.
fn place(document: &str, at: usize) -> (usize, usize) {
    let before = &document[..at];
    let with_next = before.bytes().zip(document.bytes().skip(1).chain([0]));
    let line = 1 + with_next.filter(|&(byte, next)| byte == b'\n' || byte == b'\r' && next != b'\n').count();
    let begin = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    (line, before[begin..].chars().count() + 1)
}

/// The message for a syntax error. serde_json counts LF only, and its columns count bytes, the wrong one included.
fn syntax_fault(document: &str, error: &serde_json::Error) -> Faults {
    let words = error.to_string();
    let words = words.split(" at line ").next().unwrap_or_default();
    if error.is_eof() {
        let (line, column) = place(document, document.trim_end().len());
        let expected = match words {
            "EOF while parsing a list" => "the rest of a list",
            "EOF while parsing an object" => "the rest of an object",
            "EOF while parsing a string" => "the rest of a string",
            _ => "a value",
        };
        return Faults::one(line, column, format!("expected {expected}, found the end of the file"));
    }
    let line_start: usize = document.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let at = document.floor_char_boundary((line_start + error.column()).saturating_sub(1));
    let found = document[at..].chars().next().map_or("the end of the file".into(), shown);
    let message = match words {
        "expected value" => format!("expected a value, found {found}"),
        "key must be a string" => format!("expected a key in double quotes, found {found}"),
        "trailing characters" => format!("expected the end of the file, found {found}"),
        _ if words.starts_with("expected `") => format!("{}, found {found}", words.replace('`', "'")),
        _ => format!("expected JSON, found {found} ({words})"),
    };
    let (line, column) = place(document, at);
    Faults::one(line, column, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_places() {
        let text = "\u{feff}{\r \"a\\\"]\": [1 ,[ -2, \"ü,\"],{}],\r\n\n\"b\": {\"c\":[]}\n}";
        let members = Json::read(text).unwrap().members().unwrap();
        let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a\"]", "b"]);
        let items = members[0].1.items().unwrap();
        let shown: Vec<(String, (usize, usize))> = items.iter().map(|item| (item.shown(), item.place())).collect();
        let expected = [("1", (2, 11)), ("[ -2, \"ü,\"]", (2, 14)), ("{}", (2, 26))];
        assert_eq!(shown, expected.map(|(text, place)| (text.to_string(), place)));
        assert_eq!(items[1].items().unwrap()[0].whole_number(), Some(-2));
        assert_eq!(members[1].1.place(), (4, 6));
        assert_eq!(members[1].1.members().unwrap()[0].1.items().unwrap().len(), 0);
    }

    #[test]
    fn syntax_faults_are_reported() {
        for (text, expected) in [
            ("", "1:1: expected a value, found the end of the file"),
            ("{\"pieces\": [[0, 0],\n [0", "2:4: expected the rest of a list, found the end of the file"),
            ("{\"colour\": \"re", "1:15: expected the rest of a string, found the end of the file"),
            ("{\r\"colour\": \"red\",\r", "2:17: expected the rest of an object, found the end of the file"),
            ("{\"colour\": \"red\"\r", "1:17: expected the rest of an object, found the end of the file"),
            ("{\"colour\" \"red\"}", "1:11: expected ':', found '\"'"),
            ("{\"colour\": \"red\"\r\n \"pieces\": []}", "2:2: expected ',' or '}', found '\"'"),
            ("{\r\"pieces\": [[0, 0] [1, 0]]}", "2:19: expected ',' or ']', found '['"),
            ("{\"colour\": \"red\",}", "1:18: expected a key in double quotes, found '}'"),
            ("{\"é\": [1,\n]}", "2:1: expected a value, found ']'"),
            ("{\"é\": é}", "1:7: expected a value, found 'é'"),
            ("{} {}", "1:4: expected the end of the file, found '{'"),
            ("{\"a\": 01}", "1:8: expected JSON, found '1' (invalid number)"),
        ] {
            assert_eq!(Json::read(text).unwrap_err().to_string(), expected, "{text:?}");
        }
    }
}
