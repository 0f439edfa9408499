//! A client's handling of a level of the campaign as a host that means ill has it: what scripts show and do, named objects, and
//! actors, each well formed and about whatever is there or is not, and by stamps that jump. Knows no level.
//!
//! Whatever is said, no count of the client's goes back, no tick of one game, and it thinks no thought and runs no line.

use mjolnir_skirmish::game::Kind as Thing;
use mjolnir_skirmish::seam::level_of;
use mjolnir_wire::actors::{ActorDamage, ActorState, Impulse, Speech, UserAnimation};
use mjolnir_wire::devices::{DeviceGroup, DeviceState, Setting};
use mjolnir_wire::events::{
    Action, Animation, Attachment, EffectPlace, HudText, Navigation, NavigationPoint, PlayerEffect, Sound,
    SoundAction, Surface, SurfaceBroken,
};
use mjolnir_wire::objects::{Creation, Motion, ObjectChange, ObjectState};
use mjolnir_wire::packets::text::Chars;
use mjolnir_wire::presentation::{Camera, Fade, Presentation, TeamSet, Timer, Vitality};
use mjolnir_wire::scripted::{Look, ObjectNames, ScreenEffect, Transform};
use mjolnir_wire::units::{Death, Life, LivingUnit, Placement, Ride, ShieldFlags, UnitState};
use mjolnir_wire::{Axes, Kind, MachineSet, ObjectId, ObjectName, Outbox, Slot, Tag, Tick, Vec3};

use super::client::Foreign;
use super::host::settings;

/// Words of a script, at most.
const WORDS: usize = 400;
/// Ticks that one of its waits lasts at most.
const WAIT_TICKS: u8 = 8;
/// Ticks that the game goes on after it.
const AFTER: u32 = 10;
/// What there is in a level, sooner or later.
const THINGS: [Thing; 6] =
    [Thing::Biped, Thing::Biped, Thing::Car, Thing::Dropship, Thing::Rifle, Thing::Stickies];

