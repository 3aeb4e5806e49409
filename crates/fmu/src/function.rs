//! Functions of FMUs, whatever the version of FMI.

use std::fmt;

use lotka_instance::{FunctionName, Phase};

/// A function of one version of FMI.
pub(crate) trait Function: Copy + Into<FunctionName> + fmt::Display {
    /// Frees an instance.
    const FREE_INSTANCE: Self;
    /// Whether the status Pending exists.
    const HAS_PENDING: bool;

    /// Whether the call table allows it in this phase.
    fn allowed_in(self, phase: Phase) -> bool;

    /// A number from 1 to 126, different for all functions of all versions.
    fn code(self) -> u64;
}

/// The number of functions of FMI 2.0, which have the first codes.
const FMI2: u64 = fmi2::Function::ALL.len() as u64;

impl Function for fmi2::Function {
    const FREE_INSTANCE: Self = Self::FreeInstance;
    const HAS_PENDING: bool = true;

    #[inline]
    fn allowed_in(self, phase: Phase) -> bool {
        self.allowed_in(phase)
    }

    #[inline]
    fn code(self) -> u64 {
        self as u64 + 1
    }
}

impl Function for fmi3::Function {
    const FREE_INSTANCE: Self = Self::FreeInstance;
    const HAS_PENDING: bool = false;

    #[inline]
    fn allowed_in(self, phase: Phase) -> bool {
        self.allowed_in(phase)
    }

    #[inline]
    fn code(self) -> u64 {
        FMI2 + self as u64 + 1
    }
}

/// Returns the function with this code; `None` for other numbers.
pub(crate) fn of_code(code: u64) -> Option<FunctionName> {
    let index = usize::try_from(code).ok()?.checked_sub(1)?;
    match fmi2::Function::ALL.get(index) {
        Some(&function) => Some(function.into()),
        None => fmi3::Function::ALL.get(index - fmi2::Function::ALL.len()).map(|&function| function.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_lead_back_to_their_functions() {
        let two = fmi2::Function::ALL.map(|function| (function.code(), FunctionName::from(function)));
        let three = fmi3::Function::ALL.map(|function| (function.code(), FunctionName::from(function)));
        for (position, (code, name)) in two.iter().chain(&three).enumerate() {
            assert_eq!((*code, of_code(*code).as_ref()), (position as u64 + 1, Some(name)));
        }
        assert_eq!([0, 110, 126, u64::MAX].map(of_code), [const { None }; 4]);
    }
}
