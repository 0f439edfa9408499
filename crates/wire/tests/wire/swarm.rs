//! The frames that carry a map's files: the examples of our own paper, what closes a connection and what is passed over, and that
//! what was written is read.

use mjolnir_wire::mapshare::{File, FileHash, pieces};
use mjolnir_wire::swarm::{
    BLOCK_BYTES, BLOCK_HEAD_BYTES, FRAME_BODY_MAX, FRAME_HEADER_BYTES, FRAMES, Frame, HASHES_MAX, Have,
    Header, Hello, SWARM_MAGIC, SWARM_VERSION, SwarmHave, block_head,
};
use mjolnir_wire::{Error, Machine};
use proptest::prelude::*;

use super::bytes::{hex, written};

/// The golden file's hash, and its pieces'.
const HASH: &str = "76699f6d357bf2fcfaf0e7e53887ca7ff129a59d321acf6d958f99d8908f9f4b";
const PIECES: [&str; 3] = [
    "f4dfab981a82a6ff5c5cb9e7c5fca5a041ea437aa901f3ba60ebe5d9be385547",
    "f4dfab981a82a6ff5c5cb9e7c5fca5a041ea437aa901f3ba60ebe5d9be385547",
    "938199d3aca8672b3a2ec85f1198ba1c6b3f13b0d2216b18fe84909c106e9683",
];

fn hash(text: &str) -> [u8; 32] {
    hex(text).try_into().unwrap()
}

fn hello() -> Hello {
    Hello {
        machine: Machine::new(3).unwrap(),
        is_host: false,
        is_downloading: true,
        sends: true,
        map_version: 0x6d9f_6976,
    }
}

/// A frame of that kind and file with that body.
fn frame(kind: u8, file: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = (body.len() as u32).to_le_bytes().to_vec();
    bytes.extend([kind, file, 0xAA, 0xAA]);
    bytes.extend(body);
    bytes
}

/// Reads bytes that are one frame.
fn read(bytes: &[u8]) -> Result<Frame<'_>, Error> {
    let (head, body) = bytes.split_first_chunk().unwrap();
    let header = Header::read(head)?;
    assert_eq!(header.length, body.len());
    Frame::read(header, body)
}

/// Why it closes the connection.
fn closes(bytes: &[u8]) -> Option<Error> {
    read(bytes).err().filter(|error| !Frame::is_passed_over(*error))
}

fn have(size: u32, whole: u8, bitmap: &[u8]) -> Vec<u8> {
    let mut body = hex(HASH);
    body.extend(size.to_le_bytes());
    body.extend([whole, 0xAA, 0xAA, 0xAA]);
    body.extend(bitmap);
    frame(2, 0, &body)
}

/// MAP-73, 74, 75, 76, 77, 78, 79, 80, 81 (in part: their bytes): each example says what it is of, and is written as it stands.
#[test]
fn frames_are_what_the_examples_say() {
    let have = Have { hash: FileHash(hash(HASH)), size: 600_000, bitmap: Some(&[0b011]) };
    let hashes = PIECES.map(hash);
    let block = Frame::Block { file: File::Map, piece: 2, offset: 0, bytes: &[1, 2, 3] };
    let examples = [
        ("1000000001ff00004d4a4d53010020000306000076699f6d".to_owned(), Frame::Hello(hello())),
        (format!("2900000002000000{HASH}c02709000000000003"), Frame::Have(File::Map, have)),
        ("040000000300000002000000".to_owned(), Frame::HavePiece(File::Map, 2)),
        ("040000000400000002000000".to_owned(), Frame::Request(File::Map, 2)),
        ("040000000500000002000000".to_owned(), Frame::Cancel(File::Map, 2)),
        ("0b000000060000000200000000000000010203".to_owned(), block),
        ("040000000700000000000000".to_owned(), Frame::HashesRequest(File::Map, 0)),
        (
            format!("68000000080000000000000003000000{}", PIECES.concat()),
            Frame::Hashes(File::Map, 0, &hashes),
        ),
        ("0000000009ff0000".to_owned(), Frame::Idle),
    ];
    assert_eq!(examples.len(), FRAMES.len());
    for ((example, says), info) in examples.iter().zip(FRAMES) {
        let bytes = hex(example);
        assert_eq!(read(&bytes), Ok(*says), "{}", info.name);
        assert_eq!(written(|to| says.write(to)), bytes, "{}", info.name);
        let head = bytes.first_chunk().unwrap();
        assert_eq!(Header::read(head).unwrap().info().unwrap().name, info.name);
        assert!((info.least..=info.most).contains(&(bytes.len() - FRAME_HEADER_BYTES)), "{}", info.name);
    }
    assert_eq!(block_head(File::Map, 2, 0, 3).as_slice(), &hex(&examples[5].0)[..BLOCK_HEAD_BYTES]);
    assert_eq!(
        (have.has(0), have.has(1), have.has(2), have.has(3), have.has(u32::MAX)),
        (true, true, false, false, false)
    );
}

