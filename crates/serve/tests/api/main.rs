//! The API without a browser.

mod foreign_requests;
mod jobs;
mod limits;
mod own_puzzle;
mod slow_clients;
mod support;

use admissible_serve::Settings;
use axum::http::StatusCode;
use serde_json::{Value, json};

use support::{Server, settings};

/// A maze with a shortest solution of 9 rolls, on which one published heuristic overestimates.
pub(crate) const MAZE: &str = "G*..\n....\n....\n..S.\n";

#[tokio::test]
async fn every_puzzle_opens_its_examples() {
    let server = Server::new();
    let (status, catalogue) = server.get("/api/puzzles").await;
    assert_eq!(status, StatusCode::OK);
    let puzzles = catalogue["puzzles"].as_array().expect("a list");
    assert_eq!(puzzles.len(), admissible_puzzles::PUZZLES.cards().count());
    for puzzle in puzzles {
        let name = puzzle["name"].as_str().expect("a name");
        let examples = puzzle["examples"].as_array().expect("a list");
        assert!(!examples.is_empty(), "{name} has no example");
        for example in examples {
            // The puzzle is recognised from the text.
            let (status, opened) = server.post("/api/open", &json!({ "text": example["text"] })).await;
            assert_eq!((status, opened["puzzle"].as_str()), (StatusCode::OK, Some(name)), "{example}");
            assert_eq!(opened["solved"], false, "{example}");
        }
    }
}

/// The text of a file without indentation and line ends, since a debug build reads files from disk.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

#[tokio::test]
async fn the_page_has_the_modules_of_the_registry() {
    let server = Server::new();
    let (_, style) = server.get("/page.css").await;
    let (_, script) = server.get("/page.js").await;
    let style = squeezed(style.as_str().expect("text"));
    for card in admissible_puzzles::PUZZLES.cards() {
        let page = card.page.expect("every puzzle of the registry has a module");
        assert!(script.as_str().expect("text").contains(&format!("modules['puzzles/{}.js'] = ", card.name)));
        assert!(style.contains(&squeezed(page.style)), "{}", card.name);
    }
    let (_, opened) = server.post("/api/open", &json!({ "text": MAZE })).await;
    assert_eq!(opened["drawing"], Value::Null, "a board that the page draws itself");
}

#[tokio::test]
async fn a_puzzle_without_a_module_is_drawn_in_text() {
    let server = Server::with(Settings { puzzles: own_puzzle::PUZZLES, ..settings() });
    let (_, catalogue) = server.get("/api/puzzles").await;
    assert_eq!(catalogue["puzzles"][0]["examples"], json!([{ "name": "trap", "text": MAZE }]));
    let (_, script) = server.get("/page.js").await;
    for (module, expected) in [("tiles", true), ("own-mazes", false), ("die", false)] {
        let name = format!("modules['puzzles/{module}.js'] = ");
        assert_eq!(script.as_str().expect("text").contains(&name), expected, "{module}");
    }
    let (_, opened) = server.post("/api/open", &json!({ "text": MAZE })).await;
    let drawing = opened["drawing"].as_str().expect("a drawing");
    assert!(drawing.lines().count() >= 4 && !drawing.contains('\u{1b}'), "{drawing}");
    let (_, moved) = server.post("/api/open", &json!({ "text": MAZE, "state": opened["moves"][0]["state"] })).await;
    assert_ne!(moved["drawing"], opened["drawing"]);
}

#[tokio::test]
async fn a_board_can_be_played_to_its_end() {
    let server = Server::new();
    let answer = server.job("/api/solve", &json!({ "board": { "text": MAZE } })).await.last("answer");
    assert_eq!((&answer["cost"], &answer["guarantee"]), (&json!(9), &json!("optimal")));
    let mut state = answer["states"][0].clone();
    for (action, expected) in
        answer["actions"].as_array().unwrap().iter().zip(&answer["states"].as_array().unwrap()[1..])
    {
        let (_, position) = server.post("/api/open", &json!({ "text": MAZE, "state": state })).await;
        assert_eq!((&position["state"], &position["solved"]), (&state, &json!(false)));
        let moves = position["moves"].as_array().unwrap();
        let found =
            moves.iter().find(|candidate| candidate["action"] == *action).expect("the action is among the moves");
        assert_eq!(found["state"], *expected);
        state = expected.clone();
    }
    let (_, position) = server.post("/api/open", &json!({ "text": MAZE, "state": state })).await;
    assert_eq!(position["solved"], true);
}

