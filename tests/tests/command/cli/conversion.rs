//! `lotka convert`, and systems in the formats of other tools.

use super::support::Case;

/// Prey and predator as `prey.fmu` and `predator.fmu` in the folder `fmus`.
fn with_fmus(system: &str) -> Case {
    with(["prey", "predator"], system)
}

fn with(fmus: [&str; 2], system: &str) -> Case {
    let case = Case::new(system, []);
    std::fs::create_dir(case.path("fmus")).unwrap();
    for name in fmus {
        std::fs::copy(tests::packed(name), case.path(&format!("fmus/{name}.fmu"))).unwrap();
    }
    case
}

const SYSTEM: &str = "[experiment]\nstop = 5\nstep = 0.1\n[instances]\nprey = 'fmus/prey.fmu'\n\
    predator = { fmu = 'fmus/predator.fmu', start = { c = 0.5 } }\n[connections]\n'prey.y' = 'predator.y'\n\
    'predator.x' = { from = 'prey.x', factor = 1.5, offset = 0.25 }\n[algorithm]\nsweep = 'jacobi'\n";

#[test]
fn a_system_is_the_same_in_every_format() {
    let case = with_fmus(SYSTEM);
    let rows = case.lotka(&["run", "system.toml"]).assert(0, &[]).stdout.clone();
    for (from, to) in [("system.toml", "a.ssp"), ("a.ssp", "b.ssd"), ("b.ssd", "c.toml"), ("c.toml", "d.ssp")] {
        let ended = case.lotka(&["convert", from, to]);
        ended.assert(0, &[]);
        assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("", ""), "{from} to {to}");
        assert_eq!(case.lotka(&["run", to]).assert(0, &[]).stdout, rows, "{to}");
    }
}

#[test]
fn items_of_enumerations_are_written_as_numbers_that_every_tool_reads() {
    let system = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\nstarvation = 'fmus/starvation.fmu'\n\
        foxes = { fmu = 'fmus/population.fmu', start = { init = 'fixed_population', initial_population = 40.0 } }\n\
        [connections]\n'starvation.population' = 'foxes.population'\n'foxes.rate' = 'starvation.rate'\n";
    let case = with(["population", "starvation"], system);
    let rows = case.lotka(&["run", "system.toml"]).assert(0, &[]).stdout.clone();
    assert!(rows.lines().nth(1).unwrap().contains("40"), "they start with the population that the item asks for: {rows}");
    case.lotka(&["convert", "system.toml", "a.ssd"]).assert(0, &[]);
    let description = case.read("a.ssd").lines().map(str::trim).collect::<String>();
    assert!(description.contains("<ssv:Parameter name=\"init\"><ssv:Integer value=\"2\"/>"), "{description}");
    assert_eq!(case.lotka(&["run", "a.ssd"]).assert(0, &[]).stdout, rows);
}

#[test]
fn the_name_of_the_file_says_the_format_and_nothing_is_replaced_unasked() {
    let case = with_fmus(SYSTEM);
    case.lotka(&["convert", "system.toml", "system.xml"])
        .assert(2, &["cannot infer a format from `system.xml`; use the extension .toml, .ssd or .ssp"]);
    case.lotka(&["convert", "fmus/prey.fmu", "prey.toml"])
        .assert(2, &["fmus/prey.fmu is an FMU; `lotka convert` converts systems"]);
    case.lotka(&["convert", "system.toml", "copy.toml"]).assert(0, &[]);
    case.lotka(&["convert", "system.toml", "copy.toml"])
        .assert(2, &["`copy.toml` already exists; choose another file, or pass --force to overwrite it"]);
    case.lotka(&["convert", "system.toml", "copy.toml", "--force"]).assert(0, &[]);
    case.lotka(&["convert", "system.toml", "absent/copy.ssp"])
        .assert(16, &["cannot write the system to absent/copy.ssp: No such file"]);
}

#[test]
fn what_other_tools_will_not_see_is_reported_and_kept() {
    let summed =
        SYSTEM.replace("{ from = 'prey.x', factor = 1.5, offset = 0.25 }", "['prey.x', { from = 'prey.x', factor = 0.5 }]");
    let case = with_fmus(&summed);
    let warning = "warning: `predator.x` is a sum, which SSP cannot express: other tools see no source";
    case.lotka(&["convert", "system.toml", "sum.ssd"]).assert(0, &[warning]);
    let rows = |name: &str| case.lotka(&["run", name]).assert(0, &[]).stdout.clone();
    assert_eq!(rows("sum.ssd"), rows("system.toml"));
}

#[test]
fn a_project_of_mastersim_runs_and_becomes_a_system_file() {
    let case = with_fmus(SYSTEM);
    case.write(
        "lv.msim",
        "tEnd 100 s\nhMax 10 s\nhMin 1e-07 s\nhStart 1e-3 s\nhOutputMin 10 s\nabsTol 1e-6\nrelTol 1e-6\nMasterMode GAUSS_SEIDEL\n\
         ErrorControlMode STEP_DOUBLING\nmaxIterations 1\nsimulator 0 0 Prey #ff8c00 \"fmus/prey.fmu\"\n\
         simulator 1 0 Predator #008000 \"fmus/predator.fmu\"\ngraph Predator.y Prey.y\ngraph Prey.x Predator.x\nfoo bar\n",
    );
    let warning = "lv.msim:15:1: unknown keyword `foo`: it has no effect";
    let rows = case.lotka(&["run", "lv.msim"]).assert(0, &[warning]).stdout.clone();
    assert_eq!(rows.lines().count(), 12, "{rows}");
    case.lotka(&["convert", "lv.msim", "lv.toml"]).assert(0, &[]);
    assert_eq!(case.lotka(&["run", "lv.toml"]).assert(0, &[]).stdout, rows);
}

#[test]
fn problems_of_a_description_have_their_line() {
    let case = with_fmus(SYSTEM);
    case.lotka(&["convert", "system.toml", "a.ssd"]).assert(0, &[]);
    case.write(
        "a.ssd",
        &case.read("a.ssd").replace("endConnector=\"y\"", "endConnector=\"z\"").replace("value=\"0.5\"", "value=\"half\""),
    );
    let ended = case.lotka(&["run", "a.ssd"]);
    ended.assert(
        10,
        &[
            "a.ssd:",
            "the value \"half\" of `c` has the wrong type: expected Real",
            "instance `prey` has no variable `z`; available: `y`",
        ],
    );
    assert!(ended.stderr.lines().filter(|line| line.starts_with("a.ssd:")).count() >= 2, "{}", ended.stderr);
}

#[test]
fn a_package_without_a_description_says_what_it_has() {
    let case = with_fmus(SYSTEM);
    case.lotka(&["convert", "system.toml", "a.ssp"]).assert(0, &[]);
    let expected = "the package has no Winter.ssd; available: SystemStructure.ssd; pass a.ssp#SystemStructure.ssd";
    case.lotka(&["run", "a.ssp#Winter.ssd"]).assert(10, &[expected]);
    case.lotka(&["check", "a.ssp#SystemStructure.ssd"]).assert(0, &[]);
}
