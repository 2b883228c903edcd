//! Batches of states on the way to their owners, in timely's container format.

use std::io::Write;

use admissible::search::distributed::Entry;
use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message as Sent};

/// States for one worker.
#[derive(Debug, Clone, Default)]
pub(crate) struct Batch<const N: usize> {
    /// The sending worker.
    pub(crate) from: usize,
    /// The receiving worker.
    pub(crate) to: usize,
    pub(crate) entries: Vec<Entry<N>>,
}

const WORD: usize = size_of::<u64>();

impl<const N: usize> Accountable for Batch<N> {
    fn record_count(&self) -> i64 {
        self.entries.len() as i64
    }
}

/// Layout: one word for the two workers; then for each state its key, and one word for `f` and `g`.
impl<const N: usize> ContainerBytes for Batch<N> {
    fn from_bytes(bytes: Bytes) -> Self {
        let mut words = bytes
            .chunks_exact(WORD)
            .map(|word| u64::from_le_bytes(word.try_into().expect("chunks have the size of a word")));
        let workers = words.next().unwrap_or(0);
        let mut entries = Vec::with_capacity(words.len() / (N + 1));
        while words.len() > N {
            let mut key = [0; N];
            key.iter_mut().zip(&mut words).for_each(|(place, word)| *place = word);
            let costs = words.next().unwrap_or(0);
            entries.push(Entry { key, f: (costs >> 32) as u32, g: costs as u32 });
        }
        Batch { from: (workers >> 32) as usize, to: workers as u32 as usize, entries }
    }

    fn length_in_bytes(&self) -> usize {
        WORD * (1 + (N + 1) * self.entries.len())
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let mut write = |word: u64| writer.write_all(&word.to_le_bytes()).expect("timely reserves `length_in_bytes`");
        write((self.from as u64) << 32 | self.to as u64);
        for entry in &self.entries {
            entry.key.iter().for_each(|&word| write(word));
            write(u64::from(entry.f) << 32 | u64::from(entry.g));
        }
    }
}

/// Sends every batch to its receiving worker.
pub(crate) struct RouteToReceiver;

impl<const N: usize> Distributor<Batch<N>> for RouteToReceiver {
    fn partition<T: Clone, P: Push<Sent<T, Batch<N>>>>(&mut self, batch: &mut Batch<N>, time: &T, pushers: &mut [P]) {
        let to = batch.to;
        Sent::push_at(batch, time.clone(), &mut pushers[to]);
    }

    fn flush<T: Clone, P: Push<Sent<T, Batch<N>>>>(&mut self, _time: &T, _pushers: &mut [P]) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use timely::bytes::arc::BytesMut;

    #[test]
    fn batches_survive_encoding() {
        let entry = |n: u64| Entry { key: [n, !n], f: n as u32 + 7, g: n as u32 };
        for count in [0, 1, 5] {
            let batch = Batch { from: 5, to: 3, entries: (0..count).map(entry).collect() };
            let mut bytes = Vec::new();
            batch.into_bytes(&mut bytes);
            assert_eq!(bytes.len(), batch.length_in_bytes());
            let read = Batch::<2>::from_bytes(BytesMut::from(bytes).freeze());
            assert_eq!((read.from, read.to, read.entries), (batch.from, batch.to, batch.entries));
        }
    }
}
