//! Boxes that may go: glass. Knows nothing of what breaks one.

use mjolnir_wire::Vec3;
use parry3d::math::Vector;
use parry3d::query::{Ray, RayCast as _};

use super::{Solid, Solids};

impl Solid {
    /// Where the straight line between two places meets the box first, as a part of the way; 0 from inside it.
    pub fn met_by(&self, from: Vec3, to: Vec3) -> Option<f32> {
        let local = |vector: Vec3| match &self.axes {
            None => Vector::new(vector.x, vector.y, vector.z),
            Some([x, y, z]) => Vector::new(vector.dot(*x), vector.dot(*y), vector.dot(*z)),
        };
        let ray = Ray::new(local(from - self.centre), local(to - from));
        self.cuboid.cast_local_ray(&ray, 1.0, true)
    }
}

impl Solids {
    /// Takes a box away that is still: nothing meets it any more.
    pub fn take_away(&mut self, index: u16) {
        if let Some(solid) = self.solids[..self.still].get_mut(usize::from(index)) {
            let nowhere = f32::INFINITY;
            solid.least = Vec3::new(nowhere, nowhere, nowhere);
            solid.most = -solid.least;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The part of the way at which a box is met, both sides of its edge, of where the line ends and of where it begins;
    /// a turned box too.
    #[test]
    fn a_line_meets_a_box_somewhere() {
        let cube = Solid::between(Vec3::new(-1.0, -1.0, -1.0), Vec3::new(1.0, 1.0, 1.0)).unwrap();
        let met = |y: f32, from: f32, to: f32| cube.met_by(Vec3::new(from, y, 0.0), Vec3::new(to, y, 0.0));
        for (y, from, to, share) in [
            (0.0, -5.0, 5.0, Some(0.4)),
            (0.99, -5.0, 5.0, Some(0.4)),
            (1.01, -5.0, 5.0, None),
            (0.0, -5.0, -1.01, None),
            (0.0, -5.0, -0.99, Some(0.998)),
            (0.0, 5.0, -5.0, Some(0.4)),
            (0.0, 0.5, 5.0, Some(0.0)),
            (0.0, 1.01, 5.0, None),
        ] {
            let found = met(y, from, to);
            assert_eq!(
                found.map(|share| (share * 1000.0).round()),
                share.map(|share| (share * 1000.0_f32).round())
            );
        }
        let (sin, cos) = libm::sincosf(std::f32::consts::FRAC_PI_4);
        let axes = [Vec3::new(cos, sin, 0.0), Vec3::new(-sin, cos, 0.0), Vec3::UP];
        let turned = Solid::new(Vec3::ZERO, Vec3::new(1.0, 1.0, 1.0), Some(axes)).unwrap();
        let share = turned.met_by(Vec3::new(-2.0, 0.0, 0.0), Vec3::new(2.0, 0.0, 0.0)).unwrap();
        assert!((share - (2.0 - std::f32::consts::SQRT_2) / 4.0).abs() < 1e-4, "{share}");
    }

    /// What is taken away is met by no line and found in no region, and its neighbour is.
    #[test]
    fn what_is_taken_away_is_not_there() {
        let cube = Solid::between(Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, 1.0, 2.0)).unwrap();
        let beside = cube.moved(Vec3::new(4.0, 0.0, 0.0));
        let (least, most) = (Vec3::new(-9.0, -9.0, -1.0), Vec3::new(9.0, 9.0, 9.0));
        let mut solids = Solids::new(vec![cube, beside], least, most);
        let across = |x: f32| (Vec3::new(x, -5.0, 1.0), Vec3::new(x, 5.0, 1.0));
        let mut found = Vec::new();
        solids.collect(least, most, &mut found);
        assert_eq!(found, [0, 1]);
        assert!(solids.blocks(across(0.0).0, across(0.0).1));
        solids.take_away(0);
        solids.take_away(2);
        solids.collect(least, most, &mut found);
        assert_eq!(found, [1]);
        assert!(!solids.blocks(across(0.0).0, across(0.0).1) && solids.blocks(across(4.0).0, across(4.0).1));
    }
}
