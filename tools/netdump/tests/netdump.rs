//! Messages and captures as JSON: every kind by the record's names, the golden vectors' values, a demo's capture, and
//! what may be wrong with any of them.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up fails it")]

mod netdump {
    mod bytes;
    mod campaign;
    mod captures;
    mod demo;
    mod maps;
    mod program;
    mod record;
    mod segments;
    mod total;
    mod vectors;
}
