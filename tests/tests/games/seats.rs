//! Seats: who gets in and out is in the same seat on every machine, whoever else wants it, dies, leaves or comes.

use mjolnir_skirmish::game::World;
use mjolnir_skirmish::game::kinds::Kind;
use mjolnir_tests::{Hand, Lab, Plan, Seating, Who, bot, still, unlike};
use mjolnir_wire::{Buttons, Input, ObjectId, Slot, Vec3};

use crate::driving::{drives, place, ride, seated};

/// Whom every machine that runs has in a vehicle's first two seats.
fn riders(lab: &Lab, vehicle: ObjectId) -> Vec<[Option<ObjectId>; 2]> {
    let clients = lab.clients.iter().filter(|seat| seat.runs).map(|seat| seat.engine.world());
    let worlds = std::iter::once(lab.host.engine.world()).chain(clients);
    worlds.map(|world| world.riders(vehicle).map_or([None; 2], |seats| [seats[0], seats[1]])).collect()
}

/// What no client has as the host has it.
fn all_alike(lab: &Lab) {
    for (place, seat) in lab.clients.iter().enumerate().filter(|(_, seat)| seat.runs) {
        assert_eq!(unlike(lab.host.engine.world(), seat.engine.world()), None, "client {place}");
    }
}

/// A vehicle of that kind with both clients' players beside it, on foot.
fn beside_one(lab: &mut Lab, kind: Kind) -> ObjectId {
    lab.run_seconds(1.0);
    let at = Vec3::new(10.0, 10.0, 0.5);
    let vehicle = lab.host.engine.world_mut().spawn(kind, at).unwrap();
    for (of, side) in [1.0, -1.0].into_iter().enumerate() {
        let slot = lab.clients[of].slot();
        assert!(lab.host.engine.world_mut().move_to(slot, at + Vec3::new(side, 0.0, -0.4)));
    }
    lab.run_seconds(2.0);
    vehicle
}

/// PRED-29, AUTH-53: at 100 ms, with and without loss, an own player that got in sits there in every tick from then on
/// though the host has it on foot for a round trip; the other client has it there a tick after the host.
#[test]
fn an_own_seat_does_not_flicker() {
    for loss in [0.0, 5.0] {
        let mut lab = Lab::idle(Plan::new("drive", 150, 2).network(100, loss));
        lab.run_seconds(2.0);
        let slot = lab.clients[0].slot();
        lab.clients[0].engine.take_over(0, drives(0.0, 1.0, 40));
        let (mut sat, mut began) = (0, [None; 3]);
        lab.watch_ticks(60, |lab, who| {
            let (at, world) = match who {
                Who::Host => (0, lab.host.engine.world()),
                Who::Client(of) => (of + 1, lab.clients[of].engine.world()),
            };
            if ride(world, slot).is_some() {
                began[at] = began[at].or(Some((world.tick(), lab.now())));
                sat += u32::from(at == 1);
            } else {
                assert_eq!(began[at], None, "{who:?} has it out again");
            }
        });
        let [host, own, other] = began.map(Option::unwrap);
        assert!((57..=60).contains(&sat), "{sat} of 60 ticks");
        let late = other.0.since(host.0);
        assert!(if loss == 0.0 { late <= 1 } else { late <= 4 }, "{late} ticks after the host");
        if loss == 0.0 {
            // The round trip as it is measured, and a tick.
            let trip = u64::from(lab.clients[0].net.clock().meter_ms().unwrap()) * 1000 + 33_334;
            assert!(other.1 - own.1 <= trip, "{} us after its driver, and {trip}", other.1 - own.1);
        }
        assert_eq!(lab.clients[0].engine.notes.own_moves, []);
    }
}

