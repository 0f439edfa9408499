//! Clocks that are made faster: who is refused, dropped, told of and kept out, and that nobody is for less.

use mjolnir_engine_glue::anticheat::speed::WINDOW;
use mjolnir_engine_glue::transport::Why;
use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_engine_glue::{client, host};
use mjolnir_skirmish::game::{Kind, Vitality, World};
use mjolnir_tests::hits::restock;
use mjolnir_tests::{Cheat, Hand, Lab, Plan, Seating, Way, Who, bot, messages, still};
use mjolnir_wire::identity::Identity;
use mjolnir_wire::packets::Rejection;
use mjolnir_wire::{Buttons, Input, Kind as Message, Machine, MachineSet, Outbox, Slot, Tick};

use crate::driving::{place, ride, seated, winds};
use crate::floods::said;
use crate::hits::{armed, at};

/// Why predictions are refused, as the host counts it.
const CLOCK: &str = "cheat_clock";
/// Wu that a player runs in a tick, and the most that the host ever lets one move.
const RUN: f32 = 0.08;

/// A line with 50 ms of jitter.
fn line(plan: Plan) -> Plan {
    Plan { faults: Faults { latency_us: 40_000, jitter_us: 50_000, ..Faults::default() }, ..plan }
}

/// One that runs to and fro, turning each so many ticks.
fn runs(every: u32) -> Hand {
    let mut passed = 0;
    Box::new(move |_, _, _| {
        passed += 1;
        let way = if (passed / every).is_multiple_of(2) { 1.0 } else { -1.0 };
        Input { throttle: [way, 0.0], ..Input::default() }
    })
}

/// A host's player that stands, and so many clients, the first of which runs to and fro.
fn game(seed: u64, clients: usize) -> Lab {
    Lab::play_as(line(Plan::new("flat", seed, clients)), Seating::of(vec![still()]), |of| {
        Seating::of(vec![if of == 0 { runs(40) } else { still() }])
    })
}

fn pace(lab: &mut Lab, place: usize, times: f64) {
    let now = lab.now();
    lab.clients[place].pace(now, times);
}

/// Runs for so many of the host's ticks, in which that client says something by its stream each second, as who hits or chats does.
fn talks(lab: &mut Lab, place: usize, ticks: u32) {
    lab.watch_ticks(ticks, |lab, who| {
        if who == Who::Host && lab.host.ticks.is_multiple_of(30) {
            let user = Identity::new(&lab.host.ticks.to_string(), "bob");
            lab.clients[place].engine.manners.discord = user;
        }
    });
}

fn machine(lab: &Lab, place: usize) -> Machine {
    lab.clients[place].net.transport().machine().unwrap()
}

/// Predictions that were refused for a clock.
fn refused(lab: &Lab) -> u64 {
    lab.host.net.counters().refused.get(CLOCK).copied().unwrap_or(0)
}

fn is_refused(lab: &Lab, place: usize) -> bool {
    lab.host.net.conduct().is_refused(machine(lab, place))
}

/// Predictions of that player that were taken.
fn taken(lab: &mut Lab, slot: Slot) -> u64 {
    lab.host.net.authority().takings_of(slot).taken
}

/// What the host showed in red.
fn shown_by_host(lab: &Lab) -> Vec<String> {
    let said = |(_, notice): &(u64, host::Notice)| match notice {
        host::Notice::Said { text } => Some(text.clone()),
        _ => None,
    };
    lab.host.notices.iter().filter_map(said).collect()
}

/// What a client showed in red.
fn shown(lab: &Lab, place: usize) -> Vec<String> {
    let said = |(_, notice): &(u64, client::Notice)| match notice {
        client::Notice::Said { text } => Some(text.clone()),
        _ => None,
    };
    lab.clients[place].notices.iter().filter_map(said).collect()
}

/// Why each machine that is gone went.
fn gone(lab: &Lab) -> Vec<Why> {
    let left = |(_, notice): &(u64, host::Notice)| match notice {
        host::Notice::Left { why, .. } => Some(*why),
        _ => None,
    };
    lab.host.notices.iter().filter_map(left).collect()
}

/// Lines of `cheaters.txt` and `bans.txt`.
fn lines(lab: &Lab) -> [usize; 2] {
    let manners = &lab.host.engine.manners;
    [&manners.cheaters, &manners.bans].map(|file| file.lines().count())
}

