//! The least that couples FMUs: direct calls of their functions, nothing checked but the status.

use std::{ffi::CString, hint::black_box, ptr, rc::Rc};

use fmi2::ffi::{self, Functions};
use fmu::Fmu;

/// One instance with its only connected input and output. The functions are shared, as a program in C would.
struct Side {
    functions: Rc<Functions>,
    component: ffi::Component,
    state: ffi::FmuState,
    input: u32,
    output: u32,
}

/// Prey and predator in bare loops.
pub struct Bare {
    prey: Side,
    predator: Side,
    x: f64,
    y: f64,
    h: f64,
    text: Vec<u8>,
}

fn ok(status: ffi::RawStatus) {
    assert_eq!(status, 0);
}

impl Side {
    fn new(fmu: &Fmu, functions: &Rc<Functions>, input: &str, output: &str) -> Self {
        let reference = |name: &str| fmu.description().variable(name).expect("our FMUs have it").value_reference;

        let name = CString::new("bare").expect("no NUL");
        let guid = CString::new(fmu.description().guid.as_str()).expect("no NUL");
        let callbacks = ffi::CallbackFunctions {
            logger: None,
            allocate_memory: None,
            free_memory: None,
            step_finished: None,
            component_environment: ptr::null_mut(),
        };
        // SAFETY: the strings and the callbacks live during the call; our FMUs tolerate missing callbacks.
        let component =
            unsafe { (functions.instantiate)(name.as_ptr(), ffi::CO_SIMULATION, guid.as_ptr(), ptr::null(), &callbacks, 0, 0) };
        assert!(!component.is_null());
        Self {
            functions: functions.clone(),
            component,
            state: ptr::null_mut(),
            input: reference(input),
            output: reference(output),
        }
    }

    /// Back to the start, and through initialization mode.
    fn begin(&mut self) -> f64 {
        let reset = self.functions.reset.expect("our FMUs have all functions");
        // SAFETY: the component is alive.
        ok(unsafe { reset(self.component) });
        // SAFETY: the component is alive and in the right phase.
        ok(unsafe { (self.functions.setup_experiment)(self.component, 0, 0.0, 0.0, 0, 0.0) });
        // SAFETY: as before.
        ok(unsafe { (self.functions.enter_initialization_mode)(self.component) });
        // SAFETY: as before.
        ok(unsafe { (self.functions.exit_initialization_mode)(self.component) });
        self.get()
    }

    #[inline(always)]
    fn get(&self) -> f64 {
        let mut value = 0.0;
        let get_real = self.functions.get_real.expect("our FMUs have all functions");
        // SAFETY: one reference, one value.
        ok(unsafe { get_real(self.component, &self.output, 1, &mut value) });
        value
    }

    #[inline(always)]
    fn step(&self, input: f64, t: f64, h: f64) -> f64 {
        let set_real = self.functions.set_real.expect("our FMUs have all functions");
        // SAFETY: one reference, one value.
        ok(unsafe { set_real(self.component, &self.input, 1, &input) });
        // SAFETY: the component is alive and at `t`.
        ok(unsafe { (self.functions.do_step)(self.component, t, h, 0) });
        self.get()
    }

    #[inline(always)]
    fn save(&mut self) {
        let get_state = self.functions.get_fmu_state.expect("our FMUs have all functions");
        // SAFETY: the state is NULL or was made by this component.
        ok(unsafe { get_state(self.component, &mut self.state) });
    }

    #[inline(always)]
    fn restore(&self) {
        let set_state = self.functions.set_fmu_state.expect("our FMUs have all functions");
        // SAFETY: the state was made by this component.
        ok(unsafe { set_state(self.component, self.state) });
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        if let Some(free_state) = self.functions.free_fmu_state {
            // SAFETY: the state is NULL or was made by this component.
            ok(unsafe { free_state(self.component, &mut self.state) });
        }
        // SAFETY: the component is alive and not used again.
        unsafe { (self.functions.free_instance)(self.component) };
    }
}

impl Bare {
    pub fn new(prey: &Fmu, predator: &Fmu, h: f64) -> Self {
        let side = |fmu: &Fmu, input, output| Side::new(fmu, &Rc::new(*fmu.functions()), input, output);
        let (prey, predator) = (side(prey, "y", "x"), side(predator, "x", "y"));
        Self { prey, predator, x: 0.0, y: 0.0, h, text: Vec::new() }
    }

