//! Damage as data: what each effect takes and how far it reaches, how what flies flies, and what can deal which. Knows no
//! world and nobody who is hurt.
//!
//! All amounts are ours: 1 is a whole shield or a whole body.

use mjolnir_wire::Tag;

use super::kinds::{Firing, Kind};
use super::objects::BIPED;

/// The flag of a damage that is dealt as area damage.
pub const AREA: u32 = 1 << 0;
/// The flags that a client's hit may have (DMG-29).
pub const CLIENT: u32 = AREA;

/// How far a blow reaches from the striker's body, in wu.
pub const BLOW_REACH: f32 = 1.0;
/// Ticks from one blow to the next.
pub const BLOW_EVERY: u8 = 20;
/// What a blow from the air is of one on the ground.
pub const AIRBORNE: f32 = 1.5;
/// How far a vehicle pushes what it hits in the tick, in wu.
pub const RAM_PUSH: f32 = 0.6;
/// From this on it does all that it can, in wu a tick. Ours.
pub const RAMS_WHOLE: f32 = 0.4;
/// One vehicle hits one unit once in so many ticks: as long as it takes to pass over it.
pub const RAM_EVERY: u8 = 15;
/// Units that it hits in that time at most, as far as the host believes it.
pub const RAM_CROWD: u16 = 4;
/// Ticks from one grenade to the next.
pub const THROW_EVERY: u8 = 15;
/// Ticks after which what flies is gone, whatever its timer (ten seconds).
pub const LONGEST: u32 = 300;

/// In which form a damage is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AreaForm {
    /// To what was hit.
    Direct,
    /// To all that is near.
    Area,
    /// To what it sticks to, and to all that is near.
    Both,
}

/// A damage effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Its tag.
    pub tag: Tag,
    /// What it takes at scale 1.
    pub amount: f32,
    /// How far it reaches around its epicentre, in wu; 0 of one that hurts what it hits alone.
    pub radius: f32,
    /// It is whole so far from its epicentre, in wu.
    pub core: f32,
    /// In which form it is dealt.
    pub form: AreaForm,
    /// What a head makes of what it takes from a body.
    pub head: f32,
    /// What a shield makes of it.
    pub shield: f32,
    /// What it adds to the velocity of what it hits at scale 1, in wu a tick.
    pub push: f32,
    /// It is a vehicle that hits.
    pub vehicle: bool,
}

impl Effect {
    const fn direct(number: u32, amount: f32) -> Self {
        Self {
            tag: Tag(0xE179_0000 + number),
            amount,
            radius: 0.0,
            core: 0.0,
            form: AreaForm::Direct,
            head: 1.0,
            shield: 1.0,
            push: 0.0,
            vehicle: false,
        }
    }

    const fn blast(number: u32, amount: f32, core: f32, radius: f32, push: f32) -> Self {
        Self { core, radius, push, form: AreaForm::Area, ..Self::direct(number, amount) }
    }

    /// The effect of that tag.
    pub fn of(tag: Tag) -> Option<&'static Self> {
        ALL.into_iter().find(|effect| effect.tag == tag)
    }

    /// Whether it is less further off.
    pub const fn falls_off(&self) -> bool {
        self.radius > 0.0
    }

    /// How much of it is left so far from its epicentre, in wu: 0 to 1.
    pub fn fall_off(&self, distance: f32) -> f32 {
        if self.radius <= 0.0 {
            return 1.0;
        }
        ((self.radius - distance) / (self.radius - self.core)).clamp(0.0, 1.0)
    }

    /// What so much of it takes of a shield that is so strong, and of the body behind it, the head where that was hit; and
    /// what it multiplied the body's by.
    pub fn takes(&self, amount: f32, shield: f32, is_head: bool) -> Taken {
        let of_shield = (amount * self.shield).min(shield);
        let multiplier = if is_head { self.head } else { 1.0 };
        let of_body = (amount - of_shield / self.shield).max(0.0) * multiplier;
        Taken { shield: of_shield, body: of_body, multiplier }
    }
}

/// What a damage takes of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taken {
    /// Of its shield.
    pub shield: f32,
    /// Of its body.
    pub body: f32,
    /// What multiplied the body's.
    pub multiplier: f32,
}

