//! Which predictions of driven vehicles are taken, where they put the copy, and what the driver's machine is told.

use super::*;
use mjolnir_authority::{CarriedBy, Takings, VehicleRow};
use mjolnir_wire::objects::{Motion, ObjectState, VehiclePrediction};

/// As fast as the tag of every vehicle here lets it go.
const TOP_SPEED: f32 = 0.5;

fn parked(position: Vec3) -> Motion {
    Motion { position, axes: Axes::UPRIGHT, velocity: Vec3::ZERO, angular_velocity: Vec3::ZERO }
}

fn vehicle(index: u16) -> ObjectId {
    ObjectId::new(index, 1).unwrap()
}

fn word(index: u16, client: i32, motion: Motion) -> VehiclePrediction {
    VehiclePrediction { object: vehicle(index), time: tick(client).low16(), motion }
}

/// One host with one vehicle, 40, that the player of slot 1 on machine 1 drives, whose copy stays where it was put.
struct Table {
    host: Host,
    now: i32,
    row: VehicleRow,
    commands: Vec<Command>,
    outbox: Outbox,
}

impl Table {
    fn at(now: i32, position: Vec3) -> Self {
        let mut table = Self {
            host: Host::new(),
            now: now - 1,
            row: VehicleRow {
                vehicle: vehicle(40),
                driver: slot(1),
                machine: machine(1),
                motion: parked(position),
                top_speed: TOP_SPEED,
                carried_by: CarriedBy::Ground,
                grounded: true,
                at_rest: false,
            },
            commands: Vec::new(),
            outbox: Outbox::new(),
        };
        table.host.set_clients(MachineSet::CLIENTS);
        table.tick();
        table
    }

    fn tick(&mut self) {
        self.now += 1;
        self.commands.clear();
        self.outbox.begin(tick(self.now), self.now);
        let rows = core::slice::from_mut(&mut self.row);
        self.host.after_vehicles(tick(self.now), GRAVITY, rows, &mut self.commands, &mut self.outbox);
    }

    fn ticks(&mut self, count: i32) {
        (0..count).for_each(|_| self.tick());
    }

    fn say(&mut self, client: i32, motion: Motion) -> Result<(), Error> {
        self.host.handle_vehicle_prediction(machine(1), tick(client), &word(40, client, motion))
    }

    /// A prediction and the tick that takes it; where the copy then is.
    fn take(&mut self, client: i32, position: Vec3) -> Vec3 {
        self.take_moving(client, parked(position)).position
    }

    fn take_moving(&mut self, client: i32, motion: Motion) -> Motion {
        self.say(client, motion).unwrap();
        self.tick();
        self.row.motion
    }

    fn refused(&self) -> u64 {
        self.host.takings().past_bounds + self.host.takings().past_tolerance
    }

    /// What the engine's next tick makes of a copy in the air.
    fn fall(&mut self) {
        self.row.motion.velocity.z -= GRAVITY;
        self.row.motion.position += self.row.motion.velocity;
        self.row.grounded = false;
    }

    fn told(&self, to: Machine) -> Vec<ObjectState> {
        let mut all = Vec::new();
        parts(&self.outbox, to, |part| {
            if part.kind == Kind::ObjectStates {
                all.extend(ObjectState::read_all(part).map(Result::unwrap));
            }
        });
        all
    }
}

/// AUTH-09, 64: of three predictions between ticks the newest is taken, once, whatever their order; an older one than was
/// taken changes nothing.
#[test]
fn a_vehicles_newest_prediction_is_taken_at_the_next_tick() {
    let mut table = Table::at(10, Vec3::ZERO);
    table.say(8, parked(east(0.6))).unwrap();
    table.say(10, parked(east(1.0))).unwrap();
    assert_eq!(table.say(9, parked(east(0.8))), Err(Error::Old));
    table.say(10, parked(east(1.4))).unwrap();
    assert_eq!(table.row.motion.position, Vec3::ZERO);
    table.tick();
    assert_eq!((table.row.motion.position, table.host.takings().taken), (east(1.0), 1));
    table.tick();
    assert_eq!(table.host.takings().taken, 1);
    assert_eq!(table.say(9, parked(Vec3::ZERO)), Err(Error::Old));
    assert_eq!(table.say(10, parked(Vec3::ZERO)), Ok(()));
    table.tick();
    assert_eq!(table.row.motion.position, east(1.0));
}

