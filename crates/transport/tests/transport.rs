//! Sessions between a host and its clients, as scripts over virtual time: every byte that passes is written down.
#![allow(clippy::unwrap_used, reason = "a test's helper fails its test")]

mod transport {
    mod asking;
    mod channels;
    mod datagrams;
    mod downloading;
    mod failures;
    mod hostile;
    mod in_progress;
    mod joining;
    mod lan;
    mod leaving;
    mod limits;
    mod lobby;
    mod sending;
    mod steady;
    mod strangers;
    mod table;
    mod versions;
    mod voice;
    mod whole;
}
