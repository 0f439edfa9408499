//! Players without people: one that walks, strafes, jumps, crouches and aims ([`Bot`]), one that only looks about
//! ([`Look`]). They know the world as any player does: through what their machine has of it.
//!
//! A bot is its seed and what it has seen; it draws no chance from the world.

mod aims;
mod driving;

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use mjolnir_wire::{Buttons, Input, Slot, Tick, Vec3};

use super::effects::Shot;
use super::kinds::Kind;
use super::movement::RADIUS;
use super::objects::yaw_of;
use super::random::Random;
use super::world::World;
use aims::{Aim, Aims};
use driving::Driving;

/// A place is reached from so near, in wu along the ground and up.
const REACHED: (f32, f32) = (0.5, 1.0);
/// The same for one that drives.
const DRIVEN_TO: (f32, f32) = (3.0, 40.0);
/// Ticks without coming nearer after which a bot jumps, and after which it chooses anew where to go.
const STUCK: (u32, u32) = (45, 120);
/// Ticks that a bot waits for a platform at most.
const PATIENCE: u32 = 900;
/// A turn in one tick at most, in radians, and the part of what is left that it takes. Of whom a client does not see it is
/// told each sixth tick, and what it is told is a way old: over 130 ms of way this steadily turned stays within 15 degrees.
const TURN: (f32, f32) = (0.025, 0.25);
/// Where shots hurt it fires at whom its aim is so near, in radians, and looks so far for somebody to aim at, in wu.
const ON_TARGET: f32 = 0.15;
const SIGHT: f32 = 30.0;
/// So far off, in wu, it throws grenades at whom it aims at, fires no rocket nearer, and looks through a scope from.
const THROWS_TO: (f32, f32) = (5.0, 18.0);
const ROCKETS_FROM: f32 = 3.5;
const SCOPES_FROM: f32 = 10.0;
/// How far its aim strays, in radians; where shots hurt, the part of it that it keeps.
const STRAYS: f32 = 0.06;
const STEADIED: f32 = 0.5;
/// What its hands do beside shooting, each as likely.
const HANDS: [Buttons; 6] = [
    Buttons::ACTION,
    Buttons::ACTION,
    Buttons::SWAP_WEAPONS,
    Buttons::RELOAD,
    Buttons::THROW_GRENADE,
    Buttons::FLASHLIGHT,
];
/// Further in a tick than this it was sent, and goes on from there, in wu.
const SENT: f32 = 5.0;
/// A bot keeps this far inside the world's sides, in wu.
const SIDES: f32 = 3.0;

/// A seeded player (TOOL-07).
#[derive(Clone, Debug)]
pub struct Bot {
    random: Random,
    yaw: f32,
    pitch: f32,
    stray: [f32; 2],
    goal: Option<u16>,
    before: Option<u16>,
    nearest: f32,
    waited: u32,
    waits: u32,
    pause: u32,
    crouch: u32,
    jump: u32,
    burst: u32,
    hands: u32,
    hand: Buttons,
    driving: Driving,
    aims: Aims,
    last: Vec3,
}

