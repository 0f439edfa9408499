//! One machine playing: the netcode, the game and a network, frame by frame. Knows no thread and no clock: whoever
//! runs it tells the time.

use std::collections::VecDeque;

use mjolnir_engine_glue::authority::Drift;
use mjolnir_engine_glue::transport::{ClientSettings, HostSettings, Network};
use mjolnir_engine_glue::{Client, Host, client, host};
use mjolnir_net_compare::{Line, Progress};
use mjolnir_wire::{Machine, Moment, Tick};

use crate::board::Board;
use crate::cues::{self, Cues};
use crate::dump::{self, Dump};
use crate::game::World;
use crate::gauge::Gauge;
use crate::harness::{Harness, Heard};
use crate::orders;
use crate::record::Recording;
use crate::scripts::Scripts;
use crate::seam::{Game, Said, Setup};
use crate::second::{self, Seconds};

mod siding;
mod speaking;

pub use siding::Side;

/// What a machine keeps of what it saw.
#[derive(Debug, Default)]
pub struct Watch {
    /// Everything, if it is recorded.
    pub recording: Option<Recording>,
    /// What its console is to do at which tick, and what came of it.
    pub cues: Cues,
    /// What players are made to do besides.
    pub scripts: Scripts,
    /// What a test's log has besides, if it is kept.
    pub harness: Option<Harness>,
    seconds: Seconds,
    /// The lines since they were last taken.
    lines: Vec<Line>,
    /// The tick simulated last of a game that is not over.
    last: Option<Tick>,
    /// Of which tick the game's last line is, and whether the game is over there.
    said: Option<(u32, Progress)>,
    /// Each second's state since it was last taken, if it is kept.
    dumps: Option<Vec<Dump>>,
    /// What was shown of what people said, in words, since it was last taken.
    spoken: Vec<String>,
    /// The same since the last dump, if those are kept; the oldest give way.
    chat: VecDeque<Said>,
    /// Ticks simulated.
    pub ticks: u32,
}

impl Watch {
    /// Lines only, or places too.
    pub fn new(records: bool) -> Self {
        Self { recording: records.then(Recording::default), ..Self::default() }
    }

    /// Whether anything waits for every player to be in.
    pub(crate) fn wait_for_all(&self) -> bool {
        self.cues.wait_for_all() || self.scripts.wait_for_all()
    }

    /// The lines since this was last asked.
    pub fn take_lines(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.lines)
    }

    /// Keeps each second's state from now on.
    pub fn keep_dumps(&mut self) {
        self.dumps.get_or_insert_default();
    }

    /// The states since this was last asked.
    pub fn take_dumps(&mut self) -> Vec<Dump> {
        self.dumps.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Whether that tick's state is to be kept.
    pub(crate) const fn is_dump_due(&self, tick: Tick) -> bool {
        self.dumps.is_some() && dump::is_due(tick)
    }

    pub(crate) fn keep_dump(&mut self, dump: Option<Dump>) {
        if let Some(dumps) = &mut self.dumps {
            dumps.extend(dump);
        }
    }

    /// Names players and says what was heard, where that is kept.
    pub(crate) fn note_harness(
        &mut self,
        tick: Tick,
        world: Option<&World>,
        heard: Option<impl FnOnce() -> Heard>,
    ) {
        if let (Some(harness), Some(world)) = (&mut self.harness, world) {
            harness.note(tick, world, heard);
        }
    }

    /// No game is played now.
    fn between_games(&mut self) {
        self.scripts.begin_anew();
        if let Some(harness) = &mut self.harness {
            harness.between_games();
        }
    }

    pub(crate) fn note(&mut self, tick: Tick, world: Option<&World>, line: impl FnOnce() -> Option<Line>) {
        self.ticks += 1;
        if self.last.replace(tick).is_none() {
            self.said = None;
        }
        if let (Some(recording), Some(world)) = (&mut self.recording, world) {
            recording.note(tick, world);
        }
        if self.seconds.due(tick)
            && let Some(line) = line()
        {
            self.say(line);
        }
    }

    /// The game is over, and no tick of it comes any more: a line says so, if none did before.
    ///
    /// It is of the tick simulated last; where that has its line, which says that the game is on, that line is mended. One
    /// that was taken already cannot be: the line is then of the tick that would have been next, since a log has one line
    /// of a tick.
    pub(crate) fn end(&mut self, line: impl FnOnce(Tick) -> Option<Line>) {
        let Some(mut tick) = self.last.take() else { return };
        let number = tick.get().unsigned_abs();
        match self.said {
            Some((_, Progress::GameOver)) => return,
            Some((said, _)) if said == number => {
                let recorded = self.recording.as_mut().map(|recording| &mut recording.lines);
                let last = recorded.into_iter().chain([&mut self.lines]).filter_map(|lines| lines.last_mut());
                let mut is_mended = false;
                for line in last.filter(|line| line.tick == number) {
                    line.progress = Progress::GameOver;
                    is_mended = true;
                }
                if is_mended {
                    return;
                }
                tick = tick.next();
            }
            _ => {}
        }
        if let Some(line) = line(tick) {
            self.say(Line { progress: Progress::GameOver, ..line });
        }
    }

    fn say(&mut self, line: Line) {
        self.said = Some((line.tick, line.progress));
        if let Some(recording) = &mut self.recording {
            recording.lines.push(line.clone());
        }
        self.lines.push(line);
    }
}