/// AUTH-10: driving, 4.9 wu from the host's copy is taken and 5.1 is not, and its own stands.
#[test]
fn a_vehicle_is_taken_within_its_tolerance() {
    assert_eq!(Table::at(0, Vec3::ZERO).take(1, east(4.9)), east(4.9));
    let mut table = Table::at(0, Vec3::ZERO);
    assert_eq!(table.take(1, east(5.1)), Vec3::ZERO);
    assert_eq!((table.host.takings().past_tolerance, table.commands.len()), (1, 0));
}

/// AUTH-11: driving, halfway to what is 0.4 wu off, at once to what is 0.6.
#[test]
fn a_vehicle_is_put_halfway_to_what_is_a_little_off() {
    for (off, put, why) in [(0.4, 0.2, Why::Blend), (0.5, 0.25, Why::Blend), (0.6, 0.6, Why::Take)] {
        let mut table = Table::at(0, Vec3::ZERO);
        assert_eq!(table.take(1, east(off)), east(put));
        let motion = parked(east(put));
        assert_eq!(table.commands, [Command::PlaceVehicle { vehicle: vehicle(40), motion, why }]);
    }
    let mut table = Table::at(0, Vec3::ZERO);
    table.take(1, Vec3::ZERO);
    assert_eq!((table.commands.len(), table.host.takings().taken), (0, 1));
}

/// AUTH-26: from its anchor 1.1 wu a tick is taken and 1.2 sustained is not; nor is a step of 4.2, which the tolerance
/// would allow.
#[test]
fn a_vehicles_claim_is_measured_from_its_anchor() {
    for (speed, taken) in [(1.1, true), (1.2, false)] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(90, Vec3::ZERO);
        for moved in 1..=24 {
            table.row.motion.position = east(speed * moved as f32);
            table.tick();
        }
        table.take(115, east(speed * 25.0));
        assert_eq!(table.refused() == 0, taken, "{speed}: {:?}", table.host.takings());
    }
    let mut table = Table::at(100, Vec3::ZERO);
    table.take(90, Vec3::ZERO);
    assert_eq!(table.take(91, east(4.2)), Vec3::ZERO);
    assert_eq!(table.host.takings().past_bounds, 1);
}

/// AUTH-26: with a push by the host's ticks as fast as that, for ninety ticks, and three wu a tick at most.
#[test]
fn a_vehicle_goes_as_fast_as_the_hosts_ticks_sent_it() {
    for (pushed, after, step, taken) in [
        (0.0, 1, 1.5, false),
        (2.0, 1, 2.05, true),
        (2.0, 1, 2.2, false),
        (2.0, 60, 2.05, true),
        (2.0, 91, 2.05, false),
        (9.0, 1, 3.05, true),
        (9.0, 1, 3.2, false),
    ] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.row.motion.velocity = east(pushed);
        table.tick();
        table.row.motion.velocity = Vec3::ZERO;
        for now in 0..after {
            table.take(101 + now, Vec3::ZERO);
        }
        for now in 1..=20 {
            let place = table.row.motion.position;
            table.take(100 + after + now, place + east(step));
        }
        assert_eq!(table.refused() == 0, taken, "{pushed} {after} {step}: {:?}", table.host.takings());
    }
}

/// AUTH-27: a velocity of 1.05 wu a tick is taken as 1.0, without the tenth, and raises no bound by being said.
#[test]
fn a_vehicles_velocity_is_taken_no_faster_than_it_goes() {
    let mut table = Table::at(100, Vec3::ZERO);
    for client in 100..400 {
        let place = table.row.motion.position;
        let taken = table.take_moving(client, Motion { velocity: east(1.05), ..parked(place) });
        assert!((taken.velocity.x - 1.0).abs() < 1e-6, "{taken:?}");
        // What a tick adds to it, on and on.
        table.row.motion.velocity.x += 0.004;
    }
    let taken = table.take_moving(400, Motion { velocity: east(0.99), ..parked(Vec3::ZERO) });
    assert!((taken.velocity.x - 0.99).abs() < 1e-6, "{taken:?}");
}

