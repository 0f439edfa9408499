//! Fair play at a machine's engine in the lab: a ban list and files in memory, and what a player tinkers with. Knows no network.

use std::fmt::Write as _;
use std::net::IpAddr;

use mjolnir_engine_glue::Conduct;
use mjolnir_engine_glue::anticheat::aim::Aiming;
use mjolnir_engine_glue::anticheat::record::{File, LocalTime};
use mjolnir_engine_glue::anticheat::rules::Values;
use mjolnir_engine_glue::anticheat::{Asker, Record, bans};
use mjolnir_wire::identity::Identity;

use super::Played;

/// What a line in the lab is stamped with.
const TIME: LocalTime = LocalTime { year: 2026, month: 11, day: 30, hour: 12, minute: 0, second: 0 };

/// See the file's text.
#[derive(Debug)]
pub struct Manners {
    /// `bans.txt`.
    pub bans: String,
    /// `cheaters.txt`.
    pub cheaters: String,
    /// The ban list takes a while: nobody is answered before this is taken back.
    pub is_slow: bool,
    /// Whoever asks from there is answered only once this is taken back.
    pub unanswered: Option<IpAddr>,
    /// What the player has tinkered with.
    pub values: Values,
    /// How often it was put back.
    pub put_back: u32,
    /// Who is signed in.
    pub discord: Identity,
    /// What aimed last.
    pub aiming: Aiming,
    /// Whether the mouse has no magnetism, as it was last said.
    pub is_mouse_blocked: Option<bool>,
    asked: Vec<Asker>,
}

impl Default for Manners {
    fn default() -> Self {
        Self {
            bans: String::new(),
            cheaters: String::new(),
            is_slow: false,
            unanswered: None,
            values: Values::HONEST,
            put_back: 0,
            discord: Identity::NONE,
            aiming: Aiming::default(),
            is_mouse_blocked: None,
            asked: Vec::new(),
        }
    }
}

impl Manners {
    fn waits(&self, asker: &Asker) -> bool {
        self.is_slow || self.unanswered.is_some_and(|address| asker.person.address == Some(address))
    }

    fn is_banned(&self, asker: &Asker) -> bool {
        let person = &asker.person;
        bans::find(self.bans.as_bytes(), person.address, person.hardware.as_ref()).is_some()
    }
}

impl Conduct for Played {
    fn ask_bans(&mut self, asker: &Asker) -> Option<bool> {
        if self.manners.waits(asker) {
            self.manners.asked.push(*asker);
            return None;
        }
        Some(self.manners.is_banned(asker))
    }

    fn take_ban_answers(&mut self, answers: &mut Vec<(u32, bool)>) {
        let asked = std::mem::take(&mut self.manners.asked);
        let (waiting, known): (Vec<_>, Vec<_>) =
            asked.into_iter().partition(|asker| self.manners.waits(asker));
        answers.extend(known.iter().map(|asker| (asker.ticket, self.manners.is_banned(asker))));
        self.manners.asked = waiting;
    }

    fn record(&mut self, record: &Record) {
        let file = match record.file() {
            File::Bans => &mut self.manners.bans,
            File::Cheaters => &mut self.manners.cheaters,
        };
        // A string takes everything.
        let _ = writeln!(file, "{}", record.line(TIME));
    }

    fn values(&self) -> Values {
        self.manners.values
    }

    fn apply_values(&mut self, values: &Values) {
        self.manners.values = *values;
        self.manners.put_back += 1;
    }

    fn discord(&self) -> Identity {
        self.manners.discord
    }

    fn aiming(&self) -> Aiming {
        self.manners.aiming
    }

    fn block_mouse(&mut self, is_blocked: bool) {
        self.manners.is_mouse_blocked = Some(is_blocked);
    }
}
