//! Damage at the seam: what the tags say, what a world's hits and blows become for the netcode, and its word carried out.
//! Knows no message.

use mjolnir_engine_glue::damage;
use mjolnir_engine_glue::engine::Harm;
use mjolnir_wire::damage::{DamageEvent, Hit};
use mjolnir_wire::{ObjectId, Slot, Tag, Vec3};

use super::Game;
use crate::game::effects::{self, Effect};
use crate::game::objects::BIPED;
use crate::game::world::CRATE_MIDDLE;
use crate::game::{Player, World};

impl damage::Tags for Game {
    fn effect(&self, effect: Tag) -> Option<damage::Effect> {
        let effect = Effect::of(effect)?;
        let form = match effect.form {
            effects::AreaForm::Direct => damage::AreaForm::Direct,
            effects::AreaForm::Area => damage::AreaForm::Area,
            effects::AreaForm::Both => damage::AreaForm::Both,
        };
        Some(damage::Effect { radius: effect.radius, falls_off: effect.falls_off(), form })
    }

    fn deals(&self, source: Tag, effect: Tag) -> Option<damage::Deals> {
        let effects::Dealing { means, per_second, projectiles } = effects::deals(source, effect)?;
        let means = match means {
            effects::Means::Flight { reach, sets_off, ticks } => {
                let reach = reach.map_or(damage::Reach::Unbounded, damage::Reach::Within);
                damage::Means::Flight(damage::Flight { reach, sets_off, ticks })
            }
            effects::Means::Melee { reach } => damage::Means::Melee { reach },
            effects::Means::Collision { push, whole_at } => damage::Means::Collision { push, whole_at },
        };
        Some(damage::Deals { means, rate: damage::Rate { per_second, projectiles } })
    }

    fn fall_off(&self, effect: Tag, distance: f32) -> f32 {
        Effect::of(effect).map_or(1.0, |effect| effect.fall_off(distance))
    }

    fn flags(&self) -> damage::Flags {
        damage::Flags { client: effects::CLIENT, area: effects::AREA }
    }
}

impl damage::World for Game {
    fn target(&self, object: ObjectId) -> Option<damage::Target> {
        let world = self.world.as_ref()?;
        if let Some(size) = world.crate_size(object) {
            let motion = world.motion(object)?;
            return Some(damage::Target {
                place: motion.position,
                velocity: motion.velocity,
                size,
                centre: CRATE_MIDDLE,
                nodes: 1,
                regions: 1,
                materials: 1,
            });
        }
        let shape = world.shape(object)?;
        Some(damage::Target {
            place: shape.place,
            velocity: shape.velocity,
            size: shape.size,
            centre: shape.centre,
            nodes: shape.nodes,
            regions: shape.regions,
            materials: shape.materials,
        })
    }
}

impl Harm for Game {
    fn read_harm(&self, players: &mut Vec<damage::PlayerRow>, targets: &mut Vec<damage::TargetRow>) {
        let Some(world) = &self.world else { return };
        let there = world.players().filter(|(_, player)| !player.left);
        for (slot, player) in there {
            players.push(self.player_row(world, slot, player));
            targets.extend(world.unit(slot).and_then(|unit| target_row(world, unit)));
        }
        let is_ridden =
            |id: &ObjectId| world.riders(*id).is_some_and(|seats| seats.iter().any(Option::is_some));
        targets.extend(world.objects().filter(is_ridden).filter_map(|vehicle| target_row(world, vehicle)));
        targets.extend(self.actors_in_reach().filter_map(|unit| target_row(world, unit)));
    }

    fn take_throws(&mut self, throws: &mut Vec<damage::Throw>) {
        let Some(world) = &mut self.world else { return };
        let mut thrown = Vec::new();
        world.take_throws(&mut thrown);
        throws.extend(thrown.into_iter().map(|(slot, grenade)| damage::Throw { slot, grenade }));
    }

