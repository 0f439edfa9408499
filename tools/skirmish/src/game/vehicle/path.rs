//! A recorded way: places that a vehicle flies to in turn, standing at each for a while. Knows no vehicle.

use mjolnir_wire::Vec3;

use crate::game::kinds::Kind;

/// By how much the physics' velocity of what follows a path swings about its way, as a part of it, and radians of that
/// swing in a tick: so a copy that trusted it would not stay on the way (PRED-30).
const SWINGS: (f32, f32) = (0.5, 0.9);

/// See the module's text.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// What flies it.
    pub kind: Kind,
    /// How fast, in wu a tick.
    pub speed: f32,
    /// Ticks that it stands at each place.
    pub stays: u32,
    /// The places; after the last it goes to the first. At least two, each apart from the next.
    pub places: Vec<Vec3>,
    /// A script has a vehicle fly it, once: that stands at the last place from then on.
    pub once: bool,
}

/// Where what follows a path is in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::game) struct Pace {
    pub(in crate::game) position: Vec3,
    /// What it moves in this tick; none while it stands.
    pub(in crate::game) step: Option<Vec3>,
}

impl Path {
    /// Ticks from one place to the next.
    fn leg(&self, from: usize) -> (Vec3, Vec3, u32) {
        let (a, b) = (self.places[from], self.places[(from + 1) % self.places.len()]);
        (a, b, (a.distance(b) / self.speed).ceil().max(1.0) as u32)
    }

    /// Ticks of a whole round; of one that is flown once, to its last place.
    pub fn round(&self) -> u32 {
        let legs = self.places.len() - usize::from(self.once);
        (0..legs).map(|from| self.stays + self.leg(from).2).sum()
    }

    /// How far it has come a tick later.
    pub(in crate::game) fn next(&self, passed: u32) -> u32 {
        if self.once { (passed + 1).min(self.round()) } else { (passed + 1) % self.round() }
    }

    /// Where it is after so many ticks of a round, from the first place on.
    pub(in crate::game) fn at(&self, passed: u32) -> Pace {
        if self.once && passed >= self.round() {
            return Pace { position: self.places[self.places.len() - 1], step: None };
        }
        let mut left = passed % self.round();
        for from in 0..self.places.len() {
            let (a, b, ticks) = self.leg(from);
            if left < self.stays {
                return Pace { position: a, step: None };
            }
            left -= self.stays;
            if left < ticks {
                let step = (b - a) * (1.0 / ticks as f32);
                return Pace { position: a + step * (left + 1) as f32, step: Some(step) };
            }
            left -= ticks;
        }
        Pace { position: self.places[0], step: None }
    }

    /// What the physics call the velocity of that step, in wu a tick.
    pub(in crate::game) fn velocity(step: Vec3, passed: u32) -> Vec3 {
        step * (1.0 + SWINGS.0 * libm::sinf((passed % 4096) as f32 * SWINGS.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It stands at each place for its ticks, goes from one to the next in even steps, and round again.
    #[test]
    fn it_goes_round() {
        let places = vec![Vec3::ZERO, Vec3::new(3.0, 0.0, 0.0), Vec3::new(3.0, 1.0, 0.0)];
        let path = Path { kind: Kind::Dropship, speed: 0.2, stays: 10, places, once: false };
        // 15 ticks, 5, and the square root of ten through 0.2.
        assert_eq!(path.round(), 30 + 15 + 5 + 16);
        for passed in 0..path.round() {
            let (now, next) = (path.at(passed), path.at(passed + 1));
            let moved = next.position - now.position;
            match next.step {
                Some(step) => assert!(moved.distance(step) < 1e-4 && step.length() <= 0.2 + 1e-4, "{passed}"),
                None => assert!(moved.length() < 1e-4, "{passed}: {moved:?}"),
            }
        }
        assert_eq!(path.at(path.round()), path.at(0));
        assert_eq!((path.at(9).step, path.at(0).position), (None, Vec3::ZERO));
        assert!(path.at(10).step.is_some());
        assert_eq!((path.at(25).step, path.at(34).step), (None, None));
        let swings: Vec<f32> = (0..100).map(|tick| Path::velocity(Vec3::UP, tick).z).collect();
        assert!(swings.iter().any(|speed| *speed > 1.45) && swings.iter().any(|speed| *speed < 0.55));
        assert!(swings.iter().all(|speed| (0.5..=1.5).contains(speed)));
    }

    /// One that is flown once goes its legs without a rest and stands at the last place for good.
    #[test]
    fn it_may_be_flown_once() {
        let places = vec![Vec3::ZERO, Vec3::new(3.0, 0.0, 0.0), Vec3::new(3.0, 1.0, 0.0)];
        let path = Path { kind: Kind::Dropship, speed: 0.2, stays: 0, places: places.clone(), once: true };
        assert_eq!(path.round(), 15 + 5);
        let mut passed = 0;
        for _ in 0..30 {
            passed = path.next(passed);
        }
        assert_eq!((passed, path.next(passed)), (20, 20));
        assert!(path.at(19).step.is_some() && path.at(19).position.distance(places[2]) < 1e-4);
        for late in [20, 21, 10_000] {
            assert_eq!((path.at(late).step, path.at(late).position), (None, places[2]), "{late}");
        }
    }
}
