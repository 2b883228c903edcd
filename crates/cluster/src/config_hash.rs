//! What has to be the same in all processes, in one number.

use xxhash_rust::xxh3::Xxh3;

/// A hash of what a process works on and how. It keeps apart what does not belong together by mistake; it is no secret.
pub fn config_hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hash = Xxh3::new();
    for part in parts {
        // With lengths, so that nothing moves from one part to the next unnoticed.
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_counts() {
        let board = config_hash(["1 2", "manhattan"]);
        assert_eq!(board, config_hash(["1 2", "manhattan"]));
        assert_ne!(board, config_hash(["1 2m", "anhattan"]));
        assert_ne!(board, config_hash(["1 2", "manhattan", ""]));
    }
}
