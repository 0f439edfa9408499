//! The host: keys and settings told, frames checked, relayed, and whose are not.

use std::collections::BTreeSet;

use mjolnir_voice::{Error, Host, MOST_TALKING, MOST_WAITING, Sides};
use mjolnir_wire::voice::{Mode, Packet, Route, VoiceKey, VoiceSettings, VoiceUp};
use mjolnir_wire::{MachineSet, Tick};

use super::scene::{Game, Hosted, machine, millis, packet, tick};

fn settings(lobby: bool, mode: Mode, kbps: u8) -> VoiceSettings {
    VoiceSettings::new(lobby, mode, kbps, 150).unwrap()
}

/// VOICE-01, 11, 13: in the lobby each who may hear gets one frame with its own key, stamped 0 and of no player; in a game
/// of the game's time and the speaker's player. What is said is relayed as it came.
#[test]
fn everybody_hears_in_the_lobby_and_in_a_game() {
    let mut hosted = Hosted::with(VoiceSettings::default(), 4);
    let (lobby, game) = (Game::lobby(0..5), Game::played(Sides::Together, 0..5));
    for (stage, player, stamp) in [(&lobby, None, Tick::ZERO), (&game, Some(1), tick(900))] {
        let heard = hosted.says(millis(20), 1, b"hello", stage).unwrap().unwrap();
        assert_eq!(
            (heard.machine, heard.route, heard.packet.bytes()),
            (machine(1), Route::Global, &b"hello"[..])
        );
        let sent = hosted.sent();
        assert_eq!(sent.iter().map(|sent| sent.to).collect::<Vec<_>>(), [2, 3, 4]);
        for sent in &sent {
            assert_eq!((sent.from, sent.key), (1, hosted.keys[&sent.to]));
            assert_eq!((sent.player, sent.stamp, sent.sequence), (player, stamp, 5));
            assert_eq!((sent.route, &sent.packet[..]), (Route::Global, &b"hello"[..]));
        }
    }
    assert_eq!(hosted.host.relayed(), 6);
    assert_eq!(hosted.host.refusals().total(), 0);
}

/// VOICE-22: of 64 machines each has another key, never 0, as long as it is in; who joins again has another, and another seed
/// gives others.
#[test]
fn each_machine_has_a_key_of_its_own() {
    let mut hosted = Hosted::with(VoiceSettings::default(), 64);
    let keys = hosted.keys.clone();
    assert_eq!(keys.values().map(|key| key.get()).collect::<BTreeSet<_>>().len(), 64);
    hosted.step(millis(10_000));
    assert_eq!(hosted.keys, keys);

    hosted.host.leave(machine(9));
    hosted.host.join(millis(11_000), machine(9));
    hosted.step(millis(11_000));
    assert!(keys.values().all(|key| *key != hosted.keys[&9]));
    hosted.host.join(millis(12_000), machine(10));
    hosted.step(millis(12_000));
    assert!(keys.values().all(|key| *key != hosted.keys[&10]), "without its leaving being said, too");

    let mut other = Host::new([1, 3], VoiceSettings::default());
    other.join(millis(0), machine(1));
    other.step(millis(0), |_, config| assert_ne!(config.key, keys[&1]));
}

/// VOICE-04: told on joining and each ten seconds: seven times in a minute; once more in the tick of a change, and not of
/// what is as it was; and in its turn as a machine becomes ready (NET-69).
#[test]
fn the_settings_are_told_each_ten_seconds_and_when_they_change() {
    let mut hosted = Hosted { host: Host::new([1, 2], VoiceSettings::default()), keys: [].into() };
    hosted.host.join(millis(0), machine(1));
    let mut told = Vec::new();
    for now in (0..=60_000).step_by(20) {
        told.extend(hosted.step(millis(now)).into_iter().map(|_| now));
    }
    assert_eq!(told, [0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000]);
    hosted.host.set_settings(VoiceSettings::default());
    assert_eq!(hosted.step(millis(63_000)), []);
    let other = settings(false, Mode::Team, 8);
    hosted.host.set_settings(other);
    let told = hosted.step(millis(63_020));
    assert_eq!(told.len(), 1);
    assert_eq!((told[0].1.settings, told[0].1.key), (other, hosted.keys[&1]));
    assert_eq!(hosted.step(millis(63_040)), []);
    assert_eq!(hosted.host.tell_ready(millis(64_000), machine(1)).unwrap(), told[0].1);
    assert_eq!(hosted.step(millis(73_999)), []);
    assert_eq!(hosted.step(millis(74_000)).len(), 1);
    assert_eq!(hosted.host.tell_ready(millis(74_000), machine(2)), None);
}

