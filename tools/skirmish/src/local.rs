//! One machine that plays alone: a world that decides, its players and bots, no netcode. Knows no thread and no
//! clock: whoever runs it tells the time.

use mjolnir_engine_glue::Counters;
use mjolnir_engine_glue::authority::Drift;
use mjolnir_engine_glue::clock::Pace;
use mjolnir_engine_glue::transport::own_name;
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::{Machine, Moment, Slot, Tick};

use crate::announced;
use crate::clock::Warp;
use crate::console::developer::Tweak;
use crate::control::{Choice, Control};
use crate::custom::{Chosen, Maps};
use crate::dump::Dump;
use crate::game::{Event, World};
use crate::happenings::Happenings;
use crate::harness::Heard;
use crate::machine::Watch;
use crate::options::{Common, LocalOptions};
use crate::orders;
use crate::seam::{map_of, shown};
use crate::second;
use crate::setup::{self, Error};
use crate::tinkering::Tinkering;

/// See the module's text.
#[derive(Debug)]
pub struct LocalMachine {
    world: World,
    /// Its level's name.
    level: String,
    /// Every player's slot, local ones first, and what plays it.
    controls: Vec<(Slot, Control)>,
    /// This machine's own players among them.
    own: Vec<Slot>,
    /// When ticks are due, by the game's own time.
    pace: Option<Pace>,
    /// The game's own time.
    warp: Warp,
    tinkering: Tinkering,
    ready_at: Moment,
    tick: Tick,
    happenings: Happenings,
    /// What it saw.
    pub watch: Watch,
}

impl LocalMachine {
    /// Loading from now on.
    pub fn new(now: Moment, options: &LocalOptions) -> Result<Self, Error> {
        let LocalOptions { common } = options;
        let bots = common.bots.unwrap_or(0);
        let players = common.local_players.unwrap_or(1);
        setup::check_players(common, usize::from(players) + usize::from(bots))?;
        let Chosen { level, map } = Maps::of(common).choose(&common.map)?;
        setup::check_map(&common.variant, &common.map, &map)?;
        let rules = setup::rules_of(common, &common.variant)?;
        let teams = rules.is_some_and(|rules| rules.teams);

        let mut controls = setup::controls(common, players, 0)?;
        for bot in 0..u64::from(bots) {
            let choice = Choice::Bot(common.seed).for_player(u64::from(players) + bot);
            controls.push(choice.open().map_err(Error::Input)?);
        }
        let mut world = World::new(&map, common.seed, setup::tuning(common));
        world.set_harm(true);
        world.set_rules(rules);
        let mut happenings = Happenings::default();
        let controls: Vec<_> = Slot::all().zip(controls).collect();
        // As a host has them: cleaned, none empty, each once.
        let mut names: Vec<Name> = Vec::new();
        for (slot, _) in &controls {
            let asked = match slot.get() {
                local if local < players => setup::player_name(common, u64::from(local)),
                bot => format!("Bot {}", bot - players + 1),
            };
            let name = own_name(&Name::cut(&asked), names.iter());
            names.push(name);
            let name = name.to_string();
            let team = if teams { slot.get() % 2 } else { slot.get() };
            world.join(*slot, &name, Machine::HOST, Some(team));
            happenings.join(*slot, &name);
        }
        Ok(Self {
            world,
            level,
            own: controls.iter().map(|(slot, _)| *slot).take(usize::from(players)).collect(),
            controls,
            pace: None,
            warp: Warp::default(),
            tinkering: Tinkering::default(),
            ready_at: now.plus(setup::load_micros(common)),
            tick: Tick::new(common.start_tick).unwrap_or_default(),
            happenings,
            watch: Watch::default(),
        })
    }

    /// The ticks that are due, no further than `last`.
    pub fn frame(&mut self, now: Moment, last: Tick) {
        if now < self.ready_at {
            return;
        }
        let now = self.warp.here(now);
        for _ in 0..self.pace.get_or_insert_with(|| Pace::new(now)).due(now) {
            if self.tick < last {
                self.step();
            }
        }
    }

    fn step(&mut self) {
        let tick = self.tick.next();
        let Self { world, watch, own, .. } = self;
        let all_in = watch.wait_for_all() && world.is_full();
        watch.cues.run(tick, all_in, |line| {
            orders::apply(Some(&mut *world), line).map_err(|refusal| refusal.to_string())
        });
        watch.scripts.run(tick, all_in, own, Some(world));
        let reins = watch.scripts.reins();
        for (slot, control) in &mut self.controls {
            let input = control.input(&self.world, *slot, tick);
            let input = reins.input(*slot, tick, input);
            self.world.drive(*slot, input);
        }
        for slot in &self.own {
            self.world.set_cheats(*slot, self.tinkering.cheats());
        }
        self.happenings.set_tick(tick);
        self.world.step(tick);
        self.tick = tick;
        let mut told = Vec::new();
        let mut showed_here = Vec::new();
        for event in self.world.drain_events() {
            match event {
                Event::Died { slot, death } => self.happenings.death(slot, death.killer),
                Event::PickedUp(pickup) if self.own.contains(&pickup.slot) => {
                    self.happenings.pickup(pickup.slot, shown(&pickup));
                }
                Event::News(news) => told.push(news),
                Event::Showed(showed) => showed_here.push(showed),
                _ => {}
            }
        }
        let (world, own) = (&self.world, self.own.first().copied());
        for showed in showed_here {
            self.happenings.coop(&showed.text(&world.map().campaign));
        }
        for news in told {
            self.happenings.announce(&announced::text(news.into(), Some(world)));
        }
        self.watch.note_harness(tick, Some(world), None::<fn() -> Heard>);
        self.watch.note(tick, Some(world), || {
            Some(second::line(tick, world, own, &Counters::default(), Drift::default()))
        });
        if self.watch.is_dump_due(tick) {
            let dump = self.dump();
            self.watch.keep_dump(Some(dump));
        }
    }

