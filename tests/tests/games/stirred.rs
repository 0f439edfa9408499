//! Machines that join a game whose objects are made, moved, carried and deleted, and whose players come and go.

use mjolnir_engine_glue::client;
use mjolnir_engine_glue::transport::limits::{BEHIND_BYTES, HELD_BYTES};
use mjolnir_skirmish::game::kinds::Kind;
use mjolnir_skirmish::game::random::Random;
use mjolnir_tests::{Lab, Lately, Plan, Seating, Stir, Ways, Who, busy, unlike};
use mjolnir_wire::packets::PACKETS;
use mjolnir_wire::{Machine, MachineSet, Vec3};

/// Ticks of a window in which somebody joins.
const WINDOW: u32 = 300;
/// Ticks in play after which a machine has everything.
const SETTLED: u32 = 60;
/// Ticks in which who died last comes back, what changed last falls, rests and is told for the last time.
const QUIET: u32 = 150;

/// A game in which players come and go and things happen each tick.
struct Stirred {
    lab: Lab,
    stir: Stir,
    lately: Lately,
    random: Random,
    ticks: u32,
}

impl Stirred {
    fn new(plan: Plan) -> Self {
        let seating = |of: u64| Seating::of(vec![busy(plan.seed.wrapping_mul(1000) + of)]);
        let mut lab = Lab::play_as(plan, seating(0), |of| seating(of as u64 + 1));
        lab.run_ticks(10);
        let lately = Lately::of(lab.host.engine.world());
        Self { lab, stir: Stir::new(plan.seed), lately, random: Random::new(!plan.seed), ticks: 0 }
    }

    /// A tick, in which things happen if they are to.
    fn tick(&mut self, stirs: bool) {
        if stirs {
            self.stir();
        }
        self.lab.run_ticks(1);
        self.lately.note(self.lab.host.engine.world());
        self.ticks += 1;
    }

    fn stir(&mut self) {
        self.stir.once(self.lab.host.engine.world_mut());
        match self.ticks % 100 {
            20 => {
                let seed = self.random.bits();
                self.join(Seating { load_micros: 200_000, ..Seating::of(vec![busy(seed)]) });
            }
            70 => {
                let playing = |place: &usize| self.lab.clients[*place].net.stage() == client::Stage::Playing;
                let leaves = (0..self.lab.clients.len()).find(playing);
                if let Some(place) = leaves.filter(|_| self.lab.clients.len() > 3) {
                    if self.random.once_in(2) { self.lab.quit(place) } else { self.lab.kill(place) }
                }
            }
            _ => {}
        }
    }

    fn join(&mut self, seating: Seating) -> usize {
        let faults = self.lab.host.network.impair().faults();
        self.lab.join(seating.with_faults(faults))
    }

    /// In what a client's game is not the host's.
    fn unlike(&self, place: usize) -> Option<String> {
        unlike(self.lab.host.engine.world(), self.lab.clients[place].engine.world())
    }

    /// The same, but for what changed on the host so lately that it is on its way; of that, how much there is.
    fn behind(&self, place: usize, ways: Ways) -> Result<usize, String> {
        self.lately.unlike(self.lab.host.engine.world(), self.lab.clients[place].engine.world(), ways)
    }
}

/// Ticks for which a client may not be sent a player who is far or out of sight, and with it what it fired (OBJ-17).
const UNSENT: u32 = 6;

/// How long a change may be on its way: one way and two ticks, for the tick's messages and the client's next tick. What
/// units carry waits for the next look besides, and what lies for that and for its step of the ladder (OBJ-13, 20). Where
/// datagrams are lost what changed is told again for half a second, rounds with the second's turn (OBJ-13, 16, 21).
fn ways(milliseconds: u64, is_lost: bool) -> Ways {
    let way = Lab::ticks_of(milliseconds) + 2;
    let again = |ticks: u32| if is_lost { ticks } else { 0 };
    Ways {
        stands: way,
        lies: way + 7 + again(15),
        carries: way + 3 + again(6),
        rounds: way + 3 + UNSENT + again(30),
        player: way + again(15),
    }
}

/// A client joins at that tick of the window, and things go on happening: of how much that had just changed the word was
/// on its way when it had been in play for two seconds. All else was the host's.
fn joins_at(tick: u32, plan: Plan, ways: Ways) -> usize {
    let mut game = Stirred::new(plan);
    for _ in 0..tick {
        game.tick(true);
    }
    let late = game.join(Seating { load_micros: 100_000, ..Seating::of(vec![busy(plan.seed)]) });
    let mut in_play = 0;
    while in_play < SETTLED {
        game.tick(true);
        in_play += u32::from(game.lab.clients[late].net.stage() == client::Stage::Playing);
        let stage = game.lab.clients[late].net.stage();
        assert!(game.ticks < tick + 300, "it joined at {tick} and is {stage:?}");
    }
    let behind = game.behind(late, ways);
    behind.unwrap_or_else(|what| panic!("seed {} tick {tick}: it {what}, and long since", plan.seed))
}

