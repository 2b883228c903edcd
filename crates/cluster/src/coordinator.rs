//! The coordinator, which is worker 0: it hears of goals and stops, ends the search for all, and adds up the counts.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::message::{Count, End, Ending, Found, Message, Why};

/// Why the search is over.
#[derive(Debug)]
enum Verdict {
    Goal { worker: usize, state: Vec<u64> },
    Exhausted,
    Stop(Why),
}

/// What the coordinator wants to be done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Motion {
    /// Tell one worker.
    Tell(usize, Message),
    /// Tell all, one after the other.
    TellAll(Vec<Message>),
}

/// All are about to write down what they have.
#[derive(Debug)]
struct Checkpointing {
    /// What those that pause have sent and taken in, and whether they have lost nothing.
    paused: Vec<Option<(u64, u64, bool)>>,
    /// Whether those that have written did well.
    written: Vec<Option<bool>>,
    /// What they were told to write of why they stop.
    why: Option<Why>,
}

#[derive(Debug)]
pub(crate) struct Coordinator {
    counts: Vec<Count>,
    verdict: Option<Verdict>,
    /// When everybody was told to halt.
    pub(crate) halted: Option<Instant>,
    finals: Vec<Option<Found>>,
    /// How many processes there are, if they write down what they have.
    writers: Option<usize>,
    checkpointing: Option<Checkpointing>,
    /// The number of what was written last.
    number: u64,
    /// The layer that everybody had come to when the search was over.
    bound: u32,
}

impl Coordinator {
    /// The coordinator of so many workers; in so many processes, if they write down what they have.
    pub(crate) fn new(workers: usize, writers: Option<usize>) -> Self {
        Coordinator {
            counts: vec![Count::default(); workers],
            verdict: None,
            halted: None,
            finals: vec![None; workers],
            writers,
            checkpointing: None,
            number: 0,
            bound: 0,
        }
    }

    /// The counts of all, as far as they are known.
    pub(crate) fn total(&self) -> Count {
        let mut total = Count::default();
        self.counts.iter().for_each(|count| total.add(count));
        total
    }

    /// A worker that was told to halt and did not answer.
    pub(crate) fn silent(&self) -> Option<usize> {
        self.finals.iter().position(Option::is_none)
    }

    /// Everybody's states are used up; the last layer was this one.
    pub(crate) fn exhausted(&mut self, last: u32) -> Option<Motion> {
        self.decide(Verdict::Exhausted, last)
    }

    fn decide(&mut self, verdict: Verdict, bound: u32) -> Option<Motion> {
        if self.verdict.is_some() {
            return None;
        }
        // What ran out of memory has lost states.
        let is_kept = self.writers.is_some() && matches!(verdict, Verdict::Stop(why) if why != Why::Memory);
        self.verdict = Some(verdict);
        self.bound = bound;
        match self.checkpointing {
            Some(_) => None,
            None if is_kept => Some(Motion::TellAll(vec![self.pause()])),
            None => Some(Motion::TellAll(vec![self.halt()])),
        }
    }

    fn halt(&mut self) -> Message {
        self.halted = Some(Instant::now());
        Message::Halt
    }

    fn pause(&mut self) -> Message {
        let (workers, writers) = (self.counts.len(), self.writers.unwrap_or(0));
        self.checkpointing =
            Some(Checkpointing { paused: vec![None; workers], written: vec![None; writers], why: None });
        Message::Pause
    }

    /// It is time to write down what there is.
    pub(crate) fn checkpoint(&mut self) -> Option<Motion> {
        let is_at_work = self.verdict.is_none() && self.checkpointing.is_none() && self.writers.is_some();
        is_at_work.then(|| Motion::TellAll(vec![self.pause()]))
    }

    /// Writing, once nobody sends and nothing is under way.
    fn write(&mut self) -> Option<Motion> {
        let checkpointing = self.checkpointing.as_mut()?;
        let paused: Vec<_> = checkpointing.paused.iter().copied().collect::<Option<_>>()?;
        let (sent, taken) = paused.iter().fold((0, 0), |(sent, taken), one| (sent + one.0, taken + one.1));
        if sent != taken {
            return None;
        }
        if !paused.iter().all(|&(_, _, is_whole)| is_whole) {
            return Some(self.go_on(false));
        }
        checkpointing.why = match self.verdict {
            Some(Verdict::Stop(why)) => Some(why),
            _ => None,
        };
        // Numbers grow, and none is ever given to two things, whatever became of a run before.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
        self.number = now.max(self.number + 1);
        Some(Motion::TellAll(vec![Message::Write { number: self.number, why: checkpointing.why }]))
    }

