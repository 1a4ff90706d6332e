//! `trellis scan`

mod causes;
mod lines;
mod table;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use jiff::Timestamp;

use causes::Causes;

use super::fail_on::FailOn;
use super::garden::GardenArguments;
use super::notes::show_errors;
use super::output::scope;
use super::session::unknown_provider;
use super::{CommandError, Status, Streams};
use trellis_kubernetes::controller::runtime::client::{Access, ClientError};
use trellis_kubernetes::metrics::Metrics;
use trellis_kubernetes::scan::judge::{Outcome, Scanned};
use trellis_kubernetes::scan::kinds::{KINDS, Kind};
use trellis_kubernetes::scan::pages::{List, ReadError};
use trellis_kubernetes::scan::tally::Tally;
use trellis_kubernetes::scan::{Event, Options, scan};
use trellis_policies::answer::Failure;
use trellis_policies::engine::Engine;
use trellis_policies::judge::{Policies, Target};
use trellis_policies::manifest::Identity;

const AFTER_HELP: &str = "\
Examples:
  trellis scan                                       # every object of the garden that the kubeconfig leads to
  trellis scan --namespace garden-dev --kind Shoot   # the Shoots of a project
  trellis scan -o json > scan.ndjson                 # every finding, an object a line";

/// Judge every object of a garden, before admission does, and change nothing.
///
/// Each object is judged by the rules of its provider, as an update of itself: what the next change of the object
/// meets. Secrets and bindings are judged as new ones. Trellis reads the objects by page, and what they refer to.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(super) struct ScanArguments {
    /// The kubeconfig of the garden; else `$KUBECONFIG`, the pod's own, or the home folder's.
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,

    /// Judge the objects of this namespace alone.
    #[arg(short, long, value_name = "NAME")]
    namespace: Option<String>,

    /// Judge the objects of this provider alone.
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,

    /// Judge objects of this kind alone; may be repeated.
    #[arg(long, value_name = "KIND", value_parser = kind)]
    kind: Vec<&'static Kind>,

    /// Judge the objects as new ones.
    ///
    /// Without this, rules for creation alone leave the objects out, but for Secrets and bindings.
    #[arg(long)]
    create: bool,

    /// Judge by Gardener's own rules too, which the garden's API server applies to every change.
    #[arg(long)]
    gardener: bool,

    /// Say what must change before each Shoot goes to this version of Kubernetes: `1.35`, or `1.35.2`. Gardener's
    /// own rules count too.
    #[arg(long, value_name = "VERSION", conflicts_with_all = ["create", "kind"])]
    kubernetes: Option<Target>,

    #[command(flatten)]
    garden: GardenArguments,

    /// The most objects that the API server is asked for at a time.
    #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1000))]
    page_size: u32,

    /// How to show the results.
    #[arg(short, long, value_name = "FORMAT", default_value = "table")]
    output: Format,

    #[command(flatten)]
    fail_on: FailOn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Errors and warnings by cause, then tables with the sums.
    Table,
    /// An object a line, the last one with the sums.
    Json,
}

/// A kind by its name, in any case, or by the name of its objects: `shoots`.
fn kind(text: &str) -> Result<&'static Kind, String> {
    let is_named =
        |kind: &&Kind| text.eq_ignore_ascii_case(kind.name()) || text.eq_ignore_ascii_case(kind.resource.plural);
    let names = || KINDS.iter().map(Kind::name).collect::<Vec<_>>().join(", ");
    KINDS.iter().find(is_named).ok_or_else(|| format!("there are {}", names()))
}

/// Why a scan, or a part of it, failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum ScanCommandError {
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error("the process cannot start: {0}")]
    Start(std::io::Error),
    #[error("{what} cannot be read{}: {error}", if *.read > 0 { format!(" after the first {read}") } else { String::new() })]
    Unread { what: String, read: u64, error: ReadError },
    #[error("{object} could not be judged: {}", failure.message)]
    NotJudged { object: Identity, failure: Failure },
    #[error("nothing was judged: {found}")]
    Nothing { found: String },
}

impl ScanCommandError {
    /// What to do about it.
    pub(super) fn help(&self) -> Option<String> {
        let text = match self {
            Self::Unread { error: ReadError::NotFound, .. } => {
                "is this the API server of a garden? `kubectl api-resources --api-group core.gardener.cloud` shows it"
            }
            Self::Unread { error: ReadError::Refused { status: 401 | 403, .. }, .. } => {
                "let the user of the kubeconfig list these objects, or leave them out with `--kind` and `--namespace`"
            }
            Self::Unread { .. } => "scan again",
            Self::Nothing { .. } => {
                "this says nothing of what admission will refuse: check that the kubeconfig leads to the garden, that its user sees \
                 all namespaces, and that `--namespace`, `--provider` and `--kind` are what you mean"
            }
            Self::Client(_) | Self::Start(_) | Self::NotJudged { .. } => return None,
        };
        Some(text.to_owned())
    }

    /// The failure that a policy reported.
    pub(super) fn failure(&self) -> Option<&Failure> {
        match self {
            Self::NotJudged { failure, .. } => Some(failure),
            _ => None,
        }
    }
}

/// What a scan came to.
struct Report {
    tally: Tally,
    /// How many lists could not be read to their end.
    unread: u64,
    /// What is wrong with objects, by cause.
    causes: Causes,
    /// What went wrong apart from single objects.
    errors: Vec<CommandError>,
    /// What the verdicts cover, in words.
    scope: Option<String>,
}

