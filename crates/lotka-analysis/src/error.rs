//! Why something cannot be analyzed.

use lotka_message::{Code, Coded, Problems};

/// Why a coupling cannot be analyzed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system or the step does not suit the analysis; all problems at once.
    #[error("{0}")]
    Unfit(Problems),
    /// The instances cannot be initialized or stepped.
    #[error("{0}")]
    Run(Box<lotka_step::Error>),
}

impl From<Box<lotka_step::Error>> for Error {
    fn from(error: Box<lotka_step::Error>) -> Self {
        Self::Run(error)
    }
}

impl Coded for Error {
    fn code(&self) -> Code {
        match self {
            Self::Unfit(problems) => problems.code(),
            Self::Run(error) => error.code(),
        }
    }
}