    fn take_hits(&mut self, hits: &mut Vec<Hit>) {
        if let Some(world) = &mut self.world {
            world.take_hits(hits);
        }
    }

    fn deal(&mut self, hit: &Hit) {
        if let Some(world) = &mut self.world {
            world.deal_hit(hit);
        }
    }

    fn take_dealt(&mut self, events: &mut Vec<DamageEvent>) {
        self.gather_dealt();
        events.append(&mut self.dealt);
    }

    fn apply_damage(&mut self, command: &damage::Command) {
        let Some(world) = &mut self.world else { return };
        match command {
            damage::Command::Show(event) => {
                world.show(event);
            }
            damage::Command::Replay(event) => {
                world.replay(event);
            }
            damage::Command::Kill(event) => {
                world.replay_kill(event);
            }
            damage::Command::Break(event) => {
                // Crates are all that breaks by damage; a device takes none.
                if let Some(object) = event.object {
                    world.break_crate(object);
                }
            }
            damage::Command::KillSilently { unit } => {
                world.kill_silently(*unit);
            }
        }
    }
}

impl Game {
    /// Notes where players are: of one that is dead it is where it died.
    pub(super) fn note_places(&mut self) {
        let Some(world) = &self.world else { return };
        for slot in Slot::all() {
            if let Some(place) = place_of(world, slot) {
                self.places[slot.index()] = place;
            }
        }
    }

    fn player_row(&self, world: &World, slot: Slot, player: &Player) -> damage::PlayerRow {
        let unit = world.unit(slot);
        let carried = unit.and_then(|unit| world.inventory(unit)).map(|inventory| inventory.weapons);
        let tag = |object: ObjectId| world.describe(object).map(|made| made.tag);
        let mut weapons =
            carried.unwrap_or_default().map(|weapon| weapon.and_then(|weapon| tag(weapon.object)));
        // A unit itself strikes blows. Its last places are for what a game is about, which deals nothing.
        if let Some(free) =
            weapons.iter_mut().rev().find(|weapon| weapon.is_none()).filter(|_| unit.is_some())
        {
            *free = Some(BIPED);
        }
        let teams = world.rules().is_some_and(|rules| rules.teams);
        damage::PlayerRow {
            slot,
            machine: player.machine,
            unit,
            place: place_of(world, slot).unwrap_or(self.places[slot.index()]),
            riding: unit.and_then(|unit| riding(world, slot, unit)),
            weapons,
            team: player.team.filter(|_| teams).map(u16::from),
            multiplier: 1.0,
        }
    }
}

/// Where a living player is, of a rider its vehicle.
fn place_of(world: &World, slot: Slot) -> Option<Vec3> {
    let unit = world.unit(slot)?;
    let vehicle = world.ride(unit).and_then(|(vehicle, _)| world.motion(vehicle));
    vehicle.map(|motion| motion.position).or_else(|| world.position(slot))
}

fn riding(world: &World, slot: Slot, unit: ObjectId) -> Option<damage::Riding> {
    let (vehicle, _) = world.ride(unit)?;
    let seat = damage::Seat {
        drives: world.driver(vehicle) == Some(slot),
        guns: world.gunner(vehicle) == Some(slot),
    };
    let tag = world.describe(vehicle)?.tag;
    Some(damage::Riding { vehicle, tag, size: world.shape(vehicle)?.size, seat })
}

fn target_row(world: &World, object: ObjectId) -> Option<damage::TargetRow> {
    let shape = world.shape(object)?;
    Some(damage::TargetRow { object, place: shape.place, velocity: shape.velocity, size: shape.size })
}

#[cfg(test)]
mod tests {
    use mjolnir_engine_glue::authority;
    use mjolnir_engine_glue::damage::{Tags as _, World as _};
    use mjolnir_engine_glue::engine::{Player as Joins, Players as _, Role, Session as _};
    use mjolnir_wire::damage::{AnimationKind, Damage, DamageAnimation, EventKind, KillFlags, Parts};
    use mjolnir_wire::packets::SettingsRecord;
    use mjolnir_wire::packets::text::Chars;
    use mjolnir_wire::units::Death;
    use mjolnir_wire::{Axes, Machine, Tick};

