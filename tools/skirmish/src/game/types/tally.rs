//! What is counted of each player whatever the game: kills, deaths, suicides, time, games. Knows no game type.

use mjolnir_wire::Slot;
use mjolnir_wire::layout::Plain as _;
use mjolnir_wire::statistics::Statistics;
use mjolnir_wire::units::Death;

use crate::game::world::World;

/// Ticks in which the next kill is one of several (four seconds). Ours.
pub const SPREE: i16 = 120;

/// Of a player of whom nothing was counted.
pub fn none() -> Statistics {
    Statistics::get(&[0; Statistics::SIZE])
}

/// A player died: its death, and the kill of whoever killed it.
pub(super) fn died(world: &mut World, slot: Slot, death: &Death) {
    let now = world.tick().get() as i16;
    let killer = death.killer.filter(|killer| *killer != slot);
    if let Some(of) = world.statistics_mut(slot) {
        of.deaths = of.deaths.saturating_add(1);
        of.suicides = of.suicides.saturating_add(i16::from(killer.is_none()));
        (of.kills_in_a_row, of.multiple_kills) = (0, 0);
    }
    let Some(of) = killer.and_then(|killer| world.statistics_mut(killer)) else { return };
    if death.by_friend {
        of.friendly_fire_kills = of.friendly_fire_kills.saturating_add(1);
        of.killed_a_teammate = 1;
        return;
    }
    let is_soon = of.kills_in_a_row > 0 && now.wrapping_sub(of.last_kill_time) <= SPREE;
    of.multiple_kills = if is_soon { of.multiple_kills.saturating_add(1) } else { 1 };
    of.last_kill_time = now;
    of.kills_in_a_row = of.kills_in_a_row.saturating_add(1);
    of.kills_by_kind[0] = of.kills_by_kind[0].saturating_add(1);
}

/// A second of the game has passed.
pub(super) fn pass_a_second(world: &mut World) {
    for slot in Slot::all() {
        let plays = world.player(slot).is_some_and(|player| !player.left);
        if let Some(of) = world.statistics_mut(slot).filter(|_| plays) {
            of.seconds_online = of.seconds_online.saturating_add(1);
        }
    }
}

/// The game is over: who stayed has played it, and won it where its side did.
pub(super) fn end(world: &mut World, has_won: impl Fn(usize) -> bool) {
    for slot in Slot::all() {
        let plays = world.player(slot).is_some_and(|player| !player.left);
        let won = world.side(slot).is_some_and(&has_won);
        if let Some(of) = world.statistics_mut(slot).filter(|_| plays) {
            of.games_played = of.games_played.saturating_add(1);
            of.games_won = of.games_won.saturating_add(i16::from(won));
        }
    }
}
