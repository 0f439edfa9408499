//! A map as it is seen from above. Knows no player beyond how high one stood.

use mjolnir_wire::Vec3;
use serde::Serialize;

use super::series::short;
use crate::game::collision::Solid;
use crate::game::{Map, World};

/// A map from above.
#[derive(Clone, Debug, Serialize)]
pub struct Above {
    /// The corner of least x and y, in wu.
    pub least: [f64; 2],
    /// The corner of most x and y.
    pub most: [f64; 2],
    /// What stands there, the lowest first.
    pub boxes: Vec<Outline>,
}

/// A box from above.
#[derive(Clone, Debug, Serialize)]
pub struct Outline {
    /// Its lowest and its highest height, in wu.
    pub z: [f64; 2],
    /// Its outline: x and y of each corner in turn.
    pub points: Vec<f64>,
}

impl Above {
    /// Of that map. What hangs over every head is left out, for a roof would hide the game: `highest` is the highest
    /// place that any player stood at.
    pub fn new(map: &Map, highest: f32) -> Self {
        let heads = highest + World::standing_height();
        let flat = |corner: Vec3| [short(f64::from(corner.x)), short(f64::from(corner.y))];
        let solids = (0..map.solids.len()).map(|index| map.solids.get(index as u16));
        let mut boxes: Vec<_> = solids.filter(|solid| solid.least.z < heads).map(Outline::of).collect();
        boxes.sort_by(|a, b| a.z[1].total_cmp(&b.z[1]));
        Self { least: flat(map.bounds.least), most: flat(map.bounds.most), boxes }
    }
}

impl Outline {
    fn of(solid: &Solid) -> Self {
        let corners = solid.corners().map(|corner| [corner.x, corner.y]);
        Self {
            z: [solid.least.z, solid.most.z].map(|z| short(f64::from(z))),
            points: hull(&corners).into_iter().flatten().map(|part| short(f64::from(part))).collect(),
        }
    }
}

/// The corners that lie outermost, in turn (Andrew's monotone chain).
fn hull(points: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    sorted.dedup();
    let turns_left = |a: [f32; 2], b: [f32; 2], c: [f32; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 1e-6
    };
    let half = |points: &mut dyn Iterator<Item = &[f32; 2]>| {
        let mut chain: Vec<[f32; 2]> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && !turns_left(a, b, *point)
            {
                chain.pop();
            }
            chain.push(*point);
        }
        chain.pop();
        chain
    };
    let mut outline = half(&mut sorted.iter());
    outline.extend(half(&mut sorted.iter().rev()));
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_is_the_outermost_corners() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]];
        let both = [square, square].concat();
        assert_eq!(hull(&both), square);
        let with_inner = [&both[..], &[[1.0, 0.5]], &[[1.0, 0.0]]].concat();
        assert_eq!(hull(&with_inner), square);
    }

    #[test]
    fn a_roof_is_left_out_and_a_turned_box_stays_turned() {
        let map = Map::named("rooms").unwrap();
        let above = Above::new(&map, 1.2);
        assert_eq!((above.least, above.most), ([-26.0, -3.0], [26.0, 12.0]));
        assert_eq!(above.boxes.len(), map.solids.len() - 1, "all but the roof");
        assert!(above.boxes.iter().all(|outline| outline.points.len() == 8));
        let turned = above.boxes.iter().filter(|outline| outline.points[0] != outline.points[6]).count();
        assert!(turned >= 2, "{turned}");
    }
}