    use super::*;
    use crate::game::{Kind, Made, Rules};
    use crate::seam::{ANIMATIONS, HARD, OF_A_KIND, Setup, level_of};

    fn slot(index: u8) -> Slot {
        Slot::new(index).unwrap()
    }

    fn machine(index: u8) -> Machine {
        Machine::new(index).unwrap()
    }

    /// Ann at the host, Bob at another machine, in a game of that variant on that map.
    fn game(map: &str, variant: &str, role: Role) -> Game {
        let mut settings = SettingsRecord::empty();
        settings.map = Chars::new(&level_of(map)).unwrap();
        Rules::named(variant).unwrap().write(variant, &mut settings);
        let mut game = Game::new(Setup { harm: true, ..Setup::default() });
        game.load(&settings, role);
        for (index, name) in [(0, "Ann"), (1, "Bob")] {
            let (slot, machine) = (slot(index), machine(index));
            game.add_player(&Joins { slot, machine, team: index, name, local: None });
            game.admit_player(slot);
        }
        game.simulate(Tick::ZERO.next());
        game
    }

    fn rows(game: &Game) -> (Vec<damage::PlayerRow>, Vec<damage::TargetRow>) {
        let (mut players, mut targets) = (Vec::new(), Vec::new());
        game.read_harm(&mut players, &mut targets);
        (players, targets)
    }

    /// What a weapon's shot, a grenade and a blow deal is told as the game has it, and of what deals nothing nothing is.
    #[test]
    fn tags_are_told_as_the_game_has_them() {
        let game = game("flat", "slayer", Role::Host);
        let firing = Kind::Pistol.firing().unwrap();
        let slug = game.deals(Kind::Pistol.tag(), effects::SLUG.tag).unwrap();
        assert!(matches!(slug.means, damage::Means::Flight(_)));
        assert!((slug.rate.per_second - 30.0 / f32::from(firing.every)).abs() < 0.01);
        assert_eq!(game.deals(Kind::Rifle.tag(), effects::SLUG.tag), None);
        assert_eq!(game.deals(Kind::Medkit.tag(), effects::SLUG.tag), None);
        let reach = effects::BLOW_REACH;
        assert_eq!(game.deals(BIPED, effects::BLOW.tag).unwrap().means, damage::Means::Melee { reach });
        let blast = damage::Tags::effect(&game, effects::FRAG_BLAST.tag).unwrap();
        assert!(blast.radius > 0.0 && blast.falls_off);
        assert_eq!(game.fall_off(effects::FRAG_BLAST.tag, 0.0), 1.0);
        assert_eq!(game.fall_off(effects::FRAG_BLAST.tag, blast.radius + 0.1), 0.0);
        let slug = damage::Tags::effect(&game, effects::SLUG.tag).unwrap();
        assert_eq!((slug.radius, slug.form), (0.0, damage::AreaForm::Direct));
        assert_eq!(damage::Tags::effect(&game, Tag(1)), None);
        assert_eq!(game.flags(), damage::Flags { client: effects::CLIENT, area: effects::AREA });
    }

