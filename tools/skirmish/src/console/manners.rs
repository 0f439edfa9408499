//! What a console has about who is shown out, and who this machine's user is. Knows no command's effect.

use super::Line;
use crate::board::Entry;
use crate::conduct::Conduct;
use crate::discord::Discord;

/// Every command with its words, and what it does.
pub(super) const USAGES: [(&str, &str, &str); 6] = [
    ("kick", "kick NAME", "has a player's machine leave; it may join again (a host's)"),
    ("ban", "ban NAME", "has it leave and stay out: bans.txt (a host's)"),
    ("votekick", "votekick NAME", "votes that it leaves"),
    ("board", "board", "opens the scoreboard, or closes it"),
    (
        "pick",
        "pick NAME [ENTRY]",
        "shows a player's menu on the open scoreboard, or does what stands in it: ENTRIES",
    ),
    ("discord", "discord ID NAME|off", "says who is signed in to Discord here"),
];

/// Reads a line of that command, as chat's is read: none of another command, `Err` with its usage where it needs other words.
pub(super) fn parse(command: &str, rest: &str, words: &[&str]) -> Option<Result<Line, &'static str>> {
    let (_, usage, _) = USAGES.iter().find(|(known, ..)| *known == command)?;
    let name = words.join(" ");
    let of_name = |conduct: fn(String) -> Conduct| {
        let conduct = conduct(name.clone());
        Some(Line::Conduct(conduct)).filter(|_| !name.is_empty())
    };
    let line = match (command, words) {
        ("kick", _) => of_name(Conduct::Kick),
        ("ban", _) => of_name(Conduct::Ban),
        ("votekick", _) => of_name(Conduct::Votekick),
        ("board", []) => Some(Line::Board),
        ("pick", [name @ .., entry]) => match Entry::named(entry).filter(|_| !name.is_empty()) {
            Some(entry) => Some(Line::Pick(name.join(" "), Some(entry))),
            None => Some(Line::Pick(words.join(" "), None)).filter(|_| !words.concat().is_empty()),
        },
        ("discord", [_, ..]) => Discord::parse(rest).map(Line::Discord),
        _ => None,
    };
    Some(line.ok_or(usage))
}

#[cfg(test)]
mod tests {
    use super::super::{Refusal, parse};
    use super::*;

    /// CHEAT-27, 29, 30: a name is all that stands behind the command, quoted or not; without one there is no command.
    #[test]
    fn whom_a_console_shows_out() {
        for (line, conduct) in [
            ("kick Ann", Conduct::Kick("Ann".into())),
            ("KICK Ann 2", Conduct::Kick("Ann 2".into())),
            ("ban  \"Ann  2\"", Conduct::Ban("Ann  2".into())),
            ("ban bo", Conduct::Ban("bo".into())),
            ("votekick \"Ann", Conduct::Votekick("Ann".into())),
        ] {
            assert_eq!(parse(line), Some(Ok(Line::Conduct(conduct))), "{line}");
        }
        for (line, usage) in [
            ("kick", "kick NAME"),
            ("ban \"\"", "ban NAME"),
            ("votekick  ", "votekick NAME"),
            ("board Ann", "board"),
            ("pick", "pick NAME [ENTRY]"),
            ("pick \"\"", "pick NAME [ENTRY]"),
            ("discord", "discord ID NAME|off"),
            ("discord 123", "discord ID NAME|off"),
        ] {
            assert_eq!(parse(line), Some(Err(Refusal::Usage(usage))), "{line}");
        }
    }

    /// The last word is an entry of the menu, unless it is all there is or is quoted along with the name.
    #[test]
    fn a_pick_is_a_name_and_an_entry() {
        let pick = |name: &str, entry| Some(Ok(Line::Pick(name.into(), entry)));
        assert_eq!(parse("board"), Some(Ok(Line::Board)));
        assert_eq!(parse("pick Ann"), pick("Ann", None));
        assert_eq!(parse("pick Ann 2"), pick("Ann 2", None));
        assert_eq!(parse("pick Ann 2 vote"), pick("Ann 2", Some(Entry::Votekick)));
        assert_eq!(parse("pick Ann Unmute"), pick("Ann", Some(Entry::MuteHere(false))));
        assert_eq!(parse("pick kick"), pick("kick", None));
        assert_eq!(parse("pick kick kick"), pick("kick", Some(Entry::Kick)));
        assert_eq!(parse("pick \"Ann kick\""), pick("Ann kick", None));
    }

    /// A user is who stands behind the command, and `off` is nobody.
    #[test]
    fn a_user_is_signed_in_or_not() {
        let user = |line: &str| match parse(line) {
            Some(Ok(Line::Discord(discord))) => {
                discord.user().map(|(id, name)| (id.to_owned(), name.to_owned()))
            }
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(user("discord 123 Ann Lee"), Some(("123".into(), "Ann Lee".into())));
        assert_eq!(user("discord OFF"), None);
    }

    /// CHEAT-27: a Tab at the end of a line asks what it could be; one within it parts words, and alone it is nothing.
    #[test]
    fn a_tab_asks_for_the_rest() {
        let complete = |typed: &str| Some(Ok(Line::Complete(typed.into())));
        assert_eq!(parse("ban bo\t"), complete("ban bo"));
        assert_eq!(parse("ban \t"), complete("ban "));
        assert_eq!(parse("xyz\t"), complete("xyz"));
        assert_eq!(parse("\t"), None);
        assert_eq!(parse("ban\tbo"), Some(Ok(Line::Conduct(Conduct::Ban("bo".into())))));
    }
}
