//! Vehicles that own players drive: when the host's word moves them, and what the host is told.

use super::*;

fn car() -> ObjectId {
    unit(300)
}

/// An own player at the wheel of a car at 0, and the host has it there too.
fn driving() -> Scene {
    let mut scene = Scene::own();
    scene.take_wheel(0, car(), Vec3::ZERO);
    scene.rides(OWN, wheel(car()));
    scene.run();
    scene
}

impl Scene {
    fn car(&self) -> Vec3 {
        self.vehicles[0].motion.position
    }

    /// A tick in which the car drives to there.
    fn drive_to(&mut self, place: Vec3) {
        self.before();
        self.vehicles[0].motion = moving(place);
        self.after();
    }

    fn vehicle_moves(&self) -> Vec<(Motion, Why)> {
        let moved = |command: &Command| match *command {
            Command::MoveVehicle { motion, why, .. } => Some((motion, why)),
            _ => None,
        };
        self.commands.iter().filter_map(moved).collect()
    }
}

/// PRED-17, 37: within 4 wu of where it was at the tick that the host names the vehicle is not moved; past it by exactly
/// the difference, and it keeps its later travel and how it moves.
#[test]
fn an_own_vehicle_is_moved_by_the_difference() {
    for direction in [east(1.0), Vec3::UP, -Vec3::UP, Vec3::new(0.6, 0.8, 0.0)] {
        for (off, moves) in [(3.9, false), (OWN_VEHICLE_TOLERANCE, false), (4.1, true)] {
            let mut scene = driving();
            for x in [1.0, 2.0, 3.0] {
                scene.drive_to(east(x));
            }
            let before = scene.vehicles[0].motion;
            // It is at 3 after tick 103; the host had it elsewhere than at 1 after 101.
            scene.vehicle_word(car(), east(1.0) + direction * off, Some(101));
            scene.run();
            let expected = if moves { east(3.0) + direction * off } else { east(3.0) };
            assert!(scene.car().distance(expected) < 1e-5, "{off}: {:?}", scene.car());
            assert_eq!(scene.client.own_vehicle_corrections(), u64::from(moves));
            assert_eq!(scene.client.own_corrections(), 0);
            let moved = Motion { position: scene.car(), ..before };
            assert_eq!(scene.vehicle_moves(), if moves { vec![(moved, Why::Teleport)] } else { vec![] });
        }
    }
}

/// PRED-38: the history moves along, so that echoes in flight move the vehicle no second time, whatever the round trip.
#[test]
fn a_vehicle_is_corrected_once() {
    for trip in 1..=20 {
        let mut scene = driving();
        let path = |t: i32| east((t - 100) as f32);
        for t in 101..200 {
            scene.before();
            scene.vehicles[0].motion.position += east(1.0);
            scene.after();
            assert_eq!(scene.tick, t);
            // From tick 140 on the host has it 5 wu to the side.
            let named = t - trip;
            let pushed = if named >= 140 { Vec3::new(0.0, 5.0, 0.0) } else { Vec3::ZERO };
            if named >= 100 {
                scene.vehicle_word(car(), path(named) + pushed, Some(named));
            }
        }
        assert_eq!(scene.client.own_vehicle_corrections(), 1, "{trip}");
        assert!(scene.car().distance(path(199) + Vec3::new(0.0, 5.0, 0.0)) < 1e-3, "{trip}");
    }
}

/// PRED-18: of a tick no longer kept only a teleport-sized difference moves the vehicle.
#[test]
fn a_vehicles_tick_no_longer_kept_hardly_corrects() {
    for (off, expected) in [(9.9, 0.0), (10.1, 10.1)] {
        let mut scene = driving();
        for _ in 0..PREDICTION_HISTORY + 10 {
            scene.run();
        }
        scene.vehicle_word(car(), east(off), Some(100));
        scene.run();
        assert!((scene.car().x - expected).abs() < 1e-5, "{off}");
    }
}