/// VOICE-03, 31: nothing is taken of a machine that has not joined, was not told its key yet, or has another; nor of one that
/// has left.
#[test]
fn a_frame_without_its_key_is_dropped() {
    let mut hosted = Hosted::with(VoiceSettings::default(), 2);
    let lobby = Game::lobby(0..4);
    let [own, others] = [1, 2].map(|index| hosted.keys[&index]);
    let says = |hosted: &mut Hosted, from: u8, key: VoiceKey| {
        let frame = VoiceUp { key, sequence: 0, packet: packet(b"x") };
        hosted.host.handle_up(millis(20), machine(from), &frame, &lobby).map(|_| hosted.hearers())
    };
    assert_eq!(says(&mut hosted, 3, own), Err(Error::NotJoined));
    hosted.host.join(millis(20), machine(3));
    assert_eq!(says(&mut hosted, 3, own), Err(Error::NotTold));
    hosted.step(millis(20));
    assert_eq!(says(&mut hosted, 3, own), Err(Error::WrongKey));
    assert_eq!(says(&mut hosted, 1, others), Err(Error::WrongKey));
    assert_eq!(hosted.hearers(), [0; 0]);
    assert_eq!(says(&mut hosted, 1, own), Ok(vec![2]));
    hosted.host.set_settings(settings(true, Mode::Off, 24));
    assert_eq!(says(&mut hosted, 1, own), Ok(vec![2]), "a key holds while settings that changed are told");
    hosted.host.leave(machine(1));
    assert_eq!(says(&mut hosted, 1, own), Err(Error::NotJoined));
    let refusals = hosted.host.refusals();
    let counted = [Error::NotJoined, Error::NotTold, Error::WrongKey].map(|error| refusals.of(error));
    assert_eq!(counted, [2, 1, 2]);
}

/// VOICE-08: of 8 kbit/s 56 bytes are taken and 57 are not, of 24 136 and 137; of 64 all that a byte can say.
#[test]
fn a_packet_is_no_larger_than_its_quality() {
    for (kbps, most) in [(8, 56), (24, 136), (64, 255)] {
        let mut hosted = Hosted::with(settings(true, Mode::Off, kbps), 2);
        let lobby = Game::lobby(0..3);
        assert!(hosted.says(millis(20), 1, &vec![1; most], &lobby).is_ok());
        assert_eq!(hosted.sent()[0].packet.len(), most);
        if most < 255 {
            let larger = vec![1; most + 1];
            let refused = hosted.says(millis(20), 1, &larger, &lobby);
            assert_eq!(refused, Err(Error::TooLarge), "{kbps}");
        }
        assert_eq!(hosted.hearers(), [0; 0]);
        assert_eq!(hosted.host.refusals().of(Error::TooLarge), u64::from(most < 255));
    }
}

/// VOICE-09: of sixty frames at once ten are taken, then one each 20 ms and none before; whoever was silent for long has ten
/// again and no more. A frame that says nothing costs nothing.
#[test]
fn a_machine_sends_fifty_frames_a_second() {
    let mut hosted = Hosted::with(VoiceSettings::default(), 2);
    let lobby = Game::lobby(0..3);
    let mut taken = |now: u64, times: usize| {
        (0..times).filter(|_| hosted.says(millis(now), 1, b"x", &lobby).is_ok()).count()
    };
    assert_eq!(taken(100, 60), 10);
    assert_eq!(taken(119, 1), 0);
    assert_eq!((120..=1100).step_by(20).map(|now| taken(now, 2)).sum::<usize>(), 50);
    assert_eq!(taken(60_000, 60), 10);
    hosted.says_that_it_hears(millis(60_000), 1);
    assert_eq!(hosted.host.refusals().of(Error::TooFast), 50 + 1 + 50 + 50);
}

/// VOICE-09: in ten seconds of five hundred frames a second no more than 51 a second are relayed, and no byte that did not
/// come.
#[test]
fn a_flood_is_relayed_at_a_speakers_rate() {
    let mut hosted = Hosted::with(VoiceSettings::default(), 2);
    let lobby = Game::lobby(0..3);
    let mut relayed = 0;
    for now in (0..10_000).step_by(2) {
        hosted.says_that_it_hears(millis(now), 2);
        let _ = hosted.says(millis(now), 1, &[7; 136], &lobby);
        let sent = hosted.sent();
        assert!(sent.iter().all(|sent| sent.packet == [7; 136]));
        relayed += sent.len();
    }
    assert_eq!(relayed, 10 + 499);
}