/// PRED-29, AUTH-53: two machines' players get into one vehicle in the same tick. Of one seat the host gives it to one; the
/// other sat in it on its own machine for a round trip and a little, and is out then. Of two seats it gets the second.
/// Everybody has it so, and nobody but the one who lost was put anywhere.
#[test]
fn two_want_one_seat() {
    for (kind, second) in [(Kind::Flyer, false), (Kind::Car, true)] {
        let mut lab = Lab::idle(Plan::new("flat", 151, 2).network(100, 0.0));
        let vehicle = beside_one(&mut lab, kind);
        let slots = [0, 1].map(|of| lab.clients[of].slot());
        for of in 0..2 {
            lab.clients[of].engine.notes.own_moves.clear();
            lab.clients[of].engine.take_over(0, drives(0.0, 0.0, 1));
        }
        // For how many of its ticks each has itself in the first seat.
        let mut sits = [0_u32; 2];
        lab.watch_ticks(60, |lab, who| {
            if let Who::Client(of) = who {
                sits[of] += u32::from(ride(lab.clients[of].engine.world(), slots[of]) == Some((vehicle, 0)));
            }
        });
        let host = slots.map(|slot| ride(lab.host.engine.world(), slot));
        let winner = host.iter().position(|ride| *ride == Some((vehicle, 0))).expect("somebody sits in it");
        let loser = 1 - winner;
        assert_eq!(host[loser], second.then_some((vehicle, 1)));
        let trip = lab.clients[loser].net.clock().meter_ms().unwrap().div_ceil(33);
        println!("{kind:?}: {} ticks in another's seat, a round trip is {trip}", sits[loser]);
        assert!((trip - 2..=trip + 5).contains(&sits[loser]), "{sits:?} and {trip}");
        assert!(sits[winner] >= 57, "{sits:?}");
        let seats = riders(&lab, vehicle);
        assert!(seats.iter().all(|seats| *seats == seats_of(&lab, vehicle)), "{seats:?}");
        assert_eq!(lab.clients[winner].engine.notes.own_moves, []);
        all_alike(&lab);
    }
}

fn seats_of(lab: &Lab, vehicle: ObjectId) -> [Option<ObjectId>; 2] {
    riders(lab, vehicle)[0]
}

/// AUTH-53, OBJ-01: a machine that joins while others ride has them in their seats, and their vehicles where the host has
/// them, two seconds after it began to play.
#[test]
fn who_comes_late_finds_them_riding() {
    let mut lab = Lab::play(Plan::new("drive", 152, 3).network(50, 2.0));
    let rides = |lab: &Lab, of: usize| ride(lab.host.engine.world(), lab.clients[of].slot()).is_some();
    lab.run_until("two ride", 60, |lab| (0..3).filter(|of| rides(lab, *of)).count() >= 2);
    let faults = lab.clients[0].network.impair().faults();
    let late = lab.join(Seating::of(vec![still()]).with_faults(faults));
    lab.run_until("it plays", 10, |lab| lab.clients[late].ticks > 0);
    lab.run_seconds(2.0);
    let [host, here] = [lab.host.engine.world(), lab.clients[late].engine.world()];
    let mut riding = 0;
    for vehicle in host.objects().filter(|id| host.riders(*id).is_some()) {
        let [there, here_at] = [host, here].map(|world| place(world, vehicle));
        assert!(there.distance(here_at) < 1.0, "{vehicle:?} at {here_at:?} and not {there:?}");
        assert_eq!(host.riders(vehicle), here.riders(vehicle), "{vehicle:?}");
        riding += u32::from(host.driver(vehicle).is_some());
    }
    assert!(riding >= 1, "{riding} ride");
}

