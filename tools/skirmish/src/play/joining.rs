//! `join`, and a network test's machine that joins, which brings its player a while after it was let in. Knows no host's
//! side.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use mjolnir_engine_glue::client;
use mjolnir_engine_glue::settings::{Name, Settings};
use mjolnir_engine_glue::transport::Why;
use mjolnir_engine_glue::transport::impair::Impaired;
use mjolnir_engine_glue::transport::net::Sockets;
use mjolnir_wire::packets::{NetworkPlayer, StartRequest};
use mjolnir_wire::{Machine, Moment, Slot};

use super::asking::answer;
use super::{BEGUN, impaired, lines, list, list_scores, tell_speech};
use crate::clock::Clock;
use crate::console::Line;
use crate::desk::Desk;
use crate::ending::Ending;
use crate::fairness;
use crate::game::World;
use crate::lan;
use crate::machine::ClientMachine;
use crate::options::{Common, JoinOptions};
use crate::orders;
use crate::roll;
use crate::scores::{self, Score};
use crate::seam::Setup;
use crate::setup::{self, Error};
use crate::sharing::{self, OnDemand};
use crate::sound;
use crate::status::Figures;
use crate::summary::Hits;
use crate::timeline::{Step, Timeline};
use crate::told;

type Joined = ClientMachine<Impaired<Sockets>>;

/// Joins a game.
pub fn join(options: &JoinOptions, settings: &Settings) -> Result<Ending, Error> {
    // The map, the rules and the first tick are the host's: whatever the options say of them is not looked at.
    let common = &options.common;
    check(common)?;
    let address = setup::address(&options.address)?;
    if let Some(bind) = common.bind.filter(|bind| bind.is_ipv4() != address.is_ipv4()) {
        return Err(Error::Bind(bind, address));
    }
    let setup = own_setup(common)?;
    let mut desk = Desk::open_by(Clock::rated(options.clock), common, settings)?;
    if let Some(refusal) = lan::refusal(address, common.bind) {
        desk.complain(&format!("not joined: {refusal}"));
        desk.close(None);
        return Ok(Ending::NotJoined(refusal.to_string()));
    }
    session(address, common, settings, setup, &mut desk, None)
}

/// Makes sure that the machine brings a player.
pub(super) fn check(common: &Common) -> Result<(), Error> {
    if common.local_players == Some(0) { Err(Error::NoPlayer) } else { Ok(()) }
}

/// How the machine plays.
pub(super) fn own_setup(common: &Common) -> Result<Setup, Error> {
    setup::setup(common, common.local_players.unwrap_or(1), 0)
}

