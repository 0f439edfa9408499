//! Killing blows on their way: each goes twice, and fells its body whether it comes in time, late, before the word that its
//! player is dead, or never.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use mjolnir_engine_glue::Client;
use mjolnir_skirmish::game::effects::{Effect, ROCKET_BLAST, ROUND};
use mjolnir_skirmish::game::objects::BIPED;
use mjolnir_skirmish::game::{GameType, Kind as Thing, Rules, World};
use mjolnir_tests::deaths::Deaths;
use mjolnir_tests::{Fate, Lab, Plan, Seat, Seating, still};
use mjolnir_wire::damage::{Damage, DamageEvent, Hit, Parts};
use mjolnir_wire::framing::read_datagram;
use mjolnir_wire::units::{Life, UnitState};
use mjolnir_wire::{Axes, Kind, Message, MessageType, ObjectId, Slot, Tick, Vec3};

/// A plain of 700 wu across.
const PLAIN: &str = "bounds -350 -350 -2 350 350 30\nbox -350 -350 -1 350 350 0\nkit rifle\n\
                     spawns -20 -20 20 20 5 5 0";
const EAST: Vec3 = Vec3::new(1.0, 0.0, 0.0);

/// What a player's damage of that effect does to another, who stands in that world.
pub(super) fn hit(world: &World, by: Slot, effect: &Effect, scale: f32, of: Slot) -> Hit {
    hit_object(world, by, effect, scale, world.unit(of).expect("a living player"))
}

/// The same of whatever can be hit.
pub(super) fn hit_object(world: &World, by: Slot, effect: &Effect, scale: f32, object: ObjectId) -> Hit {
    let shape = world.shape(object).unwrap();
    let at = shape.place + shape.centre;
    let damage = Damage {
        effect: effect.tag,
        flags: 0,
        owner: Some(by),
        team: None,
        owner_object: world.unit(by),
        origin: at,
        epicentre: at,
        direction: EAST,
        scale,
        multiplier: 1.0,
        material_effect_scale: 1.0,
        material: None,
    };
    let parts = Parts { node: Some(0), region: None, material: None };
    Hit { object, damage, target: shape.place, normal: None, parts }
}

/// A plain on which damage is dealt; the host plays too.
pub(super) fn plain(seed: u64, clients: usize, milliseconds: u64) -> Lab {
    upon(PLAIN, seed, clients, milliseconds)
}

fn upon(ground: &'static str, seed: u64, clients: usize, milliseconds: u64) -> Lab {
    let rules = Some(Rules::endless(GameType::Slayer, false));
    let plan = Plan { ground: Some(ground), rules, harm: true, ..Plan::new("flat", seed, clients) };
    let plan = plan.network(milliseconds, 0.0);
    let mut lab = Lab::play_as(plan, Seating::of(vec![still()]), |_| Seating::of(vec![still()]));
    lab.run_ticks(60);
    lab
}

/// The host's player's damage of that effect hurts another, dealt by the next tick.
pub(super) fn strike(lab: &mut Lab, effect: &Effect, scale: f32, of: Slot) {
    let by = lab.host.slot();
    let hit = hit(lab.host.engine.world(), by, effect, scale, of);
    lab.host.engine.world_mut().strike(hit);
}

pub(super) fn runs(lab: &mut Lab, deaths: &mut Deaths, ticks: u32) {
    lab.watch_ticks(ticks, |lab, who| deaths.watch(lab, who));
}

/// Damage that came to a client, with the tick that each message is of.
pub(super) type Heard = Rc<RefCell<Vec<(Tick, DamageEvent)>>>;

/// Of whom each datagram that came tells, with its tick.
pub(super) type Told = Rc<RefCell<Vec<(Tick, Vec<Slot>)>>>;

/// What comes to a client of damage, and what is kept from it.
#[derive(Clone, Default)]
pub(super) struct Tap {
    pub(super) datagrams: Heard,
    pub(super) stream: Heard,
    /// Of which players it is told.
    pub(super) told: Told,
    /// Datagrams with damage are lost, and kept here.
    pub(super) loses_damage: Rc<Cell<bool>>,
    pub(super) lost: Rc<RefCell<Vec<Vec<u8>>>>,
    /// Datagrams that tell of players are lost.
    pub(super) loses_states: Rc<Cell<bool>>,
    /// Messages of the stream with damage are kept here.
    pub(super) holds: Rc<Cell<bool>>,
    pub(super) held: Rc<RefCell<Vec<Vec<u8>>>>,
    /// Nothing comes by the stream; what is kept meanwhile comes with the next message.
    pub(super) stalls: Rc<Cell<bool>>,
    stalled: Rc<RefCell<Vec<Vec<u8>>>>,
}

