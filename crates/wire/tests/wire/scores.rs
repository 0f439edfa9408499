//! Statistics, the game types' states and pickups: what each field may say, and how long a state is.

use mjolnir_wire::game_state::{Body, GAME_TYPES, GameState, GameStateHeader, USUAL_SPEED, body_bytes};
use mjolnir_wire::pickups::{Pickup, PickupKind};
use mjolnir_wire::statistics::{PlayerStatistics, PlayerStatisticsEntry, Statistics};
use mjolnir_wire::{Error, Message, Tag};

use super::bytes::{hex, message, slot, written};

/// Every byte another number.
fn statistics(of: u8) -> PlayerStatistics {
    let bytes: Vec<u8> = (0..Statistics::SIZE as u8).map(|at| at.wrapping_mul(7) ^ of).collect();
    PlayerStatistics { slot: slot(of), statistics: Statistics::read(&bytes).unwrap() }
}

fn state(game_type: u8) -> GameState {
    GameState { post_game_phase: 0, body: Body::begin(game_type).unwrap() }
}

/// Reads a state whose bytes are those of a game that begins, but for some from `at` on in the body.
fn with(game_type: u8, at: usize, bytes: &[u8]) -> Result<GameState, Error> {
    let mut all = written(|to| state(game_type).write(to));
    all[4 + at..4 + at + bytes.len()].copy_from_slice(bytes);
    GameState::read(&all, game_type)
}

/// WIRE-46 (in part: statistics): full tables of 1 and of 128 players come back equal.
#[test]
fn statistics_of_everybody_come_back() {
    for players in [1, 128] {
        let all: Vec<PlayerStatistics> = (0..players).map(statistics).collect();
        let mut read = Vec::new();
        for some in all.chunks(63) {
            let body = written(|to| some.iter().for_each(|one| one.write(to)));
            let bytes = message(3, some.len() as u8, &body);
            let message = Message::read(&bytes).unwrap();
            read.extend(PlayerStatistics::read_all(&message).map(Result::unwrap));
        }
        assert_eq!(read, all);
    }
}

/// WIRE-75, 10: a player past the last, and one that is none, between two: both others are taken.
#[test]
fn statistics_of_nobody_are_passed_over() {
    for player in [128_i16, -1, i16::MIN, 0x0100 + 3] {
        let bad = PlayerStatisticsEntry {
            player,
            ..PlayerStatisticsEntry::read(&written(|to| statistics(1).write(to))).unwrap()
        };
        let body = written(|to| {
            statistics(127).write(to);
            bad.write(to);
            statistics(0).write(to);
        });
        let bytes = message(3, 3, &body);
        let read: Vec<_> = PlayerStatistics::read_all(&Message::read(&bytes).unwrap()).collect();
        assert_eq!(read, [Ok(statistics(127)), Err(Error::BadIndex), Ok(statistics(0))], "{player}");
    }
}

/// WIRE-78, 46: each game type's state is taken at exactly its length, not at a byte more or less, and as no other
/// type's; a game without a type has none.
#[test]
fn a_state_is_exactly_its_types() {
    for game_type in 1..=5 {
        let state = GameState { post_game_phase: -7, ..state(game_type) };
        assert_eq!(state.game_type(), game_type);
        let mut bytes = written(|to| state.write(to));
        assert_eq!(Some(bytes.len() - GameStateHeader::SIZE), body_bytes(game_type));
        assert_eq!(GameState::read(&bytes, game_type), Ok(state));
        for other in [0, 6, 255] {
            assert_eq!(GameState::read(&bytes, other), Err(Error::UnknownKind));
        }
        for other in (1..=5).filter(|other| *other != game_type) {
            let wanted = if body_bytes(other) > body_bytes(game_type) {
                Error::Truncated
            } else {
                Error::TrailingBytes
            };
            assert_eq!(GameState::read(&bytes, other), Err(wanted), "{game_type} as {other}");
        }
        assert_eq!(GameState::read(&bytes[..bytes.len() - 1], game_type), Err(Error::Truncated));
        assert_eq!(GameState::read(&bytes[..3], game_type), Err(Error::Truncated));
        bytes.push(0);
        assert_eq!(GameState::read(&bytes, game_type), Err(Error::TrailingBytes));
    }
    assert_eq!(GAME_TYPES.len(), 6);
    assert_eq!([0, 6].map(Body::begin), [None, None]);
}

