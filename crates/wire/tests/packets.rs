//! The game's own packets and the records in them, by the golden vectors, by the format's sizes and by random bytes.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

use mjolnir_wire::Error;
use mjolnir_wire::packets::advertisement::{Advertisement, DISTRIBUTED_BIT, IN_PROGRESS_BIT, PROTOCOL};
use mjolnir_wire::packets::list::{self, SettingsPiece};
use mjolnir_wire::packets::pieces::PIECE_BYTES;
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::packets::settings::{COOP_PASS_THROUGH_BIT, LevelName, SettingsRecord};
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::packets::values::{Action, Actions};
use mjolnir_wire::packets::{
    NetworkPlayer, PACKETS, Packet, Rejection, SettingsAssembler, StartRequest, describe, write_settings,
};
use proptest::prelude::*;
use serde_json::Value;

fn bytes_of(hex: &str) -> Vec<u8> {
    hex.as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

fn written(packet: &Packet<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    packet.write(&mut bytes).unwrap();
    bytes
}

/// A packet around those fields.
fn framed(number: u8, fields: &[u8]) -> Vec<u8> {
    let length = fields.len() as u16 + 4;
    let mut bytes = (length << 4 | 3 << 2).to_be_bytes().to_vec();
    bytes.push(1);
    bytes.extend_from_slice(fields);
    bytes.push(number);
    bytes
}

fn check_player(player: &NetworkPlayer, fields: &Value) {
    assert_eq!(player.name.to_string(), fields["name"].as_str().unwrap());
    for (got, name) in [
        (i64::from(player.colour), "color"),
        (i64::from(player.icon), "icon"),
        (i64::from(player.machine), "machine"),
        (i64::from(player.controller), "controller"),
        (i64::from(player.team), "team"),
        (i64::from(player.slot), "slot"),
    ] {
        assert_eq!(got, fields[name], "{name}");
    }
}

fn check_piece(piece: &SettingsPiece<'_>, fields: &Value) {
    assert_eq!(piece.total, fields["total"].as_u64().unwrap() as u16);
    assert_eq!(piece.offset, fields["offset"].as_u64().unwrap() as u16);
    assert_eq!(piece.length, fields["length"].as_u64().unwrap() as u16);
    let mut record = piece.bytes.to_vec();
    record.resize(SettingsRecord::SIZE, 0);
    let record = SettingsRecord::decode(&record).unwrap();
    assert_eq!(record.name.to_string(), "Test");
    assert_eq!(record.map.as_str(), Some("levels\\test\\bloodgulch\\bloodgulch"));
    assert_eq!(record.variant.game_type, 2);
    assert_eq!(record.max_players, 16);
    assert_eq!(record.machines().len(), 1);
    assert_eq!((record.machines[0].name.to_string().as_str(), record.machines[0].index), ("Box", 0));
}

fn check_update(update: &list::ClientUpdate, fields: &Value) {
    assert_eq!(update.next_update, fields["next_update"].as_i64().unwrap() as i32);
    let [action] = update.actions.as_slice() else { panic!("one action") };
    assert_eq!(u64::from(action.flags), fields["buttons"].as_u64().unwrap());
    for (real, name) in action.reals.iter().zip(["yaw", "pitch", "throttle_i", "throttle_j", "trigger"]) {
        assert_eq!(f64::from(*real), fields[name].as_f64().unwrap(), "{name}");
    }
    for (choice, name) in action.choices.iter().zip(["weapon", "grenade", "zoom"]) {
        assert_eq!(i64::from(*choice), fields[name], "{name}");
    }
}

fn check_fields(packet: &Packet<'_>, fields: &Value) {
    let number = |name: &str| fields[name].as_i64().unwrap();
    match packet {
        Packet::Search(p) => {
            assert_eq!((i64::from(p.port), i64::from(p.protocol)), (number("port"), number("protocol")));
            assert_eq!(p.nonce.to_vec(), bytes_of(fields["nonce"].as_str().unwrap()));
        }
        Packet::Ping(p) => {
            assert_eq!((i64::from(p.timestamp), i64::from(p.port)), (number("time_ms"), number("port")));
        }
        Packet::Pong(p) => assert_eq!(i64::from(p.timestamp), number("time_ms")),
        Packet::Accepted(p) => {
            assert_eq!((i64::from(p.seed), i64::from(p.machine)), (number("seed"), number("machine")));
        }
        Packet::Rejected(p) => assert_eq!((p.reason, number("reason")), (Rejection::Full, 4)),
        Packet::Countdown(p) => assert_eq!(i64::from(p.seconds), number("seconds")),
        Packet::BeginGame(p) => assert_eq!(i64::from(p.time), number("host_time_low16")),
        Packet::AddPlayerPregame(p) => check_player(&p.player, fields),
        Packet::AddPlayerIngame(p) => check_player(&p.player, fields),
        Packet::RemovePlayerIngame(p) => {
            check_player(&p.player, fields);
            assert_eq!(i64::from(p.at.get()), number("quit_time"));
        }
        Packet::SettingsRequest(p) => {
            assert_eq!(p.name.to_string(), fields["machine_name"].as_str().unwrap());
            assert_eq!(i64::from(p.machine), number("machine"));
        }
        Packet::GameStartRequest(p) => assert_eq!((p.request, number("event")), (StartRequest::StartNow, 3)),
        Packet::MapPrecached(p) => assert_eq!(p.map.as_str(), fields["map"].as_str()),
        Packet::ClientUpdate(p) => check_update(p, fields),
        Packet::SettingsPiece(p) => check_piece(p, fields),
        Packet::PregameKeepAlive(_) | Packet::GameOver(_) | Packet::Loaded(_) => {}
        other => panic!("a vector without a check: {other:?}"),
    }
}

/// WIRE-89, 87, 91, 35, 56, WIRE-96 (in part: nobody answers a search yet): every vector of the game's packets decodes
/// to its fields and encodes back.
#[test]
fn every_vector_both_ways() {
    let all: Value = serde_json::from_str(include_str!("vectors.json")).unwrap();
    let mut seen = 0;
    for vector in all.as_array().unwrap().iter().filter(|vector| vector["space"] == "game") {
        let bytes = bytes_of(vector["hex"].as_str().unwrap());
        assert_eq!(bytes.len(), vector["size"].as_u64().unwrap() as usize);
        let packet = Packet::read(&bytes).unwrap();
        assert_eq!(u64::from(packet.number()), vector["kind"].as_u64().unwrap());
        assert_eq!(packet.info().name, vector["name"].as_str().unwrap());
        check_fields(&packet, &vector["fields"]);
        assert_eq!(written(&packet), bytes, "{}", vector["name"]);
        seen += 1;
    }
    assert_eq!(seen, 18);
}

/// WIRE-88: the sizes on the wire.
#[test]
fn sizes_are_the_tables() {
    for (number, size) in [
        (0, 16),
        (1, 10),
        (2, 280),
        (3, 8),
        (4, 10),
        (5, 6),
        (6, 3594),
        (7, 6),
        (8, 6),
        (9, 8),
        (10, 8),
        (11, 6),
        (12, 116),
        (13, 36),
        (14, 36),
        (15, 69),
        (16, 36),
        (17, 6),
        (18, 8),
        (19, 260),
        (20, 17),
        (21, 36),
        (22, 40),
        (23, 8),
        (24, 8),
        (25, 9),
        (26, 36),
        (27, 36),
        (28, 18),
        (29, 18),
        (30, 8),
        (31, 8),
        (32, 36),
        (33, 8),
        (34, 8),
    ] {
        assert_eq!(PACKETS[number].size, size, "{number}");
        let packet = framed(number as u8, &vec![0; size - 4]);
        assert_eq!(packet.len(), size);
        // A record of zeros is of no protocol.
        assert_eq!(Packet::read(&packet).is_ok(), number != 2, "{number}");
    }
    assert_eq!(PACKETS.len(), 35);
}

/// WIRE-87: version 2, number 35, a byte more, a byte less, another type.
#[test]
fn what_is_not_exactly_a_packet_is_refused() {
    let good = bytes_of("008c01000000000a");
    assert!(Packet::read(&good).is_ok());
    let mut other = good.clone();
    other[2] = 2;
    assert_eq!(Packet::read(&other), Err(Error::BadFlag));
    let mut other = good.clone();
    other[7] = 35;
    assert_eq!(Packet::read(&other), Err(Error::UnknownKind));
    assert_eq!(Packet::read(&framed(10, &[0; 3])), Err(Error::Truncated));
    assert_eq!(Packet::read(&framed(10, &[0; 5])), Err(Error::TrailingBytes));
    assert_eq!(Packet::read(&[0x00, 0x3C, 1]), Err(Error::Truncated));
    assert_eq!(Packet::read(&bytes_of("0088080000000000")), Err(Error::UnknownKind));
}

/// WIRE-88, 35: longs that nobody looks at are taken whatever they hold and sent zero.
#[test]
fn longs_that_are_not_used_are_not_read() {
    for number in [9, 10, 18, 23, 24, 30, 31, 33, 34] {
        let bytes = framed(number, &[0xDE, 0xAD, 0xBE, 0xEF]);
        assert_eq!(written(&Packet::read(&bytes).unwrap()), framed(number, &[0; 4]));
    }
}

/// WIRE-36: an update is 17 bytes; actions in one are read over.
#[test]
fn an_updates_actions_are_read_over() {
    let fields = |count: u8| {
        let mut fields = bytes_of("000000070000000000000384");
        fields.push(count);
        fields.resize(13 + usize::from(count) * 30, 0xFF);
        fields
    };
    for count in [0, 1, 16, 128] {
        let bytes = framed(20, &fields(count));
        let packet = Packet::read(&bytes).unwrap();
        let Packet::GameUpdate(update) = packet else { panic!("an update") };
        assert_eq!((update.number, update.time.get()), (7, 900));
        assert_eq!(written(&packet).len(), 17);
    }
    assert!(Packet::read(&framed(20, &fields(129)[..13 + 128 * 30])).is_err());
    assert_eq!(Packet::read(&framed(20, &fields(2)[..13 + 30])), Err(Error::Truncated));
    let mut negative = fields(0);
    negative[8] = 0x80;
    assert_eq!(Packet::read(&framed(20, &negative)), Err(Error::BadTick));
}

/// NET-66: no more than four actions.
#[test]
fn a_client_update_has_four_actions_at_most() {
    let actions = [Action { flags: 3, reals: [0.5; 5], choices: [-1; 3] }; 5];
    for count in 0..=4 {
        let update = list::ClientUpdate { next_update: 9, actions: Actions::new(&actions[..count]).unwrap() };
        let bytes = written(&Packet::ClientUpdate(update));
        assert_eq!(bytes.len(), 9 + 30 * count);
        assert_eq!(Packet::read(&bytes), Ok(Packet::ClientUpdate(update)));
    }
    assert_eq!(Actions::new(&actions), Err(Error::TooLong));
    let mut five = vec![0, 0, 0, 9, 5];
    five.resize(5 + 5 * 30, 0);
    assert_eq!(Packet::read(&framed(25, &five)), Err(Error::TooLong));
}

/// WIRE-96: a start request that is none.
#[test]
fn a_start_request_is_one_of_four() {
    for value in 0..=3 {
        assert!(Packet::read(&framed(17, &[0, value])).is_ok());
    }
    assert_eq!(Packet::read(&framed(17, &[0, 4])), Err(Error::BadFlag));
}

/// WIRE-95: each reason of a rejection, and one that is not known.
#[test]
fn a_rejection_has_a_reason_or_another() {
    use Rejection::{BadPassword, BadToken, Blacklisted, Closed, Full, Other, TooNew, TooOld};
    let reasons = [TooOld, TooNew, BadToken, BadPassword, Full, Closed, Blacklisted, Other(7)];
    for (value, reason) in (0..).zip(reasons) {
        let bytes = framed(5, &[0, value]);
        assert_eq!(Packet::read(&bytes), Ok(Packet::Rejected(list::Rejected { reason })));
        assert_eq!(written(&Packet::Rejected(list::Rejected { reason })), bytes);
    }
}

/// WIRE-51: the hardware id stands at offset 80 of the join request's fields.
#[test]
fn the_hardware_id_stands_where_the_format_says() {
    let mut fields = vec![0; 112];
    fields[64..80].copy_from_slice(b"message in a bot");
    fields[80..].copy_from_slice(b"0123456789abcdef0123456789ABCDEF");
    let bytes = framed(12, &fields);
    let Packet::JoinRequest(request) = Packet::read(&bytes).unwrap() else { panic!("a join request") };
    assert_eq!(&request.hardware_id, b"0123456789abcdef0123456789ABCDEF");
    assert_eq!(&request.token, b"message in a bot");
    assert_eq!(bytes.len(), 116);
}

/// WIRE-57: at most 127 bytes, a NUL among the 128.
#[test]
fn a_level_name_ends_within_its_field() {
    for name in ["custom_maps\\hugeass", &"a".repeat(127)] {
        assert_eq!(LevelName::new(name).unwrap().as_str(), Some(name));
    }
    assert_eq!(LevelName::new(&"a".repeat(128)), Err(Error::TooLong));
    assert_eq!(Chars::<256>::new(&"a".repeat(255)).unwrap().as_bytes().len(), 255);
    assert_eq!(Packet::read(&framed(19, &[b'a'; 256])), Err(Error::Unterminated));
    let mut record = vec![0; SettingsRecord::SIZE];
    record[0x24..0xA4].fill(b'a');
    assert_eq!(SettingsRecord::decode(&record), Err(Error::Unterminated));
    record[0xA3] = 0;
    assert!(SettingsRecord::decode(&record).is_ok());
}

fn advertisement() -> Advertisement {
    let mut bytes = [0; 276];
    bytes[54] = PROTOCOL as u8;
    Advertisement::read(&bytes).unwrap()
}

/// WIRE-02, 03, 90: the version at offset 90, the flags at 92, the rest by the layout.
#[test]
fn an_advertisement_says_its_version_and_its_netcode() {
    let old = advertisement();
    assert_eq!(
        (old.version, old.is_distributed(), old.is_in_progress(), old.is_open()),
        (0, false, false, false)
    );
    for (netcode, distributed, in_progress) in
        [(DISTRIBUTED_BIT, true, false), (IN_PROGRESS_BIT, false, true), (0xFC, false, false)]
    {
        let game = Advertisement { version: 32, netcode, flags: 0xFFF1, ..advertisement() };
        let bytes = written(&Packet::Advertise(list::Advertise { game }));
        assert_eq!(bytes[3 + 90..3 + 92], [0x20, 0x00]);
        let Packet::Advertise(read) = Packet::read(&bytes).unwrap() else { panic!("an advertisement") };
        assert_eq!(read.game, game);
        assert_eq!((read.game.is_distributed(), read.game.is_in_progress()), (distributed, in_progress));
        assert!(!read.game.is_open(), "unknown flags are ignored");
    }
    let mut bytes = written(&Packet::Advertise(list::Advertise { game: advertisement() }));
    bytes[3 + 54] = 1;
    assert_eq!(Packet::read(&bytes), Err(Error::OutOfRange));
    bytes[3 + 54] = 2;
    bytes[3 + 120..3 + 248].fill(b'm');
    assert_eq!(Packet::read(&bytes), Err(Error::Unterminated));
}

/// WIRE-88: the record has a line a packet, a line a field, and the records in them.
#[test]
fn the_record_names_every_packet_and_field() {
    let lines = describe();
    for line in [
        "packet client_ping 1 client datagram 10",
        "packet_field client_ping.timestamp i32 0",
        "packet_field client_ping.port i16 4",
        "packet server_game_update 20 host stream 17",
        "packet_struct SettingsRecord 13120",
        "packet_struct_field SettingsRecord.coop_flags u8 268",
    ] {
        assert!(lines.iter().any(|described| described == line), "{line}");
    }
    assert_eq!(lines.iter().filter(|line| line.starts_with("packet ")).count(), 35);
}

/// WIRE-37, 93: a byte changed anywhere comes out where it went in, pads aside; the pass-through flag is one bit.
#[test]
fn each_byte_of_the_settings_is_one_fields() {
    let pads = [0xC1..0xC4, 0xCD..0xD0, 0x10A..0x10C];
    let zero = vec![0; SettingsRecord::SIZE];
    for at in 0..SettingsRecord::SIZE {
        let mut bytes = zero.clone();
        bytes[at] = 1;
        let Ok(record) = SettingsRecord::decode(&bytes) else {
            // A count of 256 or a choice of 256.
            assert!([0x113, 0x2315, 0x3323].contains(&at), "{at:#x}");
            continue;
        };
        let mut out = Vec::new();
        record.write(&mut out);
        let is_pad = pads.iter().any(|pad| pad.contains(&at))
            || (0x114..0x2314).contains(&at) && (at - 0x114) % 0x44 > 0x40;
        assert_eq!(out, if is_pad { &zero } else { &bytes }[..], "{at:#x}");
        assert_eq!(record.is_pass_through(), at == 0x10C);
    }
    assert_eq!(COOP_PASS_THROUGH_BIT, 1);
}

/// WIRE-93, 91: friendly fire and radar are one of few, counts end at their lists, a player's name is swapped.
#[test]
fn settings_that_mean_nothing_are_refused() {
    let mut record = SettingsRecord::empty();
    record.players[0].name = Name::cut("Chief");
    record.player_count = 128;
    record.machine_count = 128;
    let mut bytes = Vec::new();
    record.write(&mut bytes);
    assert_eq!(bytes[0x2316..0x231A], [b'C', 0, b'h', 0]);
    let packet = Packet::AddPlayerPregame(list::AddPlayerPregame { player: record.players[0] });
    assert_eq!(written(&packet)[3..7], [0, b'C', 0, b'h']);
    for (at, good, bad, error) in [
        (0x3322, 3, 4, Error::BadFlag),
        (0x3329, 2, 3, Error::BadFlag),
        (0x112, 128, 129, Error::TooLong),
        (0x2314, 128, 129, Error::TooLong),
    ] {
        let mut bytes = bytes.clone();
        bytes[at] = good;
        assert!(SettingsRecord::decode(&bytes).is_ok(), "{at:#x}");
        bytes[at] = bad;
        assert_eq!(SettingsRecord::decode(&bytes), Err(error), "{at:#x}");
    }
    bytes[0xE0..0xE4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(SettingsRecord::decode(&bytes), Err(Error::NotFinite));
}

fn pieces(of: &[u8]) -> Vec<SettingsPiece<'_>> {
    let mut pieces = Vec::new();
    for packet in of.chunks(3594) {
        let Packet::SettingsPiece(piece) = Packet::read(packet).unwrap() else { panic!("a piece") };
        pieces.push(piece);
    }
    pieces
}

/// WIRE-92: four in order are the record; a gap, a wrong total, what ends past it and a late start change nothing.
#[test]
fn settings_come_in_four_pieces_in_order() {
    let mut record = SettingsRecord::empty();
    record.seed = 0x89AB_CDEF;
    let mut sent = Vec::new();
    write_settings(&record, &mut sent).unwrap();
    let pieces = pieces(&sent);
    assert_eq!(
        pieces.iter().map(|p| (p.offset, p.length)).collect::<Vec<_>>(),
        [(0, 3584), (3584, 3584), (7168, 3584), (10752, 2368)]
    );
    let whole = |assembler: &mut SettingsAssembler| {
        for piece in &pieces[..3] {
            assert_eq!(assembler.push(piece), Ok(None));
        }
        let bytes = assembler.push(&pieces[3]).unwrap().unwrap();
        assert_eq!(SettingsRecord::decode(bytes).unwrap().seed, 0x89AB_CDEF);
    };
    let mut assembler = SettingsAssembler::new();
    whole(&mut assembler);
    whole(&mut assembler);
    assembler.push(&pieces[0]).unwrap();
    assert_eq!(assembler.push(&pieces[2]), Err(Error::BadIndex));
    assert_eq!(assembler.push(&pieces[1]), Ok(None), "a refused piece changes nothing");
    whole(&mut assembler);
    let mut fresh = SettingsAssembler::new();
    assert_eq!(fresh.push(&pieces[1]), Err(Error::BadIndex));
    assert_eq!(fresh.push(&SettingsPiece { offset: 1, ..pieces[0] }), Err(Error::BadIndex));
    assert_eq!(fresh.push(&SettingsPiece { total: 13_119, ..pieces[0] }), Err(Error::OutOfRange));
    assert_eq!(fresh.push(&SettingsPiece { offset: 13_119, length: 2, ..pieces[0] }), Err(Error::TooLong));
    assert_eq!(fresh.push(&SettingsPiece { length: 3585, ..pieces[0] }), Err(Error::OutOfRange));
    let padded = [0xFF; PIECE_BYTES];
    let mut raw = padded;
    raw[..2368].copy_from_slice(&pieces[3].bytes[..2368]);
    for piece in &pieces[..3] {
        fresh.push(piece).unwrap();
    }
    let last = SettingsPiece { bytes: &raw, ..pieces[3] };
    assert_eq!(SettingsRecord::decode(fresh.push(&last).unwrap().unwrap()), Ok(record));
}

/// Any packet whose fields are those bytes, where they make one.
fn any_fields() -> impl Strategy<Value = (u8, Vec<u8>)> {
    (0..36_u8).prop_flat_map(|number| {
        let size = PACKETS.get(usize::from(number)).map_or(0, |info| info.size - 4);
        (Just(number), prop::collection::vec(any::<u8>(), size..size + 2))
    })
}

proptest! {
    /// WIRE-08: any bytes give a packet or an error.
    #[test]
    fn random_bytes_are_a_packet_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        if let Ok(packet) = Packet::read(&bytes) {
            prop_assert_eq!(written(&packet).len(), written(&Packet::read(&written(&packet)).unwrap()).len());
        }
    }

    /// WIRE-08: what was read can be written, and reads again as the same bytes; cut anywhere it is refused.
    #[test]
    fn what_is_read_is_written_back((number, fields) in any_fields(), cut in any::<prop::sample::Index>()) {
        let bytes = framed(number, &fields);
        if let Ok(packet) = Packet::read(&bytes) {
            let once = written(&packet);
            let again = written(&Packet::read(&once).unwrap());
            prop_assert_eq!(once, again);
        }
        prop_assert!(Packet::read(&bytes[..cut.index(bytes.len())]).is_err());
    }

    /// WIRE-08: a flipped bit gives another packet or an error.
    #[test]
    fn a_flipped_bit_is_a_packet_or_refused(
        (number, fields) in any_fields(), at in any::<prop::sample::Index>(), bit in 0..8,
    ) {
        let mut bytes = framed(number, &fields);
        let at = at.index(bytes.len());
        bytes[at] ^= 1_u8 << bit;
        if let Ok(packet) = Packet::read(&bytes) {
            prop_assert!(Packet::read(&written(&packet)).is_ok());
        }
    }
}