impl Tap {
    pub(super) fn on(seat: &mut Seat<Client>) -> Self {
        let (this, by_stream) = (Self::default(), Self::default());
        let by_stream = Self {
            stream: Rc::clone(&this.stream),
            holds: Rc::clone(&this.holds),
            held: Rc::clone(&this.held),
            stalls: Rc::clone(&this.stalls),
            ..by_stream
        };
        let tap = this.clone();
        seat.network.meddle(move |_, bytes| tap.hear_datagram(bytes));
        seat.network.meddle_with_stream(move |bytes| by_stream.hear_stream(bytes));
        this
    }

    fn hear_datagram(&self, bytes: &[u8]) -> Fate {
        let (mut events, mut told, mut tick) = (Vec::new(), Vec::new(), None);
        let message = match read_datagram(bytes) {
            Ok((MessageType::Data, body)) => Message::read(body).ok(),
            _ => None,
        };
        for part in message.iter().flat_map(mjolnir_wire::Parts::of).flatten() {
            tick = Some(part.tick);
            match part.kind {
                Kind::DamageEvents => {
                    events.extend(DamageEvent::read_all(&part).flatten().map(|event| (part.tick, event)));
                }
                Kind::UnitStates => {
                    let alive = |state: &UnitState| matches!(state.life, Life::Alive(_));
                    let all = UnitState::read_all(&part).flatten().filter(alive);
                    told.extend(all.map(|state| state.slot));
                }
                _ => {}
            }
        }
        if self.loses_damage.get() && !events.is_empty() {
            self.lost.borrow_mut().push(bytes.to_vec());
            return Fate::Lost;
        }
        if self.loses_states.get() && tick.is_some() {
            self.lost.borrow_mut().push(bytes.to_vec());
            return Fate::Lost;
        }
        self.datagrams.borrow_mut().extend(events);
        self.told.borrow_mut().extend(tick.map(|tick| (tick, told)));
        Fate::Heard
    }

    fn hear_stream(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let events: Vec<_> = match Message::read(bytes) {
            Ok(message) if message.kind == Kind::DamageEvents => {
                let all = DamageEvent::read_all(&message).flatten();
                all.map(|event| (message.tick, event)).collect()
            }
            _ => Vec::new(),
        };
        if self.stalls.get() {
            self.stalled.borrow_mut().push(bytes.to_vec());
            return Vec::new();
        }
        if self.holds.get() && !events.is_empty() {
            self.held.borrow_mut().push(bytes.to_vec());
            return Vec::new();
        }
        let mut heard = std::mem::take(&mut *self.stalled.borrow_mut());
        self.stream.borrow_mut().extend(events);
        heard.push(bytes.to_vec());
        heard
    }

    /// Neither copy of a blow comes.
    pub(super) fn keep_blows(&self, keeps: bool) {
        self.loses_damage.set(keeps);
        self.holds.set(keeps);
    }
}

/// What the host held back goes to the one client after all.
fn deliver(lab: &mut Lab, tap: &Tap) {
    tap.keep_blows(false);
    for bytes in std::mem::take(&mut *tap.held.borrow_mut()) {
        lab.host.network.write_besides(&bytes);
    }
}

/// A second player that the host kills by the first one's hand, by word; its unit.
fn kill(lab: &mut Lab, slot: Slot, by: Slot) -> ObjectId {
    let unit = lab.host.engine.world().unit(slot).unwrap();
    assert!(lab.host.engine.world_mut().kill(slot, Some(by)));
    unit
}

