//! Runs that end well: flags, results on stdout, JSON.

use super::support::Case;
use tests::hostile::Hostile;

#[test]
fn rows_go_to_stdout_and_everything_else_to_stderr() {
    let case = Case::of(Hostile::new("a"));
    let ended = case.lotka(&["run", "system.toml"]);
    ended.assert(0, &["stop time 1 s reached", "10 steps, 0 rejected", "20 doStep calls"]);
    let lines: Vec<_> = ended.stdout.lines().collect();
    assert_eq!(lines[0], "time,a.y,a.steps,a.positive,a.text,b.y,b.steps,b.positive,b.text");
    assert_eq!(lines.len(), 12);
    assert!(lines[11].starts_with("1.0,") && lines[11].contains(",10,true,"), "{}", lines[11]);
}

#[test]
fn json_is_one_object_with_the_pinned_keys() {
    let case = Case::of(Hostile::new("a"));
    let json = case.lotka(&["run", "system.toml", "--json"]).assert(0, &[]).json();
    assert_eq!((json["end"].as_str(), json["time"].as_f64()), (Some("stop-time"), Some(1.0)));
    let counters = [
        ("n_steps", 10),
        ("n_step_attempts", 10),
        ("n_error_test_failures", 0),
        ("n_convergence_failures", 0),
        ("n_iterations", 0),
        ("n_rollbacks", 0),
        ("n_discards", 0),
        ("n_events", 0),
        ("n_do_step_calls", 20),
        ("n_trial_calls", 0),
    ];
    assert_eq!(json["statistics"].as_object().unwrap().len(), counters.len());
    for (name, value) in counters {
        assert_eq!(json["statistics"][name], value, "{name}");
    }
    assert_eq!(json["instances"]["a"]["do_step"], 10);
    assert!(json["instances"]["a"].get("time").is_none() && json.get("error").is_none(), "{json}");
    assert_eq!(json["warnings"].as_array().unwrap().len(), 0);
}

#[test]
fn the_energy_of_power_bonds_is_reported() {
    let case = Case::two_mass("step = 0.01");
    let text = case.read("system.toml");
    case.write("system.toml", &format!("{text}[power-bonds]\njoint = {{ effort = 'right.f', flow = 'left.v' }}\n"));
    case.run(&[]).assert(0, &["power bond joint: residual energy ", " J exchanged"]);
    let bond = case.lotka(&["run", "system.toml", "--json"]).assert(0, &[]).json()["power_bonds"]["joint"].clone();
    let [residual, absolute, exchanged] =
        ["residual_energy", "absolute_residual_energy", "exchanged_energy"].map(|name| bond[name].as_f64().unwrap());
    assert!(residual.abs() <= absolute && absolute < 0.05 * exchanged && exchanged < 20.0, "{bond}");
    case.write("system.toml", &format!("{text}[power-bonds]\njoint = {{ effort = 'right.f', flow = 'left.w' }}\n"));
    case.lotka(&["check", "system.toml"]).assert(10, &["system.toml:12:38", "no variable `w`", "`v`"]);
}

#[test]
fn json_comes_even_if_nothing_could_be_run() {
    let case = Case::new("[instances]\na = 'a.fmu'\n", [Hostile::new("a")]);
    let ended = case.lotka(&["run", "system.toml", "--json"]);
    let json = ended.assert(10, &["missing stop time"]).json();
    assert_eq!((json["end"].as_str(), json["time"].is_null()), (Some("failed"), true));
    assert!(json["error"].as_str().unwrap().contains("missing stop time"), "{json}");
    assert_eq!(json["statistics"]["n_steps"], 0);
}

#[test]
fn flags_override_the_file() {
    let case = Case::of(Hostile::new("a"));
    let flags = ["--start-time", "-0.5", "--stop-time", "0.5", "--step-size", "0.25", "--output-interval", "0.5"];
    case.run(&[&flags[..], &["--start-value", "a.x0=3", "--start-value=a.label=x=y"]].concat()).assert(0, &["4 steps"]);
    let rows = case.rows();
    assert_eq!(rows.iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), ["-0.5", "0.0", "0.5"]);
    assert_eq!(rows[0][1], "3.0");
    let controlled = case.run(&["--local-tolerance", "1e-3", "--json"]).assert(0, &[]).json();
    assert!(controlled["largest_error_estimate"].as_f64().unwrap() <= 1.0, "{controlled}");
}

