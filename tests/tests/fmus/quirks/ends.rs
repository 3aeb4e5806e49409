//! The last row of a run that an FMU ends inside a step.

use lotka::{End, Memory, System};
use tempfile::TempDir;
use tests::quirks::Quirk;

use super::case::{Case, Verdict, Way};

const ALONE: &str = "[instances]\na = { fmu = 'a.fmu', start = { x0 = 3, u = 2 } }\n";
const FOLLOWED: &str = "\
[instances]
a = { fmu = 'a.fmu', start = { x0 = 3, u = 2 } }
b = { fmu = 'b.fmu', start = { x0 = 1 } }

[connections]
'b.u' = 'a.y'
";

fn ends(name: &str) -> Quirk {
    Quirk::new("ends_inside").described_by("lag").named(name)
}

pub fn cases() -> Vec<Case> {
    let last = 2.0 + (-0.537_f64).exp();
    let ended = || Verdict::within(1e-9).says("requested the end");
    let case = |name, fmus: Vec<Quirk>, system| {
        let case = Case::new(name, fmus, system).expect("time", 0.537).expect("a.y", last).otherwise(ended());
        // The report of a resumed run has no such sentence.
        case.on(Way::Resumed, Verdict::within(1e-9))
    };
    let follower = Quirk::new("lost_start").described_by("lag").named("b");
    vec![
        case("an FMU ends the run inside a step", vec![ends("a")], ALONE),
        case("an FMU ends the run inside a step, and again", vec![ends("a").define("AGAIN")], ALONE),
        case("an FMU that others follow ends the run inside a step", vec![ends("a"), follower], FOLLOWED),
    ]
}

/// Each of the runs ends at the first of its own communication points after 0.537 s: results are the rows that all of them have,
/// and the last one of the finest.
#[test]
fn runs_that_end_at_other_times_give_the_rows_that_all_have() {
    let folder = TempDir::new().unwrap();
    drop(ends("a").define("AT_POINTS").build(folder.path()));
    drop(Quirk::new("lost_start").described_by("lag").named("b").build(folder.path()));
    let system = System::new().instance("a", folder.path().join("a.fmu")).instance("b", folder.path().join("b.fmu"));
    let system = system.start_value("a.x0", 3).start_value("a.u", 2).start_value("b.x0", 1).connect("b.u", "a.y");
    let system = system.stop(1.0).tolerance(1e-4);
    // Dense rows would not all be points of meshes.
    for (interval, count) in [(0.1, 6), (0.004, 135)] {
        let mut rows = Memory::new();
        let report = system.clone().output_interval(interval).build().unwrap().run(&mut [&mut rows]).unwrap();
        assert!(matches!(report.end, End::TerminatedByInstance { .. }), "{:?}", report.end);
        let (last, times) = rows.time().split_last().unwrap();
        assert_eq!(times.len(), count, "{times:?}");
        assert!((0.537..0.57).contains(last), "{last}");
        // x' = 2 + e^-t - x from 1.
        let exact = |t: f64| (2.0 + (-t).exp(), 2.0 + (t - 1.0) * (-t).exp());
        for (row, t) in times.iter().enumerate() {
            let found = ["a.y", "b.y"].map(|name| rows.real(name).unwrap()[row]);
            assert!((found[0] - exact(*t).0).abs() < 3e-4 && (found[1] - exact(*t).1).abs() < 3e-4, "{t}: {found:?}");
        }
    }
}
