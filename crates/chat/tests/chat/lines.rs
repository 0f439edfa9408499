//! Lines up: whose they are, how many, of what. And down: one order for everybody.

use mjolnir_chat::{Channel, Down, Error, LINE_PERIOD, LINES_AT_ONCE, Line, Settings, Text};
use mjolnir_wire::Moment;
use proptest::prelude::*;

use super::scene::{Scene, machine, slot};

const FOUR: [(u8, &str); 4] = [(0, "Host"), (1, "Ann"), (2, "Bob"), (3, "Cat")];

/// CHAT-01, 08, 09: a typed line is one message by the stream to the host, at the next telling, and from there one to each
/// client, its own too; the host shows it.
#[test]
fn a_line_goes_up_and_comes_down_to_everybody() {
    let mut scene = Scene::new(Settings::On, &FOUR);
    scene.say(1, Channel::All, "hello").unwrap();
    assert!(scene.peer(1).shown.is_empty());
    scene.up();
    assert_eq!((scene.ups, scene.taken.clone()), (1, vec![Ok(())]));
    scene.down();
    assert_eq!(scene.down_messages, 3);
    let said = Down::Line(Line { slot: slot(1), channel: Channel::All, text: Text::new("hello") });
    for of in 1..4 {
        assert_eq!(scene.peer(of).downs, [said]);
        assert_eq!(scene.peer(of).shown, [format!("1>all: hello [{of}]")]);
    }
    assert_eq!(scene.shown, ["1>all: hello [0]"]);
    scene.step();
    assert_eq!((scene.ups, scene.down_messages), (1, 3));
}

/// CHAT-03: a line of another machine's player, of one who is none, and of the host's is refused; it costs nothing and is
/// heard by nobody.
#[test]
fn a_machine_speaks_for_its_own_players_alone() {
    let mut scene = Scene::new(Settings::On, &[(0, "Host"), (1, "Ann"), (1, "Abe"), (2, "Bob")]);
    for index in [0, 3, 9, 127] {
        for _ in 0..LINES_AT_ONCE + 1 {
            assert_eq!(scene.forge(1, index, "I am another"), Err(Error::NotOwned));
        }
    }
    for index in [1, 2] {
        assert_eq!(scene.forge(1, index, "I am"), Ok(()));
    }
    scene.down();
    assert_eq!(scene.shown, ["1>all: I am [0]", "2>all: I am [0]"]);
    // A client does not send what is not of its own.
    let peer = scene.peer(1);
    assert_eq!(peer.client.say(slot(3), Channel::All, "x", &peer.game), Err(Error::NotOwned));
    scene.step();
    assert_eq!(scene.ups, 0);
}

/// CHAT-04: five at once and the sixth not; another one a second and a half later, no sooner; and of a machine, not of its
/// players.
#[test]
fn five_at_once_and_then_one_each_second_and_a_half() {
    let mut scene = Scene::new(Settings::On, &[(0, "Host"), (1, "Ann"), (1, "Abe"), (2, "Bob")]);
    for line in 0..LINES_AT_ONCE as u8 {
        assert_eq!(scene.forge(1, 1 + line % 2, "x"), Ok(()));
    }
    let begin = scene.now;
    for (at, taken) in [
        (0, 0),
        (1_490_000, 0),
        (LINE_PERIOD - 1, 0),
        (LINE_PERIOD, 1),
        (2 * LINE_PERIOD - 1, 0),
        (2 * LINE_PERIOD, 1),
    ] {
        scene.now = begin.plus(at);
        let done: Vec<_> = [1, 2, 1].into_iter().map(|index| scene.forge(1, index, "x")).collect();
        assert_eq!(done.iter().filter(|done| done.is_ok()).count(), taken, "at {at}");
        assert_eq!(done[taken..], [Err(Error::TooFast); 3][taken..]);
    }
    // Nobody is told of what vanished, and another machine has its own five.
    assert_eq!(scene.forge(2, 3, "y"), Ok(()));
    scene.down();
    assert_eq!(scene.peer(1).shown.len(), 5 + 2 + 1);
    // However long it is silent, five it stays.
    scene.now = begin.plus(1000 * Moment::SECOND);
    let taken = (0..20).filter(|_| scene.forge(1, 1, "x").is_ok()).count();
    assert_eq!(taken, LINES_AT_ONCE);
}