/// A rifle's round.
pub static ROUND: Effect = Effect::direct(1, 0.1);
/// A pistol's round.
pub static SLUG: Effect = Effect { head: 2.0, ..Effect::direct(2, 0.4) };
/// A bolt of plasma.
pub static BOLT: Effect = Effect { shield: 1.5, ..Effect::direct(3, 0.25) };
/// One of a shotgun's pellets.
pub static PELLET: Effect = Effect { push: 0.004, ..Effect::direct(4, 0.08) };
/// A sniper rifle's round.
pub static LANCE: Effect = Effect { head: 3.0, push: 0.02, ..Effect::direct(5, 1.2) };
/// A rocket's explosion.
pub static ROCKET_BLAST: Effect = Effect::blast(6, 2.2, 0.4, 1.6, 0.1);
/// And its shock wave.
pub static ROCKET_SHOCK: Effect = Effect::blast(7, 0.05, 0.4, 3.0, 0.15);
/// A fragmentation grenade that meets somebody on its way.
pub static FRAG_TAP: Effect = Effect { push: 0.01, ..Effect::direct(8, 0.05) };
/// Its explosion.
pub static FRAG_BLAST: Effect = Effect::blast(9, 1.6, 0.5, 2.0, 0.08);
/// And its shock wave.
pub static FRAG_SHOCK: Effect = Effect::blast(10, 0.05, 0.5, 3.0, 0.1);
/// A sticky grenade's explosion, to what it sticks to and to all that is near.
pub static STICKY_BLAST: Effect = Effect { form: AreaForm::Both, ..Effect::blast(11, 1.8, 0.4, 1.8, 0.08) };
/// A blow by hand.
pub static BLOW: Effect = Effect { push: 0.06, ..Effect::direct(12, 0.7) };
/// A vehicle that hits somebody, at its top speed.
pub static RAM: Effect = Effect { push: 0.2, vehicle: true, ..Effect::direct(13, 2.5) };
/// A round of a gun upon a vehicle.
pub static GUN_ROUND: Effect = Effect::direct(14, 0.12);
/// A bolt of a flyer's gun.
pub static GUN_BOLT: Effect = Effect { shield: 1.5, ..Effect::direct(15, 0.2) };
/// The ground, for one that falls.
pub static FALL: Effect = Effect::direct(16, 1.0);
/// Somebody who arrives where another stands.
pub static TELEFRAG: Effect = Effect::direct(17, 1.0);
/// The console's word.
pub static WORD: Effect = Effect::direct(18, 1.0);

static ALL: [&Effect; 18] = [
    &ROUND,
    &SLUG,
    &BOLT,
    &PELLET,
    &LANCE,
    &ROCKET_BLAST,
    &ROCKET_SHOCK,
    &FRAG_TAP,
    &FRAG_BLAST,
    &FRAG_SHOCK,
    &STICKY_BLAST,
    &BLOW,
    &RAM,
    &GUN_ROUND,
    &GUN_BOLT,
    &FALL,
    &TELEFRAG,
    &WORD,
];

/// How a shot gets to what it hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shot {
    /// In a straight line at once.
    AtOnce(&'static Effect),
    /// It flies.
    Flies(&'static Flying),
}

/// When what flies goes off of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// So many ticks after it was fired.
    Fired(u16),
    /// So many after it first bounced.
    Bounced(u16),
    /// So many after it stuck to something.
    Stuck(u16),
}

/// What becomes of what flies where it meets something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meets {
    /// It ends there, or goes off.
    Ends,
    /// The same, but a shield deflects it: then it flies on, spent.
    Glances,
    /// It bounces.
    Bounces,
    /// It sticks to it, which carries it.
    Sticks,
}

/// How something flies, and what it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flying {
    /// Its tag.
    pub tag: Tag,
    /// How fast it begins, in wu a tick.
    pub speed: f32,
    /// The part of the world's gravity that it falls by.
    pub gravity: f32,
    /// When it goes off of itself.
    pub timer: Timer,
    /// What becomes of it where it meets something.
    pub meets: Meets,
    /// What it deals to what it meets, the first time.
    pub impact: Option<&'static Effect>,
    /// What it deals where it goes off.
    pub blasts: &'static [&'static Effect],
}

const fn straight(number: u32, speed: f32, ticks: u16, impact: &'static Effect) -> Flying {
    Flying {
        tag: Tag(0xE17A_0000 + number),
        speed,
        gravity: 0.0,
        timer: Timer::Fired(ticks),
        meets: Meets::Ends,
        impact: Some(impact),
        blasts: &[],
    }
}

