//! What who asks for a vote reads where it is refused (CHEAT-58). Knows nobody else who would.

use alloc::format;

use mjolnir_wire::session::Notice;

use crate::votes::Refusal;

/// What the asking machine alone is told; nothing where a vote is dropped silently (CHEAT-30).
pub fn refusal(refusal: Refusal) -> Option<Notice> {
    let text = match refusal {
        Refusal::TooFast => return None,
        Refusal::Off => "Votes to kick are off in this game.",
        Refusal::NoPlayer => "There is no such player to vote on.",
        Refusal::Host => "The host's players cannot be voted on.",
        Refusal::Own => "That player plays on your own machine.",
        Refusal::SamePerson => "You cannot vote on a player with your own address or machine id.",
        Refusal::UnknownAddress => "The host does not know your address, so you cannot vote.",
        Refusal::Running => "A vote on another player is running: wait for its end.",
        Refusal::Voted => "You have voted.",
        Refusal::TooLate => "You had not played long enough to vote when this vote began.",
        Refusal::NotPlayed { minutes } => {
            let text = format!("You can start a vote after {minutes} minute{} here.", plural(minutes.into()));
            return Some(Notice::new(&text));
        }
        Refusal::Pause { seconds } => {
            let text = format!("The next vote can start in {seconds} second{}.", plural(seconds));
            return Some(Notice::new(&text));
        }
        Refusal::Cooling { seconds } => {
            let text = format!(
                "Your last vote failed: you can start another in {seconds} second{}.",
                plural(seconds)
            );
            return Some(Notice::new(&text));
        }
        Refusal::Protected => "A vote on that player failed a short while ago.",
    };
    Some(Notice::new(text))
}

/// The end of a word of which there are so many.
pub(super) const fn plural(of: u64) -> &'static str {
    if of == 1 { "" } else { "s" }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::string::{String, ToString};

    use mjolnir_wire::session::NOTICE_CHARACTERS;

    use super::*;

    /// CHEAT-30, 58: each refusal but the silent one has a text of its own, whole within a notice.
    #[test]
    fn each_refusal_has_its_text() {
        let mut texts = BTreeSet::new();
        for why in Refusal::ALL {
            let Some(text) = refusal(why) else {
                assert_eq!(why, Refusal::TooFast);
                continue;
            };
            assert!(text.as_str().len() < NOTICE_CHARACTERS && !text.as_str().contains('?'), "{text:?}");
            assert!(texts.insert(text.as_str().to_string()), "{text:?}");
        }
        assert_eq!(texts.len(), Refusal::ALL.len() - 1);
        let longest = refusal(Refusal::Cooling { seconds: u64::MAX });
        assert!(longest.is_some_and(|text| text.as_str().len() < NOTICE_CHARACTERS));
    }

    /// CHEAT-58: numbers are said as they are counted.
    #[test]
    fn a_number_has_its_plural() {
        let text = |why| refusal(why).map_or(String::new(), |text| text.as_str().to_string());
        assert_eq!(text(Refusal::Pause { seconds: 1 }), "The next vote can start in 1 second.");
        assert_eq!(text(Refusal::Pause { seconds: 30 }), "The next vote can start in 30 seconds.");
        assert_eq!(text(Refusal::NotPlayed { minutes: 1 }), "You can start a vote after 1 minute here.");
        assert_eq!(text(Refusal::NotPlayed { minutes: 5 }), "You can start a vote after 5 minutes here.");
        assert_eq!(
            text(Refusal::Cooling { seconds: 299 }),
            "Your last vote failed: you can start another in 299 seconds."
        );
    }
}
