//! Coupling methods by name.

use lotka::System;

/// Maximum number of iterations of a method that iterates, if the system file does not set it.
const ITERATIONS: i64 = 50;

/// A sweep, optionally with the degree of its inputs and the acceleration of its iteration: `gauss-seidel:1+anderson`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Method {
    pub(crate) name: String,
    sweep: String,
    degree: Option<u32>,
    acceleration: Option<String>,
}

impl Method {
    /// Parses `SWEEP[:DEGREE][+ACCELERATION]`. The names are checked when they are used.
    pub(crate) fn parse(name: &str) -> Result<Self, String> {
        let (rest, acceleration) = match name.split_once('+') {
            Some((rest, acceleration)) => (rest, Some(acceleration.to_owned())),
            None => (name, None),
        };
        let (sweep, degree) = match rest.split_once(':') {
            Some((sweep, degree)) => {
                let number = degree
                    .parse()
                    .map_err(|_| format!("expected a whole number as degree, found `{degree}`; write gauss-seidel:1"))?;
                (sweep, Some(number))
            }
            None => (rest, None),
        };
        if sweep.is_empty() {
            return Err("write a sweep, as in jacobi, gauss-seidel:1 or gauss-seidel:2+anderson".to_owned());
        }
        Ok(Self { name: name.to_owned(), sweep: sweep.to_owned(), degree, acceleration })
    }

    /// Returns the system with this method. The order, iteration and delivery of the file remain where they apply.
    pub(crate) fn applied(&self, system: &System) -> System {
        let mut system = system.clone();
        let algorithm = &mut system.description_mut().algorithm;
        algorithm.sweep = Some(self.sweep.clone().into());
        algorithm.input_degree = self.degree.map(|degree| i64::from(degree).into());
        algorithm.acceleration = self.acceleration.clone().map(Into::into);
        algorithm.compatibility = None;
        if self.acceleration.is_some() {
            let limit = algorithm.iterations.take().filter(|limit| limit.value > 1);
            algorithm.iterations = Some(limit.unwrap_or_else(|| ITERATIONS.into()));
        } else {
            (algorithm.iterations, algorithm.iteration_tolerance) = (None, None);
            (algorithm.min_iterated_step, algorithm.on_no_convergence) = (None, None);
        }
        system
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_sweep_a_degree_and_an_acceleration() {
        let method = |sweep: &str, degree, acceleration: Option<&str>| {
            let method = Method::parse(sweep).unwrap();
            assert_eq!((method.degree, method.acceleration.as_deref()), (degree, acceleration), "{sweep}");
            method.sweep
        };
        assert_eq!(method("jacobi", None, None), "jacobi");
        assert_eq!(method("gauss-seidel:1", Some(1), None), "gauss-seidel");
        assert_eq!(method("gauss-seidel:2+anderson", Some(2), Some("anderson")), "gauss-seidel");
        assert_eq!(method("jacobi+newton", None, Some("newton")), "jacobi");
        for wrong in ["", ":1", "jacobi:two", "jacobi:-1"] {
            assert!(Method::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_the_file_says_of_iteration_stays_with_methods_that_iterate() {
        let system = System::new().iterations(7, Some(1e-9)).order(&["a"]).input_degree(3);
        let algorithm = |name: &str| Method::parse(name).unwrap().applied(&system).description().algorithm.clone();
        let plain = algorithm("jacobi");
        assert!(plain.iterations.is_none() && plain.iteration_tolerance.is_none() && plain.input_degree.is_none());
        assert!(plain.order.is_some());
        let iterated = algorithm("jacobi+aitken");
        assert_eq!(iterated.iterations.map(|limit| limit.value), Some(7));
        assert_eq!(iterated.iteration_tolerance.map(|tolerance| tolerance.value), Some(1e-9));
    }
}
