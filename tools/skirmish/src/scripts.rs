//! Scripts of tests, where bots' wandering brings little: kills and hits every so many seconds of the game, a ride, a pickup,
//! a chat (TOOL-71). Knows no machine: who runs it says which players are its own.
//!
//! They go by the game's ticks, which all machines have alike: what the host prepares is there when a client acts.

mod chat;
mod pickup;
mod reins;
mod ride;
mod steps;

use mjolnir_engine_glue::settings::{Name, Settings};
use mjolnir_wire::{Slot, Tick};

use crate::game::World;
use crate::speech::Speech;
use chat::Chat;
use pickup::Pickup;
use ride::Ride;

pub use reins::Reins;

/// Players are brought near so many ticks before they hit.
const BEFORE: i32 = 30;

/// See the module's text.
#[derive(Clone, Debug, Default)]
pub struct Scripts {
    /// Ticks from one to the next; none where none is asked for.
    kill: Option<i32>,
    shoot: Option<i32>,
    ride: Option<Ride>,
    pickup: Option<Pickup>,
    chat: Option<Chat>,
    /// Every player is in, or was.
    is_on: bool,
    said: Vec<String>,
    /// What the machine's player is to say, or do about what is said.
    speeches: Vec<Speech>,
}

impl Scripts {
    /// What the settings ask for: seconds from one to the next, or of the game; 0 for never.
    pub fn asked(settings: &Settings) -> Self {
        let seconds = |name| settings.number(name);
        Self::every(seconds(Name::DebugNetworkTestKill), seconds(Name::DebugNetworkTestShoot))
            .with_ride(seconds(Name::DebugNetworkTestVehicle))
            .with_pickup(
                seconds(Name::DebugNetworkTestPickup),
                settings.text_of(Name::DebugNetworkTestPickupWeapon),
            )
            .with_chat(seconds(Name::DebugNetworkTestChat))
    }

    /// A kill and a hit each every so many seconds, 0 for never.
    pub fn every(kill: f64, shoot: f64) -> Self {
        Self { kill: ticks(kill), shoot: ticks(shoot), ..Self::default() }
    }

    /// With a ride at that second of the game (TOOL-12), 0 for none.
    #[must_use]
    pub fn with_ride(self, second: f64) -> Self {
        Self { ride: ticks(second).map(|at| Ride::new(at.into())), ..self }
    }

    /// With a pickup at that second of the game (TOOL-13), 0 for none, of the first weapon with that in its name.
    #[must_use]
    pub fn with_pickup(self, second: f64, weapon: &str) -> Self {
        Self { pickup: ticks(second).map(|at| Pickup::new(at.into(), weapon)), ..self }
    }

    /// With a chat at that second of the game (TOOL-14), 0 for none.
    #[must_use]
    pub fn with_chat(self, second: f64) -> Self {
        Self { chat: ticks(second).map(|at| Chat::new(at.into())), ..self }
    }

    /// Before a game: as they were asked for, if they ran in the one before.
    pub fn begin_anew(&mut self) {
        if std::mem::take(&mut self.is_on) {
            self.ride = self.ride.as_ref().map(Ride::anew);
            self.pickup = self.pickup.as_ref().map(Pickup::anew);
            self.chat = self.chat.as_ref().map(Chat::anew);
        }
    }

    /// Whether they wait for every player to be in.
    pub const fn wait_for_all(&self) -> bool {
        let is_any_asked = self.kill.is_some()
            || self.shoot.is_some()
            || self.ride.is_some()
            || self.pickup.is_some()
            || self.chat.is_some();
        !self.is_on && is_any_asked
    }

    /// Whom they have do something in place of what plays it, from the next tick on.
    pub fn reins(&self) -> Reins {
        Reins {
            ride: self.ride.as_ref().and_then(Ride::began),
            pickup: self.pickup.as_ref().and_then(Pickup::began),
            chat: self.chat.as_ref().and_then(Chat::began),
        }
    }

    /// Does what is due before that tick is simulated. `all_in` says whether every player is in by now, `own` are this
    /// machine's.
    pub fn run(&mut self, tick: Tick, all_in: bool, own: &[Slot], world: Option<&mut World>) {
        self.is_on |= all_in;
        let Some(world) = world.filter(|_| self.is_on) else { return };
        let is_due = |every: Option<i32>, ahead: i32| {
            every.is_some_and(|every| tick.get().checked_add(ahead).is_some_and(|at| at % every == 0))
        };
        let name = |world: &World, slot: Slot| {
            world.player(slot).map(|player| player.name.clone()).unwrap_or_default()
        };
        let said = &mut self.said;
        let mut say = |script: &str, what: String| {
            said.push(format!("{script} script at tick {}: {what}", tick.get()));
        };
        if is_due(self.shoot, BEFORE) && world.role().decides() {
            world.bring_together();
            say("shoot", "players brought together".into());
        }
        if is_due(self.shoot, 0) {
            for slot in own {
                let by = name(world, *slot);
                match world.hit_next(*slot) {
                    Some(hit) => say("shoot", format!("{by} hit {}", name(world, hit))),
                    None if world.unit(*slot).is_none() => say("shoot", format!("{by} is dead")),
                    None => say("shoot", format!("nobody within reach of {by}")),
                }
            }
        }
        if is_due(self.kill, 0)
            && let Some((by, of)) = world.kill_last()
        {
            say("kill", format!("{} killed {}", name(world, by), name(world, of)));
        }
        let is_own = |slot: Slot| own.contains(&slot);
        if let Some(ride) = &mut self.ride {
            ride.run(tick.get().into(), is_own, world).into_iter().for_each(|what| say("vehicle", what));
        }
        if let Some(pickup) = &mut self.pickup {
            pickup.run(tick.get().into(), is_own, world).into_iter().for_each(|what| say("pickup", what));
        }
        if let Some(chat) = &mut self.chat {
            let did = chat.run(tick.get().into(), own, world, &mut self.speeches);
            did.into_iter().for_each(|what| say("chat", what));
        }
    }

