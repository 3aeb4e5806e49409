//! Log lines of an FMU on their way to whoever listens.

use std::sync::Arc;

use crate::Status;

/// One line that an FMU logged, already bounded in length, valid UTF-8, with `#r17#` references left as they came.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LogMessage {
    /// Name of the instance that logged.
    pub instance: String,
    /// Status that the FMU gave; `None` when it gave an integer that is no status.
    pub status: Option<Status>,
    /// Category, empty when the FMU gave none.
    pub category: String,
    /// The text.
    pub message: String,
}

/// Receives log lines, from any thread, in the middle of a call. It must not call back into the FMU.
pub type LogSink = Arc<dyn Fn(LogMessage) + Send + Sync>;
