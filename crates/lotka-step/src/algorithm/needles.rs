//! Fast modes that follow their inputs, seen in steps that grow within smooth time.
//!
//! A mode that is over within every step shows the same values at the points of all meshes. Where such steps follow each other,
//! an output that is the derivative of such a mode is 0 although its inputs change; in a few steps that grow from one of the
//! points ("a needle"), it is not.
//!
//! Inputs that are held over the steps before differ from those in the needle by an amount that falls with these steps, so that
//! how far a mode moves is no error. What matters is its mean over a step: how far it moves, times the share of the step in which
//! it does. What the value drives lacks as much of its own movement as this mean is of the mean value, which includes what a
//! restart sets in motion.
//!
//! A value that is 0 at all ordinary points hides its mean, and where each step uses the inputs at its own end, a needle does not
//! show it either. Equal steps shorter than the mode ("a comb") do: at their end, the value is in balance with its inputs.
//!
//! With slopes `s_j` over steps of lengths `h_j`, each about 8 times the one before, `D_j = |s_(j+1) - s_j| h_j` falls by a
//! factor of 64 per level if values are smooth. A mode with a time constant near `h_j` has its largest `D_j` there: how far it
//! moves.

/// A fast mode of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FastMode {
    /// Its index in the order of [`followed`](fn@super::followed).
    pub value: usize,
    /// Where the steps grow \[s\].
    pub time: f64,
    /// The length of the step in which it moves \[s\].
    pub within: f64,
    /// Its mean over a step in the unit of the value, or the largest possible one if only a comb shows it.
    pub mean: f64,
    /// Whether the value hardly moves in ordinary steps, so that only a comb shows the mean.
    pub is_at_rest: bool,
    /// The mean distance of the value from 0, or from its start if that is less.
    distance: f64,
}

impl FastMode {
    /// The share of the mean in the value, which is at least `floor`.
    #[must_use]
    pub fn share(&self, floor: f64) -> f64 {
        if self.mean > 0.0 { (self.mean / self.distance.max(floor)).min(1.0) } else { 0.0 }
    }
}

/// Equal steps that show a fast mode in balance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comb {
    /// The largest size of a step, and where the first one may begin \[s\].
    pub size: f64,
    /// Beginning of its first step \[s\].
    pub from: f64,
}

impl Comb {
    /// Number of steps.
    pub const STEPS: u32 = 128;

    /// Returns the comb for a mode.
    #[must_use]
    pub fn of(mode: &FastMode) -> Self {
        Self { size: mode.within, from: mode.time }
    }

    /// Shorter steps, so that a comb fits into a time \[s\].
    #[must_use]
    pub fn within(self, time: f64) -> Self {
        Self { size: self.size.min(0.5 * time / f64::from(Self::STEPS)), ..self }
    }

    /// The weight of a value at the end of a step in the parabola through later ones, continued to the begin of the comb.
    fn weight(step: u32) -> f64 {
        match step {
            64 => 6.0,
            96 => -8.0,
            Self::STEPS => 3.0,
            _ => 0.0,
        }
    }
}

/// Maximum relative difference of the steps of a comb.
const SAME: f64 = 1e-3;

/// Steps grow if each is at least so many times as long as the one before.
const GROWS: f64 = 4.0;

/// Minimum ratio of a difference to that of the next longer step for a fast mode; that of smooth values is 1/64.
const FAST: f64 = 0.1;

/// The same for the last step of a needle, which one of about the same length follows, in multiples of the former.
const LAST: f64 = 4.0;

/// Factor by which a later difference must exceed the largest so far: where a mode is over, a value returns by as much as it has
/// moved.
const AGAIN: f64 = 4.0;

/// Factor for how far a mode moves: it may move furthest between two steps of a needle.
const PEAK: f64 = 4.0;

/// Number of shortest steps that do not count: inputs that are as old as a step jump there.
const SHORTEST: usize = 2;

/// Number of steps before a needle that show how a value usually moves: in some, inputs may repeat, and the last may be shorter
/// than others.
const RECENT: usize = 4;

/// Share of what a mode moves in a needle below which a value does not move in ordinary steps.
const AT_REST: f64 = 0.1;

/// Share of the largest value below which differences are rounding.
const ROUNDING: f64 = 1e3 * f64::EPSILON;

/// Follows values through the steps of a run with needles.
#[derive(Debug)]
pub(super) struct Needles {
    levels: Vec<Level>,
    /// Length of the last step \[s\]; whether it is in a needle, and which one there.
    last: f64,
    in_needle: bool,
    number: usize,
    /// Where the needle begins \[s\].
    begin: f64,
    /// The length of the last needle \[s\].
    length: f64,
    /// Whether signals restarted since the last step.
    restarted: bool,
    /// The time covered \[s\].
    duration: f64,
    /// The comb, and the number of its steps so far.
    comb: Option<(Comb, u32)>,
}

