//! Methods by their names.

use lotka_message::{Code, Findings, nearest};
use lotka_step::algorithm::{MethodRegistry, Registered};

use crate::Located;

/// The method of this name; an unknown one is a problem.
pub(super) fn find<M: Registered>(chosen: &Located<String>, methods: &MethodRegistry, findings: &mut Findings) -> Option<M> {
    let method = M::named(methods, &chosen.value);
    if method.is_none() {
        let help = nearest(&chosen.value, M::all(methods).iter().map(M::name));
        findings.error(Code::UnknownChoice, &chosen.span, format!("unknown {} `{}`", M::KEY, chosen.value), help);
    }
    method
}
