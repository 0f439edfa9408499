//! Units that the host's actors drive: told by distance on the host, driven by the latest word on a client (OBJ-34 to 37).
//! Knows no mind, and nothing of what a unit does with its control.

mod driving;
mod following;
mod hurting;
mod leading;
mod showing;

pub use driving::ACTOR_SILENCE;
pub use hurting::{DAMAGE_REPEATS, DAMAGE_TURN, DAMAGES_A_TICK};

pub(crate) use driving::{Counts, Driving};
pub(crate) use following::{as_driven, awake, here, woken};
pub(crate) use hurting::Hurting;
pub(crate) use leading::{Actors, position_of, tell};
pub(crate) use showing::Showing;
