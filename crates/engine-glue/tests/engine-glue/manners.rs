//! Fair play at the small game: whom it bans and when it says so, what it was given to write down, what is tinkered with.

use std::net::IpAddr;

use mjolnir_engine_glue::Conduct;
use mjolnir_engine_glue::anticheat::aim::Aiming;
use mjolnir_engine_glue::anticheat::{Asker, Record, Values};
use mjolnir_wire::identity::Identity;

/// When the ban list is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Known {
    #[default]
    AtOnce,
    /// Once this is another.
    Later,
}

#[derive(Debug, Default)]
pub(crate) struct Manners {
    /// Who is banned, by address or by the digits of an id.
    pub(crate) banned: Vec<IpAddr>,
    pub(crate) banned_ids: Vec<String>,
    pub(crate) known: Known,
    /// Everybody who was asked about, and the tickets of those who are not answered.
    pub(crate) asked: Vec<Asker>,
    waiting: Vec<Asker>,
    /// What the host is told next, whoever asked.
    pub(crate) answers: Vec<(u32, bool)>,
    /// How much was written down when it was asked last.
    pub(crate) written_before: usize,
    /// What was to be written down: the file's name and the line.
    pub(crate) records: Vec<(&'static str, String)>,
    /// What is tinkered with, and how often it was put back.
    pub(crate) values: Values,
    pub(crate) put_back: u32,
    pub(crate) discord: Option<Identity>,
    pub(crate) aiming: Aiming,
    pub(crate) is_mouse_blocked: bool,
}

impl Manners {
    fn is_banned(&self, asker: &Asker) -> bool {
        let id = asker.person.hardware;
        asker.person.address.is_some_and(|address| self.banned.contains(&address))
            || id.is_some_and(|id| self.banned_ids.iter().any(|other| other == id.as_str()))
    }
}

impl Conduct for super::game::Game {
    fn ask_bans(&mut self, asker: &Asker) -> Option<bool> {
        let manners = &mut self.manners;
        manners.asked.push(*asker);
        manners.written_before = manners.records.len();
        match manners.known {
            Known::AtOnce => Some(manners.is_banned(asker)),
            Known::Later => {
                manners.waiting.push(*asker);
                None
            }
        }
    }

    fn take_ban_answers(&mut self, answers: &mut Vec<(u32, bool)>) {
        answers.append(&mut self.manners.answers);
        if self.manners.known == Known::AtOnce {
            let waiting = std::mem::take(&mut self.manners.waiting);
            answers.extend(waiting.iter().map(|asker| (asker.ticket, self.manners.is_banned(asker))));
        }
    }

    fn record(&mut self, record: &Record) {
        self.manners.records.push((record.file().name(), record.body().to_owned()));
    }

    fn values(&self) -> Values {
        self.manners.values
    }

    fn apply_values(&mut self, values: &Values) {
        self.manners.values = *values;
        self.manners.put_back += 1;
    }

    fn discord(&self) -> Identity {
        self.manners.discord.unwrap_or(Identity::NONE)
    }

    fn aiming(&self) -> Aiming {
        self.manners.aiming
    }

    fn block_mouse(&mut self, is_blocked: bool) {
        self.manners.is_mouse_blocked = is_blocked;
    }
}
