//! The times at which an instance with internal steps of fixed size acts, located to the last bit from saved states.
//!
//! An instance that acts at the end of the step that passes such a time changes its outputs in that step. One that acts at the
//! beginning changes them in the next step. So a trial makes a step, and a second one if the first changes nothing; the end of
//! the first is bisected. Inputs change from time to time, because an instance that only samples them shows no change while they
//! are constant.

use lotka_step::algorithm::Change;

use super::detect::Walk;
use crate::trial::plain;

/// An instance that can return to a saved state.
pub(super) trait Actor: Walk {
    /// Saves the present state.
    fn mark(&mut self) -> Option<()>;
    fn go_back(&mut self) -> Option<()>;
    /// Whether a step changes an output; `None` if it cannot be made.
    fn changes(&mut self, h: f64) -> Option<bool> {
        Some(self.step(h)? == Change::Clear)
    }
}

/// Search range for the next time, in grid sizes.
const AHEAD: f64 = 1.5;

/// The second step, as a share of the first one.
const SECOND: f64 = 1.0 / 64.0;

/// Steps per grid size in the search for the next time.
const PARTS: f64 = 4.0;

/// Maximum and minimum number of times that are followed.
const TIMES: (u32, u32) = (20_000, 3);

/// Distances that differ by less than this share of one are equal. A plain number within this share is preferred.
const EQUAL: f64 = 1e-9;
const PLAIN: f64 = 1e-10;

/// The properties of the times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Times {
    /// Their period \[s\].
    pub(super) every: f64,
    /// One of them \[s\].
    pub(super) offset: f64,
    /// Whether repeating the same inputs yields other outputs.
    pub(super) has_memory: bool,
}

/// Finds the times; `None` if they are not equidistant, too few or too many. The size of the grid is about `size` \[s\].
pub(super) fn times(actor: &mut impl Actor, size: f64) -> Option<Times> {
    if (actor.stop() - actor.now()) / size > f64::from(TIMES.0) {
        return None;
    }
    let mut found = Vec::new();
    while found.len() < TIMES.1 as usize + 1 {
        found.push(next(actor, size)?);
    }
    // The first may be the start time.
    let (first, second, third) = (found[1], found[2], found[3]);
    let slack = EQUAL * size + f64::EPSILON * actor.stop().abs().max(first.abs());
    if (third - second - (second - first)).abs() > slack {
        return None;
    }
    let mut has_memory = false;
    for _ in 0..2 {
        has_memory |= actor.changes(0.5 * (third - second))?;
    }
    let (mut last, mut count, mut every) = (third, 2.0, (third - first) / 2.0);
    let left = ((actor.stop() - third) / every).floor() - 1.0;
    if left >= 2.0 {
        let until = third + (left - 0.5) * every;
        while actor.now() < until {
            actor.stir();
            actor.step((until - actor.now()).min(0.5 * every))?;
        }
        (last, count) = (next(actor, size)?, count + left);
        if (last - third - left * every).abs() > left * slack {
            return None;
        }
        every = (last - first) / count;
    }
    let near = PLAIN * every;
    let every = plain::near(every, near / count);
    // The center of the effect of rounding on both ends.
    let offset = 0.5 * (first + (last - count * every));
    let is_everywhere = [first, second, third, last].iter().all(|time| {
        let number = ((time - offset) / every).round();
        (time - offset - number * every).abs() <= EQUAL * every
    });
    is_everywhere.then(|| Times { every, offset: plain::near(offset, near), has_memory })
}

