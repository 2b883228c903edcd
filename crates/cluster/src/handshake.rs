//! The first words between two processes: who calls and with what, and what the other thinks of it.

pub(crate) const MAGIC: &[u8; 8] = b"adm.clst";
/// Changes whenever what is said between processes changes.
const PROTOCOL: u32 = 2;
/// Magic, protocol, config hash, who calls, among how many, and where it can go on.
pub(crate) const HANDSHAKE: usize = 8 + 4 + 8 + 4 + 4 + OFFERS;
/// Magic, a verdict, and where whoever was called can go on.
pub(crate) const REPLY: usize = 8 + 1 + OFFERS;
const OFFERS: usize = 2 * 8;
/// Stands where there is no offer.
const NO_OFFER: u64 = u64::MAX;

/// What this process says to the others.
#[derive(Debug, Clone, Copy)]
pub struct Handshake {
    /// The number of this process.
    pub process: usize,
    /// A hash of all that has to be the same everywhere.
    pub config_hash: u64,
    /// The numbers of what this process has written down and can go on from, or [`BEGINNING`](crate::BEGINNING).
    pub offers: Offers,
}

/// The numbers of what a process has written down: one, or two if it died while one took the place of the other.
pub type Offers = [Option<u64>; 2];

/// What a process that is called thinks of a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Welcome = 1,
    /// It has another instance, other options or other hosts.
    OtherWork = 2,
    /// It is of another version.
    OtherProtocol = 3,
    /// Its number is not one of those that are waited for.
    Unexpected = 4,
}

const VERDICTS: [Verdict; 4] = [Verdict::Welcome, Verdict::OtherWork, Verdict::OtherProtocol, Verdict::Unexpected];

impl Handshake {
    /// What a caller says, who is one of so many.
    pub(crate) fn call(self, of: usize) -> [u8; HANDSHAKE] {
        let mut bytes = [0; HANDSHAKE];
        let (protocol, config_hash) = (PROTOCOL.to_le_bytes(), self.config_hash.to_le_bytes());
        let (process, of) = ((self.process as u32).to_le_bytes(), (of as u32).to_le_bytes());
        fill(&mut bytes, &[MAGIC, &protocol, &config_hash, &process, &of, &bytes_of(self.offers)]);
        bytes
    }

    /// What this process thinks of what a caller said, who is one of as many: but for its number, which comes with its
    /// offers.
    pub(crate) fn judge(self, of: usize, said: &[u8; HANDSHAKE]) -> (Verdict, usize, Offers) {
        let ours = self.call(of);
        let process = u32::from_le_bytes(said[20..24].try_into().expect("four bytes")) as usize;
        let verdict = match () {
            () if said[8..12] != ours[8..12] => Verdict::OtherProtocol,
            () if said[12..20] != ours[12..20] || said[24..28] != ours[24..28] => Verdict::OtherWork,
            () => Verdict::Welcome,
        };
        (verdict, process, offers_of(&said[28..]))
    }

    /// What this process answers a caller.
    pub(crate) fn reply(self, verdict: Verdict) -> [u8; REPLY] {
        let mut bytes = [0; REPLY];
        fill(&mut bytes, &[MAGIC, &[verdict as u8], &bytes_of(self.offers)]);
        bytes
    }
}

/// What was answered; `None` if something else answers there.
pub(crate) fn read_reply(reply: &[u8; REPLY]) -> Option<(Verdict, Offers)> {
    let verdict = VERDICTS.into_iter().find(|&verdict| verdict as u8 == reply[8])?;
    (reply[..8] == *MAGIC).then(|| (verdict, offers_of(&reply[9..])))
}

fn fill(mut bytes: &mut [u8], parts: &[&[u8]]) {
    for part in parts {
        let (head, tail) = bytes.split_at_mut(part.len());
        head.copy_from_slice(part);
        bytes = tail;
    }
}

fn bytes_of(offers: Offers) -> [u8; OFFERS] {
    let [first, second] = offers.map(|offer| offer.unwrap_or(NO_OFFER).to_le_bytes());
    let mut bytes = [0; OFFERS];
    fill(&mut bytes, &[&first, &second]);
    bytes
}

fn offers_of(bytes: &[u8]) -> Offers {
    let offer = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    [offer(0), offer(8)].map(|offer| Some(offer).filter(|&offer| offer != NO_OFFER))
}
