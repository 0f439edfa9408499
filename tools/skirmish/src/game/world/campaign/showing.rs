//! What scripts show, on every machine: where the world decides as they have it, elsewhere by the host's word. Each change is noted
//! once. Knows no script.

use mjolnir_wire::events::{Action, EffectPlace, HudText, Navigation};
use mjolnir_wire::presentation::{Camera, Presentation};
use mjolnir_wire::scripted::ScreenEffect;
use mjolnir_wire::{Axes, Buttons, Input, Slot, Vec3};

use super::{Sweep, World};
use crate::game::actors::PLAYERS;
use crate::game::campaign::{CameraPoint, Showed};
use crate::game::world::Event;

/// Points that are shown at most; the first to go is the oldest. Ours.
const MOST_POINTS: usize = 64;

/// Whether something is shown, and how that is noted.
type Noted = (fn(&Presentation) -> bool, fn(bool) -> Showed);

pub(super) fn camera(point: &CameraPoint) -> Camera {
    let CameraPoint { position, axes, field_of_view, .. } = *point;
    Camera { position, axes, field_of_view, object: None, offset: Vec3::ZERO }
}

impl World {
    // What there is to see.

    /// What scripts show now; none outside co-op.
    pub fn presentation(&self) -> Option<&Presentation> {
        self.campaign.as_ref().map(|campaign| &campaign.presentation)
    }

    /// The scripts' screen effect; none where they never had one.
    pub fn screen_effect(&self) -> Option<ScreenEffect> {
        self.campaign.as_ref()?.screen
    }

    /// The camera, while a script has it (COOP-61).
    pub fn scripted_camera(&self) -> Option<Camera> {
        self.presentation()?.camera
    }

    /// Whether players' sticks and buttons do nothing (COOP-61).
    pub fn is_input_disabled(&self) -> bool {
        self.presentation().is_some_and(|shown| shown.input_disabled)
    }

    /// The cluster that a cutscene keeps active (COOP-56).
    pub fn active_cluster(&self) -> Option<u16> {
        self.presentation()?.cluster
    }

    /// Whether a team is the players' ally or friend, as scripts have it (COOP-06).
    pub fn is_ally(&self, team: u8) -> bool {
        let is = |shown: &Presentation| shown.allied.contains(team) || shown.friendly.contains(team);
        self.presentation().is_some_and(is)
    }

    /// Where the way is shown to all: of several places the one that was shown last.
    pub fn goal(&self) -> Option<Vec3> {
        let campaign = self.campaign.as_ref()?;
        campaign.points.iter().rev().find_map(|point| match point {
            Navigation::TeamToFlag(PLAYERS, place) => {
                campaign.level.places.get(usize::from(*place)).map(|place| place.position)
            }
            Navigation::TeamToObject(PLAYERS, object) => self.place_of(*object),
            _ => None,
        })
    }

    /// Every point that is shown, in the order in which that began.
    pub fn points(&self) -> &[Navigation] {
        self.campaign.as_ref().map_or(&[], |campaign| &campaign.points)
    }

    /// Moves what scripts did once since this was last asked to the end of `into`.
    pub fn take_actions(&mut self, into: &mut Vec<Action>) {
        self.campaign.iter_mut().for_each(|campaign| into.append(&mut campaign.actions));
    }

    /// What an input comes to in a cutscene: one that looks where it looked and does nothing.
    pub fn still(&self, slot: Slot) -> Input {
        let (yaw, pitch) = self.aim(slot).unwrap_or_default();
        Input { yaw, pitch, ..Input::default() }
    }

    // What becomes of it.

    /// The host shows that, from now on.
    pub fn present(&mut self, shown: &Presentation) {
        if let Some(campaign) = self.campaign.as_mut() {
            campaign.presentation = *shown;
            self.note_presentation();
            self.hear_allies(shown.allied);
        }
    }

    /// The host's word on the screen's effect.
    pub fn set_screen_effect(&mut self, effect: &ScreenEffect) {
        let Some(campaign) = self.campaign.as_mut() else { return };
        let was = campaign.screen.replace(*effect).is_some_and(|screen| screen.has_control);
        if was != effect.has_control {
            self.note_showed(Showed::Screen(effect.has_control));
        }
    }

    /// Something happens once that scripts have happen. Nothing does of what is not here.
    pub fn show_action(&mut self, action: &Action) {
        if !self.is_known(action) {
            return;
        }
        match action {
            Action::NavigationPoint(point) => self.keep_point(point.of, point.shows),
            Action::SceneryAnimation(animation) => self.play(animation),
            Action::UnitOpen { unit, opens } => self.set_doors(*unit, *opens),
            _ => {}
        }
        self.note_showed(Showed::Action(*action));
    }

    fn keep_point(&mut self, of: Navigation, shows: bool) {
        let Some(campaign) = self.campaign.as_mut() else { return };
        campaign.points.retain(|known| *known != of);
        if shows {
            if campaign.points.len() == MOST_POINTS {
                campaign.points.remove(0);
            }
            campaign.points.push(of);
        }
    }

