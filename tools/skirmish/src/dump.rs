//! A machine's state as `--dump` writes it: a JSON line whose names and shape are fixed. Knows the world, not how it
//! came to be so.

use std::collections::BTreeMap;

use mjolnir_engine_glue::{Counters, transport};
use mjolnir_wire::{Machine, ObjectId, Slot, Tick, Vec3};
use serde::Serialize;

use crate::game::{Kind, Player, Role, World};
use crate::happenings::Happening;
use crate::seam::Said;
use crate::summary::Hits;

/// Ticks from one line to the next.
const PERIOD: i32 = 30;

/// One line.
#[derive(Clone, Debug, Serialize)]
pub struct Dump {
    tick: i32,
    machine: u8,
    role: &'static str,
    slots: Vec<u8>,
    players: Vec<PlayerState>,
    objects: Vec<ObjectState>,
    chat: Vec<Said>,
    events: Vec<Happening>,
    counters: Totals,
}

#[derive(Clone, Debug, Serialize)]
struct PlayerState {
    slot: u8,
    name: String,
    machine: u8,
    team: Option<u8>,
    alive: bool,
    position: Option<[f32; 3]>,
    health: f32,
    shield: f32,
    /// The index of the vehicle that it rides.
    riding: Option<u16>,
    /// The weapon in hand, and all rounds left for it.
    weapon: Option<&'static str>,
    rounds: Option<i16>,
    score: i32,
    kills: u16,
    deaths: u16,
}

#[derive(Clone, Debug, Serialize)]
struct ObjectState {
    index: usize,
    identifier: u16,
    kind: &'static str,
    position: [f32; 3],
    at_rest: bool,
    carried: bool,
}