/// A client joins at each tick of the window, each time another game's. On average no more than so many things are on
/// their way to it.
fn joins_at_every_tick(first: u64, milliseconds: u64, loss: f32, most: usize) {
    let (mut on_the_way, ways) = (0, ways(milliseconds, loss > 0.0));
    for tick in 0..WINDOW {
        let plan = Plan::new("rooms", first + u64::from(tick), 3).network(milliseconds, loss);
        on_the_way += joins_at(tick, plan, ways);
    }
    // Something always happens; nearly all of it has come.
    assert!((1..=most * WINDOW as usize).contains(&on_the_way), "{on_the_way} were on their way");
}

/// NET-23, 25, 60, OBJ-01, 02, 04, 13, 14, AUTH-54: a client joins at every tick of ten seconds in which objects are made,
/// moved, carried and deleted and players leave, die and join, and all of that goes on: two seconds after it is in play its
/// objects, what units carry, its players and teams are the host's, none missing and none besides, but for what changed
/// there within the way from the host and two ticks (and until the next look, or the next step of the ladder).
#[test]
fn a_join_at_any_tick_ends_with_everything() {
    joins_at_every_tick(71_000, 0, 0.0, 3);
}

/// NET-23, 25, 60, OBJ-01, 02, 04, 13, 14, 27: the same at 50 ms each way, with a twentieth of the datagrams lost: what
/// changed may also wait for the word that is told again, half a second for places, a second for rounds.
#[test]
fn a_join_at_any_tick_of_a_bad_network_ends_with_everything() {
    joins_at_every_tick(72_000, 50, 5.0, 5);
}

/// Clients join one game at each of so many ticks in a row, from that one on, and things go on happening: each has the
/// host's world as soon as it has been in play for the two seconds, but for what is on its way. Then it is quiet, and all
/// of them have all.
fn join_in_a_row(first: u32, count: u32, plan: Plan, ways: Ways) -> usize {
    let mut game = Stirred::new(plan);
    for _ in 0..first {
        game.tick(true);
    }
    // Each with the ticks that it has been in play.
    let (mut late, mut on_the_way): (Vec<(usize, u32)>, usize) = (Vec::new(), 0);
    let mut play = |game: &mut Stirred, late: &mut Vec<(usize, u32)>| {
        game.tick(true);
        for (place, in_play) in late {
            let is_playing = game.lab.clients[*place].net.stage() == client::Stage::Playing;
            *in_play += u32::from(is_playing);
            if is_playing && *in_play == SETTLED {
                let behind = game.behind(*place, ways);
                let what = |what| panic!("seed {} client {place}: it {what}, and long since", plan.seed);
                on_the_way += behind.unwrap_or_else(what);
            }
        }
    };
    for number in 0..count {
        let seating =
            Seating { load_micros: 100_000, ..Seating::of(vec![busy(plan.seed + u64::from(number))]) };
        late.push((game.join(seating), 0));
        play(&mut game, &mut late);
    }
    while late.iter().any(|(_, in_play)| *in_play < SETTLED) {
        assert!(game.ticks < first + count + 300, "{late:?} are in play for so many ticks");
        play(&mut game, &mut late);
    }
    game.lab.stand_still();
    for _ in 0..QUIET {
        game.tick(false);
    }
    for (place, _) in late {
        let found = game.unlike(place);
        assert!(
            found.is_none() || !game.lab.clients[place].runs,
            "seed {} client {place}: it {found:?}",
            plan.seed
        );
    }
    on_the_way
}

/// The same as [`joins_at_every_tick`] where hundreds of things lie about, ten machines in a row to a game.
fn joins_in_rows(seed: u64, milliseconds: u64, loss: f32, most: usize) {
    const ROW: u32 = 10;
    let (mut on_the_way, ways) = (0, ways(milliseconds, loss > 0.0));
    for first in (0..WINDOW).step_by(ROW as usize) {
        let plan = Plan::new("yard", seed + u64::from(first), 3).network(milliseconds, loss);
        on_the_way += join_in_a_row(first, ROW, plan, ways);
    }
    assert!((1..=most * WINDOW as usize).contains(&on_the_way), "{on_the_way} were on their way");
}

/// NET-23, 25, 60, OBJ-01, 02, 04, 10, 13, 14, 26, AUTH-54: a client joins at every tick of ten seconds where more than
/// three hundred things lie about, and things go on happening: two seconds after it is in play it has everything, in its
/// place, but for what changed within the way from the host and two ticks (and the next look or step).
#[test]
fn a_join_at_any_tick_among_hundreds_of_things_ends_with_everything() {
    joins_in_rows(75_000, 0, 0.0, 7);
}

