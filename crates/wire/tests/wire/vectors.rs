//! The golden vectors: each is read to its named fields, and written back to its bytes the way that it is sent.
//!
//! A vector of a kind without a check here fails the suite. The game's own packets are read and written back here;
//! their fields are `packets`' own tests' concern.

use mjolnir_wire::actors::ActorDamage;
use mjolnir_wire::coop::{
    CoopDeviceGroupEntry, CoopDeviceStateEntry, CoopObjectLookEntry, CoopObjectNamesEntry,
    CoopObjectTransformEntry, CoopPresentationEntry, CoopSkipVoteEntry,
};
use mjolnir_wire::damage::{
    ActorDamageEntry, AnimationKind, DamageAnimation, DamageAnimationEntry, DamageEvent, DamageEventEntry,
    EventKind,
};
use mjolnir_wire::game_state::{Body, GameState};
use mjolnir_wire::inputs::{PlayerInput, PlayerInputEntry, RelayedAction, RelayedActions};
use mjolnir_wire::message::{MessageType, word};
use mjolnir_wire::objects::{
    Inventory, InventoryEntry, ObjectChangeEntry, ObjectStateEntry, VehiclePrediction,
};
use mjolnir_wire::packets::{PACKETS, Packet};
use mjolnir_wire::pickups::{Pickup, PickupEntry};
use mjolnir_wire::pings::PingEntry;
use mjolnir_wire::presentation::{Camera, Fade, Presentation, TeamSet};
use mjolnir_wire::rules::{AimAssistPolicy, AimAssistPolicyEntry};
use mjolnir_wire::scripted::{Look, ObjectNames, Transform};
use mjolnir_wire::session::{ClientIdentityEntry, ClientReady, Notice, StructureBspEntry};
use mjolnir_wire::space::{PackedAngular, PackedUnit, PackedVelocity, pack_angle};
use mjolnir_wire::statistics::{PlayerStatistics, PlayerStatisticsEntry};
use mjolnir_wire::units::{Death, Life, Ride, UnitState};
use mjolnir_wire::voice::{VoiceConfigEntry, VoiceUpHeader};
use mjolnir_wire::votekick::{VotekickStatus, VotekickStatusEntry};
use mjolnir_wire::{
    Axes, BatchWriter, Buttons, Error, Input, Kind, Machine, MachineSet, Message, ObjectChange, ObjectName,
    Outbox, Parts, Ping, Tag, Vec3,
};
use serde_json::Value;

use super::bytes::{hex, object, sent, slot, tick, written};

/// One golden vector.
#[derive(Clone, Debug)]
pub(crate) struct Vector {
    pub(crate) distributed: bool,
    pub(crate) kind: u8,
    pub(crate) name: String,
    fields: Vec<(String, Value)>,
    pub(crate) bytes: Vec<u8>,
}

pub(crate) fn all() -> Vec<Vector> {
    let vectors: Vec<Value> = serde_json::from_str(include_str!("../vectors.json")).unwrap();
    vectors
        .iter()
        .map(|vector| {
            let bytes = hex(vector["hex"].as_str().unwrap());
            assert_eq!(vector["size"], bytes.len());
            Vector {
                distributed: vector["space"] == "distributed",
                kind: vector["kind"].as_u64().unwrap().try_into().unwrap(),
                name: vector["name"].as_str().unwrap().to_owned(),
                fields: vector["fields"].as_object().unwrap().clone().into_iter().collect(),
                bytes,
            }
        })
        .collect()
}

/// The numbers of a field, in order.
trait Numbers {
    fn numbers(&self) -> Vec<f64>;
}

macro_rules! numbers {
    ($($ty:ident)*) => {$(
        impl Numbers for $ty {
            fn numbers(&self) -> Vec<f64> {
                vec![f64::from(*self)]
            }
        }
    )*};
}
numbers!(u8 i8 u16 i16 u32 i32 f32);

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    fn numbers(&self) -> Vec<f64> {
        self.iter().flat_map(T::numbers).collect()
    }
}

