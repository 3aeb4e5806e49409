//! Log lines of an FMU and their receivers.

use std::sync::Arc;

use crate::Status;

/// One line logged by an FMU, limited in length and valid UTF-8; `#r17#` references are left unchanged.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LogMessage {
    /// Name of the instance that logged.
    pub instance: String,
    /// Status passed by the FMU; `None` for an integer that is not a valid status.
    pub status: Option<Status>,
    /// Category; empty if the FMU passed none.
    pub category: String,
    /// The text.
    pub message: String,
}

/// Receives log lines, from any thread, during a call. It must not call back into the FMU.
pub type LogSink = Arc<dyn Fn(LogMessage) + Send + Sync>;