/// Nobody was refused, dropped, told of or written down.
fn assert_let_be(lab: &Lab, what: &str) {
    assert_eq!((refused(lab), gone(lab), lines(lab)), (0, vec![], [0, 0]), "{what}");
    assert_eq!(shown_by_host(lab), Vec::<String>::new(), "{what}");
}

/// How far the host's copy of that player went in so many of its ticks, and the most in one, in wu.
fn path(lab: &mut Lab, slot: Slot, ticks: u32) -> (f32, f32) {
    let (mut last, mut far, mut most) = (lab.host.place(slot), 0.0, 0.0_f32);
    lab.watch_ticks(ticks, |lab, who| {
        if who == Who::Host {
            let place = lab.host.place(slot);
            far += place.distance(last);
            most = most.max(place.distance(last));
            last = place;
        }
    });
    (far, most)
}

/// CHEAT-10, 43: given clocks 5 % and 9 % fast for a minute, on a line with 50 ms of jitter, then nobody is refused, dropped or written
/// down, and the host's copy gets no further than so much more than one of the host's time, in steps as the rows have them.
#[test]
fn less_than_a_tenth_is_let_be() {
    for times in [1.05, 1.09] {
        let mut lab = game(4301, 2);
        pace(&mut lab, 0, times);
        talks(&mut lab, 0, 30);
        let slot = lab.clients[0].slot();
        let (far, most) = path(&mut lab, slot, 1800);
        assert_let_be(&lab, &times.to_string());
        assert!(lab.clients.iter().all(|seat| seat.net.stage() == client::Stage::Playing));
        // Its 2000 ticks and what is tolerated once.
        assert!((100.0..times as f32 * RUN * 1800.0 + 3.5).contains(&far), "{times}: {far}");
        // Twice the run, and 0.05, and six ticks of jitter at once.
        assert!(most < 7.0 * (2.0 * RUN + 0.05), "{times}: {most}");
        assert!(lab.tick().since(lab.clients[0].net.clock().tick().unwrap()) < -60);
    }
}

/// A game in which a client of such a clock has held the trigger for so many of the host's ticks, at somebody who falls by nothing.
fn fires(seed: u64, weapon: &'static str, times: f64, ticks: u32) -> Lab {
    let (mut lab, own, other) = armed(seed, 40, weapon);
    lab.clients[0].engine.take_over(0, at(other, Buttons::PRIMARY_TRIGGER, |_| true));
    pace(&mut lab, 0, times);
    for _ in 0..ticks / 5 {
        lab.run_ticks(5);
        let heal = |world: &mut World| {
            restock(world, None);
            if let Some((unit, of)) = world.unit(other).and_then(|it| Some((it, world.vitality(it)?))) {
                world.set_vitality(unit, Vitality { body: 1.0, shield: 1.0, ..of });
            }
        };
        heal(lab.host.engine.world_mut());
        heal(lab.clients[0].engine.world_mut());
    }
    assert!(lab.host.engine.world().unit(own).is_some());
    lab
}

/// CHEAT-43: given a client 9 % fast that holds the trigger for a minute, then what it deals is what the weapon fires in the host's
/// time, and a little.
#[test]
fn a_fast_trigger_deals_by_the_hosts_time() {
    let [honest, fast] = [1.0, 1.09].map(|times| {
        let lab = fires(4302, "pistol", times, 1800);
        assert_let_be(&lab, "the trigger");
        lab.host.net.counters().hits.dealt
    });
    let every = Kind::Pistol.firing().unwrap().every;
    let most = 1800 / u64::from(every);
    println!(
        "{honest} dealt by an honest clock, {fast} by one that is 9 % fast, {most} fired in the host's time"
    );
    assert!(honest > 60 && fast > honest / 2 && fast <= most + 6, "{honest} and {fast} of {most}");
}

/// CHEAT-43, DMG-25: given a clock twice as fast that holds the trigger until it is dropped, then what it deals meanwhile is no more
/// than the weapon fires in the host's time, the quarter that it may come faster, and a second's fire at first; the rest is refused.
#[test]
fn no_clock_makes_hits_come_faster() {
    let [honest, fast] = [1.0, 2.0].map(|times| {
        let lab = fires(4308, "rifle", times, 270);
        assert_eq!(gone(&lab), [], "it is not dropped yet");
        lab.host.net.counters().hits
    });
    let fired = 270 / u64::from(Kind::Rifle.firing().unwrap().every);
    println!(
        "{honest:?} by an honest clock, {fast:?} by one that is twice as fast, {fired} fired in the host's time"
    );
    assert!(honest.rejected == 0 && honest.dealt > fired / 2, "{honest:?} of {fired}");
    assert!(fast.dealt <= fired + fired / 4 + 10, "{fast:?} of {fired}");
    assert!(fast.rejected > 10 && fast.dealt > honest.dealt, "{fast:?}");
}

