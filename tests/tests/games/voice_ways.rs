//! The ways that voice comes: what is forged, flooded, in a batch, of another key or of an address that several share, and what a
//! lobby takes at all.

use mjolnir_engine_glue::chat::Channel;
use mjolnir_engine_glue::client;
use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_skirmish::game::random::Random;
use mjolnir_tests::{Lab, Passed, Plan, Way, Who, messages};
use mjolnir_wire::voice::{Mode, Packet, Route, VoiceConfig, VoiceDown, VoiceKey, VoiceSettings};
use mjolnir_wire::{Kind, Machine, Message, Tick};

use crate::chat::{all, forget, of, passed, plan, play, refused, say, tell};
use crate::floods::said;
use crate::voices::{FRAME, both, counts, heard, hearing, key, machine, settings, speak, talk, up};

fn down(key: VoiceKey, machine: Machine, stamp: Tick) -> Vec<u8> {
    let mut datagram = Vec::new();
    let packet = Packet::new(&[1, 2, 3]).unwrap();
    VoiceDown { key, sequence: 0, machine, player: None, route: Route::Global, packet }
        .write(stamp, &mut datagram);
    datagram
}

fn another(key: VoiceKey) -> VoiceKey {
    VoiceKey::new(key.get() ^ 1).or(VoiceKey::new(2)).unwrap()
}

/// NET-67: voice in a batch is ignored at either end, and counted; the same alone is heard.
#[test]
fn voice_in_a_batch_is_ignored() {
    for (mut lab, stage) in both(plan(8003, 2, false), 1) {
        let keys = [0, 1].map(|place| key(&mut lab, place));
        let (host, client) = (lab.host.network.address(), lab.clients[0].network.address());
        let tick = lab.tick();
        let batch = |alone: &[u8]| {
            // The part's own header has the length where the message has its word.
            let mut part = (alone.len() as u16 - 2).to_le_bytes().to_vec();
            part.extend_from_slice(&alone[2..]);
            part[4..8].copy_from_slice(&tick.get().to_le_bytes());
            said(Kind::Batch as u8, 0, tick, &part)
        };
        let (up, down) = (up(keys[0], 1, &[9; 9]), down(keys[0], Machine::HOST, tick));
        counts(&mut lab);
        let before = [Who::Host, Who::Client(0)].map(|who| refused(&lab, who, "wrong_channel"));
        lab.host.network.forge(client, &batch(&up));
        lab.clients[0].network.forge(host, &batch(&down));
        lab.run_seconds(0.2);
        assert_eq!(counts(&mut lab), [0; 3], "{stage}");
        if stage == "game" {
            let after = [Who::Host, Who::Client(0)].map(|who| refused(&lab, who, "wrong_channel"));
            assert_eq!([after[0] - before[0], after[1] - before[1]], [1, 1]);
        }
        lab.host.network.forge(client, &up);
        lab.clients[0].network.forge(host, &down);
        lab.run_seconds(0.2);
        assert_eq!(counts(&mut lab), [1; 3], "{stage}");
    }
}

/// VOICE-03, 05, 08, 21, CHAT-46: from a client's own address without its key, or with another's: heard by nobody, and counted; a
/// frame larger than the quality allows too; one from the host's address without the client's key, or naming itself or nobody's
/// machine: not played; settings by datagram: the client goes on with the key that it has. By the stream no frame is taken.
#[test]
fn forged_frames_are_heard_by_nobody() {
    for (mut lab, stage) in both(plan(8004, 2, false), 1) {
        let keys = [0, 1].map(|place| key(&mut lab, place));
        let (host, client) = (lab.host.network.address(), lab.clients[0].network.address());
        counts(&mut lab);
        let most = VoiceSettings::default().most_bytes();
        for (forged, reason) in [
            (up(another(keys[0]), 1, &[9; 9]), "voice_wrong_key"),
            (up(keys[1], 1, &[9; 9]), "voice_wrong_key"),
            (up(keys[0], 1, &vec![9; most + 1]), "voice_too_large"),
        ] {
            let before = refused(&lab, Who::Host, reason);
            lab.host.network.forge(client, &forged);
            lab.run_seconds(0.2);
            assert_eq!(
                (refused(&lab, Who::Host, reason) - before, counts(&mut lab)),
                (1, vec![0; 3]),
                "{stage}"
            );
        }
        let (own, tick) = (machine(&lab, Who::Client(0)), lab.tick());
        for (forged, reason) in [
            (down(another(keys[0]), Machine::HOST, tick), "voice_wrong_key"),
            (down(keys[0], own, tick), "voice_own"),
            (down(keys[0], Machine::new(77).unwrap(), tick), "voice_unknown_speaker"),
        ] {
            lab.clients[0].network.forge(host, &forged);
            lab.run_seconds(0.2);
            assert_eq!((refused(&lab, Who::Client(0), reason), counts(&mut lab)), (1, vec![0; 3]), "{stage}");
        }
        let mut entry = Vec::new();
        VoiceConfig { key: another(keys[0]), settings: settings(false, Mode::Off, 8) }.write(&mut entry);
        let before = [Who::Host, Who::Client(0)].map(|who| refused(&lab, who, "wrong_channel"));
        lab.clients[0].network.forge(host, &said(Kind::VoiceConfig as u8, 1, tick, &entry));
        lab.clients[0].network.write_besides(&up(keys[0], 1, &[9; 9]));
        lab.run_seconds(0.2);
        let after = [Who::Host, Who::Client(0)].map(|who| refused(&lab, who, "wrong_channel"));
        assert_eq!([after[0] - before[0], after[1] - before[1]], [1, 1], "{stage}");
        assert_eq!(counts(&mut lab), [0; 3], "{stage}");
        // The same quality, and the same key as before.
        assert_eq!(speak(&mut lab, Who::Client(0), &vec![1; most]), Ok(()), "{stage}");
        lab.run_seconds(0.2);
        assert_eq!(counts(&mut lab), [1, 0, 1], "{stage}");
    }
}

