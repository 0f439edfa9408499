//! The vehicle script: the last player drives for a while, gets out, stands at an entrance and gets in by its own button
//! (TOOL-12, 71). Knows no machine.

use mjolnir_wire::{ObjectId, Slot};

use super::reins::Rein;
use super::steps::{Hold, Step, Who};
use crate::game::World;

/// Ticks before its begin from which on the player presses nothing that puts it out: what it pressed is on its way. Ours.
const BEFORE: i64 = 30;
/// Ticks from its begin until who drives sits still, so that the vehicle rests when it gets out. Ours.
const STILL: i64 = 300;
/// Until it is put out.
const OUT: i64 = 450;
/// Until it is stood at an entrance.
const STOOD: i64 = 600;
/// Until it holds the action button.
const HOLDS: i64 = 630;
/// Until it lets go.
const LETS_GO: i64 = 720;
/// Ticks for which the begin waits for who is dead, or for a seat. Ours.
const WAITS: i64 = 150;

/// What is left of its player's own input so many ticks after it began.
pub(super) fn rein(since: i64) -> Option<Rein> {
    match since {
        _ if (-BEFORE..STILL).contains(&since) => Some(Rein::LetsGo),
        STILL..HOLDS => Some(Rein::Stands),
        HOLDS..LETS_GO => Some(Rein::Holds),
        _ => None,
    }
}

/// See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Ride {
    at: i64,
    who: Who,
    vehicle: Option<ObjectId>,
    seat: Step,
    out: Step,
    stand: Step,
    hold: Hold,
}

impl Ride {
    /// One that begins at that tick.
    pub(super) fn new(at: i64) -> Self {
        Self {
            at,
            who: Who::since(-at.min(BEFORE)),
            vehicle: None,
            seat: Step::new(0, WAITS),
            out: Step::new(OUT, 0),
            stand: Step::new(STOOD, HOLDS - STOOD),
            hold: Hold::new(HOLDS, LETS_GO),
        }
    }

    /// The same before another game.
    pub(super) fn anew(&self) -> Self {
        Self::new(self.at)
    }

    /// Whom it is about, and when it began.
    pub(super) fn began(&self) -> Option<(Slot, i64)> {
        Some((self.who.known()?, self.at))
    }

