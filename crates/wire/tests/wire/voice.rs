//! Voice as it travels: what is taken and what is refused of kinds 80 to 82, and that what was written is read.

use mjolnir_wire::voice::{
    Mode, PACKET_BYTES, Packet, Route, VoiceConfig, VoiceConfigEntry, VoiceDown, VoiceKey, VoiceSettings,
    VoiceUp,
};
use mjolnir_wire::{Error, Kind, Machine, Message, Slot};

use super::bytes::{hex, tick};

fn key(number: u32) -> VoiceKey {
    VoiceKey::new(number).unwrap()
}

fn up(packet: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let frame = VoiceUp { key: key(0xCAFE_F00D), sequence: 1, packet: Packet::new(packet).unwrap() };
    frame.write(tick(0), &mut bytes);
    bytes
}

fn down() -> VoiceDown<'static> {
    VoiceDown {
        key: key(7),
        sequence: 65_535,
        machine: Machine::new(127).unwrap(),
        player: Slot::new(3),
        route: Route::Near,
        packet: Packet::new(b"speech").unwrap(),
    }
}

/// A message's header word says its length.
fn resized(bytes: &mut Vec<u8>, length: usize) {
    bytes.resize(length, 9);
    let word = (length as u16) << 4 | 2 << 2;
    bytes[..2].copy_from_slice(&word.to_be_bytes());
}

fn read_up(bytes: &[u8]) -> Result<usize, Error> {
    VoiceUp::read(&Message::read(bytes).unwrap()).map(|frame| frame.packet.bytes().len())
}

fn read_down(bytes: &[u8]) -> Result<VoiceDown<'_>, Error> {
    VoiceDown::read(&Message::read(bytes).unwrap())
}

/// WIRE-49, 60, VOICE-25, 31: a frame is written as the recorded example, and read back; its packet is exactly what it says:
/// one byte more or less is refused, and an empty one is taken. A message of another count than 1 is none.
#[test]
fn a_frame_goes_with_its_length() {
    let recorded = hex("01485001000000000df0feca0100040001020304");
    assert_eq!(up(&[1, 2, 3, 4]), recorded);
    let message = Message::read(&recorded).unwrap();
    let frame = VoiceUp::read(&message).unwrap();
    assert_eq!((frame.key.get(), frame.sequence, frame.packet.bytes()), (0xCAFE_F00D, 1, &[1, 2, 3, 4][..]));
    assert_eq!((message.kind, message.count, message.tick), (Kind::VoiceUp, 1, tick(0)));

    for (length, is) in [(19, Err(Error::Truncated)), (20, Ok(4)), (21, Err(Error::TrailingBytes))] {
        let mut bytes = recorded.clone();
        resized(&mut bytes, length);
        assert_eq!(read_up(&bytes), is, "{length}");
    }
    for count in [0, 2, 255] {
        let mut bytes = recorded.clone();
        bytes[3] = count;
        assert_eq!(Message::read(&bytes), Err(Error::BadFlag), "{count}");
    }
    // Ten bytes that it says, and nine that are there.
    let mut short = up(&[6; 10]);
    resized(&mut short, 8 + 8 + 9);
    assert_eq!(read_up(&short), Err(Error::Truncated));
    assert_eq!(read_up(&up(&[])), Ok(0));
    assert_eq!(read_up(&up(&[5; PACKET_BYTES])), Ok(255));
    assert_eq!(Packet::new(&[5; PACKET_BYTES + 1]), Err(Error::TooLong));
}

/// WIRE-49: a frame for who may hear it comes back as it was, with a player or none, and by each route.
#[test]
fn a_relayed_frame_comes_back() {
    for player in [None, Slot::new(0), Slot::new(127)] {
        for route in Route::ALL {
            let frame = VoiceDown { player, route, ..down() };
            let mut bytes = Vec::new();
            frame.write(tick(70_000), &mut bytes);
            assert_eq!(bytes.len(), 8 + 12 + 6);
            assert_eq!(Message::read(&bytes).unwrap().tick, tick(70_000));
            assert_eq!(read_down(&bytes), Ok(frame));
        }
    }
}

