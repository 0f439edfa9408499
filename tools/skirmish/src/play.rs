//! `host`, `join` and `local`: one machine in this process, until its game ends or somebody quits. Knows which step
//! comes when; what a machine does is `machine`'s and `local`'s.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use mjolnir_engine_glue::settings::{Name, Settings};
use mjolnir_engine_glue::transport::impair::Impaired;
use mjolnir_engine_glue::transport::net::Sockets;
use mjolnir_engine_glue::transport::{Player, Why};
use mjolnir_engine_glue::{client, host};
use mjolnir_wire::packets::{NetworkPlayer, StartRequest};
use mjolnir_wire::{Machine, Moment, Slot, Tick};

use crate::console::{HostLine, Line};
use crate::cues::Cues;
use crate::desk::Desk;
use crate::ending::Ending;
use crate::game::World;
use crate::lan;
use crate::machine::{ClientMachine, HostMachine};
use crate::options::{Common, HostOptions, JoinOptions};
use crate::orders::{self, Outcome};
use crate::roll::{self, Roll};
use crate::scores::{self, Score};
use crate::setup::{self, Error};
use crate::status::Figures;
use crate::summary::Hits;
use crate::told;

mod alone;
mod turns;

pub use alone::local;
use turns::Turns;

/// What `start` is answered where there is no lobby any more.
const BEGUN: &str = "the game has begun already";

type Hosting = HostMachine<Impaired<Sockets>>;
type Joined = ClientMachine<Impaired<Sockets>>;

/// Hosts a game. Here as below the options are those that the settings have settled.
pub fn host(options: &HostOptions, settings: &Settings) -> Result<Ending, Error> {
    let common = &options.common;
    setup::check(common)?;
    let players = common.local_players.unwrap_or(1);
    setup::check_players(common, usize::from(players))?;
    let mut last = setup::last_tick(common)?;
    let start = Tick::new(common.start_tick).unwrap_or_default();
    let length = last.since(start).unsigned_abs();
    let setup = setup::setup(common, players, 0)?;
    let mut desk = Desk::open(common, settings)?;

    let ip = common.bind.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    let address = SocketAddr::new(ip, options.port);
    let sockets = Sockets::listen(address).map_err(|error| Error::Listen(address, error))?;
    let address = sockets.local_address();
    let mut turns = Turns::after_the_first(&setup::variants(common)?);
    let rules = setup::host_settings(common, address.port(), players)?;
    let rules = lan::told_of(rules, settings, ip);
    let network = impaired(common, settings, sockets);
    let opened = desk.clock().now();
    let mut machine = HostMachine::new(opened, rules, setup, network, false);
    desk.prepare(&mut machine.watch);
    machine.host.set_meter(settings.flag(Name::DisplayLatencyMeter));
    let mut traced = Vec::new();
    if desk.has_trace() {
        machine.host.begin_trace();
    }
    desk.say(&format!("listening {address}"));
    if options.lobby > 0.0 {
        desk.say(&format!("the lobby is open for {} s, or until the game is started", options.lobby));
    }

    let mut roll = Roll::default();
    let lobby = (options.lobby * 1e6) as u64;
    let mut is_to_begin = false;
    let is_quit = loop {
        let now = desk.clock().now();
        is_to_begin |= now.since(opened) >= lobby;
        if is_to_begin && machine.host.stage() == host::Stage::Lobby {
            machine.begin(now, start);
            tell_placed(&mut machine, &mut desk);
        }
        machine.frame(now, last);
        is_to_begin |= tell_host(&mut machine, &mut desk, &mut roll);
        if let Some(variant) = turns.next_due(now) {
            go_on(&mut machine, &mut desk, &variant, now, start)?;
            // It begins after the ticks of the one before, and lasts as long.
            last = machine.host.now_tick().plus(length);
        }
        let HostMachine { game, watch, .. } = &mut machine;
        match obey(&mut desk, &mut watch.cues, |line| orders::apply(game.world_mut(), line)) {
            Some(Wish::Quit) => break true,
            Some(Wish::End) if turns.is_between() => {}
            Some(Wish::End) if !end(&mut machine, &mut desk, &mut turns) => break false,
            Some(Wish::End) => {}
            Some(Wish::Start) if machine.host.stage() == host::Stage::Lobby => {
                desk.say("the game begins");
                is_to_begin = true;
            }
            Some(Wish::Start) => desk.complain(BEGUN),
            Some(Wish::Players) => list(&mut desk, host_lines(&machine)),
            Some(Wish::Scores) => list(&mut desk, lines(&host_board(&machine))),
            None => {}
        }
        let is_played_out = machine.game.world().is_some_and(World::is_played_out);
        let is_over = machine.is_playing() && (machine.host.now_tick() >= last || is_played_out);
        if is_over && !end(&mut machine, &mut desk, &mut turns) {
            break false;
        }
        desk.keep(&mut machine.watch);
        machine.game.take_logged().iter().for_each(|line| desk.log(line));
        machine.host.take_traced(&mut traced);
        desk.keep_traced(machine.host.now_tick(), &mut traced);
        desk.show(|| host_figures(&machine, &roll));
        desk.clock().pause(machine.host.next_tick_at());
    };
    if !is_quit {
        desk.say(told::OVER);
    }
    machine.leave(desk.clock().now());
    desk.keep(&mut machine.watch);
    machine.host.take_traced(&mut traced);
    desk.keep_traced(machine.host.now_tick(), &mut traced);
    desk.close(machine.dump().as_ref());
    Ok(Ending::Played)
}

