//! Arrays, integers of 64 bits, bytes and single precision, in systems and results.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use lotka::{Csv, Error, Results, System, Values, hash_of};
use serde::{Deserialize, Serialize};
use tests::joined_fmi3;

use super::{problems, rows};

/// Values of many types that follow the time.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Teller {
    scale: [f64; 2],
    y: [[f64; 3]; 2],
    count: u64,
    below: i64,
    single: f32,
    blob: Vec<u8>,
}

/// 2^63 + 1: no f64 and no i64.
const LARGE: u64 = (1 << 63) + 1;

impl Model for Teller {
    const NAME: &'static str = "teller";
    const DESCRIPTION: &'static str = "Values of many types that follow the time";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("scale", |m| &mut m.scale);
        v.output("y", |m| &mut m.y).depends_on([]);
        v.output("count", |m| &mut m.count).depends_on([]);
        v.output("below", |m| &mut m.below).depends_on([]);
        v.output("single", |m| &mut m.single).depends_on([]);
        v.output("blob", |m| &mut m.blob).depends_on([]);
    }

    fn initialize(&mut self, experiment: &lotka::instance::Experiment) -> Result<(), Refusal> {
        self.tell(experiment.start);
        Ok(())
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.tell(step.t + step.h);
        Ok(())
    }
}

impl Teller {
    /// Row i, column j: (1 + scale i) (10 i + j) + t.
    fn tell(&mut self, t: f64) {
        for (i, row) in self.y.iter_mut().enumerate() {
            for (j, value) in row.iter_mut().enumerate() {
                *value = (1.0 + self.scale[i]) * (10.0 * i as f64 + j as f64) + t;
            }
        }
        self.count = LARGE + t as u64;
        self.below = i64::MIN + t as i64;
        self.single = (0.1 * t) as f32;
        self.blob = vec![0xff, 0, t as u8];
    }
}

/// Repeats what it reads.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Echo {
    u: [[Input; 3]; 2],
    n: u64,
    m: i64,
    s: f32,
    b: Vec<u8>,
    sum: f64,
    n_read: u64,
    m_read: i64,
    s_read: f32,
    b_read: Vec<u8>,
}

impl Model for Echo {
    const NAME: &'static str = "echo";
    const DESCRIPTION: &'static str = "Repeats what it reads";

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u);
        v.input("n", |m| &mut m.n);
        v.input("m", |m| &mut m.m);
        v.input("s", |m| &mut m.s);
        v.input("b", |m| &mut m.b);
        v.output("sum", |m| &mut m.sum).depends_on([]);
        v.output("n_read", |m| &mut m.n_read).depends_on([]);
        v.output("m_read", |m| &mut m.m_read).depends_on([]);
        v.output("s_read", |m| &mut m.s_read).depends_on([]);
        v.output("b_read", |m| &mut m.b_read).depends_on([]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        // Different weights show which element is where.
        let elements = self.u.iter().flatten().map(|u| u.value(step.h));
        self.sum = elements.enumerate().map(|(n, u)| u * 100.0_f64.powi(n as i32)).sum();
        (self.n_read, self.m_read, self.s_read) = (self.n, self.m, self.s);
        self.b_read.clone_from(&self.b);
        Ok(())
    }
}

fn system() -> System {
    System::new()
        .instance_of("a", &joined_fmi3::<Teller>())
        .instance_of("b", &joined_fmi3::<Echo>())
        .stop(2.0)
        .step(1.0)
        .input_degree(0)
}

#[test]
fn arrays_of_equal_shape_are_connected_element_by_element() {
    let memory = rows(&system().connect("b.u", "a.y").start_value("a.scale", 1.0).start_value("a.scale[2]", 0.5));
    // a steps first: b reads the values of t = 1 s in the first step.
    assert_eq!(memory.real("a.y[1,3]").unwrap(), [4.0, 5.0, 6.0]);
    assert_eq!(memory.real("a.y[2,1]").unwrap(), [15.0, 16.0, 17.0]);
    let expected = |t: f64| {
        let elements = [0.0, 2.0, 4.0, 15.0, 16.5, 18.0].map(|value| value + t);
        elements.iter().enumerate().map(|(n, u)| u * 100.0_f64.powi(n as i32)).sum::<f64>()
    };
    assert_eq!(memory.real("b.sum").unwrap(), [0.0, expected(1.0), expected(2.0)]);
}

#[test]
fn single_elements_are_connected_and_the_others_keep_their_values() {
    let memory = rows(&system().connect("b.u[2,1]", "a.y[1,2]").start_value("b.u[1,1]", 7.0));
    let expected = |t: f64| 7.0 + (1.0 + t) * 1e6;
    assert_eq!(memory.real("b.sum").unwrap(), [0.0, expected(1.0), expected(2.0)]);
}

