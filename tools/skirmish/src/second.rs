//! Each second's line of a machine's game, as logs and comparisons have it. Knows the world's players, not how they
//! came to be where they are.

use mjolnir_engine_glue::Counters;
use mjolnir_engine_glue::authority::Drift;
use mjolnir_net_compare as line;
use mjolnir_wire::objects::{CarriedWeapon, Inventory};
use mjolnir_wire::{ObjectId, Slot, Tick, Vec3};

use crate::game::powerups::CAMOUFLAGED;
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

/// The line of that tick. `counters` are the game's, `drift` is the host's of the second; a client's is all zeros.
///
/// How long a dead player waits is known where it is decided: a client's own waits for 0 ticks.
pub fn line(tick: Tick, world: &World, own: Option<Slot>, counters: &Counters, drift: Drift) -> line::Line {
    let players = world.players().filter(|(_, player)| !player.left);
    let view = own.map_or(line::View::default(), |slot| line::View {
        slot: Some(slot.get()),
        camera: places(camera(world, slot)),
        respawn: world.player(slot).map_or(0, |player| i32::from(player.wait)),
    });
    let objects = world.made_and_deleted();
    line::Line {
        tick: tick.get() as u32,
        items: line::Items {
            on_ground: world.lying() as u64,
            created: objects.made,
            deleted: objects.deleted,
            // One that decides has no place for them, one that is told cannot make them.
            failed: objects.failed + counters.failed,
            removed: counters.removed,
        },
        progress: if world.post_game_phase() > 0 {
            line::Progress::GameOver
        } else {
            line::Progress::Playing
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
    }
}

fn part(world: &World, slot: Slot, player: &Player) -> line::Player {
    let alive = world.unit(slot).and_then(|unit| {
        let placement = world.placement(unit)?;
        let vehicle = world.ride(unit).and_then(|(vehicle, _)| world.motion(vehicle));
        let vitality = world.vitality(unit)?;
        let degrees = |(yaw, pitch)| [yaw, pitch].map(|angle: f32| f64::from(angle).to_degrees());
        let carried = world.inventory(unit)?;
        let forward = placement.axes.forward;
        Some(line::Alive {
            // A rider's is its vehicle's (TOOL-56).
            position: places(vehicle.map_or(placement.position, |motion| motion.position)),
            riding: vehicle.is_some(),
            body: f64::from(vitality.body),
            shield: f64::from(vitality.shield),
            camouflaged: vitality.unit_flags & CAMOUFLAGED != 0,
            grenades: carried.grenades.map(i32::from),
            // Where its hands point, and where its player does: one, but in the tick of a word that turns it.
            aim: degrees(world.aim(slot)?),
            facing: f64::from(forward.y).atan2(f64::from(forward.x)).to_degrees().rem_euclid(360.0),
            look: degrees((player.input.yaw, player.input.pitch)),
            // A model's sheets of poses for where it aims and looks; what is not drawn has none.
            screens: [0; 2],
            animation: Animation::of(world, unit, player) as i32,
            throttle: throttle(player),
            weapons: weapons(world, &carried),
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

/// What a unit does, as a number; alike on every machine that has it do the same. Ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Animation {
    /// It stands still.
    Stands = 0,
    /// It moves on its feet.
    Moves = 1,
    /// It is crouched, and still.
    Crouches = 2,
    /// It moves crouched.
    Creeps = 3,
    /// It has no ground under it.
    Flies = 4,
    /// It sits in a vehicle.
    Rides = 5,
}

impl Animation {
    fn of(world: &World, unit: ObjectId, player: &Player) -> Self {
        let is_moving = player.input.throttle != [0.0; 2];
        match (world.ride(unit).is_some(), world.grounded(unit), world.crouched(unit), is_moving) {
            (true, ..) => Self::Rides,
            (_, false, ..) => Self::Flies,
            (.., true, false) => Self::Crouches,
            (.., true, true) => Self::Creeps,
            (.., false, false) => Self::Stands,
            (.., false, true) => Self::Moves,
        }
    }
}

/// What a unit carries, by its slots: each weapon's tag as it is sent, the rounds in it, and all its other rounds.
fn weapons(world: &World, carried: &Inventory) -> Vec<line::Weapon> {
    let weapon = |weapon: &CarriedWeapon| {
        let kind = world.kind(weapon.object)?;
        let [loaded, _] = weapon.loaded.map(i32::from);
        let [total, _] = weapon.total.map(i32::from);
        // Of the tag's number the lower half says which.
        Some(line::Weapon { tag: kind.tag().0 as u16, loaded, reserve: total - loaded })
    };
    carried.weapons.iter().flatten().filter_map(weapon).collect()
}

fn throttle(player: &Player) -> f64 {
    let [ahead, side] = player.input.throttle.map(f64::from);
    ahead.hypot(side).min(1.0)
}

fn places(at: Vec3) -> [f64; 3] {
    at.to_array().map(f64::from)
}

/// Where a local player sees from: its eyes, or a script's camera (COOP-61).
fn camera(world: &World, slot: Slot) -> Vec3 {
    let scripted = world.scripted_camera().map(|camera| camera.position);
    scripted.or_else(|| world.eyes(slot)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::kinds::Kind;
    use crate::game::{Map, Rules, Tuning, Vitality};
    use mjolnir_wire::game_state::GameState;
    use mjolnir_wire::{Buttons, Input};

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

    /// A world of one player, Ann, on a plane.
    fn plane() -> (World, Slot, ObjectId) {
        let map = Map::parse("bounds -90 -90 -9 90 90 90\nbox -90 -90 -1 90 90 0\nspawn 1 2 0 0").unwrap();
        let mut world = World::new(&map, 1, Tuning::default());
        let slot = Slot::new(0).unwrap();
        world.join(slot, "Ann", mjolnir_wire::Machine::HOST, Some(1));
        world.step(Tick::ZERO.next());
        let unit = world.unit(slot).unwrap();
        (world, slot, unit)
    }

    fn run(world: &mut World, slot: Slot, input: Input, ticks: u32) {
        world.drive(slot, input);
        for _ in 0..ticks {
            world.step(world.tick().next());
        }
    }

    fn alive(world: &World) -> line::Alive {
        let line = line(world.tick(), world, None, &Counters::default(), Drift::default());
        line.players[0].alive.clone().unwrap()
    }

    /// TOOL-09, TOOL-56: a living player's part has what it carries, slot for slot, each weapon by its tag's lower half with
    /// the rounds in it and those besides; its grenades, camouflage, aim, look and throttle.
    #[test]
    fn a_line_has_all_of_a_living_player() {
        let (mut world, slot, unit) = plane();
        let rifle = world.give(slot, Kind::Rifle).unwrap();
        let plasma = world.give(slot, Kind::Plasma).unwrap();
        assert!(world.set_weapon(rifle, 100, 21, 0) && world.set_weapon(plasma, 0, 0, 655));
        let carried = world.inventory(unit).unwrap();
        assert!(world.set_inventory(&Inventory { grenades: [3, 1], ..carried }));
        let yaw = std::f32::consts::FRAC_PI_2;
        let backs = Input { throttle: [-0.3, 0.4], yaw, pitch: -0.5, ..Input::default() };
        run(&mut world, slot, backs, 1);
        let vitality = world.vitality(unit).unwrap();
        assert!(world.set_vitality(unit, Vitality { body: 0.5, shield: 0.25, unit_flags: 1, ..vitality }));
        let [x, y, z] = places(world.position(slot).unwrap());
        assert_eq!(
            alive(&world).to_string(),
            format!(
                "({x:.3} {y:.3} {z:.3}) h0.50/0.25 camo g3/1 w a90.0/-28.6 f90.0 l90.0/-28.6 as0/0 st1 thr0.50 \
                 0001:21+79 0003:0+0"
            )
        );
        // It looks about, and its body stays as it stands.
        let looks = Input { buttons: Buttons::LOOK_WITHOUT_TURNING, yaw: 0.0, ..Input::default() };
        run(&mut world, slot, looks, 1);
        let alive = alive(&world);
        assert_eq!((alive.aim[0], alive.look[0], alive.facing.round()), (0.0, 0.0, 90.0));
        assert!(world.erase(rifle));
        assert_eq!(self::alive(&world).weapons.iter().map(|weapon| weapon.tag).collect::<Vec<_>>(), [3]);
    }

    /// TOOL-09: each thing that a unit does has its number.
    #[test]
    fn a_line_has_what_a_unit_does() {
        let (mut world, slot, _) = plane();
        let (still, ahead) = (Input::default(), Input { throttle: [1.0, 0.0], ..Input::default() });
        let holds = |input, buttons| Input { buttons, ..input };
        for (input, ticks, number) in [
            (still, 30, 0),
            (ahead, 30, 1),
            (holds(still, Buttons::CROUCH), 30, 2),
            (holds(ahead, Buttons::CROUCH), 30, 3),
            (still, 30, 0),
            (holds(still, Buttons::JUMP), 3, 4),
            (still, 60, 0),
        ] {
            run(&mut world, slot, input, ticks);
            assert_eq!(alive(&world).animation, number, "{input:?}");
        }
    }

    /// TOOL-56: a rider's position is its vehicle's, whichever its seat.
    #[test]
    fn a_line_has_a_rider_where_its_vehicle_is() {
        let (mut world, slot, unit) = plane();
        let car = world.spawn(Kind::Car, Vec3::new(20.0, 5.0, 1.0)).unwrap();
        run(&mut world, slot, Input::default(), 60);
        for seat in [0, 1] {
            assert!(world.set_seat(unit, Some((car, seat))));
            run(&mut world, slot, Input { throttle: [1.0, 0.0], ..Input::default() }, 40);
            let alive = alive(&world);
            let [of_car, of_unit] =
                [world.motion(car).unwrap().position, world.position(slot).unwrap()].map(places);
            assert_eq!((alive.position, alive.riding, alive.animation), (of_car, true, 5));
            assert!(of_unit != of_car, "a seat is beside the middle");
        }
        assert!(world.set_seat(unit, None));
        let alive = alive(&world);
        assert_eq!((alive.position, alive.riding), (places(world.position(slot).unwrap()), false));
    }

    /// TOOL-09: the line says that the game is over from the tick on in which it is, where it is told so too.
    #[test]
    fn a_line_says_that_the_game_is_over() {
        let mut world = World::new(&Map::named("flat").unwrap(), 1, Tuning::default());
        world.set_role(crate::game::Role::Client);
        world.set_rules(Rules::named("slayer"));
        let progress =
            |world: &World| line(Tick::ZERO, world, None, &Counters::default(), Drift::default()).progress;
        assert_eq!(progress(&world), line::Progress::Playing);
        let state = world.game_state().unwrap();
        assert!(world.set_game_state(&GameState { post_game_phase: 1, ..state }));
        assert_eq!(progress(&world), line::Progress::GameOver);
    }

    /// TOOL-67: what could not be made counts as failed whoever it was that could not, and what was removed is the netcode's.
    #[test]
    fn a_line_has_what_failed_and_what_was_removed() {
        let (mut world, ..) = plane();
        while world.spawn(Kind::Medkit, Vec3::UP).is_some() {}
        let counters = Counters { failed: 2, removed: 3, ..Counters::default() };
        let text = line(Tick::ZERO, &world, None, &counters, Drift::default()).to_string();
        assert!(text.contains(" (+4096 -0 !3 x3) | "), "{text}");
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