/// CHAT-05: the next machine of an index has said nothing, and who stays gains nothing by it.
#[test]
fn who_leaves_takes_the_count_along() {
    let mut scene = Scene::new(Settings::On, &FOUR);
    for _ in 0..LINES_AT_ONCE {
        assert_eq!((scene.forge(1, 1, "x"), scene.forge(2, 2, "x")), (Ok(()), Ok(())));
    }
    scene.disconnect(1);
    scene.game.come(4, 1, "Dan", 0);
    scene.connect(1);
    for _ in 0..LINES_AT_ONCE {
        assert_eq!(scene.forge(1, 4, "x"), Ok(()));
    }
    assert_eq!((scene.forge(1, 4, "x"), scene.forge(2, 2, "x")), (Err(Error::TooFast), Err(Error::TooFast)));
}

/// CHAT-06: a line is cut and cleaned where it is typed, by the host, and by each client.
#[test]
fn a_line_is_clean_everywhere() {
    let mut scene = Scene::new(Settings::On, &FOUR);
    let typed = format!("|\u{7}\u{7F}\u{E9}\n\u{202E}{}", "x".repeat(80));
    let clean = format!("??????{}", "x".repeat(57));
    scene.say(1, Channel::All, &typed).unwrap();
    scene.say(0, Channel::All, &typed).unwrap();
    scene.step();
    assert_eq!(scene.peer(2).shown, [format!("0>all: {clean} [2]"), format!("1>all: {clean} [2]")]);
    assert_eq!(scene.shown, [format!("0>all: {clean} [0]"), format!("1>all: {clean} [0]")]);
    // As a changed build would send it, both ways.
    let mut raw = [0; 66];
    raw[0] = 1;
    raw[2..].fill(b'|');
    let line = Line::read(&raw).unwrap();
    assert_eq!(line.text.as_str(), "?".repeat(63));
    let Down::Line(down) = Down::read(&raw).unwrap() else { panic!("a line of a slot") };
    assert_eq!(down.text.as_str(), "?".repeat(63));
}

/// CHAT-03, 06: whose line it is says the host, whatever name or mark its text begins with, and it is one line.
#[test]
fn a_text_names_nobody() {
    for mark in [
        "",
        "\u{202E}",
        "\u{200F}",
        "\u{2066}",
        "\n",
        "\r\n",
        "\u{85}",
        "\u{2028}",
        "\u{2029}",
        "\u{1B}[1m",
        "|",
    ] {
        let mut scene = Scene::new(Settings::On, &FOUR);
        scene.say(1, Channel::All, &format!("hi{mark}Bob: I give up")).unwrap();
        scene.step();
        let text = "hi".to_owned()
            + &mark
                .chars()
                .map(|mark| if mark.is_ascii_graphic() && mark != '|' { mark } else { '?' })
                .collect::<String>();
        assert_eq!(scene.peer(3).shown, [format!("1>all: {text}Bob: I give up [3]")]);
    }
}

/// CHAT-07: what says nothing is not sent on, and costs its leave; nor is it sent up.
#[test]
fn blanks_are_no_lines() {
    let mut scene = Scene::new(Settings::On, &FOUR);
    for text in ["", " ", &" ".repeat(63), &" ".repeat(80), ""] {
        assert_eq!(scene.say(1, Channel::All, text), Err(Error::Blank));
        assert_eq!(scene.forge(1, 1, text), Err(Error::Blank));
    }
    assert_eq!(scene.forge(1, 1, "x"), Err(Error::TooFast));
    scene.step();
    assert_eq!((scene.ups, scene.down_messages, scene.shown.len()), (0, 0, 0));
    // Nor does a client show one that its host sent.
    let peer = scene.peer(2);
    for down in [
        Down::Notice(Text::new("  ")),
        Down::Line(Line { slot: slot(1), channel: Channel::All, text: Text::new("") }),
    ] {
        assert_eq!(peer.client.handle(&down, &peer.game), Err(Error::Blank));
    }
    assert_eq!(peer.client.events().count(), 0);
}

/// CHAT-04: the host's own players have as many lines as anybody's.
#[test]
fn the_hosts_lines_are_counted() {
    let mut scene = Scene::new(Settings::On, &FOUR);
    for _ in 0..LINES_AT_ONCE {
        scene.say(0, Channel::All, "x").unwrap();
    }
    assert_eq!(scene.say(0, Channel::All, "x"), Err(Error::TooFast));
    scene.down();
    assert_eq!((scene.shown.len(), scene.peer(1).shown.len()), (5, 5));
}

