//! The loop allocates nothing: a run of ten times as many steps asks for memory exactly as often. Rows take the memory that they
//! need.
//!
//! Start-up allocates, so that runs of different length are compared. Every thread counts its own allocations.

use std::{
    alloc::{GlobalAlloc, Layout, System as Heap},
    cell::Cell,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use lotka::{Compatibility, FeedthroughOutputs, InputDelivery, Report, System};
use tests::{
    predator_prey,
    systems::{driven::lag, two_mass},
};

use super::alone;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// Bytes in use, of all threads, and the most since it was reset.
static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn take(bytes: usize) {
    MOST.fetch_max(IN_USE.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

fn give_back(bytes: usize) {
    IN_USE.fetch_sub(bytes, Relaxed);
}

/// The allocator of the system, counted.
struct Counting;

fn count() {
    // A thread that ends has no counter any more; nobody reads it then.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every call goes to the allocator of the system unchanged, and counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        take(layout.size());
        // SAFETY: passed on.
        unsafe { Heap.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        give_back(layout.size());
        // SAFETY: passed on.
        unsafe { Heap.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // Both may exist at once.
        take(size);
        give_back(layout.size());
        // SAFETY: passed on.
        unsafe { Heap.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static HEAP: Counting = Counting;

/// Number of runs after which instances are reset, not replaced.
const RUNS_WITH_NEW_INSTANCES: usize = 5;

/// Allocations of a run until `stop` with instances that have run before, and its report.
fn allocations(system: System, stop: f64) -> (u64, Report) {
    let mut simulation = system.stop(stop).build().expect("the system fits");
    for _ in 0..RUNS_WITH_NEW_INSTANCES {
        simulation.run(&mut []).expect("the run ends well");
    }
    let before = COUNT.get();
    let report = simulation.run(&mut []).expect("the run ends well");
    (COUNT.get() - before, report)
}

/// Asserts that the length of a run does not matter; returns the report of the longer one.
fn assert_loop_allocates_nothing(system: impl Fn() -> System) -> Report {
    let _alone = alone();
    let (few, short) = allocations(system(), 10.0);
    let (many, long) = allocations(system(), 100.0);
    assert!(long.counters.n_steps > 5 * short.counters.n_steps, "{} {}", long.counters.n_steps, short.counters.n_steps);
    assert_eq!(few, many, "allocations of {} and of {} steps", short.counters.n_steps, long.counters.n_steps);
    long
}

/// The most memory that a run takes in addition, and the size of its rows \[byte\].
fn memory(system: System) -> (usize, usize) {
    let _alone = alone();
    let mut simulation = system.build().expect("the system fits");
    let mut rows = Rows { bytes: 0 };
    let before = IN_USE.load(Relaxed);
    MOST.store(before, Relaxed);
    simulation.run(&mut [&mut rows]).expect("the run ends well");
    (MOST.load(Relaxed) - before, rows.bytes)
}

/// Adds up the size of rows: the time and the values.
struct Rows {
    bytes: usize,
}

impl lotka::Observer for Rows {
    fn observe(&mut self, notification: &lotka::Notification<'_>) {
        if let lotka::Notification::Row(row) = notification {
            self.bytes += size_of::<f64>() * (1 + row.values().count());
        }
    }
}

#[test]
fn dense_rows_of_a_tolerance_take_less_memory_than_three_copies() {
    let (most, rows) = memory(predator_prey().tolerance(1e-6).output_interval(1e-3));
    assert!(rows > 2_400_000 && most < 3 * rows, "{most} bytes for {rows} bytes of rows");
}

#[test]
fn the_counter_counts() {
    let before = COUNT.get();
    drop(std::hint::black_box(vec![0_u8; 100]));
    assert_eq!(COUNT.get() - before, 1);
}

#[test]
fn gauss_seidel_with_fixed_steps() {
    assert_loop_allocates_nothing(|| predator_prey().sweep("gauss-seidel").step(0.01));
}

#[test]
fn inputs_of_every_degree() {
    for degree in 0..=3 {
        for delivery in [InputDelivery::Mean, InputDelivery::Derivatives] {
            let system = || predator_prey().sweep("jacobi").input_degree(degree).input_delivery(delivery).step(0.01);
            assert_loop_allocates_nothing(system);
        }
    }
}

#[test]
fn sources() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("table.csv");
    let rows: String = (0..2000).map(|n| format!("{},{}\n", 0.05 * f64::from(n), n % 7)).collect();
    std::fs::write(&path, format!("time,u\n{rows}100,0\n")).expect("there is room");
    for degree in [0, 1, 3] {
        let system = || {
            let system = lag().source_csv("table", &path).connect("lag.u", "table.u").step(0.02).input_degree(degree);
            let system = (0..100).fold(system, |system, n| system.set_at(0.93 * f64::from(n), "lag.u", n));
            system.sweep("jacobi").output_interval(1.0)
        };
        assert_loop_allocates_nothing(system);
    }
}

#[test]
fn symmetric_sweep() {
    assert_loop_allocates_nothing(|| predator_prey().sweep("symmetric").step(0.01).output_interval(1.0));
}

#[test]
fn fresh_outputs() {
    for policy in [FeedthroughOutputs::ReRead, FeedthroughOutputs::Derivative] {
        assert_loop_allocates_nothing(|| two_mass().sweep("jacobi").input_degree(1).feedthrough_outputs(policy).step(0.01));
    }
}

#[test]
fn accelerated_iteration() {
    for acceleration in ["relaxation", "aitken", "anderson"] {
        let system = || predator_prey().step(0.1).input_degree(1).iterations(50, Some(1e-9)).acceleration(acceleration);
        let report = assert_loop_allocates_nothing(system);
        assert!(report.counters.n_iterations >= 2 * report.counters.n_steps);
    }
}

#[test]
fn recorded_locals_and_inputs() {
    assert_loop_allocates_nothing(|| predator_prey().step(0.01).record(&["*"]));
}

#[test]
fn jacobi_with_fixed_steps() {
    assert_loop_allocates_nothing(|| predator_prey().step(0.01).sweep("jacobi"));
}

#[test]
fn iteration() {
    let report = assert_loop_allocates_nothing(|| predator_prey().step(0.1).iterations(50, Some(1e-7)));
    assert!(report.counters.n_iterations > 2 * report.counters.n_steps);
}

#[test]
fn step_doubling_with_rejected_steps() {
    let system = || predator_prey().local_tolerance(1e-6).compatibility(Compatibility::MasterSim);
    let report = assert_loop_allocates_nothing(system);
    assert!(report.counters.n_error_test_failures > 0);
}

#[test]
fn step_doubling_with_iteration() {
    let report = assert_loop_allocates_nothing(|| predator_prey().local_tolerance(1e-4).iterations(20, None));
    assert!(report.counters.n_iterations > report.counters.n_steps);
}

#[test]
fn estimators_without_half_steps() {
    for estimator in ["predictor-corrector", "embedded"] {
        let system = || predator_prey().local_tolerance(1e-5).input_degree(1).estimator(estimator);
        assert_loop_allocates_nothing(system);
    }
}