/// PRED-40: a word that names no tick is of the present: past 4 wu the vehicle is put there as the host has it move, and
/// its history begins anew.
#[test]
fn a_vehicles_word_without_a_tick_is_of_the_present() {
    for (host, put) in [(6.1, false), (5.9, true), (60.0, true)] {
        let mut scene = driving();
        scene.drive_to(east(10.0));
        scene.vehicle_word(car(), east(host), None);
        scene.run();
        assert_eq!(scene.car().x, if put { host } else { 10.0 });
        let there = (moving(east(host)), Why::Teleport);
        assert_eq!(scene.vehicle_moves(), if put { vec![there] } else { vec![] });
        assert_eq!(scene.client.own_vehicle_corrections(), 0, "it was put, not corrected");
        scene.vehicle_word(car(), east(-5.0), Some(100));
        scene.run();
        assert_eq!(scene.car().x, if put { host } else { 5.0 });
    }
}

/// PRED-40: until the host has the driver at the wheel too, a word without a tick is of somebody else's vehicle.
#[test]
fn a_vehicle_just_taken_is_not_put_back() {
    let mut scene = Scene::own();
    scene.run();
    scene.word(OWN, Vec3::ZERO, None);
    scene.take_wheel(0, car(), Vec3::ZERO);
    scene.run();
    for x in 1..=5 {
        scene.word(OWN, Vec3::ZERO, None);
        scene.drive_to(east(x as f32 * 3.0));
        scene.vehicle_word(car(), Vec3::ZERO, None);
    }
    scene.run();
    assert_eq!(scene.car(), east(15.0));
    scene.rides(OWN, wheel(car()));
    scene.vehicle_word(car(), Vec3::ZERO, None);
    scene.run();
    assert_eq!(scene.car(), Vec3::ZERO);
}

/// PRED-39: a teleporter that the vehicle goes through cuts its history.
#[test]
fn a_vehicles_teleport_cuts_its_history() {
    for told in [true, false] {
        let mut scene = driving();
        for _ in 0..5 {
            scene.run();
        }
        scene.before();
        scene.vehicles[0].motion = moving(east(50.0));
        if told {
            scene.client.handle_teleport(OWN);
        }
        scene.after();
        let through = scene.tick;
        scene.vehicle_word(car(), east(50.0), Some(through - 1));
        scene.run();
        assert_eq!(scene.car().x, if told { 50.0 } else { 100.0 });
        if told {
            scene.vehicle_word(car(), east(55.0), Some(through));
            scene.run();
            assert_eq!(scene.car(), east(55.0));
        }
    }
}

/// PRED-13: a vehicle that is moved is drawn gliding; once nobody of this machine drives it, it is drawn where it is.
#[test]
fn a_vehicle_glides() {
    let mut scene = driving();
    scene.vehicle_word(car(), east(5.0), Some(100));
    let mut drawn = 0.0;
    for after in 0..=GLIDE_TICKS {
        scene.run();
        let now = scene.car().x + scene.vehicle_offset.x;
        assert!((0.0..=2.6).contains(&(now - drawn)), "{after}: from {drawn} to {now}");
        assert_eq!(now == 5.0, after == GLIDE_TICKS);
        drawn = now;
    }
    for is_there in [true, false] {
        let mut scene = driving();
        scene.vehicle_word(car(), east(5.0), Some(100));
        scene.run();
        assert!(scene.vehicle_offset.x < -4.0);
        scene.vehicles.clear();
        scene.missing.extend((!is_there).then(car));
        scene.run();
        assert_eq!(scene.vehicle_offset == Vec3::ZERO, is_there, "what is gone is not drawn");
    }
}

