//! The seam: what a game offers the netcode. It reads (fills rows) and applies (carries out a command); it never
//! calls back, and the netcode keeps no reference to it.
//!
//! Ticks are 1/30 s. Places are in world units, velocities in world units a tick, angles in radians.

use mjolnir_authority::{self as authority, Announcement, StatisticsRow, UnitRow, VehicleRow, VisibleSet};
use mjolnir_coop as coop;
use mjolnir_damage as damage;
use mjolnir_objects as objects;
use mjolnir_prediction as prediction;
use mjolnir_wire::damage::{DamageAnimation, DamageEvent, Hit};
use mjolnir_wire::events::{Surface, SurfaceBroken};
use mjolnir_wire::game_state::GameState;
use mjolnir_wire::limits::MAX_LOCAL_PLAYERS;
use mjolnir_wire::objects::Creation;
use mjolnir_wire::packets::{NetworkPlayer, SettingsRecord};
use mjolnir_wire::pickups::Pickup;
use mjolnir_wire::{Buttons, Input, Machine, ObjectId, Slot, Tick};

use crate::campaign::{Actors, Campaign};
use crate::conduct::Conduct;
use crate::sharing::Sharing;
use crate::talk::Talk;

/// Which end a machine is. Everything that decides (actors, scripts, damage, deaths, spawns, pickups, item spawns,
/// scores) runs where this says host and nowhere else (GLUE-17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It decides.
    Host,
    /// It predicts its own players and follows the host's word.
    Client,
}

/// A player of the game, local or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player<'a> {
    /// Its place in the host's player list, the same on every machine.
    pub slot: Slot,
    /// The machine that it plays on.
    pub machine: Machine,
    /// Its team, 0..128.
    pub team: u8,
    /// Its name, as the host made it.
    pub name: &'a str,
    /// Which of this machine's players it is, 0..4, if it is one.
    pub local: Option<u8>,
}

impl<'a> Player<'a> {
    /// As it is listed. What is listed may come from a host that means ill: a team that is none is the first, and a
    /// controller that is none plays nobody.
    pub(crate) fn listed(
        slot: Slot,
        machine: Machine,
        entry: &NetworkPlayer,
        name: &'a str,
        own: bool,
    ) -> Self {
        let controller = u8::try_from(entry.controller).ok().filter(|_| own);
        Self {
            slot,
            machine,
            team: u8::try_from(entry.team).unwrap_or(0),
            name,
            local: controller.filter(|controller| usize::from(*controller) < MAX_LOCAL_PLAYERS),
        }
    }
}

/// How a client's player acts in a tick of the host's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Ticks ago that its machine had the world as it acts upon it now: its round trip (CLOCK-09), rounded up, 0 to 15. A
    /// client may lie about it.
    pub ago: u32,
    /// What its machine has it ride in the newest tick that it told of.
    pub rides: Rides,
}

/// What a client's machine has a player of its own ride, as far as it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rides {
    /// Nothing: it is on foot (PRED-27).
    Nothing,
    /// It drives that (PRED-26).
    Drives(ObjectId),
    /// It rides along in something, or nothing was said.
    Along,
}

/// The game as a whole: its level, its players, its ticks.
pub trait Session {
    /// Begins to load the level that the settings name, to be played in that role. Returns at once; a level of an
    /// earlier game is gone.
    fn load(&mut self, settings: &SettingsRecord, role: Role);

    /// Whether the level asked for is loaded. Asked in every frame from [`Session::load`] on until it is, and then
    /// no more.
    fn loaded(&mut self) -> bool;

    /// Simulates exactly one tick, of that number. The numbers only rise; a client's may leave some out, which
    /// are then never simulated. Timers are read against it, so that they read as the host's.
    fn simulate(&mut self, tick: Tick);

    /// Makes the player at its slot. It has no unit yet.
    fn add_player(&mut self, player: &Player<'_>);

    /// On the host: the player's machine has loaded, so that the game may give it a unit.
    fn admit_player(&mut self, slot: Slot);

    /// The player leaves: its unit goes with it, its row stays, marked left, until the game ends.
    fn remove_player(&mut self, slot: Slot);

    /// The game is over; the netcode calls nothing more of it until the next load.
    fn end(&mut self);
}

/// Players' units and what drives them.
pub trait Players {
    /// Fills one row for each player of the game, those who left too, by rising slot.
    fn read_units(&self, rows: &mut Vec<UnitRow>);

