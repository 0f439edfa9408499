//! Who comes to a lab's host: from which address, by which names, with which hardware id; what the host's console and everybody's
//! scoreboards say about them; and what each machine was told. Knows no rule.

use std::net::{IpAddr, SocketAddr};

use mjolnir_engine_glue::anticheat::command::{Command, Error};
use mjolnir_engine_glue::anticheat::votes::Settings;
use mjolnir_engine_glue::transport::{ClientSettings, Why};
use mjolnir_engine_glue::{client, host};
use mjolnir_tests::{Lab, Plan, Seating, Way, Who, packets, still};
use mjolnir_wire::packets::text::Wide;
use mjolnir_wire::packets::{NetworkPlayer, Rejection};
use mjolnir_wire::votekick::VotekickStatus;
use mjolnir_wire::{Machine, Moment, Slot};

use crate::chat::GROUND;

/// The port of whoever says none.
const PORT: u16 = 5151;

/// What a host wants of votes where nothing else is said: anybody may start one at once, and who is voted out is kept out for a
/// minute.
pub(super) const VOTES: Settings = Settings { allowed: true, minutes: 0, ban_minutes: 1 };

/// A machine that comes, with players that stand.
#[derive(Clone, Debug)]
pub(super) struct Guest {
    address: SocketAddr,
    hardware_id: [u8; 32],
    names: Vec<&'static str>,
    load_micros: u64,
    token: Option<[u8; 16]>,
}

impl Guest {
    /// A machine of one player, at that address, without a hardware id.
    pub(super) fn new(name: &'static str, address: &str) -> Self {
        let address = SocketAddr::new(address.parse::<IpAddr>().unwrap(), PORT);
        Self { address, hardware_id: [0; 32], names: vec![name], load_micros: 0, token: None }
    }

    /// The one of that number, at an address and with an id of its own.
    pub(super) fn of(number: u8) -> Self {
        const NAMES: [&str; 8] = ["Ann", "Bob", "Cid", "Dora", "Emil", "Fay", "Gus", "Hal"];
        let id = char::from(b'a' + number % 6);
        Self::new(NAMES[usize::from(number)], &format!("10.0.2.{}", number + 1)).id(id)
    }

    /// At another address.
    pub(super) fn at(self, address: &str) -> Self {
        Self { address: SocketAddr::new(address.parse::<IpAddr>().unwrap(), self.address.port()), ..self }
    }

    /// At another port.
    pub(super) fn port(self, port: u16) -> Self {
        Self { address: SocketAddr::new(self.address.ip(), port), ..self }
    }

    /// With 32 of that digit as its hardware id.
    pub(super) fn id(self, digit: char) -> Self {
        Self { hardware_id: [digit as u8; 32], ..self }
    }

    /// By another name.
    pub(super) fn named(self, name: &'static str) -> Self {
        Self { names: vec![name], ..self }
    }

    /// With one more player.
    pub(super) fn and(mut self, name: &'static str) -> Self {
        self.names.push(name);
        self
    }

    /// It loads for so many seconds.
    pub(super) fn loads(self, seconds: u64) -> Self {
        Self { load_micros: seconds * Moment::SECOND, ..self }
    }

    /// It shows that token.
    pub(super) fn shows(self, token: [u8; 16]) -> Self {
        Self { token: Some(token), ..self }
    }

    fn settings(&self) -> ClientSettings {
        let player = |name: &&str| NetworkPlayer { name: Wide::cut(name), ..NetworkPlayer::NONE };
        let settings = ClientSettings::new(self.names[0], self.names.iter().map(player).collect());
        let token = self.token.unwrap_or(settings.token);
        ClientSettings { hardware_id: self.hardware_id, token, ..settings }
    }
}

/// Flat ground.
pub(super) fn plan(seed: u64) -> Plan {
    Plan { ground: Some(GROUND), ..Plan::new("flat", seed, 0) }
}

/// The lobby of a host with a player, in which those are.
pub(super) fn lobby(plan: Plan, guests: &[Guest]) -> Lab {
    let mut lab = Lab::open(plan, Seating::of(vec![still()]).with_faults(plan.faults));
    let now = lab.host.now(lab.now());
    lab.host.net.set_votes(now, VOTES);
    for guest in guests {
        come(&mut lab, guest);
    }
    lab.gather();
    lab.run_seconds(0.5);
    lab
}

