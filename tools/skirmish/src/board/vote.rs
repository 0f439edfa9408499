//! The vote that runs as a machine knows it, and what of it is news to whoever plays there. Knows not who counts it.

use mjolnir_wire::Slot;

/// How the vote that runs stands, as the host says it to this machine (CHEAT-39).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningVote {
    /// Whom it would kick.
    pub slot: Slot,
    /// What that player is called; empty while that is not known.
    pub whom: String,
    /// Votes for it.
    pub votes: u8,
    /// Votes that it needs.
    pub needed: u8,
    /// Seconds that it goes on.
    pub seconds: u8,
    /// This machine has voted.
    pub has_voted: bool,
    /// This machine may vote.
    pub may_vote: bool,
}

impl RunningVote {
    /// The board's line of it.
    pub fn line(&self) -> String {
        let Self { votes, needed, seconds, has_voted, may_vote, .. } = self;
        let own = match (has_voted, may_vote) {
            (true, _) => "you have voted",
            (false, true) => "you may vote",
            (false, false) => "you may not vote",
        };
        let votes_needed = if *needed == 1 { "vote" } else { "votes" };
        format!("vote to kick {}: {votes} of {needed} {votes_needed}, {seconds} s left, {own}", self.called())
    }

    /// Who was called something is still called so once it is gone.
    pub(super) fn know_from(&mut self, before: Option<&Self>) {
        if let Some(before) = before.filter(|before| self.whom.is_empty() && before.slot == self.slot) {
            self.whom.clone_from(&before.whom);
        }
    }

    fn called(&self) -> &str {
        if self.whom.is_empty() { "a player" } else { &self.whom }
    }

    /// All of it but its seconds, which go by.
    const fn standing(&self) -> (Slot, u8, u8, bool, bool) {
        (self.slot, self.votes, self.needed, self.has_voted, self.may_vote)
    }
}

/// What is told of a vote where another was known before: that it begins, that the other is over; and to whoever looks on, how it
/// stands.
pub(super) fn news(
    before: Option<&RunningVote>,
    vote: Option<&RunningVote>,
    is_watched: bool,
) -> Vec<String> {
    let mut news = Vec::new();
    let is_same = before.zip(vote).is_some_and(|(before, vote)| before.slot == vote.slot);
    if let Some(over) = before.filter(|_| !is_same) {
        news.push(format!("the vote to kick {} is over", over.called()));
    }
    let has_changed = before.map(RunningVote::standing) != vote.map(RunningVote::standing);
    if let Some(vote) = vote.filter(|_| !is_same || is_watched && has_changed) {
        news.push(vote.line());
    }
    news
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn vote(slot: u8, whom: &str, votes: u8, seconds: u8) -> RunningVote {
        let (slot, whom) = (Slot::new(slot).unwrap(), whom.into());
        RunningVote { slot, whom, votes, needed: 2, seconds, has_voted: true, may_vote: true }
    }

    /// CHEAT-39: the line says who, how many of how many, how long, and what is this machine's own part.
    #[test]
    fn a_vote_that_runs_has_a_line() {
        let vote = vote(5, "Bob", 1, 45);
        assert_eq!(vote.line(), "vote to kick Bob: 1 of 2 votes, 45 s left, you have voted");
        let other = RunningVote { has_voted: false, ..vote.clone() };
        assert!(other.line().ends_with(", you may vote"));
        assert!(RunningVote { may_vote: false, ..other }.line().ends_with(", you may not vote"));
    }

    /// CHEAT-39: a console hears once that a vote begins and once that it is over; on an open board each change of it besides, but
    /// not each second.
    #[test]
    fn a_vote_is_told_as_it_begins_and_as_it_ends() {
        let line = |votes, seconds| {
            format!("vote to kick Bob: {votes} of 2 votes, {seconds} s left, you have voted")
        };
        let over = "the vote to kick Bob is over";
        for (is_open, second) in [(false, vec![]), (true, vec![line(2, 43)])] {
            let mut board = Board::default();
            if is_open {
                board.open();
            }
            assert_eq!(board.set_vote(None), [""; 0]);
            assert_eq!(board.set_vote(Some(vote(5, "Bob", 1, 45))), [line(1, 45)]);
            assert_eq!(board.set_vote(Some(vote(5, "Bob", 1, 44))), [""; 0]);
            assert_eq!(board.set_vote(Some(vote(5, "Bob", 2, 43))), second);
            // Whose machine is gone is no longer listed.
            assert_eq!(board.set_vote(Some(vote(5, "", 2, 42))), [""; 0]);
            assert_eq!(board.set_vote(None), [over]);
            assert_eq!(board.set_vote(None), [""; 0]);
        }
        let mut board = Board::default();
        board.set_vote(Some(vote(5, "Bob", 1, 45)));
        let other = board.set_vote(Some(vote(6, "", 1, 45)));
        assert_eq!(other[0], over);
        assert!(other[1].starts_with("vote to kick a player: 1 of 2 votes, "), "{other:?}");
    }
}
