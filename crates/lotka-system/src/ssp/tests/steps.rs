//! Step settings in annotations.

use super::*;

const OSP: &str = "<c:Annotation type='com.opensimulationplatform'>
  <osp:Algorithm xmlns:osp='http://opensimulationplatform.com/SSP/OSPAnnotations'><osp:FixedStepAlgorithm baseStepSize='0.05'/></osp:Algorithm>
  </c:Annotation>";

/// Of OMSimulator 2.x.
const MASTER: &str =
    "<c:Annotation type='org.openmodelica'><oms:Annotations xmlns:oms='https://example.org/oms'><oms:SimulationInformation>
  <oms:FixedStepMaster description='oms-ma' stepSize='0.250000'/></oms:SimulationInformation></oms:Annotations></c:Annotation>";

/// Of OMSimulator 3.x.
const MASTER_3: &str = "<c:Annotation type='org.openmodelica'><oms:Annotations xmlns:oms='https://example.org/oms'>
  <oms:SimulationInformation name='solver1' method='oms_ma' fixedStepSize='0.25'/></oms:Annotations></c:Annotation>";

const CONTROL: &str = "<c:Annotation type='org.openmodelica'><oms:Annotations xmlns:oms='https://example.org/oms'><oms:SimulationInformation>
  <oms:VariableStepMaster description='oms-mav' absoluteTolerance='1e-9' relativeTolerance='1e-4' minimumStepSize='1e-6' maximumStepSize='0.5'
  initialStepSize='1e-3'/></oms:SimulationInformation></oms:Annotations></c:Annotation>";

/// The system file of a system with this annotation, and its problems.
fn annotated(annotation: &str) -> (String, Vec<String>) {
    let body =
        format!("<System name='s'/><DefaultExperiment stopTime='1'><Annotations>{annotation}</Annotations></DefaultExperiment>");
    read_with(&format!("{BEGIN}{body}</SystemStructureDescription>"), &[])
}

#[test]
fn steps_are_those_that_other_tools_mean() {
    let read = |annotation: &str| {
        let (text, problems) = annotated(annotation);
        assert_eq!(problems, [""; 0]);
        text
    };
    assert_eq!(read(OSP), "[experiment]\nstop = 1.0\nstep = 0.05\n");
    let control = "[experiment]\nstop = 1.0\nlocal-tolerance = 0.0001\nabsolute-tolerance = 1e-9\nfirst-step = 0.001\nmin-step = 1e-6\nmax-step = 0.5\n";
    assert_eq!(read(CONTROL), control);
    assert_eq!(
        read(&CONTROL.replace("'1e-6'", "'0.000000'")),
        control.replace("min-step = 1e-6\n", ""),
        "there is no smallest step"
    );
    let master = "[experiment]\nstop = 1.0\nstep = 0.25\n\n[algorithm]\nsweep = \"jacobi\"\ninput-degree = 0\n\
                  feedthrough-outputs = \"re-read\"\niterations = 1\n";
    assert_eq!(read(MASTER), master);
    assert_eq!(read(MASTER_3), master);
}

#[test]
fn sizes_that_omsimulator_rounded_to_0_are_reported_and_left_out() {
    let told = |annotation: &str| {
        let (text, problems) = annotated(annotation);
        let problems: Vec<_> = problems.iter().map(|line| line.split_once(": ").unwrap().1.to_owned()).collect();
        (text, problems)
    };
    let warning = |name: &str| {
        format!(
            "warning: `{name}` is 0, which has no effect; OMSimulator writes six decimals; write the intended number, such as \
             1e-7"
        )
    };
    let default = "[experiment]\nstop = 1.0\ntolerance = 1e-6\n";
    assert_eq!(told(&MASTER.replace("0.25", "0.00")), (default.to_owned(), vec![warning("stepSize")]));
    assert_eq!(told(&MASTER_3.replace("0.25", "0.00")), (default.to_owned(), vec![warning("fixedStepSize")]));
    assert_eq!(told(&CONTROL.replace("1e-4", "0.000000")), (default.to_owned(), vec![warning("relativeTolerance")]));
    let (text, problems) = told(&CONTROL.replace("1e-9", "0.000000").replace("1e-3", "0.000000").replace("0.5", "0.000000"));
    assert_eq!(text, "[experiment]\nstop = 1.0\nlocal-tolerance = 0.0001\nmin-step = 1e-6\n");
    assert_eq!(problems, ["absoluteTolerance", "initialStepSize", "maximumStepSize"].map(warning));
    let (text, problems) = annotated(&OSP.replace("0.05", "0"));
    assert_eq!(
        (text.as_str(), problems.len()),
        ("[experiment]\nstop = 1.0\nstep = 0.0\n", 0),
        "the system refuses it like any step of 0"
    );
}

#[test]
fn our_own_settings_are_those_of_a_system_file_with_their_places() {
    let settings = |text: &str| {
        format!(
            "{BEGIN}<System name='s'><Elements><Component name='a' source='a.fmu'/></Elements></System><Annotations><c:Annotation type='lotka'>
             <l:Settings xmlns:l='urn:lotka:system-settings:1'><![CDATA[\n{text}]]></l:Settings></c:Annotation></Annotations></SystemStructureDescription>"
        )
    };
    let text = "[experiment]\nlocal-tolerance = 1e-4\n\n[instances]\na = { fmu = \"a.fmu\", pass-stop-time = false }\n\n[algorithm]\nsweep = \"jacobi\"\n";
    let (read, problems) = read_with(&settings(text), &[]);
    assert_eq!((read.as_str(), problems.len()), (text.replace("1e-4", "0.0001").as_str(), 0));
    let (_, problems) = read_with(&settings("[experiment]\nstep = 'é'\n"), &[]);
    assert_eq!(problems, ["test.ssd:6:8: expected a number for `step`, found a string"]);
}