/// MAP-73: a body of 16 392 bytes is taken, one byte more and whatever else a length may say is refused by the eight bytes alone; the
/// two that are zero are not read.
#[test]
fn a_body_has_a_longest_length() {
    assert_eq!(FRAME_BODY_MAX, 16_392);
    for (length, is) in
        [(0, true), (16_392, true), (16_393, false), (1 << 16, false), (1 << 31, false), (u32::MAX, false)]
    {
        for kind in [1, 6, 200] {
            let [a, b, c, d] = length.to_le_bytes();
            let header = Header::read(&[a, b, c, d, kind, 0, 0xFF, 0xFF]);
            let is = if is { Ok(length as usize) } else { Err(Error::TooLong) };
            assert_eq!(header.map(|header| header.length), is, "{length}");
        }
    }
    assert!(!Frame::is_passed_over(Error::TooLong));
}

/// MAP-73: a frame of another version's kind, or of no file, is passed over, whatever its body; hello and idle have none.
#[test]
fn what_this_version_does_not_know_is_passed_over() {
    for kind in [0, 10, 200, 255] {
        for body in [&[][..], &[7; 4], &[7; FRAME_BODY_MAX]] {
            let bytes = frame(kind, 0, body);
            assert_eq!(read(&bytes), Err(Error::UnknownKind));
            assert_eq!(closes(&bytes), None);
            assert!(Header::read(bytes.first_chunk().unwrap()).unwrap().info().is_none());
        }
    }
    for info in FRAMES {
        let kind = info.kind as u8;
        let has_file = ![1, 9].contains(&kind);
        for file in [4, 0x80, 0xFF] {
            for length in [info.least, info.least + 1, 3] {
                let bytes = frame(kind, file, &vec![0; length]);
                assert_eq!(read(&bytes) == Err(Error::BadIndex), has_file, "{} of {length} bytes", info.name);
                assert_eq!(closes(&bytes).is_none(), has_file || kind == 9 && length == 0, "{}", info.name);
            }
        }
    }
    let said = written(|to| Frame::Hello(hello()).write(to));
    let mut of_a_file = said.clone();
    of_a_file[5] = 2;
    assert_eq!(read(&of_a_file), read(&said));
    assert_eq!(read(&frame(9, 0, &[])), Ok(Frame::Idle));
}

/// MAP-73, MAP-76, 77, 80, 81 (in part: their bytes): what has one length has no other: a byte less and a byte more close.
#[test]
fn a_frame_of_one_length_has_no_other() {
    for info in FRAMES.iter().filter(|info| info.least == info.most) {
        let mut good = written(|to| Frame::Hello(hello()).write(to)).split_off(FRAME_HEADER_BYTES);
        good.resize(info.least, 0);
        let kind = info.kind as u8;
        assert!(read(&frame(kind, 1, &good)).is_ok(), "{}", info.name);
        let longer = [&good[..], &[0]].concat();
        assert_eq!(closes(&frame(kind, 1, &longer)), Some(Error::TrailingBytes), "{}", info.name);
        if info.least > 0 {
            assert_eq!(closes(&frame(kind, 1, &good[1..])), Some(Error::Truncated), "{}", info.name);
        }
    }
    for info in FRAMES.iter().filter(|info| info.least < info.most) {
        let bytes = frame(info.kind as u8, 1, &vec![0; info.least - 1]);
        assert_eq!(closes(&bytes), Some(Error::Truncated), "{}", info.name);
    }
}