/// NET-11, CLOCK-22: what voice is stamped with moves no clock, however far ahead, though two stamps agree, and whoever's key it
/// bears.
#[test]
fn a_voices_stamp_is_nobodys_time() {
    let mut lab = hearing(plan(8005, 2, false), 1);
    play(&mut lab);
    let key = key(&mut lab, 0);
    let host = lab.host.network.address();
    for ahead in 0..4 {
        for key in [key, another(key)] {
            let forged = down(key, Machine::HOST, lab.tick().plus(9000 + ahead));
            lab.clients[0].network.forge(host, &forged);
        }
    }
    lab.run_seconds(1.0);
    let own = lab.clients[0].net.clock().tick().unwrap();
    assert!(lab.tick().since(own).abs() <= 2, "{own:?} beside {:?}", lab.tick());
    assert_eq!(heard(&mut lab, Who::Client(0)).len(), 4);
}

/// VOICE-22, 03: who leaves and comes back at its old place has another key, and is heard; with the old one nobody is.
#[test]
fn who_comes_back_has_another_key() {
    for stage in ["lobby", "game"] {
        let mut lab = hearing(plan(8022, 2, false), 1);
        if stage == "game" {
            play(&mut lab);
        }
        let old = key(&mut lab, 0);
        let before = machine(&lab, Who::Client(0));
        lab.quit(0);
        lab.run_seconds(1.0);
        lab.join_at(0, of(1));
        lab.clients[0].engine.ears.hears = true;
        lab.gather();
        lab.run_seconds(3.0);
        assert_eq!(machine(&lab, Who::Client(0)), before);
        let new = key(&mut lab, 0);
        assert_ne!(new, old, "{stage}");
        counts(&mut lab);
        let client = lab.clients[0].network.address();
        lab.host.network.forge(client, &up(old, 1, &[1]));
        lab.run_seconds(0.2);
        assert_eq!(
            (counts(&mut lab), refused(&lab, Who::Host, "voice_wrong_key")),
            (vec![0; 3], 1),
            "{stage}"
        );
        talk(&mut lab, &[Who::Client(0), Who::Client(1)], 10);
        assert_eq!(counts(&mut lab), [20, 10, 10], "{stage}");
    }
}

/// NET-15: three clients behind one address, in the lobby, where the first datagram of each is voice: the host tells them apart by
/// their keys, each is answered at its own port, and everybody hears the right one; and in the game that follows.
#[test]
fn a_households_voices_are_told_apart() {
    for seed in 8030..8036 {
        let mut lab = hearing(Plan { is_household: true, ..plan(seed, 2, false).network(30, 2.0) }, 1);
        // A host takes two strangers of one address at a time.
        let third = lab.join(of(1));
        lab.clients[third].engine.ears.hears = true;
        lab.gather();
        lab.run_seconds(3.0);
        for stage in ["lobby", "game"] {
            lab.set_faults(Faults::default());
            counts(&mut lab);
            for by in 0..3 {
                talk(&mut lab, &[Who::Client(by)], 10);
                let speaker = machine(&lab, Who::Client(by));
                for who in all(&lab) {
                    let heard = heard(&mut lab, who);
                    let due = if who == Who::Client(by) { 0 } else { 10 };
                    assert_eq!(heard.len(), due, "seed {seed}, {stage}: {who:?} of {by}");
                    assert!(heard.iter().all(|voice| voice.machine == speaker), "seed {seed}, {stage}");
                }
            }
            if stage == "lobby" {
                play(&mut lab);
            }
        }
        assert_eq!(refused(&lab, Who::Host, "voice_wrong_key"), 0, "seed {seed}");
    }
}

