//! How alike what was heard is to what was said, and how much later it came: by what either sounds like in each 5 ms, as loud in
//! each of thirteen bands of pitch as it is. Knows no codec and no network.

/// Samples from one look to the next: 5 ms.
const HOP: usize = 240;
/// Samples that one looks at: 20 ms.
const WINDOW: usize = 960;
/// The bands' middles, hertz.
const BANDS: [f64; 13] = [
    150.0, 300.0, 450.0, 600.0, 800.0, 1_000.0, 1_250.0, 1_500.0, 1_800.0, 2_200.0, 2_600.0, 3_000.0, 3_500.0,
];
/// Looks that are compared at a time: 600 ms.
const COMPARED: usize = 120;
/// From one comparison to the next: 100 ms.
const STEP: usize = 20;
/// Milliseconds of a look.
const LOOK_MS: usize = 5;
/// The longest delay that is looked for, in looks: a second.
const MOST_LATE: usize = 200;

/// What a sound is like, look by look: how loud each band is.
pub(super) struct Looks(Vec<[f64; BANDS.len()]>);

/// What a stretch of 600 ms of what was heard is like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// When it ends, milliseconds from the beginning of what was heard.
    pub(super) at_ms: usize,
    /// How much later it is than what it is most like, milliseconds.
    pub(super) late_ms: usize,
    /// How alike the two are: the correlation of all their looks' bands, 1 for the same.
    pub(super) likeness: f64,
}

impl Looks {
    pub(super) fn of(sound: &[i16]) -> Self {
        let hann: Vec<f64> = (0..WINDOW)
            .map(|at| 0.5 - 0.5 * (std::f64::consts::TAU * at as f64 / WINDOW as f64).cos())
            .collect();
        let look = |at: usize| {
            let seen = &sound[at * HOP..at * HOP + WINDOW];
            BANDS.map(|hertz| {
                // Goertzel's: as loud as it is at that pitch.
                let turn = 2.0 * (std::f64::consts::TAU * hertz / 48_000.0).cos();
                let (mut one, mut two) = (0.0, 0.0);
                for (sample, weight) in seen.iter().zip(&hann) {
                    let now = f64::from(*sample) * weight + turn * one - two;
                    (one, two) = (now, one);
                }
                let power = one * one + two * two - turn * one * two;
                // In decibels over what is next to silence, so that silence is alike to silence.
                10.0 * (power.max(0.0) + 1e8).log10()
            })
        };
        Self((0..(sound.len().saturating_sub(WINDOW)) / HOP).map(look).collect())
    }

    /// What each stretch of these, which were heard, is most like in what was said from so many milliseconds before it on. Stretches
    /// of silence are left out, which are like any other.
    pub(super) fn heard_of(&self, said: &Self) -> Vec<Stretch> {
        let mut stretches = Vec::new();
        for end in (COMPARED..=self.0.len()).step_by(STEP) {
            let heard = &self.0[end - COMPARED..end];
            if deviation(heard) < 3.0 {
                continue;
            }
            let most = (0..=MOST_LATE.min(end - COMPARED))
                .filter(|late| end - late <= said.0.len())
                .map(|late| (late, alike(heard, &said.0[end - COMPARED - late..end - late])))
                .max_by(|one, other| one.1.total_cmp(&other.1));
            if let Some((late, likeness)) = most {
                stretches.push(Stretch { at_ms: end * LOOK_MS, late_ms: late * LOOK_MS, likeness });
            }
        }
        stretches
    }
}

fn mean(looks: &[[f64; BANDS.len()]]) -> f64 {
    looks.iter().flatten().sum::<f64>() / (looks.len() * BANDS.len()) as f64
}

/// How much what is looked at differs from itself.
fn deviation(looks: &[[f64; BANDS.len()]]) -> f64 {
    let mean = mean(looks);
    let squares: f64 = looks.iter().flatten().map(|band| (band - mean).powi(2)).sum();
    (squares / (looks.len() * BANDS.len()) as f64).sqrt()
}

/// Pearson's correlation.
fn alike(one: &[[f64; BANDS.len()]], other: &[[f64; BANDS.len()]]) -> f64 {
    let (mean_one, mean_other) = (mean(one), mean(other));
    let (mut both, mut ones, mut others) = (0.0, 1e-9, 1e-9);
    for (one, other) in one.iter().flatten().zip(other.iter().flatten()) {
        let (one, other) = (one - mean_one, other - mean_other);
        (both, ones, others) = (both + one * other, ones + one * one, others + other * other);
    }
    both / f64::sqrt(ones * others)
}

/// The mean, and what 95 of a hundred are no more than.
pub(super) fn mean_and_most(of: impl Iterator<Item = f64>) -> (f64, f64) {
    let mut all: Vec<f64> = of.collect();
    all.sort_by(f64::total_cmp);
    assert!(!all.is_empty(), "nothing was heard");
    (all.iter().sum::<f64>() / all.len() as f64, all[(all.len() * 95).div_ceil(100) - 1])
}
