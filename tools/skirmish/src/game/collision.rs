//! What stands: boxes, upright or turned, still or moved from tick to tick, and the questions that movement asks of
//! them. Knows no biped's rules.
//!
//! The nearest point of a box comes from parry3d's [`Cuboid`], which is exact where an iterated cast between a
//! small body and a field 200 wu wide is not; everything else here is sums around it.

mod panes;
mod rays;

use mjolnir_wire::Vec3;
use parry3d::math::Vector;
use parry3d::query::PointQuery as _;
use parry3d::shape::Cuboid;

/// A face whose normal has at least this height is walked on: up to 45 degrees.
pub const WALKABLE_HEIGHT: f32 = 0.7;
/// Side of a cell of the grid, in wu: a biped's tick touches one to four.
const CELL: f32 = 4.0;
/// How far inside its face's plane a point may lie and still be of that face, in wu.
const FACE_SLACK: f32 = 1e-4;
/// Turns of looking from segment to box and back; an upright box needs none.
const NEARING_TURNS: usize = 8;

/// One box.
#[derive(Clone, Debug)]
pub struct Solid {
    cuboid: Cuboid,
    centre: Vec3,
    /// Its own directions; none where they are the world's.
    axes: Option<[Vec3; 3]>,
    /// The corner of least parts of the upright box around it.
    pub least: Vec3,
    /// The corner of most parts of the upright box around it.
    pub most: Vec3,
    /// The axis of its uppermost face, and that face's sign.
    top: (usize, f32),
    walkable: bool,
}

/// The place of a box that is nearest to a point.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    /// That place.
    pub point: Vec3,
    /// From there to the point asked about, one long; outward where that lies inside.
    pub normal: Vec3,
    /// How far apart, in wu; negative inside.
    pub distance: f32,
    /// The place belongs to the box's uppermost face, its rim included, and that face can be walked on.
    pub floor: bool,
}

impl Solid {
    /// The upright box between two corners; none if it is empty.
    pub fn between(least: Vec3, most: Vec3) -> Option<Self> {
        Self::new((least + most) * 0.5, (most - least) * 0.5, None)
    }

    /// A box by centre, half its sides, and its own directions (one long, at right angles). None if it is empty.
    pub fn new(centre: Vec3, half: Vec3, axes: Option<[Vec3; 3]>) -> Option<Self> {
        let parts = half.to_array();
        if !centre.is_finite() || !half.is_finite() || parts.iter().any(|part| *part <= 0.0) {
            return None;
        }
        let directions = axes.unwrap_or(WORLD_AXES);
        let mut around = Vec3::ZERO;
        let mut top = (0, 1.0);
        for (index, axis) in directions.into_iter().enumerate() {
            around += Vec3::new(axis.x.abs(), axis.y.abs(), axis.z.abs()) * parts[index];
            if axis.z.abs() > directions[top.0].z.abs() {
                top.0 = index;
            }
        }
        let height = directions[top.0].z;
        top.1 = if height < 0.0 { -1.0 } else { 1.0 };
        Some(Self {
            cuboid: Cuboid::new(Vector::new(half.x, half.y, half.z)),
            centre,
            axes,
            least: centre - around,
            most: centre + around,
            top,
            walkable: height.abs() >= WALKABLE_HEIGHT,
        })
    }

    /// The same box so far away.
    #[must_use]
    pub fn moved(&self, by: Vec3) -> Self {
        Self { centre: self.centre + by, least: self.least + by, most: self.most + by, ..self.clone() }
    }

    /// Its eight corners.
    pub fn corners(&self) -> [Vec3; 8] {
        let half = self.cuboid.half_extents;
        let [x, y, z] = self.axes.unwrap_or(WORLD_AXES);
        std::array::from_fn(|corner| {
            let sign = |bit: usize| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
            self.centre + x * (half.x * sign(0)) + y * (half.y * sign(1)) + z * (half.z * sign(2))
        })
    }

    /// The place nearest to a point.
    pub fn near(&self, point: Vec3) -> Near {
        let from = point - self.centre;
        let local = match &self.axes {
            None => from,
            Some([x, y, z]) => Vec3::new(from.dot(*x), from.dot(*y), from.dot(*z)),
        };
        let half = self.cuboid.half_extents;
        let projection = self.cuboid.project_local_point(Vector::new(local.x, local.y, local.z), false);
        let at = Vec3::new(projection.point.x, projection.point.y, projection.point.z);
        let mut away = local - at;
        let mut distance = away.length();
        if projection.is_inside || distance < f32::MIN_POSITIVE {
            // Outward through the nearest face; exact on the face, where no direction is left to take.
            away = outward(local.to_array(), half.to_array());
            distance = -distance;
        } else {
            away = away * (1.0 / distance);
        }
        let (axis, sign) = self.top;
        let rim = at.to_array()[axis] * sign >= half.to_array()[axis] - FACE_SLACK;
        let world = |local: Vec3| match &self.axes {
            None => local,
            Some([x, y, z]) => *x * local.x + *y * local.y + *z * local.z,
        };
        Near { point: self.centre + world(at), normal: world(away), distance, floor: self.walkable && rim }
    }