    /// Does what is due before that tick is simulated: what is decided where the world decides, what a hand does where it
    /// `is_own`. What it did.
    pub(super) fn run(&mut self, tick: i64, is_own: impl Fn(Slot) -> bool, world: &mut World) -> Vec<String> {
        let since = tick - self.at;
        let decides = world.role().decides();
        let who = match self.who.at(since, world) {
            Ok(who) => who,
            Err(why) => return why.filter(|_| decides).into_iter().map(str::to_owned).collect(),
        };
        let name = world.player(who).map(|player| player.name.clone()).unwrap_or_default();
        let mut said = Vec::new();
        if decides {
            let vehicle = &mut self.vehicle;
            said.extend(self.seat.run(since, || match world.seat_driver(who) {
                Ok(drives) => {
                    *vehicle = Some(drives);
                    Ok(format!("{name} drives {}", world.named(drives)))
                }
                Err(why) => Err(format!("{name} is not seated: {why}")),
            }));
            said.extend(self.out.run(since, || match world.put_out_of_seat(who) {
                Ok(left) => {
                    *vehicle = Some(left);
                    Ok(format!("{name} gets out of {}", world.named(left)))
                }
                Err(why) => Err(format!("{name} does not get out: {why}")),
            }));
            let vehicle = *vehicle;
            said.extend(self.stand.run(since, || match world.stand_at(who, vehicle) {
                Ok(vehicle) => Ok(format!("{name} stands at {}", world.named(vehicle))),
                Err(why) => Err(format!("{name} is not stood at a vehicle: {why}")),
            }));
        }
        if is_own(who) {
            said.extend(self.hold.note(since).map(|what| format!("{name} {what}")));
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::{Buttons, Input, Machine, Tick};

    use super::super::Scripts;
    use crate::game::{Kind, Map, Role, Tuning, World};
    use mjolnir_wire::Slot;

    /// A car and a flyer, and two players far from both.
    fn world(role: Role) -> World {
        let text = "bounds -90 -90 -5 90 90 30\nbox -94 -94 -1 94 94 0\nitem car 50 50 0.5\nitem flyer -50 50 0.5\n\
                    spawn 0 0 0 0\nspawn 30 0 0 0";
        let mut world = World::new(&Map::parse(text).unwrap(), 1, Tuning::default());
        world.set_role(Role::Host);
        for (index, name) in [(0, "Ann"), (1, "Bob")] {
            world.join(slot(index), name, Machine::HOST, None);
        }
        world.step(Tick::ZERO.next());
        world.set_role(role);
        world
    }

    fn slot(index: u8) -> Slot {
        Slot::new(index).unwrap()
    }

    fn rides(world: &World) -> Option<Kind> {
        world.ride(world.unit(slot(1))?).and_then(|(vehicle, _)| world.kind(vehicle))
    }

    /// Plays to that tick, in which Bob's own input would be to run and to press the action button again and again; what is
    /// told of each tick simulated.
    fn play(world: &mut World, scripts: &mut Scripts, to: i32, mut each: impl FnMut(i32, &mut World)) {
        for number in world.tick().get() + 1..=to {
            let tick = Tick::new(number).unwrap();
            let buttons = if number % 7 == 0 { Buttons::ACTION } else { Buttons::default() };
            let own = Input { throttle: [1.0, 0.0], yaw: 1.0, buttons, ..Input::default() };
            let input = scripts.reins().input(slot(1), tick, own);
            scripts.run(tick, true, &[slot(1)], Some(world));
            world.drive(slot(1), input);
            world.step(tick);
            each(number, world);
        }
    }

    /// TOOL-12, 71: the last player, who plays at the host itself, drives the first vehicle from the second asked for, to the
    /// tick, is out fifteen seconds later, stands at the entrance after five more, and gets in by its own button, which it
    /// holds from the twenty-first second to the twenty-fourth; its own presses count for nothing meanwhile. Each is told.
    #[test]
    fn the_ride_goes_by_the_tick() {
        let mut world = world(Role::Host);
        let mut scripts = Scripts::every(0.0, 0.0).with_ride(2.0);
        assert!(scripts.wait_for_all());
        let (mut turns, mut held, mut is_at) = (Vec::new(), Vec::new(), None);
        play(&mut world, &mut scripts, 60 + 719, |number, world| {
            if rides(world).is_some() == (turns.len() % 2 == 0) {
                turns.push(number);
            }
            if number >= 30 && world.player(slot(1)).unwrap().input.buttons.contains(Buttons::ACTION) {
                held.push(number);
            }
            if number == 660 {
                is_at = world.seat_near(world.position(slot(1)).unwrap());
            }
        });
        assert_eq!(turns, [60, 510, 690]);
        assert_eq!(held, (690..780).collect::<Vec<_>>());
        assert_eq!((rides(&world), is_at.map(|(_, seat)| seat)), (Some(Kind::Car), Some(0)));
        // Then its input is its own again.
        play(&mut world, &mut scripts, 784, |_, _| {});
        assert_eq!((rides(&world), world.tick().get() % 7), (None, 0));
        let said = scripts.take_said();
        let car = world.objects().next().unwrap();
        let name = world.named(car);
        assert_eq!(
            said,
            [
                format!("vehicle script at tick 60: Bob drives {name}"),
                format!("vehicle script at tick 510: Bob gets out of {name}"),
                format!("vehicle script at tick 660: Bob stands at {name}"),
                "vehicle script at tick 690: Bob holds action".to_owned(),
                "vehicle script at tick 780: Bob lets go of action".to_owned(),
            ]
        );
    }

    /// TOOL-71: who is dead at the second asked for is seated once it lives, within five seconds; after that nobody is, and
    /// each step that cannot be says why.
    #[test]
    fn who_is_dead_is_waited_for() {
        // It is back 91 ticks after each death, the second time in the last tick before the five seconds are over, or after.
        for (dies, is_seated) in [(27, true), (28, false)] {
            let mut world = world(Role::Host);
            let mut scripts = Scripts::every(0.0, 0.0).with_ride(2.0);
            play(&mut world, &mut scripts, 220, |number, world| {
                if (dies..200).contains(&number) {
                    world.kill(slot(1), None);
                }
            });
            let said = if is_seated { "drives car #0" } else { "is not seated: it is dead" };
            assert_eq!(scripts.take_said(), [format!("vehicle script at tick 210: Bob {said}")]);
            assert_eq!(rides(&world), is_seated.then_some(Kind::Car));
        }
    }

    /// TOOL-71: where all vehicles are driven, or it rides nothing when it is to get out, that is told.
    #[test]
    fn what_cannot_be_done_is_told() {
        let mut world = world(Role::Host);
        let mut scripts = Scripts::every(0.0, 0.0).with_ride(2.0);
        let vehicles: Vec<_> = world.objects().filter(|id| world.craft(*id).is_some()).collect();
        vehicles.iter().for_each(|vehicle| assert!(world.erase(*vehicle)));
        play(&mut world, &mut scripts, 700, |_, _| {});
        assert_eq!(
            scripts.take_said(),
            [
                "vehicle script at tick 210: Bob is not seated: no vehicle has a free driver's seat",
                "vehicle script at tick 510: Bob does not get out: it rides nothing",
                "vehicle script at tick 690: Bob is not stood at a vehicle: no vehicle has a free driver's seat",
                "vehicle script at tick 690: Bob holds action",
            ]
        );
    }

    /// TOOL-12: a client's script seats nobody and puts nobody anywhere: it holds the button of its own player, and of
    /// nobody else; one that comes after the begin does nothing.
    #[test]
    fn a_client_holds_its_own_players_button() {
        let held = |from: i32, own: u8| {
            let mut world = world(Role::Client);
            let mut scripts = Scripts::every(0.0, 0.0).with_ride(2.0);
            let before = world.decisions();
            let mut held = 0;
            for number in from..=800 {
                let tick = Tick::new(number).unwrap();
                let input = scripts.reins().input(slot(own), tick, Input::default());
                held += u32::from(input.buttons.contains(Buttons::ACTION));
                scripts.run(tick, true, &[slot(own)], Some(&mut world));
            }
            assert_eq!((world.decisions(), rides(&world)), (before, None));
            (held, scripts.take_said().len())
        };
        assert_eq!((held(2, 1), held(45, 1), held(46, 1), held(2, 0)), ((90, 2), (90, 2), (0, 0), (0, 0)));
    }

    /// A host that comes to it late says so, once; the last tick there is has none after it.
    #[test]
    fn a_begin_that_was_missed_is_told() {
        let mut world = world(Role::Host);
        let mut scripts = Scripts::every(0.0, 0.0).with_ride(2.0);
        for number in [600, 601, 690, i32::MAX] {
            scripts.run(Tick::new(number).unwrap(), true, &[slot(1)], Some(&mut world));
        }
        assert_eq!(
            scripts.take_said(),
            ["vehicle script at tick 600: it was to begin before every player was in"]
        );
        let mut never = Scripts::every(0.0, 0.0).with_ride(1e9);
        for tick in [Tick::LAST.minus(31), Tick::LAST] {
            never.run(tick, true, &[], Some(&mut world));
        }
        assert_eq!((never.take_said().len(), rides(&world)), (1, None));
    }
}
