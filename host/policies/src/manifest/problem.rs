//! What can be wrong with objects before a policy sees them.

use std::sync::Arc;

use crate::source::{Location, Source, Span};

/// An object that cannot be judged, and where the trouble is.
#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
pub struct ManifestError {
    /// The text.
    pub input: Arc<Source>,
    /// The place.
    pub span: Span,
    /// The trouble.
    pub problem: ManifestProblem,
}

impl ManifestError {
    /// A problem at a place.
    pub fn at(input: &Arc<Source>, location: Location<'_>, problem: ManifestProblem) -> Self {
        Self { input: Arc::clone(input), span: location.highlight(input), problem }
    }
}

/// Why an object cannot be judged.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestProblem {
    /// No `kind`.
    #[error("this document has no `kind`, so it is no Kubernetes object")]
    NoKind,
    /// Two of the same identity.
    #[error("this file has another {identity}, at {first}")]
    Twice {
        /// Kind, namespace and name.
        identity: String,
        /// File and line of the first.
        first: String,
    },
    /// Two different old versions of one object.
    #[error("{identity} has another old version, at {first}")]
    OldTwice {
        /// Kind, namespace and name.
        identity: String,
        /// File and line of the first.
        first: String,
    },
    /// An old version of nothing.
    #[error("the old version of {identity} has no new version among the inputs")]
    OldWithoutNew {
        /// Kind, namespace and name.
        identity: String,
    },
    /// An old version without a name.
    #[error("the old version of a {kind} has no `metadata.name`")]
    OldWithoutName {
        /// Kind of the object.
        kind: String,
    },
    /// A kind of Gardener with another `apiVersion`.
    #[error("{identity} has `apiVersion: {found}`, and Gardener's kind has `apiVersion: {expected}`")]
    OtherVersion {
        /// Kind, namespace and name.
        identity: String,
        /// Its `apiVersion`.
        found: String,
        /// The `apiVersion` of the kind.
        expected: &'static str,
    },
    /// A kind that Gardener does not have, in an API group of Gardener.
    #[error("Gardener has no kind `{kind}` in the API group `{group}`")]
    UnknownKind {
        /// The kind.
        kind: String,
        /// The group.
        group: String,
    },
    /// A provider type without a policy.
    #[error("`{provider}` is not supported yet: Trellis has policies for {known}")]
    UnknownProvider {
        /// Its type.
        provider: String,
        /// The types that have one.
        known: String,
        /// The one of these that most likely is meant.
        meant: Option<String>,
    },
    /// Nothing says which provider it is.
    #[error("nothing says which provider this {kind} belongs to")]
    NoProvider {
        /// Kind of the object.
        kind: String,
    },
}

impl ManifestProblem {
    /// What the person can do.
    pub fn help(&self) -> String {
        match self {
            Self::NoKind => "add `apiVersion` and `kind`".to_owned(),
            Self::Twice { .. } => {
                "remove one of the two; the version before a change is for `validate --old FILE`, `plan --baseline FILE` and `render --diff FILE`".to_owned()
            }
            Self::OldTwice { .. } => "remove one of the two".to_owned(),
            Self::OldWithoutNew { .. } => {
                "give the new version too, or check kind, namespace and name of the old one".to_owned()
            }
            Self::OldWithoutName { .. } => {
                "write `metadata.name` in both versions, so that they can be recognised as the same object".to_owned()
            }
            Self::OtherVersion { .. } => "correct `apiVersion`, or leave the object out".to_owned(),
            Self::UnknownKind { .. } => {
                "correct `kind`, such as `Shoot`, `CloudProfile` or `Seed`, or leave the object out".to_owned()
            }
            Self::UnknownProvider { meant: Some(meant), .. } => format!("did you mean `{meant}`?"),
            Self::UnknownProvider { .. } => {
                "correct the type, or leave the object out; with `--policies`, give the policy of the provider too"
                    .to_owned()
            }
            Self::NoProvider { kind } => {
                let place = match kind.as_str() {
                    "CloudProfile" => "set `spec.type`",
                    "NamespacedCloudProfile" => "give its parent CloudProfile too",
                    "SecretBinding" | "CredentialsBinding" => "set `provider.type`",
                    "WorkloadIdentity" => "set `spec.targetSystem.type`",
                    _ => "set `spec.provider.type`",
                };
                format!("{place}, or choose a policy with `--provider NAME`")
            }
        }
    }
}
