//! The cheaters' kit for hits: what a client says that its player dealt, each lie as data. Knows no bound: what the host makes
//! of it is measured by [`trial`].
//!
//! A claim is written to its machine's stream beside what its netcode says. But for its lies it is what the game itself would
//! say of a hit upon its own copy of the target: at the target's centre, of now, as hard as it can be.

mod kit;
mod lie;
mod scene;
pub mod trial;

use std::collections::VecDeque;
use std::fmt;

use mjolnir_engine_glue::Client;
use mjolnir_skirmish::game::World;
use mjolnir_skirmish::game::effects::{BLOW, Effect, RAM};
use mjolnir_wire::damage::{Damage, Hit, HitReport, Parts};
use mjolnir_wire::{BatchWriter, Kind, Machine, MachineSet, Outbox, Slot, Tick, Vec3};

use crate::seat::Seat;

pub use kit::kit;
pub use lie::Lie;
pub use scene::{Has, Scene};

/// Where those stand who are said to be hit: that way.
const EAST: Vec3 = Vec3::new(1.0, 0.0, 0.0);
/// The node of a unit's body, and of its head.
const NODES: [u16; 2] = [0, 1];

/// What a client says, over and over.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// What of, all of them at once.
    pub effects: Vec<&'static Effect>,
    /// Ticks from one to the next.
    pub every: u32,
    /// Of each target then.
    pub times: u32,
    /// All that is lied about.
    pub lies: Vec<Lie>,
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.times, self.every) {
            (1, 1) => write!(f, "a hit of each in each tick")?,
            (1, every) => write!(f, "a hit of each in {every} ticks")?,
            (times, 1) => write!(f, "{times} hits of each in each tick")?,
            (times, every) => write!(f, "{times} hits of each in {every} ticks")?,
        }
        self.lies.iter().try_for_each(|lie| write!(f, ", {lie}"))
    }
}

/// Who says it of whom.
#[derive(Clone, Copy, Debug)]
pub struct Parties<'a> {
    /// Who says it.
    pub liar: Slot,
    /// Another machine's player.
    pub other: Slot,
    /// Who is said to be hit.
    pub targets: &'a [Slot],
}

/// A client's claims on their way.
#[derive(Debug)]
pub struct Claims {
    claim: Claim,
    /// Ticks since it began.
    ticks: u32,
    /// What is made, with the tick in which it is told.
    waits: VecDeque<(u32, HitReport)>,
    /// Of what is the same again: its tick, and where it is greatest.
    first: Option<(Tick, Vec3)>,
}

impl Claims {
    /// Nothing was said yet.
    pub const fn new(claim: Claim) -> Self {
        Self { claim, ticks: 0, waits: VecDeque::new(), first: None }
    }

    /// A tick of the client: what it says after it.
    pub fn after_tick(&mut self, world: &World, heard: Tick, parties: &Parties<'_>) -> Vec<HitReport> {
        let at = self.ticks;
        self.ticks += 1;
        let again = self.claim.lies.iter().find_map(|lie| match *lie {
            Lie::Again(ticks) => Some(ticks),
            _ => None,
        });
        if again.is_some_and(|ticks| at.is_multiple_of(ticks)) {
            self.first = None;
        }
        if at.is_multiple_of(self.claim.every) {
            let due = self.claim.lies.iter().fold(at, |due, lie| match *lie {
                Lie::Held(ticks) => (at / ticks + 1) * ticks - 1,
                Lie::Late(ticks) => at + ticks,
                _ => due,
            });
            let mut made = self.make(world, heard, parties);
            if again.is_some() {
                let (heard, place) =
                    *self.first.get_or_insert((heard, made.first().map_or(Vec3::ZERO, greatest)));
                for report in &mut made {
                    report.heard = heard;
                    (report.hit.damage.origin, report.hit.damage.epicentre) = (place, place);
                }
            }
            for report in made {
                self.waits.extend((0..self.claim.times).map(|_| (due, report)));
            }
        }
        let due = self.waits.iter().take_while(|(due, _)| *due <= at).count();
        self.waits.drain(..due).map(|(_, report)| report).collect()
    }

    /// One of each target, as the client has them now.
    fn make(&self, world: &World, heard: Tick, parties: &Parties<'_>) -> Vec<HitReport> {
        let mut first = None;
        let each = |effect: &'static Effect| parties.targets.iter().map(move |target| (effect, target));
        let made =
            self.claim.effects.iter().flat_map(|effect| each(effect)).filter_map(|(effect, target)| {
                let object = world.unit(*target)?;
                let shape = world.shape(object)?;
                let first = *first.get_or_insert(shape.place + shape.centre);
                let mut report =
                    Self::honest(effect, world, heard, parties, object, shape.place, shape.centre)?;
                self.claim.lies.iter().for_each(|lie| lie.tell(&mut report, parties, (first, shape.centre)));
                Some(report)
            });
        made.collect()
    }

    /// As the game would say it of an object there, whose centre is so far from there.
    fn honest(
        effect: &Effect,
        world: &World,
        heard: Tick,
        parties: &Parties<'_>,
        object: mjolnir_wire::ObjectId,
        place: Vec3,
        centre: Vec3,
    ) -> Option<HitReport> {
        let unit = world.unit(parties.liar)?;
        let (origin, epicentre) = if effect.tag == BLOW.tag {
            (world.eyes(parties.liar)?, world.position(parties.liar)?)
        } else if effect.tag == RAM.tag {
            // Who drives nothing says that it is itself what drives.
            let vehicle = world.ride(unit).and_then(|(vehicle, _)| world.motion(vehicle));
            (place, vehicle.map_or(world.position(parties.liar)?, |motion| motion.position))
        } else {
            (place + centre, place + centre)
        };
        let damage = Damage {
            effect: effect.tag,
            flags: 0,
            owner: Some(parties.liar),
            team: None,
            owner_object: Some(unit),
            origin,
            epicentre,
            direction: EAST,
            scale: 1.0,
            multiplier: 1.0,
            material_effect_scale: 1.0,
            material: None,
        };
        let parts = Parts { node: Some(NODES[0]), ..Parts::default() };
        Some(HitReport { hit: Hit { object, damage, target: place, normal: None, parts }, heard })
    }
}

fn greatest(report: &HitReport) -> Vec3 {
    report.hit.damage.epicentre
}

impl Seat<Client> {
    /// Says besides, by the stream, that those hits were dealt.
    pub fn report(&mut self, reports: &[HitReport]) {
        if let Some(outbox) = self.said(reports) {
            let mut bytes = Vec::new();
            outbox.gather_stream(Machine::HOST, &mut bytes);
            self.network.write_besides(&bytes);
        }
    }

    /// The same by datagram, as no honest machine does.
    pub fn report_by_datagram(&mut self, reports: &[HitReport]) {
        let Some(tick) = self.net.clock().tick() else { return };
        let mut writer = BatchWriter::new();
        for report in reports {
            let mut entry = Vec::new();
            report.write(&mut entry);
            writer.begin(tick);
            if writer.push(Kind::HitReports, &[], &entry) {
                self.network.send_besides(writer.finish());
            }
        }
    }

    fn said(&self, reports: &[HitReport]) -> Option<Outbox> {
        let tick = self.net.clock().tick().filter(|_| !reports.is_empty())?;
        let mut outbox = Outbox::new();
        outbox.begin(tick, 0);
        for report in reports {
            // Its length is the kind's.
            let _ = outbox.reliable_entry(MachineSet::HOST, Kind::HitReports, |to| report.write(to));
        }
        Some(outbox)
    }
}
