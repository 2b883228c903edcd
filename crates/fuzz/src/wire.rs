//! What the processes of a cluster read from each other.

use admissible_cluster::hostile::{read_connection, read_content};

pub(crate) const DICTIONARY: &[&str] = &[
    "\"Halt\"\n",
    "\"Pause\"\n",
    "{\"Stop\":{\"why\":\"Time\"}}\n",
    "{\"Goal\":{\"worker\":1,\"state\":[7]}}\n",
    "{\"Paused\":{\"worker\":0,\"sent\":5,\"taken\":5,\"is_intact\":true}}\n",
    "{\"Written\":{\"process\":1,\"is_ok\":true}}\n",
    "{\"Path\":{\"codes\":[1,2]}}\n",
    "{\"Trace\":{\"state\":[7],\"codes\":[]}}\n",
    "{\"Received\":{\"states\":3}}\n",
    "{\"Lost\":{\"process\":1,\"why\":\"Gone\"}}\n",
    "{\"Final\":{\"worker\":1,\"found\":",
    "adm.clst",
];

/// The first byte selects the bytes of a connection, or content that is sent in frames with right checksums.
pub(crate) fn wire(bytes: &[u8]) -> String {
    match bytes.split_first() {
        Some((choice, rest)) if choice % 2 == 0 => read_connection(rest),
        Some((_, rest)) => read_content(rest),
        None => String::new(),
    }
}
