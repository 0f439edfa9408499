//! `host`, and a network test's host, which sets its game up step by step. Knows no client's side.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use mjolnir_engine_glue::host;
use mjolnir_engine_glue::settings::{Name, Settings};
use mjolnir_engine_glue::transport::impair::Impaired;
use mjolnir_engine_glue::transport::net::Sockets;
use mjolnir_engine_glue::transport::{HostSettings, Player};
use mjolnir_mapshare::host::MapState;
use mjolnir_wire::packets::{NetworkPlayer, SettingsRecord};
use mjolnir_wire::{Machine, Moment, Tick};

use super::asking::answer;
use super::fetching::Without;
use super::turns::Turns;
use super::{BEGUN, Wish, impaired, lines, list, list_scores, mapping, obey, tell_speech, wait_for};
use crate::desk::Desk;
use crate::ending::Ending;
use crate::fairness;
use crate::game::World;
use crate::lan;
use crate::lists::Lists;
use crate::machine::HostMachine;
use crate::options::{Common, HostOptions};
use crate::orders;
use crate::roll::{self, Roll};
use crate::scores::{self, Score};
use crate::seam::{Game, Setup};
use crate::setup::{self, Error};
use crate::sharing::{self, OnDemand};
use crate::sound;
use crate::status::Figures;
use crate::summary::Hits;
use crate::timeline::{Step, Timeline};
use crate::told;

pub(super) type Hosting = HostMachine<Impaired<Sockets>>;

/// Hosts a game. Here as below the options are those that the settings have settled.
pub fn host(options: &HostOptions, settings: &Settings) -> Result<Ending, Error> {
    let setup = checked(options)?;
    let desk = Desk::open(&options.common, settings)?;
    run(options, settings, setup, desk, None)
}

/// Hosts a game that nobody steers, each step at its time (TOOL-04, 70); the lobby's seconds are those from its player to its
/// start.
pub fn host_test(options: &HostOptions, settings: &Settings) -> Result<Ending, Error> {
    let setup = checked(options)?;
    let mut desk = Desk::open(&options.common, settings)?;
    if settings.flag(Name::DebugNetworkTestPublic) {
        desk.complain(
            "network test: not listed in public, which needs the internet: the LAN alone hears of the game",
        );
    }
    let mut steps = Timeline::host(desk.clock().now(), options.lobby);
    if wait_for(&mut desk, &mut steps).is_none() {
        desk.close(None);
        return Ok(Ending::Played);
    }
    desk.say("network test: setting up");
    run(options, settings, setup, desk, Some(steps))
}

/// Makes sure that the options make a game, and how its machine plays.
fn checked(options: &HostOptions) -> Result<Setup, Error> {
    let common = &options.common;
    setup::check(common)?;
    let players = common.local_players.unwrap_or(1);
    setup::check_players(common, usize::from(players))?;
    setup::setup(common, players, 0)
}

/// A network test's steps, and what they bring.
struct Test {
    steps: Timeline,
    map: String,
    variant: String,
    record: Box<SettingsRecord>,
    players: Vec<NetworkPlayer>,
}

impl Test {
    /// Takes out of a host's settings what its steps bring.
    fn of(common: &Common, steps: Timeline, rules: &mut HostSettings) -> Result<Self, Error> {
        let mut unchosen = SettingsRecord::empty();
        (unchosen.name, unchosen.seed) = (rules.record.name, rules.record.seed);
        (unchosen.max_players, unchosen.max_teams) = (rules.record.max_players, rules.record.max_teams);
        Ok(Self {
            steps,
            map: common.map.clone(),
            variant: setup::variants(common)?.first().copied().unwrap_or_default().into(),
            record: std::mem::replace(&mut rules.record, unchosen),
            players: std::mem::take(&mut rules.players),
        })
    }

    /// Takes the steps that are due: whether the game is to begin. One that is to begin without them takes all at once.
    fn take(&mut self, now: Moment, is_to_begin: bool, machine: &mut Hosting, desk: &mut Desk) -> bool {
        if is_to_begin {
            self.steps.hurry();
        }
        let mut starts = is_to_begin;
        while let Some(step) = self.steps.next_due(now) {
            match step {
                Step::Game => {
                    // What this program makes of a record means something.
                    let _ = machine.host.set_game(&self.record);
                    desk.say(&format!("network test: map {}, variant {}", self.map, self.variant));
                }
                Step::Player => self.bring(machine, desk),
                Step::Start => {
                    desk.say("network test: starting");
                    starts = true;
                }
                Step::SetUp | Step::Look => {}
            }
        }
        starts
    }