#[tokio::test]
async fn a_search_from_a_later_state_costs_the_rest() {
    let server = Server::new();
    let texts = [
        MAZE,
        "1 2 3\n4 0 5\n7 8 6\n",
        "^22^\nv11v\n^11^\nv<>v\n2..2\n",
        "{\"colour\":\"red\",\"pieces\":[[0,0],[1,0]]}",
    ];
    for text in texts {
        let whole = server.job("/api/solve", &json!({ "board": { "text": text } })).await.last("answer");
        let cost = whole["cost"].as_u64().expect("it is solvable");
        for (at, state) in whole["states"].as_array().unwrap().iter().enumerate() {
            let board = json!({ "text": text, "state": state });
            let rest = server.job("/api/solve", &json!({ "board": board })).await.last("answer");
            assert_eq!(rest["cost"].as_u64(), Some(cost - at as u64), "{text} {state}");
            assert_eq!((&rest["guarantee"], &rest["states"][0]), (&json!("optimal"), state));
        }
    }
}

#[tokio::test]
async fn invalid_states_are_refused_with_a_reason() {
    let server = Server::new();
    for (text, states) in [
        (
            MAZE,
            vec![
                json!(null),
                json!({}),
                json!({"row":0,"col":1,"top":1,"north":2,"east":3}),
                json!({"row":9,"col":0,"top":1,"north":2,"east":3}),
                json!({"row":1,"col":1,"top":6,"north":2,"east":4}),
                json!({"row":1,"col":1,"top":1,"north":1,"east":1}),
            ],
        ),
        (
            "1 2 3\n4 0 5\n7 8 6\n",
            vec![json!([]), json!([1, 1, 2, 3, 4, 5, 6, 7, 8]), json!("x"), json!([1, 2, 3, 4, 5, 6, 7, 8, 300])],
        ),
        (
            "^11^\nv11v\n^<>^\nv22v\n2..2\n",
            vec![
                json!([]),
                json!(["1"]),
                json!(["^11^", "v11v", "^<>^", "v22v", "2.22"]),
                json!(["^11^", "v11v", "^<>^", "v22v", "2..2\n"]),
                json!(["....", "....", "....", "....", "...<"]),
            ],
        ),
        (
            "{\"colour\":\"red\",\"pieces\":[[0,0]],\"blocks\":[[1,0]]}",
            vec![json!({}), json!([[9, 9]]), json!([[1, 0]]), json!([[0, 0], [0, 0]]), json!([[0]])],
        ),
    ] {
        for state in states {
            let (status, answer) = server.post("/api/open", &json!({ "text": text, "state": state })).await;
            if state == json!(null) {
                // Null means the start of the file.
                assert!(answer["error"].is_null());
                continue;
            }
            let message = answer["error"]["message"].as_str().unwrap_or_default();
            let told = message.starts_with("state: expected ");
            // A trailing blank does not change a row.
            let harmless = state.to_string().contains("\\n");
            assert!(status == StatusCode::OK && (told || harmless), "{text} {state}: {status} {answer}");
        }
    }
}

