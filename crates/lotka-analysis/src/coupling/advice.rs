//! What the measurements say about the choice of step, sweep and iteration, in words.

use std::fmt;

use super::{
    critical_step::CriticalStep,
    growth::Undetermined,
    schemes::{ComparedSweep, Scheme},
    short::Short,
    spectral::Contraction,
};

/// Reduction of the error of interface values that counts as converged.
const REDUCTION: f64 = 1e-6;
/// Contraction from which accelerating the iteration pays, and the values of a single pass are not trusted.
pub(super) const SLOW: f64 = 0.5;

/// One statement about a coupled system; steps in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Advice {
    /// There is nothing that feeds itself.
    NoLoops,
    /// Iterating ends by itself.
    NothingToIterate {
        /// What is iterated.
        sweep: ComparedSweep,
    },
    /// The plain iteration converges.
    Converges {
        /// What is iterated.
        sweep: ComparedSweep,
        /// The step.
        step: f64,
        /// Factor per iteration.
        contraction: f64,
        /// Until the error is 1e-6 of what it was.
        iterations: f64,
    },
    /// The plain iteration does not converge.
    Diverges {
        /// What is iterated.
        sweep: ComparedSweep,
        /// The step.
        step: f64,
        /// Factor per iteration.
        contraction: f64,
        /// A scheme that is stable without iteration, and up to which step.
        instead: Option<(Scheme, f64)>,
    },
    /// The coupling of a scheme adds growth at the step in use.
    AddsGrowth {
        /// The scheme.
        scheme: Scheme,
        /// The step in use.
        step: f64,
        /// Up to which step it adds none; `None` if it does at all steps tried.
        stable_up_to: Option<f64>,
    },
    /// The coupling of a scheme adds no growth at the step in use.
    AddsNoGrowth {
        /// The scheme.
        scheme: Scheme,
        /// The step in use.
        step: f64,
        /// Largest step found stable.
        stable_up_to: f64,
        /// Whether larger steps are known to add growth.
        critical: bool,
    },
    /// The scheme that allows the largest steps.
    MostStable {
        /// The scheme.
        scheme: Scheme,
        /// Largest step found stable.
        stable_up_to: f64,
        /// Largest step whose exchanged values suit each other, if it is smaller; 0 if even the smallest one tried is too long.
        accurate_up_to: Option<f64>,
    },
    /// Growth could not be found.
    NotDetermined {
        /// The scheme.
        scheme: Scheme,
        /// Why.
        reason: Undetermined,
    },
}

/// Everything there is to say, the most important first: each scheme at the step in use, the most stable one if there is a
/// choice, then the iterations. `contraction` is that at `step` \[s\], if it is known, and `accurate_up_to` what
/// [`Advice::MostStable`] says; a system without loops has no schemes.
pub(super) fn advise(
    step: f64,
    contraction: Option<Contraction>,
    schemes: &[(Scheme, CriticalStep)],
    accurate_up_to: Option<f64>,
) -> Vec<Advice> {
    if schemes.is_empty() {
        return vec![Advice::NoLoops];
    }
    let mut advice: Vec<Advice> = schemes.iter().map(|(scheme, found)| of_scheme(*scheme, step, *found)).collect();
    let best = most_stable(schemes);
    if let (Some((scheme, stable_up_to)), true) = (best, schemes.len() > 1) {
        advice.push(Advice::MostStable { scheme, stable_up_to, accurate_up_to });
    }
    let iterations =
        contraction.map(|found| [(ComparedSweep::Jacobi, found.jacobi), (ComparedSweep::GaussSeidel, found.gauss_seidel)]);
    let instead = best.map(|(scheme, stable)| (scheme, accurate_up_to.unwrap_or(stable))).filter(|(_, h)| *h > 0.0);
    advice.extend(iterations.into_iter().flatten().map(|(sweep, contraction)| of_iteration(sweep, step, contraction, instead)));
    advice
}

