//! Where the machines look from in a tick, and which of them are near a place, or aim at it: all of them at once, a bit
//! each. Knows places alone; no player and no turn.
//!
//! Every player is measured from every machine in every tick, for it may come near, or be aimed at, in any. So the eyes
//! stand as columns of numbers, a machine at its index, and 16 machines are compared at a time without a branch or a
//! root.

use alloc::vec::Vec;

use mjolnir_wire::limits::MAX_MACHINES;
use mjolnir_wire::{Machine, MachineSet, Vec3};

/// World units within which a machine is sent a player every tick, every second and every third; further off every
/// fourth (AUTH-34).
pub const LADDER: [f32; 3] = [25.0, 60.0, 120.0];
/// Degrees off its aim within which a machine's player raises whom it aims at to every second tick (AUTH-40, ours).
pub const AIM_RAISE_HALF_ANGLE: f32 = 35.0;
/// The same through a scope, to every tick (AUTH-41, ours).
pub const SCOPE_RAISE_HALF_ANGLE: f32 = 20.0;

/// The squares of those angles' cosines.
const AIM_COSINE_SQUARED: f32 = 0.671_010_1;
const SCOPE_COSINE_SQUARED: f32 = 0.883_022_2;

/// Machines that are compared at a time.
const LANES: usize = 16;
/// A bit for each of them.
const BITS: [u32; LANES] = {
    let mut bits = [0; LANES];
    let mut at = 0;
    while at < LANES {
        bits[at] = 1 << at;
        at += 1;
    }
    bits
};

/// From where a player sees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eye {
    pub(crate) position: Vec3,
    /// Where it aims; no way at all where that does not count.
    pub(crate) aim: Vec3,
    /// Through a scope.
    pub(crate) scoped: bool,
}

/// The eyes of [`LANES`] machines.
#[derive(Clone, Copy, Debug)]
struct Block {
    x: [f32; LANES],
    y: [f32; LANES],
    z: [f32; LANES],
    aim_x: [f32; LANES],
    aim_y: [f32; LANES],
    aim_z: [f32; LANES],
}

impl Block {
    /// Nobody's: near nothing, and aiming at nothing.
    const NONE: Self = Self {
        x: [f32::INFINITY; LANES],
        y: [0.0; LANES],
        z: [0.0; LANES],
        aim_x: [0.0; LANES],
        aim_y: [0.0; LANES],
        aim_z: [0.0; LANES],
    };

    /// Which are within each bound of the ladder, and which aim at it within either angle.
    fn compare(&self, at: Vec3) -> [u32; 5] {
        let [mut first, mut second, mut third, mut aimed, mut sharply] = [0; 5];
        for (lane, bit) in BITS.into_iter().enumerate() {
            let (x, y, z) = (at.x - self.x[lane], at.y - self.y[lane], at.z - self.z[lane]);
            let squared = x * x + y * y + z * z;
            let ahead = x * self.aim_x[lane] + y * self.aim_y[lane] + z * self.aim_z[lane];
            // What is behind is not aimed at, however straight.
            let along = if ahead > 0.0 { ahead * ahead } else { -1.0 };
            first |= if squared <= LADDER[0] * LADDER[0] { bit } else { 0 };
            second |= if squared <= LADDER[1] * LADDER[1] { bit } else { 0 };
            third |= if squared <= LADDER[2] * LADDER[2] { bit } else { 0 };
            aimed |= if along >= squared * AIM_COSINE_SQUARED { bit } else { 0 };
            sharply |= if along >= squared * SCOPE_COSINE_SQUARED { bit } else { 0 };
        }
        [first, second, third, aimed, sharply]
    }
}

/// One eye of each machine at most.
#[derive(Clone, Debug)]
struct Layer {
    blocks: [Block; MAX_MACHINES / LANES],
    scoped: MachineSet,
    /// Blocks that have an eye.
    count: usize,
}

impl Layer {
    const NONE: Self =
        Self { blocks: [Block::NONE; MAX_MACHINES / LANES], scoped: MachineSet::NONE, count: 0 };

    fn clear(&mut self) {
        self.blocks[..self.count].fill(Block::NONE);
        (self.scoped, self.count) = (MachineSet::NONE, 0);
    }

    fn put(&mut self, machine: Machine, eye: &Eye) {
        let (block, lane) = (machine.index() / LANES, machine.index() % LANES);
        self.count = self.count.max(block + 1);
        let block = &mut self.blocks[block];
        (block.x[lane], block.y[lane], block.z[lane]) = (eye.position.x, eye.position.y, eye.position.z);
        (block.aim_x[lane], block.aim_y[lane], block.aim_z[lane]) = (eye.aim.x, eye.aim.y, eye.aim.z);
        if eye.scoped {
            self.scoped.insert(machine);
        }
    }
}

/// Which machines are how near to a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Near {
    /// Within each bound of [`LADDER`]; the nearer ones are among the further ones.
    pub(crate) within: [MachineSet; 3],
    /// A player of theirs aims at it.
    pub(crate) aimed: MachineSet,
    /// The same, more narrowly and through a scope.
    pub(crate) scoped: MachineSet,
}

