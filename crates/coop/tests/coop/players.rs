//! Whether a game is co-op, and whom scripts speak of.

use mjolnir_coop::{is_coop, script_order};
use mjolnir_wire::Slot;

fn slots(indices: &[u8]) -> Vec<Slot> {
    indices.iter().map(|index| Slot::new(*index).unwrap()).collect()
}

/// COOP-01, 02: a game is co-op on a campaign's level without a gametype, and with any gametype, or on another level, it is not.
#[test]
fn a_campaigns_level_without_a_gametype_is_coop() {
    assert!(is_coop(true, 0));
    assert!(!is_coop(false, 0));
    for game_type in [1, 2, 5, -1, i32::MIN, i32::MAX] {
        assert!(!is_coop(true, game_type), "{game_type}");
        assert!(!is_coop(false, game_type), "{game_type}");
    }
}

/// COOP-22, 23: players come in descending order, those without a unit are skipped; what is done to player0 reaches everybody but
/// player1, and what is done to both leaves nobody behind.
#[test]
fn an_action_on_player0_reaches_all_but_player1() {
    for (with_units, order, with_player0) in [
        // Slot 2 has no unit.
        (&[0, 1, 3][..], &[3, 1, 0][..], &[3, 0][..]),
        (&[0, 1, 2, 3], &[3, 2, 1, 0], &[3, 1, 0]),
        (&[1, 3, 0, 1], &[3, 1, 0], &[3, 0]),
        (&[5, 127], &[127, 5], &[127]),
        (&[4], &[4], &[4]),
        (&[], &[], &[]),
    ] {
        let script = script_order(slots(with_units));
        assert_eq!(script.players().collect::<Vec<_>>(), slots(order));
        assert_eq!(script.with_player0().collect::<Vec<_>>(), slots(with_player0));
        assert_eq!(script.player0(), slots(order).first().copied());
        assert_eq!(script.player1(), slots(order).get(1).copied());
        let mut inside: Vec<_> = script.with_player0().chain(script.player1()).collect();
        inside.sort_unstable_by(|one, other| other.cmp(one));
        assert_eq!(inside, slots(order));
    }
    let all = script_order(Slot::all());
    assert!(all.players().map(Slot::get).eq((0..128).rev()));
    assert!(all.with_player0().map(Slot::get).eq(std::iter::once(127).chain((0..126).rev())));
}
