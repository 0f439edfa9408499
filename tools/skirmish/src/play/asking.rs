//! What a console asks of either side of a game about its players, its scoreboard and its own values, and what is answered. Knows
//! no netcode: a [`Side`] does.

use mjolnir_anticheat::{Source, may_run};
use mjolnir_wire::Moment;
use mjolnir_wire::names::NoMatch;

use super::{list_scores, tell_speech};
use crate::board::{Entry, MouseFree, Unpicked};
use crate::completion;
use crate::conduct::Order;
use crate::console::Line;
use crate::console::developer::Tweak;
use crate::desk::Desk;
use crate::machine::Side;
use crate::orders;
use crate::scores::Score;
use crate::speech::{self, Speech, Unsaid};

/// Does what a line says, and tells what came of it. `scores` are the scoreboard's.
pub(super) fn answer(side: &mut impl Side, desk: &mut Desk, now: Moment, scores: &[Score], line: Line) {
    match line {
        Line::Conduct(conduct) => {
            if let Err(why) = side.conduct(now, &conduct) {
                desk.complain(&format!("refused: {why}"));
            }
        }
        Line::Tweak(tweak) => set(side, desk, &tweak),
        Line::Board => turn(side, desk, scores),
        Line::Pick(name, entry) => {
            if let Err(why) = pick(side, desk, now, &name, entry) {
                desk.complain(&format!("refused: {why}"));
            }
        }
        Line::Discord(discord) => {
            desk.say(&discord.text());
            side.game().set_discord(discord);
        }
        Line::Complete(typed) => {
            let names = side.roster().into_iter().map(|player| player.name);
            desk.say(&completion::complete(&typed, names));
        }
        // The others are not asked of a side.
        Line::Quit
        | Line::Start
        | Line::Help
        | Line::Players
        | Line::Scores
        | Line::Speech(_)
        | Line::Host(_) => {}
    }
}

/// A developer's value is set: a guest plays by its host's rules (CHEAT-01).
fn set(side: &mut impl Side, desk: &mut Desk, tweak: &Tweak) {
    if may_run(side.standing(), tweak.class(), Source::Console).is_err() {
        return desk.complain(&format!("refused: {}", orders::CLIENT));
    }
    side.game().tinkering_mut().set(tweak);
    desk.say(&tweak.text());
}

/// Opens the scoreboard or closes it.
fn turn(side: &mut impl Side, desk: &mut Desk, scores: &[Score]) {
    let board = side.board();
    if board.is_open() {
        let mouse = board.close();
        desk.say("the scoreboard is closed");
        return tell_mouse(desk, mouse);
    }
    board.open();
    let vote = board.vote().map(|vote| vote.line());
    list_scores(desk, scores);
    vote.iter().for_each(|line| desk.say(line));
}

/// A console has no mouse: who is picked by name is right clicked for first.
fn pick(
    side: &mut impl Side,
    desk: &mut Desk,
    now: Moment,
    name: &str,
    entry: Option<Entry>,
) -> Result<(), Unsaid> {
    if !side.board().is_open() {
        return Err(Unsaid::Unpicked(Unpicked::Closed));
    }
    let mouse = side.board().right_click();
    tell_mouse(desk, mouse);
    let (slot, menu) = match side.pick(name) {
        // What stands behind a player's name is meant for an entry.
        Err(Unsaid::Name(NoMatch::Nobody)) if entry.is_none() && is_somebody_first(side, name) => {
            return Err(Unsaid::Unpicked(Unpicked::NoEntry));
        }
        picked => picked?,
    };
    let listed = side.roster().into_iter().find(|player| player.slot == slot);
    let name = listed.map_or_else(|| name.to_owned(), |player| player.name.to_string());
    let Some(entry) = entry else {
        let menu: Vec<_> = menu.iter().map(|entry| format!("{} ({})", entry.label(), entry.name())).collect();
        let menu = if menu.is_empty() { "nothing to be done".into() } else { menu.join(", ") };
        desk.say(&format!("{name}: {menu}"));
        return Ok(());
    };
    let order = side.choose(entry)?;
    let done = side.order(now, order);
    match order {
        Order::MuteAll(_, is_muted) => tell_speech(desk, &Speech::MuteAll(name, is_muted), done),
        Order::MuteHere(_, is_muted) => tell_speech(desk, &Speech::MuteHere(name, is_muted), done),
        Order::Kick(_) | Order::Ban(_) | Order::Votekick(_) => return done,
    }
    Ok(())
}

/// Whether somebody is called as those words are without the last.
fn is_somebody_first(side: &impl Side, words: &str) -> bool {
    let front = words.rsplit_once(' ').map_or("", |(front, _)| front);
    speech::named(side.roster().into_iter(), front).is_ok()
}

fn tell_mouse(desk: &mut Desk, mouse: Option<MouseFree>) {
    match mouse {
        Some(MouseFree(true)) => desk.say("the mouse is free"),
        Some(MouseFree(false)) => desk.say("the mouse aims again"),
        None => {}
    }
}