/// CHEAT-10, 12, 13, 14, 17, 18, 25, 57, GLUE-14: given a client of two players with a clock that is 12 % to 100 % fast, and that says
/// so by its stream, then its predictions are refused first, and eight seconds later it is dropped: everybody is told once, in
/// red, of both, a line about it stands in each file, and it is let in no more, also with its line taken out; by another host
/// it is, unless that has its line.
#[test]
fn who_is_too_fast_is_dropped_and_kept_out() {
    for times in [1.12, 1.2, 2.0] {
        let plan = line(Plan::new("flat", 4303, 3));
        let mut lab = Lab::play_as(plan, Seating::of(vec![still()]), |of| {
            Seating::of(if of == 0 { vec![runs(40), still()] } else { vec![still()] })
        });
        lab.run_ticks(60);
        pace(&mut lab, 0, times);
        let (mut first, mut at_first) = (None, 0);
        let begun = lab.host.ticks;
        let slot = lab.clients[0].slot();
        while gone(&lab).is_empty() {
            assert!(lab.host.ticks < begun + 900, "{times}: it is not dropped");
            talks(&mut lab, 0, 1);
            if first.is_none() && gone(&lab).is_empty() && is_refused(&lab, 0) {
                first = Some(lab.host.ticks);
                at_first = taken(&mut lab, slot);
                assert_eq!((lines(&lab), shown_by_host(&lab)), ([0, 0], vec![]), "{times}");
            } else if first.is_some() && gone(&lab).is_empty() {
                // What was heard before the measure is taken in its tick.
                assert!(taken(&mut lab, slot) <= at_first + 1, "{times}");
            }
        }
        let first = first.expect("it is refused first");
        println!("{times}: refused after {} ticks", first - begun);
        assert!(f64::from(first - begun) <= 30.0 * (0.7 / (times - 1.0) + 4.2), "{times}: {}", first - begun);
        assert!((lab.host.ticks - first).abs_diff(240) <= 3, "{times}: {}", lab.host.ticks - first);
        assert_eq!(gone(&lab), [Why::Kicked], "{times}");
        lab.run_seconds(2.0);

        let text = "P1-0 and P1-1 were dropped for cheating: the game's clock was sped up.";
        assert_eq!(shown_by_host(&lab), [text], "{times}");
        for place in 0..3 {
            assert_eq!(shown(&lab, place), [text], "{times}: client {place}");
        }
        assert_eq!(lines(&lab), [1, 1], "{times}");
        let manners = &mut lab.host.engine.manners;
        for file in [&manners.cheaters, &manners.bans] {
            for field in
                ["\tip=10.0.1.1\t", "\thwid=none\t", "=bob (self-reported)\t", "\tplayers=P1-0, P1-1\t"]
            {
                assert!(file.contains(field), "{times}: {field} in {file}");
            }
            let rate = file.split("speed hack (").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
            assert!(
                (rate.parse::<f64>().unwrap() - times).abs() < 0.01 + 0.05 * (times - 1.0),
                "{times}: {file}"
            );
            assert!(!file.contains("unverified"), "{times}: {file}");
        }

        let ban = std::mem::take(&mut manners.bans);
        let is_rejected = |lab: &Lab, place: usize| {
            let rejected = client::Notice::Closed { why: Why::Rejected(Rejection::Blacklisted) };
            lab.clients[place].notices.iter().any(|(_, notice)| *notice == rejected)
        };
        lab.join_at(0, Seating::of(vec![still()]));
        lab.run_seconds(3.0);
        assert!(is_rejected(&lab, 0), "{times}: {:?}", lab.clients[0].notices);
        // Another host, with its line and without.
        for (bans, rejects) in [(ban, true), (String::new(), false)] {
            let mut lab = Lab::open(Plan::new("flat", 4304, 1), Seating::of(vec![still()]));
            lab.host.engine.manners.bans = bans;
            lab.join(Seating::of(vec![still()]));
            lab.run_seconds(3.0);
            assert_eq!(is_rejected(&lab, 0), rejects, "{times}");
            assert_eq!(lab.host.net.transport().machines().len(), usize::from(!rejects), "{times}");
        }
    }
}

