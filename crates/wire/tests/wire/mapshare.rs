//! Map sharing over the game's stream: what is taken and what is refused of kinds 86 to 89, and that what was written is
//! read.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use mjolnir_wire::mapshare::{
    File, FileHash, FileSet, MapShareOfferEntry, MapShareRequestEntry, MapShareSourceEntry, Offer,
    PIECE_BYTES, PIECES_MAX, Progress, ProgressState, Refusal, Request, SHARED_FILE_MAX, Source,
    SourceAddress, pieces,
};
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::{Error, Machine, Message};
use proptest::prelude::*;

use super::bytes::{message, written};

const REFUSALS: [Refusal; 5] = [
    Refusal::SharingOff,
    Refusal::NotTheGamesMap,
    Refusal::NotTheGamesVersion,
    Refusal::CannotBeRead,
    Refusal::TooLarge,
];
const STATES: [ProgressState; 4] =
    [ProgressState::Checking, ProgressState::Downloading, ProgressState::HasAll, ProgressState::Stopped];

fn request(lacked: u8, level: &[u8]) -> Result<Request, Error> {
    let mut entry = [0; MapShareRequestEntry::SIZE];
    entry[0] = lacked;
    entry[4..4 + level.len()].copy_from_slice(level);
    Request::read(&entry)
}

fn offer(file: u8, status: u8, size: u32) -> Vec<u8> {
    let mut entry = size.to_le_bytes().to_vec();
    entry.extend([7; 32]);
    entry.extend([7, 7, 7, 7, file, status, 0, 0]);
    entry
}

fn source(kind: u8, address: [u8; 16]) -> Result<Source, Error> {
    Source::read(&[&[3, kind, 1, 0][..], &address].concat())
}

fn four(ip: [u8; 4]) -> Result<Source, Error> {
    let mut address = [0; 16];
    address[..4].copy_from_slice(&ip);
    source(1, address)
}

fn six(ip: &str) -> Result<Source, Error> {
    source(3, ip.parse::<Ipv6Addr>().unwrap().octets())
}

/// WIRE-50, 98: something is lacked, of four files; both sides of each end.
#[test]
fn a_request_lacks_some_of_four_files() {
    for (lacked, is) in
        [(0, false), (1, true), (15, true), (16, false), (17, false), (0x80, false), (0xFF, false)]
    {
        let read = request(lacked, b"custom_maps\\hugeass");
        assert_eq!(
            read.map(|request| request.lacked.bits()),
            if is { Ok(lacked) } else { Err(Error::BadFlag) }
        );
    }
    assert_eq!(Request::read(&[1; MapShareRequestEntry::SIZE - 1]), Err(Error::Truncated));
}

/// WIRE-98: a level is 1 to 127 characters that print, before its NUL; what comes after that is nothing.
#[test]
fn a_level_prints_and_ends() {
    for (level, is) in [
        (&b""[..], Err(Error::OutOfRange)),
        (b"a", Ok("a")),
        (b" ~", Ok(" ~")),
        (b"a\x1Fb", Err(Error::OutOfRange)),
        (b"a\x7Fb", Err(Error::OutOfRange)),
        (b"a\nb", Err(Error::OutOfRange)),
        ("\u{E9}".as_bytes(), Err(Error::OutOfRange)),
    ] {
        let read = request(1, level);
        assert_eq!(
            read.as_ref().map(|request| request.level.as_str().unwrap()).map_err(|e| *e),
            is,
            "{level:?}"
        );
    }
    assert_eq!(request(1, &[b'a'; 127]).unwrap().level.as_bytes(), [b'a'; 127]);
    assert_eq!(request(1, &[b'a'; 128]), Err(Error::Unterminated));
    let (clean, noisy) = (request(1, b"hugeass").unwrap(), request(1, b"hugeass\0\xFFsecret\n").unwrap());
    assert_eq!(clean, noisy);
    assert_eq!(written(|to| noisy.write(to)), written(|to| clean.write(to)));
}

