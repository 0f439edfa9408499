//! Fair play around a small game: who is asked about and let in, who goes and what is told first, what each end's player reads, and
//! what is put back. What clocks come to is shown by whole games.

use mjolnir_engine_glue::anticheat::aim::Aiming;
use mjolnir_engine_glue::anticheat::command::{Error, Verb};
use mjolnir_engine_glue::anticheat::{Command, Standing, Values, votes};
use mjolnir_engine_glue::chat::{self, Channel};
use mjolnir_engine_glue::transport::Why;
use mjolnir_engine_glue::{client, host};
use mjolnir_wire::identity::Identity;
use mjolnir_wire::message::word;
use mjolnir_wire::packets::Rejection;
use mjolnir_wire::rules::AimAssistPolicy;
use mjolnir_wire::{Kind, Machine, MessageType, Tick};

use super::game::{Call, Game};
use super::manners::Known;
use super::table::{Said, Seat, Table, record, slot};

const BLACKLISTED: Why = Why::Rejected(Rejection::Blacklisted);

fn machine(index: u8) -> Machine {
    Machine::new(index).unwrap()
}

/// A game of a host with a player and two clients, `Ann` and `Bob`, of machines 1 and 2 in slots 1 and 2.
fn playing() -> Table {
    let mut table = lobby();
    table.begin(1_000);
    table.run(1_000);
    assert_eq!(table.host.stage(), host::Stage::Playing);
    table
}

/// The same in the lobby.
fn lobby() -> Table {
    let mut table = Table::new(1);
    for (address, id, name) in [("10.0.0.7:5151", b'a', "Ann"), ("10.0.0.8:5151", b'b', "Bob")] {
        table.seat_of(address, [id; 32], name);
        table.run(1_000);
    }
    let names: Vec<_> = table.host.roster().map(|player| player.name.to_string()).collect();
    assert_eq!(names, ["Player", "Ann", "Bob"]);
    table
}

fn command(table: &mut Table, typed: &str) -> Result<(), Error> {
    table.host.command(table.now, &Command::of(typed).unwrap())
}

/// What the host's own player read since this was asked last.
fn read_at_host(table: &mut Table) -> Vec<String> {
    let said = |notice| if let host::Notice::Said { text } = notice { Some(text) } else { None };
    table.host.take_notices().into_iter().filter_map(said).collect()
}

/// What a client's player read, and why its session ended.
fn read_at(table: &mut Table, seat: usize) -> (Vec<String>, Option<Why>) {
    let (mut texts, mut end) = (Vec::new(), None);
    for notice in table.seats[seat].client.take_notices() {
        match notice {
            client::Notice::Said { text } => {
                assert_eq!(end, None, "after its end: {text}");
                texts.push(text);
            }
            client::Notice::Closed { why } => end = Some(why),
            _ => {}
        }
    }
    (texts, end)
}

fn is_in(table: &Table, index: u8) -> bool {
    table.host.transport().machines().contains(machine(index))
}

/// NET-34, 55: answered at once, who is banned by its address or by its hardware id is rejected for that reason, before any player
/// of its is added; the host was asked about what it said and where it is.
#[test]
fn who_is_banned_is_rejected_before_it_brings_anybody() {
    for (address, id) in [("10.0.0.7:5151", b'c'), ("10.0.0.9:5151", b'a')] {
        let mut table = Table::playing(0);
        table.game.manners.banned = vec!["10.0.0.7".parse().unwrap()];
        table.game.manners.banned_ids = vec!["a".repeat(32)];
        let seat = table.seat_of(address, [id.to_ascii_uppercase(); 32], "Ann");
        table.run(500);
        assert_eq!(read_at(&mut table, seat), (vec![], Some(BLACKLISTED)), "{address}");
        assert_eq!((table.host.roster().count(), is_in(&table, 1)), (0, false));
        assert!(!table.game.calls.iter().any(|call| matches!(call, Call::Add { .. })));
        let [asked] = table.game.manners.asked.as_slice() else { panic!("{:?}", table.game.manners.asked) };
        assert_eq!(asked.person.address, address.split(':').next().unwrap().parse().ok());
        assert_eq!(asked.person.hardware.unwrap().as_str(), char::from(id).to_string().repeat(32));
        let other = table.seat_of("10.0.0.10:5151", [b'd'; 32], "Bob");
        table.run(500);
        assert_eq!((read_at(&mut table, other).1, is_in(&table, 1)), (None, true));
    }
}