    pub fn begin(&mut self) {
        self.x = self.prey.begin();
        self.y = self.predator.begin();
    }

    #[inline(always)]
    fn gauss_seidel_step(&mut self, t: f64, h: f64) {
        self.x = self.prey.step(self.y, t, h);
        self.y = self.predator.step(self.x, t, h);
    }

    pub fn gauss_seidel(&mut self, steps: usize) {
        let mut t = 0.0;
        for step in 0..steps {
            let h = (step + 1) as f64 * self.h - t;
            self.gauss_seidel_step(t, h);
            t += h;
        }
        black_box((self.x, self.y));
    }

    pub fn jacobi(&mut self, steps: usize) {
        let mut t = 0.0;
        for step in 0..steps {
            let h = (step + 1) as f64 * self.h - t;
            let (x, y) = (self.x, self.y);
            self.x = self.prey.step(y, t, h);
            self.y = self.predator.step(x, t, h);
            t += h;
        }
        black_box((self.x, self.y));
    }

    /// One step and two half steps with the norms of the master; every step is accepted.
    pub fn step_doubling(&mut self, steps: usize) {
        let (mut t, h) = (0.0, self.h);
        let tolerance = black_box(1e3);
        for _ in 0..steps {
            let start = [self.x, self.y];
            self.prey.save();
            self.predator.save();
            self.gauss_seidel_step(t, h);
            let whole = [self.x, self.y];
            self.prey.restore();
            self.predator.restore();
            [self.x, self.y] = start;
            self.gauss_seidel_step(t, 0.5 * h);
            let middle = [self.x, self.y];
            self.gauss_seidel_step(t + 0.5 * h, 0.5 * h);
            let (difference, slope) = norms(&start, &whole, &middle, &[self.x, self.y], tolerance);
            assert!(difference.max(slope) <= 1.0);
            t += h;
        }
        black_box((self.x, self.y));
    }

    pub fn gauss_seidel_csv(&mut self, steps: usize) {
        let mut t = 0.0;
        for step in 0..steps {
            let end = (step + 1) as f64 * self.h;
            let h = end - t;
            self.gauss_seidel_step(t, h);
            t += h;
            for value in [end, self.x, self.y] {
                self.text.extend_from_slice(zmij::Buffer::new().format(value).as_bytes());
                self.text.push(b',');
            }
            if self.text.len() > 1 << 16 {
                black_box(&self.text);
                self.text.clear();
            }
        }
        black_box((self.x, self.y));
    }
}

/// Prey in a ring, each fed with the population of the one before: the same calls, from flat arrays.
pub struct Ring {
    sides: Vec<Side>,
    values: Vec<f64>,
    held: Vec<f64>,
}

impl Ring {
    pub fn new(prey: &Fmu, count: usize) -> Self {
        let functions = Rc::new(*prey.functions());
        let sides = (0..count).map(|_| Side::new(prey, &functions, "y", "x")).collect();
        Self { sides, values: vec![0.0; count], held: vec![0.0; count] }
    }

    pub fn begin(&mut self) {
        for (side, value) in self.sides.iter_mut().zip(&mut self.values) {
            *value = side.begin();
        }
    }

    pub fn jacobi(&mut self, steps: usize, h: f64) {
        let (mut t, count) = (0.0, self.sides.len());
        for step in 0..steps {
            let h = (step + 1) as f64 * h - t;
            std::mem::swap(&mut self.values, &mut self.held);
            for index in 0..count {
                let source = if index == 0 { count - 1 } else { index - 1 };
                self.values[index] = self.sides[index].step(self.held[source], t, h);
            }
            t += h;
        }
        black_box(&self.values);
    }
}

/// The two WRMS norms of step doubling.
fn norms(start: &[f64], whole: &[f64], middle: &[f64], end: &[f64], tolerance: f64) -> (f64, f64) {
    let (mut difference, mut slope) = (0.0, 0.0);
    for (((y0, y1), ym), y2) in start.iter().zip(whole).zip(middle).zip(end) {
        let weight = 1.0 / (tolerance * y2.abs() + tolerance);
        difference += ((y2 - y1) * weight).powi(2);
        slope += (((y1 - y0) - 2.0 * (y2 - ym)) * weight).powi(2);
    }
    let count = end.len() as f64;
    ((difference / count).sqrt(), (slope / count).sqrt())
}