/// WIRE-50, 98, MAP-68 (in part: what travels): a size of 1 to 2^32 - 1 bytes is offered and 0 is not; file 4 is none; the largest file has 16 384 pieces.
#[test]
fn an_offer_is_of_a_file_that_has_bytes() {
    for (size, is) in [(0, false), (1, true), (u32::MAX, true)] {
        let read = Offer::read(&offer(0, 0, size)).map(|offer| offer.answer.unwrap().0);
        assert_eq!(read, if is { Ok(size) } else { Err(Error::OutOfRange) });
    }
    for (file, is) in
        [(0, Ok(File::Map)), (3, Ok(File::Loc)), (4, Err(Error::BadIndex)), (255, Err(Error::BadIndex))]
    {
        assert_eq!(Offer::read(&offer(file, 0, 9)).map(|offer| offer.file), is);
    }
    assert_eq!(Offer::read(&offer(0, 0, 9)[..MapShareOfferEntry::SIZE - 1]), Err(Error::Truncated));
    assert_eq!(SHARED_FILE_MAX, (1 << 32) - 1);
    let piece = PIECE_BYTES;
    for (size, count) in [(0, 0), (1, 1), (piece, 1), (piece + 1, 2), (600_000, 3), (u32::MAX, PIECES_MAX)] {
        assert_eq!(pieces(size), count, "{size}");
    }
    assert_eq!((PIECE_BYTES, PIECES_MAX), (262_144, 16_384));
}

/// MAP-69 (in part: the texts are the client's): statuses 1 to 5 are refusals, whatever stands beside them; 6 is refused.
#[test]
fn a_refusal_has_its_number() {
    for (status, refusal) in (1..).zip(REFUSALS) {
        assert_eq!(refusal.get(), status);
        for size in [0, 9] {
            assert_eq!(Offer::read(&offer(2, status, size)).unwrap().answer, Err(refusal));
        }
        let refused = Offer { file: File::Sounds, map_version: 5, answer: Err(refusal) };
        let bytes = written(|to| refused.write(to));
        assert_eq!(bytes[..36], [0; 36], "no size and no hash");
        assert_eq!(Offer::read(&bytes), Ok(refused));
    }
    for status in [6, 255] {
        assert_eq!(Offer::read(&offer(0, status, 9)), Err(Error::BadFlag));
    }
}

/// MAP-70 (in part: that one who reads it can tell): an offer whose hash is not its map version's is read.
#[test]
fn an_offer_of_another_map_can_be_told_from_a_wrong_one() {
    let mut bytes = offer(0, 0, 9);
    bytes[36] = 8;
    let Offer { map_version, answer, .. } = Offer::read(&bytes).unwrap();
    assert_eq!((map_version, answer.unwrap().1.version()), (0x0707_0708, 0x0707_0707));
}

/// WIRE-98: a file comes once a message: of its second entry that alone is refused, and one that was refused itself does not count.
#[test]
fn a_file_is_offered_once() {
    let read = |entries: &[Vec<u8>]| -> Vec<Result<(File, u32), Error>> {
        let bytes = message(87, entries.len() as u8, &entries.concat());
        let read = Offer::read_all(&Message::read(&bytes).unwrap());
        read.map(|offer| offer.map(|offer| (offer.file, offer.answer.unwrap().0))).collect()
    };
    assert_eq!(
        read(&[offer(0, 0, 1), offer(0, 0, 2), offer(2, 0, 3), offer(2, 0, 3)]),
        [Ok((File::Map, 1)), Err(Error::BadIndex), Ok((File::Sounds, 3)), Err(Error::BadIndex)]
    );
    assert_eq!(read(&[offer(0, 0, 0), offer(0, 0, 2)]), [Err(Error::OutOfRange), Ok((File::Map, 2))]);
    let all = [0, 1, 2, 3].map(|file| offer(file, 0, 1));
    assert_eq!(read(&all), File::ALL.map(|file| Ok((file, 1))));
}