/// VOICE-09, 10: a thousand frames a second of one client for five seconds, with its key: at most fifty a second are relayed, and ten
/// more; another's voice and line come all through, and everybody is where the host has it.
#[test]
fn a_flood_of_frames_is_its_senders_alone() {
    for (mut lab, stage) in both(plan(8040, 3, false).network(20, 0.0), 1) {
        let key = key(&mut lab, 0);
        counts(&mut lab);
        forget(&mut lab);
        let began = lab.now();
        for frame in 0..250_u16 {
            for of in 0..20 {
                lab.clients[0].network.send_besides(&up(key, frame * 20 + of, &[7; 40]));
            }
            assert_eq!(speak(&mut lab, Who::Client(1), &[frame as u8]), Ok(()));
            if frame % 100 == 50 {
                tell(&mut lab, Who::Client(2), "who is this?");
            }
            lab.run_seconds(FRAME);
        }
        let most = 10 + 50 * (lab.now() - began) as usize / 1_000_000;
        lab.run_seconds(0.3);
        let [flood, other] = [0, 1].map(|place| machine(&lab, Who::Client(place)));
        for who in [Who::Host, Who::Client(2)] {
            let heard = heard(&mut lab, who);
            let of = |machine| heard.iter().filter(|voice| voice.machine == machine).count();
            assert!((most - 12..=most).contains(&of(flood)), "{stage}: {} of {most}", of(flood));
            assert_eq!(of(other), 250, "{stage} {who:?}");
        }
        let refused = refused(&lab, Who::Host, "voice_too_fast");
        assert!(refused as usize + most >= 5000, "{stage}: {refused}");
        assert!(all(&lab).into_iter().all(|who| crate::chat::shown(&lab, who).len() == 2), "{stage}");
        if stage == "game" {
            assert!(lab.apart().unwrap() < 0.01);
        }
    }
}

/// VOICE-26: a speaker's numbers wrap, and every frame is handed on as it is numbered, in order.
#[test]
fn numbers_wrap() {
    for (mut lab, stage) in both(plan(8041, 2, false), 1) {
        let key = key(&mut lab, 0);
        counts(&mut lab);
        for number in 65_520_u32..65_560 {
            lab.clients[0].network.send_besides(&up(key, number as u16, &[1]));
            lab.run_seconds(FRAME);
        }
        lab.run_seconds(0.2);
        for who in [Who::Host, Who::Client(1)] {
            let numbers: Vec<_> = heard(&mut lab, who).iter().map(|voice| voice.sequence).collect();
            assert_eq!(
                numbers,
                (65_520_u32..65_560).map(|number| number as u16).collect::<Vec<_>>(),
                "{stage}"
            );
        }
    }
}

/// NET-69: what a machine that comes into a game is told by its stream once it has said that it is ready: its objects, the list's
/// end, statistics, the game's state, its key with the voice settings, the aim assist, the chat settings; and nothing else among
/// them.
#[test]
fn a_ready_machine_is_told_in_order() {
    for seed in 8069..8074 {
        let plan = plan(seed, 2, true).network(30, 2.0);
        let mut lab = hearing(plan, 1);
        play(&mut lab);
        let late = lab.join(of(1).with_faults(plan.faults));
        lab.clients[late].network.listen();
        lab.run_until("it plays", 10, |lab| {
            lab.clients[late].net.text_chat() != Default::default() && lab.clients[late].ticks > 0
        });
        lab.run_seconds(1.0);
        let log: Vec<_> =
            lab.clients[late].network.passed().iter().filter(|of| !of.is_datagram()).cloned().collect();
        let is_ready = |of: &Passed| {
            of.way == Way::Out && passed(std::slice::from_ref(of), Way::Out, Kind::ClientReady) == [1, 0]
        };
        let asked = log.iter().position(is_ready).expect("it says that it is ready");
        let mut kinds = Vec::new();
        messages(&log[asked..], Way::In, |_, message| kinds.push(message.kind as u8));
        kinds.dedup();
        let first = kinds.iter().position(|kind| *kind == 5).unwrap();
        assert_eq!(kinds[first..first + 7], [5, 8, 3, 7, 82, 90, 85], "seed {seed}: {kinds:?}");
    }
}

/// A message of no entries that mean anything, but a batch's or a text's.
fn any(kind: u8, tick: Tick) -> Vec<u8> {
    // All but 90 are taken with bytes to spare.
    let body = if kind == 90 { &[0; 4][..] } else { &[0; 200] };
    said(kind, u8::from(![7, 8, 17].contains(&kind)), tick, body)
}

