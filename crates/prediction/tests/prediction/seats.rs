//! Who sits where: others as the host says at once, own players once they have ridden otherwise for a round trip.

use super::*;

const CAR: u16 = 300;

fn seat(number: i16) -> Ride {
    Ride { vehicle: Some(unit(CAR)), seat: number }
}

/// AUTH-53: another's seat is the host's at once: getting in, changing seats, getting out where the host has it stand.
#[test]
fn another_sits_where_the_host_says() {
    let mut scene = Scene::other();
    scene.rides(OTHER, seat(0));
    scene.run();
    assert_eq!(scene.seats(), [Some(seat(0))]);
    assert_eq!(scene.rows[0].ride, Some(seat(0)));
    scene.rides(OTHER, seat(0));
    scene.run();
    assert_eq!(scene.seats(), []);
    scene.rides(OTHER, seat(2));
    scene.run();
    assert_eq!(scene.seats(), [Some(seat(2))]);
    scene.word(OTHER, east(7.0), None);
    scene.run();
    assert_eq!(scene.seats(), [None]);
    assert_eq!(scene.place(0), east(7.0), "it stands where the host has it");
    assert_eq!(scene.client.corrected(), 0);
    scene.run();
    assert_eq!((scene.seats(), scene.moves().len()), (vec![], 0));
}

/// AUTH-53: a seat in a vehicle that is not there waits for it, for as long as no newer word comes.
#[test]
fn a_seat_waits_for_its_vehicle() {
    let mut scene = Scene::other();
    scene.missing.push(unit(CAR));
    scene.rides(OTHER, seat(1));
    for _ in 0..5 {
        scene.run();
        assert_eq!(scene.seats(), []);
    }
    scene.missing.clear();
    scene.run();
    assert_eq!(scene.seats(), [Some(seat(1))]);

    let mut scene = Scene::other();
    scene.missing.push(unit(CAR));
    scene.rides(OTHER, seat(1));
    scene.run();
    scene.word(OTHER, east(0.5), None);
    scene.missing.clear();
    scene.run();
    assert_eq!((scene.seats(), scene.place(0).x), (vec![], 0.25), "it was got out of again");
    // So does one of who rides already.
    let elsewhere = Ride { vehicle: Some(unit(301)), seat: 0 };
    let mut scene = Scene::other();
    scene.sit(0, seat(1));
    scene.missing.push(unit(301));
    scene.rides(OTHER, elsewhere);
    scene.run();
    assert_eq!(scene.seats(), []);
    scene.missing.clear();
    scene.run();
    assert_eq!(scene.seats(), [Some(elsewhere)]);

    let mut scene = Scene::other();
    let nowhere = Ride { vehicle: None, seat: 3 };
    scene.rides(OTHER, nowhere);
    scene.run();
    assert_eq!(scene.seats(), [], "a seat of nothing is none");
}

/// AUTH-53: a word that was carried out seats nobody a second time: a copy that this machine's game lets out stays out
/// until the next word.
#[test]
fn a_seat_is_taken_once_a_word() {
    let mut scene = Scene::other();
    scene.rides(OTHER, seat(0));
    scene.run();
    scene.rides(OTHER, seat(0));
    scene.run();
    scene.rows[0].ride = None;
    scene.rows[0].placement = Some(at(Vec3::ZERO));
    scene.run();
    assert_eq!(scene.seats(), []);
    scene.rides(OTHER, seat(0));
    scene.run();
    assert_eq!(scene.seats(), [Some(seat(0))]);
}

/// PRED-29: an own player that got in is left there for a round trip, and is out once the host has said otherwise for
/// longer; it stands where the host has it.
#[test]
fn an_own_seat_is_the_hosts_after_a_round_trip() {
    let mut scene = Scene::own();
    scene.word(OWN, Vec3::ZERO, None);
    scene.run();
    scene.before();
    scene.sit(0, seat(0));
    scene.after();
    let entered = scene.tick;
    while scene.tick < entered + TRIP {
        scene.word(OWN, east(2.0), None);
        scene.run();
        assert_eq!(scene.seats(), [], "tick {}", scene.tick - entered);
    }
    scene.word(OWN, east(2.0), None);
    scene.run();
    assert_eq!(scene.tick, entered + TRIP + 1);
    assert_eq!(scene.seats(), [None]);
    assert_eq!(scene.place(0), east(2.0));
    assert_eq!(scene.client.own_corrections(), 0);
}

/// PRED-29: the host that says so in time leaves it; so does one that says nothing, for its last word is of before.
#[test]
fn an_own_seat_that_the_host_has_too_is_kept() {
    for silent in [false, true] {
        let mut scene = Scene::own();
        scene.word(OWN, Vec3::ZERO, None);
        scene.run();
        scene.before();
        scene.sit(0, seat(0));
        scene.after();
        let entered = scene.tick;
        for _ in 0..40 {
            if !silent && scene.tick < entered + TRIP - 1 {
                scene.word(OWN, Vec3::ZERO, None);
            } else if scene.tick >= entered + if silent { 30 } else { TRIP - 1 } {
                scene.rides(OWN, seat(0));
            }
            scene.run();
            assert_eq!(scene.seats(), [], "tick {}", scene.tick - entered);
        }
    }
}

