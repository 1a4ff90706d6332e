//! Errors in the description of a subject.

use std::sync::Arc;

use trellis_policies::answer::Failure;
use trellis_policies::judge::NoAnswer;
use trellis_policies::manifest::ManifestError;
use trellis_policies::source::{ReadError, Source, Span};

/// Why Trellis does not know the subject of a run. `input` and `span` are the place in the manifests.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the members are")]
pub enum TargetError {
    /// No manifest describes one.
    #[error("none of the objects given is one that Trellis plans")]
    NoSubject,
    /// Several manifests describe one each.
    #[error("{second} is given, and {first} too: a run is about one of them")]
    Several { first: String, second: String, input: Arc<Source>, span: Span },
    /// An Infrastructure lacks its Cluster.
    #[error("the Cluster of {infrastructure} is not given")]
    NoCluster { infrastructure: String, namespace: String, input: Arc<Source>, span: Span },
    /// The policy of the provider does not plan the kind.
    #[error("Trellis does not plan the kind {kind} of `{provider}` yet")]
    NoPlans { provider: String, kind: &'static str },
    /// A member is missing or empty.
    #[error("{object} has no {what}")]
    Missing { object: String, what: &'static str, input: Arc<Source>, span: Span },
    /// The name of the subject is no valid name.
    #[error("{object} would have the name `{id}` in the cloud, which is no valid name")]
    NoName { object: String, id: String, input: Arc<Source>, span: Span },
    /// Two versions of an object are of two objects.
    #[error("the older version is of {older}, not of {object}")]
    OtherOlder { object: String, older: String, input: Arc<Source>, span: Span },
    /// No policy of that provider type.
    #[error("`{name}` is not supported yet: Trellis has policies for {}", known.join(", "))]
    UnknownProvider { name: String, known: Vec<String> },
    /// The policy does not say its rules.
    #[error("the policy of `{provider}` does not say its rules: {}", failure.message)]
    NoRules { provider: String, failure: Failure },
    /// The policy has no answer about an object.
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
    /// A manifest refers to something wrongly.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A manifest cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl TargetError {
    /// What the person can do.
    pub fn help(&self) -> Option<String> {
        let text = match self {
            Self::NoSubject => {
                "give a Shoot, or of extensions.gardener.cloud an Infrastructure with its Cluster, a BackupBucket, a \
                 BackupEntry or a DNSRecord"
            }
            Self::Several { .. } => "give one of the two; for the version before an edit use `--baseline FILE`",
            Self::NoCluster { namespace, .. } => {
                let words = "give it too: `kubectl get clusters.extensions.gardener.cloud";
                return Some(format!("{words} {namespace} -o yaml`"));
            }
            Self::NoPlans { .. } => "use `trellis validate`, which judges the manifests of this provider",
            Self::Missing { .. } => "add it",
            Self::NoName { .. } => "use lower-case letters, digits and `-` for names",
            Self::OtherOlder { .. } => "check kind, namespace and name of the older version",
            Self::UnknownProvider { .. } => "name one of these",
            Self::Manifest(error) => return Some(error.problem.help()),
            Self::Read(error) => return Some(error.problem.help()),
            Self::NoRules { .. } | Self::NoAnswer(_) => return None,
        };
        Some(text.to_owned())
    }

    /// The place in the files.
    pub fn place(&self) -> Option<(&Source, Span)> {
        match self {
            Self::NoSubject | Self::NoPlans { .. } | Self::UnknownProvider { .. } | Self::NoRules { .. } => None,
            Self::Manifest(error) => Some((&error.input, error.span)),
            Self::Read(error) => Some((&error.input, error.span?)),
            Self::NoAnswer(NoAnswer { input, span, .. })
            | Self::Several { input, span, .. }
            | Self::NoCluster { input, span, .. }
            | Self::Missing { input, span, .. }
            | Self::NoName { input, span, .. }
            | Self::OtherOlder { input, span, .. } => Some((input, *span)),
        }
    }
}
