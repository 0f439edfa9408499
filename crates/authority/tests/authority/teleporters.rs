//! Steps on teleporters that a client makes before the host's copy does.

use super::*;

/// A client's player at 0, where a prediction of tick 90 was taken, beside a teleporter that leads to 80.
fn beside(exit: Option<Vec3>) -> Table {
    let mut table = Table::at(100, Vec3::ZERO);
    table.row.exit = exit;
    table.take(90, Vec3::ZERO);
    table
}

/// AUTH-22: a client that stepped on a teleporter which the host's copy has all but reached is taken where that leads, and
/// its tick is named: the copy has arrived there. Without that teleporter, and elsewhere, it is refused.
#[test]
fn a_clients_step_on_a_teleporter_is_taken() {
    for (exit, claim, taken) in [
        (Some(80.0), 80.0, true),
        (Some(80.0), 83.4, true),
        (Some(80.0), 83.6, false),
        (Some(80.0), 30.0, false),
        (None, 80.0, false),
        (None, 30.0, false),
    ] {
        let mut table = beside(exit.map(east));
        let place = table.take(91, east(claim));
        assert_eq!(place, east(if taken { claim } else { 0.0 }), "{exit:?} {claim}");
        assert_eq!(table.host.takings().past_tolerance, u64::from(!taken));
        if taken {
            let Command::Place { why, .. } = table.commands[0] else { panic!("{:?}", table.commands) };
            assert_eq!((why, table.named()), (Why::Teleport, Some(91)));
            // From there on it is measured as ever.
            table.row.exit = None;
            assert_eq!(table.take(92, east(claim + 0.08)), east(claim + 0.04));
            table.take(93, east(claim + 3.0));
            assert_eq!(table.host.takings().past_bounds, 1);
        }
    }
}

/// AUTH-22: a step within the tolerance is none: the copy is where its client has it, as ever.
#[test]
fn a_short_step_is_taken_as_ever() {
    let mut table = beside(Some(east(3.0)));
    table.take(91, east(0.16));
    let Command::Place { why, .. } = table.commands[0] else { panic!("{:?}", table.commands) };
    assert_eq!((why, table.place()), (Why::Blend, east(0.08)));
}

/// AUTH-22: only of a player that its client had here until of late, so that what a client says which does not know yet that
/// the host's copy was sent sends that nowhere.
#[test]
fn a_client_that_was_not_here_steps_on_nothing() {
    for (ticks, taken) in [(28, true), (29, false)] {
        let mut table = beside(Some(east(80.0)));
        table.ticks(ticks);
        assert_eq!(table.take(120, east(80.0)) == east(80.0), taken, "{ticks}");
    }
    // The host's copy steps first: its client's words of before are of where the exit there leads.
    let mut table = beside(None);
    table.put(standing(east(80.0)));
    table.host.placed_anew(slot(1));
    table.row.exit = Some(Vec3::ZERO);
    for client in 91..100 {
        assert_eq!(table.take(client, Vec3::ZERO), east(80.0));
        assert_eq!(table.named(), None);
    }
    assert_eq!(table.host.takings().past_tolerance, 0, "it cannot know yet");
    assert_eq!(table.take(100, east(80.0)), east(80.0));
    assert_eq!(table.named(), Some(100));
    table.row.exit = None;
    table.take(101, Vec3::ZERO);
    assert_eq!(table.host.takings().past_tolerance, 1, "it does by now");
}

/// AUTH-10, 22: what is said elsewhere in the second after the host's own teleport is refused without being counted; after it
/// it counts.
#[test]
fn what_cannot_be_known_yet_is_not_counted() {
    let mut table = beside(None);
    table.put(standing(east(80.0)));
    table.host.placed_anew(slot(1));
    for client in 91..131 {
        table.take(client, Vec3::ZERO);
        let counted = (client - 91 - ANCHOR_RENEW as i32 + 1).max(0);
        assert_eq!(table.host.takings().past_tolerance, counted as u64, "{client}");
    }
}

/// AUTH-22: nobody is there and back again before it can have left the one and stepped on the other, nor before it has: it is
/// three quarters of a world unit off.
#[test]
fn a_client_does_not_flit_between_two() {
    let rest = TELEPORT_REST as i32;
    for (ticks, away, taken) in
        [(rest - 1, 0.76, false), (rest, 0.76, true), (rest, 0.74, false), (60, 0.74, false)]
    {
        let mut table = beside(Some(east(80.0)));
        table.take(91, east(80.0));
        table.row.exit = Some(Vec3::ZERO);
        for step in 1..ticks {
            table.take(91 + step, east(80.0 + (0.2 * step as f32).min(away)));
        }
        assert_eq!(table.take(91 + ticks, Vec3::ZERO) == Vec3::ZERO, taken, "{ticks} {away}");
    }
}

/// AUTH-22 (ours): more of a client's ticks at once than jitter explains are the host's to have missed, in which its player may
/// have left where it was sent and stepped on that again: its step is taken, once in 90 ticks.
#[test]
fn a_step_in_ticks_that_the_host_missed_is_taken() {
    let jitter = ANCHOR_JITTER as i32;
    for (more, taken) in [(jitter, false), (jitter + 1, true)] {
        let mut table = beside(Some(east(80.0)));
        table.take(91, east(80.0));
        table.row.exit = Some(Vec3::ZERO);
        (92..100).for_each(|client| assert_eq!(table.take(client, east(80.0)), east(80.0)));
        assert_eq!(table.take(100 + more, Vec3::ZERO) == Vec3::ZERO, taken, "{more}");
    }
    for (later, taken) in [(89, false), (90, true)] {
        let mut table = beside(Some(east(80.0)));
        table.take(91, east(80.0));
        table.row.exit = Some(Vec3::ZERO);
        (92..100).for_each(|client| assert_eq!(table.take(client, east(80.0)), east(80.0)));
        assert_eq!(table.take(107, Vec3::ZERO), Vec3::ZERO);
        table.row.exit = Some(east(80.0));
        (1..later).for_each(|tick| assert_eq!(table.take(107 + tick, Vec3::ZERO), Vec3::ZERO));
        assert_eq!(table.take(114 + later, east(80.0)) == east(80.0), taken, "{later}");
    }
}
