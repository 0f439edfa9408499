//! Chat between machines, in the lobby and in games, over bad networks: which way a line goes, who shows it, what is refused. How
//! a line is judged is the chat crate's to show.

use std::cell::Cell;
use std::rc::Rc;

use mjolnir_engine_glue::chat::{Channel, Down, Error, Event, Invite, Line, Settings, Text};
use mjolnir_engine_glue::{Client, Talk as _, client};
use mjolnir_skirmish::game::random::Random;
use mjolnir_skirmish::game::{Kind as Thing, Rules};
use mjolnir_tests::{Lab, Passed, Plan, Seat, Seating, Way, Who, messages, still};
use mjolnir_wire::{Kind, Machine, Slot, Tick, Vec3};

use crate::floods::said;

/// Flat ground, with everybody about its middle.
pub(super) const GROUND: &str = "bounds -60 -60 -2 60 60 30\nbox -64 -64 -1 64 64 0\nkit pistol\n\
                                 spawns -4 -4 4 4 4 4 0";

/// A game of those rules on flat ground.
pub(super) fn plan(seed: u64, clients: usize, teams: bool) -> Plan {
    let rules =
        Rules { score_limit: 0, ..Rules::named(if teams { "team_slayer" } else { "slayer" }).unwrap() };
    Plan { ground: Some(GROUND), rules: Some(rules), teams, ..Plan::new("flat", seed, clients) }
}

/// A machine of so many players that stand.
pub(super) fn of(players: usize) -> Seating {
    Seating::of((0..players).map(|_| still()).collect())
}

/// A lobby in which everything may be said: a host of so many players of its own, and clients of one each.
pub(super) fn lobby(plan: Plan, own: usize) -> Lab {
    let mut lab = Lab::open(plan, of(own).with_faults(plan.faults));
    lab.host.net.set_text_chat(Settings::Links);
    for _ in 0..plan.clients {
        lab.join(of(1).with_faults(plan.faults));
    }
    lab.gather();
    lab.run_seconds(1.0);
    lab
}

/// The same in a game.
pub(super) fn game(plan: Plan, own: usize) -> Lab {
    let mut lab = lobby(plan, own);
    play(&mut lab);
    lab
}

/// The lobby's game begins, and everybody is in it.
pub(super) fn play(lab: &mut Lab) {
    lab.begin();
    lab.settle();
    lab.run_seconds(1.0);
}

/// The lobby of the first, the game of the second.
fn both(plan: Plan, own: usize) -> [(Lab, &'static str); 2] {
    [(lobby(plan, own), "lobby"), (game(plan, own), "game")]
}

/// Every machine.
pub(super) fn all(lab: &Lab) -> Vec<Who> {
    std::iter::once(Who::Host).chain((0..lab.clients.len()).map(Who::Client)).collect()
}

/// A machine's first player, as the host lists it.
pub(super) fn slot(lab: &Lab, who: Who) -> Slot {
    let machine = match who {
        Who::Host => Machine::HOST,
        Who::Client(place) => lab.clients[place].net.transport().machine().unwrap(),
    };
    lab.host.net.transport().players().find(|player| player.machine == machine).unwrap().slot
}

/// That machine's first player says that.
pub(super) fn say(lab: &mut Lab, who: Who, channel: Channel, text: &str) -> Result<(), Error> {
    let slot = slot(lab, who);
    match who {
        Who::Host => {
            let now = lab.host.now(lab.now());
            lab.host.net.say(now, slot, channel, text, &mut lab.host.engine)
        }
        Who::Client(place) => {
            let seat = &mut lab.clients[place];
            seat.net.say(slot, channel, text, &mut seat.engine)
        }
    }
}

/// The same to everybody, and nothing refuses it at once.
pub(super) fn tell(lab: &mut Lab, who: Who, text: &str) {
    assert_eq!(say(lab, who, Channel::All, text), Ok(()), "{text}");
}

/// What a machine showed, in order: who said what; a notice is nobody's.
pub(super) fn shown(lab: &Lab, who: Who) -> Vec<String> {
    let ears = match who {
        Who::Host => &lab.host.engine.ears,
        Who::Client(place) => &lab.clients[place].engine.ears,
    };
    let text = |event: &Event| match event {
        Event::Line { line, .. } => format!("{}: {}", line.slot.get(), line.text),
        Event::Notice(text) => format!("* {text}"),
    };
    ears.chat.iter().map(text).collect()
}

/// Forgets what every machine showed.
pub(super) fn forget(lab: &mut Lab) {
    lab.host.engine.ears.chat.clear();
    lab.clients.iter_mut().for_each(|seat| seat.engine.ears.chat.clear());
}

/// Messages of that kind that passed that way: by streams, and by datagrams.
pub(super) fn passed(passed: &[Passed], way: Way, kind: Kind) -> [usize; 2] {
    [false, true].map(|by_datagram| {
        let of: Vec<_> = passed.iter().filter(|of| of.is_datagram() == by_datagram).cloned().collect();
        let mut count = 0;
        messages(&of, way, |_, message| count += usize::from(message.kind == kind));
        count
    })
}

/// How often the host refused something for that reason, or a client did.
pub(super) fn refused(lab: &Lab, who: Who, reason: &str) -> u64 {
    let counters = match who {
        Who::Host => lab.host.net.counters(),
        Who::Client(place) => lab.clients[place].net.counters(),
    };
    counters.refused.get(reason).copied().unwrap_or(0)
}

fn entry(write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes);
    bytes
}