/// The same in a game.
pub(super) fn game(plan: Plan, guests: &[Guest]) -> Lab {
    let mut lab = lobby(plan, guests);
    lab.begin();
    lab.settle();
    lab.run_seconds(0.5);
    lab
}

/// That one asks to join; its place among the clients.
pub(super) fn come(lab: &mut Lab, guest: &Guest) -> usize {
    let hands = guest.names.iter().map(|_| still()).collect();
    let faults = lab.host.network.faults();
    let seating = Seating { load_micros: guest.load_micros, ..Seating::of(hands).with_faults(faults) };
    lab.join_from(guest.address, guest.settings(), seating)
}

/// That one asks to join where another was, which is gone from there without a word if it still ran.
pub(super) fn come_back(lab: &mut Lab, place: usize, guest: &Guest) -> usize {
    lab.kill(place);
    come(lab, guest)
}

/// Waits until that client is in with its players: in the lobby, or in the game with units.
pub(super) fn let_in(lab: &mut Lab, place: usize) {
    lab.run_until("it is let in", 20, |lab| is_in(lab, place));
}

/// Waits until every client that runs is in, and has everybody where the host has them.
pub(super) fn settle(lab: &mut Lab) {
    lab.run_until("all agree", 30, |lab| {
        (0..lab.clients.len()).all(|place| !lab.clients[place].runs || is_in(lab, place))
            && lab.apart().is_some_and(|apart| apart < 0.01)
    });
}

/// Whether the host lists players of that client's, and it is in the lobby or plays.
pub(super) fn is_in(lab: &Lab, place: usize) -> bool {
    let seat = &lab.clients[place];
    let stage = match lab.host.net.stage() {
        host::Stage::Lobby => client::Stage::Lobby,
        _ => client::Stage::Playing,
    };
    let is_listed = |machine| lab.host.net.transport().players().any(|player| player.machine == machine);
    seat.runs && seat.net.stage() == stage && seat.net.transport().machine().is_some_and(is_listed)
}

/// That one asks to join and is not let in: it reads why, its stream ends behind that, and nobody was added anywhere. It is gone
/// then.
pub(super) fn turned_away(lab: &mut Lab, guest: &Guest) -> Rejection {
    let place = come(lab, guest);
    lab.clients[place].network.listen();
    is_turned_away(lab, place)
}

/// The same of one that has asked and is listened to.
pub(super) fn is_turned_away(lab: &mut Lab, place: usize) -> Rejection {
    let present = |lab: &Lab| {
        let transport = lab.host.net.transport();
        (players(lab), transport.machines(), lab.host.engine.notes.joined.len())
    };
    let before = present(lab);
    lab.run_until("it is turned away", 3, |lab| lab.clients[place].net.stage() == client::Stage::Closed);
    lab.run_seconds(0.3);
    assert_eq!(present(lab), before, "nobody is added");
    let passed = lab.clients[place].network.passed();
    assert_eq!(packets(passed, Way::In), [5]);
    let ends: Vec<_> = passed.iter().filter(|passed| passed.way == Way::In).map(|of| of.is_end()).collect();
    assert_eq!(ends.iter().position(|is_end| *is_end), Some(ends.len() - 1), "the stream ends behind it");
    let Some(Why::Rejected(reason)) = why(lab, place) else { panic!("{:?}", why(lab, place)) };
    lab.kill(place);
    reason
}

/// Why that client's session is over, if it is.
pub(super) fn why(lab: &Lab, place: usize) -> Option<Why> {
    lab.clients[place].notices.iter().find_map(|(_, notice)| match notice {
        client::Notice::Closed { why } => Some(*why),
        _ => None,
    })
}

/// Why machines are gone, as the host was told.
pub(super) fn left(lab: &Lab) -> Vec<Why> {
    let why = |notice: &host::Notice| match notice {
        host::Notice::Left { why, .. } => Some(*why),
        _ => None,
    };
    lab.host.notices.iter().filter_map(|(_, notice)| why(notice)).collect()
}

