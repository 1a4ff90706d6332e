//! `trellis plan`

mod findings;
mod human;
mod mermaid;

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

use super::cloud::CloudArguments;
use super::output::{Style, clean};
use super::subject::{Operation, Subject, SubjectArguments};
use super::validate::tell;
use super::{Status, Streams, Trouble};
use crate::answer::{self, Failure};
use crate::engine::{Engine, Function};
use crate::plan::document::{Plan, Planning};

pub(super) use findings::Told;
pub(super) use human::{sum, symbol};

const AFTER_HELP: &str = "\
Exit codes: 0 planned, 1 error; with --detailed-exitcode 2 where something changes.

Examples:
  trellis plan shoot.yaml cloudprofile.yaml
  trellis plan shoot.yaml --baseline empty                  # what will exist; asks no cloud
  trellis plan shoot.yaml --baseline old.yaml               # what an edit changes; asks no cloud
  trellis plan shoot.yaml --out plan.json && trellis apply plan.json
  kubectl get infrastructure,cluster -n shoot--dev--x -o yaml | trellis plan --cloud real";

/// Show what would be done to a Shoot's infrastructure, and what that disrupts. Changes nothing.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    #[command(flatten)]
    subject: SubjectArguments,

    #[command(flatten)]
    cloud: CloudArguments,

    /// What to start from: `observed`, what the cloud tells; `empty`, nothing; or a file with an older version, which is
    /// taken to be carried out.
    #[arg(long, value_name = "BASELINE", default_value = "observed")]
    baseline: Baseline,

    /// Plan to take it down.
    #[arg(long)]
    destroy: bool,

    /// What to write.
    #[arg(short = 'o', long, alias = "output", value_name = "FORMAT", default_value = "human")]
    format: Format,

    /// Save the plan in this file, for `trellis apply`.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Exit with 2 where something changes.
    #[arg(long)]
    detailed_exitcode: bool,
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
    /// Disruptions, changes, what is billed, and the calls.
    Human,
    /// The answer of the policy.
    Json,
    /// A flowchart of what stands on what.
    Mermaid,
}

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub(super) enum PlanError {
    #[error("{object} could not be planned: {}", failure.message)]
    Failed { object: String, failure: Failure },
    #[error("the policy wants to know more of the cloud than a preview tells it")]
    Queries,
}

impl Arguments {
    pub(super) fn run(&self, engine: &dyn Engine, streams: &mut Streams<'_>) -> Result<Status, Trouble> {
        let subject = match self.subject.open(engine, streams) {
            Ok(subject) => subject,
            Err(troubles) => return Ok(failed(&troubles, streams)),
        };
        let older = match &self.baseline {
            Baseline::Older(file) => match self.subject.older(file, &subject, engine, streams) {
                Ok(older) => Some(older),
                Err(troubles) => return Ok(failed(&troubles, streams)),
            },
            Baseline::Observed | Baseline::Empty => None,
        };
        let operation = if self.destroy { Operation::Delete } else { subject.operation() };
        if operation != Operation::Delete
            && let Some(ruling) = subject.admission(engine, older.as_ref())?
        {
            let told = Told::of_rules(&subject, ruling);
            if told.forbid() {
                return self.refuse(told, Vec::new(), streams);
            }
        }
        let planning = match (&self.baseline, &older) {
            (Baseline::Empty, _) => preview(engine, &subject, operation, "\"empty\"")?,
            (_, Some(older)) => preview(engine, &subject, operation, &older.request(older.operation()))?,
            (_, None) => todo!(),
        };
        self.show(&subject, planning, streams)
    }

    /// Tells what was planned, or why there is no plan.
    fn show(&self, subject: &Subject, planning: Planning, streams: &mut Streams<'_>) -> Result<Status, Trouble> {
        let Planning { plan, findings, codes, .. } = planning;
        let Some(plan) = plan else {
            return self.refuse(Told::of_plan(subject, findings), codes, streams);
        };
        let text = match self.format {
            Format::Human => format!("{}\n{}", heading(subject), human::plan(&plan, streams.stdout_has_color)),
            Format::Mermaid => mermaid::plan(&plan),
            Format::Json => return self.print_json(plan, Told::of_plan(subject, findings), codes, streams),
        };
        Told::of_plan(subject, findings).say(streams);
        streams.print(&text)?;
        Ok(self.status(&plan))
    }

    fn print_json(
        &self,
        plan: Plan,
        told: Told<'_>,
        codes: Vec<String>,
        streams: &mut Streams<'_>,
    ) -> Result<Status, Trouble> {
        let status = self.status(&plan);
        let planning = Planning { queries: Vec::new(), plan: Some(plan), findings: told.into_findings(), codes };
        streams.print(&pretty(&planning))?;
        Ok(status)
    }

    fn status(&self, plan: &Plan) -> Status {
        if self.detailed_exitcode && !plan.is_empty() { Status::Changed } else { Status::Success }
    }

    fn refuse(&self, told: Told<'_>, codes: Vec<String>, streams: &mut Streams<'_>) -> Result<Status, Trouble> {
        let text = match self.format {
            Format::Json => pretty(&Planning { findings: told.into_findings(), codes, ..Planning::default() }),
            Format::Human | Format::Mermaid => {
                let codes = if codes.is_empty() { String::new() } else { format!("{}\n", codes.join(" ")) };
                told.report(&Style::new(streams.stdout_has_color)) + &codes
            }
        };
        streams.print(&text)?;
        Ok(Status::Rejected)
    }
}

/// `Shoot garden-dev/crazy (alicloud, shoot.yaml:4), shoot--dev--crazy in eu-central-1`
pub(super) fn heading(subject: &Subject) -> String {
    let document = subject.document();
    let (name, line) = (document.input.name(), document.position().line);
    let (id, region) = (subject.technical_id(), subject.region());
    let text = format!("{} ({}, {name}:{line}), {id} in {region}", document.identity(), subject.provider());
    clean(&text) + "\n"
}

/// Asks the policy for a plan that is made without a cloud.
fn preview(
    engine: &dyn Engine,
    subject: &Subject,
    operation: Operation,
    baseline: &str,
) -> Result<Planning, Trouble> {
    let request = format!("{{\"request\":{},\"baseline\":{baseline}}}", subject.request(operation));
    let failed = |failure: Failure| Trouble::from(PlanError::of(subject, failure));
    let answer = engine.call(subject.provider(), Function::Plan, &request);
    let planning: Planning =
        answer.map_err(Failure::from).and_then(|answer| answer::read(&answer)).map_err(failed)?;
    if planning.queries.is_empty() { Ok(planning) } else { Err(PlanError::Queries.into()) }
}

impl PlanError {
    pub(super) fn of(subject: &Subject, failure: Failure) -> Self {
        Self::Failed { object: subject.document().identity().to_string(), failure }
    }
}

/// Says all troubles; these commands fail with 1, as 2 tells of changes.
pub(super) fn failed(troubles: &[Trouble], streams: &mut Streams<'_>) -> Status {
    tell(troubles, streams).min(Status::Rejected)
}

fn pretty<T: serde::Serialize>(value: &T) -> String {
    // Never fails: all keys are texts.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
