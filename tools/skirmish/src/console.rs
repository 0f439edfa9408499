//! The console: lines typed at the program, and the signals that mean `quit`. Knows no command's effect.

use std::io::{self, BufRead as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use mjolnir_wire::Vec3;

use crate::board::Entry;
use crate::conduct::Conduct;
use crate::discord::Discord;
use crate::game::{Class, Kind};
use crate::speech::Speech;

pub mod developer;
mod manners;
mod talk;

pub use talk::settings as text_chat;

/// A line typed at a console.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// Ends the program in order.
    Quit,
    /// Begins the game that a lobby waits for.
    Start,
    /// Lists the commands.
    Help,
    /// Lists the players.
    Players,
    /// Shows the scoreboard.
    Scores,
    /// What the machine's player says, or does about what is said.
    Speech(Speech),
    /// A command for the host's game alone.
    Host(HostLine),
    /// Somebody is to be shown out.
    Conduct(Conduct),
    /// A value of a developer's is set.
    Tweak(developer::Tweak),
    /// Opens the scoreboard, or closes it.
    Board,
    /// Picks that player on the open scoreboard, and of its menu that entry; without one the menu is shown.
    Pick(String, Option<Entry>),
    /// Who is signed in to Discord from now on.
    Discord(Discord),
    /// What was typed before a Tab, which is to be completed.
    Complete(String),
}

impl Line {
    /// What a developer's or a host's test command alters; none of what every player's console has.
    pub fn class(&self) -> Option<developer::Class> {
        match self {
            Self::Tweak(tweak) => Some(tweak.class()),
            Self::Host(_) => Some(developer::Class::Game),
            _ => None,
        }
    }
}

/// What a host's console has for tests.
#[derive(Clone, Debug, PartialEq)]
pub enum HostLine {
    /// Kills that player, by another one if one is named.
    Kill(String, Option<String>),
    /// Puts that player there, or the object of that `#INDEX`.
    Move(String, Vec3),
    /// Makes an object of that kind, which falls from there.
    Spawn(Kind, Vec3),
    /// Deletes the object at that index.
    Delete(u16),
    /// Gives that player a weapon of that kind.
    Give(String, Kind),
    /// Sets that player's health.
    Health(String, f32),
    /// Puts that player in that team.
    Team(String, u8),
    /// Throws that player, or the object of that `#INDEX`, as an explosion does: so much is added to its velocity.
    Throw(String, Vec3),
    /// Sets the platforms of that name going to that position, 0 to 1.
    Device(String, f32),
    /// Changes the map: of the lobby's game, or by beginning another one.
    Map(String),
    /// Ends the game.
    End,
}

/// Why a line does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No command of that name.
    Unknown,
    /// The command needs other words: these.
    Usage(&'static str),
}

