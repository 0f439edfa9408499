//! The golden vectors: each is shown with the values that it says.

use serde_json::Value;

use super::bytes::{hex, shown, vectors};

/// Where a vector's fields stand in what is shown, by kind: its own short names, those of the record.
const DISTRIBUTED: &[(u64, &str)] = &[
    (1, "body=body_vitality shield=shield_vitality"),
    (2, "body=body_vitality shield=shield_vitality killer=killer_player"),
    (
        3,
        "s.kills=statistics/kills_by_kind s.assists=statistics/assists_by_kind s.deaths=statistics/deaths \
         s.suicides=statistics/suicides s.shots=statistics/shots_fired s.hits=statistics/shots_hit \
         s.last_kill=statistics/last_kill_time s.spree=statistics/kills_in_a_row \
         s.multikill=statistics/multiple_kills",
    ),
    (4, "grenades=grenade_counts in_hand=weapon_in_hand total=rounds_total loaded=rounds_loaded"),
    (
        5,
        "op=change owner=owner_player shader=forced_shader_permutation tag=definition_tag team=owner_team \
         variant=variant_number pos=position fwd=forward vel=velocity ang=angular_velocity colors=change_colours \
         regions=region_permutations",
    ),
    (7, "postgame=post_game_phase"),
    (
        10,
        "what=kind d.tag=damage/damage_effect_tag d.flags=damage/flags d.owner_player=damage/owner_player \
         d.team=damage/owner_team d.owner_object=damage/owner_object d.origin=damage/origin \
         d.epicenter=damage/epicentre d.dir=damage/direction d.scale=damage/scale d.mult=damage/multiplier \
         d.mat_scale=damage/material_effect_scale d.material=damage/material_type \
         hurt_flags=being_damaged_flags shield=shield_damage body=body_damage \
         body_mult=body_damage_multiplier total=total_damage part=body_part",
    ),
    (12, "pos=position fwd=forward vel=velocity ang=angular_velocity"),
    (13, "amount=count"),
    (
        14,
        "bsp=structure_bsp action.buttons=buttons action.yaw=yaw action.pitch=pitch action.move_fwd=throttle/0 \
         action.move_side=throttle/1 action.trigger=trigger action.weapon=weapon action.grenade=grenade \
         action.zoom=zoom",
    ),
    (15, "trigger=primary_trigger"),
    (18, "id=discord_id"),
    (19, "ms=milliseconds"),
    (65, "bsp=index"),
    (
        66,
        "fade_rgb=fade_colour fade_len=fade_ticks fade_at=fade_elapsed fade_start=fade_start_time \
         cam_pos=camera_position cam_fwd=camera_forward cam_up=camera_up fov=field_of_view votes=skip_votes \
         voters=skip_voters timer_ref=timer_reference_time cam_scripted=camera_scripted \
         cam_object=camera_object cluster_plus1=activating_cluster_plus_one allies=allied_teams \
         friends=friendly_teams",
    ),
    (68, "name=object_name tag=definition_tag"),
    (69, "bsp=structure_bsp names=name_count"),
    (70, "on=voted"),
    (72, "name=object_name tag=definition_tag pos=position fwd=forward"),
    (73, "cur_shield=current_shield rec_shield=recent_shield cur_body=current_body rec_body=recent_body"),
    (74, "name=object_name tag=definition_tag regions=region_permutations"),
    (75, "anim=animation type=animation_type seq=number"),
    (77, "name=object_name tag=definition_tag"),
    (79, "secs=seconds_left"),
    (80, "seq=sequence len=length opus=packet"),
    (82, "near_tenths=nearness_tenths"),
];

/// The same of the game's own packets.
const GAME: &[(u64, &str)] = &[
    (1, "time_ms=timestamp"),
    (3, "time_ms=timestamp"),
    (8, "host_time_low16=time"),
    (10, "time=value"),
    (13, "color=colour"),
    (15, "machine_name=name"),
    (17, "event=request"),
    (21, "color=colour"),
    (22, "color=colour quit_time=at"),
    (
        25,
        "buttons=actions/0/flags yaw=actions/0/reals/0 pitch=actions/0/reals/1 throttle_i=actions/0/reals/2 \
         throttle_j=actions/0/reals/3 trigger=actions/0/reals/4 weapon=actions/0/choices/0 \
         grenade=actions/0/choices/1 zoom=actions/0/choices/2",
    ),
];