    /// DMG-57: a row for each player who has not left, with what it carries and what its unit strikes with; of a dead one its
    /// place is where it died. A target for each living one.
    #[test]
    fn players_are_told_as_they_are() {
        let mut game = game("flat", "slayer", Role::Host);
        let world = game.world_mut().unwrap();
        world.give(slot(1), Kind::Pistol);
        let died = Vec3::new(3.0, 4.0, 0.0);
        world.move_to(slot(0), died);
        let unit = world.unit(slot(1)).unwrap();
        game.simulate(Tick::ZERO.plus(2));
        let (players, targets) = rows(&game);
        assert_eq!((players.len(), targets.len()), (2, 2));
        let bob = players[1];
        assert_eq!((bob.slot, bob.machine, bob.unit), (slot(1), machine(1), Some(unit)));
        let has = |tag| bob.weapons.contains(&Some(tag));
        assert!(has(Kind::Pistol.tag()) && has(BIPED) && !has(Kind::Rifle.tag()));
        assert_eq!((bob.team, bob.multiplier, bob.riding), (None, 1.0, None));
        assert_eq!(targets[1].object, unit);
        assert_eq!(targets[1].place, game.world().unwrap().position(slot(1)).unwrap());

        let there = game.world().unwrap().position(slot(0)).unwrap();
        game.world_mut().unwrap().kill(slot(0), None);
        game.simulate(Tick::ZERO.plus(3));
        let (players, targets) = rows(&game);
        assert_eq!((players[0].unit, players[0].place, targets.len()), (None, there, 1));
        assert_eq!(players[0].weapons, [None; 4]);
        game.remove_player(slot(1));
        assert_eq!(rows(&game).0.len(), 1);
    }

    /// Teams are told where teams play.
    #[test]
    fn teams_are_told_where_there_are_any() {
        for (variant, teams) in [("slayer", [None, None]), ("team_slayer", [Some(0), Some(1)])] {
            let game = game("flat", variant, Role::Host);
            assert_eq!([0, 1].map(|index| rows(&game).0[index].team), teams, "{variant}");
        }
    }

    /// DMG-07, 11: who rides is where its vehicle is, and what its seat is for is told; a ridden vehicle is a target.
    #[test]
    fn a_rider_is_told_with_its_vehicle() {
        let mut game = game("flat", "slayer", Role::Host);
        let world = game.world_mut().unwrap();
        let place = world.position(slot(0)).unwrap() + Vec3::new(1.0, 0.0, 0.0);
        let (empty, vehicle) =
            (world.spawn(Kind::Car, place).unwrap(), world.spawn(Kind::Car, place).unwrap());
        for (index, seat) in [(0, 0), (1, 1)] {
            let unit = world.unit(slot(index)).unwrap();
            world.set_seat(unit, Some((vehicle, seat)));
        }
        let (players, targets) = rows(&game);
        let at = game.world().unwrap().motion(vehicle).unwrap().position;
        for (row, drives) in players.iter().zip([true, false]) {
            let riding = row.riding.unwrap();
            assert_eq!((riding.vehicle, riding.tag, riding.seat.drives), (vehicle, Kind::Car.tag(), drives));
            assert!(row.place == at && riding.size > 0.0);
        }
        let named: Vec<_> = targets.iter().map(|row| row.object).collect();
        assert!(named.contains(&vehicle) && !named.contains(&empty) && named.len() == 3);
    }

    /// DMG-21, 34, 53: what can be hurt is a target as it stands, a crate too until it is broken; nothing else is.
    #[test]
    fn what_can_be_hurt_is_a_target() {
        let mut game = game("arena", "slayer", Role::Host);
        let world = game.world().unwrap();
        let of_kind = |kind| world.objects().find(|id| world.kind(*id) == Some(kind)).unwrap();
        let (unit, holds, rifle) = (world.unit(slot(0)).unwrap(), of_kind(Kind::Crate), of_kind(Kind::Rifle));
        let head = game.target(unit).unwrap();
        assert!(head.nodes >= 1 && head.size >= World::standing_height() && head.centre.z > 0.0);
        let whole = game.target(holds).unwrap();
        assert!(whole.size > CRATE_MIDDLE.z && whole.centre == CRATE_MIDDLE && whole.nodes == 1);
        assert_eq!(game.target(rifle), None);
        assert_eq!(game.target(ObjectId::new(4000, 7).unwrap()), None);
        game.world_mut().unwrap().break_crate(holds);
        assert_eq!(game.target(holds), None);
    }

