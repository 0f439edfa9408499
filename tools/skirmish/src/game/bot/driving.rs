//! A bot and vehicles: when it gets in, how it drives, when it gets out. Knows no node and no other player; without
//! vehicles on the map it asks for no chance.

use mjolnir_wire::{Slot, Vec3};

use crate::game::random::Random;
use crate::game::world::World;

/// From how far it walks to a vehicle, in wu.
const SEES: f32 = 25.0;
/// One in so many ticks it wants to ride, and for so many at most it looks for something.
const WISHES: (u32, u32) = (60, 200);
/// Ticks that it rides, from and by chance so many more.
const RIDES: (u32, u32) = (300, 600);
/// Ticks that it goes back from what it drove against.
const BACKS: u32 = 40;
/// Ticks that it holds the action button.
const PRESSES: u32 = 2;

/// What a bot means to do about vehicles.
#[derive(Clone, Debug, Default)]
pub(super) struct Driving {
    /// Ticks left in which it looks for a seat.
    wish: u32,
    /// Ticks left that it rides.
    left: u32,
    /// Ticks left that it holds the action button.
    press: u32,
    /// Ticks left that it goes back.
    back: u32,
}

/// What comes of it in a tick.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Means {
    /// It holds the action button.
    pub(super) presses: bool,
    /// It sits in something.
    pub(super) rides: bool,
    /// It drives that, whose front points so.
    pub(super) drives: Option<Vec3>,
    /// On foot it walks there.
    pub(super) to: Option<Vec3>,
}

impl Driving {
    /// A tick's thoughts of the player of that slot, who is there; `wants` to drive whatever it likes.
    pub(super) fn think(
        &mut self,
        world: &World,
        slot: Slot,
        place: Vec3,
        wants: bool,
        random: &mut Random,
    ) -> Means {
        // What stands in a level is its scripts'.
        if !world.map().has_vehicles() || world.is_coop() {
            return Means::default();
        }
        self.press = self.press.saturating_sub(1);
        let ride = world.unit(slot).and_then(|unit| world.ride(unit));
        let mut means = Means { rides: ride.is_some(), ..Means::default() };
        if let Some((vehicle, _)) = ride {
            self.wish = 0;
            let drives = world.driver(vehicle) == Some(slot);
            self.left = self.left.saturating_sub(1);
            if self.left == 0 && !(wants && drives) {
                (self.press, self.left) = (PRESSES, RIDES.0);
            }
            if drives {
                means.drives = world.motion(vehicle).map(|motion| motion.axes.forward);
            }
        } else {
            (self.left, self.back) = (0, 0);
            self.wish = self.wish.saturating_sub(1);
            if self.wish == 0 && self.press == 0 && (wants || random.once_in(WISHES.0)) {
                self.wish = WISHES.1;
            }
            // Where bots keep apart, none sits beside another one.
            let any = world.map().apart == 0.0;
            if self.wish > 0 && world.seat_near(place).is_some_and(|(_, seat)| any || seat == 0) {
                (self.press, self.wish) = (PRESSES, 0);
                self.left = RIDES.0 + random.below(RIDES.1);
            } else if self.wish > 0 {
                means.to = nearest_free(world, place);
            }
        }
        means.presses = self.press > 0;
        means
    }

    /// The stick of one that drives and wants to go that way; `flees` from who is there, `stuck` as it has not come
    /// nearer for long.
    pub(super) fn stick(&mut self, forward: Vec3, way: Vec3, flees: bool, stuck: bool) -> [f32; 2] {
        if flees && forward.dot(way) < 0.0 {
            // It backs away while it turns.
            return [-1.0, 0.0];
        }
        if stuck && self.back == 0 {
            self.back = BACKS;
        }
        if self.back > 0 {
            self.back -= 1;
            return [-1.0, 0.0];
        }
        // In a bend it goes slower.
        let straight = if forward.dot(way) > 0.7 * way.length() { 1.0 } else { 0.6 };
        [way.length().min(1.0) * straight, 0.0]
    }
}

/// The nearest vehicle that could be driven away and that one can walk to.
fn nearest_free(world: &World, place: Vec3) -> Option<Vec3> {
    let places = world.objects().filter_map(|id| {
        let craft = world.craft(id)?;
        let free = craft.seats[0].drives && world.riders(id)?[0].is_none();
        world.motion(id).map(|motion| motion.position).filter(|_| free)
    });
    let near = places.filter(|at| at.distance(place) < SEES && (at.z - place.z).abs() < 1.0);
    near.min_by(|a, b| a.distance(place).total_cmp(&b.distance(place)))
}
