//! A client: what it sends with its key, what it takes of the host's.

use mjolnir_voice::{Client, Error};
use mjolnir_wire::voice::{Mode, Packet, Route, VoiceConfig, VoiceDown, VoiceKey, VoiceSettings, VoiceUp};
use mjolnir_wire::{MachineSet, Message, Tick};

use super::scene::{machine, millis, packet, tick};

fn key(number: u32) -> VoiceKey {
    VoiceKey::new(number).unwrap()
}

fn config(number: u32) -> VoiceConfig {
    VoiceConfig { key: key(number), settings: VoiceSettings::default() }
}

fn told() -> Client {
    let mut client = Client::new();
    client.handle_config(millis(0), &config(7));
    client
}

/// What the client sends in a step: its key, and bytes of the packet.
fn step(client: &mut Client, now: u64, hears: bool) -> Option<(u32, usize)> {
    let mut sent = None;
    client.step(millis(now), tick(30), hears, |bytes| sent = Some(read(bytes)));
    sent.map(|(key, _, length, _)| (key, length))
}

fn read(bytes: &[u8]) -> (u32, u16, usize, Tick) {
    let message = Message::read(bytes).unwrap();
    let frame = VoiceUp::read(&message).unwrap();
    (frame.key.get(), frame.sequence, frame.packet.bytes().len(), message.tick)
}

fn down() -> VoiceDown<'static> {
    let packet = packet(b"x");
    VoiceDown { key: key(7), sequence: 9, machine: machine(2), player: None, route: Route::Global, packet }
}

/// The frame as machine 1 of 0 to 3 takes it.
fn hears(client: &mut Client, now: u64, frame: &VoiceDown<'_>) -> Result<u16, Error> {
    let machines: MachineSet = (0..4).map(machine).collect();
    client.handle_down(millis(now), machine(1), machines, frame).map(|heard| heard.sequence)
}

/// VOICE-02: a second of speech is fifty datagrams of one frame each, with the key, numbered on across the wrap, stamped with
/// what it is given: the game's time, or 0 in a lobby.
#[test]
fn each_frame_is_a_datagram() {
    let mut client = told();
    let mut sent = Vec::new();
    for at in 0..70_000_u64 {
        let stamp = if at < 50 { Tick::ZERO } else { tick(5) };
        // The host's word comes on.
        client.handle_config(millis(at), &config(7));
        client.speak(millis(at), stamp, packet(&[1; 60]), |bytes| sent.push(read(bytes))).unwrap();
    }
    assert_eq!(sent.len(), 70_000);
    assert!(sent.iter().zip(0_u32..).all(|(frame, at)| (frame.0, frame.1, frame.2) == (7, at as u16, 60)));
    assert_eq!((sent[49].3, sent[50].3), (Tick::ZERO, tick(5)));
}

/// VOICE-06: in ten seconds of silence five frames without a packet, one each two seconds; none before its key, and none
/// if this machine's player does not hear voices.
#[test]
fn it_says_that_it_hears() {
    let mut client = Client::new();
    assert_eq!(step(&mut client, 0, true), None);
    client.handle_config(millis(0), &config(7));
    assert_eq!(step(&mut client, 0, false), None);
    let said: Vec<_> =
        (0..10_000).step_by(20).filter(|now| step(&mut client, *now, true) == Some((7, 0))).collect();
    assert_eq!(said, [0, 2000, 4000, 6000, 8000]);
    client.handle_config(millis(8020), &config(7));
    assert_eq!(step(&mut client, 8020, true), None, "the same key again is nothing new");
    client.handle_config(millis(8040), &config(8));
    assert_eq!(step(&mut client, 8040, true), Some((8, 0)), "of a new one the host does not know yet");
}

/// VOICE-24: 24.9 s after the host's last word it sends and plays, at 25 s neither, and with the next it does again.
#[test]
fn settings_are_forgotten() {
    let mut client = told();
    let speak = |client: &mut Client, now: u64| client.speak(millis(now), Tick::ZERO, packet(b"x"), |_| {});
    assert_eq!(speak(&mut client, 24_900), Ok(()));
    assert_eq!(hears(&mut client, 24_900, &down()), Ok(9));
    assert_eq!(step(&mut client, 24_999, true), Some((7, 0)));
    assert_eq!(speak(&mut client, 25_000), Err(Error::NotTold));
    assert_eq!(hears(&mut client, 25_000, &down()), Err(Error::NotTold));
    assert_eq!(client.settings(millis(25_000)), None);
    assert_eq!(step(&mut client, 27_000, true), None);
    client.handle_config(millis(27_000), &config(7));
    assert_eq!(speak(&mut client, 27_000), Ok(()));
    assert_eq!(hears(&mut client, 27_000, &down()), Ok(9));
    assert_eq!(step(&mut client, 27_000, true), Some((7, 0)));
}

/// VOICE-08, 31: before any settings nothing is sent, nor what is larger than they allow, nor a packet of nothing as speech;
/// none of them uses up a number.
#[test]
fn what_the_host_would_refuse_is_not_sent() {
    let mut client = Client::new();
    let mut sent = Vec::new();
    let mut speak = |client: &mut Client, bytes: &[u8]| {
        client.speak(millis(0), Tick::ZERO, packet(bytes), |bytes| sent.push(read(bytes).1))
    };
    assert_eq!(speak(&mut client, b"x"), Err(Error::NotTold));
    let settings = VoiceSettings::new(true, Mode::Team, 8, 150).unwrap();
    client.handle_config(millis(0), &VoiceConfig { key: key(7), settings });
    assert_eq!(speak(&mut client, &[0; 57]), Err(Error::TooLarge));
    assert_eq!(speak(&mut client, &[]), Err(Error::NotHeard));
    assert_eq!(speak(&mut client, &[0; 56]), Ok(()));
    assert_eq!(speak(&mut client, &[0; 1]), Ok(()));
    assert_eq!(sent, [0, 1]);
    assert_eq!(client.refusals().total(), 3);
}

/// VOICE-17, 21, 23, 25: a frame with another key, of this machine itself, of a machine that is not there, without a route or
/// a packet: each is dropped and counted, and the good one after it is taken.
#[test]
fn a_frame_that_is_not_for_it_is_dropped() {
    let mut client = told();
    let cases = [
        (VoiceDown { key: key(8), ..down() }, Error::WrongKey),
        (VoiceDown { machine: machine(1), ..down() }, Error::OwnVoice),
        (VoiceDown { machine: machine(4), ..down() }, Error::UnknownSpeaker),
        (VoiceDown { route: Route::None, ..down() }, Error::NotHeard),
        (VoiceDown { packet: Packet::EMPTY, ..down() }, Error::NotHeard),
    ];
    for (at, (frame, error)) in cases.iter().enumerate() {
        assert_eq!(hears(&mut client, 20, frame), Err(*error));
        assert_eq!(client.refusals().total(), at as u64 + 1);
        assert_eq!(hears(&mut client, 20, &down()), Ok(9));
    }
    assert_eq!(client.refusals().of(Error::NotHeard), 2);
    assert_eq!(hears(&mut Client::new(), 20, &down()), Err(Error::NotTold));
}
