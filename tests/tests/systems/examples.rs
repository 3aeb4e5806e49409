//! Every example runs with packed FMUs and gives the numbers it is expected to give; its README shows and names what there is.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use gallery::{Check, Example, Page, Ran, Shown, Value};
use tests::{
    packed,
    systems::{Exact, exact},
};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

fn all() -> Vec<Example> {
    let all = Example::all(&examples()).unwrap_or_else(|error| panic!("{error}"));
    assert!(all.len() >= 6, "{all:?}");
    all
}

/// Folders that are no examples: programs, and the study of all systems.
fn is_beside(folder: &Path) -> bool {
    folder.join("Cargo.toml").is_file() || folder.ends_with("accuracy")
}

fn fmus() -> PathBuf {
    packed("prey").parent().unwrap().to_owned()
}

fn readme(example: &Example) -> String {
    fs::read_to_string(example.path("README.md")).unwrap()
}

/// All examples, run and drawn.
static PAGE: LazyLock<Page> = LazyLock::new(|| {
    let shown = |example: Example| {
        let outcomes = example.run(&fmus()).unwrap_or_else(|error| panic!("{error}"));
        Shown::new(example, outcomes).unwrap_or_else(|error| panic!("{error}"))
    };
    Page { examples: all().into_iter().map(shown).collect() }
});