/// AUTH-28: a vehicle falls 200 wu, on both machines alike: what its client says is taken as long as it is no faster than
/// its bound, and the last moves are the host's own. A client that says it falls three times as fast as it does takes its
/// copy down no faster than the bound and a tick's gravity.
#[test]
fn the_last_moves_of_a_long_fall_are_the_hosts() {
    let mut table = Table::at(100, up(200.0));
    let mut own = parked(up(200.0));
    let mut last_taken = 0.0;
    while table.row.motion.position.z > 0.0 {
        own.velocity.z -= GRAVITY;
        own.position += own.velocity;
        table.fall();
        let before = table.host.takings().taken;
        let moved = table.take_moving(table.now, own);
        if table.host.takings().taken > before {
            last_taken = -moved.velocity.z;
        }
    }
    // An anchor's mean over a second is a little behind.
    assert!((1.0..1.1 + 36.0 * GRAVITY).contains(&last_taken), "{last_taken}");
    assert!((433..=436).contains(&table.now), "{}", table.now);

    let mut table = Table::at(100, up(200.0));
    while table.row.motion.position.z > 0.0 {
        table.fall();
        let motion = table.row.motion;
        let faster = Motion { velocity: motion.velocity * 3.0, ..motion };
        let before = table.host.takings().taken;
        let moved = table.take_moving(table.now, faster);
        if table.host.takings().taken > before {
            assert!(-moved.velocity.z <= 2.0 * TOP_SPEED + 1e-6, "{moved:?}");
        }
    }
}

/// AUTH-29: a teleporter falls back to the tolerance: from the old place refused, from within it of the new taken.
#[test]
fn a_vehicles_teleporter_starts_afresh() {
    for (told, far) in [(true, 30.0), (false, 30.0), (true, 3.0)] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(97, Vec3::ZERO);
        if told {
            table.host.placed_anew(slot(1));
        }
        table.row.motion.position = east(far);
        table.tick();
        table.ticks(100_i32.wrapping_sub(table.now).rem_euclid(3) + 1);
        if far > 5.0 {
            assert_eq!(table.take(98, Vec3::ZERO), east(far));
            assert_eq!(table.host.takings().past_tolerance, 1);
        }
        assert_eq!(table.take(99, east(far + 4.5)), east(far + 4.5));
    }
}

/// AUTH-30: a car that stands and says that it hovers: 4.9 wu up refused, and so is 3.5; a flyer there is taken. It is
/// believed as high as what is thrown up at a tenth, and 2 wu.
#[test]
fn a_car_does_not_hover() {
    let most = 0.1 * 0.1 / (2.0 * GRAVITY) + 2.0;
    for (carried_by, height, taken) in [
        (CarriedBy::Ground, 4.9, false),
        (CarriedBy::Ground, most + 0.01, false),
        (CarriedBy::Ground, most - 0.01, true),
        (CarriedBy::Itself, 4.9, true),
    ] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.row.carried_by = carried_by;
        table.take(100, Vec3::ZERO);
        table.ticks(10);
        table.take(111, up(height));
        assert_eq!(table.refused() == 0, taken, "{carried_by:?} {height}");
    }
}

/// AUTH-30: in the air it falls: seventy ticks after it left the ground its word is believed no higher than a thing is
/// that left it as fast, 70 ticks ago less the round trip and the jitter.
#[test]
fn a_car_in_the_air_falls() {
    let trips = [0.0, 6.0, 14.0, 15.0, 16.0, 60.0].map(|trip| (0.0, trip));
    for (launch, trip) in trips.into_iter().chain([(0.3, 6.0), (0.3, 60.0)]) {
        for (over, taken) in [(-0.01, true), (0.01, false)] {
            let mut table = Table::at(100, Vec3::ZERO);
            table.host.set_round_trip(machine(1), Some(trip));
            table.row.motion.velocity = up(launch);
            table.take_moving(100, table.row.motion);
            table.row.motion = parked(Vec3::ZERO);
            table.row.motion.velocity = up(launch);
            let speed = launch + 0.1;
            let falling = (70.0 - trip.min(15.0) - 6.0 - speed / GRAVITY).max(0.0);
            let ceiling = speed * speed / (2.0 * GRAVITY) - GRAVITY * falling * falling / 2.0 + 2.0;
            let stays = ceiling - 1.0;
            table.row.grounded = false;
            for now in 0..69 {
                let place = table.row.motion.position;
                table.row.motion.position = up((place.z + 2.0).min(stays));
                let _ = now;
                table.tick();
            }
            table.take(101, up(ceiling + over));
            assert_eq!(table.host.takings().taken == 2, taken, "{launch} {trip} {over}");
        }
    }
}