/// MAP-74 (in part: not whose turn it is, nor the game's map): a hello with each field wrong in turn closes; flags that mean nothing are not read, nor is what is zero.
#[test]
fn a_hello_is_right_in_every_field() {
    assert_eq!((SWARM_MAGIC, SWARM_VERSION), (*b"MJMS", 1));
    let good = written(|to| Frame::Hello(hello()).write(to));
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[FRAME_HEADER_BYTES + at] = byte;
        bytes
    };
    for at in 0..8 {
        for byte in [0x7E, 0xFF] {
            assert_eq!(closes(&with(at, byte)), Some(Error::OutOfRange), "{at}");
        }
    }
    for (at, older, newer) in [(4, 0, 2), (6, 31, 33)] {
        assert_eq!(closes(&with(at, older)), Some(Error::OutOfRange));
        assert_eq!(closes(&with(at, newer)), Some(Error::OutOfRange));
    }
    for (machine, is) in [(0, true), (127, true), (128, false), (255, false)] {
        assert_eq!(closes(&with(8, machine)), (!is).then_some(Error::OutOfRange), "{machine}");
    }
    for flags in 0..=255 {
        let bytes = with(9, flags);
        let Ok(Frame::Hello(said)) = read(&bytes) else { panic!("{flags}") };
        let bits = u8::from(said.is_host) | u8::from(said.is_downloading) << 1 | u8::from(said.sends) << 2;
        assert_eq!(bits, flags & 0b111);
        assert_eq!(written(|to| Frame::Hello(said).write(to))[FRAME_HEADER_BYTES + 9], bits);
    }
    for (at, byte) in [(10, 1), (11, 255)] {
        assert_eq!(read(&with(at, byte)), Ok(Frame::Hello(hello())));
    }
    let other = with(12, 0x77);
    assert_eq!(
        read(&other),
        Ok(Frame::Hello(Hello { map_version: 0x6d9f_6977, ..hello() })),
        "who knows the game looks"
    );
}

/// MAP-75 (in part: not what is offered): a bitmap is as long as the pieces take, a byte short or long closes; a spare bit closes; all or none of the bits may be set;
/// a whole file has no bitmap; another way to say whole is none.
#[test]
fn a_bitmap_fits_its_file() {
    let piece = 262_144;
    for (size, bytes) in
        [(1, 1), (8 * piece, 1), (8 * piece + 1, 2), (600_000, 1), (9 * piece, 2), (u32::MAX, 2048)]
    {
        let bits = pieces(size) as usize;
        let full: Vec<u8> =
            (0..bytes).map(|at| if 8 * at + 8 <= bits { 0xFF } else { !(0xFF << (bits % 8)) }).collect();
        for bitmap in [&full, &vec![0; bytes]] {
            assert_eq!(closes(&have(size, 0, bitmap)), None, "{size}");
            assert_eq!(closes(&have(size, 0, &bitmap[1..])), Some(Error::OutOfRange), "{size}");
            let longer = [&[0], &bitmap[..]].concat();
            assert_eq!(closes(&have(size, 0, &longer)), Some(Error::OutOfRange), "{size}");
        }
        for spare in bits..8 * bytes {
            let mut bitmap = full.clone();
            bitmap[spare / 8] |= 1 << (spare % 8);
            assert_eq!(closes(&have(size, 0, &bitmap)), Some(Error::BadFlag), "bit {spare} of {bits}");
        }
        let said = have(size, 1, &[]);
        let Ok(Frame::Have(File::Map, whole)) = read(&said) else { panic!("{size}") };
        assert_eq!(whole, Have { hash: FileHash(hash(HASH)), size, bitmap: None });
        assert_eq!((whole.has(pieces(size) - 1), whole.has(pieces(size))), (true, false));
        assert_eq!(closes(&have(size, 1, &[0])), Some(Error::TrailingBytes));
    }
    for whole in [2, 255] {
        assert_eq!(closes(&have(600_000, whole, &[])), Some(Error::BadFlag));
    }
    let one = have(600_000, 0, &[0b100]);
    let Ok(Frame::Have(_, one)) = read(&one) else { panic!() };
    assert_eq!([0, 1, 2, 3].map(|piece| one.has(piece)), [false, false, true, false]);
}