/// Bytes, each had once; 0 past the last.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn is(&mut self) -> bool {
        self.next() & 1 == 1
    }

    fn below(&mut self, bound: u8) -> u8 {
        self.next() % bound
    }

    fn maybe<T>(&mut self, of: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.is() { Some(of(self)) } else { None }
    }

    fn wide(&mut self) -> u16 {
        u16::from_le_bytes([self.next(), self.next()])
    }

    /// One of few, or any at all.
    fn index(&mut self) -> u16 {
        if self.below(8) == 0 { self.wide() } else { u16::from(self.below(12)) }
    }

    fn number(&mut self) -> f32 {
        match self.below(12) {
            0 => f32::MAX,
            1 => f32::MIN,
            2 => f32::MIN_POSITIVE,
            3 => f32::from(self.wide() as i16),
            _ => f32::from(self.next() as i8) / 8.0,
        }
    }

    /// World units.
    fn place(&mut self) -> Vec3 {
        let mut part = || if self.below(16) == 0 { 32_000.0 } else { f32::from(self.next() as i8) / 4.0 };
        Vec3::new(part(), part(), part())
    }

    fn axes(&mut self) -> Axes {
        let forward = [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, -1.0, 0.0), Vec3::new(-1.0, 0.0, 0.0)];
        Axes { forward: forward[usize::from(self.below(3))], up: Vec3::UP }
    }

    fn object(&mut self) -> ObjectId {
        let index = if self.below(32) == 0 { self.wide() & 0x1FFF } else { u16::from(self.below(24)) };
        ObjectId::new(index, 1 + u16::from(self.below(8) == 0)).unwrap_or(ObjectId::new(1, 1).expect("one"))
    }

    fn tag(&mut self) -> Tag {
        THINGS[usize::from(self.below(6))].tag()
    }

    fn named(&mut self) -> ObjectName {
        if self.is() {
            ObjectName::Named(self.index())
        } else {
            ObjectName::Object(self.object(), self.tag())
        }
    }

    fn motion(&mut self) -> Motion {
        let velocity = Vec3::new(f32::from(self.next() as i8) / 64.0, 0.0, 0.0);
        Motion { position: self.place(), axes: self.axes(), velocity, angular_velocity: Vec3::ZERO }
    }

    fn ride(&mut self) -> Option<Ride> {
        self.maybe(|of| {
            let seat = if of.below(8) == 0 { of.wide() as i16 } else { of.below(5).into() };
            Ride { vehicle: of.maybe(Self::object), seat }
        })
    }

    fn actor(&mut self) -> ActorState {
        let angle = |of: &mut Self| f32::from(of.next()) / 40.0;
        ActorState {
            ride: self.ride(),
            camouflaged: self.is(),
            camouflage: self.number(),
            runs_blindly: self.maybe(angle),
            impulse: Impulse {
                kind: self.maybe(|of| of.below(16)),
                number: self.next(),
                alignment: self.maybe(angle),
            },
            animation_state: self.below(7),
            aiming_speed: self.below(2),
            trigger: f32::from(self.below(3)) / 2.0,
            control: self.wide(),
            throttle: [self.number(), self.number(), self.number()],
            team: self.maybe(|of| if of.is() { of.next() } else { of.below(3) }),
            facing: [angle(self), angle(self)],
            aiming: [angle(self), angle(self)],
            looking: [angle(self), angle(self)],
            body: f32::from(self.below(8)) / 2.0,
            shield: f32::from(self.below(8)) / 2.0,
            speech: Speech { sound: self.maybe(|of| Tag(of.wide().into())), number: self.next() },
            user_animation: UserAnimation {
                graph: self.maybe(|of| Tag(of.wide().into())),
                animation: self.wide() as i16,
                number: self.next(),
                interpolate: self.is(),
            },
            velocity: Vec3::new(self.number(), self.number(), self.number()),
            axes: self.axes(),
            ..ActorState::still(self.object(), self.place())
        }
    }

    fn action(&mut self) -> Action {
        let animation = |of: &mut Self| Animation {
            object: of.named(),
            graph: Tag(of.wide().into()),
            animation: of.index(),
            frame: of.index(),
            interpolate: of.is(),
        };
        match self.below(12) {
            0 => Action::Sound(Sound {
                action: [SoundAction::Impulse, SoundAction::LoopingStart, SoundAction::LoopingStop]
                    [usize::from(self.below(3))],
                sound: Tag(self.index().into()),
                on: self.maybe(Self::named),
                scale: self.number(),
            }),
            1 => Action::ChapterTitle(self.index()),
            2 => Action::Hud(match self.below(5) {
                0 => HudText::Help(self.index()),
                1 => HudText::Objective(self.index()),
                2 => HudText::FlashHelp(self.index()),
                3 => HudText::Clear,
                _ => HudText::Checkpoint { shows_help: self.is() },
            }),
            3 => {
                Action::PlayerEffect(PlayerEffect::Start { strength: self.number(), seconds: self.number() })
            }
            4 => Action::NavigationPoint(NavigationPoint {
                kind: self.index(),
                of: match self.below(4) {
                    0 => Navigation::TeamToFlag(self.below(2), self.index()),
                    1 => Navigation::TeamToObject(self.below(2), self.named()),
                    2 => Navigation::UnitToFlag(self.named(), self.index()),
                    _ => Navigation::UnitToObject(self.named(), self.object()),
                },
                shows: self.is(),
                height: self.number(),
            }),
            5 => Action::UnitAnimation(animation(self)),
            6 => Action::SceneryAnimation(animation(self)),
            7 => Action::Effect {
                effect: Tag(self.index().into()),
                at: if self.is() {
                    EffectPlace::Flag(self.index())
                } else {
                    EffectPlace::Marker(self.named(), self.index())
                },
            },
            8 => Action::Attachment(Attachment {
                attaches: self.is(),
                parent: self.named(),
                child: self.named(),
                parent_marker: self.maybe(Self::index),
                child_marker: self.maybe(Self::index),
            }),
            9 => Action::Reverted,
            10 => Action::UnitOpen { unit: self.named(), opens: self.is() },
            _ => Action::SurfaceBroken(SurfaceBroken {
                surface: Surface { structure_bsp: self.below(2).into(), index: self.index() },
                at: self.place(),
            }),
        }
    }

    fn presentation(&mut self) -> Presentation {
        let teams = |of: &mut Self| TeamSet(u128::from(of.wide()) << of.below(112));
        Presentation {
            cinematic: self.is(),
            input_disabled: self.below(4) == 0,
            shakes: self.is(),
            fade: Fade {
                ticks: self.wide() as i16,
                elapsed: self.wide() as i16,
                start: i32::from(self.wide()),
                ..Fade::default()
            },
            camera: self.maybe(|of| Camera {
                position: of.place(),
                axes: of.axes(),
                field_of_view: 1.0,
                object: of.maybe(Self::object),
                offset: Vec3::ZERO,
            }),
            timer: self.maybe(|of| Timer { ticks: of.wide() as i16, ..Timer::default() }),
            vitality: self.maybe(|of| Vitality { body: of.number(), shield: of.number() }),
            cluster: self.maybe(Self::wide),
            allied: teams(self),
            friendly: teams(self),
            ..Presentation::default()
        }
    }

    fn names(&mut self) -> ObjectNames {
        let count = if self.below(4) == 0 { self.wide() } else { self.below(8).into() };
        let mut names = ObjectNames::none(self.maybe(|of| of.below(2).into()), count);
        (0..self.below(16)).for_each(|_| names.insert(self.index()));
        names
    }

    /// One word, put by a datagram or by the stream.
    fn say(&mut self, out: &mut Outbox) {
        let to = MachineSet::CLIENTS;
        let mut bytes = Vec::new();
        let (kind, is_streamed) = match self.below(19) {
            0..=2 => {
                let creation = Creation::plain(self.object(), self.tag(), self.place());
                ObjectChange::Create(creation).write(&mut bytes);
                (Kind::ObjectChanges, true)
            }
            3 => {
                ObjectChange::Delete(self.object()).write(&mut bytes);
                (Kind::ObjectChanges, true)
            }
            4 => {
                let state = ObjectState {
                    dead: self.is(),
                    at_rest: self.is(),
                    ..ObjectState::moving(self.object(), self.motion())
                };
                state.write(&mut bytes);
                (Kind::ObjectStates, false)
            }
            5 => {
                let Motion { position, axes, velocity, .. } = self.motion();
                let mut unit = LivingUnit::whole(self.object(), Placement { position, velocity, axes });
                if let Some(ride) = self.ride() {
                    (unit.placement, unit.ride) = (None, Some(ride));
                }
                let life = if self.below(8) == 0 { Life::Dead(Death::default()) } else { Life::Alive(unit) };
                let slot = Slot::new(self.below(2)).expect("a slot");
                UnitState { slot, shield: ShieldFlags::default(), life }.write(&mut bytes);
                (Kind::UnitStates, false)
            }
            6..=8 => {
                self.actor().write(&mut bytes);
                (Kind::ActorStates, false)
            }
            9 => {
                let mut part = || f32::from(self.next()) / 64.0;
                let (shield, recent_shield, body, recent_body) = (part(), part(), part(), part());
                let unit = self.object();
                ActorDamage { unit, shield, recent_shield, body, recent_body }.write(&mut bytes);
                (Kind::ActorDamage, false)
            }
            10..=12 => {
                let number = if self.below(6) == 0 { self.wide() } else { self.next().into() };
                self.action().write(number, &mut bytes);
                (Kind::CoopEvents, self.is())
            }
            13 => {
                self.presentation().write(&mut bytes);
                (Kind::CoopPresentation, false)
            }
            14 => {
                self.names().write(&mut bytes);
                (Kind::CoopObjectNames, false)
            }
            15 => {
                let (object, position, axes) = (self.named(), self.place(), self.axes());
                Transform { object, position, axes }.write(&mut bytes);
                (Kind::CoopObjectTransforms, false)
            }
            16 => {
                let (object, scale) = (self.named(), 0.01 + f32::from(self.next()));
                Look { object, regions: [self.next(); 8], scale: scale.min(99.0) }.write(&mut bytes);
                (Kind::CoopObjectLooks, false)
            }
            17 => {
                let (has_control, noise) = (self.is(), self.number());
                ScreenEffect { has_control, noise, ..ScreenEffect::default() }.write(&mut bytes);
                (Kind::CoopScreenEffect, false)
            }
            _ => self.device(&mut bytes),
        };
        if is_streamed {
            let _ = out.reliable_entry(to, kind, |to| to.extend(&bytes));
        } else {
            let _ = out.entry(to, kind, |to| to.extend(&bytes));
        }
    }

    fn device(&mut self, bytes: &mut Vec<u8>) -> (Kind, bool) {
        let value = f32::from(self.below(5)) / 4.0;
        if self.is() {
            let (of, snaps, changed) = (Setting::Group(self.index()), self.next(), self.next());
            DeviceGroup { of, value, snaps, changed }.write(bytes);
            return (Kind::CoopDeviceGroups, false);
        }
        let (device, moving) = (self.named(), self.is());
        DeviceState { device, moving, position: value, power: value }.write(bytes);
        (Kind::CoopDeviceStates, false)
    }
}