/// WIRE-50, 98, MAP-71 (in part: one message): machines 1 to 127, files 0 to 3 and kinds 1 to 3; flag bits that mean nothing are not read; an entry that is
/// refused is refused alone, and 127 of them fit a message.
#[test]
fn a_source_is_a_client_with_an_address() {
    let entry = |machine: u8, kind: u8, files: u8, flags: u8| {
        [&[machine, kind, files, flags, 10, 0, 0, 1][..], &[0; 12]].concat()
    };
    let read = |machine, kind, files, flags| Source::read(&entry(machine, kind, files, flags));
    for (machine, is) in [(0, false), (1, true), (127, true), (128, false), (255, false)] {
        let is = if is { Ok(machine) } else { Err(Error::BadIndex) };
        assert_eq!(read(machine, 1, 1, 0).map(|source| source.machine.get()), is);
    }
    for (kind, is) in [(0, false), (1, true), (2, true), (3, true), (4, false), (255, false)] {
        assert_eq!(read(3, kind, 1, 0).err(), (!is).then_some(Error::BadFlag), "{kind}");
    }
    for (files, is) in [(0, true), (15, true), (16, false), (0x80, false)] {
        assert_eq!(read(3, 1, files, 0).err(), (!is).then_some(Error::BadFlag), "{files}");
    }
    for (flags, is) in [(0, false), (1, true), (2, false), (0xFF, true)] {
        let source = read(3, 1, 1, flags).unwrap();
        assert_eq!(source.is_downloading, is);
        assert_eq!(written(|to| source.write(to))[3], u8::from(is), "other bits are sent zero");
    }
    assert_eq!(Source::read(&entry(3, 1, 1, 0)[..MapShareSourceEntry::SIZE - 1]), Err(Error::Truncated));

    let list: Vec<u8> =
        (1..=127).flat_map(|machine| entry(machine, if machine == 9 { 4 } else { 1 }, 1, 0)).collect();
    let bytes = message(88, 127, &list);
    let sources: Vec<_> = Source::read_all(&Message::read(&bytes).unwrap()).collect();
    assert_eq!((sources.len(), sources.iter().filter(|source| source.is_err()).count()), (127, 1));
    assert!(sources[8].is_err());
    let none = message(88, 0, &[]);
    assert_eq!(Source::read_all(&Message::read(&none).unwrap()).count(), 0);
    assert_eq!(Message::read(&message(88, 128, &[0; 20 * 128])), Err(Error::BadFlag));
}

/// WIRE-98, MAP-22 (in part: not the tunnel's stand-ins): no unspecified, multicast or link-local address, no IPv4 one with something behind it; what stands beside each is
/// taken.
#[test]
fn a_source_may_be_connected_to() {
    let lan = |ip: &str| Ok(SourceAddress::Lan(ip.parse::<IpAddr>().unwrap()));
    for ([a, b, c, d], is) in [
        ([0, 0, 0, 0], false),
        ([0, 0, 0, 1], true),
        ([127, 0, 0, 1], true),
        ([192, 168, 1, 40], true),
        ([223, 255, 255, 255], true),
        ([224, 0, 0, 0], false),
        ([224, 0, 0, 1], false),
        ([239, 255, 255, 255], false),
        ([240, 0, 0, 0], true),
    ] {
        let text = Ipv4Addr::new(a, b, c, d).to_string();
        let is = if is { lan(&text) } else { Err(Error::OutOfRange) };
        assert_eq!(four([a, b, c, d]).map(|source| source.address), is, "{text}");
        // Within IPv6 it is the same address, and no way round what is refused.
        assert_eq!(six(&format!("::ffff:{text}")).map(|source| source.address), is, "::ffff:{text}");
    }
    for (ip, is) in [
        ("::", false),
        ("::1", true),
        ("fe7f:ffff::1", true),
        ("fe80::1", false),
        ("febf:ffff::1", false),
        ("fec0::1", true),
        ("fd00::1", true),
        ("2001:db8::1", true),
        ("feff::1", true),
        ("ff02::1", false),
        ("ff00::", false),
    ] {
        let is = if is { lan(ip) } else { Err(Error::OutOfRange) };
        assert_eq!(six(ip).map(|source| source.address), is, "{ip}");
    }
    for at in 4..16 {
        let mut address = [0; 16];
        address[..4].copy_from_slice(&[10, 0, 0, 1]);
        address[at] = 1;
        assert_eq!(source(1, address), Err(Error::OutOfRange), "{at}");
        // A key's hash is any bytes.
        assert_eq!(source(2, address).unwrap().address, SourceAddress::Internet(address));
    }
    assert!(source(2, [0; 16]).is_ok());
}

