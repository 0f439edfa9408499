//! What damage does besides the harm: to a unit, and on its player's screen. Where it is decided it is done as it is dealt;
//! elsewhere it is the host's word, replayed (DMG-38, DMG-39). None of it takes health, and nobody counts it.

use mjolnir_wire::damage::{DamageEvent, EventKind};
use mjolnir_wire::units::Death;
use mjolnir_wire::{ObjectId, Slot};

use super::{Event, World};
use crate::game::effects::Effect;
use crate::game::screen::{Screen, count};

/// What throws a unit as much as this stuns its player, in wu a tick. Ours.
const STUNS_FROM: f32 = 0.05;

impl World {
    /// What a player's screen has shown so far.
    pub fn screen(&self, slot: Slot) -> Screen {
        self.screens[slot.index()]
    }

    /// A screen effect as the host has it: the player's screen flashes and shakes. False where there is no such player, and
    /// where this world decides.
    pub fn show(&mut self, event: &DamageEvent) -> bool {
        let shows = !self.role.decides() && event.player.is_some_and(|slot| self.player(slot).is_some());
        if shows {
            self.flash(event);
        }
        shows
    }

    /// What damage that the host dealt does besides the harm. A unit and a vehicle are thrown that this machine's players
    /// drive: others come placed as it threw them. False where no such unit stands and no such vehicle is, and where this
    /// world decides.
    pub fn replay(&mut self, event: &DamageEvent) -> bool {
        let is_here = |id: &ObjectId| self.stands(*id) || self.objects.vehicle(*id).is_some();
        let Some(object) = event.object.filter(is_here).filter(|_| !self.role.decides()) else {
            return false;
        };
        self.flinch(event);
        let mover = self.objects.biped(object).map_or_else(|| self.driver(object), |biped| biped.slot);
        if mover.is_some_and(|mover| self.plays_here(mover)) {
            self.push(object, &event.damage);
        }
        true
    }

    /// A killing blow of the host's: the unit falls as it has it, its player is dead if it was not yet, and who killed it
    /// has the score that the host gave it. One that lies already lies as it does, and of a player's that was deleted by now
    /// the rest is done. False, and nothing changed, where there is no such unit and it is no player's, where it had its blow,
    /// and where this world decides.
    pub fn replay_kill(&mut self, event: &DamageEvent) -> bool {
        let DamageEvent { player, kill, damage, killer_score, .. } = event;
        let Some(unit) = event.object.filter(|_| !self.role.decides()) else { return false };
        match self.objects.biped_mut(unit) {
            Some(biped) if biped.blown => return false,
            Some(biped) => biped.blown = true,
            None if player.is_none() => return false,
            None => {}
        }
        self.fall(unit, Some(damage));
        let killer = damage.owner;
        if let Some(statistics) = killer.and_then(|killer| self.statistics_mut(killer)) {
            statistics.sort_key = (*killer_score).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        }
        if let Some(slot) = player.filter(|slot| self.player(*slot).is_some()) {
            // It may have come before the unit was known to be that player's.
            if let Some(player) = self.players[slot.index()].as_mut()
                && player.unit == Some(unit)
            {
                player.unit = None;
            }
            let by_vehicle = kill.by_vehicle && killer.is_none();
            let death = Death { killer, by_friend: kill.friendly_fire, by_vehicle };
            self.events.push(Event::Died { slot, death });
        }
        true
    }

    /// A unit that the host has called dead for long enough falls with nothing to show. False where none stands, and where
    /// this world decides.
    pub fn kill_silently(&mut self, unit: ObjectId) -> bool {
        self.fall(unit, None)
    }

    /// What was dealt here does besides the harm, but for what throws the unit.
    pub(super) fn felt(&mut self, event: &DamageEvent) {
        match event.kind {
            EventKind::ScreenEffect => self.flash(event),
            EventKind::Aftermath => self.flinch(event),
            EventKind::KillingBlow | EventKind::Scenery => {}
        }
    }

