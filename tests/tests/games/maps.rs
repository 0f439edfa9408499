//! Games on a custom map that some machines lack: who has which files, how a game is seen to be played on them, what was said of them.
//! Knows no rule of map sharing. Each file beside it shows one concern.

use mjolnir_engine_glue::transport::Why;
use mjolnir_engine_glue::{client, host};
use mjolnir_mapshare::disk::Memory;
use mjolnir_mapshare::{ClientSettings, HostSettings, Order};
use mjolnir_tests::{Files, Lab, Passed, Plan, Seating, Way, Who, made, messages, still};
use mjolnir_wire::framing::StreamReader;
use mjolnir_wire::mapshare::{File, FileSet, Request};
use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::{Kind, Message, MessageType, Moment, Tick};

#[path = "maps/asking.rs"]
mod asking;
#[path = "maps/changing.rs"]
mod changing;
#[path = "maps/crowd.rs"]
mod crowd;
#[path = "maps/getting.rs"]
mod getting;
#[path = "maps/limits.rs"]
mod limits;
#[path = "maps/parts.rs"]
mod parts;
#[path = "maps/random.rs"]
mod random;
#[path = "maps/starting.rs"]
mod starting;
#[path = "maps/swarm.rs"]
mod swarm;
#[path = "maps/waiting.rs"]
mod waiting;

/// The level of most of these games, and its file.
const LEVEL: &str = "custom_maps\\hugeass";
const FILE: &str = "hugeass.map";
const PART: &str = "hugeass.map.part";
/// Where a folder lists the part files that are the program's own.
const NOTE: &str = "mjolnir-part-files.txt";
/// Bytes of its file: twelve pieces.
const SIZE: usize = 3 << 20;
/// A piece.
const PIECE: usize = 262_144;

/// The map as the host has it.
fn map() -> Vec<u8> {
    made(File::Map, SIZE, 1, FileSet::NONE)
}

/// A machine that has the map.
fn with_map() -> Files {
    Files::default().with(FILE, &map())
}

/// The same, sending so many bytes of files a second at most, as a host and as a client.
fn sending(files: Files, upload: u64) -> Files {
    let host = HostSettings { upload, ..files.host };
    let client = ClientSettings { upload, ..files.client };
    Files { host, client, ..files }
}

/// One that sends nothing of files.
fn mute(files: Files) -> Files {
    let client = ClientSettings { seeds: false, ..files.client };
    Files { client, ..files }
}

/// A machine with one player that stands, and those files.
fn seating(files: Files) -> Seating {
    Seating::of(vec![still()]).with_files(files)
}

fn plan(seed: u64) -> Plan {
    Plan::new(LEVEL, seed, 0)
}

/// A host with those files in its lobby.
fn lobby(seed: u64, files: Files) -> Lab {
    Lab::open(plan(seed), seating(files))
}

/// The same in play, on its own.
fn game(seed: u64, files: Files) -> Lab {
    let mut lab = lobby(seed, files);
    begin(&mut lab);
    lab
}

/// The host begins, and plays.
fn begin(lab: &mut Lab) {
    lab.begin();
    lab.run_until("the host plays", 5, |lab| lab.host.net.stage() == host::Stage::Playing);
}

/// Whether the first player of that client lives, there and on the host, in the game that the host plays now.
fn plays(lab: &Lab, place: usize) -> bool {
    let seat = &lab.clients[place];
    let Some(slot) = seat.net.own_slots().first() else { return false };
    let worlds = (lab.host.engine.game.world(), seat.engine.game.world());
    let (Some(there), Some(here)) = worlds else { return false };
    seat.net.stage() == client::Stage::Playing
        && here.unit(*slot).is_some()
        && there.unit(*slot) == here.unit(*slot)
}

/// How much of its download a client's screen says is here, in per cent.
fn percent(lab: &Lab, place: usize) -> Option<u8> {
    lab.clients[place].engine.game.download()?.percent
}

/// Runs until that much of a client's download is here.
fn run_to_percent(lab: &mut Lab, place: usize, most: u8) {
    let what = format!("{most} % are here");
    lab.run_until(&what, 120, |lab| percent(lab, place).is_some_and(|percent| percent >= most));
}

