//! What becomes of a game's objects by chance: a host's rules that make, move and delete them, and players that pick
//! them up, drop, swap and fire them. Knows no network.

use mjolnir_skirmish::game::World;
use mjolnir_skirmish::game::kinds::Kind;
use mjolnir_skirmish::game::random::Random;
use mjolnir_wire::{Axes, Buttons, Input, ObjectId, Slot, Tag, Vec3};

use crate::played::{Hand, bot};

/// An object that no rule is about.
const CRATE: Tag = Tag(0xE175_0001);
/// What is made, weapons first; so many of them at most stand at once by this.
const KINDS: [Kind; 6] = [Kind::Rifle, Kind::Pistol, Kind::Plasma, Kind::Grenades, Kind::Medkit, Kind::Cart];
/// What everybody is armed with.
const ARMS: [Kind; 6] =
    [Kind::Rifle, Kind::Pistol, Kind::Plasma, Kind::Shotgun, Kind::Sniper, Kind::Launcher];
/// See [`KINDS`].
const MOST: usize = 60;

/// See the module's text.
#[derive(Debug)]
pub struct Stir {
    random: Random,
    made: Vec<ObjectId>,
}

impl Stir {
    /// With nothing made yet.
    pub const fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), made: Vec::new() }
    }

    /// Everybody who lives in a host's world has something new in hand.
    pub fn arm(&mut self, world: &mut World) {
        for slot in Slot::all() {
            self.made.extend(world.give(slot, ARMS[self.random.below(ARMS.len() as u32) as usize]));
        }
    }

    /// One thing happens in a host's world; what it was.
    pub fn once(&mut self, world: &mut World) -> String {
        self.made.retain(|id| world.describe(*id).is_some());
        let slots: Vec<Slot> = Slot::all().filter(|slot| world.unit(*slot).is_some()).collect();
        let slot = slots.get(self.random.below(slots.len().max(1) as u32) as usize).copied();
        let here = slot.and_then(|slot| world.position(slot)).unwrap_or(Vec3::ZERO);
        let at = here + Vec3::new(4.0 * self.random.signed(), 4.0 * self.random.signed(), 2.0);
        let one = self.made.get(self.random.below(self.made.len().max(1) as u32) as usize).copied();
        match (self.random.below(10), one, slot) {
            (0..=3, ..) if self.made.len() < MOST => {
                let kind = KINDS[self.random.below(KINDS.len() as u32) as usize];
                self.made.extend(world.spawn(kind, at));
                format!("a {} falls from {at:?}", kind.name())
            }
            (4, ..) if self.made.len() < MOST => {
                self.made.extend(world.make(CRATE, at, Axes::UPRIGHT, None));
                String::from("an object is made")
            }
            (0..=5, Some(id), _) => {
                world.erase(id);
                self.made.retain(|other| *other != id);
                format!("{id:?} is deleted")
            }
            (6..=7, Some(id), _) => {
                world.shift(id, at);
                format!("{id:?} is moved to {at:?}")
            }
            (8, _, Some(slot)) => {
                let kind = KINDS[self.random.below(3) as usize];
                self.made.extend(world.give(slot, kind));
                format!("player {} is given a {}", slot.get(), kind.name())
            }
            (_, _, Some(slot)) if self.random.once_in(8) => {
                world.kill(slot, None);
                format!("player {} dies", slot.get())
            }
            _ => String::from("nothing happens"),
        }
    }
}

/// A bot whose hands are never still.
pub fn busy(seed: u64) -> Hand {
    const PRESSES: [Buttons; 5] = [
        Buttons::ACTION,
        Buttons::SWAP_WEAPONS,
        Buttons::RELOAD,
        Buttons::FLASHLIGHT,
        Buttons::THROW_GRENADE,
    ];
    let (mut walks, mut random) = (bot(seed), Random::new(!seed));
    let mut fires = false;
    Box::new(move |world, slot, tick| {
        let input = walks(world, slot, tick);
        let mut buttons = input.buttons;
        if random.once_in(20) {
            fires = !fires;
        }
        if fires {
            buttons = buttons.union(Buttons::PRIMARY_TRIGGER);
        }
        // With seats about, a hand that is never still would sit in none for long.
        let rarely = world.map().has_vehicles() && !random.once_in(4);
        if random.once_in(10) && !rarely {
            buttons = buttons.union(PRESSES[random.below(PRESSES.len() as u32) as usize]);
        }
        Input { buttons, ..input }
    })
}