impl Numbers for Vec3 {
    fn numbers(&self) -> Vec<f64> {
        self.to_array().numbers()
    }
}

macro_rules! packed_numbers {
    ($($ty:ident)*) => {$(
        impl Numbers for $ty {
            fn numbers(&self) -> Vec<f64> {
                self.0.numbers()
            }
        }
    )*};
}
packed_numbers!(PackedUnit PackedVelocity PackedAngular);

/// The numbers of a vector's field; of a packed one those that travel.
fn said(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(values) => values.iter().flat_map(said).collect(),
        Value::Object(packed) => said(&packed["raw"]),
        value => vec![value.as_f64().unwrap()],
    }
}

impl Vector {
    fn message(&self) -> Message<'_> {
        let message = Message::read(&self.bytes).unwrap();
        assert_eq!(message.kind as u8, self.kind);
        assert_eq!(message.kind.name(), self.name);
        let number = |name: &str| self.field(name).as_i64().unwrap();
        assert_eq!(i64::from(message.count), number("count"));
        assert_eq!(i64::from(message.tick.get()), number("game_time"));
        message
    }

    fn field(&self, name: &str) -> &Value {
        &self.fields.iter().find(|(field, _)| field == name).unwrap_or_else(|| panic!("{name}")).1
    }

    /// The entries, as `write` gives each again, are sent as the vector's bytes.
    fn comes_back(&self, update: i32, entries: &[Vec<u8>]) {
        let message = self.message();
        assert_eq!(sent(message.kind, message.tick, update, entries), self.bytes, "{}", self.name);
    }
}

/// Every named field of the vector is the one of ours that is given for it, and none is left out.
macro_rules! same {
    ($vector:expr, $($name:literal => $ours:expr),+ $(,)?) => {{
        let mut left: Vec<_> = $vector.fields.iter().map(|(name, _)| name.as_str()).collect();
        left.retain(|name| !["count", "game_time"].contains(name));
        $(
            let theirs: Vec<f64> = said($vector.field($name));
            let ours: Vec<f64> = $ours.numbers();
            // A number with a fraction stands in the vector as a float's shortest text.
            let same = theirs.len() == ours.len()
                && theirs.iter().zip(&ours).all(|(a, b)| a == b || f64::from(*a as f32) == *b);
            assert!(same, "{} {}: {theirs:?} {ours:?}", $vector.name, $name);
            left.retain(|name| *name != $name);
        )+
        assert!(left.is_empty(), "{}: {left:?}", $vector.name);
    }};
}

/// A raw entry of the vector's message, which is written back.
macro_rules! raw {
    ($vector:expr, $ty:ty) => {{
        let message = $vector.message();
        let entries: Vec<$ty> = message.entries().map(|entry| <$ty>::read(entry).unwrap()).collect();
        assert_eq!(entries.len(), usize::from(message.count));
        $vector.comes_back(0, &entries.iter().map(|entry| written(|to| entry.write(to))).collect::<Vec<_>>());
        entries[0]
    }};
}

fn unit_states(vector: &Vector) {
    let message = vector.message();
    let states: Vec<UnitState> = UnitState::read_all(&message).map(Result::unwrap).collect();
    vector.comes_back(0, &[written(|to| states[0].write(to))]);
    assert_eq!(states.len(), 1);
    let entry = &vector.field("entry");
    let number = |name: &str| entry[name].as_i64().unwrap();
    let vitality = |name: &str| entry[name].as_f64().unwrap() as f32;
    let vector3 = |name: &str| {
        let parts: Vec<f32> = said(&entry[name]).into_iter().map(|part| part as f32).collect();
        Vec3::new(parts[0], parts[1], parts[2])
    };
    let state = states[0];
    assert_eq!(i64::from(state.slot.get()), number("player"));
    assert_eq!([i64::from(vector.bytes[9]), i64::from(vector.bytes[10])], [number("flags"), number("parts")]);
    match state.life {
        Life::Dead(death) => {
            let killer = Some(slot(number("killer").try_into().unwrap()));
            assert_eq!(death, Death { killer, by_friend: false, by_vehicle: true });
        }
        Life::Alive(unit) => {
            assert_eq!(unit.unit, object(number("unit").try_into().unwrap()));
            assert_eq!((unit.body, unit.shield), (vitality("body"), vitality("shield")));
            match unit.placement {
                Some(placement) => {
                    assert_eq!(unit.ride, None);
                    assert_eq!(placement.position, vector3("position"));
                    assert_eq!(placement.velocity, vector3("velocity"));
                    assert!((placement.axes.forward - vector3("forward")).length() < 1.0 / 32767.0);
                    assert_eq!(placement.axes.up, Vec3::UP);
                }
                None => {
                    let vehicle = Some(object(number("vehicle").try_into().unwrap()));
                    assert_eq!(unit.ride, Some(Ride { vehicle, seat: number("seat").try_into().unwrap() }));
                }
            }
        }
    }
}