/// A value in the last step.
#[derive(Debug, Clone, Copy)]
struct Level {
    value: f64,
    slope: f64,
    difference: f64,
    start: f64,
    /// How far it has moved in each of the last steps; the second largest of these, and the absolute value, where a needle
    /// begins.
    moved: [f64; RECENT],
    usual: f64,
    size: f64,
    /// Integrals of the distances from 0 and from the start over time.
    distances: [f64; 2],
    /// The value where a comb begins, and how far it is from there in balance.
    before: f64,
    in_balance: f64,
    /// The fast mode that moves furthest: where it begins, how far it moves, and within which step.
    mode: Option<(f64, f64, f64)>,
}

impl Needles {
    /// Begins with the values at the start of a run, which may have a comb.
    pub(super) fn new(comb: Option<Comb>, values: impl Iterator<Item = f64>) -> Self {
        Self {
            levels: values.map(Level::new).collect(),
            last: 0.0,
            in_needle: false,
            number: 0,
            begin: 0.0,
            length: 0.0,
            restarted: true,
            duration: 0.0,
            comb: comb.map(|comb| (comb, 0)),
        }
    }

    /// Signals restart: steps that grow from there show what the restart has set in motion.
    pub(super) fn restart(&mut self, values: impl Iterator<Item = f64>) {
        self.levels.iter_mut().zip(values).for_each(|(level, value)| level.value = value);
        self.restarted = true;
    }

    /// Takes the values at the end of a step of size `h` that ends at `t` \[s\].
    pub(super) fn follow(&mut self, values: impl Iterator<Item = f64>, (t, h): (f64, f64)) {
        let (last, grows) = (self.last, h > GROWS * self.last && self.last > 0.0);
        let leaves = self.in_needle && !grows && !self.restarted && self.number > SHORTEST;
        let begin = self.begin;
        if self.restarted || !grows {
            self.in_needle = !self.restarted && GROWS * h < last;
            (self.number, self.begin) = (0, t - h);
        }
        let begins = self.in_needle && self.number == 0;
        let step = self.step_of_comb(t, h);
        for (level, value) in self.levels.iter_mut().zip(values) {
            let slope = (value - level.value) / h;
            let difference = if self.restarted { 0.0 } else { (slope - level.slope).abs() * last };
            if leaves {
                level.compare(difference * LAST, (begin, last / GROWS));
            } else if self.in_needle && self.number > SHORTEST {
                level.compare(difference, (begin, last / GROWS));
            }
            if begins {
                (level.usual, level.size) = (second_largest(level.moved), level.value.abs());
            }
            level.moved.rotate_right(1);
            level.moved[0] = (value - level.value).abs();
            level.comb(value, step);
            let distances = [value.abs(), (value - level.start).abs()];
            level.distances.iter_mut().zip(distances).for_each(|(sum, distance)| *sum += distance * h);
            (level.value, level.slope, level.difference) = (value, slope, difference);
        }
        if self.in_needle {
            self.length = t - self.begin;
        }
        (self.last, self.restarted) = (h, false);
        self.number += 1;
        self.duration += h;
    }

    /// The number of a step of size `h` that ends at `t` in the comb, or 0.
    fn step_of_comb(&mut self, t: f64, h: f64) -> u32 {
        let Some((comb, made)) = self.comb.as_mut().filter(|(_, made)| *made < Comb::STEPS) else { return 0 };
        let continues = *made > 0 && (h / self.last - 1.0).abs() <= SAME;
        *made = if continues { *made + 1 } else { u32::from(h <= comb.size * (1.0 + SAME) && t > comb.from) };
        *made
    }

    /// The fast modes of a finished run: with a comb, the means of all values.
    pub(super) fn finish(self) -> Vec<FastMode> {
        let (length, duration, comb) = (self.length, self.duration, self.comb);
        let found = |(value, level): (usize, Level)| {
            let distance = level.distances[0].min(level.distances[1]) / duration;
            if let Some((comb, made)) = comb {
                let mode =
                    FastMode { value, time: 0.0, within: comb.size, mean: level.in_balance.abs(), is_at_rest: false, distance };
                return (made == Comb::STEPS).then_some(mode);
            }
            let (time, size, within) = level.mode?;
            let is_at_rest = level.usual < AT_REST * size;
            let mean = if is_at_rest { PEAK * size } else { size * (within / length).min(1.0) };
            (size > ROUNDING * level.size).then_some(FastMode { value, time, within, mean, is_at_rest, distance })
        };
        self.levels.into_iter().enumerate().filter_map(found).collect()
    }
}

