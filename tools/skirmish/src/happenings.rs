//! What happened to players since it was last told, for dumps. Knows no world.

use std::collections::VecDeque;

use mjolnir_anticheat::Removal;
use mjolnir_wire::{Slot, Tick};
use serde::Serialize;

/// Happenings that are kept until they are taken; the oldest give way. Ours.
pub const KEPT: usize = 1024;

/// What kind of thing happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A player died.
    Death,
    /// A player came into the game.
    Join,
    /// A player left it.
    Leave,
    /// A player's machine was taken out of a host's game: it may come back, at once or after a while.
    Kick,
    /// The same, and it stands in a host's list of those who may not.
    Ban,
    /// A player of this machine picked something up.
    Pickup,
    /// The machine was told something.
    Notice,
    /// The game announced something.
    Announce,
    /// The machine showed or did what scripts have it.
    Coop,
}

/// One thing that happened, as dumps have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Happening {
    /// The tick simulated last, or the game's first.
    pub tick: i32,
    /// What kind.
    pub kind: Kind,
    /// To whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<u8>,
    /// By whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub killer: Option<u8>,
    /// A name, or the notice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What is heard and seen of it beside the text, for people; scripts read the rest.
    #[serde(skip)]
    pub sense: Option<Sense>,
}

/// What is heard and seen of a pickup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sense {
    /// The sound.
    pub sound: &'static str,
    /// Whether the screen flashes.
    pub flash: bool,
}

/// What a player is shown of what it picked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The message.
    pub message: String,
    /// The sound.
    pub sound: &'static str,
    /// Whether the screen flashes.
    pub flash: bool,
}

/// The list of them.
#[derive(Debug)]
pub struct Happenings {
    list: VecDeque<Happening>,
    now: Option<Tick>,
}

impl Default for Happenings {
    fn default() -> Self {
        Self { list: VecDeque::with_capacity(KEPT), now: None }
    }
}

impl Happenings {
    /// A game begins, whose first tick is not known yet.
    pub const fn begin(&mut self) {
        self.now = None;
    }

    /// That tick is simulated now.
    pub fn set_tick(&mut self, tick: Tick) {
        if self.now.replace(tick).is_none() {
            for happening in &mut self.list {
                happening.tick = tick.get();
            }
        }
    }

    /// A player died.
    pub fn death(&mut self, slot: Slot, killer: Option<Slot>) {
        self.note(Kind::Death, Some(slot), killer, None);
    }

    /// A player of this machine picked something up.
    pub fn pickup(&mut self, slot: Slot, shown: Shown) {
        let Shown { message, sound, flash } = shown;
        self.note(Kind::Pickup, Some(slot), None, Some(&message));
        if let Some(last) = self.list.back_mut() {
            last.sense = Some(Sense { sound, flash });
        }
    }

    /// A player came into the game.
    pub fn join(&mut self, slot: Slot, name: &str) {
        self.note(Kind::Join, Some(slot), None, Some(name));
    }

    /// A player left it.
    pub fn leave(&mut self, slot: Slot, name: Option<&str>) {
        self.note(Kind::Leave, Some(slot), None, name);
    }

    /// A player's machine was taken out, by that.
    pub fn removed(&mut self, slot: Slot, name: &str, by: Removal) {
        let kind = match by {
            Removal::Kicked => Kind::Kick,
            Removal::Banned => Kind::Ban,
        };
        self.note(kind, Some(slot), None, Some(name));
    }

    /// The machine was told something.
    pub fn notice(&mut self, text: &str) {
        self.note(Kind::Notice, None, None, Some(text));
    }

    /// The game announced something.
    pub fn announce(&mut self, text: &str) {
        self.note(Kind::Announce, None, None, Some(text));
    }

    /// Scripts had the machine show or do something.
    pub fn coop(&mut self, text: &str) {
        self.note(Kind::Coop, None, None, Some(text));
    }

    /// What happened since this was last asked.
    pub fn take(&mut self) -> Vec<Happening> {
        self.list.drain(..).collect()
    }

    fn note(&mut self, kind: Kind, slot: Option<Slot>, killer: Option<Slot>, text: Option<&str>) {
        if self.list.len() == KEPT {
            self.list.pop_front();
        }
        self.list.push_back(Happening {
            tick: self.now.map_or(0, Tick::get),
            kind,
            slot: slot.map(Slot::get),
            killer: killer.map(Slot::get),
            text: text.map(Into::into),
            sense: None,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    #[test]
    fn what_happens_before_the_first_tick_has_that_tick() {
        let slot = Slot::new(3).unwrap();
        let mut happenings = Happenings::default();
        happenings.join(slot, "Ann");
        happenings.set_tick(tick(65_501));
        happenings.death(slot, None);
        happenings.set_tick(tick(65_502));
        happenings.notice("enough");
        let ticks: Vec<_> = happenings.take().iter().map(|happening| happening.tick).collect();
        assert_eq!(ticks, [65_501, 65_501, 65_502]);
        assert_eq!(happenings.take(), []);
    }

    /// CHEAT-29: scripts tell a kick from a ban, and both have who it was.
    #[test]
    fn who_is_taken_out_is_on_file() {
        let slot = Slot::new(3).unwrap();
        let mut happenings = Happenings::default();
        happenings.set_tick(tick(90));
        happenings.removed(slot, "Ann", Removal::Kicked);
        happenings.removed(slot, "Ann 2", Removal::Banned);
        assert_eq!(
            serde_json::to_string(&happenings.take()).unwrap(),
            r#"[{"tick":90,"kind":"kick","slot":3,"text":"Ann"},{"tick":90,"kind":"ban","slot":3,"text":"Ann 2"}]"#
        );
    }

    /// COOP-10: what scripts had the machine show is of a kind of its own.
    #[test]
    fn what_scripts_show_is_on_file() {
        let mut happenings = Happenings::default();
        happenings.set_tick(tick(90));
        happenings.coop("title landing");
        assert_eq!(
            serde_json::to_string(&happenings.take()).unwrap(),
            r#"[{"tick":90,"kind":"coop","text":"title landing"}]"#
        );
    }

    #[test]
    fn the_oldest_give_way() {
        let mut happenings = Happenings::default();
        for number in 0..=KEPT {
            happenings.notice(&number.to_string());
        }
        let kept = happenings.take();
        assert_eq!(kept.len(), KEPT);
        assert_eq!(kept[0].text.as_deref(), Some("1"));
    }
}
