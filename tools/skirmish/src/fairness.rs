//! Fair play at this program's machines: what its settings and its data folder bring to a host, and what a machine that joins is
//! known by. Knows no rule.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use mjolnir_anticheat::{HardwareId, machine_id, sources, votes};
use mjolnir_engine_glue::settings::{Name, Settings};
use mjolnir_wire::rules::AimAssistPolicy;

use crate::discord::Discord;
use crate::setup::Error;

/// The file in a data folder that says in place of the system what a machine is known by, as a launcher writes it where the
/// system's own is not to be read.
const HARDWARE_ID_FILE: &str = "hardware_id.txt";
/// No more of it is read, in bytes: an id has 16.
const HARDWARE_ID_MAX: u64 = 256;

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

/// Who is signed in to Discord where a machine joins: `debug.discord`.
pub fn discord(settings: &Settings) -> Result<Discord, Error> {
    let text = settings.text_of(Name::DebugDiscord);
    Discord::parse(text).ok_or_else(|| Error::Setting("debug.discord", format!("not ID NAME: {text}")))
}

/// What a machine that joins is known by: its data folder's file, else the system's own; nothing of neither (CHEAT-23).
pub fn hardware_id(data: Option<&Path>) -> [u8; 32] {
    let told = data.and_then(|data| told(&data.join(HARDWARE_ID_FILE)));
    let id = told.and_then(|told| sources::android(&told)).or_else(|| machine_id::read(Path::new("/")));
    let digits = id.as_ref().map(HardwareId::as_str).unwrap_or_default();
    digits.as_bytes().try_into().unwrap_or_default()
}

/// What a file says. Of what is no regular file nothing: reading it might never end.
fn told(path: &Path) -> Option<Vec<u8>> {
    let is_file = fs::metadata(path).is_ok_and(|known| known.is_file());
    let mut text = Vec::new();
    is_file.then(|| File::open(path).ok()?.take(HARDWARE_ID_MAX).read_to_end(&mut text).ok()).flatten()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CHEAT-35, 38, 44, 66: what a host wants where nothing is set: votes as they are by default, and aim assist allowed; and what it
    /// wants where it is.
    #[test]
    fn a_hosts_rules_are_its_settings() {
        let rules = |text: &str| {
            let (settings, warnings) = Settings::parse(text).unwrap();
            assert_eq!(warnings, []);
            (votes(&settings), aim_assist(&settings))
        };
        assert_eq!(rules(""), (votes::Settings::default(), AimAssistPolicy::Allowed));
        let set = "[network]\nvotekick = false\nvotekick_minutes = 60\nvotekick_ban_minutes = 1440\naim_assist = false\n";
        let set_votes = votes::Settings { allowed: false, minutes: 60, ban_minutes: 1440 };
        assert_eq!(rules(set), (set_votes, AimAssistPolicy::Blocked));
    }

    /// CHEAT-23: a file in a data folder says what a machine is known by; what is no file, as a device without an end, says nothing,
    /// and the system's own is taken.
    #[cfg(unix)]
    #[test]
    fn what_is_no_file_says_no_id() {
        let folder = std::env::temp_dir().join(format!("mjolnir-hardware-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join(HARDWARE_ID_FILE);
        let own = hardware_id(None);
        fs::write(&file, "abc\n").unwrap();
        let told = hardware_id(Some(&folder));
        assert_eq!(Some(told), sources::android(b"abc").map(|id| id.as_str().as_bytes().try_into().unwrap()));
        assert_ne!(told, own);
        fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
        assert_eq!(hardware_id(Some(&folder)), own);
        fs::remove_dir_all(&folder).unwrap();
    }

    /// CHEAT-19: a machine's Discord user is its setting's; nobody unless it says one, and what is no user is refused.
    #[test]
    fn a_setting_says_who_is_signed_in() {
        let user = |text: &str| {
            let (settings, warnings) = Settings::parse(&format!("[debug]\n{text}\n")).unwrap();
            assert_eq!(warnings, []);
            discord(&settings).map_err(|error| error.to_string())
        };
        assert_eq!(user("discord = '123 Ann Lee'").unwrap().user(), Some(("123", "Ann Lee")));
        assert_eq!(user("").unwrap().user(), None);
        assert_eq!(user("discord = '123'").unwrap_err(), "setting debug.discord: not ID NAME: 123");
    }
}
