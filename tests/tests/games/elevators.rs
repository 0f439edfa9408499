//! Elevators over a network: each machine's own carries everybody and everything, and nobody falls through one.

use mjolnir_engine_glue::coop::DEVICE_DRIFT_WU;
use mjolnir_skirmish::game::{Kind, World};
use mjolnir_tests::{Hand, Lab, Plan, Seating, Who, go, still};
use mjolnir_wire::{Buttons, Input, Slot, Vec3};

/// A slow elevator and a fast one, each 3 wu wide and 20 wu high.
const GROUND: &str = "about Two elevators on a plain.
bounds -60 -60 -2 60 60 40
box -64 -64 -1 64 64 0
platform slow -1.5 -1.5 -0.3  1.5 1.5 0.1  0 0 20  0.08
platform fast 18.5 -1.5 -0.3  21.5 1.5 0.1  0 0 20  0.2
spawns -20 10 20 20 4 4 0
";

/// One of the two.
#[derive(Clone, Copy, Debug)]
struct Elevator {
    name: &'static str,
    device: u16,
    /// Its middle.
    x: f32,
    speed: f32,
}

const SLOW: Elevator = Elevator { name: "slow", device: 0, x: 0.0, speed: 0.08 };
const FAST: Elevator = Elevator { name: "fast", device: 1, x: 20.0, speed: 0.2 };

impl Elevator {
    /// Ticks in which it goes all the way, and a second more.
    fn way(self) -> u32 {
        (20.0 / self.speed) as u32 + 30
    }
}

/// One that goes to and fro along the middle of the elevator that it is on.
fn pacer() -> Hand {
    let mut east = true;
    Box::new(move |world, slot, _| {
        let Some(place) = world.position(slot) else { return Input::default() };
        let middle = if place.x > 10.0 { FAST.x } else { SLOW.x };
        if (place.x - middle).abs() > 0.8 {
            east = place.x < middle;
        }
        let way = Vec3::new(if east { 1.0 } else { -1.0 }, 0.0, 0.0);
        Input { yaw: World::yaw(way), throttle: [1.0, 0.0], ..Input::default() }
    })
}

/// One that jumps every two seconds.
fn jumper() -> Hand {
    let mut ticks = 0;
    Box::new(move |_, _, _| {
        ticks += 1;
        let buttons = if ticks % 60 < 2 { Buttons::JUMP } else { Buttons::default() };
        Input { buttons, ..Input::default() }
    })
}

/// What a machine saw of one rider.
#[derive(Clone, Copy, Debug, Default)]
struct Ride {
    /// The least and the most that it was over the floor that it touched, wu.
    touched: (f32, f32),
    /// The least that it was over the floor that it touches or left in the air.
    least: f32,
    /// Ticks on it while it moved.
    rode: u32,
    /// The largest step up or down between two places where it was drawn, on the floor.
    step: f32,
    drawn: Option<f32>,
}

impl Ride {
    fn note(&mut self, world: &World, slot: Slot) {
        let drawn = self.drawn.take();
        let Some(carriage) = world.carried_by(slot) else { return };
        let (place, unit) = (world.position(slot).unwrap(), world.unit(slot).unwrap());
        let over = place.z - carriage.floor;
        self.least = self.least.min(over);
        if carriage.contact {
            self.touched = (self.touched.0.min(over), self.touched.1.max(over));
            self.rode += u32::from(carriage.moving);
            let now = world.drawn(unit).unwrap().z;
            self.step = self.step.max(drawn.map_or(0.0, |drawn| (now - drawn).abs()));
            self.drawn = Some(now);
        }
    }
}

/// A host's player and two clients', beside each other on an elevator at the ground.
struct Riders {
    lab: Lab,
    on: Elevator,
    slots: [Slot; 3],
    /// What the two clients and the host saw of each.
    seen: [[Ride; 3]; 3],
    /// Own moves of each client before.
    moved: [usize; 2],
}

impl Riders {
    fn of(on: Elevator, milliseconds: u64, loss: f32, hand: fn() -> Hand) -> Self {
        let plan = Plan { ground: Some(GROUND), ..Plan::new("flat", 71, 2).network(milliseconds, loss) };
        let mut lab = Lab::play_as(plan, Seating::of(vec![still()]), |_| Seating::of(vec![still()]));
        let slots = [lab.clients[0].slot(), lab.clients[1].slot(), lab.host.slot()];
        for (slot, y) in slots.into_iter().zip([0.0, 0.6, -0.6]) {
            assert!(lab.host.engine.world_mut().move_to(slot, Vec3::new(on.x, y, 0.1)));
        }
        lab.run_ticks(60);
        lab.host.engine.take_over(0, hand());
        lab.clients.iter_mut().for_each(|seat| seat.engine.take_over(0, hand()));
        let moved = [0, 1].map(|place: usize| lab.clients[place].engine.notes.own_moves.len());
        Self { lab, on, slots, seen: Default::default(), moved }
    }

