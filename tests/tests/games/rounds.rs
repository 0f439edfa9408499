//! Whole games, one after another: bots play each type to its end over a bad network, and every machine has the same scores
//! and heard of the same things. What is counted is the game's own, with what its host's shots hit.

use mjolnir_engine_glue::authority::StatisticsRow;
use mjolnir_engine_glue::engine::{Players as _, Scoring as _};
use mjolnir_engine_glue::{client, host};
use mjolnir_skirmish::game::Rules;
use mjolnir_skirmish::happenings::Kind;
use mjolnir_skirmish::seam::level_of;
use mjolnir_tests::{Lab, Plan, Played, Seating, Who, bot};
use mjolnir_wire::game_state::GameState;
use mjolnir_wire::packets::SettingsRecord;
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::units::{Death, Life};
use mjolnir_wire::{Slot, Tick};

/// A variant, the map that it is played on, its score limit, and the seconds within which bots come to its end.
type Round = (&'static str, &'static str, i32, u64);

/// Every type, each followed by two others.
const ROUNDS: [Round; 6] = [
    ("slayer", "arena", 8, 300),
    ("team_slayer", "arena", 12, 300),
    ("ctf", "two_bases", 2, 2400),
    ("oddball", "hill", 20, 600),
    ("king", "hill", 15, 600),
    ("race", "drive", 2, 600),
];

/// Milliseconds each way.
const WAY: u64 = 50;

fn round(at: usize) -> Round {
    ROUNDS[at % ROUNDS.len()]
}

/// A hill that everybody is alone on is disputed for ever: there teams play.
fn rules((variant, _, score_limit, _): Round) -> Rules {
    let rules = Rules::named(variant).unwrap();
    Rules { score_limit, teams: rules.teams || variant == "king", ..rules }
}

/// Two bots.
fn pair(seed: u64, plan: Plan) -> Seating {
    Seating::of(vec![bot(seed), bot(seed + 1)]).with_faults(plan.faults)
}

/// A game of that round with eight players at four machines.
fn open(round: Round, seed: u64) -> Lab {
    let plan =
        Plan { rules: Some(rules(round)), harm: true, ..Plan::new(round.1, seed, 3) }.network(WAY, 5.0);
    let mut lab = Lab::open(plan, pair(seed * 100, plan));
    for place in 0..plan.clients as u64 {
        lab.join(pair(seed * 100 + 10 + place * 2, plan));
    }
    lab.gather();
    lab.begin();
    lab.settle();
    lab
}

/// What an engine has of each player, and of the game.
fn scores(engine: &Played) -> (Vec<StatisticsRow>, Option<GameState>) {
    let mut rows = Vec::new();
    engine.read_statistics(&mut rows);
    (rows, engine.read_game_state())
}

/// Who is in which team.
fn teams(engine: &Played) -> Vec<(Slot, Option<u8>)> {
    engine.world().players().map(|(slot, player)| (slot, player.team)).collect()
}

fn phase(engine: &Played) -> i32 {
    engine.world().post_game_phase()
}

/// What the side that leads on the host has.
fn best(lab: &Lab) -> i32 {
    let world = lab.host.engine.world();
    let mut sides = [0; 128];
    for (slot, player) in world.players() {
        sides[world.side(slot).unwrap()] += player.score();
    }
    sides.into_iter().max().unwrap()
}

/// What a machine announced of its game, with the tick.
fn announced(engine: &mut Played) -> Vec<(i32, String)> {
    let happened = engine.game.happenings().take().into_iter();
    happened.filter(|it| it.kind == Kind::Announce).filter_map(|it| Some((it.tick, it.text?))).collect()
}

/// Whether what a client announced is what the host did, each once and in its order. A state that tells of several events names their
/// order within itself no more, and of several of one kind the last one's player alone: these came of one tick on the client.
fn are_announced(host: &[(i32, String)], client: &[(i32, String)]) -> Result<(), String> {
    if host.len() != client.len() {
        return Err(format!("{} of {}", client.len(), host.len()));
    }
    let unnamed = |text: &str| text.split_once(' ').map(|(_, what)| format!("somebody {what}"));
    let mut from = 0;
    for together in client.chunk_by(|(a, _), (b, _)| a == b) {
        let mut due: Vec<&String> = host[from..from + together.len()].iter().map(|(_, text)| text).collect();
        from += together.len();
        // Those with a name first: they can be no other.
        let (nameless, named): (Vec<_>, Vec<_>) =
            together.iter().partition(|(_, text)| text.starts_with("somebody "));
        for (tick, text) in named.into_iter().chain(nameless) {
            let is_it = |it: &&String| *it == text || unnamed(it).as_ref() == Some(text);
            let Some(at) = due.iter().position(is_it) else {
                return Err(format!("{text} at tick {tick}, not {due:?}"));
            };
            due.remove(at);
        }
    }
    Ok(())
}

