//! Mutes: the host's for everyone, by name, and each machine's own.

use mjolnir_chat::{Channel, Error, Settings};
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::{Machine, Moment};

use super::scene::{Scene, machine, slot};

const PLAYERS: [(u8, &str); 5] = [(0, "Host"), (1, "Ann"), (2, "Bob"), (2, "Ben"), (3, "Cat")];

fn later(scene: &mut Scene, seconds: u64) {
    scene.now = scene.now.plus(seconds * Moment::SECOND);
    scene.step();
}

/// CHAT-19, 20, 22: the host's command is no line: everybody is told, the host too, and the player is muted for its minutes,
/// to the second, whatever its name's case.
#[test]
fn the_hosts_command_mutes() {
    let mut scene = Scene::new(Settings::On, &PLAYERS);
    scene.say(0, Channel::All, "/mute bOB 5").unwrap();
    let end = scene.now.plus(300 * Moment::SECOND);
    scene.step();
    let told = "notice: Bob is muted for 5 minutes.";
    assert_eq!((scene.down_messages, scene.shown.clone()), (3, vec![told.to_owned()]));
    assert!(scene.peers.values().all(|peer| peer.shown == [told]));
    for (at, muted) in [(scene.now, true), (Moment::from_micros(end.as_micros() - 1), true), (end, false)] {
        assert_eq!(scene.host.is_muted(at, machine(2), &scene.game), muted);
        assert!(!scene.host.is_muted(at, machine(1), &scene.game));
        assert!(!scene.host.is_muted(at, Machine::HOST, &scene.game));
        assert_eq!(scene.host.is_player_muted(at, &Name::cut("BOB")), muted);
        assert!(!scene.host.is_player_muted(at, &Name::cut("Ben")));
    }
}

/// CHAT-21: of a muted player's machine no line is sent on, whichever of its players says it, and that machine alone is told
/// the minutes left, rounded up, for each.
#[test]
fn a_muted_machine_is_told_the_minutes_left() {
    let mut scene = Scene::new(Settings::On, &PLAYERS);
    scene.say(0, Channel::All, "/mute bob 5").unwrap();
    scene.step();
    scene.forget();
    for (index, wait) in [(2, 0), (3, 0), (2, 61), (2, 238), (2, 1)] {
        later(&mut scene, wait);
        scene.say(index, Channel::All, "hey").unwrap();
        scene.step();
    }
    let left = |minutes: &str| format!("notice: You are muted for {minutes}.");
    let told = [
        left("5 minutes"),
        left("5 minutes"),
        left("4 minutes"),
        left("1 minute"),
        "2>all: hey [2 3]".into(),
    ];
    assert_eq!(scene.peer(2).shown, told);
    assert_eq!(scene.taken[..4], [Err(Error::Muted); 4]);
    assert_eq!(scene.shown, ["2>all: hey [0]"]);
    for of in [1, 3] {
        assert_eq!(scene.peer(of).downs.len(), 1);
    }
}

/// CHAT-21, 47: who has joined can be muted before it is told of anything, as while it loads: it may talk by then.
#[test]
fn who_is_told_of_nothing_yet_can_be_muted() {
    let mut scene = Scene::new(Settings::On, &PLAYERS);
    scene.game.come(7, 6, "Zed", 0);
    scene.host.join(machine(6));
    assert_eq!(scene.forge(6, 7, "hey"), Ok(()));
    assert_eq!(scene.say(0, Channel::All, "/mute zed"), Ok(()));
    assert_eq!(scene.forge(6, 7, "hey"), Err(Error::Muted));
    scene.step();
    assert_eq!(scene.peer(1).shown, ["7>all: hey [1]", "notice: Zed is muted for 20 minutes."]);
    scene.host.remove(machine(6));
    assert_eq!(scene.host.mute(scene.now, slot(7), &scene.game), Err(Error::NotJoined));
}

/// CHAT-20, 21, 43: who is muted and takes another name, or another player, stays muted as long as its machine stays, and is let
/// speak by its old name; the next machine of its index is not muted, and its name is.
#[test]
fn another_name_ends_no_mute() {
    let mut scene = Scene::new(Settings::On, &PLAYERS);
    scene.say(0, Channel::All, "/mute cat").unwrap();
    scene.step();
    scene.game.leave(3);
    scene.game.come(3, 3, "Eve", 0);
    scene.game.come(4, 3, "Dan", 0);
    let is_muted = |scene: &Scene, of: u8| scene.host.is_muted(scene.now, machine(of), &scene.game);
    assert!(is_muted(&scene, 3) && !is_muted(&scene, 2));
    assert_eq!(scene.forge(3, 4, "hey"), Err(Error::Muted));
    scene.say(0, Channel::All, "/unmute cat").unwrap();
    assert!(!is_muted(&scene, 3));
    scene.say(0, Channel::All, "/mute eve").unwrap();
    scene.host.remove(machine(3));
    scene.game.leave(3);
    assert!(!is_muted(&scene, 3), "another machine has its index");
    scene.game.come(5, 2, "EVE", 0);
    assert!(is_muted(&scene, 2), "the name is muted elsewhere too");
}

