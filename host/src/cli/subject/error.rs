//! Errors in the description of a command's infrastructure.

use std::sync::Arc;

use crate::source::{Source, Span};

/// Why Trellis does not know the infrastructure of a command.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum SubjectError {
    #[error("none of the objects given has an infrastructure")]
    NoInfrastructure,
    #[error("{second} is given, and {first} too: a run is about one infrastructure")]
    Several { first: String, second: String, input: Arc<Source>, span: Span },
    #[error("the Cluster of {infrastructure} is not given")]
    NoCluster { infrastructure: String, namespace: String, input: Arc<Source>, span: Span },
    #[error("Trellis does not plan infrastructures of `{0}` yet")]
    NoPlans(String),
    #[error("{object} has no {what}")]
    Missing { object: String, what: &'static str, input: Arc<Source>, span: Span },
    #[error("{object} would have the name `{id}` in the cloud, which is no valid name")]
    NoName { object: String, id: String, input: Arc<Source>, span: Span },
    #[error("the older version is of {older}, not of {object}")]
    OtherOlder { object: String, older: String, input: Arc<Source>, span: Span },
}

impl SubjectError {
    /// What the person can do.
    pub(in crate::cli) fn help(&self) -> String {
        let text = match self {
            Self::NoInfrastructure => {
                "give a Shoot, or an Infrastructure of extensions.gardener.cloud with its Cluster"
            }
            Self::Several { .. } => "give one of the two; for the version before an edit use `--baseline FILE`",
            Self::NoCluster { namespace, .. } => {
                return format!(
                    "give it too: `kubectl get clusters.extensions.gardener.cloud {namespace} -o yaml`"
                );
            }
            Self::NoPlans(_) => "use `trellis validate`, which judges the manifests of this provider",
            Self::Missing { .. } => "add it",
            Self::NoName { .. } => "use lower-case letters, digits and `-` for names",
            Self::OtherOlder { .. } => "check kind, namespace and name of the older version",
        };
        text.to_owned()
    }

    /// The place in the files.
    pub(in crate::cli) fn place(&self) -> Option<(&Source, Span)> {
        match self {
            Self::NoInfrastructure | Self::NoPlans(_) => None,
            Self::Several { input, span, .. }
            | Self::NoCluster { input, span, .. }
            | Self::Missing { input, span, .. }
            | Self::NoName { input, span, .. }
            | Self::OtherOlder { input, span, .. } => Some((input, *span)),
        }
    }
}