/// Every player that is there, as the host has it.
pub(super) fn players(lab: &Lab) -> Vec<String> {
    lab.host.net.transport().players().map(|player| player.entry.name.to_string()).collect()
}

/// Where that player is.
pub(super) fn slot(lab: &Lab, name: &str) -> Slot {
    let mut players = lab.host.net.transport().players();
    players.find(|player| player.entry.name.to_string() == name).unwrap().slot
}

/// Which machine that client is.
pub(super) fn machine(lab: &Lab, place: usize) -> Machine {
    lab.clients[place].net.transport().machine().unwrap()
}

/// That is typed at the host's console.
pub(super) fn console(lab: &mut Lab, typed: &str) -> Result<(), Error> {
    let now = lab.host.now(lab.now());
    lab.host.net.command(now, &Command::of(typed).unwrap())
}

/// That client's console is told `votekick` and that name; whether it asks its host.
pub(super) fn vote(lab: &mut Lab, place: usize, name: &str) -> bool {
    let now = lab.clients[place].now(lab.now());
    let typed = format!("votekick {name}");
    lab.clients[place].net.command(now, &Command::of(&typed).unwrap()).unwrap()
}

/// The same, and the host has heard it.
pub(super) fn votes(lab: &mut Lab, place: usize, name: &str) {
    assert!(vote(lab, place, name), "{place} on {name}");
    lab.run_seconds(0.2);
}

/// How the vote stands as that machine shows it; none without one.
pub(super) fn status(lab: &Lab, who: Who) -> Option<VotekickStatus> {
    match who {
        Who::Host => {
            let status = lab.host.net.vote(lab.host.now(lab.now()));
            status.slot.map(|_| status)
        }
        Who::Client(place) => {
            let seat = &lab.clients[place];
            seat.net.vote(seat.now(lab.now()))
        }
    }
}

/// Votes had and needed, as the host counts them; none without a vote.
pub(super) fn tally(lab: &Lab) -> Option<(u8, u8)> {
    status(lab, Who::Host).map(|status| (status.votes, status.needed))
}

/// What that machine showed in red, in order.
pub(super) fn said(lab: &Lab, who: Who) -> Vec<&str> {
    match who {
        Who::Host => {
            let texts = lab.host.notices.iter().map(|(_, notice)| match notice {
                host::Notice::Said { text } => Some(text.as_str()),
                _ => None,
            });
            texts.flatten().collect()
        }
        Who::Client(place) => {
            let texts = lab.clients[place].notices.iter().map(|(_, notice)| match notice {
                client::Notice::Said { text } => Some(text.as_str()),
                _ => None,
            });
            texts.flatten().collect()
        }
    }
}

/// Forgets what every machine showed in red, and who left.
pub(super) fn forget(lab: &mut Lab) {
    lab.host.notices.clear();
    lab.clients.iter_mut().for_each(|seat| seat.notices.clear());
}

/// Those machines showed that and nothing else in red.
#[track_caller]
pub(super) fn all_said(lab: &Lab, clients: &[usize], texts: &[&str]) {
    for who in std::iter::once(Who::Host).chain(clients.iter().map(|place| Who::Client(*place))) {
        assert_eq!(said(lab, who), texts, "{who:?}");
    }
}

/// So many guests in a game.
pub(super) fn game_of(seed: u64, guests: u8) -> Lab {
    game(plan(seed), &(0..guests).map(Guest::of).collect::<Vec<_>>())
}

/// The host wants votes so.
pub(super) fn set(lab: &mut Lab, settings: Settings) {
    let now = lab.host.now(lab.now());
    lab.host.net.set_votes(now, settings);
}

/// Runs to so many seconds after that time of the lab.
pub(super) fn run_to(lab: &mut Lab, from: u64, seconds: f64) {
    lab.run_seconds(seconds - (lab.now() - from) as f64 / 1e6);
}

/// How many the host remembers as kept out, cooling and protected.
pub(super) fn remembered(lab: &Lab) -> [usize; 3] {
    let (now, votes) = (lab.host.now(lab.now()), lab.host.net.conduct().votes());
    [votes.kept_out(), votes.cooling(), votes.protected()].map(|list| list.len(now))
}