fn line(slot: Slot, text: &str) -> Line {
    Line { slot, channel: Channel::All, text: Text::new(text) }
}

/// A line as it goes up, and as it comes down, and settings: each a whole message.
fn up(slot: Slot, text: &str) -> Vec<u8> {
    said(Kind::ChatUp as u8, 1, Tick::ZERO, &entry(|to| line(slot, text).write(to)))
}

fn down(slot: Slot, text: &str) -> Vec<u8> {
    said(Kind::ChatDown as u8, 1, Tick::ZERO, &entry(|to| Down::Line(line(slot, text)).write(to)))
}

fn config(settings: Settings) -> Vec<u8> {
    said(Kind::ChatConfig as u8, 1, Tick::ZERO, &entry(|to| settings.write(to)))
}

/// From now on that client's stream brings that besides, once, with the next message that comes by it.
fn slip(lab: &mut Lab, place: usize, slipped: Vec<Vec<u8>>) -> Rc<Cell<usize>> {
    let (mut waiting, count) = (slipped, Rc::new(Cell::new(0)));
    let counted = Rc::clone(&count);
    lab.clients[place].network.meddle_with_stream(move |message| {
        counted.set(counted.get() + waiting.len());
        let mut all = vec![message.to_vec()];
        all.append(&mut waiting);
        all
    });
    count
}

/// CHAT-01, 08, 09, 15, GLUE-16: a client's line goes up its stream within a tick, once, and comes down everybody's, its own
/// too, with its sender and its channel; nothing of it goes by datagram. Everybody shows it once, the host among them; in the
/// lobby as in a game.
#[test]
fn a_line_goes_up_and_down_the_streams() {
    for (mut lab, stage) in both(plan(8301, 3, false), 1) {
        let by = slot(&lab, Who::Client(1));
        (0..3).for_each(|place| lab.clients[place].network.listen());
        tell(&mut lab, Who::Client(1), "hello");
        lab.run_seconds(0.034);
        let count =
            |lab: &Lab, way, kind| [0, 1, 2].map(|at| passed(lab.clients[at].network.passed(), way, kind));
        assert_eq!(count(&lab, Way::Out, Kind::ChatUp), [[0, 0], [1, 0], [0, 0]], "{stage}");
        lab.run_seconds(0.5);
        assert_eq!(count(&lab, Way::Out, Kind::ChatUp), [[0, 0], [1, 0], [0, 0]], "{stage}");
        assert_eq!(count(&lab, Way::In, Kind::ChatDown), [[1, 0]; 3], "{stage}");
        messages(lab.clients[0].network.passed(), Way::In, |_, message| {
            if message.kind == Kind::ChatDown {
                assert_eq!((message.body[0], message.body[1]), (by.get(), 0));
            }
        });
        for who in all(&lab) {
            assert_eq!(shown(&lab, who), [format!("{}: hello", by.get())], "{stage} {who:?}");
        }
    }
}

