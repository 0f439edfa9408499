//! A small level of the campaign with scripts of a test's own, and what each machine's recorder has.

use mjolnir_skirmish::happenings;
use mjolnir_tests::{Fate, Hand, Lab, Plan, Seating, Who, still};
use mjolnir_wire::framing::read_datagram;
use mjolnir_wire::{Kind, Message, MessageType, Parts};

/// A field of 120 wu with a lift that goes where its group is set, a tree, things that are not there yet, a dropship, foes and marines.
const FIELD: &str = "campaign\nbounds -60 -60 -2 60 60 30\nbox -64 -64 -1 64 64 0\nspawns -8 -8 8 8 4 4 0\nkit rifle pistol grenades\n\
    platform lift 10 -2 -0.3 12 2 0.1 0 0 4 0.1\nswitch lift 9 0 0\ncluster all -60 -60 -2 60 60 30\ncluster yard -20 -20 -2 20 20 30\n\
    squad foes 1 guard plasma 50 50 0 0\nsquad east 1 attack rifle 40 30 0 0\nsquad west 2 attack rifle -40 30 0 0\n\
    muster east 30 20 44 40 5 5 0\nmuster west -44 20 -30 40 5 5 0\nmajors foes\n\
    name tree scenery 5 15 0 90\nname rock scenery 6 15 0 absent\nname bush scenery 7 15 0 absent\nname hut scenery 8 15 0 absent\n\
    name ship dropship 20 0 5 0\nplace far 45 0 0 0\nplace other -45 0 0 0\ncamera one 0 -10 5 90 -10\n\
    camera two 10 -10 5 90 -10 40\ntext intro The begin\ntext go Go there\ntext climb Climb\nroute away dropship 0.2 20 0 5 20 10 5\n";

/// So many milliseconds, in the lab's microseconds.
pub(crate) const fn millis(milliseconds: u64) -> u64 {
    milliseconds * 1000
}

/// So many ticks.
pub(crate) const fn ticks(ticks: u64) -> u64 {
    ticks * 33_334
}

/// The field with those scripts; the host's player and each client's stand, and each client's player is of that hand.
pub(crate) fn stage_of(
    scripts: &str,
    seed: u64,
    clients: usize,
    ways: (u64, f32),
    hand: fn() -> Hand,
) -> Lab {
    // A plan is told its ground for good, and so is the process.
    let ground: &'static str = Box::leak(format!("{FIELD}{scripts}").into_boxed_str());
    let plan = Plan { ground: Some(ground), harm: true, ..Plan::new("flat", seed, clients) };
    Lab::play_as(plan.network(ways.0, ways.1), Seating::of(vec![still()]), |_| Seating::of(vec![hand()]))
}

/// The same, where everybody stands.
pub(crate) fn stage(scripts: &str, seed: u64, clients: usize, ways: (u64, f32)) -> Lab {
    stage_of(scripts, seed, clients, ways, still)
}

/// Loses the first so many datagrams on their way to the first client that tell of that kind what `of` is about.
pub(crate) fn lose(lab: &mut Lab, so_many: u32, kind: Kind, of: impl Fn(&Message<'_>) -> bool + 'static) {
    let mut left = so_many;
    lab.clients[0].network.meddle(move |_, bytes| {
        let Ok((MessageType::Data, body)) = read_datagram(bytes) else { return Fate::Heard };
        let Ok(batch) = Message::read(body) else { return Fate::Heard };
        let is_it = Parts::of(&batch).flatten().any(|part| part.kind == kind && of(&part));
        if left == 0 || !is_it {
            return Fate::Heard;
        }
        left -= 1;
        Fate::Lost
    });
}

/// What the recorders had while it ran so many ticks, with the lab's time: the host's first.
pub(crate) fn record(lab: &mut Lab, so_many: u32) -> Vec<Vec<(u64, String)>> {
    let mut all = vec![Vec::new(); lab.clients.len() + 1];
    lab.watch_ticks(so_many, |lab, who| {
        let now = lab.now();
        let (game, into) = match who {
            Who::Host => (&mut lab.host.engine.game, &mut all[0]),
            Who::Client(place) => (&mut lab.clients[place].engine.game, &mut all[place + 1]),
        };
        let had = game.happenings().take().into_iter().filter(|of| of.kind == happenings::Kind::Coop);
        into.extend(had.filter_map(|of| Some((now, of.text?))));
    });
    all
}

/// When that first was so on each machine, in so many ticks: the host's first, each client's after.
pub(crate) fn when(
    lab: &mut Lab,
    so_many: u32,
    is_so: impl Fn(&mjolnir_skirmish::game::World) -> bool,
) -> Vec<Option<u64>> {
    let mut all = vec![None; lab.clients.len() + 1];
    lab.watch_ticks(so_many, |lab, who| {
        let now = lab.now();
        let (world, at) = match who {
            Who::Host => (lab.host.engine.world(), &mut all[0]),
            Who::Client(place) => (lab.clients[place].engine.world(), &mut all[place + 1]),
        };
        if at.is_none() && is_so(world) {
            *at = Some(now);
        }
    });
    all
}

/// How long after the host each client had it; all had it.
pub(crate) fn late(all: &[Option<u64>]) -> Vec<u64> {
    let host = all[0].expect("the host had it");
    all[1..].iter().map(|at| at.expect("a client had it").saturating_sub(host)).collect()
}
