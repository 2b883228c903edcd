//! `list`, help, completions, the manual page and the version.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::puzzles::SOLVABLE;
use crate::support::{ANSWERED, Folder, Run, assert_text, has_escape_codes};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Listed {
    puzzles: Vec<Puzzle>,
    algorithms: Vec<Algorithm>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Puzzle {
    name: String,
    summary: String,
    format: String,
    moves: Vec<String>,
    metrics: Vec<String>,
    heuristics: Vec<Heuristic>,
    features: Vec<Feature>,
    counting_rules: Vec<CountingRule>,
    parameters: Vec<Parameter>,
    scopes: Vec<Scope>,
    layouts: Vec<Layout>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Layout {
    name: String,
    chinese: String,
    english: String,
    steps: Option<u32>,
    moves: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Feature {
    name: String,
    summary: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CountingRule {
    name: String,
    summary: String,
    explanation: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameter {
    name: String,
    summary: String,
    kind: String,
    least: Option<Value>,
    most: Option<u64>,
    below: Option<f64>,
    cells: Option<u64>,
    words: Option<Vec<String>>,
    default: Option<Value>,
    explored: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scope {
    name: String,
    summary: String,
    file: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Heuristic {
    name: String,
    summary: String,
    rules: Vec<String>,
    claim: String,
    admissible: Truth,
    consistent: Truth,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Truth {
    holds: String,
    why: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Algorithm {
    name: String,
    summary: String,
}

impl Listed {
    pub(crate) fn puzzle(&self, name: &str) -> &Puzzle {
        self.puzzles.iter().find(|puzzle| puzzle.name == name).expect("the puzzle is listed")
    }

    pub(crate) fn algorithm_names(&self) -> Vec<String> {
        self.algorithms.iter().map(|algorithm| algorithm.name.clone()).collect()
    }

    fn puzzle_names(&self) -> Vec<String> {
        self.puzzles.iter().map(|puzzle| puzzle.name.clone()).collect()
    }
}

impl Puzzle {
    pub(crate) fn heuristic_names(&self) -> Vec<String> {
        self.heuristics.iter().map(|heuristic| heuristic.name.clone()).collect()
    }
}

/// The output of `list --format json`.
pub(crate) fn listed() -> &'static Listed {
    static LISTED: LazyLock<Listed> = LazyLock::new(|| run("list --format json").one_object(ANSWERED));
    &LISTED
}

fn run(words: &str) -> Run {
    Folder::new().run(words)
}

#[test]
fn the_list_has_every_puzzle_heuristic_and_algorithm() {
    assert_eq!(listed().puzzle_names(), ["die", "tiles", "klotski", "chexers", "pancake"]);
    let blind_and_greedy = ["astar", "astar-no-reopen", "ucs", "bfs", "dfs", "greedy", "wastar"];
    let algorithms = [&blind_and_greedy[..], &["idastar", "idastar-pruned", "hdastar", "bidirectional"]].concat();
    assert_eq!(listed().algorithm_names(), algorithms);
    for (puzzle, heuristics) in [
        ("die", &["zero", "euclidean", "manhattan", "die-roll", "oriented", "open-board"][..]),
        ("tiles", &["zero", "misplaced", "manhattan", "linear-conflict"]),
        ("klotski", &["zero", "manhattan", "blockers", "without-singles"]),
        ("chexers", &["zero", "relaxed-jumps", "partnered-jumps"]),
        ("pancake", &["zero", "gap", "top-gap"]),
    ] {
        let names = listed().puzzle(puzzle).heuristic_names();
        assert!(heuristics.iter().all(|known| names.iter().any(|name| name == known)), "{names:?}");
    }
}

#[test]
fn the_list_has_the_true_properties_not_the_claimed_ones() {
    for (puzzle, heuristic, admissible, consistent) in [
        ("die", "euclidean", "yes", "yes"),
        ("die", "manhattan", "yes", "yes"),
        ("die", "die-roll", "yes", "no"),
        ("die", "oriented", "no", "no"),
        ("die", "open-board", "yes", "yes"),
        ("tiles", "linear-conflict", "yes", "yes"),
        ("klotski", "manhattan", "yes", "yes"),
        ("klotski", "blockers", "sometimes", "no"),
        ("klotski", "without-singles", "yes", "yes"),
        ("chexers", "relaxed-jumps", "yes", "yes"),
        ("chexers", "partnered-jumps", "yes", "yes"),
    ] {
        let card = listed().puzzle(puzzle).heuristics.iter().find(|card| card.name == heuristic).expect("is listed");
        assert_eq!((card.admissible.holds.as_str(), card.consistent.holds.as_str()), (admissible, consistent));
        for truth in [&card.admissible, &card.consistent] {
            assert_eq!(truth.why.is_some(), truth.holds != "yes", "{card:?}");
        }
        assert!(!card.claim.is_empty() && !card.summary.is_empty() && !card.rules.is_empty());
    }
}

#[test]
fn the_text_has_the_same_names() {
    let all = run("list");
    for puzzle in &listed().puzzles {
        let alone = run(&format!("list {}", puzzle.name));
        assert!(all.prints(ANSWERED).contains(alone.prints(ANSWERED)), "{all}\n{alone}");
        let head = format!("{}: {}\n", puzzle.name, puzzle.summary);
        // Long lines are wrapped.
        let unfolded = alone.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(alone.out.starts_with(&head) && unfolded.contains(&puzzle.format), "{alone}");
        assert!(alone.out.contains(&puzzle.moves.join(",")), "{alone}");
        for heuristic in &puzzle.heuristics {
            let line = format!("\n  {:<16} {}\n", heuristic.name, heuristic.summary);
            assert!(alone.out.contains(&line), "{alone}");
        }
        assert!(alone.out.contains(&puzzle.metrics.join(" or ")), "{alone}");
        for layout in &puzzle.layouts {
            let fewest = match layout.steps.zip(layout.moves) {
                Some((steps, moves)) => format!("{steps} {moves}"),
                None => "unsolvable".into(),
            };
            let line = format!("{} {fewest} {} {}", layout.name, layout.english, layout.chinese);
            assert!(unfolded.contains(&line), "{line}: {alone}");
        }
        for scope in &puzzle.scopes {
            let file = if scope.file { "with a file: " } else { "" };
            assert!(unfolded.contains(&format!(" {} {file}{}", scope.name, scope.summary)), "{alone}");
        }
        assert!(!puzzle.parameters.is_empty());
        for rule in &puzzle.counting_rules {
            assert!(unfolded.contains(&format!(" {} {} {}", rule.name, rule.summary, rule.explanation)), "{alone}");
        }
        for parameter in &puzzle.parameters {
            assert!(unfolded.contains(&format!(" {} {}", parameter.name, parameter.summary)), "{alone}");
        }
        for feature in &puzzle.features {
            assert!(unfolded.contains(&format!(" {} {}", feature.name, feature.summary)), "{alone}");
        }
    }
    let algorithms: Vec<String> =
        listed().algorithms.iter().map(|card| format!("  {:<15} {}\n", card.name, card.summary)).collect();
    assert!(all.out.ends_with(&format!("Algorithms\n{}", algorithms.concat())), "{all}");
    assert!(!has_escape_codes(&all.out));
    assert!(has_escape_codes(run("list --color always").prints(ANSWERED)));
}

#[test]
fn a_puzzle_is_listed_in_full() {
    let expected = "\
chexers: take every piece off a hexagonal board: move, jump over pieces and blocks, exit on their own side
  files   a JSON object: \"colour\" (red, green or blue), \"pieces\" and \"blocks\" (lists of hexes [q, r])
  moves   exit,jump,move (--move-order)
  zero             0 everywhere: A* with it is uniform-cost search
  relaxed-jumps    the fewest actions of each piece alone, if it could always jump; summed over the pieces
  partnered-jumps  relaxed-jumps, plus the longest detour that a piece needs to jump over another one
  features of expressions (--heuristic), beside the heuristics
  pieces           pieces on the board
  blocks           blocks on the board
  on_exit          pieces on an exit
  rows_left        rows between each piece and its exit side, summed
  farthest         rows between the last piece and its exit side
  pairs            pairs of pieces beside each other
  jumps            how many jumps are possible
  parameters (generate, sweep)
  pieces           the number of pieces, 1 to 37 (default 4, explore 4)
  blocks           the number of blocks, 0 to 36 (default 6)
  clustering       the percentage of blocks next to another block, 0 to 100
  distance         the sum of relaxed-jumps at the start, 1 to 1369
  colour           the colour: red, green or blue (default red, explore red)
  scopes of an audit (--scope)
  pieces:N         every placement of up to N pieces of each colour, without blocks and with random ones
  random:N         every placement of up to 3 pieces on N boards with random blocks
  placements       with a file: every placement of as many pieces, or fewer
  reachable        with a file: every state that the start can reach
  sample:N         with a file: about N states near the goal and on shortest ways

";
    assert_text(run("list chexers").prints(ANSWERED), expected);
}

#[test]
fn one_puzzle_can_be_listed_as_json() {
    let one: Listed = run("list tiles --format json").one_object(ANSWERED);
    assert_eq!((one.puzzle_names(), one.algorithms.len()), (vec!["tiles".to_string()], 11));
    assert_eq!(one.puzzles[0].moves, ["DOWN", "RIGHT", "LEFT", "UP"]);
}

#[test]
fn every_parameter_has_an_option_and_a_range() {
    let help = ["generate", "sweep", "explore"].map(|command| run(&format!("{command} --help")));
    for puzzle in &listed().puzzles {
        for parameter in &puzzle.parameters {
            let option = format!("--{} <", parameter.name);
            assert!(help[..2].iter().all(|help| help.prints(ANSWERED).contains(&option)), "{option}");
            assert!(parameter.explored.is_none() || help[2].prints(ANSWERED).contains(&option), "{option}");
            let Parameter { least, most, below, cells, words, .. } = parameter;
            let ranges = (least.is_some(), most.is_some(), below.is_some(), cells.is_some(), words.is_some());
            let expected = match parameter.kind.as_str() {
                "count" | "walk" => (true, true, false, false, false),
                "share" => (true, false, true, false, false),
                "size" => (true, false, false, true, false),
                "word" => (false, false, false, false, true),
                other => panic!("{other} is no kind"),
            };
            assert_eq!(ranges, expected, "{parameter:?}");
        }
    }
    let size = &listed().puzzle("tiles").parameters[0];
    assert_eq!((&size.default, &size.explored), (&Some(json!([4, 4])), &Some(json!([3, 3]))));
    assert!(!help[2].out.contains("--density") && !help[2].out.contains("--blocks"), "{}", help[2]);
}

#[test]
fn every_word_of_a_move_order_is_accepted() {
    for (puzzle, text, cost) in SOLVABLE {
        let mut moves = listed().puzzle(puzzle).moves.clone();
        moves.reverse();
        let words = format!("solve puzzle --format json --move-order {}", moves.join(","));
        assert_eq!(Folder::with("puzzle", text).run(&words).solved::<Value>().cost, cost, "{words}");
    }
}

#[test]
fn every_command_has_help_with_the_names() {
    let main = run("--help");
    for command in [
        "solve",
        "compare",
        "sweep",
        "reproduce",
        "list",
        "generate",
        "explain",
        "verify",
        "serve",
        "completions",
        "man",
    ] {
        assert!(main.prints(ANSWERED).contains(&format!("\n  {command} ")), "{main}");
        let help = run(&format!("{command} --help"));
        assert!(help.prints(ANSWERED).contains(&format!("Usage: admissible {command}")), "{help}");
        assert_text(run(&format!("help {command}")).prints(ANSWERED), &help.out);
        assert!(!run(&format!("{command} -h")).prints(ANSWERED).is_empty());
        if ["solve", "list", "generate", "verify"].contains(&command) {
            assert!(listed().puzzle_names().iter().all(|name| help.out.contains(name)), "{help}");
        }
    }
    let solve = run("solve --help");
    assert!(listed().algorithm_names().iter().all(|name| solve.out.contains(name)), "{solve}");
    assert!(
        main.out.starts_with("Optimal heuristic search: solve puzzles with provably shortest solutions\n"),
        "{main}"
    );
    assert!(
        main.out.contains("Exit codes: 0 answered; 1 proved unsolvable, or a claim refuted; 2 bad input or usage;")
    );
}

#[test]
fn help_stays_within_the_width_of_a_page() {
    let commands = [
        "solve",
        "compare",
        "sweep",
        "reproduce",
        "audit",
        "explain",
        "explore",
        "generate",
        "verify",
        "list",
        "serve",
        "resume",
    ];
    for words in ["--help".to_string()].into_iter().chain(commands.map(|command| format!("{command} --help"))) {
        let run = run(&words);
        assert!(run.prints(ANSWERED).lines().all(|line| line.chars().count() <= 100), "{run}");
    }
    let main = run("--help");
    let examples = main.out.lines().filter(|line| line.starts_with("  admissible ")).count();
    assert_eq!((examples, main.out.matches("admissible ").count() > examples), (10, true), "{main}");
}

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(&format!("completions {shell}"));
        for word in ["admissible", "solve", "verify", "heuristic", "trace-limit"] {
            assert!(script.prints(ANSWERED).contains(word), "{word}: {script}");
        }
    }
}

#[test]
fn the_manual_page_has_its_sections() {
    let page = run("man");
    let text = page.prints(ANSWERED);
    assert!(text.lines().any(|line| line.starts_with(".TH admissible 1")), "{page}");
    for section in [".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH OPTIONS", ".SH SUBCOMMANDS"] {
        assert!(text.contains(section), "{section}: {page}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    for option in ["--version", "-V"] {
        assert_text(run(option).prints(ANSWERED), concat!("admissible ", env!("CARGO_PKG_VERSION"), "\n"));
    }
}