/// CHEAT-11: given a client that runs to and fro 20 % fast and says nothing by its stream, then while it is refused no prediction of it is
/// taken and the host's copy runs by the host's ticks; once its clock is honest, its next whole window lets it off, and
/// its predictions are taken again. It stays.
#[test]
fn who_is_refused_goes_by_the_hosts_ticks() {
    let mut lab = game(4305, 2);
    let slot = lab.clients[0].slot();
    lab.run_seconds(1.0);
    let before = taken(&mut lab, slot);
    lab.run_seconds(20.0);
    let honest = taken(&mut lab, slot) - before;
    pace(&mut lab, 0, 1.2);
    lab.run_until("it is refused", 10, |lab| is_refused(lab, 0));
    lab.run_ticks(1);
    let before = (taken(&mut lab, slot), refused(&lab));
    let (far, most) = path(&mut lab, slot, 300);
    assert!(is_refused(&lab, 0));
    assert_eq!(taken(&mut lab, slot), before.0);
    assert!(refused(&lab) > before.1 + 300, "{}", refused(&lab) - before.1);
    // 24 wu in ten seconds, but for the turns; no step is longer than a tick's run.
    assert!((18.0..=300.0 * RUN + 0.1).contains(&far), "{far}");
    assert!(most <= RUN * 1.02, "{most}");

    pace(&mut lab, 0, 1.0);
    let slowed = lab.now();
    lab.run_until("it is let off", 5, |lab| !is_refused(lab, 0));
    assert!(lab.now() - slowed <= 2 * WINDOW + 100_000, "{}", lab.now() - slowed);
    let before = (taken(&mut lab, slot), refused(&lab));
    lab.run_seconds(20.0);
    // As many as before it was fast: what jitter puts out of order is never taken.
    let again = taken(&mut lab, slot) - before.0;
    assert!(again + 30 > honest && honest > 300, "{again}, and {honest} before");
    assert_eq!((refused(&lab), gone(&lab)), (before.1, vec![]));
}

/// CHEAT-10, 11: given a client that drives 20 % fast, then once it is refused every prediction that it sends is, of its vehicle as of its
/// player; its seat is the host's still, and what it drives goes there by its inputs.
#[test]
fn who_is_refused_drives_by_the_hosts_ticks() {
    let mut lab = Lab::idle(Plan::new("drive", 4309, 1).network(40, 0.0));
    let (car, slot) = (seated(&mut lab), lab.clients[0].slot());
    lab.clients[0].engine.take_over(0, winds());
    pace(&mut lab, 0, 1.2);
    lab.run_until("it is refused", 10, |lab| is_refused(lab, 0));
    lab.run_seconds(0.5);
    lab.clients[0].network.listen();
    let (before, mut far, mut last) = (refused(&lab), 0.0, place(lab.host.engine.world(), car));
    lab.watch_ticks(150, |lab, who| {
        if who == Who::Host {
            let here = place(lab.host.engine.world(), car);
            far += here.distance(last);
            last = here;
        }
    });
    assert!(is_refused(&lab, 0));
    let (mut cars, mut players) = (0, 0);
    messages(lab.clients[0].network.passed(), Way::Out, |_, message| match message.kind {
        Message::VehiclePrediction => cars += 1,
        Message::PlayerPrediction => players += 1,
        _ => {}
    });
    let refused = refused(&lab) - before;
    println!("{cars} of its car, {players} of its player, {refused} refused; {far} wu");
    // Some are on their way at either end.
    assert!(cars > 150 && refused.abs_diff(cars + players) <= 10, "{refused} of {cars} and {players}");
    assert_eq!(ride(lab.host.engine.world(), slot), Some((car, 0)));
    assert!(far > 5.0, "{far}");
}

/// A datagram that says nothing of the host's players which that machine may say, stamped so.
fn forged(tick: Tick) -> Vec<u8> {
    said(Message::PlayerInputs as u8, 1, tick, &[0; 52])
}

/// A message by the stream, stamped so.
fn by_stream(tick: Tick) -> Vec<u8> {
    let (mut outbox, mut bytes) = (Outbox::new(), Vec::new());
    outbox.begin(tick, 0);
    let user = Identity::new("7", "fast");
    outbox.reliable_entry(MachineSet::HOST, Message::ClientIdentity, |to| user.write(to)).unwrap();
    outbox.gather_stream(Machine::HOST, &mut bytes);
    bytes
}

