//! Reading, checking and starting a system takes time proportional to its size, however it is described.
//!
//! Each time is the minimum of several, with small and large systems in turn, so that the load of the machine matters little.

use std::{fmt::Write as _, fs, path::Path, sync::Arc, time::Instant};

use lotka::{
    System,
    instance::{
        LocalFactory, LocalModel, ModelDescription, RealRef, StepOutcome,
        description::{Causality, RealKind, Unknown, Variable, VariableKind},
    },
};

use tests::hostile::Hostile;

use super::alone;

/// Ratio of the sizes that are compared, and the largest ratio of their times. Quadratic time would have the ratio 16.
const LARGER: usize = 4;
const MOST: f64 = 8.0;

/// Smallest and largest number of measurements of each size.
const ROUNDS: (usize, usize) = (3, 12);

/// Checks that the time for a system of four times the size is about four times as long.
fn grows_linearly(size: usize, work: impl Fn(usize)) {
    let _alone = alone();
    let mut least = [f64::INFINITY; 2];
    for round in 1..=ROUNDS.1 {
        for (least, size) in least.iter_mut().zip([size, LARGER * size]) {
            let start = Instant::now();
            work(size);
            *least = least.min(start.elapsed().as_secs_f64());
        }
        if round >= ROUNDS.0 && least[1] < MOST * least[0] {
            return;
        }
    }
    panic!("{} s for a size of {size}, {} s for {}", least[0], least[1], LARGER * size);
}

fn one_step(system: &System) {
    let mut simulation = system.build().unwrap();
    let report = simulation.run(&mut []).unwrap();
    assert!(report.end.is_complete() && report.counters.n_steps == 1);
}

/// Integrates each input: `y' = u`.
#[derive(Clone)]
struct Integrators(Vec<f64>);

impl LocalModel for Integrators {
    fn do_step(&mut self, _: f64, h: f64) -> Result<StepOutcome, String> {
        let count = self.0.len() / 2;
        let (inputs, outputs) = self.0.split_at_mut(count);
        inputs.iter().zip(outputs).for_each(|(u, y)| *y += h * u);
        Ok(StepOutcome::Complete)
    }

    fn real(&self, reference: RealRef) -> Option<f64> {
        self.0.get(reference.0 as usize).copied()
    }

    fn set_real(&mut self, reference: RealRef, value: f64) -> bool {
        self.0.get_mut(reference.0 as usize).map(|place| *place = value).is_some()
    }
}

/// Follows its input at once: `y = 1.5 sin u + t`.
#[derive(Clone, Default)]
struct Follower {
    u: f64,
    t: f64,
}

impl LocalModel for Follower {
    fn do_step(&mut self, t: f64, h: f64) -> Result<StepOutcome, String> {
        self.t = t + h;
        Ok(StepOutcome::Complete)
    }

    fn real(&self, reference: RealRef) -> Option<f64> {
        Some(if reference.0 == 0 { self.u } else { 1.5 * self.u.sin() + self.t })
    }

    fn set_real(&mut self, reference: RealRef, value: f64) -> bool {
        self.u = value;
        reference.0 == 0
    }
}

/// Inputs `u0`, `u1`, … and as many outputs `y0`, `y1`, …, with what each output is declared to depend on.
fn description(count: usize, dependencies: &Option<Vec<usize>>) -> ModelDescription {
    let mut description = ModelDescription::default();
    for number in 0..2 * count {
        let is_input = number < count;
        let name = if is_input { format!("u{number}") } else { format!("y{}", number - count) };
        let causality = if is_input { Causality::Input } else { Causality::Output };
        let real = VariableKind::Real(RealKind { start: is_input.then_some(1.0), ..RealKind::default() });
        description.variables.push(Variable::new(name, number as u32, causality, real));
        if !is_input {
            description.outputs.push(Unknown { index: number, dependencies: dependencies.clone() });
        }
    }
    description
}

fn integrators(count: usize, dependencies: &Option<Vec<usize>>) -> Arc<LocalFactory<Integrators>> {
    Arc::new(LocalFactory::new(description(count, dependencies), move || Integrators(vec![1.0; 2 * count])))
}

#[test]
fn of_rings() {
    let model = integrators(1, &Some(Vec::new()));
    for sweep in [Some("jacobi"), None] {
        grows_linearly(2000, |count| {
            let mut system = System::new().step(0.1).stop(0.1);
            for number in 0..count {
                system = system.instance_from(&format!("i{number}"), model.clone());
                system = system.connect(&format!("i{number}.u0"), &format!("i{}.y0", (number + 1) % count));
            }
            one_step(&sweep.into_iter().fold(system, |system, sweep| system.sweep(sweep)));
        });
    }
}

