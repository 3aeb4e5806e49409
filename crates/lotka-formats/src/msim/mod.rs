//! Projects of MasterSim (A. Nicolai, 2018), version 0.9: a keyword and its values on every line.
//!
//! [`lines`] splits a file, [`project`] reads the keywords, [`convert`] creates the system description.

mod convert;
mod lines;
mod project;

use lotka_message::{Findings, SourceFile};
use lotka_system::Read;

use crate::in_own_folder;

/// Reads the text of a project. FMU paths are relative to its file.
pub(super) fn read(file: SourceFile) -> Read {
    let mut findings = Findings::default();
    let project = project::read(&file.text, &mut findings);
    in_own_folder(file, convert::convert(project, &mut findings), findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lotka_system::to_toml;

    fn converted(text: &str) -> (String, Vec<String>) {
        let Read { description, findings, .. } = read(SourceFile { path: "lv.msim".into(), text: text.into() });
        let problems = findings.problems(description.file.as_ref());
        (to_toml(&description), problems.list.iter().map(|problem| problems.line(problem)).collect())
    }

    /// A project as MasterSim writes it.
    const PREDATOR_PREY: &str = "# Created:\tMi. Aug. 22 13:03:50 2018

tStart               0 a
tEnd                 100 s
hMax                 10 s
hMin                 1e-07 s
hFallBackLimit       0.0001 s
hStart               0.5 ms
hOutputMin           0.001 s
binaryOutputFiles    no
adjustStepSize       yes
absTol               1e-08
relTol               1e-06
MasterMode           GAUSS_SEIDEL
ErrorControlMode     STEP_DOUBLING
maxIterations        10

simulator 0 1 Predator #ff008000 \"fmus/IBK/Predator.fmu\"
simulator 1 0 Prey #ffff8c00 \"fmus/IBK/Prey.fmu\"

graph Predator.y Prey.y 0.25 2 0.8 #ff0000
graph Prey.x Predator.x

parameter Prey.a   0.2
parameter Prey.name   two\\\\nlines
";

    #[test]
    fn a_project_becomes_a_system_that_makes_the_same_steps() {
        let (text, problems) = converted(PREDATOR_PREY);
        let expected = r#"[experiment]
start = 0.0
stop = 100.0
local-tolerance = 1e-6
absolute-tolerance = 1e-8
min-output-interval = 0.001
first-step = 0.0005
min-step = 1e-7
max-step = 10.0

[instances]
Predator = "fmus/IBK/Predator.fmu"
Prey = { fmu = "fmus/IBK/Prey.fmu", start = { a = 0.2, name = "two\nlines" } }

[connections]
"Prey.y" = { from = "Predator.y", factor = 2.0, offset = 0.25 }
"Predator.x" = "Prey.x"

[algorithm]
sweep = "gauss-seidel"
order = ["Prey", "Predator"]
input-degree = 0
iterations = 10
iteration-tolerance = 1e-6
min-iterated-step = 0.0001
compatibility = "mastersim"
"#;
        assert_eq!((text.as_str(), problems), (expected, Vec::<String>::new()));
    }

    #[test]
    fn fixed_steps_are_those_of_the_start_and_rows_lie_on_them() {
        let (text, problems) = converted(
            "tEnd 1 h\nhStart 2 min\nhOutputMin 6 min\nMasterMode NEWTON\nmaxIterations 3\nsimulator 0 0 a #fff \"a b.fmu\"\n",
        );
        assert!(
            text.contains("stop = 3600.0\nstep = 120.0\noutput-interval = 360.0\n\n[instances]\na = \"a b.fmu\"\n"),
            "{text}"
        );
        assert!(
            text.contains(
                "sweep = \"jacobi\"\ninput-degree = 0\niterations = 3\niteration-tolerance = 0.00001\nacceleration = \"newton\"\non-no-convergence = \"last-iterate\"\n"
            ),
            "{text}"
        );
        assert_eq!(problems, [""; 0]);
        let (text, _) = converted("tEnd 1 h\nhStart 2 min\nhOutputMin 5 min\nsimulator 0 0 a #fff a.fmu\n");
        assert!(text.contains("step = 120.0\nmin-output-interval = 300.0\n"), "{text}");
        let (text, _) = converted("tEnd 1 h\nhStart 2 min\nhOutputMin 1 min\nsimulator 0 0 a #fff a.fmu\n");
        assert!(text.contains("step = 120.0\n\n"), "rows at every step: {text}");
        let (text, _) = converted("tEnd 1 h\nhStart 2 min\nsimulator 0 0 a #fff a.fmu\n");
        assert!(text.contains("output-interval = 600.0\n"), "the default of MasterSim: {text}");
    }

    #[test]
    fn steps_get_smaller_where_only_the_iteration_can_fail() {
        let project = |more: &str| {
            let text = format!("tEnd 1 h\nhStart 1 s\nhMax 2 min\nadjustStepSize yes\n{more}simulator 0 0 a #fff a.fmu\n");
            converted(&text)
        };
        let (text, problems) = project("hMin 1 ms\nhOutputMin 1 min\nmaxIterations 3\nErrorControlMode NONE\n");
        assert!(
            text.contains("step = 120.0\nmin-output-interval = 60.0\nfirst-step = 1.0\nmin-step = 0.001\n")
                && text.contains("on-no-convergence = \"smaller-steps\"\n")
                && problems.is_empty(),
            "{text}{problems:?}"
        );
        // MasterSim refuses the first one; with the second one, its steps become smaller but never larger.
        for more in ["maxIterations 1\n", "maxIterations 3\nErrorControlMode CHECK\n"] {
            let (text, problems) = project(more);
            assert!(text.contains("step = 1.0\n") && !text.contains("smaller-steps"), "{text}");
            assert!(
                problems.iter().any(|problem| problem.contains("`adjustStepSize`: the step size stays fixed")),
                "{problems:?}"
            );
        }
    }

    #[test]
    fn one_iteration_is_none_at_all() {
        for iterations in ["maxIterations 1\n", "maxIterations 0\n", ""] {
            let (text, problems) = converted(&format!("tEnd 1 h\n{iterations}simulator 0 0 a #fff a.fmu\n"));
            assert!(text.contains("input-degree = 0\niterations = 1\n") && problems.is_empty(), "{iterations}: {text}");
        }
    }

    #[test]
    fn files_of_values_become_sources() {
        let text = "tEnd 1 d\nsimulator 0 0 climate #fff \"dry climate.tsv\"\nsimulator 1 0 wall #fff wall.fmu\ngraph climate.T wall.T\n";
        let (text, problems) = converted(text);
        assert_eq!(problems, [""; 0]);
        let expected =
            "[instances]\nwall = \"wall.fmu\"\n\n[sources]\nclimate = { csv = \"dry climate.tsv\", outside = \"hold\" }\n";
        assert!(
            text.contains(expected) && text.contains("\"wall.T\" = \"climate.T\"") && text.contains("order = [\"wall\"]"),
            "{text}"
        );
    }

    #[test]
    fn what_is_wrong_or_unknown_is_reported_with_its_line() {
        let text = "tEnd 1 fortnight\nhMax\nMasterMode WALTZ\ncolour red\nsimulator 0 x a #fff a.fmu\ngraph a.y b\ngraph a.y b.u 1\nparameter c.k 1\n";
        let (_, problems) = converted(text);
        let expected = [
            "lv.msim:1:6: expected a time, found `1 fortnight`; write a number and one of `ms`, `s`, `min`, `h`, `d`, `a`",
            "lv.msim:2:1: `hMax` has no value",
            "lv.msim:3:12: unknown MasterMode `WALTZ`; available: `GAUSS_JACOBI`, `GAUSS_SEIDEL`, `NEWTON`",
            "lv.msim:4:1: warning: unknown keyword `colour`: it has no effect",
            "lv.msim:5:1: a simulator needs a number, a priority, a name, a color and a file",
            "lv.msim:6:1: a connection needs an output and an input, as simulator.variable, and may have an offset and a factor",
            "lv.msim:7:1: a connection needs an output and an input, as simulator.variable, and may have an offset and a factor",
            "lv.msim:8:11: unknown simulator `c`",
        ];
        assert_eq!(problems, expected);
    }
}
