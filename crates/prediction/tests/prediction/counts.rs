//! Whose counts of rounds and grenades an own player shows.

use super::*;

fn holds(scene: &Scene, of: u16, acted: i32) -> bool {
    // The counts are asked for before the tick that is next.
    scene.client.own_counts_hold(tick(scene.tick + 1), TRIP as u32, OWN, unit(of), tick(acted))
}

/// PRED-28: fired at t, with a round trip of 6 ticks: what the host says is ignored until t+5 and taken from t+6 on.
#[test]
fn own_counts_hold_for_a_round_trip() {
    let mut scene = Scene::own();
    scene.run();
    scene.run();
    let fired = scene.tick;
    for after in 1..=10 {
        assert_eq!(holds(&scene, 2, fired), after < TRIP, "{after} ticks after");
        assert!(!holds(&scene, 3, fired), "another unit's are the host's");
        scene.run();
    }
    assert!(!scene.client.own_counts_hold(tick(fired + 1), TRIP as u32, OTHER, unit(2), tick(fired)));
}

/// PRED-28, 36: a unit that is new since the last shot has the counts that the host gives it.
#[test]
fn a_new_units_counts_are_the_hosts() {
    let mut scene = Scene::own();
    scene.run();
    scene.run();
    let fired = scene.tick;
    scene.rows[0].unit = unit(55);
    assert!(!holds(&scene, 55, fired), "it was not seen yet");
    scene.run();
    assert!(!holds(&scene, 55, fired));
    let fired = scene.tick;
    assert!(holds(&scene, 55, fired));
    scene.rows.clear();
    scene.run();
    assert!(!holds(&scene, 55, fired), "the dead have none");
}

/// PRED-28: a rider's hold as those of a player on foot do, and getting in begins no new life.
#[test]
fn a_riders_counts_hold() {
    let mut scene = Scene::own();
    scene.run();
    let fired = scene.tick;
    scene.before();
    scene.sit(0, wheel(unit(300)));
    scene.after();
    assert!(holds(&scene, 2, fired));
}

/// PRED-28, OBJ-14: while they hold the host's weapons are carried with own counts, by what they are and not by slot; one
/// that is new has the host's.
#[test]
fn own_counts_stay_with_their_weapons() {
    let weapon = |index, rounds: i16| {
        Some(CarriedWeapon {
            object: unit(index),
            total: [rounds * 10, 0],
            loaded: [rounds, 1],
            age: rounds as u16,
        })
    };
    let own = Inventory {
        grenades: [1, 2],
        in_hand: Some(0),
        weapons: [weapon(40, 7), weapon(41, 8), None, None],
        ..Inventory::empty(unit(2))
    };
    let host = Inventory {
        grenades: [3, 4],
        in_hand: Some(1),
        weapons: [weapon(41, 30), None, weapon(42, 31), None],
        ..own
    };
    let expected =
        Inventory { grenades: [1, 2], weapons: [weapon(41, 8), None, weapon(42, 31), None], ..host };
    assert_eq!(keep_counts(&host, None, &own), expected);
    assert_eq!(keep_counts(&host, None, &host), host);
}

/// PRED-28: while they hold, what the host has more of than a word ago is had here too, what it has less of is not, and
/// neither is what a word on another unit had less of.
#[test]
fn what_was_picked_up_is_added_to_own_counts() {
    let weapon = |index, total, loaded| {
        Some(CarriedWeapon { object: unit(index), total: [total, 5], loaded: [loaded, 0], age: 0 })
    };
    let carries = |of, grenades, weapons: [_; 2]| {
        let [first, second] = weapons;
        Inventory { grenades, weapons: [first, second, None, None], ..Inventory::empty(unit(of)) }
    };
    let own = carries(2, [1, 4], [weapon(40, 90, 20), weapon(41, 50, 10)]);
    let before = carries(2, [2, 4], [weapon(40, 95, 25), weapon(41, 50, 10)]);
    let host = carries(2, [4, 3], [weapon(40, 103, 32), weapon(41, 47, 7)]);
    let given = keep_counts(&host, Some(&before), &own);
    assert_eq!(given, carries(2, [3, 4], [weapon(40, 98, 20), weapon(41, 50, 10)]));
    assert_eq!(keep_counts(&host, Some(&host), &own), own);
    // Five were fired and five picked up.
    let fired = carries(2, [2, 4], [weapon(40, 95, 20), weapon(41, 50, 10)]);
    let given = keep_counts(&fired, Some(&before), &own);
    assert_eq!(given, carries(2, [1, 4], [weapon(40, 95, 20), weapon(41, 50, 10)]));
    let others = Inventory { unit: unit(3), ..before };
    assert_eq!(keep_counts(&host, Some(&others), &own), own);
    // A weapon that the word before had not is no gain of rounds; numbers that mean nothing end at the last that there is.
    let lacked = carries(2, [2, 4], [None, weapon(41, i16::MIN, 10)]);
    let most = carries(2, [3, 4], [weapon(40, 90, 20), weapon(41, i16::MAX, 10)]);
    assert_eq!(keep_counts(&host, Some(&lacked), &own), most);
}

/// PRED-28: the word before is that on the same unit, of an own player; a new life begins without one.
#[test]
fn the_word_before_is_of_the_same_life() {
    let mut scene = Scene::own();
    scene.run();
    let word = |of, grenades| Inventory { grenades: [grenades, 0], ..Inventory::empty(unit(of)) };
    assert_eq!(scene.client.note_carried(&word(2, 1)), None);
    assert_eq!(scene.client.note_carried(&word(9, 3)), None, "nobody's");
    assert_eq!(scene.client.note_carried(&word(2, 2)), Some(word(2, 1)));
    scene.rows[0].unit = unit(55);
    scene.run();
    assert_eq!(scene.client.note_carried(&word(2, 2)), None);
    assert_eq!(scene.client.note_carried(&word(55, 4)), None);
    assert_eq!(scene.client.note_carried(&word(55, 4)), Some(word(55, 4)));
}
