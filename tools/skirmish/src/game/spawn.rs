//! Where a player begins: away from those who live. Knows no rule of who begins when.

use mjolnir_wire::Vec3;

use super::map::Spawn;
use super::random::Random;

/// Others further away than this are as good as anywhere, in wu. Ours.
const FAR_ENOUGH: f32 = 20.0;

/// The place that is furthest from everybody, by chance among those that are far enough; of those that it may be, if
/// any may.
pub(super) fn choose(
    spawns: &[Spawn],
    others: &[Vec3],
    random: &mut Random,
    may: impl Fn(&Spawn) -> bool,
) -> Option<Spawn> {
    let any = !spawns.iter().any(&may);
    let spawns = || spawns.iter().filter(|spawn| any || may(spawn));
    let room =
        |spawn: &Spawn| others.iter().map(|other| other.distance(spawn.position)).fold(FAR_ENOUGH, f32::min);
    let most = spawns().map(room).fold(0.0, f32::max);
    let best = || spawns().filter(|spawn| room(spawn) >= most);
    let chosen = random.below(best().count() as u32);
    best().nth(chosen as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The far one is chosen while one is near; with nobody near every one is chosen some time.
    #[test]
    fn a_player_begins_away_from_others() {
        let at = |x: f32| Spawn { position: Vec3::new(x, 0.0, 0.0), facing: 0.0 };
        let spawns = [at(0.0), at(10.0), at(40.0), at(70.0)];
        let mut random = Random::new(3);
        let mut seen = [0; 4];
        for _ in 0..200 {
            let chosen = choose(&spawns, &[Vec3::new(11.0, 0.0, 0.0)], &mut random, |_| true).unwrap();
            seen[spawns.iter().position(|spawn| *spawn == chosen).unwrap()] += 1;
        }
        assert!(seen[0] == 0 && seen[1] == 0 && seen[2] > 60 && seen[3] > 60, "{seen:?}");
        let crowd: Vec<Vec3> = spawns.iter().skip(1).map(|spawn| spawn.position).collect();
        assert_eq!(choose(&spawns, &crowd, &mut random, |_| true), Some(spawns[0]));
        assert_eq!(choose(&[], &crowd, &mut random, |_| true), None);
        // A side's own, however near somebody is; any where it has none.
        let last = |spawn: &Spawn| spawn.position.x > 50.0;
        assert_eq!(choose(&spawns, &crowd, &mut random, last), Some(spawns[3]));
        assert_eq!(choose(&spawns, &crowd, &mut random, |_| false), Some(spawns[0]));
    }
}
