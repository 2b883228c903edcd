//! Sending and handling a worker's control messages.

use std::rc::Rc;
use std::time::{Duration, Instant};

use timely::communication::{Pull, Push};
use timely::worker::Worker;

use super::{IDLE_SLEEP, ShardWorker};
use crate::coordinator::Action;
use crate::message::{EncodedMessage, Message};
use crate::peer_stream::Loss;

/// How long a worker stays to tell the others about a lost process.
const LOSS_NOTICE_TIME: Duration = Duration::from_millis(300);

/// timely channels for control messages, from every worker to every worker.
pub(super) struct MessageChannels {
    to: Vec<Box<dyn Push<EncodedMessage>>>,
    from: Box<dyn Pull<EncodedMessage>>,
}

impl MessageChannels {
    pub(super) fn new(worker: &Worker) -> Self {
        // An address outside every dataflow: a message wakes a parked worker and schedules no operator.
        let (to, from) = worker.allocate(worker.new_identifier(), Rc::from([usize::MAX]));
        MessageChannels { to, from }
    }

    fn send(&mut self, to: usize, message: &Message) {
        self.to[to].send(EncodedMessage::encode(message));
        self.to[to].done();
    }
}

impl<const N: usize> ShardWorker<'_, '_, '_, N> {
    /// Sends a message to a worker, itself included.
    pub(super) fn send(&mut self, to: usize, message: Message) {
        if to == self.index() { self.handle(message) } else { self.channels.send(to, &message) }
    }

    /// Handles the messages that have arrived.
    pub(super) fn receive_messages(&mut self) {
        while let Some(encoded) = self.channels.from.recv() {
            if let Some(message) = encoded.decode() {
                self.handle(message);
            }
        }
    }

    fn handle(&mut self, message: Message) {
        match message {
            Message::Halt => {
                if !self.has_halted {
                    self.has_halted = true;
                    let (worker, found) = (self.index(), Box::new(self.results()));
                    self.send(0, Message::Final { worker, found });
                }
            }
            Message::Pause => (self.pause, self.paused) = (Some(None), Instant::now()),
            Message::Write { number, why } => self.write(number, why),
            Message::Resume { is_committed } => self.resume(is_committed),
            Message::Trace { state, codes } => self.trace(&state, codes),
            Message::Received { states } => self.in_flight = self.in_flight.saturating_sub(states),
            Message::End(end) => self.end = Some(*end),
            Message::Lost { process, why } => self.shared.status.lose(process, why),
            message => {
                let layer = self.bound();
                if let Some(action) =
                    self.coordinator.as_mut().and_then(|coordinator| coordinator.handle(message, layer))
                {
                    self.perform(action);
                }
            }
        }
    }

    /// Sends the messages that the coordinator wants sent.
    pub(super) fn perform(&mut self, action: Action) {
        match action {
            Action::Send(to, message) => self.send(to, message),
            Action::Broadcast(list) => {
                // This worker comes last: handling a message may send more.
                for to in (0..self.worker.peers()).rev() {
                    list.iter().for_each(|message| self.send(to, message.clone()));
                }
            }
        }
    }

    /// Tells the other processes which one is lost, so that all report the same one.
    pub(super) fn announce_loss(&mut self, process: usize, why: Loss) {
        let threads = self.shared.threads;
        if self.index().is_multiple_of(threads) {
            for to in (0..self.worker.peers()).step_by(threads) {
                if to / threads != process && to != self.index() {
                    self.channels.send(to, &Message::Lost { process, why });
                }
            }
        }
        let until = Instant::now() + LOSS_NOTICE_TIME;
        while Instant::now() < until {
            self.worker.step_or_park(Some(IDLE_SLEEP));
        }
    }
}
