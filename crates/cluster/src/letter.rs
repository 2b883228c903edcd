//! States on their way to their owners, in batches that timely carries whole.

use std::io::Write;

use admissible::search::Entry;
use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};

/// States for one worker.
#[derive(Debug, Clone, Default)]
pub(crate) struct Letter<const N: usize> {
    /// Who sends it.
    pub(crate) from: usize,
    /// Whom it is for.
    pub(crate) to: usize,
    pub(crate) entries: Vec<Entry<N>>,
}

const WORD: usize = size_of::<u64>();

impl<const N: usize> Accountable for Letter<N> {
    fn record_count(&self) -> i64 {
        self.entries.len() as i64
    }
}

/// A word for the two workers; then for each state its key, and `f` and `g` in one word.
impl<const N: usize> ContainerBytes for Letter<N> {
    fn from_bytes(bytes: Bytes) -> Self {
        let mut words = bytes.chunks_exact(WORD).map(|word| u64::from_le_bytes(word.try_into().expect("a whole word")));
        let workers = words.next().unwrap_or(0);
        let mut entries = Vec::with_capacity(words.len() / (N + 1));
        while words.len() > N {
            let mut key = [0; N];
            key.iter_mut().zip(&mut words).for_each(|(place, word)| *place = word);
            let costs = words.next().unwrap_or(0);
            entries.push(Entry { key, f: (costs >> 32) as u32, g: costs as u32 });
        }
        Letter { from: (workers >> 32) as usize, to: workers as u32 as usize, entries }
    }

    fn length_in_bytes(&self) -> usize {
        WORD * (1 + (N + 1) * self.entries.len())
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let mut write = |word: u64| writer.write_all(&word.to_le_bytes()).expect("there is room for the whole letter");
        write((self.from as u64) << 32 | self.to as u64);
        for entry in &self.entries {
            entry.key.iter().for_each(|&word| write(word));
            write(u64::from(entry.f) << 32 | u64::from(entry.g));
        }
    }
}

/// Hands every letter to the worker that it is for.
pub(crate) struct Post;

impl<const N: usize> Distributor<Letter<N>> for Post {
    fn partition<T: Clone, P: Push<Message<T, Letter<N>>>>(
        &mut self,
        letter: &mut Letter<N>,
        time: &T,
        pushers: &mut [P],
    ) {
        let to = letter.to;
        Message::push_at(letter, time.clone(), &mut pushers[to]);
    }

    fn flush<T: Clone, P: Push<Message<T, Letter<N>>>>(&mut self, _time: &T, _pushers: &mut [P]) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use timely::bytes::arc::BytesMut;

    #[test]
    fn what_is_written_is_read() {
        let entry = |n: u64| Entry { key: [n, !n], f: n as u32 + 7, g: n as u32 };
        for count in [0, 1, 5] {
            let letter = Letter { from: 5, to: 3, entries: (0..count).map(entry).collect() };
            let mut bytes = Vec::new();
            letter.into_bytes(&mut bytes);
            assert_eq!(bytes.len(), letter.length_in_bytes());
            let read = Letter::<2>::from_bytes(BytesMut::from(bytes).freeze());
            assert_eq!((read.from, read.to, read.entries), (letter.from, letter.to, letter.entries));
        }
    }
}
