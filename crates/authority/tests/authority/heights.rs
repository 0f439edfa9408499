//! How high and how long in the air a player is believed to be.

use super::*;

const JUMP_TICKS: u32 = 45;

/// AUTH-18: over the last ground a run's rise of 0.90 wu, legs of 0.20 and one: a claim of 2.0 wu is taken, one of 2.2
/// not. With a throw of 0.3 wu a tick upward by the host's tick 3.4 wu is.
#[test]
fn a_claim_is_no_higher_than_a_jump_and_a_throw() {
    for (thrown, height, taken) in [(0.0, 2.0, true), (0.0, 2.2, false), (0.3, 3.4, true), (0.06, 2.2, false)]
    {
        let mut table = Table::at(100, up(7.0));
        table.take(100, up(7.0));
        table.ticks(20);
        table.put(Placement { velocity: up(thrown), ..standing(up(7.0)) });
        table.tick(None);
        table.put(standing(up(7.0)));
        table.take(122, up(7.0 + height));
        assert_eq!(table.host.takings().taken == 2, taken, "{thrown} {height}");
    }
}

/// AUTH-18: no velocity is taken that would carry the host's copy higher than that, though its client says no more.
#[test]
fn a_velocity_upward_is_taken_as_far_as_there_is_room() {
    for (height, most) in
        [(0.0, (2.0 * GRAVITY * 2.0964_f32).sqrt()), (2.0, (2.0 * GRAVITY * 0.0964_f32).sqrt())]
    {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(100, Vec3::ZERO);
        table.ticks(20);
        table.put(standing(up(height)));
        table.row.grounded = false;
        let claim = Placement { velocity: up(0.16), ..standing(up(height)) };
        table.host.handle_prediction(machine(1), tick(121), &alive(1, claim)).unwrap();
        table.tick(None);
        let Command::Place { placement, .. } = table.commands[0] else { panic!() };
        assert!((placement.velocity.z - most).abs() < 1e-3, "{height}: {placement:?}");
    }
}

/// AUTH-19: the copy left the ground sixty ticks ago, its client's round trip is six: no higher than a thing thrown up 48
/// ticks ago and 1.2 wu; of a round trip of half a second and more no more than fifteen ticks count.
#[test]
fn a_claim_in_the_air_is_no_higher_than_a_thing_falls() {
    for (trip, late) in
        [(Some(6.0), 12.0), (Some(5.1), 12.0), (Some(0.0), 6.0), (Some(40.0), 21.0), (None, 21.0)]
    {
        for (over, taken) in [(-0.01, true), (0.01, false)] {
            let mut table = Table::at(100, Vec3::ZERO);
            table.host.set_round_trip(machine(1), trip);
            table.take(100, Vec3::ZERO);
            table.row.grounded = false;
            for _ in 0..59 {
                table.put(standing(up(0.5)));
                table.tick(None);
            }
            table.put(standing(up(0.5)));
            let air = 60.0_f32 - late;
            let fallen = (air - 0.08 / GRAVITY).max(0.0);
            let ceiling = 0.08 * 0.08 / (2.0 * GRAVITY) - GRAVITY * fallen * fallen / 2.0 + 1.2;
            table.take(160, up(ceiling + over));
            assert_eq!(table.host.takings().taken == 2, taken, "{trip:?} {over}");
        }
    }
}

