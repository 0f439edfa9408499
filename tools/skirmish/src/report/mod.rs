//! The demo's report: one page that opens from disk without a network, with the summary, plots over time and a
//! replay from above. Gathers and packs; how it looks stands in `page/`. Knows no network and runs no game.

pub mod above;
pub mod course;
mod page;
mod plots;
pub mod replay;
pub mod series;
pub mod tally;

use mjolnir_wire::{Machine, Slot, Tick};
use serde::Serialize;

use self::above::Above;
pub use self::course::Course;
use self::plots::Plots;
use self::replay::Replay;
pub use self::tally::Tally;
use crate::game::{Map, World};
use crate::record::Recording;
use crate::summary::Summary;

/// A machine of the game: what it saw and noted.
#[derive(Debug)]
pub struct Seen<'a> {
    /// The machine.
    pub machine: Machine,
    /// Its own players.
    pub own: &'a [Slot],
    /// What it saw.
    pub recording: &'a Recording,
    /// What it noted.
    pub course: &'a Course,
}

/// All that a report is made of.
#[derive(Debug)]
pub struct Story<'a> {
    /// The summary.
    pub summary: &'a Summary,
    /// What was done to the network, in words; empty where nothing was.
    pub faults: String,
    /// The map that was played; none before a game.
    pub map: Option<&'a Map>,
    /// Who played.
    pub players: &'a [Who],
    /// The host.
    pub host: Seen<'a>,
    /// The netcode's time in each of the host's ticks, in microseconds.
    pub ticks_us: &'a [f64],
    /// The clients that played.
    pub clients: Vec<Seen<'a>>,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Who {
    /// Its slot.
    pub slot: u8,
    /// Its name.
    pub name: String,
    /// The machine that it played at.
    pub machine: u8,
    /// Its team, where there were any.
    pub team: Option<u8>,
}

impl Who {
    /// The players of a world, with those who left.
    pub fn all(world: &World) -> Vec<Self> {
        let who = |(slot, player): (Slot, &crate::game::Player)| Self {
            slot: slot.get(),
            name: player.name.clone(),
            machine: player.machine.get(),
            team: player.team,
        };
        world.players().map(who).collect()
    }
}

/// What the page holds, as its script reads it.
#[derive(Debug, Serialize)]
struct Data<'a> {
    summary: &'a Summary,
    faults: &'a str,
    /// The first tick; all else counts from it.
    first: i32,
    ticks: i32,
    map: Option<Above>,
    players: &'a [Who],
    plots: Plots,
    replay: Replay,
}

/// The page.
pub fn page(story: &Story<'_>) -> Result<String, serde_json::Error> {
    let views = &story.host.recording.views;
    let first = views.first().map_or(Tick::ZERO, |view| view.tick);
    let last = views.last().map_or(first, |view| view.tick);
    let machines: Vec<_> =
        [&story.host].into_iter().chain(&story.clients).map(|seen| (seen.machine, seen.recording)).collect();
    let highest = views.iter().flat_map(|view| &view.places).map(|place| place.position.z);
    let data = Data {
        summary: story.summary,
        faults: &story.faults,
        first: first.get(),
        ticks: if views.is_empty() { 0 } else { last.get() - first.get() + 1 },
        map: story.map.map(|map| Above::new(map, highest.reduce(f32::max).unwrap_or(0.0))),
        players: story.players,
        plots: Plots::new(story, first, last),
        replay: Replay::new(first, last, &machines),
    };
    Ok(page::fill(&serde_json::to_string(&data)?))
}