/// CHAT-02, 17, 46: what only a stream may bring is refused of a datagram, though it is from the right address; what is the other
/// end's to say is refused of the stream: nothing is shown, no settings are changed, and each is counted.
#[test]
fn what_comes_the_wrong_way_is_refused() {
    for (mut lab, stage) in both(plan(8302, 2, false), 1) {
        let (host, client) = (lab.host.network.address(), lab.clients[0].network.address());
        let (own, hosts) = (slot(&lab, Who::Client(0)), slot(&lab, Who::Host));
        let counted = |lab: &Lab, reason| [Who::Host, Who::Client(0)].map(|who| refused(lab, who, reason));
        let (channel, sender) = (counted(&lab, "wrong_channel"), counted(&lab, "wrong_sender"));
        lab.host.network.forge(client, &up(own, "forged"));
        lab.clients[0].network.forge(host, &down(hosts, "forged"));
        lab.clients[0].network.forge(host, &config(Settings::Off));
        lab.run_seconds(0.2);
        let more = counted(&lab, "wrong_channel");
        assert_eq!([more[0] - channel[0], more[1] - channel[1]], [1, 2], "{stage}");

        lab.clients[0].network.write_besides(&down(own, "mine"));
        lab.clients[0].network.write_besides(&config(Settings::Off));
        let slipped = slip(&mut lab, 0, vec![up(own, "yours")]);
        // The stream says something within three seconds: the settings.
        lab.run_seconds(3.5);
        assert_eq!(slipped.get(), 1);
        let more = counted(&lab, "wrong_sender");
        assert_eq!([more[0] - sender[0], more[1] - sender[1]], [2, 1], "{stage}");
        assert_eq!(all(&lab).iter().map(|who| shown(&lab, *who).len()).sum::<usize>(), 0, "{stage}");
        assert!(lab.clients.iter().all(|seat| seat.net.text_chat() == Settings::Links), "{stage}");
        // What comes the right way is heard.
        lab.clients[0].network.write_besides(&up(own, "right"));
        slip(&mut lab, 1, vec![down(hosts, "right"), config(Settings::Off)]);
        lab.run_until("it came", 4, |lab| !shown(lab, Who::Client(0)).is_empty());
        lab.run_until("it came", 4, |lab| lab.clients[1].net.text_chat() == Settings::Off);
        assert!(shown(&lab, Who::Client(1)).contains(&format!("{}: right", hosts.get())), "{stage}");
    }
}

/// CHAT-16, 09: a host and three clients, 50 ms away and 5 % of the datagrams lost, say five lines each at any time of two
/// seconds; twenty games, every other of them in its lobby: every machine shows all twenty, once and in one order.
#[test]
fn everybody_shows_one_order() {
    for seed in 8310..8330 {
        let plan = plan(seed, 3, false).network(50, 5.0);
        let mut lab = if seed % 2 == 0 { game(plan, 1) } else { lobby(plan, 1) };
        let mut random = Random::new(seed);
        let mut due: Vec<_> =
            (0..20).map(|of| (random.below(2000), all(&lab)[of % 4], format!("line {of}"))).collect();
        due.sort_by_key(|(ms, ..)| *ms);
        let mut at = 0;
        for (ms, who, text) in &due {
            lab.run_seconds(f64::from(ms - at) / 1000.0);
            at = *ms;
            tell(&mut lab, *who, text);
        }
        lab.run_seconds(1.0);
        let host = shown(&lab, Who::Host);
        for (_, who, text) in &due {
            let line = format!("{}: {text}", slot(&lab, *who).get());
            assert_eq!(host.iter().filter(|shown| **shown == line).count(), 1, "seed {seed}: {line}");
        }
        assert_eq!(host.len(), 20, "seed {seed}");
        for who in all(&lab) {
            assert_eq!(shown(&lab, who), host, "seed {seed}: {who:?}");
        }
    }
}

/// CHAT-09, 16: what the host heard in the lobby before it began the game is shown by everybody, though it began at once; and
/// what is said in the last moment of a game before it is over, or before everybody is back in the lobby.
#[test]
fn nothing_is_lost_between_the_stages() {
    for seed in 8340..8350 {
        let mut lab = lobby(plan(seed, 3, false).network(30, 5.0), 1);
        (0..3).for_each(|place| tell(&mut lab, Who::Client(place), "go"));
        lab.run_until("all are heard", 1, |lab| shown(lab, Who::Host).len() == 3);
        tell(&mut lab, Who::Host, "now");
        lab.begin();
        lab.settle();
        tell(&mut lab, Who::Host, "last");
        lab.end();
        lab.run_seconds(0.5);
        tell(&mut lab, Who::Client(1), "well played");
        lab.run_seconds(0.5);
        tell(&mut lab, Who::Host, "again");
        lab.to_lobby();
        lab.run_seconds(0.5);
        let host = shown(&lab, Who::Host);
        assert_eq!(host.len(), 7, "seed {seed}: {host:?}");
        for who in all(&lab) {
            assert_eq!(shown(&lab, who), host, "seed {seed}: {who:?}");
        }
    }
}

