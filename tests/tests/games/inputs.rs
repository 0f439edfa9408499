//! How a player's input goes: at once at home, each tick to the host, from there to everybody.

use std::collections::BTreeMap;

use mjolnir_tests::{Fate, Hand, Lab, Plan, Seating, Way, Who, go, messages, still};
use mjolnir_wire::inputs::{PlayerInput, RelayedActions};
use mjolnir_wire::{Buttons, Input, Kind, MessageType, Tick, framing};

/// One client, by a dedicated host; its player stands.
fn pair(seed: u64, milliseconds: u64, loss: f32) -> Lab {
    Lab::idle(Plan::new("flat", seed, 1).network(milliseconds, loss))
}

/// PRED-01: at 200 ms each way a player runs in the tick of its input, and its host's copy only six ticks later.
#[test]
fn a_player_runs_at_once_at_home() {
    let mut lab = pair(21, 200, 0.0);
    lab.run_ticks(60);
    let slot = lab.clients[0].slot();
    let from = lab.host.place(slot);
    lab.clients[0].engine.take_over(0, go(0.0));
    let first = lab.clients[0].net.clock().tick().unwrap().next();
    let (mut here, mut there) = (None, None);
    let begun = lab.now();
    lab.watch_ticks(40, |lab, who| match who {
        Who::Client(_) if here.is_none() => {
            let moved = lab.clients[0].place(slot).distance(from);
            assert!(moved >= 0.07, "{moved}");
            here = lab.clients[0].ticked;
        }
        Who::Host if there.is_none() && lab.host.place(slot).distance(from) > 0.01 => {
            there = Some(lab.now() - begun);
        }
        _ => {}
    });
    assert_eq!(here, Some(first));
    let ticks = there.unwrap() / 33_333;
    assert!((6..=9).contains(&ticks), "{ticks}");
}

/// AUTH-06: the host's own player acts in the tick of its input.
#[test]
fn a_player_of_the_host_acts_at_once() {
    let mut lab = Lab::play_as(Plan::new("flat", 22, 0), Seating::of(vec![still()]), |_| unreachable!());
    lab.run_ticks(30);
    let slot = lab.host.slot();
    let from = lab.host.place(slot);
    lab.host.engine.take_over(0, go(0.0));
    lab.run_ticks(1);
    assert!(lab.host.place(slot).distance(from) >= 0.07);
}

/// PRED-05: in 300 ticks a client says its input 300 times, each of its own tick, within that tick.
#[test]
fn an_input_goes_each_tick() {
    let mut lab = pair(23, 50, 0.0);
    lab.clients[0].network.listen();
    let first = lab.clients[0].net.clock().tick().unwrap();
    while lab.clients[0].net.clock().tick().unwrap() < first.plus(300) {
        lab.step();
    }
    let mut ticks = Vec::new();
    messages(lab.clients[0].network.passed(), Way::Out, |_, message| {
        if message.kind == Kind::PlayerInputs {
            for input in PlayerInput::read_all(message) {
                let input = input.unwrap();
                assert_eq!(input.tick, message.tick);
                ticks.push(input.tick);
            }
        }
    });
    assert_eq!(ticks, (1..=300).map(|n| first.plus(n)).collect::<Vec<Tick>>());
}

/// A jump for one tick in each 60.
fn hops() -> Hand {
    Box::new(|_, _, tick| Input {
        buttons: if tick.get() % 60 == 0 { Buttons::JUMP } else { Buttons::default() },
        ..Input::default()
    })
}

/// Loses so many datagrams in a row of each 60 of the machine's inputs, around a press.
fn gaps(lost: i32) -> impl FnMut(mjolnir_wire::Moment, &[u8]) -> Fate {
    move |_, bytes| match framing::read_datagram(bytes) {
        // The stamp stands at a place of its own in a batch.
        Ok((MessageType::Data, bytes)) => {
            let tick = i32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
            if (0..lost).contains(&(tick % 60)) { Fate::Lost } else { Fate::Heard }
        }
        _ => Fate::Heard,
    }
}

/// PRED-07, PRED-10: a jump pressed for one tick reaches the host and the others where up to three datagrams in
/// a row are lost, each once; with four lost none does.
#[test]
fn a_press_is_lost_with_four_datagrams_in_a_row() {
    for (lost, whole) in [(1, true), (3, true), (4, false)] {
        let mut lab = Lab::idle(Plan::new("flat", 24, 2).network(30, 0.0));
        let slot = lab.clients[0].slot();
        lab.host.network.meddle(gaps(lost));
        lab.clients[0].engine.take_over(0, hops());
        lab.run_ticks(60 * 20);
        lab.stand_still();
        lab.run_ticks(30);
        let [pressed, host, other] = [&lab.clients[0].engine, &lab.host.engine, &lab.clients[1].engine]
            .map(|engine| engine.notes.jumps[slot.index()]);
        assert!((19..=20).contains(&pressed), "{pressed}");
        assert_eq!([host, other], [if whole { pressed } else { 0 }; 2], "{lost} in a row");
        assert_eq!(lab.clients[0].engine.notes.own_moves, []);
    }
}

/// PRED-07: on a line that loses one datagram in ten, each way, next to no jump of a thousand is lost, and none is
/// made twice.
#[test]
fn jumps_are_counted_alike_under_loss() {
    let mut lab = Lab::idle(Plan::new("flat", 25, 2).network(50, 10.0));
    let slot = lab.clients[0].slot();
    lab.clients[0].engine.take_over(0, hops());
    lab.run_ticks(60 * 200);
    lab.stand_still();
    lab.run_ticks(60);
    let [pressed, host, other] = [&lab.clients[0].engine, &lab.host.engine, &lab.clients[1].engine]
        .map(|engine| engine.notes.jumps[slot.index()]);
    // Four in a row are lost once in ten thousand.
    assert_eq!([host, other], [pressed; 2]);
    assert!(pressed >= 199);
}

