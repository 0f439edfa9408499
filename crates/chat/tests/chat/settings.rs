//! What a host lets be said, how its clients know it, and who refuses what.

use mjolnir_chat::{Channel, Client, Down, Error, Invite, Line, Settings, Text};

use super::scene::{Scene, seconds, shown, slot};

const THREE: [(u8, &str); 3] = [(0, "Host"), (1, "Ann"), (2, "Bob")];
const OFF: &str = "notice: The text chat is off.";
const LINK: &str = "notice: Links are not allowed in this game's chat.";

/// CHAT-28: thirty seconds from a readiness on, with one change in them, are 11 or 12 messages of one byte to each, wherever in
/// the period the readiness and the change fall.
#[test]
fn settings_are_told_on_readiness_change_and_each_three_seconds() {
    for (lobby, until) in [(0.1, 10.0), (1.4, 10.4), (2.9, 9.0), (4.7, 20.3)] {
        let mut scene = Scene::new(Settings::On, &THREE);
        scene.run(lobby);
        scene.forget();
        (1..3).for_each(|of| scene.ready(of));
        scene.run(until);
        scene.host.set_settings(Settings::Links);
        scene.step();
        assert!(scene.peers.values().all(|peer| peer.client.settings() == Settings::Links));
        scene.run(30.0 - until);
        for peer in scene.peers.values() {
            assert!(matches!(peer.configs.len(), 11 | 12), "{} of {lobby}, {until}", peer.configs.len());
            assert!(peer.configs.iter().all(|length| *length == 1));
        }
        assert_eq!(scene.down_messages, scene.peers.values().map(|peer| peer.configs.len()).sum::<usize>());
    }
}

/// CHAT-28: three seconds from one telling to the next, to the tick, and three from a change.
#[test]
fn a_change_takes_a_tellings_place() {
    let mut scene = Scene::new(Settings::On, &THREE);
    let configs = |scene: &mut Scene, seconds: f64| {
        scene.run(seconds);
        scene.peer(1).configs.len()
    };
    // It was told as the scene began.
    assert_eq!((configs(&mut scene, 2.9), configs(&mut scene, 0.1)), (0, 1));
    assert_eq!((configs(&mut scene, 299.9), configs(&mut scene, 0.1)), (100, 101));
    configs(&mut scene, 1.0);
    scene.host.set_settings(Settings::Off);
    scene.step();
    assert_eq!((configs(&mut scene, 2.9), configs(&mut scene, 0.2)), (102, 103));
}

/// CHAT-28: what is set as it was is no change; who is new is told at once, and nobody else.
#[test]
fn only_a_change_is_one() {
    let mut scene = Scene::new(Settings::On, &THREE);
    scene.host.set_settings(Settings::On);
    scene.host.set_listed(false);
    scene.step();
    assert_eq!(scene.down_messages, 0);
    scene.connect(7);
    assert!(!scene.peer(7).client.enabled());
    scene.step();
    assert_eq!((scene.down_messages, scene.peer(7).client.settings()), (1, Settings::On));
    // The next of the same index is new again.
    scene.disconnect(7);
    scene.connect(7);
    scene.step();
    assert_eq!((scene.down_messages, scene.peer(7).client.enabled()), (2, true));
    // New as they change: told once.
    scene.forget();
    scene.connect(8);
    scene.host.set_settings(Settings::Links);
    scene.step();
    assert_eq!((scene.peer(8).configs.len(), scene.peer(8).client.settings()), (1, Settings::Links));
    assert_eq!((scene.peer(7).configs.len(), scene.peer(7).client.settings()), (1, Settings::Links));
}

/// CHAT-29: a listed game has no chat whatever its host wants, and has it again once it is not.
#[test]
fn a_listed_game_has_no_chat() {
    let mut scene = Scene::new(Settings::Links, &THREE);
    scene.host.set_listed(true);
    scene.step();
    for settings in [Settings::On, Settings::Off, Settings::Links] {
        scene.host.set_settings(settings);
        scene.step();
        assert_eq!(scene.host.settings(), Settings::Off);
        assert!(scene.peers.values().all(|peer| !peer.client.enabled()));
        assert_eq!(scene.forge(1, 1, "x"), Err(Error::Off));
        scene.now = scene.now.plus(10_000_000);
    }
    scene.host.set_listed(false);
    scene.step();
    assert_eq!((scene.host.settings(), scene.peer(1).client.settings()), (Settings::Links, Settings::Links));
}

