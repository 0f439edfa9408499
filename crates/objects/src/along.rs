//! A vehicle that moves and that nobody drives is carried along from one place that the host told to the next (PRED-30
//! to 32): its velocity swings about the way it goes, as of a recorded ship, and driven by that a copy is off by a
//! world unit and more. Knows places and ticks; no vehicle, and nothing of how one is driven.

use mjolnir_wire::objects::ObjectState;
use mjolnir_wire::{ObjectId, Tick, Vec3};

use crate::by_index::ByIndex;

/// World units a tick past which two places are no path but a jump (PRED-31, ours).
pub const ALONG_STEP: f32 = 2.0;
/// World units a tick that a step may be longer than twice the one before it: what sets off, or is thrown (PRED-31,
/// ours).
pub const ALONG_MORE: f32 = 0.25;
/// Ticks between two of the host's words past which no path is drawn from one to the other: what moves is told each
/// fourth tick at least, and three of four words may be lost (ours).
pub const ALONG_GAP: i32 = 16;
/// Ticks after its last step for which a copy stays where that took it; then the engine's own rules move it, so that
/// what the host tells of no more does not hang in the air (ours).
pub const ALONG_HOLDS: u32 = 30;

/// What is carried, or may be from the next word on.
#[derive(Clone, Copy, Debug)]
struct Path {
    object: ObjectId,
    /// The newest word: where it was, and in which tick of the host's.
    at: Tick,
    position: Vec3,
    /// World units a tick between the last two words, if they are of one path.
    step: Option<Vec3>,
    /// Two words have come, so that the engine does not move it.
    is_carried: bool,
    /// Ticks for which the step holds.
    steps: u32,
    /// Ticks for which it stays after those.
    holds: u32,
}

/// See the file's text.
#[derive(Debug)]
pub(crate) struct Along(ByIndex<Path>);

impl Along {
    pub(crate) fn new() -> Self {
        Self(ByIndex::new())
    }

    /// The host's word on a moving vehicle that nobody drives, of that tick of the host's. Whether it is carried along
    /// from there: then it is put exactly there.
    pub(crate) fn hear(&mut self, at: Tick, state: &ObjectState) -> bool {
        let ObjectState { object, motion, .. } = *state;
        let position = motion.position;
        let first = Path { object, at, position, step: None, is_carried: false, steps: 0, holds: 0 };
        let path = self.0.get_mut(object.index()).filter(|path| path.object == object);
        let next = match path {
            Some(path) if path.at == at => return path.is_carried,
            Some(path) if (1..=ALONG_GAP).contains(&at.since(path.at)) => {
                let gap = at.since(path.at) as u32;
                let step = step(path, position, gap as f32);
                let steps = if step.is_some() { gap } else { 0 };
                Path { step, is_carried: true, steps, holds: ALONG_HOLDS, ..first }
            }
            // Of the time between nothing is known.
            _ => first,
        };
        self.0.put(object.index(), next);
        next.is_carried
    }

    /// That object is carried no more: it rests, is driven or carried by a unit.
    pub(crate) fn end(&mut self, object: ObjectId) {
        self.0.remove(object.index());
    }

    /// A tick: hands each object that is carried, and by how much, to `tell`; those of which `goes_on` is false are
    /// forgotten.
    pub(crate) fn advance(
        &mut self,
        mut goes_on: impl FnMut(ObjectId) -> bool,
        mut tell: impl FnMut(ObjectId, Vec3),
    ) {
        self.0.retain(|path| {
            if !goes_on(path.object) {
                return false;
            }
            let step = path.step.filter(|_| path.steps > 0);
            if path.steps > 0 {
                path.steps -= 1;
            } else if path.holds > 0 {
                path.holds -= 1;
            } else {
                path.is_carried = false;
            }
            if path.is_carried {
                tell(path.object, step.unwrap_or_default());
            }
            true
        });
    }
}

