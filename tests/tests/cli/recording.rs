//! What is recorded: `[results]`, `--record`.

use super::support::Case;

const RESULTS: &str = "[results]\nvariables = ['prey.*', '!prey.b', '!inputs']\n";

fn case(results: &str) -> Case {
    let case = Case::predator_prey("step = 1");
    let system = case.read("system.toml");
    case.write("system.toml", &(system + results));
    case
}

fn header(case: &Case) -> String {
    case.read("out.csv").lines().next().unwrap_or_default().to_owned()
}

#[test]
fn the_system_file_chooses_and_flags_choose_instead() {
    let case = case(RESULTS);
    case.run(&[]).assert(0, &[]);
    assert_eq!(header(&case), "time,prey.a,prey.x,prey.der(x)");
    assert_eq!(case.rows()[0], ["0.0", "0.1", "10.0", "-1.0"]);
    case.run(&["--record", "*.x", "--record", "outputs"]).assert(0, &[]);
    assert_eq!(header(&case), "time,prey.x,predator.x,predator.y");
}

#[test]
fn problems_of_the_list_have_their_lines() {
    let case = case("[results]\nvariables = ['pray.*', 'prey.*', 3, 'predator.z']\nvariable = 'x'\n");
    case.run(&[]).assert(
        10,
        &[
            "no variable matches `pray.*`",
            "did you mean `prey.*`?",
            "`variables` has an integer where a name or a pattern belongs",
            "instance `predator` has no variable `z`",
            "unknown key `variable` in [results]",
            "system.toml:11:14",
        ],
    );
    case.run(&["--record", "predator"]).assert(10, &["`predator` is an instance", "write `predator.*`"]);
}

#[test]
fn a_manifest_has_the_list_and_the_default() {
    let case = case(RESULTS);
    let variables = |flags: &[&str]| {
        case.run(&[&["--manifest", "run.json"], flags].concat()).assert(0, &[]);
        let manifest: serde_json::Value = serde_json::from_str(&case.read("run.json")).unwrap();
        manifest["settings"]["results"]["variables"].to_string()
    };
    assert_eq!(variables(&[]), r#"["prey.*","!prey.b","!inputs"]"#);
    assert_eq!(variables(&["--record", "prey.x"]), r#"["prey.x"]"#);
}
