//! What somebody might try against a host's door and its judgement, by the wire: strangers without end, machines that go while
//! something is to be done about them, players that flee a vote.

use mjolnir_engine_glue::anticheat::command::Verb;
use mjolnir_engine_glue::anticheat::votes::Settings;
use mjolnir_engine_glue::host::Notice;
use mjolnir_engine_glue::transport::limits::{JOIN_LIMIT, UNJOINED_PER_ADDRESS};
use mjolnir_wire::identity::Identity;
use mjolnir_wire::packets::Packet;
use mjolnir_wire::packets::list::RemovePlayerRequestIngame;
use mjolnir_wire::votekick::Votekick;
use mjolnir_wire::{Kind, Machine, MachineSet};

use super::manners::Known;
use super::table::{Seat, Table, slot};

fn machine(index: u8) -> Machine {
    Machine::new(index).unwrap()
}

/// What the host's screen showed in red.
fn said(table: &mut Table) -> Vec<String> {
    let said = |notice| match notice {
        Notice::Said { text } => Some(text),
        _ => None,
    };
    table.host.take_notices().into_iter().filter_map(said).collect()
}

/// A host with a player of its own and so many guests with one each, a second into a game.
fn playing(guests: usize) -> Table {
    let mut table = Table::new(1);
    for _ in 0..guests {
        table.seat(1);
    }
    table.run(1_000);
    table.begin(0);
    table.run(1_000);
    table.host.take_notices();
    table
}

/// NET-34, CHEAT-26: given strangers who ask and go, one after another, at a host whose list never answers, then it keeps no more of
/// them than can wait, and lets the next in as soon as its own answer comes, however many come late before it.
#[test]
fn strangers_that_nobody_answers_are_forgotten() {
    let mut table = Table::new(1);
    table.game.manners.known = Known::Later;
    table.game.manners.asked.clear();
    for _ in 0..200 {
        let raw = table.raw();
        table.run(50);
        assert!((1..=1 + UNJOINED_PER_ADDRESS).contains(&table.host.asking()), "{}", table.host.asking());
        table.raws.remove(raw).leave(table.now);
        table.run(50);
    }
    assert_eq!(table.game.manners.asked.len(), 200);
    table.seat(1);
    table.run(50);
    assert_eq!(table.host.asking(), 1);
    table.game.manners.answers = table.game.manners.asked.iter().map(|asker| (asker.ticket, false)).collect();
    table.run(50);
    assert_eq!((table.host.asking(), table.host.transport().machines()), (0, MachineSet::only(machine(1))));
}

/// NET-34, 27: who waits for longer than it may is gone; its answer, and one that nobody asked for, let nobody in.
#[test]
fn answers_that_come_too_late_let_nobody_in() {
    let mut table = Table::new(1);
    table.game.manners.known = Known::Later;
    table.game.manners.asked.clear();
    table.seat(1);
    table.run(JOIN_LIMIT / 1_000 + 1_000);
    let asked: Vec<_> = table.game.manners.asked.iter().map(|asker| asker.ticket).collect();
    assert_eq!(asked.len(), 1);
    table.game.manners.answers =
        [0, asked[0], asked[0].wrapping_add(2), u32::MAX].map(|ticket| (ticket, false)).into();
    table.run(100);
    assert!(table.host.transport().machines().is_empty());
}

/// CHEAT-29: given a kick, and the machine gone before the next tick, and the one that waits let in at its index, then that one
/// stays and plays.
#[test]
fn who_has_the_index_of_a_kicked_machine_stays() {
    for verb in [Verb::Kick, Verb::Ban] {
        let mut table = playing(0);
        table.raw();
        table.run(1_000);
        assert_eq!(table.host.transport().in_game(), MachineSet::only(machine(1)));
        table.game.manners.known = Known::Later;
        table.game.manners.asked.clear();
        table.seat(1);
        table.run(100);
        // Just after a tick, so that five frames pass before the next.
        let tick = table.host.now_tick();
        while table.host.now_tick() == tick {
            table.run(5);
        }
        let tick = table.host.now_tick();
        table.host.act(table.now, verb, slot(1)).unwrap();
        table.raws.remove(0).leave(table.now);
        table.run(10);
        assert!(table.host.transport().machines().is_empty());
        table.game.manners.answers =
            table.game.manners.asked.iter().map(|asker| (asker.ticket, false)).collect();
        table.run(5);
        assert_eq!(table.host.transport().machines(), MachineSet::only(machine(1)), "{verb:?}");
        assert_eq!(table.host.now_tick(), tick, "{verb:?}: all of it between two ticks");
        table.run(2_000);
        assert_eq!(table.host.transport().in_game(), MachineSet::only(machine(1)), "{verb:?}");
        assert_eq!(said(&mut table), ["Player 2 was removed from the game by the host."], "{verb:?}");
    }
}