/// A command, the command with its words, and what it does.
type Usage = (&'static str, &'static str, &'static str);

/// Every command but those of chat, of manners, of a host and of a developer.
const USAGES: [Usage; 5] = [
    ("quit", "quit", "leaves the game and ends the program"),
    ("help", "help", "lists the commands"),
    ("players", "players", "lists the players"),
    ("scores", "scores", "shows scores, kills, deaths and pings, the best first"),
    ("start", "start", "begins the game that a lobby waits for; a client asks its host to"),
];

/// A host's.
const HOSTS: [Usage; 11] = [
    ("kill", "kill NAME [BY]", "kills a player, by another one"),
    ("move", "move NAME|#INDEX X Y Z", "puts a player or an object elsewhere"),
    ("spawn", "spawn KIND X Y Z", "makes an object: KINDS"),
    ("delete", "delete INDEX", "deletes an object that is no living player's unit"),
    ("give", "give NAME WEAPON", "gives a player a weapon: WEAPONS"),
    ("health", "health NAME VALUE", "sets a player's health: 1 is whole"),
    ("team", "team NAME N", "puts a player in a team"),
    ("throw", "throw NAME|#INDEX X Y Z", "throws a player or an object as an explosion does, wu a tick"),
    (
        "device",
        "device NAME POSITION",
        "sets a map's platforms going: 0 is where they begin, 1 the other end",
    ),
    (
        "map",
        "map NAME",
        "plays another map, by its name in maps: in the lobby the next game's, else in a game that begins at once",
    ),
    ("end", "end", "ends the game"),
];

/// The last line of all.
const TAB: &str = "a Tab behind part of a NAME, and Enter, writes the line out whole; it is not carried out before it is typed so";

/// Letters that a command takes up with its words, where all are listed; the one that takes more stands alone in that.
const WIDTH: usize = 28;

/// All of them, in the order in which they are listed, each kind under whose it is.
fn groups() -> [(&'static str, Vec<Usage>); 4] {
    use developer::Class::{Controls, Game, View};
    let developers = |classes: &[developer::Class]| {
        let commands = developer::COMMANDS.iter().filter(|command| classes.contains(&command.class));
        commands.map(|command| (command.name, command.usage, command.does)).collect()
    };
    [
        ("for everybody:", USAGES.into_iter().chain(talk::USAGES).chain(manners::USAGES).collect()),
        ("for everybody, on this machine alone:", developers(&[View, Controls])),
        ("for tests, not on a client, on this machine:", developers(&[Game])),
        ("for tests, not on a client, in the game:", HOSTS.into()),
    ]
}

/// All of them, in that order.
fn usages() -> impl Iterator<Item = Usage> {
    groups().into_iter().flat_map(|(_, usages)| usages)
}

/// What to do about a line that is no command: the one that was meant, where one is near, and `help`.
pub fn advice(line: &str) -> String {
    let word = words(line).first().map(|word| word.to_lowercase()).unwrap_or_default();
    // What is further from it than half of its letters was hardly meant.
    let is_near = |command: &&'static str| distance(&word, command) * 2 <= command.len();
    let commands = usages().map(|(command, ..)| command).filter(is_near);
    let nearest = commands.min_by_key(|command| distance(&word, command));
    let meant = nearest.map(|command| format!("did you mean {command}? ")).unwrap_or_default();
    format!("{meant}help lists them")
}

/// Letters put in, left out or changed between one word and the other, at least.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, c) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, d) in other.iter().enumerate() {
            let changed = diagonal + usize::from(c != *d);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

/// A line for each command, its words and what it does, under one that says whose it is; and one about Tab.
pub fn help() -> impl Iterator<Item = String> {
    let names = |is_told: fn(&Kind) -> bool| {
        Kind::ALL.into_iter().filter(is_told).map(Kind::name).collect::<Vec<_>>().join(", ")
    };
    let entries = Entry::NAMED.map(|(name, _)| name).join(", ");
    let (kinds, weapons) = (names(|_| true), names(|kind| kind.firing().is_some()));
    let line = move |(_, usage, does): Usage| {
        let does = does.replace("KINDS", &kinds).replace("WEAPONS", &weapons).replace("ENTRIES", &entries);
        format!("{usage:WIDTH$} {does}")
    };
    let lines = groups().into_iter().flat_map(move |(whose, usages)| {
        std::iter::once(whose.to_owned()).chain(usages.into_iter().map(&line).collect::<Vec<_>>())
    });
    lines.chain([TAB.to_owned()])
}

/// Reads a line; none of an empty one. A command is one in any case. A name with spaces stands between double quotes; what is
/// said is all that stands behind its command, and so is whom chat and manners mean. A Tab at the end asks what the rest could
/// be.
pub fn parse(line: &str) -> Option<Result<Line, Refusal>> {
    if let Some(typed) = line.strip_suffix('\t').filter(|typed| !typed.trim().is_empty()) {
        return Some(Ok(Line::Complete(typed.into())));
    }
    let words = words(line);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (command, words) = words.split_first()?;
    let command = command.to_lowercase();
    let rest = line.trim_start().split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
    if let Some(speech) = talk::parse(&command, rest, words) {
        return Some(speech.map(Line::Speech).map_err(Refusal::Usage));
    }
    if let Some(line) = manners::parse(&command, rest, words) {
        return Some(line.map_err(Refusal::Usage));
    }
    if let Some(tweak) = developer::parse(&command, words) {
        return Some(tweak.map(Line::Tweak).map_err(Refusal::Usage));
    }
    let number = |word: &str| word.parse::<f32>().ok().filter(|number| number.is_finite());
    let host = match (command.as_str(), words) {
        ("quit", []) => return Some(Ok(Line::Quit)),
        ("start", []) => return Some(Ok(Line::Start)),
        ("help", []) => return Some(Ok(Line::Help)),
        ("players", []) => return Some(Ok(Line::Players)),
        ("scores", []) => return Some(Ok(Line::Scores)),
        ("kill", [name]) => Some(HostLine::Kill((*name).into(), None)),
        ("kill", [name, by]) => Some(HostLine::Kill((*name).into(), Some((*by).into()))),
        ("move", [name, x, y, z]) => match (number(x), number(y), number(z)) {
            (Some(x), Some(y), Some(z)) => Some(HostLine::Move((*name).into(), Vec3::new(x, y, z))),
            _ => None,
        },
        ("spawn", [kind, x, y, z]) => match (Kind::named(kind), number(x), number(y), number(z)) {
            (Some(kind), Some(x), Some(y), Some(z)) => Some(HostLine::Spawn(kind, Vec3::new(x, y, z))),
            _ => None,
        },
        ("delete", [index]) => index_of(index).map(HostLine::Delete),
        ("give", [name, kind]) => {
            let kind = Kind::named(kind).filter(|kind| kind.class() == Class::Weapon);
            kind.map(|kind| HostLine::Give((*name).into(), kind))
        }
        ("health", [name, value]) => number(value).map(|value| HostLine::Health((*name).into(), value)),
        ("team", [name, team]) => team.parse().ok().map(|team| HostLine::Team((*name).into(), team)),
        ("throw", [name, x, y, z]) => match (number(x), number(y), number(z)) {
            (Some(x), Some(y), Some(z)) => Some(HostLine::Throw((*name).into(), Vec3::new(x, y, z))),
            _ => None,
        },
        ("device", [name, position]) => {
            let position = number(position).filter(|position| (0.0..=1.0).contains(position));
            position.map(|position| HostLine::Device((*name).into(), position))
        }
        ("map", [name]) => Some(HostLine::Map((*name).into())),
        ("end", []) => Some(HostLine::End),
        _ => None,
    };
    Some(host.map(Line::Host).ok_or_else(|| {
        let usage = HOSTS.into_iter().chain(USAGES).find(|(known, ..)| *known == command);
        usage.map_or(Refusal::Unknown, |(_, usage, _)| Refusal::Usage(usage))
    }))
}

/// The index that a word says, with a `#` before it or without.
pub fn index_of(word: &str) -> Option<u16> {
    word.strip_prefix('#').unwrap_or(word).parse().ok()
}

/// A line's words; what stands between quotes is one. A quote that is not closed goes to the line's end.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut is_quoted = false;
    for c in line.chars() {
        match c {
            '"' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !is_quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// A line as it may be shown: a key that no line has, such as an arrow, sends what would move the cursor about.
fn shown(line: &str) -> String {
    line.chars().map(|c| if c.is_control() && !c.is_whitespace() { '?' } else { c }).collect()
}

/// Lines and signals as they come.
pub struct Console {
    lines: Receiver<String>,
    stop: Arc<AtomicBool>,
}

impl Console {
    /// Begins to listen: standard input on a thread of its own, Ctrl-C and SIGTERM as a flag.
    pub fn open() -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&stop))?;
        }
        let (to, lines) = mpsc::channel();
        thread::Builder::new().name("console".into()).spawn(move || {
            for line in io::stdin().lock().lines().map_while(Result::ok) {
                if to.send(line).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { lines, stop })
    }

    /// What was typed since, or why it means nothing, with its text; a signal is `quit`.
    pub fn next_line(&mut self) -> Option<Result<Line, (Refusal, String)>> {
        if self.stop.swap(false, Ordering::Relaxed) {
            return Some(Ok(Line::Quit));
        }
        loop {
            let text = self.lines.try_recv().ok()?;
            if let Some(line) = parse(&text) {
                return Some(line.map_err(|refusal| (refusal, shown(&text))));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_command_or_why_not() {
        assert_eq!(parse("  "), None);
        assert_eq!(parse("quit"), Some(Ok(Line::Quit)));
        assert_eq!(parse("help"), Some(Ok(Line::Help)));
        assert_eq!(parse(" players "), Some(Ok(Line::Players)));
        assert_eq!(parse("scores"), Some(Ok(Line::Scores)));
        assert_eq!(parse("HELP"), Some(Ok(Line::Help)));
        assert_eq!(parse("Quit"), Some(Ok(Line::Quit)));
        assert_eq!(parse("fly"), Some(Err(Refusal::Unknown)));
        let kill = |by: Option<&str>| Some(Ok(Line::Host(HostLine::Kill("Ann".into(), by.map(Into::into)))));
        assert_eq!(parse("kill Ann"), kill(None));
        assert_eq!(parse("kill Ann Bob"), kill(Some("Bob")));
        let there = Vec3::new(1.0, -2.5, 0.0);
        assert_eq!(parse("move Ann 1 -2.5 0"), Some(Ok(Line::Host(HostLine::Move("Ann".into(), there)))));
        let spawn = HostLine::Spawn(Kind::Medkit, there);
        assert_eq!(parse("spawn medkit 1 -2.5 0"), Some(Ok(Line::Host(spawn))));
        for line in ["delete 12", "delete #12"] {
            assert_eq!(parse(line), Some(Ok(Line::Host(HostLine::Delete(12)))));
        }
        let give = HostLine::Give("Ann".into(), Kind::Rifle);
        assert_eq!(parse("give Ann rifle"), Some(Ok(Line::Host(give))));
        let throw = HostLine::Throw("Ann".into(), there);
        assert_eq!(parse("throw Ann 1 -2.5 0"), Some(Ok(Line::Host(throw))));
        let map = HostLine::Map("custom_maps\\huge ass".into());
        assert_eq!(parse("map \"custom_maps\\huge ass\""), Some(Ok(Line::Host(map))));
        assert_eq!(parse("map"), Some(Err(Refusal::Usage("map NAME"))));
        let lift = HostLine::Device("lift".into(), 0.5);
        assert_eq!(parse("device lift 0.5"), Some(Ok(Line::Host(lift))));
        for line in [
            "throw Ann 1 2",
            "throw Ann 1 2 inf",
            "device lift",
            "device lift 1.01",
            "device lift -0.01",
            "spawn tree 0 0 0",
            "spawn rifle 0 0",
            "delete rifle",
            "delete 65536",
            "give Ann medkit",
            "give rifle",
            "quit now",
            "help me",
            "players all",
            "scores all",
            "kill",
            "move Ann 1 2",
            "move Ann 1 2 nan",
            "health Ann much",
            "team Ann 300",
        ] {
            assert!(matches!(parse(line), Some(Err(Refusal::Usage(_)))), "{line}");
        }
        assert_eq!(parse("end it"), Some(Err(Refusal::Usage("end"))));
    }

    /// What is no command is answered with the one that is near, both sides of what is, and with `help`.
    #[test]
    fn the_nearest_command_is_named() {
        for (line, meant) in [
            ("playrs", "players"),
            ("Player Ann", "players"),
            ("qiut", "quit"),
            ("hlep", "help"),
            ("mv Ann 1 2 3", "move"),
            ("kil Ann", "kill"),
        ] {
            assert_eq!(advice(line), format!("did you mean {meant}? help lists them"), "{line}");
        }
        for line in ["fly", "k", "xyz", "zzz Ann", ""] {
            assert_eq!(advice(line), "help lists them", "{line}");
        }
        let far = |one, other| distance(one, other);
        assert_eq!(
            [far("", "end"), far("end", "end"), far("kitten", "sitting"), far("qiut", "quit")],
            [3, 0, 3, 2]
        );
    }

    /// CHEAT-01: what a developer's or a host's test command alters is known of each of the 45, in whatever case it is typed; what
    /// every player's console has is of no class.
    #[test]
    fn what_a_command_alters_is_known() {
        use developer::Class::{Controls, Game, View};
        let class = |line: &str| parse(line).unwrap().unwrap().class();
        let mut told = 0;
        for command in &developer::COMMANDS {
            let words = match command.takes {
                developer::Takes::Switch(_) => "off",
                developer::Takes::Number { .. } => "0.9",
                developer::Takes::Level { .. } => "1",
                developer::Takes::Cheats => "ammo on",
                developer::Takes::Camera => "free",
            };
            let words = if command.name == "fov" { "60" } else { words };
            let line = format!("{} {words}", command.name.to_uppercase());
            assert_eq!(class(&line), Some(command.class), "{line}");
            told += 1;
        }
        for line in [
            "kill Ann",
            "move Ann 1 2 3",
            "spawn cart 1 2 3",
            "delete 2",
            "give Ann pistol",
            "health Ann 1",
            "team Ann 1",
            "throw Ann 0 0 1",
            "device lift 1",
            "end",
        ] {
            assert_eq!(class(line), Some(Game), "{line}");
            told += 1;
        }
        assert_eq!(told, 45);
        for (line, of) in [
            ("fov 90", View),
            ("sensitivity 2", Controls),
            ("speed 2", Game),
            ("fog off", Game),
            ("camera free", Game),
        ] {
            assert_eq!(class(line), Some(of), "{line}");
        }
        for line in [
            "quit",
            "start",
            "help",
            "players",
            "scores",
            "say speed 2",
            "team go",
            "kick Ann",
            "votekick Ann",
            "board",
            "pick Ann",
            "discord off",
        ] {
            assert_eq!(class(line), None, "{line}");
        }
    }

    /// What is answered moves no cursor.
    #[test]
    fn what_is_shown_of_a_line_is_text() {
        assert_eq!(shown("\u{1b}[A kill\tZo\u{eb} \u{7}"), "?[A kill\tZo\u{eb} ?");
    }

    /// Every command that is told of is one.
    #[test]
    fn help_tells_of_every_command() {
        let mut lines: Vec<_> = help().collect();
        let whose = lines.extract_if(.., |line| line.ends_with(':')).count();
        assert_eq!((whose, lines.pop().as_deref()), (groups().len(), Some(TAB)));
        assert_eq!((lines.len(), groups()[3].1.len()), (usages().count(), HOSTS.len()));
        for (line, (command, usage, does)) in lines.iter().zip(usages()) {
            assert!(line.starts_with(usage), "{line}");
            // What they do stands in one column, but behind the widest.
            let start = does.split(' ').next().unwrap();
            let behind = if command == "cheats" { usage.len() } else { WIDTH };
            assert!(line.get(behind..).unwrap().starts_with(&format!(" {start}")), "{line}");
            assert_ne!(parse(command), Some(Err(Refusal::Unknown)));
        }
        // Whatever there is can be asked for by a name that is told.
        let told = |usage: &str| lines.iter().find(|line| line.starts_with(usage)).unwrap();
        for kind in Kind::ALL {
            let (spawn, give) = (format!("spawn {} 0 0 0", kind.name()), format!("give Ann {}", kind.name()));
            assert!(parse(&spawn).unwrap().is_ok() && told("spawn").contains(kind.name()));
            let is_given = kind.firing().is_some();
            assert!(!is_given || parse(&give).unwrap().is_ok());
            assert_eq!(told("give").contains(&format!(" {}", kind.name())), is_given, "{}", kind.name());
        }
    }

    #[test]
    fn a_name_with_spaces_stands_between_quotes() {
        let kill = |name: &str| Some(Ok(Line::Host(HostLine::Kill(name.into(), None))));
        assert_eq!(parse("kill \"Player 2\""), kill("Player 2"));
        assert_eq!(parse("  kill\t\"Player 2"), kill("Player 2"));
        assert_eq!(parse("kill \"\""), kill(""));
    }
}
