//! Targets of the files of `wire` with scores, game types' states and pickups: what was read can be written, and reads the
//! same. Knows what a reader promises, not what a game counts.

use mjolnir_wire::game_state::{
    Body, CtfState, GAME_TYPES, GameState, GameStateHeader, KingState, MOST_HILL_POINTS, OddballState,
    RaceState, SlayerState, body_bytes,
};
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::pickups::{Pickup, PickupEntry};
use mjolnir_wire::statistics::{PlayerStatistics, PlayerStatisticsEntry, Statistics};
use mjolnir_wire::{Error, Kind, Message};

use super::entries::{comes_back, with_message};
use super::layouts::both_ways;

/// Those bytes as a state of each game type there may be.
fn state(body: &[u8]) {
    for game_type in 0..=GAME_TYPES.len() as u8 {
        let whole = body_bytes(game_type).map(|bytes| GameStateHeader::SIZE + bytes);
        match GameState::read(body, game_type) {
            Ok(state) => {
                assert_eq!((state.game_type(), Some(body.len())), (game_type, whole));
                if let Body::King(hill) = &state.body {
                    assert!((0..=MOST_HILL_POINTS).contains(&hill.point_count));
                    assert!(hill.points.as_flattened().iter().all(|part| part.is_finite()));
                }
                let mut bytes = Vec::new();
                state.write(&mut bytes);
                assert_eq!(GameState::read(&bytes, game_type), Ok(state));
            }
            Err(Error::UnknownKind) => assert_eq!(whole, None),
            Err(Error::Truncated) => assert!(whole.is_some_and(|whole| body.len() < whole)),
            Err(Error::TrailingBytes) => assert!(whole.is_some_and(|whole| body.len() > whole)),
            Err(_) => assert_eq!(whole, Some(body.len())),
        }
    }
}

/// Every reader of that message's kind.
pub(super) fn walk(message: &Message<'_>) {
    match message.kind {
        Kind::PlayerStatistics => PlayerStatistics::read_all(message).flatten().for_each(|said| {
            assert!(said.slot.index() < MAX_PLAYERS);
            comes_back(&said, PlayerStatistics::write, PlayerStatistics::read);
        }),
        Kind::Pickups => {
            let pickups = Pickup::read_all(message).flatten();
            pickups.for_each(|pickup| comes_back(&pickup, Pickup::write, Pickup::read));
        }
        _ => state(message.body),
    }
}

/// Kind 3.
pub(super) fn statistics(bytes: &[u8]) {
    with_message(&[Kind::PlayerStatistics], bytes, walk);
    both_ways!(bytes; PlayerStatisticsEntry, Statistics);
}

/// Kind 7: the body is as long as the game type's struct, for each game type.
pub(super) fn game_state(bytes: &[u8]) {
    with_message(&[Kind::GameState], bytes, walk);
    both_ways!(bytes; CtfState, GameStateHeader, KingState, OddballState, RaceState, SlayerState);
}

/// Kind 13.
pub(super) fn pickups(bytes: &[u8]) {
    with_message(&[Kind::Pickups], bytes, walk);
    both_ways!(bytes; PickupEntry);
}