    /// The place nearest to an upright segment, which stands from `foot` so high: normal and distance are from
    /// there to the segment's own nearest point.
    pub fn near_segment(&self, foot: Vec3, height: f32) -> Near {
        let top = foot.z + height;
        let at = |z: f32| Vec3::new(foot.x, foot.y, z);
        let middle = foot.z + height * 0.5;
        let mut z = middle.clamp(self.least.z, self.most.z).clamp(foot.z, top);
        let mut near = self.near(at(z));
        if self.axes.is_none() {
            return near;
        }
        // Each turn of looking comes nearer: both are convex.
        for _ in 0..NEARING_TURNS {
            if near.distance <= 0.0 {
                break;
            }
            let next = near.point.z.clamp(foot.z, top);
            if next == z {
                break;
            }
            z = next;
            near = self.near(at(z));
        }
        near
    }

    /// Whether the upright boxes around both touch.
    fn touches(&self, least: Vec3, most: Vec3) -> bool {
        self.least.x <= most.x
            && self.most.x >= least.x
            && self.least.y <= most.y
            && self.most.y >= least.y
            && self.least.z <= most.z
            && self.most.z >= least.z
    }
}

const WORLD_AXES: [Vec3; 3] = [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::UP];

/// The direction through the face nearest to a point inside.
fn outward(local: [f32; 3], half: [f32; 3]) -> Vec3 {
    let mut nearest = 0;
    for axis in 1..3 {
        if half[axis] - local[axis].abs() < half[nearest] - local[nearest].abs() {
            nearest = axis;
        }
    }
    WORLD_AXES[nearest] * if local[nearest] < 0.0 { -1.0 } else { 1.0 }
}

/// Every box of a map, with a grid over the ground to find the few that matter. Those that move are looked at one by
/// one: there are few.
#[derive(Clone, Debug)]
pub struct Solids {
    /// Those that are still, then those that move.
    solids: Vec<Solid>,
    /// How many are still.
    still: usize,
    least: Vec3,
    cells: [usize; 2],
    /// Where each cell's boxes start in `members`, and the end of the last.
    starts: Vec<u32>,
    members: Vec<u16>,
}

impl Solids {
    /// Those boxes, over ground that reaches from `least` to `most`; boxes past its edge count to its last cells.
    pub fn new(solids: Vec<Solid>, least: Vec3, most: Vec3) -> Self {
        let along = |from: f32, to: f32| ((to - from) / CELL).ceil().clamp(1.0, 1024.0) as usize;
        let cells = [along(least.x, most.x), along(least.y, most.y)];
        let still = solids.len();
        let starts = vec![0; cells[0] * cells[1] + 1];
        let mut this = Self { solids, still, least, cells, starts, members: Vec::new() };
        for index in 0..still {
            for cell in this.cells_of(index) {
                this.starts[cell + 1] += 1;
            }
        }
        for cell in 0..cells[0] * cells[1] {
            this.starts[cell + 1] += this.starts[cell];
        }
        let listed = this.starts[cells[0] * cells[1]];
        this.members = vec![0; listed as usize];
        let mut ends = this.starts.clone();
        for index in 0..still {
            for cell in this.cells_of(index) {
                this.members[ends[cell] as usize] = index as u16;
                ends[cell] += 1;
            }
        }
        this
    }

    /// In how many cells those boxes stand together, in a world between those corners: what a list of them takes.
    pub fn listed(solids: &[Solid], least: Vec3, most: Vec3) -> usize {
        let empty = Self::new(Vec::new(), least, most);
        let cells =
            |solid: &Solid| empty.span(solid.least, solid.most).into_iter().map(|of| of.count()).product();
        solids.iter().map(|solid| -> usize { cells(solid) }).sum()
    }

    /// The cells that a box stands in, row by row.
    fn cells_of(&self, index: usize) -> impl Iterator<Item = usize> + use<> {
        let [columns, rows] = self.span(self.solids[index].least, self.solids[index].most);
        let across = self.cells[0];
        rows.flat_map(move |row| columns.clone().map(move |column| row * across + column))
    }

    /// The same with boxes that move, where they begin.
    #[must_use]
    pub fn with_moving(mut self, moving: impl Iterator<Item = Solid>) -> Self {
        self.solids.extend(moving);
        self
    }

    /// Puts a moving box elsewhere, by its place among those that move.
    pub fn put_moving(&mut self, moving: u16, solid: Solid) {
        self.solids[self.still + usize::from(moving)] = solid;
    }

    /// Which of those that move the box of that index is, if it is one.
    pub fn moving(&self, index: u16) -> Option<u16> {
        usize::from(index).checked_sub(self.still).map(|moving| moving as u16)
    }

    /// The box of that place among those that move.
    pub fn of_moving(&self, moving: u16) -> &Solid {
        &self.solids[self.still + usize::from(moving)]
    }

