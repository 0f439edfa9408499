//! Whether a box stands between two places. Knows no shot.

use mjolnir_wire::Vec3;

use super::{Solid, Solids};

impl Solid {
    /// Whether the straight line between two places touches the box.
    pub fn blocks(&self, from: Vec3, to: Vec3) -> bool {
        let local = |vector: Vec3| match &self.axes {
            None => vector,
            Some([x, y, z]) => Vec3::new(vector.dot(*x), vector.dot(*y), vector.dot(*z)),
        };
        let (start, along) = (local(from - self.centre).to_array(), local(to - from).to_array());
        let half = self.cuboid.half_extents;
        // The part of the line that is between each pair of faces, and so between all of them.
        let (mut enters, mut leaves) = (0.0_f32, 1.0_f32);
        for (axis, half) in [half.x, half.y, half.z].into_iter().enumerate() {
            let (start, along) = (start[axis], along[axis]);
            if along.abs() < f32::MIN_POSITIVE {
                if start.abs() > half {
                    return false;
                }
                continue;
            }
            let (one, other) = ((-half - start) / along, (half - start) / along);
            enters = enters.max(one.min(other));
            leaves = leaves.min(one.max(other));
        }
        enters <= leaves
    }
}

impl Solids {
    /// Whether a box, one that moves too, touches the straight line between two places.
    pub fn blocks(&self, from: Vec3, to: Vec3) -> bool {
        let corner =
            |pick: fn(f32, f32) -> f32| Vec3::new(pick(from.x, to.x), pick(from.y, to.y), pick(from.z, to.z));
        let (least, most) = (corner(f32::min), corner(f32::max));
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
