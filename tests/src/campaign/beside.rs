//! A client's world beside the host's: what scripts show, devices, named objects, allegiances, actors, and every object. What is on
//! its way is let come, for as long as the rows give it. Knows worlds and no network.

use std::collections::{BTreeMap, VecDeque};

use mjolnir_skirmish::game::World;
use mjolnir_skirmish::game::actors::{PLAYERS, TEAMS};
use mjolnir_skirmish::game::world::Scenery;
use mjolnir_wire::limits::TICKS_PER_SECOND;
use mjolnir_wire::presentation::Presentation;
use mjolnir_wire::{ObjectId, Vec3};

use super::Tally;
use crate::alike::{Part, differences, platforms};
use crate::lab::Lab;

/// Presentations of the host that are kept: what a client shows is one of them.
const KEPT: usize = 64;
/// What is shown comes each tick (COOP-05): the way, two ticks, and four messages in a row that are lost.
const SHOWN_WITHIN: u32 = 8;
/// What is told as it changes, in three ticks and once a second (COOP-15, 18, 21, 66): the way, and a round of it that is lost.
const TOLD_WITHIN: u32 = 2 * TICKS_PER_SECOND + 8;
/// What goes by the stream comes after a round trip, and as often as it is lost after as long again; an object's place with the
/// next round of what rests.
const CARRIED_WITHIN: u32 = 3 * TICKS_PER_SECOND;
/// A client that begins to play has had everything within a second (COOP-59), and what is on its way then.
const BEGINS_WITHIN: u32 = TICKS_PER_SECOND;

/// What the bytes of a direction, a place and an angle lose at most.
const ROUNDED: f32 = 2e-3;

/// Something of a world that may be another than the host's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Concern {
    /// An object, a player, what a unit carries, who sits where.
    World(Part),
    /// A group, or a device.
    Devices,
    /// Whether a named object is there, where it stands and how it looks.
    Named(u16),
    /// The screen's effect.
    Screen,
    /// Where the way is shown.
    Points,
    /// Whether a team is the players' ally.
    Ally(u8),
    /// Whether a unit has an actor, of what team.
    Actor(ObjectId),
}

impl Concern {
    /// For how many ticks it may be another.
    const fn within(self) -> u32 {
        match self {
            Self::Ally(_) => SHOWN_WITHIN,
            Self::Devices | Self::Named(_) | Self::Screen => TOLD_WITHIN,
            Self::World(_) | Self::Points | Self::Actor(_) => CARRIED_WITHIN,
        }
    }
}

/// Of a client: what was another than the host's when it was compared, and is still.
#[derive(Debug, Default)]
struct Compared {
    /// Ticks that it played.
    played: u32,
    /// Ticks since it was compared.
    since: u32,
    unlike: BTreeMap<Concern, String>,
    /// It was shown something else for so many ticks in a row.
    behind: u32,
}

/// See the file's text.
#[derive(Debug, Default)]
pub(super) struct Beside {
    /// What the host showed, the newest last.
    shown: VecDeque<Presentation>,
    clients: Vec<Compared>,
    pub(super) wrong: Vec<String>,
    compared: u64,
    actors: u64,
    behind: u32,
    unlike: u32,
}

impl Beside {
    pub(super) fn host_ticked(&mut self, lab: &Lab) {
        let Some(shown) = lab.host.engine.world().presentation() else { return };
        self.shown.push_back(*shown);
        if self.shown.len() > KEPT {
            self.shown.pop_front();
        }
    }

    fn client(&mut self, place: usize) -> &mut Compared {
        while self.clients.len() <= place {
            self.clients.push(Compared::default());
        }
        &mut self.clients[place]
    }

    /// Compares each client that plays with the host as it is now.
    pub(super) fn compare(&mut self, lab: &Lab) {
        let host = lab.host.engine.world();
        for (place, seat) in lab.clients.iter().enumerate() {
            let Some(world) = seat.engine.game.world().filter(|_| seat.runs) else { continue };
            if self.client(place).played < BEGINS_WITHIN {
                continue;
            }
            self.compared += 1;
            self.actors += host.actors().count() as u64;
            let client = self.client(place);
            (client.since, client.unlike) = (0, unlike(host, world).into_iter().collect());
        }
    }

    /// A client played a tick: what it shows, and what was unlike and is still.
    pub(super) fn client_ticked(&mut self, lab: &Lab, place: usize) {
        let (host, world) = (lab.host.engine.world(), lab.clients[place].engine.world());
        self.client(place).played += 1;
        if self.client(place).played > BEGINS_WITHIN {
            self.look_at_presentation(lab, world, place);
        }
        let client = self.client(place);
        if client.unlike.is_empty() {
            return;
        }
        client.since += 1;
        let since = client.since;
        let still: BTreeMap<_, _> = unlike(host, world).into_iter().collect();
        client.unlike.retain(|concern, _| still.contains_key(concern));
        let late: Vec<_> = client.unlike.keys().copied().filter(|of| since > of.within()).collect();
        if !client.unlike.is_empty() {
            self.unlike = self.unlike.max(since);
        }
        for concern in late {
            self.client(place).unlike.remove(&concern);
            let tick = lab.tick().get();
            self.wrong.push(format!(
                "tick {tick}: client {place}, {since} ticks after it was compared, {}",
                still[&concern]
            ));
        }
    }

