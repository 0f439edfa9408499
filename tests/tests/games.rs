//! Whole games, of machines in one thread over a bad network in virtual time. Each module shows one concern.
#![allow(clippy::unwrap_used, reason = "the functions here serve tests alone")]

#[path = "games/agreement.rs"]
mod agreement;
#[path = "games/ballots.rs"]
mod ballots;
#[path = "games/bans.rs"]
mod bans;
#[path = "games/blows.rs"]
mod blows;
#[path = "games/boarding.rs"]
mod boarding;
#[path = "games/bodies.rs"]
mod bodies;
#[path = "games/breaking.rs"]
mod breaking;
#[path = "games/carrying.rs"]
mod carrying;
#[path = "games/chat.rs"]
mod chat;
#[path = "games/chatscript.rs"]
mod chatscript;
#[path = "games/clockhacks.rs"]
mod clockhacks;
#[path = "games/clocks.rs"]
mod clocks;
#[path = "games/concerned.rs"]
mod concerned;
#[path = "games/conduct.rs"]
mod conduct;
#[path = "games/copies.rs"]
mod copies;
#[path = "games/corrections.rs"]
mod corrections;
#[path = "games/crowd.rs"]
mod crowd;
#[path = "games/deaths.rs"]
mod deaths;
#[path = "games/decided.rs"]
mod decided;
#[path = "games/drift.rs"]
mod drift;
#[path = "games/driving.rs"]
mod driving;
#[path = "games/dying.rs"]
mod dying;
#[path = "games/elevators.rs"]
mod elevators;
#[path = "games/failures.rs"]
mod failures;
#[path = "games/flinches.rs"]
mod flinches;
#[path = "games/floods.rs"]
mod floods;
#[path = "games/friends.rs"]
mod friends;
#[path = "games/goals.rs"]
mod goals;
#[path = "games/guests.rs"]
mod guests;
#[path = "games/hits.rs"]
mod hits;
#[path = "games/hostile.rs"]
mod hostile;
#[path = "games/inputs.rs"]
mod inputs;
#[path = "games/joining.rs"]
mod joining;
#[path = "games/kicks.rs"]
mod kicks;
#[path = "games/latecomers.rs"]
mod latecomers;
#[path = "games/maps.rs"]
mod maps;
#[path = "games/meter.rs"]
mod meter;
#[path = "games/objects.rs"]
mod objects;
#[path = "games/order.rs"]
mod order;
#[path = "games/outcomes.rs"]
mod outcomes;
#[path = "games/pickups.rs"]
mod pickups;
#[path = "games/platforms.rs"]
mod platforms;
#[path = "games/quarrels.rs"]
mod quarrels;
#[path = "games/relevance.rs"]
mod relevance;
#[path = "games/rounds.rs"]
mod rounds;
#[path = "games/scores.rs"]
mod scores;
#[path = "games/scripts.rs"]
mod scripts;
#[path = "games/seats.rs"]
mod seats;
#[path = "games/shots.rs"]
mod shots;
#[path = "games/shown.rs"]
mod shown;
#[path = "games/split.rs"]
mod split;
#[cfg(feature = "opus")]
#[path = "games/spoken.rs"]
mod spoken;
#[path = "games/steady.rs"]
mod steady;
#[path = "games/stirred.rs"]
mod stirred;
#[path = "games/teleporters.rs"]
mod teleporters;
#[path = "games/travellers.rs"]
mod travellers;
#[path = "games/update.rs"]
mod update;
#[path = "games/vehicles.rs"]
mod vehicles;
#[path = "games/voice_ways.rs"]
mod voice_ways;
#[path = "games/voices.rs"]
mod voices;
#[path = "games/word.rs"]
mod word;