fn second_largest(mut values: [f64; RECENT]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[RECENT - 2]
}

impl Level {
    fn new(value: f64) -> Self {
        Self {
            value,
            slope: 0.0,
            difference: 0.0,
            start: value,
            moved: [0.0; RECENT],
            usual: 0.0,
            size: 0.0,
            distances: [0.0; 2],
            before: value,
            in_balance: 0.0,
            mode: None,
        }
    }

    /// Takes the value at the end of a step of a comb, or of another one if `step` is 0.
    fn comb(&mut self, value: f64, step: u32) {
        if step == 1 {
            (self.before, self.in_balance) = (self.value, 0.0);
        }
        self.in_balance += Comb::weight(step) * (value - self.before);
    }

    /// Compares the difference of a step of a needle with that of the step before.
    fn compare(&mut self, difference: f64, (time, within): (f64, f64)) {
        let is_largest = self.mode.is_none_or(|(_, size, _)| self.difference > AGAIN * size);
        if is_largest && self.difference > FAST * difference {
            self.mode = Some((time, self.difference, within));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of 1 s, with a needle of 9 growing steps from t = 7 s on.
    fn times() -> Vec<f64> {
        let needle = (1..=9).rev().map(|left| 7.0 + 8.0_f64.powi(-left));
        (1..=7).map(f64::from).chain(needle).chain((8..=10).map(f64::from)).collect()
    }

    fn modes(value: impl Fn(f64) -> f64) -> Vec<FastMode> {
        let (mut needles, mut t) = (Needles::new(None, [value(0.0)].into_iter()), 0.0);
        for time in times() {
            needles.follow([value(time)].into_iter(), (time, time - t));
            t = time;
        }
        needles.finish()
    }

    /// What moves within `tau` where a step begins, and is back at its end.
    fn pulse(t: f64, tau: f64) -> f64 {
        let since = t.fract() / tau;
        if t.fract() < 1e-12 { 0.0 } else { since / (1.0 + since * since) }
    }

    #[test]
    fn a_mode_that_is_over_within_a_step_is_seen() {
        for tau in [3e-6, 1e-4, 2e-3] {
            let [mode] = modes(|t| (0.2 * t).sin() + 0.01 * pulse(t, tau))[..] else { panic!("{tau}") };
            assert!(mode.share(0.0) > 1e-4 * tau && mode.share(0.0) < tau && (mode.time - 7.0).abs() < 1e-9, "{mode:?}");
            assert!(mode.within > 0.01 * tau && mode.within < 100.0 * tau && !mode.is_at_rest, "{mode:?}");
        }
    }

    #[test]
    fn smooth_values_and_noise_do_not_move() {
        let moves = |modes: Vec<FastMode>| modes.iter().map(|mode| mode.share(0.0)).fold(0.0, f64::max);
        assert!(moves(modes(|t| (0.7 * t).sin())) < 1e-9);
        assert_eq!(modes(|t| (0.7 * t).sin() + 1e5), []);
        let noise = |t: f64| f64::from((t.to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u32) / 2.0_f64.powi(24);
        assert!(moves(modes(|t| (0.7 * t).sin() + 1e-9 * noise(t))) < 1e-8);
    }

    /// The velocity of a value that follows `sin(t)` within a time `tau`: it is at rest wherever steps are longer.
    #[test]
    fn only_a_comb_shows_the_mean_of_a_value_at_rest() {
        let tau = 1e-5;
        let comb = Comb { size: tau, from: 2.5 };
        let mut needles = Needles::new(Some(comb), [0.0].into_iter());
        let mut t = 0.0;
        let teeth = (1..=Comb::STEPS).map(|step| 3.0 + f64::from(step) * comb.size);
        for time in (1..=3).map(f64::from).chain(teeth).chain([4.0, 5.0]) {
            let value = if time == time.floor() { 0.0 } else { time.cos() * (1.0 - (-(time - 3.0) / tau).exp()) };
            needles.follow([value].into_iter(), (time, time - t));
            t = time;
        }
        let [mode] = needles.finish()[..] else { panic!("no mode") };
        assert!((mode.mean - 3.0_f64.cos().abs()).abs() < 1e-6, "{mode:?}");
    }

    /// Steps grow from the start, too: what is out of balance there says nothing about later.
    #[test]
    fn what_a_restart_sets_in_motion_does_not_count() {
        let mut needles = Needles::new(None, [1.0].into_iter());
        let mut t = 0.0;
        for time in (1..=9).rev().map(|left| 8.0_f64.powi(-left)).chain([1.0, 2.0]) {
            needles.follow([(-1e4 * time).exp()].into_iter(), (time, time - t));
            t = time;
        }
        assert_eq!(needles.finish(), []);
    }
}