#[derive(Clone, Debug, Serialize)]
struct Totals {
    sent: u64,
    received: u64,
    corrected: u64,
    refused: BTreeMap<&'static str, u64>,
    dropped: Dropped,
    hits: Hits,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Dropped {
    stale: u64,
    far_stamp: u64,
    undecodable: u64,
    unknown_kind: u64,
}

/// Whether a line is due at that tick.
pub const fn is_due(tick: Tick) -> bool {
    tick.get() % PERIOD == 0
}

impl Dump {
    /// That machine's state, with what was said and what happened since the last line.
    pub fn new(
        machine: Machine,
        own: Vec<Slot>,
        world: &World,
        counters: Counters,
        chat: Vec<Said>,
        events: Vec<Happening>,
    ) -> Self {
        Self {
            tick: world.tick().get(),
            machine: machine.get(),
            role: match world.role() {
                Role::Host => "host",
                Role::Client => "client",
                Role::Local => "local",
            },
            slots: own.into_iter().map(Slot::get).collect(),
            players: world
                .players()
                .filter(|(_, player)| !player.left)
                .map(|(slot, player)| PlayerState::of(world, slot, player))
                .collect(),
            objects: world.objects().filter_map(|object| ObjectState::of(world, object)).collect(),
            chat,
            events,
            counters: counters.into(),
        }
    }
}

impl PlayerState {
    fn of(world: &World, slot: Slot, player: &Player) -> Self {
        let vitality = world.unit(slot).and_then(|unit| world.vitality(unit));
        let in_hand = world.unit(slot).and_then(|unit| world.in_hand(unit));
        let riding = world.unit(slot).and_then(|unit| world.ride(unit));
        Self {
            slot: slot.get(),
            name: player.name.clone(),
            machine: player.machine.get(),
            team: player.team,
            alive: vitality.is_some(),
            position: world.position(slot).map(Vec3::to_array),
            health: vitality.map_or(0.0, |vitality| vitality.body),
            shield: vitality.map_or(0.0, |vitality| vitality.shield),
            riding: riding.map(|(vehicle, _)| vehicle.index() as u16),
            weapon: in_hand.map(|(kind, _)| kind.name()),
            rounds: in_hand.map(|(_, rounds)| rounds),
            score: player.score(),
            kills: player.kills(),
            deaths: player.deaths(),
        }
    }
}

impl ObjectState {
    fn of(world: &World, object: ObjectId) -> Option<Self> {
        let made = world.describe(object)?;
        Some(Self {
            index: object.index(),
            identifier: object.identifier(),
            kind: world.kind(object).map_or("object", Kind::name),
            position: made.position.to_array(),
            // A unit that stands is as still as what lies.
            at_rest: made.at_rest || !made.dead && !made.carried && made.velocity == Vec3::ZERO,
            carried: made.carried,
        })
    }
}

impl From<Counters> for Totals {
    fn from(counters: Counters) -> Self {
        let transport::Dropped { stale, far_stamp, undecodable, unknown_kind } = counters.dropped;
        Self {
            sent: counters.sent,
            received: counters.received,
            corrected: counters.corrected + counters.own_corrections + counters.own_vehicle_corrections,
            hits: Hits::of(&counters),
            refused: counters.refused,
            dropped: Dropped { stale, far_stamp, undecodable, unknown_kind },
        }
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_engine_glue::Counters;

    use super::*;
    use crate::game::{Map, Tuning};
    use crate::happenings::Happenings;
    use crate::seam::Whom;

    /// The line letter for letter, as scripts read it.
    #[test]
    fn a_line_has_every_name() {
        let slot = Slot::new(2).unwrap();
        let map = Map::parse("bounds -9 -9 -9 9 9 9\nbox -9 -9 -1 9 9 0\nspawn 1 2 0 0").unwrap();
        let mut world = World::new(&map, 1, Tuning::default());
        world.join(slot, "Ann", Machine::HOST, Some(1));
        let mut happenings = Happenings::default();
        happenings.join(slot, "Ann");
        happenings.set_tick(Tick::new(30).unwrap());
        world.step(Tick::new(30).unwrap());
        let counters = Counters {
            sent: 3,
            corrected: 1,
            own_corrections: 1,
            own_vehicle_corrections: 1,
            refused: [("stale", 4)].into(),
            hits: mjolnir_engine_glue::Hits { reported: 7, dealt: 4, rejected: 3, replayed: 2 },
            ..Default::default()
        };
        let line = |slot, channel| Said { tick: 29, slot, channel, text: "go".into(), views: Vec::new() };
        let said = vec![line(Some(2), Whom::Vehicle), line(None, Whom::Notice)];
        let dump = Dump::new(Machine::HOST, vec![slot], &world, counters, said, happenings.take());
        assert_eq!(
            serde_json::to_string(&dump).unwrap(),
            r#"{"tick":30,"machine":0,"role":"local","slots":[2],"players":[{"slot":2,"name":"Ann","machine":0,"#.to_owned()
                + r#""team":1,"alive":true,"position":[1.0,2.0,0.0],"health":1.0,"shield":1.0,"riding":null,"#
                + r#""weapon":null,"rounds":null,"score":0,"kills":0,"deaths":0}],"objects":[{"index":0,"#
                + r#""identifier":1,"kind":"biped","position":[1.0,2.0,0.0],"at_rest":true,"carried":false}],"#
                + r#""chat":[{"tick":29,"slot":2,"channel":"vehicle","text":"go"},{"tick":29,"channel":"notice","#
                + r#""text":"go"}],"events":[{"tick":30,"kind":"join","slot":2,"text":"Ann"}],"counters":{"sent":3,"#
                + r#""received":0,"corrected":3,"refused":{"stale":4},"dropped":{"stale":0,"far_stamp":0,"#
                + r#""undecodable":0,"unknown_kind":0},"hits":{"reported":7,"dealt":4,"rejected":3,"replayed":2}}}"#
        );
    }

    #[test]
    fn a_line_is_due_at_each_tick_that_thirty_divides() {
        let due = |tick| is_due(Tick::new(tick).unwrap());
        assert!(due(0) && due(30) && due(65_520) && !due(29) && !due(31));
    }
}
