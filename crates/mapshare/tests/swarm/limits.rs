//! Connections: how many, whose, for how long.

use mjolnir_mapshare::swarm::{Error, Output};
use mjolnir_mapshare::{Conn, Place};
use mjolnir_wire::mapshare::File;
use mjolnir_wire::swarm::{Frame, Hello};

use super::script::*;

/// MAP-38: fifteen that others made, and no sixteenth; nine of its own beside them, and no more.
#[test]
fn others_make_fifteen_connections_and_this_machine_nine() {
    let mut script = Script::new(plays(90)).with(&Content::new(File::Sounds, 9));
    for index in 1..=15 {
        script.meet(index);
    }
    assert_eq!(script.accept(address(16)), None);
    assert_eq!(script.swarm.counters().refused(Error::TooMany), 1);
    let content = Content::new(File::Map, 600_000);
    script.swarm.set_sources(script.now, &(20..40).map(place).collect::<Vec<_>>());
    script.swarm.download(script.now, &[content.offered]);
    script.wait(0);
    assert_eq!(script.connects().len(), 9);
    assert_eq!(script.swarm.connections(), 24);
    script.wait(5_000);
    assert_eq!(script.connects().len(), 0);
}

/// MAP-39: four from one address, and no fifth; from another one more. Loopback is no exception, and an address that is written
/// as IPv6 is the same.
#[test]
fn four_connections_are_taken_from_one_address() {
    for (from, same) in
        [(address(3), address(3)), ("127.0.0.1".parse().unwrap(), "::ffff:127.0.0.1".parse().unwrap())]
    {
        let mut script = Script::new(plays(90)).with(&Content::new(File::Map, 9));
        for _ in 0..4 {
            assert!(script.accept(from).is_some());
        }
        assert_eq!(script.accept(same), None);
        assert!(script.accept(address(4)).is_some());
        assert_eq!(script.swarm.counters().refused(Error::TooManyOfAddress), 1);
    }
}

/// MAP-40: of nine without hello the oldest is closed; who has said hello makes no way.
#[test]
fn the_oldest_without_hello_makes_way() {
    let mut script = Script::host();
    let met = script.meet(1);
    let new: Vec<_> = (2..=9).map(|index| script.accept(address(index)).unwrap()).collect();
    assert_eq!(script.closed(), []);
    assert!(script.accept(address(10)).is_some());
    assert_eq!(script.closed(), [new[0]]);
    assert_eq!(script.swarm.counters().refused(Error::MadeWay), 1);
    script.hear(new[1], &[Frame::Hello(hello(3))]);
    assert!(script.accept(address(11)).is_some());
    assert_eq!(script.closed(), []);
    assert!(!script.said(met).is_empty());
}

/// MAP-40: a flood of them never keeps an honest one out, though all places for others' are taken.
#[test]
fn a_flood_without_hello_keeps_nobody_out() {
    let mut script = Script::host();
    for flood in 0..100 {
        script.accept(address(1 + flood % 50));
    }
    let conn = script.accept(address(100)).unwrap();
    script.hear(conn, &[Frame::Hello(hello(100))]);
    script.outputs();
    assert_eq!(script.swarm.connections(), 8);
    script.wait(9_000);
    assert!(!script.said(conn).is_empty());
}

/// MAP-23, 82: who says in its hello that it is a machine which the host named elsewhere keeps nobody from being connected to: that
/// one is at the address that was named.
#[test]
fn who_takes_a_named_machines_number_does_not_take_its_place() {
    let content = Content::new(File::Map, 600_000);
    let downloads = || {
        let mut script = Script::new(plays(90));
        script.swarm.download(script.now, &[content.offered]);
        script
    };
    let mut script = downloads();
    let liar = script.accept(address(66)).unwrap();
    script.hear(liar, &[Frame::Hello(hello(20))]);
    script.swarm.set_sources(script.now, &[place(20)]);
    script.wait(0);
    assert!(script.connects().iter().any(|(_, to)| *to == address(20)));
    // Who is where it was named is connected to once.
    let mut script = downloads();
    script.meet(20);
    script.swarm.set_sources(script.now, &[place(20)]);
    script.wait(0);
    assert!(!script.connects().iter().any(|(_, to)| *to == address(20)));
}

