//! The client's half, assembled: it plays by its host's rules, votes, and says who its player is. Knows no stream and no engine.

use mjolnir_wire::identity::Identity;
use mjolnir_wire::rules::AimAssistPolicy;
use mjolnir_wire::votekick::VotekickStatus;
use mjolnir_wire::{Moment, Outbox, Slot};

use crate::aim::AimClient;
use crate::ballot::Ballot;
use crate::teller::Teller;

/// See the file's text. It is of one session, and outlives its games.
#[derive(Debug, Default)]
pub struct Client {
    aim: AimClient,
    ballot: Ballot,
    teller: Teller,
}

impl Client {
    /// Of a session that begins.
    pub fn new() -> Self {
        Self::default()
    }

    /// Another game of the host's begins: what stood of a vote is over (CHEAT-62), and what was not told yet meant a player of the
    /// last one's.
    pub fn begin_game(&mut self) {
        self.ballot.forget();
    }

    /// The host's policy (kind 90). Only of its stream.
    pub const fn handle_policy(&mut self, policy: AimAssistPolicy) {
        self.aim.hear(policy);
    }

    /// The host's policy; blocked until it is told (CHEAT-48).
    pub const fn policy(&self) -> AimAssistPolicy {
        self.aim.policy()
    }

    /// How a vote stands (kind 79).
    pub fn handle_status(&mut self, now: Moment, status: VotekickStatus) {
        self.ballot.handle(now, status);
    }

    /// How the vote stands that runs, if the host has said so in the last three seconds (CHEAT-39).
    pub fn vote(&self, now: Moment) -> Option<VotekickStatus> {
        self.ballot.status(now)
    }

    /// This machine's vote to kick that player. False, and nothing is asked, within a second of the last (CHEAT-30).
    pub fn ask_vote(&mut self, now: Moment, slot: Slot) -> bool {
        self.ballot.ask(now, slot)
    }

    /// With a tick of the game: the vote that waits, and who the player is if that was not told (kinds 78, 18).
    pub fn tell(&mut self, identity: Identity, outbox: &mut Outbox) {
        self.teller.tell(identity, outbox);
        self.ballot.tell(outbox);
    }
}
