//! What is damaged, forged or random harms nobody's game.

use mjolnir_engine_glue::client::Stage;
use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_net_compare::Verdict;
use mjolnir_skirmish::game::random::Random;
use mjolnir_tests::{Lab, Plan, Way, states};
use mjolnir_wire::units::{Life, LivingUnit, Placement, ShieldFlags, UnitState};
use mjolnir_wire::{Axes, BatchWriter, Kind, Machine, MachineSet, Outbox, Vec3};

/// Everybody plays a good game on from here: the judge passes each, and all stand where the host says at its end.
fn assert_plays_on(lab: &mut Lab) {
    lab.set_faults(Faults::default());
    lab.run_seconds(2.0);
    lab.host.recording.lines.clear();
    for seat in &mut lab.clients {
        seat.recording.lines.clear();
        assert_eq!(seat.net.stage(), Stage::Playing);
    }
    lab.run_seconds(10.0);
    for place in 0..lab.clients.len() {
        let judgement = lab.judge(place);
        assert_eq!(judgement.verdict, Verdict::Pass, "client {place}: {}", judgement.figures);
    }
    lab.stand_still();
    lab.run_seconds(3.0);
    let apart = lab.apart().expect("every player everywhere");
    assert!(apart < 0.01, "{apart} wu apart");
}

/// NET-33, TOOL-27: for a minute a third of all datagrams is damaged: nothing crashes, every machine ticks
/// on, what means nothing is counted, and afterwards all agree.
#[test]
fn a_third_of_the_datagrams_is_damaged() {
    for seed in 71..74 {
        let faults = Faults { corrupt: 1.0 / 3.0, latency_us: 20_000, ..Faults::default() };
        let mut lab = Lab::play(Plan::new("rooms", seed, 7));
        lab.set_faults(faults);
        let before: Vec<u32> = lab.clients.iter().map(|seat| seat.ticks).collect();
        lab.run_seconds(60.0);
        for (seat, before) in lab.clients.iter_mut().zip(before) {
            assert!(seat.ticks - before >= 1795, "{} ticks", seat.ticks - before);
            assert!(seat.network.impair().counts().damaged() > 400);
            let counters = seat.net.counters();
            assert!(counters.refused.values().sum::<u64>() + counters.dropped.undecodable > 0);
            let own = seat.net.clock().tick().unwrap();
            assert!(lab.host.net.now_tick().since(own).abs() <= 3, "a stamp pushed a clock");
        }
        let counters = lab.host.net.counters();
        assert!(counters.refused.values().sum::<u64>() + counters.dropped.undecodable > 0);
        assert_plays_on(&mut lab);
    }
}

/// NET-33: ten thousand datagrams of chance, from the host's address and from a client's, in the middle of a game.
#[test]
fn random_datagrams_are_refused() {
    let mut lab = Lab::play(Plan::new("rooms", 75, 3));
    let mut random = Random::new(75);
    let (host, client) = (lab.host.network.address(), lab.clients[0].network.address());
    for _ in 0..200 {
        for _ in 0..50 {
            let length = random.below(200) as usize;
            let mut bytes: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
            if random.once_in(2) && length >= 8 {
                // With a header that means something, so that the rest is read.
                bytes[..2].copy_from_slice(
                    &mjolnir_wire::message::word(mjolnir_wire::MessageType::Data, length).unwrap(),
                );
                bytes[2] = random.below(20) as u8;
                // Not ahead: whoever can send from the host's address moves a clock by as much as CLOCK-22 lets a
                // datagram.
                let tick = lab.tick().get() - random.below(30) as i32;
                bytes[4..8].copy_from_slice(&tick.to_le_bytes());
            }
            lab.clients[1].network.forge(host, &bytes);
            lab.host.network.forge(client, &bytes);
        }
        lab.run_ticks(1);
    }
    assert!(lab.host.net.counters().refused.values().sum::<u64>() > 0);
    assert_plays_on(&mut lab);
}