impl Bot {
    /// The bot of that seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let yaw = random.part() * TAU;
        Self {
            random,
            yaw,
            pitch: 0.0,
            stray: [0.0; 2],
            goal: None,
            before: None,
            nearest: f32::INFINITY,
            waited: 0,
            waits: 0,
            pause: 0,
            crouch: 0,
            jump: 0,
            burst: 0,
            hands: 0,
            hand: Buttons::default(),
            driving: Driving::default(),
            aims: Aims::default(),
            last: Vec3::ZERO,
        }
    }

    /// What it does in that tick, as the player of that slot. Dead, it waits.
    pub fn input(&mut self, world: &World, slot: Slot, _tick: Tick) -> Input {
        let Some(place) = world.position(slot) else {
            self.goal = None;
            return Input { yaw: self.yaw, pitch: self.pitch, ..Input::default() };
        };
        let was = std::mem::replace(&mut self.last, place);
        if !world.map().fixtures.pads.is_empty() && was.distance(place) > SENT {
            self.goal = None;
        }
        let arms = Arms::of(world, slot);
        let mut crowd = Crowd::around(world, slot, place);
        crowd.lead(place, arms.speed);
        let wants = aims::wants_wheels(world);
        let means = self.driving.think(world, slot, place, wants, &mut self.random);
        let aim = self.aims.think(world, slot, place, means.drives.is_some(), &mut self.random);
        if aim != Aim::Any {
            // What the game is about is worth meeting others for.
            crowd.flee = None;
        }
        let mut way = match aim {
            Aim::Stay => Vec3::ZERO,
            Aim::Near(to) => {
                self.goal = None;
                let to = (to - place).across();
                to * (1.0 / to.length().max(0.1))
            }
            Aim::Any | Aim::Far | Aim::PutDown => {
                self.way(world, place, if means.drives.is_some() { DRIVEN_TO } else { REACHED })
            }
        };
        if let Some(to) = means.to {
            let to = (to - place).across();
            way = to * (1.0 / to.length().max(1.0));
        }
        if let Some(flee) = crowd.flee.filter(|_| !means.rides || means.drives.is_some()) {
            way = flee;
        }
        way = inside(world, place, way);
        if means.drives.is_some() {
            // It looks where it goes.
            crowd.nearest = None;
        }
        if world.carried_by(slot).is_some_and(|carriage| carriage.moving && carriage.contact) {
            // It steps off where the platform stops.
            way = Vec3::ZERO;
        }
        self.aim(world, slot, &crowd, way);

        let mut buttons = Buttons::default();
        let mut press = |held: &mut u32, button: Buttons| {
            if *held > 0 {
                *held -= 1;
                buttons = buttons.union(button);
            }
        };
        if self.random.once_in(100) {
            self.jump = 1 + self.random.below(3);
        }
        if self.random.once_in(300) {
            self.crouch = 15 + self.random.below(45);
        }
        let far = self.is_on_target(world, slot, crowd.nearest).then(|| crowd.distance(place));
        if world.harms() {
            // It fires at whom it sees and would hit, in bursts; what it does not see it leaves alone.
            if self.burst == 0 && far.is_some_and(|far| far >= arms.fires_from) {
                self.burst = 3 + self.random.below(12);
            }
        } else if crowd.nearest.is_some() && self.random.once_in(60) {
            self.burst = 3 + self.random.below(12);
        }
        // Where there is something to pick up: what a hand can do, for three ticks.
        let bears = aims::bears(world, slot);
        if aim == Aim::PutDown {
            (self.hand, self.hands) = (Buttons::SWAP_WEAPONS, 3);
        }
        if !bears && !world.map().items.is_empty() && self.hands == 0 && self.random.once_in(40) {
            self.hand = HANDS[self.random.below(HANDS.len() as u32) as usize];
            // What it rides it leaves when it means to.
            if means.rides && self.hand == Buttons::ACTION {
                self.hand = Buttons::RELOAD;
            }
            // With nothing to take in reach it would drop what it has, which it seldom does.
            let does = match self.hand {
                Buttons::ACTION => world.weapon_near(place).is_some() || self.random.once_in(8),
                // Where that hurts it throws at somebody.
                Buttons::THROW_GRENADE => !world.harms(),
                _ => true,
            };
            self.hands = if does { 3 } else { 0 };
        }
        let throws = |far: f32| (THROWS_TO.0..THROWS_TO.1).contains(&far) && arms.grenade.is_some();
        if world.harms() && !bears && self.hands == 0 && far.is_some_and(throws) && self.random.once_in(45) {
            (self.hand, self.hands) = (Buttons::THROW_GRENADE, 3);
        }
        if !bears
            && self.hands == 0
            && world.map().fixtures.switch_at(place).is_some()
            && self.random.once_in(60)
        {
            (self.hand, self.hands) = (Buttons::ACTION, 3);
        }
        press(&mut self.hands, self.hand);
        let fires = self.burst > 0;
        press(&mut self.jump, Buttons::JUMP);
        press(&mut self.crouch, Buttons::CROUCH);
        press(&mut self.burst, Buttons::PRIMARY_TRIGGER);
        press(&mut u32::from(means.presses), Buttons::ACTION);
        let (sin, cos) = libm::sincosf(self.yaw);
        let walks = [way.x * cos + way.y * sin, way.y * cos - way.x * sin].map(|part| part.clamp(-1.0, 1.0));
        let is_stuck = self.waited >= STUCK.0;
        let throttle = means
            .drives
            .map_or(walks, |forward| self.driving.stick(forward, way, crowd.flee.is_some(), is_stuck));
        Input {
            buttons,
            yaw: self.yaw,
            pitch: self.pitch,
            throttle,
            trigger: if fires { 1.0 } else { 0.0 },
            grenade: arms.grenade,
            zoom: (arms.has_scope && far.is_some_and(|far| far >= SCOPES_FROM)).then_some(0),
            ..Input::default()
        }
    }

    /// The direction in which it goes, at most one long: from node to node, with a rest now and then.
    fn way(&mut self, world: &World, place: Vec3, reached: (f32, f32)) -> Vec3 {
        let nodes = &world.map().nodes;
        let goal = match self.goal {
            Some(goal) => goal,
            None => {
                let Some(nearest) = world.map().nearest_node(place) else { return Vec3::ZERO };
                self.set_goal(nearest);
                nearest
            }
        };
        let to = nodes[usize::from(goal)].position - place;
        let distance = to.across().length();
        if distance < reached.0 && to.z.abs() < reached.1 {
            match self.aims.onward(world.map(), goal) {
                Some(next) => {
                    self.set_goal(next);
                    self.pause = 0;
                }
                None => self.go_on(&nodes[usize::from(goal)].ways),
            }
            return Vec3::ZERO;
        }
        if self.pause > 0 {
            self.pause -= 1;
            return Vec3::ZERO;
        }
        if self.waits_for_a_platform(world, goal) {
            return Vec3::ZERO;
        }
        // Up counts too: on a ramp that crosses itself one comes nearer by climbing.
        let far = distance + to.z.abs();
        if far < self.nearest - 0.05 {
            (self.nearest, self.waited) = (far, 0);
        } else {
            self.waited += 1;
        }
        if self.waited == STUCK.0 {
            self.jump = 2;
        }
        if self.waited >= STUCK.1 {
            // Lost: fallen off the way, or against something. Begin from where it is.
            let nearest = world.map().nearest_node(place);
            match nearest {
                Some(nearest) if Some(nearest) != self.goal => self.set_goal(nearest),
                _ => self.go_on(&nodes[usize::from(goal)].ways),
            }
        }
        to.across() * (1.0 / distance.max(1.0))
    }

    /// Whether its goal is upon a platform that is elsewhere: it stands until that comes, or brings it there, and after
    /// long enough gives up and goes there all the same.
    fn waits_for_a_platform(&mut self, world: &World, goal: u16) -> bool {
        let Some(berth) = world.map().fixtures.berth(goal) else { return false };
        let is_there = world
            .devices()
            .nth(usize::from(berth.platform))
            .is_none_or(|device| (device.position - berth.position).abs() * device.travel < REACHED.1);
        self.waits = if is_there { 0 } else { self.waits + 1 };
        !is_there && self.waits < PATIENCE
    }

    fn set_goal(&mut self, goal: u16) {
        self.before = self.goal;
        self.goal = Some(goal);
        (self.nearest, self.waited) = (f32::INFINITY, 0);
    }

    /// Chooses where to go from a node, and not straight back where another way leads on.
    fn go_on(&mut self, ways: &[u16]) {
        let came_from = self.before;
        let onward = || ways.iter().copied().filter(|way| ways.len() == 1 || Some(*way) != came_from);
        let count = onward().count() as u32;
        if let Some(next) = onward().nth(self.random.below(count) as usize) {
            self.set_goal(next);
        }
        if self.random.once_in(4) {
            self.pause = 10 + self.random.below(30);
        }
    }

    /// Whether its aim is so near to a place that a shot may hit there.
    fn is_on_target(&self, world: &World, slot: Slot, target: Option<Vec3>) -> bool {
        let Some(to) = target.zip(world.eyes(slot)).map(|(target, eyes)| target - eyes) else { return false };
        let pitch = libm::atan2f(to.z, to.across().length().max(RADIUS));
        let off = wrapped(yaw_of(to) - self.yaw + PI) - PI;
        off.abs() < ON_TARGET && (pitch - self.pitch).abs() < ON_TARGET
    }

    /// Turns towards the nearest other player, or along its way, by no more than a hand can.
    fn aim(&mut self, world: &World, slot: Slot, crowd: &Crowd, way: Vec3) {
        for stray in &mut self.stray {
            *stray = (*stray * 0.95 + self.random.signed() * 0.02).clamp(-STRAYS, STRAYS);
        }
        let steadied = if world.harms() { STEADIED } else { 1.0 };
        let stray = self.stray.map(|stray| stray * steadied);
        let (yaw, pitch) = match (crowd.nearest, world.eyes(slot)) {
            (Some(other), Some(eyes)) => {
                let to = other - eyes;
                (yaw_of(to), libm::atan2f(to.z, to.across().length().max(RADIUS)))
            }
            _ if way == Vec3::ZERO => (self.yaw, 0.0),
            _ => (yaw_of(way), 0.0),
        };
        self.yaw = wrapped(self.yaw + turn(wrapped(yaw + stray[0] - self.yaw + PI) - PI));
        self.pitch = (self.pitch + turn(pitch + stray[1] - self.pitch)).clamp(-1.4, 1.4);
    }
}