/// AUTH-30: how fast its client says that it left the ground is no ramp: no more than its top speed counts of it.
#[test]
fn a_cars_word_is_no_ramp() {
    for (over, taken) in [(-0.01, true), (0.01, false)] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.host.set_round_trip(machine(1), Some(0.0));
        // No host's tick gave it more than it said.
        for client in 99..101 {
            table.take_moving(client, Motion { velocity: Vec3::new(0.9, 0.0, 0.0), ..parked(Vec3::ZERO) });
        }
        table.row.motion.velocity = up(0.9);
        table.tick();
        table.row.grounded = false;
        let speed = TOP_SPEED + 0.1;
        let falling = 360.0 - 6.0 - speed / GRAVITY;
        let ceiling = speed * speed / (2.0 * GRAVITY) - GRAVITY * falling * falling / 2.0 + 2.0;
        for now in 1..360 {
            table.row.motion.position = up((ceiling - 1.0) * (now as f32 / 359.0));
            table.tick();
        }
        let before = table.host.takings().taken;
        table.take(101, up(ceiling + over));
        assert_eq!(table.host.takings().taken > before, taken, "{over}");
    }
}

/// AUTH-30: one that the host's tick throws up in the middle of a long fall falls from there anew.
#[test]
fn a_throw_in_a_cars_fall_begins_it_anew() {
    for (thrown, taken) in [(0.3, true), (0.0, false)] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.row.grounded = false;
        for now in 0..200 {
            table.row.motion = parked(up(-0.1 * now.min(50) as f32));
            table.tick();
        }
        table.row.motion.velocity = up(thrown);
        table.tick();
        for now in 0..20 {
            table.row.motion = parked(up(-5.0 + thrown * now as f32));
            table.tick();
        }
        let place = table.row.motion.position;
        table.take(100, place + up(0.1));
        assert_eq!(table.host.takings().taken == 1, taken, "{thrown}");
    }
}

/// AUTH-30: a car that says it rises at twice its speed and hovers there is on the host's ground again.
#[test]
fn a_car_that_says_it_flies_falls() {
    let mut table = Table::at(100, Vec3::ZERO);
    table.host.set_round_trip(machine(1), Some(6.0));
    table.take(100, Vec3::ZERO);
    let (mut highest, mut landed, mut flight, mut longest) = (0.0_f32, 0, 0, 0);
    for client in 101..701 {
        let up_to = ((client - 100) as f32 * 0.5).min(20.0);
        let claim = Motion { velocity: up(1.0), ..parked(up(up_to)) };
        table.fall();
        if table.row.motion.position.z <= 0.0 {
            (table.row.motion, table.row.grounded) = (parked(Vec3::ZERO), true);
            landed += 1;
        }
        table.take_moving(client, claim);
        highest = highest.max(table.row.motion.position.z);
        flight = if table.row.grounded { 0 } else { flight + 1 };
        longest = longest.max(flight);
    }
    assert!(highest < 3.6 && landed > 1 && longest < 120, "{highest} {landed} {longest}");
}

/// AUTH-31: a copy at rest that its client's word moves is woken, and its time in the air counts; one that is where its
/// client has it sleeps on.
#[test]
fn a_copy_at_rest_that_is_moved_is_woken() {
    let mut table = Table::at(100, Vec3::ZERO);
    table.host.set_round_trip(machine(1), Some(0.0));
    table.row.at_rest = true;
    table.take(100, Vec3::ZERO);
    assert!(table.row.at_rest && table.commands.is_empty());
    table.take(101, up(1.5));
    assert!(!table.row.at_rest);
    assert!(matches!(table.commands[..], [Command::PlaceVehicle { .. }]));
    // It does not fall, as if it slept: its client's word ends with the time a fall takes.
    table.row.grounded = false;
    let mut taken = 0;
    for client in 102..302 {
        let before = table.host.takings().taken;
        table.take(client, up(1.5));
        taken += table.host.takings().taken - before;
    }
    assert!((60..100).contains(&taken), "{taken}");
}

