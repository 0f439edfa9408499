//! Targets of the game's own packets, file by file. Knows their bytes, not the session that they make.

use mjolnir_wire::layout::Plain;
use mjolnir_wire::limits::MAX_LOCAL_PLAYERS;
use mjolnir_wire::packets::advertisement::{AddressBlock, Advertisement};
use mjolnir_wire::packets::field::{Field, Reader, Unread};
use mjolnir_wire::packets::list::{PACKET_OVERHEAD, Packet, SettingsPiece};
use mjolnir_wire::packets::pieces::{PIECE_BYTES, SettingsAssembler, write_settings};
use mjolnir_wire::packets::settings::{MachineEntry, Options, SettingsRecord, Variant};
use mjolnir_wire::packets::text::{Chars, Wide};
use mjolnir_wire::packets::values::{Actions, SkippedActions};
use mjolnir_wire::packets::{NetworkPlayer, PACKETS, Rejection, StartRequest};
use mjolnir_wire::{Error, MessageType, Tick, message};

use super::layouts::both_ways;

/// A field: it takes its bytes from the front, and what was read can be written and reads the same.
fn field_of<T: for<'a> Field<'a>>(bytes: &[u8]) {
    let mut from = Reader::new(bytes);
    let Ok(value) = T::read(&mut from) else { return };
    let mut once = Vec::new();
    value.write(&mut once);
    assert!(once.len() >= T::SIZE && bytes.len() >= T::SIZE);
    let mut reader = Reader::new(&once);
    let value = T::read(&mut reader).expect("what was read can be written and read");
    assert_eq!(reader.finish(), Ok(()));
    let mut twice = Vec::new();
    value.write(&mut twice);
    assert_eq!(twice, once);
}

/// The fields' numbers, bytes and ticks.
pub(super) fn field(bytes: &[u8]) {
    field_of::<u8>(bytes);
    field_of::<i16>(bytes);
    field_of::<u32>(bytes);
    field_of::<f32>(bytes);
    field_of::<[u8; 16]>(bytes);
    field_of::<Tick>(bytes);
    field_of::<Unread<14>>(bytes);
}

/// Choices and lists of actions.
pub(super) fn values(bytes: &[u8]) {
    field_of::<Rejection>(bytes);
    field_of::<StartRequest>(bytes);
    field_of::<Actions>(bytes);
    field_of::<SkippedActions>(bytes);
    if let Ok(actions) = Actions::read(&mut Reader::new(bytes)) {
        assert!(actions.as_slice().len() <= MAX_LOCAL_PLAYERS);
        assert!(Actions::new(actions.as_slice()).is_ok());
    }
}

/// Text in bytes and in 16-bit units.
pub(super) fn text(bytes: &[u8]) {
    field_of::<Chars<128>>(bytes);
    field_of::<Wide<12>>(bytes);
    let mut whole = bytes.to_vec();
    whole.resize(32, 0);
    let chars = <Chars<32> as Plain>::get(&whole);
    assert!(chars.as_bytes().len() < 32 || chars.check() == Err(Error::Unterminated));
    assert!(!format!("{chars:?}").contains('\0'));
    if let (Some(text), Ok(())) = (chars.as_str(), chars.check()) {
        assert_eq!(Chars::<32>::new(text).map(|again| again.as_str() == Some(text)), Ok(true));
    }
    let wide = <Wide<16> as Plain>::get(&whole);
    assert!(wide.units().len() <= 16 && wide.chars().count() <= wide.units().len());
    let shown = wide.to_string();
    // A full field has no room for the NUL that a name of ours ends with.
    let again = Wide::<16>::cut(&shown).to_string();
    assert!(shown.starts_with(&again) && (wide.units().len() == 16 || again == shown));
}

