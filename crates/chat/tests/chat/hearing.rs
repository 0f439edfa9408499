//! Who hears what, on which machine and in which view.

use mjolnir_chat::{Channel, Settings};
use mjolnir_wire::ObjectId;

use super::scene::Scene;

/// Red on the host, and on machines 1 and 3; blue on machines 2 and 3.
fn teams() -> Scene {
    let mut scene = Scene::new(Settings::On, &[(0, "Host"), (1, "Ann"), (2, "Bob"), (3, "Cat"), (3, "Cal")]);
    for (index, team) in [(0, 0), (1, 0), (2, 1), (3, 0), (4, 1)] {
        scene.game.seat(index).team = team;
    }
    scene.share();
    scene
}

fn got(scene: &Scene) -> Vec<u8> {
    scene.peers.iter().filter(|(_, peer)| !peer.downs.is_empty()).map(|(of, _)| *of).collect()
}

fn car(index: u16) -> Option<ObjectId> {
    ObjectId::new(index, 9)
}

/// CHAT-10, 15, 18: a team's line goes once to each machine with a player of the team, and is shown in these players' views
/// alone; the host shows it if one of its own is of the team.
#[test]
fn a_team_hears_its_own() {
    let mut scene = teams();
    scene.say(1, Channel::Team, "red").unwrap();
    scene.step();
    assert_eq!((got(&scene), scene.down_messages), (vec![1, 3], 2));
    assert_eq!(scene.shown, ["1>team: red [0]"]);
    assert_eq!(scene.peer(3).shown, ["1>team: red [3]"]);
    scene.forget();
    scene.say(2, Channel::Team, "blue").unwrap();
    scene.step();
    assert_eq!((got(&scene), scene.shown.len()), (vec![2, 3], 0));
    assert_eq!(scene.peer(3).shown, ["2>team: blue [4]"]);
}

/// CHAT-10: in a game without teams a team's line is everyone's.
#[test]
fn without_teams_all_are_one() {
    let mut scene = teams();
    scene.game.has_teams = false;
    scene.share();
    scene.say(1, Channel::Team, "all").unwrap();
    scene.step();
    assert_eq!((got(&scene), scene.down_messages), (vec![1, 2, 3], 3));
    assert_eq!(scene.shown, ["1>team: all [0]"]);
    assert_eq!(scene.peer(3).shown, ["1>team: all [3 4]"]);
}

/// CHAT-15: the host shows what one of its own players says, whoever hears it; and nothing that none of them hears.
#[test]
fn a_host_shows_what_its_players_hear_or_say() {
    let mut scene = teams();
    scene.game.seat(0).root = None;
    scene.say(0, Channel::Vehicle, "alone").unwrap();
    scene.step();
    assert_eq!((scene.shown.clone(), got(&scene)), (vec!["0>vehicle: alone [0]".to_owned()], vec![]));
    // A host without players shows nothing, and sends on all the same.
    scene.forget();
    scene.game.leave(0);
    scene.share();
    scene.say(1, Channel::All, "hello").unwrap();
    scene.step();
    assert_eq!((scene.shown.len(), got(&scene)), (0, vec![1, 2, 3]));
}

/// CHAT-11, 18: who rides in the outermost vehicle hears, whatever the seat and the team, and nobody on foot or in another.
#[test]
fn riders_hear_each_other() {
    let mut scene = teams();
    // The driver, and the gunner of a turret on the same: both are children of the car in the end.
    scene.game.seat(1).root = car(5);
    scene.game.seat(4).root = car(5);
    scene.game.seat(2).root = car(6);
    scene.share();
    scene.say(1, Channel::Vehicle, "left").unwrap();
    scene.step();
    assert_eq!((got(&scene), scene.shown.len()), (vec![1, 3], 0));
    assert_eq!(scene.peer(3).shown, ["1>vehicle: left [4]"]);
    assert_eq!(scene.peer(1).shown, ["1>vehicle: left [1]"]);
}

/// CHAT-12, 13: who is on foot is heard by its own machine alone, once, in its own view.
#[test]
fn who_is_on_foot_rides_with_nobody() {
    let mut scene = teams();
    scene.game.seat(2).root = car(5);
    scene.share();
    scene.say(3, Channel::Vehicle, "taxi").unwrap();
    scene.step();
    assert_eq!((got(&scene), scene.down_messages), (vec![3], 1));
    assert_eq!(scene.peer(3).shown, ["3>vehicle: taxi [3]"]);
}

/// CHAT-13, 14: teams and vehicles are the host's: who believes to ride is not heard by the riders, and gets its own line.
#[test]
fn the_host_knows_who_rides() {
    let mut scene = teams();
    scene.game.seat(2).root = car(5);
    scene.share();
    scene.peer(1).game.seat(1).root = car(5);
    scene.say(1, Channel::Vehicle, "am I in?").unwrap();
    scene.step();
    assert_eq!(got(&scene), [1]);
    assert_eq!(scene.peer(1).shown, ["1>vehicle: am I in? [1]"]);
}

/// CHAT-14, 18: a line that the host sent to a machine none of whose players hears it, by what that machine knows, is shown to
/// all of them.
#[test]
fn a_client_behind_the_host_shows_what_it_is_sent() {
    let mut scene = teams();
    for index in [3, 4] {
        scene.peer(3).game.seat(index).team = 7;
    }
    scene.say(1, Channel::Team, "red").unwrap();
    scene.step();
    assert_eq!(scene.peer(3).shown, ["1>team: red [3 4]"]);
}

/// CHAT-09: a client without players, one that is still joining, is among everyone.
#[test]
fn who_is_only_joining_hears_everyone() {
    let mut scene = teams();
    scene.connect(9);
    scene.say(1, Channel::All, "hello").unwrap();
    scene.say(1, Channel::Team, "red").unwrap();
    scene.step();
    assert_eq!(scene.peer(9).shown, ["1>all: hello []"]);
}
