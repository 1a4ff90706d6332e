//! Why there is no plan.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use trellis_policies::answer::Failure;
use trellis_policies::source::{Source, Span};
use trellis_runner::plan::planner::ObserveError;
use trellis_runner::run::RunError;
use trellis_runner::run::target::RunTarget;

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlanError {
    #[error("{object} could not be planned: {}", failure.message)]
    Failed { object: String, failure: Failure, place: Option<Place> },
    #[error("{object} could not be planned: {error}")]
    Unobserved { object: String, error: ObserveError, place: Option<Place> },
    #[error("{object} could not be planned: {error}")]
    Run { object: String, error: RunError },
    #[error("the policy needs facts about the cloud, and a preview has none")]
    Queries,
    #[error("a preview cannot be carried out, so there is nothing to save")]
    Preview,
    #[error("cannot save the plan in `{}`: {error}", file.display())]
    Save { file: PathBuf, error: std::io::Error },
}

/// The file and the place in it that a failure is about.
pub(crate) type Place = (Arc<Source>, Span);

impl PlanError {
    pub(super) fn save(file: &Path) -> impl Fn(std::io::Error) -> Self {
        move |error| Self::Save { file: file.to_owned(), error }
    }

    pub(crate) fn of(target: &RunTarget, failure: Failure) -> Self {
        let place = place_of(target, &failure);
        Self::Failed { object: target.document().identity().to_string(), failure, place }
    }

    pub(super) fn of_run(target: &RunTarget, error: RunError) -> Self {
        match error {
            RunError::Observe(error) => Self::unobserved(target, error),
            error => Self::Run { object: target.document().identity().to_string(), error },
        }
    }

    pub(crate) fn unobserved(target: &RunTarget, error: ObserveError) -> Self {
        let place = match &error {
            ObserveError::Policy(failure) => place_of(target, failure),
            _ => None,
        };
        Self::Unobserved { object: target.document().identity().to_string(), error, place }
    }

    /// What the person can do.
    pub(crate) fn help(&self) -> Option<String> {
        match self {
            Self::Preview => Some("leave out `--baseline`, or `--out`".to_owned()),
            Self::Failed { place: Some(_), .. } | Self::Unobserved { place: Some(_), .. } => {
                Some("correct the value at this place".to_owned())
            }
            _ => None,
        }
    }

    /// The place in the files.
    pub(crate) fn place(&self) -> Option<(&Source, Span)> {
        match self {
            Self::Failed { place: Some((input, span)), .. }
            | Self::Unobserved { place: Some((input, span)), .. } => Some((input, *span)),
            _ => None,
        }
    }
}

/// The place of a failure in the object that the person wrote. A pointer into another part of the request has none.
fn place_of(target: &RunTarget, failure: &Failure) -> Option<Place> {
    let document = target.document();
    let pointer = failure.pointer.as_deref().filter(|pointer| !pointer.is_empty())?;
    let location = document.root.locate(pointer);
    location.exact.then(|| (Arc::clone(&document.input), location.highlight(&document.input)))
}
