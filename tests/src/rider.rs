//! A player that is told where to go: to a place, to a switch, up and down with a platform. Knows a machine's own world
//! alone, as a player does.

use mjolnir_skirmish::game::World;
use mjolnir_wire::{Buttons, Input, Slot, Vec3};

use crate::played::Hand;

/// So near to a place it is there, in wu along the ground.
const NEAR: f32 = 0.15;

/// One thing after another that a rider does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Errand {
    /// It walks there, straight along the ground.
    Walk(Vec3),
    /// It stands until the platform that it is on is so high at least, in wu: over its top.
    Above(f32),
    /// It stands until the platform that it is on is so high at most.
    Below(f32),
    /// It stands until that platform of the map is at that end, to a hundredth of its travel.
    Await(u16, f32),
    /// It presses the action button for three ticks.
    Press,
    /// It jumps: the button for two ticks, then it waits until it stands again.
    Jump,
    /// It stands for so many ticks.
    Stand(u32),
}

/// One that does those, and then stands.
pub fn rider(errands: Vec<Errand>) -> Hand {
    let (mut at, mut ticks) = (0, 0);
    Box::new(move |world, slot, _| {
        let Some(errand) = errands.get(at) else { return Input::default() };
        ticks += 1;
        let (input, is_done) = errand.tick(world, slot, ticks);
        if is_done {
            (at, ticks) = (at + 1, 0);
        }
        input
    })
}

impl Errand {
    /// What it does in the tick of that number since it began, from 1, and whether that was the last.
    fn tick(self, world: &World, slot: Slot, ticks: u32) -> (Input, bool) {
        let stands = Input::default();
        let Some(place) = world.position(slot) else { return (stands, false) };
        let press = |button: Buttons, held: u32| Input {
            buttons: if ticks <= held { button } else { Buttons::default() },
            ..stands
        };
        let floor = world.carried_by(slot).filter(|carriage| carriage.contact).map(|carriage| carriage.floor);
        match self {
            Self::Walk(to) => {
                let way = (to - place).across();
                let far = way.length();
                // As slow as it takes to be there exactly.
                let run = world.limits().run;
                let input = Input { yaw: World::yaw(way), throttle: [(far / run).min(1.0), 0.0], ..stands };
                (if far > NEAR { input } else { stands }, far <= NEAR)
            }
            Self::Above(height) => (stands, floor.is_some_and(|floor| floor >= height)),
            Self::Below(height) => (stands, floor.is_some_and(|floor| floor <= height)),
            Self::Await(platform, end) => {
                let device = world.devices().nth(usize::from(platform));
                (stands, device.is_some_and(|device| (device.position - end).abs() < 0.01))
            }
            Self::Press => (press(Buttons::ACTION, 3), ticks >= 4),
            Self::Jump => {
                let grounded = world.unit(slot).is_some_and(|unit| world.grounded(unit));
                (press(Buttons::JUMP, 2), ticks > 4 && grounded)
            }
            Self::Stand(so_many) => (stands, ticks >= so_many),
        }
    }
}