fn object_changes(vector: &Vector) {
    let message = vector.message();
    let ObjectChange::Create(made) = ObjectChange::read_all(&message).next().unwrap().unwrap() else {
        panic!("a deletion");
    };
    vector.comes_back(0, &[written(|to| ObjectChange::Create(made).write(to))]);
    let raw = raw!(vector, ObjectChangeEntry);
    same!(vector,
        "e.op" => raw.change,
        "e.flags" => raw.flags,
        "e.owner" => made.owner.unwrap().get(),
        "e.shader" => made.shader_permutation,
        "e.object" => made.object.raw(),
        "e.tag" => made.tag.raw(),
        "e.team" => made.team.unwrap(),
        "e.variant" => made.variant,
        "e.pos" => made.position,
        "e.fwd" => made.axes.forward,
        "e.up" => made.axes.up,
        "e.vel" => made.velocity,
        "e.ang" => made.angular_velocity,
        "e.colors[0]" => made.colours[0],
        "e.colors[1]" => made.colours[1],
        "e.colors[2]" => made.colours[2],
        "e.colors[3]" => made.colours[3],
        "e.regions" => made.regions,
    );
    assert!(!made.carried && !made.at_rest && !made.dead);
}

fn player_inputs(vector: &Vector) {
    let message = vector.message();
    let input = PlayerInput::read_all(&message).next().unwrap().unwrap();
    vector.comes_back(0, &[written(|to| input.write(to))]);
    let raw = raw!(vector, PlayerInputEntry);
    assert!(!input.friendly_fire);
    assert_eq!((input.input.weapon, input.input.grenade, input.input.zoom), (None, None, None));
    same!(vector,
        "e.player" => input.slot.get(),
        "e.bsp" => input.structure_bsp.unwrap(),
        "e.tick" => input.tick.get(),
        "e.host_tick" => input.host_tick.get(),
        "e.action.buttons" => input.input.buttons.0,
        "e.action.yaw" => input.input.yaw,
        "e.action.pitch" => input.input.pitch,
        "e.action.move_fwd" => input.input.throttle[0],
        "e.action.move_side" => input.input.throttle[1],
        "e.action.trigger" => input.input.trigger,
        "e.action.weapon" => raw.weapon,
        "e.action.grenade" => raw.grenade,
        "e.action.zoom" => raw.zoom,
        "e.history[0]" => input.history[0].0,
        "e.history[1]" => input.history[1].0,
        "e.history[2]" => input.history[2].0,
        "e.history[3]" => input.history[3].0,
    );
}

fn relayed_actions(vector: &Vector) {
    let message = vector.message();
    let mut actions = RelayedActions::read(&message).unwrap();
    let update = actions.update;
    assert_eq!(i64::from(update), vector.field("update_number").as_i64().unwrap());
    let action = actions.next().unwrap().unwrap();
    assert!(actions.next().is_none());
    vector.comes_back(update, &[written(|to| action.write(to))]);
    let entry = vector.field("entry");
    let real = |name: &str| entry[name].as_f64().unwrap() as f32;
    let none =
        Input { throttle: [1.0, 0.0], yaw: action.input.yaw, pitch: action.input.pitch, ..Input::default() };
    assert_eq!(action, RelayedAction { slot: slot(3), input: none, history: [Buttons(0); 4] });
    assert_eq!(entry["player"], 3);
    assert_eq!(pack_angle(action.input.yaw), pack_angle(real("yaw")));
    assert_eq!(pack_angle(action.input.pitch), pack_angle(real("pitch")));
}