    /// Appends one row for each vehicle in whose driver's seat a player sits, by rising index. A game without vehicles
    /// leaves it as it is.
    fn read_vehicles(&self, _rows: &mut Vec<VehicleRow>) {}

    /// On a client: the tick in which a local player last fired, reloaded or threw a grenade (PRED-28).
    fn acted(&self, _slot: Slot) -> Option<Tick> {
        None
    }

    /// World units a tick by which a falling thing gains speed each tick.
    fn gravity(&self) -> f32;

    /// What a local player's controls say for that tick.
    fn local_input(&mut self, slot: Slot, tick: Tick) -> Input;

    /// The buttons of a local player's controls at this frame, so that a press between two ticks is not lost
    /// (GLUE-23). A game that samples its controls once a tick leaves it as it is.
    fn frame_buttons(&mut self, _slot: Slot) -> Buttons {
        Buttons::default()
    }

    /// On the host, before each tick, of each client's living player: how it acts in it. What it saw it may reach, as what it
    /// saw it hits: a vehicle that has gone on since is got into, and out of, where it was; and whoever is on foot there got
    /// into none. A game without anything to get into leaves it as it is.
    fn set_seen(&mut self, _slot: Slot, _seen: Seen) {}

    /// Appends each player whose unit the tick just simulated itself put elsewhere, or the vehicle that it drives: a
    /// teleporter, a script. What a command did is not told. A game without such things leaves it as it is.
    fn take_teleports(&mut self, _slots: &mut Vec<Slot>) {}

    /// Carries out the host's word on a unit: on the host one taken from a client, on a client the host's.
    fn apply_state(&mut self, command: &authority::Command);

    /// Drives or moves a unit.
    fn apply_movement(&mut self, command: &prediction::Command);
}

/// The objects that the host makes and every machine has at the same index: units, vehicles, weapons and equipment.
pub trait Objects {
    /// On the host: appends what was made and deleted since it was last asked, in order. A creation says what the object
    /// was as it was made, or what it is now; if it moves or rests otherwise by now, that goes by its row.
    fn take_object_events(&mut self, events: &mut Vec<objects::Event>);

    /// On the host: appends one row for each unit, vehicle, weapon and equipment there is, by rising index.
    fn read_objects(&self, rows: &mut Vec<Creation>);

    /// On either end: appends a row for each unit, vehicle, weapon and equipment there is, by rising index: what is
    /// carried, placed at load and at rest too, on a client its own of the upper half if it has any. Whether the host
    /// names living players' units here does not matter; a client does.
    fn read_object_rows(&self, rows: &mut Vec<objects::ObjectRow>);

    /// On either end: appends a row for each unit that may carry something, by rising index, also of one that carries
    /// nothing now; on a client its own players' units at least, as it counts (PRED-28). A game whose units carry nothing
    /// leaves it as it is.
    fn read_inventories(&self, _rows: &mut Vec<objects::CarryRow>) {}

    /// On a client: carries out the host's word on an object. One that cannot be made is asked for again, since
    /// [`Objects::read_object_rows`] does not name it. A new unit has no grenades, whatever its tag says, until the
    /// first [`objects::Command::Carry`] (OBJ-15).
    fn apply_object(&mut self, command: &objects::Command);

    /// On the host: appends the flinches and deaths that it picked for units since it was last asked, in order (OBJ-38). A game
    /// whose units have none leaves it as it is.
    fn take_damage_animations(&mut self, _picks: &mut Vec<objects::PickRow>) {}

    /// On a client: how many animations that unit's graph has: what the host picks past them is refused (WIRE-41).
    fn animations(&self, _unit: ObjectId) -> u16 {
        0
    }

    /// On a client, before the simulation, once it has the host's objects: the host picked that flinch or death for a unit that
    /// is there. The unit shows it and no other; each comes once.
    fn apply_damage_animation(&mut self, _pick: &DamageAnimation) {}
}

/// What stands in a level and moves or acts by itself: doors, elevators, switches, in their groups; and what breaks in it. The
/// same devices, groups and surfaces are there on every machine from the level's begin on. A game without any implements
/// nothing of it.
///
/// The engine carries what stands on a device by what the device moves in the same tick, whatever moved it (GLUE-20):
/// its own way, or a command of before the tick.
pub trait Devices {
    /// Appends a row for each group, and for each device that can be set by itself, by rising name.
    fn read_groups(&self, _rows: &mut Vec<coop::GroupRow>) {}

    /// Appends a row for each device, by rising name.
    fn read_devices(&self, _rows: &mut Vec<coop::DeviceRow>) {}

