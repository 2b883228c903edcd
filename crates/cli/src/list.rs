//! `admissible list`: the registry as text or JSON.

use std::io::{self, Write};

use admissible_front::counting::{LITERATURE, LITERATURE_SUMMARY};
use admissible_front::{
    ALGORITHMS, Card, Classic, CountingRule, HeuristicCard, OpenError, Parameter, PlanError, Registry, ScopeCard,
    Truth, classics, nearest,
};
use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

use crate::args::{ListArguments, PlainFormat};
use crate::show::{BOLD, DIM, wrapped};
use crate::{Exit, Failure};

pub(crate) fn run(arguments: &ListArguments, puzzles: Registry) -> Result<Exit, Failure> {
    let cards: Vec<&'static Card> = puzzles.cards().collect();
    let wanted: Vec<&'static Card> = match &arguments.puzzle {
        None => cards,
        Some(name) => {
            let known = cards.iter().find(|card| card.name == name).copied();
            let unknown = || OpenError::UnknownPuzzle {
                name: name.clone(),
                nearest: nearest(name, cards.iter().map(|card| card.name)),
            };
            vec![known.ok_or_else(|| Failure::new(unknown()))?]
        }
    };
    if let (Some(name), [card]) = (&arguments.heuristic, &wanted[..]) {
        return rules(card, name, arguments.format);
    }
    if arguments.format == PlainFormat::Json {
        writeln!(io::stdout().lock(), "{}", json(&wanted))?;
        return Ok(Exit::Answered);
    }
    let mut out = anstream::stdout().lock();
    for card in wanted {
        puzzle(&mut out, card)?;
    }
    if arguments.puzzle.is_none() {
        writeln!(out, "{BOLD}Algorithms{BOLD:#}")?;
        for card in ALGORITHMS {
            writeln!(out, "  {BOLD}{:<15}{BOLD:#} {}", card.name, card.summary)?;
        }
    }
    Ok(Exit::Answered)
}

/// Prints the exact rules of a heuristic.
fn rules(card: &'static Card, name: &str, format: PlainFormat) -> Result<Exit, Failure> {
    let known = card.heuristics.iter().find(|heuristic| heuristic.name == name);
    let Some(heuristic) = known else {
        let names = card.heuristics.iter().map(|heuristic| heuristic.name);
        let unknown =
            PlanError::UnknownHeuristic { puzzle: card.name, name: name.into(), nearest: nearest(name, names) };
        return Err(Failure::new(unknown));
    };
    if format == PlainFormat::Json {
        writeln!(io::stdout().lock(), "{}", heuristic_json(heuristic))?;
        return Ok(Exit::Answered);
    }
    let mut out = anstream::stdout().lock();
    writeln!(out, "{BOLD}{}{BOLD:#}: {}", heuristic.name, wrapped(heuristic.summary, heuristic.name.len() + 2))?;
    for rule in heuristic.rules.lines() {
        writeln!(out, "  {rule}")?;
    }
    for (what, truth) in [("admissible", heuristic.admissible), ("consistent", heuristic.consistent)] {
        let (style, word, why) = truth_words(truth);
        let why = why.map_or(String::new(), |why| format!(", {}", wrapped(why, 14)));
        writeln!(out, "{DIM}{what}:{DIM:#} {style}{word}{style:#}{why}")?;
    }
    writeln!(out, "{DIM}its source claims: {}{DIM:#}", heuristic.claim)?;
    Ok(Exit::Answered)
}

fn truth_words(truth: Truth) -> (Style, &'static str, Option<&'static str>) {
    match truth {
        Truth::Yes => (AnsiColor::Green.on_default(), "yes", None),
        Truth::No(why) => (AnsiColor::Red.on_default(), "NO", Some(why)),
        Truth::Sometimes(why) => (AnsiColor::Yellow.on_default(), "in part", Some(why)),
    }
}

