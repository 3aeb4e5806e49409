//! `lotka inspect --coupling`.

use super::support::{Case, Ended, LOOP};
use tests::hostile::Hostile;

/// The two-mass oscillator with the packed FMUs.
fn two_mass() -> Case {
    let [left, right] = ["mass", "sprung_mass_force"].map(|name| tests::packed(name).display().to_string());
    let connections = "'left.f' = 'right.f'\n'right.x_other' = 'left.x'\n'right.v_other' = 'left.v'\n";
    let experiment = "[experiment]\nstop = 10\nstep = 0.1\n";
    Case::new(&format!("{experiment}[instances]\nleft = '{left}'\nright = '{right}'\n[connections]\n{connections}"), [])
}

fn inspect(case: &Case, flags: &[&str]) -> Ended {
    case.lotka(&[&["inspect", "--coupling", "system.toml"], flags].concat())
}

#[test]
fn a_coupling_is_described_as_text_and_json() {
    let case = two_mass();
    let text = inspect(&case, &[]).assert(0, &[]).stdout.clone();
    for part in [
        "sensitivities of outputs to inputs over a step of 0.1 s\n  output   input          derivative  by nominal values\n",
        "  left.x   left.f         4.926e-3 ",
        "\ncontraction per iteration of a step of 0.1 s\n  jacobi        2.980e-1\n  gauss-seidel  8.881e-2\n",
        "  jacobi with stale outputs  0.0434",
        "  jacobi with fresh outputs  0.225",
        "\nadvice\n  jacobi with stale outputs: the coupling adds growth at h = 0.1 s; it adds none up to 0.0434",
        "  gauss-seidel iteration: converges at h = 0.1 s in 6 iterations",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    let json = inspect(&case, &["--json", "--step-size", "0.01"]).assert(0, &[]).json();
    assert_eq!((json["kind"].as_str(), json["step"].as_f64()), (Some("coupling"), Some(0.01)));
    let [stale, fresh, ordered] = [0, 1, 2].map(|index| &json["critical_steps"][index]);
    assert_eq!((stale["sweep"].as_str(), stale["outputs"].as_str()), (Some("jacobi"), Some("stale")));
    assert_eq!((fresh["outputs"].as_str(), ordered["outputs"].as_str()), (Some("fresh"), None));
    for (found, expected) in [(stale, 0.04353), (fresh, 0.2254), (ordered, 0.07766)] {
        assert_eq!(found["result"], "critical");
        assert!((found["step"].as_f64().unwrap() / expected - 1.0).abs() < 0.05, "{found} instead of {expected}");
    }
    assert!(json["contraction"]["jacobi"].as_f64().unwrap() < 0.1);
    assert_eq!(json["sensitivities"][0]["output"], "left.x");
    assert!(!json["advice"].as_array().unwrap().is_empty());
}

#[test]
fn an_fmu_without_rollback_is_named() {
    let a = Hostile::new("a").capability("canGetAndSetFMUstate", false);
    let case = Case::new(&format!("[experiment]\nstop = 1\nstep = 0.1\n{LOOP}"), [a, Hostile::new("b")]);
    let ended = inspect(&case, &[]);
    ended.assert(10, &["the analysis of the coupling needs rollback", "a.fmu", "instance `a`", "canGetAndSetFMUstate"]);
    assert_eq!(ended.stdout, "");
}

#[test]
fn a_step_that_is_none_is_refused() {
    let case = two_mass();
    inspect(&case, &["--step-size", "11"]).assert(10, &["a step of 11 s", "at most 10 s, the length of the experiment"]);
    case.lotka(&["inspect", "system.toml", "--step-size", "0.1"]).assert(2, &["--coupling"]);
}

#[test]
fn steps_that_an_fmu_refuses_are_unstable() {
    for status in [2, 3] {
        let a = Hostile::new("a").reply("fmi2DoStep", status).define("FAULT_ABOVE=0.3");
        let case = Case::new(&format!("[experiment]\nstop = 1\nstep = 0.1\n{LOOP}"), [a, Hostile::new("b")]);
        let json = inspect(&case, &["--json"]).assert(0, &[]).json();
        for found in json["critical_steps"].as_array().unwrap() {
            assert_eq!(found["result"], "critical");
            let step = found["step"].as_f64().unwrap();
            assert!((0.297..=0.3).contains(&step), "{found}");
        }
        inspect(&case, &["--step-size", "0.4"]).assert(13, &["instance `a`"]);
    }
}
