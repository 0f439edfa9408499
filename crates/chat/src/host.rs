//! The host's end: which lines it takes, to whom each goes, whom it has muted, what it lets its players say. Knows no stream.

use alloc::vec::{Drain, Vec};

use mjolnir_wire::chat::{Channel, Down, Line, Settings, Text};
use mjolnir_wire::names::is_same;
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::{Kind, Machine, MachineSet, Moment, Outbox, Slot};

use crate::audience::Audience;
use crate::budget::Budget;
use crate::command::{self, Command};
use crate::error::Error;
use crate::event::{Event, Hearers};
use crate::here::MutedHere;
use crate::links::has_link;
use crate::mutes::{MUTE_DEFAULT_MINUTES, Mutes};
use crate::texts::{self, At};
use crate::world::{Player, World};

/// Microseconds from one telling of the settings to the next (CHAT-28).
pub const SETTINGS_PERIOD: u64 = 3 * Moment::SECOND;

/// Every machine, the host too.
const EVERYONE: MachineSet = MachineSet::CLIENTS.union(MachineSet::HOST);

/// What waits to be told, in the one order that every machine has (CHAT-16).
#[derive(Clone, Copy, Debug)]
enum Waiting {
    Down(Down),
    /// In their place among the lines: what was said before is heard.
    Settings(Settings),
}

/// See the file's text. It outlives games, as the lobby and its mutes do (CHAT-43).
#[derive(Debug)]
pub struct Host {
    wanted: Settings,
    is_listed: bool,
    budget: Budget,
    mutes: Mutes,
    here: MutedHere,
    waiting: Vec<(MachineSet, Waiting)>,
    events: Vec<Event>,
    /// The machines that have joined: those that load too, which say what they like meanwhile and are told of nothing.
    joined: MachineSet,
    /// The machines that were told last.
    told: MachineSet,
    /// When everybody is told of the settings again.
    settings_due: Moment,
}

impl Default for Host {
    fn default() -> Self {
        Self::new(Settings::Off)
    }
}

impl Host {
    /// Of a host that begins, with those settings.
    pub const fn new(settings: Settings) -> Self {
        Self {
            wanted: settings,
            is_listed: false,
            budget: Budget::new(),
            mutes: Mutes::new(),
            here: MutedHere::new(),
            waiting: Vec::new(),
            events: Vec::new(),
            joined: MachineSet::NONE,
            told: MachineSet::NONE,
            settings_due: Moment::START,
        }
    }

    /// What its players may say (CHAT-28, 29): nothing while the game is listed.
    pub const fn settings(&self) -> Settings {
        if self.is_listed { Settings::Off } else { self.wanted }
    }

    /// The host wants it otherwise; every client is told if that changes anything (CHAT-28).
    pub fn set_settings(&mut self, settings: Settings) {
        self.change(|host| host.wanted = settings);
    }

    /// Whether the game is listed in the server browser, where there is no chat whatever the host wants (CHAT-29).
    pub fn set_listed(&mut self, is_listed: bool) {
        self.change(|host| host.is_listed = is_listed);
    }

    fn change(&mut self, how: impl FnOnce(&mut Self)) {
        let before = self.settings();
        how(self);
        if self.settings() != before {
            self.waiting.push((MachineSet::CLIENTS, Waiting::Settings(self.settings())));
        }
    }

    /// A line that came up that machine's own stream (CHAT-02). Its text is a line whatever it says (CHAT-24). Where it is
    /// refused its machine is told why (CHAT-21, 33).
    pub fn handle_line(
        &mut self,
        now: Moment,
        from: Machine,
        line: &Line,
        world: &impl World,
    ) -> Result<(), Error> {
        if !world.roster().any(|player| player.slot == line.slot && player.machine == from) {
            return Err(Error::NotOwned);
        }
        self.budget.charge(now, from)?;
        match self.judge(now, from, line, world) {
            Ok(()) => {
                self.relay(from, line, world);
                Ok(())
            }
            Err(error) => {
                let why = match error {
                    Error::Muted => Some(texts::minutes_left(self.minutes_left(now, from, world))),
                    other => texts::refusal(other, At::Host),
                };
                if let Some(why) = why {
                    self.notice(MachineSet::only(from), why);
                }
                Err(error)
            }
        }
    }