/// CHAT-22: a mute and its end are two notices, to each machine; a mute that runs out is none.
#[test]
fn everybody_is_told_of_each_mute_and_its_end() {
    let mut scene = Scene::new(Settings::On, &PLAYERS);
    scene.say(0, Channel::All, "/mute bob").unwrap();
    scene.say(0, Channel::All, "/unmute BOB").unwrap();
    scene.step();
    let told = ["notice: Bob is muted for 20 minutes.", "notice: Bob is no longer muted."];
    assert_eq!(scene.shown, told);
    assert!(scene.peers.values().all(|peer| peer.shown == told));
    scene.forget();
    scene.forge(2, 2, "again").unwrap();
    scene.say(0, Channel::All, "/mute bob 1").unwrap();
    scene.step();
    scene.forget();
    later(&mut scene, 61);
    assert!(scene.peers.values().all(|peer| peer.downs.is_empty()));
    assert_eq!(scene.say(0, Channel::All, "/unmute bob"), Err(Error::NotMuted));
    scene.step();
    assert_eq!(
        (scene.shown.clone(), scene.peer(1).downs.len()),
        (vec!["notice: That player is not muted.".into()], 0)
    );
}

/// CHAT-25: the scoreboard's is the same, for twenty minutes.
#[test]
fn the_scoreboard_mutes_for_twenty_minutes() {
    let mut scene = Scene::new(Settings::On, &PLAYERS);
    let begin = scene.now;
    scene.host.mute(begin, slot(2), &scene.game).unwrap();
    scene.step();
    assert_eq!(scene.peer(3).shown, ["notice: Bob is muted for 20 minutes."]);
    for (seconds, muted) in [(1199, true), (1201, false)] {
        let now = begin.plus(seconds * Moment::SECOND);
        assert_eq!(scene.host.is_muted(now, machine(2), &scene.game), muted);
    }
    scene.host.unmute(begin, slot(2), &scene.game).unwrap();
    scene.step();
    assert_eq!(scene.peer(3).shown[1], "notice: Bob is no longer muted.");
    assert!(!scene.host.is_muted(begin, machine(2), &scene.game));
    for (index, error) in [(0, Error::Own), (9, Error::NoPlayer)] {
        assert_eq!(scene.host.mute(begin, slot(index), &scene.game), Err(error));
    }
    assert_eq!(scene.host.unmute(begin, slot(2), &scene.game), Err(Error::NotMuted));
    assert_eq!(scene.host.unmute(begin, slot(9), &scene.game), Err(Error::NoPlayer));
}

/// CHAT-43: who leaves and comes back under the name is muted still, in another slot and on another machine; the next in its
/// slot is not.
#[test]
fn a_mute_waits_for_its_name() {
    let mut scene = Scene::new(Settings::On, &PLAYERS);
    scene.say(0, Channel::All, "/mute bob 5").unwrap();
    later(&mut scene, 30);
    scene.disconnect(2);
    scene.game.come(2, 2, "Dan", 0);
    scene.connect(2);
    later(&mut scene, 30);
    scene.game.come(7, 5, "bob", 1);
    scene.connect(5);
    scene.share();
    scene.step();
    scene.forget();
    assert_eq!(scene.forge(2, 2, "I am Dan"), Ok(()));
    assert_eq!(scene.forge(5, 7, "I am back"), Err(Error::Muted));
    scene.step();
    assert_eq!(scene.shown, ["2>all: I am Dan [0]"]);
    later(&mut scene, 239);
    assert_eq!(scene.forge(5, 7, "still"), Err(Error::Muted));
    later(&mut scene, 1);
    assert_eq!(scene.forge(5, 7, "free"), Ok(()));
}

/// CHAT-20, 47: who has left can be let go by name.
#[test]
fn who_has_left_can_be_unmuted() {
    let mut scene = Scene::new(Settings::On, &PLAYERS);
    scene.say(0, Channel::All, "/mute bob").unwrap();
    scene.step();
    scene.disconnect(2);
    scene.step();
    scene.forget();
    assert_eq!(scene.say(0, Channel::All, "/mute bob"), Err(Error::NoPlayer));
    scene.say(0, Channel::All, "/unmute bo").unwrap();
    scene.step();
    assert_eq!(scene.peer(1).shown, ["notice: Bob is no longer muted."]);
}

