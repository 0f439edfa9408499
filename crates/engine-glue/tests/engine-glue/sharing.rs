//! Map sharing at a client's end, while nothing of what it orders is done.

use mjolnir_engine_glue::client::Notice;
use mjolnir_engine_glue::mapshare::{ClientSettings, Fault, Found, News, Order};
use mjolnir_wire::Kind;
use mjolnir_wire::mapshare::{File, FileHash, FileSet, Offer, Refusal};
use mjolnir_wire::packets::field::Unread;
use mjolnir_wire::packets::list::{BeginGame, Countdown, GameOver, HostSwitchToPregame};
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::packets::{Packet, write_settings};

use super::game::Call;
use super::table::{Table, record};

/// MAP-10, NET-58: a client that looks for its map for long, as a large one is hashed, brings its players in time not to be dropped for
/// bringing none.
#[test]
fn a_long_look_costs_nobody_its_place() {
    let mut record = record();
    record.map = Chars::new("custom_maps\\hugeass").unwrap();
    record.map_version = 7;
    let mut table = Table::of(record, 1);
    let a = table.seat(1);
    table.seats[a].game.maps.shares = true;
    table.run(9_900);
    assert!(matches!(&table.seats[a].game.maps.orders[..], [Order::Look { .. }]));
    assert_eq!(table.host.transport().players().count(), 1);
    table.run(300);
    assert_eq!(table.host.transport().players().count(), 2);
    table.run(30_000);
    assert_eq!(table.host.transport().machines().iter().count(), 1);
}

/// MAP-02: a host that begins a custom map and never said of which version it is has none: who waits for that leaves and says so, once
/// the game begins and not before.
#[test]
fn a_game_of_no_version_is_left() {
    let mut record = record();
    record.map = Chars::new("custom_maps\\hugeass").unwrap();
    let mut table = Table::of(record, 1);
    let a = table.seat(1);
    table.seats[a].game.maps.shares = true;
    table.run(60_000);
    let no_map = |table: &mut Table| {
        table.seats[a].client.take_notices().into_iter().find_map(|notice| match notice {
            Notice::NoMap { why } => Some(why),
            _ => None,
        })
    };
    assert_eq!((no_map(&mut table), table.host.transport().machines().len()), (None, 1));
    table.begin(0);
    table.run(300);
    let why = "The host did not say which version of the map custom_maps\\hugeass it plays.";
    assert_eq!(no_map(&mut table).as_deref(), Some(why));
    assert_eq!(table.host.transport().machines().len(), 0);
}

/// A generator of its own, so that a seed says which test failed.
struct Chance(u64);

impl Chance {
    fn of(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % count
    }
}

fn hash(version: u32) -> FileHash {
    let mut hash = [3; 32];
    hash[..4].copy_from_slice(&version.to_le_bytes());
    FileHash(hash)
}

/// Settings of one of three maps, of one of two versions.
fn settings(chance: &mut Chance) -> Vec<u8> {
    let mut record = record();
    let map = ["custom_maps\\a", "custom_maps\\b", "levels\\test\\flat"][chance.of(3) as usize];
    record.map = Chars::new(map).unwrap();
    record.map_version = 1 + chance.of(2) as i32;
    let mut bytes = Vec::new();
    write_settings(&record, &mut bytes).unwrap();
    bytes
}

fn offers(chance: &mut Chance) -> Vec<u8> {
    let version = 1 + chance.of(2) as u32;
    let answer = if chance.of(4) > 0 { Ok((300_000, hash(version))) } else { Err(Refusal::NotTheGamesMap) };
    let mut entry = Vec::new();
    Offer { file: File::Map, map_version: version, answer }.write(&mut entry);
    let mut bytes = (((8 + entry.len()) as u16) << 4 | 2 << 2).to_be_bytes().to_vec();
    bytes.extend_from_slice(&[Kind::MapShareOffer as u8, 1, 0, 0, 0, 0]);
    bytes.extend_from_slice(&entry);
    bytes
}

/// News of the latest look or of one before, or of a download, whether there is one or not.
fn news(chance: &mut Chance, looks: &[(u32, u32)]) -> News {
    let (ticket, version) = looks.iter().rev().nth(chance.of(3) as usize).copied().unwrap_or((7, 1));
    let found = Found { name: "a.map".into(), size: 300_000, hash: hash(version), needs: FileSet::NONE };
    match chance.of(6) {
        0 => News::Looked { ticket, map: Ok(Some(found)), resources: FileSet::NONE },
        1 => News::Looked { ticket, map: Ok(None), resources: FileSet::NONE },
        2 => News::Done(found),
        3 => News::Progress { had: chance.of(400_000), is_checking: chance.of(2) == 0 },
        4 if chance.of(8) == 0 => News::Failed(Fault::Nothing),
        _ => News::Word("a word".into()),
    }
}

/// MAP-12: whatever a host says of lobby, start, end, settings and offers, and whenever the disk and the swarm answer, a client loads no
/// custom map before it has its file, and each game that its engine was told of ends before the next.
#[test]
fn no_order_of_words_loads_a_map_that_is_not_here() {
    let (mut loads, mut downloads) = (0, 0);
    for seed in 1..=400_u64 {
        println!("seed {seed}");
        let mut chance = Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut table = Table::new(1);
        let a = table.seat(1);
        let most = [u64::MAX; 4];
        let settings_of = ClientSettings { downloads: true, seeds: true, upload: u64::MAX, most };
        table.seats[a].client.set_map_sharing(settings_of);
        let game = &mut table.seats[a].game;
        (game.maps.shares, game.loaded) = (true, true);
        table.run(100);
        for _ in 0..200 {
            let now = table.now;
            match chance.of(9) {
                0 => table.network.slip(now, &Packet::BeginGame(BeginGame { time: 5 })),
                1 => table.network.slip(now, &Packet::GameOver(GameOver { value: Unread })),
                2 => {
                    let lobby = HostSwitchToPregame { value: Unread };
                    table.network.slip(now, &Packet::HostSwitchToPregame(lobby));
                }
                3 => table.network.slip(now, &Packet::Countdown(Countdown { seconds: 3 })),
                4 => table.network.slip_with(now, |bytes| bytes.extend(settings(&mut chance))),
                5 => table.network.slip_with(now, |bytes| bytes.extend(offers(&mut chance))),
                _ => {
                    let maps = &mut table.seats[a].game.maps;
                    let looks = maps.orders.iter().filter_map(|order| match order {
                        Order::Look { ticket, version, .. } => Some((*ticket, version.unwrap_or(0))),
                        _ => None,
                    });
                    let looks: Vec<_> = looks.collect();
                    maps.news.push(news(&mut chance, &looks));
                }
            }
            table.run(5 + 400 * u64::from(chance.of(10) == 0));
        }
        let game = &table.seats[a].game;
        assert!(game.maps.had_file.iter().all(|had| *had));
        let turns = game.turns();
        let turns = turns.iter().filter(|call| matches!(call, Call::Load(_) | Call::End));
        for (at, turn) in turns.enumerate() {
            assert_eq!(matches!(turn, Call::Load(_)), at % 2 == 0, "turn {at}");
        }
        loads += game.maps.had_file.len();
        downloads += game.maps.orders.iter().filter(|order| matches!(order, Order::Download { .. })).count();
    }
    // Or nothing was shown.
    assert!(loads > 100 && downloads > 50, "{loads} loads of custom maps, {downloads} downloads");
}
