//! What happens once in a level, by number, as it travels (kind 71; FACT wire 3.14). So far of surfaces that broke: every
//! other kind of event only counts as had.
//!
//! It checks what the bytes alone can say. Whether the level has such a surface is checked where the level is known.

use alloc::vec::Vec;

use crate::coop::CoopEventEntry;
use crate::error::Error;
use crate::layout::Pad;
use crate::message::Message;
use crate::space::Vec3;

/// Kinds of event that there are.
const KINDS: u8 = 12;
const SURFACE_BROKEN: u8 = 11;

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

impl SurfaceBroken {
    /// Appends the entry, of that number.
    pub fn write(&self, number: u16, to: &mut Vec<u8>) {
        let raw = |index| i16::try_from(index).unwrap_or(-1);
        let entry = CoopEventEntry {
            kind: SURFACE_BROKEN,
            event_type: 0,
            number,
            value: raw(self.surface.index),
            frame: raw(self.surface.structure_bsp),
            object_name: -1,
            interpolate: 0,
            pad_11: Pad,
            object: -1,
            target: -1,
            tag: -1,
            object_definition_tag: -1,
            reals: self.at.to_array().map(|part| if part.is_finite() { part } else { 0.0 }),
        };
        entry.write(to);
    }
}

/// An entry of kind 71 (WIRE-43).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoopEvent {
    /// From 1, wrapping.
    pub number: u16,
    /// What broke. None of an event of another kind, or of one that names nothing or no place: it counts as had, and does
    /// nothing.
    pub broken: Option<SurfaceBroken>,
}

impl CoopEvent {
    /// Checks an entry that came: its kind is one. The rest costs no more than what it does.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let raw = CoopEventEntry::read(bytes)?;
        if raw.kind >= KINDS {
            return Err(Error::BadFlag);
        }
        let broken = if raw.kind == SURFACE_BROKEN { broken(&raw) } else { None };
        Ok(Self { number: raw.number, broken })
    }

    /// The entries of a kind 71 message, each taken or refused on its own.
    pub fn read_all<'a>(message: &Message<'a>) -> impl Iterator<Item = Result<Self, Error>> + use<'a> {
        message.entries().map(Self::read)
    }
}

fn broken(raw: &CoopEventEntry) -> Option<SurfaceBroken> {
    let structure_bsp = u16::try_from(raw.frame).ok()?;
    let index = u16::try_from(raw.value).ok()?;
    let at = Vec3::read_finite(raw.reals).ok()?;
    Some(SurfaceBroken { surface: Surface { structure_bsp, index }, at })
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
        pane().write(40_000, &mut bytes);
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
        pane().write(0xBEEF, &mut bytes);
        assert_eq!(bytes.len(), 40);
        assert_eq!(bytes[..12], [11, 0, 0xEF, 0xBE, 61, 1, 2, 0, 0xFF, 0xFF, 0, 0]);
        assert_eq!(bytes[12..28], [0xFF; 16]);
        assert_eq!(bytes[28..32], 1.5_f32.to_le_bytes());
        for number in [0, 1, 0xBEEF, u16::MAX] {
            bytes.clear();
            pane().write(number, &mut bytes);
            assert_eq!(CoopEvent::read(&bytes), Ok(CoopEvent { number, broken: Some(pane()) }));
        }
        assert_eq!(CoopEvent::read(&bytes[..39]), Err(Error::Truncated));
    }

    /// WIRE-43: an event of every other kind counts by its number and does nothing; kind 12 is none.
    #[test]
    fn every_other_event_counts_as_had() {
        for kind in 0..=10 {
            assert_eq!(
                entry(|raw| raw.kind = kind),
                Ok(CoopEvent { number: 40_000, broken: None }),
                "{kind}"
            );
        }
        assert_eq!(entry(|_| {}).unwrap().broken, Some(pane()));
        for kind in [12, 13, 0xFF] {
            assert_eq!(entry(|raw| raw.kind = kind), Err(Error::BadFlag), "{kind}");
        }
    }

    /// WIRE-09, 43, OBJ-31: what names no surface or no place counts as had and breaks nothing; both ends of each.
    #[test]
    fn a_surface_that_is_none_breaks_nothing() {
        let had = Ok(CoopEvent { number: 40_000, broken: None });
        assert_eq!(entry(|raw| raw.value = -1), had);
        assert_eq!(entry(|raw| raw.frame = i16::MIN), had);
        for at in 0..3 {
            for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                assert_eq!(entry(|raw| raw.reals[at] = bad), had);
            }
        }
        let ends = [0, i16::MAX].map(|index| entry(|raw| (raw.value, raw.frame) = (index, index)));
        let surfaces = ends.map(|event| event.unwrap().broken.unwrap().surface);
        assert_eq!(surfaces, [0, 32_767].map(|index| Surface { structure_bsp: index, index }));
        // What cannot travel is written so that it breaks nothing, and a place is one.
        let mut bytes = Vec::new();
        SurfaceBroken { surface: Surface { structure_bsp: 0, index: 32_768 }, ..pane() }.write(1, &mut bytes);
        assert_eq!(CoopEvent::read(&bytes).unwrap().broken, None);
        bytes.clear();
        SurfaceBroken { at: Vec3::new(f32::NAN, 2.0, f32::INFINITY), ..pane() }.write(1, &mut bytes);
        assert_eq!(CoopEvent::read(&bytes).unwrap().broken.unwrap().at, Vec3::new(0.0, 2.0, 0.0));
    }
}
