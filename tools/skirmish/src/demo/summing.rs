//! A demo's figures and its verdict, from what came of its machines. Knows no page and runs no game.

use std::collections::BTreeMap;

use mjolnir_engine_glue::transport::impair::Faults;
use mjolnir_net_compare::{Line, Verdict, judge};
use mjolnir_wire::limits::NETWORK_VERSION;
use mjolnir_wire::{Machine, Slot};

use super::{CALM_SECONDS, ClientEnd, HostEnd};
use crate::gauge::resident_bytes;
use crate::options::Demo;
use crate::summary::{Agreement, ClientFigures, Disagreement, Errors, Hits, HostFigures, Spread, Summary};

/// What was measured, and the verdict.
pub(super) fn up(options: &Demo, faults: &Faults, host: &HostEnd, clients: &[ClientEnd]) -> Summary {
    let mut refused: BTreeMap<String, u64> = BTreeMap::new();
    let mut dropped: BTreeMap<String, u64> = BTreeMap::new();
    for counters in clients.iter().map(|client| &client.counters).chain([&host.counters]) {
        for (reason, count) in &counters.refused {
            *refused.entry((*reason).into()).or_default() += count;
        }
        let mjolnir_engine_glue::transport::Dropped { stale, far_stamp, undecodable, unknown_kind } =
            counters.dropped;
        for (reason, count) in [
            ("stale", stale),
            ("far_stamp", far_stamp),
            ("undecodable", undecodable),
            ("unknown_kind", unknown_kind),
        ] {
            *dropped.entry(reason.into()).or_default() += count;
        }
    }

    let first = clients.iter().find_map(|client| disagreement(host, client, faults));
    let figures: Vec<_> = clients.iter().map(|client| client_figures(host, client)).collect();
    let mut ticks_us = host.gauge.ticks_us.clone();
    let client_ticks: f64 = figures.iter().map(|client| f64::from(client.ticks)).sum();
    let counted = f64::from(host.gauge.counted_ticks).max(1.0);
    Summary {
        version: NETWORK_VERSION,
        map: options.common.map.clone(),
        variant: options.common.variant.clone(),
        seed: options.common.seed,
        seconds: options.common.seconds.unwrap_or(0.0),
        host: HostFigures {
            ticks: host.ticks,
            tick_us: Spread::of(&mut ticks_us),
            cpu_us_per_client_tick: (host.gauge.cpu_us + host.stream_cpu_us) / client_ticks.max(1.0),
            allocations_per_tick: host.gauge.allocations as f64 / counted,
            rss_bytes: resident_bytes(),
        },
        clients: figures,
        players: host.scores.clone(),
        agreement: Agreement { verdict: if first.is_none() { "pass" } else { "fail" }, first },
        hits: Hits::of_all(&host.counters, clients.iter().map(|client| &client.counters)),
        kills: host.kills,
        refused,
        dropped,
    }
}

fn client_figures(host: &HostEnd, client: &ClientEnd) -> ClientFigures {
    let known = client.machine.and_then(|machine| host.clients.get(&machine));
    // The host forgets one that is gone; what it noted before is still true of it.
    let last_ms = || client.machine.and_then(|machine| host.course.last_trip(machine)).unwrap_or(0.0);
    let rtt_ms = known.map_or_else(last_ms, |(trip, ..)| f64::from(*trip) * 100.0 / 3.0);
    let (_, _, drift) = known.copied().unwrap_or_default();
    let ticks = f64::from(client.ticks).max(1.0);
    let flow = |flow: mjolnir_engine_glue::transport::Flow| crate::summary::Traffic {
        bytes_per_tick: flow.bytes() as f64 / ticks,
        datagrams_per_tick: flow.datagrams as f64 / ticks,
    };
    let own = |slot: Slot| client.own.contains(&slot);
    ClientFigures {
        machine: client.machine.map_or(0, Machine::get),
        name: client.name.clone(),
        joined: client.ticks > 0,
        join_ms: client.join_ms,
        ticks: client.ticks,
        rtt_ms,
        down: flow(client.traffic.received),
        up: flow(client.traffic.sent),
        own_corrections: client.counters.own_corrections + client.counters.own_vehicle_corrections,
        remote_error_wu: Errors::of(&mut client.recording.distances(&host.recording, own)),
        drift,
        disconnects: client.disconnects,
    }
}

/// The first disagreement between the host and a client; none where they agree, or where the client was lost in play to
/// a fault that was asked for: only damaged streams end a session.
fn disagreement(host: &HostEnd, client: &ClientEnd, faults: &Faults) -> Option<Disagreement> {
    let name_of = |slot: u8| {
        let player = host.players.iter().find(|player| player.slot == slot);
        player.map_or_else(|| format!("player {slot}"), |player| player.name.clone())
    };
    let plain = |field: &str, of_host: &str, of_client: &str, tick: i32| Disagreement {
        client_name: client.name.clone(),
        player_name: None,
        tick,
        player: 0xFF,
        field: field.into(),
        host: of_host.into(),
        client: of_client.into(),
    };
    let end = host.recording.lines.last().map_or(0, |line| line.tick);
    if client.ticks == 0 {
        return Some(plain("joined", "true", "false", end as i32));
    }
    if client.disconnects > 0 {
        let is_excused = faults.corrupt_stream > 0.0;
        return (!is_excused).then(|| plain("connection", "true", "false", end as i32));
    }
    let damages = faults.corrupt > 0.0 || faults.corrupt_stream > 0.0;
    let from = if damages { end.saturating_sub(CALM_SECONDS as u32 * 30) } else { 0 };
    let late =
        |lines: &[Line]| -> Vec<Line> { lines.iter().filter(|line| line.tick >= from).cloned().collect() };
    match judge(&late(&host.recording.lines), &late(&client.recording.judged(&host.recording.lines))).verdict
    {
        Verdict::Pass => None,
        Verdict::Fail(at) => Some(Disagreement {
            client_name: client.name.clone(),
            player_name: at.player.map(name_of),
            tick: at.tick as i32,
            player: at.player.unwrap_or(0xFF),
            field: at.field.name().into(),
            host: at.host,
            client: at.client,
        }),
        Verdict::Error(why) => Some(plain("log", "", &why.to_string(), end as i32)),
    }
}