    /// On a client, before the simulation: carries out the host's word on a device or a group. Nothing else sets one
    /// there (COOP-16).
    fn apply_device(&mut self, _command: &coop::Command) {}

    /// On the host: appends the surfaces that broke since it was last asked, in order (OBJ-31).
    fn take_broken_surfaces(&mut self, _broken: &mut Vec<SurfaceBroken>) {}

    /// On a client: whether that surface is broken; none where the level has no such.
    fn is_broken(&self, _surface: Surface) -> Option<bool> {
        None
    }

    /// On a client, before the simulation: a surface that is there, and whole, broke on the host. Nothing else breaks one there.
    fn apply_broken_surface(&mut self, _broken: &SurfaceBroken) {}
}

/// Scores, the game type, and what players pick up. A game that has none implements nothing of it.
pub trait Scoring {
    /// On the host: appends one row for each player of the game, those who left too, by rising slot.
    fn read_statistics(&self, _rows: &mut Vec<StatisticsRow>) {}

    /// On the host: all that the running game type counts and how far its end is; none where it has nothing (co-op).
    /// Counters of events wrap (AUTH-49).
    fn read_game_state(&self) -> Option<GameState> {
        None
    }

    /// On the host: appends what players picked up since it was last asked (AUTH-43).
    fn take_pickups(&mut self, _pickups: &mut Vec<Pickup>) {}

    /// On a client: the host's word on a player's statistics, copied whole.
    fn apply_statistics(&mut self, _row: &StatisticsRow) {}

    /// On a client: the host's word on the game type's state, before the simulation.
    fn apply_game_state(&mut self, _state: &GameState) {}

    /// On a client: something to announce, after the state that says it was applied; each once, in order.
    fn announce(&mut self, _announcement: Announcement) {}

    /// On a client: a local player picked something up on the host: the message, the sound, a powerup's flash.
    fn show_pickup(&mut self, _pickup: &Pickup) {}
}

/// What can be seen from where in a level. A game that does not know implements nothing of it: everything sees everything,
/// and a machine is sent each player by how far off it is alone.
pub trait Sight {
    /// On the host, once, when the level is loaded: its potentially visible set, of the clusters that
    /// [`View::cluster`](authority::View::cluster) names. It must err on the side of seeing (AUTH-35).
    fn read_visible(&self, _visible: &mut VisibleSet) {}
}

/// What hurts. What a damage can do the netcode asks by [`damage::Tags`] and [`damage::World`]. A game in which nothing does
/// implements nothing of the three.
pub trait Harm: damage::Tags + damage::World {
    /// On the host, after a tick: appends one row for each player of the game but those who left, by rising slot; and one
    /// for each living player's unit and each vehicle that somebody rides.
    fn read_harm(&self, _players: &mut Vec<damage::PlayerRow>, _targets: &mut Vec<damage::TargetRow>) {}

    /// On the host: appends the grenades that players threw in the tick just simulated.
    fn take_throws(&mut self, _throws: &mut Vec<damage::Throw>) {}

    /// On a client: appends what its own players' shots, grenades, blows and vehicles hit in the tick just simulated. Nobody
    /// was hurt by it here (DMG-01).
    fn take_hits(&mut self, _hits: &mut Vec<Hit>) {}

    /// On the host, before the simulation: deals what a client's player hit, as a client's own hit is. The host's own copies of
    /// that client's projectiles deal nothing while it is in the game (DMG-35). The damage's material and how much of its effect
    /// shows, and the hit's normal, are as the client said, of any value: no tag is known to bound them.
    fn deal(&mut self, _hit: &Hit) {}

    /// On the host: appends what was dealt since it was last asked, in order, to units, scenery and devices: the aftermath or
    /// the killing blow of each, and the players' screen effects.
    fn take_dealt(&mut self, _events: &mut Vec<DamageEvent>) {}

    /// On a client, before the simulation: the host's word on damage. None of it takes health, and nobody counts it. Scenery may be
    /// what no row of [`Objects::read_object_rows`] names.
    fn apply_damage(&mut self, _command: &damage::Command) {}
}

/// A game: all of it.
pub trait Engine:
    Session + Players + Objects + Devices + Scoring + Sight + Harm + Campaign + Actors + Talk + Conduct + Sharing
{
}

impl<T> Engine for T where
    T: Session
        + Players
        + Objects
        + Devices
        + Scoring
        + Sight
        + Harm
        + Campaign
        + Actors
        + Talk
        + Conduct
        + Sharing
        + ?Sized
{
}