/// Tells what happened on a host. Whether a countdown has ended.
fn tell_host(machine: &mut Hosting, desk: &mut Desk, roll: &mut Roll) -> bool {
    let mut is_due = false;
    let HostMachine { host, game, .. } = machine;
    let mut tell = |text: &str| {
        game.happenings().notice(text);
        desk.say(text);
    };
    for notice in host.take_notices() {
        match notice {
            host::Notice::StartDue => is_due = true,
            host::Notice::Joined { machine, .. } => roll.joined(machine),
            // Its players are gone by now, and its number may be another's: the roll has them as they were.
            host::Notice::Left { .. } => {}
            _ => roll.take(host.transport().players()).iter().for_each(|text| tell(text)),
        }
        if let Some(text) = told::host(&notice, |machine| roll.name(machine)) {
            tell(&text);
        }
        if let host::Notice::Left { machine, .. } = notice {
            roll.forget(machine);
        }
    }
    roll.take(host.transport().players()).iter().for_each(|text| tell(text));
    is_due
}

/// The list of a host's players, in the lobby too.
fn host_lines(machine: &Hosting) -> Vec<String> {
    let (transport, clock) = (machine.host.transport(), machine.host.clock());
    let line = |player: &Player| {
        let ping = clock.ping_ms(player.machine).filter(|_| player.machine != Machine::HOST);
        roll::line(player.slot, &player.entry.name.to_string(), player.machine, ping)
    };
    transport.players().map(line).collect()
}

/// Says who plays, a line each.
fn list(desk: &mut Desk, lines: Vec<String>) {
    if lines.is_empty() {
        desk.say("no players");
    }
    lines.iter().for_each(|line| desk.say(line));
}

/// The game is over: everybody is told, and the scores are shown. Whether another variant comes, for which everybody
/// stays (GLUE-22).
fn end(machine: &mut Hosting, desk: &mut Desk, turns: &mut Turns) -> bool {
    let has_begun = machine.host.stage() != host::Stage::Lobby;
    machine.end();
    lines(&host_board(machine)).iter().for_each(|line| desk.say(line));
    let goes_on = has_begun && turns.over(desk.clock().now());
    if goes_on {
        desk.say(told::OVER);
    }
    goes_on
}

/// The next variant begins, with every machine that is there.
fn go_on(
    machine: &mut Hosting,
    desk: &mut Desk,
    variant: &str,
    now: Moment,
    start: Tick,
) -> Result<(), Error> {
    desk.say(&format!("the next game: {variant}"));
    let mut record = Box::new(*machine.host.transport().record());
    setup::rules(variant)?.write(variant, &mut record);
    let HostMachine { host, game, .. } = machine;
    game.set_now(now);
    // What this program makes of a record means something.
    let _ = host.begin_next(now, game, &record, start);
    tell_placed(machine, desk);
    Ok(())
}

/// Tells what the map placed, as the game begins.
fn tell_placed(machine: &mut Hosting, desk: &mut Desk) {
    if let Some(text) = machine.game.world().map(told::placed) {
        machine.game.happenings().notice(&text);
        desk.say(&text);
    }
}

/// The scoreboard as the host has it.
fn host_board(machine: &Hosting) -> Vec<Score> {
    let clock = machine.host.clock();
    let board = |world| scores::board(world, |_, client| clock.ping_ms(client));
    machine.game.world().map(board).unwrap_or_default()
}

/// The scoreboard as a client has it, pings as its host says.
fn client_board(machine: &Joined) -> Vec<Score> {
    let authority = machine.client.authority();
    let board = |world| scores::board(world, |slot, _| authority.ping(slot));
    machine.game.world().map(board).unwrap_or_default()
}

fn lines(board: &[Score]) -> Vec<String> {
    board.iter().map(Score::line).collect()
}

fn host_figures(machine: &Hosting, roll: &Roll) -> Figures {
    let (transport, clock) = (machine.host.transport(), machine.host.clock());
    let trips = transport.in_game().iter().filter_map(|client| clock.ping_ms(client));
    let totals = transport.totals();
    Figures {
        tick: machine.host.now_tick(),
        round_trip: trips.max().map(u32::from),
        bytes: totals.sent.bytes() + totals.received.bytes(),
        players: transport.players().count(),
        leaders: scores::leaders(&host_board(machine)),
        hits: Hits::of(&machine.host.counters()).in_words(),
        meter: machine.host.meter().map(|readings| {
            let readings: Vec<_> =
                readings.map(|(client, reading)| format!("{}: {reading}", roll.name(client))).collect();
            readings.join(", ")
        }),
    }
}

