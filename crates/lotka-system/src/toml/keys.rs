//! What a system file can hold: keys, the form of their values, defaults and help.
//!
//! Each section declares its keys beside its reader, in a static table. [`super::Section`] reads by these tables and refuses
//! every other key; [`super::schema`] prints them. Start reading at [`Key`].

use super::form::Form;

/// A key of a table.
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) form: Form,
    /// What the value means, in one or two sentences.
    pub(super) help: &'static str,
    pub(super) presence: Presence,
    pub(super) default: Option<Default>,
}

/// Whether a table must have a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Optional,
    Required,
    /// The table needs one of all keys of this kind.
    OneOf,
}

/// What counts without the key.
#[derive(Debug, Clone, Copy)]
pub(super) enum Default {
    /// A value, as JSON.
    Value(&'static str),
    /// A rule, as a phrase.
    Rule(&'static str),
}

impl Key {
    pub(super) const fn new(name: &'static str, form: Form, help: &'static str) -> Self {
        Self { name, form, help, presence: Presence::Optional, default: None }
    }

    pub(super) const fn required(self) -> Self {
        Self { presence: Presence::Required, ..self }
    }

    pub(super) const fn one_of(self) -> Self {
        Self { presence: Presence::OneOf, ..self }
    }

    /// Declares the default, as JSON.
    pub(super) const fn or(self, value: &'static str) -> Self {
        Self { default: Some(Default::Value(value)), ..self }
    }

    /// Declares the default, as a phrase.
    pub(super) const fn or_else(self, rule: &'static str) -> Self {
        Self { default: Some(Default::Rule(rule)), ..self }
    }
}

/// The keys of a table, in groups that tables share.
pub(super) type Keys = &'static [&'static [Key]];
