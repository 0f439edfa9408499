//! The host's telling of what scripts changed: objects' places (kind 72) and looks (74), and the screen's effect (76), to whom
//! and when (COOP-66). Knows no object: it is given rows.

use mjolnir_wire::scripted::{Look, ScreenEffect, Transform};
use mjolnir_wire::{Kind, MachineSet, ObjectName, Outbox, Tick};

use super::Scripted;
use crate::known::Known;
use crate::telling::{Audience, Newcomers, Rhythm, Telling};

/// Successive ticks in which a change is told, that in which it came the first (COOP-66).
pub const SCRIPTED_REPEAT_TICKS: usize = 3;
/// Ticks from a change to the next telling, and from there to each next one, while the level runs (COOP-66).
pub const SCRIPTED_ROUND: u32 = 30;

const RHYTHM: Rhythm = Rhythm { again: SCRIPTED_REPEAT_TICKS - 1, round: SCRIPTED_ROUND };

/// What is known of one row: none before its first, which is a change.
#[derive(Debug)]
struct Told<T> {
    row: Option<T>,
    telling: Telling,
}

impl<T> Default for Told<T> {
    fn default() -> Self {
        Self { row: None, telling: Telling::default() }
    }
}

impl<T: Copy + PartialEq> Told<T> {
    fn whom(&mut self, tick: Tick, row: &T, audience: Audience) -> MachineSet {
        let changes = self.row.replace(*row).is_none_or(|before| before != *row);
        self.telling.whom(tick, changes, RHYTHM, audience)
    }
}

/// See the file's text. One is of one game: nothing is changed when its level begins.
#[derive(Debug, Default)]
pub struct ScriptedHost {
    places: Known<ObjectName, Told<Transform>>,
    looks: Known<ObjectName, Told<Look>>,
    effect: Told<ScreenEffect>,
    newcomers: Newcomers,
}

impl ScriptedHost {
    /// Of a level that begins.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells those machines of what changed. A machine that is new among them is told of all of it at once (COOP-59).
    pub fn after_tick(&mut self, tick: Tick, to: MachineSet, rows: &Scripted, outbox: &mut Outbox) {
        let audience = self.newcomers.of(to);
        let Scripted { transforms, looks, effect } = rows;
        // Entries of their sizes fit any datagram.
        for row in transforms {
            let to = self.places.of(row.object, Told::default).whom(tick, row, audience);
            if !to.is_empty() {
                let _ = outbox.entry(to, Kind::CoopObjectTransforms, |bytes| row.write(bytes));
            }
        }
        for row in looks {
            let to = self.looks.of(row.object, Told::default).whom(tick, row, audience);
            if !to.is_empty() {
                let _ = outbox.entry(to, Kind::CoopObjectLooks, |bytes| row.write(bytes));
            }
        }
        if let Some(row) = effect {
            let to = self.effect.whom(tick, row, audience);
            if !to.is_empty() {
                let _ = outbox.entry(to, Kind::CoopScreenEffect, |bytes| row.write(bytes));
            }
        }
        // What the engine says no more of is gone.
        if self.places.len() > transforms.len() {
            let is_there =
                |name: ObjectName| transforms.binary_search_by_key(&name, |row| row.object).is_ok();
            self.places.retain(|name, _| is_there(name));
        }
        if self.looks.len() > looks.len() {
            let is_there = |name: ObjectName| looks.binary_search_by_key(&name, |row| row.object).is_ok();
            self.looks.retain(|name, _| is_there(name));
        }
    }
}
