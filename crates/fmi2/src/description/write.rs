//! The writer of `modelDescription.xml`: elements in the order of the standard, attributes from the shared table.

use super::attributes::{Attributes, Sink};
use super::value::{Field, is_xml_char};
use super::{Annotation, Interface, ModelDescription, ModelStructure, ScalarVariable, SimpleType, Unit, Unknown};

impl ModelDescription {
    /// Returns the description as the text of a `modelDescription.xml`, to be stored as UTF-8.
    ///
    /// Reading the text returns the same description: reals have as many digits as that needs; empty lists and absent attributes
    /// are left out. Values and annotations that [`ModelDescription::check`] reports as `value` or `annotation` are the exception:
    /// they are written as well as XML allows, but do not read back.
    ///
    /// ```
    /// use fmi2::ModelDescription;
    ///
    /// let description = ModelDescription { model_name: "a < b".to_owned(), ..ModelDescription::default() };
    /// assert!(description.to_xml().contains("modelName=\"a &lt; b\""));
    /// ```
    #[must_use]
    pub fn to_xml(&self) -> String {
        let mut xml = Writer { out: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(), depth: 0 };
        xml.element("fmiModelDescription", &[self], |xml| {
            xml.interfaces(self);
            xml.list("UnitDefinitions", &self.units, Writer::unit);
            xml.list("TypeDefinitions", &self.types, Writer::simple_type);
            xml.list("LogCategories", &self.log_categories, |xml, category| xml.leaf("Category", category));
            self.default_experiment.iter().for_each(|experiment| xml.leaf("DefaultExperiment", experiment));
            xml.list("VendorAnnotations", &self.vendor_annotations, Writer::annotation);
            xml.element("ModelVariables", &[], |xml| self.variables.iter().for_each(|v| xml.variable(v)));
            xml.structure(&self.model_structure);
        });
        xml.out
    }
}

/// The text so far.
struct Writer {
    out: String,
    depth: usize,
}

impl Sink for Writer {
    fn put(&mut self, name: &'static str, value: &dyn Field) {
        let mut text = String::new();
        if value.print(&mut text) {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            text.chars().for_each(|c| self.escaped(c));
            self.out.push('"');
        }
    }
}

impl Writer {
    fn escaped(&mut self, c: char) {
        match c {
            '&' => self.out.push_str("&amp;"),
            '<' => self.out.push_str("&lt;"),
            '>' => self.out.push_str("&gt;"),
            '"' => self.out.push_str("&quot;"),
            // Written literally, these would be read as blanks.
            '\t' => self.out.push_str("&#9;"),
            '\n' => self.out.push_str("&#10;"),
            '\r' => self.out.push_str("&#13;"),
            c if is_xml_char(c) => self.out.push(c),
            _ => self.out.push(char::REPLACEMENT_CHARACTER),
        }
    }

    fn indent(&mut self) {
        self.out.extend(std::iter::repeat_n("  ", self.depth));
    }

    /// Writes an element with the given attributes; `content` writes the children.
    fn element(&mut self, name: &str, attributes: &[&dyn Attributes], content: impl FnOnce(&mut Self)) {
        self.indent();
        self.out.push('<');
        self.out.push_str(name);
        attributes.iter().for_each(|part| part.show(self));
        let tag = self.out.len();
        self.out.push_str(">\n");
        let children = self.out.len();
        self.depth += 1;
        content(self);
        self.depth -= 1;
        if self.out.len() == children {
            self.out.truncate(tag);
            self.out.push_str("/>\n");
        } else {
            self.indent();
            self.close(name);
        }
    }

    fn close(&mut self, name: &str) {
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push_str(">\n");
    }

    fn leaf(&mut self, name: &str, attributes: &dyn Attributes) {
        self.element(name, &[attributes], |_| {});
    }

    /// Writes a list, unless it is empty.
    fn list<T>(&mut self, name: &str, items: &[T], item: impl Fn(&mut Self, &T)) {
        if !items.is_empty() {
            self.element(name, &[], |xml| items.iter().for_each(|value| item(xml, value)));
        }
    }

    fn interfaces(&mut self, description: &ModelDescription) {
        if let Some(interface) = &description.model_exchange {
            self.element("ModelExchange", &[interface], |xml| xml.source_files(interface));
        }
        if let Some(co_simulation) = &description.co_simulation {
            let interface = &co_simulation.interface;
            self.element("CoSimulation", &[interface, co_simulation], |xml| xml.source_files(interface));
        }
    }

    fn source_files(&mut self, interface: &Interface) {
        self.list("SourceFiles", &interface.source_files, |xml, file| xml.leaf("File", file));
    }

    fn unit(&mut self, unit: &Unit) {
        self.element("Unit", &[unit], |xml| {
            unit.base_unit.iter().for_each(|base| xml.leaf("BaseUnit", base));
            unit.display_units.iter().for_each(|display| xml.leaf("DisplayUnit", display));
        });
    }

    fn simple_type(&mut self, definition: &SimpleType) {
        let kind = &definition.kind;
        self.element("SimpleType", &[definition], |xml| {
            xml.element(kind.type_name(), &[kind], |xml| kind.items().iter().for_each(|item| xml.leaf("Item", item)));
        });
    }

    /// Writes the inner XML exactly as it was read.
    fn annotation(&mut self, annotation: &Annotation) {
        self.indent();
        self.out.push_str("<Tool");
        annotation.show(self);
        self.out.push('>');
        self.out.push_str(&annotation.xml);
        self.close("Tool");
    }

    fn variable(&mut self, variable: &ScalarVariable) {
        self.element("ScalarVariable", &[variable], |xml| {
            xml.leaf(variable.kind.type_name(), &variable.kind);
            xml.list("Annotations", &variable.annotations, Writer::annotation);
        });
    }

    fn structure(&mut self, structure: &ModelStructure) {
        let unknown = |xml: &mut Self, unknown: &Unknown| xml.leaf("Unknown", unknown);
        self.element("ModelStructure", &[], |xml| {
            xml.list("Outputs", &structure.outputs, unknown);
            xml.list("Derivatives", &structure.derivatives, unknown);
            xml.list("InitialUnknowns", &structure.initial_unknowns, unknown);
        });
    }
}
