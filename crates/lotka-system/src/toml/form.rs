//! Forms of values.

use super::keys::Keys;

/// The form of a value.
pub(super) enum Form {
    Number,
    Integer,
    Boolean,
    Text,
    /// A number, a text, true or false.
    Scalar,
    /// This text.
    Word(&'static str),
    /// One of a few names.
    Choice(&'static (dyn Choices + Sync)),
    /// The name of a method.
    Method(fn() -> Vec<&'static str>),
    /// A list with at least so many items.
    List(&'static Form, usize),
    /// A table with these keys and no other.
    Table(Keys),
    /// A table whose keys are names that the user chooses.
    Names(&'static Form),
    /// As `Names`, with another form for names that contain a dot.
    PlainOrDotted(&'static Form, &'static Form),
    /// The table that a dotted name is without quotes: `a.b.c = 1` for `"a.b.c" = 1`. It has none of these keys.
    Dotted(&'static Form, &'static [&'static str]),
    Any(&'static [Form]),
    /// A form with a name, which can refer to itself.
    Defined(&'static Definition),
}

/// A form with a name.
pub(super) struct Definition {
    pub(super) name: &'static str,
    pub(super) form: Form,
}

/// A name with the value that it stands for.
pub(super) struct Choice<T> {
    pub(super) name: &'static str,
    pub(super) value: T,
    pub(super) help: &'static str,
}

impl<T> Choice<T> {
    pub(super) const fn new(name: &'static str, value: T, help: &'static str) -> Self {
        Self { name, value, help }
    }
}

/// A list of names to choose from, whatever they stand for.
pub(super) trait Choices {
    /// Returns the names, each with its help.
    fn list(&self) -> Vec<(&'static str, &'static str)>;
}

impl<T, const N: usize> Choices for [Choice<T>; N] {
    fn list(&self) -> Vec<(&'static str, &'static str)> {
        self.iter().map(|choice| (choice.name, choice.help)).collect()
    }
}

impl Form {
    /// The keys of a table of this form; none for tables with other names.
    pub(super) fn keys(&self) -> Keys {
        match self {
            Self::Table(keys) => keys,
            _ => &[],
        }
    }

    /// Whether a value of this form can be a text.
    pub(super) fn permits_text(&self) -> bool {
        self.permits(&|form| matches!(form, Self::Text | Self::Scalar | Self::Word(_) | Self::Choice(_) | Self::Method(_)))
    }

    /// Whether this form, or one of those to choose from, has a property.
    pub(super) fn permits(&self, property: &dyn Fn(&Self) -> bool) -> bool {
        match self {
            Self::Any(forms) => forms.iter().any(|form| form.permits(property)),
            form => property(form),
        }
    }
}
