//! How a corrected object is drawn: from where it was, gliding to where it is (OBJ-26, 42). Moves nothing that is
//! simulated.

use mjolnir_wire::{ObjectId, Vec3};

use crate::by_index::ByIndex;

/// World units past which a corrected object is drawn where it is, at once (OBJ-42).
pub const FADE_LIMIT: f32 = 10.0;
/// Ticks after which nothing is left of an offset; it is halved in each before (OBJ-26, ours).
pub const FADE_TICKS: u8 = 6;

/// An object is drawn at its place plus this.
#[derive(Clone, Copy, Debug)]
struct Offset {
    object: ObjectId,
    offset: Vec3,
    ticks: u8,
    /// It is not yet the one last given out.
    changed: bool,
}

/// See the file's text.
#[derive(Debug)]
pub(crate) struct Fading(ByIndex<Offset>);

impl Fading {
    pub(crate) fn new() -> Self {
        Self(ByIndex::new())
    }

    /// A tick passes. Offsets of what `exists` no more are gone.
    pub(crate) fn fade(&mut self, exists: impl Fn(ObjectId) -> bool) {
        self.0.retain(|of| {
            of.ticks = of.ticks.saturating_sub(1);
            of.offset = if of.ticks == 0 { Vec3::ZERO } else { of.offset * 0.5 };
            of.changed = true;
            exists(of.object)
        });
    }

    /// That object is moved by so much: it stays drawn where it was, and glides from there.
    pub(crate) fn moved(&mut self, object: ObjectId, by: Vec3) {
        let index = object.index();
        let had = self.0.get_mut(index).filter(|of| of.object == object).map(|of| of.offset);
        let offset = had.unwrap_or_default() - by;
        // What is no number jumps too.
        let within = by.length() <= FADE_LIMIT && offset.length() <= FADE_LIMIT;
        let jumps = !within;
        if had.is_none() && (jumps || by == Vec3::ZERO) {
            return;
        }
        let offset = if jumps { Vec3::ZERO } else { offset };
        let ticks = if jumps { 0 } else { FADE_TICKS };
        self.0.put(index, Offset { object, offset, ticks, changed: true });
    }

    /// Hands each offset that changed to `tell`; a last zero ends it.
    pub(crate) fn tell(&mut self, mut tell: impl FnMut(ObjectId, Vec3)) {
        self.0.retain(|of| {
            if core::mem::take(&mut of.changed) {
                tell(of.object, of.offset);
            }
            of.ticks > 0
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object() -> ObjectId {
        ObjectId::new(3, 1).unwrap()
    }

    /// The offsets that are told in the ticks from a correction on.
    fn told(by: f32) -> alloc::vec::Vec<f32> {
        let mut fading = Fading::new();
        fading.moved(object(), Vec3::new(by, 0.0, 0.0));
        let mut told = alloc::vec::Vec::new();
        for _ in 0..10 {
            fading.tell(|_, offset| told.push(offset.x));
            fading.fade(|_| true);
        }
        told
    }

    /// OBJ-26: a correction of 1.5 wu is drawn in steps under 0.8 wu and is gone after six ticks; then nothing is said.
    #[test]
    fn a_correction_is_drawn_fading() {
        let told = told(1.5);
        assert_eq!(told, [-1.5, -0.75, -0.375, -0.1875, -0.09375, -0.046875, 0.0]);
        assert!(told.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.8));
    }

    /// OBJ-42: past 10 wu nothing fades; 9.9 wu does.
    #[test]
    fn a_far_jump_is_drawn_as_one() {
        assert_eq!(told(9.9)[..2], [-9.9, -4.95]);
        assert_eq!(told(10.1), []);
        let mut fading = Fading::new();
        fading.moved(object(), Vec3::new(1.0, 0.0, 0.0));
        fading.moved(object(), Vec3::new(10.1, 0.0, 0.0));
        let mut told = alloc::vec::Vec::new();
        fading.tell(|_, offset| told.push(offset));
        assert_eq!(told, [Vec3::ZERO]);
    }

    /// OBJ-26: what is gone is drawn nowhere, and what stands in its place is not drawn beside it.
    #[test]
    fn an_offset_ends_with_its_object() {
        let mut fading = Fading::new();
        fading.moved(object(), Vec3::new(1.0, 0.0, 0.0));
        fading.fade(|_| false);
        fading.tell(|_, _| panic!("it is gone"));
        fading.moved(object(), Vec3::new(1.0, 0.0, 0.0));
        let next = ObjectId::new(3, 2).unwrap();
        fading.moved(next, Vec3::new(0.5, 0.0, 0.0));
        let mut told = alloc::vec::Vec::new();
        fading.tell(|object, offset| told.push((object, offset.x)));
        assert_eq!(told, [(next, -0.5)]);
    }

    /// OBJ-42: two moves that are each short enough are no glide across the map, nor is a move that is no number.
    #[test]
    fn what_adds_up_past_the_limit_is_not_drawn() {
        let drawn = |moves: &[Vec3]| {
            let mut fading = Fading::new();
            moves.iter().for_each(|by| fading.moved(object(), *by));
            let mut offsets = alloc::vec::Vec::new();
            fading.tell(|_, offset| offsets.push(offset));
            offsets
        };
        let east = Vec3::new(5.0, 0.0, 0.0);
        assert_eq!(drawn(&[east, east]), [Vec3::new(-10.0, 0.0, 0.0)]);
        assert_eq!(drawn(&[east, east * 1.01]), [Vec3::ZERO]);
        // Nor is a far one that leads past where it is drawn still.
        assert_eq!(drawn(&[east * -0.2, east * 2.0]), [east * -1.8]);
        assert_eq!(drawn(&[east * -0.2, east * 2.02]), [Vec3::ZERO]);
        assert_eq!(drawn(&[Vec3::new(f32::NAN, 0.0, 0.0)]), []);
    }
}
