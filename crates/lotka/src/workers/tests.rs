//! Instances on workers answer like others, and step on the threads that they are assigned to.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    thread::{self, ThreadId},
    time::{Duration, Instant},
};

use fmu::Fmu;
use lotka_instance::{
    BinaryRef, BooleanRef, CallError, CallResult, Capabilities, Cause, DiscreteUpdate, Experiment, FunctionName, Instance,
    InstanceFactory, InstantiateOptions, IntegerRef, LocalFactory, LocalModel, ModelDescription, Phase, RealRef, Slot,
    StepOutcome, StringRef,
    conformance::{self, ModelUnderTest},
    description::{Causality, RealKind, Unknown, Variable, VariableKind},
    forward,
};

use super::{Threaded, Worker};
use crate::{Memory, Report, RunFailure, System};

#[test]
fn an_instance_on_a_worker_passes_the_conformance_suite() {
    let fmu = Fmu::from_functions(fmu_sdk::description::<models::PredatorPrey>(), fmu_sdk::functions::<models::PredatorPrey>());
    let worker = Arc::new(Worker::start().unwrap());
    let options = InstantiateOptions::default();
    let mut make = |name: &str| -> Box<dyn Instance> {
        let instance = fmu.instantiate(name, &options).unwrap();
        Box::new(Threaded::new(instance, Arc::clone(&worker), (Vec::new(), Vec::new())))
    };
    conformance::run(&mut make, &ModelUnderTest::new(InstanceFactory::description(&fmu)));
}

type Threads = Arc<Mutex<BTreeMap<u32, Vec<ThreadId>>>>;

/// `x' = u - x` with steps of Euler's method that take a while. `number` identifies it in the records.
#[derive(Clone)]
struct Slow {
    number: u32,
    x: f64,
    u: f64,
    threads: Threads,
    /// From this time on steps fail \[s\].
    fails: f64,
}

const STEP: Duration = Duration::from_micros(50);

impl LocalModel for Slow {
    fn do_step(&mut self, t: f64, h: f64) -> Result<StepOutcome, String> {
        let start = Instant::now();
        while start.elapsed() < STEP {
            std::hint::spin_loop();
        }
        self.threads.lock().unwrap().entry(self.number).or_default().push(thread::current().id());
        self.x += h * (self.u - self.x);
        if t >= self.fails { Err(format!("number {} fails", self.number)) } else { Ok(StepOutcome::Complete) }
    }

    fn real(&self, reference: RealRef) -> Option<f64> {
        [self.x, self.u].get(reference.0 as usize).copied()
    }

    fn set_real(&mut self, reference: RealRef, value: f64) -> bool {
        if reference.0 == 1 {
            self.u = value;
        }
        reference.0 == 1
    }
}

/// A ring of four; the one of this number fails at 0.3 s.
fn ring(failing: Option<u32>) -> (System, Threads) {
    let threads = Threads::default();
    let real = |name: &str, reference, causality| {
        Variable::new(name, reference, causality, VariableKind::Real(RealKind { start: Some(0.0), ..RealKind::default() }))
    };
    let mut description = ModelDescription { model_name: "slow".to_owned(), is_thread_safe: true, ..ModelDescription::default() };
    description.variables.push(real("x", 0, Causality::Output));
    description.variables.push(real("u", 1, Causality::Input));
    description.outputs.push(Unknown { index: 0, dependencies: Some(Vec::new()) });
    let mut system = System::new();
    for number in 0..4 {
        let fails = if failing == Some(number) { 0.3 } else { f64::INFINITY };
        let model = Slow { number, x: f64::from(number), u: 0.0, threads: Arc::clone(&threads), fails };
        let factory = LocalFactory::new(description.clone(), move || model.clone());
        system = system.instance_from(&format!("i{number}"), Arc::new(factory));
    }
    for number in 0..4 {
        system = system.connect(&format!("i{number}.u"), &format!("i{}.x", (number + 3) % 4));
    }
    (system.stop(0.5).step(0.01), threads)
}

/// The result with the bits of all rows.
fn run(system: &System, threads: usize) -> (Result<Report, Box<RunFailure>>, Vec<u64>) {
    let mut rows = Memory::new();
    let result = system.clone().threads(threads).build().unwrap().run(&mut [&mut rows]);
    let columns = (0..4).flat_map(|number| rows.real(&format!("i{number}.x")).unwrap().to_vec());
    (result, rows.time().iter().copied().chain(columns).map(f64::to_bits).collect())
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let degrees = [0, 1, 3];
    let fixed = ["jacobi", "gauss-seidel"].into_iter().flat_map(|sweep| {
        degrees.map(|degree| (format!("{sweep}, degree {degree}"), ring(None).0.sweep(sweep).input_degree(degree)))
    });
    let controlled = ("local tolerance".to_owned(), ring(None).0.local_tolerance(1e-6).max_step(0.01));
    for (name, system) in fixed.chain([controlled, ("symmetric".to_owned(), ring(None).0.sweep("symmetric"))]) {
        let of = |threads: usize| {
            let (result, rows) = run(&system, threads);
            (result.unwrap().counters, rows)
        };
        let one = of(1);
        assert!(one.1.len() > 5 * 40, "{name}");
        for threads in [2, 3, 8] {
            assert_eq!(of(threads), one, "{name}, {threads} threads");
        }
    }
}