    fn event(kind: EventKind, object: ObjectId, player: Option<Slot>, owner: Option<Slot>) -> DamageEvent {
        let damage = Damage {
            effect: effects::SLUG.tag,
            flags: 0,
            owner,
            team: None,
            owner_object: None,
            origin: Vec3::ZERO,
            epicentre: Vec3::ZERO,
            direction: Vec3::new(1.0, 0.0, 0.0),
            scale: 1.0,
            multiplier: 1.0,
            material_effect_scale: 1.0,
            material: None,
        };
        DamageEvent {
            kind,
            player,
            kill: KillFlags::default(),
            object: Some(object),
            damage,
            being_damaged_flags: 0,
            shield_damage: 1.0,
            body_damage: 1.0,
            body_multiplier: 1.0,
            total_damage: 2.0,
            body_part: None,
            parts: Parts::default(),
            killer_score: 3,
        }
    }

    /// A client's game in which both players live.
    fn client() -> (Game, [ObjectId; 2]) {
        let mut game = game("arena", "slayer", Role::Client);
        let units = [0, 1].map(|index| {
            let unit = ObjectId::new(300 + u16::from(index), 1).unwrap();
            let place = Vec3::new(f32::from(index) * 2.0, 6.0, 0.0);
            let world = game.world_mut().unwrap();
            world.make_at(&Made { axes: Axes::UPRIGHT, ..Made::plain(unit, BIPED, place) });
            game.apply_state(&authority::Command::Own { slot: slot(index), unit });
            unit
        });
        game.simulate(Tick::ZERO.plus(2));
        game.happenings().take();
        (game, units)
    }

    fn deaths(game: &mut Game) -> Vec<(Option<u8>, Option<u8>)> {
        let all = game.happenings().take();
        let died = all.iter().filter(|happening| happening.kind == crate::happenings::Kind::Death);
        died.map(|happening| (happening.slot, happening.killer)).collect()
    }

    fn is_dead(game: &Game, index: usize) -> bool {
        let mut rows = Vec::new();
        game.read_units(&mut rows);
        matches!(rows[index].state.life, mjolnir_wire::units::Life::Dead(_))
    }

    /// DMG-39, 48: a state that says a player is dead announces nothing, and its unit stands; its blow announces the death once,
    /// with its killer, and another one nothing. One whose blow comes first is dead by it.
    #[test]
    fn a_death_is_announced_once_by_its_blow() {
        for state_first in [true, false] {
            let (mut game, [_, unit]) = client();
            let die = authority::Command::Die { slot: slot(1), death: Death::default() };
            let kill =
                damage::Command::Kill(event(EventKind::KillingBlow, unit, Some(slot(1)), Some(slot(0))));
            if state_first {
                game.apply_state(&die);
                game.simulate(Tick::ZERO.plus(3));
                assert!(is_dead(&game, 1) && game.world().unwrap().stands(unit));
                assert_eq!(deaths(&mut game), []);
            }
            game.apply_damage(&kill);
            game.simulate(Tick::ZERO.plus(4));
            assert_eq!(deaths(&mut game), [(Some(1), Some(0))]);
            assert!(is_dead(&game, 1) && !game.world().unwrap().stands(unit));
            game.apply_damage(&kill);
            game.apply_state(&die);
            game.simulate(Tick::ZERO.plus(5));
            assert_eq!(deaths(&mut game), []);
        }
    }

