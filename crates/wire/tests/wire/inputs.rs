//! Inputs, from a client and relayed.

use std::f32::consts::TAU;

use mjolnir_wire::inputs::{PlayerInput, RelayedAction, RelayedActions};
use mjolnir_wire::{Buttons, Error, Input, Message, Tick};
use proptest::prelude::*;

use super::bytes::{hex, message, slot, tick, written};

/// The golden vector of kind 14.
const INPUT: &str = "03c80e0145230100000000004523010041230100020800000000c03f000080be0000803f000000bf0000803f\
                     ffffffffffff00000208000800000000";

fn entry() -> Vec<u8> {
    hex(INPUT)[8..].to_vec()
}

fn with(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut entry = entry();
    entry[at..at + bytes.len()].copy_from_slice(bytes);
    entry
}

fn input() -> Input {
    Input {
        buttons: Buttons(5),
        yaw: 1.5,
        pitch: -0.25,
        throttle: [1.0, -0.5],
        trigger: 1.0,
        weapon: None,
        grenade: Some(1),
        zoom: Some(1),
    }
}

fn relayed(buttons: [u32; 4]) -> RelayedAction {
    RelayedAction { slot: slot(3), input: input(), history: buttons.map(Buttons) }
}

fn bytes(action: &RelayedAction) -> Vec<u8> {
    written(|to| action.write(to))
}

fn read(entry: &[u8]) -> Result<RelayedAction, Error> {
    let bytes = message(15, 1, &[&[0; 4], entry].concat());
    RelayedActions::read(&Message::read(&bytes)?)?.next().unwrap()
}

/// WIRE-27: four players take 8 + 4 x 52 bytes; the history begins with the tick's own buttons.
#[test]
fn a_client_says_a_whole_input_for_each_of_its_players() {
    let one = PlayerInput::read(&entry()).unwrap();
    assert_eq!(one.history[0].low16(), one.input.buttons.low16());
    let four = message(14, 4, &entry().repeat(4));
    assert_eq!(four.len(), 8 + 4 * 52);
    let read: Vec<_> = PlayerInput::read_all(&Message::read(&four).unwrap()).collect();
    assert_eq!(read, [Ok(one); 4]);
}

/// WIRE-29, 59: the choices stand at their offsets; pads are zero and not looked at.
#[test]
fn choices_stand_at_their_offsets() {
    let base = PlayerInput::read(&entry()).unwrap();
    let written = |change: fn(&mut PlayerInput)| {
        let mut input = base;
        change(&mut input);
        written(|to| input.write(to))
    };
    assert_eq!(written(|input| input.structure_bsp = Some(7)), with(1, &[7]));
    assert_eq!(written(|input| input.structure_bsp = None), with(1, &[0xFF]));
    assert_eq!(written(|input| input.friendly_fire = true), with(2, &[1]));
    assert_eq!(written(|input| input.input.weapon = Some(3)), with(36, &[3, 0]));
    assert_eq!(written(|input| input.input.grenade = Some(1)), with(38, &[1, 0]));
    assert_eq!(written(|input| input.input.zoom = Some(0x1234)), with(40, &[0x34, 0x12]));
    for (byte, on) in [(0x00, false), (0x01, true), (0xFE, false), (0xFF, true)] {
        assert_eq!(PlayerInput::read(&with(2, &[byte])).unwrap().friendly_fire, on);
    }
    for pad in [with(3, &[9]), with(42, &[9, 9])] {
        assert_eq!(PlayerInput::read(&pad), Ok(base));
    }
}

