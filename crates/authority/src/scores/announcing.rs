//! What two states of a game type, one after the other, say has happened in between (AUTH-49). Knows which counter counts
//! what, and not what a game makes of it.

use mjolnir_wire::Slot;
use mjolnir_wire::game_state::{Body, CtfState, GameState, OddballState, RaceState};

use crate::rows::Announcement;

/// Hands on each event that `after` counts and `before` does not, once: of a team's flag that it was taken before that it
/// came back, and that before its capture; of a player that it touched a flag before the lap that this made. A counter is a byte
/// and wraps.
pub(super) fn announce(before: &GameState, after: &GameState, mut each: impl FnMut(Announcement)) {
    match (&before.body, &after.body) {
        (Body::Ctf(before), Body::Ctf(after)) => ctf(before, after, &mut each),
        (Body::Oddball(before), Body::Oddball(after)) => oddball(before, after, &mut each),
        (Body::Race(before), Body::Race(after)) => race(before, after, &mut each),
        _ => {}
    }
}

/// Each of the events that a counter that went from one number to the other counts, and whether it is the last of them.
fn times(before: u8, after: u8, mut each: impl FnMut(bool)) {
    for left in (0..after.wrapping_sub(before)).rev() {
        each(left == 0);
    }
}

/// Who: of several events the last one's player is named, and of the others nobody.
fn who(byte: u8, is_last: bool) -> Option<Slot> {
    Slot::new(byte).filter(|_| is_last)
}

fn ctf(before: &CtfState, after: &CtfState, each: &mut impl FnMut(Announcement)) {
    for team in 0..2_u8 {
        let of = usize::from(team);
        times(before.grabs[of], after.grabs[of], |last| {
            each(Announcement::FlagGrabbed { team, by: who(after.grabber[of], last) });
        });
        times(before.returns[of], after.returns[of], |last| {
            each(Announcement::FlagReturned { team, by: who(after.returner[of], last) });
        });
        times(before.captures[of], after.captures[of], |last| {
            each(Announcement::FlagCaptured { team, by: who(after.capturer[of], last) });
        });
    }
}

fn oddball(before: &OddballState, after: &OddballState, each: &mut impl FnMut(Announcement)) {
    times(before.transfers, after.transfers, |last| {
        each(Announcement::BallPassed { to: who(after.transfer_player, last) });
    });
    times(before.touched_resets, after.touched_resets, |_| each(Announcement::BallReset { touched: true }));
    times(before.resets, after.resets, |_| each(Announcement::BallReset { touched: false }));
}

fn race(before: &RaceState, after: &RaceState, each: &mut impl FnMut(Announcement)) {
    for by in Slot::all() {
        let of = by.index();
        times(before.touches[of], after.touches[of], |_| each(Announcement::FlagTouched { by }));
        times(before.laps[of], after.laps[of], |_| each(Announcement::Lap { by }));
        times(before.best_laps[of], after.best_laps[of], |_| each(Announcement::BestLap { by }));
    }
}
