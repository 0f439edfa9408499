//! Voice between machines, in the lobby and in games, over bad networks: who hears whom, and which datagrams carry it.
//! How a frame is judged is the voice crate's to show; what it holds is anything here.

use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_engine_glue::voice::Error;
use mjolnir_engine_glue::{Talk as _, client};
use mjolnir_tests::{Ears, HeardVoice, Lab, Passed, Plan, Seating, Way, Who, messages};
use mjolnir_wire::voice::{Mode, Packet, Route, VoiceConfig, VoiceDown, VoiceKey, VoiceSettings, VoiceUp};
use mjolnir_wire::{Kind, Machine, Tick, Vec3};

use crate::chat::{all, lobby, of, passed, plan, play, refused, slot, tell};

/// Seconds of a frame of speech.
pub(super) const FRAME: f64 = 0.02;

pub(super) fn settings(lobby: bool, mode: Mode, kbps: u8) -> VoiceSettings {
    VoiceSettings::new(lobby, mode, kbps, 150).unwrap()
}

/// A lobby in which all talk and hear: a host of so many players, and clients of one each.
pub(super) fn hearing(plan: Plan, own: usize) -> Lab {
    let mut lab = lobby(plan, own);
    let now = lab.host.now(lab.now());
    lab.host.net.set_voice(now, [plan.seed, 7], VoiceSettings::default());
    lab.host.engine.ears.hears = own > 0;
    lab.clients.iter_mut().for_each(|seat| seat.engine.ears.hears = true);
    lab.run_seconds(1.0);
    lab
}