fn of_scheme(scheme: Scheme, step: f64, found: CriticalStep) -> Advice {
    match found {
        CriticalStep::NotDetermined { reason } => Advice::NotDetermined { scheme, reason },
        CriticalStep::UnstableDownTo { .. } => Advice::AddsGrowth { scheme, step, stable_up_to: None },
        CriticalStep::Critical { h } if step > h => Advice::AddsGrowth { scheme, step, stable_up_to: Some(h) },
        CriticalStep::Critical { h } => Advice::AddsNoGrowth { scheme, step, stable_up_to: h, critical: true },
        CriticalStep::StableUpTo { h } => Advice::AddsNoGrowth { scheme, step, stable_up_to: h, critical: false },
    }
}

/// The first of those that allow the largest step.
pub(super) fn most_stable(schemes: &[(Scheme, CriticalStep)]) -> Option<(Scheme, f64)> {
    let stable = schemes.iter().filter_map(|(scheme, found)| match found {
        CriticalStep::Critical { h } | CriticalStep::StableUpTo { h } => Some((*scheme, *h)),
        CriticalStep::UnstableDownTo { .. } | CriticalStep::NotDetermined { .. } => None,
    });
    stable.reduce(|best, next| if next.1 > best.1 { next } else { best })
}

fn of_iteration(sweep: ComparedSweep, step: f64, contraction: f64, instead: Option<(Scheme, f64)>) -> Advice {
    if contraction == 0.0 {
        Advice::NothingToIterate { sweep }
    } else if contraction < 1.0 {
        let iterations = (REDUCTION.ln() / contraction.ln()).ceil();
        Advice::Converges { sweep, step, contraction, iterations }
    } else {
        Advice::Diverges { sweep, step, contraction, instead }
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoLoops => f.write_str("no instance feeds back to itself: the coupling adds no growth and needs no iteration"),
            Self::NothingToIterate { sweep } => {
                write!(f, "{sweep} iteration: converges in finitely many iterations (contraction 0)")
            }
            Self::Converges { sweep, step, contraction, iterations } => {
                let (step, contraction) = (Short(step), Short(contraction));
                write!(
                    f,
                    "{sweep} iteration: converges at h = {step} s in {iterations} iterations to {REDUCTION:e} (contraction {contraction})"
                )?;
                if contraction.0 < SLOW { Ok(()) } else { f.write_str("; `anderson` or `newton` need fewer") }
            }
            Self::Diverges { sweep, step, contraction, instead } => {
                let (step, contraction) = (Short(step), Short(contraction));
                write!(f, "{sweep} iteration: diverges at h = {step} s (contraction {contraction}); use `anderson` or `newton`")?;
                let Some((scheme, below)) = instead else { return f.write_str(", or smaller steps") };
                write!(f, ", or {scheme} without iteration and steps up to {} s", Short(below))
            }
            Self::AddsGrowth { scheme, step, stable_up_to: Some(stable) } => {
                write!(f, "{scheme}: the coupling adds growth at h = {} s; it adds none up to {} s", Short(step), Short(stable))
            }
            Self::AddsGrowth { scheme, step, stable_up_to: None } => {
                write!(f, "{scheme}: the coupling adds growth at h = {} s and at every smaller step tried", Short(step))
            }
            Self::AddsNoGrowth { scheme, stable_up_to, critical, .. } => {
                write!(f, "{scheme}: the coupling adds no growth up to h = {} s", Short(stable_up_to))?;
                f.write_str(if critical { "" } else { ", the largest step tried" })
            }
            Self::MostStable { scheme, stable_up_to, accurate_up_to } => {
                write!(f, "most stable without iteration: {scheme}, steps up to {} s", Short(stable_up_to))?;
                match accurate_up_to {
                    None => Ok(()),
                    Some(0.0) => {
                        f.write_str(", but wrong at all steps tried: the values exchanged in a step do not suit each other")
                    }
                    Some(h) => {
                        write!(f, ", but wrong above {} s: the values exchanged in longer steps do not suit each other", Short(h))
                    }
                }
            }
            Self::NotDetermined { scheme, reason } => write!(f, "{scheme}: growth is not determined: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::schemes::Outputs;
    use super::*;

    const STALE: Scheme = Scheme { sweep: ComparedSweep::Jacobi, outputs: Some(Outputs::Stale) };
    const FRESH: Scheme = Scheme { sweep: ComparedSweep::Jacobi, outputs: Some(Outputs::Fresh) };
    const ORDERED: Scheme = Scheme { sweep: ComparedSweep::GaussSeidel, outputs: None };

    fn words(step: f64, jacobi: f64, gauss_seidel: f64, schemes: &[(Scheme, CriticalStep)]) -> Vec<String> {
        advise(step, Some(Contraction { jacobi, gauss_seidel }), schemes, None).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn of_a_stiff_loop() {
        let schemes = [
            (STALE, CriticalStep::Critical { h: 0.043_384_7 }),
            (FRESH, CriticalStep::Critical { h: 0.225_411 }),
            (ORDERED, CriticalStep::Critical { h: 0.077_66 }),
        ];
        let expected = [
            "jacobi with stale outputs: the coupling adds growth at h = 0.1 s; it adds none up to 0.04338 s",
            "jacobi with fresh outputs: the coupling adds no growth up to h = 0.2254 s",
            "gauss-seidel: the coupling adds growth at h = 0.1 s; it adds none up to 0.07766 s",
            "most stable without iteration: jacobi with fresh outputs, steps up to 0.2254 s",
            "jacobi iteration: diverges at h = 0.1 s (contraction 1.225); use `anderson` or `newton`, or jacobi with fresh outputs without iteration and steps up to 0.2254 s",
            "gauss-seidel iteration: diverges at h = 0.1 s (contraction 1.5); use `anderson` or `newton`, or jacobi with fresh outputs without iteration and steps up to 0.2254 s",
        ];
        assert_eq!(words(0.1, 1.224_74, 1.5, &schemes), expected);
    }

    #[test]
    fn of_a_mild_loop() {
        let schemes = [(ORDERED, CriticalStep::StableUpTo { h: 10.0 })];
        let expected = [
            "gauss-seidel: the coupling adds no growth up to h = 10 s, the largest step tried",
            "jacobi iteration: converges at h = 0.00001 s in 28 iterations to 1e-6 (contraction 0.6); `anderson` or `newton` \
             need fewer",
            "gauss-seidel iteration: converges at h = 0.00001 s in 14 iterations to 1e-6 (contraction 0.36)",
        ]
        .map(|line| line.replace("0.00001", "1e-5"));
        assert_eq!(words(1e-5, 0.6, 0.36, &schemes), expected);
    }

    #[test]
    fn of_a_chain() {
        assert_eq!(
            words(0.1, 0.0, 0.0, &[]),
            ["no instance feeds back to itself: the coupling adds no growth and needs no iteration"]
        );
    }

    #[test]
    fn of_what_is_not_known_or_never_stable() {
        let noise = CriticalStep::NotDetermined { reason: Undetermined::Noise { noise: 3.2e-6 } };
        let expected = [
            "jacobi with stale outputs: growth is not determined: restored states have a relative error of 3.2e-6, expected \
             less than 1e-10",
            "gauss-seidel: the coupling adds growth at h = 0.1 s and at every smaller step tried",
            "jacobi iteration: diverges at h = 0.1 s (contraction 1); use `anderson` or `newton`, or smaller steps",
            "gauss-seidel iteration: converges in finitely many iterations (contraction 0)",
        ];
        assert_eq!(words(0.1, 1.0, 0.0, &[(STALE, noise), (ORDERED, CriticalStep::UnstableDownTo { h: 0.001 })]), expected);
    }
}