    /// The host's own players come.
    fn bring(&self, machine: &mut Hosting, desk: &mut Desk) {
        for player in &self.players {
            if let Err(error) = machine.host.add_own_player(player) {
                desk.complain(&format!("network test: no player {}: {error}", player.name));
            }
        }
        let own = machine.host.transport().players().filter(|player| player.machine == Machine::HOST);
        let names: Vec<_> = own.map(|player| player.entry.name.to_string()).collect();
        names.iter().for_each(|name| desk.say(&format!("network test: player {name}")));
    }
}

/// Hosts until the last game ends or somebody quits: with a test's steps, else at once or after the lobby's seconds.
fn run(
    options: &HostOptions,
    settings: &Settings,
    setup: Setup,
    mut desk: Desk,
    steps: Option<Timeline>,
) -> Result<Ending, Error> {
    let common = &options.common;
    let players = common.local_players.unwrap_or(1);
    let mut last = setup::last_tick(common)?;
    let start = Tick::new(common.start_tick).unwrap_or_default();
    let length = last.since(start).unsigned_abs();

    let mut sound = sound::open(common, settings)?;
    let ip = common.bind.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    let address = SocketAddr::new(ip, options.port);
    let sockets = Sockets::listen(address).map_err(|error| Error::Listen(address, error))?;
    let address = sockets.local_address();
    let mut turns = Turns::after_the_first(&setup::variants(common)?);
    let rules = setup::host_settings(common, address.port(), players)?;
    let mut rules = lan::told_of(rules, settings, ip);
    setup::write_collisions(settings, &mut rules.record);
    let mut test = steps.map(|steps| Test::of(common, steps, &mut rules)).transpose()?;
    let network = impaired(common, settings, sockets);
    let opened = desk.clock().now();
    let mut machine = HostMachine::new(opened, rules, setup, network, false);
    machine.host.set_voice(opened, sound::seed(), sound::voice_settings(settings));
    if sound.hears() {
        machine.game.listen();
    }
    desk.prepare(&mut machine.watch);
    machine.host.set_meter(settings.flag(Name::DisplayLatencyMeter));
    machine.host.set_text_chat(setup::text_chat(settings));
    machine.host.set_votes(opened, fairness::votes(settings));
    machine.host.set_aim_assist(fairness::aim_assist(settings));
    if let Some(data) = &common.data {
        machine.game.set_lists(Lists::open(data).map_err(|error| Error::File(data.clone(), error))?);
    }
    machine.host.set_map_sharing(sharing::host(settings));
    if let Some(share) = OnDemand::of(common, ip, sound::seed()[0]) {
        machine.game.set_map_share(Box::new(share));
    }
    let mut traced = Vec::new();
    if desk.has_trace() {
        machine.host.begin_trace();
    }
    desk.say(&format!("listening {address}"));
    if options.lobby > 0.0 && test.is_none() {
        desk.say(&format!("the lobby is open for {} s, or until the game is started", options.lobby));
    }

    let mut roll = Roll::default();
    let lobby = (options.lobby * 1e6) as u64;
    let mut is_to_begin = false;
    // What the map of a game that begins has placed is to be told.
    let mut is_untold = false;
    let mut without = Without::default();
    let mut ending = Ending::Played;
    let is_quit = loop {
        let now = desk.clock().now();
        is_to_begin = match &mut test {
            Some(test) => test.take(now, is_to_begin, &mut machine, &mut desk),
            None => is_to_begin || now.since(opened) >= lobby,
        };
        if is_to_begin && machine.host.stage() == host::Stage::Lobby {
            machine.begin(now, start);
            is_untold = true;
        }
        // A custom map is hashed before its game begins.
        if is_untold && !matches!(machine.host.map(), MapState::Looking) {
            is_untold = false;
            tell_placed(&mut machine, &mut desk);
        }
        without.tell(now, &machine, &mut desk);
        machine.frame(now, last);
        if let Some(level) = machine.game.missing_map() {
            ending = Ending::NotJoined(format!("The map {level} is not here any more, or cannot be read."));
            break true;
        }
        sound.host_frame(now, &mut machine);
        is_to_begin |= tell_host(&mut machine, &mut desk, &mut roll);
        if let Some(variant) = turns.next_due(now) {
            let next = if test.is_some() { "network test: next" } else { "the next game:" };
            desk.say(&format!("{next} {variant}"));
            go_on(&mut machine, common, &variant, now, start)?;
            is_untold = true;
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
            Some(Wish::Map(_)) if turns.is_between() => desk.complain(mapping::BETWEEN),
            Some(Wish::Map(name)) => {
                let begun = mapping::change(&mut machine, &mut desk, common, &name, now, start);
                last = begun.map_or(last, |tick| tick.plus(length));
                is_untold |= begun.is_some();
            }
            Some(Wish::Players) => list(&mut desk, host_lines(&machine)),
            Some(Wish::Scores) => list_scores(&mut desk, &host_board(&machine)),
            Some(Wish::Speech(speech)) => {
                let done = machine.say(now, &speech);
                tell_speech(&mut desk, &speech, done);
            }
            Some(Wish::Own(line)) => {
                let board = host_board(&machine);
                answer(&mut machine, &mut desk, now, &board, line);
            }
            None => {}
        }
        let is_played_out = machine.game.world().is_some_and(World::is_played_out);
        let is_over = machine.is_playing() && (machine.host.now_tick() >= last || is_played_out);
        if is_over && !end(&mut machine, &mut desk, &mut turns) {
            break false;
        }
        desk.keep(&mut machine.watch);
        sound.keep(&mut desk);
        machine.game.take_logged().iter().for_each(|line| desk.log(line));
        tell_lists(&mut machine, &mut desk);
        machine.host.take_map_words().iter().for_each(|word| desk.complain(word));
        machine.host.take_traced(&mut traced);
        desk.keep_traced(machine.host.now_tick(), &mut traced);
        desk.show(|| host_figures(&machine, &roll));
        desk.clock().pause(machine.host.next_tick_at());
    };
    if !is_quit {
        desk.say(told::OVER);
    }
    machine.host.take_map_words().iter().for_each(|word| desk.complain(word));
    if let Ending::NotJoined(why) = &ending {
        desk.complain(&format!("not hosted: {why}"));
    }
    machine.leave(desk.clock().now());
    machine.game.lists().finish();
    tell_lists(&mut machine, &mut desk);
    desk.keep(&mut machine.watch);
    machine.host.take_traced(&mut traced);
    desk.keep_traced(machine.host.now_tick(), &mut traced);
    if let Some(traffic) = machine.game.map_traffic() {
        desk.log(&sharing::in_words(traffic));
    }
    desk.close(machine.dump().as_ref());
    Ok(ending)
}