/// AUTH-32: the driver's machine is told of its vehicle in every third tick, in thirty of ninety, with the client's tick
/// that it is at; no other machine is.
#[test]
fn a_driver_is_told_of_its_vehicle_each_third_tick() {
    let mut table = Table::at(99, Vec3::ZERO);
    let mut told = 0;
    for host in 100..190 {
        let place = east(0.3 * (host - 100) as f32);
        table.row.motion = Motion { velocity: east(0.3), ..parked(place) };
        table.take_moving(host - 6, table.row.motion);
        for state in table.told(machine(1)) {
            assert_eq!((state.object, state.predicted), (vehicle(40), Some(host as u16 - 6)));
            assert_eq!(state.motion.position, place);
            told += 1;
        }
        assert_eq!((table.told(machine(2)).len(), table.told(Machine::HOST).len()), (0, 0));
    }
    assert_eq!(told, 30);
}

/// AUTH-32: taken 97 at host tick 99, the state of 102 names 100; sixty ticks after the take one still does, and 61 ticks
/// after it none, at whichever of three ticks it was taken. Then the next prediction is held to the tolerance alone.
#[test]
fn a_vehicles_tick_is_named_for_sixty_ticks() {
    let mut told_at = Vec::new();
    for taken in [99, 100, 101] {
        let mut table = Table::at(taken - 1, Vec3::ZERO);
        assert_eq!(table.told(machine(1)).len(), usize::from((taken - 1) % 3 == 0));
        table.take(97, Vec3::ZERO);
        while table.now < taken + 70 {
            for state in table.told(machine(1)) {
                let since = table.now - taken;
                let named = (since <= 60).then_some(97 + since as u16);
                assert_eq!(state.predicted, named, "{taken} {since}");
                told_at.push(since);
            }
            table.tick();
        }
    }
    assert!([0, 3, 60, 61].iter().all(|since| told_at.contains(since)));
    for (ticks, taken) in [(58, false), (59, false), (60, true), (61, true)] {
        let mut table = Table::at(98, Vec3::ZERO);
        table.take(97, Vec3::ZERO);
        table.ticks(ticks);
        assert_eq!(table.take(98, east(4.5)) == east(4.5), taken, "{ticks}");
    }
}

/// AUTH-32: a host whose clock stood still does not know what it left out, but a prediction past the tolerance that is more
/// ticks on than jitter explains, of the client's time: the tick that the client is at is named. One within jitter, and
/// one that is taken, change nothing.
#[test]
fn ticks_that_a_host_slept_through_are_named_too() {
    let far = parked(Vec3::new(6.0, 0.0, 0.0));
    for (ahead, named) in [(15, 99 + 15), (7, 99 + 7), (6, 99), (0, 99)] {
        let mut table = Table::at(98, Vec3::ZERO);
        table.take(97, Vec3::ZERO);
        assert_eq!(table.now, 99);
        table.take_moving(98 + ahead, far);
        assert_eq!((table.refused(), table.row.motion.position), (1, Vec3::ZERO));
        table.take_moving(99 + ahead, far);
        table.tick();
        assert_eq!(table.now, 102);
        assert_eq!(table.told(machine(1))[0].predicted, Some(named as u16 + 1), "{ahead}");
        assert_eq!(table.refused(), 2);
    }
}

/// What became of one player's predictions is told beside what became of all.
#[test]
fn each_drivers_takings_are_its_own() {
    let mut table = Table::at(98, Vec3::ZERO);
    table.take(97, Vec3::ZERO);
    table.take(98, Vec3::new(6.0, 0.0, 0.0));
    let takings = table.host.takings_of(slot(1));
    assert_eq!((takings.taken, takings.past_tolerance, takings.past_bounds), (1, 1, 0));
    assert_eq!((takings, table.host.takings_of(slot(2))), (table.host.takings(), Takings::default()));
}

