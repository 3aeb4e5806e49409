//! The types of variables and of elements of arrays in FMI 3.0.

/// The types of FMI 3.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "names of the standard")]
pub enum ElementType {
    Float64,
    Float32,
    Int8,
    UInt8,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Int64,
    UInt64,
    Boolean,
    String,
    Binary,
    Enumeration,
}

impl ElementType {
    /// Returns the name in FMI 3.0.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Float64 => "Float64",
            Self::Float32 => "Float32",
            Self::Int8 => "Int8",
            Self::UInt8 => "UInt8",
            Self::Int16 => "Int16",
            Self::UInt16 => "UInt16",
            Self::Int32 => "Int32",
            Self::UInt32 => "UInt32",
            Self::Int64 => "Int64",
            Self::UInt64 => "UInt64",
            Self::Boolean => "Boolean",
            Self::String => "String",
            Self::Binary => "Binary",
            Self::Enumeration => "Enumeration",
        }
    }

    /// Whether it is a floating-point type, whose values may change continuously.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Self::Float64 | Self::Float32)
    }
}
