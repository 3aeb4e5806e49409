//! Step settings in annotations, for OMSimulator, tools of the Open Simulation Platform, and Lotka.

use std::io;

use lotka_message::{Code, Warning};
use lotka_step::resolved::{ControlledSteps, Stepping};
use quick_xml::events::BytesCData;

use super::{Document, Xml};
use crate::{
    Connection,
    ssp::annotations::{NAMESPACE, TYPE},
    toml::write_settings,
};

/// The default tolerance for FMUs, which is that of OMSimulator.
const FIXED_STEP_TOLERANCE: f64 = 1e-4;

/// Number of fixed steps of other tools per longest step of Lotka, or per row.
const STEPS_OF_OTHERS: f64 = 100.0;

/// Default number of rows.
const ROWS: f64 = 100.0;

impl Document<'_> {
    /// The annotations of the system. OMSimulator refuses a description with annotations at its root, and requires the kind of
    /// the system here.
    pub(super) fn annotations(&self, xml: &mut Xml, own: &[Connection]) -> io::Result<()> {
        let settings = write_settings(self.description, own);
        xml.create_element("ssd:Annotations").write_inner_content(|xml| {
            annotation(xml, "org.openmodelica", |xml| {
                xml.create_element("oms:Annotations").write_inner_content(|xml| self.simulation_information(xml))?;
                Ok(())
            })?;
            if settings.is_empty() {
                return Ok(());
            }
            annotation(xml, TYPE, |xml| {
                let element = xml.create_element("lotka:Settings").with_attribute(("xmlns:lotka", NAMESPACE));
                element.write_cdata_content(BytesCData::new(format!("\n{settings}"))).map(|_| ())
            })
        })?;
        Ok(())
    }

    /// Steps for tools without Lotka's tolerances \[s\]: with error control, the results of OMSimulator differ from run to run.
    fn fixed_step(&self) -> f64 {
        let experiment = &self.resolved.experiment;
        let (interval, longest) = match &experiment.stepping {
            Stepping::Fixed(step) => return *step,
            Stepping::Verified(verified) => (Some(verified.output_interval), verified.max_step),
            Stepping::Controlled(ControlledSteps { local: None, maximum, .. }) => return *maximum,
            Stepping::Controlled(steps) => (experiment.output_interval, steps.maximum),
        };
        let most = (experiment.stop - experiment.start) / ROWS;
        interval.unwrap_or(most).min(longest) / STEPS_OF_OTHERS
    }

    /// Warns that other tools make fixed steps, if Lotka does not.
    pub(super) fn foreign_steps(&self) -> Option<Warning> {
        let key = match &self.resolved.experiment.stepping {
            Stepping::Fixed(_) => return None,
            Stepping::Verified(_) => "tolerance",
            Stepping::Controlled(steps) if steps.local.is_none() => "on-no-convergence",
            Stepping::Controlled(_) => "local-tolerance",
        };
        let step = digits(self.fixed_step());
        let message = format!("other tools do not support `{key}`: they use fixed steps of {step} s, with an unknown error");
        Some(Warning::new(Code::SspExport, message))
    }

    /// The step settings of OMSimulator: 2.x reads the element, 3.x the attributes. All components without a solver belong to the
    /// one of this name. The tolerance is for the FMUs; without one it is that of OMSimulator's default.
    fn simulation_information(&self, xml: &mut Xml) -> io::Result<()> {
        let tolerance = match &self.resolved.experiment.stepping {
            Stepping::Fixed(_) => FIXED_STEP_TOLERANCE,
            Stepping::Verified(verified) => verified.tolerance,
            Stepping::Controlled(steps) => steps.local.as_ref().map_or(FIXED_STEP_TOLERANCE, |local| local.tolerances.relative),
        };
        let [step, tolerance] = [self.fixed_step(), tolerance].map(digits);
        let information = xml.create_element("oms:SimulationInformation").with_attributes([
            ("name", "oms_ma_default"),
            ("method", "oms_ma"),
            ("fixedStepSize", step.as_str()),
            ("relativeTolerance", tolerance.as_str()),
        ]);
        information.write_inner_content(|xml| {
            let master = xml.create_element("oms:FixedStepMaster").with_attributes([
                ("description", "oms-ma"),
                ("stepSize", step.as_str()),
                ("relativeTolerance", tolerance.as_str()),
            ]);
            master.write_empty().map(|_| ())
        })?;
        Ok(())
    }

    pub(super) fn experiment(&self, xml: &mut Xml) -> io::Result<()> {
        let [start, stop] = [self.resolved.experiment.start, self.resolved.experiment.stop].map(digits);
        let element = xml
            .create_element("ssd:DefaultExperiment")
            .with_attributes([("startTime", start.as_str()), ("stopTime", stop.as_str())]);
        let step = digits(self.fixed_step());
        element.write_inner_content(|xml| {
            xml.create_element("ssd:Annotations").write_inner_content(|xml| {
                annotation(xml, "com.opensimulationplatform", |xml| {
                    xml.create_element("osp:Algorithm").write_inner_content(|xml| {
                        let algorithm = xml.create_element("osp:FixedStepAlgorithm");
                        algorithm.with_attribute(("baseStepSize", step.as_str())).write_empty().map(|_| ())
                    })?;
                    Ok(())
                })
            })?;
            Ok(())
        })?;
        Ok(())
    }
}

fn digits(number: f64) -> String {
    zmij::Buffer::new().format(number).to_owned()
}

fn annotation(xml: &mut Xml, kind: &str, content: impl FnOnce(&mut Xml) -> io::Result<()>) -> io::Result<()> {
    xml.create_element("ssc:Annotation").with_attribute(("type", kind)).write_inner_content(content)?;
    Ok(())
}