/// NET-34: a join waits while the ban list is looked at, and nothing of it counts meanwhile; answered it is let in or rejected. The
/// game goes on.
#[test]
fn a_join_waits_for_the_ban_list() {
    for is_banned in [false, true] {
        let mut table = Table::playing(0);
        table.game.manners.known = Known::Later;
        let seat = table.seat_of("10.0.0.7:5151", [b'a'; 32], "Ann");
        table.run(9_000);
        assert_eq!((table.game.manners.asked.len(), is_in(&table, 1)), (1, false));
        assert_eq!(read_at(&mut table, seat), (vec![], None));
        let ticks = table.game.ticks().len();
        assert!(ticks >= 9 * 30, "{ticks}");
        if is_banned {
            table.game.manners.banned = vec!["10.0.0.7".parse().unwrap()];
        }
        table.game.manners.known = Known::AtOnce;
        table.run(1_500);
        let end = is_banned.then_some(BLACKLISTED);
        assert_eq!((read_at(&mut table, seat), is_in(&table, 1)), ((vec![], end), !is_banned));
        assert_eq!(table.seats[seat].client.stage() == client::Stage::Playing, !is_banned);
    }
}

/// NET-27, 34: whom nobody answers about is gone after the ten seconds of all who have not joined; a late answer is nobody's.
#[test]
fn a_ban_list_that_never_answers_lets_nobody_in() {
    let mut table = Table::playing(0);
    table.game.manners.known = Known::Later;
    let seat = table.seat_of("10.0.0.7:5151", [b'a'; 32], "Ann");
    table.run(9_900);
    assert_eq!(read_at(&mut table, seat).1, None);
    table.run(300);
    assert!(read_at(&mut table, seat).1.is_some());
    table.game.manners.known = Known::AtOnce;
    table.run(500);
    assert_eq!((is_in(&table, 1), table.host.roster().count()), (false, 0));
    let other = table.seat_of("10.0.0.8:5151", [b'b'; 32], "Bob");
    table.run(500);
    assert_eq!((read_at(&mut table, other).1, is_in(&table, 1)), (None, true));
}

/// CHEAT-60: a target that left a vote and asks to come back while the list is looked at is kept out, whatever the list says.
#[test]
fn who_is_voted_out_meanwhile_is_kept_out() {
    let mut table = playing();
    let any = votes::Settings { minutes: 0, ..votes::Settings::default() };
    table.host.set_votes(table.now, any);
    table.game.manners.known = Known::Later;
    let back = table.seat_of("10.0.0.8:5152", [b'c'; 32], "Bob");
    table.run(200);
    assert_eq!(table.game.manners.asked.len(), 3);
    // Ann's vote and the host's are both that it takes against Bob: of three homes two.
    assert!(table.seats[0].client.ask_vote(table.now, slot(2)));
    table.host.act(table.now, Verb::Votekick, slot(2)).unwrap();
    table.run(200);
    assert!(!is_in(&table, 2));
    table.game.manners.known = Known::AtOnce;
    table.run(500);
    assert_eq!(read_at(&mut table, back).1, Some(BLACKLISTED));
    assert_eq!(table.host.roster().count(), 2);
}

