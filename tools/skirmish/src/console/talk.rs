//! What a console has for chat: the commands whose words are a line's text, and those that mute. Knows no other command.

use mjolnir_engine_glue::chat::{Channel, Settings};

use crate::speech::Speech;

/// Every command with its words, and what it does.
pub(super) const USAGES: [(&str, &str, &str); 10] = [
    ("say", "say TEXT", "says that to everyone"),
    ("team", "team TEXT", "says that to the team; where there are none, to everyone"),
    ("vehicle", "vehicle TEXT", "says that to those in the same vehicle"),
    (
        "/mute",
        "/mute NAME [MINUTES]",
        "mutes a player for everyone; a client, without MINUTES, on its machine alone",
    ),
    ("/unmute", "/unmute NAME", "takes that back"),
    ("mutehere", "mutehere NAME", "mutes a player on this machine alone, as a scoreboard does"),
    ("unmutehere", "unmutehere NAME", "takes that back"),
    ("muteall", "muteall NAME", "mutes a player for everyone, as a host's scoreboard does (a host's)"),
    ("unmuteall", "unmuteall NAME", "takes that back"),
    ("chat", "chat on|links|off", "what players may say: lines, links in them too, nothing (a host's)"),
];

/// Reads a line of that command: none of a command that is not chat's, `Err` with its usage where it needs other words. `rest`
/// is the line behind the command as it was typed, `words` the same with what stands between quotes as one.
pub(super) fn parse(command: &str, rest: &str, words: &[&str]) -> Option<Result<Speech, &'static str>> {
    let (_, usage, _) = USAGES.iter().find(|(known, ..)| *known == command)?;
    let text = unquoted(rest.trim());
    let name = words.join(" ");
    let line = |channel| Some(Speech::Type(channel, text.to_owned())).filter(|_| !text.is_empty());
    let of_name = |speech: fn(String, bool) -> Speech, is_muted| {
        Some(&name).filter(|name| !name.is_empty()).map(|name| speech(name.clone(), is_muted))
    };
    let speech = match (command, words) {
        ("say", _) => line(Channel::All),
        // Two words with a number behind are the host's: it puts a player in a team.
        ("team", [_, number]) if is_number(number) && text == rest.trim() => return None,
        ("team", _) => line(Channel::Team),
        ("vehicle", _) => line(Channel::Vehicle),
        // Whom it means, and for how long, is the chat's to find.
        ("/mute" | "/unmute", [_, ..]) => Some(Speech::Type(Channel::All, format!("{command} {name}"))),
        ("muteall", _) => of_name(Speech::MuteAll, true),
        ("unmuteall", _) => of_name(Speech::MuteAll, false),
        ("mutehere", _) => of_name(Speech::MuteHere, true),
        ("unmutehere", _) => of_name(Speech::MuteHere, false),
        ("chat", [allowed]) => settings(&allowed.to_lowercase()).map(Speech::Allow),
        _ => None,
    };
    Some(speech.ok_or(usage))
}

/// The setting of that word, as `network.text_chat` has it.
pub fn settings(word: &str) -> Option<Settings> {
    Some(match word {
        "on" => Settings::On,
        "links" => Settings::Links,
        "off" => Settings::Off,
        _ => return None,
    })
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// A text that stands between quotes is what stands between them.
fn unquoted(text: &str) -> &str {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.filter(|inner| !inner.contains('"')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::super::{HostLine, Line, Refusal, parse};
    use super::*;

    /// A line's text is what was typed behind the command; what stands between quotes is as well a text, and `team` with a name
    /// and a number is the host's.
    #[test]
    fn a_text_is_what_was_typed() {
        let typed = |channel, text: &str| Some(Ok(Line::Speech(Speech::Type(channel, text.into()))));
        for (line, channel, text) in [
            ("say hello  there", Channel::All, "hello  there"),
            ("  SAY\tit is \"his\" car ", Channel::All, "it is \"his\" car"),
            ("say \"hello\"", Channel::All, "hello"),
            ("say \"", Channel::All, "\""),
            ("say \"a\" \"b\"", Channel::All, "\"a\" \"b\""),
            ("say /mute Ann", Channel::All, "/mute Ann"),
            ("team go", Channel::Team, "go"),
            ("team go 2 left", Channel::Team, "go 2 left"),
            ("team go left", Channel::Team, "go left"),
            ("team \"Ann 1\"", Channel::Team, "Ann 1"),
            ("vehicle left", Channel::Vehicle, "left"),
            ("/mute Ann 5", Channel::All, "/mute Ann 5"),
            ("/MUTE  \"Ann 2\" 5", Channel::All, "/mute Ann 2 5"),
            ("/unmute Ann", Channel::All, "/unmute Ann"),
        ] {
            assert_eq!(parse(line), typed(channel, text), "{line}");
        }
        let team = HostLine::Team("Ann".into(), 1);
        assert_eq!(parse("team Ann 1"), Some(Ok(Line::Host(team))));
        for (line, usage) in [
            ("say", "say TEXT"),
            ("say  ", "say TEXT"),
            ("say \"\"", "say TEXT"),
            ("team", "team TEXT"),
            ("team Ann 256", "team NAME N"),
            ("vehicle", "vehicle TEXT"),
            ("/mute", "/mute NAME [MINUTES]"),
            ("/unmute", "/unmute NAME"),
            ("muteall", "muteall NAME"),
            ("unmutehere", "unmutehere NAME"),
            ("chat", "chat on|links|off"),
            ("chat loud", "chat on|links|off"),
            ("chat on off", "chat on|links|off"),
        ] {
            assert_eq!(parse(line), Some(Err(Refusal::Usage(usage))), "{line}");
        }
    }

    #[test]
    fn mutes_and_settings_are_read() {
        let speech = |line: &str| match parse(line) {
            Some(Ok(Line::Speech(speech))) => speech,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(speech("muteall Ann 2"), Speech::MuteAll("Ann 2".into(), true));
        assert_eq!(speech("unmuteall \"Ann 2\""), Speech::MuteAll("Ann 2".into(), false));
        assert_eq!(speech("mutehere ann"), Speech::MuteHere("ann".into(), true));
        assert_eq!(speech("unmutehere ann"), Speech::MuteHere("ann".into(), false));
        for (word, settings) in [("on", Settings::On), ("LINKS", Settings::Links), ("off", Settings::Off)] {
            assert_eq!(speech(&format!("chat {word}")), Speech::Allow(settings));
        }
    }
}