/// Why a client has left for want of the map, if it has.
fn no_map(lab: &Lab, place: usize) -> Option<String> {
    lab.clients[place].notices.iter().find_map(|(_, notice)| match notice {
        client::Notice::NoMap { why } => Some(why.clone()),
        _ => None,
    })
}

/// Whether a client's session is over.
fn is_closed(lab: &Lab, place: usize) -> bool {
    lab.clients[place].net.stage() == client::Stage::Closed
}

/// How many clients the host has.
fn machines(lab: &Lab) -> u32 {
    lab.host.net.transport().machines().len() as u32
}

/// How many players the host lists that have not left.
fn listed(lab: &Lab) -> usize {
    lab.host.net.transport().players().filter(|player| !player.left).count()
}

/// Waits until every client that plays has the host's players where the host has them.
fn all_agree(lab: &mut Lab) {
    lab.run_until("all agree", 5, |lab| lab.apart().is_some_and(|apart| apart < 0.01));
}

/// Messages of that kind that passed that way, when, and each one's body with its count before it.
fn said(passed: &[Passed], way: Way, kind: Kind) -> Vec<(Moment, u8, Vec<u8>)> {
    let mut said = Vec::new();
    messages(passed, way, |at, message| {
        if message.kind == kind {
            said.push((at, message.count, message.body.to_vec()));
        }
    });
    said
}

/// A distributed message, whatever it says.
fn message(kind: Kind, body: &[u8]) -> Vec<u8> {
    let word = mjolnir_wire::message::word(MessageType::Data, 8 + body.len()).unwrap();
    [&word[..], &[kind as u8, 1, 0, 0, 0, 0], body].concat()
}

/// A request as it goes up.
fn request(level: &str, lacked: FileSet) -> Vec<u8> {
    let mut body = Vec::new();
    Request { lacked, level: Chars::new(level).unwrap() }.write(&mut body);
    message(Kind::MapShareRequest, &body)
}

/// From now on what comes of that kind by a client's stream is lost.
fn lose(lab: &mut Lab, place: usize, kind: Kind) {
    lab.clients[place].network.meddle_with_stream(move |bytes| {
        let mut reader = StreamReader::new();
        reader.push(bytes);
        let is_it = match reader.next_message() {
            Ok(Some((MessageType::Data, bytes))) => {
                Message::read(bytes).is_ok_and(|message| message.kind == kind)
            }
            _ => false,
        };
        if is_it { vec![] } else { vec![bytes.to_vec()] }
    });
}

/// How often a machine refused something for that reason.
fn refused(lab: &Lab, who: Who, reason: &str) -> u64 {
    let counters = match who {
        Who::Host => lab.host.net.counters(),
        Who::Client(place) => lab.clients[place].net.counters(),
    };
    counters.refused.get(reason).copied().unwrap_or(0)
}

/// Why machines are gone, as the host was told, with when.
fn left(lab: &Lab) -> Vec<(u64, Why)> {
    let why = |(at, notice): &(u64, host::Notice)| match notice {
        host::Notice::Left { why, .. } => Some((*at, *why)),
        _ => None,
    };
    lab.host.notices.iter().filter_map(why).collect()
}

/// A level's settings: the game that the host has, on another map.
fn record(lab: &Lab, level: &str) -> SettingsRecord {
    let mut record = *lab.host.net.transport().record();
    record.map = Chars::new(level).unwrap();
    record.map_version = 0;
    record
}

/// The next game is of that level.
fn begin_next(lab: &mut Lab, level: &str) {
    let record = record(lab, level);
    assert!(lab.begin_next(&record, Tick::ZERO));
}

/// That a client's folder has that file, as it is on the host.
fn has(folder: &Memory, name: &str, bytes: &[u8]) {
    let here = folder.get(name).unwrap_or_else(|| panic!("no {name}: {:?}", folder.names()));
    assert!(here == bytes, "{name}: {} bytes, {} are due", here.len(), bytes.len());
}

/// Seconds that pass until that holds.
fn seconds_until(lab: &mut Lab, what: &str, most: u64, holds: impl FnMut(&Lab) -> bool) -> f64 {
    let before = lab.now();
    lab.run_until(what, most, holds);
    (lab.now() - before) as f64 / 1e6
}