    /// Whether what an action names is here.
    fn is_known(&self, action: &Action) -> bool {
        let Some(level) = self.level() else { return false };
        let has = |count: usize, index: u16| usize::from(index) < count;
        match *action {
            Action::Sound(sound) => {
                level.sound_of(sound.sound).is_some() && sound.on.is_none_or(|on| self.has_named(on))
            }
            Action::ChapterTitle(text)
            | Action::Hud(HudText::Help(text) | HudText::Objective(text) | HudText::FlashHelp(text)) => {
                has(level.texts.len(), text)
            }
            Action::Hud(HudText::Clear | HudText::Checkpoint { .. })
            | Action::PlayerEffect(_)
            | Action::Reverted => true,
            // One that is no longer shown may mark what is no more.
            Action::NavigationPoint(point) if !point.shows => true,
            Action::NavigationPoint(point) => match point.of {
                Navigation::TeamToFlag(_, flag) => has(level.places.len(), flag),
                Navigation::TeamToObject(_, object) => self.has_named(object),
                Navigation::UnitToFlag(unit, flag) => self.has_named(unit) && has(level.places.len(), flag),
                Navigation::UnitToObject(unit, object) => {
                    self.has_named(unit) && self.objects.get(object).is_some()
                }
            },
            Action::UnitAnimation(of) | Action::SceneryAnimation(of) => {
                self.has_named(of.object) && has(level.animations.len(), of.animation)
            }
            Action::Effect { effect, at } => {
                let is_there = match at {
                    EffectPlace::Flag(flag) => has(level.places.len(), flag),
                    EffectPlace::Marker(object, _) => self.has_named(object),
                };
                level.effect_of(effect).is_some() && is_there
            }
            Action::Attachment(of) => self.has_named(of.parent) && self.has_named(of.child),
            Action::UnitOpen { unit, .. } => self.has_named(unit),
            // What breaks goes its own way.
            Action::SurfaceBroken(_) => false,
        }
    }

    /// A tick of what goes on by itself: a fade, a camera on its way, a timer. Where this world decides.
    pub(super) fn run_presentation(&mut self) {
        let (tick, allied) = (self.tick.get(), self.allies_of_players());
        let Some(campaign) = self.campaign.as_mut() else { return };
        let now = campaign.played.unwrap_or(0);
        (campaign.presentation.allied, campaign.presentation.friendly) = (allied, allied);
        let fade = &mut campaign.presentation.fade;
        let passed = tick.saturating_sub(fade.start).clamp(0, i32::from(fade.ticks));
        fade.elapsed = passed as i16;
        if let Some(sweep) = &campaign.sweep {
            campaign.presentation.camera = Some(sweep.at(now));
            if now - sweep.since >= sweep.ticks {
                campaign.sweep = None;
            }
        }
        if let Some(timer) = &mut campaign.presentation.timer
            && !timer.paused
            && timer.reference != tick
        {
            timer.ticks = (timer.ticks - 1).max(0);
        }
        self.note_presentation();
    }

    /// Notes what is shown now and was not, and the other way round.
    fn note_presentation(&mut self) {
        let Self { campaign, events, .. } = self;
        let Some(campaign) = campaign.as_mut() else { return };
        let now = campaign.presentation;
        let was = std::mem::replace(&mut campaign.noted, now);
        let mut note = |showed| events.push(Event::Showed(showed));
        let all: [Noted; 9] = [
            (|shown| shown.cinematic, Showed::Cinematic),
            (|shown| shown.letterbox, Showed::Letterbox),
            (|shown| !shown.input_disabled, Showed::Input),
            (|shown| shown.shows_hud, Showed::Hud),
            (|shown| shown.shows_help_text, Showed::Helps),
            (|shown| shown.camera.is_some(), Showed::Camera),
            (|shown| shown.timer.is_some(), Showed::Timer),
            (|shown| shown.shakes, Showed::Shakes),
            (|shown| shown.vitality.is_some(), Showed::Vitality),
        ];
        for (of, showed) in all {
            if of(&was) != of(&now) {
                note(showed(of(&now)));
            }
        }
        let begun =
            |Presentation { fade, .. }: &Presentation| (fade.start, fade.ticks, fade.is_out, fade.colour);
        if begun(&was) != begun(&now) {
            note(Showed::Fade(now.fade.is_out));
        }
        if was.cluster != now.cluster {
            note(Showed::Cluster(now.cluster));
        }
        if was.allied != now.allied {
            let changed = (0..128).filter(|team| was.allied.contains(*team) != now.allied.contains(*team));
            changed.for_each(|team| note(Showed::Ally(team, now.allied.contains(team))));
        }
    }

    /// In a cutscene no player does anything, whoever drives it.
    pub(in crate::game::world) fn hold_players(&mut self) {
        if !self.is_input_disabled() {
            return;
        }
        for slot in Slot::all() {
            let still = self.still(slot);
            let has_unit = self.unit(slot).is_some();
            if let Some(player) = self.players[slot.index()].as_mut() {
                let (yaw, pitch) = (player.input.yaw, player.input.pitch);
                player.input = if has_unit { still } else { Input { yaw, pitch, ..Input::default() } };
                debug_assert_eq!(player.input.buttons, Buttons::default());
            }
        }
    }
}

impl Sweep {
    /// Where the camera is in that tick of the level.
    fn at(&self, now: u32) -> Camera {
        let Self { from, to, .. } = self;
        let share = ((now - self.since) as f32 / self.ticks.max(1) as f32).min(1.0);
        if share >= 1.0 {
            return *to;
        }
        let between = |a: Vec3, b: Vec3| a + (b - a) * share;
        let forward = one_long(between(from.axes.forward, to.axes.forward));
        let up = between(from.axes.up, to.axes.up);
        let up = forward.map(|forward| (forward, up - forward * dot(forward, up)));
        let axes = up.and_then(|(forward, up)| Some(Axes { forward, up: one_long(up)? }));
        let field = from.field_of_view + (to.field_of_view - from.field_of_view) * share;
        Camera {
            position: between(from.position, to.position),
            // One that turns right round has no way between.
            axes: axes.unwrap_or(to.axes),
            field_of_view: field,
            ..*to
        }
    }
}

fn one_long(of: Vec3) -> Option<Vec3> {
    let length = of.length();
    (length > 1e-3).then(|| of * (1.0 / length))
}

fn dot(a: Vec3, b: Vec3) -> f32 {
    a.x * b.x + a.y * b.y + a.z * b.z
}