    /// The game is over.
    pub fn end(&mut self) {
        let (world, own) = (&self.world, self.own.first().copied());
        let line = |tick| second::line(tick, world, own, &Counters::default(), Drift::default());
        self.watch.end(|tick| Some(line(tick)));
    }

    /// Its state with what happened since this was last asked.
    pub fn dump(&mut self) -> Dump {
        let events = self.happenings.take();
        Dump::new(Machine::HOST, self.own.clone(), &self.world, Counters::default(), Vec::new(), events)
    }

    /// The world.
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// The world, for the console.
    pub const fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// Sets what a developer's console says. Another speed counts from now on.
    pub fn tweak(&mut self, now: Moment, tweak: &Tweak) {
        let before = self.tinkering.values.speed;
        self.tinkering.set(tweak);
        let speed = self.tinkering.values.speed;
        if speed != before {
            self.warp.set(now, speed.into());
        }
    }

    /// What was set so.
    pub const fn tinkering(&self) -> &Tinkering {
        &self.tinkering
    }

    /// What it plays, in words, beside its length.
    pub fn plays(&self, common: &Common) -> String {
        let own = self.own.iter().filter_map(|slot| self.world.player(*slot));
        let mut who: Vec<_> = own.map(|player| player.name.clone()).collect();
        let bots = self.controls.len() - self.own.len();
        if bots > 0 {
            who.push(self::bots(bots));
        }
        let who = if who.is_empty() { "nobody".into() } else { who.join(", ") };
        let length = common.seconds.map_or("until quit".into(), |seconds| format!("for {seconds} s"));
        format!("playing {} on {}: {who}, {length}", common.variant, map_of(&self.level))
    }

    /// What came of it, in words.
    pub fn played(&self) -> String {
        let kills: u32 = self.world.players().map(|(_, player)| u32::from(player.kills())).sum();
        let best = self
            .world
            .players()
            .map(|(_, player)| player)
            .reduce(|best, player| if player.kills() > best.kills() { player } else { best });
        let kills = match (kills, best) {
            (0, _) | (_, None) => "nobody killed anybody".into(),
            (1, Some(best)) => format!("1 kill, by {}", best.name),
            (kills, Some(best)) => format!("{kills} kills, most by {} ({})", best.name, best.kills()),
        };
        format!("played {} ticks, {:.1} s: {kills}", self.watch.ticks, f64::from(self.watch.ticks) / 30.0)
    }

    /// Its players, bots too.
    pub const fn players(&self) -> usize {
        self.controls.len()
    }

    /// The tick simulated last.
    pub const fn tick(&self) -> Tick {
        self.tick
    }

    /// When the next tick is due, once it has loaded.
    pub fn next_tick_at(&self) -> Option<Moment> {
        self.pace.as_ref().map(|pace| self.warp.there(pace.next()))
    }
}