    fn go_on(&mut self, is_written: bool) -> Motion {
        let why = self.checkpointing.take().and_then(|checkpointing| checkpointing.why);
        let go_on = Message::GoOn { is_written };
        Motion::TellAll(match self.verdict {
            None => vec![go_on],
            // It was to stop while it wrote, and what it wrote does not say so.
            Some(Verdict::Stop(_)) if is_written && why.is_none() => vec![go_on, self.pause()],
            Some(_) => vec![go_on, self.halt()],
        })
    }

    /// Hears what is for the coordinator, at a time when everybody had come to a layer.
    pub(crate) fn hear(&mut self, message: Message, layer: u32) -> Option<Motion> {
        match message {
            Message::Count { worker, count } => {
                *self.counts.get_mut(worker)? = count;
                None
            }
            Message::Goal { worker, state } => self.decide(Verdict::Goal { worker, state }, layer),
            Message::Stop { why } => self.decide(Verdict::Stop(why), layer),
            Message::Paused { worker, sent, taken, is_whole } => {
                *self.checkpointing.as_mut()?.paused.get_mut(worker)? = Some((sent, taken, is_whole));
                self.write()
            }
            Message::Written { process, is_good } => {
                let written = &mut self.checkpointing.as_mut()?.written;
                *written.get_mut(process)? = Some(is_good);
                let all: Vec<bool> = written.iter().copied().collect::<Option<_>>()?;
                Some(self.go_on(all.into_iter().all(|is_good| is_good)))
            }
            Message::Final { worker, found } => {
                *self.counts.get_mut(worker)? = found.count;
                self.finals[worker] = Some(*found);
                if self.silent().is_some() {
                    return None;
                }
                match self.verdict.as_ref()? {
                    // Nobody expands anything any more, so whatever is asked now stays true.
                    Verdict::Goal { worker, state } => {
                        let trace = Message::Trace { state: state.clone(), codes: Vec::new() };
                        Some(Motion::Tell(*worker, trace))
                    }
                    Verdict::Exhausted => Some(self.end(Ending::Exhausted)),
                    Verdict::Stop(why) => Some(self.end(Ending::Stopped(*why))),
                }
            }
            Message::Path { mut codes } => {
                codes.reverse();
                Some(self.end(Ending::Path(codes)))
            }
            Message::Taken { .. } | Message::Halt | Message::Trace { .. } | Message::End(_) | Message::Gone { .. } => {
                None
            }
            Message::Pause | Message::Write { .. } | Message::GoOn { .. } => None,
        }
    }