/// How the copy of a car goes on that its driver got out of at full speed: what its machine's copy jumps at most in a tick,
/// what is drawn of that, and how far apart the two are once it rests.
fn left_while_it_goes(latency: u64) -> [f32; 3] {
    let mut lab = Lab::idle(Plan::new("drive", 153, 1).network(latency, 0.0));
    let car = seated(&mut lab);
    let slot = lab.clients[0].slot();
    lab.clients[0]
        .engine
        .take_over(0, Box::new(|_, _, _| Input { throttle: [1.0, 0.0], ..Input::default() }));
    lab.run_seconds(2.0);
    lab.clients[0].engine.take_over(0, drives(0.0, 0.0, 1));
    let world = |lab: &Lab| {
        [place(lab.clients[0].engine.world(), car), lab.clients[0].engine.world().drawn(car).unwrap()]
    };
    let (mut last, mut most) = (world(&lab), [0.0_f32; 2]);
    let mut stepped = |lab: &mut Lab, ticks| {
        lab.watch_ticks(ticks, |lab, who| {
            if who == Who::Client(0) {
                let now = world(lab);
                for of in 0..2 {
                    most[of] = most[of].max(now[of].distance(last[of]));
                }
                last = now;
            }
        });
        most
    };
    // Until the host has it out too, nothing that it told of before moves the copy.
    let before = stepped(&mut lab, Lab::ticks_of(latency));
    assert!(before[0] < 0.42, "{before:?} at {latency} ms");
    let most = stepped(&mut lab, 300);
    let worlds = [lab.host.engine.world(), lab.clients[0].engine.world()];
    assert_eq!(worlds.map(|world| ride(world, slot)), [None, None]);
    assert!(worlds.iter().all(|world| world.describe(car).unwrap().at_rest));
    [most[0], most[1], place(worlds[0], car).distance(place(worlds[1], car))]
}

/// OBJ-26, PRED-31: a driver gets out of a car at full speed, at any latency. Its copy rolls on as the host's will a round trip
/// later, in no tick further than a tick's way, and rests where the host's does: the host's word of it, of a round trip ago,
/// is of the way that it went.
#[test]
fn a_car_that_is_left_rolls_on() {
    for latency in [0, 50, 100, 200] {
        let [jump, drawn, apart] = left_while_it_goes(latency);
        println!("at {latency} ms it jumps {jump:.2} wu, drawn {drawn:.2} wu, and rests {apart:.3} wu off");
        assert!(jump < 0.41 && drawn < 0.41 && apart < 0.05, "{jump}, {drawn} and {apart} wu");
    }
}

/// The second client's player stands beside the way of the first one's car, which comes along at full speed.
fn beside_the_way(latency: u64) -> (Lab, ObjectId, Slot) {
    let mut lab = Lab::idle(Plan::new("drive", 158, 2).network(latency, 0.0));
    let car = seated(&mut lab);
    let slot = lab.clients[1].slot();
    let ahead = place(lab.host.engine.world(), car) + Vec3::new(30.0, 1.0, 0.0);
    assert!(lab.host.engine.world_mut().move_to(slot, ahead));
    lab.run_seconds(1.0);
    lab.clients[1].engine.notes.own_moves.clear();
    lab.clients[0]
        .engine
        .take_over(0, Box::new(|_, _, _| Input { throttle: [1.0, 0.0], ..Input::default() }));
    (lab, car, slot)
}

/// A hand that presses the action button once, as soon as that is so on its machine.
fn presses_when(is_so: impl Fn(&World, Slot) -> bool + 'static) -> Hand {
    let mut pressed = false;
    Box::new(move |world, slot, _| {
        let presses = !pressed && is_so(world, slot);
        pressed |= presses;
        let buttons = if presses { Buttons::ACTION } else { Buttons::default() };
        Input { buttons, ..Input::default() }
    })
}