    /// What the machine's player is to say, or do about what is said, since this was last asked, in order.
    pub fn take_speeches(&mut self) -> Vec<Speech> {
        std::mem::take(&mut self.speeches)
    }

    /// Tells what came of something that a script had the machine do.
    pub(crate) fn note(&mut self, script: &str, tick: Tick, what: &str) {
        self.said.push(format!("{script} script at tick {}: {what}", tick.get()));
    }

    /// What was done since this was last asked, a line each.
    pub fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }
}

/// So many seconds in ticks, one at least; none of 0.
fn ticks(seconds: f64) -> Option<i32> {
    (seconds > 0.0).then(|| ((seconds * 30.0).round() as i32).max(1))
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::Machine;

    use super::*;
    use crate::game::{Kind, Map, Role, Tuning};

    fn slot(index: u8) -> Slot {
        Slot::new(index).unwrap()
    }

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    /// Three players far apart, with a pistol each, on the host.
    fn world() -> World {
        let text = "bounds -90 -90 -5 90 90 30\nbox -94 -94 -1 94 94 0\nkit pistol\nitem rifle 50 50 1\n\
                    spawn 0 0 0 0\nspawn 80 0 0 0\nspawn -80 0 0 0";
        let mut world = World::new(&Map::parse(text).unwrap(), 1, Tuning::default());
        world.set_role(Role::Host);
        world.set_harm(true);
        for (index, name) in [(0, "Ann"), (1, "Bob"), (2, "Cid")] {
            world.join(slot(index), name, Machine::HOST, None);
        }
        world.step(tick(1));
        world
    }

    /// TOOL-71, 10: each so many seconds, and not before everybody is in, the first player kills the last, takes the weapon that
    /// lies on the ground and has two grenades of each kind; each is told.
    #[test]
    fn the_kill_script_kills_on_time() {
        let mut world = world();
        let mut scripts = Scripts::every(2.0, 0.0);
        assert!(scripts.wait_for_all());
        scripts.run(tick(60), false, &[slot(0)], Some(&mut world));
        assert_eq!((scripts.take_said(), world.player(slot(0)).unwrap().kills()), (vec![], 0));
        let mut kills = Vec::new();
        for number in 61..=400 {
            let before = world.player(slot(0)).unwrap().kills();
            scripts.run(tick(number), number == 61, &[slot(0)], Some(&mut world));
            if world.player(slot(0)).unwrap().kills() > before {
                kills.push(number);
            }
            world.step(tick(number));
        }
        assert!(!scripts.wait_for_all());
        assert_eq!(kills, [120, 180, 240, 300, 360]);
        let unit = world.unit(slot(0)).unwrap();
        assert_eq!(world.in_hand(unit).map(|(kind, _)| kind), Some(Kind::Rifle));
        assert_eq!(world.inventory(unit).unwrap().grenades, [2, 2]);
        let said = scripts.take_said();
        assert_eq!((said.len(), said[0].as_str()), (5, "kill script at tick 120: Ann killed Cid"));
        let deaths: u16 = [1, 2].map(|index| world.player(slot(index)).unwrap().deaths()).iter().sum();
        assert_eq!(deaths, 5);
    }

    /// TOOL-71, 11: a second before it is due the host brings players near; then each own player hits the next living one,
    /// the last the first.
    #[test]
    fn the_shoot_script_hits_on_time() {
        let mut world = world();
        let mut scripts = Scripts::every(0.0, 3.0);
        let apart = |world: &World| {
            let [a, b, c] = [0, 1, 2].map(|index| world.position(slot(index)).unwrap());
            a.distance(b).max(b.distance(c))
        };
        let left = |world: &World| {
            [0, 1, 2].map(|index| {
                let vitality = world.vitality(world.unit(slot(index)).unwrap()).unwrap();
                vitality.body + vitality.shield
            })
        };
        scripts.run(tick(59), true, &[slot(1), slot(2)], Some(&mut world));
        assert!(apart(&world) > 60.0);
        scripts.run(tick(60), true, &[slot(1), slot(2)], Some(&mut world));
        assert!(apart(&world) < 4.0 && left(&world) == [2.0; 3]);
        for number in 61..90 {
            scripts.run(tick(number), true, &[slot(1), slot(2)], Some(&mut world));
            assert_eq!(left(&world), [2.0; 3], "at tick {number}");
            world.step(tick(number));
        }
        scripts.run(tick(90), true, &[slot(1), slot(2)], Some(&mut world));
        let after = left(&world);
        assert!(after[0] < 2.0 && after[1] == 2.0 && after[2] < 2.0, "{after:?}");
        let said = scripts.take_said();
        assert_eq!(said[0], "shoot script at tick 60: players brought together");
        assert_eq!(
            said[1..],
            ["shoot script at tick 90: Bob hit Cid", "shoot script at tick 90: Cid hit Ann"]
        );
    }

    /// TOOL-11, DMG-01: in a client's world the script's hits wait to be reported and hurt nobody, and it brings and kills
    /// nobody.
    #[test]
    fn a_clients_script_reports() {
        let mut world = world();
        world.set_role(Role::Client);
        world.set_local(slot(1), true);
        let mut scripts = Scripts::every(1.0, 1.0);
        let place = world.position(slot(0)).unwrap();
        let two = world.position(slot(1)).unwrap() + mjolnir_wire::Vec3::new(3.0, 0.0, 0.0);
        let unit = world.unit(slot(2)).unwrap();
        world.place(unit, two, None, None);
        let before = world.decisions();
        scripts.run(tick(90), true, &[slot(1)], Some(&mut world));
        assert_eq!(scripts.take_said(), ["shoot script at tick 90: Bob hit Cid"]);
        assert_eq!((world.decisions(), world.position(slot(0)).unwrap()), (before, place));
        let mut hits = Vec::new();
        world.take_hits(&mut hits);
        assert_eq!((hits.len(), hits[0].object, hits[0].target), (1, unit, two));
        assert_eq!((hits[0].damage.owner, hits[0].damage.origin), (Some(slot(1)), hits[0].damage.epicentre));
        assert!((hits[0].damage.direction.length() - 1.0).abs() < 1e-4);
    }

    /// TOOL-71: where nobody is in reach, or who is to hit is dead, the shoot script says so.
    #[test]
    fn a_hit_that_reaches_nobody_is_told() {
        let mut world = world();
        world.set_role(Role::Client);
        let mut scripts = Scripts::every(0.0, 1.0);
        scripts.run(tick(30), true, &[slot(0)], Some(&mut world));
        assert_eq!(scripts.take_said(), ["shoot script at tick 30: nobody within reach of Ann"]);
        world.set_role(Role::Host);
        assert!(world.kill(slot(0), None));
        scripts.run(tick(90), true, &[slot(0)], Some(&mut world));
        assert_eq!(scripts.take_said()[1..], ["shoot script at tick 90: Ann is dead"]);
    }

    /// TOOL-19, 71: in the next game a script is done again, once all are in; and in one whose ticks go on past a script's second that is said.
    #[test]
    fn each_game_has_its_scripts() {
        let mut scripts = Scripts::every(0.0, 0.0).with_pickup(4.0, "rifle");
        let play = |scripts: &mut Scripts, from: i32| {
            let mut world = world();
            for number in from..from + 200 {
                scripts.run(tick(number), true, &[slot(2)], Some(&mut world));
            }
            scripts.take_said()
        };
        let first = play(&mut scripts, 1);
        assert!(first[0].starts_with("pickup script at tick 30: Cid has a "), "{first:?}");
        scripts.begin_anew();
        assert!(scripts.wait_for_all());
        assert_eq!(play(&mut scripts, 1), first);
        scripts.begin_anew();
        let late = play(&mut scripts, 300);
        assert_eq!(late, ["pickup script at tick 300: it was to begin before every player was in"]);
    }

    /// What is not asked for does nothing and waits for nobody; the last tick there is has none after it to prepare for.
    #[test]
    fn nothing_is_done_unasked() {
        let mut world = world();
        let mut scripts = Scripts::asked(&Settings::default());
        assert!(!scripts.wait_for_all());
        let before = world.state_hash();
        for number in [0, 30, 60, 900, i32::MAX] {
            scripts.run(tick(number), true, &[slot(0)], Some(&mut world));
        }
        scripts.run(tick(30), true, &[slot(0)], None);
        assert_eq!((world.state_hash(), scripts.take_said()), (before, vec![]));
        let mut always = Scripts::every(0.0, 0.001);
        always.run(Tick::LAST, true, &[], Some(&mut world));
        assert_eq!(always.take_said(), [] as [String; 0]);
        let asked = "[debug]\nnetwork_test_vehicle = 3.0\nnetwork_test_pickup = 2.0\nnetwork_test_pickup_weapon = \"x\"\n";
        let mut asked = Scripts::asked(&Settings::parse(asked).unwrap().0);
        assert!(asked.wait_for_all());
        for number in 1..=180 {
            asked.run(tick(number), true, &[], Some(&mut world));
        }
        let said = asked.take_said();
        assert!(said[0].starts_with("pickup script at tick 1: Cid has a "), "{said:?}");
        assert!(said[1].starts_with(
            "pickup script at tick 180: Cid is not stood on a weapon: no weapon lies about with \"x\""
        ));
    }
}