/// CHAT-10, 13, 15: of teams a team's line is shown by the machines with a player of that team, and no other, the host's own
/// among them; without teams by all; for everyone by all.
#[test]
fn a_teams_line_is_the_teams() {
    for teams in [true, false] {
        let mut lab = game(plan(8350, 4, teams), 1);
        let everybody = all(&lab);
        let team = |lab: &Lab, who| lab.host.engine.team(slot(lab, who));
        assert_eq!(team(&lab, Who::Host).is_some(), teams);
        for by in everybody.clone() {
            forget(&mut lab);
            assert_eq!(say(&mut lab, by, Channel::Team, "ours"), Ok(()));
            lab.run_seconds(0.3);
            for who in &everybody {
                let is_due = !teams || team(&lab, *who) == team(&lab, by);
                assert_eq!(shown(&lab, *who).len(), usize::from(is_due), "{teams}: {by:?} to {who:?}");
            }
        }
        let of = |lab: &Lab, wanted| everybody.iter().filter(|who| team(lab, **who) == wanted).count();
        assert!(!teams || (of(&lab, Some(0)) >= 2 && of(&lab, Some(1)) >= 2));
    }
}

/// CHAT-11, 12, 13, 14: a vehicle's line is shown by the machines of those who ride in it, driver and gunner, and no other; who
/// is on foot speaks to its own machine alone, whatever it believes itself to sit in.
#[test]
fn a_vehicles_line_is_its_riders() {
    let mut lab = game(plan(8360, 4, false).network(20, 0.0), 1);
    let at = Vec3::new(20.0, 20.0, 0.5);
    let car = lab.host.engine.world_mut().spawn(Thing::Car, at).unwrap();
    lab.run_seconds(0.5);
    for (place, seat) in [(1, 0), (2, 1)] {
        let slot = slot(&lab, Who::Client(place));
        let world = lab.host.engine.world_mut();
        let unit = world.unit(slot).unwrap();
        assert!(world.set_seat(unit, Some((car, seat))));
    }
    lab.run_seconds(1.0);
    let rides = |lab: &Lab, place| lab.host.engine.outermost(slot(lab, Who::Client(place))) == Some(car);
    assert_eq!([0, 1, 2, 3].map(|place| rides(&lab, place)), [false, true, true, false]);
    let everybody = all(&lab);
    for (by, heard) in [(1, &[1, 2][..]), (2, &[1, 2]), (3, &[3]), (0, &[0])] {
        forget(&mut lab);
        if by == 0 {
            // It has itself in the car, and the host has it on foot.
            let [own, gunner] = [0, 2].map(|place| slot(&lab, Who::Client(place)));
            let world = lab.clients[0].engine.world_mut();
            let [own, gunner] = [own, gunner].map(|slot| world.unit(slot).unwrap());
            assert!(world.set_seat(gunner, None) && world.set_seat(own, Some((car, 1))));
        }
        assert_eq!(say(&mut lab, Who::Client(by), Channel::Vehicle, "left!"), Ok(()));
        lab.run_seconds(0.3);
        for who in &everybody {
            let is_due = matches!(who, Who::Client(place) if heard.contains(place));
            assert_eq!(shown(&lab, *who).len(), usize::from(is_due), "{by} to {who:?}");
        }
    }
}

/// CHAT-18: of two players on one machine a team's line is shown in the view of the one whose team's it is; on the host's own
/// screen too. A line for everyone is shown in both.
#[test]
fn a_line_is_shown_in_the_views_of_who_hears_it() {
    let plan = plan(8370, 0, true);
    let mut lab = lobby(plan, 2);
    lab.join(of(2));
    lab.join(of(1));
    lab.gather();
    play(&mut lab);
    let speaker = Who::Client(1);
    let team = |lab: &Lab, slot| lab.host.engine.team(slot);
    let ours = team(&lab, slot(&lab, speaker));
    assert!(ours.is_some());
    for (channel, wanted) in [(Channel::Team, 1), (Channel::All, 2)] {
        forget(&mut lab);
        assert_eq!(say(&mut lab, speaker, channel, "see?"), Ok(()));
        lab.run_seconds(0.3);
        let hosts = (lab.host.net.own_slots().to_vec(), lab.host.engine.ears.chat.clone());
        let clients = (lab.clients[0].net.own_slots().to_vec(), lab.clients[0].engine.ears.chat.clone());
        for (own, chat) in [hosts, clients] {
            let [Event::Line { hearers, .. }] = chat[..] else { panic!("{chat:?}") };
            let is_due = |slot: &Slot| channel == Channel::All || team(&lab, *slot) == ours;
            let due: Vec<_> = own.into_iter().filter(is_due).collect();
            assert_eq!((hearers.iter().collect::<Vec<_>>(), due.len()), (due, wanted), "{channel:?}");
        }
    }
}

