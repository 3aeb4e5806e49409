//! The algorithm `ecco` of libcosim and of our master, on the same structures.

use std::{fs, path::Path};

use lotka::{Memory, System};
use tests::interop::run;

use super::{fmu_dir, interop};

/// Configurations of the algorithm, with the stop time \[s\]: of a system, and of the values of its simulators.
struct Case {
    left: &'static str,
    right: &'static str,
    /// Elements of `EccoConfiguration`, in the order of libcosim's schema.
    configuration: [f64; 10],
    stop: f64,
}

/// A car of 400 kg on a wheel of 40 kg, with its spring and damper, whose tire passes a step of 0.1 m at t = 0; numbers of the
/// algorithm as in libcosim's quarter truck.
const QUARTER_CAR: Case = Case {
    left: "m=400 k=0 d=0",
    right: "m=40 k=150000 d=0 z=0.1 k_other=15000 d_other=1000 x=0",
    configuration: [0.99, 1e-4, 1e-5, 0.01, 0.2, 1.5, 0.2, 0.15, 1e-6, 1e-6],
    stop: 0.1,
};

/// Two equal masses with other gains, and changes of sizes that are limited in both directions.
const TWO_MASSES: Case =
    Case { left: "", right: "", configuration: [0.8, 0.01, 1e-4, 0.05, 0.7, 1.1, 0.3, 0.1, 1e-4, 1e-3], stop: 5.0 };

const ELEMENTS: [&str; 10] = [
    "SafetyFactor",
    "StepSize",
    "MinimumStepSize",
    "MaximumStepSize",
    "MinimumChangeRate",
    "MaximumChangeRate",
    "ProportionalGain",
    "IntegralGain",
    "RelativeTolerance",
    "AbsoluteTolerance",
];

fn structure(case: &Case) -> String {
    let simulator = |name: &str, source: &str, values: &str| {
        let one = |value: &str| {
            let (variable, number) = value.split_once('=').unwrap();
            format!("<InitialValue variable=\"{variable}\"><Real value=\"{number}\"/></InitialValue>")
        };
        let values: String = values.split_whitespace().map(one).collect();
        let values = if values.is_empty() { values } else { format!("<InitialValues>{values}</InitialValues>") };
        let path = fmu_dir().join(source).canonicalize().unwrap();
        format!("<Simulator name=\"{name}\" source=\"file://{}\">{values}</Simulator>\n", path.display())
    };
    let connection = |bond: &str, (from, output): (&str, &str), (to, input): (&str, &str)| {
        format!(
            "<VariableConnection{bond}><Variable simulator=\"{from}\" name=\"{output}\" causality=\"output\"/>\
             <Variable simulator=\"{to}\" name=\"{input}\" causality=\"input\"/></VariableConnection>\n"
        )
    };
    let bond = " powerBond=\"joint\"";
    let configuration: String =
        ELEMENTS.iter().zip(case.configuration).map(|(element, value)| format!("<{element}>{value}</{element}>\n")).collect();
    [
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <OspSystemStructure xmlns=\"http://opensimulationplatform.com/MSMI/OSPSystemStructure\" version=\"0.1\">\n",
        &format!(
            "<EndTime>{}</EndTime>\n<BaseStepSize>0.01</BaseStepSize>\n<Algorithm>ecco</Algorithm>\n<Simulators>\n",
            case.stop
        ),
        &simulator("left", "mass.fmu", case.left),
        &simulator("right", "sprung_mass_force.fmu", case.right),
        "</Simulators>\n<Connections>\n",
        &connection(bond, ("right", "f"), ("left", "f")),
        &connection(bond, ("left", "v"), ("right", "v_other")),
        &connection("", ("left", "x"), ("right", "x_other")),
        &format!("</Connections>\n<EccoConfiguration>\n{configuration}</EccoConfiguration>\n</OspSystemStructure>\n"),
    ]
    .concat()
}

/// Time \[s\], position and force after each step that libcosim makes.
fn theirs(path: &Path, steps: usize) -> Vec<[f64; 3]> {
    let mut script = interop().script("libcosim_osp.py");
    let printed = run(script.arg(path).arg(steps.to_string()).args(["left.x", "right.f"])).unwrap();
    let row = |line: &str| -> Option<[f64; 3]> {
        line.split(',').map(|value| value.parse().ok()).collect::<Option<Vec<f64>>>()?.try_into().ok()
    };
    printed.lines().skip_while(|line| *line != "time,left.x,right.f").skip(1).filter_map(row).collect()
}

/// Step by step: libcosim rounds its times to nanoseconds, which the controller carries on.
fn assert_same_steps(case: &Case) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("OspSystemStructure.xml");
    fs::write(&path, structure(case)).unwrap();
    let mut results = Memory::new();
    let report = System::from_file(&path).unwrap().build().unwrap().run(&mut [&mut results]).unwrap();
    let (times, x, f) = (results.time(), results.real("left.x").unwrap(), results.real("right.f").unwrap());
    let n_steps = times.len() - 1;
    assert_eq!(report.counters.n_do_step_calls, 2 * n_steps as u64, "no step is repeated");
    let theirs = theirs(&path, n_steps + n_steps / 50);
    // Our last step is shortened to end at the stop time, theirs passes it.
    let before_stop = theirs.iter().filter(|row| row[0] < case.stop).count();
    assert!(
        before_stop.abs_diff(n_steps - 1) <= n_steps / 500,
        "{before_stop} steps before the stop time, ours: {}",
        n_steps - 1
    );
    let largest = |values: &[f64]| values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let scales = [case.stop, largest(x), largest(f)];
    for (n, theirs) in theirs[..n_steps - 1].iter().enumerate() {
        let ours = [times[n + 1], x[n + 1], f[n + 1]];
        for ((theirs, ours), scale) in theirs.iter().zip(ours).zip(scales) {
            assert!((theirs - ours).abs() <= 2e-3 * scale, "step {n}: {theirs:?} {ours:?} of {scale}");
        }
    }
    // The first ones are the same but for the rounding.
    for (n, (theirs, ours)) in theirs.iter().zip(&times[1..]).enumerate().take(10) {
        assert!((theirs[0] - ours).abs() < 20e-9, "step {n}: {} {ours}", theirs[0]);
    }
}

#[test]
fn a_quarter_car_takes_the_steps_that_it_takes_in_libcosim() {
    assert_same_steps(&QUARTER_CAR);
}

#[test]
fn gains_and_limits_mean_what_they_mean_in_libcosim() {
    assert_same_steps(&TWO_MASSES);
}