/// CLOCK-22, NET-74: one datagram from the host's address stamped ten seconds ahead moves no clock and stales
/// nothing; the game goes on as if it had not come.
#[test]
fn a_stamp_far_ahead_pushes_no_clock() {
    let mut lab = Lab::play(Plan::new("rooms", 78, 2));
    lab.run_ticks(60);
    let machine = lab.clients[0].net.transport().machine().unwrap();
    let mut outbox = Outbox::new();
    outbox.begin(lab.tick().plus(300), 0);
    let ping = mjolnir_wire::Ping { slot: lab.host.slot(), milliseconds: Some(7) };
    outbox.entry(MachineSet::only(machine), Kind::Pings, |bytes| ping.write(bytes)).unwrap();
    let (host, link) = (lab.host.network.address(), &mut lab.clients[0].network);
    outbox.gather_datagrams(machine, &mut BatchWriter::new(), |bytes| link.forge(host, bytes));
    lab.run_ticks(10);
    let own = lab.clients[0].net.clock().tick().unwrap();
    assert!(lab.tick().since(own).abs() <= 2, "{own:?} beside {:?}", lab.tick());
    assert_eq!(lab.clients[0].net.counters().dropped.stale, 0);
    assert_plays_on(&mut lab);
}

/// NET-45, NET-08: unit states from an address that is not the host's move no client's copy.
#[test]
fn a_strangers_states_are_not_read() {
    let mut lab = Lab::idle(Plan::new("flat", 76, 2));
    lab.run_ticks(30);
    let (slot, machine) = (lab.clients[1].slot(), lab.clients[0].net.transport().machine().unwrap());
    let unit = lab.host.engine.world().unit(slot).unwrap();
    let there = lab.host.place(slot);
    let forged = |lab: &Lab| {
        let placement = Placement {
            position: there + Vec3::new(9.0, 0.0, 0.0),
            velocity: Vec3::ZERO,
            axes: Axes::UPRIGHT,
        };
        let life = Life::Alive(LivingUnit::whole(unit, placement));
        let mut outbox = Outbox::new();
        outbox.begin(lab.tick().next(), 0);
        let state = UnitState { slot, shield: ShieldFlags::default(), life };
        outbox.entry(MachineSet::only(machine), Kind::UnitStates, |bytes| state.write(bytes)).unwrap();
        let mut datagrams = Vec::new();
        outbox.gather_datagrams(machine, &mut BatchWriter::new(), |bytes| datagrams.push(bytes.to_vec()));
        datagrams
    };
    for from in ["10.9.9.9:5150".parse().unwrap(), lab.clients[1].network.address()] {
        for _ in 0..30 {
            for bytes in forged(&lab) {
                lab.clients[0].network.forge(from, &bytes);
            }
            lab.run_ticks(1);
            assert_eq!(lab.clients[0].place(slot), there);
        }
    }
    // The same from the host's address would have: the bytes are good.
    for bytes in forged(&lab) {
        lab.clients[0].network.forge(lab.host.network.address(), &bytes);
    }
    lab.run_ticks(1);
    assert_ne!(lab.clients[0].place(slot), there);
}

/// AUTH-71, AUTH-72: what a client says of another's player moves nobody.
#[test]
fn a_client_speaks_for_its_own_players_alone() {
    let mut lab = Lab::idle(Plan::new("flat", 77, 2));
    lab.run_ticks(30);
    let victim = lab.clients[1].slot();
    let unit = lab.host.engine.world().unit(victim).unwrap();
    let there = lab.host.place(victim);
    for _ in 0..30 {
        let own = lab.clients[0].net.clock().tick().unwrap();
        let placement = Placement {
            position: there + Vec3::new(1.0, 0.0, 0.0),
            velocity: Vec3::ZERO,
            axes: Axes::UPRIGHT,
        };
        let state = UnitState {
            slot: victim,
            shield: ShieldFlags::default(),
            life: Life::Alive(LivingUnit::whole(unit, placement)),
        };
        let mut outbox = Outbox::new();
        outbox.begin(own.next(), 0);
        outbox.entry(MachineSet::HOST, Kind::PlayerPrediction, |bytes| state.write(bytes)).unwrap();
        let from = lab.clients[0].network.address();
        let link = &mut lab.host.network;
        outbox.gather_datagrams(Machine::HOST, &mut BatchWriter::new(), |bytes| link.forge(from, bytes));
        lab.run_ticks(1);
        assert_eq!(lab.host.place(victim), there);
    }
    assert_eq!(lab.host.net.counters().refused.get("not_owned"), Some(&30));
    lab.clients[1].network.listen();
    lab.run_ticks(10);
    assert!(states(lab.clients[1].network.passed(), victim).iter().all(|(_, named)| named.is_some()));
    assert!(!mjolnir_tests::packets(lab.clients[1].network.passed(), Way::Out).is_empty());
}