fn batch(vector: &Vector) {
    let message = vector.message();
    let parts: Vec<Message<'_>> = Parts::of(&message).map(Result::unwrap).collect();
    let kinds: Vec<_> = parts.iter().map(|part| (part.kind, part.count, part.tick)).collect();
    assert_eq!(kinds, [(Kind::UnitStates, 1, message.tick), (Kind::Pings, 2, message.tick)]);
    let mut outbox = Outbox::new();
    outbox.begin(message.tick, 0);
    for state in UnitState::read_all(&parts[0]) {
        outbox.entry(MachineSet::CLIENTS, Kind::UnitStates, |bytes| state.unwrap().write(bytes)).unwrap();
    }
    for ping in Ping::read_all(&parts[1]) {
        outbox.entry(MachineSet::CLIENTS, Kind::Pings, |bytes| ping.unwrap().write(bytes)).unwrap();
    }
    let mut datagrams = 0;
    outbox.gather_datagrams(Machine::new(3).unwrap(), &mut BatchWriter::new(), |bytes| {
        assert_eq!(bytes, vector.bytes);
        datagrams += 1;
    });
    assert_eq!(datagrams, 1);
}

/// A message that is sent whole by stream, with that body.
fn whole(vector: &Vector, body: &[u8]) {
    let message = vector.message();
    let mut outbox = Outbox::new();
    outbox.begin(message.tick, 0);
    outbox.message(MachineSet::CLIENTS, message.kind, message.count, |bytes| bytes.extend(body)).unwrap();
    let mut bytes = Vec::new();
    outbox.gather_stream(Machine::new(1).unwrap(), &mut bytes);
    assert_eq!(bytes, vector.bytes, "{}", vector.name);
}

fn game_state(vector: &Vector) {
    let state = GameState::read(vector.message().body, 1).unwrap();
    whole(vector, &written(|to| state.write(to)));
    let GameState { post_game_phase, body: Body::Ctf(body) } = state else { panic!("another game") };
    same!(vector,
        "postgame" => post_game_phase,
        "g.flag_weapon[0]" => body.flag_weapon[0],
        "g.flag_weapon[1]" => body.flag_weapon[1],
        "g.score[0]" => body.score[0],
        "g.score[1]" => body.score[1],
        "g.swap_timer" => body.swap_timer,
        "g.flag_place[0]" => body.flag_place[0],
        "g.flag_place[1]" => body.flag_place[1],
        "g.flag_team[0]" => body.flag_team[0],
        "g.flag_team[1]" => body.flag_team[1],
        "g.captures[1]" => body.captures[1],
        "g.capturer[1]" => body.capturer[1],
    );
}

fn damage_events(vector: &Vector) {
    let message = vector.message();
    let dealt = DamageEvent::read_all(&message).next().unwrap().unwrap();
    vector.comes_back(0, &[written(|to| dealt.write(to))]);
    assert_eq!((dealt.kind, dealt.player), (EventKind::KillingBlow, Some(slot(4))));
    assert_eq!((dealt.body_part, dealt.parts.node, dealt.parts.region), (Some(0), Some(12), None));
    assert_eq!((dealt.damage.scale, dealt.damage.multiplier, dealt.killer_score), (1.0, 0.75, 9));
    let event = raw!(vector, DamageEventEntry);
    same!(vector,
        "e.what" => event.kind,
        "e.player" => event.player,
        "e.kill_flags" => event.kill_flags,
        "e.object" => event.object,
        "d->tag" => event.damage.damage_effect_tag,
        "d->flags" => event.damage.flags,
        "d->owner_player" => event.damage.owner_player,
        "d->team" => event.damage.owner_team,
        "d->owner_object" => event.damage.owner_object,
        "d->origin" => event.damage.origin,
        "d->epicenter" => event.damage.epicentre,
        "d->dir" => event.damage.direction,
        "d->scale" => event.damage.scale,
        "d->mult" => event.damage.multiplier,
        "d->mat_scale" => event.damage.material_effect_scale,
        "d->material" => event.damage.material_type,
        "e.hurt_flags" => event.being_damaged_flags,
        "e.shield" => event.shield_damage,
        "e.body" => event.body_damage,
        "e.body_mult" => event.body_damage_multiplier,
        "e.total" => event.total_damage,
        "e.part" => event.body_part,
        "e.node" => event.node,
        "e.region" => event.region,
        "e.material" => event.material,
        "e.killer_score" => event.killer_score,
    );
}

