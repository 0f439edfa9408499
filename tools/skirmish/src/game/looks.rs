//! How an object looks beyond its tag: what its creation says of it, once (OBJ-02). Nothing that is simulated follows
//! from it. Knows no object.

use mjolnir_wire::Slot;
use mjolnir_wire::objects::NO_FORCED_PERMUTATION;

/// The variants of actors, past those of players. Ours.
const MINOR: i16 = 256;
const MAJOR: i16 = 257;
/// The bitmap that a major's variant sets in its shaders. Ours.
const MAJORS_SHADER: u8 = 3;
/// The forms of an actor's regions: no player has them. Ours.
const ACTORS_REGIONS: [u8; 8] = [4; 8];

/// See the module's text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Looks {
    /// The team that it belongs to.
    pub team: Option<u8>,
    /// Its variant.
    pub variant: i16,
    /// The bitmap that its variant sets in its shaders; 0 for none.
    pub shader_permutation: u8,
    /// Red, green and blue of each of its changing colours, 0 to 1.
    pub colours: [[f32; 3]; 4],
    /// Which form each of its regions has.
    pub regions: [u8; 8],
}

impl Looks {
    /// Nobody's, white, of the first forms.
    pub const PLAIN: Self = Self {
        team: None,
        variant: 0,
        shader_permutation: NO_FORCED_PERMUTATION,
        colours: [[1.0; 3]; 4],
        regions: [0; 8],
    };

    /// Those of the unit of a player in that team: told apart by both. Ours.
    pub fn of(slot: Slot, team: Option<u8>) -> Self {
        let (slot, side) = (slot.get(), team.unwrap_or(0));
        let shade = |of: u8, steps: u8| f32::from(of % steps) / f32::from(steps - 1);
        let own = [shade(slot, 5), shade(slot / 5, 5), shade(slot / 25, 6)];
        Self {
            team,
            variant: i16::from(slot),
            shader_permutation: 1 + slot % 7,
            colours: [[shade(side, 2), 0.25, 1.0 - shade(side, 2)], own, [0.5; 3], [1.0; 3]],
            regions: std::array::from_fn(|region| (slot >> region) & 3),
        }
    }

    /// Those of an actor's unit: one of rank looks otherwise, and is of another variant, which sets a bitmap (OBJ-29). Ours.
    pub fn of_actor(team: u8, is_major: bool) -> Self {
        let shade = |of: u8| f32::from(of & 3) / 3.0;
        let (variant, shader_permutation) = if is_major { (MAJOR, MAJORS_SHADER) } else { (MINOR, 0) };
        let team_colour = [shade(team), shade(team >> 2), 0.5];
        Self {
            team: Some(team),
            variant,
            shader_permutation,
            colours: [team_colour; 4],
            regions: ACTORS_REGIONS,
        }
    }

    /// Whether they are an actor's unit's, living or dead.
    pub(super) fn is_actors(&self) -> bool {
        [MINOR, MAJOR].contains(&self.variant) && self.regions == ACTORS_REGIONS
    }

    /// As 64-bit words, for digests.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        let [team, variant, shaders] =
            [self.team.map_or(u64::MAX, u64::from), self.variant as u64, u64::from(self.shader_permutation)];
        let colours = self.colours;
        let colours = (0..12).map(move |at| u64::from(colours[at / 3][at % 3].to_bits()));
        [team, variant, shaders, u64::from_le_bytes(self.regions)].into_iter().chain(colours)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No two players look alike, nor does one of two teams.
    #[test]
    fn players_are_told_apart() {
        let all: Vec<Looks> =
            Slot::all().flat_map(|slot| [0, 1].map(|team| Looks::of(slot, Some(team)))).collect();
        for (at, one) in all.iter().enumerate() {
            assert!(all[..at].iter().all(|other| other != one), "{one:?}");
            assert!(one.colours.as_flattened().iter().all(|part| (0.0..=1.0).contains(part)));
        }
        assert_ne!(Looks::PLAIN.words().collect::<Vec<_>>(), all[0].words().collect::<Vec<_>>());
    }
}