/// MAP-68 (in part: the frames'): 16 384 pieces are taken, of 16 385 there is no file.
#[test]
fn a_file_has_so_many_pieces_at_most() {
    assert_eq!(pieces(u32::MAX), 16_384);
    assert_eq!(closes(&have(u32::MAX, 0, &[0xFF; 2048])), None);
    let more = [&[0xFF; 2048][..], &[1]].concat();
    for size in [0, 1, u32::MAX - 1, u32::MAX] {
        assert_eq!(closes(&have(size, 0, &more)), Some(Error::OutOfRange));
    }
    const { assert!(SwarmHave::SIZE + 2048 <= FRAME_BODY_MAX) };
}

/// MAP-78 (in part: its bytes): a block of 16 384 bytes is the longest that a frame holds; one of none is for who knows how long it is to be.
#[test]
fn a_block_is_as_long_as_a_body() {
    assert_eq!(BLOCK_BYTES, 16_384);
    let place = [2, 0, 0, 0, 0xFF, 0x3F, 0, 0];
    for length in [0, 1, 16_383, 16_384] {
        let bytes = frame(6, 3, &[&place[..], &vec![5; length]].concat());
        let block = Frame::Block { file: File::Loc, piece: 2, offset: 16_383, bytes: &vec![5; length] };
        assert_eq!(read(&bytes), Ok(block), "{length}");
        let written = written(|to| block.write(to));
        assert_eq!(written[..4], bytes[..4]);
        assert_eq!(written[..BLOCK_HEAD_BYTES], block_head(File::Loc, 2, 16_383, length));
        assert_eq!(written[8..], bytes[8..]);
    }
    let longest = block_head(File::Map, 0, 0, 16_384);
    assert_eq!(Header::read(longest.first_chunk().unwrap()).map(|header| header.length), Ok(FRAME_BODY_MAX));
    let longer = block_head(File::Map, 0, 0, 16_385);
    assert_eq!(Header::read(longer.first_chunk().unwrap()), Err(Error::TooLong));
}

/// MAP-79, 31 (in part: not whose they are): 1025 hashes are three frames of 512, 512 and 1; none is read, for who asked to refuse; a count that is not the
/// number of them closes.
#[test]
fn hashes_are_counted() {
    let all: Vec<[u8; 32]> = (0..1025_u32).map(|at| [at as u8; 32]).collect();
    let mut came = Vec::new();
    let lengths: Vec<_> = all
        .chunks(HASHES_MAX)
        .map(|hashes| {
            let bytes = written(|to| Frame::Hashes(File::Map, came.len() as u32, hashes).write(to));
            let Ok(Frame::Hashes(File::Map, first, read)) = read(&bytes) else { panic!("{}", hashes.len()) };
            assert_eq!(first as usize, came.len());
            came.extend_from_slice(read);
            read.len()
        })
        .collect();
    assert_eq!((&lengths[..], &came), (&[512, 512, 1][..], &all));

    let body = |count: u16, bytes: usize| {
        let count = count.to_le_bytes();
        frame(8, 0, &[&[9, 0, 0, 0, count[0], count[1], 0xAA, 0xAA][..], &vec![1; bytes]].concat())
    };
    // A frame holds no more, whatever it is given.
    let most = written(|to| Frame::Hashes(File::Map, 0, &all[..HASHES_MAX + 1]).write(to));
    assert_eq!(read(&most), Ok(Frame::Hashes(File::Map, 0, &all[..HASHES_MAX])));
    assert_eq!(read(&body(0, 0)), Ok(Frame::Hashes(File::Map, 9, &[])));
    for (count, bytes) in [
        (1, 0),
        (0, 32),
        (1, 31),
        (1, 33),
        (1, 64),
        (2, 32),
        (511, 512 * 32),
        (513, 512 * 32),
        (u16::MAX, 64),
    ] {
        assert_eq!(closes(&body(count, bytes)), Some(Error::OutOfRange), "{count} in {bytes}");
    }
    for (count, bytes) in [(1, 32), (512, 512 * 32)] {
        assert_eq!(closes(&body(count, bytes)), None);
    }
}