/// CHEAT-25, 26: given a ban while the list is looked at for the same person and for another, and a list that knows nothing of it
/// yet, then the one is kept out, by its address or by its id, and the other is let in.
#[test]
fn who_is_banned_meanwhile_is_kept_out() {
    for (address, id) in [("10.0.0.8:5152", b'f'), ("10.0.0.77:5151", b'b')] {
        let mut table = playing();
        table.game.manners.known = Known::Later;
        let back = table.seat_of(address, [id; 32], "Bo");
        let other = table.seat_of("10.0.0.78:5151", [b'e'; 32], "Cid");
        table.run(200);
        table.host.act(table.now, Verb::Ban, slot(2)).unwrap();
        table.run(200);
        table.game.manners.answers =
            table.game.manners.asked.iter().map(|asker| (asker.ticket, false)).collect();
        table.run(500);
        assert_eq!(read_at(&mut table, back).1, Some(BLACKLISTED), "{address}");
        assert_eq!(read_at(&mut table, other).1, None, "{address}");
        assert_eq!(table.host.roster().count(), 3);
    }
}

/// GLUE-21, CHEAT-27: on a client `kick` and `ban` are refused and nothing is said of them, and so is a mute for everybody, which is
/// its own machine's there; on the host all are taken.
#[test]
fn a_clients_commands_are_its_own() {
    let mut table = playing();
    table.host.set_text_chat(chat::Settings::On);
    table.run(500);
    let now = table.now;
    for typed in ["kick bob", "ban bob"] {
        let refused = table.seats[0].client.command(now, &Command::of(typed).unwrap());
        assert_eq!(refused, Err(Error::NotHost), "{typed}");
    }
    let seat = &mut table.seats[0];
    seat.network.said.clear();
    assert_eq!(seat.client.say(slot(1), Channel::All, "/mute bob", &mut seat.game), Ok(()));
    table.run(500);
    let said = |table: &Table, kind| table.seats[0].network.said.contains(&Said::Stream(kind));
    assert!(!said(&table, Kind::ChatUp) && !said(&table, Kind::Votekick));
    assert!(is_in(&table, 2));
    let shown = [0, 1].map(|seat| table.seats[seat].game.shown);
    let seat = &mut table.seats[1];
    assert_eq!(seat.client.say(slot(2), Channel::All, "hey", &mut seat.game), Ok(()));
    table.run(500);
    // Ann alone does not read it: Bob has only its own copy, and the host counts nobody as muted.
    assert_eq!(table.seats[0].game.shown, shown[0]);
    assert!(table.seats[1].game.shown > shown[1]);
    assert_eq!(table.host.counters().refused.get("chat_muted"), None);
    // A vote is asked of the host, once a second.
    let vote = Command::of("votekick bob").unwrap();
    let now = table.now;
    assert_eq!(table.seats[0].client.command(now, &vote), Ok(true));
    assert_eq!(table.seats[0].client.command(now, &vote), Ok(false));
    table.run(100);
    assert!(said(&table, Kind::Votekick));
    assert_eq!(command(&mut table, "kick bob"), Ok(()));
    table.run(100);
    assert!(!is_in(&table, 2));
}

/// GLUE-14, CHEAT-29: who is kicked reads why before its end, by its own stream: the line, the rejection, the end. Everybody else
/// reads it once, the host's player too, and its players go.
#[test]
fn who_is_kicked_is_told_before_it_goes() {
    let mut table = playing();
    table.network.said.clear();
    read_at_host(&mut table);
    assert_eq!(command(&mut table, "kick bob"), Ok(()));
    table.run(200);
    let text = "Bob was removed from the game by the host.";
    assert_eq!(read_at(&mut table, 1), (vec![text.into()], Some(BLACKLISTED)));
    assert_eq!(read_at(&mut table, 0), (vec![text.into()], None));
    assert_eq!(read_at_host(&mut table), [text]);
    let (line, rejection) = (Said::Stream(Kind::Notice), Said::Packet(5));
    let told: Vec<_> =
        table.network.said.iter().filter(|said| **said == line || **said == rejection).collect();
    // Each machine's line is in its own stream; the rejection is behind both.
    assert_eq!(told, [&line, &line, &rejection]);
    table.run(1_000);
    assert_eq!(table.game.count(&Call::Remove(2)), 1);
    assert_eq!(table.seats[0].game.count(&Call::Remove(2)), 1);
    assert!(table.game.manners.records.is_empty());
    // It may come again at once.
    let back = table.seat_of("10.0.0.8:5152", [b'b'; 32], "Bob");
    table.run(1_000);
    assert_eq!(table.seats[back].client.stage(), client::Stage::Playing);
}

