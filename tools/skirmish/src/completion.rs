//! What a Tab makes of a line that is typed: a player's name is written out. Knows no list of players and no rule of whom a
//! beginning means: it is given both.

use mjolnir_wire::Slot;
use mjolnir_wire::names;
use mjolnir_wire::packets::player::Name;

/// Commands whose words are one name, whatever blanks it has.
const OF_A_NAME: [&str; 10] =
    ["kick", "ban", "votekick", "pick", "/mute", "/unmute", "mutehere", "unmutehere", "muteall", "unmuteall"];
/// Commands whose first word is a name: one with blanks stands between quotes.
const WITH_A_NAME: [&str; 6] = ["kill", "move", "give", "health", "team", "throw"];

/// The line with its name written out, as `complete` has it of what was typed of the name; as it is where there is no name in it
/// yet, or that means nobody or several (CHEAT-27).
pub fn complete(line: &str, complete: impl FnOnce(&str) -> Option<Name>) -> String {
    let whole = || line.to_owned();
    let from = line.len() - line.trim_start().len();
    let Some((command, typed)) = line[from..].split_once(char::is_whitespace) else { return whole() };
    let is_quoted = match command.to_lowercase() {
        command if OF_A_NAME.contains(&command.as_str()) => false,
        command if WITH_A_NAME.contains(&command.as_str()) => true,
        _ => return whole(),
    };
    let typed = typed.trim_start();
    let typed = typed.strip_prefix('"').unwrap_or(typed);
    let typed = typed.strip_suffix('"').unwrap_or(typed);
    match complete(typed).map(|name| name.to_string()) {
        Some(name) if is_quoted && name.contains(' ') => format!("{command} \"{name}\""),
        Some(name) => format!("{command} {name}"),
        None => whole(),
    }
}

/// The name of that list that the beginning means, if it means one: as the commands have it that take a name.
pub fn by_beginning(typed: &str, listed: impl Iterator<Item = (Slot, Name)>) -> Option<Name> {
    let listed: Vec<_> = listed.collect();
    let found = names::find(typed, listed.iter().copied()).ok()?;
    listed.iter().find(|(slot, _)| *slot == found).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(line: &str) -> String {
        let listed = ["Bob", "Bobby", "Ann Lee", "Cid"];
        let listed = (0..).zip(listed).map(|(slot, name)| (Slot::new(slot).unwrap(), Name::cut(name)));
        complete(line, |typed| by_beginning(typed, listed))
    }

    /// CHEAT-27: the beginning of one name is written out, in any case; of several, of nobody and of no command nothing is.
    #[test]
    fn a_name_is_written_out() {
        for (line, whole) in [
            ("ban c", "ban Cid"),
            ("  BAN  CI", "BAN Cid"),
            ("kick bob", "kick Bob"),
            ("votekick bobb", "votekick Bobby"),
            ("/mute ann", "/mute Ann Lee"),
            ("pick Ann L", "pick Ann Lee"),
            ("kill ann l", "kill \"Ann Lee\""),
            ("kill \"ann ", "kill \"Ann Lee\""),
            ("move bobby", "move Bobby"),
            ("ban bo", "ban bo"),
            ("ban x", "ban x"),
            ("ban ", "ban "),
            ("ban", "ban"),
            ("say c", "say c"),
            ("fov c", "fov c"),
        ] {
            assert_eq!(completed(line), whole, "{line}");
        }
    }

    /// What is asked for is what was typed of the name, and is asked of those commands alone.
    #[test]
    fn what_was_typed_is_asked_for() {
        for (line, typed) in [("ban  bo b", Some("bo b")), ("kill \"bo b", Some("bo b")), ("say bo", None)] {
            let mut asked = None;
            complete(line, |typed| {
                asked = Some(typed.to_owned());
                None
            });
            assert_eq!(asked.as_deref(), typed, "{line}");
        }
    }
}
