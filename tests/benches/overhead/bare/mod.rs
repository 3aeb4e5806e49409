//! The least that couples FMUs: direct calls of their functions, nothing checked but the status and what a step answers.

mod fmi2;
mod fmi3;

use std::{hint::black_box, rc::Rc};

use fmu::Fmu;
use lotka_instance::InstanceFactory;

pub use self::{fmi2::Side2, fmi3::Side3};

/// An instance with its connected inputs and outputs.
pub trait Side: Sized {
    fn new(fmu: &Fmu, inputs: &[u32], outputs: &[u32]) -> Self;
    /// Back to the start, and through initialization mode. Reads the outputs.
    fn begin(&mut self, outputs: &mut [f64]);
    fn step(&self, inputs: &[f64], t: f64, h: f64, outputs: &mut [f64]);
    fn save(&mut self);
    fn restore(&self);
}

fn ok(status: i32) {
    assert_eq!(status, 0);
}

/// Two instances in bare loops: each has one input, which is the output of the other.
pub struct Pair<S> {
    sides: [S; 2],
    x: f64,
    y: f64,
    h: f64,
    text: Vec<u8>,
}

impl<S: Side> Pair<S> {
    /// The FMUs with their inputs and outputs.
    pub fn new(fmus: [(&Fmu, &str, &str); 2], h: f64) -> Self {
        let sides = fmus.map(|(fmu, input, output)| {
            let reference = |name| InstanceFactory::description(fmu).variable(name).expect("our FMUs have it").value_reference;
            S::new(fmu, &[reference(input)], &[reference(output)])
        });
        Self { sides, x: 0.0, y: 0.0, h, text: Vec::new() }
    }

    pub fn begin(&mut self) {
        self.sides[0].begin(std::slice::from_mut(&mut self.x));
        self.sides[1].begin(std::slice::from_mut(&mut self.y));
    }

    #[inline(always)]
    fn step(side: &S, input: f64, t: f64, h: f64) -> f64 {
        let mut output = 0.0;
        side.step(&[input], t, h, std::slice::from_mut(&mut output));
        output
    }

    #[inline(always)]
    fn gauss_seidel_step(&mut self, t: f64, h: f64) {
        self.x = Self::step(&self.sides[0], self.y, t, h);
        self.y = Self::step(&self.sides[1], self.x, t, h);
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
            self.x = Self::step(&self.sides[0], y, t, h);
            self.y = Self::step(&self.sides[1], x, t, h);
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
            self.sides.iter_mut().for_each(S::save);
            self.gauss_seidel_step(t, h);
            let whole = [self.x, self.y];
            self.sides.iter().for_each(S::restore);
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

/// Where the inputs of a network come from.
#[derive(Clone, Copy, PartialEq)]
pub enum Wiring {
    /// Input `j` of an instance is output `j` of the instance before it.
    Ring,
    /// Input `j` of an instance is [`OFFSET`] plus [`FACTORS`] times outputs `j` of the two instances before it.
    Sums,
}

/// Of [`Wiring::Sums`].
pub const FACTORS: [f64; 2] = [0.5, 0.25];
pub const OFFSET: f64 = 0.125;

/// Equal instances, each fed by those before it: the same calls as a master makes, from flat arrays.
pub struct Network {
    sides: Vec<Side2>,
    values: Vec<f64>,
    held: Vec<f64>,
    inputs: Vec<f64>,
    signals: usize,
    wiring: Wiring,
}

impl Network {
    /// `count` instances of an FMU of [`tests::lean`], of whose inputs and outputs `signals` are connected.
    pub fn new(fmu: &Fmu, (count, signals): (usize, usize), wiring: Wiring) -> Self {
        let functions = Rc::new(*fmu.functions().expect("FMI 2.0"));
        let width = InstanceFactory::description(fmu).variables.len() as u32 / 2;
        let inputs: Vec<_> = (0..signals as u32).collect();
        let outputs: Vec<_> = inputs.iter().map(|input| width + input).collect();
        Self {
            sides: (0..count).map(|_| Side2::sharing(&functions, fmu, &inputs, &outputs)).collect(),
            values: vec![0.0; count * signals],
            held: vec![0.0; count * signals],
            inputs: vec![0.0; signals],
            signals,
            wiring,
        }
    }

    pub fn begin(&mut self) {
        for (side, values) in self.sides.iter_mut().zip(self.values.chunks_mut(self.signals)) {
            side.begin(values);
        }
    }

    /// Places of the outputs of the instance that is this many before another one.
    #[inline(always)]
    fn before(&self, index: usize, distance: usize) -> std::ops::Range<usize> {
        let source = if index >= distance { index - distance } else { index + self.sides.len() - distance };
        source * self.signals..(source + 1) * self.signals
    }

    /// Steps one instance with inputs from the held values, or from the newest.
    #[inline(always)]
    fn step(&mut self, index: usize, is_held: bool, t: f64, h: f64) {
        let [first, second] = [1, 2].map(|distance| self.before(index, distance));
        let values = if is_held { &self.held } else { &self.values };
        match self.wiring {
            Wiring::Ring => self.inputs.copy_from_slice(&values[first]),
            Wiring::Sums => {
                let (first, second) = (&values[first], &values[second]);
                for ((input, first), second) in self.inputs.iter_mut().zip(first).zip(second) {
                    *input = OFFSET + FACTORS[0] * first + FACTORS[1] * second;
                }
            }
        }
        let outputs = &mut self.values[index * self.signals..(index + 1) * self.signals];
        self.sides[index].step(&self.inputs, t, h, outputs);
    }

    pub fn jacobi(&mut self, steps: usize, size: f64) {
        let mut t = 0.0;
        for step in 0..steps {
            let h = (step + 1) as f64 * size - t;
            self.held.copy_from_slice(&self.values);
            (0..self.sides.len()).for_each(|index| self.step(index, true, t, h));
            t += h;
        }
        black_box(&self.values);
    }

    pub fn gauss_seidel(&mut self, steps: usize, size: f64) {
        let mut t = 0.0;
        for step in 0..steps {
            let h = (step + 1) as f64 * size - t;
            (0..self.sides.len()).for_each(|index| self.step(index, false, t, h));
            t += h;
        }
        black_box(&self.values);
    }
}
