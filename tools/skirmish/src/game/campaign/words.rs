//! What a line of a script says. Knows no text and no world.

use mjolnir_wire::Vec3;
use mjolnir_wire::events::{HudText, PlayerEffect, SoundAction};
use mjolnir_wire::scripted::ScreenEffect;

/// Whom a line acts upon (COOP-22).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The first of the scripts' players; what is done to it is done to those past the second too.
    Player0,
    /// The second.
    Player1,
}

/// What a script waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// Some player is in that volume.
    Any(u16),
    /// Every living player is, and there is one.
    All(u16),
    /// Nobody of that squad lives.
    Dead(String),
    /// Fewer than that of that squad live.
    Below(String, u16),
    /// That group is set to that.
    Group(u16, f32),
    /// And its devices stand there.
    Stands(u16, f32),
    /// So many ticks have passed since the level began.
    Time(u32),
    /// That named vehicle has flown its way, or is no more.
    Arrived(u16),
    /// Nobody rides that named vehicle, or it is no more.
    Empty(u16),
    /// That named object is no more.
    Gone(u16),
    /// That script has run to its end.
    Done(String),
}

/// Whether, and where, the way is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// At that place, to all.
    Place(u16),
    /// At that named object, to all.
    Named(u16),
    /// At that place, to one.
    Of(Who, u16),
}

/// What a script's line does.
#[derive(Clone, Debug, PartialEq)]
pub enum Word {
    /// The script goes on so many ticks later.
    Sleep(u32),
    /// It goes on once that is so, or after so many ticks.
    Until(Condition, Option<u32>),
    /// Another script begins.
    Wake(String),
    /// A named object is made.
    Create(u16),
    /// It is deleted.
    Delete(u16),
    /// Players are put at a place.
    Teleport(Who, u16),
    /// A named object is put there, facing so many radians.
    Move(u16, Vec3, f32),
    /// A region of a named object has that form.
    Region(u16, u8, u8),
    /// A named object has that size.
    Scale(u16, f32),
    /// A named object plays an animation.
    Animate(u16, u16),
    /// Everybody of a squad plays one.
    Act(String, u16),
    /// A named vehicle opens or closes its doors.
    Open(u16, bool),
    /// A named object is hung on another, or taken off it.
    Attach(u16, u16, bool),
    /// A sound, on a named object or everywhere.
    Sound(SoundAction, u16, Option<u16>),
    /// A chapter's title.
    Title(u16),
    /// What the HUD says.
    Say(HudText),
    /// An effect at a place.
    Effect(u16, u16),
    /// The screen fades to a colour, or from it, in so many ticks.
    Fade(bool, [u8; 3], u16),
    /// A cinematic begins or ends.
    Cinematic(bool),
    /// Bars are on the screen.
    Letterbox(bool),
    /// Players' sticks and buttons do something.
    Input(bool),
    /// The HUD is shown.
    Hud(bool),
    /// The HUD's help is.
    Helps(bool),
    /// A camera looks, which is there after so many ticks; none: players look for themselves.
    Camera(Option<(u16, u32)>),
    /// What players' cameras do.
    Shake(PlayerEffect),
    /// They shake on and on.
    Shakes(bool),
    /// A timer counts down so many ticks; none is shown.
    Timer(Option<u16>),
    /// It stands.
    Pause(bool),
    /// The way is shown, or no longer.
    Way(Point, bool),
    /// The way is shown to there alone; none to nowhere.
    Goal(Option<u16>),
    /// The most of health and shield that players have; none: as ever.
    Vitality(Option<(f32, f32)>),
    /// That cluster is kept active.
    Cluster(Option<u16>),
    /// A group of devices is set.
    Group(u16, f32),
    /// They are there at once.
    Snap(u16, f32),
    /// They have that power.
    Power(u16, f32),
    /// The screen's effect; none: a script no longer has it.
    Screen(Option<Box<ScreenEffect>>),
    /// Two teams are allies, or no longer.
    Ally(u8, u8, bool),
    /// A squad is placed.
    Squad(String),
    /// A squad takes the free seats of a named vehicle.
    Board(String, u16),
    /// Whoever rides a named vehicle is let out.
    Unload(u16),
    /// A named vehicle flies that path of the map.
    Fly(u16, u16),
    /// The level is won.
    Win,
    /// The mission failed.
    Fail,
}