/// MAP-22, 71: a host that names other machines thirty times a second makes this one connect to eight of them a second, after some at
/// once.
#[test]
fn a_flood_of_sources_is_no_flood_of_connections() {
    let mut script = Script::new(plays(90));
    let content = Content::new(File::Map, 600_000);
    script.swarm.download(script.now, &[content.offered]);
    script.wait(0);
    let mut made = script.connects().len();
    for turn in 0..300_u32 {
        let named = (0..127).map(|index| Place {
            address: std::net::Ipv4Addr::from(0x0A01_0000 + turn * 128 + index).into(),
            ..place(index as u8)
        });
        script.swarm.set_sources(script.now, &named.collect::<Vec<_>>());
        script.wait(0);
        // All of them refuse.
        let connects = script.connects();
        made += connects.len();
        for (conn, _) in connects {
            script.swarm.closed(script.now, conn);
        }
        script.wait(33);
    }
    assert!((80..=115).contains(&made), "{made} in ten seconds");
}

/// MAP-41: without hello it is open at 9.9 s and closed at 10, also one that this machine makes, and one that does not open.
#[test]
fn hello_comes_within_ten_seconds() {
    let mut script = Script::host();
    let conn = script.accept(address(1)).unwrap();
    script.wait(9_999);
    assert_eq!(script.closed(), []);
    script.wait(1);
    assert_eq!(script.closed(), [conn]);
    assert_eq!(script.swarm.counters().refused(Error::NoHello), 1);

    let content = Content::new(File::Map, 600_000);
    let mut script = Script::new(plays(3));
    script.swarm.set_sources(script.now, &[place(5)]);
    script.swarm.download(script.now, &[content.offered]);
    script.wait(0);
    let made = script.connects();
    script.wait(5_000);
    script.swarm.connected(script.now, made[0].0);
    script.wait(4_999);
    assert_eq!(script.closed(), []);
    script.wait(1);
    assert_eq!(script.closed(), [made[1].0]);
    script.wait(5_000);
    assert_eq!(script.closed(), [made[0].0]);
}

/// MAP-42: half a frame is no frame: 30 s after the last whole one it is closed.
#[test]
fn silence_closes_after_thirty_seconds() {
    let mut script = Script::host();
    let conn = script.meet(1);
    script.wait(20_000);
    script.hear(conn, &[Frame::Idle]);
    script.wait(15_000);
    script.hear_bytes(conn, &bytes_of(&[Frame::HavePiece(File::Map, 1)])[..11]);
    script.wait(14_999);
    assert_eq!(script.closed(), []);
    script.wait(1);
    assert_eq!(script.closed(), [conn]);
    assert_eq!(script.swarm.counters().refused(Error::Silent), 1);
}

/// MAP-43: a host takes connections of its game's machines alone, and lets go whose machine has left; a hello is of a machine that
/// is there.
#[test]
fn a_host_takes_its_games_machines_alone() {
    let mut script = Script::new(hosts());
    assert_eq!(script.accept(address(1)), None);
    script.swarm.set_members(script.now, [(machine(1), address(1)), (machine(2), address(1))].into());
    assert_eq!(script.accept(address(2)), None);
    assert_eq!(script.swarm.counters().refused(Error::NotAMember), 2);
    let (one, two) = (script.meet(1), script.accept(address(1)).unwrap());
    script.hear(two, &[Frame::Hello(hello(2))]);
    let liar = script.accept(address(1)).unwrap();
    script.hear(liar, &[Frame::Hello(hello(3))]);
    assert_eq!(script.closed(), [liar]);
    assert_eq!(script.swarm.counters().refused(Error::OtherMachine), 1);
    script.swarm.set_members(script.now, [(machine(2), address(1))].into());
    assert_eq!(script.closed(), [one]);
    assert!(!script.said(two).is_empty());
}

/// MAP-74: without a game nobody is taken; after it has ended everybody is let go.
#[test]
fn without_a_game_there_are_no_connections() {
    let mut script = Script::host();
    let conn = script.meet(1);
    script.swarm.leave(script.now);
    assert_eq!(script.closed(), [conn]);
    assert_eq!(script.accept(address(1)), None);
    assert_eq!(script.swarm.counters().refused(Error::NoGame), 1);
    assert_eq!(script.swarm.next_due(), None);
}