fn voice_up(vector: &Vector) {
    let message = vector.message();
    let header = VoiceUpHeader::read(message.body).unwrap();
    let packet = &message.body[VoiceUpHeader::SIZE..];
    assert_eq!(packet.len(), usize::from(header.length));
    assert_eq!(packet, hex(vector.field("opus").as_str().unwrap()));
    assert_eq!(u64::from(header.key), vector.field("e.key").as_u64().unwrap());
    assert_eq!([u64::from(header.sequence), u64::from(header.length)], [1, 4]);
    let mut bytes = word(MessageType::Data, vector.bytes.len()).unwrap().to_vec();
    bytes.extend([80, 1, 0, 0, 0, 0]);
    header.write(&mut bytes);
    bytes.extend(packet);
    assert_eq!(bytes, vector.bytes);
}

fn presentation(vector: &Vector) {
    let said = Presentation::read_all(&vector.message()).next().unwrap().unwrap();
    let fade = Fade { colour: [0; 3], ticks: 30, elapsed: 10, start: 74_555, is_out: false };
    let camera = Camera {
        position: Vec3::new(1.0, 2.0, 3.0),
        axes: Axes { forward: Vec3::new(0.0, 1.0, 0.0), up: Vec3::UP },
        field_of_view: 1.2217,
        object: None,
        offset: Vec3::ZERO,
    };
    // Players' most stand in it, and no script set them.
    let expected = Presentation {
        cinematic: true,
        shows_hud: true,
        fade,
        camera: Some(camera),
        skip_votes: 1,
        skip_voters: 2,
        allied: TeamSet(0b110),
        friendly: TeamSet(0b010),
        ..Presentation::default()
    };
    assert_eq!(said, expected);
    assert_eq!(Presentation::read(&written(|to| said.write(to))), Ok(said));
    let shown = raw!(vector, CoopPresentationEntry);
    same!(vector,
        "e.flags" => shown.flags,
        "e.fade_rgb[0]" => shown.fade_colour[0],
        "e.fade_len" => shown.fade_ticks,
        "e.fade_at" => shown.fade_elapsed,
        "e.fade_start" => shown.fade_start_time,
        "e.cam_pos" => shown.camera_position,
        "e.cam_fwd" => shown.camera_forward,
        "e.cam_up" => shown.camera_up,
        "e.fov" => shown.field_of_view,
        "e.votes" => shown.skip_votes,
        "e.voters" => shown.skip_voters,
        "e.timer_ref" => shown.timer_reference_time,
        "e.cam_scripted" => shown.camera_scripted,
        "e.cam_object" => shown.camera_object,
        "e.cluster_plus1" => shown.activating_cluster_plus_one,
        "e.max_body" => shown.max_body,
        "e.max_shield" => shown.max_shield,
        "e.allies[0]" => shown.allied_teams[0],
        "e.friends[0]" => shown.friendly_teams[0],
    );
}

