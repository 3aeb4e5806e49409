//! Types that only FMI 3.0 has, and arrays.

use fmu_sdk::{Declaration, Error, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use super::host::{Host, Pointer, Wishes};
use crate::host::{DISCARD, ERROR, OK};

/// Types that both versions represent, and arrays of them: a table of weights, and their products with the inputs.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Shared {
    weights: [[f64; 3]; 2],
    u: [Input; 3],
    y: [f64; 2],
    single: f32,
    small: i8,
    byte: u8,
    short: i16,
    word: u16,
    flags: [bool; 2],
    names: [String; 2],
    x: [f64; 2],
}

impl Model for Shared {
    const NAME: &'static str = "shared";
    const DESCRIPTION: &'static str = "Products of a matrix";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("weights", |m| &mut m.weights).unit("kg").min(0.0).max(10.0);
        v.input("u", |m| &mut m.u);
        v.output("y", |m| &mut m.y).depends_on(["u"]);
        v.input("single", |m| &mut m.single);
        v.parameter("small", |m| &mut m.small).max(100);
        v.input("byte", |m| &mut m.byte);
        v.input("short", |m| &mut m.short);
        v.input("word", |m| &mut m.word);
        v.input("flags", |m| &mut m.flags);
        v.input("names", |m| &mut m.names);
        v.output("x", |m| &mut m.x).exact().depends_on([]);
        v.computed("der(x)", |m| [2.0 * m.x[0], m.x[1]]).derivative_of("x").depends_on(["x"]);
        v.computed_output("sum", |m| m.single + f32::from(m.small)).depends_on(["single", "small"]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        for (y, weights) in self.y.iter_mut().zip(&self.weights) {
            *y = weights.iter().zip(&self.u).map(|(weight, u)| weight * u.mean(step.h)).sum();
        }
        Ok(())
    }
}

/// Value references of [`Shared`] in FMI 3.0.
mod vr {
    pub const WEIGHTS: u32 = 1;
    pub const U: u32 = 2;
    pub const Y: u32 = 3;
    pub const SINGLE: u32 = 4;
    pub const SMALL: u32 = 5;
    pub const BYTE: u32 = 6;
    pub const SHORT: u32 = 7;
    pub const WORD: u32 = 8;
    pub const FLAGS: u32 = 9;
    pub const NAMES: u32 = 10;
    pub const DER_X: u32 = 12;
    pub const SUM: u32 = 13;
}

/// Types that FMI 2.0 lacks.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Wide {
    unsigned: u32,
    long: i64,
    huge: [u64; 2],
    blob: Vec<u8>,
    echo: Vec<u8>,
}

impl Model for Wide {
    const NAME: &'static str = "wide";
    const DESCRIPTION: &'static str = "Numbers that need 64 bits";

    fn declare(v: &mut Declaration<Self>) {
        v.input("unsigned", |m| &mut m.unsigned);
        v.parameter("long", |m| &mut m.long).min(-5);
        v.input("huge", |m| &mut m.huge);
        v.input("blob", |m| &mut m.blob);
        v.output("echo", |m| &mut m.echo);
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        self.echo = self.blob.iter().rev().copied().collect();
        Ok(())
    }
}

fn of<M: Model>() -> Host {
    Host::of::<M>(&Wishes::of::<M>())
}