    /// COOP-05: it shows what the host showed a little before.
    fn look_at_presentation(&mut self, lab: &Lab, world: &World, place: usize) {
        let Some(shown) = world.presentation() else {
            self.wrong.push(format!("client {place} shows nothing"));
            return;
        };
        let back = self.shown.iter().rev().position(|of| is_shown(of, shown));
        let behind = back.map_or(KEPT as u32, |back| back as u32);
        self.behind = self.behind.max(behind);
        let is_late = behind > SHOWN_WITHIN;
        let client = self.client(place);
        // Told once for as long as it lasts.
        if is_late && client.behind == 0 {
            let tick = lab.tick().get();
            let newest = self.shown.back();
            self.wrong.push(format!("tick {tick}: client {place} shows {shown:?} and not {newest:?}"));
        }
        let client = self.client(place);
        client.behind = if is_late { client.behind + 1 } else { 0 };
    }

    pub(super) fn tell(self, tally: &mut Tally) {
        tally.compared += self.compared;
        tally.actors += self.actors;
        tally.behind = self.behind;
        tally.unlike = self.unlike;
    }
}

/// Whether a client shows what the host shows: its camera to as much as its bytes say.
fn is_shown(there: &Presentation, here: &Presentation) -> bool {
    let is_near = match (&there.camera, &here.camera) {
        (Some(there), Some(here)) => {
            let near = |there: Vec3, here: Vec3| there.distance(here) < ROUNDED;
            let axes = near(there.axes.forward, here.axes.forward) && near(there.axes.up, here.axes.up);
            let is_wide = (there.field_of_view - here.field_of_view).abs() < ROUNDED;
            near(there.position, here.position) && axes && is_wide && there.object == here.object
        }
        (there, here) => there.is_none() && here.is_none(),
    };
    is_near && Presentation { camera: None, ..*there } == Presentation { camera: None, ..*here }
}

/// Everything in which a client's world is not the host's.
fn unlike(host: &World, client: &World) -> Vec<(Concern, String)> {
    let mut all: Vec<_> =
        differences(host, client).into_iter().map(|(part, what)| (Concern::World(part), what)).collect();
    all.extend(platforms(host, client).map(|what| (Concern::Devices, what)));
    named(host, client, &mut all);
    let [there, here] = [host, client].map(World::screen_effect);
    if there != here {
        all.push((Concern::Screen, format!("has the screen's effect {here:?} and not {there:?}")));
    }
    let [there, here] = [host, client].map(World::points);
    if there != here {
        all.push((Concern::Points, format!("shows the way to {here:?} and not to {there:?}")));
    }
    for team in 0..TEAMS {
        let [there, here] = [host, client].map(|world| (world.allied(PLAYERS, team), world.is_ally(team)));
        if there != here {
            all.push((Concern::Ally(team), format!("has team {team} allied {here:?} and not {there:?}")));
        }
    }
    let [there, here] = [host, client].map(|world| -> BTreeMap<ObjectId, u8> {
        world.actors().map(|(unit, actor)| (unit, actor.team())).collect()
    });
    let units = there.keys().chain(here.keys());
    for unit in units.filter(|unit| there.get(unit) != here.get(unit)) {
        let (there, here) = (there.get(unit), here.get(unit));
        all.push((
            Concern::Actor(*unit),
            format!("has {unit:?} an actor's of {here:?} and not of {there:?}"),
        ));
    }
    all
}

/// COOP-21, 66: the same named objects, in the same places, with the same looks.
fn named(host: &World, client: &World, all: &mut Vec<(Concern, String)>) {
    let count = host.level().map_or(0, |level| level.names.len());
    for name in 0..count as u16 {
        let of = |world: &World| (world.is_named(name), world.scenery(name));
        let (there, here) = (of(host), of(client));
        // What it plays is had once, and not by who joins later (COOP-09).
        let looks = |of: Scenery| (of.regions, of.scale);
        let near = |there: Vec3, here: Vec3| there.distance(here) < ROUNDED;
        let stands = match (there.1, here.1) {
            (Some(there), Some(here)) => {
                let axes = near(there.axes.forward, here.axes.forward) && near(there.axes.up, here.axes.up);
                near(there.position, here.position) && axes
            }
            _ => true,
        };
        if !stands || (there.0, there.1.map(looks)) != (here.0, here.1.map(looks)) {
            all.push((
                Concern::Named(name),
                format!("has the named object {name} {here:?} and not {there:?}"),
            ));
        }
    }
}