/// CHAT-26, 45: which machines are muted is known of everybody who is there, lobby or game: while the machine stays whose player
/// it was, and wherever one of the players has the name.
#[test]
fn voice_asks_by_machine() {
    let mut scene = Scene::new(Settings::On, &PLAYERS);
    // A lobby: players without teams and units.
    scene.game.has_teams = false;
    scene.share();
    scene.say(0, Channel::All, "/mute ben").unwrap();
    scene.step();
    let muted = |scene: &Scene| -> Vec<u8> {
        let all = Machine::all().filter(|of| scene.host.is_muted(scene.now, *of, &scene.game));
        all.map(Machine::get).collect()
    };
    assert_eq!(muted(&scene), [2]);
    scene.game.leave(3);
    assert_eq!(muted(&scene), [2]);
    scene.host.remove(machine(2));
    assert_eq!(muted(&scene), [0; 0]);
    scene.game.come(3, 2, "BEN", 1);
    assert_eq!(muted(&scene), [2]);
}

/// CHAT-27: a mute on one machine shows none of that machine's lines there, says nothing to anybody, and nobody else hears
/// less.
#[test]
fn a_machines_own_mute_is_its_own() {
    let mut scene = Scene::new(Settings::On, &PLAYERS);
    let peer = scene.peer(1);
    peer.client.mute_here(slot(2), true, &peer.game).unwrap();
    assert!(
        peer.client.is_muted_here(machine(2), &peer.game)
            && !peer.client.is_muted_here(machine(3), &peer.game)
    );
    scene.step();
    assert_eq!((scene.ups, scene.down_messages), (0, 0));
    scene.say(2, Channel::All, "hey").unwrap();
    scene.say(3, Channel::All, "ho").unwrap();
    scene.say(4, Channel::All, "hi").unwrap();
    scene.say(0, Channel::All, "go").unwrap();
    scene.step();
    let all =
        |of: &str| ["0>all: go", "2>all: hey", "3>all: ho", "4>all: hi"].map(|line| format!("{line} [{of}]"));
    let [go, _, _, hi] = all("1");
    assert_eq!(scene.peer(1).shown, [go, hi]);
    assert_eq!(scene.peer(3).shown, all("4"));
    assert_eq!(scene.shown, all("0"));
    scene.forget();
    let peer = scene.peer(1);
    peer.client.mute_here(slot(2), false, &peer.game).unwrap();
    scene.forge(2, 2, "back").unwrap();
    scene.step();
    assert_eq!(scene.peer(1).shown, ["2>all: back [1]"]);
}

/// CHAT-27: the host's player muted by a client, and a client's by the host for its own screen.
#[test]
fn the_hosts_own_mute_sends_on() {
    let mut scene = Scene::new(Settings::On, &PLAYERS);
    let peer = scene.peer(1);
    peer.client.mute_here(slot(0), true, &peer.game).unwrap();
    scene.host.mute_here(slot(2), true, &scene.game).unwrap();
    assert!(scene.host.is_muted_here(machine(2), &scene.game));
    scene.say(0, Channel::All, "go").unwrap();
    scene.forge(2, 2, "hey").unwrap();
    scene.step();
    assert_eq!(scene.shown, ["0>all: go [0]"]);
    assert_eq!(scene.peer(1).shown, ["2>all: hey [1]"]);
    assert_eq!(scene.peer(3).shown, ["0>all: go [4]", "2>all: hey [4]"]);
    for (index, error) in [(0, Error::Own), (9, Error::NoPlayer)] {
        assert_eq!(scene.host.mute_here(slot(index), true, &scene.game), Err(error));
    }
    assert_eq!(scene.host.mute_here(slot(1), false, &scene.game), Err(Error::NotMuted));
}

/// CHAT-27: an own mute is of a player in its slot: the next in it is heard, and the same name elsewhere; who is back in it is
/// not.
#[test]
fn an_own_mute_is_of_one_player() {
    let mut scene = Scene::new(Settings::On, &PLAYERS);
    let peer = scene.peer(1);
    peer.client.mute_here(slot(2), true, &peer.game).unwrap();
    let muted = |scene: &mut Scene, of: u8| {
        let peer = scene.peer(1);
        peer.client.is_muted_here(machine(of), &peer.game)
    };
    assert!(muted(&mut scene, 2));
    scene.peer(1).game.leave(2);
    assert!(!muted(&mut scene, 2));
    scene.peer(1).game.come(2, 5, "Dan", 0);
    scene.peer(1).game.come(7, 6, "Bob", 0);
    assert!(!muted(&mut scene, 2) && !muted(&mut scene, 5) && !muted(&mut scene, 6));
    scene.peer(1).game.leave(2);
    scene.peer(1).game.come(2, 2, "Bob", 0);
    assert!(muted(&mut scene, 2));
    // Another host's players are others.
    scene.peer(1).client.join(mjolnir_chat::Invite::Other);
    assert!(!muted(&mut scene, 2));
}