/// A host.
#[derive(Debug)]
pub struct HostMachine<N> {
    /// The netcode.
    pub host: Host,
    /// The game.
    pub game: Game,
    /// What carries the bytes.
    pub network: N,
    /// What it saw.
    pub watch: Watch,
    /// What the netcode's calls cost.
    pub gauge: Gauge,
    /// How alike host and clients moved, in the last whole second.
    pub drift: Drift,
    /// Its player's scoreboard.
    pub board: Board,
}

impl<N: Network> HostMachine<N> {
    /// In its lobby.
    pub fn new(now: Moment, settings: HostSettings, setup: Setup, network: N, records: bool) -> Self {
        let mut game = Game::new(setup);
        game.set_now(now);
        Self {
            host: Host::new(now, settings),
            game,
            network,
            watch: Watch::new(records),
            gauge: Gauge::new(records),
            drift: Drift::default(),
            board: Board::default(),
        }
    }

    /// Begins the game at that tick.
    pub fn begin(&mut self, now: Moment, start: Tick) {
        self.game.set_now(now);
        self.host.begin(now, &mut self.game, start);
    }

    /// One frame: what waits for no tick, and the ticks that are due, no further than `last`.
    pub fn frame(&mut self, now: Moment, last: Tick) {
        self.game.set_now(now);
        if !self.is_playing() {
            self.watch.between_games();
        }
        let Self { host, game, network, gauge, .. } = self;
        gauge.around(|| host.frame(now, game, network));
        self.note_end();
        for _ in 0..self.host.ticks_due(now) {
            if self.host.now_tick() < last {
                self.tick(now);
            }
        }
        self.note_said();
        self.fill_board(now);
    }

    fn tick(&mut self, now: Moment) {
        let Self { host, game, network, watch, gauge, .. } = self;
        let tick = gauge.around(|| host.before_tick(now, game, network));
        let session = host.transport();
        let all_in = watch.wait_for_all()
            && session.machines() == session.in_game()
            && game.world().is_some_and(World::is_full);
        watch.cues.run(tick, all_in, |line| {
            orders::apply(game.world_mut(), line).map_err(|refusal| refusal.to_string())
        });
        watch.scripts.run(tick, all_in, host.own_slots(), game.world_mut());
        game.set_reins(watch.scripts.reins());
        self.say_scripts(now, tick);
        let Self { host, game, network, gauge, .. } = self;
        mjolnir_engine_glue::Session::simulate(game, tick);
        gauge.around(|| host.after_tick(now, game, network));
        gauge.tick();
        let own = self.host.own_slots().first().copied();
        let Self { host, game, watch, drift, .. } = self;
        watch.note_harness(
            tick,
            game.world(),
            Some(|| Heard::of(host.transport().totals().received, host.counters())),
        );
        watch.note(tick, game.world(), || {
            *drift = host.authority().take_drift();
            Some(second::line(tick, game.world()?, own, &host.game_counters(), *drift))
        });
        if self.watch.is_dump_due(tick) {
            let dump = self.dump();
            self.watch.keep_dump(dump);
        }
    }