/// A message of the host's as a datagram of its own, and as the only part of a batch.
fn datagrams(kind: Kind, at: Tick, body: &[u8]) -> [Vec<u8>; 2] {
    let message = |kind: Kind, body: &[u8]| [&[kind as u8, 1][..], &at.get().to_le_bytes(), body].concat();
    let framed = |bytes: Vec<u8>| [&word(MessageType::Data, bytes.len() + 2).unwrap()[..], &bytes].concat();
    let part = message(kind, body);
    let parts = [&(part.len() as u16).to_le_bytes()[..], &part].concat();
    [framed(message(kind, body)), framed(message(Kind::Batch, &parts))]
}

/// CHEAT-48, 53: a notice and a policy that come as the host's datagrams, which anybody could write, are shown to nobody and hold
/// nobody; by its stream they are.
#[test]
fn a_forged_word_of_fair_play_is_ignored() {
    let mut table = playing();
    read_at(&mut table, 0);
    let refused = |table: &Table| {
        let counters = table.seats[0].client.counters();
        counters.refused.get("wrong_channel").copied().unwrap_or(0)
    };
    let forged = [(Kind::Notice, &b"Bob cheats\0"[..]), (Kind::AimAssistPolicy, &[1, 0, 0, 0])];
    for (number, (kind, body)) in (1..).zip(forged) {
        for (datagram, times) in datagrams(kind, table.host.now_tick(), body).iter().zip([2, 1]) {
            for _ in 0..times {
                let now = table.now;
                table.network.throw(now, "10.0.0.7:5151".parse().unwrap(), datagram);
            }
            table.run(50);
        }
        assert_eq!((read_at(&mut table, 0), refused(&table)), ((vec![], None), 3 * number), "{kind:?}");
    }
    assert_eq!(table.seats[0].client.aim_assist(), AimAssistPolicy::Allowed);
    table.host.set_aim_assist(AimAssistPolicy::Blocked);
    assert_eq!(command(&mut table, "kick bob"), Ok(()));
    table.run(100);
    assert_eq!(read_at(&mut table, 0).0.len(), 1);
    assert_eq!(table.seats[0].client.aim_assist(), AimAssistPolicy::Blocked);
}

/// CHEAT-17, 19, 25: a ban hands its game a line with who the machine says its player is, before it goes.
#[test]
fn a_ban_is_handed_to_be_written_down() {
    let mut table = lobby();
    table.seats[1].game.manners.discord = Some(Identity::new("77", "Zed"));
    table.begin(1_000);
    table.run(1_000);
    assert_eq!(table.host.act(table.now, Verb::Ban, slot(2)), Ok(()));
    table.run(100);
    let id = "b".repeat(32);
    let line = format!(
        "ip=10.0.0.8\thwid={id}\tdiscord_username=Zed (self-reported)\tdiscord_id=77\tplayers=Bob\t\
         reason=banned by the host"
    );
    assert_eq!(table.game.manners.records, [("bans.txt", line)]);
    assert!(!is_in(&table, 2));
}

