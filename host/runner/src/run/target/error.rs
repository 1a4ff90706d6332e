//! Errors in the description of a subject.

use std::sync::Arc;

use trellis_policies::answer::Failure;
use trellis_policies::judge::NoAnswer;
use trellis_policies::manifest::{ManifestError, meant_provider};
use trellis_policies::source::{ReadError, Source, Span};

/// Why Trellis does not know the subject of a run. `input` and `span` are the place in the manifests.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the members are")]
pub enum TargetError {
    /// No manifest describes one.
    #[error("none of the objects given is one that Trellis plans")]
    NoSubject,
    /// An object has the kind of a subject, and is of another API group.
    #[error("{object} is not of `extensions.gardener.cloud/v1alpha1`, whose objects Trellis plans")]
    OtherGroup { object: String, input: Arc<Source>, span: Span },
    /// A part of the subject has a form that the API server refuses.
    #[error("{object}: `{field}` {wrong}")]
    Form { object: String, field: String, wrong: String, write: &'static str, input: Arc<Source>, span: Span },
    /// Several manifests describe one each.
    #[error("{second} is given, and {first} too: a run is about one of them")]
    Several { first: String, second: String, input: Arc<Source>, span: Span },
    /// An object lacks the Cluster without which it means nothing.
    #[error("the Cluster of {object} is not given")]
    NoCluster { object: String, namespace: String, input: Arc<Source>, span: Span },
    /// No policy plans the kind with that type, or not that of the provider. `planned` are the types that one plans.
    #[error("Trellis does not plan the kind {kind} of {}`{provider}` yet", if *is_shoot || *is_renamed { "" } else { "the type " })]
    NoPlans {
        provider: String,
        kind: &'static str,
        is_shoot: bool,
        /// Whether the person names another provider than that of the object's own type, which is planned.
        is_renamed: bool,
        planned: Vec<String>,
        input: Arc<Source>,
        span: Span,
    },
    /// A member is missing or empty.
    #[error("{object} has no {what}")]
    Missing { object: String, what: &'static str, input: Arc<Source>, span: Span },
    /// The name of the subject is no valid name.
    #[error("{object} would be recorded under the name `{id}`, which is no valid name")]
    NoName { object: String, id: String, input: Arc<Source>, span: Span },
    /// Two versions of an object are of two objects.
    #[error("the older version is of {older}, not of {object}")]
    OtherOlder { object: String, older: String, input: Arc<Source>, span: Span },
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
                 BackupEntry, a DNSRecord, or a Bastion with its Cluster and its Worker"
            }
            Self::Several { .. } => "give one of the two; for the version before an edit use `--baseline FILE`",
            Self::NoCluster { namespace, .. } => {
                let words = "give it too: `kubectl get clusters.extensions.gardener.cloud";
                return Some(format!("{words} {namespace} -o yaml`"));
            }
            Self::OtherGroup { .. } => {
                "correct `apiVersion`, or give the object that gardenlet made of it in the seed"
            }
            Self::Form { write, .. } => write,
            Self::NoPlans { is_renamed: true, .. } => {
                "leave out `--provider`: the type of the object says which policy plans it"
            }
            Self::NoPlans { is_shoot: true, .. } => {
                "use `trellis validate`, which judges the manifests of this provider"
            }
            Self::NoPlans { provider, planned, .. } => return Some(of_other_type(provider, planned)),
            Self::Missing { .. } => "add it",
            Self::NoName { .. } => "use lower-case letters, digits and `-` for names",
            Self::OtherOlder { .. } => "check kind, namespace and name of the older version",
            Self::Manifest(error) => return Some(error.problem.help()),
            Self::Read(error) => return Some(error.problem.help()),
            Self::NoRules { .. } | Self::NoAnswer(_) => return None,
        };
        Some(text.to_owned())
    }

    /// The place in the files.
    pub fn place(&self) -> Option<(&Source, Span)> {
        match self {
            Self::NoSubject | Self::NoRules { .. } => None,
            Self::Manifest(error) => Some((&error.input, error.span)),
            Self::Read(error) => Some((&error.input, error.span?)),
            Self::NoAnswer(NoAnswer { input, span, .. })
            | Self::OtherGroup { input, span, .. }
            | Self::Form { input, span, .. }
            | Self::Several { input, span, .. }
            | Self::NoPlans { input, span, .. }
            | Self::NoCluster { input, span, .. }
            | Self::Missing { input, span, .. }
            | Self::NoName { input, span, .. }
            | Self::OtherOlder { input, span, .. } => Some((input, *span)),
        }
    }
}

/// What a person can do with an object of a type that no policy plans. No rules judge it either.
fn of_other_type(found: &str, planned: &[String]) -> String {
    let leave = "leave it to the extension of its provider";
    if let Some(meant) = meant_provider(found, planned.iter().map(String::as_str)) {
        return format!("did you mean `{meant}`?");
    }
    match planned {
        [] => leave.to_owned(),
        types => format!(
            "Trellis plans this kind where `spec.type` is `{}`: correct the type, or {leave}",
            types.join("` or `")
        ),
    }
}
