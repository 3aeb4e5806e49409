//! Algebraic loops: well posed whatever their gain, and with outputs that are noisy.

use std::fmt::Write;

use lotka::{Code, Error, Memory, RunError, System};
use tempfile::TempDir;
use tests::quirks::Quirk;

use super::case::{Case, Verdict};

/// `y = k u + x`, where `y` follows `u` at once.
fn gain() -> Quirk {
    Quirk::new("gain").described_by("lag").edit_xml(|xml| {
        *xml = xml.replace("index=\"2\" dependencies=\"\"", "index=\"2\" dependencies=\"1\"");
        *xml = xml.replace("index=\"2\" dependencies=\"4\"", "index=\"2\" dependencies=\"1 3 4\"");
    })
}

fn x0(n: usize) -> f64 {
    0.5 + 0.125 * (n % 5) as f64
}

/// A ring of instances with the same gain and different states.
fn ring(count: usize, gain: f64) -> String {
    let mut system = "[instances]\n".to_owned();
    for n in 0..count {
        let _ = writeln!(system, "g{n} = {{ fmu = \"gain.fmu\", start = {{ k = {gain:?}, x0 = {:?} }} }}", x0(n));
    }
    system += "\n[connections]\n";
    for n in 0..count {
        let _ = writeln!(system, "\"g{n}.u\" = \"g{}.y\"", (n + count - 1) % count);
    }
    system
}

/// The values of the ring at a time: forward or backward along it, whichever makes errors smaller.
fn values(count: usize, gain: f64, t: f64) -> Vec<f64> {
    let x: Vec<f64> = (0..count).map(|n| 1.0 + (x0(n) - 1.0) * (-t).exp()).collect();
    let product = gain.powi(count as i32);
    let mut y = vec![0.0; count];
    if gain.abs() < 1.0 {
        y[0] = (0..count).map(|j| gain.powi(j as i32) * x[(count - j) % count]).sum::<f64>() / (1.0 - product);
        (1..count).for_each(|n| y[n] = gain * y[n - 1] + x[n]);
    } else {
        let sum: f64 = (1..=count).map(|j| -x[j % count] * gain.powi(-(j as i32))).sum();
        y[0] = sum / (1.0 - 1.0 / product);
        (1..count).rev().for_each(|n| y[n] = (y[(n + 1) % count] - x[(n + 1) % count]) / gain);
    }
    y
}

fn case(name: &'static str, quirk: Quirk, count: usize, gain: f64) -> Case {
    let case = Case::new(name, [quirk], &ring(count, gain)).algorithm("sweep = \"jacobi\"\nacceleration = \"newton\"");
    let expected = values(count, gain, 1.0);
    case.expect("g0.y", expected[0]).expect("g1.y", expected[1])
}

pub fn cases() -> Vec<Case> {
    let noisy = |error: f64| Verdict::within(error).says("a relative noise of");
    vec![
        case("ring of 33 with gain 2.2", gain(), 33, 2.2),
        case("ring of 3 with gain -1.5", gain(), 3, -1.5),
        case("ring of 3 with gain -1.5, FMUs that refuse to be reset", gain().define("REFUSES_RESET"), 3, -1.5),
        case("ring of 3 with gain -1.5, FMUs that only say that they are reset", gain().define("IGNORES_RESET"), 3, -1.5),
        case("ring of 3 with gain -1.5, single precision", gain().define("SINGLE"), 3, -1.5).otherwise(Verdict::within(1e-6)),
        case("ring of 3 with gain -1.5, outputs noisy by 1e-6", gain().define("NOISE=1e-6"), 3, -1.5).otherwise(noisy(2e-5)),
    ]
}

/// First and last values of a run of two steps.
fn run(
    folder: &TempDir,
    system: &str,
    more: impl FnOnce(System) -> System,
) -> Result<(Vec<f64>, Vec<f64>, lotka::Report), Error> {
    let path = folder.path().join("system.toml");
    std::fs::write(&path, format!("[experiment]\nstop = 0.2\nstep = 0.1\n{system}")).unwrap();
    let mut rows = Memory::new();
    let report = more(System::from_file(&path)?).build()?.run(&mut [&mut rows]).map_err(|failure| Error::from(failure.error))?;
    let columns: Vec<_> = rows.columns().iter().map(|column| rows.real(&column.name).unwrap()).collect();
    let at = |row: usize| columns.iter().map(|column| column[row]).collect();
    Ok((at(0), at(columns[0].len() - 1), report))
}

#[test]
fn rings_of_any_size_and_gain_are_solved_at_the_start_and_in_every_step() {
    let folder = TempDir::new().unwrap();
    gain().build(folder.path());
    let mut wrong = String::new();
    for count in [2, 3, 10, 33, 34, 100] {
        for gain in [0.1, -0.1, 0.9, 1.1, -1.5, 2.2, -2.2, 10.0, -10.0] {
            match run(&folder, &ring(count, gain), |system| system) {
                Ok((first, last, _)) => {
                    for (found, t) in [(first, 0.0), (last, 0.2)] {
                        let expected = values(count, gain, t);
                        let error = found.iter().zip(&expected).map(|(a, b)| ((a - b) / b).abs()).fold(0.0, f64::max);
                        if error.is_nan() || error > 1e-9 {
                            let _ = writeln!(wrong, "{count} with {gain} at {t}: {error:e}");
                        }
                    }
                }
                Err(error) => _ = writeln!(wrong, "{count} with {gain}: {error}"),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn noise_that_appears_later_is_named_where_a_loop_does_not_converge() {
    let folder = TempDir::new().unwrap();
    gain().define("NOISE=1e-6").define("NOISY_FROM=0.15").build(folder.path());
    let iterated = |system: System| system.sweep("jacobi").acceleration("newton").iterations(20, Some(1e-12));
    let error = run(&folder, &ring(3, -1.5), iterated).unwrap_err();
    let Error::Run(why) = &error else { panic!("{error}") };
    let RunError::NotConverged { time, output_noise: Some(scatter), .. } = &**why else { panic!("{error}") };
    assert!((time - 0.1).abs() < 1e-12 && (1e-7..1e-5).contains(&scatter.relative), "{error}");
    assert!(error.to_string().contains("relative noise") && error.to_string().contains("iteration-tolerance"), "{error}");
}

#[test]
fn noise_is_named_at_the_start_and_for_the_steps() {
    let folder = TempDir::new().unwrap();
    gain().define("NOISE=1e-6").build(folder.path());
    let (_, _, report) = run(&folder, &ring(3, -1.5), |system| system).unwrap();
    let noisy: Vec<_> = report.warnings.iter().filter(|warning| warning.code == Code::NoisyLoop).collect();
    assert_eq!(noisy.len(), 2, "one for the start, one for the steps: {noisy:?}");
}