/// GLUE-14: in the lobby a kick is told and done as in a game, without a tick, and what a command is refused for is the host's to
/// read.
#[test]
fn a_kick_in_the_lobby_is_told() {
    let mut table = lobby();
    read_at_host(&mut table);
    assert_eq!(command(&mut table, "kick"), Err(Error::Usage));
    assert_eq!(command(&mut table, "kick zed"), Err(Error::NoPlayer));
    assert_eq!(command(&mut table, "kick ann"), Ok(()));
    table.run(100);
    let text = "Ann was removed from the game by the host.";
    assert_eq!(read_at_host(&mut table), ["kick NAME", "No player's name begins so.", text]);
    assert_eq!(read_at(&mut table, 0), (vec![text.into()], Some(BLACKLISTED)));
    assert_eq!(read_at(&mut table, 1), (vec![text.into()], None));
    assert_eq!(table.host.roster().count(), 2);
}

/// GLUE-14, CHEAT-29: a machine that loads is kicked as well, while everybody does and alone in a game; the game begins and goes on.
#[test]
fn who_loads_is_kicked() {
    let mut table = lobby();
    table.seats[1].game.loaded = false;
    table.begin(1_000);
    table.run(300);
    assert_eq!(command(&mut table, "kick bob"), Ok(()));
    table.run(1_000);
    assert_eq!(read_at(&mut table, 1).1, Some(BLACKLISTED));
    assert_eq!((table.host.stage(), is_in(&table, 2)), (host::Stage::Playing, false));
    let late = table.seat_of("10.0.0.9:5151", [b'c'; 32], "Cid");
    table.seats[late].game.loaded = false;
    table.run(1_000);
    assert_eq!(command(&mut table, "kick cid"), Ok(()));
    table.run(200);
    assert_eq!(read_at(&mut table, late).1, Some(BLACKLISTED));
    assert_eq!(read_at(&mut table, 0).0.last().unwrap(), "Cid was removed from the game by the host.");
    assert_eq!(table.seats[0].client.stage(), client::Stage::Playing);
}

/// CHEAT-19, 35, 62: in a second game minutes go on, who the player is is not told again, a vote of the first is over, and a kick
/// is as in the first.
#[test]
fn a_second_game_is_judged_as_the_first() {
    let mut table = playing();
    let one = votes::Settings { minutes: 1, ..votes::Settings::default() };
    table.host.set_votes(table.now, one);
    table.run(40_000);
    let ask = |table: &mut Table| {
        let now = table.now;
        assert!(table.seats[0].client.ask_vote(now, slot(2)));
        table.run(200);
        read_at(table, 0).0
    };
    assert_eq!(ask(&mut table), ["You can start a vote after 1 minute here."]);
    assert!(table.host.begin_next(table.now, &mut table.game, &record(), super::table::tick(1_000)));
    table.run(22_000);
    assert_eq!(ask(&mut table), [""; 0]);
    let status = table.seats[1].client.vote(table.now).unwrap();
    assert_eq!((status.slot, status.votes, status.needed), (Some(slot(2)), 1, 2));
    assert!(table.host.begin_next(table.now, &mut table.game, &record(), super::table::tick(1_000)));
    table.run(4_000);
    assert_eq!((table.host.vote(table.now).slot, table.seats[1].client.vote(table.now)), (None, None));
    let identities =
        table.seats[0].network.said.iter().filter(|said| **said == Said::Stream(Kind::ClientIdentity));
    assert_eq!(identities.count(), 1);
    assert_eq!(command(&mut table, "kick bob"), Ok(()));
    table.run(200);
    assert_eq!(read_at(&mut table, 1).1, Some(BLACKLISTED));
}