    /// OBJ-38: each unit that is hurt or killed has an animation picked, hard from so much damage on, both sides of it, the
    /// animations of a kind in turn and none past the graph; what is no unit has none. A client shows what it is told.
    #[test]
    fn a_unit_that_is_hurt_has_an_animation_picked() {
        let mut game = game("arena", "slayer", Role::Host);
        let world = game.world().unwrap();
        let unit = world.unit(slot(1)).unwrap();
        let no_unit = world.objects().find(|id| world.kind(*id) == Some(Kind::Crate)).unwrap();
        assert_eq!((game.animations_of(unit), game.animations_of(no_unit)), (ANIMATIONS, 0));
        let mut kinds = Vec::new();
        for (object, kind, total) in [
            (unit, EventKind::Aftermath, HARD - 0.01),
            (unit, EventKind::Aftermath, HARD),
            (unit, EventKind::KillingBlow, HARD - 0.01),
            (unit, EventKind::KillingBlow, HARD),
            (unit, EventKind::ScreenEffect, HARD),
            (no_unit, EventKind::Scenery, HARD),
            (no_unit, EventKind::Aftermath, HARD),
        ] {
            let told = DamageEvent { total_damage: total, ..event(kind, object, None, None) };
            game.dealt.push(told);
            game.pick_from(0);
            let (mut picks, mut events) = (Vec::new(), Vec::new());
            picks.extend(game.take_picks());
            picks.extend(game.take_picks());
            game.take_dealt(&mut events);
            assert_eq!(events, [told]);
            for (of, animation, kind) in picks {
                assert!(of == unit && animation / OF_A_KIND == kind as u16 && animation < ANIMATIONS);
                kinds.push(kind);
            }
        }
        assert_eq!(kinds, AnimationKind::ALL);
        let pick = DamageAnimation { unit, animation: 2, kind: AnimationKind::SoftPing, number: 9 };
        game.show_pick(&pick);
        assert_eq!((game.take_shown(), game.take_shown()), (vec![pick], vec![]));
    }

    /// DMG-49: one that is killed silently falls, and nothing is announced.
    #[test]
    fn a_silent_fall_announces_nothing() {
        let (mut game, [_, unit]) = client();
        game.apply_state(&authority::Command::Die { slot: slot(1), death: Death::default() });
        game.apply_damage(&damage::Command::KillSilently { unit });
        game.simulate(Tick::ZERO.plus(3));
        assert!(!game.world().unwrap().stands(unit));
        assert_eq!(deaths(&mut game), []);
    }

    /// OBJ-31, DMG-53: the host's word on a crate and on a pane breaks each once, and is logged once; the host's own is told
    /// once.
    #[test]
    fn what_broke_on_the_host_breaks_by_its_word() {
        let mut host = game("arena", "slayer", Role::Host);
        let (mut game, _) = client();
        let world = game.world().unwrap();
        let object = world.objects().find(|id| world.kind(*id) == Some(Kind::Crate)).unwrap();
        game.take_logged();
        let breaks = event(EventKind::Scenery, object, None, Some(slot(0)));
        let at = Vec3::new(5.0, 3.2, 1.0);
        for tick in 3..6 {
            game.apply_damage(&damage::Command::Break(breaks));
            game.break_pane(2, at);
            game.simulate(Tick::ZERO.plus(tick));
        }
        let logged: Vec<_> = game.take_logged();
        assert_eq!(logged.len(), 2, "{logged:?}");
        assert!(logged[0].starts_with(&format!("crate #{} broke at ", object.index())));
        assert_eq!([2, 3, 4].map(|pane| game.is_pane_broken(pane)), [Some(true), Some(false), None]);
        assert_eq!(logged[1], "pane 2 broke at 5.000 3.200 1.000");
        let world = host.world_mut().unwrap();
        world.hit_breakable(crate::game::Breakable::Pane(2), at, &breaks.damage);
        world.hit_breakable(
            crate::game::Breakable::Crate(object),
            at,
            &Damage { scale: 99.0, ..breaks.damage },
        );
        let (mut panes, mut events) = (Vec::new(), Vec::new());
        host.take_broken_panes(&mut panes);
        host.take_dealt(&mut events);
        assert_eq!(panes, [(2, at)]);
        let told: Vec<_> = events.iter().map(|event| (event.kind, event.object)).collect();
        assert_eq!(told, [(EventKind::Scenery, Some(object))]);
    }
}