/// MAP-85: another map closes every connection and forgets what was had; another limit of what is sent does not.
#[test]
fn another_map_closes_everything() {
    let content = Content::new(File::Map, 600_000);
    let mut script = Script::host().with(&content);
    let conn = script.meet(1);
    let mut game = hosts();
    game.upload = Some(100_000);
    script.swarm.share(script.now, game);
    assert_eq!(script.closed(), []);
    game.map_version += 1;
    script.swarm.share(script.now, game);
    assert_eq!(script.closed(), [conn]);
    let conn = script.accept(address(1)).unwrap();
    script.hear(conn, &[Frame::Hello(Hello { map_version: VERSION + 1, ..hello(1) })]);
    let said = script.said(conn);
    assert!(matches!(frames_of(&said)[..], [Frame::Hello(_)]));
}

/// MAP-81: an idle goes after ten seconds without a frame sent, and an idle pair stays two minutes.
#[test]
fn an_idle_keeps_a_connection() {
    let mut script = Script::host();
    let conn = script.meet(1);
    script.said(conn);
    script.wait(9_999);
    assert_eq!(script.said(conn), []);
    for _ in 0..12 {
        script.wait(1);
        assert_eq!(script.said(conn), bytes_of(&[Frame::Idle]));
        assert_eq!(script.said(conn), []);
        script.hear(conn, &[Frame::Idle]);
        script.wait(9_999);
        assert_eq!(script.said(conn), []);
    }
    assert_eq!(script.closed(), []);
}

/// MAP-81: what is said otherwise is said in an idle's place.
#[test]
fn an_idle_goes_alone() {
    let content = Content::new(File::Map, 600_000);
    let mut script = Script::host();
    let conn = script.meet(1);
    script.said(conn);
    script.wait(10_000);
    let mut script = script.with(&content);
    assert_eq!(script.said(conn), bytes_of(&[content.have()]));
    script.wait(9_999);
    assert_eq!(script.said(conn), []);
    script.wait(1);
    assert_eq!(script.said(conn), bytes_of(&[Frame::Idle]));
}

/// MAP-23, 24: nine connections out, of twelve named: to the host and to eight of whom none is this machine, none has nothing of it,
/// and of two that download the lower connects.
#[test]
fn the_host_and_eight_of_those_named_are_connected_to() {
    let content = Content::new(File::Map, 600_000);
    let mut script = Script::new(plays(5));
    let downloading = |index| Place { is_downloading: true, ..place(index) };
    let nothing = |index| Place { files: Default::default(), ..place(index) };
    let mut places: Vec<_> = (10..=21).map(place).collect();
    places.extend([place(5), downloading(3), nothing(4)]);
    script.swarm.set_sources(script.now, &places);
    script.swarm.download(script.now, &[content.offered]);
    script.wait(0);
    let to: Vec<_> = script.connects().into_iter().map(|(_, to)| to).collect();
    assert_eq!(to[0], address(0));
    assert_eq!(to.len(), 9);
    let mut others = to[1..].to_vec();
    others.sort();
    others.dedup();
    assert_eq!(others.len(), 8);
    assert!(others.iter().all(|to| (10..=21).any(|index| *to == address(index))));
    // The higher of two that download is connected to.
    script.swarm.stop(script.now);
    script.outputs();
    script.swarm.set_sources(script.now, &[downloading(3), downloading(7)]);
    script.swarm.download(script.now, &[content.offered]);
    script.wait(0);
    let to: Vec<_> = script.connects().into_iter().map(|(_, to)| to).collect();
    assert_eq!(to, [address(0), address(7)]);
}

/// MAP-71: what was named before is replaced: whoever failed is tried anew when it is named again, who is connected stays, and who is
/// not named any more is not tried.
#[test]
fn sources_replace_those_before() {
    let content = Content::new(File::Map, 600_000);
    let mut script = Script::new(plays(5));
    script.swarm.set_sources(script.now, &[place(10), place(11), place(12)]);
    script.swarm.download(script.now, &[content.offered]);
    script.wait(0);
    let made = script.connects();
    let of = |index| made.iter().find(|(_, to)| *to == address(index)).unwrap().0;
    for index in 10..=12 {
        script.swarm.connected(script.now, of(index));
        script.hear(of(index), &[Frame::Hello(hello(index))]);
    }
    script.swarm.closed(script.now, of(11));
    script.swarm.closed(script.now, of(12));
    script.wait(4_000);
    assert_eq!(script.connects(), []);
    script.swarm.set_sources(script.now, &[place(11)]);
    script.wait(0);
    assert!(matches!(script.connects()[..], [(_, to)] if to == address(11)));
    assert_eq!(script.closed(), []);
}

