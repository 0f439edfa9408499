//! A report that passed as the game is to deal it: what is the host's in it, and what the tags say. Refuses nothing.

use mjolnir_wire::damage::{Damage, Hit};
use mjolnir_wire::{ObjectId, Vec3};

use crate::rows::PlayerRow;
use crate::shape;
use crate::tags::{AreaForm, Effect, Tags, Target};

/// The hit as it is dealt: only flags that a client's hit may have (DMG-29), in the form that the game deals that damage in
/// (DMG-30), an explosion no harder than its fall-off leaves at the target's centre (DMG-31), and the host's multiplier, team
/// and owner (DMG-33).
pub(crate) fn dealt(
    hit: &Hit,
    (effect, is_explosion): (&Effect, bool),
    direction: Vec3,
    target: &Target,
    (row, owner): (&PlayerRow, Option<ObjectId>),
    tags: &impl Tags,
) -> Hit {
    let damage = &hit.damage;
    let damage = Damage {
        flags: flags(damage.flags, effect.form, tags),
        owner: Some(row.slot),
        team: row.team,
        owner_object: owner,
        direction,
        scale: if is_explosion && effect.falls_off {
            let distance = damage.epicentre.distance(shape::centre(hit, target));
            damage.scale.min(tags.fall_off(damage.effect, distance).max(0.0))
        } else {
            damage.scale
        },
        multiplier: row.multiplier,
        ..*damage
    };
    Hit { damage, ..*hit }
}

fn flags(said: u32, form: AreaForm, tags: &impl Tags) -> u32 {
    let known = tags.flags();
    let area = match form {
        AreaForm::Direct => 0,
        AreaForm::Area => known.area,
        AreaForm::Both => said & known.area,
    };
    said & known.client & !known.area | area
}