/// World units a tick from the last word to the next, so many ticks later; none if that is further than the path goes
/// (PRED-31).
fn step(path: &Path, to: Vec3, gap: f32) -> Option<Vec3> {
    let step = (to - path.position) * (1.0 / gap);
    let reach = path.step.map_or(ALONG_STEP, |last| ALONG_STEP.min(2.0 * last.length() + ALONG_MORE));
    // What is no number is no step either.
    (step.length() <= reach).then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use mjolnir_wire::Axes;
    use mjolnir_wire::objects::Motion;

    fn word(along: &mut Along, tick: u32, x: f32) -> bool {
        let object = ObjectId::new(5, 1).unwrap();
        let position = Vec3::new(x, 0.0, 0.0);
        let motion =
            Motion { position, axes: Axes::UPRIGHT, velocity: Vec3::UP, angular_velocity: Vec3::ZERO };
        along.hear(Tick::ZERO.plus(tick), &ObjectState::moving(object, motion))
    }

    fn steps(along: &mut Along, ticks: usize) -> Vec<f32> {
        let mut steps = Vec::new();
        (0..ticks).for_each(|_| along.advance(|_| true, |_, step| steps.push(step.x)));
        steps
    }

    /// PRED-30, 32: a step is known from the second word on, and holds for as many ticks as lay between the two; then
    /// the copy stays, for a second, and is let go.
    #[test]
    fn a_step_holds_as_long_as_the_last_gap() {
        let mut along = Along::new();
        assert!(!word(&mut along, 100, 0.0));
        assert_eq!(steps(&mut along, 4), []);
        assert!(word(&mut along, 104, 4.0));
        assert_eq!(steps(&mut along, 7), [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
        assert!(word(&mut along, 106, 5.0));
        assert!(word(&mut along, 106, 5.0), "a piece of the same word");
        let held = steps(&mut along, 100);
        assert_eq!(held.len(), 2 + ALONG_HOLDS as usize);
        assert_eq!(held[..3], [0.5, 0.5, 0.0]);
        along.end(ObjectId::new(5, 1).unwrap());
        assert!(!word(&mut along, 108, 6.0), "it begins anew");
    }

    /// PRED-31: no step is kept of a gap that the path does not reach over, both sides; the copy stays there until the
    /// next word is of one path with it.
    #[test]
    fn a_jump_is_no_step() {
        for (x, first, next) in
            [(20.0 + 4.0, 0.0, 1.0), (4.0 + 4.0 * 2.25, 0.0, 1.0), (4.0 + 4.0 * 2.0, 2.0, 1.0)]
        {
            let mut along = Along::new();
            word(&mut along, 100, 0.0);
            word(&mut along, 104, 4.0);
            steps(&mut along, 4);
            assert!(word(&mut along, 108, x));
            assert_eq!(steps(&mut along, 4), [first; 4], "{x}");
            assert!(word(&mut along, 112, x + 4.0));
            assert_eq!(steps(&mut along, 4), [next; 4], "{x}");
        }
        // A slow one reaches less far: twice its step and a quarter.
        for (x, is_step) in [(0.1 + 0.44, true), (0.1 + 0.46, false)] {
            let mut along = Along::new();
            word(&mut along, 100, 0.0);
            word(&mut along, 101, 0.1);
            word(&mut along, 102, x);
            assert_eq!(steps(&mut along, 1) != [0.0], is_step, "{x}");
        }
        let mut along = Along::new();
        word(&mut along, 100, 0.0);
        assert!(word(&mut along, 104, f32::NAN));
        assert_eq!(steps(&mut along, 1), [0.0]);
    }

    /// PRED-32: of what lies further apart than the ticks of four words, or is older, nothing is concluded.
    #[test]
    fn words_far_apart_are_no_path() {
        for (tick, is_path) in [(116, true), (117, false), (99, false)] {
            let mut along = Along::new();
            word(&mut along, 100, 0.0);
            assert_eq!(word(&mut along, tick, 1.0), is_path, "{tick}");
        }
    }
}