/// AUTH-32: a host that stalled and left out 75 ticks, which its clients did not, names ticks by as many later: one from
/// before the stall a client keeps no place of, and would have its vehicle past the tolerance for two seconds.
#[test]
fn ticks_that_were_left_out_are_named_too() {
    let mut table = Table::at(98, Vec3::ZERO);
    table.take(97, Vec3::ZERO);
    table.host.left_out(75);
    table.ticks(3);
    assert_eq!((table.now, table.told(machine(1))[0].predicted), (102, Some(97 + 3 + 75)));
}

/// AUTH-74: a passenger's, another machine's, a parked vehicle and one left are refused; so is the host's own.
#[test]
fn a_vehicle_prediction_is_of_what_the_sender_drives() {
    let mut table = Table::at(10, Vec3::ZERO);
    let say = |table: &mut Table, from, index| {
        table.host.handle_vehicle_prediction(machine(from), tick(10), &word(index, 10, parked(east(0.6))))
    };
    assert_eq!(say(&mut table, 2, 40), Err(Error::NotDriven));
    assert_eq!(say(&mut table, 0, 40), Err(Error::NotDriven));
    assert_eq!(say(&mut table, 1, 41), Err(Error::NotDriven));
    assert_eq!(say(&mut table, 1, 40), Ok(()));
    assert_eq!(table.host.driver(vehicle(40)), Some(slot(1)));
    // Somebody else of another machine took the seat in the tick: what was said is nothing.
    (table.row.driver, table.row.machine) = (slot(2), machine(2));
    table.tick();
    assert_eq!((table.row.motion.position, table.commands.len()), (Vec3::ZERO, 0));
    assert_eq!(say(&mut table, 1, 40), Err(Error::NotDriven));
    assert_eq!(say(&mut table, 2, 40), Ok(()));
    table.outbox.begin(tick(12), 12);
    table.host.after_vehicles(tick(12), GRAVITY, &mut [], &mut Vec::new(), &mut table.outbox);
    assert_eq!(say(&mut table, 2, 40), Err(Error::NotDriven));
    // The host's own driver is nobody's to speak for, and nobody is told of its vehicle here.
    (table.row.driver, table.row.machine) = (slot(0), Machine::HOST);
    table.ticks(3);
    assert_eq!(say(&mut table, 0, 40), Err(Error::NotDriven));
}

/// AUTH-12, 26: whatever a client claims, its vehicle gains the blend distance and the jitter once, not with each tick or
/// anchor; a tick each ten seconds besides.
#[test]
fn a_vehicle_gains_no_tolerance_with_each_tick() {
    for pace in [1, 2] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(100, Vec3::ZERO);
        for moved in 1..=600 {
            let place = table.row.motion.position;
            table.take(100 + pace * moved, place + east(4.9));
        }
        let most = 1.1 * (600 + ANCHOR_JITTER + 2) as f32 + 0.5;
        assert!(table.row.motion.position.x < most, "{pace}: {:?}", table.row.motion.position);
        assert!(table.host.takings().past_bounds > 100);
    }
}

/// AUTH-26: the blend distance is allowed once: one that goes a minute at the very edge, whose every claim is as far as it is
/// believed, comes 0.5 wu further than twice its speed and the tenth, and no more; nor does one that asks for it with each
/// anchor, or that gives it back by going slower each other second and asks again.
#[test]
fn a_vehicle_gains_the_blend_distance_once() {
    /// How much further than the ticks allow it says that it is, of the anchor of that number.
    type Asks = fn(u32) -> f32;
    let once: Asks = |anchor| if anchor == 0 { 0.499 } else { -0.0005 };
    let each: Asks = |_| 0.499;
    let other: Asks = |anchor| if anchor % 2 == 0 { 0.499 } else { -0.5 };
    // As far as it may come, and how much of that it comes at the least.
    for (name, asks, least) in [("once", once, 0.45), ("each", each, -1.2), ("other", other, -1.0)] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(100, Vec3::ZERO);
        let (mut from, mut since, mut anchors, mut is_taken) = (0.0, 0, 0, true);
        for client in 101..=1900 {
            since += 1;
            // Who was refused asks for less, or its copy would be left behind.
            let claim = from + 1.1 * since as f32 + if is_taken { asks(anchors) } else { -0.0005 };
            let before = table.host.takings().taken;
            table.take(client, east(claim));
            is_taken = table.host.takings().taken > before;
            if since >= 30 && is_taken {
                (from, since, anchors) = (claim, 0, anchors + 1);
            }
        }
        let over = table.row.motion.position.x - 1.1 * 1800.0;
        assert!((least..=0.51).contains(&over), "{name}: {over} of {anchors} anchors");
    }
}

