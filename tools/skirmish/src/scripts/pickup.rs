//! The pickup script: the last player has a second weapon and is hidden for a while, stands on a weapon that it lacks, and
//! takes it by its own button (TOOL-13, 71). Knows no machine.

use mjolnir_wire::{ObjectId, Slot};

use super::reins::Rein;
use super::steps::{Hold, Step, Who};
use crate::game::World;

/// Ticks by which the player is armed before it is stood on the weapon.
const BEFORE: i64 = 90;
/// Ticks for which it holds the action button there.
const HELD: i64 = 120;
/// Ticks for which it is hidden.
const HIDES: i16 = 300;

/// What is left of its player's own input so many ticks after it is stood on the weapon.
pub(super) fn rein(since: i64) -> Option<Rein> {
    match since {
        // Who held the button before would not press it then.
        _ if (-BEFORE..0).contains(&since) => Some(Rein::LetsGo),
        0..HELD => Some(Rein::Holds),
        _ => None,
    }
}

/// See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Pickup {
    at: i64,
    /// What the weapon's name has in it.
    text: String,
    who: Who,
    weapon: Option<ObjectId>,
    arm: Step,
    hold: Hold,
    is_over: bool,
}

impl Pickup {
    /// One whose player is stood at that tick on a weapon with that in its name.
    pub(super) fn new(at: i64, text: &str) -> Self {
        // Before a tick of the game's first three seconds there are fewer.
        let before = at.min(BEFORE);
        Self {
            at,
            text: text.into(),
            who: Who::since(-before),
            weapon: None,
            arm: Step::new(-before, before),
            hold: Hold::new(0, HELD),
            is_over: false,
        }
    }

    /// The same before another game.
    pub(super) fn anew(&self) -> Self {
        Self::new(self.at, &self.text)
    }

    /// Whom it is about, and when that is stood on the weapon.
    pub(super) fn began(&self) -> Option<(Slot, i64)> {
        Some((self.who.known()?, self.at))
    }

    /// Does what is due before that tick is simulated: what is decided where the world decides, what a hand does where it
    /// `is_own`. What it did.
    pub(super) fn run(&mut self, tick: i64, is_own: impl Fn(Slot) -> bool, world: &mut World) -> Vec<String> {
        let since = tick - self.at;
        let decides = world.role().decides();
        let who = match self.who.at(since, world) {
            Ok(who) => who,
            Err(why) => return why.filter(|_| decides).into_iter().map(str::to_owned).collect(),
        };
        let name = world.player(who).map(|player| player.name.clone()).unwrap_or_default();
        let mut said = Vec::new();
        if decides {
            said.extend(self.arm.run(since, || match world.arm(who, &self.text, HIDES) {
                Ok(Some(kind)) => Ok(format!("{name} has a {} besides and is hidden for 10 s", kind.name())),
                Ok(None) => Ok(format!("{name} has two weapons and is hidden for 10 s")),
                Err(why) => Err(format!("{name} is not armed: {why}")),
            }));
            if since >= 0 && !self.is_over {
                said.extend(self.take_up(since, who, &name, world));
            }
        }
        if is_own(who) {
            said.extend(self.hold.note(since).map(|what| format!("{name} {what}")));
        }
        said
    }