    fn judge(&self, now: Moment, from: Machine, line: &Line, world: &impl World) -> Result<(), Error> {
        if line.text.is_blank() {
            return Err(Error::Blank);
        }
        if self.settings() == Settings::Off {
            return Err(Error::Off);
        }
        if self.is_muted(now, from, world) {
            return Err(Error::Muted);
        }
        if self.settings() != Settings::Links && has_link(line.text.as_bytes()) {
            return Err(Error::Link);
        }
        Ok(())
    }

    /// Each machine with somebody who hears it, and the speaker's own, gets it once (CHAT-09 to 15).
    fn relay(&mut self, from: Machine, line: &Line, world: &impl World) {
        let audience = Audience::of(line, world);
        let to = if matches!(audience, Audience::Everyone) { MachineSet::CLIENTS } else { MachineSet::NONE };
        let hears = |player: &Player| player.slot == line.slot || audience.has(player.slot, world);
        let hearing = world.roster().filter(&hears).map(|player| player.machine);
        let to = hearing.collect::<MachineSet>().union(to);
        self.push(to, Waiting::Down(Down::Line(*line)));

        let own = |player: &Player| player.machine == Machine::HOST && hears(player);
        let hearers: Hearers = world.roster().filter(own).map(|player| player.slot).collect();
        if !hearers.is_empty() && !self.here.has_machine(from, world) {
            self.events.push(Event::Line { line: *line, hearers });
        }
    }

    fn notice(&mut self, to: MachineSet, text: Text) {
        self.push(to, Waiting::Down(Down::Notice(text)));
        if to.contains(Machine::HOST) {
            self.events.push(Event::Notice(text));
        }
    }

    fn push(&mut self, to: MachineSet, what: Waiting) {
        let to = to.without(MachineSet::HOST);
        if !to.is_empty() {
            self.waiting.push((to, what));
        }
    }

    /// What a player of the host's own typed: a command, or a line as of any machine (CHAT-19). What is refused is told on the
    /// host's screen.
    pub fn say(
        &mut self,
        now: Moment,
        slot: Slot,
        channel: Channel,
        typed: &str,
        world: &impl World,
    ) -> Result<(), Error> {
        let players = || world.roster().map(|player| (player, player.name));
        let done = match Command::of(typed) {
            None => {
                let line = Line { slot, channel, text: Text::new(typed) };
                return self.handle_line(now, Machine::HOST, &line, world);
            }
            Some(Command::Mute(rest)) => command::whom(rest, players)
                .and_then(|(player, minutes)| self.mute_player(now, &player, command::or_default(minutes))),
            Some(Command::Unmute(rest)) => {
                // Who has left may be muted still.
                let is_here = |name: &Name| world.roster().any(|player| is_same(&player.name, name));
                let gone = self.mutes.names(now).filter(|name| !is_here(name));
                let names = world.roster().map(|player| player.name).chain(gone);
                command::find(rest, names.map(|name| (name, name)))
                    .and_then(|name| self.unmute_name(now, &name))
            }
        };
        self.told_here(done)
    }

    /// The scoreboard's "Mute for everyone" (CHAT-25).
    pub fn mute(&mut self, now: Moment, slot: Slot, world: &impl World) -> Result<(), Error> {
        let player = world.roster().find(|player| player.slot == slot).ok_or(Error::NoPlayer);
        let done = player.and_then(|player| self.mute_player(now, &player, MUTE_DEFAULT_MINUTES));
        self.told_here(done)
    }

    /// The scoreboard's taking it back.
    pub fn unmute(&mut self, now: Moment, slot: Slot, world: &impl World) -> Result<(), Error> {
        let player = world.roster().find(|player| player.slot == slot).ok_or(Error::NoPlayer);
        let done = player.and_then(|player| self.unmute_name(now, &player.name));
        self.told_here(done)
    }

    fn mute_player(&mut self, now: Moment, player: &Player, minutes: u32) -> Result<(), Error> {
        if player.machine == Machine::HOST {
            return Err(Error::Own);
        }
        if !self.joined.contains(player.machine) {
            return Err(Error::NotJoined);
        }
        self.mutes.add(now, player.name, player.machine, minutes);
        self.notice(EVERYONE, texts::muted(&player.name, minutes));
        Ok(())
    }

    fn unmute_name(&mut self, now: Moment, name: &Name) -> Result<(), Error> {
        if !self.mutes.remove(now, name) {
            return Err(Error::NotMuted);
        }
        self.notice(EVERYONE, texts::unmuted(name));
        Ok(())
    }

