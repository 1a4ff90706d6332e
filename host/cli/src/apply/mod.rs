//! `trellis apply` and `trellis destroy`

mod display;
mod live;
mod progress;
mod result;
mod run;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::cloud::CloudArguments;
use super::consent::ConsentArguments;
use super::failures::{self, Readers};
use super::plan::{self, PlanFindings};
use super::runtime::runtime;
use super::shadow::ShadowArguments;
use super::state::StateDirectoryArguments;
use super::target::{TargetArguments, applied};
use super::{CommandError, Status, Streams};
use run::Application;
use trellis_policies::engine::Engine;
use trellis_policies::file;
use trellis_runner::document::Operation;
use trellis_runner::run::target::RunTarget;
use trellis_runner::state::{SavedPlan, SavedPlanError, SubjectId};

pub(super) use result::refused_line;
pub(super) use result::result_line;

const AFTER_APPLY: &str = "\
Examples:
  trellis apply shoot.yaml cloudprofile.yaml   # asks before it changes anything
  trellis apply shoot.yaml --yes --status status.json
  trellis plan shoot.yaml --out plan.json && trellis apply plan.json
  trellis apply shoot.yaml --cloud real --credentials secret.yaml

Ctrl-C ends the calls in flight, records what they did, and stops; a second
one stops at once. The same command goes on from there.";

/// Bring the cloud to what a manifest wants: the network of a Shoot, a bucket, a backup entry, a DNS record.
///
/// Does nothing where nothing differs.
#[derive(Args, Debug)]
#[command(after_help = AFTER_APPLY)]
pub(super) struct ApplyArguments {
    #[command(flatten)]
    run: ApplicationArguments,
}

/// Delete what a Shoot, a bucket, a backup entry or a DNS record has in the cloud. Resources that others made stay.
#[derive(Args, Debug)]
pub(super) struct DestroyArguments {
    #[command(flatten)]
    run: ApplicationArguments,
}

#[derive(Args, Debug)]
struct ApplicationArguments {
    #[command(flatten)]
    target: TargetArguments,

    #[command(flatten)]
    cloud: CloudArguments,

    #[command(flatten)]
    states: StateDirectoryArguments,

    #[command(flatten)]
    consent: ConsentArguments,

    /// Do not ask.
    #[arg(short, long)]
    yes: bool,

    /// What to write.
    #[arg(short = 'o', long, alias = "output", value_name = "FORMAT", default_value = "human")]
    format: Format,

    /// Write the status of the object to this file, as JSON: `providerStatus`, `state` and `egressCIDRs`.
    #[arg(long, value_name = "FILE")]
    status: Option<PathBuf>,

    #[command(flatten)]
    shadow: ShadowArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The plan, and the progress of its steps.
    Human,
    /// An event a line, the last one with the result.
    Json,
}

/// Why nothing was applied, or not everything.
#[derive(Debug, thiserror::Error)]
pub(super) enum ApplyError {
    #[error("cannot ask for your agreement: there is no terminal")]
    NoTerminal,
    #[error("you did not agree to the plan; nothing was changed")]
    NotAgreed,
    #[error("{0} saved plans are given; one can be carried out at a time")]
    SavedPlans(usize),
    #[error("`{file}`: {error}")]
    SavedPlan { file: String, error: SavedPlanError },
    #[error("{0}")]
    Ended(String),
    #[error("step `{step}` failed: {message}")]
    Step { step: String, message: String, codes: Vec<String> },
    #[error(transparent)]
    Run(#[from] trellis_runner::run::RunError),
    #[error("cannot write `{file}`: {error}")]
    Output { file: String, error: std::io::Error },
    #[error("cannot start: {0}")]
    Start(std::io::Error),
}

impl ApplyArguments {
    pub(super) fn shadow(&self) -> &ShadowArguments {
        &self.run.shadow
    }

    /// Who reads the standard output.
    pub(super) fn readers(&self) -> Readers {
        self.run.readers()
    }

    pub(super) fn run(&self, engine: &Arc<dyn Engine>, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        let (plans, files) = saved_plans(match self.run.target.files() {
            Ok(files) => files,
            Err(errors) => return Ok(failures::failed(&errors, self.readers(), streams)),
        })?;
        let saved = match plans.as_slice() {
            [] => None,
            [_] => plans.into_iter().next(),
            several => return Err(ApplyError::SavedPlans(several.len()).into()),
        };
        let target = match &saved {
            // Files next to a saved plan only show whether the plan still does what they want.
            Some((file, saved)) if files.is_empty() => RunTarget::of_saved(file, saved, self.run.target.now())?,
            _ => match self.run.target.open_files(&files, engine.as_ref(), streams) {
                Ok(target) => target,
                Err(errors) => return Ok(failures::failed(&errors, self.readers(), streams)),
            },
        };
        let operation = match &saved {
            Some((file, saved)) => RunTarget::of_saved(file, saved, self.run.target.now())?.operation(),
            None => target.operation(),
        };
        self.run.carry_out(engine, &target, operation, saved, "trellis apply", streams)
    }
}

impl DestroyArguments {
    pub(super) fn shadow(&self) -> &ShadowArguments {
        &self.run.shadow
    }

