//! Fast modes that follow their inputs, seen in steps that grow within smooth time.
//!
//! A mode that is over within every step shows the same values at the points of all meshes. Where such steps follow each other, an output that is the
//! derivative of such a mode is 0 although its inputs change; in a few steps that grow from one of the points ("a needle"), it is not.
//!
//! Inputs that are held over the steps before differ from those in the needle by an amount that falls with these steps, so that how far a mode moves is
//! no error. What matters is its mean over a step: how far it moves, times the share of the step in which it does.
//!
//! With slopes `s_j` over steps of lengths `h_j`, each about 8 times the one before, `D_j = |s_(j+1) - s_j| h_j` falls by a factor of 64 per level if
//! values are smooth. A mode with a time constant near `h_j` has its largest `D_j` there: how far it moves.

/// A fast mode of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FastMode {
    /// Its index in the order of [`followed`](super::followed).
    pub(crate) value: usize,
    /// Where the steps grow \[s\].
    pub(crate) time: f64,
    /// How far it moves, and how much the value changes between ordinary points of the run.
    size: f64,
    range: f64,
    /// The lengths of the step in which it moves, and of the needle \[s\].
    pub(crate) within: f64,
    length: f64,
}

impl FastMode {
    /// Its mean effect relative to the change of the value, but at least to `floor`; 1 if the value moves in the needle alone.
    pub(crate) fn effect(&self, floor: f64) -> f64 {
        let is_at_rest = self.range < AT_REST * self.size;
        if is_at_rest { 1.0 } else { self.size * (self.within / self.length).min(1.0) / self.range.max(floor) }
    }
}

/// Steps grow if each is at least so many times as long as the one before.
const GROWS: f64 = 4.0;

/// Minimum ratio of a difference to that of the next longer step for a fast mode; that of smooth values is 1/64.
const FAST: f64 = 0.1;

/// Number of shortest steps that do not count: inputs that are as old as a step jump there.
const SHORTEST: usize = 2;

/// Share of what a mode moves below which the change between ordinary points is none.
const AT_REST: f64 = 1e-3;

/// Share of the largest value below which differences are rounding.
const ROUNDING: f64 = 1e3 * f64::EPSILON;

/// Share of the mean step from which on a step is ordinary: shorter ones resolve what follows a restart.
const ORDINARY: f64 = 0.3;

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
    /// The shortest ordinary step \[s\].
    ordinary: f64,
}

/// A value in the last step.
#[derive(Debug, Clone, Copy)]
struct Level {
    value: f64,
    slope: f64,
    difference: f64,
    low: f64,
    high: f64,
    /// The fast mode that moves furthest: where it begins, how far it moves, and within which step.
    mode: Option<(f64, f64, f64)>,
}

impl Needles {
    /// Begins with the values at the start of a run whose steps have this mean \[s\].
    pub(super) fn new(mean_step: f64, values: impl Iterator<Item = f64>) -> Self {
        let level = |value| Level { value, slope: 0.0, difference: 0.0, low: f64::INFINITY, high: f64::NEG_INFINITY, mode: None };
        Self {
            levels: values.map(level).collect(),
            last: 0.0,
            in_needle: false,
            number: 0,
            begin: 0.0,
            length: 0.0,
            restarted: true,
            ordinary: ORDINARY * mean_step,
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
        if self.restarted || !grows {
            self.in_needle = !self.restarted && GROWS * h < last;
            (self.number, self.begin) = (0, t - h);
        }
        let is_ordinary = !self.in_needle && h >= self.ordinary;
        for (level, value) in self.levels.iter_mut().zip(values) {
            let slope = (value - level.value) / h;
            let difference = if self.number > 0 { (slope - level.slope).abs() * last } else { 0.0 };
            if self.in_needle && self.number > SHORTEST {
                level.compare(difference, (self.begin, last / GROWS));
            }
            if is_ordinary {
                (level.low, level.high) = (level.low.min(value), level.high.max(value));
            }
            (level.value, level.slope, level.difference) = (value, slope, difference);
        }
        if self.in_needle {
            self.length = t - self.begin;
        }
        (self.last, self.restarted) = (h, false);
        self.number += 1;
    }

    /// The fast modes of a finished run.
    pub(super) fn finish(self) -> Vec<FastMode> {
        let found = |(value, level): (usize, Level)| {
            let (time, size, within) = level.mode?;
            let range = (level.high - level.low).max(0.0);
            let rounding = if range > 0.0 { ROUNDING * level.low.abs().max(level.high.abs()) } else { 0.0 };
            (size > rounding).then_some(FastMode { value, time, size, range, within, length: self.length })
        };
        self.levels.into_iter().enumerate().filter_map(found).collect()
    }
}

impl Level {
    /// Compares the difference of a step of a needle with that of the step before.
    fn compare(&mut self, difference: f64, (time, within): (f64, f64)) {
        let is_largest = self.mode.is_none_or(|(_, size, _)| self.difference > size);
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
        let (mut needles, mut t) = (Needles::new(1.0, [value(0.0)].into_iter()), 0.0);
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
            assert!(mode.effect(0.0) > 1e-4 * tau && mode.effect(0.0) < tau && (mode.time - 7.0).abs() < 1e-9, "{mode:?}");
            assert!(mode.within > 0.01 * tau && mode.within < 100.0 * tau && mode.range > 0.5, "{mode:?}");
        }
    }

    #[test]
    fn smooth_values_and_noise_do_not_move() {
        let moves = |modes: Vec<FastMode>| modes.iter().map(|mode| mode.effect(0.0)).fold(0.0, f64::max);
        assert!(moves(modes(|t| (0.7 * t).sin())) < 1e-9);
        assert_eq!(modes(|t| (0.7 * t).sin() + 1e5), []);
        let noise = |t: f64| f64::from((t.to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u32) / 2.0_f64.powi(24);
        assert!(moves(modes(|t| (0.7 * t).sin() + 1e-9 * noise(t))) < 1e-8);
    }

    /// Steps grow from the start, too: what is out of balance there says nothing about later.
    #[test]
    fn what_a_restart_sets_in_motion_does_not_count() {
        let mut needles = Needles::new(1.0, [1.0].into_iter());
        let mut t = 0.0;
        for time in (1..=9).rev().map(|left| 8.0_f64.powi(-left)).chain([1.0, 2.0]) {
            needles.follow([(-1e4 * time).exp()].into_iter(), (time, time - t));
            t = time;
        }
        assert_eq!(needles.finish(), []);
    }
}
