//! Who hears whom by the host's mode.

use mjolnir_voice::{Player, Sides};
use mjolnir_wire::voice::{Mode, Route, VoiceSettings};

use super::scene::{Game, Hosted, millis};

/// By what the second machine hears the first.
fn route(mode: Mode, game: &Game) -> Route {
    let mut hosted = Hosted::with(VoiceSettings::new(true, mode, 24, 150).unwrap(), 2);
    let _ = hosted.says(millis(20), 1, b"x", game);
    hosted.sent().first().map_or(Route::None, |sent| sent.route)
}

/// What a mode gives: mates and enemies, each near and far.
fn expected(mode: Mode) -> [[Route; 2]; 2] {
    use Route::{Global, Near, None};
    match mode {
        Mode::Off => [[None, None], [None, None]],
        Mode::TeamNear => [[Near, None], [None, None]],
        Mode::TeamAndEnemiesNear => [[Near, None], [Near, None]],
        Mode::Team => [[Global, Global], [None, None]],
        Mode::TeamAndNearEnemies => [[Global, Global], [Near, None]],
    }
}

/// VOICE-12: each mode with each kind of sides, near and far, alive and dead: mates of one team and in co-op, enemies of two and
/// without teams; near is near only while both live.
#[test]
fn each_mode_lets_hear_whom_it_says() {
    for mode in Mode::ALL {
        for (sides, same_team, is_mate) in [
            (Sides::Teams, true, true),
            (Sides::Teams, false, false),
            (Sides::Alone, true, false),
            (Sides::Alone, false, false),
            (Sides::Together, true, true),
            (Sides::Together, false, true),
        ] {
            for (is_near, lives) in
                [(true, [true, true]), (false, [true, true]), (true, [false, true]), (true, [true, false])]
            {
                let mut game = Game::played(sides, 0..3);
                *game.of(2) = Player { team: u8::from(!same_team), ..*game.of(2) };
                game.of(2).place.y = if is_near { 1.0 } else { 200.0 };
                (game.of(1).is_alive, game.of(2).is_alive) = (lives[0], lives[1]);
                let counts_as_near = is_near && lives == [true, true];
                let is = expected(mode)[usize::from(!is_mate)][usize::from(!counts_as_near)];
                assert_eq!(route(mode, &game), is, "{mode:?} {sides:?} {same_team} {is_near} {lives:?}");
            }
        }
    }
}

/// VOICE-12: a machine without a player in a game neither hears nor is heard; its first player stands for it.
#[test]
fn a_machine_is_its_first_player() {
    let without = |index: u8| {
        let mut game = Game::played(Sides::Together, 0..3);
        game.players.remove(&index);
        route(Mode::Team, &game)
    };
    assert_eq!([without(0), without(1), without(2)], [Route::Global, Route::None, Route::None]);
}

/// VOICE-14: at 15 wu a voice is heard at 14.9 and at 15 and not at 15.1, whichever way; of a place that is no number it is not.
#[test]
fn near_ends_at_its_range() {
    for (distance, is) in
        [(14.9, Route::Near), (15.0, Route::Near), (15.1, Route::None), (f32::NAN, Route::None)]
    {
        for (x, y, z) in [(distance, 0.0, 0.0), (0.0, -distance, 0.0), (0.0, 0.0, distance)] {
            let mut game = Game::played(Sides::Alone, 0..3);
            game.of(2).place = mjolnir_wire::Vec3::new(x, y, z);
            assert_eq!(route(Mode::TeamAndNearEnemies, &game), is, "{distance}");
        }
    }
}

/// VOICE-12: who dies while it talks is heard by the living from the next frame on as the dead are: by no enemy.
#[test]
fn who_dies_talking_is_heard_as_the_dead_are() {
    let mut hosted = Hosted::with(VoiceSettings::default(), 3);
    let mut game = Game::played(Sides::Teams, 0..4);
    game.of(3).team = 1;
    hosted.says(millis(20), 1, b"x", &game).unwrap();
    assert_eq!(hosted.hearers(), [2, 3]);
    game.of(1).is_alive = false;
    hosted.says(millis(40), 1, b"x", &game).unwrap();
    assert_eq!(hosted.hearers(), [2]);
}