/// PRED-29, AUTH-53: a player gets into another's car that passes at full speed, and out of it again, at any latency: on
/// the host it is got into where its machine saw it, though it is a round trip further by then, and one stands beside where it
/// was left. Nobody is put anywhere.
#[test]
fn a_car_that_passes_is_got_into_and_out_of() {
    for latency in [0, 50, 100, 200] {
        let (mut lab, car, slot) = beside_the_way(latency);
        lab.clients[1].engine.take_over(
            0,
            presses_when(|world, slot| world.position(slot).and_then(|at| world.seat_near(at)).is_some()),
        );
        let mut began = [false; 2];
        lab.watch_ticks(150, |lab, who| {
            let (at, world) = match who {
                Who::Host => (0, lab.host.engine.world()),
                Who::Client(1) => (1, lab.clients[1].engine.world()),
                Who::Client(_) => return,
            };
            let rides = ride(world, slot) == Some((car, 1));
            assert!(rides || !began[at], "{latency} ms: {who:?} has it out again");
            began[at] |= rides;
        });
        assert_eq!(began, [true; 2], "{latency} ms");
        lab.clients[1].engine.take_over(0, presses_when(|_, _| true));
        lab.run_seconds(2.0);
        let worlds = [lab.host.engine.world(), lab.clients[1].engine.world()];
        assert_eq!(worlds.map(|world| ride(world, slot)), [None; 2]);
        let apart = worlds[0].position(slot).unwrap().distance(worlds[1].position(slot).unwrap());
        assert!(apart < 0.05, "{latency} ms: {apart} wu");
        let notes = &lab.clients[1].engine.notes;
        assert_eq!((&notes.own_moves[..], &notes.own_seatings[..]), (&[][..], &[][..]), "{latency} ms");
    }
}

/// PRED-27, AUTH-53: who presses before the car is in reach on its own machine is on foot there, and the host, on which
/// the car passes just then, gives it no seat.
#[test]
fn a_press_that_reached_nothing_gets_into_nothing() {
    for latency in [50, 100, 200] {
        let (mut lab, car, slot) = beside_the_way(latency);
        lab.clients[1].engine.take_over(
            0,
            presses_when(move |world, slot| {
                world.position(slot).is_some_and(|at| at.distance(place(world, car)) < 3.0)
            }),
        );
        let mut passed = false;
        lab.watch_ticks(150, |lab, who| {
            let world = lab.host.engine.world();
            passed |= world.position(slot).unwrap().distance(place(world, car)) < 1.4;
            assert_eq!(ride(world, slot), None, "{who:?} at {latency} ms");
        });
        assert!(passed, "the car came by");
        assert_eq!(lab.clients[1].engine.notes.own_seatings, []);
    }
}

/// AUTH-53: whose driver's machine goes, in order or not, stands empty in the end where the host has it, on every
/// machine; the player is gone, and the next one may have it.
#[test]
fn a_vehicle_whose_drivers_machine_goes_is_anybodys() {
    for killed in [false, true] {
        let mut lab = Lab::idle(Plan::new("drive", 154, 2).network(40, 0.0));
        let car = seated(&mut lab);
        let slot = lab.clients[0].slot();
        lab.clients[0]
            .engine
            .take_over(0, Box::new(|_, _, _| Input { throttle: [1.0, 0.0], ..Input::default() }));
        lab.run_seconds(2.0);
        if killed {
            lab.kill(0);
        } else {
            lab.quit(0);
        }
        lab.run_seconds(if killed { 20.0 } else { 6.0 });
        let host = lab.host.engine.world();
        assert!(host.player(slot).is_none_or(|player| player.left));
        assert_eq!(riders(&lab, car), [[None; 2]; 2]);
        assert!(host.describe(car).unwrap().at_rest);
        all_alike(&lab);
        let (next, at) = (lab.clients[1].slot(), place(host, car) + Vec3::new(1.0, 0.0, 0.1));
        assert!(lab.host.engine.world_mut().move_to(next, at));
        lab.run_seconds(1.0);
        lab.clients[1].engine.take_over(0, drives(0.0, 1.0, 60));
        lab.run_seconds(2.0);
        let worlds = [lab.host.engine.world(), lab.clients[1].engine.world()];
        assert_eq!(worlds.map(|world| ride(world, next)), [Some((car, 0)); 2]);
        assert!(place(worlds[0], car).distance(at) > 5.0);
    }
}