/// CHAT-19, 21, 22, 24, 25: the host's command mutes a player for everyone: every machine is told once; its lines are shown by
/// nobody, and its machine alone is told the minutes that are left, for each; until it is unmuted, of which all are told. A
/// client's command is its own, and forced up it is a line.
#[test]
fn who_is_muted_is_heard_by_nobody() {
    for (mut lab, stage) in both(plan(8380, 3, false).network(20, 5.0), 1) {
        let everybody = all(&lab);
        tell(&mut lab, Who::Host, "/mute P1-0 5");
        lab.run_seconds(0.3);
        for who in &everybody {
            assert_eq!(shown(&lab, *who), ["* P1-0 is muted for 5 minutes."], "{stage} {who:?}");
        }
        forget(&mut lab);
        for _ in 0..3 {
            tell(&mut lab, Who::Client(0), "can you hear me?");
            lab.run_seconds(0.3);
        }
        for who in &everybody {
            let due = if *who == Who::Client(0) { vec!["* You are muted for 5 minutes."; 3] } else { vec![] };
            assert_eq!(shown(&lab, *who), due, "{stage} {who:?}");
        }
        assert_eq!(refused(&lab, Who::Host, "chat_muted"), 3);
        forget(&mut lab);
        tell(&mut lab, Who::Host, "/unmute p1-0");
        tell(&mut lab, Who::Client(0), "and now?");
        lab.run_seconds(0.3);
        let due =
            ["* P1-0 is no longer muted.".into(), format!("{}: and now?", slot(&lab, Who::Client(0)).get())];
        for who in &everybody {
            assert_eq!(shown(&lab, *who), due, "{stage} {who:?}");
        }

        forget(&mut lab);
        lab.clients[1].network.listen();
        tell(&mut lab, Who::Client(1), "/mute P3-0");
        lab.run_seconds(0.3);
        assert_eq!(passed(lab.clients[1].network.passed(), Way::Out, Kind::ChatUp), [0, 0]);
        assert_eq!(shown(&lab, Who::Client(1)), ["* P3-0 is muted on this machine."]);
        let own = slot(&lab, Who::Client(1));
        lab.clients[1].network.write_besides(&up(own, "/mute P2-0"));
        lab.run_seconds(0.3);
        let forced = format!("{}: /mute P2-0", own.get());
        assert_eq!(
            [Who::Host, Who::Client(0), Who::Client(2)].map(|who| shown(&lab, who)),
            [(); 3].map(|()| [forced.clone()].to_vec())
        );
        // The scoreboard's mute, and its end.
        forget(&mut lab);
        let (now, slot) = (lab.host.now(lab.now()), slot(&lab, Who::Client(2)));
        assert_eq!(lab.host.net.mute(now, slot, true, &mut lab.host.engine), Ok(()));
        lab.run_seconds(0.3);
        let now = lab.host.now(lab.now());
        assert_eq!(lab.host.net.mute(now, slot, false, &mut lab.host.engine), Ok(()));
        lab.run_seconds(0.3);
        for who in &everybody {
            assert_eq!(shown(&lab, *who), ["* P3-0 is muted for 20 minutes.", "* P3-0 is no longer muted."]);
        }
    }
}