/// VOICE-10: of nine machines that talk eight are relayed, always the same; once one of them was silent for half a second the
/// ninth is, and that one is not.
#[test]
fn eight_talk_at_a_time() {
    let mut hosted = Hosted::with(VoiceSettings::default(), 10);
    let lobby = Game::lobby(0..11);
    let talk = |hosted: &mut Hosted, now: u64, who: &[u8]| -> BTreeSet<u8> {
        for index in who {
            let _ = hosted.says(millis(now), *index, b"x", &lobby);
        }
        hosted.sent().iter().map(|sent| sent.from).collect()
    };
    let nine: Vec<u8> = (1..=9).collect();
    for now in (20..1000).step_by(20) {
        assert_eq!(talk(&mut hosted, now, &nine), (1..=8).collect(), "{now}");
    }
    assert_eq!(MOST_TALKING, 8);
    // The first, whose last frame was of 980, is silent now, and the ninth tries first.
    for now in (1000..1480).step_by(20) {
        assert_eq!(talk(&mut hosted, now, &[9, 2, 3, 4, 5, 6, 7, 8]), (2..=8).collect(), "{now}");
    }
    assert_eq!(talk(&mut hosted, 1479, &[9]), [].into());
    assert_eq!(talk(&mut hosted, 1480, &[9, 1]), [9].into());
    assert_eq!(hosted.host.refusals().of(Error::TooManyTalk), 49 + 24 + 1 + 1);
    hosted.host.leave(machine(2));
    assert_eq!(talk(&mut hosted, 1500, &[1]), [1].into(), "who leaves leaves a place");
}

/// VOICE-07, 20: who does not say that it hears voices is sent none, from six seconds after its last word on and before its
/// first; with its next word it is again. A build that never says so stays in and is sent none.
#[test]
fn who_does_not_say_that_it_hears_is_sent_none() {
    let mut hosted = Hosted::with(VoiceSettings::default(), 2);
    let lobby = Game::lobby(0..4);
    hosted.host.join(millis(0), machine(3));
    hosted.step(millis(0));
    let hearers = |hosted: &mut Hosted, now: u64| {
        hosted.says(millis(now), 1, b"x", &lobby).unwrap();
        hosted.hearers()
    };
    assert_eq!(hearers(&mut hosted, 5_999), [2]);
    assert_eq!(hearers(&mut hosted, 6_000), [0; 0]);
    hosted.says_that_it_hears(millis(6_010), 3);
    hosted.says_that_it_hears(millis(6_020), 2);
    assert_eq!(hearers(&mut hosted, 6_020), [2, 3]);
    assert_eq!(hosted.host.hearing(millis(6_020)), [1, 2, 3].into_iter().map(machine).collect());
    hosted.says(millis(7_000), 3, b"y", &lobby).unwrap();
    hosted.sent();
    assert_eq!(hearers(&mut hosted, 13_000 - 1), [3], "what it says says so too");
    assert_eq!(hearers(&mut hosted, 13_000), [0; 0]);
    assert_eq!(hosted.host.refusals().total(), 0);
}

/// VOICE-15, 16, 17: a machine is never sent its own, nor is the host; the host hears a frame once if its own machine has a
/// player who may, and otherwise not. It has no decoder to give a frame to.
#[test]
fn nobody_hears_itself() {
    let mut hosted = Hosted::with(VoiceSettings::default(), 3);
    let with_a_player = Game::lobby(0..4);
    let without = Game::lobby(1..4);
    for now in (0..2000).step_by(20) {
        assert!(hosted.says(millis(now), 1, b"x", &with_a_player).unwrap().is_some());
        assert!(hosted.says(millis(now), 2, b"x", &without).unwrap().is_none());
        hosted.host.speak(millis(now), packet(b"h"), &with_a_player).unwrap();
    }
    let sent = hosted.sent();
    assert!(sent.iter().all(|sent| sent.to != sent.from && sent.to != 0));
    assert_eq!(sent.len(), 100 * (2 + 2 + 3));
    let own: Vec<u16> =
        sent.iter().filter(|sent| (sent.from, sent.to) == (0, 1)).map(|sent| sent.sequence).collect();
    assert_eq!(own, (0..100).collect::<Vec<_>>(), "the host numbers its own");
    let mut apart = Game::played(Sides::Alone, 0..4);
    apart.of(0).place.x = 15.1;
    assert_eq!(hosted.says(millis(2000), 1, b"x", &apart), Ok(None));
    apart.of(0).place.x = 14.9;
    let heard = hosted.says(millis(2020), 1, b"x", &apart).unwrap().unwrap();
    assert_eq!((heard.route, heard.player.map(|player| player.get())), (Route::Near, Some(1)));
}