/// CHEAT-02, 03, 04, 05, 06: a client's values are put back by the next frame, in the lobby and in play, with what was set before;
/// the host's are its own, and so are a client's once its session is over.
#[test]
fn a_guests_values_are_put_back() {
    let fast = Values { speed: 2.0, fog: false, ..Values::HONEST };
    let mut table = Table::new(1);
    table.game.manners.values = fast;
    let seat = table.seat_of("10.0.0.7:5151", [b'a'; 32], "Ann");
    let tinker = |table: &mut Table| {
        table.seats[seat].game.manners.values = fast;
        table.run(5);
        table.seats[seat].game.manners.values
    };
    assert_eq!(tinker(&mut table), Values::HONEST);
    table.run(1_000);
    assert_eq!(tinker(&mut table), Values::HONEST);
    table.begin(0);
    table.run(1_000);
    assert_eq!(table.seats[seat].client.standing(), Standing::Playing);
    assert_eq!(tinker(&mut table), Values::HONEST);
    assert_eq!(table.seats[seat].game.manners.put_back, 3);
    assert_eq!(table.game.manners.values, fast);
    assert_eq!(command(&mut table, "kick ann"), Ok(()));
    table.run(200);
    assert_eq!(table.seats[seat].client.standing(), Standing::Own);
    assert_eq!(tinker(&mut table), fast);
}

/// CHEAT-02: what is tinkered with between a frame and its tick is put back before that tick, not by the next frame alone.
#[test]
fn values_are_put_back_before_each_tick() {
    let mut table = playing();
    for speed in [2.0, f32::NAN] {
        let Seat { client, game, network } = &mut table.seats[0];
        let (ticks, put_back) = (game.ticks().len(), game.manners.put_back);
        game.manners.values = Values { speed, cheats: 7, ..Values::HONEST };
        assert!(client.before_tick(table.now, game, network).is_some(), "it plays");
        assert_eq!((game.manners.values, game.manners.put_back), (Values::HONEST, put_back + 1), "{speed}");
        assert_eq!(game.ticks().len(), ticks, "nothing was simulated yet");
    }
}

/// CHEAT-45: a policy that blocks bears on no menu and no game that comes after it: once a client has left, or was dropped, and once the
/// host has left, the last that each engine was told is that its mouse is free.
#[test]
fn a_mouse_is_free_once_a_session_is_over() {
    let mut table = lobby();
    table.host.set_aim_assist(AimAssistPolicy::Blocked);
    table.begin(0);
    table.run(1_000);
    let blocked = |table: &Table| {
        let of = |game: &Game| game.manners.is_mouse_blocked;
        [of(&table.game), of(&table.seats[0].game), of(&table.seats[1].game)]
    };
    assert_eq!(blocked(&table), [true; 3]);
    table.seats[0].client.leave();
    table.frame();
    assert_eq!(blocked(&table), [true, false, true], "who left");
    assert_eq!(command(&mut table, "kick bob"), Ok(()));
    table.run(100);
    assert_eq!(blocked(&table), [true, false, false], "who was dropped");
    // Nobody asks this host anything after that frame.
    table.host.leave();
    table.host.frame(table.now, &mut table.game, &mut table.network);
    assert_eq!(blocked(&table), [false; 3], "the host");
}

/// CHEAT-45, 47, 48: a policy that blocks holds every mouse in play, the host's too, whoever aims by it; in the lobby none, and who
/// aims by a stick keeps its own. Told as it becomes ready and on each change.
#[test]
fn a_policy_blocks_every_mouse_in_play() {
    let mut table = lobby();
    table.seats[1].game.manners.aiming = Aiming { mouse: Some(1), stick: Some(2), touch: None };
    let blocked = |table: &Table| {
        let of = |game: &Game| game.manners.is_mouse_blocked;
        [of(&table.game), of(&table.seats[0].game), of(&table.seats[1].game)]
    };
    table.host.set_aim_assist(AimAssistPolicy::Blocked);
    table.run(100);
    assert_eq!(blocked(&table), [false; 3]);
    table.begin(0);
    table.run(1_000);
    assert_eq!(blocked(&table), [true, true, false]);
    table.host.set_aim_assist(AimAssistPolicy::Allowed);
    table.run(100);
    assert_eq!(blocked(&table), [false; 3]);
    assert_eq!(table.seats[0].client.aim_assist(), AimAssistPolicy::Allowed);
    let told = table.network.said.iter().filter(|said| **said == Said::Stream(Kind::AimAssistPolicy));
    assert_eq!(told.count(), 4);
}