/// WIRE-10, 49, VOICE-25: no key of 0, no machine or player past the last, no fourth route, no other length.
#[test]
fn a_relayed_frame_is_checked_field_by_field() {
    let mut bytes = Vec::new();
    down().write(tick(0), &mut bytes);
    let with = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[8 + at] = value;
        read_down(&bytes).map(|_| ())
    };
    assert_eq!(with(0, 0), Err(Error::OutOfRange), "the key was 7");
    for (at, most, error) in [(6, 127, Error::BadIndex), (7, 127, Error::BadIndex), (8, 2, Error::BadFlag)] {
        assert_eq!(with(at, most), Ok(()), "{at}");
        assert_eq!(with(at, most + 1), Err(error), "{at}");
    }
    assert_eq!(with(7, 0xFF), Ok(()));
    assert_eq!(with(9, 5), Err(Error::TrailingBytes));
    assert_eq!(with(9, 7), Err(Error::Truncated));
    let mut short = bytes.clone();
    resized(&mut short, 8 + 11);
    assert_eq!(Message::read(&short).err(), Some(Error::Truncated));
    assert_eq!(VoiceKey::new(0), None);
}

/// WIRE-49: the settings are written as the recorded example; no key of 0, no sixth mode, and no quality or nearness
/// outside its range.
#[test]
fn settings_are_checked_field_by_field() {
    let recorded = hex("01485201000000000df0feca0102180064000000");
    let message = Message::read(&recorded).unwrap();
    let config = VoiceConfig::read_all(&message).next().unwrap().unwrap();
    let settings = VoiceSettings::new(true, Mode::TeamAndEnemiesNear, 24, 100).unwrap();
    assert_eq!(config, VoiceConfig { key: key(0xCAFE_F00D), settings });
    assert_eq!((settings.lobby(), settings.kbps(), settings.nearness()), (true, 24, 10.0));
    let mut written = Vec::new();
    config.write(&mut written);
    assert_eq!(written, message.body);

    let with = |change: fn(&mut VoiceConfigEntry)| {
        let mut entry = VoiceConfigEntry::read(&written).unwrap();
        change(&mut entry);
        let mut bytes = Vec::new();
        entry.write(&mut bytes);
        VoiceConfig::read(&bytes)
    };
    assert_eq!(with(|entry| entry.key = 0), Err(Error::OutOfRange));
    assert_eq!(with(|entry| entry.mode = 4).unwrap().settings.mode(), Mode::TeamAndNearEnemies);
    assert_eq!(with(|entry| entry.mode = 5), Err(Error::BadFlag));
    assert!(!with(|entry| entry.flags = 0xFE).unwrap().settings.lobby(), "other bits mean nothing");
    assert_eq!(with(|entry| entry.kbps = 7), Err(Error::OutOfRange));
    assert_eq!(with(|entry| entry.kbps = 8).unwrap().settings.kbps(), 8);
    assert_eq!(with(|entry| entry.kbps = 64).unwrap().settings.kbps(), 64);
    assert_eq!(with(|entry| entry.kbps = 65), Err(Error::OutOfRange));
    assert_eq!(with(|entry| entry.nearness_tenths = 49), Err(Error::OutOfRange));
    assert_eq!(with(|entry| entry.nearness_tenths = 50).unwrap().settings.nearness(), 5.0);
    assert_eq!(with(|entry| entry.nearness_tenths = 1000).unwrap().settings.nearness(), 100.0);
    assert_eq!(with(|entry| entry.nearness_tenths = 1001), Err(Error::OutOfRange));
}

/// VOICE-12, 14: a mode by its word, any other the widest; the default reaches 15 wu, 150 as it travels.
#[test]
fn a_mode_has_a_word() {
    for (word, mode) in Mode::WORDS.into_iter().zip(Mode::ALL) {
        assert_eq!(Mode::of_word(word), mode);
    }
    assert_eq!(Mode::of_word("telepathy"), Mode::TeamAndNearEnemies);
    let mut bytes = Vec::new();
    VoiceConfig { key: key(1), settings: VoiceSettings::default() }.write(&mut bytes);
    assert_eq!(bytes, [1, 0, 0, 0, 1, 4, 24, 0, 150, 0, 0, 0]);
    assert_eq!(VoiceSettings::default().nearness(), 15.0);
}