/// GLUE-16, VOICE-01: in the lobby a client takes the host's notices, its voice and its chat, and the host takes its client's; of
/// every other kind of the netcode, by either way, neither takes anything, and each is counted.
#[test]
fn a_lobby_takes_what_a_lobby_needs() {
    let mut lab = hearing(plan(8050, 1, false), 1);
    let (host, client) = (lab.host.network.address(), lab.clients[0].network.address());
    let total = |lab: &Lab, who| {
        let counters = match who {
            Who::Host => lab.host.net.counters(),
            Who::Client(place) => lab.clients[place].net.counters(),
        };
        let dropped = counters.dropped;
        counters.refused.values().sum::<u64>()
            + dropped.unknown_kind
            + dropped.undecodable
            + dropped.stale
            + dropped.far_stamp
    };
    let kinds: Vec<u8> = (1..=90).filter(|kind| Message::read(&any(*kind, Tick::ZERO)).is_ok()).collect();
    assert!(kinds.len() >= 43, "{kinds:?}");
    for kind in kinds.into_iter().filter(|kind| *kind != 17 && !(80..=89).contains(kind)) {
        for by_stream in [true, false] {
            let before = [Who::Host, Who::Client(0)].map(|who| total(&lab, who));
            let message = any(kind, Tick::ZERO);
            if by_stream {
                lab.clients[0].network.write_besides(&message);
                let mut waiting = Some(message);
                lab.clients[0].network.meddle_with_stream(move |of| {
                    let mut all = vec![of.to_vec()];
                    all.extend(waiting.take());
                    all
                });
                lab.run_seconds(3.2);
            } else {
                lab.host.network.forge(client, &message);
                lab.clients[0].network.forge(host, &message);
                lab.run_seconds(0.05);
            }
            let after = [Who::Host, Who::Client(0)].map(|who| total(&lab, who));
            assert_eq!(
                [after[0] - before[0], after[1] - before[1]],
                [1, 1],
                "{kind}, by stream: {by_stream}"
            );
        }
    }
    // What it needs is taken.
    let before = [Who::Host, Who::Client(0)].map(|who| total(&lab, who));
    let notice = {
        let mut text = vec![0; 128];
        text[..2].copy_from_slice(b"hi");
        said(17, 0, Tick::ZERO, &text)
    };
    let mut waiting = Some(notice);
    lab.clients[0].network.meddle_with_stream(move |of| {
        let mut all = vec![of.to_vec()];
        all.extend(waiting.take());
        all
    });
    tell(&mut lab, Who::Client(0), "chat");
    talk(&mut lab, &[Who::Host, Who::Client(0)], 5);
    lab.run_seconds(3.0);
    assert!(
        lab.clients[0]
            .notices
            .iter()
            .any(|(_, notice)| *notice == client::Notice::Said { text: "hi".into() })
    );
    assert_eq!(counts(&mut lab), [5, 5]);
    assert_eq!(crate::chat::shown(&lab, Who::Host).len(), 1);
    assert_eq!([Who::Host, Who::Client(0)].map(|who| total(&lab, who)), before);
}

/// VOICE-01, 31: words of chance, of the kinds of voice and chat, from both ends for ten seconds: nobody is harmed, and all talk on.
#[test]
fn random_words_harm_nobody() {
    for (mut lab, stage) in both(plan(8060, 2, false), 1) {
        let mut random = Random::new(8060);
        let (host, client) = (lab.host.network.address(), lab.clients[0].network.address());
        for _ in 0..300 {
            let length = random.below(300) as usize;
            let body: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
            let (kind, count) = (80 + random.below(10) as u8, random.below(3) as u8);
            let bytes = said(kind, count, lab.tick(), &body);
            lab.host.network.forge(client, &bytes);
            lab.clients[1].network.forge(host, &bytes);
            lab.clients[0].network.write_besides(&bytes);
            lab.run_seconds(0.033);
        }
        assert!(
            lab.host.net.counters().dropped.undecodable
                + lab.host.net.counters().refused.values().sum::<u64>()
                > 300
        );
        lab.run_seconds(2.0);
        counts(&mut lab);
        forget(&mut lab);
        talk(&mut lab, &[Who::Client(0)], 10);
        assert_eq!(counts(&mut lab), [10, 0, 10], "{stage}");
        assert_eq!(say(&mut lab, Who::Client(1), Channel::All, "fine"), Ok(()));
        lab.run_seconds(0.5);
        assert!(all(&lab).into_iter().all(|who| crate::chat::shown(&lab, who).len() == 1), "{stage}");
    }
}