/// NET-23, 25, 60, OBJ-01, 02, 04, 10, 13, 14, 26, 27: the same at 50 ms each way, with a twentieth of the datagrams lost,
/// and the words that are told again.
#[test]
fn a_join_at_any_tick_among_hundreds_of_things_of_a_bad_network_ends_with_everything() {
    joins_in_rows(76_000, 50, 5.0, 10);
}

/// NET-29 to 31, 60, 62: a client is paused for a minute while it loads, in which 2 000 things happen to objects and
/// players come and go: it is not dropped; what the host keeps for it is the names of who came and left, a keep-alive on
/// its way, and of objects nothing; and it ends with everything.
#[test]
fn a_minute_of_pause_while_loading_is_forgiven() {
    let mut game = Stirred::new(Plan::new("rooms", 73_000, 3).network(30, 2.0));
    // Its way is short: what waits for a program that sleeps has come when it wakes.
    let late = game.lab.join(Seating { load_micros: 1_000_000, ..Seating::of(vec![busy(9)]) });
    while game.lab.clients[late].net.stage() != client::Stage::Loading {
        game.tick(true);
    }
    let machine = game.lab.clients[late].net.transport().machine().unwrap();
    game.lab.sleep(Who::Client(late), 60_000_000, false);
    let (changes, clients) = (game.lately.changes(), game.lab.clients.len());
    let (mut on_the_way, mut held) = (0, 0);
    for tick in 0..1800 {
        game.tick(tick % 300 < 290);
        if tick % 8 == 0 {
            game.stir.once(game.lab.host.engine.world_mut());
        }
        let transport = game.lab.host.net.transport();
        on_the_way = on_the_way.max(transport.unsent(machine));
        held = held.max(transport.held(machine));
        // Nothing of objects is kept but for who has the list and is behind: it is neither.
        assert!(!transport.behind().contains(machine) && !transport.in_game().contains(machine));
    }
    let changes = game.lately.changes() - changes;
    assert!(changes >= 2000, "{changes} changes");
    let came = game.lab.clients.len() - clients;
    // Each comes once and leaves once at most, and so do those who were there.
    let most = came * (PACKETS[21].size + PACKETS[22].size) + clients * PACKETS[22].size;
    assert!(came >= 15 && (came * PACKETS[21].size..=most).contains(&held), "{held} bytes of {came}");
    assert!(held <= HELD_BYTES && on_the_way < 256, "{held} bytes kept, {on_the_way} on their way to it");
    game.lab.stand_still();
    for _ in 0..150 {
        game.tick(false);
    }
    let seat = &game.lab.clients[late];
    assert_eq!(seat.net.stage(), client::Stage::Playing, "{:?}", seat.notices);
    assert_eq!(seat.net.transport().machine(), Some(machine));
    assert_eq!(game.lab.host.net.transport().held(machine), 0);
    assert_eq!(game.unlike(late), None);
    assert!(machine != Machine::HOST);
}

/// NET-62, OBJ-02, 03: a client reads nothing for a second and a half, in which twelve thousand things are made and
/// deleted: no more is on its way to it than before it was behind, with the changes of one tick; the others are told
/// of all of it, and once it reads it has what stands.
#[test]
fn who_reads_slowly_is_told_what_stands() {
    const AT_ONCE: usize = 200;
    let mut lab = Lab::idle(Plan::new("flat", 74_000, 2));
    lab.run_ticks(30);
    let slow = lab.clients[1].net.transport().machine().unwrap();
    lab.sleep(Who::Client(1), 1_500_000, false);
    let (mut made, mut changes, mut most, mut behind) = (Vec::new(), 0, 0, 0);
    for _ in 0..40 {
        let world = lab.host.engine.world_mut();
        for gone in made.drain(..) {
            changes += u32::from(world.erase(gone));
        }
        for _ in 0..AT_ONCE {
            made.extend(world.spawn(Kind::Cart, Vec3::new(3.0, 3.0, 0.0)));
        }
        changes += made.len() as u32;
        lab.run_ticks(1);
        let transport = lab.host.net.transport();
        most = most.max(transport.unsent(slow));
        behind += u32::from(transport.behind() == MachineSet::only(slow));
        assert!(transport.behind().without(MachineSet::only(slow)).is_empty());
    }
    assert!(changes > 12_000 && behind > 5, "{changes} changes, behind for {behind} ticks");
    // A creation is of 76 bytes at most, framed; a deletion of less.
    assert!(most <= BEHIND_BYTES + 2 * AT_ONCE * 76, "{most} bytes on their way");
    lab.run_seconds(3.0);
    for seat in &lab.clients {
        assert_eq!(seat.net.stage(), client::Stage::Playing);
        assert_eq!(unlike(lab.host.engine.world(), seat.engine.world()), None);
    }
    assert!(lab.host.net.transport().behind().is_empty());
}