/// Joins that host and plays until its game ends, or somebody quits. With a test's steps its players come when those say,
/// else at once.
pub(super) fn session(
    address: SocketAddr,
    common: &Common,
    settings: &Settings,
    setup: Setup,
    desk: &mut Desk,
    mut steps: Option<Timeline>,
) -> Result<Ending, Error> {
    let players = common.local_players.unwrap_or(1);
    let discord = fairness::discord(settings)?;
    let mut sound = sound::open(common, settings)?;
    let sockets = Sockets::connect(address, common.bind).map_err(Error::Socket)?;
    let network = impaired(common, settings, sockets);
    let at_once = if steps.is_some() { 0 } else { players };
    let mut profile = setup::client_settings(common, at_once, None);
    profile.hardware_id = fairness::hardware_id(common.data.as_deref());
    let mut machine = ClientMachine::new(desk.clock().now(), profile, setup, network, false);
    machine.game.set_discord(discord);
    if sound.hears() {
        machine.game.listen();
    }
    desk.prepare(&mut machine.watch);
    machine.client.set_meter(settings.flag(Name::DisplayLatencyMeter));
    machine.client.set_map_sharing(sharing::client(settings));
    let any =
        if address.is_ipv4() { IpAddr::V4(Ipv4Addr::UNSPECIFIED) } else { Ipv6Addr::UNSPECIFIED.into() };
    if let Some(share) = OnDemand::of(common, common.bind.unwrap_or(any), sound::seed()[0]) {
        machine.game.set_map_share(Box::new(share));
    }
    let mut traced = Vec::new();
    if desk.has_trace() {
        machine.client.begin_trace();
    }

    let length = common.seconds.map(|seconds| (seconds * 1e6) as u64);
    let mut course = Course::default();
    let ending = loop {
        let now = desk.clock().now();
        machine.frame(now);
        sound.client_frame(now, &mut machine);
        if let Some(steps) = &mut steps {
            take(steps, now, &mut machine, desk, common);
        }
        if let Some(why) = tell_client(&mut machine, desk, common, &mut course)? {
            // Once it is over nothing is lost any more.
            break match course.no_map.take() {
                Some(why) if course.has_played => Ending::Lost(why),
                Some(why) => Ending::NotJoined(why),
                None if course.is_over => Ending::Played,
                None => Ending::of(why, course.is_in, course.has_played).while_it_came(course.comes),
            };
        }
        if let Some(level) = machine.game.missing_map() {
            break Ending::NotJoined(format!("There is no map {level} here."));
        }
        let is_played = machine.began.zip(length).is_some_and(|(began, length)| now.since(began) >= length);
        if is_played || quits(&mut machine, desk) {
            desk.say(told::LEFT);
            break Ending::Played;
        }
        desk.keep(&mut machine.watch);
        sound.keep(desk);
        machine.game.take_logged().iter().for_each(|line| desk.log(line));
        machine.client.take_traced(&mut traced);
        desk.keep_traced(machine.client.clock().tick().unwrap_or_default(), &mut traced);
        machine.client.take_map_words().iter().for_each(|word| desk.complain(word));
        let came = machine.game.map_traffic().map_or(0, |traffic| traffic.received);
        desk.show_download(machine.client.download_line(), came);
        course.comes = machine.client.download_line().map(|line| line.percent().unwrap_or_default());
        desk.show(|| client_figures(&machine, now));
        desk.clock().pause(machine.client.next_tick_at());
    };
    match &ending {
        Ending::Played => {}
        Ending::NotJoined(why) => desk.complain(&format!("not joined: {why}")),
        Ending::Lost(why) => desk.complain(why),
    }
    if !machine.is_closed() {
        machine.leave(desk.clock().now());
    }
    desk.keep(&mut machine.watch);
    machine.client.take_traced(&mut traced);
    desk.keep_traced(machine.client.clock().tick().unwrap_or_default(), &mut traced);
    if let Some(traffic) = machine.game.map_traffic() {
        desk.log(&sharing::in_words(traffic));
    }
    desk.close(machine.dump().as_ref());
    Ok(ending)
}

/// A test's players come a while after the machine is let in.
fn take(steps: &mut Timeline, now: Moment, machine: &mut Joined, desk: &mut Desk, common: &Common) {
    let Some(own) = machine.client.transport().machine() else { return };
    steps.let_in(now);
    if steps.next_due(now) != Some(Step::Player) {
        return;
    }
    let players = common.local_players.unwrap_or(1);
    for player in setup::players_named(common, players, u64::from(own.get())) {
        desk.say(&format!("network test: player {}", player.name));
        // A machine has no more of them than it may.
        machine.client.ask_player(player);
    }
}

/// What a client's session has come to.
#[derive(Clone, Debug, Default)]
struct Course {
    /// The host let it in.
    is_in: bool,
    /// A first tick ran.
    has_played: bool,
    /// The game is over, and no other has begun: the host goes on, or leaves.
    is_over: bool,
    /// The game's map cannot be had: why.
    no_map: Option<String>,
    /// How much of the map was here when it was looked last, in per cent; none where it did not come.
    comes: Option<u8>,
}