#[test]
fn every_system_of_every_example_gives_its_expected_numbers() {
    let missed = PAGE.missed();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn the_page_has_a_card_for_each_example() {
    let page = PAGE.html();
    assert_eq!(page.matches("<article class=\"card\">").count(), PAGE.examples.len());
    assert_eq!(page.matches("<figure role=\"img\"").count(), PAGE.examples.len(), "a picture on each");
    for shown in &PAGE.examples {
        let name = &shown.example.name;
        for part in [format!("<code>lotka run examples/{name}/system.toml</code>"), format!("<details id=\"{name}\"")] {
            assert!(page.contains(&part), "no `{part}`");
        }
    }
    assert!(!page.contains("verdict bad"));
}

#[test]
fn every_folder_is_an_example_with_all_its_files() {
    let folders = fs::read_dir(examples()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    for folder in folders.filter(|folder| !is_beside(folder)) {
        for file in ["system.toml", "README.md", "expected.toml", "picture.svg"] {
            assert!(folder.join(file).is_file(), "{} has no {file}", folder.display());
        }
    }
}

#[test]
fn every_system_has_expected_numbers_and_says_what_it_shows() {
    for shown in &PAGE.examples {
        assert!(shown.example.sentence.len() > 20 && !shown.example.title.is_empty(), "{}", shown.example.name);
        for outcome in &shown.outcomes {
            let name = format!("{}/{}", shown.example.name, outcome.system);
            assert!(!outcome.checks.is_empty(), "{name}: expected.toml has no number of it");
            assert!(outcome.shows.len() > 10, "{name}: begin the file with a comment that says what it shows");
        }
    }
}

#[test]
fn every_readme_names_its_files_and_the_command_that_checks_them() {
    for example in all() {
        let readme = readme(&example);
        let links = example.systems.iter().map(|file| format!("[{file}]({file})"));
        let files = ["(expected.toml)", "(picture.svg)", "cargo xtask demo --all"].map(str::to_owned);
        for text in links.chain(files) {
            assert!(readme.contains(&text), "{}/README.md does not have {text}", example.name);
        }
    }
}

#[test]
fn every_example_is_in_the_list_of_the_guide() {
    let list = fs::read_to_string(examples().join("../docs/examples.md")).unwrap();
    for example in all() {
        let row = format!("| [{0}](../examples/{0}/README.md) | ", example.name);
        assert!(list.contains(&row), "docs/examples.md has no row {row}");
    }
}

/// Cells of the tables below the heading "Numbers to expect" that are numbers.
fn numbers_to_expect(readme: &str) -> Vec<&str> {
    let section = readme.split("\n## Numbers to expect\n").nth(1).unwrap_or_default();
    let rows = section.lines().take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with('|'));
    rows.flat_map(|row| row.split('|').map(str::trim)).filter(|cell| cell.parse::<f64>().is_ok()).collect()
}

/// A number written as another one is: with as many digits behind the point, and an exponent if that has one.
fn written_as(pattern: &str, number: f64) -> String {
    let mantissa = pattern.split(['e', 'E']).next().unwrap_or(pattern);
    let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    if mantissa.len() < pattern.len() { format!("{number:.decimals$e}") } else { format!("{number:.decimals$}") }
}

#[test]
fn every_number_of_a_readme_is_an_expected_one() {
    for example in all() {
        let readme = readme(&example);
        let numbers = numbers_to_expect(&readme);
        assert!(!numbers.is_empty(), "{}/README.md has no table below the heading \"Numbers to expect\"", example.name);
        for number in numbers {
            let values = example.expected.values.iter().flat_map(|value| [value.expected, value.time]);
            let mut known = values.chain(example.expected.counts.iter().map(|count| count.expected as f64));
            assert!(known.any(|known| written_as(number, known) == number), "{}: {number} is not in expected.toml", example.name);
        }
    }
}

#[test]
fn numbers_are_compared_as_they_are_written() {
    let readme = "# A\n| 1 |\n\n## Numbers to expect\n\n| x | h = 2 |\n|--|--:|\n| `a` | -0.50 |\n\n## B\n| 3 |\n";
    assert_eq!(numbers_to_expect(readme), ["-0.50"]);
    assert_eq!(["-0.50", "1e-3", "2.50e2", "7"].map(|pattern| written_as(pattern, -0.499)), ["-0.50", "-5e-1", "-4.99e-1", "-0"]);
}

#[test]
fn every_picture_shows_its_curves() {
    for shown in &PAGE.examples {
        let (name, drawn) = (&shown.example.name, shown.picture.as_ref().unwrap());
        let committed = fs::read_to_string(shown.example.path("picture.svg")).unwrap();
        let texts = |svg: &str| svg.lines().filter(|line| !line.contains('<')).map(str::to_owned).collect::<Vec<_>>();
        assert!(drawn.len() < 300_000, "{name}: {} bytes", drawn.len());
        assert_eq!(texts(drawn), texts(&committed), "{name}: run `cargo xtask demo --all --update`");
    }
}

#[test]
fn the_page_has_every_example_every_picture_and_every_number() {
    let (markdown, html) = (PAGE.markdown(), PAGE.html());
    for shown in &PAGE.examples {
        assert!(markdown.contains(&format!("]({})", shown.picture_file())), "{}", shown.example.name);
        assert!(html.contains(shown.picture.as_ref().unwrap()), "{}", shown.example.name);
        for outcome in &shown.outcomes {
            assert!(markdown.contains(&format!("### `{}/{}`", shown.example.name, outcome.system)));
        }
    }
    let numbers =
        PAGE.examples.iter().map(|shown| shown.example.expected.values.len() + shown.example.expected.counts.len()).sum();
    assert_eq!((markdown.matches(" | ok | ").count(), html.matches("<td>ok</td>").count()), (numbers, numbers));
}

#[test]
fn a_number_that_is_missed_is_reported() {
    let mut example = all().into_iter().find(|example| example.name == "van-der-pol").unwrap();
    example.expected.values.truncate(3);
    example.expected.counts.clear();
    let [near, no_row, no_variable] = &mut example.expected.values[..] else { panic!("{example:?}") };
    near.expected += 2.0 * near.tolerance;
    no_row.time += 1e-3;
    no_variable.variable = "velocity.w".to_owned();
    let outcomes = example.run(&fmus()).unwrap();
    assert_eq!(outcomes[0].checks.iter().filter(|check| check.is_met()).count(), 0);
    let mut page = Page { examples: vec![Shown { picture: None, example, outcomes }] };
    let missed = page.missed();
    assert!(
        missed.len() == 3 && missed[0].starts_with("van-der-pol/system.toml: position.x at t = 1 s: expected is"),
        "{missed:?}"
    );
    assert_eq!(page.markdown().matches("**missed**").count(), 3);
    page.examples[0].outcomes = page.examples[0].example.run(Path::new("nowhere")).unwrap();
    assert!(page.missed()[0].contains("nowhere"), "{:?}", page.missed());
}

/// The run of a system of an example.
fn ran(name: &str, file: &str) -> &'static Ran {
    let shown = PAGE.examples.iter().find(|shown| shown.example.name == name).unwrap();
    let outcome = shown.outcomes.iter().find(|outcome| outcome.system == file).unwrap();
    outcome.run.as_ref().unwrap()
}