/// CHAT-30, 44: before its host says otherwise a client has no chat: nothing is sent, and its player is told.
#[test]
fn a_client_without_settings_has_no_chat() {
    let mut scene = Scene::new(Settings::On, &THREE);
    let peer = scene.peer(1);
    peer.client = Client::new();
    assert!(!peer.client.enabled());
    assert_eq!(peer.client.say(slot(1), Channel::All, "x", &peer.game), Err(Error::Off));
    let line = Line { slot: slot(2), channel: Channel::All, text: Text::new("hello") };
    assert_eq!(peer.client.handle(&Down::Line(line), &peer.game), Err(Error::Off));
    scene.step();
    assert_eq!((scene.ups, scene.peer(1).shown.clone()), (0, vec![OFF.to_owned()]));
    // Its host says it.
    scene.peer(1).client.handle_settings(Settings::On);
    scene.say(1, Channel::All, "x").unwrap();
    scene.step();
    assert_eq!(scene.ups, 1);
}

/// CHAT-31: a client that joined by a listing takes no line and no notice and sends none, though the host says on.
#[test]
fn a_public_game_has_no_chat() {
    let mut scene = Scene::new(Settings::Links, &THREE);
    scene.peer(1).client.join(Invite::Listing);
    scene.peer(1).client.handle_settings(Settings::Links);
    assert_eq!(scene.peer(1).client.settings(), Settings::Off);
    assert_eq!(scene.say(1, Channel::All, "x"), Err(Error::Public));
    scene.say(2, Channel::All, "hello").unwrap();
    scene.up();
    scene.say(0, Channel::All, "/mute bob").unwrap();
    scene.down();
    assert_eq!((scene.ups, scene.peer(1).downs.len()), (1, 2));
    assert_eq!(scene.peer(1).shown, ["notice: There is no text chat in public games."]);
    assert_eq!(scene.peer(2).shown.len(), 2);
    let peer = scene.peer(1);
    for down in peer.downs.clone() {
        assert_eq!(peer.client.handle(&down, &peer.game), Err(Error::Public));
    }
}

/// CHAT-32, 30: any other invite forgets the listing, and what the host before said.
#[test]
fn another_invite_forgets_the_listing() {
    let mut client = Client::new();
    client.join(Invite::Listing);
    client.handle_settings(Settings::On);
    assert!(!client.enabled());
    client.join(Invite::Other);
    assert!(!client.enabled());
    client.handle_settings(Settings::On);
    assert!(client.enabled());
    // A listing that is joined later has none again.
    client.join(Invite::Listing);
    client.handle_settings(Settings::Links);
    assert!(!client.enabled());
}

/// CHAT-33, 44: where links are refused, one is refused as it is typed and told there; what a changed build sends none the less
/// is refused by the host, which tells its machine alone.
#[test]
fn links_are_refused_on_both_ends() {
    let mut scene = Scene::new(Settings::On, &THREE);
    for text in ["foo.com", "see foo dot com", "www.x"] {
        assert_eq!(scene.say(1, Channel::All, text), Err(Error::Link));
    }
    assert_eq!(scene.say(0, Channel::Team, "www.x"), Err(Error::Link));
    scene.step();
    assert_eq!((scene.ups, scene.down_messages), (0, 0));
    assert_eq!(scene.peer(1).shown, [LINK; 3]);
    assert_eq!(scene.shown, [LINK]);
    scene.forget();
    assert_eq!(scene.forge(1, 1, "foo.com"), Err(Error::Link));
    scene.step();
    assert_eq!(
        (scene.down_messages, scene.shown.len(), scene.peer(1).shown.clone()),
        (1, 0, vec![LINK.to_owned()])
    );
    // Where they are allowed, they pass.
    scene.host.set_settings(Settings::Links);
    scene.step();
    scene.forget();
    scene.say(1, Channel::All, "foo.com").unwrap();
    scene.step();
    assert_eq!(scene.peer(2).shown, ["1>all: foo.com [2]"]);
}