    fn end(&self, outcome: Ending) -> Motion {
        let finals = || self.finals.iter().flatten();
        let mut layers: Vec<(u32, u64)> = finals().flat_map(|last| last.layers.iter().copied()).collect();
        layers.sort_unstable();
        layers.dedup_by(|later, earlier| {
            let is_same = later.0 == earlier.0;
            earlier.1 += if is_same { later.1 } else { 0 };
            is_same
        });
        let last_layer = layers.last().map(|&(layer, _)| layer);
        let in_last = |last: &&Found| last.layers.last().map(|&(layer, _)| layer) == last_layer;
        let found = Found {
            count: self.total(),
            samples: finals().filter(in_last).flat_map(|last| last.samples.iter().cloned()).collect(),
            goals: finals().map(|last| last.goals).sum(),
            dead_ends: finals().any(|last| last.dead_ends),
            layers,
        };
        let end = End { outcome, bound: self.bound, workers: self.counts.len(), found };
        Motion::TellAll(vec![Message::End(Box::new(end))])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(worker: usize, layers: &[(u32, u64)]) -> Message {
        let samples = vec![vec![worker as u64]];
        let found = Found { layers: layers.to_vec(), samples, goals: 1, ..Found::default() };
        Message::Final { worker, found: Box::new(found) }
    }

    #[track_caller]
    fn end(motion: Option<Motion>) -> End {
        let Some(Motion::TellAll(message)) = motion else { panic!("all are told: {motion:?}") };
        let [Message::End(end)] = &message[..] else { panic!("it is over: {message:?}") };
        (**end).clone()
    }

    #[test]
    fn the_first_goal_counts_and_the_path_is_asked_for_when_all_have_halted() {
        let mut coordinator = Coordinator::new(2, None);
        let goal = |worker| Message::Goal { worker, state: vec![7] };
        assert_eq!(coordinator.hear(goal(1), 5), Some(Motion::TellAll(vec![Message::Halt])));
        assert_eq!(coordinator.hear(goal(0), 5), None);
        assert_eq!(coordinator.hear(Message::Stop { why: Why::Time }, 5), None);
        assert_eq!(coordinator.hear(last(0, &[(3, 1), (5, 4)]), 5), None);
        assert_eq!(coordinator.silent(), Some(1));
        let trace = Message::Trace { state: vec![7], codes: vec![] };
        assert_eq!(coordinator.hear(last(1, &[(4, 2), (5, 1)]), 5), Some(Motion::Tell(1, trace)));
        let end = end(coordinator.hear(Message::Path { codes: vec![3, 2, 1] }, 5));
        assert_eq!(end.outcome, Ending::Path(vec![1, 2, 3]));
        assert_eq!(end.found.layers, [(3, 1), (4, 2), (5, 5)]);
        assert_eq!((end.bound, end.workers, end.found.goals), (5, 2, 2));
    }

    #[test]
    fn the_farthest_states_are_those_of_the_last_layer() {
        let mut coordinator = Coordinator::new(2, None);
        assert_eq!(coordinator.exhausted(9), Some(Motion::TellAll(vec![Message::Halt])));
        assert_eq!(coordinator.hear(last(0, &[(8, 1)]), 9), None);
        let end = end(coordinator.hear(last(1, &[(9, 1)]), 9));
        assert_eq!((end.outcome, end.found.samples), (Ending::Exhausted, vec![vec![1]]));
    }

    fn paused(worker: usize, sent: u64, taken: u64) -> Message {
        Message::Paused { worker, sent, taken, is_whole: true }
    }

    fn tells(motion: Option<Motion>) -> Vec<Message> {
        match motion {
            None => vec![],
            Some(Motion::TellAll(message)) => message,
            Some(motion) => panic!("all are told: {motion:?}"),
        }
    }

    #[test]
    fn nothing_is_written_while_something_is_under_way() {
        let mut coordinator = Coordinator::new(2, Some(2));
        assert_eq!(tells(coordinator.checkpoint()), [Message::Pause]);
        assert_eq!(tells(coordinator.checkpoint()), [], "one after the other");
        assert_eq!(tells(coordinator.hear(paused(0, 5, 2), 1)), []);
        assert_eq!(tells(coordinator.hear(paused(1, 2, 4), 1)), []);
        let [Message::Write { number: first, why: None }] = tells(coordinator.hear(paused(1, 2, 5), 1))[..] else {
            panic!("nothing is under way")
        };
        let written = |process, is_good| Message::Written { process, is_good };
        assert_eq!(tells(coordinator.hear(written(1, true), 1)), []);
        assert_eq!(tells(coordinator.hear(written(0, false), 1)), [Message::GoOn { is_written: false }]);
        // The next one has a number of its own.
        assert_eq!(tells(coordinator.checkpoint()), [Message::Pause]);
        assert_eq!(tells(coordinator.hear(paused(0, 5, 2), 1)), []);
        let [Message::Write { number, .. }] = tells(coordinator.hear(paused(1, 2, 5), 1))[..] else {
            panic!("all pause")
        };
        assert!(number > first);
    }

    #[test]
    fn whoever_stops_writes_first_unless_something_is_lost() {
        let stop = Message::Stop { why: Why::Time };
        let mut coordinator = Coordinator::new(1, Some(1));
        assert_eq!(tells(coordinator.hear(stop.clone(), 3)), [Message::Pause]);
        let [Message::Write { why: Some(Why::Time), .. }] = tells(coordinator.hear(paused(0, 0, 0), 3))[..] else {
            panic!("it is told why")
        };
        let written = Message::Written { process: 0, is_good: true };
        assert_eq!(tells(coordinator.hear(written.clone(), 3)), [Message::GoOn { is_written: true }, Message::Halt]);

        // It was writing already when it heard that it is to stop.
        let mut coordinator = Coordinator::new(1, Some(1));
        assert_eq!(tells(coordinator.checkpoint()), [Message::Pause]);
        assert_eq!(tells(coordinator.hear(paused(0, 0, 0), 3)).len(), 1);
        assert_eq!(tells(coordinator.hear(stop, 3)), []);
        assert_eq!(tells(coordinator.hear(written, 3)), [Message::GoOn { is_written: true }, Message::Pause]);

        // A goal that was taken off is nowhere any more.
        let mut coordinator = Coordinator::new(1, Some(1));
        assert_eq!(tells(coordinator.checkpoint()), [Message::Pause]);
        assert_eq!(tells(coordinator.hear(Message::Goal { worker: 0, state: vec![1] }, 3)), []);
        let lost = Message::Paused { worker: 0, sent: 0, taken: 0, is_whole: false };
        assert_eq!(tells(coordinator.hear(lost, 3)), [Message::GoOn { is_written: false }, Message::Halt]);

        let mut coordinator = Coordinator::new(1, Some(1));
        assert_eq!(tells(coordinator.hear(Message::Stop { why: Why::Memory }, 3)), [Message::Halt]);
    }
}