/// WIRE-72, WIRE-09 and WIRE-10 (in part: the kinds that are read so far): what is not finite or no choice is refused, what is too much is pinned.
#[test]
fn an_input_is_checked_field_by_field() {
    let real = |at: usize, value: f32| PlayerInput::read(&with(at, &value.to_le_bytes()));
    for at in [16, 20, 24, 28, 32] {
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(real(at, value), Err(Error::NotFinite), "{at}");
        }
    }
    assert_eq!(real(24, 1.5).unwrap().input.throttle[0], 1.0);
    assert_eq!(real(28, -1.5).unwrap().input.throttle[1], -1.0);
    assert_eq!(real(32, -1.0).unwrap().input.trigger, 0.0);
    assert_eq!(real(32, 7.0).unwrap().input.trigger, 1.0);
    let word =
        |at: usize, value: i16| PlayerInput::read(&with(at, &value.to_le_bytes())).map(|read| read.input);
    for (at, last) in [(36, 3), (38, 1)] {
        assert!(word(at, -1).is_ok() && word(at, 0).is_ok() && word(at, last).is_ok());
        assert_eq!(word(at, last + 1), Err(Error::BadIndex));
        assert_eq!(word(at, -2), Err(Error::BadIndex));
    }
    assert_eq!(word(40, -2), Err(Error::BadIndex));
    assert_eq!(word(40, 0).unwrap().zoom, Some(0));
    assert_eq!(word(40, i16::MAX).unwrap().zoom, Some(0x7FFF));
    assert_eq!(PlayerInput::read(&with(0, &[128])), Err(Error::BadIndex));
    assert_eq!(PlayerInput::read(&with(4, &[0xFF; 4])), Err(Error::BadTick));
    assert_eq!(PlayerInput::read(&with(8, &[0xFF; 4])), Err(Error::BadTick));
    assert_eq!(PlayerInput::read(&entry()[..51]), Err(Error::Truncated));
}

/// WIRE-60: a bad entry between two good ones.
#[test]
fn a_bad_input_is_refused_alone() {
    let bytes = message(14, 3, &[entry(), with(0, &[200]), entry()].concat());
    let read: Vec<_> =
        PlayerInput::read_all(&Message::read(&bytes).unwrap()).map(|read| read.is_ok()).collect();
    assert_eq!(read, [true, false, true]);
    let good = super::inputs::bytes(&relayed([5; 4]));
    let mut bad = good.clone();
    bad[2] = 4;
    let bytes = message(15, 3, &[&[1, 0, 0, 0][..], &good, &bad, &good].concat());
    let read: Vec<_> = RelayedActions::read(&Message::read(&bytes).unwrap()).unwrap().collect();
    assert_eq!(read.len(), 3);
    assert!(read[0].is_ok() && read[2].is_ok());
    assert_eq!(read[1], Err(Error::BadIndex));
}

/// WIRE-28, 74: 14, 16, 18 and 20 bytes; a history left out is the next newer's.
#[test]
fn older_buttons_travel_where_they_differ() {
    for (history, parts, length) in [
        ([5, 5, 5, 5], 0b000, 14),
        ([5, 5, 9, 9], 0b010, 16),
        ([5, 9, 9, 9], 0b001, 16),
        ([5, 5, 5, 9], 0b100, 16),
        ([5, 9, 5, 5], 0b011, 18),
        ([5, 9, 5, 9], 0b111, 20),
    ] {
        let entry = bytes(&relayed(history));
        assert_eq!((entry[1], entry.len()), (parts, length), "{history:?}");
        assert_eq!(read(&entry).unwrap().history, history.map(Buttons));
    }
}

/// WIRE-30: a client's and a relayed input of one tick mean the same, as coarse as the second travels.
#[test]
fn a_relayed_input_means_what_the_client_said() {
    let said = PlayerInput::read(&entry()).unwrap();
    let action = RelayedAction { slot: said.slot, input: said.input, history: said.history };
    let relayed = read(&bytes(&action)).unwrap();
    assert_eq!(relayed.history, said.history);
    assert_eq!(relayed.input.buttons, said.input.buttons);
    for (had, sent) in relayed.input.throttle.into_iter().zip(said.input.throttle) {
        assert!((had - sent).abs() <= 0.5 / 127.0);
    }
    assert!((relayed.input.yaw - said.input.yaw).abs() <= TAU / 65536.0 * 0.51);
    assert!((relayed.input.pitch - said.input.pitch).abs() <= TAU / 65536.0 * 0.51);
    let none = (relayed.input.weapon, relayed.input.grenade, relayed.input.zoom);
    assert_eq!(none, (None, None, None));
    // A zoom past what a byte holds is as far as a byte goes.
    let far = RelayedAction { input: Input { zoom: Some(300), ..said.input }, ..action };
    assert_eq!(read(&bytes(&far)).unwrap().input.zoom, Some(127));
}