#[tokio::test]
async fn a_bad_file_gets_the_message_of_the_program() {
    let server = Server::new();
    let board = json!({ "text": "S..\n.x\nG.G\n", "name": "maze.txt" });
    for (path, request, expected) in [
        ("/api/open", board.clone(), StatusCode::OK),
        ("/api/solve", json!({ "board": board }), StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let (status, answer) = server.post(path, &request).await;
        assert_eq!(status, expected);
        let expected = "error: maze.txt:2:2: expected 'S', 'G', '.' or '*', found 'x'\n\
            error: maze.txt:2:3: expected 3 cells as in the first row, found 2\n\
            error: maze.txt:3:3: expected one goal 'G', found a second (the first is at 3:1)";
        assert_eq!(answer["error"]["message"], expected);
        assert_eq!(answer["error"]["faults"][0]["text"], ".x");
    }
    for (text, message) in [
        ("", "error: board:1:1: expected a puzzle, found an empty file"),
        (
            "hello world",
            "error: board:1:1: expected one of the known formats (see: admissible list), found something else",
        ),
    ] {
        let (status, answer) = server.post("/api/open", &json!({ "text": text })).await;
        assert_eq!((status, answer["error"]["message"].as_str()), (StatusCode::OK, Some(message)));
    }
}

#[tokio::test]
async fn unknown_names_are_refused() {
    let server = Server::new();
    for (search, message) in [
        (json!({ "heuristic": "manhatan" }), "error: unknown heuristic 'manhatan' for die, did you mean 'manhattan'?"),
        (json!({ "algorithm": "asta" }), "error: unknown algorithm 'asta', did you mean 'astar'?"),
        (json!({ "weight": 0.5 }), "weight: expected a number from 1 to 10"),
        (json!({ "tie_break": "none" }), "tie_break: expected fifo, lifo or low-h, found 'none'"),
        (json!({ "time_limit": -1 }), "time_limit: expected a number of seconds"),
    ] {
        let error =
            server.job("/api/solve", &json!({ "board": { "text": MAZE }, "search": search })).await.last("error");
        assert_eq!(error["error"]["message"], message);
    }
    let (status, _) = server.post("/api/solve", &json!({ "board": { "text": MAZE }, "serch": {} })).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "a slip of the pen is not passed over");
}

#[tokio::test]
async fn random_boards_depend_on_the_seed_alone() {
    let server = Server::new();
    let wish = json!({ "puzzle": "die", "size": [6, 7], "seed": 3 });
    let (status, first) = server.post("/api/generate", &wish).await;
    assert_eq!(status, StatusCode::OK, "{first}");
    assert_eq!(server.post("/api/generate", &wish).await.1, first);
    assert_eq!(first["text"].as_str().map(|text| text.lines().count()), Some(6));
    // A search confirms the requested difficulty.
    let wish = json!({ "puzzle": "tiles", "size": [3, 3], "seed": 3, "difficulty": [17, 19] });
    let (_, hard) = server.post("/api/generate", &wish).await;
    let answer = server.job("/api/solve", &json!({ "board": { "text": hard["text"] } })).await.last("answer");
    assert!((17..=19).contains(&answer["cost"].as_u64().expect("it is solvable")), "{answer}");
    let (status, _) = server.post("/api/generate", &json!({ "puzzle": "die", "size": [60000, 60000] })).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    for (wish, message) in [
        (json!({ "puzzle": "die", "pieces": 3 }), "pieces: die has no use for it, only for size, density"),
        (json!({ "puzzle": "die", "sise": [3, 3] }), "unknown field `sise`"),
        (json!({ "size": [3, 3] }), "missing field `puzzle`"),
        (json!({ "puzzle": "die", "size": 3 }), "size: expected rows x columns, such as 20x30, found 3"),
        (json!({ "puzzle": "tiles", "scramble": 100_001 }), "expected a board of at most 40000 cells"),
        (json!({ "puzzle": "chexers", "colour": "pink" }), "the colour is red, green or blue, not 'pink'"),
    ] {
        let (status, answer) = server.post("/api/generate", &wish).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{answer}");
        assert_eq!(answer["error"]["message"], message);
    }
    let (status, answer) = server.post("/api/generate", &json!({ "puzzle": "die", "size": true })).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{answer}");
    // A missing parameter may be null.
    let wish = json!({ "puzzle": "die", "size": [6, 7], "density": null, "seed": 3 });
    assert_eq!(server.post("/api/generate", &wish).await.1, first);
}

