//! A full game: 126 stand-ins, a host with a player and a client of ours.

use std::net::Ipv4Addr;

use mjolnir_wire::Slot;

use super::gathering::Crowd;
use super::run::{Bystander, Hosted, assert_agree, seen};
use super::standin::Stage;
use super::wire::loopback;

const STANDINS: u8 = 126;

/// NET-72, NET-61, NET-66, NET-62, NET-50: 126 machines that speak the game's own packets alone join from addresses of
/// their own, have the game started, and stay in it as players who stand still, each in the unit states that it is
/// sent; a client plays beside them as if they were not there. The next machine is told that the game is full, in the
/// lobby and in the game.
#[test]
fn a_crowd_of_stand_ins_plays() {
    let (host, address) = Hosted::open("flat", 1, Ipv4Addr::LOCALHOST.into(), |_| {});
    let client = Bystander::join("Real", address, Some(Ipv4Addr::LOCALHOST.into()));
    client.until_joined();
    let mut crowd = Crowd::new();
    crowd.gather(STANDINS, 0, address);
    crowd.has_no_room(loopback(0, 200), address);

    crowd.all[0].standin.ask_start();
    crowd.until_playing();
    crowd.has_no_room(loopback(0, 200), address);
    // Longer than a machine that is not heard stays in.
    crowd.until_tick(16 * 30);

    let (in_game, players) =
        host.ask(|_, host| (host.in_game(), host.machine.host.transport().players().count()));
    assert_eq!((in_game, players), (127, 128));
    let there = host.places();
    for wired in &crowd.all {
        let standin = &wired.standin;
        assert!(!wired.is_closed && standin.stage == Stage::Playing);
        assert_eq!(standin.packets[8], 1);
        assert!(standin.packets[7] > 0 && standin.packets[20] > 30);
        assert!(standin.kinds[2] > 0 && standin.kinds[15] > 0 && standin.kinds[19] > 0);
        assert_eq!((standin.kinds[5], standin.kinds[6], standin.kinds[8]), (0, 0, 0), "it never was ready");
        let slot = Slot::new(standin.slot.unwrap()).unwrap();
        let place = there.iter().find(|(of, _)| *of == slot).unwrap().1;
        assert!(standin.states.iter().all(|(_, at)| at.distance(place) < 0.01));
        assert!(standin.states.len() > 100, "{} states", standin.states.len());
    }
    let tick = host.tick();
    client.until_tick(tick);
    println!("126 stand-ins: the host is at tick {}, the client at {}", host.tick(), client.tick());
    let (seat, host) = (client.end(), host.end());
    assert_agree(&host, &seat);
    let last = seen(&seat.machine.watch).views.last().unwrap();
    for (slot, place) in &there {
        let seen = last.places.iter().find(|place| place.slot == *slot).map(|place| place.position);
        let plays = crowd.all.iter().all(|wired| wired.standin.slot != Some(slot.get()));
        assert!(plays || seen.is_some_and(|seen| seen.distance(*place) < 0.01), "{slot:?} at {seen:?}");
    }
}