/// CHEAT-15, 16, 51: given a client whose stream is honest, and datagrams in its name that are stamped 20 % fast, be it that somebody
/// else sends them or it does, for a minute, then its predictions are refused all the while, it is written down once as
/// unverified and never banned nor dropped. Given then a message by its stream that is 0.6 s ahead, it is dropped.
#[test]
fn datagrams_alone_drop_nobody() {
    for is_own in [true, false] {
        let mut lab = game(4306, 2);
        lab.run_ticks(60);
        let (from, begun) = (lab.clients[0].network.address(), lab.host.ticks);
        if is_own {
            lab.clients[0].cheat(&[Cheat::StampsAt(1.2)]);
        }
        let mut first = None;
        while lab.host.ticks < begun + 1980 {
            if !is_own {
                let passed = lab.host.ticks - begun;
                let stamp = lab.tick().plus(passed / 5);
                lab.host.network.forge(from, &forged(stamp));
            }
            talks(&mut lab, 0, 1);
            assert!(gone(&lab).is_empty(), "own {is_own}: {:?}", gone(&lab));
            match first {
                None if is_refused(&lab, 0) => first = Some(lab.host.ticks),
                Some(_) => {
                    assert!(is_refused(&lab, 0), "own {is_own}, after {} ticks", lab.host.ticks - begun);
                }
                None => {}
            }
            let unverified = first.is_some_and(|first| lab.host.ticks > first + 243);
            assert_eq!(lines(&lab)[1], 0, "own {is_own}");
            assert!(lines(&lab)[0] <= 1 && (!unverified || lines(&lab)[0] == 1), "own {is_own}");
        }
        let first = first.expect("it is refused") - begun;
        assert!(first <= 240, "own {is_own}: after {first} ticks");
        assert!(lab.host.engine.manners.cheaters.contains("unverified\n"));
        assert_eq!(shown_by_host(&lab), Vec::<String>::new());

        let ahead = lab.tick().plus(18);
        lab.clients[0].network.write_besides(&by_stream(ahead));
        for passed in 0..70 {
            if !is_own && gone(&lab).is_empty() {
                let stamp = lab.tick().plus((1980 + passed) / 5);
                lab.host.network.forge(from, &forged(stamp));
            }
            lab.run_ticks(1);
        }
        assert_eq!(gone(&lab), [Why::Kicked], "own {is_own}");
        assert_eq!(lines(&lab), [2, 1], "own {is_own}");
        assert_eq!(shown_by_host(&lab).len(), 1, "own {is_own}");
    }
}

/// CHEAT-53: given a kind 17 that is forged in the host's name by datagram, in the lobby and in a game, then nothing is shown.
#[test]
fn a_forged_notice_shows_nothing() {
    let mut lab = Lab::open(Plan::new("flat", 4307, 1), Seating::of(vec![still()]));
    lab.join(Seating::of(vec![still()]));
    lab.gather();
    let mut text = vec![0; 128];
    text[..2].copy_from_slice(b"hi");
    for is_played in [false, true] {
        if is_played {
            lab.begin();
            lab.settle();
        }
        let (host, tick) = (lab.host.network.address(), lab.tick());
        lab.clients[0].network.forge(host, &said(17, 0, tick, &text));
        lab.run_seconds(1.0);
        assert_eq!(shown(&lab, 0), Vec::<String>::new(), "played {is_played}");
    }
}

/// CHEAT-09: given a client that freezes for five seconds and jumps, and a host that stalls for three, again and again, with a client
/// that joins and loads meanwhile, then nobody is refused.
#[test]
fn stalls_and_jumps_are_no_speed() {
    for seed in 4310..4315 {
        let mut lab = game(seed, 2);
        let faults = lab.host.network.faults();
        lab.run_seconds(3.0);
        let late = Seating { load_micros: 4_000_000, ..Seating::of(vec![bot(seed)]) };
        lab.join(late.with_faults(faults));
        for stands in [false, true] {
            lab.run_seconds(1.0);
            lab.sleep(Who::Client(0), 5_000_000, stands);
            lab.run_seconds(7.0);
            lab.sleep(Who::Host, 3_000_000, false);
            lab.run_seconds(6.0);
        }
        lab.run_seconds(10.0);
        assert_let_be(&lab, &format!("seed {seed}"));
        assert_eq!(lab.host.net.transport().machines().len(), 3, "seed {seed}");
    }
}