/// CHEAT-25: a ban of a host that ends before the next tick is written down, once; and so is one of a host that goes on.
#[test]
fn a_ban_is_written_though_the_host_ends() {
    for ends in [true, false] {
        let mut table = playing(1);
        table.host.act(table.now, Verb::Ban, slot(1)).unwrap();
        if ends {
            table.host.leave();
            table.host.frame(table.now, &mut table.game, &mut table.network);
        } else {
            table.run(1_000);
            assert!(table.host.transport().machines().is_empty());
        }
        let [(_, record)] = table.game.manners.records.as_slice() else {
            panic!("{:?}", table.game.manners.records)
        };
        assert!(record.starts_with("ip=10.0.0.2\thwid=none\t"), "{record}");
    }
}

/// CHEAT-38: given a vote on a player, who then leaves the game while its machine stays in it, then that machine goes as if the
/// vote had passed, and is kept out.
#[test]
fn a_player_flees_no_vote() {
    let mut table = playing(3);
    table.host.act(table.now, Verb::Votekick, slot(1)).unwrap();
    table.run(500);
    assert_eq!(table.host.vote(table.now).slot, Some(slot(1)));
    let entry = table.host.transport().player(slot(1)).unwrap().entry;
    let packet = Packet::RemovePlayerRequestIngame(RemovePlayerRequestIngame { player: entry });
    table.seats[0].network.slip(table.now, &packet);
    table.run(500);
    assert_eq!(said(&mut table), ["Player 2 left during a vote to kick, and may join again in 30 minutes."]);
    assert!(!table.host.transport().machines().contains(machine(1)));
    assert_eq!(table.host.transport().in_game().iter().count(), 2);
    assert_eq!(table.host.conduct().votes().kept_out().len(table.now), 1);
}

/// CHEAT-29: what a host's console was told as the game ends, in the lobby and while the next is loaded is done there: once, and to
/// nobody of the next game who has the machine's index.
#[test]
fn a_kick_between_games_is_done_there() {
    for at in 0..3 {
        let mut table = playing(2);
        let kick = |table: &mut Table| table.host.act(table.now, Verb::Kick, slot(1)).unwrap();
        match at {
            0 => {
                kick(&mut table);
                table.host.end(&mut table.game);
                table.run(100);
            }
            1 => {
                table.host.to_lobby(table.now, &mut table.game);
                table.run(100);
                kick(&mut table);
            }
            _ => {
                table.host.to_lobby(table.now, &mut table.game);
                table.run(1_000);
                table.game.loaded = false;
                table.begin(0);
                table.run(100);
                kick(&mut table);
                table.run(100);
                table.game.loaded = true;
            }
        }
        table.run(100);
        assert_eq!(table.host.transport().machines(), MachineSet::only(machine(2)), "{at}");
        table.host.to_lobby(table.now, &mut table.game);
        table.seat(1);
        table.run(1_000);
        table.begin(0);
        table.run(2_000);
        assert_eq!(table.host.transport().in_game().iter().count(), 2, "{at}");
        assert_eq!(said(&mut table), ["Player 2 was removed from the game by the host."], "{at}");
    }
}

/// Architecture: a tick of a game in which a vote runs allocates nothing, at its host and its clients.
#[test]
fn a_steady_tick_of_a_vote_allocates_nothing() {
    let mut table = playing(4);
    table.host.set_votes(table.now, Settings { minutes: 0, ..Settings::default() });
    table.quiet();
    table.run(15_000);
    table.host.act(table.now, Verb::Votekick, slot(1)).unwrap();
    table.run(2_000);
    let mut counted = 0;
    for _ in 0..8_000 {
        table.now = table.now.plus(5_000);
        let Table { now, host, game, network, seats, .. } = &mut table;
        counted += allocation_counter::measure(|| {
            host.frame(*now, game, network);
            for _ in 0..host.ticks_due(*now) {
                host.tick(*now, game, network);
            }
            for Seat { client, game, network } in seats {
                client.frame(*now, game, network);
                for _ in 0..client.ticks_due(*now) {
                    client.tick(*now, game, network);
                }
            }
        })
        .count_total;
    }
    assert_eq!(counted, 0);
    assert_eq!(table.seats[1].client.vote(table.now).and_then(|vote| vote.slot), Some(slot(1)));
}