/// CHAT-31, 33: a line that a client sends past its own check is refused by the host, which says why to it alone, whatever the
/// settings; of another machine's player, of blanks and in a public game none is sent.
#[test]
fn a_line_past_the_check_is_refused_by_the_host() {
    for (settings, text, error, notice) in
        [(Settings::On, "see www.x", Error::Link, LINK), (Settings::Off, "hello", Error::Off, OFF)]
    {
        let mut scene = Scene::new(settings, &THREE);
        let past = |scene: &mut Scene, index: u8, text: &str| {
            let peer = scene.peer(1);
            peer.client.say_unchecked(slot(index), Channel::All, text, &peer.game)
        };
        assert_eq!(past(&mut scene, 2, text), Err(Error::NotOwned));
        assert_eq!(past(&mut scene, 1, "  "), Err(Error::Blank));
        assert_eq!(past(&mut scene, 1, text), Ok(()));
        scene.step();
        assert_eq!((scene.ups, scene.taken.clone(), scene.shown.len()), (1, vec![Err(error)], 0));
        assert_eq!((scene.peer(1).shown.clone(), scene.peer(2).shown.len()), (vec![notice.to_owned()], 0));
        scene.peer(1).client.join(Invite::Listing);
        assert_eq!(past(&mut scene, 1, text), Err(Error::Public));
    }
}

/// CHAT-33, 34, 36, 37, 38, 39: what hides a link from the look at it hides it from the eye: it does not come out as the same.
#[test]
fn what_is_invisible_hides_no_link() {
    let mut scene = Scene::new(Settings::On, &THREE);
    for hidden in [
        "\u{200B}", "\u{200C}", "\u{200D}", "\u{FEFF}", "\u{AD}", "\u{2060}", "\u{34F}", "\u{180E}",
        "\u{202E}",
    ] {
        for text in [format!("foo{hidden}.com"), format!("foo.{hidden}com"), format!("foo.c{hidden}om")] {
            scene.now = scene.now.plus(10_000_000);
            scene.step();
            scene.forget();
            if scene.say(1, Channel::All, &text).is_ok() {
                scene.step();
                assert_eq!(scene.shown, [format!("1>all: {} [0]", text.replace(hidden, "?"))]);
            }
        }
    }
    // Dots and letters that only look so are none.
    for text in ["foo\u{2024}com", "foo\u{3002}com", "f\u{43E}\u{43E}.\u{441}om"] {
        scene.now = scene.now.plus(10_000_000);
        scene.step();
        scene.forget();
        scene.say(1, Channel::All, text).unwrap();
        scene.step();
        assert!(scene.shown[0].contains('?') && !scene.shown[0].contains("foo.com"));
    }
}

/// CHAT-33: with the chat off nothing is sent on; each machine is told why, the host's own player too. What was said before
/// is heard before.
#[test]
fn nothing_is_said_while_the_chat_is_off() {
    let mut scene = Scene::new(Settings::On, &THREE);
    scene.say(1, Channel::All, "before").unwrap();
    scene.up();
    scene.host.set_settings(Settings::Off);
    assert_eq!(scene.forge(2, 2, "after"), Err(Error::Off));
    assert_eq!(scene.say(0, Channel::All, "after"), Err(Error::Off));
    scene.down();
    assert_eq!(scene.peer(1).shown, ["1>all: before [1]"]);
    assert_eq!(scene.peer(2).shown, ["1>all: before [2]", OFF]);
    assert_eq!(scene.shown, ["1>all: before [0]", OFF]);
    assert_eq!(scene.say(1, Channel::All, "after"), Err(Error::Off));
    scene.host.set_settings(Settings::On);
    scene.step();
    assert_eq!(scene.say(1, Channel::All, "again"), Ok(()));
}

/// CHAT-23, 30: a notice is shown without a name, whether the chat is on or not.
#[test]
fn a_notice_is_nobodys() {
    let mut scene = Scene::new(Settings::Off, &THREE);
    scene.say(0, Channel::All, "/mute bob 1").unwrap();
    scene.step();
    assert_eq!(scene.peer(1).shown, ["notice: Bob is muted for 1 minute."]);
    assert!(matches!(scene.peer(1).downs[..], [Down::Notice(_)]));
}

/// CHAT-28: a host that stood still tells them once, and goes on from there.
#[test]
fn a_stall_is_not_made_up_for() {
    let mut scene = Scene::new(Settings::On, &THREE);
    scene.now = seconds(5000.0);
    scene.step();
    scene.step();
    assert_eq!(scene.peer(1).configs.len(), 1);
    scene.run(2.9);
    assert_eq!(scene.peer(1).configs.len(), 1);
    scene.run(0.2);
    assert_eq!(scene.peer(1).configs.len(), 2);
    let mut host_alone = Scene::new(Settings::On, &[(0, "Host")]);
    host_alone.say(0, Channel::All, "anybody?").unwrap();
    let events: Vec<_> = host_alone.host.events().map(|event| shown(&event)).collect();
    assert_eq!(events, ["0>all: anybody? [0]"]);
    host_alone.run(10.0);
    assert_eq!(host_alone.down_messages, 0);
}
