//! The messages that the document names and no public source shows: the examples of our own paper.

use mjolnir_wire::chat::{Channel, Down, Line, Settings, Text};
use mjolnir_wire::inputs::PlayerInput;
use mjolnir_wire::mapshare::{
    File, FileHash, FileSet, Offer, Progress, ProgressState, Refusal, Request, Source, SourceAddress,
};
use mjolnir_wire::{Kind, Machine, Message, Slot};

use super::bytes::{TICK, hex, sent, tick, written};

/// The example's entries, each as `write` gives it again, sent as the outbox sends it.
fn check(kind: Kind, example: &str, write: impl Fn(&[u8]) -> Vec<u8>) {
    let bytes = hex(example);
    let message = Message::read(&bytes).unwrap();
    assert_eq!((message.kind, message.tick), (kind, tick(TICK)));
    let entries: Vec<_> = message.entries().map(write).collect();
    assert_eq!(sent(kind, tick(TICK), 0, &entries), bytes);
}

/// WIRE-29: friendly fire stands in the first of the two bytes that version 26 sent zero.
#[test]
fn friendly_fire_is_the_first_pad_byte() {
    let example = "03c80e0145230100000001004523010041230100020800000000c03f000080be0000803f000000bf0000803f\
                   ffffffffffff00000208000800000000";
    check(Kind::PlayerInputs, example, |entry| {
        let input = PlayerInput::read(entry).unwrap();
        assert!(input.friendly_fire);
        written(|to| input.write(to))
    });
}

/// WIRE-47: a line up, the same line down, a notice, the settings; 74, 74 and 9 bytes.
#[test]
fn chat_is_what_the_examples_say() {
    let zeros = |text: &str| text.to_owned() + &"0".repeat(2 * 74 - text.len());
    let said = "30150757368207468652062617365";
    let line = Line { slot: Slot::new(3).unwrap(), channel: Channel::Team, text: Text::new("Push the base") };
    check(Kind::ChatUp, &zeros(&format!("04a85301452301000{said}")), |entry| {
        assert_eq!(Line::read(entry), Ok(line));
        written(|to| line.write(to))
    });
    let notice = "04a8540145230100ff04596f7520617265206d7574656420666f722035206d696e757465732e";
    for (example, down) in [
        (zeros(&format!("04a85401452301000{said}")), Down::Line(line)),
        (zeros(notice), Down::Notice(Text::new("You are muted for 5 minutes."))),
    ] {
        check(Kind::ChatDown, &example, |entry| {
            assert_eq!(Down::read(entry), Ok(down));
            written(|to| down.write(to))
        });
    }
    check(Kind::ChatConfig, "009855014523010003", |entry| {
        assert_eq!(Settings::read(entry), Ok(Settings::Links));
        written(|to| Settings::Links.write(to))
    });
}

/// WIRE-50, MAP-69, 71, 72 (in part: their bytes): a request, an offer, a refusal, sources and progress: each says what its example is of, and is written as
/// it.
#[test]
fn map_sharing_is_what_the_examples_say() {
    const VERSION: u32 = 0x6d9f_6976;
    let level = "637573746f6d5f6d6170735c68756765617373";
    let request = format!("08c856014523010005000000{level}");
    check(Kind::MapShareRequest, &(request.clone() + &"0".repeat(280 - request.len())), |entry| {
        let request = Request::read(entry).unwrap();
        assert_eq!(request.lacked, FileSet::MAP.with(File::Sounds));
        assert_eq!(request.level.as_str(), Some("custom_maps\\hugeass"));
        written(|to| request.write(to))
    });
    let hash = "76699f6d357bf2fcfaf0e7e53887ca7ff129a59d321acf6d958f99d8908f9f4b";
    let offer = format!("0348570145230100c0270900{hash}76699f6d00000000");
    check(Kind::MapShareOffer, &offer, |entry| {
        let offer = Offer::read(entry).unwrap();
        let hash = FileHash(hex(hash).try_into().unwrap());
        assert_eq!((offer.file, offer.map_version), (File::Map, VERSION));
        assert_eq!(offer.answer, Ok((600_000, hash)));
        assert_eq!(hash.version(), VERSION);
        written(|to| offer.write(to))
    });
    let refusal = format!("034857014523010000000000{}76699f6d00020000", "0".repeat(64));
    check(Kind::MapShareOffer, &refusal, |entry| {
        let offer = Offer::read(entry).unwrap();
        let answer = Err(Refusal::NotTheGamesMap);
        assert_eq!(offer, Offer { file: File::Map, map_version: VERSION, answer });
        written(|to| offer.write(to))
    });
    let sources = "030858024523010003010101c0a8012800000000000000000000000005020100\
                   000102030405060708090a0b0c0d0e0f";
    check(Kind::MapShareSources, sources, |entry| {
        let source = Source::read(entry).unwrap();
        let lan = SourceAddress::Lan([192, 168, 1, 40].into());
        let internet = SourceAddress::Internet(core::array::from_fn(|at| at as u8));
        let (address, is_downloading) = if entry[0] == 3 { (lan, true) } else { (internet, false) };
        let machine = Machine::new(entry[0]).unwrap();
        assert_eq!(source, Source { machine, address, files: FileSet::MAP, is_downloading });
        written(|to| source.write(to))
    });
    check(Kind::MapShareProgress, "0188590145230100000008000000000076699f6d01000000", |entry| {
        let progress = Progress::read(entry).unwrap();
        let state = ProgressState::Downloading;
        assert_eq!(progress, Progress { had: 2 * 262_144, map_version: VERSION, state });
        written(|to| progress.write(to))
    });
}