/// The target.
pub(super) fn together(bytes: &[u8]) {
    let mut settings = settings();
    settings.record.map = Chars::new(&level_of("campaign1")).expect("a map's name");
    let mut foreign = Foreign::playing(settings);
    assert!(foreign.game.world().is_some_and(mjolnir_skirmish::game::World::is_coop));
    // The host has told of all that it has, which is nothing.
    foreign.say_at(foreign.tick, |out| {
        let _ = out.message(MachineSet::CLIENTS, Kind::ObjectsSynchronized, 0, |_| {});
    });
    let decided = foreign.game.world().expect("it plays").decisions();
    let mut bytes = Bytes(bytes);
    for _ in 0..WORDS {
        if bytes.0.is_empty() {
            break;
        }
        if bytes.below(6) == 0 {
            (0..=bytes.below(WAIT_TICKS)).for_each(|_| foreign.frame());
            continue;
        }
        let off = if bytes.below(16) == 0 { i32::from(bytes.wide() as i16) } else { 0 };
        let at = Tick::new(foreign.tick.get().saturating_add(off).max(0)).unwrap_or(Tick::ZERO);
        foreign.say_at(at, |out| bytes.say(out));
    }
    (0..AFTER).for_each(|_| foreign.frame());
    let world = foreign.game.world().expect("it plays");
    assert_eq!(world.decisions(), decided, "a client decides nothing");
}
