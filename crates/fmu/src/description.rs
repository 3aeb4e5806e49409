//! The model description of an FMU, in the form of its version of FMI.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use fmi2::description::{Problem, Problems, Strictness};
use fmi3::description::MOST_ELEMENTS;
use lotka_instance::{
    FunctionName, Structure, StructureError,
    description::{IntegerType, VariableKind},
};

use crate::{Error, loading};

/// A model description, in the form of its version of FMI.
#[derive(Debug, Clone, PartialEq)]
pub enum Description {
    /// FMI 2.0.
    V2(fmi2::ModelDescription),
    /// FMI 3.0.
    V3(fmi3::ModelDescription),
}

/// What both versions name alike: `of_both!(value, Enumeration, content => …)`.
macro_rules! of_both {
    ($value:expr, $versions:ident, $content:ident => $what:expr) => {
        match $value {
            $versions::V2($content) => $what,
            $versions::V3($content) => $what,
        }
    };
}
pub(crate) use of_both;

impl Description {
    /// Reads a `modelDescription.xml` of any version of FMI that is supported. Returns it with its broken rules that do not
    /// affect a run.
    ///
    /// # Errors
    /// All problems, if one of them makes the description unusable.
    pub fn read(xml: &[u8], strictness: Strictness) -> Result<(Self, Vec<Problem>), Problems> {
        if is_fmi3(xml) {
            let reading = fmi3::ModelDescription::read(xml, strictness)?;
            return Ok((Self::V3(reading.description), reading.warnings));
        }
        let reading = fmi2::ModelDescription::read(xml, strictness)?;
        Ok((Self::V2(reading.description), reading.warnings))
    }

    /// Returns all findings about a `modelDescription.xml`: the problems that [`Description::read`] reports, plus notes, which
    /// break no rule.
    #[must_use]
    pub fn examine(xml: &[u8]) -> Vec<Problem> {
        if is_fmi3(xml) { fmi3::ModelDescription::examine(xml) } else { fmi2::ModelDescription::examine(xml) }
    }

    /// Returns the version of FMI, such as 3.0.
    #[must_use]
    pub fn fmi_version(&self) -> &str {
        of_both!(self, Description, description => &description.fmi_version)
    }

    /// Returns the name of the model.
    #[must_use]
    pub fn model_name(&self) -> &str {
        of_both!(self, Description, description => &description.model_name)
    }

    /// Returns the properties that all versions of FMI share.
    #[must_use]
    pub fn interface(&self) -> lotka_instance::ModelDescription {
        of_both!(self, Description, description => description.interface())
    }

    /// Returns the properties that all versions of FMI share, with these values of structural parameters.
    ///
    /// # Errors
    /// The version of FMI has no structural parameters, or arrays would be too large.
    pub fn interface_with(&self, structure: &Structure) -> Result<lotka_instance::ModelDescription, StructureError> {
        let description = match self {
            _ if structure.is_empty() => return Ok(self.interface()),
            Self::V2(_) => return Err(StructureError::Unsupported),
            Self::V3(description) => description,
        };
        let sizes = structure.sizes();
        let n_elements = description.n_elements(&sizes);
        if n_elements > MOST_ELEMENTS {
            return Err(StructureError::ArraySize { n_elements, most: MOST_ELEMENTS });
        }
        let mut interface = description.flatten(&sizes).interface;
        structure.apply_to(&mut interface);
        Ok(interface)
    }

    /// Returns the author.
    #[must_use]
    pub fn author(&self) -> Option<&str> {
        of_both!(self, Description, description => description.author.as_deref())
    }

    /// Returns the copyright notice.
    #[must_use]
    pub fn copyright(&self) -> Option<&str> {
        of_both!(self, Description, description => description.copyright.as_deref())
    }

    /// Returns the license.
    #[must_use]
    pub fn license(&self) -> Option<&str> {
        of_both!(self, Description, description => description.license.as_deref())
    }

