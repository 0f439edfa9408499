//! `host`, `join` and `local`, and what a network test makes of them: one machine in this process, until its game ends or
//! somebody quits. Knows which step comes when; what a machine does is `machine`'s and `local`'s.

use mjolnir_engine_glue::chat;
use mjolnir_engine_glue::settings::Settings;
use mjolnir_engine_glue::transport::impair::Impaired;
use mjolnir_engine_glue::transport::net::Sockets;

use crate::console::{HostLine, Line};
use crate::cues::Cues;
use crate::desk::Desk;
use crate::options::Common;
use crate::orders::{self, Outcome};
use crate::scores::Score;
use crate::setup;
use crate::speech::{Speech, Unsaid};
use crate::timeline::{Step, Timeline};

mod alone;
mod asking;
mod fetching;
mod hosting;
mod joining;
mod mapping;
mod seeking;
mod turns;

pub use alone::local;
pub use hosting::{host, host_test};
pub use joining::join;
pub use seeking::{Seek, seek};

/// What `start` is answered where there is no lobby any more.
const BEGUN: &str = "the game has begun already";

/// Says who plays, a line each.
fn list(desk: &mut Desk, lines: Vec<String>) {
    if lines.is_empty() {
        desk.say("no players");
    }
    lines.iter().for_each(|line| desk.say(line));
}

fn lines(board: &[Score]) -> Vec<String> {
    board.iter().map(Score::line).collect()
}

/// Shows the scoreboard, a line each; a lobby has none yet.
fn list_scores(desk: &mut Desk, board: &[Score]) {
    if board.is_empty() {
        return desk.say("no scores yet");
    }
    list(desk, lines(board));
}

/// What a console wants of the program itself.
enum Wish {
    Quit,
    End,
    /// Another map, by its name.
    Map(String),
    Start,
    Players,
    Scores,
    Speech(Speech),
    /// Something of the machine's own.
    Own(Line),
}

/// Does what the console of a machine that decides says to its world, until it wants something else; its cues did
/// that at their ticks.
fn obey(
    desk: &mut Desk,
    cues: &mut Cues,
    mut apply: impl FnMut(&HostLine) -> Result<Outcome, orders::Refusal>,
) -> Option<Wish> {
    desk.tell_cues(cues);
    while let Some(line) = desk.next_line() {
        match line {
            Line::Quit => return Some(Wish::Quit),
            Line::Start => return Some(Wish::Start),
            Line::Players => return Some(Wish::Players),
            Line::Scores => return Some(Wish::Scores),
            Line::Speech(speech) => return Some(Wish::Speech(speech)),
            Line::Help => {}
            line @ (Line::Conduct(_)
            | Line::Tweak(_)
            | Line::Board
            | Line::Pick(..)
            | Line::Discord(_)
            | Line::Complete(_)) => return Some(Wish::Own(line)),
            Line::Host(line) => match apply(&line) {
                Ok(Outcome::Done) => orders::done(&line).iter().for_each(|text| desk.say(text)),
                Ok(Outcome::Ends) => return Some(Wish::End),
                Ok(Outcome::Changes(name)) => return Some(Wish::Map(name)),
                Err(refusal) => desk.complain(&refusal.to_string()),
            },
        }
    }
    None
}

/// Tells what came of what a machine's player said or did, where its screen does not show that by itself.
fn tell_speech(desk: &mut Desk, speech: &Speech, done: Result<(), Unsaid>) {
    match (done, speech) {
        (Ok(()), Speech::MuteHere(name, true)) => desk.say(&format!("{name} is muted on this machine")),
        (Ok(()), Speech::MuteHere(name, false)) => {
            desk.say(&format!("{name} is no longer muted on this machine"));
        }
        (Ok(()), Speech::Allow(settings)) => desk.say(match settings {
            chat::Settings::On => "the text chat is on",
            chat::Settings::Links => "the text chat is on, with links",
            chat::Settings::Off => "the text chat is off",
        }),
        (Ok(()), Speech::Type(..) | Speech::Force(_) | Speech::MuteAll(..)) => {}
        (Err(why), speech) if why.is_shown(speech) => {}
        (Err(why), _) => desk.complain(&format!("refused: {why}")),
    }
}

/// The sockets behind the faults that are asked for, drawn differently for each machine of a game.
fn impaired(common: &Common, settings: &Settings, sockets: Sockets) -> Impaired<Sockets> {
    let faults = setup::faults(&common.faults, settings);
    let seed = common.seed ^ u64::from(sockets.local_address().port()) << 32;
    Impaired::new(sockets, seed, faults)
}

/// Waits for a network test's next step; none where somebody quits before it.
fn wait_for(desk: &mut Desk, steps: &mut Timeline) -> Option<Step> {
    loop {
        let step = steps.next_due(desk.clock().now());
        if step.is_some() || is_quit(desk) {
            return step;
        }
        desk.flush_if_due();
        desk.clock().pause(None);
    }
}

/// What is typed while nothing is played: whether it is `quit`.
fn is_quit(desk: &mut Desk) -> bool {
    while let Some(line) = desk.next_line() {
        match line {
            Line::Quit => return true,
            _ => desk.complain("nothing is played yet"),
        }
    }
    false
}