/// CHAT-27: a machine that mutes the host's player for itself shows none of its lines and says nothing of it; the others do as
/// before, and so does it once it no longer mutes. The host's own screen can do the same.
#[test]
fn a_machines_own_mute_is_its_own() {
    for (mut lab, stage) in both(plan(8390, 2, false), 1) {
        let hosts = slot(&lab, Who::Host);
        lab.clients[0].network.listen();
        let seat = &mut lab.clients[0];
        assert_eq!(seat.net.mute_here(hosts, true, &seat.engine), Ok(()));
        tell(&mut lab, Who::Host, "one");
        lab.run_seconds(0.3);
        let line = |slot: Slot, text: &str| format!("{}: {text}", slot.get());
        assert_eq!(shown(&lab, Who::Client(0)), [""; 0], "{stage}");
        assert_eq!(shown(&lab, Who::Client(1)), [line(hosts, "one")], "{stage}");
        for kind in [Kind::ChatUp, Kind::VoiceUp] {
            assert_eq!(passed(lab.clients[0].network.passed(), Way::Out, kind), [0, 0], "{stage}");
        }
        let seat = &mut lab.clients[0];
        assert_eq!(seat.net.mute_here(hosts, false, &seat.engine), Ok(()));
        forget(&mut lab);
        let firsts = slot(&lab, Who::Client(0));
        assert_eq!(lab.host.net.mute_here(firsts, true, &lab.host.engine), Ok(()));
        tell(&mut lab, Who::Host, "two");
        lab.run_seconds(0.3);
        tell(&mut lab, Who::Client(0), "three");
        lab.run_seconds(0.3);
        let [two, three] = [line(hosts, "two"), line(firsts, "three")];
        assert_eq!(shown(&lab, Who::Host), std::slice::from_ref(&two), "{stage}");
        assert_eq!(shown(&lab, Who::Client(0)), [two.clone(), three.clone()], "{stage}");
        assert_eq!(shown(&lab, Who::Client(1)), [two, three], "{stage}");
    }
}

/// CHAT-28: in thirty seconds from a telling on, with one change, each stream has eleven or twelve words of the settings, each of
/// one byte, and none goes by datagram; everybody has the new settings within a round trip.
#[test]
fn the_settings_are_told_each_three_seconds() {
    for (mut lab, stage) in both(plan(8400, 3, false).network(30, 2.0), 0) {
        (0..3).for_each(|place| lab.clients[place].network.listen());
        lab.run_until("all are told", 4, |lab| {
            let is_told =
                |seat: &Seat<Client>| passed(seat.network.passed(), Way::In, Kind::ChatConfig)[0] > 0;
            lab.clients.iter().all(is_told)
        });
        lab.run_seconds(13.7);
        lab.host.net.set_text_chat(Settings::On);
        lab.run_seconds(0.3);
        assert!(lab.clients.iter().all(|seat| seat.net.text_chat() == Settings::On), "{stage}");
        lab.run_seconds(16.0);
        for seat in &lab.clients {
            let [count, by_datagram] = passed(seat.network.passed(), Way::In, Kind::ChatConfig);
            assert!((11..=12).contains(&count) && by_datagram == 0, "{stage}: {count} and {by_datagram}");
            messages(seat.network.passed(), Way::In, |_, message| {
                if message.kind == Kind::ChatConfig {
                    assert_eq!((message.count, message.body.len()), (1, 1), "{stage}");
                }
            });
        }
    }
}

/// CHAT-31, 32: a client that joined by a listing shows nothing and sends nothing, whatever the host says; the others are as ever.
#[test]
fn who_joined_by_a_listing_has_no_chat() {
    let plan = plan(8410, 1, false);
    let mut lab = lobby(plan, 1);
    let late = lab.join(of(1));
    lab.clients[late].net.set_invite(Invite::Listing);
    lab.gather();
    play(&mut lab);
    lab.clients[late].network.listen();
    for text in ["one", "/mute P1-0", "/unmute P1-0"] {
        tell(&mut lab, Who::Host, text);
    }
    assert_eq!(say(&mut lab, Who::Client(late), Channel::All, "two"), Err(Error::Public));
    lab.run_seconds(4.0);
    let log = lab.clients[late].network.passed();
    assert_eq!(passed(log, Way::In, Kind::ChatDown)[0], 3);
    assert!(passed(log, Way::In, Kind::ChatConfig)[0] > 0);
    assert_eq!(passed(log, Way::Out, Kind::ChatUp), [0, 0]);
    // What refuses its own line is this machine's word.
    assert_eq!(shown(&lab, Who::Client(late)), ["* There is no text chat in public games."]);
    assert_eq!(shown(&lab, Who::Client(0)).len(), 3);
}

