//! What crate `wire` promises, by the golden vectors, by tables from the requirements and by random bytes. Each test
//! names the rows that it shows.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

mod wire {
    mod actors;
    mod bytes;
    mod damage;
    mod events;
    mod failures;
    mod format;
    mod frames;
    mod inputs;
    mod layouts;
    mod mapshare;
    mod objects;
    mod ours;
    mod presentation;
    mod scores;
    mod scripted;
    mod session;
    mod space;
    mod steady;
    mod swarm;
    mod total;
    mod units;
    mod vectors;
    mod voice;
}
