//! `local`: one machine that plays alone, until its game ends or somebody quits. Knows no network.

use mjolnir_engine_glue::settings::{self, Settings};
use mjolnir_wire::packets::player::Name;

use super::{BEGUN, Wish, list, list_scores, obey};
use crate::completion;
use crate::console::Line;
use crate::desk::Desk;
use crate::ending::Ending;
use crate::game::World;
use crate::local::{self, LocalMachine};
use crate::options::{Common, LocalOptions};
use crate::orders;
use crate::scores;
use crate::setup::{self, Error};
use crate::status::Figures;

/// Plays on this machine alone.
pub fn local(options: &LocalOptions, settings: &Settings) -> Result<Ending, Error> {
    let common = &options.common;
    setup::check(common)?;
    setup::check_variant(common)?;
    let last = setup::last_tick(common)?;
    let mut desk = Desk::open(common, settings)?;
    let asked = common.bots.unwrap_or(settings.whole(settings::Name::BotsCount) as u8);
    let bots = asked.min(common.max_players.saturating_sub(common.local_players.unwrap_or(1)));
    let options = LocalOptions { common: Common { bots: Some(bots), ..common.clone() } };
    let mut machine = LocalMachine::new(desk.clock().now(), &options)?;
    if bots < asked {
        let most = common.max_players;
        let bots = local::bots(bots.into());
        desk.complain(&format!("{bots} in place of {asked}: --max-players is {most}"));
    }
    desk.prepare(&mut machine.watch);
    desk.say(&machine.plays(common));
    let mut is_quit = false;
    while machine.tick() < last && !machine.world().is_played_out() {
        machine.frame(desk.clock().now(), last);
        let mut cues = std::mem::take(&mut machine.watch.cues);
        let wish = obey(&mut desk, &mut cues, |line| orders::apply(Some(machine.world_mut()), line));
        machine.watch.cues = cues;
        match wish {
            Some(wish @ (Wish::Quit | Wish::End)) => {
                is_quit = matches!(wish, Wish::Quit);
                break;
            }
            Some(Wish::Start) => desk.complain(BEGUN),
            Some(Wish::Map(_)) => desk.complain("refused: a machine that plays alone stays on its map"),
            Some(Wish::Speech(_)) => desk.complain("refused: nobody else is there to talk to"),
            Some(Wish::Own(Line::Tweak(tweak))) => {
                machine.tweak(desk.clock().now(), &tweak);
                desk.say(&tweak.text());
            }
            Some(Wish::Own(Line::Complete(typed))) => {
                let names = machine.world().players().map(|(_, player)| Name::cut(&player.name));
                desk.say(&completion::complete(&typed, names));
            }
            Some(Wish::Own(_)) => desk.complain("refused: nobody else is there"),
            Some(Wish::Players) => list(&mut desk, local_lines(machine.world())),
            Some(Wish::Scores) => {
                let board = scores::board(machine.world(), |_, _| None);
                list_scores(&mut desk, &board);
            }
            None => {}
        }
        desk.keep(&mut machine.watch);
        desk.show(|| Figures {
            tick: machine.tick(),
            round_trip: None,
            bytes: 0,
            players: machine.players(),
            leaders: scores::leaders(&scores::board(machine.world(), |_, _| None)),
            hits: None,
            meter: None,
        });
        desk.clock().pause(machine.next_tick_at());
    }
    if !is_quit {
        machine.end();
    }
    desk.keep(&mut machine.watch);
    desk.say(&machine.played());
    desk.close(Some(&machine.dump()));
    Ok(Ending::Played)
}

fn local_lines(world: &World) -> Vec<String> {
    world.players().map(|(slot, player)| format!("slot {}: {}", slot.get(), player.name)).collect()
}
