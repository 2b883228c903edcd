//! Tests of the language: a table of values computed by hand, and random syntax trees that are printed, parsed again
//! and compared with a second interpreter.

use std::cmp::Ordering;

use admissible_oracle::Random;

use super::*;

/// `linear` is a prefix of `linear-conflict`, up to the hyphen.
const NAMES: [&str; 6] = ["m", "manhattan", "linear-conflict", "linear", "gap_row", "open-board"];
const VALUES: [f64; 6] = [3.0, 7.0, 10.0, 2.5, 0.0, -1.0];

fn parse(text: &str) -> Result<Program, ExpressionError> {
    Program::parse(text, &NAMES)
}

fn run(program: &Program, values: &[f64]) -> f64 {
    let value = |name: &&str| values[NAMES.iter().position(|known| known == name).expect("is one of the names")];
    let features: Vec<f64> = program.features().iter().map(value).collect();
    program.run(&features)
}

#[track_caller]
fn value(text: &str) -> f64 {
    let program = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    run(&program, &VALUES)
}

#[test]
fn values_computed_by_hand() {
    for (text, expected) in [
        ("7", 7.0),
        ("0.25", 0.25),
        (".5", 0.5),
        ("1 - 2 - 3", -4.0),
        ("1 - (2 - 3)", 2.0),
        ("24 / 4 / 2", 3.0),
        ("24 / (4 / 2)", 12.0),
        ("2 + 3 * 4", 14.0),
        ("(2 + 3) * 4", 20.0),
        ("2 * 3 + 4", 10.0),
        ("10 - 8 / 2", 6.0),
        ("-2 * 3", -6.0),
        ("2 * -3", -6.0),
        ("2 - -3", 5.0),
        ("--2", 2.0),
        ("-(2 - 3)", 1.0),
        ("max(1)", 1.0),
        ("max(1, 5, 3)", 5.0),
        ("min(4, 2, 3, 9)", 2.0),
        ("max(min(4, 2), min(3, 5)) + 1", 4.0),
        ("abs(2 - 5)", 3.0),
        ("floor(2.75) + ceil(2.25)", 5.0),
        ("floor(-0.5)", -1.0),
        ("if 1 < 2 then 3 else 4", 3.0),
        ("if 1 > 2 then 3 else 4", 4.0),
        ("if 2 <= 2 then 1 else 0", 1.0),
        ("if 2 >= 3 then 1 else 0", 0.0),
        ("if 2 == 2 then 1 else 0", 1.0),
        ("if 2 != 2 then 1 else 0", 0.0),
        ("if 1 > 2 then 3 else 4 + 10", 14.0),
        ("(if 1 > 2 then 3 else 4) + 10", 14.0),
        ("if 1 < 2 then 3 else 4 + 10", 3.0),
        ("(if 1 < 2 then 3 else 4) + 10", 13.0),
        ("1 + if 1 > 2 then 3 else 4 * 2", 9.0),
        ("if 1 > 2 then 1 else if 2 > 3 then 2 else 3", 3.0),
        ("if 1 < 2 then if 2 > 3 then 1 else 2 else 3", 2.0),
        ("if 1 == 1 or 1 == 2 and 1 == 3 then 1 else 0", 1.0),
        ("if (1 == 1 or 1 == 2) and 1 == 3 then 1 else 0", 0.0),
        ("if not 1 == 2 and 1 == 1 then 1 else 0", 1.0),
        ("if not (1 == 2 or 1 == 1) then 1 else 0", 0.0),
        ("if not not 1 == 1 then 1 else 0", 1.0),
        ("if 1 + 1 == 4 / 2 then 1 else 0", 1.0),
        ("manhattan + 2*m", 13.0),
        ("max(manhattan, linear-conflict - 1)", 9.0),
        ("manhattan-1", 6.0),
        ("manhattan-m", 4.0),
        ("m-manhattan-linear-conflict", -14.0),
        ("linear-conflict", 10.0),
        ("linear_conflict", 10.0),
        ("linear - 1", 1.5),
        ("linear-1", 1.5),
        ("gap-row + gap_row + open_board", -1.0),
        ("if m==3then 1else 2", 1.0),
        ("\tm\n+\n1 ", 4.0),
        ("m / gap_row", f64::INFINITY),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
    assert!(value("gap_row / gap_row").is_nan());
}

#[test]
fn a_program_lists_every_feature_once() {
    let program = parse("m + manhattan * m - max(gap-row, m, gap_row)").expect("is an expression");
    assert_eq!(program.features(), ["m", "manhattan", "gap_row"]);
    assert_eq!(parse("2 * 3").expect("is an expression").features(), [""; 0]);
}

/// Line, column, length and message of the fault.
#[track_caller]
fn fault(text: &str) -> (usize, usize, usize, String) {
    let error = parse(text).expect_err(text);
    assert_eq!(error.text, text);
    (error.line, error.column, error.length, error.message)
}

#[test]
fn faults_point_at_the_part_that_is_wrong() {
    for (text, column, length, message) in [
        ("", 1, 1, "expected a number, a feature or '(', found the end"),
        ("   ", 4, 1, "expected a number, a feature or '(', found the end"),
        ("m +", 4, 1, "expected a number, a feature or '(', found the end"),
        ("m + * 2", 5, 1, "expected a number, a feature or '(', found '*'"),
        ("m + then", 5, 4, "expected a number, a feature or '(', found 'then'"),
        ("m m", 3, 1, "expected an operator, found 'm'"),
        ("2m", 2, 1, "expected an operator, found 'm'"),
        ("m )", 3, 1, "expected an operator, found ')'"),
        ("m, 2", 2, 1, "expected an operator, found ','"),
        ("(m + 2", 7, 1, "expected an operator or ')', found the end"),
        ("(m, 2)", 3, 1, "expected an operator or ')', found ','"),
        ("max(m, 2", 9, 1, "expected an operator, ',' or ')', found the end"),
        ("max(m 2)", 7, 1, "expected an operator, ',' or ')', found '2'"),
        ("max()", 5, 1, "expected a number, a feature or '(', found ')'"),
        ("max m", 5, 1, "expected '(', found 'm'"),
        ("abs(m, 2)", 6, 1, "expected an operator or ')', found ','"),
        ("if m == 1 m", 11, 1, "expected an operator or 'then', found 'm'"),
        ("if m == 1 then 2", 17, 1, "expected an operator or 'else', found the end"),
        ("if m then 1 else 2", 4, 1, "expected a condition, found a number"),
        ("if 1 == 2 then 1 == 2 else 2", 16, 6, "expected a number, found a condition"),
        ("m + (1 < 2)", 5, 7, "expected a number, found a condition"),
        ("(1 < 2) + m", 1, 7, "expected a number, found a condition"),
        ("m > 3", 1, 5, "expected a number, found a condition"),
        ("1 < m < 3", 1, 5, "expected a number, found a condition"),
        ("-(1 < 2)", 2, 7, "expected a number, found a condition"),
        ("max(1, 2 < 3)", 8, 5, "expected a number, found a condition"),
        ("if m == 1 and m then 1 else 2", 15, 1, "expected a condition, found a number"),
        ("if m or m == 1 then 1 else 2", 4, 1, "expected a condition, found a number"),
        ("if not m then 1 else 2", 8, 1, "expected a condition, found a number"),
        ("if m = 1 then 1 else 2", 6, 1, "expected '==', found '='"),
        ("if m == 1 && m == 2 then 1 else 2", 11, 1, "expected 'and', found '&'"),
        ("m $ 2", 3, 1, "expected a number, a feature or an operator, found '$'"),
        ("m + é", 5, 1, "expected a number, a feature or an operator, found 'é'"),
        ("é", 1, 1, "expected a number, a feature or an operator, found 'é'"),
        ("m + \u{7}", 5, 1, "expected a number, a feature or an operator, found character U+0007"),
        ("1.2.3", 1, 5, "expected a number such as 2 or 0.5, found '1.2.3'"),
        ("m + .", 5, 1, "expected a number such as 2 or 0.5, found '.'"),
        ("2 * manhatan", 5, 8, "unknown feature 'manhatan', did you mean 'manhattan'?"),
        ("manhatan-open-board", 1, 8, "unknown feature 'manhatan', did you mean 'manhattan'?"),
        ("linear-conflct + 1", 8, 7, "unknown feature 'conflct'"),
        ("open-bord + 1", 1, 9, "unknown feature 'open-bord', did you mean 'open-board'?"),
        ("linear -conflict_free", 9, 13, "unknown feature 'conflict_free'"),
        ("m + something-else", 5, 9, "unknown feature 'something'"),
        ("Manhattan + 1", 1, 9, "unknown feature 'Manhattan', did you mean 'manhattan'?"),
        ("if m == 1 thn 2 else 3", 11, 3, "unknown feature 'thn', did you mean 'then'?"),
    ] {
        assert_eq!(fault(text), (1, column, length, message.into()), "{text}");
    }
    let (line, column, length, _) = fault("m +\n  2 * (1 <\n 2)\n");
    assert_eq!((line, column, length), (2, 7, 4), "only the first line of a part is marked");
    assert_eq!(fault("m\n+\n\n  oops").0, 4);
}

#[test]
fn the_fault_of_an_unknown_name_lists_the_known_names() {
    let note = |text: &str| parse(text).expect_err(text).note;
    let known = "the features are m, manhattan, linear-conflict, linear, gap_row, open-board";
    assert_eq!(note("m + something").as_deref(), Some(known));
    assert_eq!(note("m +"), None);
}

#[test]
fn nesting_and_numbers_are_limited_and_length_is_not() {
    let nested = |depth: usize| "(".repeat(depth) + "m" + &")".repeat(depth);
    assert_eq!(value(&nested(MAX_NESTING - 1)), 3.0);
    let message = "expected at most 100 operands within each other, found more";
    assert_eq!(fault(&nested(MAX_NESTING)), (1, 101, 1, message.into()));
    for open in ["(", "-", "max(1, ", "if 1 < 2 then ", "if ", "not ", "1 + (", "1 * (2 - ", "if 1 > 2 then 1 else "] {
        assert_eq!(fault(&open.repeat(100_000)).3, message, "{open}");
    }
    // Every operand but the innermost is on the stack.
    let right = |depth: usize| "1 - (".repeat(depth) + "m" + &")".repeat(depth);
    let deepest = (1..MAX_NESTING).take_while(|&depth| parse(&right(depth)).is_ok()).last().expect("a few are fine");
    assert_eq!(value(&right(deepest)), if deepest % 2 == 0 { 3.0 } else { -2.0 });
    let program = parse(&right(deepest)).expect("was parsed before");
    assert!(program.max_stack > SMALL_STACK && program.max_stack <= MAX_NESTING, "{}", program.max_stack);

    assert_eq!(value(&("m".to_string() + &" + m".repeat(100_000))), 300_003.0);
    assert_eq!(value(&format!("max(1{})", ", m".repeat(100_000))), 3.0);
    assert_eq!(fault(&"9".repeat(400)).2, 400);

    let names: Vec<&'static str> = (0..40).map(|at| &*format!("x{at}").leak()).collect();
    let sum = |count: usize| Program::parse(&names[..count].join(" + "), &names);
    let most = Program::MAX_FEATURES;
    assert_eq!(sum(most).expect("is allowed").run(&[2.0; Program::MAX_FEATURES]), 2.0 * most as f64);
    assert_eq!(sum(most + 1).expect_err("is too many").message, "expected at most 32 different features, found more");
}

/// The syntax tree of a well-typed expression.
#[derive(Debug, Clone)]
enum Tree {
    Number(f64),
    Feature(usize),
    Prefix(&'static str, Box<Tree>),
    Infix(&'static str, Box<Tree>, Box<Tree>),
    Call(&'static str, Vec<Tree>),
    If(Box<[Tree; 3]>),
}

const INFIX: [(&str, u8); 12] = [
    ("or", 1),
    ("and", 2),
    ("<", 4),
    ("<=", 4),
    (">", 4),
    (">=", 4),
    ("==", 4),
    ("!=", 4),
    ("+", 5),
    ("-", 5),
    ("*", 6),
    ("/", 6),
];

fn binding(name: &str) -> u8 {
    INFIX.iter().find(|(known, _)| *known == name).expect("is an operator").1
}

impl Tree {
    fn number(random: &mut Random, depth: usize) -> Tree {
        let part = |random: &mut Random| Tree::number(random, depth - 1);
        match if depth == 0 { random.below(2) } else { random.below(9) } {
            0 => Tree::Number(random.below(40) as f64 / 4.0),
            1 => Tree::Feature(random.below(NAMES.len())),
            2 => Tree::Prefix("-", part(random).into()),
            3 => {
                let name = ["abs", "floor", "ceil"][random.below(3)];
                Tree::Call(name, vec![part(random)])
            }
            4 => {
                let name = ["min", "max"][random.below(2)];
                Tree::Call(name, (0..1 + random.below(3)).map(|_| part(random)).collect())
            }
            5 => Tree::If(Box::new([Tree::condition(random, depth - 1), part(random), part(random)])),
            _ => Tree::Infix(INFIX[8 + random.below(4)].0, part(random).into(), part(random).into()),
        }
    }

    fn condition(random: &mut Random, depth: usize) -> Tree {
        let depth = depth.saturating_sub(1);
        match if depth == 0 { 3 } else { random.below(5) } {
            0 => Tree::Prefix("not", Tree::condition(random, depth).into()),
            1 => {
                let name = INFIX[random.below(2)].0;
                Tree::Infix(name, Tree::condition(random, depth).into(), Tree::condition(random, depth).into())
            }
            _ => {
                let name = INFIX[2 + random.below(6)].0;
                Tree::Infix(name, Tree::number(random, depth).into(), Tree::number(random, depth).into())
            }
        }
    }

    fn holds(&self, values: &[f64]) -> bool {
        match self {
            Tree::Prefix("not", part) => !part.holds(values),
            Tree::Infix("and", left, right) => left.holds(values) && right.holds(values),
            Tree::Infix("or", left, right) => left.holds(values) || right.holds(values),
            Tree::Infix(name, left, right) => {
                let order = left.value(values).partial_cmp(&right.value(values));
                match *name {
                    "<" => order.is_some_and(Ordering::is_lt),
                    "<=" => order.is_some_and(Ordering::is_le),
                    ">" => order.is_some_and(Ordering::is_gt),
                    ">=" => order.is_some_and(Ordering::is_ge),
                    "==" => order.is_some_and(Ordering::is_eq),
                    "!=" => order.is_none_or(Ordering::is_ne),
                    other => panic!("{other} is no comparison"),
                }
            }
            other => panic!("{other:?} is no condition"),
        }
    }

    fn value(&self, values: &[f64]) -> f64 {
        match self {
            Tree::Number(number) => *number,
            Tree::Feature(name) => values[*name],
            Tree::Prefix(_, part) => -part.value(values),
            Tree::Infix(name, left, right) => {
                let (left, right) = (left.value(values), right.value(values));
                match *name {
                    "+" => left + right,
                    "-" => left - right,
                    "*" => left * right,
                    "/" => left / right,
                    other => panic!("{other} makes no number"),
                }
            }
            Tree::Call(name, parts) => {
                let parts: Vec<f64> = parts.iter().map(|part| part.value(values)).collect();
                match *name {
                    "abs" => parts[0].abs(),
                    "floor" => parts[0].floor(),
                    "ceil" => parts[0].ceil(),
                    "min" => parts.into_iter().reduce(f64::min).expect("there is one"),
                    _ => parts.into_iter().reduce(f64::max).expect("there is one"),
                }
            }
            Tree::If(parts) => {
                let [condition, yes, no] = &**parts;
                if condition.holds(values) { yes.value(values) } else { no.value(values) }
            }
        }
    }

    /// The text of the expression, with as few parentheses as possible or with all possible ones. An operator whose
    /// precedence is below `min_precedence` needs parentheses.
    fn print(&self, min_precedence: u8, every: bool, random: &mut Random) -> String {
        let (text, mine) = match self {
            Tree::Number(number) => return number.to_string(),
            Tree::Feature(name) => {
                return if random.below(2) == 0 { NAMES[*name].into() } else { NAMES[*name].replace('-', "_") };
            }
            Tree::Prefix(name, part) => {
                let mine = if *name == "-" { 7 } else { 3 };
                (format!("{name} {}", part.print(mine, every, random)), mine)
            }
            Tree::Infix(name, left, right) => {
                let mine = binding(name);
                // `if` and `not` extend as far to the right as possible, so as left operands they need parentheses.
                let left_text = match &**left {
                    prefix @ (Tree::If(_) | Tree::Prefix("not", _)) => format!("({})", prefix.print(0, every, random)),
                    left if ends_openly(left) => format!("({})", left.print(0, every, random)),
                    left => left.print(mine, every, random),
                };
                (format!("{left_text} {name} {}", right.print(mine + 1, every, random)), mine)
            }
            Tree::Call(name, parts) => {
                let parts: Vec<String> = parts.iter().map(|part| part.print(0, every, random)).collect();
                return format!("{name}({})", parts.join(", "));
            }
            Tree::If(parts) => {
                let [condition, yes, no] = [0, 1, 2].map(|at| parts[at].print(0, every, random));
                // As a right operand it needs no parentheses.
                (format!("if {condition} then {yes} else {no}"), 8)
            }
        };
        if every || mine < min_precedence { format!("({text})") } else { text }
    }
}

/// Whether its last operand would extend over an operator that follows.
fn ends_openly(tree: &Tree) -> bool {
    match tree {
        Tree::If(_) | Tree::Prefix("not", _) => true,
        Tree::Prefix(_, part) => ends_openly(part),
        Tree::Infix(_, _, right) => ends_openly(right),
        _ => false,
    }
}

fn same(one: f64, other: f64) -> bool {
    one == other || one.is_nan() && other.is_nan()
}

#[test]
fn random_expressions_survive_printing_and_parsing() {
    let mut random = Random::new(6);
    for round in 0..20_000 {
        let tree = Tree::number(&mut random, round % 7);
        let texts = [tree.print(0, false, &mut random), tree.print(0, true, &mut random)];
        let programs = texts.each_ref().map(|text| parse(text).unwrap_or_else(|error| panic!("{text}\n{error}")));
        let [one, other] = programs.each_ref().map(|program| format!("{program:?}"));
        assert_eq!(one, other, "{texts:?}");
        for _ in 0..3 {
            let values: [f64; NAMES.len()] = std::array::from_fn(|_| random.below(9) as f64 / 2.0 - 1.0);
            let (found, meant) = (run(&programs[0], &values), tree.value(&values));
            assert!(same(found, meant), "{}: {found} instead of {meant} with {values:?}", texts[0]);
        }
    }
}

#[test]
fn no_text_makes_the_parser_panic() {
    let mut random = Random::new(7);
    let words = [
        "if",
        "then",
        "else",
        "and",
        "or",
        "not",
        "min",
        "max",
        "abs",
        "floor",
        "ceil",
        "m",
        "manhattan",
        "linear-conflict",
        "linear",
        "-",
        "_",
        "--",
        "(",
        ")",
        ",",
        "+",
        "*",
        "/",
        "<",
        "<=",
        "==",
        "=",
        "!",
        "1",
        "0.5",
        ".",
        " ",
        "\n",
        "\r",
        "é",
        "→",
        "\0",
        "x",
    ];
    let mut read = 0;
    for round in 0..100_000 {
        let text: String = if round % 4 == 0 {
            let bytes: Vec<u8> = (0..random.below(20)).map(|_| random.below(256) as u8).collect();
            String::from_utf8_lossy(&bytes).into_owned()
        } else {
            let blank = ["", " "][round % 2];
            (0..random.below(16)).flat_map(|_| [words[random.below(words.len())], blank]).collect()
        };
        match parse(&text) {
            Ok(program) => {
                run(&program, &VALUES);
                read += 1;
            }
            Err(ExpressionError { line, column, length, message, .. }) => {
                let lines: Vec<&str> = text.split('\n').collect();
                assert!((1..=lines.len()).contains(&line), "{text:?} {message}");
                let width = lines[line - 1].chars().count();
                assert!(column >= 1 && length >= 1 && column + length <= width + 2, "{text:?} {message}");
            }
        }
    }
    assert!(read > 500, "some of them are expressions: {read}");
}