/// CHAT-33, 44: what the settings refuse an honest client does not send, and tells its player why; sent past that, the host
/// refuses it, and tells its machine alone.
#[test]
fn the_host_refuses_what_its_settings_refuse() {
    for (mut lab, stage) in both(plan(8420, 2, false), 1) {
        for (settings, text, error, reason, why) in [
            (
                Settings::On,
                "see foo.com",
                Error::Link,
                "chat_link",
                "* Links are not allowed in this game's chat.",
            ),
            (Settings::Off, "hello", Error::Off, "chat_off", "* The text chat is off."),
        ] {
            lab.host.net.set_text_chat(settings);
            lab.run_seconds(3.0);
            forget(&mut lab);
            lab.clients[0].network.listen();
            assert_eq!(say(&mut lab, Who::Client(0), Channel::All, text), Err(error), "{stage}");
            lab.run_seconds(0.3);
            assert_eq!(passed(lab.clients[0].network.passed(), Way::Out, Kind::ChatUp), [0, 0], "{stage}");
            assert_eq!(shown(&lab, Who::Client(0)), [why], "{stage}");
            let own = slot(&lab, Who::Client(0));
            lab.clients[0].network.write_besides(&up(own, text));
            lab.run_seconds(0.3);
            assert_eq!(refused(&lab, Who::Host, reason), 1, "{stage}");
            assert_eq!(shown(&lab, Who::Client(0)), [why; 2], "{stage}");
            assert_eq!([Who::Host, Who::Client(1)].map(|who| shown(&lab, who).len()), [0, 0], "{stage}");
        }
    }
}

/// CHAT-29: while the game is listed nobody may say anything, the host's own player neither, and after it all may.
#[test]
fn a_listed_game_has_no_chat() {
    let mut lab = game(plan(8425, 2, false), 1);
    for (is_listed, settings) in [(true, Settings::Off), (false, Settings::Links)] {
        lab.host.net.set_listed(is_listed);
        lab.run_seconds(0.3);
        assert!(lab.clients.iter().all(|seat| seat.net.text_chat() == settings), "{is_listed}");
        let said = say(&mut lab, Who::Host, Channel::All, "hello");
        assert_eq!(said, if is_listed { Err(Error::Off) } else { Ok(()) });
    }
}

/// CHAT-40: a build that does not know the chat's kinds stays in the game and its player is where the host has it, while the
/// others talk.
#[test]
fn who_has_no_chat_plays_on() {
    let plan = plan(8430, 2, false);
    let mut lab = Lab::open(plan, of(1));
    lab.host.net.set_text_chat(Settings::Links);
    lab.join(of(1));
    let deaf = lab.join(of(1));
    lab.clients[deaf].network.meddle_with_stream(|message| {
        let is_chat = message[1] & 0x0c == 8 && (83..=85).contains(&message[2]);
        // Of no kind that there is.
        vec![if is_chat { [&message[..2], &[200], &message[3..]].concat() } else { message.to_vec() }]
    });
    lab.gather();
    play(&mut lab);
    for _ in 0..10 {
        tell(&mut lab, Who::Host, "is anybody there?");
        tell(&mut lab, Who::Client(0), "yes");
        lab.run_seconds(2.0);
    }
    assert_eq!(shown(&lab, Who::Client(deaf)), [""; 0]);
    assert!(lab.clients[deaf].net.counters().dropped.unknown_kind >= 26);
    assert_eq!(lab.clients[deaf].net.stage(), client::Stage::Playing);
    assert_eq!(shown(&lab, Who::Client(0)).len(), 20);
    assert!(lab.apart().unwrap() < 0.01);
}