    /// After a tick: a player's own weapon shook its screen as it fired, whatever the host says (DMG-45).
    pub(super) fn shake_who_fired(&mut self) {
        for slot in Slot::all() {
            if self.fired(slot) && self.plays_here(slot) {
                count(&mut self.screens[slot.index()].shakes);
            }
        }
    }

    fn flash(&mut self, event: &DamageEvent) {
        if let Some(slot) = event.player.filter(|slot| self.plays_here(*slot)) {
            let screen = &mut self.screens[slot.index()];
            count(&mut screen.flashes);
            count(&mut screen.shakes);
        }
    }

    /// A player's unit flinches, is heard, and does not look through its scope any more; its own machine shows it who did it,
    /// and that it is stunned.
    fn flinch(&mut self, event: &DamageEvent) {
        let Some(slot) = event.player.filter(|_| event.total_damage > 0.0) else { return };
        let (is_own, scoped) = (self.plays_here(slot), self.scoped(slot));
        let throws = Effect::of(event.damage.effect).map_or(0.0, |effect| effect.push * event.damage.scale);
        let stuns = throws >= STUNS_FROM;
        if let Some(player) = self.players[slot.index()].as_mut().filter(|_| scoped) {
            player.unscoped = true;
        }
        let screen = &mut self.screens[slot.index()];
        count(&mut screen.flinches);
        if event.body_damage > 0.0 {
            count(&mut screen.pains);
        }
        if is_own {
            if let Some(by) = event.damage.owner {
                count(&mut screen.marks);
                screen.hit_by = Some(by);
            }
            if stuns {
                count(&mut screen.stuns);
            }
            if scoped {
                count(&mut screen.scopes_lost);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::damage::{Damage, KillFlags, Parts};
    use mjolnir_wire::{Buttons, Input, Vec3};

    use super::super::arena::{EAST, client, dealt, field, hold, left, press, slot, unit, vehicle};
    use super::*;
    use crate::game::effects::{BLOW, TELEFRAG};
    use crate::game::kinds::Kind;

    /// Two within reach of each other.
    fn pair() -> World {
        field("", &[Vec3::ZERO, EAST * 0.8])
    }

    /// What a host dealt the second by a blow of the first.
    fn aftermath() -> DamageEvent {
        let mut host = pair();
        press(&mut host, 0, Buttons::MELEE);
        let event = dealt(&mut host).remove(0);
        assert_eq!(event.kind, EventKind::Aftermath);
        event
    }

    /// DMG-38: replayed where its player plays, a damage does all but the harm, each thing once; it is thrown as at the host.
    #[test]
    fn a_replay_does_all_but_the_harm() {
        let (event, mut world) = (DamageEvent { body_damage: 0.1, ..aftermath() }, client(&pair(), &[1]));
        world.drive(slot(1), Input { zoom: Some(0), ..Input::default() });
        assert!(world.scoped(slot(1)));
        let (decided, hash) = (world.decisions(), world.players[1].as_ref().unwrap().statistics);
        assert!(world.replay(&event));
        let expected = Screen {
            stuns: u32::from(BLOW.push >= STUNS_FROM),
            scopes_lost: 1,
            marks: 1,
            hit_by: Some(slot(0)),
            flinches: 1,
            pains: 1,
            ..Screen::default()
        };
        assert_eq!(world.screen(slot(1)), expected);
        assert_eq!(world.screen(slot(0)), Screen::default());
        assert_eq!(world.velocity(slot(1)), Some(EAST * BLOW.push));
        assert_eq!((left(&world, 1), world.decisions()), (2.0, decided));
        assert_eq!(world.players[1].as_ref().unwrap().statistics, hash);
        let of_shield = DamageEvent { body_damage: 0.0, ..event };
        assert!(world.replay(&of_shield));
        assert_eq!((world.screen(slot(1)).flinches, world.screen(slot(1)).pains), (2, 1));
    }

    /// DMG-38: what hit another machine's player flinches and is heard here; its screen is not here, and it is placed by the
    /// host's word alone.
    #[test]
    fn of_another_machines_player_the_unit_is_seen() {
        let (event, mut world) = (aftermath(), client(&pair(), &[0]));
        assert!(world.replay(&event));
        let seen = world.screen(slot(1));
        assert_eq!((seen.flinches, seen.marks, seen.stuns, seen.hit_by), (1, 0, 0, None));
        assert_eq!(world.velocity(slot(1)), Some(Vec3::ZERO));
        assert!(world.show(&event) && world.screen(slot(1)).flashes == 0);
    }

    /// DMG-38: a vehicle is thrown where its driver plays, and not where it comes placed; nor is who rides it.
    #[test]
    fn a_vehicle_is_thrown_where_it_is_driven() {
        for (own, thrown) in [(1, BLOW.push), (0, 0.0)] {
            let mut host = pair();
            let car = vehicle(&mut host, Kind::Car, EAST * 0.8, Vec3::ZERO);
            let rider = unit(&host, 1);
            assert!(host.set_seat(rider, Some((car, 0))));
            let mut world = client(&host, &[own]);
            let of_car = DamageEvent { object: Some(car), player: None, ..aftermath() };
            let of_rider = DamageEvent { object: Some(rider), ..aftermath() };
            assert!(world.replay(&of_car) && world.replay(&of_rider));
            assert_eq!(world.motion(car).unwrap().velocity, EAST * thrown);
            assert_eq!(world.placement(rider).unwrap().velocity, Vec3::ZERO);
        }
    }

    /// DMG-38: the host's own player has it as it is dealt, once.
    #[test]
    fn the_hosts_player_has_it_at_once() {
        let mut host = pair();
        press(&mut host, 0, Buttons::MELEE);
        let screen = host.screen(slot(1));
        assert_eq!((screen.flinches, screen.marks, screen.hit_by), (1, 1, Some(slot(0))));
    }

    /// DMG-38: who is knocked out of its scope is out of it until it lets its zoom go.
    #[test]
    fn out_of_the_scope_until_it_is_let_go() {
        let (event, mut world) = (aftermath(), client(&pair(), &[1]));
        let zooms = |world: &mut World, zoom| world.drive(slot(1), Input { zoom, ..Input::default() });
        zooms(&mut world, Some(1));
        world.replay(&event);
        zooms(&mut world, Some(1));
        assert!(!world.scoped(slot(1)));
        world.replay(&event);
        assert_eq!(world.screen(slot(1)).scopes_lost, 1);
        zooms(&mut world, None);
        assert!(!world.scoped(slot(1)));
        zooms(&mut world, Some(1));
        assert!(world.scoped(slot(1)));
    }

    /// DMG-38: of what nobody dealt nobody is shown, and what does nothing to a unit is not felt.
    #[test]
    fn what_nobody_dealt_marks_nobody() {
        let (event, mut world) = (aftermath(), client(&pair(), &[1]));
        let of_nobody = DamageEvent { damage: Damage { owner: None, ..event.damage }, ..event };
        assert!(world.replay(&of_nobody));
        let screen = world.screen(slot(1));
        assert_eq!((screen.flinches, screen.marks, screen.hit_by), (1, 0, None));
        assert!(world.replay(&DamageEvent { total_damage: 0.0, ..event }));
        assert_eq!(world.screen(slot(1)), screen);
    }

    /// DMG-44: a screen effect shows on that player's screen, where it plays.
    #[test]
    fn a_screen_effect_is_its_players() {
        let event = DamageEvent { kind: EventKind::ScreenEffect, ..aftermath() };
        let mut world = client(&pair(), &[1]);
        assert!(world.show(&event) && !world.show(&DamageEvent { player: None, ..event }));
        assert_eq!((world.screen(slot(1)).flashes, world.screen(slot(1)).shakes), (1, 1));
        assert!(!world.show(&DamageEvent { player: Some(slot(9)), ..event }), "nobody plays there");
    }

    /// DMG-39, 41: a killing blow fells the unit with the host's velocity, and the killer has the score of after the kill; nobody
    /// counts it.
    #[test]
    fn a_killing_blow_is_replayed_whole() {
        let mut host = pair();
        let mut world = client(&pair(), &[1]);
        let (of_host, here) = (unit(&host, 1), unit(&world, 1));
        assert!(host.set_health(slot(1), 0.01));
        let whole = host.vitality(of_host).unwrap();
        host.set_vitality(of_host, crate::game::Vitality { shield: 0.0, ..whole });
        host.drive(slot(0), Input { buttons: Buttons::MELEE, ..Input::default() });
        host.step(host.tick().next());
        let event = dealt(&mut host).remove(0);
        assert_eq!(event.kind, EventKind::KillingBlow);
        let before = world.players[0].as_ref().unwrap().statistics;
        assert!(world.replay_kill(&event));
        let (a, b) = (host.placement(of_host).unwrap().velocity, world.placement(here).unwrap().velocity);
        assert!(a.length() > 0.0 && a.distance(b) <= a.length() * 0.05, "{a:?} {b:?}");
        let killer = |world: &World| world.player(slot(0)).unwrap().score();
        assert_eq!((killer(&world), killer(&host)), (event.killer_score, event.killer_score));
        let mut after = world.players[0].as_ref().unwrap().statistics;
        after.sort_key = before.sort_key;
        assert_eq!(after, before);
        assert_eq!((world.player(slot(1)).unwrap().deaths(), world.decisions().deaths), (0, 0));
    }

    /// DMG-39: of a player's unit that was deleted by now the kill is announced; of nobody's there is nothing to do.
    #[test]
    fn a_deleted_units_kill_is_announced() {
        let mut world = client(&pair(), &[1]);
        let gone = mjolnir_wire::ObjectId::new(999, 3);
        let event =
            DamageEvent { kind: EventKind::KillingBlow, object: gone, player: Some(slot(1)), ..aftermath() };
        world.drain_events();
        assert!(world.replay_kill(&event));
        let death = Death { killer: Some(slot(0)), ..Death::default() };
        assert!(world.drain_events().eq([Event::Died { slot: slot(1), death }]));
        assert!(world.unit(slot(1)).is_some(), "it lives again by now");
        assert!(!world.replay_kill(&DamageEvent { player: None, ..event }));
        assert_eq!(world.drain_events().count(), 0);
    }

    /// DMG-40: a telefrag comes as a blow does, and is announced by whom; of a unit that is not here nothing comes.
    #[test]
    fn a_telefrag_is_announced() {
        let mut world = client(&pair(), &[1]);
        let damage = world.damage_of(Some(slot(0)), &TELEFRAG, None, Vec3::ZERO, Vec3::UP, 1.0);
        let kill = KillFlags { telefrag: true, friendly_fire: true, ..KillFlags::default() };
        let event = DamageEvent {
            kind: EventKind::KillingBlow,
            kill,
            damage,
            parts: Parts::default(),
            object: Some(unit(&world, 1)),
            player: Some(slot(1)),
            ..aftermath()
        };
        assert!(!world.replay_kill(&DamageEvent { object: None, ..event }));
        assert!(world.unit(slot(1)).is_some());
        world.drain_events();
        assert!(world.replay_kill(&event) && world.unit(slot(1)).is_none());
        let death = Death { killer: Some(slot(0)), by_friend: true, by_vehicle: false };
        assert!(world.drain_events().any(|event| event == Event::Died { slot: slot(1), death }));
        hold(&mut world, 1, Buttons::default());
        assert!(!world.replay(&event), "it lies");
    }
}