/// What a bot has to fight with, where that hurts.
#[derive(Default)]
struct Arms {
    /// It fires at nobody nearer, in wu.
    fires_from: f32,
    has_scope: bool,
    /// How fast what it fires flies, in wu a tick; none of what hits at once.
    speed: Option<f32>,
    /// The kind of grenade that it throws.
    grenade: Option<u8>,
}

impl Arms {
    fn of(world: &World, slot: Slot) -> Self {
        let Some(unit) = world.unit(slot).filter(|_| world.harms()) else { return Self::default() };
        let kind = world.in_hand(unit).map(|(kind, _)| kind);
        let grenades = world.inventory(unit).map_or_else(Default::default, |inventory| inventory.grenades);
        let firing = kind.and_then(Kind::firing);
        Self {
            speed: firing.and_then(|firing| match firing.shot {
                Shot::AtOnce(_) => None,
                Shot::Flies(flying) => Some(flying.speed),
            }),
            fires_from: if kind == Some(Kind::Launcher) { ROCKETS_FROM } else { 0.0 },
            has_scope: firing.is_some_and(|firing| firing.zooms > 0),
            grenade: (0..).zip(grenades).find(|(_, count)| *count > 0).map(|(which, _)| which),
        }
    }
}

/// The other players, and its foes among actors, as a bot sees them.
struct Crowd {
    /// The middle of the nearest.
    nearest: Option<Vec3>,
    /// How that one moves, in wu a tick.
    moves: Vec3,
    /// Away from those who are too near, one long, where the map asks for that.
    flee: Option<Vec3>,
}

