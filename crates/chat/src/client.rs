//! A client's end: what may be typed, what is shown in which views. Knows no stream and no other machine.

use alloc::vec::{Drain, Vec};

use mjolnir_wire::chat::{Channel, Down, Line, Settings, Text};
use mjolnir_wire::{Kind, Machine, MachineSet, Outbox, Slot};

use crate::audience::Audience;
use crate::budget::LINES_AT_ONCE;
use crate::command::{self, Command};
use crate::error::Error;
use crate::event::{Event, Hearers};
use crate::here::MutedHere;
use crate::links::has_link;
use crate::texts::{self, At};
use crate::world::World;

/// By which way a host was joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Invite {
    /// By its listing in the server browser.
    Listing,
    /// By any other.
    #[default]
    Other,
}

/// See the file's text.
#[derive(Debug, Default)]
pub struct Client {
    /// What the host said; none from a host without the chat, or not yet (CHAT-30).
    heard: Option<Settings>,
    invite: Invite,
    here: MutedHere,
    waiting: Vec<Line>,
    events: Vec<Event>,
}

impl Client {
    /// Of no host yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// It joins a host: what another one said, and who was muted there, is forgotten, and so is a listing that was joined
    /// before (CHAT-30, 32).
    pub fn join(&mut self, invite: Invite) {
        self.heard = None;
        self.invite = invite;
        self.here.clear();
        self.waiting.clear();
    }

    /// What its players may say: nothing before the host said otherwise, and in a public game whatever it said (CHAT-30, 31).
    pub fn settings(&self) -> Settings {
        match self.invite {
            Invite::Listing => Settings::Off,
            Invite::Other => self.heard.unwrap_or_default(),
        }
    }

    /// Whether anything may be said.
    pub fn enabled(&self) -> bool {
        self.settings() != Settings::Off
    }

    /// The host's settings, by its stream (CHAT-17).
    pub fn handle_settings(&mut self, settings: Settings) {
        self.heard = Some(settings);
    }

    /// What an own player typed: a command for this machine alone, or a line for the host, which alone shows it (CHAT-16, 24).
    /// What is refused is told on this screen, and nothing is sent (CHAT-44).
    pub fn say(
        &mut self,
        slot: Slot,
        channel: Channel,
        typed: &str,
        world: &impl World,
    ) -> Result<(), Error> {
        let done = match Command::of(typed) {
            Some(command) => self.obey(command, world),
            None => self.put(Line { slot, channel, text: Text::new(typed) }, world),
        };
        if let Some(why) = done.err().and_then(|error| texts::refusal(error, At::Client)) {
            self.events.push(Event::Notice(why));
        }
        done
    }

    /// As a build would that was changed: the line goes to the host whatever its settings say, which refuses it again (CHAT-33).
    /// For the network test (TOOL-16): no game's players say anything by it. A public game's host is sent nothing (CHAT-31).
    pub fn say_unchecked(
        &mut self,
        slot: Slot,
        channel: Channel,
        text: &str,
        world: &impl World,
    ) -> Result<(), Error> {
        self.queue(Line { slot, channel, text: Text::new(text) }, world, |_| Ok(()))
    }

    fn put(&mut self, line: Line, world: &impl World) -> Result<(), Error> {
        let settings = self.settings();
        self.queue(line, world, |line| match settings {
            Settings::Off => Err(Error::Off),
            Settings::On if has_link(line.text.as_bytes()) => Err(Error::Link),
            Settings::On | Settings::Links => Ok(()),
        })
    }

    /// A line goes up that an own player may say by any settings, and that `allows` by the host's.
    fn queue(
        &mut self,
        line: Line,
        world: &impl World,
        allows: impl FnOnce(&Line) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let own = world.own_machine();
        if !world.roster().any(|player| player.slot == line.slot && player.machine == own) {
            return Err(Error::NotOwned);
        }
        if line.text.is_blank() {
            return Err(Error::Blank);
        }
        if self.invite == Invite::Listing {
            return Err(Error::Public);
        }
        allows(&line)?;
        // The host would take no more at once.
        if self.waiting.len() == LINES_AT_ONCE {
            return Err(Error::TooFast);
        }
        self.waiting.push(line);
        Ok(())
    }

    fn obey(&mut self, command: Command<'_>, world: &impl World) -> Result<(), Error> {
        let players = || world.roster().map(|player| (player, player.name));
        match command {
            Command::Mute(rest) => match command::whom(rest, players)? {
                // It has no end here.
                (_, Some(_)) => Err(Error::Usage),
                (player, None) => {
                    self.mute_here(player.slot, true, world)?;
                    self.events.push(Event::Notice(texts::muted_here(&player.name)));
                    Ok(())
                }
            },
            Command::Unmute(rest) => {
                let player = command::find(rest, players())?;
                self.mute_here(player.slot, false, world)?;
                self.events.push(Event::Notice(texts::unmuted_here(&player.name)));
                Ok(())
            }
        }
    }

    /// What came by the host's stream (CHAT-17): a line is shown to the own players who hear it, a notice to all (CHAT-18,
    /// 23). In a public game nothing is taken (CHAT-31), and no line while the chat is off.
    pub fn handle(&mut self, down: &Down, world: &impl World) -> Result<(), Error> {
        if self.invite == Invite::Listing {
            return Err(Error::Public);
        }
        let line = match down {
            Down::Notice(text) if text.is_blank() => return Err(Error::Blank),
            Down::Notice(text) => {
                self.events.push(Event::Notice(*text));
                return Ok(());
            }
            Down::Line(line) => line,
        };
        if line.text.is_blank() {
            return Err(Error::Blank);
        }
        if !self.enabled() {
            return Err(Error::Off);
        }
        let speaker = world.roster().find(|player| player.slot == line.slot);
        if speaker.is_none_or(|speaker| !self.here.has_machine(speaker.machine, world)) {
            self.events.push(Event::Line { line: *line, hearers: hearers(line, world) });
        }
        Ok(())
    }

    /// Mutes that player's machine on this screen alone, or no more; nobody is told (CHAT-27).
    pub fn mute_here(&mut self, slot: Slot, muted: bool, world: &impl World) -> Result<(), Error> {
        self.here.set(slot, muted, world)
    }

    /// Whether this machine shows none of that machine's lines, and plays none of its voice (CHAT-27).
    pub fn is_muted_here(&self, machine: Machine, world: &impl World) -> bool {
        self.here.has_machine(machine, world)
    }

    /// Each tick, in the lobby too: what was said goes to the host, by the stream (CHAT-01).
    pub fn tell(&mut self, outbox: &mut Outbox) {
        for line in self.waiting.drain(..) {
            // An entry of its size fits any message.
            let _ = outbox.reliable_entry(MachineSet::HOST, Kind::ChatUp, |bytes| line.write(bytes));
        }
    }

    /// What this machine shows, in order, and nothing twice.
    pub fn events(&mut self) -> Drain<'_, Event> {
        self.events.drain(..)
    }
}

/// The own players who hear a line that the host sent here. If by what this machine knows nobody does, all do: the host knows
/// better who is where (CHAT-14).
fn hearers(line: &Line, world: &impl World) -> Hearers {
    let own: Machine = world.own_machine();
    let players = || world.roster().filter(|player| player.machine == own).map(|player| player.slot);
    let audience = Audience::of(line, world);
    let hears = |slot: &Slot| *slot == line.slot || audience.has(*slot, world);
    let hearers: Hearers = players().filter(hears).collect();
    if hearers.is_empty() { players().collect() } else { hearers }
}
