//! What every machine is told of players that are dropped: all that the machine has, by name (CHEAT-13, 29, 64). Knows not who they
//! are otherwise.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use mjolnir_wire::packets::player::Name;
use mjolnir_wire::session::Notice;

use super::votes::plural;
use crate::votes::{End, Outcome};

/// The host kicked or banned them: the same of both (CHEAT-29).
pub fn removed_by_host(names: impl Iterator<Item = Name>) -> Notice {
    told(names, "removed from the game by the host.")
}

/// Their clock ran too fast for too long.
pub fn dropped_for_cheating(names: impl Iterator<Item = Name>) -> Notice {
    told(names, "dropped for cheating: the game's clock was sped up.")
}

/// A vote is over: it passed, or those left while it ran. Nothing of one that failed.
pub fn voted(outcome: &Outcome, names: impl Iterator<Item = Name>) -> Option<Notice> {
    let minutes = outcome.minutes;
    let back = format!("and may join again in {minutes} minute{}.", plural(minutes.into()));
    match outcome.end {
        End::Passed => Some(told(names, &format!("kicked by vote, {back}"))),
        End::Left => Some(Notice::new(&format!("{} left during a vote to kick, {back}", list(names).0))),
        End::Failed => None,
    }
}

fn told(names: impl Iterator<Item = Name>, what: &str) -> Notice {
    let (names, is_one) = list(names);
    Notice::new(&format!("{names} {} {what}", if is_one { "was" } else { "were" }))
}

/// The names as a sentence has them, and whether it is one.
fn list(names: impl Iterator<Item = Name>) -> (String, bool) {
    let names: Vec<String> = names.map(|name| name.to_string()).collect();
    match names.as_slice() {
        [] => ("A player".into(), true),
        [name] => (name.clone(), true),
        [front @ .., last] => (format!("{} and {last}", front.join(", ")), false),
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::Machine;
    use mjolnir_wire::session::NOTICE_CHARACTERS;

    use super::*;

    fn names(names: &'static [&str]) -> impl Iterator<Item = Name> {
        names.iter().map(|name| Name::cut(name))
    }

    fn outcome(end: End, minutes: u16) -> Outcome {
        Outcome { end, machine: Machine::HOST, votes: 2, needed: 2, minutes }
    }

    /// CHEAT-13, 29, 64: all players of the machine are named.
    #[test]
    fn a_drop_names_all_of_a_machines_players() {
        for (of, text) in [
            (&["Ann"][..], "Ann was removed from the game by the host."),
            (&["Ann", "Bob"], "Ann and Bob were removed from the game by the host."),
            (
                &["Ann", "Bob", "Carl", "Dora"],
                "Ann, Bob, Carl and Dora were removed from the game by the host.",
            ),
            (&[], "A player was removed from the game by the host."),
        ] {
            assert_eq!(removed_by_host(names(of)).as_str(), text);
        }
        assert_eq!(
            dropped_for_cheating(names(&["Ann", "Bob"])).as_str(),
            "Ann and Bob were dropped for cheating: the game's clock was sped up."
        );
    }

    /// CHEAT-38: a vote that passed says for how long; one that failed says nothing.
    #[test]
    fn a_vote_says_for_how_long() {
        let text = |end, minutes| voted(&outcome(end, minutes), names(&["Ann"]));
        let said = |end, minutes| text(end, minutes).map_or(String::new(), |text| text.as_str().to_string());
        assert_eq!(said(End::Passed, 30), "Ann was kicked by vote, and may join again in 30 minutes.");
        assert_eq!(said(End::Left, 1), "Ann left during a vote to kick, and may join again in 1 minute.");
        assert_eq!(text(End::Failed, 0), None);
    }

    /// CHEAT-64: the longest names of the most players are told whole.
    #[test]
    fn the_longest_names_fit() {
        let long = || (0..4).map(|_| Name::cut("MMMMMMMMMMM"));
        let end = |end| voted(&outcome(end, 1440), long());
        let all = [removed_by_host(long()), dropped_for_cheating(long())];
        for text in all.into_iter().chain(end(End::Passed)).chain(end(End::Left)) {
            assert!(text.as_str().len() < NOTICE_CHARACTERS && text.as_str().ends_with('.'), "{text:?}");
        }
    }
}
