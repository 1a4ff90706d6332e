//! `trellis plan`

mod codes;
mod error;
mod findings;
mod human;
mod mermaid;

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use tokio::time::Instant;

use super::cloud::{Access, Cloud, CloudArguments, CloudContext};
use super::consent::ConsentArguments;
use super::failures::{self, Readers};
use super::output::{Style, clean, nodes};
use super::runtime::runtime;
use super::shadow::ShadowArguments;
use super::state::StateDirectoryArguments;
use super::target::{TargetArguments, applied};
use super::{CommandError, Status, Streams};
use trellis_policies::answer::Rollout;
use trellis_policies::engine::{Asker, Engine, PolicyThreads};
use trellis_policies::file::{Expected, Output};
use trellis_policies::manifest::Document as Manifest;
use trellis_runner::document::{Operation, Plan, Planning};
use trellis_runner::limits::permit::Permit;
use trellis_runner::plan::event::Event;
use trellis_runner::plan::options::Options;
use trellis_runner::plan::planner::{self, Decision, Observed, Planner};
use trellis_runner::run::metrics::Counter;
use trellis_runner::run::target::RunTarget;
use trellis_runner::run::world::World;
use trellis_runner::run::{Run, RunError};
use trellis_runner::state::{ReadOnly, SavedPlan, StateDocument, StateError, SubjectId};

pub(super) use codes::words;
pub(crate) use error::PlanError;
pub(super) use findings::PlanFindings;
pub(super) use human::sum;

const AFTER_HELP: &str = "\
Exit codes: 0 planned, 1 error; with --detailed-exitcode 2 where something
changes.

Examples:
  trellis plan shoot.yaml cloudprofile.yaml
  trellis plan shoot.yaml --baseline empty      # what will exist; asks no cloud
  trellis plan shoot.yaml --baseline old.yaml   # what an edit changes; asks no cloud
  trellis plan shoot.yaml --out plan.json && trellis apply plan.json
  trellis plan infrastructure.yaml cluster.yaml --cloud real --credentials secret.yaml";

/// Show what would be done to what a Shoot, a bucket, a backup entry or a DNS record has in the cloud, and what that
/// disrupts. Changes nothing.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(super) struct PlanArguments {
    #[command(flatten)]
    target: TargetArguments,

    #[command(flatten)]
    cloud: CloudArguments,

    #[command(flatten)]
    states: StateDirectoryArguments,

    #[command(flatten)]
    consent: ConsentArguments,

    /// What to start from: `observed`, the resources in the cloud; `empty`, nothing; or a file with an older
    /// version, as if that were applied.
    #[arg(long, value_name = "BASELINE", default_value = "observed")]
    baseline: Baseline,

    /// Plan to delete what the object has in the cloud.
    #[arg(long)]
    destroy: bool,

    /// What to write.
    #[arg(short = 'o', long, alias = "output", value_name = "FORMAT", default_value = "human")]
    format: Format,

    /// Save the plan in this file, for `trellis apply`. Another file than a saved plan is not replaced.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Exit with 2 where something changes, nodes included.
    #[arg(long)]
    detailed_exitcode: bool,

    #[command(flatten)]
    shadow: ShadowArguments,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Baseline {
    Observed,
    Empty,
    Older(PathBuf),
}

impl FromStr for Baseline {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "observed" => Self::Observed,
            "empty" => Self::Empty,
            file => Self::Older(PathBuf::from(file)),
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// What an edit does to nodes, disruptions, changes, what is billed, and the calls.
    Human,
    /// The answer of the policy, and what an edit does to nodes.
    Json,
    /// A flowchart of the resources, and which depends on which.
    Mermaid,
}

/// What `--out` may replace.
const SAVED: Expected = Expected { what: "a plan that trellis saved", is_such: SavedPlan::is_saved };

impl PlanArguments {
    pub(super) fn shadow(&self) -> &ShadowArguments {
        &self.shadow
    }

    /// Who reads the standard output.
    pub(super) fn readers(&self) -> Readers {
        if self.format == Format::Json { Readers::Programs } else { Readers::People }
    }

