//! What scripts did once: each on every machine that was in play when it happened, exactly once and in order; and what each
//! machine showed of it. Knows what passed between machines.

use mjolnir_skirmish::game::campaign::Showed;
use mjolnir_skirmish::happenings;
use mjolnir_wire::events::{Action, CoopEvent};
use mjolnir_wire::{Kind, Tick};

use super::Tally;
use crate::lab::{Lab, Who};
use crate::seen::{Way, messages};

/// What a client that is gone has not had any more, of the last so many ticks: what was on its way.
const ON_ITS_WAY: u32 = 30;

/// Of a client.
#[derive(Clone, Copy, Debug, Default)]
struct Stay {
    /// The host's tick when it began to play.
    since: Option<Tick>,
    until: Option<Tick>,
}

/// See the file's text.
#[derive(Debug, Default)]
pub(super) struct Once {
    stays: Vec<Stay>,
    /// What the host's recorder and each client's had of scripts, in order.
    host: Vec<String>,
    clients: Vec<Vec<String>>,
}

/// An event as the host numbered it.
#[derive(Clone, Copy, Debug)]
struct Numbered {
    number: u16,
    tick: Tick,
    action: Action,
}

impl Once {
    fn stay(&mut self, place: usize) -> &mut Stay {
        if self.stays.len() <= place {
            self.stays.resize(place + 1, Stay::default());
        }
        &mut self.stays[place]
    }

    pub(super) fn plays(&mut self, place: usize, tick: Tick) {
        self.stay(place).since.get_or_insert(tick);
    }

    pub(super) fn left(&mut self, place: usize, tick: Tick) {
        self.stay(place).until = Some(tick);
    }

    /// Takes what a machine's recorder has.
    pub(super) fn look(&mut self, lab: &mut Lab, who: Who) {
        let (game, had) = match who {
            Who::Host => (&mut lab.host.engine.game, &mut self.host),
            Who::Client(place) => {
                if self.clients.len() <= place {
                    self.clients.resize(place + 1, Vec::new());
                }
                (&mut lab.clients[place].engine.game, &mut self.clients[place])
            }
        };
        let all = game.happenings().take().into_iter();
        had.extend(all.filter(|of| of.kind == happenings::Kind::Coop).filter_map(|of| of.text));
    }

    /// COOP-07 to 10: what was not so.
    pub(super) fn judge(mut self, lab: &Lab, tally: &mut Tally, wrong: &mut Vec<String>) {
        let all = numbered(lab);
        tally.events += all.len() as u64;
        if let Some(odd) = (1..).zip(&all).find(|(number, event)| *number != event.number) {
            wrong.push(format!("the host's event {} is of number {}", odd.0, odd.1.number));
        }
        let level = lab.host.engine.world().map().campaign.clone();
        let text = |action: &Action| Showed::Action(*action).text(&level);
        let did: Vec<_> = lab.host.engine.notes.acted.iter().map(|(_, action)| text(action)).collect();
        let host = of_actions(&self.host);
        if did != host {
            wrong.push(format!("the host showed {host:?} and not {did:?}"));
        }
        for place in 0..lab.clients.len() {
            let stay = *self.stay(place);
            let Some(since) = stay.since else {
                wrong.push(format!("client {place} never played"));
                continue;
            };
            let acted = &lab.clients[place].engine.notes.acted;
            tally.had += acted.len() as u64;
            let acted: Vec<_> = acted.iter().map(|(_, action)| *action).collect();
            let until = stay.until.map(|tick| tick.since(Tick::ZERO) - ON_ITS_WAY as i32);
            let is_due = |event: &&Numbered| {
                event.tick.since(since) > 0 && until.is_none_or(|until| event.tick.since(Tick::ZERO) <= until)
            };
            let from = all.iter().position(|event| is_due(&event)).unwrap_or(all.len());
            let due = all.iter().filter(is_due).count();
            let is_section = |at: usize| {
                let section = all.iter().skip(at).map(|event| event.action);
                at + acted.len() >= from + due && section.take(acted.len()).eq(acted.iter().copied())
            };
            if !(0..=from).any(is_section) || due == 0 {
                let had: Vec<_> = acted.iter().map(text).collect();
                let told: Vec<_> =
                    all.iter().map(|event| (event.number, event.tick.get(), text(&event.action))).collect();
                wrong.push(format!(
                    "client {place}, in play since {since:?} until {until:?}, had {had:?} of {told:?}"
                ));
            }
            let shown = of_actions(&self.clients[place]);
            let due: Vec<_> = acted.iter().map(text).collect();
            if shown != due {
                wrong.push(format!("client {place} showed {shown:?} and not {due:?}"));
            }
            if stay.until.is_none() && since.since(Tick::ZERO) < 30 {
                let [there, here] = [&self.host, &self.clients[place]].map(|all| of_states(all));
                if there != here {
                    wrong.push(format!("client {place} was shown {here:?} and not {there:?}"));
                }
            }
            let lost = lab.clients[place].net.counters().refused.get("lost_event").copied().unwrap_or(0);
            if lost > 0 {
                wrong.push(format!("client {place} lost {lost} events"));
            }
        }
    }
}

/// Words of what lasts, as recorders have it.
const LASTING: [&str; 13] = [
    "cinematic",
    "letterbox",
    "input",
    "hud",
    "helps",
    "fade",
    "camera",
    "timer",
    "cluster",
    "ally",
    "screen",
    "shaking",
    "vitality",
];
/// And of named objects, whose places and looks are told anew with each word.
const NAMED: [&str; 4] = ["create", "delete", "move", "look"];

fn word(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

/// What of a recorder's happened once, in order.
fn of_actions(all: &[String]) -> Vec<String> {
    let lasts = |text: &str| LASTING.contains(&word(text)) || NAMED.contains(&word(text));
    all.iter().filter(|text| !lasts(text)).cloned().collect()
}

/// What of it began and ended, of each word in its order: two that are told by different messages may change places.
fn of_states(all: &[String]) -> Vec<&String> {
    let of = |of: &'static str| all.iter().filter(move |text| word(text) == of);
    LASTING.into_iter().flat_map(of).collect()
}

/// Every event that the host numbered, as it first went out, by its number.
fn numbered(lab: &Lab) -> Vec<Numbered> {
    let mut all: Vec<Numbered> = Vec::new();
    messages(lab.host.network.passed(), Way::Out, |_, message| {
        if message.kind != Kind::CoopEvents {
            return;
        }
        for event in CoopEvent::read_all(message).flatten() {
            let CoopEvent { number, action: Some(action) } = event else { continue };
            if let Err(at) = all.binary_search_by_key(&number, |known| known.number) {
                all.insert(at, Numbered { number, tick: message.tick, action });
            }
        }
    });
    all
}
