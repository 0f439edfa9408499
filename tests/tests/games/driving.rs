//! Vehicles: who drives on a client drives on the host too, and sits there in the same seat.

use mjolnir_engine_glue::engine::Players as _;
use mjolnir_skirmish::game::{Kind, World};
use mjolnir_tests::{Hand, Lab, Plan, RESTS_WU, still};
use mjolnir_wire::{Buttons, Input, ObjectId, Slot};

/// A hand that presses the action button once, then holds that stick and looks there for so many ticks, then stands.
fn drives(yaw: f32, ahead: f32, ticks: u32) -> Hand {
    let mut passed = 0;
    Box::new(move |_, _, _| {
        passed += 1;
        match passed {
            1 => Input { buttons: Buttons::ACTION, yaw, ..Input::default() },
            at if at <= ticks => Input { yaw, throttle: [ahead, 0.0], ..Input::default() },
            _ => Input { yaw, ..Input::default() },
        }
    })
}

fn ride(world: &World, slot: Slot) -> Option<(ObjectId, u8)> {
    world.ride(world.unit(slot)?)
}

/// Both worlds of the first client's game.
fn worlds(lab: &Lab) -> [&World; 2] {
    [lab.host.engine.world(), lab.clients[0].engine.world()]
}

/// GLUE-17: a client's player gets into the car beside it, drives off, stops and gets out; it does so at once on its own
/// machine, and on the host by its relayed inputs. Once it is quiet both have it in the same seat, and the car at the
/// same place at rest; out of it, on foot. The client decided nothing.
#[test]
fn who_drives_on_a_client_drives_on_the_host() {
    for (latency, loss) in [(0, 0.0), (50, 0.0), (100, 2.0)] {
        let mut lab = Lab::idle(Plan::new("drive", 131, 1).network(latency, loss));
        lab.run_seconds(1.0);
        let slot = lab.clients[0].slot();
        lab.clients[0].engine.take_over(0, drives(0.4, 1.0, 90));
        let mut first = None;
        lab.watch_ticks(30, |lab, _| {
            let [host, client] = worlds(lab).map(|world| ride(world, slot));
            assert!(host.is_none() || client == host, "the host's before its own: {host:?} and {client:?}");
            first = first.or(client);
        });
        let (car, seat) = first.expect("it got in");
        assert_eq!((worlds(&lab)[0].kind(car), seat), (Some(Kind::Car), 0));
        let begin = worlds(&lab).map(|world| world.motion(car).unwrap().position);
        let rows = [0, 1].map(|of| {
            let mut rows = Vec::new();
            match of {
                0 => lab.host.engine.read_vehicles(&mut rows),
                _ => lab.clients[0].engine.read_vehicles(&mut rows),
            }
            rows.iter().map(|row| (row.vehicle, row.driver, row.machine)).collect::<Vec<_>>()
        });
        assert_eq!(rows[0], [(car, slot, worlds(&lab)[0].player(slot).unwrap().machine)]);
        assert_eq!(rows[0], rows[1]);

        lab.run_seconds(8.0);
        for (world, begin) in worlds(&lab).into_iter().zip(begin) {
            let made = world.describe(car).unwrap();
            assert!(made.at_rest && made.position.distance(begin) > 15.0, "{made:?} from {begin:?}");
            assert_eq!(ride(world, slot), Some((car, 0)));
        }
        let [here, there] = worlds(&lab).map(|world| world.motion(car).unwrap().position);
        println!("at {latency} ms and {loss} %: {} wu apart", here.distance(there));
        assert!(here.distance(there) < RESTS_WU, "{here:?} and {there:?}");

        lab.clients[0].engine.take_over(0, drives(0.4, 1.0, 60));
        lab.run_seconds(4.0);
        let places = worlds(&lab).map(|world| {
            assert_eq!((ride(world, slot), world.driver(car)), (None, None));
            world.position(slot).unwrap()
        });
        assert!(places[0].distance(here) > 4.0, "it walks: {places:?}");
        assert_eq!(lab.clients[0].engine.world().decisions().total(), 0);
    }
}

/// A host's own player drives; a client has its car where it goes, and at rest where it rests.
#[test]
fn a_hosts_car_moves_on_its_clients() {
    let seating = |hand: Hand| mjolnir_tests::Seating::of(vec![hand]);
    let mut lab =
        Lab::play_as(Plan::new("drive", 132, 2).network(40, 1.0), seating(still()), |_| seating(still()));
    lab.run_seconds(1.0);
    let slot = *lab.host.net.own_slots().first().unwrap();
    lab.host.engine.take_over(0, drives(2.0, 1.0, 90));
    lab.run_ticks(20);
    let (car, seat) = ride(lab.host.engine.world(), slot).expect("it got in");
    assert_eq!(seat, 0);
    let begin = lab.host.engine.world().motion(car).unwrap().position;
    lab.run_seconds(8.0);
    let there = lab.host.engine.world().motion(car).unwrap().position;
    assert!(there.distance(begin) > 15.0);
    for seat in &lab.clients {
        let made = seat.engine.world().describe(car).unwrap();
        assert!(made.at_rest && made.position.distance(there) < RESTS_WU, "{made:?} and not {there:?}");
    }
}
