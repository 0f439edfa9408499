//! The game's own updates, each way: what a client's says of the host's, and what a host takes of a client's.

use mjolnir_tests::{Lab, Plan, Seating, Way, bot, each_packet};
use mjolnir_wire::packets::Packet;
use mjolnir_wire::packets::list::ClientUpdate;
use mjolnir_wire::packets::values::{Action, Actions};
use mjolnir_wire::{Buttons, Moment};

/// A client says what it expected at its last tick: so long ago at most, in microseconds, with a frame to spare.
const LAST_TICK: u64 = 40_000;

/// The numbers of the host's updates that a client heard and what its own said that it expects next, with the moments;
/// and how many actions its own had.
type Said = (Vec<(Moment, i32)>, Vec<(Moment, i32)>, usize);

fn said(lab: &Lab, place: usize) -> Said {
    let passed = lab.clients[place].network.passed();
    let (mut heard, mut expected, mut actions) = (Vec::new(), Vec::new(), 0);
    each_packet(passed, Way::In, |at, packet| {
        if let Packet::GameUpdate(update) = packet {
            heard.push((at, update.number));
        }
    });
    each_packet(passed, Way::Out, |at, packet| {
        if let Packet::ClientUpdate(update) = packet {
            expected.push((at, update.next_update));
            actions += update.actions.as_slice().len();
        }
    });
    (heard, expected, actions)
}

/// CLOCK-17, NET-66, NET-18: from a client's first update on, each says that the next one expected is the one after the
/// last that it had heard, and claims no action; so it does where the streams were held back and thirty ticks' worth
/// came at once.
#[test]
fn a_client_says_which_update_it_expects() {
    let mut lab = Lab::open(
        Plan { start: 70_000, ..Plan::new("flat", 121, 2).network(50, 0.0) },
        Seating::of(vec![bot(1)]),
    );
    for place in 0..2 {
        lab.join(
            Seating::of(vec![bot(place)]).with_faults(Plan::new("flat", 121, 2).network(50, 0.0).faults),
        );
        lab.clients[place as usize].network.listen();
    }
    lab.gather();
    lab.begin();
    lab.settle();
    lab.run_seconds(3.0);
    for stalls in [true, false] {
        lab.clients[1].network.impair().stall(stalls);
        lab.run_seconds(2.5);
    }
    lab.run_seconds(5.0);
    for place in 0..2 {
        let (heard, expected, actions) = said(&lab, place);
        assert!(heard.len() >= 35, "client {place} heard {} updates", heard.len());
        assert!(expected.len() >= 100, "client {place} said {} updates", expected.len());
        assert_eq!(actions, 0);
        let next = |until: Moment| {
            let last = heard.iter().rev().find(|(at, _)| *at <= until);
            last.map_or(0, |(_, number)| (number + 1) & 0x7FFF_FFFF)
        };
        for (at, expects) in &expected {
            let before = Moment::from_micros(at.as_micros().saturating_sub(LAST_TICK));
            let may = next(before)..=next(*at);
            assert!(may.contains(expects), "client {place} expects {expects}, not {may:?}");
        }
        let exact = expected.iter().filter(|(at, expects)| *expects == next(*at)).count();
        assert!(exact * 2 > expected.len(), "{exact} of {}", expected.len());
        assert_eq!(expected.last().unwrap().1, heard.last().unwrap().1 + 1);
    }
}

/// NET-18: a client update that claims the trigger and every button presses nothing at the host, which hears it.
#[test]
fn a_host_takes_no_input_of_a_client_update() {
    let mut lab = Lab::idle(Plan::new("flat", 122, 1));
    lab.run_ticks(60);
    let slot = lab.clients[0].slot();
    let place = lab.host.place(slot);
    let action = Action { flags: u32::MAX, reals: [1.0; 5], choices: [1; 3] };
    let update = ClientUpdate { next_update: 0, actions: Actions::new(&[action; 4]).unwrap() };
    let mut bytes = Vec::new();
    Packet::ClientUpdate(update).write(&mut bytes).unwrap();
    let counters = lab.host.net.counters();
    for _ in 0..30 {
        lab.host.network.forge(lab.clients[0].network.address(), &bytes);
        lab.run_ticks(1);
        let driven = lab.host.engine.notes.driven[slot.index()].unwrap();
        assert_eq!((driven.buttons, driven.throttle), (Buttons::default(), [0.0, 0.0]));
    }
    assert_eq!(lab.host.place(slot), place);
    let after = lab.host.net.counters();
    assert_eq!((after.refused, after.dropped), (counters.refused, counters.dropped), "they were well-formed");
}
