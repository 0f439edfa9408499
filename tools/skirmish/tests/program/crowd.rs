//! A full lobby of stand-ins at the program itself: they speak the game's own packets, written from the format's facts
//! alone, and a client of ours plays beside them.

use std::net::SocketAddr;

// What the crowd's file names beside itself.
use crate::{Program, folder};
use crate::{standin, wire};
use gathering::Crowd;
use wire::loopback;

#[path = "../../../../tests/tests/standins/gathering.rs"]
#[allow(dead_code, reason = "this test needs some of it")]
mod gathering;

const STANDINS: u8 = 126;

/// NET-72, NET-61, NET-57: 126 stand-ins join the program's lobby, one of them has the game started, and all stay in it
/// longer than a machine that is not heard would, as players who stand still; a client plays beside them to the end.
/// The machine that is one too many is told that the game is full.
#[test]
fn a_crowd_of_stand_ins_plays_at_the_program() {
    let folder = folder("crowd");
    let options = "--lobby 20 --map flat --local-players 0 --seconds 17 --dump host.dump";
    let (host, address) = Program::host(&folder, options);
    let mut client = Program::start(&folder, &format!("join {address} --name Real"));
    client.hear("joined as machine 1");
    let address: SocketAddr = address.parse().unwrap();

    let mut crowd = Crowd::new();
    crowd.gather(STANDINS, 1, address);
    crowd.has_no_room(loopback(1, 200), address);

    crowd.all[0].standin.ask_start();
    crowd.until_playing();
    // Game over, which ends the game that outlived every silence.
    crowd.until("the end", |crowd| crowd.all.iter().all(|wired| wired.standin.packets[23] > 0));
    for wired in &crowd.all {
        let standin = &wired.standin;
        assert!(standin.states.len() > 100, "{} states", standin.states.len());
        assert_eq!((standin.kinds[5], standin.kinds[6], standin.kinds[8]), (0, 0, 0), "it never was ready");
    }
    drop(crowd);

    let (code, said, errors) = host.end();
    assert_eq!(code, 0, "{errors}");
    assert_eq!(said.iter().filter(|line| line.ends_with(" plays")).count(), usize::from(STANDINS) + 1);
    let (code, said, errors) = client.end();
    assert_eq!(code, 0, "{errors}");
    assert_eq!(said.last().unwrap(), "The game is over.");
}