/// AUTH-26: a vehicle that went slowly for three seconds has saved nothing: 0.49 wu beyond what its ticks suffice for is taken
/// then, and 0.51 is not.
#[test]
fn a_slow_vehicle_saves_nothing() {
    for (beyond, taken) in [(0.49, true), (0.51, false)] {
        let mut table = Table::at(100, Vec3::ZERO);
        for client in 100..=190 {
            table.take(client, east(0.01 * (client - 100) as f32));
        }
        // The newest anchor is of this very tick.
        table.take(191, east(0.9 + 1.1 + beyond));
        assert_eq!(table.refused() == 0, taken, "{beyond}");
    }
}

/// AUTH-26, ours: one that nothing of its own moves is turned as its client has it and stays where the host has it, however
/// little its client says that it creeps; of one that its tag moves at all the tenth a tick is taken.
#[test]
fn a_fixed_vehicle_is_turned_and_not_moved() {
    let turned = Axes { forward: Vec3::new(0.0, 1.0, 0.0), ..Axes::UPRIGHT };
    for (top_speed, carried_by) in
        [(0.0, CarriedBy::Itself), (0.0, CarriedBy::Ground), (0.01, CarriedBy::Itself)]
    {
        for way in [east(0.1), up(0.1)] {
            let mut table = Table::at(100, Vec3::ZERO);
            (table.row.top_speed, table.row.carried_by) = (top_speed, carried_by);
            for client in 100..200 {
                let position = way * (client - 100) as f32;
                let spun = Vec3::new(0.0, 0.0, 0.2);
                let claim = Motion { position, axes: turned, velocity: way, angular_velocity: spun };
                table.take_moving(client, claim);
            }
            let Motion { position, axes, velocity, angular_velocity } = table.row.motion;
            assert_eq!((axes, angular_velocity.z), (turned, 0.2));
            let moved = [position, velocity].map(|of| of != Vec3::ZERO);
            assert_eq!(moved, [top_speed > 0.0; 2], "{top_speed} {way:?}: {position:?} {velocity:?}");
        }
    }
    // Further than the tolerance off nothing of it is taken.
    let mut table = Table::at(100, Vec3::ZERO);
    table.row.top_speed = 0.0;
    table.take_moving(100, Motion { axes: turned, ..parked(east(5.1)) });
    assert_eq!((table.row.motion, table.host.takings().past_tolerance), (parked(Vec3::ZERO), 1));
    table.take_moving(101, Motion { axes: turned, ..parked(east(4.9)) });
    assert_eq!(table.row.motion, Motion { axes: turned, ..parked(Vec3::ZERO) });
}

/// AUTH-64: one damaged stamp refuses nobody and names nothing.
#[test]
fn a_damaged_stamp_of_a_vehicle_refuses_nobody() {
    let mut table = Table::at(99, Vec3::ZERO);
    for host in 100..200 {
        let place = east(0.3 * (host - 100) as f32);
        table.row.motion.position = place;
        table.take(if host == 131 { host + 400 } else { host - 5 }, place);
    }
    assert_eq!(table.host.takings().taken, 100);
}

/// A steady tick of 16 vehicles that clients drive allocates nothing.
#[test]
fn a_steady_tick_of_vehicles_allocates_nothing() {
    let mut host = Host::new();
    host.set_clients(MachineSet::CLIENTS);
    let table = Table::at(0, Vec3::ZERO);
    let mut rows: Vec<_> = (1..=16)
        .map(|of| VehicleRow {
            vehicle: vehicle(of),
            driver: slot(of as u8),
            machine: machine(of as u8),
            motion: parked(east(f32::from(of) * 5.0)),
            ..table.row
        })
        .collect();
    let (mut commands, mut outbox) = (Vec::new(), Outbox::new());
    let mut run = |now: i32| {
        commands.clear();
        outbox.begin(tick(now), now);
        for row in &mut rows {
            let motion = parked(row.motion.position + Vec3::new(0.0, 0.3, 0.0));
            let said = VehiclePrediction { object: row.vehicle, time: tick(now).low16(), motion };
            let _ = host.handle_vehicle_prediction(row.machine, tick(now), &said);
        }
        host.after_vehicles(tick(now), GRAVITY, &mut rows, &mut commands, &mut outbox);
        commands.len()
    };
    assert_eq!((run(0), run(1), run(2), run(3)), (0, 16, 16, 16));
    let info = allocation_counter::measure(|| {
        (4..64).for_each(|now| assert_eq!(run(now), 16));
    });
    assert_eq!(info.count_total, 0);
}

