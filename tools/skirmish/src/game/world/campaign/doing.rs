//! What a script's line does to the world that decides. Knows no thread.

use mjolnir_engine_glue::coop::script_order;
use mjolnir_wire::events::{Action, Animation, Attachment, EffectPlace, Navigation, NavigationPoint, Sound};
use mjolnir_wire::presentation::{Fade, Timer, Vitality};
use mjolnir_wire::{ObjectName, Slot};

use super::{Level, Sweep, World};
use crate::game::actors::PLAYERS;
use crate::game::campaign::words::{Point, Who, Word};
use crate::game::campaign::{SCENERY_GRAPH, Showed, UNIT_GRAPH};
use crate::game::types::News;
use crate::game::world::Role;

/// What scripts did once that waits to be asked for, at most. Ours.
const MOST_ACTIONS: usize = 1024;
/// The type of the points that scripts show, and how far above what they mark they stand, in wu. Ours.
const POINT: (u16, f32) = (0, 0.6);
/// Below how many ticks a timer flashes. Ours.
const FLASHES: i16 = 300;

impl World {
    /// Does what a line says that is no waiting.
    pub(super) fn do_word(&mut self, level: &Level, word: &Word) {
        match word {
            Word::Sleep(_) | Word::Until(..) => {}
            Word::Wake(script) => self.wake(level, script),
            Word::Create(name) => self.create_named(*name),
            Word::Delete(name) => self.erase_named(*name),
            Word::Teleport(who, place) => self.teleport(level, *who, *place),
            Word::Move(name, position, facing) => self.move_named(*name, *position, *facing),
            Word::Region(name, region, form) => {
                self.dress_named(*name, |regions, _| {
                    if let Some(of) = regions.get_mut(usize::from(*region)) {
                        *of = *form;
                    }
                });
            }
            Word::Scale(name, size) => self.dress_named(*name, |_, scale| *scale = *size),
            Word::Animate(name, animation) => {
                if let Some(object) = self.object_name(*name) {
                    self.happen(animate(object, *animation));
                }
            }
            Word::Act(squad, animation) => {
                for unit in self.living_in(squad) {
                    self.happen(animate(unit, *animation));
                }
            }
            Word::Open(name, opens) => {
                if let Some(unit) = self.object_name(*name) {
                    self.happen(Action::UnitOpen { unit, opens: *opens });
                }
            }
            Word::Attach(child, parent, attaches) => {
                if let (Some(child), Some(parent)) = (self.object_name(*child), self.object_name(*parent)) {
                    let (parent_marker, child_marker) = (None, None);
                    let attaches = *attaches;
                    self.happen(Action::Attachment(Attachment {
                        attaches,
                        parent,
                        child,
                        parent_marker,
                        child_marker,
                    }));
                }
            }
            Word::Sound(action, sound, on) => {
                let on = on.and_then(|name| self.object_name(name));
                let sound = Level::sound_tag(*sound);
                self.happen(Action::Sound(Sound { action: *action, sound, on, scale: 1.0 }));
            }
            Word::Title(text) => self.happen(Action::ChapterTitle(*text)),
            Word::Say(text) => self.happen(Action::Hud(*text)),
            Word::Effect(effect, place) => {
                let effect = Level::effect_tag(*effect);
                self.happen(Action::Effect { effect, at: EffectPlace::Flag(*place) });
            }
            Word::Shake(effect) => self.happen(Action::PlayerEffect(*effect)),
            Word::Way(point, shows) => self.point(*point, *shows),
            Word::Goal(place) => self.set_goal(*place),
            Word::Group(group, value) => self.set_devices(*group, *value, false),
            Word::Snap(group, value) => self.set_devices(*group, *value, true),
            Word::Power(group, power) => {
                let of_group = |index: &usize| self.map.fixtures.platforms[*index].group == *group;
                let devices: Vec<_> = (0..self.map.fixtures.platforms.len()).filter(of_group).collect();
                devices.into_iter().for_each(|device| self.set_power(device as u16, *power));
            }
            Word::Screen(effect) => {
                let Some(campaign) = self.campaign.as_mut() else { return };
                let was = campaign.screen.is_some_and(|screen| screen.has_control);
                // One that a script once had is told of for good.
                campaign.screen = effect.as_deref().copied().or(campaign.screen.map(|_| Default::default()));
                if was != effect.is_some() {
                    self.note_showed(Showed::Screen(!was));
                }
            }
            Word::Squad(squad) => self.place_named_squad(squad),
            Word::Board(squad, ship) => self.board(squad, *ship),
            Word::Unload(ship) => self.unload(*ship),
            Word::Fly(ship, path) => self.fly_path(*ship, *path),
            Word::Ally(one, other, allied) => {
                self.set_allied(*one, *other, *allied);
            }
            Word::Win => {
                if let Some(campaign) = self.campaign.as_mut() {
                    campaign.over = Some(0);
                    self.report(News::Over);
                }
            }
            Word::Fail => self.campaign.iter_mut().for_each(|campaign| campaign.fails += 1),
            _ => self.set_shown(level, word),
        }
    }

