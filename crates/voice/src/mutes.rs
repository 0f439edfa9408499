//! The machines that this machine's player has muted for itself, which nobody is told of (VOICE-19, 32, CHAT-27). Knows no
//! frame.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use mjolnir_wire::{Machine, MachineSet};

/// A machine, and the names that its players had as it was muted.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mute {
    machine: Machine,
    names: Vec<String>,
}

/// See the file's text.
#[derive(Clone, Debug, Default)]
pub struct Mutes(Vec<Mute>);

impl Mutes {
    /// Nobody is muted.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Mutes a machine, whose players have those names in the order of their slots.
    pub fn mute(&mut self, machine: Machine, names: &[&str]) {
        self.unmute(machine);
        self.0.push(Mute { machine, names: names.iter().map(ToString::to_string).collect() });
    }

    /// It is heard again.
    pub fn unmute(&mut self, machine: Machine) {
        self.0.retain(|mute| mute.machine != machine);
    }

    /// That machine's players have those names now, none if it has left: with any other than it was muted by, it is
    /// another's, and heard (VOICE-32).
    pub fn follow(&mut self, machine: Machine, names: &[&str]) {
        self.0.retain(|mute| mute.machine != machine || mute.names.iter().eq(names));
    }

    /// Whether that machine is muted.
    pub fn is_muted(&self, machine: Machine) -> bool {
        self.0.iter().any(|mute| mute.machine == machine)
    }

    /// Every machine that is muted.
    pub fn machines(&self) -> MachineSet {
        self.0.iter().map(|mute| mute.machine).collect()
    }
}