/// AUTH-53, OBJ-07: a driver dies, or its vehicle is deleted, at full speed: in a round trip every machine has it out, on foot
/// where the host has it, or dead; what it drove rests where the host's does.
#[test]
fn a_driver_dies_and_a_vehicle_goes() {
    for dies in [true, false] {
        let mut lab = Lab::idle(Plan::new("drive", 155, 2).network(100, 0.0));
        let car = seated(&mut lab);
        let slot = lab.clients[0].slot();
        lab.clients[0]
            .engine
            .take_over(0, Box::new(|_, _, _| Input { throttle: [1.0, 0.0], ..Input::default() }));
        lab.run_seconds(2.0);
        lab.clients[0].engine.take_over(0, still());
        let world = lab.host.engine.world_mut();
        let unit = world.unit(slot).unwrap();
        assert!(if dies { world.kill(slot, None) } else { world.erase(car) });
        lab.run_ticks(2 * Lab::ticks_of(100) + 3);
        assert!(riders(&lab, car).iter().all(|seats| *seats == [None; 2]));
        for world in
            std::iter::once(lab.host.engine.world()).chain(lab.clients.iter().map(|s| s.engine.world()))
        {
            assert_eq!(world.unit(slot), (!dies).then_some(unit));
            assert_eq!(world.describe(car).is_some(), dies);
        }
        lab.run_seconds(8.0);
        all_alike(&lab);
        if !dies {
            let places = [lab.host.place(slot), lab.clients[0].place(slot), lab.clients[1].place(slot)];
            assert!(places.iter().all(|place| place.distance(places[0]) < 0.05), "{places:?}");
        }
    }
}

/// AUTH-53: half a minute of bots on `carpark`, who want each other's seats, with loss: everybody who stands a while is in
/// the same seat, or out, on every machine.
#[test]
fn seats_are_the_same_once_it_is_quiet() {
    for seed in 156..160 {
        let hand = |of: u64| Seating::of(vec![bot(seed * 10 + of)]);
        let mut lab =
            Lab::play_as(Plan::new("carpark", seed, 5).network(60, 5.0), hand(0), |of| hand(of as u64 + 1));
        let mut most = 0;
        for _ in 0..6 {
            lab.run_seconds(5.0);
            lab.stand_still();
            lab.run_seconds(4.0);
            let host = lab.host.engine.world();
            most = most.max(Slot::all().filter(|slot| ride(host, *slot).is_some()).count());
            for (place, seat) in lab.clients.iter().enumerate() {
                let here = seat.engine.world();
                for vehicle in host.objects().filter(|id| host.riders(*id).is_some()) {
                    assert_eq!(host.riders(vehicle), here.riders(vehicle), "client {place}, seed {seed}");
                }
            }
            lab.host.engine.take_over(0, bot(seed));
            for (of, seat) in lab.clients.iter_mut().enumerate() {
                seat.engine.take_over(0, bot(seed + of as u64));
            }
        }
        assert!(most >= 3, "{most} rode, seed {seed}");
    }
}

/// A press of the action button in a tick and again some ticks later is out and in again, on the host too, also within a
/// round trip: the vehicle stands on the driver's machine where it left it.
#[test]
fn out_and_in_again_within_a_round_trip() {
    for pause in [4_u32, 9] {
        let mut lab = Lab::idle(Plan::new("drive", 157, 1).network(200, 0.0));
        let car = seated(&mut lab);
        let slot = lab.clients[0].slot();
        let mut passed = 0;
        let hand = move |_: &_, _, _| {
            passed += 1;
            let presses = passed == 8 || passed == 8 + pause;
            let buttons = if presses { Buttons::ACTION } else { Buttons::default() };
            Input { buttons, throttle: [if passed < 8 { 1.0 } else { 0.0 }, 0.0], ..Input::default() }
        };
        lab.clients[0].engine.take_over(0, Box::new(hand));
        let mut outs = [0; 2];
        lab.watch_ticks(60, |lab, who| {
            let (at, world) = match who {
                Who::Host => (0, lab.host.engine.world()),
                Who::Client(_) => (1, lab.clients[0].engine.world()),
            };
            outs[at] += u32::from(ride(world, slot).is_none());
        });
        assert_eq!(outs, [pause; 2], "ticks on foot, on the host and on its own machine");
        assert_eq!(lab.clients[0].engine.notes.own_moves, []);
        assert_eq!(ride(lab.host.engine.world(), slot), Some((car, 0)));
    }
}
