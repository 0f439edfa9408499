//! Whom a command means, and what Tab makes of a name.

use mjolnir_anticheat::command::{Command, Error, Verb, complete};
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::{Machine, MachineSet};

use super::scene::{machine, slot};

/// Machine and name of each player, by slot.
const PLAYERS: [(u8, &str); 7] =
    [(0, "Host"), (1, "Bob"), (2, "Bobby"), (3, "Bonnie"), (4, "Jos\u{e9}"), (5, "Loader"), (6, "Ann Lee")];

fn whom(own: u8, typed: &str, more: &[(u8, &str)]) -> Result<u8, Error> {
    let players = PLAYERS.iter().chain(more).enumerate();
    let players = players.map(|(at, (of, name))| (slot(at as u8), machine(*of), Name::cut(name)));
    let mut joined: MachineSet = Machine::all().collect();
    joined.remove(machine(5));
    let command = Command::of(typed).unwrap();
    command.whom(machine(own), joined, players).map(|target| {
        assert_eq!(target.machine.get(), target.slot.get());
        target.slot.get()
    })
}

/// CHEAT-56: the eight outcomes, for each of the commands.
#[test]
fn a_command_means_one_player_or_says_why_not() {
    for verb in Verb::ALL {
        for (name, means) in [
            // A whole name wins over longer ones, in either case and of plain letters.
            ("Bob", Ok(1)),
            (" bOB ", Ok(1)),
            ("jose", Ok(4)),
            ("ann lee", Ok(6)),
            // Else a beginning that is one's alone.
            ("bobb", Ok(2)),
            ("a", Ok(6)),
            ("ann ", Ok(6)),
            // Several; nobody; nothing; one's own; one that has not joined.
            ("bo", Err(Error::Several)),
            ("zed", Err(Error::NoPlayer)),
            ("ob", Err(Error::NoPlayer)),
            ("", Err(Error::Usage)),
            ("  ", Err(Error::Usage)),
            ("host", Err(Error::Own)),
            ("load", Err(Error::NotJoined)),
        ] {
            assert_eq!(whom(0, &format!("{} {name}", verb.word()), &[]), means, "{verb:?} {name:?}");
        }
        let typed = format!("{} bob", verb.word());
        assert_eq!(whom(0, &typed, &[(7, "BOB")]), Err(Error::Alike));
    }
}

/// CHEAT-27: kicking and banning is the host's; voting anybody's, on the host's player too: the host has the word on that.
#[test]
fn a_client_kicks_nobody() {
    for (typed, means) in [
        ("kick bob", Err(Error::NotHost)),
        ("ban bob", Err(Error::NotHost)),
        ("ban", Err(Error::NotHost)),
        ("votekick bob", Ok(1)),
        ("votekick bonnie", Err(Error::Own)),
        ("votekick host", Ok(0)),
    ] {
        assert_eq!(whom(3, typed, &[]), means, "{typed}");
    }
}

/// CHEAT-27: three words, in either case; what only begins like one is none.
#[test]
fn three_words_are_commands() {
    for (typed, command) in [
        ("kick Bob", Some((Verb::Kick, "Bob"))),
        (" BAN \t Ann Lee ", Some((Verb::Ban, "Ann Lee"))),
        ("VoteKick", Some((Verb::Votekick, ""))),
        ("kicks Bob", None),
        ("kickBob", None),
        ("say kick Bob", None),
        ("", None),
    ] {
        let command = command.map(|(verb, name)| Command { verb, name });
        assert_eq!(Command::of(typed), command, "{typed:?}");
    }
}

/// CHEAT-27: Tab makes a name of its beginning, or as much of it as is certain.
#[test]
fn tab_completes_a_name() {
    for (beginning, names, completed) in [
        ("bo", &["bob"][..], Some("bob")),
        ("BO", &["bob", "Ann"], Some("bob")),
        ("bo", &["Bob", "Bobby"], Some("Bob")),
        ("b", &["Bobby", "BOB"], Some("Bob")),
        ("b", &["Bob", "Bonnie"], Some("Bo")),
        ("bo", &["Bob", "Bonnie"], Some("Bo")),
        ("", &["Bob", "Bonnie"], Some("Bo")),
        ("", &["Bob", "Ann"], Some("")),
        ("ann", &["Ann Lee"], Some("Ann Lee")),
        ("ann l", &["Ann Lee", "Ann Lou"], Some("Ann L")),
        ("bob", &["Bob"], Some("Bob")),
        ("bobs", &["Bob"], None),
        ("zed", &["Bob"], None),
        ("", &[], None),
        ("jo", &["Jos\u{e9}", "Jos\u{e8}"], Some("Jos")),
        ("JOS\u{e9}", &["Jos\u{e9}"], Some("Jos\u{e9}")),
        ("\u{20ac}", &["\u{20ac}2", "\u{20ac}3"], Some("\u{20ac}")),
    ] {
        let given = names.iter().map(|name| Name::cut(name));
        assert_eq!(complete(beginning, given).as_deref(), completed, "{beginning:?} of {names:?}");
    }
}