/// MAP-23, MAP-24: a named machine that closes before it says hello has not begun its own download yet, and is tried again soon: after
/// a fifth of a second, five times, and then after ten seconds.
#[test]
fn who_has_not_begun_yet_is_tried_again_soon() {
    let content = Content::new(File::Map, 600_000);
    let mut script = Script::new(plays(5));
    script.swarm.set_sources(script.now, &[Place { is_downloading: true, ..place(10) }]);
    script.swarm.download(script.now, &[content.offered]);
    script.wait(0);
    let try_of = |script: &mut Script| {
        let made = script.connects();
        made.into_iter().find(|(_, to)| *to == address(10)).map(|(conn, _)| conn)
    };
    let mut conn = try_of(&mut script).unwrap();
    for again in [200, 200, 200, 200, 200, 10_000] {
        script.swarm.connected(script.now, conn);
        script.swarm.closed(script.now, conn);
        script.wait(again - 1);
        assert_eq!(try_of(&mut script), None, "{again}");
        script.wait(1);
        // The last by the look that is made each second.
        script.wait(if again == 200 { 0 } else { 1_000 });
        conn = try_of(&mut script).unwrap();
    }
}

/// MAP-75: a client that knows no file yet takes no connection: what the other end says that it has is said once. It does from its
/// download's beginning on.
#[test]
fn who_knows_no_file_takes_no_connection() {
    let content = Content::new(File::Map, 600_000);
    let mut script = Script::new(plays(5));
    assert_eq!(script.accept(address(3)), None);
    assert_eq!(script.swarm.counters().refused(Error::NoGame), 1);
    script.swarm.download(script.now, &[content.offered]);
    assert!(script.accept(address(3)).is_some());
}

/// MAP-82: of two connections between two machines the one that the lower made stays, on both, and without blame.
#[test]
fn of_two_connections_the_lower_machines_stays() {
    for (own, other, own_stays) in [(3, 5, true), (5, 3, false)] {
        for own_first in [true, false] {
            let content = Content::new(File::Map, 600_000);
            let mut script = Script::new(plays(own));
            script.swarm.set_sources(script.now, &[place(other)]);
            script.swarm.download(script.now, &[content.offered]);
            script.wait(0);
            let made = script.connects()[1].0;
            script.swarm.connected(script.now, made);
            let came = script.accept(address(other)).unwrap();
            let mut order = [made, came];
            if !own_first {
                order.reverse();
            }
            for conn in order {
                script.hear(conn, &[Frame::Hello(hello(other))]);
            }
            let loser = if own_stays { came } else { made };
            assert_eq!(script.closed(), [loser], "{own} {own_first}");
            assert!(script.swarm.counters().refusals().all(|(_, times)| times == 0));
            assert!(!script.said(if own_stays { made } else { came }).is_empty());
        }
    }
}

/// MAP-82: who says at another address that it is a machine that is connected takes nobody's place.
#[test]
fn a_claim_from_another_address_closes_nobody() {
    let mut script = Script::new(plays(9)).with(&Content::new(File::Map, 9));
    script.meet(4);
    let liar = script.accept(address(66)).unwrap();
    script.hear(liar, &[Frame::Hello(hello(4))]);
    assert_eq!(script.closed(), []);
}

/// MAP-38: numbers of its own connections are below those of others', and none is given twice.
#[test]
fn connections_have_numbers_of_their_own() {
    let content = Content::new(File::Map, 600_000);
    let mut script = Script::new(plays(5));
    let mut seen = Vec::new();
    for _ in 0..20 {
        script.swarm.download(script.now, &[content.offered]);
        script.wait(0);
        for output in script.outputs() {
            if let Output::Connect(conn, _) = output {
                assert!(!conn.is_accepted() && conn.get() < Conn::FIRST_ACCEPTED);
                seen.push(conn);
            }
        }
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 20);
}
