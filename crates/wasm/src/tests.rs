//! The engine with a page that is a list.

use std::cell::RefCell;
use std::sync::LazyLock;
use std::time::Instant;

use serde_json::Value;

use crate::{Page, answer_request};

struct List;

thread_local! {
    static EVENTS: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
}

impl Page for List {
    #[allow(clippy::disallowed_methods, reason = "this is the page, which has a clock")]
    fn now() -> f64 {
        static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
        BEGIN.elapsed().as_secs_f64() * 1000.0
    }

    fn random() -> f64 {
        0.25
    }

    fn send(name: &str, text: &str) {
        EVENTS.with_borrow_mut(|events| events.push((name.into(), text.into())));
    }
}

fn last(path: &str, body: &str) -> (String, Value) {
    answer_request::<List>(format!("{path}{body}").as_bytes(), path.len());
    let (name, text) = EVENTS.take().pop().expect("there is an event");
    (name, serde_json::from_str(&text).expect("JSON"))
}

#[test]
fn a_request_is_a_path_and_a_body() {
    let (name, answer) = last("/api/solve", r#"{"board": {"text": "1 2 3\n4 0 6\n7 5 8\n"}}"#);
    assert_eq!((name.as_str(), &answer["cost"]), ("answer", &Value::from(2)));
    let (name, error) = last("/api/nothing", "");
    assert_eq!((name.as_str(), &error["error"]["message"]), ("error", &Value::from("there is nothing here")));
}

#[test]
fn seeds_come_from_the_page() {
    assert_eq!(last("/api/generate", r#"{"puzzle": "tiles"}"#).1["seed"], 250_000);
}