/// Checks a vector of the distributed space both ways; false where there is no check for its kind.
fn check_distributed(vector: &Vector) -> bool {
    match vector.kind {
        1 | 2 => unit_states(vector),
        3 => {
            let said = PlayerStatistics::read_all(&vector.message()).next().unwrap().unwrap();
            vector.comes_back(0, &[written(|to| said.write(to))]);
            let entry = raw!(vector, PlayerStatisticsEntry);
            assert_eq!((i16::from(said.slot.get()), said.statistics), (entry.player, entry.statistics));
            same!(vector,
                "e.player" => entry.player,
                "e.s.kills[0]" => entry.statistics.kills_by_kind[0],
                "e.s.kills[1]" => entry.statistics.kills_by_kind[1],
                "e.s.assists[0]" => entry.statistics.assists_by_kind[0],
                "e.s.deaths" => entry.statistics.deaths,
                "e.s.suicides" => entry.statistics.suicides,
                "e.s.shots" => entry.statistics.shots_fired,
                "e.s.hits" => entry.statistics.shots_hit,
                "e.s.last_kill" => entry.statistics.last_kill_time,
                "e.s.spree" => entry.statistics.kills_in_a_row,
                "e.s.multikill" => entry.statistics.multiple_kills,
            );
        }
        4 => {
            let said = Inventory::read_all(&vector.message()).next().unwrap().unwrap();
            vector.comes_back(0, &[written(|to| said.write(to))]);
            let entry = raw!(vector, InventoryEntry);
            same!(vector,
                "e.unit" => entry.unit,
                "e.grenades[0]" => entry.grenade_counts[0],
                "e.grenades[1]" => entry.grenade_counts[1],
                "e.in_hand" => entry.weapon_in_hand,
                "e.weapons[0]" => entry.weapons[0],
                "e.weapons[1]" => entry.weapons[1],
                "e.weapons[2]" => entry.weapons[2],
                "e.weapons[3]" => entry.weapons[3],
                "e.total[0][0]" => entry.rounds_total[0][0],
                "e.loaded[0][0]" => entry.rounds_loaded[0][0],
                "e.total[1][0]" => entry.rounds_total[1][0],
                "e.loaded[1][0]" => entry.rounds_loaded[1][0],
                "e.age[0]" => entry.age[0],
                "e.age[1]" => entry.age[1],
            );
        }
        5 => object_changes(vector),
        7 => game_state(vector),
        8 => whole(vector, &[]),
        9 => {
            assert_eq!(ClientReady::read(&vector.message()).map(ClientReady::count), Ok(vector.bytes[3]));
            whole(vector, &[]);
        }
        10 => damage_events(vector),
        12 => {
            let message = vector.message();
            let said = VehiclePrediction::read_all(&message).next().unwrap().unwrap();
            vector.comes_back(0, &[written(|to| said.write(to))]);
            assert_eq!(said.motion.axes, Axes::UPRIGHT);
            let entry = raw!(vector, ObjectStateEntry);
            same!(vector,
                "e.object" => said.object.raw(),
                "e.time" => said.time,
                "e.pos" => said.motion.position,
                "e.fwd" => entry.forward,
                "e.up" => entry.up,
                "e.vel" => entry.velocity,
                "e.ang" => entry.angular_velocity,
            );
        }
        13 => {
            let said = Pickup::read_all(&vector.message()).next().unwrap().unwrap();
            vector.comes_back(0, &[written(|to| said.write(to))]);
            let entry = raw!(vector, PickupEntry);
            same!(vector,
                "e.player" => entry.player,
                "e.kind" => entry.kind,
                "e.amount" => entry.count,
                "e.tag" => entry.tag,
            );
        }
        14 => player_inputs(vector),
        15 => relayed_actions(vector),
        16 => batch(vector),
        17 => {
            let notice = Notice::read(&vector.message());
            assert_eq!(notice.as_str(), vector.field("text").as_str().unwrap());
            whole(vector, &written(|to| notice.write(to)));
        }
        18 => {
            let entry = raw!(vector, ClientIdentityEntry);
            let text = |bytes: &[u8]| {
                let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
                String::from_utf8(text.to_vec()).unwrap()
            };
            assert_eq!(vector.field("id"), text(&entry.discord_id).as_str());
            assert_eq!(vector.field("name"), text(&entry.name).as_str());
        }
        19 => {
            let message = vector.message();
            let pings: Vec<Ping> = Ping::read_all(&message).map(Result::unwrap).collect();
            vector.comes_back(0, &pings.iter().map(|ping| written(|to| ping.write(to))).collect::<Vec<_>>());
            assert_eq!(
                pings.iter().map(|ping| ping.milliseconds).collect::<Vec<_>>(),
                [Some(0), Some(42), None]
            );
            let entries: Vec<_> = message.entries().map(|entry| PingEntry::read(entry).unwrap()).collect();
            same!(vector,
                "e[0].player" => pings[0].slot.get(),
                "e[0].ms" => entries[0].milliseconds,
                "e[1].player" => pings[1].slot.get(),
                "e[1].ms" => entries[1].milliseconds,
                "e[2].player" => pings[2].slot.get(),
                "e[2].ms" => entries[2].milliseconds,
            );
        }
        65 => {
            let entry = raw!(vector, StructureBspEntry);
            same!(vector, "e.bsp" => entry.index);
        }
        66 => presentation(vector),
        68 => {
            let entry = raw!(vector, CoopDeviceGroupEntry);
            same!(vector,
                "e.group" => entry.group,
                "e.name" => entry.object_name,
                "e.object" => entry.object,
                "e.tag" => entry.definition_tag,
                "e.role" => entry.role,
                "e.flags" => entry.flags,
                "e.snaps" => entry.snaps,
                "e.changed" => entry.changed,
                "e.value" => entry.value,
            );
        }
        69 => {
            let names = ObjectNames::read_all(&vector.message()).next().unwrap().unwrap();
            vector.comes_back(0, &[written(|to| names.write(to))]);
            let present: Vec<f64> = (0..512).filter(|name| names.contains(*name)).map(f64::from).collect();
            assert_eq!(said(vector.field("present_names")), present);
            assert_eq!((names.structure_bsp, names.count()), (Some(1), 11));
            let entry = raw!(vector, CoopObjectNamesEntry);
            assert_eq!([entry.structure_bsp, entry.name_count], [1, 11]);
        }
        70 => {
            let entry = raw!(vector, CoopSkipVoteEntry);
            same!(vector, "e.on" => entry.voted);
        }
        72 => {
            let said = Transform::read_all(&vector.message()).next().unwrap().unwrap();
            let entry = raw!(vector, CoopObjectTransformEntry);
            // It has a name beside its index: by the index it goes.
            let named = ObjectName::Object(object(entry.object), Tag::read(entry.definition_tag).unwrap());
            let position = Vec3::new(7.0, 8.0, 9.0);
            assert_eq!(said, Transform { object: named, position, axes: Axes::UPRIGHT });
            same!(vector,
                "e.name" => entry.object_name,
                "e.object" => entry.object,
                "e.tag" => entry.definition_tag,
                "e.pos" => entry.position,
                "e.fwd" => entry.forward,
                "e.up" => entry.up,
            );
        }
        73 => {
            let said = ActorDamage::read_all(&vector.message()).next().unwrap().unwrap();
            vector.comes_back(0, &[written(|to| said.write(to))]);
            assert_eq!([said.shield, said.recent_shield, said.body, said.recent_body], [0.5, 0.25, 0.0, 0.0]);
            let entry = raw!(vector, ActorDamageEntry);
            same!(vector,
                "e.unit" => entry.unit,
                "e.cur_shield" => entry.current_shield,
                "e.rec_shield" => entry.recent_shield,
                "e.cur_body" => entry.current_body,
                "e.rec_body" => entry.recent_body,
            );
        }
        74 => {
            let said = Look::read_all(&vector.message()).next().unwrap().unwrap();
            let entry = raw!(vector, CoopObjectLookEntry);
            let named = ObjectName::Object(object(entry.object), Tag::read(entry.definition_tag).unwrap());
            assert_eq!(said, Look { object: named, regions: entry.region_permutations, scale: 1.5 });
            same!(vector,
                "e.name" => entry.object_name,
                "e.object" => entry.object,
                "e.tag" => entry.definition_tag,
                "e.regions[0]" => entry.region_permutations[0],
                "e.scale" => entry.scale,
            );
        }
        75 => {
            let message = vector.message();
            let pick = DamageAnimation::read_all(&message).next().unwrap().unwrap();
            vector.comes_back(0, &[written(|to| pick.write(to))]);
            assert_eq!((pick.animation, pick.kind, pick.number), (33, AnimationKind::HardPing, 5));
            let entry = raw!(vector, DamageAnimationEntry);
            same!(vector,
                "e.unit" => entry.unit,
                "e.anim" => entry.animation,
                "e.type" => entry.animation_type,
                "e.seq" => entry.number,
            );
        }
        77 => {
            let entry = raw!(vector, CoopDeviceStateEntry);
            same!(vector,
                "e.name" => entry.object_name,
                "e.moving" => entry.moving,
                "e.object" => entry.object,
                "e.tag" => entry.definition_tag,
                "e.position" => entry.position,
                "e.power" => entry.power,
            );
        }
        79 => {
            let said = VotekickStatus::read_all(&vector.message()).next().unwrap().unwrap();
            vector.comes_back(0, &[written(|to| said.write(to))]);
            let stands = VotekickStatus {
                slot: Some(slot(7)),
                votes: 1,
                needed: 3,
                seconds_left: 44,
                you_voted: false,
                you_may_vote: true,
            };
            assert_eq!(said, stands);
            let entry = raw!(vector, VotekickStatusEntry);
            same!(vector,
                "e.player" => entry.player,
                "e.votes" => entry.votes,
                "e.needed" => entry.needed,
                "e.secs" => entry.seconds_left,
                "e.flags" => entry.flags,
            );
        }
        80 => voice_up(vector),
        82 => {
            let entry = raw!(vector, VoiceConfigEntry);
            same!(vector,
                "e.key" => entry.key,
                "e.flags" => entry.flags,
                "e.mode" => entry.mode,
                "e.kbps" => entry.kbps,
                "e.near_tenths" => entry.nearness_tenths,
            );
        }
        90 => {
            let entry = raw!(vector, AimAssistPolicyEntry);
            same!(vector, "e.block_mouse" => entry.block_mouse, "e.reserved" => entry.reserved);
            let said = AimAssistPolicy::read_all(&vector.message()).next().unwrap().unwrap();
            assert_eq!(said, AimAssistPolicy::Blocked);
            vector.comes_back(0, &[written(|to| said.write(to))]);
        }
        _ => return false,
    }
    true
}