/// DMG-42, 46, 47: three clients, at 10, 80 and 300 wu, the last of which sees nothing of it for a wall, hear of a killing blow in that tick's datagrams and once more by the
/// stream, the same 108 bytes, and each announces it and has the body fall once.
#[test]
fn a_blow_goes_to_everybody_twice() {
    let mut lab = upon(String::leak(format!("{PLAIN}\nbox 150 -30 -1 151 30 20\n")), 410, 3, 50);
    let (victim, slots) = (lab.host.slot(), [0, 1, 2].map(|place: usize| lab.clients[place].slot()));
    let world = lab.host.engine.world_mut();
    assert!(world.move_to(victim, Vec3::ZERO));
    for (slot, far) in slots.into_iter().zip([10.0, 80.0, 300.0]) {
        assert!(world.move_to(slot, EAST * far));
    }
    lab.run_ticks(60);
    let world = lab.host.engine.world();
    let sees = slots.map(|slot| world.sees(world.eyes(slot).unwrap(), world.eyes(victim).unwrap()));
    assert_eq!(sees, [true, true, false]);
    let taps: Vec<_> = lab.clients.iter_mut().map(Tap::on).collect();
    let mut deaths = Deaths::of(&mut lab);
    let unit = kill(&mut lab, victim, slots[1]);
    runs(&mut lab, &mut deaths, 30);
    assert_eq!(deaths.fault(&lab), None);
    let death = deaths.dealt[0];
    assert_eq!((deaths.dealt.len(), death.unit, death.killer, death.score), (1, unit, Some(slots[1]), 1));
    for (tap, seen) in taps.iter().zip(&deaths.clients) {
        let (datagrams, stream) = (tap.datagrams.borrow(), tap.stream.borrow());
        assert_eq!((datagrams.len(), datagrams[0].0), (1, death.tick), "in that tick's datagrams, once");
        assert_eq!(*datagrams, *stream);
        let (mut one, mut other) = (Vec::new(), Vec::new());
        datagrams[0].1.write(&mut one);
        stream[0].1.write(&mut other);
        assert!(one.len() == 108 && one == other);
        assert_eq!((seen.blows.len(), seen.falls(unit), seen.silent.len()), (1, 1, 0));
        assert!(seen.blows[0].stood);
    }
}

/// DMG-48: a client that is told that its player is dead, and of no blow, has its unit stand for it; it comes 300 ms late, and
/// fells the unit then, once, and announces it.
#[test]
fn a_late_blow_fells_its_body() {
    let mut lab = plain(411, 1, 30);
    let (slot, by) = (lab.clients[0].slot(), lab.host.slot());
    let tap = Tap::on(&mut lab.clients[0]);
    let mut deaths = Deaths::of(&mut lab);
    tap.keep_blows(true);
    let unit = kill(&mut lab, slot, by);
    // The datagram of the blow is lost with all that it says: the next says that the player is dead.
    while lab.clients[0].engine.notes.called_dead.is_empty() {
        runs(&mut lab, &mut deaths, 1);
    }
    assert_eq!(lab.clients[0].engine.notes.called_dead[0].1, unit);
    runs(&mut lab, &mut deaths, 9);
    let world = lab.clients[0].engine.world();
    assert!(world.stands(unit) && world.unit(slot).is_none() && deaths.clients[0].announced.is_empty());
    assert_eq!((tap.lost.borrow().len(), tap.held.borrow().len()), (1, 1));
    deliver(&mut lab, &tap);
    runs(&mut lab, &mut deaths, 5);
    let seen = &deaths.clients[0];
    assert_eq!((&seen.announced[..], seen.falls(unit)), (&[(slot, Some(by))][..], 1));
    assert!(seen.blows[0].stood && seen.silent.is_empty());
    runs(&mut lab, &mut deaths, 60);
    assert_eq!(deaths.fault(&lab), None);
}

/// DMG-47, 49: without a blow the unit stands for 14 ticks and falls in the fifteenth with nothing to show; a blow that comes
/// after that, as its body lies or once its player is back in another unit, does nothing to either.
#[test]
fn a_body_without_a_blow_falls_silently() {
    for delay in [20, 110] {
        let mut lab = plain(412, 1, 30);
        let (slot, by) = (lab.clients[0].slot(), lab.host.slot());
        let tap = Tap::on(&mut lab.clients[0]);
        let mut deaths = Deaths::of(&mut lab);
        let before = lab.clients[0].net.counters().refused;
        tap.keep_blows(true);
        let unit = kill(&mut lab, slot, by);
        let mut fell = None;
        lab.watch_ticks(delay, |lab, who| {
            deaths.watch(lab, who);
            let world = lab.clients[0].engine.world();
            if !world.stands(unit) {
                fell.get_or_insert(world.tick());
            }
        });
        let (after, called) = lab.clients[0].engine.notes.called_dead[0];
        assert_eq!((called, fell.unwrap().since(after.next())), (unit, 15));
        deliver(&mut lab, &tap);
        runs(&mut lab, &mut deaths, 10);
        assert_eq!(tap.stream.borrow().len(), 1, "it came after all");
        let (seen, world) = (&deaths.clients[0], lab.clients[0].engine.world());
        assert_eq!((&seen.silent[..], seen.falls(unit), seen.rises(unit)), (&[unit][..], 1, 0));
        assert!(seen.announced.is_empty() && seen.blows.is_empty());
        let unit = lab.host.engine.world().unit(slot);
        assert_eq!((world.unit(slot), unit.is_some()), (unit, delay > 100));
        assert_eq!(lab.clients[0].net.counters().refused, before, "{delay}");
    }
}

