//! The integrators of the kit through the interface of FMUs: the committed tables of the studies, what their READMEs claim, the
//! stiff plant of ARGESIM C5 with events, what is refused.

use std::{fs, sync::LazyLock};

use fmu_sdk::Model;
use integrators::{Case, INTEGRATORS, Measurement, Setting, Study};
use lotka::{Direction, End, Memory, System};
use tests::joined;

static CIRCLE: LazyLock<Study> = LazyLock::new(|| Study::run(Case::Circle, &joined::<models::Circle>()).unwrap());
static STIFF: LazyLock<Study> = LazyLock::new(|| Study::run(Case::Stiff, &joined::<models::Stiff>()).unwrap());

fn committed(case: Case, file: &str) -> String {
    let path = tests::root().join("examples").join(case.name()).join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_committed_tables_are_what_the_studies_find() {
    for study in [&*CIRCLE, &*STIFF] {
        let name = study.case.name();
        assert_eq!(
            study.table(),
            committed(study.case, "results.md"),
            "run `cargo xtask study {name}` and look at the difference"
        );
        for (integrator, _) in INTEGRATORS {
            assert!(committed(study.case, "README.md").contains(&format!("`{integrator}`")), "{name}/README.md: {integrator}");
        }
    }
}

fn measured(study: &'static Study, integrator: &str, setting: Setting) -> &'static Measurement {
    study.measurement(integrator, setting).unwrap()
}

#[test]
fn smaller_steps_are_more_accurate_by_the_order() {
    let orders = [1.0, 2.0, 2.0, 2.0, 4.0, 2.0, 3.0, 4.0, 4.0];
    for ((name, _), order) in INTEGRATORS.into_iter().zip(orders) {
        let [coarse, fine] = [0.1, 0.01].map(|step| measured(&CIRCLE, name, Setting::InternalStep(step)));
        let gained = (coarse.error / fine.error).log10();
        assert!((gained - order).abs() < 0.5, "{name}: {gained}, expected {order}");
        assert!(fine.work.n_evaluations > 5 * coarse.work.n_evaluations, "{name}");
    }
}

#[test]
fn step_control_keeps_near_the_tolerance() {
    for (name, _) in INTEGRATORS.into_iter().filter(|(_, controlled)| *controlled) {
        for study in [&*CIRCLE, &*STIFF] {
            for tolerance in [1e-4, 1e-8] {
                let Measurement { error, reached, .. } = measured(study, name, Setting::Tolerance(tolerance));
                assert!(*error < 1e3 * tolerance && *reached == study.case.experiment()[0], "{name} at {tolerance}: {error}");
            }
        }
    }
}

#[test]
fn implicit_integrators_take_few_steps_where_explicit_ones_blow_up() {
    let stop = Case::Stiff.experiment()[0];
    for (name, _) in INTEGRATORS.into_iter().filter(|(_, controlled)| !controlled) {
        let coarse = measured(&STIFF, name, Setting::InternalStep(5e-3));
        assert!(coarse.reached < stop, "{name}: {}", coarse.error);
        // Those with stages are stable up to 2 ms or more.
        let stable = measured(&STIFF, name, Setting::InternalStep(1.25e-3)).reached == stop;
        assert_eq!(stable, !name.starts_with("adams") && name != "milne", "{name}");
    }
    let steps = |name: &str| measured(&STIFF, name, Setting::Tolerance(1e-4)).work.n_internal_steps;
    // The mean step of 5 ms is one at which all explicit integrators blow up.
    for name in ["tr-bdf2", "esdirk34", "radau5", "auto"] {
        assert!(f64::from(u32::try_from(steps(name)).unwrap()) < stop / 5e-3, "{name}: {} steps", steps(name));
    }
    // In the mean less than 4 ms.
    assert!(steps("rkf45") > 1000 && steps("dopri5") > 1000);
}

/// ARGESIM C5, task a, with this plant: times at which the state of the switch changes.
fn switching_times<P: Model>(start: &[(&str, f64)]) -> Vec<f64> {
    let mut system = System::new()
        .instance_of("plant", &joined::<P>())
        .instance_of("switch", &joined::<models::TwoStateSwitch>())
        .connect("plant.c2", "switch.c2")
        .connect("plant.c4", "switch.c4")
        .connect("switch.y1", "plant.y1")
        .event("plant.y1", "switch.limit", Direction::Both)
        .stop(5.0)
        .step(0.1);
    for (name, value) in start {
        system = system.start_value(&format!("plant.{name}"), value);
    }
    let mut results = Memory::new();
    let report = system.build().unwrap().run(&mut [&mut results]).unwrap();
    assert_eq!(report.end, End::StopTime);
    let states = results.real("switch.state").unwrap();
    let changed = states.windows(2).zip(&results.time()[1..]).filter(|(pair, _)| pair[0] != pair[1]);
    changed.map(|(_, time)| *time).collect()
}

#[test]
fn the_stiff_plant_switches_when_the_exact_one_does() {
    let exact = switching_times::<models::TwoStatePlant>(&[]);
    assert_eq!(exact.len(), 5);
    for (tolerance, largest) in [(1e-6, 1e-4), (1e-9, 2e-6)] {
        let integrated = switching_times::<models::TwoStateOde>(&[("relative_tolerance", tolerance)]);
        assert_eq!(integrated.len(), exact.len(), "{tolerance}: {integrated:?}");
        for (time, exact) in integrated.iter().zip(&exact) {
            assert!((time - exact).abs() < largest, "{tolerance}: {time} {exact}");
        }
    }
}

#[test]
fn an_unknown_integrator_is_refused_at_the_start_with_the_valid_names() {
    let system = System::new().instance_of("circle", &joined::<models::Circle>()).stop(1.0).step(0.5);
    for (name, hint) in [("runge-kutta", "available: `euler`, `modified-euler`, "), ("radau-5", "did you mean `radau5`?")] {
        let mut simulation = system.clone().start_value("circle.integrator", name).build().unwrap();
        let message = simulation.run(&mut []).unwrap_err().to_string();
        assert!(message.contains("circle") && message.contains(&format!("unknown integrator `{name}`; {hint}")), "{message}");
    }
}