impl ScanArguments {
    pub(super) fn run(&self, engine: &dyn Engine, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        let known = engine.providers();
        if let Some(name) = self.provider.as_ref().filter(|name| !known.contains(name)) {
            return Err(unknown_provider(name, &known));
        }
        let garden = self.garden.read()?;
        let policies = Policies::load(engine)?;
        let options = Options {
            kinds: match (&self.kubernetes, self.kind.as_slice()) {
                (Some(_), _) => KINDS.iter().filter(|kind| kind.name() == "Shoot").collect(),
                (None, []) => KINDS.iter().collect(),
                (None, kinds) => kinds.to_vec(),
            },
            namespace: self.namespace.clone(),
            provider: self.provider.clone(),
            creates: self.create,
            asks_gardener: self.gardener || self.kubernetes.is_some() || garden.is_reported(),
            kubernetes: self.kubernetes.clone(),
            garden,
            page: self.page_size,
            now: Timestamp::now().to_string(),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(ScanCommandError::Start)?;
        let report = runtime.block_on(self.scan(&policies, &options, streams))?;
        let text = match self.output {
            Format::Table => report.causes.text(streams.stdout_has_color) + &table::sums(&report),
            Format::Json => lines::result(&report),
        };
        streams.print(&text)?;
        if self.output == Format::Table {
            table::show_rest(&report, streams);
        }
        Ok(show_errors(&report.errors, streams).max(self.status(&report)))
    }

    async fn scan(
        &self,
        policies: &Policies<'_>,
        options: &Options,
        streams: &mut Streams<'_>,
    ) -> Result<Report, CommandError> {
        let access = Access { kubeconfig: self.kubeconfig.clone(), master: None };
        let client = access.client(&Metrics::new()).await.map_err(ScanCommandError::from)?;
        let (mut tally, mut causes, mut errors) = (Tally::default(), Causes::default(), Vec::new());
        // Objects of the list that is being read.
        let mut read = 0;
        let mut current = String::new();
        scan(client, policies, options, |event| {
            match event {
                Event::Object(scanned) => {
                    if current != scanned.identity.kind {
                        current.clone_from(&scanned.identity.kind);
                        read = 0;
                    }
                    read += 1;
                    tally.add(scanned);
                    if let Outcome::Judged(judged) = &scanned.outcome {
                        causes.add(judged);
                    }
                    self.show_object(scanned, streams)?;
                }
                Event::Unread(list, error) => {
                    let read = if current == list.kind.name() { read } else { 0 };
                    let error = ScanCommandError::Unread { what: what(list), read, error: error.clone() };
                    let error = CommandError::from(error);
                    if self.output == Format::Json {
                        streams.print(&lines::error(None, &error))?;
                    }
                    errors.push(error);
                }
            }
            Ok::<_, CommandError>(())
        })
        .await?;
        let unread = errors.len() as u64;
        let all = tally.all();
        if all.judged() == 0 {
            let found = match (all.objects, unread) {
                (0, 0) => "there is no object that a policy could judge".to_owned(),
                (0, _) => "no object could be read".to_owned(),
                (objects, _) => format!("no policy judges any of the {objects} objects that were read"),
            };
            errors.push(ScanCommandError::Nothing { found }.into());
        }
        let are_all_accepted = all.accepted == all.objects && errors.is_empty();
        let scope = scope(tally.scopes(), are_all_accepted);
        Ok(Report { tally, unread, causes, errors, scope })
    }

    /// Reports what became of an object, as far as somebody wants to read that now.
    fn show_object(&self, scanned: &Scanned, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let failed = |failure: &Failure| {
            let object = scanned.identity.clone();
            CommandError::from(ScanCommandError::NotJudged { object, failure: failure.clone() })
        };
        match (self.output, &scanned.outcome) {
            // Table and causes come at the end.
            (Format::Table, Outcome::Judged(_) | Outcome::Skipped(_)) => Ok(()),
            (Format::Table, Outcome::Failed(failure)) => {
                show_errors(&[failed(failure)], streams);
                Ok(())
            }
            (Format::Json, Outcome::Judged(judged)) => streams.print(&lines::judged(judged)),
            (Format::Json, Outcome::Skipped(why)) => streams.print(&lines::skipped(&scanned.identity, why)),
            (Format::Json, Outcome::Failed(failure)) => {
                streams.print(&lines::error(Some(&scanned.identity), &failed(failure)))
            }
        }
    }

    fn status(&self, report: &Report) -> Status {
        let all = report.tally.all();
        let is_open = !report.tally.undecided.is_empty();
        match () {
            () if all.failed > 0 => Status::Failed,
            () if all.rejected > 0 => Status::Rejected,
            () if self.fail_on.undecided() && (is_open || all.undecided > 0) => Status::Rejected,
            () if self.fail_on.warnings() && all.warned > 0 => Status::Rejected,
            () => Status::Success,
        }
    }
}

/// Objects of a list, in words.
fn what(List { kind, namespace, provider }: &List) -> String {
    let of_provider = provider.as_ref().map(|provider| format!(" of `{provider}`")).unwrap_or_default();
    let place = if namespace.is_empty() { String::new() } else { format!(" in the namespace `{namespace}`") };
    format!("{}{of_provider}{place}", kind.many())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_named_as_people_name_it() {
        for (text, expected) in [
            ("Shoot", Some("Shoot")),
            ("shoots", Some("Shoot")),
            ("cloudprofile", Some("CloudProfile")),
            ("Pod", None),
        ] {
            assert_eq!(kind(text).ok().map(Kind::name), expected, "{text}");
        }
        assert!(kind("Pod").unwrap_err().contains("CredentialsBinding"));
    }
}
