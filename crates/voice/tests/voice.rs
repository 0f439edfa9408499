//! Voice as scripts: frames that come at this moment, and exactly who hears what. Knows no network and no sound device.
#![allow(clippy::unwrap_used, reason = "what a script takes for granted and is not so fails it")]

#[path = "voice/client.rs"]
mod client;
#[cfg(feature = "opus")]
#[path = "voice/codec.rs"]
mod codec;
#[path = "voice/hearing.rs"]
mod hearing;
#[path = "voice/jitter.rs"]
mod jitter;
#[path = "voice/listener.rs"]
mod listener;
#[path = "voice/relay.rs"]
mod relay;
#[path = "voice/scene.rs"]
mod scene;
#[path = "voice/steady.rs"]
mod steady;
#[path = "voice/talker.rs"]
mod talker;
