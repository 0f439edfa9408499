//! Fair play at this program's machines: what its settings and its data folder bring to a host, and what a machine that joins is
//! known by. Knows no rule.

use std::fs;
use std::path::Path;

use mjolnir_anticheat::{HardwareId, machine_id, sources, votes};
use mjolnir_engine_glue::settings::{Name, Settings};
use mjolnir_wire::rules::AimAssistPolicy;

/// The file in a data folder that says in place of the system what a machine is known by, as a launcher writes it where the
/// system's own is not to be read.
const HARDWARE_ID_FILE: &str = "hardware_id.txt";

/// A host's votes: `network.votekick*`.
pub fn votes(settings: &Settings) -> votes::Settings {
    // What a setting may hold is what these may be.
    votes::Settings {
        allowed: settings.flag(Name::NetworkVotekick),
        minutes: u8::try_from(settings.whole(Name::NetworkVotekickMinutes)).unwrap_or_default(),
        ban_minutes: u16::try_from(settings.whole(Name::NetworkVotekickBanMinutes)).unwrap_or_default(),
    }
}

/// A host's policy: `network.aim_assist`.
pub fn aim_assist(settings: &Settings) -> AimAssistPolicy {
    if settings.flag(Name::NetworkAimAssist) { AimAssistPolicy::Allowed } else { AimAssistPolicy::Blocked }
}

/// What a machine that joins is known by: its data folder's file, else the system's own; nothing of neither (CHEAT-23).
pub fn hardware_id(data: Option<&Path>) -> [u8; 32] {
    let told = data.and_then(|data| fs::read(data.join(HARDWARE_ID_FILE)).ok());
    let id = told.and_then(|told| sources::android(&told)).or_else(|| machine_id::read(Path::new("/")));
    let digits = id.as_ref().map(HardwareId::as_str).unwrap_or_default();
    digits.as_bytes().try_into().unwrap_or_default()
}
