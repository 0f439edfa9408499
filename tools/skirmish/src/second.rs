//! Each second's line of a machine's game, as logs and comparisons have it. Knows the world's players, not how they
//! came to be where they are.

use mjolnir_engine_glue::Counters;
use mjolnir_engine_glue::authority::Drift;
use mjolnir_net_compare as line;
use mjolnir_wire::{Slot, Tick, Vec3};

use crate::game::{Player, World};

/// Says when a line is due: at the first tick at or after each multiple of 30.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seconds {
    next: i32,
}

impl Seconds {
    /// Whether that tick has a line.
    pub const fn due(&mut self, tick: Tick) -> bool {
        // A tick before the last second is another game's.
        let due = tick.get() >= self.next || tick.get() < self.next - 30;
        if due {
            self.next = (tick.get() / 30).saturating_add(1).saturating_mul(30);
        }
        due
    }
}

/// The line of that tick. `drift` is the host's of the second; a client's is all zeros.
pub fn line(tick: Tick, world: &World, own: Option<Slot>, counters: &Counters, drift: Drift) -> line::Line {
    let players = world.players().filter(|(_, player)| !player.left);
    let view = own.map_or(line::View::default(), |slot| line::View {
        slot: Some(slot.get()),
        camera: places(world.eyes(slot).unwrap_or_default()),
        respawn: world.player(slot).map_or(0, |player| i32::from(player.wait)),
    });
    let objects = world.made_and_deleted();
    line::Line {
        tick: tick.get() as u32,
        items: line::Items {
            on_ground: world.lying() as u64,
            created: objects.made,
            deleted: objects.deleted,
            failed: objects.failed,
            // The netcode deletes what a full list does not name as it deletes all else.
            removed: 0,
        },
        to_win: world.rules().map_or(0, |rules| rules.score_limit),
        players: players.map(|(slot, player)| part(world, slot, player)).collect(),
        counts: line::Counts {
            sent: counters.sent,
            received: counters.received,
            corrected: counters.corrected + counters.own_corrections + counters.own_vehicle_corrections,
        },
        hits: line::HitCounts {
            reported: counters.hits.reported,
            dealt: counters.hits.dealt,
            rejected: counters.hits.rejected,
            replayed: counters.hits.replayed,
        },
        view,
        drift: Some(line::Drift {
            ticks: u64::from(drift.ticks),
            apart: u64::from(drift.apart),
            mean: f64::from(drift.mean),
            largest: f64::from(drift.largest),
        }),
        ..line::Line::default()
    }
}

fn part(world: &World, slot: Slot, player: &Player) -> line::Player {
    let alive = world.unit(slot).and_then(|unit| {
        let placement = world.placement(unit)?;
        let vehicle = world.ride(unit).and_then(|(vehicle, _)| world.motion(vehicle));
        let vitality = world.vitality(unit)?;
        let (yaw, pitch) = world.aim(slot)?;
        let (yaw, pitch) = (f64::from(yaw).to_degrees(), f64::from(pitch).to_degrees());
        let forward = placement.axes.forward;
        Some(line::Alive {
            // A rider's is its vehicle's (TOOL-56).
            position: places(vehicle.map_or(placement.position, |motion| motion.position)),
            riding: vehicle.is_some(),
            body: f64::from(vitality.body),
            shield: f64::from(vitality.shield),
            camouflaged: vitality.unit_flags & 1 != 0,
            aim: [yaw, pitch],
            facing: f64::from(forward.y).atan2(f64::from(forward.x)).to_degrees().rem_euclid(360.0),
            look: [yaw, pitch],
            throttle: throttle(player),
            ..line::Alive::default()
        })
    });
    line::Player {
        slot: slot.get(),
        alive,
        record: line::Record {
            score: player.score(),
            kills: player.kills().into(),
            deaths: player.deaths().into(),
            team_kills: player.statistics.friendly_fire_kills.into(),
            team: player.team.map_or(-1, i32::from),
            machine: i32::from(player.machine.get()),
        },
    }
}

fn throttle(player: &Player) -> f64 {
    let [ahead, side] = player.input.throttle.map(f64::from);
    ahead.hypot(side).min(1.0)
}

fn places(at: Vec3) -> [f64; 3] {
    at.to_array().map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::kinds::Kind;
    use crate::game::{Map, Rules, Tuning};

    /// GLUE-13, DMG-55: the counters' hits are the line's, each under its own word.
    #[test]
    fn a_line_has_the_counters_hits() {
        let world = World::new(&Map::named("flat").unwrap(), 1, Tuning::default());
        let hits = mjolnir_engine_glue::Hits { reported: 9, dealt: 6, rejected: 3, replayed: 2 };
        let counters = Counters { hits, ..Counters::default() };
        let text = line(Tick::ZERO, &world, None, &counters, Drift::default()).to_string();
        assert!(text.contains(" | hits 9 dealt 6 rejected 3 replayed 2 | "), "{text}");
    }

    /// TOOL-66: what was made and deleted is counted from the game's start, what lies about as it is, and what is played to is
    /// the variant's.
    #[test]
    fn a_line_has_the_objects() {
        let mut world = World::new(&Map::named("flat").unwrap(), 1, Tuning::default());
        let items =
            |world: &World| line(Tick::ZERO, world, None, &Counters::default(), Drift::default()).items;
        let before = items(&world);
        let at = Vec3::new(3.0, 3.0, 1.0);
        let [rifle, _] = [Kind::Rifle, Kind::Medkit].map(|kind| world.spawn(kind, at).unwrap());
        assert!(world.erase(rifle));
        let now = items(&world);
        let more =
            [now.created - before.created, now.deleted - before.deleted, now.on_ground - before.on_ground];
        assert_eq!((more, now.failed, now.removed), ([2, 1, 1], 0, 0));
        world.set_rules(Rules::named("slayer"));
        let text = line(Tick::ZERO, &world, None, &Counters::default(), Drift::default()).to_string();
        let limit = world.rules().unwrap().score_limit;
        assert!(limit > 0 && text.contains(&format!(" | playing to {limit} | ")), "{text}");
    }

    #[test]
    fn a_line_is_due_once_a_second_whatever_ticks_are_left_out() {
        let mut seconds = Seconds::default();
        let due: Vec<i32> = [0, 1, 29, 31, 32, 60, 61, 89, 125, 149, 150]
            .into_iter()
            .filter(|tick| seconds.due(Tick::new(*tick).unwrap()))
            .collect();
        assert_eq!(due, [0, 31, 60, 125, 150]);
        let again: Vec<bool> = [1, 2, 29, 30].map(|tick| seconds.due(Tick::new(tick).unwrap())).into();
        assert_eq!(again, [true, false, false, true]);
    }
}
