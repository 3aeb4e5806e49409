//! `isolation`, `step-timeout`, `init-timeout` and `sandbox`, of the system or of an instance.

use lotka_host::Sandbox;
use toml::de::DeValue;

use super::{Section, section::kind};
use crate::system::{Isolation, IsolationSettings, Located, problem::Findings};

const PLACES: [(&str, Isolation); 2] = [("none", Isolation::None), ("process", Isolation::Process)];

pub(super) fn read(section: &mut Section<'_>, findings: &mut Findings) -> IsolationSettings {
    IsolationSettings {
        isolation: section.choice("isolation", &PLACES, findings),
        init_timeout: section.number("init-timeout", findings),
        step_timeout: section.number("step-timeout", findings),
        sandbox: sandbox(section, findings),
    }
}

/// `true`, `false`, or a table of what differs from the default.
fn sandbox(section: &mut Section<'_>, findings: &mut Findings) -> Option<Located<Option<Sandbox>>> {
    let value = section.get("sandbox")?;
    let sandbox = match value.get_ref() {
        DeValue::Boolean(is_on) => is_on.then(Sandbox::default),
        other => {
            let message = format!("`sandbox` is {} where true or false belongs", kind(other));
            findings.error(&Some(value.span()), message, None);
            return None;
        }
    };
    Some(Located { value: sandbox, span: Some(value.span()) })
}
