//! What a host's scripts show, and a client that loses what it likes of it.

use mjolnir_coop::{PresentationClient, tell_presentation};
use mjolnir_wire::presentation::{Fade, Presentation, TeamSet, Timer};
use mjolnir_wire::{Kind, Outbox};

use super::{machines, streamed, tick};

fn faded(elapsed: i16) -> Presentation {
    let mut shown = Presentation {
        cinematic: true,
        skippable: true,
        input_disabled: true,
        fade: Fade { colour: [1, 2, 3], ticks: 90, elapsed, start: 7, is_out: true },
        timer: Some(Timer { ticks: 900, ..Timer::default() }),
        cluster: Some(0),
        ..Presentation::default()
    };
    shown.allied.insert(2);
    shown
}

fn told(outbox: &Outbox, to: u8) -> Vec<Presentation> {
    super::told(outbox, to, Kind::CoopPresentation, |m| {
        Presentation::read_all(m).map(Result::unwrap).collect()
    })
}

/// COOP-05: what scripts show is told to everybody that has loaded in each tick, by datagrams alone, to the host never; nobody votes
/// yet, whatever the engine says of votes.
#[test]
fn what_is_shown_is_told_each_tick() {
    let mut outbox = Outbox::new();
    for at in 0..90 {
        let shown = Presentation { skip_votes: 3, skip_voters: 4, ..faded(at) };
        outbox.begin(tick(at.into()), 0);
        tell_presentation(machines(&[0, 1, 5]), &shown, &mut outbox);
        for to in [1, 5] {
            assert_eq!(told(&outbox, to), [faded(at)]);
            let by_stream: Vec<Presentation> = streamed(&outbox, to, Kind::CoopPresentation, |_| vec![]);
            assert_eq!(by_stream, []);
        }
        assert_eq!((told(&outbox, 0), told(&outbox, 2)), (vec![], vec![]));
    }
    outbox.begin(tick(90), 0);
    tell_presentation(machines(&[0]), &faded(1), &mut outbox);
    assert!(outbox.is_empty());
}

/// COOP-05, 06: a client shows the newest that it heard, each once; one older than it heard does nothing and is counted. Whichever
/// of the messages is lost, the next makes it good.
#[test]
fn the_newest_is_shown_once() {
    let mut client = PresentationClient::new();
    assert_eq!(client.before_tick(), None);
    let allies = Presentation { allied: TeamSet(0b110), friendly: TeamSet(0b100), ..faded(0) };
    for (stamp, shown) in [(10, faded(1)), (12, allies), (11, faded(2))] {
        client.handle_presentation(tick(stamp), &shown).unwrap();
    }
    assert_eq!((client.before_tick(), client.stale()), (Some(allies), 1));
    assert_eq!(client.before_tick(), None);
    client.handle_presentation(tick(11), &faded(2)).unwrap();
    assert_eq!((client.before_tick(), client.stale()), (None, 2));
    // Told again it is shown again, though nothing changed.
    client.handle_presentation(tick(13), &allies).unwrap();
    assert_eq!(client.before_tick(), Some(allies));

    for lost in 1..90 {
        let mut client = PresentationClient::new();
        for at in 0..90_i16 {
            if at != lost {
                client.handle_presentation(tick(at.into()), &faded(at)).unwrap();
            }
            let shown = client.before_tick();
            assert_eq!(shown, (at != lost).then(|| faded(at)), "{lost} {at}");
        }
    }
}

/// COOP-05, NET-74: a message of a damaged stamp, be it the first, hides none that follow.
#[test]
fn a_damaged_stamp_hides_nothing() {
    let mut client = PresentationClient::new();
    client.handle_presentation(tick(2_000_000_000), &faded(1)).unwrap();
    client.before_tick();
    for at in 10..13_i16 {
        client.handle_presentation(tick(at.into()), &faded(at)).unwrap();
    }
    assert_eq!((client.before_tick(), client.stale()), (Some(faded(12)), 1));
}
