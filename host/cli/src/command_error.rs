//! The errors of commands.

use std::io;
use std::sync::Arc;

use super::Status;
use super::engine::OpenError;
use trellis_policies::answer::Failure;
use trellis_policies::engine::{SchemasError, WordsError};
use trellis_policies::garden::OpenApiError;
use trellis_policies::judge::{NoAnswer, NoRules};
use trellis_policies::manifest::{Document, ManifestError, ManifestProblem};
use trellis_policies::source::{ReadError, ReadProblem, Source, Span, YamlError};
use trellis_runner::run::target::TargetError;

/// Why a command, or a part of it, failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error("no input")]
    NoInput,
    #[error("standard input is asked for twice")]
    StdinTwice,
    #[error("cannot read `{name}`: {error}")]
    File { name: String, error: io::Error },
    #[error("`{name}` has no file that ends in `.yaml`, `.yml` or `.json`")]
    NoManifests { name: String, is_recursive: bool },
    #[error("there are more than {most} files")]
    TooManyFiles { most: usize },
    #[error("cannot write the output: {0}")]
    Output(io::Error),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error(transparent)]
    Yaml(#[from] YamlError),
    #[error("the files of `--old` have no object")]
    NothingOld,
    #[error("`{name}` does not say the fields of the garden: {error}")]
    OpenApi { name: String, error: OpenApiError },
    #[error("the facts are not a list")]
    FactsNotList { input: Arc<Source>, span: Span },
    #[error("this is not a fact")]
    NotAFact { input: Arc<Source>, span: Span },
    #[error("`{name}` is not supported yet: Trellis has policies for {known}")]
    UnknownProvider { name: String, known: String, meant: Option<String> },
    #[error("the policy of `{provider}` does not say what it is: {}", failure.message)]
    NoInfo { provider: String, failure: Failure },
    #[error("the policy of `{provider}` does not say its rules: {}", failure.message)]
    NoRules { provider: String, failure: Failure },
    #[error("{object} could not be judged: {}", failure.message)]
    NotJudged { object: String, failure: Failure, input: Arc<Source>, span: Span },
    #[error("{object} cannot have defaults as it is: {}", failure.message)]
    Denied { object: String, failure: Failure, input: Arc<Source>, span: Span },
    #[error("{object}: {}", failure.message)]
    NoZone { object: String, failure: Failure, input: Arc<Source>, span: Span },
    #[error("there is nothing to patch")]
    NothingToAdd,
    #[error("none of the objects given has an address space")]
    NoAddresses,
    #[error("none of the objects given has zones with address ranges")]
    NoZones,
    #[error("none of the objects given is judged by a policy")]
    NothingToJudge,
    #[error("there is no Shoot to go to another version of Kubernetes")]
    NothingToUpgrade,
    #[error("none of the objects given has defaults")]
    NothingToDefault,
    #[error("there is no rule `{0}`")]
    UnknownRule(String),
    #[error("there is no schema `{0}`")]
    UnknownSchema(String),
    #[error("several providers have a schema `{name}`: {providers}")]
    AmbiguousSchema { name: String, providers: String },
    #[error(transparent)]
    Schemas(#[from] SchemasError),
    #[error(transparent)]
    Words(#[from] WordsError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Start(#[from] super::runtime::StartError),
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    Render(#[from] super::render::RenderError),
    #[error(transparent)]
    Target(TargetError),
    #[error(transparent)]
    Plan(#[from] super::plan::PlanError),
    #[error(transparent)]
    Apply(#[from] super::apply::ApplyError),
    #[error(transparent)]
    Cloud(#[from] super::cloud::CloudError),
    #[error(transparent)]
    State(#[from] trellis_runner::state::StateError),
    #[error(transparent)]
    StateCommand(#[from] super::state::StateCommandError),
    #[error(transparent)]
    RamPolicy(#[from] super::ram_policy::RamPolicyError),
    #[error(transparent)]
    Serve(#[from] crate::page::ServeError),
    #[cfg(feature = "cluster")]
    #[error(transparent)]
    Run(#[from] super::run::RunCommandError),
    #[cfg(feature = "cluster")]
    #[error(transparent)]
    Scan(#[from] super::scan::ScanCommandError),
    #[cfg(feature = "cluster")]
    #[error(transparent)]
    Admission(#[from] super::admission::AdmissionCommandError),
    #[error(transparent)]
    Simulate(#[from] super::simulate::SimulateError),
}

impl From<NoAnswer> for CommandError {
    fn from(NoAnswer { object, failure, input, span }: NoAnswer) -> Self {
        match failure.code.as_str() {
            Failure::DENIED => Self::Denied { object, failure, input, span },
            Failure::IMPOSSIBLE => Self::NoZone { object, failure, input, span },
            _ => Self::NotJudged { object, failure, input, span },
        }
    }
}

impl From<NoRules> for CommandError {
    fn from(NoRules { provider, failure }: NoRules) -> Self {
        Self::NoRules { provider, failure }
    }
}

impl From<TargetError> for CommandError {
    fn from(error: TargetError) -> Self {
        match error {
            TargetError::NoRules { provider, failure } => Self::NoRules { provider, failure },
            TargetError::NoAnswer(error) => error.into(),
            TargetError::Manifest(error) => error.into(),
            TargetError::Read(error) => error.into(),
            other => Self::Target(other),
        }
    }
}

impl CommandError {
    /// An object about which the policy gave no answer.
    pub(super) fn no_answer(document: &Document, failure: Failure) -> Self {
        NoAnswer::about(document, failure).into()
    }

    /// Whether nobody knows which objects a file has.
    pub(super) fn is_of_file(&self) -> bool {
        match self {
            Self::File { .. } | Self::NoManifests { .. } | Self::TooManyFiles { .. } | Self::Read(_) => true,
            Self::Manifest(error) => matches!(error.problem, ManifestProblem::NoKind),
            _ => false,
        }
    }

    /// How a command ends that meets it.
    pub(super) fn status(&self) -> Status {
        match self {
            // The manifest is wrong, or none yet, and not the call.
            Self::Denied { .. } | Self::Read(ReadError { problem: ReadProblem::Template, .. }) => Status::Rejected,
            _ => Status::Failed,
        }
    }

    /// What the person can do.
    pub(super) fn help(&self) -> Option<String> {
        let text = match self {
            Self::NoInput => "name files, or `-` to read manifests from standard input",
            Self::StdinTwice => "give `-` only once, and name files for the rest",
            Self::File { error, .. } => match error.kind() {
                io::ErrorKind::NotFound => "check the path",
                io::ErrorKind::FileTooLarge => return Some(ReadProblem::TooLarge.help()),
                _ => return None,
            },
            Self::NoManifests { is_recursive: true, .. } => {
                "name the files: manifests end in `.yaml`, `.yml` or `.json`"
            }
            Self::NoManifests { .. } => "name the files, or read the folders within it too with `-R`",
            Self::TooManyFiles { .. } => "name fewer files or folders",
            Self::Read(error) => return Some(error.problem.help()),
            Self::Manifest(error) => return Some(error.problem.help()),
            Self::FactsNotList { .. } | Self::NotAFact { .. } => {
                "write a list of `{ query, answer: { response } }` or `{ query, answer: { error } }`, where `query` is the `id` of \
                 a query that `-o json` shows"
            }
            Self::OpenApi { .. } => {
                "give what `kubectl get --raw /openapi/v3/apis/core.gardener.cloud/v1beta1` prints in the garden"
            }
            Self::NothingOld => "name a file with the object as it was, or leave out `--old`",
            Self::UnknownProvider { meant: Some(meant), .. } => return Some(format!("did you mean `{meant}`?")),
            Self::UnknownProvider { .. } => "name one of these with `--provider`",
            Self::NotJudged { failure, .. } if failure.message.contains("expected a string, found a") => {
                "put quotes around the value: without them it is no text in YAML"
            }
            Self::NotJudged { failure, .. } if failure.code == Failure::MALFORMED => {
                "correct the value at this place"
            }
            Self::NotJudged { .. } => return None,
            Self::Denied { .. } => "`trellis validate` says how to fix it",
            Self::NothingToJudge => {
                "give a Shoot, Seed, BackupBucket, CloudProfile, NamespacedCloudProfile, binding or provider Secret; no rules judge objects \
                 of `extensions.gardener.cloud`, which `trellis plan` takes"
            }
            Self::NothingToUpgrade => "give a Shoot, or leave out `--kubernetes`",
            Self::NothingToDefault => "`trellis rules --provider NAME` lists what a policy fills in",
            Self::NothingToAdd => "name a zone with `--add NAME`",
            Self::NoAddresses => "give a Shoot",
            Self::NoZones => "give a Shoot of a provider whose zones have ranges",
            Self::UnknownRule(_) => "`trellis rules` lists all rules",
            Self::UnknownSchema(_) => "`trellis schema` lists all names",
            Self::AmbiguousSchema { .. } => "choose one with `--provider NAME`",
            Self::Open(error) => return error.help(),
            Self::Render(error) => return error.help(),
            Self::Target(error) => return error.help(),
            Self::Plan(error) => return error.help(),
            Self::Apply(error) => return error.help(),
            Self::Cloud(error) => return error.help(),
            Self::State(error) => return error.help(),
            Self::Start(_) => return None,
            Self::StateCommand(error) => return error.help(),
            Self::RamPolicy(error) => return error.help(),
            Self::Serve(error) => return error.help(),
            #[cfg(feature = "cluster")]
            Self::Run(error) => return error.help(),
            #[cfg(feature = "cluster")]
            Self::Scan(error) => return error.help(),
            #[cfg(feature = "cluster")]
            Self::Admission(error) => return error.help(),
            Self::Simulate(error) => return error.help(),
            Self::Words(WordsError::Missing { .. }) => {
                "copy the file from where the policy comes from, and list its digest in `SHA256SUMS`"
            }
            Self::Refused(_) => "`trellis policies verify` checks every policy",
            Self::Output(_)
            | Self::NoInfo { .. }
            | Self::NoRules { .. }
            | Self::NoZone { .. }
            | Self::Schemas(_)
            | Self::Words(WordsError::Unreadable { .. })
            | Self::Yaml(_) => {
                return None;
            }
        };
        Some(text.to_owned())
    }

    /// The place in the files.
    pub(super) fn place(&self) -> Option<(&Source, Option<Span>)> {
        match self {
            Self::Read(error) => Some((&error.input, error.span)),
            Self::Target(error) => error.place().map(|(input, span)| (input, Some(span))),
            Self::Manifest(error) => Some((&error.input, Some(error.span))),
            Self::Plan(error) => error.place().map(|(input, span)| (input, Some(span))),
            Self::Render(error) => error.place().map(|(input, span)| (input, Some(span))),
            Self::FactsNotList { input, span }
            | Self::NotAFact { input, span }
            | Self::NotJudged { input, span, .. }
            | Self::NoZone { input, span, .. }
            | Self::Denied { input, span, .. } => Some((input, Some(*span))),
            _ => None,
        }
    }
}
