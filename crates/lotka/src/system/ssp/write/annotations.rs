//! How steps are made, for tools that look for it in annotations: OMSimulator, those of the Open Simulation Platform, and ourselves.

use std::io;

use quick_xml::events::BytesCData;

use super::{Document, Xml};
use crate::system::{
    Connection,
    resolve::Stepping,
    ssp::annotations::{NAMESPACE, TYPE},
    toml::write_settings,
};

impl Document<'_> {
    /// The annotations of the system. OMSimulator refuses a description with any at its root, and needs to know here what kind of system it is.
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

    /// The steps in the words of OMSimulator.
    fn simulation_information(&self, xml: &mut Xml) -> io::Result<()> {
        let (name, attributes) = match &self.resolved.experiment.stepping {
            Stepping::Fixed(step) => fixed(*step, None),
            Stepping::Verified(verified) => fixed(verified.output_interval.min(verified.max_step), Some(verified.tolerance)),
            Stepping::Controlled(steps) => {
                let sizes = [
                    ("description", "oms-mav".to_owned()),
                    ("initialStepSize", digits(steps.first)),
                    ("minimumStepSize", digits(steps.minimum)),
                    ("maximumStepSize", digits(steps.maximum)),
                    ("relativeTolerance", digits(steps.tolerances.relative)),
                    ("absoluteTolerance", digits(steps.tolerances.absolute)),
                ];
                ("oms:VariableStepMaster", sizes.to_vec())
            }
        };
        xml.create_element("oms:SimulationInformation").write_inner_content(|xml| {
            let attributes = attributes.iter().map(|(name, value)| (*name, value.as_str()));
            xml.create_element(name).with_attributes(attributes).write_empty().map(|_| ())
        })?;
        Ok(())
    }

    pub(super) fn experiment(&self, xml: &mut Xml) -> io::Result<()> {
        let [start, stop] = [self.resolved.experiment.start, self.resolved.experiment.stop].map(digits);
        let element = xml
            .create_element("ssd:DefaultExperiment")
            .with_attributes([("startTime", start.as_str()), ("stopTime", stop.as_str())]);
        let Some(step) = &self.description.experiment.step else { return element.write_empty().map(|_| ()) };
        let step = digits(step.value);
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

/// Steps of one size. OMSimulator hands the tolerance to the FMUs; without one it is that of its own default.
fn fixed(step: f64, tolerance: Option<f64>) -> (&'static str, Vec<(&'static str, String)>) {
    let tolerance = digits(tolerance.unwrap_or(1e-4));
    (
        "oms:FixedStepMaster",
        vec![("description", "oms-ma".to_owned()), ("stepSize", digits(step)), ("relativeTolerance", tolerance)],
    )
}

fn digits(number: f64) -> String {
    zmij::Buffer::new().format(number).to_owned()
}

fn annotation(xml: &mut Xml, kind: &str, content: impl FnOnce(&mut Xml) -> io::Result<()>) -> io::Result<()> {
    xml.create_element("ssc:Annotation").with_attribute(("type", kind)).write_inner_content(content)?;
    Ok(())
}
