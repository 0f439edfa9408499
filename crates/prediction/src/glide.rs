//! How a corrected copy is drawn: from where it was, gliding to where it is. Knows no unit; it moves nothing that
//! is simulated.

use mjolnir_wire::Vec3;

use crate::own::TELEPORT_SIZED;

/// How often the offset is halved each tick (PRED-13, ours).
pub const GLIDE_HALVES_PER_TICK: u32 = 1;
/// Ticks after which it is gone (PRED-13, ours).
pub const GLIDE_TICKS: u32 = 6;

/// What of an offset is left after a tick.
const FADE: f32 = 1.0 / (1 << GLIDE_HALVES_PER_TICK) as f32;

/// A copy's visual offset: it is drawn at its place plus this.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Glide {
    offset: Vec3,
    ticks: u32,
    /// Whether the offset is not yet the one last given out.
    changed: bool,
}

impl Glide {
    /// A tick passes.
    pub(crate) fn fade(&mut self) {
        if self.ticks == 0 {
            return;
        }
        self.ticks -= 1;
        self.offset = if self.ticks == 0 { Vec3::ZERO } else { self.offset * FADE };
        self.changed = true;
    }

    /// The copy is moved by that much: it stays drawn where it was, and glides from there. A move of a teleport's
    /// size is drawn as one.
    pub(crate) fn moved(&mut self, by: Vec3) {
        if by.length() > TELEPORT_SIZED {
            self.end();
        } else {
            self.offset -= by;
            self.ticks = GLIDE_TICKS;
            self.changed = true;
        }
    }

    /// It is drawn where it is.
    pub(crate) fn end(&mut self) {
        self.changed |= self.ticks > 0;
        self.ticks = 0;
        self.offset = Vec3::ZERO;
    }

    /// The offset, if it is not the one last taken.
    pub(crate) fn take(&mut self) -> Option<Vec3> {
        core::mem::take(&mut self.changed).then_some(self.offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// PRED-13: of a wu half is left after a tick, a 32nd after five, and nothing after six; then nothing more is said of it.
    #[test]
    fn an_offset_is_gone_after_six_ticks() {
        let mut glide = Glide::default();
        glide.moved(Vec3::new(1.0, 0.0, 0.0));
        assert_eq!(glide.take(), Some(Vec3::new(-1.0, 0.0, 0.0)));
        for left in [0.5, 0.25, 0.125, 0.0625, 0.03125, 0.0] {
            glide.fade();
            assert_eq!(glide.take(), Some(Vec3::new(-left, 0.0, 0.0)));
        }
        glide.fade();
        assert_eq!(glide.take(), None);
    }
}