    /// Has the player stand on the weapon until it has that, or lets go.
    fn take_up(&mut self, since: i64, who: Slot, name: &str, world: &mut World) -> Option<String> {
        let unit = world.unit(who);
        let has = |weapon: ObjectId| unit.is_some() && world.carrier(weapon) == unit;
        if let Some(weapon) = self.weapon.filter(|weapon| has(*weapon)) {
            self.is_over = true;
            return Some(format!("{name} took {}", world.named(weapon)));
        }
        self.is_over = since >= HELD;
        if let Some(weapon) = self.weapon.filter(|_| self.is_over) {
            return Some(format!("{name} did not take {}", world.named(weapon)));
        }
        let lies = |weapon: &ObjectId| world.kind(*weapon).is_some() && world.carrier(*weapon).is_none();
        if let Some(weapon) = self.weapon.filter(lies) {
            // Its machine may have it elsewhere still. Who died does not stand, and is back too late or not.
            let _ = world.stand_on(who, weapon);
            return None;
        }
        let first = world.weapon_for(who, &self.text);
        match first.and_then(|weapon| world.stand_on(who, weapon).map(|()| weapon)) {
            Ok(weapon) => {
                self.weapon = Some(weapon);
                Some(format!("{name} stands on {}", world.named(weapon)))
            }
            Err(why) => self.is_over.then(|| format!("{name} is not stood on a weapon: {why}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::{Buttons, Input, Machine, Tick};

    use super::super::Scripts;
    use super::*;
    use crate::game::powerups::CAMOUFLAGED;
    use crate::game::{Event, Kind, Map, Role, Tuning};

    /// Weapons far from each other, and two players with a pistol each.
    fn world() -> World {
        let text = "bounds -90 -90 -5 90 90 30\nbox -94 -94 -1 94 94 0\nkit pistol\nitem pistol 40 0 0.2\n\
                    item plasma 50 50 0.2\nitem sniper -50 50 0.2\nitem launcher -50 -50 0.2\nitem car 0 50 0.5\n\
                    item shotgun 1 50 0.2\nspawn 0 0 0 0\nspawn 30 0 0 0";
        let mut world = World::new(&Map::parse(text).unwrap(), 1, Tuning::default());
        world.set_role(Role::Host);
        for (index, name) in [(0, "Ann"), (1, "Bob")] {
            world.join(Slot::new(index).unwrap(), name, Machine::HOST, None);
        }
        world.step(Tick::ZERO.next());
        world
    }

    fn bob() -> Slot {
        Slot::new(1).unwrap()
    }

    fn carries(world: &World) -> Vec<Kind> {
        let inventory = world.inventory(world.unit(bob()).unwrap()).unwrap();
        inventory.weapons.iter().flatten().filter_map(|weapon| world.kind(weapon.object)).collect()
    }

    /// Plays to that tick, in which Bob's own input would be to press the action button again and again.
    fn play(world: &mut World, scripts: &mut Scripts, to: i32, mut each: impl FnMut(i32, &mut World)) {
        for number in world.tick().get() + 1..=to {
            let tick = Tick::new(number).unwrap();
            let buttons = if number % 7 == 0 { Buttons::ACTION } else { Buttons::default() };
            let own = Input { throttle: [1.0, 0.0], buttons, ..Input::default() };
            let input = scripts.reins().input(bob(), tick, own);
            scripts.run(tick, true, &[bob()], Some(world));
            world.drive(bob(), input);
            world.step(tick);
            each(number, world);
        }
    }

    /// TOOL-13, 71: three seconds before the one asked for the last player has a second weapon and is hidden for ten seconds;
    /// then it stands on the first weapon with the text in its name that it lacks, takes it for the one in hand by its own
    /// button, which it holds for four seconds, and the game says that it picked that up. Each is told.
    #[test]
    fn the_weapon_is_taken_by_the_tick() {
        for (text, second, taken) in [
            ("", Kind::Rifle, Kind::Plasma),
            ("sniper", Kind::Rifle, Kind::Sniper),
            ("la", Kind::Rifle, Kind::Plasma),
        ] {
            let mut world = world();
            world.drain_events();
            let mut scripts = Scripts::every(0.0, 0.0).with_pickup(4.0, text);
            assert!(scripts.wait_for_all());
            let (mut hidden, mut held, mut has, mut armed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            let mut picked = Vec::new();
            play(&mut world, &mut scripts, 350, |number, world| {
                let unit = world.unit(bob()).unwrap();
                let is_hidden = world.vitality(unit).unwrap().unit_flags & CAMOUFLAGED != 0;
                hidden.extend(is_hidden.then_some(number));
                let presses = world.player(bob()).unwrap().input.buttons.contains(Buttons::ACTION);
                held.extend((presses && (30..240).contains(&number)).then_some(number));
                armed.extend(carries(world).contains(&second).then_some(number));
                has.extend(carries(world).contains(&taken).then_some(number));
                let events = world.drain_events();
                picked.extend(events.filter_map(|event| match event {
                    Event::PickedUp(pickup) => Some((number, pickup.tag)),
                    _ => None,
                }));
            });
            assert_eq!((hidden.first(), hidden.last(), hidden.len()), (Some(&30), Some(&328), 299));
            assert_eq!((held.first(), held.last(), held.len()), (Some(&120), Some(&239), 120));
            assert_eq!((armed[0], has[0]), (30, 120), "{text}");
            // After that its hands are its own, and drop and take things.
            picked.retain(|(number, _)| (30..240).contains(number));
            assert_eq!(picked, [(120, taken.tag())]);
            let said = scripts.take_said();
            let name = said[1].split_once("stands on ").unwrap().1.to_owned();
            assert!(name.starts_with(taken.name()), "{said:?}");
            assert_eq!(
                said,
                [
                    format!(
                        "pickup script at tick 30: Bob has a {} besides and is hidden for 10 s",
                        second.name()
                    ),
                    format!("pickup script at tick 120: Bob stands on {name}"),
                    "pickup script at tick 120: Bob holds action".to_owned(),
                    format!("pickup script at tick 121: Bob took {name}"),
                    "pickup script at tick 240: Bob lets go of action".to_owned(),
                ]
            );
        }
    }

    /// TOOL-13: a weapon that it carries, one that lies at a seat, and a name that none has are none; that is told once it
    /// lets go.
    #[test]
    fn a_weapon_that_is_not_there_is_told() {
        for text in ["pistol", "shotgun", "car", "rocket"] {
            let mut world = world();
            let mut scripts = Scripts::every(0.0, 0.0).with_pickup(4.0, text);
            play(&mut world, &mut scripts, 300, |_, _| {});
            let said = scripts.take_said();
            let none = format!("no weapon lies about with \"{text}\" in its name that it lacks");
            assert!(
                said.contains(&format!("pickup script at tick 240: Bob is not stood on a weapon: {none}")),
                "{said:?}"
            );
            assert!(!carries(&world).iter().any(|kind| ["shotgun", "car"].contains(&kind.name())));
        }
    }

    /// TOOL-71: within a game's first three seconds the player is armed as soon as everybody is in; who is dead is stood on
    /// the weapon once it lives, and is told of if it lives too late.
    #[test]
    fn an_early_pickup_and_a_dead_player() {
        let mut world = world();
        let mut scripts = Scripts::every(0.0, 0.0).with_pickup(1.0, "sniper");
        play(&mut world, &mut scripts, 40, |_, _| {});
        assert!(carries(&world).contains(&Kind::Sniper));
        assert!(scripts.take_said()[0].starts_with("pickup script at tick 2: Bob has a "));
        // It is back 91 ticks after each death.
        for (dies, is_stood) in [(100..190, true), (100..230, false)] {
            let mut world = self::world();
            let mut scripts = Scripts::every(0.0, 0.0).with_pickup(4.0, "sniper");
            play(&mut world, &mut scripts, 300, |number, world| {
                if dies.contains(&number) {
                    world.kill(bob(), None);
                }
            });
            let said = scripts.take_said();
            let stands = said.iter().any(|line| line.contains("stands on sniper"));
            let gives_up = "pickup script at tick 240: Bob is not stood on a weapon: it is dead".to_owned();
            assert_eq!((stands, said.contains(&gives_up)), (is_stood, !is_stood), "{said:?}");
        }
    }
}