/// AUTH-19 (ours): of a client that was silent in its flight for longer than jitter explains as many ticks less count, since
/// its program may have stood still; with its round trip no more than of the longest round trip. A silence of who stands on
/// the ground is none.
#[test]
fn a_silence_is_no_flight() {
    for (trip, from, silent, late) in [
        (0.0, 5, 6, 6.0),
        (0.0, 5, 7, 13.0),
        (0.0, 5, 15, 21.0),
        (0.0, 5, 25, 21.0),
        (6.0, 5, 7, 19.0),
        (6.0, 5, 15, 21.0),
        (15.0, 5, 15, 21.0),
        (0.0, -20, 15, 6.0),
    ] {
        for (over, taken) in [(-0.01, 1), (0.01, 0)] {
            let mut table = Table::at(70, Vec3::ZERO);
            table.host.set_round_trip(machine(1), Some(trip));
            for now in -30..60 {
                table.put(standing(Vec3::ZERO));
                table.row.grounded = now <= 0;
                if (from..from + silent).contains(&now) {
                    table.tick(None);
                } else {
                    table.take(100 + now, Vec3::ZERO);
                }
            }
            let before = table.host.takings();
            assert_eq!(before.past_bounds, 0);
            let air = 60.0_f32 - late;
            let fallen = (air - 0.08 / GRAVITY).max(0.0);
            let ceiling = 0.08 * 0.08 / (2.0 * GRAVITY) - GRAVITY * fallen * fallen / 2.0 + 1.2;
            table.take(160, up(ceiling + over));
            assert_eq!(table.host.takings().taken - before.taken, taken, "{trip} {from} {silent} {over}");
        }
    }
}

/// AUTH-20: a client jumps and says that it hovers 3 wu up: the host's copy is on the ground again within a jump's time
/// and 0.6 s, whenever it leaves it. One that hovers lower comes down once its flight would have ended.
#[test]
fn nobody_hovers() {
    for (height, most) in [
        (3.0, JUMP_TICKS + 18),
        (2.5, JUMP_TICKS + 18),
        // What its round trip, the jitter and the fall from a world unit take.
        (2.0, JUMP_TICKS + 12 + 29),
        (1.0, JUMP_TICKS + 12 + 29),
        (0.4, JUMP_TICKS + 12 + 29),
    ] {
        let mut line = walk::Line::new(1, 3, 1);
        line.script = Some(|now| Input {
            buttons: if now == 60 { Buttons::JUMP } else { Buttons::default() },
            ..Input::default()
        });
        let report = line.play(600, |now, mut placement| {
            if now > 60 {
                placement.position.z = f32::min(height, (now - 60) as f32 * 0.2);
                placement.velocity.z = 0.0;
            }
            placement
        });
        assert!(report.longest_flight <= most, "{height}: {report:?}");
        assert!(report.highest < 2.3, "{height}: {report:?}");
        assert!(report.takings.past_bounds + report.takings.past_tolerance > 5, "{height}: {report:?}");
    }
}

/// AUTH-20: who walks over an edge, 198 wu high, and says that it goes on walking, or comes down at half of gravity, falls
/// on the host as everybody does, later by no more than a jump takes.
#[test]
fn nobody_walks_on_air_or_comes_down_slowly() {
    let east: fn(i32) -> Input = |_| Input { throttle: [1.0, 0.0], ..Input::default() };
    let play = |claim: fn(f32) -> f32| {
        let mut line = walk::Line::new(1, 3, 1);
        (line.ramp, line.start, line.script) = (200.0, 198.0, Some(east));
        let mut edge = None;
        line.play(500, |now, mut placement| {
            if placement.position.z < 199.9 && placement.position.x > 200.0 {
                let since = (now - *edge.get_or_insert(now)) as f32;
                placement.position.z = placement.position.z.max(199.9 - claim(since));
                placement.velocity.z = 0.0;
            }
            placement
        })
    };
    let honest = play(|since| GRAVITY * since * since);
    assert_eq!(honest.takings.past_bounds, 0, "{honest:?}");
    for claim in [(|_| 0.0) as fn(f32) -> f32, |since| GRAVITY * since * since * 0.25] {
        let report = play(claim);
        assert!(report.takings.past_bounds > 10, "{report:?}");
        let late = report.landed.unwrap() - honest.landed.unwrap();
        assert!((0..=JUMP_TICKS as i32).contains(&late), "{late} {report:?}");
    }
}