/// CHEAT-09, NET-11: given a host that stalled for four seconds, which its clients lead by since, then what they said of that game and
/// is heard in the next one is not taken for speed there, nor for that game's time: nobody is refused, also with 150 ms
/// of jitter as it begins.
#[test]
fn what_was_said_of_the_last_game_is_no_speed_in_the_next() {
    for seed in 4320..4332 {
        let mut lab = game(seed, 2);
        lab.run_seconds(3.0);
        lab.sleep(Who::Host, 4_000_000, false);
        lab.run_seconds(8.0);
        let lead = lab.clients[0].net.clock().tick().unwrap().since(lab.tick());
        assert!(lead > 60, "seed {seed}: {lead}");
        lab.set_faults(Faults { latency_us: 40_000, jitter_us: 150_000, ..Faults::default() });
        lab.run_seconds(1.0);
        let (record, start) = (*lab.host.net.transport().record(), lab.tick());
        assert!(lab.begin_next(&record, start));
        lab.settle();
        let most = lab.clients[0].net.clock().tick().unwrap().since(lab.tick());
        assert!(most <= 2, "seed {seed}: {most} ticks ahead");
        lab.run_seconds(8.0);
        assert_let_be(&lab, &format!("seed {seed}"));
    }
}

/// CHEAT-09, NET-11: the same of a host that stalled for five seconds four times, so that its clients are further ahead of it than a
/// datagram may be of another.
#[test]
fn nor_is_it_after_many_stalls() {
    for seed in 4332..4336 {
        let mut lab = game(seed, 2);
        lab.run_seconds(3.0);
        for _ in 0..4 {
            lab.sleep(Who::Host, 5_000_000, false);
            lab.run_seconds(8.0);
        }
        let lead = lab.clients[0].net.clock().tick().unwrap().since(lab.tick());
        assert!(lead > 520, "seed {seed}: {lead}");
        lab.set_faults(Faults { latency_us: 40_000, jitter_us: 150_000, ..Faults::default() });
        lab.run_seconds(1.0);
        let (record, start) = (*lab.host.net.transport().record(), lab.tick());
        assert!(lab.begin_next(&record, start));
        lab.settle();
        lab.run_seconds(8.0);
        assert_let_be(&lab, &format!("seed {seed}"));
    }
}

/// CHEAT-09: given a host whose clock stood for four seconds four times, as a machine's does that slept, then nobody is refused,
/// dropped, told of or written down.
#[test]
fn a_host_whose_clock_stands_refuses_nobody() {
    let mut lab = game(4316, 2);
    let slot = lab.clients[0].slot();
    for _ in 0..4 {
        lab.run_seconds(6.0);
        lab.sleep(Who::Host, 4_000_000, true);
        lab.run_seconds(4.0);
        lab.watch_ticks(180, |lab, _| assert!([0, 1].iter().all(|place| !is_refused(lab, *place))));
    }
    assert_eq!((gone(&lab), lines(&lab)), (vec![], [0, 0]));
    let before = taken(&mut lab, slot);
    lab.run_seconds(3.0);
    assert!(taken(&mut lab, slot) > before + 60);
}

/// CHEAT-08, 10, 12: given a client that joins late with a clock 20 % fast, one that turns fast in a second game, and one that does
/// after its host stalled, so that it is ahead already, then each is refused and dropped, and nobody else is.
#[test]
fn clocks_are_measured_wherever_a_game_is() {
    for when in ["late", "second game", "after a stall"] {
        let mut lab = game(4317, 2);
        let faults = lab.host.network.faults();
        lab.run_seconds(5.0);
        let mut place = 0;
        match when {
            "late" => {
                let late = Seating { load_micros: 2_000_000, ..Seating::of(vec![bot(3)]) };
                place = lab.join(late.with_faults(faults));
            }
            "second game" => {
                let (record, start) = (*lab.host.net.transport().record(), lab.tick());
                assert!(lab.begin_next(&record, start));
                lab.settle();
            }
            _ => {
                lab.sleep(Who::Host, 4_000_000, false);
                lab.run_seconds(6.0);
            }
        }
        pace(&mut lab, place, 1.2);
        let begun = lab.host.ticks;
        while gone(&lab).is_empty() && lab.host.ticks < begun + 700 {
            talks(&mut lab, place, 1);
        }
        assert_eq!((gone(&lab), lines(&lab)), (vec![Why::Kicked], [1, 1]), "{when}");
        let cheaters = &lab.host.engine.manners.cheaters;
        assert!(cheaters.contains(&format!("ip=10.0.1.{}\t", place + 1)), "{when}: {cheaters}");
        let refused = (0..lab.clients.len()).filter(|of| *of != place && is_refused(&lab, *of));
        assert_eq!(refused.count(), 0, "{when}");
    }
}