fn puzzle(out: &mut impl Write, card: &'static Card) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#}: {}", card.name, card.summary)?;
    writeln!(out, "  {DIM}files{DIM:#}   {}", wrapped(card.format, 10))?;
    if !card.moves.is_empty() {
        writeln!(out, "  {DIM}moves{DIM:#}   {} {DIM}(--move-order){DIM:#}", card.moves.join(","))?;
    }
    if !card.metrics.is_empty() {
        writeln!(out, "  {DIM}counts{DIM:#}  {} {DIM}(--metric){DIM:#}", card.metrics.join(" or "))?;
    }
    for heuristic in card.heuristics {
        writeln!(out, "  {BOLD}{:<16}{BOLD:#} {}", heuristic.name, heuristic.summary)?;
        for (what, truth) in [("admissible", heuristic.admissible), ("consistent", heuristic.consistent)] {
            let (style, word, why) = truth_words(truth);
            // Only properties that do not hold need a line.
            if let Some(why) = why {
                writeln!(out, "  {:<16} {DIM}{what}:{DIM:#} {style}{word}{style:#}, {}", "", wrapped(why, 19))?;
            }
        }
        if heuristic.admissible == Truth::Yes && heuristic.consistent == Truth::Yes {
            continue;
        }
        writeln!(out, "  {:<16} {DIM}its source claims: {}{DIM:#}", "", heuristic.claim)?;
    }
    if !card.features.is_empty() {
        writeln!(out, "  {DIM}features of expressions (--heuristic), beside the heuristics{DIM:#}")?;
    }
    for feature in card.features {
        writeln!(out, "  {BOLD}{:<16}{BOLD:#} {}", feature.name, wrapped(feature.summary, 19))?;
    }
    if !card.counting_rules.is_empty() {
        writeln!(out, "  {DIM}counting rules of A* (--counting); that of a report includes its search{DIM:#}")?;
        writeln!(out, "  {BOLD}{:<16}{BOLD:#} {}", LITERATURE, wrapped(LITERATURE_SUMMARY, 19))?;
    }
    for rule in card.counting_rules {
        writeln!(out, "  {BOLD}{:<16}{BOLD:#} {}", rule.name, wrapped(rule.summary, 19))?;
        writeln!(out, "  {:<16} {DIM}{}{DIM:#}", "", wrapped(rule.explanation, 19))?;
    }
    let layouts: Vec<Classic> = classics(card);
    if !layouts.is_empty() {
        writeln!(out, "  {DIM}layouts by name (solve {}:NAME), fewest steps and moves{DIM:#}", card.name)?;
    }
    for known in layouts {
        let fewest = match known.steps.zip(known.moves) {
            Some((steps, moves)) => format!("{steps:>3} {moves:>3}"),
            None => "unsolvable".into(),
        };
        writeln!(
            out,
            "  {BOLD}{:<22}{BOLD:#} {fewest:>7}  {}  {DIM}{}{DIM:#}",
            known.name, known.english, known.chinese
        )?;
    }
    if !card.parameters.is_empty() {
        writeln!(out, "  {DIM}parameters (generate, sweep){DIM:#}")?;
    }
    for parameter in card.parameters {
        let mut defaults = Vec::new();
        defaults.extend(parameter.default.as_ref().map(|default| format!("default {default}")));
        defaults.extend(parameter.explored.as_ref().map(|default| format!("explore {default}")));
        let defaults = if defaults.is_empty() { String::new() } else { format!(" ({})", defaults.join(", ")) };
        let words = wrapped(&format!("{}{defaults}", parameter.description()), 19);
        writeln!(out, "  {BOLD}{:<16}{BOLD:#} {words}", parameter.name)?;
    }
    if !card.scopes.is_empty() {
        writeln!(out, "  {DIM}scopes of an audit (--scope){DIM:#}")?;
    }
    for scope in card.scopes {
        let file = if scope.of_file { "with a file: " } else { "" };
        writeln!(out, "  {BOLD}{:<16}{BOLD:#} {DIM}{file}{DIM:#}{}", scope.name, scope.summary)?;
    }
    writeln!(out)
}

fn heuristic_json(heuristic: &HeuristicCard) -> Value {
    let truth = |truth: Truth| match truth {
        Truth::Yes => json!({ "holds": "yes" }),
        Truth::No(why) => json!({ "holds": "no", "why": why }),
        Truth::Sometimes(why) => json!({ "holds": "sometimes", "why": why }),
    };
    json!({
        "name": heuristic.name,
        "summary": heuristic.summary,
        "rules": heuristic.exact_rules().collect::<Vec<&str>>(),
        "claim": heuristic.claim,
        "admissible": truth(heuristic.admissible),
        "consistent": truth(heuristic.consistent),
    })
}

fn json(cards: &[&'static Card]) -> Value {
    let puzzles: Vec<Value> = cards
        .iter()
        .map(|card| {
            let heuristics: Vec<Value> = card.heuristics.iter().map(heuristic_json).collect();
            let features: Vec<Value> =
                card.features.iter().map(|card| json!({ "name": card.name, "summary": card.summary })).collect();
            let rule = |rule: &CountingRule| {
                json!({ "name": rule.name, "summary": rule.summary, "explanation": rule.explanation })
            };
            let counting_rules: Vec<Value> = card.counting_rules.iter().map(rule).collect();
            let scope =
                |scope: &ScopeCard| json!({ "name": scope.name, "summary": scope.summary, "file": scope.of_file });
            let scopes: Vec<Value> = card.scopes.iter().map(scope).collect();
            let layouts: Vec<Value> = classics(card)
                .into_iter()
                .map(|Classic { name, chinese, english, steps, moves, .. }| {
                    json!({ "name": name, "chinese": chinese, "english": english, "steps": steps, "moves": moves })
                })
                .collect();
            json!({
                "name": card.name,
                "summary": card.summary,
                "format": card.format,
                "moves": card.moves,
                "metrics": card.metrics,
                "heuristics": heuristics,
                "features": features,
                "counting_rules": counting_rules,
                "parameters": card.parameters.iter().map(Parameter::json).collect::<Value>(),
                "scopes": scopes,
                "layouts": layouts,
            })
        })
        .collect();
    let algorithms: Vec<Value> =
        ALGORITHMS.iter().map(|card| json!({ "name": card.name, "summary": card.summary })).collect();
    json!({ "puzzles": puzzles, "algorithms": algorithms })
}