    /// What is shown from now on.
    fn set_shown(&mut self, level: &Level, word: &Word) {
        let tick = self.tick.get();
        let Some(campaign) = self.campaign.as_mut() else { return };
        let shown = &mut campaign.presentation;
        match *word {
            Word::Cinematic(on) => shown.cinematic = on,
            Word::Letterbox(on) => shown.letterbox = on,
            Word::Input(on) => shown.input_disabled = !on,
            Word::Hud(on) => shown.shows_hud = on,
            Word::Helps(on) => shown.shows_help_text = on,
            Word::Shakes(on) => shown.shakes = on,
            Word::Fade(is_out, colour, ticks) => {
                let ticks = i16::try_from(ticks).unwrap_or(i16::MAX);
                shown.fade = Fade { colour, ticks, elapsed: 0, start: tick, is_out };
            }
            Word::Camera(None) => (shown.camera, campaign.sweep) = (None, None),
            Word::Camera(Some((camera, ticks))) => {
                let to = super::showing::camera(&level.cameras[usize::from(camera)]);
                // From nowhere it is there at once.
                let from = shown.camera.filter(|_| ticks > 0);
                let since = campaign.played.unwrap_or(0);
                campaign.sweep = from.map(|from| Sweep { from, to, since, ticks });
                shown.camera = Some(from.unwrap_or(to));
            }
            Word::Timer(ticks) => {
                shown.timer = ticks.map(|ticks| Timer {
                    reference: tick,
                    ticks: i16::try_from(ticks).unwrap_or(i16::MAX),
                    flash_cutoff: FLASHES,
                    ..Timer::default()
                });
            }
            Word::Pause(on) => shown.timer.iter_mut().for_each(|timer| timer.paused = on),
            Word::Vitality(most) => {
                shown.vitality = most.map(|(body, shield)| Vitality { body, shield });
            }
            Word::Cluster(cluster) => shown.cluster = cluster,
            _ => {}
        }
    }

    /// Something happens once: here, and on every machine that is told.
    pub(super) fn happen(&mut self, action: Action) {
        let is_told = self.role == Role::Host;
        if let Some(campaign) = self.campaign.as_mut()
            && is_told
            && campaign.actions.len() < MOST_ACTIONS
        {
            campaign.actions.push(action);
        }
        self.show_action(&action);
    }

    /// Whom a line about one of the scripts' players is about (COOP-22).
    pub(super) fn scripted(&self, who: Who) -> Vec<Slot> {
        let order = script_order(Slot::all().filter(|slot| self.unit(*slot).is_some()));
        match who {
            Who::Player0 => order.with_player0().collect(),
            Who::Player1 => order.player1().into_iter().collect(),
        }
    }

    fn teleport(&mut self, level: &Level, who: Who, place: u16) {
        let Some(to) = level.places.get(usize::from(place)) else { return };
        for slot in self.scripted(who) {
            if self.move_to(slot, to.position) {
                self.pads.sent.push(slot);
            }
        }
    }

    fn point(&mut self, point: Point, shows: bool) {
        let of = match point {
            Point::Place(place) => Some(Navigation::TeamToFlag(PLAYERS, place)),
            Point::Named(name) => self.object_name(name).map(|name| Navigation::TeamToObject(PLAYERS, name)),
            Point::Of(who, place) => {
                for slot in self.scripted(who) {
                    let unit = self.unit(slot).and_then(|unit| self.called(unit));
                    if let Some(unit) = unit {
                        self.show_way(Navigation::UnitToFlag(unit, place), shows);
                    }
                }
                None
            }
        };
        if let Some(of) = of {
            self.show_way(of, shows);
        }
    }

    fn show_way(&mut self, of: Navigation, shows: bool) {
        let (kind, height) = POINT;
        self.happen(Action::NavigationPoint(NavigationPoint { kind, of, shows, height }));
    }

    /// The way is shown there alone, of what goals showed.
    fn set_goal(&mut self, place: Option<u16>) {
        let Some(campaign) = self.campaign.as_mut() else { return };
        let before = std::mem::replace(&mut campaign.goal, place);
        for (place, shows) in [(before, false), (place, true)] {
            if let Some(place) = place {
                self.show_way(Navigation::TeamToFlag(PLAYERS, place), shows);
            }
        }
    }
}

fn animate(object: ObjectName, animation: u16) -> Action {
    let graph = if matches!(object, ObjectName::Named(_)) { SCENERY_GRAPH } else { UNIT_GRAPH };
    let played = Animation { object, graph, animation, frame: 0, interpolate: true };
    match object {
        ObjectName::Named(_) => Action::SceneryAnimation(played),
        ObjectName::Object(..) => Action::UnitAnimation(played),
    }
}
