//! What a microphone gives: which of it is sent, in which quality.

use mjolnir_voice::{FRAME_SAMPLES, MOST_BACKLOG, TONE_HERTZ, Talk, Talker, Tone};
use mjolnir_wire::voice::{Mode, VoiceSettings};

use super::scene::{Packs, millis};

fn settings(kbps: u8) -> VoiceSettings {
    VoiceSettings::new(true, Mode::Team, kbps, 150).unwrap()
}

fn talker(bytes: usize) -> (Talker<Packs>, Packs) {
    let packs = Packs { bytes, ..Packs::default() };
    (Talker::new(packs.clone()), packs)
}

/// Packets' first bytes that are sent of what waits.
fn sent(talker: &mut Talker<Packs>, now: u64, talk: Talk, is_down: bool) -> Vec<u8> {
    let mut sent = Vec::new();
    while let Some(packet) = talker.next(millis(now), talk, is_down, Some(&settings(24))) {
        sent.push(packet.bytes()[0]);
    }
    sent
}

fn frame(sample: i16) -> [i16; FRAME_SAMPLES] {
    [sample; FRAME_SAMPLES]
}

/// VOICE-30: of six frames that wait the newest alone is left, of five all; samples make frames however they are cut.
#[test]
fn a_backlog_is_dropped_to_the_newest() {
    let (mut talker, _) = talker(60);
    for sample in 1..=5 {
        talker.push(&frame(sample));
    }
    assert_eq!((talker.waiting(), MOST_BACKLOG), (5, 5));
    talker.push(&frame(6));
    assert_eq!((talker.waiting(), talker.dropped()), (1, 5));
    assert_eq!(sent(&mut talker, 0, Talk::PushToTalk, true), [6]);

    talker.push(&frame(7)[..959]);
    assert_eq!(sent(&mut talker, 0, Talk::PushToTalk, true), [0; 0]);
    talker.push(&[7, 8]);
    assert_eq!(sent(&mut talker, 0, Talk::PushToTalk, true), [7]);
    for piece in [8; 3 * FRAME_SAMPLES - 1].chunks(100) {
        talker.push(piece);
    }
    assert_eq!(sent(&mut talker, 0, Talk::PushToTalk, true), [8, 8, 8]);
}

/// VOICE-30: an open microphone is silent at a root mean square of 0.00998, sends at 0.01001, goes on for 399 ms after and not
/// at 400.
#[test]
fn an_open_microphone_sends_what_is_loud() {
    let (mut talker, packs) = talker(60);
    let mut open = |now: u64, sample: i16| {
        talker.push(&frame(sample));
        !sent(&mut talker, now, Talk::OpenMicrophone, false).is_empty()
    };
    assert!(!open(0, 327));
    assert!(open(1000, 328));
    assert!(open(1399, 0));
    assert!(!open(1400, 0));
    assert!(open(1500, -328));
    assert!(open(1600, 327));
    assert!(open(1899, 327));
    assert!(!open(1900, 327));
    assert_eq!(*packs.resets.borrow(), 2, "each time it begins to send the encoder forgets what was before");
}

/// VOICE-30: with a key to talk what is said while it is down is sent; with voice off, or without the host's settings, nothing
/// is, and what was said meanwhile is not said later.
#[test]
fn a_key_talks() {
    let (mut talker, _) = talker(60);
    let mut says = |now: u64, talk: Talk, is_down: bool| {
        talker.push(&frame(20_000));
        sent(&mut talker, now, talk, is_down).len()
    };
    assert_eq!(says(0, Talk::PushToTalk, false), 0);
    assert_eq!(says(20, Talk::PushToTalk, true), 1);
    assert_eq!(says(40, Talk::PushToTalk, false), 0);
    assert_eq!(says(60, Talk::Off, true), 0);
    talker.push(&frame(1));
    assert_eq!(talker.next(millis(80), Talk::PushToTalk, true, None), None);
    assert_eq!(talker.waiting(), 0);
    assert_eq!(sent(&mut talker, 100, Talk::PushToTalk, true), [0; 0]);
}

/// VOICE-08, 30: the host's quality is the encoder's, told once and when it changes; no packet is larger than that allows, and
/// what does not fit is counted.
#[test]
fn the_hosts_quality_is_the_encoders() {
    let (mut talker, packs) = talker(137);
    let mut says = |kbps: u8| {
        talker.push(&frame(1));
        talker
            .next(millis(0), Talk::PushToTalk, true, Some(&settings(kbps)))
            .map(|packet| packet.bytes().len())
    };
    assert_eq!(says(25), Some(137));
    assert_eq!(says(25), Some(137));
    assert_eq!(says(24), None);
    assert_eq!(says(64), Some(137));
    assert_eq!(talker.failed(), 1);
    assert_eq!(*packs.kbps.borrow(), [25, 24, 64]);
}

/// VOICE-33: the tone crosses from below to above 440 times a second, across the seconds too, and is loud enough for an open
/// microphone.
#[test]
fn the_tone_is_of_440_hertz() {
    let mut tone = Tone::new();
    let mut sound = Vec::new();
    for _ in 0..500 {
        let mut frame = frame(0);
        tone.frame(&mut frame);
        sound.extend(frame);
    }
    let crossings = sound.windows(2).filter(|pair| pair[0] < 0 && pair[1] >= 0).count();
    assert!(crossings.abs_diff(10 * TONE_HERTZ as usize) <= 1, "{crossings}");
    let steepest = sound.windows(2).map(|pair| pair[0].abs_diff(pair[1])).max().unwrap();
    assert!(steepest <= 473, "no step: 2 pi 440 / 48000 of its height, and a whole number's; {steepest}");
    let (mut talker, _) = talker(60);
    talker.push(&sound[..FRAME_SAMPLES]);
    assert_eq!(sent(&mut talker, 0, Talk::OpenMicrophone, false).len(), 1);
}