/// Finds when the instance acts next, and leaves it past that time.
fn next(actor: &mut impl Actor, size: f64) -> Option<f64> {
    loop {
        actor.stir();
        actor.mark()?;
        let begin = actor.now();
        let ahead = (AHEAD * size).min((actor.stop() - begin) / (1.0 + SECOND));
        let least = f64::EPSILON * begin.abs().max(size);
        if ahead <= least {
            return None;
        }
        let mut is_at_end = actor.changes(ahead)?;
        let mut is_after = !is_at_end && actor.changes(SECOND * ahead)?;
        if !is_at_end && !is_after {
            // It may have sampled the same value before.
            actor.go_back()?;
            actor.stir();
            is_at_end = actor.changes(ahead)?;
            is_after = !is_at_end && actor.changes(SECOND * ahead)?;
        }
        if !is_at_end && !is_after {
            continue;
        }
        let (mut low, mut high) = (0.0, ahead);
        while high - low > least {
            let middle = 0.5 * (low + high);
            actor.go_back()?;
            if actor.changes(middle)? || is_after && actor.changes(SECOND * ahead)? { high = middle } else { low = middle }
        }
        actor.go_back()?;
        for h in [high, size / PARTS, size / PARTS] {
            actor.step(h.min(actor.stop() - actor.now()))?;
        }
        return Some(begin + high);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples its input.
    #[derive(Clone)]
    struct Sampler {
        every: f64,
        offset: f64,
        is_at_end: bool,
        count: f64,
        t: f64,
        input: f64,
        output: f64,
        /// Whether it adds up its samples.
        has_memory: bool,
    }

    struct Fake {
        now: Sampler,
        marked: Option<Sampler>,
        stop: f64,
        calls: u32,
    }

    impl Walk for Fake {
        fn now(&self) -> f64 {
            self.now.t
        }

        fn stop(&self) -> f64 {
            self.stop
        }

        fn step(&mut self, h: f64) -> Option<Change> {
            self.calls += 1;
            let before = self.now.output;
            let now = &mut self.now;
            let time = if now.is_at_end { now.t + h } else { now.t };
            while time >= now.offset + now.count * now.every {
                let before = if now.has_memory { now.output } else { 0.0 };
                (now.output, now.count) = (before + now.input, now.count + 1.0);
            }
            now.t += h;
            (now.t <= self.stop * (1.0 + 1e-12)).then(|| Change::of([(before, now.output)]))
        }

        fn stir(&mut self) {
            self.now.input = 1.25 - self.now.input;
        }

        fn values(&self) -> Vec<f64> {
            vec![self.now.output]
        }
    }

    impl Actor for Fake {
        fn mark(&mut self) -> Option<()> {
            self.marked = Some(self.now.clone());
            Some(())
        }

        fn go_back(&mut self) -> Option<()> {
            self.now = Sampler { input: self.now.input, ..self.marked.clone()? };
            Some(())
        }
    }

    fn found(every: f64, offset: f64, is_at_end: bool, stop: f64) -> (Option<Times>, u32) {
        measured(every, offset, (is_at_end, false), stop)
    }

    fn measured(every: f64, offset: f64, (is_at_end, has_memory): (bool, bool), stop: f64) -> (Option<Times>, u32) {
        let now = Sampler { every, offset, is_at_end, count: 0.0, t: 0.0, input: 1.0, output: 0.0, has_memory };
        let mut fake = Fake { now, marked: None, stop, calls: 0 };
        (times(&mut fake, 1.03 * every), fake.calls)
    }

    #[test]
    fn times_are_found_as_they_were_chosen() {
        for every in [0.1, 1.0 / 3.0, 0.272, 1e-3, 7.0] {
            for (offset, is_at_end) in [(0.0, true), (0.0, false), (0.4, true), (0.4, false), (0.97, true), (3.7, false)] {
                let (times, calls) = found(every, offset * every, is_at_end, 50.0 * every);
                let found = times.unwrap_or_else(|| panic!("{every} {offset} {is_at_end}"));
                let (period, first) = (found.every, found.offset);
                assert!(!found.has_memory);
                let off = (first - offset * every) / every;
                assert!((period - every).abs() <= 1e-11 * every, "{every} {offset} {is_at_end}: {period}");
                assert!((off - off.round()).abs() <= 1e-9, "{every} {offset} {is_at_end}: {first}");
                assert!(calls < 1000, "{calls}");
            }
        }
        let plain = Times { every: 0.1, offset: 0.13, has_memory: false };
        assert_eq!(found(0.1, 0.03, true, 30.0).0, Some(plain), "in as few digits as possible");
    }

    #[test]
    fn what_adds_up_has_a_memory() {
        for is_at_end in [false, true] {
            let found = measured(0.1, 0.03, (is_at_end, true), 30.0).0.unwrap();
            assert!(found.has_memory && (found.every - 0.1).abs() < 1e-12, "{found:?}");
        }
    }

    #[test]
    fn a_few_times_are_none() {
        assert_eq!(found(1.0, 0.4, true, 3.0).0, None);
        assert_eq!(found(1e-6, 0.0, true, 1.0).0, None, "too many");
    }
}
