//! Hosts and clients around a small game, as scripts over virtual time: what reaches the game and when, what goes over
//! the wire and when, and what peers that mean ill change (nothing).
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

#[path = "engine-glue"]
mod engine_glue {
    mod breaking;
    mod conduct_hostile;
    mod counting;
    mod damage;
    mod foreign;
    mod game;
    mod games;
    mod harm;
    mod hostile;
    mod ill;
    mod joining;
    mod judging;
    mod leaving;
    mod manners;
    mod maps;
    mod objects;
    mod options;
    mod order;
    mod ready;
    mod riders;
    mod riding;
    mod scores;
    mod scripting;
    mod scripts;
    mod settings;
    mod sharing;
    mod steady;
    mod table;
    mod talking;
    mod taps;
    mod traced;
    mod vehicles;
}
