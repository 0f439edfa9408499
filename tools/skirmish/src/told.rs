//! What a machine tells whoever runs it of what happened. Knows no console.

use mjolnir_engine_glue::meter::CONNECTION_PROBLEM;
use mjolnir_engine_glue::transport::{Why, texts};
use mjolnir_engine_glue::{client, host};
use mjolnir_wire::Machine;

use crate::game::World;
use crate::game::world::Placing;

/// The game was played to its end.
pub const OVER: &str = "The game is over.";

/// A client left by itself.
pub const LEFT: &str = "left the game";

/// What a machine tells of what its map placed, once that is loaded: two machines' are alike (OBJ-32).
pub fn placed(world: &World) -> String {
    let Placing { count, checksum } = world.placing();
    format!("the map placed {count} objects, checksum {checksum:08x}")
}

/// What a host tells of a notice. `name` is what a machine is called. Who joined is told by the [`Roll`], once it is
/// known who plays there.
///
/// [`Roll`]: crate::roll::Roll
pub fn host(notice: &host::Notice, name: impl Fn(Machine) -> String) -> Option<String> {
    use host::Notice::{Datagrams, Joined, Left, Loaded, Removed, Said, Silent, StartDue};
    Some(match *notice {
        Said { ref text } => text.clone(),
        StartDue | Joined { .. } | Removed { .. } => return None,
        Loaded { machine } => format!("{} plays", name(machine)),
        Left { machine, why: Why::Left } => format!("{} left", name(machine)),
        Left { machine, why } => format!("{} left: {}", name(machine), why.reason()),
        Silent { machine } => format!("{} is silent", name(machine)),
        Datagrams { machine, come } => format!("{}: its datagrams {}", name(machine), reach(come)),
    })
}

/// What a client tells of a notice. Its end by a fault is told elsewhere, with the exit code that it has.
pub fn client(notice: &client::Notice, world: Option<&World>, has_played: bool) -> Option<String> {
    use client::Notice::{
        Accepted, Began, Closed, Countdown, Datagrams, Lobby, NoMap, Over, PlayerJoined, PlayerLeft, Problem,
        Said,
    };
    Some(match notice {
        // It is why the session ends, and said with that.
        NoMap { .. } => return None,
        Accepted { machine } => format!("joined as machine {}", machine.get()),
        Countdown { seconds: 0 } => "the game begins".into(),
        Countdown { seconds } => format!("the game begins in {seconds} s"),
        Began => "playing".into(),
        // Those who are there when it comes are no news.
        PlayerJoined { .. } if !has_played => return None,
        PlayerJoined { name } => format!("{name} joined"),
        PlayerLeft { slot } => {
            let name = world.and_then(|world| world.player(*slot)).map(|player| player.name.as_str());
            format!("{} left", name.unwrap_or("a player"))
        }
        Datagrams { come } => format!("the host's datagrams {}", reach(*come)),
        Problem { is_silent: true } => CONNECTION_PROBLEM.into(),
        Problem { is_silent: false } => "the host is heard again".into(),
        Said { text } => text.clone(),
        Over => OVER.into(),
        Lobby => "back in the lobby".into(),
        Closed { why: Why::Left } => texts::closed(Why::Left).into(),
        Closed { .. } => return None,
    })
}

const fn reach(come: bool) -> &'static str {
    if come { "come again" } else { "do not come" }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::Slot;

    use super::*;
    use crate::game::{Map, Tuning};
    use crate::roll;

    #[test]
    fn who_left_is_told_with_why_where_that_is_news() {
        let machine = Machine::new(2).unwrap();
        let name = |machine| roll::called(&["Ann".into()], machine);
        let left = |why| host(&host::Notice::Left { machine, why }, name).unwrap();
        assert_eq!(left(Why::Left), "Ann (machine 2) left");
        assert_eq!(left(Why::Gone), "Ann (machine 2) left: gone");

        let slot = Slot::new(4).unwrap();
        let mut world = World::new(&Map::named("flat").unwrap(), 1, Tuning::default());
        world.join(slot, "P4", machine, None);
        world.leave(slot);
        let left = client::Notice::PlayerLeft { slot };
        assert_eq!(client(&left, Some(&world), true).unwrap(), "P4 left");
    }

    #[test]
    fn those_who_are_there_are_no_news() {
        let joined = client::Notice::PlayerJoined { name: "Ann".into() };
        assert_eq!(client(&joined, None, false), None);
        assert_eq!(client(&joined, None, true).unwrap(), "Ann joined");
    }
}