/// So many bots, in words.
pub fn bots(count: usize) -> String {
    if count == 1 { "1 bot".into() } else { format!("{count} bots") }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::options::{Command, Options};

    fn options(line: &str) -> LocalOptions {
        match Options::parse_from(line.split(' ')).command.unwrap() {
            Command::Local(options) => options,
            other => panic!("{other:?}"),
        }
    }

    /// Local players and bots play; loading takes its time; the last tick is the last.
    #[test]
    fn a_machine_plays_alone() {
        let options = options("skirmish local --local-players 2 --bots 3 --load-seconds 1 --start-tick 60");
        let mut machine = LocalMachine::new(Moment::START, &options).unwrap();
        let last = Tick::new(125).unwrap();
        machine.watch.keep_dumps();
        machine.frame(Moment::from_millis(999), last);
        assert_eq!((machine.next_tick_at(), machine.tick().get()), (None, 60));
        for frame in 0..1000 {
            machine.frame(Moment::from_millis(1000 + frame * 5), last);
        }
        assert_eq!((machine.tick(), machine.players()), (last, 5));
        let ticks: Vec<_> = machine.watch.take_lines().iter().map(|line| line.tick).collect();
        assert_eq!(ticks, [61, 90, 120]);
        let dumps = machine.watch.take_dumps();
        assert_eq!(dumps.len(), 2);
        let first = serde_json::to_value(&dumps[0]).unwrap();
        assert_eq!((&first["tick"], &first["slots"]), (&90.into(), &[0, 1].as_slice().into()));
        assert_eq!(first["players"].as_array().unwrap().len(), 5);
        assert_eq!(first["events"][4]["text"], "Bot 3");
    }

    /// What is played is told before, and what came of it after; deaths by nobody are nobody's kills.
    #[test]
    fn a_game_is_told_of() {
        let options = options("skirmish local --local-players 2 --bots 1 --map flat --seconds 2.5");
        let mut machine = LocalMachine::new(Moment::START, &options).unwrap();
        assert_eq!(machine.plays(&options.common), "playing slayer on flat: P0, P1, 1 bot, for 2.5 s");
        machine.frame(Moment::START, Tick::LAST);
        machine.frame(Moment::from_millis(501), Tick::LAST);
        let [own, other, bot] = [0, 1, 2].map(|slot| Slot::new(slot).unwrap());
        machine.world_mut().kill(own, None);
        assert_eq!(machine.played(), "played 15 ticks, 0.5 s: nobody killed anybody");
        machine.world_mut().kill(other, Some(bot));
        assert_eq!(machine.played(), "played 15 ticks, 0.5 s: 1 kill, by Bot 1");
    }

    /// A game that is played alone goes as fast as its speed says, from that moment on, and the next tick is due when it is due;
    /// its length is counted in ticks.
    #[test]
    fn a_game_goes_at_its_speed() {
        use crate::console::developer;
        let options = options("skirmish local --map flat");
        let mut machine = LocalMachine::new(Moment::START, &options).unwrap();
        let mut now = Moment::START;
        machine.frame(now, Tick::LAST);
        for (speed, millis, ticks) in
            [("1", 1000, 30), ("2", 1000, 60), ("10", 1000, 300), ("0.1", 10_000, 30), ("1", 1000, 30)]
        {
            let tweak = developer::parse("speed", &[speed]).unwrap().unwrap();
            machine.tweak(now, &tweak);
            let before = machine.tick().get();
            let until = now.plus(millis * 1000);
            while now < until {
                now = until.min(now.plus(5000));
                machine.frame(now, Tick::LAST);
            }
            let played = machine.tick().get() - before;
            assert!((ticks - 1..=ticks + 1).contains(&played), "speed {speed}: {played} ticks");
            let next = machine.next_tick_at().unwrap();
            machine.frame(Moment::from_micros(next.as_micros() - 1), Tick::LAST);
            assert_eq!(machine.tick().get(), before + played, "speed {speed}");
            machine.frame(next, Tick::LAST);
            assert_eq!(machine.tick().get(), before + played + 1, "speed {speed}");
            now = next;
        }
    }

    /// Cheats are this machine's own players', not its bots'.
    #[test]
    fn cheats_are_the_machines_own_players() {
        use crate::console::developer;
        use crate::game::Cheats;
        let options = options("skirmish local --local-players 2 --bots 1 --map flat");
        let mut machine = LocalMachine::new(Moment::START, &options).unwrap();
        let cheats = |machine: &LocalMachine| -> Vec<_> {
            machine.world().players().map(|(_, player)| player.cheats).collect()
        };
        machine.frame(Moment::START, Tick::LAST);
        for (word, has) in [("on", Cheats::GOD), ("off", Cheats::default())] {
            let tweak = developer::parse("cheats", &["god", word]).unwrap().unwrap();
            machine.tweak(Moment::START, &tweak);
            machine.frame(machine.next_tick_at().unwrap(), Tick::LAST);
            assert_eq!(cheats(&machine), [has, has, Cheats::default()]);
        }
    }

    /// NET-65: names are those that a host would give: of what prints, eleven characters, none empty, each once.
    #[test]
    fn names_are_as_a_host_gives_them() {
        let line = "skirmish local --local-players 2 --bots 2";
        for (asked, given) in [
            ("", ["Player", "Player 2", "Bot 1", "Bot 2"]),
            ("\u{1b}[2J|\n", ["[2J", "[2J 2", "Bot 1", "Bot 2"]),
            ("ABCDEFGHIJKL", ["ABCDEFGHIJK", "ABCDEFGHI 2", "Bot 1", "Bot 2"]),
            ("bot 1", ["bot 1", "bot 1 2", "Bot 1 3", "Bot 2"]),
        ] {
            let mut options = options(line);
            options.common.name = Some(asked.into());
            let machine = LocalMachine::new(Moment::START, &options).unwrap();
            let names: Vec<_> = machine.world().players().map(|(_, player)| player.name.as_str()).collect();
            assert_eq!(names, given);
        }
    }

    /// Both sides of the number of players that a game takes.
    #[test]
    fn a_game_takes_so_many_players() {
        let machine = |line| LocalMachine::new(Moment::START, &options(line));
        assert!(machine("skirmish local --max-players 3 --bots 2").is_ok());
        let refused = machine("skirmish local --max-players 3 --bots 3").unwrap_err();
        assert!(matches!(refused, Error::Players(4, 3)));
    }
}