#[test]
fn verbose_names_the_algorithm_and_quiet_says_nothing() {
    let case = Case::of(Hostile::new("a"));
    let text = "algorithm: gauss-seidel sweep in the order a, b, linear inputs, no iteration, fixed steps of 0.1 s. No output \
                in a loop has direct feedthrough, so linear inputs give order 2 without extra calls.\n";
    case.run(&["-v"]).assert(0, &[text]);
    let quiet = case.run(&["--quiet"]);
    assert_eq!((quiet.code, quiet.stdout.as_str(), quiet.stderr.as_str()), (0, "", ""));
    case.run(&["-q", "--step-size", "0.3"]).assert(0, &[]);
}

#[test]
fn rejected_steps_are_explained_when_asked_for_twice() {
    let case = Case::predator_prey("local-tolerance = 1e-4\nfirst-step = 5");
    let rejected = "step at t = 0 s with h = 5.000e0 s rejected: the error estimate is ";
    case.run(&["-vv"]).assert(0, &[rejected, "times the tolerance (step-doubling", " (output `"]);
    assert!(!case.run(&["-v"]).stderr.contains("rejected: "));
}

#[test]
fn profile_gives_the_time_of_each_instance() {
    let case = Case::of(Hostile::new("a"));
    let json = case.run(&["--profile", "--json"]).assert(0, &[]).json();
    assert!(json["instances"]["b"]["time"].as_f64().unwrap() > 0.0, "{json}");
}

#[test]
fn log_lines_are_shown_by_level() {
    let case = Case::of(Hostile::new("a").reply("fmi2DoStep", 1).define("FAULT_TIMES=1").define("LOG_EACH_STEP"));
    let warning = "a [warning] the step at 0 s returns 1 in this test";
    let default = case.run(&["--json"]);
    default.assert(0, &[warning]);
    assert!(!default.stderr.contains("[info]"), "{}", default.stderr);
    assert!(default.json()["warnings"][0].as_str().unwrap().contains("returns 1 in this test"));
    case.run(&["--log-level", "debug"]).assert(0, &[warning, "a [info] step 9 at "]);
    assert!(!case.run(&["--log-level", "error"]).stderr.contains("[warning]"));
}

#[test]
fn a_log_line_that_repeats_is_shown_once_and_then_with_its_count() {
    let case = Case::of(Hostile::new("a").define("LOG_LINES=2"));
    let shown = case.run(&["--stop-time", "100"]).assert(0, &[]).stderr.clone();
    let lines: Vec<_> = shown.lines().filter(|line| line.starts_with("a [warning] line ")).collect();
    assert_eq!(
        lines,
        [
            "a [warning] line 0",
            "a [warning] line 1",
            "a [warning] line 0 (999 more times)",
            "a [warning] line 1 (999 more times)"
        ]
    );
    let all = case.run(&["--log-level", "debug"]).stderr;
    assert_eq!(all.lines().filter(|line| *line == "a [warning] line 1").count(), 10);
}

#[test]
fn wrong_usage_is_2_and_names_the_flag() {
    let case = Case::of(Hostile::new("a"));
    for (arguments, text) in [
        (&["run"] as &[&str], "<SYSTEM>"),
        (&["fly"], "fly"),
        (&["run", "system.toml", "--step-size", "0"], "--step-size"),
        (&["run", "system.toml", "--stop-time", "soon"], "--stop-time"),
        (&["run", "system.toml", "--step-size", "1", "--local-tolerance", "1e-3"], "cannot be used with"),
        (&["run", "system.toml", "--start-value", "a.k"], "instance.variable=value"),
        (&["run", "system.toml", "--log-level", "loud"], "loud"),
    ] {
        case.lotka(arguments).assert(2, &[text]);
    }
}

#[test]
fn the_help_lists_every_exit_code() {
    let help = Case::of(Hostile::new("a")).lotka(&["--help"]).assert(0, &[]).stdout.clone();
    let table = help.split("Exit codes:\n").nth(1).unwrap();
    let codes: Vec<i32> = table.lines().map(|line| line.split_whitespace().next().unwrap().parse().unwrap()).collect();
    assert_eq!(codes, [0, 1, 2, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 130]);
}

#[test]
fn iterations_are_reported_per_step() {
    let case = Case::two_mass("step = 0.1");
    let text = case.read("system.toml");
    case.write("system.toml", &format!("{text}[algorithm]\niterations = 20\nacceleration = 'newton'\n"));
    let ended = case.run(&["--json"]);
    let count = |name: &str| ended.json()["statistics"][name].as_u64().unwrap();
    let (iterations, steps) = (count("n_iterations"), count("n_steps"));
    assert!(steps == 100 && (steps..4 * steps).contains(&iterations), "{iterations} in {steps} steps");
    ended.assert(0, &[&format!("{iterations} loop iterations, {:.1} per step\n", iterations as f64 / steps as f64)]);
}