/// Tells what happened on a client. Why its session ended, if it has.
fn tell_client(
    machine: &mut Joined,
    desk: &mut Desk,
    common: &Common,
    course: &mut Course,
) -> Result<Option<Why>, Error> {
    let mut closed = None;
    for notice in machine.client.take_notices() {
        course.is_in |= matches!(notice, client::Notice::Accepted { .. });
        match notice {
            // Bots of their own seed, now that it is known which machine's they are.
            client::Notice::Accepted { machine: own } if common.input.is_none() => {
                let players = common.local_players.unwrap_or(1);
                machine.game.set_controls(setup::controls(common, players, u64::from(own.get()))?);
            }
            client::Notice::Began => {
                *course = Course { is_in: true, has_played: true, ..Course::default() };
                if let Some(text) = machine.game.world().map(told::placed) {
                    machine.game.happenings().notice(&text);
                    desk.say(&text);
                }
            }
            client::Notice::Over => {
                course.is_over = true;
                lines(&client_board(machine)).iter().for_each(|line| desk.say(line));
            }
            client::Notice::NoMap { ref why } => course.no_map = Some(why.clone()),
            client::Notice::Closed { why } => {
                closed = Some(why);
                // That is how a host ends after its last game; and who lacks the map leaves by itself.
                if course.is_over || course.no_map.is_some() {
                    continue;
                }
            }
            _ => {}
        }
        if let Some(text) = told::client(&notice, machine.game.world(), course.has_played) {
            machine.game.happenings().notice(&text);
            if matches!(notice, client::Notice::Said { .. }) { desk.shout(&text) } else { desk.say(&text) }
        }
    }
    Ok(closed)
}

/// A client's console: it may quit, ask for the game to begin, see who plays, and talk.
fn quits(machine: &mut Joined, desk: &mut Desk) -> bool {
    desk.tell_cues(&mut machine.watch.cues);
    while let Some(line) = desk.next_line() {
        match line {
            Line::Quit => return true,
            Line::Start
                if matches!(machine.client.stage(), client::Stage::Joining | client::Stage::Lobby) =>
            {
                machine.client.ask_start(StartRequest::StartNow);
                desk.say("the host is asked to begin the game");
            }
            Line::Start => desk.complain(BEGUN),
            Line::Players => list(desk, client_lines(machine)),
            Line::Scores => list_scores(desk, &client_board(machine)),
            Line::Speech(speech) => {
                let done = machine.say(&speech);
                tell_speech(desk, &speech, done);
            }
            Line::Help => {}
            line @ (Line::Conduct(_)
            | Line::Tweak(_)
            | Line::Board
            | Line::Pick(..)
            | Line::Discord(_)
            | Line::Complete(_)) => {
                let (now, board) = (desk.clock().now(), client_board(machine));
                answer(machine, desk, now, &board, line);
            }
            Line::Host(_) => desk.complain(&format!("refused: {}", orders::CLIENT)),
        }
    }
    false
}

/// Who is in a client's game; in the lobby who its host said there is. And how far the host says they are.
fn client_lines(machine: &Joined) -> Vec<String> {
    if let Some(world) = machine.game.world().filter(|_| machine.client.stage() == client::Stage::Playing) {
        let there = world.players().filter(|(_, player)| !player.left);
        let line = |(slot, player): (Slot, &crate::game::Player)| {
            let ping = machine.client.authority().ping(slot).filter(|_| player.machine != Machine::HOST);
            roll::line(slot, &player.name, player.machine, ping)
        };
        return there.map(line).collect();
    }
    let Some(record) = machine.client.transport().record() else { return Vec::new() };
    let line = |player: &NetworkPlayer| {
        let (slot, at) = player.slot().zip(player.machine())?;
        let ping = machine.client.authority().ping(slot).filter(|_| at != Machine::HOST);
        Some(roll::line(slot, &player.name.to_string(), at, ping))
    };
    record.players().iter().filter_map(line).collect()
}

/// The scoreboard as a client has it, pings as its host says.
fn client_board(machine: &Joined) -> Vec<Score> {
    let authority = machine.client.authority();
    let board = |world| scores::board(world, |slot, _| authority.ping(slot));
    machine.game.world().map(board).unwrap_or_default()
}

fn client_figures(machine: &Joined, now: Moment) -> Figures {
    let traffic = machine.client.transport().traffic();
    Figures {
        tick: machine.client.clock().tick().unwrap_or_default(),
        round_trip: machine.client.clock().meter_ms(),
        bytes: traffic.sent.bytes() + traffic.received.bytes(),
        players: machine.game.world().map_or(0, present),
        leaders: scores::leaders(&client_board(machine)),
        hits: Hits::of(&machine.client.counters()).in_words(),
        meter: machine.client.meter(now).map(|reading| reading.to_string()),
    }
}

fn present(world: &World) -> usize {
    world.players().filter(|(_, player)| !player.left).count()
}