/// AUTH-07: a client that is not heard for three seconds, while it runs and holds its jump button, runs on with its last
/// stick, and its buttons are let go after two: it presses nothing anew, and does once it is heard again.
#[test]
fn a_silent_player_runs_on() {
    let mut lab = pair(26, 0, 0.0);
    lab.run_ticks(30);
    let slot = lab.clients[0].slot();
    let yaw = if lab.host.place(slot).x > 0.0 { std::f32::consts::PI } else { 0.0 };
    lab.clients[0].engine.take_over(
        0,
        Box::new(move |_, _, _| Input {
            yaw,
            throttle: [1.0, 0.0],
            buttons: Buttons::JUMP,
            ..Input::default()
        }),
    );
    lab.run_ticks(30);
    lab.partition(0, true);
    let jumps = |lab: &Lab| lab.host.engine.notes.jumps[slot.index()];
    let (from, pressed) = (lab.host.place(slot), jumps(&lab));
    assert_eq!(pressed, 1);
    lab.run_ticks(58);
    let held = |lab: &Lab| lab.host.engine.notes.driven[slot.index()].unwrap();
    assert!(held(&lab).buttons.contains(Buttons::JUMP));
    lab.run_ticks(32);
    assert_eq!((held(&lab).buttons, held(&lab).throttle), (Buttons::default(), [1.0, 0.0]));
    // It was in the air.
    let run = (lab.host.place(slot).x - from.x).abs();
    assert!((run - 90.0 * 0.08).abs() < 0.01, "{run}");
    assert_eq!(jumps(&lab), pressed);
    lab.partition(0, false);
    lab.run_ticks(10);
    assert_eq!(jumps(&lab), pressed + 1, "it holds the button still");
}

/// AUTH-08, AUTH-73: what is relayed of a tick is what the host's tick was driven with, of every player but the
/// machine's own.
#[test]
fn what_is_relayed_is_what_was_driven() {
    let mut lab = Lab::play(Plan::new("rooms", 27, 3).network(50, 2.0));
    let own = lab.clients[0].slot();
    lab.clients[0].network.listen();
    let mut driven = BTreeMap::new();
    lab.watch_ticks(300, |lab, who| {
        if who == Who::Host {
            driven.insert(lab.tick(), lab.host.engine.notes.driven);
        }
    });
    let (mut seen, near) = (0, |a: f32, b: f32| (a - b).abs() < 0.01);
    messages(lab.clients[0].network.passed(), Way::In, |_, message| {
        let Some(driven) = driven.get(&message.tick).filter(|_| message.kind == Kind::RelayedActions) else {
            return;
        };
        for action in RelayedActions::read(message).unwrap() {
            let action = action.unwrap();
            assert_ne!(action.slot, own);
            let ran = driven[action.slot.index()].unwrap();
            assert_eq!(action.input.buttons.low16(), ran.buttons.low16());
            assert!((0..2).all(|i| near(action.input.throttle[i], ran.throttle[i])));
            assert!(near(action.input.yaw, ran.yaw) && near(action.input.pitch, ran.pitch));
            seen += 1;
        }
    });
    assert!(seen > 400, "{seen}");
}

/// AUTH-73: a relayed action of a client's own player, forged, moves nothing.
#[test]
fn a_forged_action_of_an_own_player_is_refused() {
    let mut lab = pair(28, 0, 0.0);
    let slot = lab.clients[0].slot();
    let from = lab.clients[0].place(slot);
    let mut outbox = mjolnir_wire::Outbox::new();
    for _ in 0..30 {
        lab.run_ticks(1);
        outbox.begin(lab.tick(), 1);
        let input = Input { throttle: [1.0, 0.0], ..Input::default() };
        let action = mjolnir_wire::inputs::RelayedAction { slot, input, history: Default::default() };
        outbox
            .entry(mjolnir_wire::MachineSet::CLIENTS, Kind::RelayedActions, |bytes| action.write(bytes))
            .unwrap();
        let host = lab.host.network.address();
        let client = mjolnir_wire::Machine::new(1).unwrap();
        let link = &mut lab.clients[0].network;
        outbox
            .gather_datagrams(client, &mut mjolnir_wire::BatchWriter::new(), |bytes| link.forge(host, bytes));
    }
    lab.run_ticks(10);
    assert_eq!(lab.clients[0].place(slot), from);
    assert_eq!(lab.clients[0].net.counters().refused.get("own_slot"), Some(&30));
}

/// GLUE-23, PRED-09: a button pressed and let go between two ticks, in frames alone, is a press of the next tick,
/// once.
#[test]
fn a_tap_between_two_ticks_is_a_press() {
    let mut lab = pair(29, 0, 0.0);
    let slot = lab.clients[0].slot();
    let mut presses = 0;
    for _ in 0..10 {
        // From a tick on, until one frame has seen the button.
        while lab.step() != Who::Client(0) || lab.clients[0].ticked.is_none() {}
        lab.clients[0].engine.pressed = Buttons::JUMP;
        while lab.step() != Who::Client(0) {}
        assert_eq!(lab.clients[0].ticked, None);
        lab.clients[0].engine.pressed = Buttons::default();
        presses += 1;
        lab.run_ticks(60);
        assert_eq!(lab.clients[0].engine.notes.jumps[slot.index()], presses);
        assert_eq!(lab.host.engine.notes.jumps[slot.index()], presses);
    }
}
