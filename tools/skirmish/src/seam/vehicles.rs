//! Vehicles at the seam: what there is to say of those that players drive, and of seats. Knows no message.

use mjolnir_engine_glue::authority::{CarriedBy, VehicleRow};
use mjolnir_wire::ObjectId;
use mjolnir_wire::units::Ride;

use crate::game::World;

/// What there is to say of a vehicle that a player drives; none of another one.
pub(super) fn row(world: &World, vehicle: ObjectId) -> Option<VehicleRow> {
    let (driver, craft) = (world.driver(vehicle)?, world.craft(vehicle)?);
    let machine = world.player(driver)?.machine;
    Some(VehicleRow {
        vehicle,
        driver,
        machine,
        motion: world.motion(vehicle)?,
        top_speed: craft.top_speed,
        carried_by: if craft.keeps_its_height() { CarriedBy::Itself } else { CarriedBy::Ground },
        grounded: world.is_on_ground(vehicle),
        at_rest: world.describe(vehicle)?.at_rest,
    })
}

/// What a unit rides.
pub(super) fn ride(world: &World, unit: ObjectId) -> Option<Ride> {
    world.ride(unit).map(|(vehicle, seat)| Ride { vehicle: Some(vehicle), seat: i16::from(seat) })
}

/// Puts a unit into that seat, or out of its own. A seat that there is none of changes nothing.
pub(super) fn sit(world: &mut World, unit: ObjectId, ride: Option<Ride>) {
    let seat = ride.and_then(|ride| Some((ride.vehicle?, u8::try_from(ride.seat).ok()?)));
    if ride.is_none() || seat.is_some() {
        world.set_seat(unit, seat);
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_engine_glue::authority::{self, UnitRow, Why};
    use mjolnir_engine_glue::engine::{Objects as _, Player, Players as _, Role, Session as _};
    use mjolnir_engine_glue::objects::{ActorCommand, Begins};
    use mjolnir_engine_glue::{Actors as _, objects, prediction};
    use mjolnir_wire::actors::ActorState;
    use mjolnir_wire::objects::Motion;
    use mjolnir_wire::packets::SettingsRecord;
    use mjolnir_wire::packets::text::Chars;
    use mjolnir_wire::units::Life;
    use mjolnir_wire::{Axes, Machine, Slot, Tick, Vec3};

    use super::*;
    use crate::game::Kind;
    use crate::seam::{Game, Setup, level_of};

    /// A game with one player of that role's own, its unit and a vehicle of that kind beside it.
    fn game(kind: Kind) -> (Game, Slot, ObjectId, ObjectId) {
        let slot = Slot::new(0).unwrap();
        let mut settings = SettingsRecord::empty();
        settings.map = Chars::new(&level_of("flat")).unwrap();
        let mut game = Game::new(Setup::default());
        game.load(&settings, Role::Host);
        game.add_player(&Player { slot, machine: Machine::HOST, team: 0, name: "Ann", local: Some(0) });
        game.admit_player(slot);
        game.simulate(Tick::ZERO.next());
        let world = game.world_mut().unwrap();
        let unit = world.unit(slot).unwrap();
        let beside = world.position(slot).unwrap() + Vec3::new(1.0, 0.0, 0.0);
        let vehicle = world.spawn(kind, beside).unwrap();
        (game, slot, unit, vehicle)
    }

    fn units(game: &Game) -> Vec<UnitRow> {
        let mut rows = Vec::new();
        game.read_units(&mut rows);
        rows
    }

    fn vehicles(game: &Game) -> Vec<VehicleRow> {
        let mut rows = Vec::new();
        game.read_vehicles(&mut rows);
        rows
    }

    fn seat(game: &mut Game, slot: Slot, unit: ObjectId, ride: Option<Ride>) {
        game.apply_movement(&prediction::Command::Seat { slot, unit, ride });
    }

    /// OBJ-36: a host's word that an actor's unit rides puts it into a seat that is free, and puts no player out of one.
    #[test]
    fn an_actor_sits_where_no_player_does() {
        let (mut game, slot, unit, vehicle) = game(Kind::Car);
        let world = game.world_mut().unwrap();
        let place = world.position(slot).unwrap() + Vec3::new(0.0, 3.0, 0.0);
        let other = world.spawn(Kind::Biped, place).unwrap();
        world.set_role(crate::game::Role::Client);
        let ride = |seat| Some(Ride { vehicle: Some(vehicle), seat });
        seat(&mut game, slot, unit, ride(0));
        let mut tell = |of: Option<Ride>| {
            let state = ActorState { ride: of, ..ActorState::still(other, place) };
            game.apply_actor(&ActorCommand::Drive { state, begins: Begins::default() });
            let world = game.world().unwrap();
            (super::ride(world, unit), super::ride(world, other))
        };
        assert_eq!(tell(ride(0)), (ride(0), None));
        assert_eq!(tell(ride(1)), (ride(0), ride(1)));
        assert_eq!(tell(None), (ride(0), None));
    }

    /// A rider has a seat and no place, a driver's vehicle a row; out of it the place is back and the row gone.
    /// A seat that there is none of changes nothing.
    #[test]
    fn a_rider_has_a_seat_and_no_place() {
        for (kind, drives) in [(Kind::Car, true), (Kind::Dropship, false)] {
            let (mut game, slot, unit, vehicle) = game(kind);
            let living = |game: &Game| match units(game)[0].state.life {
                Life::Alive(unit) => unit,
                Life::Dead(_) => panic!("it lives"),
            };
            assert!(living(&game).ride.is_none() && living(&game).placement.is_some());
            let ride = Ride { vehicle: Some(vehicle), seat: 0 };
            seat(&mut game, slot, unit, Some(ride));
            assert!(living(&game).ride == Some(ride) && living(&game).placement.is_none());
            let rows: Vec<_> = vehicles(&game).iter().map(|row| (row.vehicle, row.driver)).collect();
            assert_eq!(rows.first(), drives.then_some(&(vehicle, slot)));
            for bad in [Ride { seat: -1, ..ride }, Ride { seat: 4, ..ride }, Ride { vehicle: None, seat: 0 }]
            {
                seat(&mut game, slot, unit, Some(bad));
                assert_eq!(living(&game).ride, Some(ride), "{bad:?}");
            }
            seat(&mut game, slot, unit, None);
            assert!(living(&game).ride.is_none() && living(&game).placement.is_some());
            assert_eq!(vehicles(&game), []);
        }
    }

    /// Both ends' words on a vehicle's place are taken to the last bit and wake it, its turning too, and are
    /// told so; an offset is drawn alone.
    #[test]
    fn a_vehicle_is_where_a_word_puts_it() {
        let (mut game, slot, unit, vehicle) = game(Kind::Car);
        seat(&mut game, slot, unit, Some(Ride { vehicle: Some(vehicle), seat: 0 }));
        for tick in 2..60 {
            game.simulate(Tick::ZERO.plus(tick));
        }
        let rests = vehicles(&game)[0];
        assert!(
            rests.at_rest
                && rests.grounded
                && rests.carried_by == CarriedBy::Ground
                && rests.top_speed == 0.4
        );
        let motion = Motion {
            position: Vec3::new(3.0, 4.0, 5.0),
            axes: Axes { forward: Vec3::new(0.0, 1.0, 0.0), up: Vec3::UP },
            velocity: Vec3::new(0.1, 0.2, -0.1),
            angular_velocity: Vec3::new(0.0, 0.0, 0.03),
        };
        let further = Motion { position: Vec3::new(9.0, 4.0, 5.0), ..motion };
        game.apply_state(&authority::Command::PlaceVehicle { vehicle, motion, why: Why::Take });
        let placed = vehicles(&game)[0];
        assert_eq!((placed.motion, placed.at_rest), (motion, false));
        let why = prediction::Why::Correct;
        game.apply_movement(&prediction::Command::MoveVehicle { vehicle, motion: further, why });
        assert_eq!(vehicles(&game)[0].motion, further);
        let offset = Vec3::new(0.0, 0.0, 1.0);
        game.apply_movement(&prediction::Command::VehicleOffset { vehicle, offset });
        assert_eq!(vehicles(&game)[0].motion, further);
        assert_eq!(game.world().unwrap().drawn(vehicle), Some(further.position + offset));
        let mut rows = Vec::new();
        game.read_object_rows(&mut rows);
        let row = rows.iter().find(|row| row.state.object == vehicle).unwrap();
        assert_eq!((row.state.motion, row.class), (further, objects::Class::Vehicle));
        let dead = false;
        game.apply_object(&objects::Command::Place { object: vehicle, motion, at_rest: false, dead });
        assert_eq!(vehicles(&game)[0].motion, motion);
        game.apply_object(&objects::Command::Place { object: vehicle, motion, at_rest: true, dead });
        let lies = vehicles(&game)[0];
        assert!(
            lies.at_rest && lies.motion.velocity == Vec3::ZERO && lies.motion.position == motion.position
        );
    }
}