/// DMG-47, 48: a blow that comes by the stream before any word that the player is dead fells it at once; words of before it
/// that come late, by which it lives, revive nobody, and those of after it fell nobody again.
#[test]
fn a_blow_comes_before_the_state() {
    let mut lab = plain(413, 1, 50);
    let (slot, by) = (lab.clients[0].slot(), lab.host.slot());
    let tap = Tap::on(&mut lab.clients[0]);
    let mut deaths = Deaths::of(&mut lab);
    tap.loses_states.set(true);
    runs(&mut lab, &mut deaths, 6);
    let unit = kill(&mut lab, slot, by);
    let alive = |lab: &Lab| {
        lab.clients[0]
            .net
            .authority()
            .newest(slot)
            .is_some_and(|(_, state)| matches!(state.life, Life::Alive(_)))
    };
    while deaths.clients[0].announced.is_empty() {
        runs(&mut lab, &mut deaths, 1);
    }
    assert!(alive(&lab) && lab.clients[0].engine.notes.called_dead.is_empty());
    assert!(
        !lab.clients[0].engine.world().stands(unit) && lab.clients[0].engine.world().unit(slot).is_none()
    );
    let from = lab.host.network.address();
    tap.loses_states.set(false);
    // Those of before it, oldest first: the last are of after it.
    let lost = std::mem::take(&mut *tap.lost.borrow_mut());
    assert!(lost.len() > 6);
    for bytes in &lost[..5] {
        lab.clients[0].network.forge(from, bytes);
        let end = lab.clients[0].ticks + 1;
        while lab.clients[0].ticks < end {
            let who = lab.step();
            deaths.watch(&mut lab, who);
        }
        assert!(lab.clients[0].engine.world().unit(slot).is_none());
    }
    runs(&mut lab, &mut deaths, 60);
    assert_eq!(deaths.fault(&lab), None);
    assert_eq!((deaths.clients[0].falls(unit), deaths.clients[0].silent.len()), (1, 0));
}

/// DMG-58: damage in a datagram that came after later damage is not replayed; a killing blow in it is by its other copy, once.
#[test]
fn damage_that_was_overtaken_is_dropped() {
    let mut lab = plain(414, 1, 30);
    let slot = lab.clients[0].slot();
    let tap = Tap::on(&mut lab.clients[0]);
    let mut deaths = Deaths::of(&mut lab);
    // Of two ticks, one after the other: the first one's datagram comes last.
    let overtaken = |lab: &mut Lab, deaths: &mut Deaths| {
        runs(lab, deaths, 3);
        tap.loses_damage.set(false);
        strike(lab, &ROUND, 0.1, slot);
        runs(lab, deaths, 6);
        let from = lab.host.network.address();
        let lost = std::mem::take(&mut *tap.lost.borrow_mut());
        assert_eq!(lost.len(), 1);
        let heard = tap.datagrams.borrow().len();
        lab.clients[0].network.forge(from, &lost[0]);
        runs(lab, deaths, 6);
        assert!(tap.datagrams.borrow().len() > heard, "its network has had it");
    };
    let flinches = |lab: &Lab| lab.clients[0].engine.world().screen(slot).flinches;
    strike(&mut lab, &ROUND, 0.1, slot);
    runs(&mut lab, &mut deaths, 6);
    assert_eq!(flinches(&lab), 1);
    tap.loses_damage.set(true);
    strike(&mut lab, &ROUND, 0.1, slot);
    overtaken(&mut lab, &mut deaths);
    assert_eq!(flinches(&lab), 2, "the later one");

    let other = lab.host.slot();
    tap.loses_damage.set(true);
    let unit = kill(&mut lab, other, slot);
    overtaken(&mut lab, &mut deaths);
    let seen = &deaths.clients[0];
    assert_eq!((seen.announced.len(), seen.blows.len(), seen.falls(unit)), (1, 1, 1));
    assert_eq!(deaths.fault(&lab), None);
}