/// What a pistol fires.
pub static SLUG_FLIES: Flying = straight(1, 10.0, 6, &SLUG);
/// What a plasma weapon fires.
pub static BOLT_FLIES: Flying = Flying { meets: Meets::Glances, ..straight(2, 1.5, 20, &BOLT) };
/// A rocket: it flies for nine seconds at most.
pub static ROCKET: Flying = Flying {
    tag: Tag(0xE17A_0003),
    speed: 0.8,
    gravity: 0.0,
    timer: Timer::Fired(270),
    meets: Meets::Ends,
    impact: None,
    blasts: &[&ROCKET_BLAST, &ROCKET_SHOCK],
};
/// A fragmentation grenade: two seconds from its first bounce.
pub static FRAG: Flying = Flying {
    tag: Tag(0xE17A_0004),
    speed: 0.3,
    gravity: 1.0,
    timer: Timer::Bounced(60),
    meets: Meets::Bounces,
    impact: Some(&FRAG_TAP),
    blasts: &[&FRAG_BLAST, &FRAG_SHOCK],
};
/// A sticky grenade: a second and a half after it stuck.
pub static STICKY: Flying = Flying {
    tag: Tag(0xE17A_0005),
    speed: 0.3,
    gravity: 1.0,
    timer: Timer::Stuck(45),
    meets: Meets::Sticks,
    impact: None,
    blasts: &[&STICKY_BLAST],
};
/// What a flyer's gun fires.
pub static GUN_BOLT_FLIES: Flying = Flying { meets: Meets::Glances, ..straight(6, 2.0, 30, &GUN_BOLT) };

impl Flying {
    /// What it can deal.
    fn effects(&self) -> impl Iterator<Item = &'static Effect> {
        self.impact.into_iter().chain(self.blasts.iter().copied())
    }

    /// How far it gets by its speed and its timer, in wu; none where the timer begins later (DMG-19).
    pub fn reach(&self) -> Option<f32> {
        match self.timer {
            Timer::Fired(ticks) => Some(self.speed * f32::from(ticks)),
            Timer::Bounced(_) | Timer::Stuck(_) => None,
        }
    }
}

/// How a source deals a damage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dealing {
    /// By what.
    pub means: Means,
    /// Shots, throws or blows in a second.
    pub per_second: f32,
    /// How often one of them can deal it, explosions once for all that they reach.
    pub projectiles: u16,
}

/// By what a damage is dealt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Means {
    /// By what flies, at once or not.
    Flight {
        /// How far it gets, in wu; none where nothing bounds it.
        reach: Option<f32>,
        /// How far from there what it sets off can go off, in wu.
        sets_off: f32,
        /// Ticks that it is under way at most.
        ticks: u32,
    },
    /// By hand.
    Melee {
        /// How far it reaches from the striker's body, in wu.
        reach: f32,
    },
    /// By a vehicle that drives into what it hits.
    Collision {
        /// How far that is pushed in the tick, in wu.
        push: f32,
        /// As fast as it does all that it can, in wu a tick.
        whole_at: f32,
    },
}

const fn per_second(every: u8) -> f32 {
    30.0 / every as f32
}

/// How a weapon, a kind of grenade, a vehicle or a unit itself deals that damage; none where it cannot (DMG-06).
pub fn deals(source: Tag, effect: Tag) -> Option<Dealing> {
    if source == BIPED {
        let means = Means::Melee { reach: BLOW_REACH };
        return (effect == BLOW.tag).then_some(Dealing {
            means,
            per_second: per_second(BLOW_EVERY),
            projectiles: 1,
        });
    }
    let kind = Kind::of(source)?;
    if let Some(flying) = kind.grenade() {
        return flies(flying, effect, per_second(THROW_EVERY), 1);
    }
    if effect == RAM.tag && super::Craft::of(kind).is_some() {
        let means = Means::Collision { push: RAM_PUSH, whole_at: RAMS_WHOLE };
        return Some(Dealing { means, per_second: per_second(RAM_EVERY), projectiles: RAM_CROWD });
    }
    let Firing { every, shot, pellets, range, .. } = kind.firing().or_else(|| kind.gun())?;
    match shot {
        Shot::AtOnce(deals) => (deals.tag == effect).then_some(Dealing {
            means: Means::Flight { reach: Some(range), sets_off: 0.0, ticks: 0 },
            per_second: per_second(every),
            projectiles: pellets,
        }),
        Shot::Flies(flying) => flies(flying, effect, per_second(every), pellets),
    }
}