/// WIRE-98, MAP-72 (in part: its bytes): states 0 to 3; bytes had of any number, as two halves, the lower first.
#[test]
fn progress_has_a_state() {
    let entry = |state: u8| [&[1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0][..], &[state, 9, 9, 9]].concat();
    for (number, state) in (0..).zip(STATES) {
        let progress = Progress { had: 0x2_0000_0001, map_version: 5, state };
        assert_eq!(Progress::read(&entry(number)), Ok(progress));
        assert_eq!(written(|to| progress.write(to))[..13], entry(number)[..13]);
        let all = Progress { had: u64::MAX, ..progress };
        assert_eq!(Progress::read(&written(|to| all.write(to))), Ok(all));
    }
    for state in [4, 255] {
        assert_eq!(Progress::read(&entry(state)), Err(Error::BadFlag));
    }
    assert_eq!(Progress::read(&entry(0)[..15]), Err(Error::Truncated));
}

/// WIRE-50: sets of files are what they were made of.
#[test]
fn a_set_has_what_it_was_given() {
    for bits in 0..16 {
        let set = FileSet::read(bits).unwrap();
        assert_eq!((set.bits(), set.is_empty()), (bits, bits == 0));
        let of = set.iter().fold(FileSet::NONE, FileSet::with);
        assert_eq!((of, set.iter().count()), (set, bits.count_ones() as usize));
        for file in File::ALL {
            let is = bits & 1 << file.get() != 0;
            assert_eq!((set.contains(file), set.and(FileSet::only(file)).is_empty()), (is, !is));
            assert_eq!(set.without(FileSet::only(file)).bits(), bits & !(1 << file.get()));
            assert_eq!(set.or(FileSet::only(file)), set.with(file));
            assert_eq!(File::read(file.get()), Ok(file));
        }
    }
}

fn addresses() -> impl Strategy<Value = SourceAddress> {
    let taken = |ip: &IpAddr| {
        let is_local = matches!(ip, IpAddr::V6(ip) if ip.is_unicast_link_local());
        !ip.is_unspecified() && !ip.is_multicast() && !is_local
    };
    prop_oneof![
        any::<Ipv4Addr>().prop_map(IpAddr::V4).prop_filter("taken", taken).prop_map(SourceAddress::Lan),
        any::<Ipv6Addr>()
            .prop_filter("no IPv4", |ip| ip.to_ipv4_mapped().is_none())
            .prop_map(IpAddr::V6)
            .prop_filter("taken", taken)
            .prop_map(SourceAddress::Lan),
        any::<[u8; 16]>().prop_map(SourceAddress::Internet),
    ]
}

proptest! {
    /// WIRE-11, 50: whatever can be said of a map is read as it was said.
    #[test]
    fn what_is_written_is_read(
        lacked in 1_u8..16,
        level in "[ -~]{1,127}",
        file in 0_u8..4,
        version in any::<u32>(),
        offered in prop_oneof![
            (1_u32.., any::<[u8; 32]>()).prop_map(|(size, hash)| Ok((size, FileHash(hash)))),
            prop::sample::select(&REFUSALS[..]).prop_map(Err),
        ],
        machine in 1_u8..128,
        address in addresses(),
        files in 0_u8..16,
        is_downloading in any::<bool>(),
        had in any::<u64>(),
        state in prop::sample::select(&STATES[..]),
    ) {
        let request = Request { lacked: FileSet::read(lacked).unwrap(), level: Chars::new(&level).unwrap() };
        prop_assert_eq!(Request::read(&written(|to| request.write(to))), Ok(request));
        let offer = Offer { file: File::read(file).unwrap(), map_version: version, answer: offered };
        prop_assert_eq!(Offer::read(&written(|to| offer.write(to))), Ok(offer));
        let (machine, files) = (Machine::new(machine).unwrap(), FileSet::read(files).unwrap());
        let source = Source { machine, address, files, is_downloading };
        prop_assert_eq!(Source::read(&written(|to| source.write(to))), Ok(source));
        let progress = Progress { had, map_version: version, state };
        prop_assert_eq!(Progress::read(&written(|to| progress.write(to))), Ok(progress));
    }
}
