//! Errors of `trellis render`.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::CommandError;
use trellis_policies::answer::{Failure, Severity, Verdict};
use trellis_policies::judge::{PlacedFinding, Ruling};
use trellis_policies::manifest::{Document, ManifestError, ManifestProblem};
use trellis_policies::source::{Source, Span};

use super::asked::Asked;
use super::what::What;

/// Why there are no manifests.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RenderError {
    #[error("none of the objects given has a {} that Trellis renders", match .0 { What::ControlPlane => "control plane", What::Workers => "worker pool" })]
    Nothing(What),
    #[error("the files of `--diff` have no Shoot and no {}", .0.kind())]
    NothingOld(What),
    #[error("`{0}` is for control planes alone")]
    OnlyControlPlanes(&'static str),
    #[error("the Cluster of {object} is not given")]
    NoCluster { object: String, namespace: String, place: Place },
    #[error("{object} has no `{path}`")]
    Missing { object: String, path: &'static str, place: Place },
    #[error("{object} cannot be rendered: {}", failure.message)]
    Failed { object: String, failure: Failure, place: Place },
    #[error("{object} would not be admitted: {first}{}", match more { 0 => String::new(), more => format!(", and {more} more") })]
    Inadmissible { object: String, first: String, more: usize, place: Place },
    #[error("{object} cannot be rendered: {why}")]
    Open { object: String, why: String, asked: Option<Asked>, place: Place },
    #[error("findings forbid to render an object, so nobody knows what changes")]
    Rejected,
    #[error("this is no image vector: it has no list `images`")]
    NoImages { place: Place },
    #[error("`-o dir` needs the name of a folder")]
    NoFolder,
    #[error("`--to` is for `-o dir` alone")]
    NotAFolder,
    #[error("`-o dir` writes manifests, and `{0}` asks for something else")]
    OnlyManifests(&'static str),
    #[error("the folder `{}` has files already, and Trellis does not replace them", .0.display())]
    Taken(PathBuf),
    #[error("cannot write the folder `{}`: {error}", folder.display())]
    Folder { folder: PathBuf, error: io::Error },
}

/// A place in a file.
#[derive(Debug)]
pub(crate) struct Place {
    input: Arc<Source>,
    span: Span,
}

impl Place {
    /// The place of a pointer in an object.
    pub(super) fn of(document: &Document, pointer: &str) -> Self {
        Self::at(&document.input, document.root.locate(pointer).highlight(&document.input))
    }

    /// A place in a text.
    pub(super) fn at(input: &Arc<Source>, span: Span) -> Self {
        Self { input: Arc::clone(input), span }
    }
}

impl RenderError {
    /// An object about which the policy gave no answer.
    pub(super) fn failed(document: &Document, failure: Failure) -> Self {
        let pointer = failure.pointer.as_deref().unwrap_or_default();
        let within = ["/controlPlane", "/worker", "/cluster/shoot"]
            .into_iter()
            .find_map(|start| pointer.strip_prefix(start));
        let place = Place::of(document, within.unwrap_or_default());
        Self::Failed { object: document.identity().to_string(), failure, place }
    }

    /// Fails where the rules reject a Shoot: nothing is ever made of such a Shoot.
    pub(super) fn admitted(document: &Document, ruling: Ruling) -> Result<(), Self> {
        if ruling.verdict != Verdict::Reject {
            return Ok(());
        }
        let mut errors = ruling.findings.into_iter().filter(|placed| placed.finding.severity == Severity::Error);
        let Some(PlacedFinding { finding, span, .. }) = errors.next() else { return Ok(()) };
        Err(Self::Inadmissible {
            object: document.identity().to_string(),
            first: format!("{}: {}", finding.field, finding.detail),
            more: errors.count(),
            place: Place::at(&document.input, span),
        })
    }

    /// An old version of nothing.
    pub(super) fn without_new(document: &Document) -> CommandError {
        let problem = ManifestProblem::OldWithoutNew { identity: document.identity().to_string() };
        ManifestError::at(&document.input, document.root.locate("/metadata/name"), problem).into()
    }

    /// What an object lacks.
    pub(super) fn missing(document: &Document, path: &'static str, pointer: &str) -> Self {
        Self::Missing { object: document.identity().to_string(), path, place: Place::of(document, pointer) }
    }

    /// The failure that a policy reported.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        if let Self::Failed { failure, .. } = self { Some(failure) } else { None }
    }

    /// What the person can do.
    pub(crate) fn help(&self) -> Option<String> {
        let text = match self {
            Self::Nothing(What::ControlPlane) => {
                "give a Shoot of a provider whose control planes Trellis renders, or a ControlPlane of extensions.gardener.cloud with its Cluster and the Secret with its credentials"
            }
            Self::Nothing(What::Workers) => {
                "give a Shoot of a provider whose machines Trellis makes, or a Worker of extensions.gardener.cloud with its Cluster and the Secrets with its user data"
            }
            Self::NothingOld(what) => {
                return Some(format!("name a file with the Shoot or the {} as it was", what.kind()));
            }
            Self::OnlyControlPlanes(_) => "leave it out, or leave out `--what`",
            Self::NoCluster { namespace, .. } => {
                return Some(format!(
                    "give it too: `kubectl get clusters.extensions.gardener.cloud {namespace} -o yaml`"
                ));
            }
            Self::Missing { .. } => "add it",
            Self::Failed { failure, .. } if failure.code == Failure::MALFORMED => "correct the value",
            Self::Failed { .. } => return None,
            Self::Inadmissible { .. } => "correct what `trellis validate` finds in it",
            Self::Open { asked, .. } => return asked.as_ref().map(Asked::help),
            Self::Rejected => "correct what the findings on standard error name",
            Self::NoImages { .. } => "write `images:` and the images below it, as in Gardener's image vectors",
            Self::NoFolder => "name it with `--to PATH`",
            Self::NotAFolder => "write `-o dir` too, or redirect standard output to a file",
            Self::OnlyManifests(_) => "write `-o yaml` or `-o json`",
            Self::Taken(_) => "name another folder, or remove this one first",
            Self::Folder { .. } => "check the path, and whether you may write there",
        };
        Some(text.to_owned())
    }

    /// The place in the files.
    pub(crate) fn place(&self) -> Option<(&Source, Span)> {
        match self {
            Self::NoCluster { place, .. }
            | Self::Missing { place, .. }
            | Self::Failed { place, .. }
            | Self::Inadmissible { place, .. }
            | Self::Open { place, .. }
            | Self::NoImages { place } => Some((&place.input, place.span)),
            _ => None,
        }
    }
}