/// The loop is solved at the start and in the step.
#[test]
fn of_algebraic_loops() {
    let model = Arc::new(LocalFactory::new(description(1, &Some(vec![0])), Follower::default));
    grows_linearly(1000, |count| {
        let mut system = System::new().step(0.1).stop(0.1);
        for number in 0..count {
            system = system.instance_from(&format!("i{number}"), model.clone());
            system = system.connect(&format!("i{number}.u0"), &format!("i{}.y0", (number + 1) % count));
        }
        let mut simulation = system.build().unwrap();
        let mut rows = lotka::Memory::new();
        let report = simulation.run(&mut [&mut rows]).unwrap();
        assert!(report.counters.n_iterations > 1);
        // All values are the same.
        let y = rows.real("i0.y0").unwrap()[1];
        assert!((y - 1.5 * y.sin() - 0.1).abs() < 1e-9, "{y}");
    });
}

#[test]
fn of_chains_with_start_values_and_events() {
    let model = integrators(1, &Some(vec![0]));
    grows_linearly(1000, |count| {
        let mut system = System::new().instance_from("i0", model.clone()).step(0.1).stop(0.1);
        for number in 1..count {
            let output = format!("i{number}.y0");
            system = system.instance_from(&format!("i{number}"), model.clone()).event(&output, 1e6, lotka::Direction::Both);
            system = system.connect(&format!("i{number}.u0"), &format!("i{}.y0", number - 1));
        }
        let system = (0..count).fold(system, |system, number| system.start_value(&format!("i{number}.u0"), 2.0));
        one_step(&system);
    });
}

/// Each connects every input of a model to an output of another one.
#[test]
fn of_wide_models() {
    let two = |count: usize, dependencies: &Option<Vec<usize>>| {
        let model = integrators(count, dependencies);
        let system = System::new().instance_from("a", model.clone()).instance_from("b", model).step(0.1).stop(0.1);
        (0..count).fold(system, |system, number| system.connect(&format!("b.u{number}"), &format!("a.y{number}")))
    };
    grows_linearly(1000, |count| {
        let system = two(count, &Some(Vec::new()));
        let connect = |system: System, number| system.connect(&format!("a.u{number}"), &format!("b.y{number}"));
        one_step(&(0..count).fold(system, connect).record(&["*", "!a.y1"]));
    });
    // Each output may follow every input.
    grows_linearly(1000, |count| one_step(&two(count, &None)));
}

/// Arrays whose size a structural parameter sets, and arrays that the FMU refuses because its library knows others.
#[test]
fn of_arrays() {
    const MATRIX: &str = "<Dimension valueReference=\"20\"/><Dimension start=\"2\"/>";
    let dir = tempfile::tempdir().unwrap();
    let fmu = Hostile::family("arrays", "").build(dir.path());
    grows_linearly(5000, |count| {
        one_step(&System::new().instance("a", &fmu).start_value("a.n", count as i64).step(0.1).stop(0.1));
    });
    let other = |count: usize| {
        let dimension = format!("<Dimension start=\"{count}\"/>");
        let folder = dir.path().join(count.to_string());
        fs::create_dir(&folder).unwrap();
        Hostile::family("arrays", "").edit_xml(move |xml| *xml = xml.replace(MATRIX, &dimension)).build(&folder)
    };
    let fmus = [5000, LARGER * 5000].map(|count| (count, other(count)));
    grows_linearly(5000, |count| {
        let fmu = &fmus.iter().find(|(of, _)| *of == count).unwrap().1;
        let mut simulation = System::new().instance("a", fmu).step(0.1).stop(0.1).build().unwrap();
        let error = simulation.run(&mut []).unwrap_err().to_string();
        assert!(error.contains("fmi3GetFloat64 of `matrix[1]`"), "{error}");
    });
}

fn ring_file(path: &Path, count: usize) {
    let fmu = tests::packed("prey");
    let mut text = "[experiment]\nstop = 0.1\nstep = 0.1\n\n[instances]\n".to_owned();
    for number in 0..count {
        writeln!(text, "i{number} = '{}'", fmu.display()).unwrap();
    }
    text.push_str("\n[connections]\n");
    for number in 0..count {
        writeln!(text, "\"i{number}.y\" = \"i{}.x\"", (number + 1) % count).unwrap();
    }
    fs::write(path, text).unwrap();
}

#[test]
fn of_system_files() {
    let dir = tempfile::tempdir().unwrap();
    let path = |count: usize| dir.path().join(format!("{count}.toml"));
    [1000, LARGER * 1000].into_iter().for_each(|count| ring_file(&path(count), count));
    grows_linearly(1000, |count| one_step(&System::from_file(path(count)).unwrap()));
    grows_linearly(1000, |count| {
        let system = System::from_file(path(count)).unwrap();
        assert_eq!(system.analyze().unwrap().graph.evaluation.len(), count);
        assert!(system.manifest().is_complete);
    });
    let saved = dir.path().join("saved.ssd");
    grows_linearly(1000, |count| {
        System::from_file(path(count)).unwrap().save(&saved).unwrap();
        one_step(&System::from_file(&saved).unwrap());
    });
}
