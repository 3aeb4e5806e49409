//! Piecewise solutions of the systems with jumps and kinks.

use crate::systems::nonsmooth::{HEATING, RANGE, TAU};

/// Returns temperature and heating of [`crate::systems::switched_heating`]. The times of the jumps are logarithms.
pub(super) fn switched_heating(time: f64) -> [f64; 2] {
    let (mut begin, mut temperature, mut is_on) = (0.0, 20.0, true);
    loop {
        let limit = if is_on { TAU * HEATING } else { 0.0 };
        let next = RANGE[usize::from(is_on)];
        let end = begin + TAU * ((limit - temperature) / (limit - next)).ln();
        if time <= end {
            let now = limit + (temperature - limit) * (-(time - begin) / TAU).exp();
            return [now, if is_on { HEATING } else { 0.0 }];
        }
        (begin, temperature, is_on) = (end, next, !is_on);
    }
}

/// Returns deflection, velocity and force of [`crate::systems::clamped_spring`]: a parabola until x = 1, where v = -sqrt(2),
/// then `cos s - sqrt(2) sin s` until x = 0; the rest follows by symmetry.
pub(super) fn clamped_spring(time: f64) -> [f64; 3] {
    let root = 2.0_f64.sqrt();
    let quarter = root + (1.0 / root).atan();
    let half = (time / (2.0 * quarter)).floor();
    let sign = if half % 2.0 == 0.0 { 1.0 } else { -1.0 };
    let into = time - 2.0 * quarter * half;
    // The second quarter is the first one in reverse, mirrored.
    let (t, mirror) = if into <= quarter { (into, 1.0) } else { (2.0 * quarter - into, -1.0) };
    let (x, v) = if t <= root {
        (2.0 - 0.5 * t * t, -t)
    } else {
        let s = t - root;
        (s.cos() - root * s.sin(), -s.sin() - root * s.cos())
    };
    let (x, v) = (sign * mirror * x, sign * v);
    [x, v, -x.clamp(-1.0, 1.0)]
}
