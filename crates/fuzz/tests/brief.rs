//! A short run of every target with a fixed number of executions and a fixed seed.

use std::fs;
use std::time::Duration;

use admissible_front::{CheckpointWriter, Store, Work};
use admissible_fuzz::{Budget, Target, collect_panics, corpus_folder, fuzz, replay, reseal, targets};

/// Enough to try every mutation on most of the corpus.
const EXECUTIONS: u64 = 20_000;
/// Targets that write files or start searches run a tenth of that.
const SLOW: [&str; 7] = ["atlas", "certificate", "connection", "http", "proof", "table", "work"];

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
        file_at: None,
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
        file_at: None,
    };
    let (output, _) = collect_panics(|| replay(&greedy, b"x"));
    let complaint = output.expect_err("300 MiB are more than any input may take");
    assert!(complaint.ends_with("MiB of memory"), "{complaint}");
}

#[test]
fn lengths_and_checksums_are_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("checkpoint");
    let writer = CheckpointWriter::new(checkpoint.clone(), Work::default(), Duration::ZERO, Box::new(|_| ()));
    writer.write_with(&serde_json::Value::Null, &mut |out| out.write_all(b"the body")).unwrap();
    let store = Store::at(folder.path());
    store.save("table", &vec![7; 3 << 20].into()).unwrap();
    store.atlases().save("atlas", &vec![7; 9 << 10].into()).unwrap();
    let certificate = corpus_folder().join("certificate/die-manhattan");
    for file in [checkpoint, store.file("table"), store.atlases().file("atlas"), certificate] {
        let whole = fs::read(&file).unwrap();
        // The checksums of the header and of the last block, or the last byte of the file.
        let text = usize::from(whole[12]);
        for damaged in [20 + text, 20 + text + 16, whole.len() - 1] {
            let mut bytes = [&[1], &whole[..]].concat();
            bytes[1 + damaged] ^= 0x55;
            reseal(&mut bytes, 1);
            assert_eq!(bytes[0], 0, "the file is taken as it is");
            // A changed byte of a body stays; its checksum follows it.
            let is_body = damaged + 1 == whole.len() && !file.ends_with("die-manhattan");
            assert!(is_body == (bytes[1..] != whole[..]) && bytes.len() == whole.len() + 1, "{file:?} at {damaged}");
        }
    }
    let mut other = b"something else".to_vec();
    reseal(&mut other, 0);
    assert_eq!(other, b"something else");
}
