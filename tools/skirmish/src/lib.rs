//! A small headless shooter that the netcode is played and proved on: an engine like any other.
//!
//! [`game`] is the game itself, pure and deterministic; [`seam`] binds it to the netcode; [`machine`] runs one
//! machine frame by frame, whatever its network and clock; the rest is the program.

pub mod announced;
pub mod board;
pub mod clock;
pub mod completion;
pub mod conduct;
pub mod console;
pub mod control;
pub mod cues;
pub mod custom;
pub mod demo;
pub mod desk;
pub mod discord;
pub mod dump;
pub mod ending;
pub mod errand;
pub mod fairness;
pub mod files;
pub mod game;
pub mod gauge;
pub mod happenings;
pub mod harness;
pub mod init;
pub mod lan;
pub mod listed;
pub mod lists;
pub mod local;
pub mod machine;
pub mod making;
pub mod options;
pub mod orders;
pub mod passage;
pub mod play;
pub mod progress;
pub mod record;
pub mod report;
pub mod roll;
pub mod scores;
pub mod screen;
pub mod scripts;
pub mod seam;
pub mod second;
pub mod setup;
pub mod sharing;
mod sound;
pub mod speech;
pub mod status;
pub mod summary;
pub mod timeline;
pub mod tinkering;
pub mod told;