/// PRED-29: getting out is an own player's too, and so is another seat; a seat that the host gives, it gets after a round
/// trip, where the vehicle is there.
#[test]
fn an_own_player_gets_out_and_over_by_itself() {
    for (goes_to, host) in [(None, seat(0)), (Some(seat(1)), seat(0)), (None, seat(3))] {
        let mut scene = Scene::own();
        scene.sit(0, seat(0));
        scene.rides(OWN, seat(0));
        scene.run();
        scene.before();
        match goes_to {
            Some(ride) => scene.sit(0, ride),
            None => (scene.rows[0].ride, scene.rows[0].placement) = (None, Some(at(Vec3::ZERO))),
        }
        scene.after();
        let went = scene.tick;
        for t in 1..=TRIP {
            scene.rides(OWN, host);
            scene.run();
            assert_eq!(scene.seats(), [], "tick {t}");
        }
        scene.missing.push(unit(CAR));
        scene.rides(OWN, host);
        scene.run();
        assert_eq!((scene.tick, scene.seats()), (went + TRIP + 1, vec![]), "its vehicle is not there");
        scene.missing.clear();
        scene.rides(OWN, host);
        scene.run();
        assert_eq!(scene.seats(), [Some(host)]);
    }
}

/// PRED-36: what the host said of an earlier unit's seat says nothing of the next.
#[test]
fn a_new_life_has_no_seat() {
    let mut scene = Scene::own();
    scene.sit(0, seat(0));
    scene.rides(OWN, seat(0));
    scene.run();
    scene.rows[0].unit = unit(55);
    (scene.rows[0].ride, scene.rows[0].placement) = (None, Some(at(Vec3::ZERO)));
    for _ in 0..3 * TRIP {
        scene.run();
        assert_eq!(scene.seats(), []);
    }
    scene.rides(OWN, seat(1));
    scene.run();
    assert_eq!(scene.seats(), [], "it has stood otherwise for no time");
}

/// PRED-13, 29: who is seated by the host in the middle of a glide is drawn where it sits, at once.
#[test]
fn who_is_seated_does_not_glide_on() {
    let mut scene = Scene::own();
    scene.run();
    scene.word(OWN, east(3.5), Some(100));
    scene.run();
    scene.rides(OWN, seat(1));
    scene.run();
    assert!(scene.offsets[0] != Vec3::ZERO);
    scene.rides(OWN, seat(1));
    scene.commands.clear();
    let rows = Rows { units: &scene.rows, vehicles: &[] };
    let next = tick(scene.tick + 1);
    scene.client.before_tick(next, 0, rows, &[], |_| true, &mut scene.commands);
    assert_eq!(scene.seats(), [Some(seat(1))], "there is hardly a round trip");
    assert!(scene.commands.contains(&Command::Offset { unit: unit(2), offset: Vec3::ZERO }));
}

proptest! {
    /// PRED-29: whatever an own player and its host do with seats, it is put into the host's with a word that comes when
    /// they have been apart for longer than a round trip, then, and never else.
    #[test]
    fn an_own_seat_is_given_up_in_time_and_never_before(
        steps in prop::collection::vec((prop::option::weighted(0.1, 0..3_i16), prop::option::weighted(0.6, 0..3_i16)), 1..120),
    ) {
        // Seat 0 is on foot.
        let ride = |number: i16| (number > 0).then(|| seat(number));
        let mut scene = Scene::own();
        let mut said = None;
        let mut apart: Option<i32> = None;
        for (goes, host) in steps {
            if let Some(number) = host {
                match ride(number) {
                    Some(ride) => scene.rides(OWN, ride),
                    None => scene.word(OWN, Vec3::ZERO, None),
                }
                said = Some(ride(number));
            }
            let before = scene.rows[0].ride;
            scene.before();
            if said.is_some_and(|said| said != before) {
                apart.get_or_insert(scene.tick);
            } else {
                apart = None;
            }
            let given_up = host.is_some() && apart.is_some_and(|since| scene.tick - since > TRIP);
            prop_assert_eq!(scene.seats(), if given_up { said.into_iter().collect() } else { vec![] });
            if given_up {
                apart = None;
            }
            if let Some(number) = goes {
                (scene.rows[0].ride, scene.rows[0].placement) = match ride(number) {
                    Some(ride) => (Some(ride), None),
                    None => (None, Some(at(Vec3::ZERO))),
                };
            }
            let sits = scene.rows[0].ride;
            scene.after();
            if said.is_some_and(|said| said != sits) {
                apart.get_or_insert(scene.tick);
            } else {
                apart = None;
            }
        }
    }
}
