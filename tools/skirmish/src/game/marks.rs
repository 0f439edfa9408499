//! The places of a map that game types are about: flags' stands, balls, hills, a race's flags. Knows no game type.

use mjolnir_wire::Vec3;

/// Balls, hills and a race's flags of a map at most, of each: a lap's flags are bits of 32, balls 16 (FACT wire 3.8).
pub const MOST_MARKS: usize = 16;

/// All of a map's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// Where each team's flag stands, in wu.
    pub stands: [Option<Vec3>; 2],
    /// Where balls lie at first, in wu.
    pub balls: Vec<Vec3>,
    /// The hills, in the order in which they are played.
    pub hills: Vec<Hill>,
    /// A race's flags in the order in which they are touched, in wu.
    pub race: Vec<Vec3>,
}

/// A hill: the box in which one stands on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hill {
    /// The corner of least parts, in wu.
    pub least: Vec3,
    /// The corner of most parts, in wu.
    pub most: Vec3,
}

impl Hill {
    /// Whether feet there are on it.
    pub fn has(&self, place: Vec3) -> bool {
        let within = |at: f32, least: f32, most: f32| least <= at && at <= most;
        within(place.x, self.least.x, self.most.x)
            && within(place.y, self.least.y, self.most.y)
            && within(place.z, self.least.z, self.most.z)
    }

    /// Its middle, on its floor.
    pub fn middle(&self) -> Vec3 {
        let middle = (self.least + self.most) * 0.5;
        Vec3::new(middle.x, middle.y, self.least.z)
    }

    /// Its corners on its floor, one after another round it.
    pub fn corners(&self) -> [Vec3; 4] {
        let Self { least, most } = *self;
        [(least.x, least.y), (most.x, least.y), (most.x, most.y), (least.x, most.y)]
            .map(|(x, y)| Vec3::new(x, y, least.z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both sides of each of its bounds.
    #[test]
    fn a_hill_ends_at_its_sides() {
        let hill = Hill { least: Vec3::new(-2.0, -1.0, 3.0), most: Vec3::new(2.0, 1.0, 5.0) };
        for (place, is_on) in [
            (Vec3::new(2.0, 1.0, 3.0), true),
            (Vec3::new(2.01, 1.0, 3.0), false),
            (Vec3::new(0.0, -1.01, 3.0), false),
            (Vec3::new(0.0, 0.0, 2.99), false),
            (Vec3::new(0.0, 0.0, 5.0), true),
            (Vec3::new(0.0, 0.0, 5.01), false),
        ] {
            assert_eq!(hill.has(place), is_on, "{place:?}");
        }
        assert_eq!(hill.middle(), Vec3::new(0.0, 0.0, 3.0));
        assert!(hill.corners().into_iter().all(|corner| hill.has(corner)));
    }
}
