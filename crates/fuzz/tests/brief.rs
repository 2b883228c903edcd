//! A short run of every target with a fixed number of executions and a fixed seed.

use admissible_fuzz::{Budget, Target, collect_panics, fuzz, replay, targets};

/// Enough to try every mutation on most of the corpus.
const EXECUTIONS: u64 = 20_000;
/// Targets that write files or start searches run a tenth of that.
const SLOW: [&str; 5] = ["atlas", "certificate", "http", "proof", "table"];

#[test]
fn the_corpus_has_no_findings() {
    for target in &targets() {
        for (at, input) in target.corpus().iter().enumerate() {
            let (output, _) = collect_panics(|| replay(target, input));
            assert!(output.is_ok(), "{} with input {at} of its corpus: {output:?}", target.name);
        }
    }
}

#[test]
fn a_short_run_has_no_findings() {
    for target in &targets() {
        let executions = if SLOW.contains(&target.name) { EXECUTIONS / 10 } else { EXECUTIONS };
        let outcome = collect_panics(|| fuzz(target, 7, Budget::Executions(executions)));
        let findings: Vec<String> = outcome
            .findings
            .iter()
            .map(|finding| format!("\n{}\n  with {}", finding.what, finding.input.escape_ascii()))
            .collect();
        assert!(findings.is_empty(), "{}:{}", target.name, findings.concat());
        assert_eq!(outcome.executions, executions);
        assert!(outcome.distinct_outputs > 1, "{} has one output for every input", target.name);
    }
}

#[test]
fn a_broken_target_is_found() {
    let examples = vec![b"S..G".to_vec()];
    let broken = Target {
        name: "broken",
        summary: "fails with two goals",
        run: Box::new(|bytes| {
            assert!(bytes.iter().filter(|&&byte| byte == b'G').count() < 2, "two goals");
            "fine".into()
        }),
        dictionary: vec!["G"],
        examples: examples.clone(),
    };
    let outcome = collect_panics(|| fuzz(&broken, 1, Budget::Executions(5000)));
    assert_eq!(outcome.findings.len(), 1, "each finding once");
    assert!(outcome.findings[0].what.ends_with("two goals"), "{:?}", outcome.findings);
    let greedy = Target {
        name: "greedy",
        summary: "takes much memory",
        run: Box::new(|bytes| vec![bytes.len() as u8; 300 << 20].len().to_string()),
        dictionary: Vec::new(),
        examples,
    };
    let (output, _) = collect_panics(|| replay(&greedy, b"x"));
    let complaint = output.expect_err("300 MiB are more than any input may take");
    assert!(complaint.ends_with("MiB of memory"), "{complaint}");
}