    /// Who reads the standard output.
    pub(super) fn readers(&self) -> Readers {
        self.run.readers()
    }

    pub(super) fn run(&self, engine: &Arc<dyn Engine>, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        let target = match self.run.target.open(engine.as_ref(), streams) {
            Ok(target) => target,
            Err(errors) => return Ok(failures::failed(&errors, self.readers(), streams)),
        };
        self.run.carry_out(engine, &target, Operation::Delete, None, "trellis destroy", streams)
    }
}

impl ApplicationArguments {
    fn readers(&self) -> Readers {
        if self.format == Format::Json { Readers::Lines } else { Readers::People }
    }

    fn carry_out(
        &self,
        engine: &Arc<dyn Engine>,
        target: &RunTarget,
        operation: Operation,
        saved: Option<Saved>,
        command: &str,
        streams: &mut Streams<'_>,
    ) -> Result<Status, CommandError> {
        let lock = self.states.directory().lock(target.name(), command)?;
        if let Some(former) = lock.former() {
            streams.say(&format!("going on after {former}, which did not end as it should\n"));
        }
        let identity = SubjectId { cloud: Some(self.cloud.name()), ..target.identity() };
        let recorded = lock.open(identity.clone())?;
        let is_recorded = recorded.document().is_some_and(|document| !document.is_taken_down());
        let before = if is_recorded && operation != Operation::Delete {
            applied(target, &self.states.directory())?
        } else {
            None
        };
        if operation != Operation::Delete
            && saved.is_none()
            && let Some(ruling) = target.admission(engine.as_ref(), before.as_ref(), is_recorded)?
        {
            let reported = PlanFindings::of_rules(target, ruling);
            if reported.forbid() {
                plan::say_applied(before.as_ref(), streams);
                if self.format == Format::Json {
                    streams.print(&refused_line(&reported.into_findings()))?;
                    return Ok(Status::Rejected);
                }
                return plan::refuse(reported, Vec::new(), false, streams);
            }
            reported.say(streams);
        }
        let request = target.request(operation);
        if let Some((file, saved)) = &saved {
            saved
                .check(&identity, &request, recorded.document().as_ref())
                .map_err(|error| ApplyError::SavedPlan { file: file.clone(), error })?;
        }
        let mut consent = self.consent.words();
        let agreed = saved.map(|(_, saved)| {
            consent.extend(saved.consent);
            saved.plan
        });
        if let Some(manifest) = target.manifest().filter(|_| operation != Operation::Delete) {
            recorded.applies(manifest.to_owned());
        }
        let recorded = &recorded;
        let run = Application { arguments: self, engine, target, operation, request, consent, recorded, agreed };
        let runtime = runtime()?;
        let status = runtime.block_on(run.carry_out(streams));
        // Tasks that are left over do not delay the end of the program.
        runtime.shutdown_background();
        status
    }
}

/// A saved plan and its file.
type Saved = (String, SavedPlan);

/// Files that are saved plans, with their contents, and all others.
fn saved_plans(files: Vec<PathBuf>) -> Result<(Vec<Saved>, Vec<PathBuf>), ApplyError> {
    let (mut plans, mut others) = (Vec::new(), Vec::new());
    for path in files {
        // A pipe can be read only once.
        let content = file::open_regular(&path).and_then(|file| file::limited(file, file::MAX_OWN));
        let text = content.and_then(file::text).ok();
        let file = path.display().to_string();
        match text.as_deref().map(SavedPlan::read) {
            Some(Ok(saved)) => plans.push((file, saved)),
            Some(Err(error @ (SavedPlanError::Version { .. } | SavedPlanError::Edited))) => {
                return Err(ApplyError::SavedPlan { file, error });
            }
            _ => others.push(path),
        }
    }
    Ok((plans, others))
}

impl ApplyError {
    /// What the person can do.
    pub(super) fn help(&self) -> Option<String> {
        let text = match self {
            Self::NoTerminal => {
                "look at the plan with `trellis plan`, and add `--yes` to carry it out without a question"
            }
            Self::SavedPlan { .. } => "make a plan again with `trellis plan --out FILE`",
            Self::Step { codes, .. } if !codes.is_empty() => {
                return Some(plan::words(codes).trim_end().to_owned());
            }
            _ => return None,
        };
        Some(text.to_owned())
    }
}