/// Joins a game.
pub fn join(options: &JoinOptions, settings: &Settings) -> Result<Ending, Error> {
    // The map, the rules and the first tick are the host's: whatever the options say of them is not looked at.
    let common = &options.common;
    let players = common.local_players.unwrap_or(1);
    if players == 0 {
        return Err(Error::NoPlayer);
    }
    let address = setup::address(&options.address)?;
    if let Some(bind) = common.bind.filter(|bind| bind.is_ipv4() != address.is_ipv4()) {
        return Err(Error::Bind(bind, address));
    }
    let setup = setup::setup(common, players, 0)?;
    let mut desk = Desk::open(common, settings)?;
    if let Some(refusal) = lan::refusal(address, common.bind) {
        desk.complain(&format!("not joined: {refusal}"));
        desk.close(None);
        return Ok(Ending::NotJoined(refusal.to_string()));
    }
    let sockets = Sockets::connect(address, common.bind).map_err(Error::Socket)?;
    let network = impaired(common, settings, sockets);
    let profile = setup::client_settings(common, players, None);
    let mut machine = ClientMachine::new(desk.clock().now(), profile, setup, network, false);
    desk.prepare(&mut machine.watch);
    machine.client.set_meter(settings.flag(Name::DisplayLatencyMeter));
    let mut traced = Vec::new();
    if desk.has_trace() {
        machine.client.begin_trace();
    }

    let length = common.seconds.map(|seconds| (seconds * 1e6) as u64);
    let mut course = Course::default();
    let ending = loop {
        let now = desk.clock().now();
        machine.frame(now);
        if let Some(why) = tell_client(&mut machine, &mut desk, common, &mut course)? {
            // Once it is over nothing is lost any more.
            break if course.is_over { Ending::Played } else { Ending::of(why, course.has_played) };
        }
        if let Some(level) = machine.game.missing_map() {
            break Ending::NotJoined(format!("There is no map {level} here."));
        }
        let is_played = machine.began.zip(length).is_some_and(|(began, length)| now.since(began) >= length);
        if is_played || quits(&mut machine, &mut desk) {
            desk.say(told::LEFT);
            break Ending::Played;
        }
        desk.keep(&mut machine.watch);
        machine.game.take_logged().iter().for_each(|line| desk.log(line));
        machine.client.take_traced(&mut traced);
        desk.keep_traced(machine.client.clock().tick().unwrap_or_default(), &mut traced);
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
    desk.close(machine.dump().as_ref());
    Ok(ending)
}

/// What a client's session has come to.
#[derive(Clone, Copy, Debug, Default)]
struct Course {
    /// A first tick ran.
    has_played: bool,
    /// The game is over, and no other has begun: the host goes on, or leaves.
    is_over: bool,
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
        match notice {
            // Bots of their own seed, now that it is known which machine's they are.
            client::Notice::Accepted { machine: own } if common.input.is_none() => {
                let players = common.local_players.unwrap_or(1);
                machine.game.set_controls(setup::controls(common, players, u64::from(own.get()))?);
            }
            client::Notice::Began => {
                *course = Course { has_played: true, is_over: false };
                if let Some(text) = machine.game.world().map(told::placed) {
                    machine.game.happenings().notice(&text);
                    desk.say(&text);
                }
            }
            client::Notice::Over => {
                course.is_over = true;
                lines(&client_board(machine)).iter().for_each(|line| desk.say(line));
            }
            client::Notice::Closed { why } => {
                closed = Some(why);
                // That is how a host ends after its last game.
                if course.is_over {
                    continue;
                }
            }
            _ => {}
        }
        if let Some(text) = told::client(&notice, machine.game.world(), course.has_played) {
            machine.game.happenings().notice(&text);
            desk.say(&text);
        }
    }
    Ok(closed)
}

/// A client's console: it may quit, ask for the game to begin, and see who plays.
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
            Line::Scores => list(desk, lines(&client_board(machine))),
            Line::Help => {}
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

/// What a console wants of the program itself.
enum Wish {
    Quit,
    End,
    Start,
    Players,
    Scores,
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
            Line::Help => {}
            Line::Host(line) => match apply(&line) {
                Ok(Outcome::Done) => orders::done(&line).iter().for_each(|text| desk.say(text)),
                Ok(Outcome::Ends) => return Some(Wish::End),
                Err(refusal) => desk.complain(&refusal.to_string()),
            },
        }
    }
    None
}

/// The sockets behind the faults that are asked for, drawn differently for each machine of a game.
fn impaired(common: &Common, settings: &Settings, sockets: Sockets) -> Impaired<Sockets> {
    let faults = setup::faults(&common.faults, settings);
    let seed = common.seed ^ u64::from(sockets.local_address().port()) << 32;
    Impaired::new(sockets, seed, faults)
}