/// CHAT-41: what was said for a machine that has left goes nowhere, also to who is there in its stead.
#[test]
fn a_line_to_who_has_left_vanishes() {
    let mut scene = Scene::new(Settings::On, &FOUR);
    scene.forge(2, 2, "late").unwrap();
    scene.disconnect(1);
    scene.down();
    assert_eq!(scene.down_messages, 2);
    scene.forge(2, 2, "later").unwrap();
    scene.disconnect(3);
    scene.game.come(5, 3, "Eve", 0);
    scene.connect(3);
    scene.down();
    assert_eq!(scene.peer(2).shown.len(), 2);
    assert!(scene.peer(3).downs.is_empty());
}

/// CHAT-13: who said a line and is gone from its place is still answered: its machine gets it, once, and others do.
#[test]
fn a_speaker_that_left_is_still_heard() {
    let mut scene = Scene::new(Settings::On, &FOUR);
    scene.forge(1, 1, "good bye").unwrap();
    scene.game.leave(1);
    scene.share();
    scene.down();
    assert_eq!(scene.peer(1).shown, ["1>all: good bye []"]);
    assert_eq!(scene.peer(2).shown, ["1>all: good bye [2]"]);
}

/// A tick with nothing to say allocates nothing on either end, also while somebody is muted.
#[test]
fn a_steady_tick_allocates_nothing() {
    let mut scene = Scene::new(Settings::On, &FOUR);
    scene.say(0, Channel::All, "/mute ann").unwrap();
    scene.run(4.0);
    let (machines, begin) = (scene.machines(), scene.now);
    let mut outbox = mjolnir_wire::Outbox::new();
    let mut run = |tick: u64| {
        outbox.begin(mjolnir_wire::Tick::ZERO, 0);
        let now = begin.plus(tick * 33_333);
        scene.host.tell(now, machines, &mut outbox);
        assert!(scene.host.is_muted(now, machine(1), &scene.game));
        assert_eq!(scene.host.events().count(), 0);
        let peer = scene.peers.get_mut(&1).unwrap();
        peer.client.tell(&mut outbox);
        assert_eq!(peer.client.events().count(), 0);
    };
    (0..200).for_each(&mut run);
    let allocated = allocation_counter::measure(|| (200..400).for_each(&mut run));
    assert_eq!(allocated.count_total, 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// CHAT-16: whoever says what when, every machine shows the same lines in one order.
    #[test]
    fn everybody_has_one_order(
        lines in prop::collection::vec((0_u8..4, 0_u64..2_000_000, any::<bool>()), 1..60),
    ) {
        let mut scene = Scene::new(Settings::On, &FOUR);
        for (number, (index, wait, steps)) in lines.into_iter().enumerate() {
            scene.now = scene.now.plus(wait);
            let _ = scene.say(index, Channel::All, &format!("line {number}"));
            if steps {
                scene.step();
            }
        }
        scene.step();
        let order = |shown: &[String]| -> Vec<String> {
            shown.iter().map(|line| line.split(" [").next().unwrap().to_owned()).collect()
        };
        let first = order(&scene.shown);
        prop_assert!(!first.is_empty());
        for peer in scene.peers.values() {
            let own: Vec<String> = order(&peer.shown);
            prop_assert_eq!(&own, &first);
        }
    }

    /// CHAT-06: any bytes as lines up and down leave both ends as they were, but for what they show, and what is shown is
    /// printable.
    #[test]
    fn any_bytes_are_shown_or_refused(
        entries in prop::collection::vec(prop::collection::vec(any::<u8>(), 66), 1..20),
    ) {
        let mut scene = Scene::new(Settings::Links, &FOUR);
        for mut bytes in entries {
            bytes[0] %= 6;
            if let Ok(line) = Line::read(&bytes) {
                let _ = scene.host.handle_line(scene.now, machine(1), &line, &scene.game);
            }
            if let Ok(down) = Down::read(&bytes) {
                let peer = scene.peer(2);
                let _ = peer.client.handle(&down, &peer.game);
            }
            scene.now = scene.now.plus(LINE_PERIOD);
            scene.step();
        }
        for line in scene.shown.iter().chain(scene.peers.values().flat_map(|peer| &peer.shown)) {
            prop_assert!(line.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'|'), "{:?}", line);
        }
        prop_assert!(scene.peers.values().all(|peer| peer.client.settings() == Settings::Links));
    }
}
