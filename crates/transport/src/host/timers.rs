//! What the passing of time does to the session: limits, keep-alives, the countdown, late joins being told (NET-27..31,
//! 56..60, 62). Knows no message that comes in.

use mjolnir_wire::packets::field::Unread;
use mjolnir_wire::packets::list::{BeginGame, PostgameKeepAlive, PregameKeepAlive};
use mjolnir_wire::packets::{Packet, write_settings};
use mjolnir_wire::{Machine, Moment, Tick};

use super::member::Member;
use super::standing::{KeepAlive, Standing};
use super::{Event, Host, Stage};
use crate::limits::{JOIN_LIMIT, KEEP_ALIVE, NO_PLAYER_LIMIT, ONE_PATH, SETTINGS_PERIOD, START_LOAD_LIMIT};
use crate::why::Why;

impl Host {
    /// Does what is due. Called each tick, and in the lobby and while loading at least every tick's time.
    pub fn poll(&mut self, now: Moment, tick: Tick) {
        while let Some(at) = self.strangers.iter().position(|other| now.since(other.since) >= JOIN_LIMIT) {
            let stranger = self.strangers.remove(at);
            self.counters.refused.count(Why::NotJoined.reason());
            self.out.close(stranger.stream);
            self.withdraw(&stranger, Why::NotJoined.reason());
        }
        self.let_heard_play(now);
        for machine in Machine::all() {
            let Some(member) = self.members.get_mut(machine) else {
                continue;
            };
            if let Some(why) = overdue(now, member) {
                self.remove(tick, machine, why);
                continue;
            }
            if is_newly_one_path(now, member) {
                self.events.push_back(Event::DatagramsLost { machine });
            }
            if member.is_one_path {
                // Its time goes on meanwhile, or what it says once its datagrams come again would be too far from the
                // latest for good (NET-11).
                member.stamps.clock(tick);
            }
            if now >= member.keep_alive {
                let waits = matches!(self.stage, Stage::Loading { .. });
                keep_alive(now, member, waits, &mut self.out);
            }
            if member.standing.is_to_be_told(now, member.brought, member.has_map) {
                self.tell_to_load(now, tick, machine);
            }
        }
        self.start_if_loaded(now);
        self.poll_countdown(now);
        self.advertise(now);
        if self.stage == Stage::Lobby
            && self.is_changed
            && self.settings_sent.is_none_or(|sent| now.since(sent) >= SETTINGS_PERIOD)
        {
            self.send_settings(now);
        }
    }

    /// Sends the settings to every machine of the lobby.
    pub(super) fn send_settings(&mut self, now: Moment) {
        self.is_changed = false;
        self.settings_sent = Some(now);
        for machine in self.members.set(|member| member.standing == Standing::Lobby).iter() {
            self.send_settings_to(machine);
        }
    }

    /// Sends the settings to one machine, all four pieces.
    pub(super) fn send_settings_to(&mut self, machine: Machine) {
        let Some(member) = self.members.get_mut(machine) else {
            return;
        };
        let record = self.roster.record();
        member.send_with(&mut self.out, 4, |bytes| {
            // A record of the host's making means something.
            let _ = write_settings(record, bytes);
        });
    }

    /// A late joiner with its players added gets the settings and its start (NET-24, 60).
    fn tell_to_load(&mut self, now: Moment, tick: Tick, machine: Machine) {
        self.send_settings_to(machine);
        if let Some(member) = self.members.get_mut(machine) {
            member.send(&mut self.out, &Packet::BeginGame(BeginGame { time: tick.low16() }));
            member.standing.tell(now, true);
            member.keep_alive = now.plus(KEEP_ALIVE);
        }
    }

    /// The game goes on once the host's own machine has loaded, and those of the lobby have, or after a minute
    /// without the rest (NET-59).
    pub(super) fn start_if_loaded(&mut self, now: Moment) {
        let Stage::Loading { since } = self.stage else {
            return;
        };
        if self.is_loading {
            return;
        }
        let is_late = now.since(since) >= START_LOAD_LIMIT;
        let loading = self.members.set(|member| member.standing.holds_the_start());
        if !is_late && !loading.is_empty() {
            return;
        }
        for (_, member) in self.members.iter_mut() {
            member.standing.leave_behind(now);
        }
        self.stage = Stage::Playing;
        self.events.push_back(Event::Started);
    }

    fn poll_countdown(&mut self, now: Moment) {
        let Some((end, said)) = self.countdown else {
            return;
        };
        let left = end.since(now).div_ceil(Moment::SECOND).min(i16::MAX as u64) as i16;
        if left < said {
            self.countdown = Some((end, left));
            for (_, member) in self.members.iter_mut() {
                member.count(&mut self.out, left);
            }
        }
        // A machine without a player holds the start until it has one or is dropped; not one without which it begins (MAP-11).
        let is_held =
            self.members.iter().any(|(_, member)| member.brought.is_none() && !member.download.is_held);
        if left == 0 && !is_held {
            self.countdown = None;
            self.events.push_back(Event::StartDue);
        }
    }
}

/// Why the machine is to be removed now, if it is.
fn overdue(now: Moment, member: &mut Member) -> Option<Why> {
    if member.ring.is_stalled(now) {
        return Some(Why::Stalled);
    }
    let is_excused = member.download.is_excused;
    if !is_excused && member.brought.is_none() && now.since(member.joined) >= NO_PLAYER_LIMIT {
        return Some(Why::NoPlayer);
    }
    // Silence in the game is nothing that a download excuses.
    member.standing.overdue(now, member.heard).filter(|why| !is_excused || *why != Why::NotLoaded)
}

/// Whether its datagrams have just been missed for long while its stream lives; said once until they are back.
fn is_newly_one_path(now: Moment, member: &mut Member) -> bool {
    let is_missed = member.standing == Standing::InGame
        && now.since(member.datagram_heard) >= ONE_PATH
        && now.since(member.heard) < ONE_PATH;
    is_missed && !core::mem::replace(&mut member.is_one_path, true)
}

/// `waits` says that the game does not go on yet: a machine that has loaded hears no updates either.
fn keep_alive(now: Moment, member: &mut Member, waits: bool, out: &mut crate::network::Transmits) {
    member.keep_alive = now.plus(KEEP_ALIVE);
    let packet = match member.standing.keep_alive(waits) {
        None => return,
        Some(KeepAlive::Pregame) => Packet::PregameKeepAlive(PregameKeepAlive { value: Unread }),
        Some(KeepAlive::Postgame) => Packet::PostgameKeepAlive(PostgameKeepAlive { value: Unread }),
    };
    member.send(out, &packet);
}