    fn told_here(&mut self, done: Result<(), Error>) -> Result<(), Error> {
        if let Some(why) = done.err().and_then(|error| texts::refusal(error, At::Host)) {
            self.events.push(Event::Notice(why));
        }
        done
    }

    /// Whether a player of that machine is muted for everyone: none of its lines, and none of its voice, is sent on
    /// (CHAT-21, 26, 45).
    pub fn is_muted(&self, now: Moment, machine: Machine, world: &impl World) -> bool {
        self.minutes_left(now, machine, world) > 0
    }

    fn minutes_left(&self, now: Moment, machine: Machine, world: &impl World) -> u64 {
        if self.mutes.is_empty() {
            return 0;
        }
        let own = world.roster().filter(|player| player.machine == machine);
        let by_name = own.map(|player| self.mutes.left(now, &player.name)).max().unwrap_or(0);
        by_name.max(self.mutes.left_of(now, machine))
    }

    /// Whether that player itself is muted for everyone, for a scoreboard's mark.
    pub fn is_player_muted(&self, now: Moment, name: &Name) -> bool {
        self.mutes.left(now, name) > 0
    }

    /// Mutes that player's machine on the host's own screen alone, or no more (CHAT-27). Its lines go to the others all the
    /// same.
    pub fn mute_here(&mut self, slot: Slot, muted: bool, world: &impl World) -> Result<(), Error> {
        self.here.set(slot, muted, world)
    }

    /// Whether the host's own screen shows none of that machine's lines, and plays none of its voice.
    pub fn is_muted_here(&self, machine: Machine, world: &impl World) -> bool {
        self.here.has_machine(machine, world)
    }

    /// A machine has joined: its players can be muted (CHAT-47), whether it is told of anything yet or loads.
    pub fn join(&mut self, machine: Machine) {
        self.joined.insert(machine);
    }

    /// A machine has left: the next of its index has said nothing yet (CHAT-05). Its players' mutes stay (CHAT-43).
    pub fn remove(&mut self, machine: Machine) {
        self.budget.forget(machine);
        self.joined.remove(machine);
        self.mutes.forget(machine);
        self.told.remove(machine);
        for (to, _) in &mut self.waiting {
            to.remove(machine);
        }
    }

    /// Each tick, in the lobby too: tells those machines what was said, in order, and the settings every three seconds. Who is
    /// new among them is told of the settings first. What is for a machine that is none of them vanishes (CHAT-41).
    pub fn tell(&mut self, now: Moment, machines: MachineSet, outbox: &mut Outbox) {
        let machines = machines.without(MachineSet::HOST);
        let changes = |(_, what): &(MachineSet, Waiting)| matches!(what, Waiting::Settings(_));
        let is_changed = self.waiting.iter().any(changes);
        let is_due = now >= self.settings_due;
        if is_changed || is_due {
            // In step with the last time, so that ticks make it no longer; but what a stall left out is not made up for.
            let next = self.settings_due.plus(SETTINGS_PERIOD);
            self.settings_due = if is_changed || next <= now { now.plus(SETTINGS_PERIOD) } else { next };
        }
        let newcomers = machines.without(self.told);
        self.told = machines;
        write_settings(newcomers, self.settings(), outbox);
        for (to, what) in self.waiting.drain(..) {
            let to = to.intersection(machines);
            match what {
                Waiting::Settings(settings) => write_settings(to.without(newcomers), settings, outbox),
                // An entry of its size fits any message.
                Waiting::Down(down) if !to.is_empty() => {
                    let _ = outbox.reliable_entry(to, Kind::ChatDown, |bytes| down.write(bytes));
                }
                Waiting::Down(_) => {}
            }
        }
        if is_due && !is_changed {
            write_settings(machines.without(newcomers), self.settings(), outbox);
        }
    }

    /// Tells those machines of the settings at once: as they become ready, in the place that a readiness's answer has for it
    /// (CHAT-28).
    pub fn tell_settings(&mut self, machines: MachineSet, outbox: &mut Outbox) {
        let machines = machines.without(MachineSet::HOST);
        self.told = self.told.union(machines);
        write_settings(machines, self.settings(), outbox);
    }

    /// What the host's screen shows, in order, and nothing twice.
    pub fn events(&mut self) -> Drain<'_, Event> {
        self.events.drain(..)
    }
}

fn write_settings(to: MachineSet, settings: Settings, outbox: &mut Outbox) {
    if !to.is_empty() {
        let _ = outbox.reliable_entry(to, Kind::ChatConfig, |bytes| settings.write(bytes));
    }
}