#[test]
fn arrays_are_recorded_by_their_names() {
    let memory = rows(&system().record(&["a.y", "b.u[2,1]"]));
    let names: Vec<_> = memory.columns().iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["a.y[1,1]", "a.y[1,2]", "a.y[1,3]", "a.y[2,1]", "a.y[2,2]", "a.y[2,3]", "b.u[2,1]"]);
}

#[test]
fn arrays_of_other_shapes_and_scalars_are_refused() {
    let shapes = problems(&system().connect("b.u", "a.scale"));
    assert!(shapes.contains("the shapes of `a.scale` (2) and `b.u` (2 × 3) differ"), "{shapes}");
    let scalar = problems(&system().connect("b.u", "a.single"));
    assert!(scalar.contains("`b.u` is an array (2 × 3), `a.single` a scalar"), "{scalar}");
    assert!(scalar.contains("connect it to one element, such as `b.u[1,1]`"), "{scalar}");
    let array = problems(&system().connect("b.n", "a.y"));
    assert!(array.contains("`a.y` is an array (2 × 3), `b.n` a scalar"), "{array}");
    let unknown = problems(&system().connect("b.u", "a.nothing"));
    assert!(unknown.contains("instance `a` has no variable `nothing`"), "{unknown}");
}

#[test]
fn integers_of_64_bits_arrive_exactly_in_instances_and_results() {
    let memory = rows(&system().connect("b.n", "a.count").connect("b.m", "a.below"));
    let large = i128::from(LARGE);
    assert_eq!(memory.integer("a.count").unwrap(), [large, large + 1, large + 2]);
    assert_eq!(memory.integer("b.n_read").unwrap(), [0, large + 1, large + 2]);
    let below = i128::from(i64::MIN);
    assert_eq!(memory.integer("b.m_read").unwrap(), [0, below + 1, below + 2]);
    let mut text = Vec::new();
    let mut csv = Csv::new(&mut text);
    memory.send_to(&mut csv);
    csv.finish().unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.lines().last().unwrap().contains(",9223372036854775811,"), "{text}");
    let results = Results::read(std::io::Cursor::new(text)).unwrap();
    assert_eq!(results.values("b.m_read"), Some(&Values::Integer(vec![0, i64::MIN + 1, i64::MIN + 2])));
}

#[test]
fn start_values_of_integers_keep_to_their_types() {
    let memory = rows(&system().start_value("b.n", "18446744073709551615"));
    assert_eq!(memory.integer("b.n_read").unwrap().last(), Some(&u64::MAX.into()));
    let text = problems(&system().start_value("b.n", -1));
    assert!(text.contains("the start value of `b.n` is -1, less than the minimum 0 of the type UInt64"), "{text}");
    let text = problems(&system().start_value("b.n", "18446744073709551616"));
    assert!(text.contains("greater than the maximum 18446744073709551615 of the type UInt64"), "{text}");
}

#[test]
fn bytes_are_exchanged_and_shown_by_their_hash() {
    let memory = rows(&system().connect("b.b", "a.blob"));
    assert_eq!(memory.binary("b.b_read").unwrap(), [vec![], vec![0xff, 0, 1], vec![0xff, 0, 2]]);
    let mut text = Vec::new();
    let mut csv = Csv::new(&mut text);
    memory.send_to(&mut csv);
    csv.finish().unwrap();
    assert!(String::from_utf8(text).unwrap().contains(&hash_of(&[0xff, 0, 2])));
    let started = rows(&system().start_value("b.b", "00FF"));
    assert_eq!(started.binary("b.b_read").unwrap()[1], [0, 0xff]);
    let text = problems(&system().connect("b.u[1,1]", "a.blob"));
    assert!(text.contains("a Binary"), "{text}");
}

#[test]
fn single_precision_is_widened_and_rounded_back() {
    let memory = rows(&system().connect("b.s", "a.single"));
    let expected = [0.0, f64::from(0.1_f32), f64::from(0.2_f32)];
    assert_eq!(memory.real("a.single").unwrap(), expected);
    assert_eq!(memory.real("b.s_read").unwrap(), expected);
}

#[test]
fn an_integer_that_the_input_cannot_have_ends_the_run_and_is_named() {
    let system = system().connect("b.m", "a.count");
    let error = system.build().unwrap().run(&mut []).unwrap_err();
    let text = Error::from(error).to_string();
    assert!(text.contains("9223372036854775809 is not a value of Int64") && text.contains("`b`"), "{text}");
}