    fn watch(&mut self, ticks: u32) {
        let Self { lab, seen, slots, .. } = self;
        lab.watch_ticks(ticks, |lab, who| {
            let (at, world) = match who {
                Who::Host => (2, lab.host.engine.world()),
                Who::Client(place) => (place, lab.clients[place].engine.world()),
            };
            for (ride, slot) in seen[at].iter_mut().zip(*slots) {
                ride.note(world, slot);
            }
        });
    }

    /// The elevator is sent to one of its ends.
    fn go(&mut self, up: bool, ticks: u32) {
        let value = if up { 1.0 } else { 0.0 };
        assert!(self.lab.host.engine.world_mut().operate(self.on.name, value));
        self.watch(ticks);
    }

    /// How often each client's own player was moved up or down.
    fn lifted(&self) -> [usize; 2] {
        [0, 1].map(|place: usize| {
            let moves = &self.lab.clients[place].engine.notes.own_moves[self.moved[place]..];
            moves.iter().filter(|moved| (moved.to.z - moved.from.z).abs() > 1e-3).count()
        })
    }

    /// How far two machines have a rider from each other in height at most, and the elevator.
    fn apart(&self) -> f32 {
        let worlds = [self.lab.clients[0].engine.world(), self.lab.clients[1].engine.world()];
        let host = self.lab.host.engine.world();
        let mut most = 0.0_f32;
        for world in worlds {
            let top = |world: &World| world.top_of(self.on.device).unwrap();
            most = most.max((top(world) - top(host)).abs());
            for slot in self.slots {
                let z = |world: &World| world.position(slot).unwrap().z;
                most = most.max((z(world) - z(host)).abs());
            }
        }
        most
    }

    /// Asserts that nobody was ever through a floor, and that each stood on its own where it touched it.
    fn assert_on_floors(&self, what: &str) {
        for (at, seen) in self.seen.iter().enumerate() {
            for (of, ride) in seen.iter().enumerate() {
                assert!(ride.least > -0.05, "{what}: {of} as {at} saw it: {ride:?}");
                let most = if at == of { 0.05 } else { 0.1 };
                assert!(ride.touched.0 > -1e-3 && ride.touched.1 <= most, "{what}: {of} by {at}: {ride:?}");
                assert!(ride.rode > 30, "{what}: {of} by {at}: {ride:?}");
            }
        }
    }
}

/// Networks, in ms each way and per cent lost.
const NETWORKS: [(u64, f32); 7] =
    [(0, 0.0), (75, 0.0), (150, 0.0), (200, 0.0), (0, 5.0), (75, 5.0), (200, 5.0)];

/// AUTH-23, 24, 25, PRED-20, 22, 23, COOP-19: three machines' players stand or walk on one elevator that goes up and down,
/// turns about in its shaft four times, and is stopped there: on every machine each is on that machine's floor throughout,
/// drawn no less smoothly than the elevator, no own player is moved up or down, and two seconds after the stop all machines
/// have all of them, and the elevator, at one height.
#[test]
fn riders_stay_on_the_floor() {
    for on in [SLOW, FAST] {
        for (milliseconds, loss) in NETWORKS {
            for hand in [still as fn() -> Hand, pacer] {
                let what = format!("{} {milliseconds} ms {loss} %", on.name);
                let mut riders = Riders::of(on, milliseconds, loss, hand);
                for up in [true, false] {
                    riders.go(up, on.way());
                }
                for up in [true, false, true, false, true] {
                    riders.go(up, 60);
                }
                riders.lab.host.engine.world_mut().set_power(on.device, 0.0);
                riders.watch(60);
                riders.assert_on_floors(&what);
                assert_eq!(riders.lifted(), [0, 0], "{what}");
                assert!(riders.apart() < 0.05, "{what}: {}", riders.apart());
                // A word that was lost is made good by a step of the elevator itself.
                let put = if loss > 0.0 { DEVICE_DRIFT_WU + 2.0 * on.speed } else { 0.0 };
                for ride in riders.seen.as_flattened() {
                    assert!(ride.step <= on.speed + put + 1e-3, "{what}: {ride:?}");
                }
            }
        }
    }
}