/// Two bots come into a game that is played. They have everybody's statistics and the game's state within two round trips
/// and six ticks of having loaded (the second is that of asking), each as the host had it meanwhile. The place, and the
/// host's tick when they had loaded.
fn join_late(lab: &mut Lab, seed: u64, plan: Plan) -> (usize, Tick, Tick) {
    let late = lab.join(pair(seed, plan));
    lab.run_until("it has loaded", 10, |lab| lab.clients[late].net.transport().is_in_game());
    let loaded = lab.tick();
    let mut had = vec![scores(&lab.host.engine)];
    let is_whole = |lab: &Lab| {
        let told = lab.clients[late].net.scores();
        let players = lab.host.engine.world().players();
        told.state().is_some() && players.into_iter().all(|(slot, _)| told.statistics(slot).is_some())
    };
    while !is_whole(lab) {
        assert!(lab.tick().since(loaded) <= 2 * Lab::ticks_of(2 * WAY) as i32 + 6, "it has not all scores");
        if lab.step() == Who::Host {
            had.push(scores(&lab.host.engine));
        }
    }
    let told = lab.clients[late].net.scores();
    assert!(had.iter().any(|(_, state)| state.as_ref() == told.state()), "another state");
    for (slot, _) in lab.host.engine.world().players() {
        let of = |rows: &[StatisticsRow]| rows.iter().find(|row| row.slot == slot).map(|row| row.statistics);
        assert!(had.iter().any(|(rows, _)| of(rows).as_ref() == told.statistics(slot)), "{slot:?}");
    }
    let has_them = lab.tick();
    // The game is given them before its next tick.
    lab.run_ticks(2);
    assert!(lab.clients[late].engine.read_game_state().is_some());
    (late, loaded, has_them)
}

/// Plays that round to its end, with two who come in its middle, and looks at what every machine has of it.
fn play(lab: &mut Lab, round: Round, seed: u64, plan: Plan) {
    let (variant, map, limit, seconds) = round;
    let what = format!("{variant} on {map}, seed {seed}");
    lab.run_until(&format!("{what} is half played"), seconds, |lab| best(lab) >= (limit + 1) / 2);
    assert_eq!(phase(&lab.host.engine), 0, "{what}");
    let (late, loaded, has_them) = join_late(lab, seed, plan);

    lab.run_until(&format!("{what} is over"), seconds, |lab| phase(&lab.host.engine) > 0);
    let over = lab.tick();
    let places = 0..lab.clients.len();
    let are_over = |lab: &Lab, of: i32| places.clone().all(|at| phase(&lab.clients[at].engine) >= of);
    lab.run_until("all know that it is over", 3, |lab| are_over(lab, 1));
    let after = lab.tick().since(over);
    // A part of the stream that is lost is said again, which takes a round trip and more.
    assert!(after <= 6 + 4 * Lab::ticks_of(2 * WAY) as i32, "{what}: {after} ticks");
    let same = |lab: &Lab| {
        let (rows, state) = scores(&lab.host.engine);
        let teams = self::teams(&lab.host.engine);
        assert!(rows.len() >= 10 && state.is_some(), "{what}");
        for (place, seat) in lab.clients.iter().enumerate() {
            let (here, its) = scores(&seat.engine);
            assert_eq!(its, state, "{what}: client {place}");
            assert_eq!(here, rows, "{what}: client {place}");
            assert_eq!(self::teams(&seat.engine), teams, "{what}: client {place}");
        }
        // Whoever came late too has a team: without teams one of its own (AUTH-56).
        let mut sides: Vec<_> = teams.into_iter().map(|(_, team)| team.unwrap()).collect();
        sides.sort_unstable();
        sides.dedup();
        let teams_play = lab.host.engine.world().rules().unwrap().teams;
        assert_eq!(sides.len(), if teams_play { 2 } else { rows.len() }, "{what}: {sides:?}");
    };
    same(lab);
    lab.run_until("it is played out everywhere", 10, |lab| are_over(lab, 2));
    same(lab);
    assert!(best(lab) >= limit && lab.host.engine.world().is_played_out(), "{what}");
    let games = |engine: &Played| {
        let players = engine.world().players();
        players.map(|(_, player)| player.statistics.games_played).collect::<Vec<_>>()
    };
    assert!(games(&lab.host.engine).iter().all(|played| *played == 1), "{what}");

    let decided = announced(&mut lab.host.engine);
    assert_eq!(decided.last().map(|(_, text)| text.as_str()), Some("the game is over"), "{what}");
    for (place, seat) in lab.clients.iter_mut().enumerate() {
        let here = announced(&mut seat.engine);
        // Of who comes late: what was decided since it has the scores at least, and since it had loaded at most.
        let from = decided.len().saturating_sub(here.len());
        if place == late {
            let since = |tick: Tick| decided.iter().filter(|(at, _)| *at >= tick.get()).count();
            assert!(since(has_them) <= here.len() && here.len() <= since(loaded), "{what}: {here:?}");
            are_announced(&decided[from..], &here).unwrap_or_else(|not| panic!("{what}: late: {not}"));
        } else {
            are_announced(&decided, &here).unwrap_or_else(|not| panic!("{what}: client {place}: {not}"));
        }
    }
}

