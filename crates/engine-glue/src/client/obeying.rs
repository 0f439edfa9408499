//! Fair play at a client: it plays by its host's rules, votes, and says who its player is. Knows no rule of it.

use mjolnir_anticheat as anticheat;
use mjolnir_anticheat::aim::{self, Scene};
use mjolnir_anticheat::command::{self, Command};
use mjolnir_anticheat::rules::{self, Standing};
use mjolnir_transport::{Channel, Received};
use mjolnir_wire::rules::AimAssistPolicy;
use mjolnir_wire::votekick::VotekickStatus;
use mjolnir_wire::{Kind, MachineSet, Moment, Slot};

use super::{Client, Stage};
use crate::conduct::Conduct;
use crate::refusing::{Refusing, take};

/// Hears a message if it is of fair play; whether it is.
pub(super) fn hear(
    now: Moment,
    received: &Received<'_>,
    conduct: &mut anticheat::Client,
    refused: &mut Refusing,
) -> bool {
    let Received { channel, message, .. } = received;
    match (message.kind, channel) {
        (Kind::AimAssistPolicy, Channel::Stream) => {
            for policy in AimAssistPolicy::read_all(message) {
                take(refused, policy, |policy| {
                    conduct.handle_policy(policy);
                    Ok(())
                });
            }
        }
        (Kind::VotekickStatus, Channel::Datagram) => {
            for status in VotekickStatus::read_all(message) {
                take(refused, status, |status| {
                    conduct.handle_status(now, status);
                    Ok(())
                });
            }
        }
        _ => return false,
    }
    true
}

impl Client {
    /// What this machine's console was told. `kick` and `ban` are a host's alone (CHEAT-27); `votekick NAME` is asked of the host,
    /// once a second at most: false, and nothing is asked, of one within that second (CHEAT-30), and outside a game.
    pub fn command(&mut self, now: Moment, command: &Command<'_>) -> Result<bool, command::Error> {
        let (own, _) = self.game_tick();
        let players = self.talking.roll.players().map(|player| (player.slot, player.machine, player.name));
        // Whoever is listed has joined, as far as a client knows.
        let joined = MachineSet::HOST.union(MachineSet::CLIENTS);
        let target = command.whom(own, joined, players)?;
        Ok(self.ask_vote(now, target.slot))
    }

    /// The scoreboard's vote on that player; the same.
    pub fn ask_vote(&mut self, now: Moment, slot: Slot) -> bool {
        self.stage == Stage::Playing && self.conduct.ask_vote(now, slot)
    }

    /// How the vote stands that runs, as the host said in the last three seconds (CHEAT-39).
    pub fn vote(&self, now: Moment) -> Option<VotekickStatus> {
        self.conduct.vote(now)
    }

    /// Whether the host lets mice have their magnetism; blocked until it says so (CHEAT-48).
    pub const fn aim_assist(&self) -> AimAssistPolicy {
        self.conduct.policy()
    }

    /// Where this machine stands with its host, by which its console knows what runs (CHEAT-01).
    pub const fn standing(&self) -> Standing {
        match self.stage {
            Stage::Joining | Stage::Lobby | Stage::Over => Standing::Lobby,
            Stage::Loading | Stage::Playing => Standing::Playing,
            Stage::Closed => Standing::Own,
        }
    }

    /// In each frame and before each tick: what a player has tinkered with is put back (CHEAT-02 to 05).
    pub(super) fn obey(&self, game: &mut impl Conduct) {
        if let Some(values) = rules::enforce(self.standing(), &game.values()) {
            game.apply_values(&values);
        }
    }

    /// In each frame: the mouse is as the host's policy has it (CHEAT-45).
    pub(super) fn hold_mouse(&self, game: &mut impl Conduct) {
        let scene = match self.stage {
            Stage::Playing => Scene::Network,
            Stage::Loading => Scene::Loading,
            Stage::Joining | Stage::Lobby | Stage::Over | Stage::Closed => Scene::Menu,
        };
        game.block_mouse(aim::is_mouse_blocked(scene, self.conduct.policy(), 0, &game.aiming()));
    }
}