/// The field of what is shown that a vector's field is.
fn place(aliases: &[(u64, &str)], kind: u64, name: &str, fields: &Value) -> String {
    // `e.x[1]`, `e[2].x`, `d->x`, `g.x[0]`, `x`.
    let name = name.replace("d->", "d.").replace('[', ".").replace(']', "");
    let mut words: Vec<&str> = name.split('.').collect();
    if ["e", "g"].contains(&words[0]) {
        words.remove(0);
    }
    let entry = words[0].parse::<usize>().ok();
    words.drain(..usize::from(entry.is_some()));
    let entry = entry.unwrap_or(0);
    let numbers = words.iter().position(|word| word.parse::<usize>().is_ok()).unwrap_or(words.len());
    let (named, numbers) = words.split_at(numbers);
    let named = named.join(".");
    let of_kind = aliases.iter().find(|(of, _)| *of == kind).map_or("", |(_, names)| names);
    let alias = of_kind.split_whitespace().find_map(|pair| pair.strip_prefix(&format!("{named}=")));
    let mut field = alias.unwrap_or(&named).to_owned();
    for number in numbers {
        field.push_str(&format!("/{number}"));
    }
    [format!("/entries/{entry}/{field}"), format!("/player/{field}"), format!("/{field}")]
        .into_iter()
        .find(|place| fields.pointer(place).is_some())
        .unwrap_or_else(|| panic!("kind {kind}: no {field}, which the vector calls {name}"))
}

/// Whether both say the same: numbers within what a rounded direction can be off.
fn same(theirs: &Value, ours: &Value) -> bool {
    match (theirs, ours) {
        (Value::Object(packed), ours) => same(&packed["real"], ours),
        (Value::Array(theirs), Value::Array(ours)) => {
            theirs.len() == ours.len() && theirs.iter().zip(ours).all(|(theirs, ours)| same(theirs, ours))
        }
        (Value::Number(theirs), Value::Number(ours)) if theirs.is_i64() && ours.is_i64() => theirs == ours,
        (Value::Number(theirs), Value::Number(ours)) => {
            (theirs.as_f64().unwrap() - ours.as_f64().unwrap()).abs() <= 1.0 / 32767.0
        }
        (theirs, ours) => theirs == ours,
    }
}

fn fields_agree(vector: &Value, fields: &Value) -> usize {
    let (kind, distributed) = (vector["kind"].as_u64().unwrap(), vector["space"] == "distributed");
    let aliases = if distributed { DISTRIBUTED } else { GAME };
    let mut said: Vec<(String, Value)> = vector["fields"].as_object().unwrap().clone().into_iter().collect();
    if let Some(entry) = vector["fields"]["entry"].as_object() {
        said.retain(|(name, _)| name != "entry");
        said.extend(entry.clone());
    }
    for (name, theirs) in &said {
        let ours = match (distributed, kind, name.as_str()) {
            (true, _, "count") => fields["count"].clone(),
            (true, _, "game_time") => fields["tick"].clone(),
            // What the fields of the entry are called that the vector has in one list.
            (true, 15, "throttle") => {
                let entry = &fields["entries"][0];
                vec![entry["throttle_ahead"].clone(), entry["throttle_left"].clone()].into()
            }
            (true, 15, "flags_newest_first") => {
                let entry = &fields["entries"][0];
                // The older ones stand in no entry that says with no part that they differ.
                assert_eq!((&entry["parts"], entry.get("buttons_one_tick_before")), (&0.into(), None));
                vec![entry["buttons"].clone(); 4].into()
            }
            (true, 16, "messages") => {
                let names: Vec<_> = fields["parts"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|part| part["name"].as_str().unwrap())
                    .collect();
                assert_eq!(names, ["unit_states", "pings"]);
                continue;
            }
            (true, 69, "present_names") => {
                let bits = fields["entries"][0]["bits"].as_array().unwrap();
                let bit = |name: &u64| bits[*name as usize / 8].as_u64().unwrap() >> (name % 8) & 1 != 0;
                (0..512).filter(bit).collect::<Vec<_>>().into()
            }
            // What nobody looks at is not kept.
            (false, 10 | 23 | 24, _) => {
                assert_eq!(fields["value"], Value::Null);
                continue;
            }
            (false, 25, "actions") => fields["actions"].as_array().unwrap().len().into(),
            (false, 6, "record") => {
                assert!(fields["bytes"].as_str().unwrap().starts_with("54006500730074000000"));
                continue;
            }
            _ => fields.pointer(&place(aliases, kind, name, fields)).unwrap().clone(),
        };
        assert!(same(theirs, &ours), "{} {name}: {theirs} {ours}", vector["name"]);
    }
    said.len()
}

/// Every vector's fields are shown, each with the value that the vector says.
#[test]
fn every_vector_is_shown_with_its_values() {
    let (mut spaces, mut fields) = ([0; 2], 0);
    for vector in vectors() {
        let shown = shown(&hex(vector["hex"].as_str().unwrap())).unwrap();
        for same in ["space", "kind", "name"] {
            assert_eq!(shown[same], vector[same], "{}", vector["name"]);
        }
        fields += fields_agree(&vector, &shown["fields"]);
        spaces[usize::from(vector["space"] == "distributed")] += 1;
    }
    assert_eq!(spaces, [18, 34]);
    assert!(fields > 250, "{fields}");
}