/// The next round begins on every machine, none of which joins anew.
fn begin_next(lab: &mut Lab, round: Round) {
    let (variant, map, ..) = round;
    let mut next: Box<SettingsRecord> = Box::new(*lab.host.net.transport().record());
    next.map = Chars::new(&level_of(map)).unwrap();
    rules(round).write(variant, &mut next);
    let machines = |lab: &Lab| -> Vec<_> {
        lab.clients
            .iter()
            .map(|seat| (seat.net.transport().machine(), seat.net.own_slots().to_vec()))
            .collect()
    };
    let before = machines(lab);
    lab.end();
    lab.run_seconds(1.0);
    assert!(lab.clients.iter().all(|seat| seat.net.stage() == client::Stage::Over), "{variant}");
    assert!(lab.begin_next(&next, Tick::ZERO.plus(300)));
    lab.settle();
    assert_eq!(machines(lab), before, "{variant}");
    let again = |(_, notice): &(u64, host::Notice)| matches!(notice, host::Notice::Left { .. });
    assert!(!lab.host.notices.iter().any(again));
    for seat in &lab.clients {
        assert_eq!(seat.engine.world().rules(), Some(&rules(round)), "{variant}");
        assert_eq!(phase(&seat.engine), 0, "{variant}");
        let (rows, _) = scores(&seat.engine);
        assert!(rows.iter().all(|row| row.statistics.games_played == 0), "{variant}");
    }
}

/// Four rounds from that one on, each to its end.
fn play_from(first: usize, seed: u64) {
    let mut lab = open(round(first), seed);
    let plan = Plan::new("flat", seed, 0).network(WAY, 5.0);
    for at in 0..4 {
        if at > 0 {
            begin_next(&mut lab, round(first + at));
        }
        play(&mut lab, round(first + at), seed * 1000 + at as u64 * 10, plan);
    }
}

/// AUTH-45 to 51, GLUE-22: bots play slayer, team slayer, flags and a ball to their ends, one after another, at 50 ms
/// each way with 5 % lost: at each end every machine has the host's statistics and state, and announced what the host
/// announced, each once and in its order; who comes in the middle has all scores at once, and announces nothing from before.
#[test]
fn slayers_are_played_to_their_end_and_what_follows() {
    play_from(0, 901);
}

/// The same of flags, a ball, a hill and a race.
#[test]
fn flags_and_balls_are_played_to_their_end_and_what_follows() {
    play_from(2, 902);
}

/// The same of a hill, a race, slayer and team slayer.
#[test]
fn hills_and_races_are_played_to_their_end_and_what_follows() {
    play_from(4, 903);
}

/// AUTH-61: who asks to join one tick after a kill has the dead player's killer as soon as it plays, as every other machine.
#[test]
fn who_comes_after_a_kill_knows_the_killer() {
    let rules = Rules { respawn: 900, ..Rules::named("slayer").unwrap() };
    let plan = Plan { rules: Some(rules), ..Plan::new("flat", 904, 2).network(WAY, 5.0) };
    let mut lab = Lab::play(plan);
    let [dead, killer] = [0, 1].map(|place| lab.clients[place].slot());
    assert!(lab.host.engine.world_mut().kill(dead, Some(killer)));
    lab.run_ticks(1);
    let late = lab.join(pair(904, plan));
    lab.run_until("it plays", 10, |lab| lab.clients[late].net.scores().state().is_some());
    lab.run_ticks(30);
    let due = Life::Dead(Death { killer: Some(killer), ..Death::default() });
    for seat in &lab.clients {
        let mut rows = Vec::new();
        seat.engine.read_units(&mut rows);
        let of = rows.iter().find(|row| row.state.slot == dead).unwrap();
        assert_eq!(of.state.life, due);
    }
}