    pub(super) fn run(&self, engine: &Arc<dyn Engine>, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        if self.out.is_some() && self.baseline != Baseline::Observed {
            return Err(PlanError::Preview.into());
        }
        let out = self.out.as_deref().map(|file| Output::new(file, SAVED).map_err(PlanError::save(file)));
        let out = out.transpose()?;
        let target = match self.target.open(engine.as_ref(), streams) {
            Ok(target) => target,
            Err(errors) => return Ok(failures::failed(&errors, self.readers(), streams)),
        };
        let older = match &self.baseline {
            Baseline::Older(file) => match self.target.older(file, &target, engine.as_ref(), streams) {
                Ok(older) => Some(older),
                Err(errors) => return Ok(failures::failed(&errors, self.readers(), streams)),
            },
            Baseline::Observed | Baseline::Empty => None,
        };
        let operation = if self.destroy { Operation::Delete } else { target.operation() };
        let recorded = match self.baseline {
            Baseline::Observed => self.recorded(&target)?,
            Baseline::Empty | Baseline::Older(_) => None,
        };
        let is_recorded = recorded.as_ref().is_some_and(|document| !document.is_taken_down());
        let last = if is_recorded { applied(&target, &self.states.directory())? } else { None };
        let before = older.as_ref().map(RunTarget::document).or(last.as_ref());
        if operation != Operation::Delete
            && let Some(ruling) = target.admission(engine.as_ref(), before, is_recorded)?
        {
            let reported = PlanFindings::of_rules(&target, ruling);
            if reported.forbid() {
                say_applied(last.as_ref(), streams);
                return refuse(reported, Vec::new(), self.format == Format::Json, streams);
            }
            reported.say(streams);
        }
        let rollout = match before {
            Some(before) if operation != Operation::Delete => target.rollout(engine.as_ref(), before)?,
            _ => None,
        };
        let request = target.request(operation);
        let consent = self.consent.words();
        let asker = Asker::new(Arc::clone(engine), target.provider(), PolicyThreads::default());
        let planner = Planner { asker: &asker, request: &request, consent: &consent, waited: false };
        let planning = match (&self.baseline, &older) {
            (Baseline::Observed, _) => self.observe(planner, &target, recorded.as_ref(), out, streams)?,
            (Baseline::Empty, _) => preview(planner, &target, planner::Baseline::Empty)?,
            (Baseline::Older(_), older) => {
                let request = older.as_ref().map_or(&target, |older| older).request(Operation::Reconcile);
                preview(planner, &target, planner::Baseline::Request(&request))?
            }
        };
        self.show((&target, operation), planning, rollout, streams)
    }

    /// The identity of the subject. It names a cloud only where the plan observes one.
    fn identity(&self, target: &RunTarget) -> SubjectId {
        let cloud = matches!(self.baseline, Baseline::Observed).then(|| self.cloud.name());
        SubjectId { cloud, ..target.identity() }
    }

    /// The recorded state.
    fn recorded(&self, target: &RunTarget) -> Result<Option<StateDocument>, StateError> {
        let recorded = self.states.directory().read(target.name())?;
        let identity = self.identity(target);
        recorded.map(|document| document.of(&identity)).transpose()
    }

    /// Plans from the observed cloud and the recorded state, and saves the plan where `--out` asks for that.
    fn observe(
        &self,
        planner: Planner<'_>,
        target: &RunTarget,
        recorded: Option<&StateDocument>,
        out: Option<Output>,
        streams: &mut Streams<'_>,
    ) -> Result<Planning, CommandError> {
        let runtime = runtime()?;
        let store = ReadOnly(recorded.map(|document| document.state.clone()));
        let observed = runtime.block_on(async {
            let wanted = CloudContext {
                provider: target.provider(),
                region: target.region(),
                secret: target.secret(),
                unused: target.unused_secrets(),
                states: self.states.root(),
                access: Access::Read,
            };
            let cloud = self.cloud.open(&wanted, streams).await?;
            let observed = observe_cloud(planner, &cloud, &store).await;
            cloud.close().await?;
            observed.map_err(|error| CommandError::from(PlanError::of_run(target, error)))
        });
        runtime.shutdown_background();
        let Observed { decision, findings, .. } = observed?;
        let (plan, codes) = match decision {
            Decision::Plan(plan) => (Some(*plan), Vec::new()),
            Decision::Withheld(plan, codes) => {
                return Ok(Planning { queries: Vec::new(), plan: Some(*plan), findings, codes });
            }
            Decision::Refused(codes) => (None, codes),
        };
        if let (Some(file), Some(out), Some(plan)) = (&self.out, out, &plan) {
            let request = planner.request.to_owned();
            let saved =
                SavedPlan::new(self.identity(target), request, planner.consent.to_vec(), recorded, plan.clone());
            out.write(&saved.text()).map_err(PlanError::save(file))?;
            streams.say(&format!("saved the plan in `{}`\n", clean(&file.display().to_string())));
        }
        Ok(Planning { queries: Vec::new(), plan, findings, codes })
    }