#[test]
fn arrays_are_read_and_set_row_by_row_next_to_scalars() {
    let host = of::<Shared>();
    assert_eq!(host.set_f64(&[vr::WEIGHTS, vr::U], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 10.0, 20.0, 30.0]), OK);
    assert_eq!(host.f64(&[vr::WEIGHTS], 6), Ok(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    let host = host.started();
    assert_eq!(host.do_step(0.0, 0.5).status, OK);
    assert_eq!(host.f64(&[vr::Y, 0], 3), Ok(vec![140.0, 320.0, 0.5]));
    assert_eq!(host.f64(&[vr::Y], 1), Err(ERROR));
    host.explained("logStatusError", "expected 2 values for these variables, found 1");
}

#[test]
fn arrays_of_other_types_pass_too() {
    let host = of::<Shared>();
    assert_eq!(host.set_booleans(&[vr::FLAGS], &[0, 7]), OK);
    assert_eq!(host.booleans(&[vr::FLAGS], 2), Ok(vec![0, 1]));
    assert_eq!(host.set_strings(&[vr::NAMES], &["a", "ß"]), OK);
    assert_eq!(host.strings(&[vr::NAMES], 2), ["a", "ß"]);
    let host = of::<Wide>();
    assert_eq!(host.set_u64(&[3], &[u64::MAX, 1]), OK);
    assert_eq!(host.u64(&[3], 2), Ok(vec![u64::MAX, 1]));
}

#[test]
fn minimum_and_maximum_hold_for_each_element() {
    let host = of::<Shared>();
    assert_eq!(host.set_f64(&[vr::WEIGHTS], &[0.0, 0.0, 0.0, 0.0, 11.0, 0.0]), DISCARD);
    host.explained("logStatusDiscard", "the start value of `weights[2,2]` is not set: 11 is greater than the maximum 10");
    let host = of::<Shared>().started();
    assert_eq!(host.set_f64(&[vr::WEIGHTS], &[0.0; 6]), ERROR);
    host.explained("logStatusError", "variable `weights[1,1]` cannot be set in phase `step complete`");
}

#[test]
fn every_number_keeps_its_type() {
    let host = of::<Shared>();
    assert_eq!(host.set_f32(&[vr::SINGLE], &[0.1]), OK);
    assert_eq!(host.f32(&[vr::SINGLE], 1), Ok(vec![0.1]));
    assert_eq!(host.set_i8(&[vr::SMALL], &[-128]), OK);
    assert_eq!((host.i8(&[vr::SMALL], 1), host.f32(&[vr::SUM], 1)), (Ok(vec![-128]), Ok(vec![0.1 - 128.0])));
    assert_eq!((host.set_u8(&[vr::BYTE], &[255]), host.u8(&[vr::BYTE], 1)), (OK, Ok(vec![255])));
    assert_eq!((host.set_i16(&[vr::SHORT], &[i16::MIN]), host.i16(&[vr::SHORT], 1)), (OK, Ok(vec![i16::MIN])));
    assert_eq!((host.set_u16(&[vr::WORD], &[u16::MAX]), host.u16(&[vr::WORD], 1)), (OK, Ok(vec![u16::MAX])));
    assert_eq!(host.set_i8(&[vr::SMALL], &[101]), DISCARD);
    host.explained("logStatusDiscard", "101 is greater than the maximum 100");
    let host = of::<Wide>();
    assert_eq!((host.set_u32(&[1], &[u32::MAX]), host.u32(&[1], 1)), (OK, Ok(vec![u32::MAX])));
    assert_eq!((host.set_i64(&[2], &[i64::MAX]), host.i64(&[2], 1)), (OK, Ok(vec![i64::MAX])));
    assert_eq!(host.set_i64(&[2], &[-6]), DISCARD);
    host.explained("logStatusDiscard", "-6 is less than the minimum -5");
}

#[test]
fn bytes_pass_as_they_are() {
    let host = of::<Wide>().started();
    assert_eq!(host.set_binaries(&[4], &[&[0, 255, 7]]), OK);
    assert_eq!(host.do_step(0.0, 1.0).status, OK);
    assert_eq!(host.binaries(&[4, 5], 2), [vec![0, 255, 7], vec![7, 255, 0]]);
    assert_eq!(host.set_binaries(&[4], &[&[]]), OK);
    assert_eq!(host.binaries(&[4], 1), [vec![]]);
    // SAFETY: a live instance; a value of 3 bytes at NULL is refused.
    assert_eq!(unsafe { (host.f.set_binary.unwrap())(host.c, &4, 1, &3, &std::ptr::null(), 1) }, ERROR);
    host.explained("logStatusError", "NULL");
}

#[test]
fn fmi_2_has_one_variable_per_element_and_narrow_types_as_its_own() {
    let description = fmu_sdk::description::<Shared>();
    assert_eq!((description.check(), fmu_sdk::problems::<Shared>()), (vec![], vec![]));
    let index = |name: &str| description.variables.iter().position(|v| v.name == name).unwrap();
    assert_eq!(index("weights[2,1]"), index("weights[1,3]") + 1);
    let structure = &description.model_structure;
    let outputs: Vec<_> = structure.outputs.iter().map(|unknown| unknown.index as usize - 1).collect();
    assert_eq!(outputs, ["y[1]", "y[2]", "x[1]", "x[2]", "sum"].map(index));
    let inputs: Vec<_> = ["u[1]", "u[2]", "u[3]"].map(|name| index(name) as u32 + 1).into();
    assert!(structure.outputs[..2].iter().all(|output| output.dependencies.as_ref() == Some(&inputs)));
    use fmi2::description::VariableKind::{Integer, Real};
    let Real(derivative) = &description.variables[index("der(x[2])")].kind else { panic!() };
    assert_eq!(derivative.derivative, Some(index("x[2]") as u32 + 1));
    let Integer(byte) = &description.variables[index("byte")].kind else { panic!() };
    assert_eq!((byte.min, byte.max), (Some(0), Some(255)));

    let host = crate::host::Host::of::<Shared>(false, None);
    assert_eq!(host.set_reals(&[0, 5, 6, 8], &[1.0, 6.0, 10.0, 30.0]), OK);
    host.enter();
    host.exit();
    assert_eq!(host.do_step(0.0, 1.0), OK);
    assert_eq!(host.reals(&[9, 10]), [10.0, 180.0]);
    assert_eq!(host.set_integers(&[1], &[256]), DISCARD);
    host.explained("logStatusDiscard", "variable `byte` is not set: its type UInt8 has no such value");
    assert_eq!(host.set_reals(&[11], &[1e300]), DISCARD);
    host.explained("logStatusDiscard", "variable `single` is not set: its type Float32 has no such value");
}

#[test]
fn what_fmi_2_lacks_is_refused_there_and_named() {
    let lacks = |variable: &str, element| Error::NotInFmi2 { variable: variable.into(), element };
    let expected = [
        lacks("unsigned", "UInt32"),
        lacks("long", "Int64"),
        lacks("huge", "UInt64"),
        lacks("blob", "Binary"),
        lacks("echo", "Binary"),
    ];
    assert_eq!(fmu_sdk::problems::<Wide>(), expected);
    assert!(expected[0].to_string().contains("--fmi 3.0"), "{}", expected[0]);
    assert_eq!(fmu_sdk::fmi3::problems::<Wide>(), []);
    let f = fmu_sdk::functions::<Wide>();
    let guid = std::ffi::CString::new(fmu_sdk::description::<Wide>().guid).unwrap();
    let identity = (c"a/b c".as_ptr(), fmi2::ffi::CO_SIMULATION, guid.as_ptr(), std::ptr::null());
    assert!(crate::host::instantiate(&f, identity, None, false).is_null());
}

#[test]
fn an_array_input_is_a_polynomial_per_element() {
    let host = Host::of::<Shared>(&Wishes { intermediate: vec![vr::U], ..Wishes::of::<Shared>() });
    assert_eq!(host.set_f64(&[vr::WEIGHTS], &[1.0, 1.0, 1.0, 0.0, 1.0, 0.0]), OK);
    let host = host.started();
    let (set, instance) = (host.f.set_float64.unwrap(), Pointer(host.c));
    let set = move |t: f64| _ = instance.set(set, vr::U, &[t, t * t, 1.0]);
    *host.shared.inputs.lock().unwrap() = Box::new(set);
    assert_eq!(host.do_step(0.0, 3.0).status, OK);
    let y = host.f64(&[vr::Y], 2).unwrap();
    assert!((y[0] - 5.5).abs() < 1e-13 && (y[1] - 3.0).abs() < 1e-13, "{y:?}");
    assert_eq!(host.f64(&[vr::DER_X], 2), Ok(vec![0.0, 0.0]));
}
