//! What a Tab makes of a line that is typed: a player's name is written out. Knows no list of players, which it is given, and no
//! rule of what a beginning is completed to.

use mjolnir_anticheat::command;
use mjolnir_wire::packets::player::Name;

/// Commands whose words are one name, whatever blanks it has.
const OF_A_NAME: [&str; 10] =
    ["kick", "ban", "votekick", "pick", "/mute", "/unmute", "mutehere", "unmutehere", "muteall", "unmuteall"];
/// Commands whose first word is a name: one with blanks stands between quotes.
const WITH_A_NAME: [&str; 6] = ["kill", "move", "give", "health", "team", "throw"];

/// The line with its name written out, or as much of it as those names have in common that begin so; as it is where there is no
/// name in it yet, or nobody's begins so (CHEAT-27).
pub fn complete(line: &str, names: impl Iterator<Item = Name>) -> String {
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
    let names: Vec<Name> = names.collect();
    let Some(name) = command::complete(typed, names.iter().copied()) else { return whole() };
    if !is_quoted || !name.contains(' ') {
        return format!("{command} {name}");
    }
    // One that goes on keeps its quotes open.
    let is_whole = names.iter().any(|other| other.to_string() == name);
    format!("{command} \"{name}{}", if is_whole { "\"" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(line: &str) -> String {
        let names = ["Bob", "Bobby", "Ann Lee", "Ann Lou", "Cid Roy"];
        complete(line, names.into_iter().map(Name::cut))
    }

    /// CHEAT-27: the beginning of one name is written out, in any case; of several as much as is certain; of nobody and of no command
    /// nothing is.
    #[test]
    fn a_name_is_written_out() {
        for (line, whole) in [
            ("ban c", "ban Cid Roy"),
            ("  BAN  CI", "BAN Cid Roy"),
            ("kick bob", "kick Bob"),
            ("votekick bobb", "votekick Bobby"),
            ("ban bo", "ban Bob"),
            ("/mute ann", "/mute Ann L"),
            ("/mute \"ann le\"", "/mute Ann Lee"),
            ("pick Ann Lo", "pick Ann Lou"),
            ("kill ann", "kill \"Ann L"),
            ("kill \"ann le", "kill \"Ann Lee\""),
            ("kill c", "kill \"Cid Roy\""),
            ("move b", "move Bob"),
            ("ban x", "ban x"),
            ("ban ", "ban "),
            ("ban", "ban"),
            ("say c", "say c"),
            ("fov c", "fov c"),
        ] {
            assert_eq!(completed(line), whole, "{line}");
        }
    }
}