    /// Returns the interface types that it has: co-simulation, model exchange, scheduled execution.
    pub fn interface_types(&self) -> impl Iterator<Item = &'static str> {
        let has = match self {
            Self::V2(description) => [description.co_simulation.is_some(), description.model_exchange.is_some(), false],
            Self::V3(description) => [
                description.co_simulation.is_some(),
                description.model_exchange.is_some(),
                description.scheduled_execution.is_some(),
            ],
        };
        let names = ["co-simulation", "model exchange", "scheduled execution"];
        names.into_iter().zip(has).filter(|(_, has)| *has).map(|(name, _)| name)
    }

    /// Returns the log categories.
    pub fn log_categories(&self) -> impl Iterator<Item = &str> {
        let (two, three) = match self {
            Self::V2(description) => (&*description.log_categories, &[][..]),
            Self::V3(description) => (&[][..], &*description.log_categories),
        };
        two.iter().map(|category| category.name.as_str()).chain(three.iter().map(|category| category.name.as_str()))
    }

    /// Returns the model identifier of co-simulation, which is the name of the library; `None` if the FMU does not support
    /// co-simulation.
    #[must_use]
    pub fn model_identifier(&self) -> Option<&str> {
        Some(of_both!(self, Description, description => &description.co_simulation.as_ref()?.interface.model_identifier))
    }

    /// Whether the FMU needs the tool that exported it.
    #[must_use]
    pub fn needs_execution_tool(&self) -> bool {
        of_both!(self, Description, description => {
            description.co_simulation.as_ref().and_then(|declared| declared.interface.needs_execution_tool).unwrap_or(false)
        })
    }

    /// Returns the description of FMI 2.0.
    #[must_use]
    pub fn as_fmi2(&self) -> Option<&fmi2::ModelDescription> {
        match self {
            Self::V2(description) => Some(description),
            Self::V3(_) => None,
        }
    }

    /// Returns the description of FMI 3.0.
    #[must_use]
    pub fn as_fmi3(&self) -> Option<&fmi3::ModelDescription> {
        match self {
            Self::V2(_) => None,
            Self::V3(description) => Some(description),
        }
    }

    /// Returns the name of the function that does in this version of FMI what `function` does in FMI 2.0.
    #[must_use]
    pub fn function(&self, function: fmi2::Function) -> FunctionName {
        use fmi2::Function as Two;
        use fmi3::Function as Three;
        if matches!(self, Self::V2(_)) {
            return function.into();
        }
        let other = match function {
            Two::GetTypesPlatform => Three::GetVersion,
            Two::Instantiate => Three::InstantiateCoSimulation,
            Two::SetupExperiment => Three::EnterInitializationMode,
            Two::GetReal => Three::GetFloat64,
            Two::GetInteger => Three::GetInt32,
            Two::SetReal => Three::SetFloat64,
            Two::SetInteger => Three::SetInt32,
            Two::GetRealOutputDerivatives => Three::GetOutputDerivatives,
            // The others have the same name, up to capitals; what has no counterpart is part of a step.
            _ => function_of_fmi3(&function.symbol()["fmi2".len()..]).unwrap_or(Three::DoStep),
        };
        other.into()
    }

    /// Returns the name of the function that does so for a variable of this kind: FMI 3.0 has one for each type.
    #[must_use]
    pub fn function_for(&self, function: fmi2::Function, kind: &VariableKind) -> FunctionName {
        use fmi2::Function as Two;
        let access = match function {
            _ if matches!(self, Self::V2(_)) => return function.into(),
            Two::GetReal | Two::GetInteger | Two::GetBoolean | Two::GetString => "Get",
            Two::SetReal | Two::SetInteger | Two::SetBoolean | Two::SetString => "Set",
            _ => return self.function(function),
        };
        let name = match kind {
            VariableKind::Real(real) if real.is_single => "Float32",
            VariableKind::Binary(_) => "Binary",
            VariableKind::Integer(integer) if integer.width != IntegerType::Int32 => integer.width.name(),
            VariableKind::Enumeration(_) => "Int64",
            _ => return self.function(function),
        };
        function_of_fmi3(&format!("{access}{name}")).map_or_else(|| self.function(function), Into::into)
    }

    /// Returns the source files that it lists (FMI 2.0).
    pub(crate) fn source_files(&self) -> impl Iterator<Item = &str> {
        let description = self.as_fmi2();
        let co_simulation = description.and_then(|description| description.co_simulation.as_ref()).map(|own| &own.interface);
        let interfaces = co_simulation.into_iter().chain(description.and_then(|description| description.model_exchange.as_ref()));
        interfaces.flat_map(|interface| &interface.source_files).map(|file| file.name.as_str())
    }

    /// Returns the name of the first clock that activates a variable (FMI 3.0).
    pub(crate) fn first_used_clock(&self) -> Option<&str> {
        let variables = &self.as_fmi3()?.variables;
        let used: HashSet<u32> = variables.iter().flat_map(|variable| variable.clocks.iter().flatten().copied()).collect();
        let is_used = |variable: &&fmi3::description::Variable| {
            matches!(variable.kind, fmi3::description::VariableKind::Clock(_)) && used.contains(&variable.value_reference)
        };
        variables.iter().find(is_used).map(|clock| clock.name.as_str())
    }

    /// Returns the number of elements of all arrays if there are too many (FMI 3.0).
    pub(crate) fn excessive_elements(&self) -> Option<u64> {
        let n_elements = self.as_fmi3()?.n_elements(&HashMap::new());
        (n_elements > MOST_ELEMENTS).then_some(n_elements)
    }

    /// Checks that co-simulation with it is possible here; returns the name of the library.
    pub(crate) fn check_use(&self, path: &Path) -> Result<&str, Error> {
        let path = || path.to_owned();
        let identifier = self.model_identifier().ok_or_else(|| Error::NoCoSimulation { path: path() })?;
        if !loading::is_file_name(identifier) {
            return Err(Error::BadModelIdentifier { path: path(), identifier: identifier.to_owned() });
        }
        if let Some(clock) = self.first_used_clock() {
            return Err(Error::Clocks { path: path(), clock: clock.to_owned() });
        }
        if let Some(n_elements) = self.excessive_elements() {
            return Err(Error::ArraySize { path: path(), n_elements });
        }
        Ok(identifier)
    }
}

/// Returns the function of FMI 3.0 with this name, up to capitals.
fn function_of_fmi3(name: &str) -> Option<fmi3::Function> {
    fmi3::Function::ALL.into_iter().find(|function| function.symbol()["fmi3".len()..].eq_ignore_ascii_case(name))
}

/// Whether a file says that it is for FMI 3. Every other file is left to the reader of FMI 2.0, which names other versions.
fn is_fmi3(xml: &[u8]) -> bool {
    fmi_xml::version(xml).is_some_and(|version| version.trim().starts_with('3'))
}
