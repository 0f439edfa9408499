//! What a machine's first player says, and what was shown of what is said. Knows no console and no script: they say what.

use mjolnir_engine_glue::chat::Channel;
use mjolnir_engine_glue::transport::Network;
use mjolnir_wire::{Machine, Moment, Tick};

use super::{ClientMachine, HostMachine, Watch};
use crate::happenings::KEPT;
use crate::seam::{Game, Said};
use crate::speech::{self, Speech, Unsaid};

impl Watch {
    /// What was shown of what people said, a line each, since this was last asked.
    pub fn take_spoken(&mut self) -> Vec<String> {
        std::mem::take(&mut self.spoken)
    }

    /// The same for the next dump.
    pub(crate) fn take_chat(&mut self) -> Vec<Said> {
        self.chat.drain(..).collect()
    }

    fn note_said(&mut self, game: &mut Game, text: impl Fn(&Said, &Game) -> String) {
        for said in game.take_said() {
            self.spoken.push(text(&said, game));
            if self.dumps.is_some() {
                if self.chat.len() == KEPT {
                    self.chat.pop_front();
                }
                self.chat.push_back(said);
            }
        }
    }

    /// Whoever plays here is told that, which nobody said.
    pub(super) fn tell(&mut self, game: &mut Game, lines: Vec<String>) {
        lines.iter().for_each(|line| game.happenings().notice(line));
        self.spoken.extend(lines);
    }

    /// What a script had said or done was not.
    fn note_unsaid(&mut self, tick: Tick, done: Result<(), Unsaid>) {
        if let Err(why) = done {
            self.scripts.note("chat", tick, &format!("not done: {why}"));
        }
    }
}

impl<N: Network> HostMachine<N> {
    /// Its first player says that, or does it. What is refused is shown as a notice, but for what [`Unsaid::is_shown`] says.
    pub fn say(&mut self, now: Moment, speech: &Speech) -> Result<(), Unsaid> {
        let Self { host, game, .. } = self;
        match speech {
            Speech::Type(channel, text) => {
                let slot = speech::first(host.roster(), Machine::HOST)?;
                host.say(now, slot, *channel, text, game).map_err(Unsaid::Chat)
            }
            Speech::Force(text) => {
                let slot = speech::first(host.roster(), Machine::HOST)?;
                // It asks nobody but itself: its own line is judged as any that came up.
                host.say(now, slot, Channel::All, text, game).map_err(Unsaid::Chat)
            }
            Speech::MuteAll(name, is_muted) => {
                let slot = speech::named(host.roster(), name)?;
                host.mute(now, slot, *is_muted, game).map_err(Unsaid::Chat)
            }
            Speech::MuteHere(name, is_muted) => {
                let slot = speech::named(host.roster(), name)?;
                host.mute_here(slot, *is_muted, game).map_err(Unsaid::Chat)
            }
            Speech::Allow(settings) => {
                host.set_text_chat(*settings);
                Ok(())
            }
        }
    }

    /// What scripts have its player say.
    pub(super) fn say_scripts(&mut self, now: Moment, tick: Tick) {
        for speech in self.watch.scripts.take_speeches() {
            let done = self.say(now, &speech);
            self.watch.note_unsaid(tick, done);
        }
    }

    /// Keeps what was shown.
    pub(super) fn note_said(&mut self) {
        let Self { host, game, watch, .. } = self;
        watch.note_said(game, |said, game| {
            let roster: Vec<_> = host.roster().collect();
            speech::text(said, &roster, Machine::HOST, game.world())
        });
    }
}

impl<N: Network> ClientMachine<N> {
    /// Its first player says that, or does what is a client's to do; what it mutes, it mutes here. What is refused is shown as a
    /// notice, but for what [`Unsaid::is_shown`] says.
    pub fn say(&mut self, speech: &Speech) -> Result<(), Unsaid> {
        let own = self.client.transport().machine().ok_or(Unsaid::NoPlayer)?;
        let Self { client, game, .. } = self;
        match speech {
            Speech::Type(channel, text) => {
                let slot = speech::first(client.roster(), own)?;
                client.say(slot, *channel, text, game).map_err(Unsaid::Chat)
            }
            Speech::Force(text) => {
                let slot = speech::first(client.roster(), own)?;
                client.say_unchecked(slot, Channel::All, text, game).map_err(Unsaid::Chat)
            }
            Speech::MuteHere(name, is_muted) => {
                let slot = speech::named(client.roster(), name)?;
                client.mute_here(slot, *is_muted, game).map_err(Unsaid::Chat)
            }
            Speech::MuteAll(..) | Speech::Allow(_) => Err(Unsaid::Hosts),
        }
    }

    /// What scripts have its player say.
    pub(super) fn say_scripts(&mut self, tick: Tick) {
        for speech in self.watch.scripts.take_speeches() {
            let done = self.say(&speech);
            self.watch.note_unsaid(tick, done);
        }
    }

    /// Keeps what was shown.
    pub(super) fn note_said(&mut self) {
        let own = self.client.transport().machine().unwrap_or(Machine::HOST);
        let Self { client, game, watch, .. } = self;
        watch.note_said(game, |said, game| {
            let roster: Vec<_> = client.roster().collect();
            speech::text(said, &roster, own, game.world())
        });
    }
}