/// CHAT-04: a thousand lines a second of one client for ten seconds: its budget's are shown, and no more; each line of the others
/// is shown everywhere within a quarter of a second, once, and everybody is where the host has it.
#[test]
fn a_flood_of_lines_is_its_senders_alone() {
    for (mut lab, stage) in both(plan(8440, 3, false).network(30, 0.0), 1) {
        let own = slot(&lab, Who::Client(0));
        let before: Vec<_> = lab.clients.iter().map(|seat| seat.ticks).collect();
        for round in 0..100 {
            for of in 0..100 {
                lab.clients[0].network.write_besides(&up(own, &format!("flood {round} {of}")));
            }
            let ours = (round % 25 == 7).then(|| format!("ours {round}"));
            for who in ours.iter().flat_map(|_| [Who::Host, Who::Client(1), Who::Client(2)]) {
                tell(&mut lab, who, ours.as_ref().unwrap());
            }
            lab.run_seconds(0.1);
            lab.run_seconds(if ours.is_some() { 0.15 } else { 0.0 });
            if let Some(ours) = ours {
                for who in all(&lab) {
                    let shown = shown(&lab, who);
                    assert_eq!(
                        shown.iter().filter(|line| line.ends_with(&ours)).count(),
                        3,
                        "{stage} {who:?}"
                    );
                }
            }
        }
        lab.run_seconds(0.5);
        let floods = |who| shown(&lab, who).iter().filter(|line| line.contains("flood")).count();
        // Five, and one each second and a half of ten and a half.
        assert!((11..=13).contains(&floods(Who::Host)), "{stage}: {}", floods(Who::Host));
        assert!(all(&lab).into_iter().all(|who| shown(&lab, who) == shown(&lab, Who::Host)), "{stage}");
        assert_eq!(refused(&lab, Who::Host, "chat_too_fast"), 10_000 - floods(Who::Host) as u64, "{stage}");
        if stage == "game" {
            assert!(
                lab.clients.iter().zip(before).all(|(seat, before)| seat.ticks - before >= 315),
                "{stage}"
            );
            assert!(lab.apart().unwrap() < 0.01, "{stage}");
        }
        assert!(lab.clients.iter().all(|seat| seat.net.transport().heard() > Default::default()), "{stage}");
    }
}

/// CHAT-28, NET-30: who comes into a game is told of the settings before any line, shows none that was said before it had loaded,
/// and each that is said from then on.
#[test]
fn a_late_joiner_hears_what_is_said_from_then_on() {
    let plan = plan(8450, 1, false).network(40, 2.0);
    let mut lab = game(plan, 1);
    tell(&mut lab, Who::Host, "before");
    let late = lab.join(Seating { load_micros: 3_000_000, ..of(1).with_faults(plan.faults) });
    lab.clients[late].network.listen();
    lab.run_until("it loads", 5, |lab| lab.clients[late].net.stage() == client::Stage::Loading);
    tell(&mut lab, Who::Client(0), "while it loads");
    lab.run_seconds(1.0);
    assert_eq!(lab.clients[late].net.stage(), client::Stage::Loading);
    lab.run_until("it plays", 5, |lab| lab.clients[late].net.stage() == client::Stage::Playing);
    lab.run_until("it is told", 1, |lab| lab.clients[late].net.text_chat() == Settings::Links);
    tell(&mut lab, Who::Client(0), "after");
    tell(&mut lab, Who::Client(late), "hello");
    lab.run_seconds(0.5);
    let lines = shown(&lab, Who::Client(late));
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines[..], shown(&lab, Who::Host)[2..]);
    let mut kinds = Vec::new();
    messages(lab.clients[late].network.passed(), Way::In, |_, message| {
        if [Kind::ChatDown, Kind::ChatConfig].contains(&message.kind) {
            kinds.push(message.kind);
        }
    });
    assert_eq!(kinds.first(), Some(&Kind::ChatConfig));
}

/// CHAT-16, 28, GLUE-16: one machine that has loaded while the host and another still load, in a game that begins late in the
/// netcode's time: what it says meanwhile is shown by it and the host, no clock is moved by it, and all play.
#[test]
fn who_has_loaded_talks_while_others_load() {
    let plan = Plan { start: 1_000_000, ..plan(8460, 0, false).network(20, 0.0) };
    let mut lab = Lab::open(plan, Seating { load_micros: 2_000_000, ..of(1) });
    lab.host.net.set_text_chat(Settings::Links);
    for seconds in [0, 3] {
        lab.join(Seating { load_micros: seconds * 1_000_000, ..of(1).with_faults(plan.faults) });
    }
    lab.gather();
    lab.run_seconds(0.5);
    lab.begin();
    lab.run_seconds(1.0);
    tell(&mut lab, Who::Host, "load!");
    lab.run_seconds(0.3);
    lab.settle();
    lab.run_seconds(2.0);
    for seat in &lab.clients {
        let own = seat.net.clock().tick().unwrap();
        assert!(lab.tick().since(own).abs() <= 2, "{own:?} beside {:?}", lab.tick());
    }
    let texts = |who| shown(&lab, who).len();
    assert_eq!((texts(Who::Host), texts(Who::Client(0)), texts(Who::Client(1))), (1, 1, 0));
    assert!(lab.apart().unwrap() < 0.01);
}