    /// Its state with what happened since this was last asked; none before a game.
    pub fn dump(&mut self) -> Option<Dump> {
        self.note_said();
        let Self { host, game, watch, .. } = self;
        let own = host.own_slots().to_vec();
        let events = game.happenings().take();
        let world = game.world()?;
        Some(Dump::new(Machine::HOST, own, world, host.counters(), watch.take_chat(), events))
    }

    /// Ends the game, and says so.
    pub fn end(&mut self) {
        self.host.end(&mut self.game);
        self.note_end();
    }

    /// Says that the game is over, once it is.
    fn note_end(&mut self) {
        let Self { host, game, watch, .. } = self;
        if game.is_over() {
            watch.end(|tick| {
                let own = host.own_slots().first().copied();
                let drift = host.authority().take_drift();
                Some(second::line(tick, game.world()?, own, &host.game_counters(), drift))
            });
        }
    }

    /// Leaves in order.
    pub fn leave(&mut self, now: Moment) {
        self.note_end();
        self.host.leave();
        self.host.frame(now, &mut self.game, &mut self.network);
    }

    /// Whether the game has begun.
    pub fn is_playing(&self) -> bool {
        self.host.stage() == host::Stage::Playing
    }
}

/// A client.
#[derive(Debug)]
pub struct ClientMachine<N> {
    /// The netcode.
    pub client: Client,
    /// The game.
    pub game: Game,
    /// What carries the bytes.
    pub network: N,
    /// What it saw.
    pub watch: Watch,
    /// What the netcode's calls cost.
    pub gauge: Gauge,
    /// When its first tick ran.
    pub began: Option<Moment>,
    /// Its player's scoreboard.
    pub board: Board,
}

impl<N: Network> ClientMachine<N> {
    /// Asks to join as soon as its network has a stream.
    pub fn new(now: Moment, settings: ClientSettings, setup: Setup, network: N, records: bool) -> Self {
        let mut game = Game::new(setup);
        game.set_now(now);
        Self {
            client: Client::new(now, settings),
            game,
            network,
            watch: Watch::new(records),
            gauge: Gauge::new(records),
            began: None,
            board: Board::default(),
        }
    }

    /// One frame: what waits for no tick, and the ticks that are due.
    pub fn frame(&mut self, now: Moment) {
        self.game.set_now(now);
        if !self.is_playing() {
            self.watch.between_games();
        }
        let Self { client, game, network, gauge, .. } = self;
        gauge.around(|| client.frame(now, game, network));
        if client.is_over() {
            let own = client.own_slots().first().copied();
            let line =
                |tick, world| second::line(tick, world, own, &client.game_counters(), Drift::default());
            self.watch.end(|tick| Some(line(tick, game.world()?)));
        }
        for _ in 0..self.client.ticks_due(now) {
            self.tick(now);
        }
        self.note_said();
        self.fill_board(now);
    }