/// AUTH-24: ten rides of 20 wu up at 200 ms each way: the host's rider stands on the host's floor throughout.
#[test]
fn ten_rides_up_at_a_long_way() {
    let mut riders = Riders::of(FAST, 200, 0.0, pacer);
    for _ in 0..10 {
        riders.go(true, FAST.way());
        riders.go(false, FAST.way());
    }
    riders.assert_on_floors("ten rides");
    assert!(riders.lifted() == [0, 0] && riders.seen[2][0].rode >= 2000, "{:?}", riders.seen[2][0]);
    let Ride { touched: (least, most), .. } = riders.seen[2][0];
    assert!(least > -1e-3 && most <= 0.1, "{least} {most}");
}

/// AUTH-25, PRED-22: players jump on an elevator that goes up, stops under a jump, turns about and is stopped in its shaft:
/// nobody is through its floor on any machine, and when all stand they are at one height. Going up no own player is
/// moved up or down; going down a jump lasts for as long as the fall after it, and who lands in time for the next one
/// on its own machine may not on the host's.
#[test]
fn jumpers_land_on_the_floor() {
    for (milliseconds, loss) in NETWORKS {
        let what = format!("{milliseconds} ms {loss} %");
        let mut riders = Riders::of(SLOW, milliseconds, loss, jumper);
        for ticks in [50, 77, 104] {
            riders.go(true, ticks);
            let put = riders.lab.host.engine.world().devices().next().unwrap();
            // It stops under them, for as long as a jump takes.
            riders.lab.host.engine.world_mut().set_power(SLOW.device, 0.0);
            riders.watch(45);
            riders.lab.host.engine.world_mut().set_power(SLOW.device, 1.0);
            assert!(put.moving && put.position < 1.0);
        }
        riders.go(true, 120);
        assert_eq!(riders.lifted(), [0, 0], "{what}");
        riders.go(false, 100);
        riders.go(true, 60);
        riders.go(false, 40);
        riders.lab.host.engine.world_mut().set_power(SLOW.device, 0.0);
        riders.watch(60);
        riders.lab.stand_still();
        riders.watch(60);
        riders.assert_on_floors(&what);
        assert!(riders.lifted().iter().all(|lifted| *lifted <= 2), "{what}: {:?}", riders.lifted());
        assert!(riders.apart() < 0.05, "{what}: {}", riders.apart());
    }
}

/// PRED-24: a client's player stepped off an elevator that stands, onto the ground, and the host's copy is put 4 wu higher:
/// the player is moved up by as much, once.
#[test]
fn off_a_stopped_elevator_height_is_the_hosts() {
    let mut riders = Riders::of(SLOW, 150, 0.0, still);
    let Riders { lab, slots: [slot, ..], .. } = &mut riders;
    lab.clients[0].engine.take_over(0, go(std::f32::consts::PI));
    lab.run_ticks(30);
    lab.stand_still();
    lab.run_ticks(15);
    assert!(lab.clients[0].place(*slot).z.abs() < 1e-3);
    let (from, unit) = (lab.host.place(*slot), lab.host.engine.world().unit(*slot).unwrap());
    let world = lab.host.engine.world_mut();
    world.place(unit, from + Vec3::UP * 4.0, Some(Vec3::ZERO), None);
    lab.run_ticks(75);
    assert_eq!(riders.lifted(), [1, 0]);
    assert!(riders.apart() < 0.05);
}

/// AUTH-25: a client's player runs, or jumps, off an elevator that was stopped 6 wu up, at 150 ms each way, and as soon
/// as the host's copy is off its floor, which over it is remembered, that is put 1.5 wu higher: two ticks later it is
/// where its client was. Upon the floor of one that goes it is not: it falls to that.
#[test]
fn off_a_stopped_elevator_height_is_taken_again() {
    for (jumps, goes) in [(false, false), (true, false), (false, true)] {
        let mut riders = Riders::of(SLOW, 150, 0.0, still);
        riders.go(true, 75);
        if !goes {
            riders.lab.host.engine.world_mut().set_power(SLOW.device, 0.0);
            riders.watch(60);
        }
        let Riders { lab, slots: [slot, ..], .. } = &mut riders;
        let mut pressed = false;
        let hand: Hand = match (jumps, goes) {
            (true, _) => Box::new(move |_, _, _| {
                let buttons = if pressed { Buttons::default() } else { Buttons::JUMP };
                pressed = true;
                Input { buttons, ..Input::default() }
            }),
            (_, true) => still(),
            _ => go(std::f32::consts::PI),
        };
        lab.clients[0].engine.take_over(0, hand);
        let on = |world: &World| world.carried_by(*slot);
        assert!(on(lab.host.engine.world()).is_some_and(|it| it.contact && it.moving == goes));
        // Where the client's player was in each tick, and since the host's was put higher how far that is from all of it.
        let (mut was, mut is_put, mut off) = (Vec::new(), false, Vec::new());
        lab.watch_ticks(60, |lab, who| {
            if who != Who::Host {
                return was.push(lab.clients[0].place(*slot));
            }
            let (at, carriage) = (lab.host.place(*slot), on(lab.host.engine.world()));
            if is_put {
                off.push(was.iter().map(|place| place.distance(at)).fold(f32::INFINITY, f32::min));
            } else if goes || carriage.is_none_or(|carriage| !carriage.contact) {
                assert_eq!(carriage.is_some(), jumps || goes, "{carriage:?}");
                let world = lab.host.engine.world_mut();
                let unit = world.unit(*slot).unwrap();
                assert!(world.place(unit, at + Vec3::UP * 1.5, Some(Vec3::ZERO), None));
                is_put = true;
            }
        });
        println!("jumps {jumps}, goes {goes}: {off:?}");
        assert_eq!(off[1] < 0.05, !goes, "jumps {jumps}, goes {goes}: {off:?}");
        assert_eq!(riders.lifted()[1], 0);
    }
}

