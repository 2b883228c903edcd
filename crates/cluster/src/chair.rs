//! Worker 0 has the chair: it hears of goals and stops, ends the search for all, and puts together what it took.

use std::time::Instant;

use crate::news::{Count, End, Ending, Found, News, Why};

/// Why the search is over.
#[derive(Debug)]
enum Verdict {
    Goal { worker: usize, state: Vec<u64> },
    Exhausted,
    Stop(Why),
}

/// What the chair wants to be done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Motion {
    /// Tell one worker.
    Tell(usize, News),
    /// Tell all.
    TellAll(News),
}

#[derive(Debug)]
pub(crate) struct Chair {
    counts: Vec<Count>,
    verdict: Option<Verdict>,
    /// When everybody was told to halt.
    pub(crate) halted: Option<Instant>,
    finals: Vec<Option<Found>>,
    /// The layer that everybody had come to when the search was over.
    bound: u32,
}

impl Chair {
    pub(crate) fn new(workers: usize) -> Self {
        Chair {
            counts: vec![Count::default(); workers],
            verdict: None,
            halted: None,
            finals: vec![None; workers],
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
        self.verdict = Some(verdict);
        self.bound = bound;
        self.halted = Some(Instant::now());
        Some(Motion::TellAll(News::Halt))
    }

    /// Hears what is for the chair, at a time when everybody had come to a layer.
    pub(crate) fn hear(&mut self, news: News, layer: u32) -> Option<Motion> {
        match news {
            News::Count { worker, count } => {
                *self.counts.get_mut(worker)? = count;
                None
            }
            News::Goal { worker, state } => self.decide(Verdict::Goal { worker, state }, layer),
            News::Stop { why } => self.decide(Verdict::Stop(why), layer),
            News::Final { worker, found } => {
                *self.counts.get_mut(worker)? = found.count;
                self.finals[worker] = Some(*found);
                if self.silent().is_some() {
                    return None;
                }
                match self.verdict.as_ref()? {
                    // Nobody expands anything any more, so whatever is asked now stays true.
                    Verdict::Goal { worker, state } => {
                        let trace = News::Trace { state: state.clone(), codes: Vec::new() };
                        Some(Motion::Tell(*worker, trace))
                    }
                    Verdict::Exhausted => Some(self.end(Ending::Exhausted)),
                    Verdict::Stop(why) => Some(self.end(Ending::Stopped(*why))),
                }
            }
            News::Path { mut codes } => {
                codes.reverse();
                Some(self.end(Ending::Path(codes)))
            }
            News::Taken { .. } | News::Halt | News::Trace { .. } | News::End(_) | News::Gone { .. } => None,
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
        Motion::TellAll(News::End(Box::new(End { outcome, bound: self.bound, workers: self.counts.len(), found })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(worker: usize, layers: &[(u32, u64)]) -> News {
        let samples = vec![vec![worker as u64]];
        let found = Found { layers: layers.to_vec(), samples, goals: 1, ..Found::default() };
        News::Final { worker, found: Box::new(found) }
    }

    #[test]
    fn the_first_goal_counts_and_the_path_is_asked_for_when_all_have_halted() {
        let mut chair = Chair::new(2);
        let goal = |worker| News::Goal { worker, state: vec![7] };
        assert_eq!(chair.hear(goal(1), 5), Some(Motion::TellAll(News::Halt)));
        assert_eq!(chair.hear(goal(0), 5), None);
        assert_eq!(chair.hear(News::Stop { why: Why::Time }, 5), None);
        assert_eq!(chair.hear(last(0, &[(3, 1), (5, 4)]), 5), None);
        assert_eq!(chair.silent(), Some(1));
        let trace = News::Trace { state: vec![7], codes: vec![] };
        assert_eq!(chair.hear(last(1, &[(4, 2), (5, 1)]), 5), Some(Motion::Tell(1, trace)));
        let Some(Motion::TellAll(News::End(end))) = chair.hear(News::Path { codes: vec![3, 2, 1] }, 5) else {
            panic!("the path ends it")
        };
        assert_eq!(end.outcome, Ending::Path(vec![1, 2, 3]));
        assert_eq!(end.found.layers, [(3, 1), (4, 2), (5, 5)]);
        assert_eq!((end.bound, end.workers, end.found.goals), (5, 2, 2));
    }

    #[test]
    fn the_farthest_states_are_those_of_the_last_layer() {
        let mut chair = Chair::new(2);
        assert_eq!(chair.exhausted(9), Some(Motion::TellAll(News::Halt)));
        assert_eq!(chair.hear(last(0, &[(8, 1)]), 9), None);
        let Some(Motion::TellAll(News::End(end))) = chair.hear(last(1, &[(9, 1)]), 9) else {
            panic!("it is over when all have answered")
        };
        assert_eq!((end.outcome, end.found.samples), (Ending::Exhausted, vec![vec![1]]));
    }
}
