//! What box stands between two places, and where it is met. Knows no shot.

use mjolnir_wire::Vec3;

use super::{Solid, Solids};

impl Solid {
    /// Whether the straight line between two places touches the box.
    pub fn blocks(&self, from: Vec3, to: Vec3) -> bool {
        self.meets(from, to).is_some()
    }

    /// At what share of the way from one place to another a straight line meets the box, and where the side points that it
    /// meets. One that begins inside meets it at once, as if from above.
    pub fn meets(&self, from: Vec3, to: Vec3) -> Option<(f32, Vec3)> {
        let local = |vector: Vec3| match &self.axes {
            None => vector,
            Some([x, y, z]) => Vec3::new(vector.dot(*x), vector.dot(*y), vector.dot(*z)),
        };
        let (start, along) = (local(from - self.centre).to_array(), local(to - from).to_array());
        let half = self.cuboid.half_extents;
        // The part of the line that is between each pair of faces, and so between all of them.
        let (mut enters, mut leaves) = (0.0_f32, 1.0_f32);
        let mut side = None;
        for (axis, half) in [half.x, half.y, half.z].into_iter().enumerate() {
            let (start, along) = (start[axis], along[axis]);
            if along.abs() < f32::MIN_POSITIVE {
                if start.abs() > half {
                    return None;
                }
                continue;
            }
            let (one, other) = ((-half - start) / along, (half - start) / along);
            let least = one.min(other);
            if least > enters {
                (enters, side) = (least, Some((axis, -along.signum())));
            }
            leaves = leaves.min(one.max(other));
        }
        let normal = || match (side, &self.axes) {
            (None, _) => Vec3::UP,
            (Some((axis, sign)), Some(axes)) => axes[axis] * sign,
            (Some((axis, sign)), None) => {
                let mut parts = [0.0; 3];
                parts[axis] = sign;
                Vec3::from_array(parts)
            }
        };
        (enters <= leaves).then(|| (enters, normal()))
    }
}

impl Solids {
    /// Whether a box, one that moves too, touches the straight line between two places.
    pub fn blocks(&self, from: Vec3, to: Vec3) -> bool {
        let (least, most) = corners(from, to);
        let stands = |solid: &Solid| solid.touches(least, most) && solid.blocks(from, to);
        let [columns, rows] = self.span(least, most);
        let mut cells = rows.flat_map(|row| columns.clone().map(move |column| (row, column)));
        let of_cell = |(row, column): (usize, usize)| {
            let cell = row * self.cells[0] + column;
            &self.members[self.starts[cell] as usize..self.starts[cell + 1] as usize]
        };
        cells.any(|cell| of_cell(cell).iter().any(|index| stands(self.get(*index))))
            || self.solids[self.still..].iter().any(stands)
    }

    /// The first box, one that moves too, that a straight line meets: as [`Solid::meets`].
    pub fn meets(&self, from: Vec3, to: Vec3) -> Option<(f32, Vec3)> {
        let (least, most) = corners(from, to);
        let met = |solid: &Solid| solid.touches(least, most).then(|| solid.meets(from, to)).flatten();
        let [columns, rows] = self.span(least, most);
        let cells = rows.flat_map(|row| columns.clone().map(move |column| row * self.cells[0] + column));
        let members =
            cells.flat_map(|cell| &self.members[self.starts[cell] as usize..self.starts[cell + 1] as usize]);
        let still = members.filter_map(|index| met(self.get(*index)));
        let moving = self.solids[self.still..].iter().filter_map(met);
        still.chain(moving).min_by(|(one, _), (other, _)| one.total_cmp(other))
    }
}

fn corners(from: Vec3, to: Vec3) -> (Vec3, Vec3) {
    let corner =
        |pick: fn(f32, f32) -> f32| Vec3::new(pick(from.x, to.x), pick(from.y, to.y), pick(from.z, to.z));
    (corner(f32::min), corner(f32::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Past a box's edge, through it, before it and upon it; a turned one, and one that moves.
    #[test]
    fn a_line_meets_a_box_or_passes_it() {
        let cube = Solid::between(Vec3::new(-1.0, -1.0, -1.0), Vec3::new(1.0, 1.0, 1.0)).unwrap();
        let line = |y: f32, from: f32, to: f32| (Vec3::new(from, y, 0.0), Vec3::new(to, y, 0.0));
        for (y, from, to, blocks) in [
            (0.0, -9.0, 9.0, true),
            (0.99, -9.0, 9.0, true),
            (1.01, -9.0, 9.0, false),
            (0.0, -9.0, -1.01, false),
            (0.0, -9.0, -0.99, true),
            (0.0, 9.0, 1.01, false),
            (0.0, 0.5, 0.6, true),
        ] {
            let (start, end) = line(y, from, to);
            assert_eq!(cube.blocks(start, end), blocks, "{y} {from} {to}");
        }
        let (sin, cos) = libm::sincosf(std::f32::consts::FRAC_PI_4);
        let axes = [Vec3::new(cos, sin, 0.0), Vec3::new(-sin, cos, 0.0), Vec3::UP];
        let turned = Solid::new(Vec3::ZERO, Vec3::new(1.0, 1.0, 1.0), Some(axes)).unwrap();
        let (start, end) = line(1.3, -9.0, 9.0);
        assert!(turned.blocks(start, end) && !cube.blocks(start, end));

        // Where it is met, and by which side.
        let (start, end) = line(0.0, -9.0, 7.0);
        assert_eq!(cube.meets(start, end), Some((0.5, Vec3::new(-1.0, 0.0, 0.0))));
        assert_eq!(cube.meets(end, start), Some((0.375, Vec3::new(1.0, 0.0, 0.0))));
        assert_eq!(cube.meets(Vec3::ZERO, end), Some((0.0, Vec3::UP)));
        let (share, normal) = turned.meets(Vec3::new(-9.0, 0.5, 0.0), Vec3::new(9.0, 0.5, 0.0)).unwrap();
        assert!((share - (8.0 - 0.414_213_5 + 0.5) / 18.0).abs() < 1e-5, "{share}");
        assert!(normal.distance(Vec3::new(-sin, cos, 0.0)) < 1e-6, "{normal:?}");

        let (least, most) = (Vec3::new(-20.0, -20.0, -5.0), Vec3::new(20.0, 20.0, 9.0));
        let solids = Solids::new(vec![cube.moved(Vec3::new(8.0, 8.0, 0.0))], least, most);
        let mut solids = solids.with_moving(std::iter::once(cube.moved(Vec3::new(-8.0, 0.0, 0.0))));
        assert!(solids.blocks(Vec3::new(-15.0, 8.0, 0.0), Vec3::new(15.0, 8.0, 0.0)));
        assert!(!solids.blocks(Vec3::new(-15.0, 5.0, 0.0), Vec3::new(15.0, 5.0, 0.0)));
        let across = (Vec3::new(-15.0, 0.0, 0.0), Vec3::new(15.0, 0.0, 0.0));
        assert!(solids.blocks(across.0, across.1));
        solids.put_moving(0, cube.moved(Vec3::new(-8.0, 0.0, 4.0)));
        assert!(!solids.blocks(across.0, across.1));
    }
}
