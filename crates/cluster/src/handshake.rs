//! The handshake on a new connection: the caller introduces itself, the called process accepts or refuses.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

pub(crate) const MAGIC: &[u8; 8] = b"adm.clst";
/// Version of the protocol: increases with every change to the handshake, messages or batches.
const PROTOCOL: u32 = 4;
/// Magic, protocol, config hash, number of the caller, number of processes, offers, checksum.
pub(crate) const HANDSHAKE_BYTES: usize = 8 + 4 + 8 + 4 + 4 + OFFERS_BYTES + CHECKSUM_BYTES;
/// Magic, verdict, offers, checksum.
pub(crate) const REPLY_BYTES: usize = 8 + 1 + OFFERS_BYTES + CHECKSUM_BYTES;
const CHECKSUM_BYTES: usize = 8;
const OFFERS_BYTES: usize = 2 * 8;
/// Encodes a missing offer.
const NO_OFFER: u64 = u64::MAX;

/// What a process declares to the others.
#[derive(Debug, Clone, Copy)]
pub struct Handshake {
    /// The number of this process.
    pub process: usize,
    /// A hash of the configuration, which has to be the same in all processes.
    pub config_hash: u64,
    /// The checkpoints that this process can resume from, or [`BEGINNING`](crate::BEGINNING).
    pub offers: Offers,
}

/// The numbers of a process's checkpoints: one, or two if it ended between writing a new one and removing the old.
pub type Offers = [Option<u64>; 2];

/// The answer of the called process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Welcome = 1,
    /// The caller has another instance, other options or other hosts.
    OtherWork = 2,
    /// The caller speaks another version of the protocol.
    OtherProtocol = 3,
    /// The called process does not wait for a caller of this number.
    Unexpected = 4,
    /// The handshake arrived damaged: the caller tries again.
    Garbled = 5,
}

const VERDICTS: [Verdict; 5] =
    [Verdict::Welcome, Verdict::OtherWork, Verdict::OtherProtocol, Verdict::Unexpected, Verdict::Garbled];

impl Handshake {
    /// The bytes that a caller sends; `of` is the number of processes.
    pub(crate) fn encode(self, of: usize) -> [u8; HANDSHAKE_BYTES] {
        let mut bytes = [0; HANDSHAKE_BYTES];
        let (protocol, config_hash) = (PROTOCOL.to_le_bytes(), self.config_hash.to_le_bytes());
        let (process, of) = ((self.process as u32).to_le_bytes(), (of as u32).to_le_bytes());
        fill(&mut bytes, &[MAGIC, &protocol, &config_hash, &process, &of, &bytes_of(self.offers)]);
        seal(&mut bytes);
        bytes
    }

    /// Compares a caller's handshake with this one: the verdict, and the caller's number and offers. The number is not
    /// checked.
    pub(crate) fn check(self, of: usize, received: &[u8; HANDSHAKE_BYTES]) -> (Verdict, usize, Offers) {
        let ours = self.encode(of);
        let process = u32::from_le_bytes(received[20..24].try_into().expect("four bytes")) as usize;
        let verdict = match () {
            () if !is_sealed(received) && received[8..12] == ours[8..12] => Verdict::Garbled,
            () if received[8..12] != ours[8..12] => Verdict::OtherProtocol,
            () if received[12..20] != ours[12..20] || received[24..28] != ours[24..28] => Verdict::OtherWork,
            () => Verdict::Welcome,
        };
        (verdict, process, offers_of(&received[28..][..OFFERS_BYTES]))
    }

    /// The bytes of the answer to a caller.
    pub(crate) fn reply(self, verdict: Verdict) -> [u8; REPLY_BYTES] {
        let mut bytes = [0; REPLY_BYTES];
        fill(&mut bytes, &[MAGIC, &[verdict as u8], &bytes_of(self.offers)]);
        seal(&mut bytes);
        bytes
    }
}

/// Parses an answer; `None` if it is not from a process of ours.
pub(crate) fn read_reply(reply: &[u8; REPLY_BYTES]) -> Option<(Verdict, Offers)> {
    let verdict = VERDICTS.into_iter().find(|&verdict| verdict as u8 == reply[8])?;
    (reply[..8] == *MAGIC && is_sealed(reply)).then(|| (verdict, offers_of(&reply[9..][..OFFERS_BYTES])))
}

/// Writes the checksum of the bytes before it into the last eight.
fn seal(bytes: &mut [u8]) {
    let (content, checksum) = bytes.split_at_mut(bytes.len() - CHECKSUM_BYTES);
    checksum.copy_from_slice(&xxh3_64(content).to_le_bytes());
}

fn is_sealed(bytes: &[u8]) -> bool {
    let (content, checksum) = bytes.split_at(bytes.len() - CHECKSUM_BYTES);
    *checksum == xxh3_64(content).to_le_bytes()
}

fn fill(mut bytes: &mut [u8], parts: &[&[u8]]) {
    for shard in parts {
        let (head, tail) = bytes.split_at_mut(shard.len());
        head.copy_from_slice(shard);
        bytes = tail;
    }
}

fn bytes_of(offers: Offers) -> [u8; OFFERS_BYTES] {
    let [first, second] = offers.map(|offer| offer.unwrap_or(NO_OFFER).to_le_bytes());
    let mut bytes = [0; OFFERS_BYTES];
    fill(&mut bytes, &[&first, &second]);
    bytes
}

fn offers_of(bytes: &[u8]) -> Offers {
    let offer = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    [offer(0), offer(8)].map(|offer| Some(offer).filter(|&offer| offer != NO_OFFER))
}

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