/// PRED-26, 27: each tick one kind 12 for each driver, with its tick and where the vehicle is after it, and no place of
/// its own; a passenger tells neither.
#[test]
fn a_driver_tells_its_vehicle() {
    let slots: Vec<Slot> = Slot::all().take(5).collect();
    let mut scene = Scene::new(&slots, 4, 70_000);
    scene.take_wheel(0, car(), east(1.0));
    scene.take_wheel(1, unit(301), east(2.0));
    scene.sit(2, Ride { vehicle: Some(car()), seat: 1 });
    // Another machine's driver is its own machine's to tell.
    scene.take_wheel(4, unit(302), east(3.0));
    for _ in 0..3 {
        scene.run();
        let (inputs, places, vehicles) = scene.sent_all();
        assert_eq!((inputs.len(), places.len()), (4, 1), "one of the four is on foot");
        assert_eq!(places[0].slot, slots[3]);
        let time = tick(scene.tick).low16();
        let told = |object, x| VehiclePrediction { object, time, motion: moving(east(x)) };
        assert_eq!(vehicles, [told(car(), 1.0), told(unit(301), 2.0)]);
    }
    for row in 0..4 {
        scene.take_wheel(row, unit(310 + row as u16), Vec3::ZERO);
    }
    scene.vehicles.drain(..3);
    scene.run();
    assert_eq!(scene.sent_all().2.len(), 4);
    scene.rows.remove(0);
    scene.vehicles.remove(0);
    scene.run();
    let (_, places, vehicles) = scene.sent_all();
    assert_eq!((places.len(), vehicles.len()), (0, 3), "the dead tell nothing");
}

/// PRED-02: the driver's input drives in its tick.
#[test]
fn a_driver_is_driven_at_once() {
    let mut scene = driving();
    scene.input = Input { throttle: [1.0, 0.0], ..Input::default() };
    scene.run();
    assert_eq!(scene.driven(OWN), Some(scene.input));
}

/// PRED-17, 33: a word on what none of this machine's players drives is refused, and so is one older than the last.
#[test]
fn a_word_on_anothers_vehicle_is_refused() {
    let mut scene = driving();
    let word = |number| VehicleWord { tick: tick(number), motion: moving(east(50.0)), predicted: None };
    assert!(scene.client.drives(car()) && !scene.client.drives(unit(301)));
    assert_eq!(scene.client.handle_vehicle_word(unit(301), word(101)), Err(Error::NotDriven));
    assert_eq!(scene.client.handle_vehicle_word(car(), word(101)), Ok(()));
    assert_eq!(scene.client.handle_vehicle_word(car(), word(100)), Err(Error::NotNewer));
    scene.vehicles.clear();
    scene.rows[0].ride = None;
    scene.rows[0].placement = Some(at(Vec3::ZERO));
    scene.run();
    assert!(!scene.client.drives(car()));
    assert_eq!(scene.client.handle_vehicle_word(car(), word(102)), Err(Error::NotDriven));
}

/// PRED-35: what two players of one machine drive is apart, also when one of them changes its vehicle.
#[test]
fn two_drivers_are_apart() {
    let second = Slot::new(3).unwrap();
    let mut scene = Scene::new(&[OWN, second], 2, 99);
    scene.take_wheel(0, car(), Vec3::ZERO);
    scene.take_wheel(1, unit(301), east(100.0));
    scene.run();
    scene.vehicle_word(car(), east(5.0), Some(100));
    scene.vehicle_word(unit(301), east(103.0), Some(100));
    scene.run();
    assert_eq!((scene.car(), scene.vehicles[1].motion.position), (east(5.0), east(100.0)));
    scene.vehicles[1].vehicle = unit(302);
    scene.run();
    assert!(scene.client.drives(car()) && !scene.client.drives(unit(301)) && scene.client.drives(unit(302)));
    scene.vehicle_word(unit(302), east(150.0), Some(100));
    scene.run();
    assert_eq!(
        scene.vehicles[1].motion.position,
        east(100.0),
        "what it was before it had its driver is nothing"
    );
}
