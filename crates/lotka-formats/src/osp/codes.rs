//! The codes of messages about files of OSP.

use lotka_message::Code;
use lotka_system::xml::Codes;

/// The codes of messages about these files.
pub(super) const CODES: Codes = Codes { form: Code::OspForm, ignored: Code::OspIgnored };
