//! The game itself: a small deterministic shooter without a screen. Knows no network, no clock and no thread.
//!
//! Pure: [`World::step`] simulates one tick of 1/30 s from what the world holds and the inputs it was given.
//! Everything is visited in a fixed order, all chance comes from one seed, every float function from `libm` or the
//! correctly rounded square root, so the same seed and inputs give the same [`World::state_hash`] everywhere.
//!
//! Units: world units (`wu`), world units a tick, ticks, radians counter-clockwise from east. x is east, y north,
//! z up.

pub mod actors;
pub mod bot;
pub mod campaign;
pub mod cheats;
pub mod clusters;
pub mod collision;
pub mod effects;
pub mod fixtures;
mod hash;
pub mod health;
pub mod kinds;
pub mod looks;
mod loose;
pub mod map;
pub mod map_file;
pub mod map_text;
pub mod marks;
pub mod movement;
pub mod objects;
pub mod player;
pub mod powerups;
pub mod projectiles;
pub mod random;
pub mod screen;
pub mod script;
mod spawn;
mod standing;
mod trail;
pub mod types;
pub mod vehicle;
pub mod world;

pub use actors::Actor;
pub use bot::{Bot, Look};
pub use campaign::Showed;
pub use cheats::Cheats;
pub use health::Vitality;
pub use kinds::{Class, Kind};
pub use looks::Looks;
pub use map::{Listing, Map, levels, maps};
pub use movement::{Limits, Tuning};
pub use objects::{Half, Made};
pub use player::{Player, Rides, Sight};
pub use screen::Screen;
pub use script::Script;
pub use types::{FriendlyFire, GameType, News, Rules, Waypoint};
pub use vehicle::Craft;
pub use world::{Breakable, Carriage, Decisions, Event, Hindrance, Role, Shaft, World};
