//! A hash of the configuration that all processes have to share.

use xxhash_rust::xxh3::Xxh3;

/// Hashes the parts of a configuration. The hash detects processes started with different configurations by mistake;
/// it is not a secret.
pub fn config_hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hash = Xxh3::new();
    for shard in parts {
        // Lengths delimit the parts.
        hash.update(&(shard.len() as u64).to_le_bytes());
        hash.update(shard.as_bytes());
    }
    hash.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_changes_the_hash() {
        let board = config_hash(["1 2", "manhattan"]);
        assert_eq!(board, config_hash(["1 2", "manhattan"]));
        assert_ne!(board, config_hash(["1 2m", "anhattan"]));
        assert_ne!(board, config_hash(["1 2", "manhattan", ""]));
    }
}