/// VOICE-19: of who is muted for everyone nothing is relayed or heard, in the lobby and in a game, and it takes
/// nobody's place; it hears the others, and is heard again once it is not.
#[test]
fn who_is_muted_for_everyone_is_not_relayed() {
    let mut hosted = Hosted::with(VoiceSettings::default(), 3);
    hosted.host.set_muted([machine(1)].into_iter().collect());
    for game in [Game::lobby(0..4), Game::played(Sides::Together, 0..4)] {
        for now in (0..2000).step_by(20) {
            assert_eq!(hosted.says(millis(now), 1, b"x", &game), Err(Error::Muted));
        }
        assert_eq!(hosted.hearers(), [0; 0]);
        hosted.says(millis(2000), 2, b"x", &game).unwrap();
        assert_eq!(hosted.hearers(), [1, 3]);
    }
    assert_eq!(hosted.host.refusals().of(Error::Muted), 200);
    hosted.host.set_muted(MachineSet::NONE);
    hosted.says(millis(2020), 1, b"x", &Game::lobby(0..4)).unwrap();
    assert_eq!(hosted.hearers(), [2, 3]);
}

/// VOICE-13: with `voice_lobby` off nothing is relayed in the lobby, nor heard by the host, and in a game as ever; with the
/// mode off it is the other way round.
#[test]
fn the_lobby_has_a_switch_of_its_own() {
    let (lobby, game) = (Game::lobby(0..3), Game::played(Sides::Together, 0..3));
    for (settings, silent, loud) in
        [(settings(false, Mode::Team, 24), &lobby, &game), (settings(true, Mode::Off, 24), &game, &lobby)]
    {
        let mut hosted = Hosted::with(settings, 2);
        assert_eq!(hosted.says(millis(20), 1, b"x", silent), Err(Error::Off));
        assert_eq!(hosted.host.speak(millis(20), packet(b"h"), silent), Err(Error::Off));
        assert_eq!(hosted.hearers(), [0; 0]);
        assert!(hosted.says(millis(20), 1, b"x", loud).unwrap().is_some());
        assert_eq!(hosted.hearers(), [2]);
    }
}

/// Nothing waits without end: past its most the host refuses frames until what waits was sent, and each of those that it
/// took leaves.
#[test]
fn what_waits_to_be_sent_is_bounded() {
    let mut hosted = Hosted::with(settings(true, Mode::Team, 64), 127);
    let lobby = Game::lobby(0..128);
    let mut taken = 0;
    for now in (0..4000).step_by(20) {
        hosted.says_that_it_hears(millis(now), 127);
        taken += usize::from(hosted.says(millis(now), 1, &[1; 255], &lobby).is_ok());
    }
    assert!(hosted.host.refusals().of(Error::Full) > 0);
    let sent = hosted.sent();
    assert_eq!(sent.len(), taken * 126);
    assert!(sent.len() <= MOST_WAITING, "{}", sent.len());
    assert!(hosted.says(millis(4000), 1, b"x", &lobby).is_ok());
}

/// The largest packet with every field set is one datagram and leaves whole; the host's own is held to its quality too.
#[test]
fn the_largest_packet_is_relayed_whole() {
    let mut hosted = Hosted::with(settings(true, Mode::Team, 64), 2);
    let game = Game::played(Sides::Together, 0..3);
    hosted.says(millis(20), 1, &[9; 255], &game).unwrap();
    let mut bytes = 0;
    hosted.host.send(|_, datagram| bytes = datagram.len());
    assert_eq!(bytes, 8 + 12 + 255);
    hosted.host.set_settings(settings(true, Mode::Team, 8));
    assert_eq!(hosted.host.speak(millis(40), packet(&[1; 57]), &game), Err(Error::TooLarge));
    assert_eq!(hosted.host.speak(millis(40), packet(&[1; 56]), &game), Ok(()));
    assert_eq!(hosted.hearers(), [1, 2]);
    let frame = VoiceUp { key: hosted.keys[&1], sequence: 0, packet: Packet::EMPTY };
    assert_eq!(hosted.host.handle_up(millis(60), machine(1), &frame, &game), Ok(None));
    assert_eq!(hosted.hearers(), [0; 0], "a frame that says nothing is relayed to nobody");
}

/// VOICE-23, CHAT-26: a machine without a player has no name that could be muted, and clients know no player of it: nothing of it
/// is taken, not by the host either, in the lobby or in a game, and it keeps nobody from talking.
#[test]
fn who_has_no_player_is_not_heard() {
    for game in [Game::lobby([0, 2, 3]), Game::played(Sides::Together, [0, 2, 3])] {
        let mut hosted = Hosted::with(VoiceSettings::default(), 3);
        assert_eq!(hosted.says(millis(10), 1, b"hey", &game), Err(Error::UnknownSpeaker));
        assert_eq!(hosted.hearers(), [0; 0]);
        assert_eq!(
            hosted.host.speak(millis(10), packet(b"hey"), &Game::lobby([])),
            Err(Error::UnknownSpeaker)
        );
        assert!(hosted.says(millis(10), 2, b"hey", &game).is_ok_and(|heard| heard.is_some()));
        assert!(hosted.hearers().contains(&3));
    }
}
