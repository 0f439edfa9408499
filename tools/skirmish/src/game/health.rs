//! Health and shields: what hurts, what heals, what kills. Knows no player; only a host's world calls what decides.

use mjolnir_wire::units::{ShieldFlags, ShownDamage};

/// Ticks without being hurt after which a shield fills (sandbox 2: 5 s).
pub const RECHARGE_AFTER: u16 = 150;
/// What a shield gains in a tick: whole after two seconds. Ours.
pub const RECHARGE: f32 = 1.0 / 60.0;
/// A shield and a body hold at most this each (sandbox 2).
pub const MOST: f32 = 3.0;
/// The fastest fall that does not hurt, in wu a tick: from 3 wu. Ours.
pub const HARMLESS_FALL: f32 = 0.146;
/// What a fall takes for each wu a tick past that; from 8 wu it takes a whole shield and a whole body. Ours.
pub const FALL_DAMAGE: f32 = 2.0 / (0.239 - HARMLESS_FALL);

/// How whole a unit is, and what shows of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vitality {
    /// Health, 1 whole; at 0 it is dead.
    pub body: f32,
    /// Shield, 1 whole, to [`MOST`].
    pub shield: f32,
    /// What the shield is doing.
    pub flags: ShieldFlags,
    /// The damage it shows.
    pub shown: ShownDamage,
    /// Ticks left of active camouflage and of full-spectrum vision.
    pub powerups: [i16; 2],
    /// Camouflaged or not, super or not.
    pub unit_flags: u8,
    /// How invisible it is, 0 to 1.
    pub camouflage: f32,
}

impl Vitality {
    /// Nothing is missing, nothing is special.
    pub const WHOLE: Self = Self {
        body: 1.0,
        shield: 1.0,
        flags: ShieldFlags { depleted: false, charging: false, over_charging: false },
        shown: ShownDamage { current_body: 0.0, recent_body: 0.0, current_shield: 0.0, recent_shield: 0.0 },
        powerups: [0; 2],
        unit_flags: 0,
        camouflage: 0.0,
    };

    /// Takes away so much of the shield and so much of the body. Whether it kills.
    pub(super) fn lose(&mut self, of_shield: f32, of_body: f32) -> bool {
        self.shield = (self.shield - of_shield).max(0.0);
        self.body = (self.body - of_body).max(0.0);
        self.flags.charging = false;
        self.flags.depleted = self.shield <= 0.0;
        self.body <= 0.0
    }

    /// A tick's healing of a shield that has been let alone so long.
    pub(super) fn recharge(&mut self, unhurt: u16) {
        let due = unhurt >= RECHARGE_AFTER && self.shield < 1.0;
        self.flags.charging = due;
        if due {
            self.shield = (self.shield + RECHARGE).min(1.0);
            self.flags.depleted = false;
        }
    }
}

/// What landing so fast takes.
pub(super) fn fall_damage(impact: f32) -> f32 {
    ((impact - HARMLESS_FALL) * FALL_DAMAGE).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both sides of a harmless fall and of a lethal one, by the heights that the constants' texts name.
    #[test]
    fn falls_hurt_from_three_wu_and_kill_from_eight() {
        let from = |height: f32| libm::sqrtf(2.0 * super::super::movement::GRAVITY * height);
        assert_eq!(fall_damage(from(2.9)), 0.0);
        assert!(fall_damage(from(3.1)) > 0.0);
        let kills = |height| Vitality::WHOLE.clone().lose(1.0, fall_damage(from(height)) - 1.0);
        assert!(!kills(7.9) && kills(8.1));
    }

    /// A shield is down at 0, and fills after five seconds let alone.
    #[test]
    fn a_shield_is_down_at_nothing_and_fills_after_five_seconds() {
        let mut vitality = Vitality::WHOLE;
        assert!(!vitality.lose(1.0, 0.25));
        assert_eq!((vitality.shield, vitality.body, vitality.flags.depleted), (0.0, 0.75, true));
        vitality.recharge(RECHARGE_AFTER - 1);
        assert_eq!((vitality.shield, vitality.flags.charging), (0.0, false));
        for _ in 0..61 {
            vitality.recharge(RECHARGE_AFTER);
        }
        assert_eq!((vitality.shield, vitality.body), (1.0, 0.75));
        vitality.recharge(RECHARGE_AFTER);
        assert_eq!(vitality.flags, ShieldFlags::default());
    }
}
