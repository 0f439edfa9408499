//! What a player may be given against the rules, where its own machine decides: on a host and in a game that one plays alone.
//! Knows no console.

/// A set of cheats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cheats(u32);

impl Cheats {
    /// No damage takes anything. What kills outright, does: a word, a fall out of the map, a teleporter's exit.
    pub const GOD: Self = Self(1);
    /// Firing takes no round and wears nothing down.
    pub const AMMO: Self = Self(1 << 1);
    /// Throwing takes no grenade.
    pub const GRENADES: Self = Self(1 << 2);
    /// Each of them.
    pub const ALL: Self = Self(0b111);
    /// Each with its name.
    pub const NAMED: [(&str, Self); 4] =
        [("god", Self::GOD), ("ammo", Self::AMMO), ("grenades", Self::GRENADES), ("all", Self::ALL)];

    /// Those bits; any that mean nothing are left out.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// As bits.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether all of those are among them.
    pub const fn has(self, those: Self) -> bool {
        self.0 & those.0 == those.0
    }

    /// With those, or without.
    #[must_use]
    pub const fn with(self, those: Self, are_on: bool) -> Self {
        Self(if are_on { self.0 | those.0 } else { self.0 & !those.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_a_bit_of_its_own() {
        let mut all = Cheats::default();
        for (name, cheat) in &Cheats::NAMED[..3] {
            assert!(!all.has(*cheat) && cheat.bits().is_power_of_two(), "{name}");
            all = all.with(*cheat, true);
        }
        assert_eq!((all, Cheats::from_bits(u32::MAX)), (Cheats::ALL, Cheats::ALL));
        let some = all.with(Cheats::AMMO, false);
        assert!(some.has(Cheats::GOD) && !some.has(Cheats::AMMO) && !some.has(Cheats::ALL));
        assert_eq!(some.with(Cheats::ALL, false), Cheats::default());
    }
}
