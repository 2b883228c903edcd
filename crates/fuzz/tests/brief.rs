//! A short run of every target: a fixed number of executions, the same each time.

use admissible_fuzz::{Budget, Target, fuzz, quietly, replay, targets};

/// Enough to have every change tried on most of the corpus.
const EXECUTIONS: u64 = 20_000;
/// Targets that write files or start searches take longer for each.
const SLOW: [&str; 5] = ["atlas", "certificate", "http", "proof", "table"];

#[test]
fn the_corpus_breaks_nothing() {
    for target in &targets() {
        for (at, input) in target.corpus().iter().enumerate() {
            let (said, _) = quietly(|| replay(target, input));
            assert!(said.is_ok(), "{} with input {at} of its corpus: {said:?}", target.name);
        }
    }
}

#[test]
fn nothing_breaks_in_a_short_run() {
    for target in &targets() {
        let executions = if SLOW.contains(&target.name) { EXECUTIONS / 10 } else { EXECUTIONS };
        let outcome = quietly(|| fuzz(target, 7, Budget::Executions(executions)));
        let findings: Vec<String> = outcome
            .findings
            .iter()
            .map(|finding| format!("\n{}\n  with {}", finding.what, finding.input.escape_ascii()))
            .collect();
        assert!(findings.is_empty(), "{}:{}", target.name, findings.concat());
        assert_eq!(outcome.executions, executions);
        assert!(outcome.said > 1, "{} says the same of everything", target.name);
    }
}

#[test]
fn what_breaks_is_found() {
    let examples = vec![b"S..G".to_vec()];
    let broken = Target {
        name: "broken",
        summary: "breaks where there are two goals",
        run: Box::new(|bytes| {
            assert!(bytes.iter().filter(|&&byte| byte == b'G').count() < 2, "two goals");
            "fine".into()
        }),
        words: vec!["G"],
        examples: examples.clone(),
    };
    let outcome = quietly(|| fuzz(&broken, 1, Budget::Executions(5000)));
    assert_eq!(outcome.findings.len(), 1, "each thing once");
    assert!(outcome.findings[0].what.ends_with("two goals"), "{:?}", outcome.findings);
    let greedy = Target {
        name: "greedy",
        summary: "takes much memory",
        run: Box::new(|bytes| vec![bytes.len() as u8; 300 << 20].len().to_string()),
        words: Vec::new(),
        examples,
    };
    let (said, _) = quietly(|| replay(&greedy, b"x"));
    let complaint = said.expect_err("300 MiB are more than any input may take");
    assert!(complaint.ends_with("MiB of memory"), "{complaint}");
}
