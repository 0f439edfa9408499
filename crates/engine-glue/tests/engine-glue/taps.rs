//! Buttons between two ticks.

use mjolnir_wire::{Buttons, Slot};

use super::table::{Table, slot};

fn pressed(table: &Table, whose: Slot) -> Vec<i32> {
    let jumps = table
        .game
        .driven
        .iter()
        .filter(|(_, slot, input)| *slot == whose && input.buttons.contains(Buttons::JUMP));
    jumps.map(|(tick, ..)| *tick).collect()
}

/// GLUE-23, PRED-09: four frames with a press and a release inside one tick are a press of that tick, on a client and
/// on the host alike, and of no other.
#[test]
fn a_tap_between_two_ticks_is_a_press() {
    let mut table = Table::new(1);
    let a = table.seat(1);
    table.run(1_000);
    table.begin(0);
    table.run(2_000);
    // To just after a tick, so that the next is six frames away.
    let at = table.host.now_tick();
    while table.host.now_tick() == at {
        table.run(5);
    }
    for held in [false, true, true, false] {
        let buttons = if held { Buttons::JUMP } else { Buttons::default() };
        table.game.frame = buttons;
        table.seats[a].game.frame = buttons;
        table.run(5);
    }
    table.run(1_000);
    assert_eq!(pressed(&table, slot(0)), [at.get() + 2]);
    assert_eq!(pressed(&table, slot(1)).len(), 1);
}

/// PRED-09: what is held goes on as long as it is held, and no tick longer.
#[test]
fn what_is_held_is_pressed_while_it_is() {
    let mut table = Table::new(1);
    table.begin(0);
    table.run(1_000);
    table.game.frame = Buttons::JUMP;
    table.run(200);
    table.game.frame = Buttons::default();
    table.run(1_000);
    let ticks = pressed(&table, slot(0));
    assert!((6..=7).contains(&ticks.len()), "{ticks:?}");
    assert!(ticks.windows(2).all(|pair| pair[1] == pair[0] + 1));
}