/// DMG-41, 50: an actor, a unit that is no player's, falls by its blow as a player's does; without one, half a second after the
/// objects' states say that it is dead. Nobody's death is announced, and nobody counts it on a client.
#[test]
fn an_actor_falls_by_its_blow_or_silently() {
    for has_blow in [true, false] {
        let mut lab = plain(415, 1, 30);
        let (slot, by) = (lab.clients[0].slot(), lab.host.slot());
        let near = lab.host.place(slot) + EAST * 3.0;
        let world = lab.host.engine.world_mut();
        let actor = world.make(BIPED, near, Axes::UPRIGHT, None).unwrap();
        lab.run_ticks(20);
        assert!(lab.clients[0].engine.world().stands(actor));
        let tap = Tap::on(&mut lab.clients[0]);
        let mut deaths = Deaths::of(&mut lab);
        tap.keep_blows(!has_blow);
        let hit = hit_object(lab.host.engine.world(), by, &ROCKET_BLAST, 1.0, actor);
        lab.host.engine.world_mut().strike(hit);
        assert!(!lab.host.engine.world().stands(actor));
        runs(&mut lab, &mut deaths, 14);
        assert_eq!(lab.clients[0].engine.world().stands(actor), !has_blow);
        runs(&mut lab, &mut deaths, 15);
        let seen = &deaths.clients[0];
        assert_eq!((seen.falls(actor), seen.blows.len()), (1, usize::from(has_blow)));
        assert_eq!(seen.silent.len(), usize::from(!has_blow));
        assert!(seen.announced.is_empty() && deaths.dealt.is_empty());
        let world = lab.clients[0].engine.world();
        let numbers = |world: &World| {
            let of = world.player(by).unwrap();
            (of.score(), of.kills(), of.deaths())
        };
        assert_eq!((world.decisions().total(), numbers(world)), (0, (0, 0, 0)));
        // Statistics of the host's have come by then.
        runs(&mut lab, &mut deaths, 30);
        assert_eq!(numbers(lab.clients[0].engine.world()), numbers(lab.host.engine.world()));
    }
}

/// DMG-39: who killed two has the score of two, whichever blow comes last, and whatever statistics come between: neither an older
/// blow nor older statistics take it back.
#[test]
fn an_older_word_takes_no_score_back() {
    // The first blow comes last, by the stream alone.
    let mut lab = plain(416, 3, 30);
    let (slots, by) = ([1, 2].map(|place: usize| lab.clients[place].slot()), lab.host.slot());
    let score = |lab: &Lab| lab.clients[0].engine.world().player(by).unwrap().score();
    let tap = Tap::on(&mut lab.clients[0]);
    let mut deaths = Deaths::of(&mut lab);
    tap.loses_damage.set(true);
    tap.stalls.set(true);
    kill(&mut lab, slots[0], by);
    runs(&mut lab, &mut deaths, 1);
    while tap.lost.borrow().is_empty() {
        runs(&mut lab, &mut deaths, 1);
    }
    tap.loses_damage.set(false);
    kill(&mut lab, slots[1], by);
    runs(&mut lab, &mut deaths, 8);
    assert_eq!((score(&lab), deaths.clients[0].announced.len()), (2, 1));
    tap.stalls.set(false);
    // What is made comes by the stream, and all that it held back with it.
    assert!(lab.host.engine.world_mut().spawn(Thing::Medkit, EAST * 30.0).is_some());
    let mut least = 2;
    lab.watch_ticks(20, |lab, who| {
        deaths.watch(lab, who);
        least = least.min(score(lab));
    });
    let announced: Vec<_> = deaths.clients[0].announced.iter().map(|(slot, _)| *slot).collect();
    assert_eq!((announced, least), (vec![slots[1], slots[0]], 2));
    assert_eq!(score(&lab), lab.host.engine.world().player(by).unwrap().score());
}
