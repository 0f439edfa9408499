//! A client's end of votes to kick: what it asks of its host, and the last that it heard of how a vote stands. Knows no other
//! client, and counts nothing.

use mjolnir_wire::votekick::{Votekick, VotekickStatus};
use mjolnir_wire::{Kind, MachineSet, Moment, Outbox, Slot};

use crate::votes::VOTE_PERIOD;

/// Microseconds after which a status that was not heard again is forgotten (CHEAT-39).
pub const STATUS_LIFETIME: u64 = 3 * Moment::SECOND;

/// See the file's text.
#[derive(Debug, Default)]
pub struct Ballot {
    /// What leaves with the next tick.
    waiting: Option<Votekick>,
    /// When it may ask again.
    next: Moment,
    heard: Option<(Moment, VotekickStatus)>,
}

impl Ballot {
    /// At no host yet.
    pub const fn new() -> Self {
        Self { waiting: None, next: Moment::START, heard: None }
    }

    /// Asks the host to kick that slot's player; whether it does. What is asked within a second of the last is dropped without
    /// a word (CHEAT-30).
    pub fn ask(&mut self, now: Moment, slot: Slot) -> bool {
        let may = now >= self.next;
        if may {
            self.next = now.plus(VOTE_PERIOD);
            self.waiting = Some(Votekick { slot });
        }
        may
    }

    /// Each tick: tells the host what was asked, by the stream (CHEAT-30).
    pub fn tell(&mut self, outbox: &mut Outbox) {
        if let Some(vote) = self.waiting.take() {
            // An entry of its size fits any message.
            let _ = outbox.reliable_entry(MachineSet::HOST, Kind::Votekick, |bytes| vote.write(bytes));
        }
    }

    /// The host's word on how a vote stands.
    pub fn handle(&mut self, now: Moment, status: VotekickStatus) {
        self.heard = status.slot.map(|_| (now, status));
    }

    /// How the vote stands that the host last told of; none where there is none, or where nothing was heard of it for
    /// [`STATUS_LIFETIME`] (CHEAT-39). Its seconds left are as they were when it was told.
    pub fn status(&self, now: Moment) -> Option<VotekickStatus> {
        let (heard, status) = self.heard?;
        (now.since(heard) < STATUS_LIFETIME).then_some(status)
    }

    /// Another game, or another host's: its votes are its own. What was asked too lately stays so.
    pub fn forget(&mut self) {
        (self.waiting, self.heard) = (None, None);
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use mjolnir_wire::{BatchWriter, Machine, Message, Tick};

    use super::*;

    const BEGIN: Moment = Moment::from_millis(5000);

    fn slot(index: u8) -> Slot {
        Slot::new(index).unwrap()
    }

    /// Slots of the votes that a tick sends by the stream; nothing by datagrams.
    fn sent(ballot: &mut Ballot) -> Vec<u8> {
        let mut outbox = Outbox::new();
        outbox.begin(Tick::ZERO, 0);
        ballot.tell(&mut outbox);
        outbox.gather_datagrams(Machine::HOST, &mut BatchWriter::new(), |_| panic!("a vote in a datagram"));
        let mut bytes = Vec::new();
        outbox.gather_stream(Machine::HOST, &mut bytes);
        if bytes.is_empty() {
            return bytes;
        }
        let message = Message::read(&bytes).unwrap();
        assert_eq!((message.kind, message.count, bytes.len()), (Kind::Votekick, 1, 12));
        Votekick::read_all(&message).map(|vote| vote.unwrap().slot.get()).collect()
    }

    /// CHEAT-30: one message of the stream with the player's slot, one a second, and nothing of what is dropped.
    #[test]
    fn a_vote_a_second_is_asked() {
        let mut ballot = Ballot::new();
        assert!(ballot.ask(BEGIN, slot(5)) && !ballot.ask(BEGIN, slot(6)));
        assert_eq!((sent(&mut ballot), sent(&mut ballot)), (Vec::from([5]), Vec::new()));
        assert!(!ballot.ask(BEGIN.plus(999_999), slot(7)));
        assert_eq!(sent(&mut ballot), []);
        assert!(ballot.ask(BEGIN.plus(1_000_000), slot(127)));
        assert_eq!(sent(&mut ballot), [127]);
        // What was asked of one host is not asked of another.
        assert!(ballot.ask(BEGIN.plus(2_000_000), slot(1)));
        ballot.forget();
        assert_eq!(sent(&mut ballot), []);
    }

    /// CHEAT-39: what was heard counts for three seconds, and to a status without a player.
    #[test]
    fn a_status_is_forgotten() {
        let status = VotekickStatus { slot: Slot::new(3), votes: 1, needed: 2, ..VotekickStatus::default() };
        let mut ballot = Ballot::new();
        assert_eq!(ballot.status(BEGIN), None);
        ballot.handle(BEGIN, status);
        assert_eq!(ballot.status(BEGIN), Some(status));
        assert_eq!(ballot.status(BEGIN.plus(2_999_999)), Some(status));
        assert_eq!(ballot.status(BEGIN.plus(3_000_000)), None);
        let more = VotekickStatus { votes: 2, ..status };
        ballot.handle(BEGIN.plus(2_000_000), more);
        assert_eq!(ballot.status(BEGIN.plus(4_999_999)), Some(more));
        ballot.handle(BEGIN.plus(2_000_001), VotekickStatus { slot: None, ..more });
        assert_eq!(ballot.status(BEGIN.plus(2_000_001)), None);
        ballot.handle(BEGIN.plus(2_000_002), more);
        ballot.forget();
        assert_eq!(ballot.status(BEGIN.plus(2_000_002)), None);
    }
}