/// AUTH-18, 20: a jump of twice the speed, over and over, takes the host's copy no higher than the ceiling.
#[test]
fn nobody_jumps_higher_than_there_is_room() {
    let mut line = walk::Line::new(1, 3, 1);
    line.script = Some(|_| Input { buttons: Buttons::JUMP, ..Input::default() });
    let mut jump = Vec3::ZERO;
    let report = line.play(900, |_, mut placement| {
        if jump.z <= 0.0 {
            jump = up(0.16);
        }
        placement.velocity.z = jump.z;
        placement.position.z = placement.position.z.max(jump.x);
        jump.x += jump.z;
        jump.z -= GRAVITY;
        placement
    });
    assert!(report.highest > 0.6 && report.highest < 2.3, "{report:?}");
}

/// AUTH-15, 19: an honest player that runs, jumps and falls off ledges, with a fifth of its datagrams lost and jitter of
/// five ticks in bunches, at any round trip up to half a second: no prediction is refused in 60 s.
#[test]
fn an_honest_player_with_loss_is_never_refused() {
    for seed in 1..=20 {
        for (delay, ramp) in [(0, 8.0), (3, 24.0), (7, 8.0)] {
            let mut line = walk::Line::new(seed, delay, 5);
            (line.ramp, line.loss) = (ramp, 20);
            let report = line.play(1800, |_, placement| placement);
            let takings = report.takings;
            assert_eq!((takings.past_bounds, takings.past_tolerance), (0, 0), "{delay} {ramp} seed {seed}");
            assert!(report.jumps > 20 && report.largest_difference < 3.0, "seed {seed}: {report:?}");
        }
    }
}

/// AUTH-15, 19: nor is one that falls 200 wu.
#[test]
fn a_long_fall_is_taken() {
    for (seed, loss, bunch) in [(1, 0, 1), (2, 20, 1), (3, 0, 5), (4, 20, 3)] {
        let mut line = walk::Line::new(seed, 3, bunch);
        (line.ramp, line.start, line.loss) = (200.0, 198.0, loss);
        line.script =
            Some(|now| Input { throttle: [if now < 150 { 1.0 } else { 0.0 }, 0.0], ..Input::default() });
        let report = line.play(600, |_, placement| placement);
        assert_eq!((report.takings.past_bounds, report.takings.past_tolerance), (0, 0), "seed {seed}");
        assert!(report.longest_flight > 300 && report.last_difference < 0.1, "seed {seed}: {report:?}");
    }
}

/// AUTH-18, 19: whoever is thrown up by the host's tick in the middle of a long fall falls from there anew.
#[test]
fn a_throw_in_a_fall_begins_it_anew() {
    for (thrown, taken) in [(0.3, true), (0.0, false)] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.row.grounded = false;
        for now in 0..200 {
            table.put(standing(up(-0.1 * now.min(50) as f32)));
            table.tick(None);
        }
        table.put(Placement { velocity: up(thrown), ..standing(up(-5.0)) });
        table.tick(None);
        for now in 0..20 {
            table.put(standing(up(-5.0 + thrown * now as f32)));
            table.tick(None);
        }
        let place = table.place();
        table.take(100, place + up(0.1));
        assert_eq!(table.host.takings().taken == 1, taken, "{thrown}");
    }
}

/// AUTH-18, 19: a player that comes down and jumps again in one tick of the host's was on the ground in it: sixty ticks
/// after the first jump its word is taken at the second's top. Falling on, it was not.
#[test]
fn a_landing_and_a_jump_in_one_tick_are_on_the_ground() {
    for (jumps, taken) in [(true, true), (false, false)] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.host.set_round_trip(machine(1), Some(0.0));
        table.take(100, Vec3::ZERO);
        table.row.grounded = false;
        let mut speed = 0.07;
        for now in 0..60 {
            speed -= 0.003_57;
            if now == 0 || now == 40 {
                table.pressed = Buttons::JUMP;
            }
            if now == 40 && jumps {
                speed = 0.07 - 0.003_57;
            }
            table.put(Placement { velocity: up(speed), ..standing(up(0.5)) });
            table.tick(None);
            table.pressed = Buttons::default();
        }
        table.take(161, up(0.69));
        assert_eq!(table.host.takings().taken == 2, taken, "{jumps}");
    }
}
