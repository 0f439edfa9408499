//! Who is driven by what, and what goes to the host.

use super::*;

/// PRED-01: the own player is driven by its input in the same tick, before any word.
#[test]
fn an_own_player_is_driven_at_once() {
    let mut scene = Scene::own();
    scene.input = Input { throttle: [1.0, 0.0], yaw: 2.0, ..Input::default() };
    scene.before();
    assert_eq!(scene.commands, [Command::Drive { slot: OWN, unit: unit(2), input: scene.input }]);
}

/// PRED-01: a machine whose input was not read presses nothing and looks on.
#[test]
fn an_input_that_was_not_read_presses_nothing() {
    let mut scene = Scene::own();
    scene.input = Input { throttle: [1.0, 0.0], yaw: 2.0, buttons: Buttons::JUMP, ..Input::default() };
    scene.run();
    scene.commands.clear();
    let rows = Rows { units: &scene.rows, vehicles: &[] };
    scene.client.before_tick(tick(101), 6, rows, &[], |_| true, &mut scene.commands);
    assert_eq!(scene.driven(OWN), Some(Input { yaw: 2.0, ..Input::default() }));
}

/// PRED-03: a remote player is driven by the newest relayed input until a newer comes.
#[test]
fn a_remote_player_is_driven_by_what_is_relayed() {
    let mut scene = Scene::other();
    scene.run();
    assert_eq!(scene.driven(OTHER), None);
    let input = |yaw| Input { yaw, ..Input::default() };
    scene.relay(300, input(1.0)).unwrap();
    for _ in 0..5 {
        scene.run();
        assert_eq!(scene.driven(OTHER), Some(input(1.0)));
    }
    scene.relay(305, input(2.0)).unwrap();
    scene.run();
    assert_eq!(scene.driven(OTHER), Some(input(2.0)));
    assert_eq!(scene.relay(304, input(3.0)), Err(Error::NotNewer));
}

/// PRED-03: presses from while a player had no unit do not wait for its next.
#[test]
fn presses_of_the_dead_are_spent() {
    let mut scene = Scene::other();
    scene.relay(299, Input::default()).unwrap();
    scene.run();
    let row = scene.rows.pop().unwrap();
    scene.relay(300, Input { buttons: Buttons::JUMP, ..Input::default() }).unwrap();
    scene.run();
    scene.relay(301, Input::default()).unwrap();
    scene.run();
    scene.rows.push(row);
    scene.run();
    assert_eq!(scene.driven(OTHER), Some(Input::default()));
}

/// PRED-04, AUTH-73: a relayed input of an own player is refused and drives nothing.
#[test]
fn an_own_player_is_never_driven_by_what_is_relayed() {
    let mut scene = Scene::own();
    let input = Input { throttle: [-1.0, 0.0], ..Input::default() };
    let action = RelayedAction { slot: OWN, input, history: [Buttons(0); 4] };
    assert_eq!(scene.client.handle_relayed(tick(99), tick(99), &action), Err(Error::OwnSlot));
    scene.run();
    assert_eq!(scene.driven(OWN), Some(Input::default()));
    // Nor later, should the slot become another machine's.
    scene.client.set_own(&[]);
    scene.own.clear();
    scene.run();
    assert_eq!(scene.driven(OWN), None);
}

/// PRED-05, 06: each tick every own player's input goes to the host, with the three ticks' buttons before it.
#[test]
fn inputs_go_each_tick() {
    let slots: Vec<Slot> = Slot::all().take(5).collect();
    let mut scene = Scene::new(&slots, 4, 999);
    let buttons = |t: i32| Buttons(if t < 1_000 { 0 } else { 1 << (t % 15) });
    for t in 1_000..1_300 {
        scene.heard = t - 5;
        scene.input =
            Input { buttons: buttons(t), yaw: 1.5, trigger: 0.25, weapon: Some(1), ..Input::default() };
        scene.run();
        let (inputs, _) = scene.sent();
        assert_eq!(inputs.len(), 4);
        for (input, slot) in inputs.iter().zip(&slots) {
            let expected = PlayerInput {
                slot: *slot,
                structure_bsp: Some(3),
                friendly_fire: true,
                tick: tick(t),
                host_tick: tick(t - 5),
                input: scene.input,
                history: [0, 1, 2, 3].map(|back| buttons(t - back)),
            };
            assert_eq!(*input, expected);
        }
    }
}

/// PRED-27: on foot an own player's place after the tick goes with the input; riding or dead it does not, though
/// the input does.
#[test]
fn a_place_is_sent_on_foot_alone() {
    let mut scene = Scene::own();
    scene.walk_to(east(7.5));
    let (_, places) = scene.sent();
    let Life::Alive(living) = places[0].life else { panic!("it lives") };
    assert_eq!((places.len(), places[0].slot, living.unit), (1, OWN, unit(2)));
    assert_eq!(living.placement, Some(at(east(7.5))));
    assert_eq!((living.predicted, living.ride), (None, None));

    scene.rows[0].placement = None;
    scene.run();
    assert_eq!((scene.sent().0.len(), scene.sent().1.len()), (1, 0));
    assert!(scene.driven(OWN).is_some(), "what rides is driven");
    scene.rows.clear();
    scene.run();
    assert_eq!((scene.sent().0.len(), scene.sent().1.len()), (1, 0));
    assert_eq!(scene.driven(OWN), None);
}
