//! What is typed with a stroke before it.

use mjolnir_chat::{Channel, Error, Settings};

use super::scene::{Scene, machine, slot};

const PLAYERS: [(u8, &str); 5] = [(0, "Host"), (1, "Ann"), (2, "Bob"), (3, "Bonnie"), (4, "Bob 2")];
const USAGE: &str = "notice: /mute NAME [MINUTES, 1 to 1440] or /unmute NAME";

/// CHAT-20, 47: what is no command's use mutes nobody, is told on the host's screen alone, and why.
#[test]
fn a_command_that_means_nothing_mutes_nobody() {
    for (typed, error, told) in [
        ("/mute", Error::Usage, USAGE),
        ("/mute  ", Error::Usage, USAGE),
        ("/unmute", Error::Usage, USAGE),
        ("/mute bob x", Error::Usage, USAGE),
        ("/mute bob 0", Error::Usage, USAGE),
        ("/mute bob -1", Error::Usage, USAGE),
        ("/mute bo", Error::Several, "notice: Several players' names begin so: say more of it."),
        ("/mute bo 5", Error::Several, "notice: Several players' names begin so: say more of it."),
        ("/mute zed", Error::NoPlayer, "notice: No player's name begins so."),
        ("/mute host", Error::Own, "notice: That player plays on this machine."),
        ("/unmute ann", Error::NotMuted, "notice: That player is not muted."),
        ("/unmute bo", Error::Several, "notice: Several players' names begin so: say more of it."),
    ] {
        let mut scene = Scene::new(Settings::On, &PLAYERS);
        assert_eq!(scene.say(0, Channel::All, typed), Err(error), "{typed}");
        scene.step();
        assert_eq!((scene.shown.clone(), scene.down_messages), (vec![told.to_owned()], 0), "{typed}");
        for of in 0..5 {
            assert!(!scene.host.is_muted(scene.now, machine(of), &scene.game), "{typed}");
        }
    }
}

/// CHAT-47: a whole name wins over longer ones, and a number is a name's where a name ends so.
#[test]
fn a_whole_name_wins() {
    for (typed, of, minutes) in [
        ("/mute bob", 2, 20),
        ("/mute bon", 3, 20),
        ("/mute bob 2", 4, 20),
        ("/mute bob 3", 2, 3),
        ("/mute bob 2 3", 4, 3),
        ("/MUTE a 2000", 1, 1440),
    ] {
        let mut scene = Scene::new(Settings::On, &PLAYERS);
        scene.say(0, Channel::Team, typed).unwrap();
        let muted =
            |at| (0..5).filter(|of| scene.host.is_muted(at, machine(*of), &scene.game)).collect::<Vec<_>>();
        let end = scene.now.plus(minutes * 60_000_000);
        assert_eq!(muted(scene.now), [of], "{typed}");
        assert_eq!(muted(mjolnir_wire::Moment::from_micros(end.as_micros() - 1)), [of], "{typed}");
        assert_eq!(muted(end), [0; 0], "{typed}");
    }
}

/// CHAT-47: two of one name are nobody's, and one whose machine is not in the game is none to mute.
#[test]
fn a_name_is_one_player_who_is_there() {
    let mut scene = Scene::new(Settings::On, &PLAYERS);
    scene.game.come(7, 6, "Zed", 0);
    assert_eq!(scene.say(0, Channel::All, "/mute zed"), Err(Error::NotJoined));
    scene.connect(6);
    scene.step();
    assert_eq!(scene.say(0, Channel::All, "/mute zed"), Ok(()));
    scene.game.come(8, 1, "ANN", 0);
    assert_eq!(scene.say(0, Channel::All, "/mute ann"), Err(Error::Alike));
}

/// CHAT-24: a client's command is its own: nothing is sent, and what it mutes is muted there. A number is none of it.
#[test]
fn a_clients_command_is_never_sent() {
    let mut scene = Scene::new(Settings::On, &PLAYERS);
    scene.say(1, Channel::All, "/mute bob").unwrap();
    assert_eq!(scene.say(1, Channel::All, " /mute bob 5"), Err(Error::Usage));
    assert_eq!(scene.say(1, Channel::All, "/mute zed"), Err(Error::NoPlayer));
    assert_eq!(scene.say(1, Channel::All, "/mute ann"), Err(Error::Own));
    scene.step();
    assert_eq!((scene.ups, scene.down_messages), (0, 0));
    let told = [
        "notice: Bob is muted on this machine.",
        "notice: /mute NAME or /unmute NAME, for this machine alone",
        "notice: No player's name begins so.",
        "notice: That player plays on this machine.",
    ];
    assert_eq!(scene.peer(1).shown, told);
    assert!(!scene.host.is_muted(scene.now, machine(2), &scene.game));
    scene.forge(2, 2, "hey").unwrap();
    scene.say(1, Channel::All, "/unmute bob").unwrap();
    scene.forge(2, 2, "ho").unwrap();
    assert_eq!(scene.say(1, Channel::All, "/unmute bob"), Err(Error::NotMuted));
    scene.step();
    assert_eq!((scene.ups, scene.peer(3).shown.len()), (0, 2));
}

/// CHAT-24: what comes up as a line is a line, whatever it says: shown to all, and nobody is muted.
#[test]
fn a_line_is_never_a_command() {
    let mut scene = Scene::new(Settings::On, &PLAYERS);
    scene.forge(1, 1, "/mute bob 5").unwrap();
    scene.step();
    assert_eq!(scene.shown, ["1>all: /mute bob 5 [0]"]);
    assert_eq!(scene.peer(2).shown, ["1>all: /mute bob 5 [2]"]);
    assert!(!scene.host.is_muted(scene.now, machine(2), &scene.game));
    // Nor is what only begins like one.
    scene.say(0, Channel::All, "/muted by whom").unwrap();
    scene.step();
    assert_eq!(scene.shown[1], "0>all: /muted by whom [0]");
    let peer = scene.peer(1);
    assert_eq!(peer.client.say(slot(1), Channel::All, "/me waves", &peer.game), Ok(()));
}