/// The tolerance is kept in every row and recorded variable, relative to the value or to `scale` if that is larger, within so
/// many calls.
fn keeps(name: &str, file: &str, exact: &Exact, scale: f64, calls: u64) {
    let Ran { report, rows, .. } = ran(name, file);
    let (made, tolerance) = (report.counters.n_do_step_calls, report.global_error.as_ref().unwrap().tolerance);
    assert!(made <= calls, "{name}/{file}: {made} calls");
    assert_eq!(rows.columns().len(), exact.outputs.len(), "{name}/{file}");
    for (row, time) in rows.time().iter().enumerate() {
        for (variable, exact) in exact.outputs.iter().zip((exact.at)(*time)) {
            let got = rows.real(variable).unwrap()[row];
            let deviation = (got - exact).abs() / exact.abs().max(scale);
            let found = format!("{name}/{file}: {variable} at {time} s is {got}, exactly {exact}");
            assert!(got == exact || deviation <= tolerance, "{found}: {deviation:e}");
        }
    }
}

#[test]
fn predator_and_prey_keep_their_tolerance_with_few_calls() {
    keeps("predator-prey", "system.toml", &exact::PREDATOR_PREY, 0.0, 3_300);
}

#[test]
fn three_species_keep_a_relative_tolerance_with_few_calls() {
    keeps("three-species", "species.toml", &exact::THREE_SPECIES, 0.0, 10_700);
}

#[test]
fn three_species_from_components_keep_a_relative_tolerance_with_few_calls() {
    keeps("three-species", "system.toml", &exact::THREE_SPECIES_COMPONENTS, 0.0, 95_000);
}

#[test]
fn the_two_mass_oscillator_keeps_an_absolute_tolerance_with_few_calls() {
    keeps("two-mass-oscillator", "absolute.toml", &exact::TWO_MASS, 1.0, 8_000);
}

/// T. Schierz, M. Arnold, C. Clauß (2012) publish a mean error of 3.2e-4 for 210 half steps, 20 of them rejected.
#[test]
fn the_quarter_car_under_local_control_is_better_than_published() {
    let Ran { report, rows, .. } = ran("quarter-car", "local.toml");
    let exact = exact::QUARTER_CAR_DISPLACEMENT;
    let columns: Vec<_> = exact.outputs.iter().map(|output| rows.real(output).unwrap()).collect();
    let errors = rows.time().iter().enumerate().map(|(row, time)| {
        let differences = columns.iter().zip((exact.at)(*time)).map(|(column, exact)| column[row] - exact);
        differences.map(|difference| difference * difference).sum::<f64>().sqrt()
    });
    let mean = errors.sum::<f64>() / rows.time().len() as f64;
    let (halves, rejected) = (2 * report.counters.n_steps, report.counters.n_error_test_failures);
    assert!(mean <= 3.2e-4 && halves <= 210 && rejected <= 20, "{mean:e}, {halves} half steps, {rejected} rejected");
}

#[test]
fn times_are_met_up_to_rounding() {
    let rows = &ran("predator-prey", "system.toml").rows;
    let value = |time| Value {
        system: "system.toml".to_owned(),
        variable: "prey.x".to_owned(),
        time,
        expected: 0.0,
        tolerance: 1.0,
        origin: String::new(),
    };
    let got = |time| Check::value(&value(time), Some(rows)).got;
    assert_eq!(got(100.0 * (1.0 + 1e-12)), rows.real("prey.x").unwrap().last().copied());
    assert_eq!((got(99.999), Check::value(&value(100.0), None).got), (None, None));
}
