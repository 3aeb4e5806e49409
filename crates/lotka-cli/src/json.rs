//! The result of a run as JSON, and how JSON is laid out.

use std::{borrow::Cow, io};

use lotka::{Error, Report, printable};
use serde::Serialize;
use serde_json::{
    Map, Value, json,
    ser::{Formatter, PrettyFormatter},
};

use crate::{failure::Failure, rough_error::RoughError};

/// Returns the run as one JSON object: that of [`lotka_report::outcome`] with the rough estimate, the error and its problems.
pub(crate) fn run(report: Option<&Report>, rough: Option<&RoughError>, failure: Option<&Failure>) -> Value {
    let mut object = lotka_report::outcome(report);
    object["rough_error_estimate"] = rough.map(rough_estimates).unwrap_or_default();
    if let Some(failure) = failure {
        object["error"] = failure.text().into();
        object["error_code"] = failure.message_code().as_str().into();
        if let Failure::Master { error, .. } = failure
            && let Error::System(problems) = &**error
        {
            object["problems"] = problems.list.iter().map(|found| lotka_report::problem(problems, found)).collect();
        }
    }
    object
}

/// Returns the rough error of each variable, and the largest one.
fn rough_estimates(rough: &RoughError) -> Value {
    let estimate = |absolute: f64, relative: f64| json!({ "absolute": absolute, "relative": relative });
    let outputs = rough.outputs.iter().map(|(name, absolute, relative)| (name.clone(), estimate(*absolute, *relative)));
    let mut object: Map<_, _> = outputs.collect();
    object.insert("largest".to_owned(), rough.largest().map(|(_, largest)| largest).into());
    object.into()
}

/// Formats like [`lines`], but with each list of numbers or texts on one line.
pub(crate) fn compact_lines(value: &Value) -> String {
    let mut bytes = Vec::new();
    // Writing to memory does not fail.
    let _ = value.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, Compact::default()));
    bytes.push(b'\n');
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Indents objects, and keeps each list on one line.
#[derive(Default)]
struct Compact(PrettyFormatter<'static>);

impl Formatter for Compact {
    fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

/// Formats indented JSON with a line end. Characters that a terminal obeys, or that reorder text, are escaped.
pub(crate) fn lines(value: &Value) -> String {
    let mut text = String::new();
    for c in format!("{value:#}\n").chars() {
        match printable(c.encode_utf8(&mut [0; 4])) {
            Cow::Owned(_) if c != '\n' => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| text += &format!("\\u{unit:04x}")),
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_a_terminal_obeys_are_escaped() {
        let value = json!({ "a\u{9b}": "\u{1b}[2J\u{7f}\u{202e}\u{e0041}ä\n" });
        let text = lines(&value);
        assert_eq!(text, "{\n  \"a\\u009b\": \"\\u001b[2J\\u007f\\u202e\\udb40\\udc41ä\\n\"\n}\n");
        assert_eq!(serde_json::from_str::<Value>(&text).ok(), Some(value));
    }

    #[test]
    fn lists_stay_in_their_line() {
        let value = json!({ "a": [1, 2.5, null], "b": [{ "c": "x" }, {}], "d": { "e": [] } });
        let text = compact_lines(&value);
        assert_eq!(
            text,
            "{\n  \"a\": [1, 2.5, null],\n  \"b\": [{\n    \"c\": \"x\"\n  }, {}],\n  \"d\": {\n    \"e\": []\n  }\n}\n"
        );
        assert_eq!(serde_json::from_str::<Value>(&text).ok(), Some(value));
    }
}