/// CHEAT-20, 31: given a vote and a Discord user by datagrams, alone and in a batch, then no vote runs and nothing is known of who
/// said it; by the stream both count.
#[test]
fn votes_and_identities_are_the_streams_alone() {
    let mut table = playing(1);
    table.host.set_votes(table.now, Settings { minutes: 0, ..Settings::default() });
    let raw = table.raw();
    table.run(1_000);
    let bytes_of = |write: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = Vec::new();
        write(&mut bytes);
        bytes
    };
    let vote = bytes_of(&|bytes| Votekick { slot: slot(1) }.write(bytes));
    let user = bytes_of(&|bytes| Identity::new("7", "ann").write(bytes));
    let at = table.host.now_tick();
    let message = |kind: Kind, count: u8, body: &[u8]| {
        let word = ((8 + body.len() as u16) << 4 | 2 << 2).to_be_bytes();
        [&word, &[kind as u8, count][..], &at.get().to_le_bytes(), body].concat()
    };
    for (kind, body) in [(Kind::Votekick, &vote), (Kind::ClientIdentity, &user)] {
        let alone = message(kind, 1, body);
        let length = (alone.len() as u16 - 2).to_le_bytes();
        let batch = message(Kind::Batch, 0, &[&length, &alone[2..]].concat());
        for bytes in [alone, batch] {
            table.raws[raw].throw(table.now, &bytes);
        }
    }
    table.run(100);
    assert_eq!(table.host.vote(table.now).slot, None);
    assert_eq!(table.host.counters().refused["wrong_channel"], 4);
    for (own, is_told) in [(2, false), (3, true)] {
        if is_told {
            table.raws[raw].say(table.now, at, |outbox| {
                for (kind, body) in [(Kind::Votekick, &vote), (Kind::ClientIdentity, &user)] {
                    outbox
                        .reliable_entry(MachineSet::HOST, kind, |bytes| bytes.extend_from_slice(body))
                        .unwrap();
                }
            });
            table.run(100);
            assert_eq!(table.host.vote(table.now).slot, Some(slot(1)));
        }
        table.host.act(table.now, Verb::Ban, slot(own)).unwrap();
        table.run(100);
        let (_, record) = table.game.manners.records.pop().unwrap();
        assert_eq!(
            record.contains("\tdiscord_username=ann (self-reported)\tdiscord_id=7\t"),
            is_told,
            "{record}"
        );
        if !is_told {
            table.raws.remove(raw);
            table.raw();
            table.run(1_000);
        }
    }
}

/// CHEAT-62, 38: given a vote that runs as the game ends, then it is over: who leaves then, or in the lobby, has fled no vote, and
/// may come back.
#[test]
fn who_leaves_after_the_game_has_fled_no_vote() {
    for is_lobby in [false, true] {
        let mut table = playing(3);
        table.host.act(table.now, Verb::Votekick, slot(1)).unwrap();
        table.run(500);
        assert_eq!(table.host.vote(table.now).slot, Some(slot(1)));
        if is_lobby {
            table.host.to_lobby(table.now, &mut table.game);
        } else {
            table.host.end(&mut table.game);
        }
        table.seats[0].client.leave();
        table.run(100);
        assert!(!table.host.transport().machines().contains(machine(1)));
        assert_eq!(said(&mut table), [""; 0], "{is_lobby}");
        let votes = table.host.conduct().votes();
        assert!(votes.kept_out().is_empty(table.now) && votes.protected().is_empty(table.now));
        assert_eq!((votes.target(), table.host.vote(table.now).slot), (None, None));
    }
}

/// CHEAT-30, 62: given a client's vote that the game's end came before, then it is asked in no later game, whoever has the slot then.
#[test]
fn a_vote_of_one_game_is_asked_in_no_other() {
    let mut table = playing(2);
    table.host.set_votes(table.now, Settings { minutes: 0, ..Settings::default() });
    table.run(1_000);
    assert!(table.seats[0].client.ask_vote(table.now, slot(2)));
    let Seat { client, game, network } = &mut table.seats[0];
    // The network tells of the end before the client's next tick.
    table.host.end(&mut table.game);
    table.host.frame(table.now, &mut table.game, &mut table.network);
    for _ in 0..200 {
        table.now = table.now.plus(5_000);
        client.frame(table.now, game, network);
    }
    table.host.to_lobby(table.now, &mut table.game);
    table.run(1_000);
    table.begin(0);
    table.run(1_000);
    assert_eq!(table.host.transport().in_game().iter().count(), 2);
    assert_eq!(table.host.vote(table.now).slot, None);
    assert!(table.seats[0].client.ask_vote(table.now, slot(2)));
    table.run(30_000);
    assert!(table.seats[0].client.ask_vote(table.now, slot(2)));
    table.run(1_000);
    assert_eq!(table.host.vote(table.now).slot, Some(slot(2)));
}

/// CHEAT-25, 26: given a ban, then its line is written before anybody else is asked about, be it in the same frame.
#[test]
fn a_ban_counts_at_once() {
    // In how many frames a request comes.
    let mut frames = 0;
    let mut calm = playing(1);
    calm.game.manners.known = Known::Later;
    calm.game.manners.asked.clear();
    calm.raw();
    while calm.game.manners.asked.is_empty() {
        calm.run(5);
        frames += 1;
    }
    let mut table = playing(1);
    table.game.manners.known = Known::Later;
    table.game.manners.asked.clear();
    table.raw();
    for _ in 1..frames {
        table.run(5);
    }
    assert!(table.game.manners.asked.is_empty());
    table.host.act(table.now, Verb::Ban, slot(1)).unwrap();
    table.run(5);
    assert_eq!((table.game.manners.asked.len(), table.game.manners.written_before), (1, 1));
}
