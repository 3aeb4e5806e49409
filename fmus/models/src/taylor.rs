//! Coupled populations, integrated together by Taylor series.

use fmu_sdk::Refusal;

use crate::growth::finite_population;

/// Interacting populations `x`, each with a relative growth rate that is linear in all populations:
///
/// ```text
/// dx_i/dt = x_i (own_i + Σ_j effect_ij x_j)
/// ```
///
/// `own` \[1/s\] is the growth rate of each population alone, `effect` \[1/s\] the contribution of one individual of another.
/// Taylor series of order 20 integrate every step to rounding accuracy. Their coefficients `X` follow from the equations term
/// by term, together with those of the relative growth, `G`:
///
/// ```text
/// G_i[k] = own_i (k = 0) + Σ_j effect_ij X_j[k],   (k + 1) X_i[k+1] = Σ_m X_i[m] G_i[k-m]
/// ```
///
/// The internal step is the radius of convergence, estimated from the last coefficients, over e². The truncation error is about
/// e⁻⁴⁰.
///
/// Source: À. Jorba, M. Zou, A Software Package for the Numerical Integration of ODEs by Means of High-Order Taylor Methods,
/// Experimental Mathematics 14 (2005), doi 10.1080/10586458.2005.10128904.
pub(crate) struct Populations<const N: usize> {
    pub(crate) own: [f64; N],
    pub(crate) effect: [[f64; N]; N],
}

/// Order of the series.
const ORDER: usize = 20;

/// Coefficients of all series, starting with order 0.
type Series<const N: usize> = [[f64; N]; ORDER + 1];

impl<const N: usize> Populations<N> {
    /// Returns the populations after a step of `h` seconds; `names` are used in messages.
    ///
    /// # Errors
    /// A discard if a population is not finite.
    pub(crate) fn step(&self, names: [&str; N], mut x: [f64; N], h: f64) -> Result<[f64; N], Refusal> {
        let mut left = h;
        while left > 0.0 {
            let series = self.series(x);
            let h = left.min(inner_step(&series));
            x = series.iter().rev().fold([0.0; N], |sum, term| std::array::from_fn(|i| sum[i] * h + term[i]));
            for (name, x) in names.iter().zip(x) {
                finite_population(name, x)?;
            }
            if left - h == left {
                return Err(Refusal::discard("the populations grow beyond all numbers within this step; use a smaller step"));
            }
            left -= h;
        }
        Ok(x)
    }

    /// Returns the relative growth rate of population `i` \[1/s\].
    pub(crate) fn relative(&self, x: [f64; N], i: usize) -> f64 {
        self.own[i] + (0..N).map(|j| self.effect[i][j] * x[j]).sum::<f64>()
    }

    /// Returns the first and second derivative of population `i` \[1/s, 1/s²\].
    pub(crate) fn derivatives(&self, x: [f64; N], i: usize) -> [f64; 2] {
        let rate: [f64; N] = std::array::from_fn(|j| x[j] * self.relative(x, j));
        let bend = (0..N).map(|j| self.effect[i][j] * rate[j]).sum::<f64>();
        [rate[i], rate[i] * self.relative(x, i) + x[i] * bend]
    }

    /// Returns the Taylor coefficients of all populations at `x`.
    fn series(&self, x: [f64; N]) -> Series<N> {
        let mut series = [[0.0; N]; ORDER + 1];
        let mut growth = [[0.0; N]; ORDER];
        series[0] = x;
        for k in 0..ORDER {
            let own = if k == 0 { self.own } else { [0.0; N] };
            growth[k] = std::array::from_fn(|i| own[i] + (0..N).map(|j| self.effect[i][j] * series[k][j]).sum::<f64>());
            let product = |i: usize| (0..=k).map(|m| series[m][i] * growth[k - m][i]).sum::<f64>();
            series[k + 1] = std::array::from_fn(|i| product(i) / (k + 1) as f64);
        }
        series
    }
}

/// Returns the largest step for which the truncation error of the series is below rounding.
fn inner_step<const N: usize>(series: &Series<N>) -> f64 {
    let size = |k: usize| series[k].iter().fold(0.0, |size: f64, x| size.max(x.abs()));
    let radius = |k: usize| (size(k) / size(0)).powf(-1.0 / k as f64);
    let radius = radius(ORDER - 1).min(radius(ORDER));
    if radius > 0.0 { radius * (-2.0_f64).exp() } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A population that limits its own growth: dx/dt = x (1 - x).
    const LOGISTIC: Populations<1> = Populations { own: [1.0], effect: [[-1.0]] };

    #[test]
    fn logistic_growth_is_the_closed_form() {
        for h in [1e-3_f64, 0.5, 3.0, 40.0] {
            let exact = 0.1 / (0.1 + 0.9 * (-h).exp());
            assert!((LOGISTIC.step(["x"], [0.1], h).unwrap()[0] / exact - 1.0).abs() < 1e-14, "{h}");
        }
    }

    #[test]
    fn derivatives_are_those_of_the_closed_form() {
        let [rate, bend] = LOGISTIC.derivatives([0.1], 0);
        assert!((rate - 0.09).abs() < 1e-16 && (bend - 0.09 * 0.8).abs() < 1e-16);
        let series = LOGISTIC.series([0.1]);
        assert!((series[1][0] - rate).abs() < 1e-16 && (2.0 * series[2][0] - bend).abs() < 1e-16);
    }

    #[test]
    fn unbounded_growth_is_discarded_by_name() {
        let exploding = Populations { own: [1.0], effect: [[1.0]] };
        let refusal = exploding.step(["x"], [10.0], 1000.0).unwrap_err();
        assert!(refusal.to_string().contains("smaller step"), "{refusal}");
    }
}
