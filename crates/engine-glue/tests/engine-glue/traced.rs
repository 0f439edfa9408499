//! What becomes of each message, written down where that is asked for.

use mjolnir_engine_glue::transport::Channel;
use mjolnir_engine_glue::transport::trace::{Fate, Traced};
use mjolnir_wire::pings::Ping;
use mjolnir_wire::units::{Life, LivingUnit, Placement, ShieldFlags, UnitState};
use mjolnir_wire::{Axes, Kind, Machine, MachineSet, MessageType, Vec3};

use super::game::unit_of;
use super::table::{Table, slot, tick};

fn of(traced: &[Traced], fate: Fate) -> usize {
    traced.iter().filter(|traced| traced.fate == fate).count()
}

fn taken(table: &mut Table) -> (Vec<Traced>, Vec<Traced>) {
    let (mut host, mut client) = (Vec::new(), Vec::new());
    table.host.take_traced(&mut host);
    table.seats[0].client.take_traced(&mut client);
    (host, client)
}

/// GLUE-13: the trace has a line for each message that the counters counted, sent and received, on both ends, and what
/// one end sent the other received; nothing is kept where nobody asked.
#[test]
fn a_trace_has_each_message_that_was_counted() {
    let mut table = Table::new(1);
    table.seat(1);
    table.host.begin_trace();
    table.seats[0].client.begin_trace();
    table.run(1_000);
    table.begin(0);
    table.run(5_000);
    let (host, client) = taken(&mut table);
    for (traced, counters) in [(&host, table.host.counters()), (&client, table.seats[0].client.counters())] {
        // The request to join is a stranger's, and counted with nobody's messages.
        let joins = traced.iter().filter(|traced| {
            traced.fate == Fate::Received
                && (traced.of, traced.number) == (Some(MessageType::Packet), Some(12))
        });
        assert_eq!(
            (of(traced, Fate::Sent) as u64, (of(traced, Fate::Received) - joins.count()) as u64),
            (counters.sent, counters.received)
        );
        // What overtakes the host's first update has no time to be measured by.
        let early = Fate::Refused("no_baseline");
        let others = traced.iter().filter(|traced| !matches!(traced.fate, Fate::Sent | Fate::Received));
        assert!(others.clone().all(|traced| traced.fate == early) && others.count() <= 1);
    }
    assert!(host.iter().all(|traced| traced.machine == Machine::new(1)));
    assert!(client.iter().all(|traced| traced.machine == Some(Machine::HOST)));
    let passed = |traced: &[Traced], fate| -> Vec<Traced> {
        let all = traced.iter().filter(|traced| traced.fate == fate && traced.channel == Channel::Datagram);
        all.filter(|traced| traced.of == Some(MessageType::Data))
            .map(|traced| Traced { fate: Fate::Sent, machine: None, ..*traced })
            .collect()
    };
    let (sent, received) = (passed(&host, Fate::Sent), passed(&client, Fate::Received));
    let first = sent.iter().position(|traced| *traced == received[0]).unwrap();
    assert!(received.len() > 250 && first <= 3 && sent[first..].starts_with(&received));
    assert_eq!(taken(&mut table), (Vec::new(), Vec::new()), "what was taken is not kept");

    let mut quiet = Table::playing(0);
    quiet.seat(1);
    quiet.run(1_000);
    assert_eq!(taken(&mut quiet), (Vec::new(), Vec::new()));
}

/// GLUE-13: what is dropped or refused stands there with why: a message as a whole, and an entry of one.
#[test]
fn what_is_not_taken_is_there_with_why() {
    let mut table = Table::playing(1_000);
    table.seat(1);
    table.run(500);
    let raw = table.raw();
    table.run(1_000);
    table.host.begin_trace();
    let (now, at) = (table.now, table.host.now_tick());
    let state = |whose| {
        let placement = Placement { position: Vec3::ZERO, velocity: Vec3::ZERO, axes: Axes::UPRIGHT };
        let life = Life::Alive(LivingUnit::whole(unit_of(slot(0)), placement));
        UnitState { slot: whose, shield: ShieldFlags::default(), life }
    };
    table.raws[raw].say(now, at, |outbox| {
        let ping = Ping { slot: slot(0), milliseconds: None };
        // Not a client's to say, and another machine's player.
        outbox.entry(MachineSet::HOST, Kind::Pings, |bytes| ping.write(bytes)).unwrap();
        outbox.entry(MachineSet::HOST, Kind::PlayerPrediction, |bytes| state(slot(0)).write(bytes)).unwrap();
    });
    table.raws[raw].say(now, tick(at.get() + 1_000), |outbox| {
        outbox.entry(MachineSet::HOST, Kind::PlayerPrediction, |bytes| state(slot(1)).write(bytes)).unwrap();
    });
    table.run(200);
    let (host, _) = taken(&mut table);
    let others: Vec<_> = host
        .iter()
        .filter(|traced| !matches!(traced.fate, Fate::Sent | Fate::Received))
        .map(|traced| (traced.fate, traced.machine.map(Machine::get), traced.number, traced.stamp))
        .collect();
    let kind = |kind: Kind| Some(kind as u8);
    assert_eq!(
        others,
        [
            (Fate::Refused("wrong_sender"), Some(2), kind(Kind::Pings), Some(at)),
            (Fate::Dropped("far_stamp"), Some(2), kind(Kind::Batch), Some(tick(at.get() + 1_000))),
            (Fate::EntryRefused("not_owned"), Some(2), kind(Kind::PlayerPrediction), Some(at)),
        ]
    );
}