    /// The box of that index.
    pub fn get(&self, index: u16) -> &Solid {
        &self.solids[usize::from(index)]
    }

    /// How many boxes.
    pub fn len(&self) -> usize {
        self.solids.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.solids.is_empty()
    }

    fn span(&self, least: Vec3, most: Vec3) -> [std::ops::RangeInclusive<usize>; 2] {
        let cell = |value: f32, from: f32, count: usize| {
            ((value - from) * (1.0 / CELL)).clamp(0.0, (count - 1) as f32) as usize
        };
        [
            cell(least.x, self.least.x, self.cells[0])..=cell(most.x, self.least.x, self.cells[0]),
            cell(least.y, self.least.y, self.cells[1])..=cell(most.y, self.least.y, self.cells[1]),
        ]
    }

    /// Lists the boxes that may touch a region, each once and in their order.
    pub fn collect(&self, least: Vec3, most: Vec3, into: &mut Vec<u16>) {
        into.clear();
        let [columns, rows] = self.span(least, most);
        for row in rows {
            for column in columns.clone() {
                let cell = row * self.cells[0] + column;
                let members = self.starts[cell] as usize..self.starts[cell + 1] as usize;
                for &index in &self.members[members] {
                    if self.get(index).touches(least, most) && !into.contains(&index) {
                        into.push(index);
                    }
                }
            }
        }
        into.sort_unstable();
        for index in self.still..self.solids.len() {
            if self.solids[index].touches(least, most) {
                into.push(index as u16);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> Solid {
        Solid::between(Vec3::new(-1.0, -1.0, -1.0), Vec3::new(1.0, 1.0, 1.0)).unwrap()
    }

    /// Faces, rims, sides and the inside of a box, each with its normal.
    #[test]
    fn the_nearest_place_of_a_box() {
        let above = cube().near(Vec3::new(0.5, 0.0, 3.0));
        assert_eq!((above.point, above.normal, above.distance), (Vec3::new(0.5, 0.0, 1.0), Vec3::UP, 2.0));
        assert!(above.floor);
        let beside = cube().near(Vec3::new(3.0, 0.0, 0.0));
        assert_eq!((beside.normal, beside.distance, beside.floor), (Vec3::new(1.0, 0.0, 0.0), 2.0, false));
        let rim = cube().near(Vec3::new(2.0, 0.0, 2.0));
        assert!(rim.floor && (rim.normal.x - rim.normal.z).abs() < 1e-6);
        let inside = cube().near(Vec3::new(0.0, 0.0, 0.75));
        assert_eq!((inside.normal, inside.distance), (Vec3::UP, -0.25));
        let on = cube().near(Vec3::new(0.0, -1.0, 0.0));
        assert_eq!((on.normal, on.distance.abs()), (Vec3::new(0.0, -1.0, 0.0), 0.0));
    }

    /// A segment beside a turned box is as near as the nearest of many points of it.
    #[test]
    fn the_nearest_of_a_segment_to_a_turned_box() {
        let (sin, cos) = libm::sincosf(0.4);
        let axes = [Vec3::new(cos, 0.0, sin), Vec3::new(0.0, 1.0, 0.0), Vec3::new(-sin, 0.0, cos)];
        let slab = Solid::new(Vec3::ZERO, Vec3::new(2.0, 1.0, 0.1), Some(axes)).unwrap();
        assert!(slab.walkable);
        for step in 0..40 {
            let foot = Vec3::new(-3.0 + 0.15 * step as f32, 0.3, -2.5 + 0.1 * step as f32);
            let found = slab.near_segment(foot, 0.3).distance;
            let best = (0..=300)
                .map(|part| slab.near(foot + Vec3::UP * (part as f32 * 0.001)).distance)
                .fold(f32::INFINITY, f32::min);
            // Where they cross, any touching place will do.
            assert!((found.max(0.0) - best.max(0.0)).abs() < 0.01, "{step}: {found} {best}");
        }
    }

    /// A box across many cells is listed once, one far away not at all.
    #[test]
    fn a_region_lists_what_may_touch_it() {
        let far = Solid::between(Vec3::new(30.0, 30.0, 0.0), Vec3::new(31.0, 31.0, 1.0)).unwrap();
        let floor = Solid::between(Vec3::new(-40.0, -40.0, -1.0), Vec3::new(40.0, 40.0, 0.0)).unwrap();
        let solids = Solids::new(vec![far, floor], Vec3::new(-40.0, -40.0, -1.0), Vec3::new(40.0, 40.0, 9.0));
        let mut found = Vec::new();
        solids.collect(Vec3::new(-5.0, -5.0, -0.1), Vec3::new(5.0, 5.0, 1.0), &mut found);
        assert_eq!(found, [1]);
        solids.collect(Vec3::new(29.9, 29.9, -0.1), Vec3::new(99.0, 99.0, 1.0), &mut found);
        assert_eq!(found, [0, 1]);
        assert!(Solid::between(Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0)).is_none());
    }
}
