//! Which hosts a client joins, and what players read.

use mjolnir_transport::{Why, check_version, texts};
use mjolnir_wire::limits::NETWORK_VERSION;
use mjolnir_wire::packets::Rejection;

/// NET-01, 02, 04: another version is told with both numbers and what to do; so is one without this netcode.
#[test]
fn another_version_is_told_with_both_numbers() {
    assert_eq!(NETWORK_VERSION, 32);
    assert!(check_version(32, true).is_ok());
    for (version, is_distributed, words) in [
        (31, true, ["is older", "ask the host to update"]),
        (33, true, ["is newer", "update the game"]),
        (0, false, ["is older", "ask the host to update"]),
        (4, false, ["does not play this netcode", "ask the host to update"]),
        (32, false, ["does not play this netcode", "ask the host to update"]),
        (u16::MAX, false, ["is newer", "update the game"]),
    ] {
        let text = check_version(version, is_distributed).unwrap_err().to_string();
        for word in words {
            assert!(text.contains(word), "{text}");
        }
        assert!(text.contains(&format!("version {version})")) && text.contains("version 32"), "{text}");
    }
}

/// NET-44, WIRE-95: each reason has its text; an unknown one the general.
#[test]
fn each_reason_has_its_text() {
    for (reason, word) in [
        (Rejection::TooOld, "older"),
        (Rejection::TooNew, "newer"),
        (Rejection::BadToken, "token"),
        (Rejection::BadPassword, "password"),
        (Rejection::Full, "full"),
        (Rejection::Closed, "closed"),
        (Rejection::Blacklisted, "banned"),
        (Rejection::Other(7), "did not let"),
    ] {
        assert!(texts::rejection(reason).contains(word));
        assert_eq!(texts::closed(Why::Rejected(reason)), texts::rejection(reason));
    }
    let all =
        [Why::Left, Why::Gone, Why::Silent, Why::NotJoined, Why::NoPlayer, Why::NotLoaded, Why::Stalled];
    let texts: std::collections::BTreeSet<_> = all.iter().map(|why| texts::closed(*why)).collect();
    assert_eq!(texts.len(), all.len());
}
