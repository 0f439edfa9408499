//! What who types `kick`, `ban` or `votekick` reads where it means nobody (CHEAT-56). Knows no player.

use alloc::format;

use mjolnir_wire::session::Notice;

use crate::command::{Error, Verb};

/// What is told where it was typed.
pub fn refusal(error: Error, verb: Verb) -> Notice {
    let word = verb.word();
    let text = match error {
        Error::NotHost => format!("Only the host can {word} a player."),
        Error::Usage => format!("{word} NAME"),
        Error::NoPlayer => "No player's name begins so.".into(),
        Error::Several => "Several players' names begin so: say more of it.".into(),
        Error::Alike => "Several players have that name.".into(),
        Error::Own => "That player plays on this machine.".into(),
        Error::NotJoined => "That player's machine has not joined the game.".into(),
    };
    Notice::new(&text)
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::string::ToString;

    use mjolnir_wire::session::NOTICE_CHARACTERS;

    use super::*;

    /// CHEAT-56: each has a text of its own, whole within a notice, and says how the very command is used.
    #[test]
    fn each_refusal_has_its_text() {
        for verb in Verb::ALL {
            let mut texts = BTreeSet::new();
            for error in Error::ALL {
                let text = refusal(error, verb);
                assert!(text.as_str().len() < NOTICE_CHARACTERS && !text.as_str().contains('?'), "{text:?}");
                assert!(texts.insert(text.as_str().to_string()), "{text:?}");
            }
        }
        assert_eq!(refusal(Error::Usage, Verb::Votekick).as_str(), "votekick NAME");
        assert_eq!(refusal(Error::NotHost, Verb::Ban).as_str(), "Only the host can ban a player.");
    }
}