/// Checks a vector of the game's own packets both ways; false where there is no such packet.
fn check_game(vector: &Vector) -> bool {
    let Some(info) = PACKETS.get(usize::from(vector.kind)) else {
        return false;
    };
    let packet = Packet::read(&vector.bytes).unwrap();
    assert_eq!((info.name, packet.number()), (vector.name.as_str(), vector.kind));
    assert_eq!(written(|to| packet.write(to).unwrap()), vector.bytes, "{}", vector.name);
    true
}

/// WIRE-89, 24, 27, 28, 31, 33, 42, 45, 46, 54, 71, 75, 79, 83, 84, 85: every vector is read to its fields and written back to its bytes, none is
/// passed over.
#[test]
fn every_vector_goes_both_ways() {
    let mut seen = [0; 2];
    for vector in all() {
        let known = if vector.distributed { check_distributed(&vector) } else { check_game(&vector) };
        assert!(known, "{} {} has no check", vector.kind, vector.name);
        seen[usize::from(vector.distributed)] += 1;
    }
    assert_eq!(seen, [18, 34]);
}

/// WIRE-59: a vector's stamp is little-endian after a word that is big-endian; another type is not this space's.
#[test]
fn a_vector_is_of_one_space() {
    for vector in all() {
        if vector.distributed {
            assert_eq!(vector.bytes[4..8], tick(vector.message().tick.get()).get().to_le_bytes());
            assert_eq!(Packet::read(&vector.bytes), Err(Error::UnknownKind));
        } else {
            assert_eq!(Message::read(&vector.bytes), Err(Error::UnknownKind));
        }
    }
}