#[tokio::test]
async fn the_parameters_of_a_puzzle_are_declared_with_their_ranges() {
    let server = Server::new();
    let (_, known) = server.get("/api/puzzles").await;
    let chexers = known["puzzles"].as_array().and_then(|all| all.iter().find(|card| card["name"] == "chexers"));
    let parameters = &chexers.expect("it is known")["parameters"];
    let count = json!({
        "name": "pieces", "summary": "the number of pieces", "kind": "count", "least": 1, "most": 37, "default": 4,
        "explored": 4,
    });
    assert_eq!(parameters[0], count);
    let colour = parameters.as_array().and_then(|all| all.iter().find(|parameter| parameter["name"] == "colour"));
    assert_eq!(colour.expect("it is declared")["words"], json!(["red", "green", "blue"]));
}

#[tokio::test]
async fn the_description_has_the_paths_that_are_served() {
    let server = Server::new();
    let (_, description) = server.get("/api/openapi.json").await;
    let paths = description["paths"].as_object().expect("paths");
    let mut served = admissible_serve::paths();
    served.sort_unstable();
    let mut described: Vec<&str> = paths.keys().map(String::as_str).collect();
    described.sort_unstable();
    assert_eq!(described, served);
    for (path, methods) in paths {
        for method in methods.as_object().expect("methods").keys() {
            let status = match method.as_str() {
                "get" => server.get(path).await.0,
                _ => server.post(path, &json!({})).await.0,
            };
            // A handler refuses an empty request.
            assert!(matches!(status, StatusCode::OK | StatusCode::UNPROCESSABLE_ENTITY), "{method} {path}: {status}");
        }
        let other =
            if methods.get("get").is_some() { server.post(path, &json!({})).await } else { server.get(path).await };
        assert_eq!(other.0, StatusCode::METHOD_NOT_ALLOWED, "{path}");
        assert!(other.1["error"]["message"].is_string());
    }
    // Every referenced schema exists.
    let schemas = description["components"]["schemas"].as_object().expect("schemas");
    let text = description.to_string();
    for reference in text.split("#/components/schemas/").skip(1) {
        let name: String = reference.chars().take_while(char::is_ascii_alphanumeric).collect();
        assert!(schemas.contains_key(&name), "{name}");
    }
}

#[tokio::test]
async fn requests_accept_exactly_the_described_fields() {
    let server = Server::new();
    let (_, description) = server.get("/api/openapi.json").await;
    let schemas = &description["components"]["schemas"];
    let value = |name: &str| match name {
        "text" => json!(MAZE),
        "puzzle" | "name" => json!("die"),
        "board" => json!({ "text": MAZE }),
        "search" => json!({}),
        "heuristics" => json!(["zero"]),
        "algorithms" => json!(["astar"]),
        "cell" | "seed" | "node_limit" => json!(1),
        "weight" | "time_limit" => json!(1.0),
        "difficulty" => json!([3, 3]),
        "whole_puzzle" => json!(false),
        "state" => json!({ "row": 1, "col": 1, "top": 1, "north": 2, "east": 3 }),
        _ => json!("zero"),
    };
    for (path, methods) in description["paths"].as_object().unwrap() {
        let Some(schema) = methods["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str()
        else {
            continue;
        };
        let schema = &schemas[schema.rsplit('/').next().unwrap()];
        let fields = schema["properties"].as_object().unwrap().keys();
        let full: Value = fields.map(|name| (name.clone(), value(name))).collect::<serde_json::Map<_, _>>().into();
        // The values may contradict each other, but no field is unknown or of the wrong type.
        let message = server.post_text(path, &full).await;
        for trouble in ["unknown field", "missing field", "invalid type", "data did not match"] {
            assert!(!message.contains(trouble), "{path}: {message}");
        }
        let odd = server.post_text(path, &json!({ "odd": 1 })).await;
        assert!(odd.contains("unknown field"), "{path}: {odd}");
    }
}