    /// Prints the plan, or why there is none.
    fn show(
        &self,
        (target, operation): (&RunTarget, Operation),
        planning: Planning,
        rollout: Option<Rollout>,
        streams: &mut Streams<'_>,
    ) -> Result<Status, CommandError> {
        let Planning { plan, findings, codes, .. } = planning;
        let reported = PlanFindings::of_plan(target, findings);
        let Some(plan) = plan else {
            return refuse(reported, codes, self.format == Format::Json, streams);
        };
        let is_withheld = reported.forbid();
        let changes_nodes = rollout.as_ref().is_some_and(|rollout| !rollout.is_empty());
        let is_changed = self.detailed_exitcode && (!plan.is_empty() || changes_nodes);
        if self.format == Format::Json {
            let findings = reported.into_findings();
            let planning = Planning { queries: Vec::new(), plan: Some(plan), findings, codes };
            streams.print(&with_nodes(&planning, rollout.as_ref()))?;
        } else {
            reported.say(streams);
            let has_color = streams.stdout_has_color;
            let sought = operation == Operation::Delete && self.baseline == Baseline::Observed;
            streams.print(&match self.format {
                Format::Mermaid => mermaid::plan(&plan),
                Format::Human | Format::Json => {
                    let nodes = rollout.map(|rollout| nodes::human(&rollout, has_color)).unwrap_or_default();
                    format!("{}\n{nodes}{}", heading(target), human::plan(&plan, sought, changes_nodes, has_color))
                }
            })?;
        }
        Ok(match (is_withheld, is_changed) {
            (true, _) => Status::Rejected,
            (false, true) => Status::Changed,
            (false, false) => Status::Success,
        })
    }
}

/// Observes the cloud and plans; changes nothing.
async fn observe_cloud(planner: Planner<'_>, cloud: &Cloud, store: &ReadOnly) -> Result<Observed, RunError> {
    let run = Run {
        asker: planner.asker.clone(),
        request: planner.request,
        consent: planner.consent,
        store,
        cloud: &World::of_cloud(&cloud.session),
        permit: Permit::unlimited(),
        guard: trellis_runner::plan::guard::Guard::Open,
        listener: &|_: Event| {},
        options: Options::default(),
        counter: Counter::default(),
    };
    run.observe().await
}

/// Asks the policy for a plan that is made without a cloud.
fn preview(
    planner: Planner<'_>,
    target: &RunTarget,
    baseline: planner::Baseline<'_>,
) -> Result<Planning, CommandError> {
    let until = Instant::now() + Options::default().policy_limit;
    let planning = runtime()?.block_on(planner.plan(None, baseline, &[], until));
    let planning = planning.map_err(|failure| PlanError::of(target, failure))?;
    if planning.queries.is_empty() { Ok(planning) } else { Err(PlanError::Queries.into()) }
}

/// The plan as text for people, under a heading that names the subject.
pub(super) fn human(target: &RunTarget, operation: Operation, plan: &Plan, has_color: bool) -> String {
    format!("{}\n{}", heading(target), human::plan(plan, operation == Operation::Delete, false, has_color))
}

/// `Shoot garden-dev/crazy (alicloud, shoot.yaml:4), shoot--dev--crazy in eu-central-1`
fn heading(target: &RunTarget) -> String {
    let document = target.document();
    let (name, line) = (document.input.name(), document.position().line);
    let (id, region) = (target.name(), target.region());
    let place = if region.is_empty() { String::new() } else { format!(" in {region}") };
    let text = format!("{} ({}, {name}:{line}), {id}{place}", document.identity(), target.provider());
    clean(&text) + "\n"
}

/// Prints against which manifest a refused one was judged.
pub(super) fn say_applied(applied: Option<&Manifest>, streams: &mut Streams<'_>) {
    if let Some(applied) = applied {
        let file = clean(applied.input.name());
        streams.say(&format!(
            "judged as an update of the manifest that was applied last, `{file}`; `trellis destroy` ends that\n"
        ));
    }
}

/// Gardener's code of credentials that the cloud refuses.
const UNAUTHENTICATED: &str = "ERR_INFRA_UNAUTHENTICATED";

/// Prints why there is no plan.
pub(super) fn refuse(
    reported: PlanFindings<'_>,
    codes: Vec<String>,
    is_json: bool,
    streams: &mut Streams<'_>,
) -> Result<Status, CommandError> {
    let reported = reported.at_credentials(codes.iter().any(|code| code == UNAUTHENTICATED));
    let text = if is_json {
        pretty(&Planning { findings: reported.into_findings(), codes, ..Planning::default() })
    } else {
        reported.report(&Style::new(streams.stdout_has_color)) + &codes::words(&codes)
    };
    streams.print(&text)?;
    Ok(Status::Rejected)
}

/// The plan for programs, and, where an older version is known, what becomes of the nodes.
fn with_nodes(planning: &Planning, rollout: Option<&Rollout>) -> String {
    // Never fails: all keys are texts.
    let mut answer = serde_json::to_value(planning).unwrap_or_default();
    if let (Some(members), Some(rollout)) = (answer.as_object_mut(), rollout) {
        members.insert("nodes".to_owned(), serde_json::to_value(rollout).unwrap_or_default());
    }
    pretty(&answer)
}

/// A document for programs.
pub(super) fn pretty<T: serde::Serialize>(value: &T) -> String {
    // Never fails: all keys are texts.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