fn flies(flying: &Flying, effect: Tag, per_second: f32, count: u16) -> Option<Dealing> {
    flying.effects().find(|deals| deals.tag == effect)?;
    let ticks = match flying.timer {
        Timer::Fired(ticks) => u32::from(ticks),
        Timer::Bounced(_) | Timer::Stuck(_) => LONGEST,
    };
    let means = Means::Flight { reach: flying.reach(), sets_off: 0.0, ticks };
    Some(Dealing { means, per_second, projectiles: count })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each effect is found by its tag, its alone, and falls off from its core to its radius: both sides of each.
    #[test]
    fn an_effect_is_its_tag_and_falls_off() {
        for (at, effect) in ALL.iter().enumerate() {
            assert!(std::ptr::eq(Effect::of(effect.tag).unwrap(), *effect));
            assert!(ALL[..at].iter().all(|other| other.tag != effect.tag));
            assert_eq!(effect.falls_off(), effect.form != AreaForm::Direct);
        }
        assert_eq!(Effect::of(Tag(0xE179_0000)), None);
        let left = |distance| ROCKET_BLAST.fall_off(distance);
        assert_eq!([left(0.0), left(0.4), left(1.6), left(9.0)], [1.0, 1.0, 0.0, 0.0]);
        assert!((left(1.0) - 0.5).abs() < 1e-6 && left(0.41) < 1.0 && left(1.59) > 0.0);
        assert_eq!(ROUND.fall_off(99.0), 1.0);
    }

    /// A shield takes it first, by the effect's own measure; what is left is the body's, and more of a head.
    #[test]
    fn a_shield_takes_it_first() {
        assert_eq!(ROUND.takes(0.1, 1.0, true), Taken { shield: 0.1, body: 0.0, multiplier: 1.0 });
        assert_eq!(BOLT.takes(0.25, 1.0, false).shield, 0.375);
        let taken = BOLT.takes(0.25, 0.15, false);
        assert!(taken.shield == 0.15 && (taken.body - 0.15).abs() < 1e-6, "{taken:?}");
        assert_eq!(LANCE.takes(1.0, 0.0, true), Taken { shield: 0.0, body: 3.0, multiplier: 3.0 });
        assert_eq!(LANCE.takes(1.0, 0.0, false).body, 1.0);
    }

    /// DMG-06, 17, 19: a source deals what its projectiles do where they meet something and where they go off, and nothing else;
    /// those reach their weapon's range, or as far as they get by their speed and their timer, or anywhere where the timer begins
    /// with a bounce, or as they stick.
    #[test]
    fn a_source_deals_what_its_tags_lead_to() {
        let of = |kind: Kind, effect: &Effect| deals(kind.tag(), effect.tag);
        let reach = |dealing: Option<Dealing>| match dealing.unwrap().means {
            Means::Flight { reach, ticks, .. } => (reach, ticks),
            means => panic!("{means:?}"),
        };
        assert_eq!(reach(of(Kind::Rifle, &ROUND)), (Some(40.0), 0));
        assert_eq!(reach(of(Kind::Pistol, &SLUG)), (Some(60.0), 6));
        assert_eq!(reach(of(Kind::Launcher, &ROCKET_SHOCK)), (Some(216.0), 270));
        assert_eq!(reach(of(Kind::Grenades, &FRAG_SHOCK)), (None, LONGEST));
        assert_eq!(reach(of(Kind::Stickies, &STICKY_BLAST)), (None, LONGEST));
        assert_eq!(of(Kind::Shotgun, &PELLET).unwrap().projectiles, 15);
        assert_eq!(of(Kind::Launcher, &ROCKET_BLAST).unwrap().projectiles, 1);
        assert_eq!(of(Kind::Rifle, &SLUG), None);
        assert_eq!(of(Kind::Grenades, &STICKY_BLAST), None);
        assert_eq!(of(Kind::Car, &GUN_ROUND), None);
        assert!(of(Kind::Turret, &GUN_ROUND).is_some() && of(Kind::Car, &RAM).is_some());
        assert!(deals(BIPED, BLOW.tag).is_some() && deals(BIPED, ROUND.tag).is_none());
        assert_eq!(deals(Tag(7), ROUND.tag), None);
    }
}