/// What a host says of its game.
pub(super) fn advertisement(bytes: &[u8]) {
    both_ways!(bytes; Advertisement, AddressBlock);
    field_of::<Advertisement>(bytes);
    if let Ok(said) = Advertisement::read(bytes) {
        let _ = (said.is_open(), said.is_in_progress(), said.is_distributed(), format!("{said:?}"));
        let mut from = Reader::new(bytes);
        assert_eq!(<Advertisement as Field<'_>>::read(&mut from).is_ok(), said.check().is_ok());
    }
}

/// A player as packets and the settings have it.
pub(super) fn player(bytes: &[u8]) {
    both_ways!(bytes; NetworkPlayer);
    field_of::<NetworkPlayer>(bytes);
    if let Ok(player) = NetworkPlayer::read(bytes) {
        assert_eq!(player.slot().is_some(), player.slot >= 0);
        assert_eq!(player.machine().is_some(), player.machine >= 0);
        assert!(player.name.to_string().chars().count() <= 12);
    }
}

/// A whole packet. Where the bytes are none, their last byte chooses one, whose fields those before it are.
pub(super) fn list(bytes: &[u8]) {
    packet(bytes);
    let Some((number, fields)) = bytes.split_last() else { return };
    let info = &PACKETS[usize::from(*number) % PACKETS.len()];
    let mut fields = fields.to_vec();
    if fields.len() < info.size - PACKET_OVERHEAD {
        fields.resize(info.size - PACKET_OVERHEAD, 0);
    }
    let Ok(word) = message::word(MessageType::Packet, fields.len() + PACKET_OVERHEAD) else { return };
    packet(&[&word, &[1][..], &fields, &[info.number]].concat());
}

fn packet(bytes: &[u8]) {
    let Ok(packet) = Packet::read(bytes) else { return };
    assert_eq!(packet.info().number, packet.number());
    assert!(bytes.len() >= packet.info().size);
    assert!(!format!("{packet:?}").is_empty());
    let mut once = Vec::new();
    packet.write(&mut once).expect("it fits in a message");
    assert!(once.len() <= bytes.len() && once.len() >= packet.info().size);
    let mut twice = Vec::new();
    Packet::read(&once).and_then(|packet| packet.write(&mut twice)).expect("what was written");
    assert_eq!(once, twice);
}

/// Pieces of the settings, four bytes each: how, and three that say where and what. A refused one changes nothing.
pub(super) fn pieces(bytes: &[u8]) {
    let mut assembler = SettingsAssembler::new();
    let mut whole: Vec<u8> = Vec::new();
    for piece in bytes.chunks_exact(4) {
        let [how, a, b, fill] = [piece[0], piece[1], piece[2], piece[3]];
        let at = if whole.len() == SettingsRecord::SIZE { 0 } else { whole.len() };
        let (total, offset, length) = match how % 4 {
            0 => (SettingsRecord::SIZE, at, PIECE_BYTES.min(SettingsRecord::SIZE - at)),
            1 => (SettingsRecord::SIZE, usize::from(a) * 64, usize::from(b) * 16),
            2 => (usize::from(a) * 256 + usize::from(b), at, usize::from(fill)),
            _ => (SettingsRecord::SIZE, at, usize::from(a) * 16 + usize::from(b)),
        };
        let raw = [fill; PIECE_BYTES];
        let piece =
            SettingsPiece { total: total as u16, offset: offset as u16, length: length as u16, bytes: &raw };
        let Ok(done) = assembler.push(&piece) else { continue };
        assert!(offset == 0 || offset == whole.len(), "a gap was taken");
        whole.truncate(offset);
        whole.resize(offset + length, fill);
        assert_eq!(done.is_some(), whole.len() == SettingsRecord::SIZE);
        if let Some(done) = done {
            assert_eq!(done, whole);
            let _ = SettingsRecord::decode(done);
        }
        assert!(whole.len() <= SettingsRecord::SIZE);
    }
}

/// The settings: an empty record with patches over it, each two bytes of where, one of how long, and bytes.
pub(super) fn settings(bytes: &[u8]) {
    both_ways!(bytes; Variant, Options, MachineEntry);
    let mut whole = Vec::new();
    SettingsRecord::empty().write(&mut whole);
    let mut left = bytes;
    while let [low, high, length, rest @ ..] = left {
        let at = usize::from(u16::from_le_bytes([*low, *high])) % SettingsRecord::SIZE;
        let length = usize::from(*length).min(rest.len()).min(SettingsRecord::SIZE - at);
        whole[at..at + length].copy_from_slice(&rest[..length]);
        left = &rest[length..];
    }
    assert!(SettingsRecord::decode(&whole[1..]).is_err(), "a byte is missing");
    let Ok(record) = SettingsRecord::decode(&whole) else { return };
    assert_eq!(record.machines().len(), record.machine_count as usize);
    assert_eq!(record.players().len(), record.player_count as usize);
    assert!(record.players().iter().all(|player| player.name.chars().count() <= 12));
    let _ = record.is_pass_through();
    let mut packets = Vec::new();
    write_settings(&record, &mut packets).expect("what was checked");
    let mut assembler = SettingsAssembler::new();
    let mut left = &packets[..];
    let mut again = None;
    while let Some(word) = left.first_chunk() {
        let (_, length) = message::read_word(*word).expect("what was written");
        let Ok(Packet::SettingsPiece(piece)) = Packet::read(&left[..length]) else {
            panic!("no piece was written");
        };
        let done = assembler.push(&piece).expect("what was written");
        again = again.or(done.map(SettingsRecord::decode));
        left = &left[length..];
    }
    let again = again.expect("all pieces").expect("what was read");
    let (mut once, mut twice) = (Vec::new(), Vec::new());
    record.write(&mut once);
    again.write(&mut twice);
    assert_eq!(once, twice);
}