/// The same, and in a game, with everybody near enough to hear each other.
pub(super) fn both(plan: Plan, own: usize) -> [(Lab, &'static str); 2] {
    let mut game = hearing(plan, own);
    play(&mut game);
    [(hearing(plan, own), "lobby"), (game, "game")]
}

fn set(lab: &mut Lab, settings: VoiceSettings) {
    let now = lab.host.now(lab.now());
    lab.host.net.set_voice(now, [0; 2], settings);
    lab.run_seconds(0.5);
}

/// A machine says that.
pub(super) fn speak(lab: &mut Lab, who: Who, bytes: &[u8]) -> Result<(), Error> {
    let (packet, now) = (Packet::new(bytes).unwrap(), lab.now());
    match who {
        Who::Host => lab.host.net.speak(lab.host.now(now), packet, &lab.host.engine),
        Who::Client(place) => {
            let seat = &mut lab.clients[place];
            let now = seat.now(now);
            seat.net.speak(now, packet)
        }
    }
}

/// Those machines talk for so many frames, each in its own words, and all is heard.
pub(super) fn talk(lab: &mut Lab, who: &[Who], frames: u32) {
    for frame in 0..frames {
        for who in who {
            let number = match who {
                Who::Host => 0,
                Who::Client(place) => *place as u8 + 1,
            };
            assert_eq!(speak(lab, *who, &[number, frame as u8, 3]), Ok(()), "{who:?}");
        }
        lab.run_seconds(FRAME);
    }
    lab.run_seconds(0.3);
}

fn ears(lab: &mut Lab, who: Who) -> &mut Ears {
    match who {
        Who::Host => &mut lab.host.engine.ears,
        Who::Client(place) => &mut lab.clients[place].engine.ears,
    }
}

/// What a machine was to play since this was last asked.
pub(super) fn heard(lab: &mut Lab, who: Who) -> Vec<HeardVoice> {
    std::mem::take(&mut ears(lab, who).voices)
}

/// How many frames of whom a machine was to play since this was last asked, and by what.
fn count(lab: &mut Lab, who: Who, by: Who) -> usize {
    let machine = machine(lab, by);
    heard(lab, who).iter().filter(|voice| voice.machine == machine).count()
}

/// How many frames each machine was to play, of whomever, since this was last asked.
pub(super) fn counts(lab: &mut Lab) -> Vec<usize> {
    all(lab).into_iter().map(|who| heard(lab, who).len()).collect()
}

pub(super) fn machine(lab: &Lab, who: Who) -> Machine {
    match who {
        Who::Host => Machine::HOST,
        Who::Client(place) => lab.clients[place].net.transport().machine().unwrap(),
    }
}

/// The last words of its key and the settings that came to a client that was listened to.
fn configs(lab: &Lab, place: usize) -> Vec<VoiceConfig> {
    let mut configs = Vec::new();
    messages(lab.clients[place].network.passed(), Way::In, |_, message| {
        if message.kind == Kind::VoiceConfig {
            configs.extend(VoiceConfig::read_all(message).map(Result::unwrap));
        }
    });
    configs
}

/// A client's key, as it names it with what it says.
pub(super) fn key(lab: &mut Lab, place: usize) -> VoiceKey {
    lab.clients[place].network.listen();
    lab.run_until("it says that it hears", 4, |lab| !frames(lab.clients[place].network.passed()).is_empty());
    frames(lab.clients[place].network.passed())[0].0
}

/// The frames that a client sent: whose key, its number, and how long.
pub(super) fn frames(log: &[Passed]) -> Vec<(VoiceKey, u16, usize)> {
    let mut frames = Vec::new();
    messages(log, Way::Out, |_, message| {
        if message.kind == Kind::VoiceUp {
            let VoiceUp { key, sequence, packet } = VoiceUp::read(message).unwrap();
            frames.push((key, sequence, packet.bytes().len()));
        }
    });
    frames
}

pub(super) fn up(key: VoiceKey, sequence: u16, bytes: &[u8]) -> Vec<u8> {
    let mut datagram = Vec::new();
    VoiceUp { key, sequence, packet: Packet::new(bytes).unwrap() }.write(Tick::ZERO, &mut datagram);
    datagram
}

/// VOICE-01, 02, 11, 15, 17, NET-67, GLUE-16: a second of talk is fifty datagrams of one message of kind 80 each, and none goes by
/// the stream or in a batch; the host and both others play each frame, as it was said, with its speaker; with each goes its
/// hearer's own key; to the speaker goes none. In the lobby as in a game, where the host's own player is heard by all too.
#[test]
fn everybody_hears_everybody() {
    for (mut lab, stage) in both(plan(8001, 3, false), 1) {
        let keys = [0, 1, 2].map(|place| key(&mut lab, place));
        (0..3).for_each(|place| lab.clients[place].network.listen());
        counts(&mut lab);
        talk(&mut lab, &[Who::Client(0)], 50);
        let log = lab.clients[0].network.passed();
        let said: Vec<_> = frames(log).into_iter().filter(|(.., length)| *length > 0).collect();
        assert_eq!(said.len(), 50, "{stage}");
        assert!(said.iter().all(|(key, ..)| *key == keys[0]), "{stage}");
        assert!(said.windows(2).all(|two| two[1].1 == two[0].1 + 1), "{stage}");
        assert_eq!(passed(log, Way::Out, Kind::VoiceUp)[0], 0, "{stage}");
        let alone = |log: &[Passed], kind: Kind, way| {
            let is_it = |of: &&Passed| of.is_datagram() && of.way == way && of.bytes()[2] == kind as u8;
            let found: Vec<_> = log.iter().filter(is_it).collect();
            assert!(found.iter().all(|of| of.bytes()[3] == 1), "{stage}");
            found.len()
        };
        assert_eq!(alone(log, Kind::VoiceUp, Way::Out), passed(log, Way::Out, Kind::VoiceUp)[1], "{stage}");
        let (speaker, player) = (machine(&lab, Who::Client(0)), slot(&lab, Who::Client(0)));
        for who in [Who::Host, Who::Client(1), Who::Client(2)] {
            let heard = heard(&mut lab, who);
            assert_eq!(heard.len(), 50, "{stage} {who:?}");
            for (frame, voice) in heard.iter().enumerate() {
                let expected =
                    if stage == "lobby" { (None, Route::Global) } else { (Some(player), Route::Near) };
                assert_eq!((voice.machine, (voice.player, voice.route)), (speaker, expected), "{stage}");
                assert_eq!(voice.bytes, [1, frame as u8, 3], "{stage}");
            }
        }
        for (place, key) in keys.iter().enumerate() {
            let log = lab.clients[place].network.passed();
            let downs = passed(log, Way::In, Kind::VoiceDown);
            assert_eq!(downs, if place == 0 { [0, 0] } else { [0, 50] }, "{stage} {place}");
            assert_eq!(alone(log, Kind::VoiceDown, Way::In), downs[1], "{stage}");
            messages(log, Way::In, |_, message| {
                if message.kind == Kind::VoiceDown {
                    assert_eq!(VoiceDown::read(message).unwrap().key, *key, "{stage}");
                }
            });
        }
        talk(&mut lab, &[Who::Host], 10);
        assert_eq!(counts(&mut lab), [0, 10, 10, 10], "{stage}");
        let refused = lab.host.net.counters().refused;
        assert_eq!(refused.keys().find(|reason| reason.starts_with("voice")), None, "{stage}");
    }
}

/// VOICE-01, 17: all four talk at once for five seconds at 60 ms, with 5 % lost, doubled and overtaken: what each plays of each
/// other is 85 to 100 of a hundred frames, of nobody else, and none of its own.
#[test]
fn all_talk_at_once() {
    let faults = Faults { latency_us: 60_000, jitter_us: 30_000, loss: 0.05, ..Faults::default() };
    for (mut lab, stage) in both(Plan { faults, ..plan(8002, 3, false) }, 1) {
        counts(&mut lab);
        let everybody = all(&lab);
        talk(&mut lab, &everybody, 250);
        for who in &everybody {
            let heard = heard(&mut lab, *who);
            for by in &everybody {
                let by_machine = machine(&lab, *by);
                let count = heard.iter().filter(|voice| voice.machine == by_machine).count();
                let due = if who == by { 0..=0 } else { 212..=250 };
                assert!(due.contains(&count), "{stage}: {who:?} heard {count} of {by:?}");
            }
        }
    }
}

/// VOICE-06, 07, 20: a machine that hears voices says so each two seconds, in ten of silence five or six times; from six seconds
/// after its last word it is sent none, and it hears them again with the first frame after its next word; one that never said so
/// is sent none, and plays on.
#[test]
fn who_says_that_it_hears_is_sent_voices() {
    for stage in ["lobby", "game"] {
        let mut lab = lobby(plan(8006, 3, false), 1);
        let now = lab.host.now(lab.now());
        lab.host.net.set_voice(now, [8, 6], VoiceSettings::default());
        [0, 1].into_iter().for_each(|place| lab.clients[place].engine.ears.hears = true);
        if stage == "game" {
            play(&mut lab);
        }
        lab.run_seconds(3.0);
        lab.clients[0].network.listen();
        lab.run_seconds(10.0);
        let words = frames(lab.clients[0].network.passed());
        assert!((5..=6).contains(&words.len()), "{stage}: {}", words.len());
        assert!(words.iter().all(|(.., length)| *length == 0), "{stage}");
        lab.clients[0].engine.ears.hears = false;
        // The last word may have come at once, or is two seconds old.
        lab.run_seconds(3.9);
        talk(&mut lab, &[Who::Client(1)], 5);
        assert_eq!(counts(&mut lab)[..2], [5, 5], "{stage}");
        lab.run_seconds(1.8);
        lab.clients[0].network.listen();
        talk(&mut lab, &[Who::Client(1)], 10);
        assert_eq!(counts(&mut lab), [10, 0, 0, 0], "{stage}");
        assert_eq!(passed(lab.clients[0].network.passed(), Way::In, Kind::VoiceDown), [0, 0], "{stage}");
        lab.clients[0].engine.ears.hears = true;
        lab.run_seconds(0.08);
        talk(&mut lab, &[Who::Client(1)], 10);
        assert_eq!(counts(&mut lab), [10, 10, 0, 0], "{stage}");
        assert!(lab.clients.iter().all(|seat| !matches!(seat.net.stage(), client::Stage::Closed)), "{stage}");
    }
}

/// VOICE-04: in the lobby a client has its key and the settings as it joins, and again each ten seconds: seven times in sixty; when
/// a setting changes at once, and then each ten seconds.
#[test]
fn the_settings_are_told_each_ten_seconds() {
    let mut lab = lobby(plan(8007, 1, false), 0);
    lab.clients[0].network.listen();
    let now = lab.host.now(lab.now());
    lab.host.net.set_voice(now, [8, 7], VoiceSettings::default());
    lab.run_seconds(60.5);
    let told = configs(&lab, 0);
    assert_eq!(told, [told[0]; 7]);
    lab.run_seconds(2.5);
    set(&mut lab, settings(true, Mode::Team, 32));
    assert_eq!(configs(&lab, 0)[7..], [VoiceConfig { settings: settings(true, Mode::Team, 32), ..told[0] }]);
    let now = lab.clients[0].now(lab.now());
    assert_eq!(lab.clients[0].net.voice_settings(now), Some(&settings(true, Mode::Team, 32)));
}

/// VOICE-04, NET-30: who is loading when its turn to be told comes is told as soon as it hears again, here back in the lobby, and not
/// ten seconds later; who loads to the end in its first tick, before it says that it is ready.
#[test]
fn who_loaded_is_told_at_once() {
    for back in [true, false] {
        let mut lab = hearing(plan(8009, 1, false), 1);
        play(&mut lab);
        let late = lab.join(Seating { load_micros: 2_000_000, ..of(1) });
        lab.clients[late].network.listen();
        lab.run_until("it loads", 5, |lab| lab.clients[late].net.stage() == client::Stage::Loading);
        lab.run_seconds(1.0);
        assert_eq!(configs(&lab, late), []);
        if back {
            lab.to_lobby();
        }
        lab.run_seconds(1.5);
        assert!(!configs(&lab, late).is_empty(), "back: {back}");
        let now = lab.clients[late].now(lab.now());
        assert_eq!(
            lab.clients[late].net.voice_settings(now),
            Some(&VoiceSettings::default()),
            "back: {back}"
        );
    }
}

/// VOICE-10: of nine machines that talk, eight are relayed, the same all the time; when one of them is quiet for half a second the
/// ninth is.
#[test]
fn eight_talk_at_a_time() {
    let mut lab = hearing(plan(8010, 10, false), 0);
    let talkers: Vec<_> = (0..9).map(Who::Client).collect();
    talk(&mut lab, &talkers, 100);
    let machines: Vec<_> = talkers.iter().map(|who| machine(&lab, *who)).collect();
    let of = |heard: &[HeardVoice], machine: &Machine| {
        heard.iter().filter(|voice| voice.machine == *machine).count()
    };
    let listened = heard(&mut lab, Who::Client(9));
    let heard_of: Vec<_> = machines.iter().map(|machine| of(&listened, machine)).collect();
    assert_eq!(heard_of.iter().filter(|count| **count == 100).count(), 8, "{heard_of:?}");
    let quiet = heard_of.iter().position(|count| *count == 0).unwrap();
    assert_eq!(lab.host.net.counters().refused.get("voice_too_many_talk"), Some(&100));
    // One of the eight stops.
    let stops = usize::from(quiet == 0);
    let others: Vec<_> = talkers.iter().copied().filter(|who| *who != Who::Client(stops)).collect();
    // The pause after the last talk was no half second: all eight have their places.
    for frame in 0..100 {
        for who in &others {
            let _ = speak(&mut lab, *who, &[frame]);
        }
        lab.run_seconds(FRAME);
    }
    let listened = heard(&mut lab, Who::Client(9));
    let of_ninth = of(&listened, &machines[quiet]);
    // It stopped 0.3 s ago, and half a second counts: of a hundred frames some ten are not taken.
    assert!((85..=95).contains(&of_ninth), "{of_ninth}");
}

/// VOICE-13: without voice in the lobby nobody is heard there, nor on the scores of a game, and everybody in the game between.
#[test]
fn a_lobby_may_be_quiet() {
    let mut lab = hearing(plan(8013, 2, false), 1);
    let own = settings(false, Mode::TeamAndEnemiesNear, 24);
    set(&mut lab, own);
    counts(&mut lab);
    let mut said = 0;
    let mut round = |lab: &mut Lab, due: usize| {
        talk(lab, &[Who::Client(0)], 10);
        assert_eq!(counts(lab), [due, 0, due]);
        said += 10 - due as u64;
        assert_eq!(refused(lab, Who::Host, "voice_off"), said);
    };
    round(&mut lab, 0);
    play(&mut lab);
    round(&mut lab, 10);
    lab.end();
    lab.run_seconds(1.0);
    round(&mut lab, 0);
    set(&mut lab, VoiceSettings::default());
    talk(&mut lab, &[Who::Client(0)], 10);
    assert_eq!(counts(&mut lab), [10, 0, 10]);
    lab.to_lobby();
    lab.run_seconds(1.0);
    talk(&mut lab, &[Who::Client(1)], 10);
    assert_eq!(counts(&mut lab), [10, 10, 0]);
}

/// VOICE-19, CHAT-27: what a client mutes for itself it does not play, line or voice, and says nothing of it; the others hear all of
/// it. The host's own screen can do the same.
#[test]
fn a_machines_own_mute_is_its_own() {
    for (mut lab, stage) in both(plan(8019, 3, false), 1) {
        let muted = slot(&lab, Who::Client(1));
        lab.clients[0].network.listen();
        counts(&mut lab);
        let seat = &mut lab.clients[0];
        assert_eq!(seat.net.mute_here(muted, true, &seat.engine), Ok(()));
        talk(&mut lab, &[Who::Client(1), Who::Client(2)], 20);
        let of_muted =
            all(&lab).into_iter().map(|who| count(&mut lab, who, Who::Client(1))).collect::<Vec<_>>();
        assert_eq!(of_muted, [20, 0, 0, 20], "{stage}");
        let log = lab.clients[0].network.passed();
        // It is sent them still: nobody knows of it.
        assert_eq!(passed(log, Way::In, Kind::VoiceDown), [0, 40], "{stage}");
        assert_eq!(passed(log, Way::Out, Kind::ChatUp), [0, 0], "{stage}");
        let seat = &mut lab.clients[0];
        assert_eq!(seat.net.mute_here(muted, false, &seat.engine), Ok(()));
        assert_eq!(lab.host.net.mute_here(muted, true, &lab.host.engine), Ok(()));
        talk(&mut lab, &[Who::Client(1)], 20);
        assert_eq!(counts(&mut lab), [0, 20, 0, 20], "{stage}");
    }
}

/// CHAT-26, 45: whom the host mutes for everyone is heard by nobody, from that moment on, in the lobby as in a game, and from the
/// one into the other; until it is unmuted.
#[test]
fn who_is_muted_for_everyone_is_heard_by_nobody() {
    let mut lab = hearing(plan(8026, 3, false), 1);
    for stage in ["lobby", "game"] {
        counts(&mut lab);
        // With frames under way, of which what the host has not heard yet is not heard either.
        talk(&mut lab, &[Who::Client(1)], 5);
        assert_eq!(counts(&mut lab), [5, 5, 0, 5], "{stage}");
        assert_eq!(speak(&mut lab, Who::Client(1), &[1]), Ok(()));
        tell(&mut lab, Who::Host, "/mute P2-0 1");
        talk(&mut lab, &[Who::Client(1)], 99);
        assert_eq!(counts(&mut lab), [0; 4], "{stage}");
        talk(&mut lab, &[Who::Client(2)], 10);
        assert_eq!(counts(&mut lab), [10, 10, 10, 0], "{stage}");
        if stage == "lobby" {
            play(&mut lab);
            talk(&mut lab, &[Who::Client(1)], 10);
            assert_eq!(counts(&mut lab), [0; 4]);
        }
        tell(&mut lab, Who::Host, "/unmute P2-0");
        talk(&mut lab, &[Who::Client(1)], 10);
        assert_eq!(counts(&mut lab), [10, 10, 0, 10], "{stage}");
    }
}

/// By what `hearer` hears `speaker`, as the papers have it.
fn due(mode: Mode, teams: bool, [speaker, hearer]: [(Option<u8>, bool, Vec3); 2]) -> Option<Route> {
    let is_mate = teams && speaker.0 == hearer.0;
    let is_near = speaker.1 && hearer.1 && speaker.2.distance(hearer.2) <= 15.0;
    let near = is_near.then_some(Route::Near);
    match mode {
        Mode::Off => None,
        Mode::TeamNear => near.filter(|_| is_mate),
        Mode::TeamAndEnemiesNear => near,
        Mode::Team => is_mate.then_some(Route::Global),
        Mode::TeamAndNearEnemies => {
            if is_mate {
                Some(Route::Global)
            } else {
                near
            }
        }
    }
}

/// VOICE-12, 14, 15: in a game of a host and three clients, of each mode, with teams and without, with everybody alive, the speaker
/// dead or a hearer dead, and others 14.9 or 15.1 wu away: every machine plays each of ten frames, or none, by the route that the
/// modes' table has for it.
#[test]
fn the_mode_says_who_hears_whom() {
    let mut routes = [0; 3];
    for teams in [true, false] {
        let mut lab = hearing(plan(8012, 3, teams), 1);
        play(&mut lab);
        let everybody = all(&lab);
        let slots: Vec<_> = everybody.iter().map(|who| slot(&lab, *who)).collect();
        for (mode, dies) in
            Mode::ALL.into_iter().flat_map(|mode| [None, Some(0), Some(2)].map(|dies| (mode, dies)))
        {
            set(&mut lab, settings(true, mode, 24));
            let alive = |lab: &Lab, at: usize| lab.host.engine.mouth(slots[at]);
            lab.run_until("all live", 10, |lab| (0..4).all(|at| alive(lab, at).is_some()));
            // The speaker is the first client; the others are to its east, west and north, on either side of the bound.
            for far in 0..2 {
                let away = |of: usize| if of % 2 == far { 15.1 } else { 14.9 };
                let places = [
                    Vec3::new(away(0), 0.0, 0.0),
                    Vec3::ZERO,
                    Vec3::new(-away(1), 0.0, 0.0),
                    Vec3::new(0.0, away(0), 0.0),
                ];
                for (slot, place) in slots.iter().zip(places) {
                    assert!(lab.host.engine.world_mut().move_to(*slot, place));
                }
                lab.run_seconds(0.7);
                if let Some(dies) = dies.map(|at: usize| at.max(1)) {
                    assert!(lab.host.engine.world_mut().kill(slots[dies], None));
                    lab.run_ticks(2);
                }
                let rows: Vec<_> = (0..4)
                    .map(|at| {
                        let mouth = alive(&lab, at);
                        (lab.host.engine.team(slots[at]), mouth.is_some(), mouth.unwrap_or_default())
                    })
                    .collect();
                counts(&mut lab);
                talk(&mut lab, &[Who::Client(0)], 10);
                for (at, who) in everybody.iter().enumerate() {
                    let route = due(mode, teams, [rows[1], rows[at]]).filter(|_| at != 1);
                    let played: Vec<_> = heard(&mut lab, *who).iter().map(|voice| voice.route).collect();
                    let what = format!("{mode:?}, teams: {teams}, dead: {dies:?}, far: {far}: {who:?}");
                    assert_eq!(
                        played,
                        vec![route.unwrap_or(Route::None); if route.is_some() { 10 } else { 0 }],
                        "{what}"
                    );
                    routes[route.map_or(0, |route| route as usize)] += 1;
                }
                lab.run_until("all live", 10, |lab| (0..4).all(|at| alive(lab, at).is_some()));
            }
        }
    }
    // All of it was seen often.
    assert!(routes.iter().all(|times| *times >= 12), "{routes:?}");
}

/// VOICE-04, 08: the quality falls in the middle of speech, at 100 ms: what is too large for it is not sent once that is known, and
/// what was under way is refused and counted; what fits is heard without a break.
#[test]
fn the_quality_changes_in_the_middle_of_speech() {
    let mut lab = hearing(plan(8008, 2, false).network(100, 0.0), 1);
    play(&mut lab);
    set(&mut lab, settings(true, Mode::TeamAndEnemiesNear, 64));
    counts(&mut lab);
    let (mut large, mut too_large) = (0, 0);
    for frame in 0..100 {
        if frame == 50 {
            let now = lab.host.now(lab.now());
            lab.host.net.set_voice(now, [0; 2], settings(true, Mode::TeamAndEnemiesNear, 8));
        }
        match speak(&mut lab, Who::Client(0), if frame % 2 == 0 { &[1; 255] } else { &[1; 56] }) {
            Ok(()) => large += usize::from(frame % 2 == 0),
            Err(error) => {
                assert_eq!((error, frame % 2), (Error::TooLarge, 0));
                too_large += 1;
            }
        }
        lab.run_seconds(FRAME);
    }
    lab.run_seconds(0.5);
    let dropped = refused(&lab, Who::Host, "voice_too_large") as usize;
    // A way there and back is ten frames, of which five are large, and a tick or two.
    assert!((4..=8).contains(&dropped) && large + too_large == 50, "{dropped} dropped, {too_large} not sent");
    let lengths: Vec<_> = heard(&mut lab, Who::Client(1)).iter().map(|voice| voice.bytes.len()).collect();
    assert_eq!(lengths.iter().filter(|length| **length == 56).count(), 50);
    assert_eq!(lengths.iter().filter(|length| **length == 255).count(), large - dropped);
}