impl Crowd {
    /// How far the nearest is from there, in wu.
    fn distance(&self, place: Vec3) -> f32 {
        self.nearest.map_or(f32::INFINITY, |nearest| nearest.distance(place))
    }

    /// It aims to where that one will be when what it fires is there.
    fn lead(&mut self, place: Vec3, speed: Option<f32>) {
        if let (Some(nearest), Some(speed)) = (&mut self.nearest, speed) {
            *nearest += self.moves * (nearest.distance(place) / speed);
        }
    }

    fn around(world: &World, slot: Slot, place: Vec3) -> Self {
        let apart = world.map().apart;
        let (mut nearest, mut least, mut moves) = (None, f32::INFINITY, Vec3::ZERO);
        let mut flee = Vec3::ZERO;
        // Where shots hurt it looks at no friend, and at nobody it does not see.
        let eyes = world.eyes(slot).filter(|_| world.harms());
        let is_of_interest = |other: Slot, middle: Vec3, distance: f32| match eyes {
            None => !world.harms(),
            Some(eyes) => distance <= SIGHT && !world.are_friends(slot, other) && world.sees(eyes, middle),
        };
        for (other, _) in world.players() {
            let Some(at) = world.position(other).filter(|_| other != slot) else { continue };
            let from = place - at;
            let distance = from.length();
            let middle = at + Vec3::UP * (World::standing_height() * 0.7);
            if distance < least && is_of_interest(other, middle, distance) {
                (nearest, least) = (Some(middle), distance);
                moves = world.velocity(other).unwrap_or_default();
            }
            if distance < apart {
                // Of two on one spot the later slot goes east, the other west.
                let side = if slot > other { 1.0 } else { -1.0 };
                let across = from.across();
                let away = if across == Vec3::ZERO { Vec3::new(side, 0.0, 0.0) } else { across };
                flee += away * (1.0 / away.length_squared().max(0.01));
            }
        }
        if let Some(eyes) = eyes {
            for unit in world.actor_units().filter(|unit| world.is_foe_of_players(*unit)) {
                let Some(foe) = world.placement(unit) else { continue };
                let distance = foe.position.distance(place);
                let middle = foe.position + Vec3::UP * (World::standing_height() * 0.7);
                if distance < least && distance <= SIGHT && world.sees(eyes, middle) {
                    (nearest, least, moves) = (Some(middle), distance, foe.velocity);
                }
            }
        }
        let length = flee.length();
        Self { nearest, moves, flee: (length > 1e-6).then(|| flee * (1.0 / length)) }
    }
}

