//! What happens once in a level, by number, as it travels (kind 71; FACT wire 3.14, ours 3).
//!
//! It checks what the bytes alone can say. Whether the level has such a text, surface or animation is checked where the level
//! is known. An entry whose kind is one is had, whatever else it says: its number counts, and where the rest means nothing it
//! does nothing.

mod actions;
mod fields;

use alloc::vec::Vec;

use crate::coop::CoopEventEntry;
use crate::error::Error;
use crate::message::Message;
use crate::space::Vec3;

pub use actions::{
    Action, Animation, Attachment, EffectPlace, HudText, Navigation, NavigationPoint, PlayerEffect, Sound,
    SoundAction,
};

/// Kinds of event that there are.
const KINDS: u8 = 12;

/// A surface that breaks: glass. Every machine's level has the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Surface {
    /// The structure BSP that it is of, 0..=32767; a larger one is written as none, which breaks nothing.
    pub structure_bsp: u16,
    /// Which of its surfaces that break, 0..=32767; the same.
    pub index: u16,
}

/// A surface broke.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceBroken {
    /// Which.
    pub surface: Surface,
    /// Where it was hit, wu. A part that is no number is written as 0.
    pub at: Vec3,
}

/// An entry of kind 71 (WIRE-43).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoopEvent {
    /// From 1, wrapping.
    pub number: u16,
    /// What happened. None of an event whose fields mean nothing: it counts as had, and does nothing.
    pub action: Option<Action>,
}

impl CoopEvent {
    /// Checks an entry that came: its kind is one. The rest costs no more than what it does.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = CoopEventEntry::read(bytes)?;
        if raw.kind >= KINDS {
            return Err(Error::BadFlag);
        }
        Ok(Self { number: raw.number, action: Action::of(&raw) })
    }

    /// The entries of a kind 71 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }
}

impl Action {
    /// Appends the entry, of that number. An index, a name or a team that does not fit its field is written so that the entry
    /// does nothing; a number that is none is written as 0.
    pub fn write(&self, number: u16, to: &mut Vec<u8>) {
        self.raw(number).write(to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pane() -> SurfaceBroken {
        let surface = Surface { structure_bsp: 2, index: 317 };
        SurfaceBroken { surface, at: Vec3::new(1.5, -20.0, 0.25) }
    }

    fn entry(change: impl FnOnce(&mut CoopEventEntry)) -> Result<CoopEvent, Error> {
        let mut bytes = Vec::new();
        Action::SurfaceBroken(pane()).write(40_000, &mut bytes);
        let mut raw = CoopEventEntry::read(&bytes).unwrap();
        change(&mut raw);
        bytes.clear();
        raw.write(&mut bytes);
        CoopEvent::read(&bytes)
    }

    /// WIRE-43, OBJ-31: a broken surface takes 40 bytes, its index at 4, its structure BSP at 6, where it was hit at 28, and
    /// comes back to the bit; every other index is none.
    #[test]
    fn a_broken_surface_comes_back_to_the_bit() {
        let mut bytes = Vec::new();
        Action::SurfaceBroken(pane()).write(0xBEEF, &mut bytes);
        assert_eq!(bytes.len(), 40);
        assert_eq!(bytes[..12], [11, 0, 0xEF, 0xBE, 61, 1, 2, 0, 0xFF, 0xFF, 0, 0]);
        assert_eq!(bytes[12..28], [0xFF; 16]);
        assert_eq!(bytes[28..32], 1.5_f32.to_le_bytes());
        for number in [0, 1, 0xBEEF, u16::MAX] {
            bytes.clear();
            let action = Action::SurfaceBroken(pane());
            action.write(number, &mut bytes);
            assert_eq!(CoopEvent::read(&bytes), Ok(CoopEvent { number, action: Some(action) }));
        }
        assert_eq!(CoopEvent::read(&bytes[..39]), Err(Error::Truncated));
    }

    /// WIRE-43: kind 12 is none.
    #[test]
    fn a_kind_that_is_none_is_refused() {
        for kind in 0..=11 {
            assert_eq!(entry(|raw| raw.kind = kind).unwrap().number, 40_000, "{kind}");
        }
        for kind in [12, 13, 0xFF] {
            assert_eq!(entry(|raw| raw.kind = kind), Err(Error::BadFlag), "{kind}");
        }
    }

    /// WIRE-09, 43, OBJ-31: what names no surface or no place counts as had and breaks nothing; both ends of each.
    #[test]
    fn a_surface_that_is_none_breaks_nothing() {
        let had = Ok(CoopEvent { number: 40_000, action: None });
        assert_eq!(entry(|raw| raw.value = -1), had);
        assert_eq!(entry(|raw| raw.frame = i16::MIN), had);
        for at in 0..3 {
            for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                assert_eq!(entry(|raw| raw.reals[at] = bad), had);
            }
        }
        let broken = |event: Result<CoopEvent, Error>| match event.unwrap().action {
            Some(Action::SurfaceBroken(broken)) => broken,
            other => panic!("{other:?}"),
        };
        let ends = [0, i16::MAX].map(|index| entry(|raw| (raw.value, raw.frame) = (index, index)));
        let surfaces = ends.map(|event| broken(event).surface);
        assert_eq!(surfaces, [0, 32_767].map(|index| Surface { structure_bsp: index, index }));
        // What cannot travel is written so that it breaks nothing, and a place is one.
        let mut bytes = Vec::new();
        let far = Surface { structure_bsp: 0, index: 32_768 };
        Action::SurfaceBroken(SurfaceBroken { surface: far, ..pane() }).write(1, &mut bytes);
        assert_eq!(CoopEvent::read(&bytes).unwrap().action, None);
        bytes.clear();
        let nowhere = SurfaceBroken { at: Vec3::new(f32::NAN, 2.0, f32::INFINITY), ..pane() };
        Action::SurfaceBroken(nowhere).write(1, &mut bytes);
        assert_eq!(broken(CoopEvent::read(&bytes)).at, Vec3::new(0.0, 2.0, 0.0));
    }
}
