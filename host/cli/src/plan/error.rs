//! Why there is no plan.

use std::path::{Path, PathBuf};

use trellis_policies::answer::Failure;
use trellis_runner::plan::planner::ObserveError;
use trellis_runner::run::RunError;
use trellis_runner::run::target::RunTarget;

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlanError {
    #[error("{object} could not be planned: {}", failure.message)]
    Failed { object: String, failure: Failure },
    #[error("{object} could not be planned: {error}")]
    Unobserved { object: String, error: ObserveError },
    #[error("{object} could not be planned: {error}")]
    Run { object: String, error: RunError },
    #[error("the policy needs facts about the cloud, and a preview has none")]
    Queries,
    #[error("a preview cannot be carried out, so there is nothing to save")]
    Preview,
    #[error("cannot save the plan in `{}`: {error}", file.display())]
    Save { file: PathBuf, error: std::io::Error },
}

impl PlanError {
    pub(super) fn save(file: &Path) -> impl Fn(std::io::Error) -> Self {
        move |error| Self::Save { file: file.to_owned(), error }
    }

    pub(crate) fn of(target: &RunTarget, failure: Failure) -> Self {
        Self::Failed { object: target.document().identity().to_string(), failure }
    }

    pub(super) fn of_run(target: &RunTarget, error: RunError) -> Self {
        match error {
            RunError::Observe(error) => Self::unobserved(target, error),
            error => Self::Run { object: target.document().identity().to_string(), error },
        }
    }

    pub(crate) fn unobserved(target: &RunTarget, error: ObserveError) -> Self {
        Self::Unobserved { object: target.document().identity().to_string(), error }
    }

    /// What the person can do.
    pub(crate) fn help(&self) -> Option<String> {
        match self {
            Self::Preview => Some("leave out `--baseline`, or `--out`".to_owned()),
            _ => None,
        }
    }
}
