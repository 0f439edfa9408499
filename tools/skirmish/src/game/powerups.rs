//! What powerups do to a unit, tick by tick: camouflage, full-spectrum vision, overshield. Knows no player and nothing
//! that lies about; only a host's world calls it, and a client's has what the host says.

use super::health::{MOST, Vitality};
use super::kinds::Kind;

/// Ticks that active camouflage lasts (45 s). Ours.
pub const CAMOUFLAGED_FOR: i16 = 1350;
/// Ticks that full-spectrum vision lasts (30 s). Ours.
pub const SEES_FOR: i16 = 900;
/// What a camouflaged unit fades in a tick, and comes back in one after: a second from one to the other. Ours.
pub const FADES: f32 = 1.0 / 30.0;
/// How invisible it still is that fires. Ours.
pub const SHOWS: f32 = 0.25;
/// What an overshield gains in a tick: from one shield to three in two seconds. Ours.
pub const OVERCHARGE: f32 = 2.0 / 60.0;
/// The bit of a unit's flags that says that it is camouflaged.
pub const CAMOUFLAGED: u8 = 1;

impl Vitality {
    /// Takes a powerup of that kind. Whether it was of use: one that runs in full, or is none, is not.
    pub(super) const fn take(&mut self, kind: Kind) -> bool {
        let [camouflaged, sees] = &mut self.powerups;
        match kind {
            Kind::Camouflage if *camouflaged < CAMOUFLAGED_FOR => {
                *camouflaged = CAMOUFLAGED_FOR;
                self.unit_flags |= CAMOUFLAGED;
                true
            }
            Kind::Vision if *sees < SEES_FOR => {
                *sees = SEES_FOR;
                true
            }
            Kind::Overshield if self.shield < MOST && !self.flags.over_charging => {
                self.flags.over_charging = true;
                true
            }
            _ => false,
        }
    }

    /// Camouflages it for so many ticks, or for as long as it is already where that is more.
    pub(super) const fn hide(&mut self, ticks: i16) {
        if ticks > self.powerups[0] {
            self.powerups[0] = ticks;
            self.unit_flags |= CAMOUFLAGED;
        }
    }

    /// A tick of what powerups do. Whether there was anything to do.
    pub(super) fn run(&mut self) -> bool {
        let before = *self;
        for left in &mut self.powerups {
            *left = (*left - 1).max(0);
        }
        if self.powerups[0] > 0 {
            self.camouflage = (self.camouflage + FADES).min(1.0);
        } else {
            self.unit_flags &= !CAMOUFLAGED;
            self.camouflage = (self.camouflage - FADES).max(0.0);
        }
        if self.flags.over_charging {
            self.shield = (self.shield + OVERCHARGE).min(MOST);
            self.flags.depleted = false;
            self.flags.over_charging = self.shield < MOST;
        }
        *self != before
    }

    /// It fired: for a moment it is seen.
    pub(super) const fn show(&mut self) {
        self.camouflage = self.camouflage.min(SHOWS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Camouflage fades a unit within a second, for 45 s, shows it for a moment where it fires, and ends to the tick.
    #[test]
    fn camouflage_lasts_so_long() {
        let mut unit = Vitality::WHOLE;
        assert!(!unit.run(), "there is nothing to do");
        assert!(unit.take(Kind::Camouflage) && !unit.take(Kind::Camouflage));
        for _ in 0..29 {
            unit.run();
        }
        assert!(unit.camouflage > 0.9 && unit.camouflage < 1.0, "{}", unit.camouflage);
        unit.run();
        unit.run();
        assert_eq!((unit.camouflage, unit.unit_flags), (1.0, CAMOUFLAGED));
        unit.show();
        assert_eq!(unit.camouflage, SHOWS);
        for _ in 31..CAMOUFLAGED_FOR - 1 {
            unit.run();
        }
        assert_eq!((unit.powerups, unit.unit_flags, unit.camouflage), ([1, 0], CAMOUFLAGED, 1.0));
        unit.run();
        assert_eq!((unit.powerups, unit.unit_flags), ([0, 0], 0));
        for _ in 0..30 {
            unit.run();
        }
        assert_eq!(unit.camouflage, 0.0);
        assert!(!unit.run());
    }

    /// A second one while the first runs makes it last as long again, and one that sees is not hidden.
    #[test]
    fn a_second_one_lasts_as_long_again() {
        let mut unit = Vitality::WHOLE;
        assert!(unit.take(Kind::Vision) && !unit.take(Kind::Vision));
        unit.run();
        assert_eq!((unit.powerups, unit.camouflage), ([0, SEES_FOR - 1], 0.0));
        assert!(unit.take(Kind::Vision));
        assert_eq!(unit.powerups, [0, SEES_FOR]);
    }

    /// An overshield charges to three in two seconds and no further, from nothing too, and says so while it does.
    #[test]
    fn an_overshield_charges_to_three() {
        let mut unit = Vitality::WHOLE;
        assert!(unit.take(Kind::Overshield) && !unit.take(Kind::Overshield));
        for _ in 0..58 {
            unit.run();
        }
        assert!(unit.shield < MOST && unit.flags.over_charging, "{}", unit.shield);
        unit.run();
        unit.run();
        unit.run();
        assert!(unit.shield == MOST && !unit.flags.over_charging);
        assert!(!unit.take(Kind::Overshield) && !unit.run());
        unit.lose(MOST, 0.0);
        assert!(unit.flags.depleted && unit.take(Kind::Overshield) && unit.run());
        assert!(!unit.flags.depleted && unit.shield > 0.0);
        assert!(!unit.take(Kind::Rifle));
    }
}