    fn tick(&mut self, now: Moment) {
        let Self { client, game, network, watch, gauge, .. } = self;
        let Some(tick) = gauge.around(|| client.before_tick(now, game, network)) else { return };
        let all_in = watch.wait_for_all() && game.world().is_some_and(World::is_full);
        watch.cues.run(tick, all_in, cues::refuse);
        watch.scripts.run(tick, all_in, client.own_slots(), game.world_mut());
        game.set_reins(watch.scripts.reins());
        self.say_scripts(tick);
        let Self { client, game, network, gauge, .. } = self;
        mjolnir_engine_glue::Session::simulate(game, tick);
        gauge.around(|| client.after_tick(now, tick, game, network));
        gauge.tick();
        self.began.get_or_insert(now);
        let Self { client, game, watch, .. } = self;
        let own = client.own_slots().first().copied();
        watch.note_harness(
            tick,
            game.world(),
            Some(|| Heard::of(client.transport().traffic().received, client.counters())),
        );
        watch.note(tick, game.world(), || {
            Some(second::line(tick, game.world()?, own, &client.game_counters(), Drift::default()))
        });
        if self.watch.is_dump_due(tick) {
            let dump = self.dump();
            self.watch.keep_dump(dump);
        }
    }

    /// Its state with what happened since this was last asked; none before a game.
    pub fn dump(&mut self) -> Option<Dump> {
        let machine = self.client.transport().machine()?;
        self.note_said();
        let Self { client, game, watch, .. } = self;
        let own = client.own_slots().to_vec();
        let events = game.happenings().take();
        let world = game.world()?;
        Some(Dump::new(machine, own, world, client.counters(), watch.take_chat(), events))
    }

    /// Leaves in order.
    pub fn leave(&mut self, now: Moment) {
        self.client.leave();
        self.client.frame(now, &mut self.game, &mut self.network);
    }

    /// Whether ticks run.
    pub fn is_playing(&self) -> bool {
        self.client.stage() == client::Stage::Playing
    }

    /// Whether its session has ended.
    pub fn is_closed(&self) -> bool {
        self.client.stage() == client::Stage::Closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    fn line_of(tick: Tick) -> Option<Line> {
        Some(Line { tick: tick.get().unsigned_abs(), ..Line::default() })
    }

    fn run(watch: &mut Watch, ticks: std::ops::RangeInclusive<i32>) {
        for number in ticks {
            watch.note(tick(number), None, || line_of(tick(number)));
        }
    }

    fn said(lines: &[Line]) -> Vec<(u32, bool)> {
        lines.iter().map(|line| (line.tick, line.progress == Progress::GameOver)).collect()
    }

    /// A game that ends between two lines has one more, of its last tick, and one only; the next game's lines say that it
    /// is on, until it ends too.
    #[test]
    fn a_line_says_that_a_game_is_over() {
        let mut watch = Watch::new(true);
        watch.end(line_of);
        assert_eq!(watch.take_lines(), [], "no game was played");
        run(&mut watch, 1..=45);
        watch.end(line_of);
        watch.end(line_of);
        assert_eq!(said(&watch.take_lines()), [(1, false), (30, false), (45, true)]);
        run(&mut watch, 47..=61);
        watch.end(line_of);
        assert_eq!(said(&watch.take_lines()), [(60, false), (61, true)]);
        assert_eq!(said(&watch.recording.unwrap().lines).len(), 5);
    }

    /// A tick has one line: that of the last tick is mended, or, where it is gone, the next tick's says that it is over.
    #[test]
    fn a_tick_has_one_line_at_a_games_end_too() {
        for (is_taken, due) in [(false, vec![(30, true)]), (true, vec![(30, false), (31, true)])] {
            let mut watch = Watch::new(false);
            run(&mut watch, 2..=30);
            let mut all = if is_taken { watch.take_lines() } else { Vec::new() };
            watch.end(line_of);
            all.extend(watch.take_lines());
            assert_eq!(said(&all[1..]), due);
        }
    }

    /// A game that said so itself before its ticks end does not say it again.
    #[test]
    fn a_game_that_was_over_before_its_ticks_ended_says_it_no_second_time() {
        let mut watch = Watch::new(false);
        run(&mut watch, 1..=59);
        watch.note(tick(60), None, || line_of(tick(60)).map(|l| Line { progress: Progress::GameOver, ..l }));
        watch.note(tick(61), None, || None);
        watch.end(line_of);
        assert_eq!(said(&watch.take_lines()), [(1, false), (30, false), (60, true)]);
    }
}