proptest! {
    /// AUTH-74: random words of vehicles never panic, and what is taken is a motion that can be.
    #[test]
    fn random_words_of_vehicles_never_panic(
        claims in prop::collection::vec(
            (any::<i32>(), any::<u16>(), prop::array::uniform3(-6.0..6.0_f32), prop::array::uniform3(-32.0..32.0_f32)),
            100,
        ),
        start in prop_oneof![Just(0), Just(i32::MAX - 101)],
        grounded in any::<bool>(),
    ) {
        let mut table = Table::at(start.max(1), Vec3::ZERO);
        table.row.grounded = grounded;
        for (client, time, by, velocity) in claims {
            let position = table.row.motion.position + Vec3::from_array(by);
            let motion = Motion { velocity: Vec3::from_array(velocity), ..parked(position) };
            let said = VehiclePrediction { object: vehicle(40), time, motion };
            let _ = table.host.handle_vehicle_prediction(machine(1), tick(client & i32::MAX), &said);
            if table.now < i32::MAX - 1 {
                table.tick();
            }
            prop_assert!(table.row.motion.position.is_finite());
            prop_assert!(table.row.motion.velocity.length() <= 3.0 + 1e-5);
        }
    }
}

/// AUTH-32, PRED-18: a client that went on while the host stood still, and is refused, is up to 60 ticks ahead of
/// the one taken last: where it is now is named. Further ahead none is.
#[test]
fn no_tick_is_named_that_a_client_has_forgotten() {
    for (ahead, is_named) in [(60, true), (61, false)] {
        let mut table = Table::at(98, Vec3::ZERO);
        table.take(97, Vec3::ZERO);
        table.ticks(1);
        // A stamp so far ahead is the client's time once two agree on it.
        table.take(97 + 2 + ahead, east(9.0));
        table.take(97 + 3 + ahead, east(9.0));
        assert_eq!((table.now, table.refused()), (102, 2));
        let named = is_named.then_some(97 + 3 + ahead as u16);
        assert_eq!(table.told(machine(1))[0].predicted, named, "{ahead}");
    }
}

/// AUTH-26: a single step from where the client last had it is no more than 3 wu, the tenth and the blend distance, however
/// far the anchor lets it come: 3.5 wu is taken, 3.7 and 4.2 are not; in two ticks 4.2 is.
#[test]
fn a_vehicles_step_is_no_more_than_three_world_units() {
    for (ticks, step, taken) in [(1, 3.5, true), (1, 3.7, false), (1, 4.2, false), (2, 4.2, true)] {
        let mut table = Table::at(100, Vec3::ZERO);
        (100..129).for_each(|host| {
            table.take(host, Vec3::ZERO);
        });
        table.ticks(ticks - 1);
        table.take(128 + ticks, east(step));
        assert_eq!(table.refused() == 0, taken, "{ticks} {step}");
    }
}

/// AUTH-26, ours: what is said beside the host's own copy, as its tick left it, is no step of its client's: 4.2 wu from where the
/// client last had it, and 3.5 from the copy, is taken; 3.7 from both is not.
#[test]
fn a_step_beside_the_hosts_copy_is_none() {
    for (copy, taken) in [(0.7, true), (0.5, false)] {
        let mut table = Table::at(100, Vec3::ZERO);
        (100..120).for_each(|host| {
            table.take(host, Vec3::ZERO);
        });
        // What the host's own tick did; of the client's ticks one has passed.
        table.row.motion.position = east(copy);
        table.tick();
        table.take(120, east(4.2));
        assert_eq!(table.refused() == 0, taken, "{copy}: {:?}", table.host.takings());
        assert_eq!(table.row.motion.position, east(if taken { 4.2 } else { copy }));
    }
}