/// Tells what became of the files of who is banned and who cheated.
fn tell_lists(machine: &mut Hosting, desk: &mut Desk) {
    let mut words = Vec::new();
    machine.game.lists().take_words(&mut words);
    words.iter().for_each(|word| desk.complain(word));
}

/// Tells what happened on a host. Whether a countdown has ended.
fn tell_host(machine: &mut Hosting, desk: &mut Desk, roll: &mut Roll) -> bool {
    let mut is_due = false;
    let HostMachine { host, game, .. } = machine;
    let mut tell = |game: &mut Game, text: &str, is_red: bool| {
        game.happenings().notice(text);
        if is_red { desk.shout(text) } else { desk.say(text) }
    };
    for notice in host.take_notices() {
        match notice {
            host::Notice::Removed { machine, by } => {
                roll.players_of(machine).for_each(|(slot, name)| game.happenings().removed(slot, &name, by));
            }
            host::Notice::StartDue => is_due = true,
            host::Notice::Joined { machine, .. } => roll.joined(machine),
            // Its players are gone by now, and its number may be another's: the roll has them as they were.
            host::Notice::Left { .. } => {}
            _ => roll.take(host.transport().players()).iter().for_each(|text| tell(game, text, false)),
        }
        if let Some(text) = told::host(&notice, |machine| roll.name(machine)) {
            tell(game, &text, matches!(notice, host::Notice::Said { .. }));
        }
        if let host::Notice::Left { machine, .. } = notice {
            roll.forget(machine);
        }
    }
    roll.take(host.transport().players()).iter().for_each(|text| tell(game, text, false));
    is_due
}

/// The list of a host's players, in the lobby too.
fn host_lines(machine: &Hosting) -> Vec<String> {
    let (transport, clock) = (machine.host.transport(), machine.host.clock());
    let line = |player: &Player| {
        let ping = clock.ping_ms(player.machine).filter(|_| player.machine != Machine::HOST);
        roll::line(player.slot, &player.entry.name.to_string(), player.machine, ping)
    };
    let without = machine.host.machines_without_map();
    let without = without.iter().map(|machine| format!("machine {} gets the map", machine.get()));
    transport.players().map(line).chain(without).collect()
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
    common: &Common,
    variant: &str,
    now: Moment,
    start: Tick,
) -> Result<(), Error> {
    let mut record = Box::new(*machine.host.transport().record());
    setup::write_rules(common, variant, &mut record)?;
    let HostMachine { host, game, .. } = machine;
    game.set_now(now);
    // What this program makes of a record means something.
    let _ = host.begin_next(now, game, &record, start);
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
pub(super) fn host_board(machine: &Hosting) -> Vec<Score> {
    let clock = machine.host.clock();
    let board = |world| scores::board(world, |_, client| clock.ping_ms(client));
    machine.game.world().map(board).unwrap_or_default()
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