/// The eyes of a tick: one layer for each machine's first, one for their second ones and so on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Eyes {
    layers: Vec<Layer>,
    /// The machines that have one.
    with: MachineSet,
}

impl Eyes {
    pub(crate) fn clear(&mut self) {
        self.layers.iter_mut().for_each(Layer::clear);
        self.with = MachineSet::NONE;
    }

    /// Adds one of that machine's.
    pub(crate) fn put(&mut self, machine: Machine, eye: &Eye) {
        self.with.insert(machine);
        let (block, lane) = (machine.index() / LANES, machine.index() % LANES);
        let is_free = |layer: &Layer| layer.blocks[block].x[lane] == f32::INFINITY;
        let at = self.layers.iter().position(is_free).unwrap_or(self.layers.len());
        if at == self.layers.len() {
            self.layers.push(Layer::NONE);
        }
        self.layers[at].put(machine, eye);
    }

    /// The machines that have one.
    pub(crate) const fn with(&self) -> MachineSet {
        self.with
    }

    /// Which machines are how near to that place.
    pub(crate) fn near(&self, at: Vec3) -> Near {
        let mut near = Near::default();
        for layer in &self.layers {
            let mut bits = [0_u128; 5];
            for (place, block) in layer.blocks[..layer.count].iter().enumerate() {
                for (bits, of) in bits.iter_mut().zip(block.compare(at)) {
                    *bits |= u128::from(of) << (place * LANES);
                }
            }
            let [first, second, third, aimed, sharply] = bits.map(MachineSet::from_bits);
            for (within, of) in near.within.iter_mut().zip([first, second, third]) {
                *within = within.union(of);
            }
            near.aimed = near.aimed.union(aimed);
            near.scoped = near.scoped.union(sharply.intersection(layer.scoped));
        }
        near
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn machine(index: u8) -> Machine {
        Machine::new(index).unwrap()
    }

    fn eye(x: f32) -> Eye {
        Eye { position: Vec3::new(x, 0.0, 0.0), aim: Vec3::ZERO, scoped: false }
    }

    fn indices(set: MachineSet) -> Vec<u8> {
        set.iter().map(Machine::get).collect()
    }

    /// The angles' numbers are what they say.
    #[test]
    fn the_angles_are_squares_of_cosines() {
        for (degrees, squared) in
            [(AIM_RAISE_HALF_ANGLE, AIM_COSINE_SQUARED), (SCOPE_RAISE_HALF_ANGLE, SCOPE_COSINE_SQUARED)]
        {
            let cosine = libm::cos(f64::from(degrees).to_radians());
            assert!((cosine * cosine - f64::from(squared)).abs() < 1e-7, "{degrees}");
        }
    }

    /// AUTH-34: both sides of each bound, of machines of every block; the nearest of several eyes of one counts.
    #[test]
    fn the_nearest_eye_counts() {
        let mut eyes = Eyes::default();
        for (of, x) in [(1, 0.0), (15, 25.1), (16, 60.1), (127, 120.1), (127, 300.0), (40, 500.0), (40, 24.9)]
        {
            eyes.put(machine(of), &eye(x));
        }
        assert_eq!(indices(eyes.with()), [1, 15, 16, 40, 127]);
        let near = eyes.near(Vec3::ZERO);
        assert_eq!(near.within.map(indices), [vec![1, 40], vec![1, 15, 40], vec![1, 15, 16, 40]]);
        let nearer = eyes.near(Vec3::new(0.2, 0.0, 0.0));
        assert_eq!(
            nearer.within.map(indices),
            [vec![1, 15, 40], vec![1, 15, 16, 40], vec![1, 15, 16, 40, 127]]
        );
        assert_eq!((near.aimed, near.scoped), (MachineSet::NONE, MachineSet::NONE));
        eyes.clear();
        assert_eq!(eyes.near(Vec3::ZERO), Near::default());
    }

    /// AUTH-40, AUTH-41: 34 degrees are aimed at and 36 are not, 19 through a scope and 21 not, to any side; nothing behind.
    #[test]
    fn an_aim_is_a_cone() {
        for (degrees, aimed, scoped) in [
            (0.0, true, true),
            (19.0, true, true),
            (21.0, true, false),
            (34.0, true, false),
            (36.0, false, false),
            (90.0, false, false),
            (180.0, false, false),
        ] {
            let (sin, cos) = libm::sincosf(f32::to_radians(degrees));
            for aim in [Vec3::new(cos, sin, 0.0), Vec3::new(cos, -sin, 0.0), Vec3::new(cos, 0.0, sin)] {
                let mut eyes = Eyes::default();
                let position = Vec3::new(-200.0, 3.0, 5.0);
                eyes.put(machine(3), &Eye { position, aim, scoped: true });
                eyes.put(machine(4), &Eye { position, aim, scoped: false });
                let near = eyes.near(position + Vec3::new(200.0, 0.0, 0.0));
                let both: &[u8] = if aimed { &[3, 4] } else { &[] };
                assert_eq!(indices(near.aimed), both, "{degrees}");
                assert_eq!(indices(near.scoped), if scoped { &[3][..] } else { &[] }, "{degrees}");
                assert_eq!(eyes.near(position).aimed, MachineSet::NONE, "where it itself is");
            }
        }
    }
}