/// WIRE-73: each name's bit; every bit that came is written again, only known ones are applied.
#[test]
fn buttons_keep_their_bits() {
    let named = [
        Buttons::CROUCH,
        Buttons::JUMP,
        Buttons::USER_1,
        Buttons::USER_2,
        Buttons::FLASHLIGHT,
        Buttons::EXACT_FACING,
        Buttons::ACTION,
        Buttons::MELEE,
        Buttons::LOOK_WITHOUT_TURNING,
        Buttons::FORCE_ALERT,
        Buttons::RELOAD,
        Buttons::PRIMARY_TRIGGER,
        Buttons::SECONDARY_TRIGGER,
        Buttons::THROW_GRENADE,
        Buttons::SWAP_WEAPONS,
    ];
    let names = "crouch jump user_1 user_2 flashlight exact_facing action melee look_without_turning force_alert \
                 reload primary_trigger secondary_trigger throw_grenade swap_weapons";
    assert!(names.split_whitespace().eq(Buttons::NAMES));
    for (bit, button) in named.into_iter().enumerate() {
        assert_eq!(button, Buttons(1 << bit));
    }
    let action = relayed([0xF012, 0xE345, 0xE345, 0xE345]);
    let entry = bytes(&action);
    assert_eq!(entry[12..], [0x12, 0xF0, 0x45, 0xE3]);
    assert_eq!(bytes(&read(&entry).unwrap()), entry);
    assert_eq!(read(&entry).unwrap().history[0].known(), Buttons(0x7012));
    let wide = with(12, &0xDEAD_BEEF_u32.to_le_bytes());
    let read = PlayerInput::read(&wide).unwrap();
    assert_eq!(read.input.buttons, Buttons(0xDEAD_BEEF));
    assert_eq!(written(|to| read.write(to)), wide);
}

prop_compose! {
    pub(crate) fn any_input()(
        buttons in any::<u32>(),
        [yaw, pitch] in any::<[f32; 2]>().prop_filter("not finite", |all| all.iter().all(|one| one.is_finite())),
        throttle in prop::array::uniform2(-1.0_f32..=1.0),
        trigger in 0.0_f32..=1.0,
        weapon in prop::option::of(0_u8..4),
        grenade in prop::option::of(0_u8..2),
        zoom in prop::option::of(0_u16..0x8000),
    ) -> Input {
        Input { buttons: Buttons(buttons), yaw, pitch, throttle, trigger, weapon, grenade, zoom }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    /// WIRE-11: a client's input comes back to the bit.
    #[test]
    fn an_input_comes_back_to_the_bit(
        index in 0_u8..128,
        structure_bsp in prop::option::of(0_u8..0xFF),
        friendly_fire in any::<bool>(),
        ticks in prop::array::uniform2(0..=i32::MAX),
        input in any_input(),
        history in any::<[u16; 4]>(),
    ) {
        let said = PlayerInput {
            slot: slot(index),
            structure_bsp,
            friendly_fire,
            tick: tick(ticks[0]),
            host_tick: tick(ticks[1]),
            input,
            history: history.map(Buttons::from_low16),
        };
        let entry = written(|to| said.write(to));
        prop_assert_eq!(PlayerInput::read(&entry), Ok(said));
    }

    /// WIRE-11, 28: a relayed action is 14 to 20 bytes, and what was read is written as it came.
    #[test]
    fn a_relayed_action_is_written_as_it_came(
        index in 0_u8..128,
        input in any_input(),
        history in prop::array::uniform4(0_u32..3),
    ) {
        let entry = bytes(&RelayedAction { slot: slot(index), input, history: history.map(Buttons) });
        prop_assert!((14..=20).contains(&entry.len()) && entry.len().is_multiple_of(2));
        let read = read(&entry).unwrap();
        prop_assert_eq!(read.input.buttons, read.history[0]);
        prop_assert_eq!(bytes(&read), entry);
    }
}

/// WIRE-05: the ticks' ends.
#[test]
fn an_input_holds_every_tick() {
    for at in [4, 8] {
        let read = PlayerInput::read(&with(at, &i32::MAX.to_le_bytes())).unwrap();
        assert_eq!(if at == 4 { read.tick } else { read.host_tick }, Tick::LAST);
    }
}