/// PRED-25, COOP-20: a client's elevator goes on for what it does not hear of the host's turning about, and is then put where
/// that is: in that tick too its rider moves by just as much as the elevator.
#[test]
fn a_phase_correction_carries_its_riders() {
    for milliseconds in [0, 150] {
        let mut riders = Riders::of(SLOW, milliseconds, 0.0, still);
        riders.go(true, 90);
        let Riders { lab, slots, .. } = &mut riders;
        lab.partition(0, true);
        assert!(lab.host.engine.world_mut().operate("slow", 0.0));
        lab.run_ticks(12);
        lab.partition(0, false);
        let state = |world: &World| (world.top_of(SLOW.device).unwrap(), world.position(slots[0]).unwrap().z);
        let mut was = state(lab.clients[0].engine.world());
        let mut most = 0.0_f32;
        lab.watch_ticks(60, |lab, who| {
            if who != Who::Client(0) {
                return;
            }
            let now = state(lab.clients[0].engine.world());
            let (floor, rider) = (now.0 - was.0, now.1 - was.1);
            assert!((floor - rider).abs() < 1e-4, "{milliseconds}: {floor} {rider}");
            most = most.max(-floor);
            was = now;
        });
        assert!(most > DEVICE_DRIFT_WU, "{milliseconds}: {most}");
        assert_eq!(riders.lifted(), [0, 0]);
    }
}

/// GLUE-20, COOP-20: what lies on an elevator and a car that stands on it ride up and down on every machine, also where it
/// turns about, on its machine's floor, however far that is from the host's; and at rest where the host has them.
#[test]
fn what_stands_on_an_elevator_rides() {
    for on in [SLOW, FAST] {
        for (milliseconds, loss) in [(0, 0.0), (75, 0.0), (150, 0.0), (75, 5.0)] {
            let mut riders = Riders::of(on, milliseconds, loss, still);
            let world = riders.lab.host.engine.world_mut();
            let things = [(Kind::Medkit, -1.0), (Kind::Car, 0.9)]
                .map(|(kind, x)| world.spawn(kind, Vec3::new(on.x + x, 0.0, 0.3)).unwrap());
            riders.lab.run_seconds(3.0);
            let floor = |world: &World| world.top_of(on.device).unwrap();
            let z = |world: &World, thing| world.describe(thing).unwrap().position.z;
            let above = things.map(|thing| {
                let world = riders.lab.host.engine.world();
                z(world, thing) - floor(world)
            });
            // What a copy at rest is left by.
            let most = 0.05;
            for (up, ticks) in [(true, 60), (false, 30), (true, on.way()), (false, 70), (true, on.way())] {
                assert!(riders.lab.host.engine.world_mut().operate(on.name, if up { 1.0 } else { 0.0 }));
                riders.lab.watch_ticks(ticks, |lab, who| {
                    let (world, most) = match who {
                        Who::Host => (lab.host.engine.world(), 1e-3),
                        Who::Client(place) => (lab.clients[place].engine.world(), most),
                    };
                    for (thing, above) in things.into_iter().zip(above) {
                        let over = z(world, thing) - floor(world) - above;
                        assert!(over.abs() <= most, "{} {milliseconds} ms {loss} %: {who:?} {over}", on.name);
                    }
                });
            }
            riders.lab.run_ticks(30);
            let Lab { host, clients, .. } = &riders.lab;
            for thing in things {
                let there = z(host.engine.world(), thing);
                assert!(there > 20.0);
                for seat in clients {
                    assert!((z(seat.engine.world(), thing) - there).abs() < 0.05);
                }
            }
        }
    }
}