#[test]
fn steps_are_made_on_as_many_threads_as_there_are_but_no_more_than_instances() {
    for (threads, expected) in [(1, 1), (2, 2), (3, 3), (8, 4)] {
        let (system, record) = ring(None);
        run(&system.sweep("jacobi"), threads).0.unwrap();
        let record = record.lock().unwrap();
        let last: std::collections::HashSet<_> = record.values().map(|steps| steps[steps.len() - 1]).collect();
        assert_eq!(last.len(), expected, "{threads} threads");
        assert!(record.values().all(|steps| steps[0] == thread::current().id()), "first steps are made on the thread of the run");
    }
}

/// Two pairs: the first members step at the same time, then the second ones.
#[test]
fn instances_of_one_level_get_different_threads() {
    let (ring, record) = ring(None);
    let mut system = ring.sweep("gauss-seidel").order(&["i0", "i1", "i2", "i3"]).input_degree(0);
    system.description_mut().connections.clear();
    for (input, output) in [("i1.u", "i0.x"), ("i3.u", "i2.x"), ("i0.u", "i1.x"), ("i2.u", "i3.x")] {
        system = system.connect(input, output);
    }
    run(&system, 2).0.unwrap();
    let record = record.lock().unwrap();
    let last = |number: u32| record[&number].last().copied();
    assert_ne!(last(0), last(2));
    assert_ne!(last(1), last(3));
}

#[test]
fn a_failure_is_the_same_on_every_number_of_threads() {
    for failing in 0..4 {
        let of = |threads| {
            let (result, rows) = run(&ring(Some(failing)).0.sweep("jacobi"), threads);
            let error = result.unwrap_err();
            (error.to_string(), error.report.counters, rows)
        };
        let one = of(1);
        assert!(one.0.contains(&format!("number {failing} fails")), "{}", one.0);
        assert_eq!(of(2), one);
        assert_eq!(of(4), one);
    }
}

#[test]
fn a_panic_on_a_worker_is_one_of_the_run() {
    #[derive(Clone)]
    struct Panics;
    impl LocalModel for Panics {
        fn do_step(&mut self, _: f64, _: f64) -> Result<StepOutcome, String> {
            panic!("out of order")
        }
    }
    let factory =
        LocalFactory::new(ModelDescription { model_name: "panics".to_owned(), ..ModelDescription::default() }, || Panics);
    let instance = factory.instantiate("a", &InstantiateOptions::default()).unwrap();
    let mut threaded = Threaded::new(instance, Arc::new(Worker::start().unwrap()), (Vec::new(), Vec::new()));
    let begin = |instance: &mut Threaded| {
        let experiment = Experiment { start: 0.0, stop: None, tolerance: None };
        instance.setup_experiment(&experiment).unwrap();
        instance.enter_initialization_mode().unwrap();
        instance.exit_initialization_mode().unwrap();
        instance.step(&[], 0.0, 0.1, true, &mut [])
    };
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| begin(&mut threaded))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"out of order"));
}

/// An instance that refuses to be bound.
struct Unbound(Box<dyn Instance>);

impl Unbound {
    fn call<T>(&mut self, call: impl FnOnce(&mut dyn Instance) -> T) -> T {
        call(&mut *self.0)
    }
}

impl Instance for Unbound {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn phase(&self) -> Phase {
        self.0.phase()
    }

    fn capabilities(&self) -> &Capabilities {
        self.0.capabilities()
    }

    fn bind(&mut self, _: &[RealRef], _: &[RealRef]) -> CallResult<()> {
        let (function, cause) = (FunctionName::new("", "bind"), Cause::BadArgument("unknown variable".to_owned()));
        Err(Box::new(CallError { instance: "a".to_owned(), function, variables: Vec::new(), time: None, cause, log: Vec::new() }))
    }

    fn step(&mut self, inputs: &[f64], t: f64, h: f64, commit: bool, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        self.0.step(inputs, t, h, commit, outputs)
    }

    fn free(self: Box<Self>) -> CallResult<()> {
        self.0.free()
    }

    forward!(call);
}

#[test]
fn a_bind_that_fails_on_a_worker_fails_the_first_step() {
    let fmu = Fmu::from_functions(fmu_sdk::description::<models::PredatorPrey>(), fmu_sdk::functions::<models::PredatorPrey>());
    let mut instance = fmu.instantiate("a", &InstantiateOptions::default()).unwrap();
    instance.setup_experiment(&Experiment { start: 0.0, stop: None, tolerance: None }).unwrap();
    instance.enter_initialization_mode().unwrap();
    instance.exit_initialization_mode().unwrap();
    let worker = Arc::new(Worker::start().unwrap());
    let mut threaded = Threaded::new(Box::new(Unbound(instance)), worker, (Vec::new(), Vec::new()));
    let error = threaded.step(&[], 0.0, 0.1, true, &mut []).unwrap_err();
    assert!(error.to_string().contains("unknown variable"), "{error}");
}