/// A way that does not lead out of the world: along its sides instead.
fn inside(world: &World, place: Vec3, way: Vec3) -> Vec3 {
    if world.map().apart == 0.0 {
        return way;
    }
    let bounds = world.map().bounds;
    let kept = |at: f32, way: f32, least: f32, most: f32| match at {
        at if at < least + SIDES => way.max(0.0),
        at if at > most - SIDES => way.min(0.0),
        _ => way,
    };
    Vec3::new(
        kept(place.x, way.x, bounds.least.x, bounds.most.x),
        kept(place.y, way.y, bounds.least.y, bounds.most.y),
        way.z,
    )
}

fn turn(left: f32) -> f32 {
    (left * TURN.1).clamp(-TURN.0, TURN.0)
}

fn wrapped(angle: f32) -> f32 {
    let kept = angle - TAU * libm::floorf(angle * (1.0 / TAU));
    // What rounds to a whole turn is none.
    if (0.0..TAU).contains(&kept) { kept } else { 0.0 }
}

/// One that stands still and looks about: around, up and down (TOOL-08).
#[derive(Clone, Debug)]
pub struct Look {
    random: Random,
    yaw: f32,
    pitch: f32,
    wanted: [f32; 2],
}

impl Look {
    /// The one of that seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let yaw = random.part() * TAU;
        Self { random, yaw, pitch: 0.0, wanted: [yaw, 0.0] }
    }

    /// What it does in the next tick: no stick, no button.
    pub fn input(&mut self) -> Input {
        if self.random.once_in(40) {
            self.wanted = [self.random.part() * TAU, self.random.signed() * FRAC_PI_2 * 0.8];
        }
        self.yaw = wrapped(self.yaw + turn(wrapped(self.wanted[0] - self.yaw + PI) - PI));
        self.pitch += turn(self.wanted[1] - self.pitch);
        Input { yaw: self.yaw, pitch: self.pitch, ..Input::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TOOL-08: 0 stick and buttons, over 90 degrees of yaw, pitch of both signs.
    #[test]
    fn one_that_looks_only_looks() {
        let mut look = Look::new(11);
        let inputs: Vec<Input> = (0..1800).map(|_| look.input()).collect();
        assert!(inputs.iter().all(|input| {
            input.throttle == [0.0; 2] && input.buttons == Buttons::default() && input.trigger == 0.0
        }));
        let spread = |of: fn(&Input) -> f32| {
            let values = inputs.iter().map(of);
            (values.clone().fold(f32::INFINITY, f32::min), values.fold(f32::NEG_INFINITY, f32::max))
        };
        let (least, most) = spread(|input| input.yaw);
        assert!(most - least > FRAC_PI_2 && least >= 0.0 && most < TAU);
        let (least, most) = spread(|input| input.pitch);
        assert!(least < -0.2 && most > 0.2 && least > -FRAC_PI_2 && most < FRAC_PI_2);
    }
}