/// WIRE-79, 10, 61: who is named is a slot or 0xFF.
#[test]
fn a_state_names_players_or_nobody() {
    let named = [(1, 46), (1, 47), (1, 50), (1, 54), (2, 1024), (2, 1151), (3, 1088), (3, 1103), (3, 1107)];
    for (game_type, at) in named {
        for (byte, refused) in
            [(127, None), (0xFF, None), (128, Some(Error::BadIndex)), (254, Some(Error::BadIndex))]
        {
            assert_eq!(with(game_type, at, &[byte]).err(), refused, "{game_type} at {at}: {byte}");
        }
    }
    // A count beside them is any byte.
    for (game_type, at) in [(1, 44), (1, 48), (1, 52), (3, 1104), (3, 1105), (3, 1106), (5, 1552), (5, 1935)]
    {
        assert!(with(game_type, at, &[200]).is_ok(), "{game_type} at {at}");
    }
}

/// WIRE-79, 10, 61: a flag is an object or none, of a team below 128 or of none.
#[test]
fn a_state_names_flags_or_none() {
    let flags = [(-1_i32, true), (0x0001_0005, true), (5, false), (0x0001_1FFF, true), (0x0001_2000, false)];
    for (raw, taken) in flags {
        for at in [0, 4] {
            assert_eq!(with(1, at, &raw.to_le_bytes()).err(), (!taken).then_some(Error::BadIndex), "{raw:x}");
        }
    }
    for (team, taken) in [(-1_i16, true), (127, true), (128, false), (-2, false)] {
        for at in [40, 42] {
            assert_eq!(with(1, at, &team.to_le_bytes()).err(), (!taken).then_some(Error::BadIndex), "{team}");
        }
    }
}

/// WIRE-79, 09, 64: a hill has at most twelve points, each a place of the level, one of five states, and no number that is
/// not finite.
#[test]
fn a_hill_is_within_its_bounds() {
    for (points, taken) in [(0, true), (12, true), (13, false), (-1, false), (i32::MAX, false)] {
        assert_eq!(with(4, 1152, &i32::to_le_bytes(points)).err(), (!taken).then_some(Error::OutOfRange));
    }
    for (of, taken) in [(0, true), (4, true), (5, false), (-1, false)] {
        assert_eq!(with(4, 1408, &i32::to_le_bytes(of)).err(), (!taken).then_some(Error::BadFlag));
    }
    for (of, taken) in [(-1, true), (127, true), (128, false), (-2, false)] {
        assert_eq!(with(4, 1416, &i32::to_le_bytes(of)).err(), (!taken).then_some(Error::BadIndex));
    }
    let floats = (1156..1408).step_by(4).chain([1420, 1424]);
    for at in floats {
        for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(with(4, at, &number.to_le_bytes()), Err(Error::NotFinite), "{at}");
        }
        let is_place = at < 1300 || (1396..1408).contains(&at);
        assert!(with(4, at, &32_768_f32.to_le_bytes()).is_ok(), "{at}");
        let past = with(4, at, &(-32_769_f32).to_le_bytes()).err();
        assert_eq!(past, is_place.then_some(Error::OutOfRange), "{at}");
    }
}

/// WIRE-79, 62: a game begins with nobody named and everybody as fast as ever.
#[test]
fn a_game_begins_with_nobody_named() {
    let Body::Slayer(slayer) = state(2).body else { panic!("another") };
    assert_eq!((slayer.target, slayer.speed), ([0xFF; 128], [USUAL_SPEED; 128]));
    for game_type in 1..=5 {
        assert_eq!(state(game_type).check(), Ok(()));
    }
}

/// WIRE-10, 61: a pickup is of a player, of one of five kinds, and of something; its count may be any.
#[test]
fn a_pickup_is_of_a_player_and_a_kind() {
    let pickup = Pickup { slot: slot(127), kind: PickupKind::Powerup, count: -1, tag: Tag(0xE1A4_001E) };
    let bytes = written(|to| pickup.write(to));
    assert_eq!(bytes, hex("7f04ffff1e00a4e1"));
    assert_eq!(Pickup::read(&bytes), Ok(pickup));
    for (number, kind) in (0..).zip(PickupKind::ALL) {
        let bytes = written(|to| Pickup { kind, ..pickup }.write(to));
        assert_eq!((bytes[1], Pickup::read(&bytes)), (number, Ok(Pickup { kind, ..pickup })));
    }
    let changed = |at: usize, to: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + to.len()].copy_from_slice(to);
        Pickup::read(&bytes)
    };
    assert_eq!(changed(0, &[128]), Err(Error::BadIndex));
    assert_eq!(changed(0, &[0xFF]), Err(Error::BadIndex));
    assert_eq!(changed(1, &[5]), Err(Error::BadFlag));
    assert_eq!(changed(4, &[0xFF; 4]), Err(Error::BadIndex));
    assert_eq!(Pickup::read(&bytes[..7]), Err(Error::Truncated));
}
