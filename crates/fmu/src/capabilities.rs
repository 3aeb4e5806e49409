//! Capabilities of an FMU: the declared ones, without those for which its library lacks a function.

use crate::Warning;

/// Drops declared capabilities that the library does not support; each dropped one is a warning.
pub(crate) struct Supported<'a>(pub(crate) &'a mut Vec<Warning>);

impl Supported<'_> {
    /// Keeps a capability if the library has its functions. `attribute` declares it.
    pub(crate) fn keep(&mut self, capability: &mut bool, attribute: &'static str, has_functions: bool) {
        self.check(*capability, attribute, has_functions);
        *capability &= has_functions;
    }

    /// Keeps the order of derivatives of outputs if the library has the function for them.
    pub(crate) fn keep_order(&mut self, order: &mut u32, has_function: bool) {
        self.check(*order > 0, "maxOutputDerivativeOrder", has_function);
        *order = if has_function { *order } else { 0 };
    }

    fn check(&mut self, is_declared: bool, attribute: &'static str, has_functions: bool) {
        if is_declared && !has_functions {
            self.0.push(Warning::CapabilityDropped { attribute });
        }
    }
}