/// WIRE-08: reading a frame takes no memory, writing one none beyond its bytes.
#[test]
fn reading_allocates_nothing() {
    let block =
        written(|to| Frame::Block { file: File::Map, piece: 0, offset: 0, bytes: &[7; 16_384] }.write(to));
    let whole = have(u32::MAX, 0, &[0xFF; 2048]);
    let mut to = Vec::with_capacity(32_768);
    let measured = allocation_counter::measure(|| {
        for bytes in [&block, &whole] {
            read(bytes).unwrap().write(&mut to);
        }
    });
    assert_eq!((measured.count_total, to.len()), (0, block.len() + whole.len()));
}

fn any_frame() -> impl Strategy<Value = Vec<u8>> {
    let file = || (0_u8..4).prop_map(|file| File::read(file).unwrap());
    let hello = (0_u8..128, any::<[bool; 3]>(), any::<u32>()).prop_map(
        |(machine, [is_host, is_downloading, sends], version)| {
            let machine = Machine::new(machine).unwrap();
            written(|to| {
                Frame::Hello(Hello { machine, is_host, is_downloading, sends, map_version: version })
                    .write(to);
            })
        },
    );
    let have = (file(), any::<[u8; 32]>(), 0_u32..40_000_000, any::<Option<u64>>()).prop_map(
        |(file, hash, size, bits)| {
            let bytes = pieces(size).div_ceil(8) as usize;
            let bitmap = bits.map(|bits| {
                let mut bitmap: Vec<u8> = (0..bytes).map(|at| (bits >> (at % 8)) as u8).collect();
                if let Some(last) = bitmap.last_mut() {
                    *last &= 0xFF >> (8 * bytes as u32 - pieces(size));
                }
                bitmap
            });
            written(|to| {
                Frame::Have(file, Have { hash: FileHash(hash), size, bitmap: bitmap.as_deref() }).write(to);
            })
        },
    );
    let of_a_piece = (file(), any::<u32>(), 0..4).prop_map(|(file, piece, which)| {
        let frame = match which {
            0 => Frame::HavePiece(file, piece),
            1 => Frame::Request(file, piece),
            2 => Frame::Cancel(file, piece),
            _ => Frame::HashesRequest(file, piece),
        };
        written(|to| frame.write(to))
    });
    let bytes = prop::collection::vec(any::<u8>(), 0..=600);
    let block = (file(), any::<u32>(), any::<u32>(), bytes).prop_map(|(file, piece, offset, bytes)| {
        written(|to| Frame::Block { file, piece, offset, bytes: &bytes }.write(to))
    });
    let hashes = (file(), any::<u32>(), prop::collection::vec(any::<[u8; 32]>(), 0..20))
        .prop_map(|(file, first, hashes)| written(|to| Frame::Hashes(file, first, &hashes).write(to)));
    prop_oneof![hello, have, of_a_piece, block, hashes, Just(written(|to| Frame::Idle.write(to)))]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    /// MAP-73, WIRE-11: whatever can be said is read, and written it is the same bytes.
    #[test]
    fn what_is_written_is_read(bytes in any_frame()) {
        let frame = read(&bytes);
        prop_assert!(frame.is_ok(), "{frame:?}");
        prop_assert_eq!(written(|to| frame.unwrap().write(to)), bytes);
    }

    /// WIRE-08, MAP-73: any body of any kind is a frame or none; what is taken is written and read the same.
    #[test]
    fn any_body_is_read(kind in 0_u8..12, file in 0_u8..6, body in prop::collection::vec(any::<u8>(), 0..600)) {
        let bytes = frame(kind, file, &body);
        if let Ok(frame) = read(&bytes) {
            let again = written(|to| frame.write(to));
            prop_assert_eq!(read(&again), Ok(frame));
        }
    }

    /// WIRE-08, MAP-73: a good frame with bits flipped: it is taken and comes back, or refused.
    #[test]
    fn a_damaged_frame_is_read(
        good in any_frame(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), 0_u32..8), 1..6),
    ) {
        let mut bytes = good;
        for (at, bit) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        let (head, body) = bytes.split_first_chunk().unwrap();
        if let Ok(header) = Header::read(head) && let Ok(frame) = Frame::read(header, body) {
            let again = written(|to| frame.write(to));
            prop_assert_eq!(read(&again), Ok(frame));
        }
    }
}
