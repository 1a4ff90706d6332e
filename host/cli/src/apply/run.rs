//! One run: Trellis observes the cloud, the person agrees to the plan, Trellis carries the plan out.

use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::time::MissedTickBehavior;

use super::display::Display;
use super::result::result_line;
use super::{ApplicationArguments, ApplyError, Format};
use crate::cloud::{Access, Cloud, CloudContext};
use crate::notes::show_errors;
use crate::output::count;
use crate::plan::{self, PlanError, PlanFindings};
use crate::stop::Interrupts;
use crate::{CommandError, Status, Streams};
use trellis_policies::engine::{Asker, Engine, PolicyThreads};
use trellis_policies::file::{Expected, Output};
use trellis_policies::source::read_own;
use trellis_runner::document::{Consent, Operation, Plan, SubjectStatus};
use trellis_runner::limits::lease::LeaseSignal;
use trellis_runner::limits::permit::Permit;
use trellis_runner::limits::stop::{Stop, Stopper, stop};
use trellis_runner::plan::StepFailure;
use trellis_runner::plan::event::Event;
use trellis_runner::plan::event::{Calls, Ending};
use trellis_runner::plan::options::Options;
use trellis_runner::plan::planner::Decision;
use trellis_runner::plan::reconcile::Report;
use trellis_runner::run::metrics::Counter;
use trellis_runner::run::target::RunTarget;
use trellis_runner::run::world::World;
use trellis_runner::run::{Run, RunError};
use trellis_runner::state::{LastRun, Recorded};

/// What `--status` may replace.
const STATUS: Expected = Expected { what: "a status that trellis wrote", is_such: SubjectStatus::is_status };

/// How often a terminal shows that time passes.
const TICK: Duration = Duration::from_millis(250);

/// A run of `trellis apply` or `trellis destroy`, with what its person sees of it.
pub(super) struct Application<'r> {
    pub(super) arguments: &'r ApplicationArguments,
    pub(super) engine: &'r Arc<dyn Engine>,
    pub(super) target: &'r RunTarget,
    pub(super) operation: Operation,
    pub(super) request: Box<RawValue>,
    pub(super) consent: Vec<Consent>,
    pub(super) recorded: &'r Recorded<'r>,
    /// The saved plan, to which the person agreed before.
    pub(super) agreed: Option<Plan>,
}

impl Application<'_> {
    pub(super) async fn carry_out(self, streams: &mut Streams<'_>) -> Result<Status, CommandError> {
        let wanted = CloudContext {
            provider: self.target.provider(),
            region: self.target.region(),
            secret: self.target.secret(),
            unused: self.target.unused_secrets(),
            states: self.arguments.states.root(),
            access: Access::Change,
        };
        let file = self.arguments.status.as_deref();
        let output = file.map(|file| Output::new(file, STATUS).map_err(|error| unwritten(file, error)));
        let output = output.transpose()?;
        let cloud = self.arguments.cloud.open(&wanted, streams).await?;
        let status = self.on(&cloud, output, streams).await;
        cloud.close().await?;
        status
    }

    async fn on(
        &self,
        cloud: &Cloud,
        output: Option<Output>,
        streams: &mut Streams<'_>,
    ) -> Result<Status, CommandError> {
        let (sender, events) = mpsc::unbounded_channel();
        let listener = move |event| {
            // The receiver may be gone.
            let _ = sender.send(event);
        };
        let (stopper, stop) = stop();
        let run = Run {
            asker: Asker::new(Arc::clone(self.engine), self.target.provider(), PolicyThreads::default()),
            request: &self.request,
            consent: &self.consent,
            store: self.recorded,
            cloud: &World::of_cloud(&cloud.session),
            permit: Permit { stop, lease_signal: LeaseSignal::unlimited() },
            guard: trellis_runner::plan::guard::Guard::Open,
            listener: &listener,
            options: Options::default(),
            counter: Counter::default(),
        };
        let display = Display::new(self.arguments.format, streams);
        let mut watch = Watch { display, events, stopper, interrupts: None, failed: None };
        let mut agreed = self.agreed.clone();
        let mut observed = None;
        if let Some(plan) = &agreed {
            // The run compares the plan with what it observes.
            self.show(plan, streams)?;
        } else {
            let seen = watch.during(run.observe(), streams).await;
            if let Some(failed) = watch.failed {
                return Err(failed);
            }
            let seen = seen.map_err(|error| self.unobserved(error))?;
            match &seen.decision {
                Decision::Plan(plan) => {
                    self.show(plan, streams)?;
                    if !plan.is_empty() && !self.arguments.yes {
                        self.ask(streams)?;
                        // The person may have answered late: the run observes the cloud again, which must be as it
                        // was.
                        agreed = Some((**plan).clone());
                    }
                }
                Decision::Withheld(plan, _) => self.show(plan, streams)?,
                Decision::Refused(_) => {}
            }
            observed = Some(seen).filter(|_| agreed.is_none());
        }
        watch.interrupts = Some(Interrupts::new().map_err(ApplyError::Start)?);
        let report =
            watch.during(run.carry_out(observed, agreed.as_ref()), streams).await.map_err(ApplyError::from)?;
        watch.end(streams);
        self.finish(report, output, watch.failed, streams)
    }

    fn unobserved(&self, error: RunError) -> CommandError {
        match error {
            RunError::Observe(error) => PlanError::unobserved(self.target, error).into(),
            other => ApplyError::from(other).into(),
        }
    }

    /// Shows what will be done.
    fn show(&self, plan: &Plan, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        match self.arguments.format {
            Format::Json => Ok(()),
            Format::Human => {
                streams.show(&plan::human(self.target, self.operation, plan, streams.stdout_has_color))
            }
        }
    }

    /// Asks the person to agree.
    fn ask(&self, streams: &mut Streams<'_>) -> Result<(), ApplyError> {
        if !streams.stdin_is_terminal || self.arguments.format == Format::Json {
            return Err(ApplyError::NoTerminal);
        }
        let question = match self.operation {
            Operation::Delete => "Destroy this? Only `yes` is taken for an answer: ",
            Operation::Reconcile | Operation::Restore | Operation::Migrate => {
                "Do this? Only `yes` is taken for an answer: "
            }
        };
        streams.say(question);
        let mut answer = String::new();
        let _ = streams.stdin.read_line(&mut answer);
        if answer.trim() == "yes" { Ok(()) } else { Err(ApplyError::NotAgreed) }
    }

    /// Prints and records how the run ended. `failed` is the error that ended the output, where one did.
    fn finish(
        &self,
        report: Report,
        output: Option<Output>,
        failed: Option<CommandError>,
        streams: &mut Streams<'_>,
    ) -> Result<Status, CommandError> {
        let done = report.ending == Ending::Done;
        let last = LastRun {
            at: Timestamp::now(),
            operation: self.operation.name().to_owned(),
            ending: report.ending.to_string(),
            done,
        };
        let kept = match &report.ending {
            // Nothing was begun.
            Ending::Refused | Ending::Stale if report.plans == 0 => Ok(()),
            _ if report.state.is_none() => Ok(()),
            _ => self.recorded.finish(last, report.written),
        };
        let mut errors: Vec<CommandError> = kept.err().into_iter().map(CommandError::from).collect();
        if let (Some(file), Some(output), Ok(status)) = (&self.arguments.status, output, &report.status)
            && let Err(error) = output.write(&plan::pretty(status))
        {
            errors.push(unwritten(file, error).into());
        }
        let shown = match (failed, self.arguments.format) {
            (Some(failed), _) => Err(failed),
            (None, Format::Json) => streams.show(&result_line(&report, None)),
            (None, Format::Human) if done => self.show_done(&report, streams),
            (None, Format::Human) => Ok(()),
        };
        errors.extend(shown.err());
        if let Err(failure) = report.status
            && done
        {
            errors.push(PlanError::of(self.target, failure).into());
        }
        let status = if done { Status::Success } else { Status::Rejected };
        if self.arguments.format == Format::Json {
            return Ok(show_all(&errors, streams).max(status));
        }
        if report.ending == Ending::Refused {
            let status = show_all(&errors, streams);
            let reported = PlanFindings::of_plan(self.target, report.findings);
            return Ok(plan::refuse(reported, report.codes, false, streams)?.max(status));
        }
        PlanFindings::of_plan(self.target, report.findings).say(streams);
        for StepFailure { step, message, codes, .. } in report.failed {
            errors.push(ApplyError::Step { step, message, codes }.into());
        }
        if !done {
            errors.push(ApplyError::Ended(report.ending.to_string()).into());
        }
        Ok(show_all(&errors, streams).max(status))
    }

    /// Prints the number of calls and the status of the object.
    fn show_done(&self, report: &Report, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let Calls { observe, steps, closing } = report.calls;
        if report.plans > 0 {
            let (calls, requests) = (count(report.steps, "call"), observe + steps + closing);
            streams.show(&format!(
                "Done: {calls} made, with {requests} requests in all: {observe} to look, {steps} to make the calls and \
                 wait for their effects, {closing} to look again.\n"
            ))?;
        }
        match &report.status {
            Ok(status) if self.operation != Operation::Delete => streams.show(&status_text(status)?),
            _ => Ok(()),
        }
    }
}

fn unwritten(file: &Path, error: std::io::Error) -> ApplyError {
    ApplyError::Output { file: file.display().to_string(), error }
}

/// The status without the state, as YAML.
fn status_text(status: &SubjectStatus) -> Result<String, CommandError> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Shown<'s> {
        #[serde(skip_serializing_if = "Option::is_none")]
        provider_status: Option<&'s RawValue>,
        #[serde(rename = "egressCIDRs", skip_serializing_if = "Option::is_none")]
        egress_cidrs: Option<&'s [String]>,
    }
    let shown =
        Shown { provider_status: status.provider_status.as_deref(), egress_cidrs: status.egress_cidrs.as_deref() };
    let mut text = String::new();
    for node in read_own(&plan::pretty(&shown)) {
        text.push_str(&node.to_yaml()?);
    }
    Ok(if text.trim() == "{}" { String::new() } else { format!("\n{text}") })
}

fn show_all(errors: &[CommandError], streams: &mut Streams<'_>) -> Status {
    show_errors(errors, streams).min(Status::Rejected)
}

/// Prints events, and waits for interrupts.
struct Watch {
    display: Display,
    events: UnboundedReceiver<Event>,
    stopper: Stopper,
    /// Absent as long as Ctrl-C may end the process at once.
    interrupts: Option<Interrupts>,
    /// The error that ended the output, where one did.
    failed: Option<CommandError>,
}

impl Watch {
    /// Waits for some work, and prints its events. Where the output fails, the work still goes on until it ends by
    /// itself.
    async fn during<T>(&mut self, work: impl Future<Output = T>, streams: &mut Streams<'_>) -> T {
        let mut work = pin!(work);
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let mut asked = 0_u32;
        loop {
            tokio::select! {
                biased;
                () = interrupted(&mut self.interrupts) => {
                    asked += 1;
                    self.stopper.stop(if asked == 1 { Stop::Gracefully } else { Stop::AtOnce });
                    self.end(streams);
                    streams.say(if asked == 1 {
                        "ending the calls in flight and recording what they did; once more to stop at once\n"
                    } else {
                        "stopping at once\n"
                    });
                }
                Some(event) = self.events.recv() => self.show(|display, streams| display.show(&event, streams), streams),
                result = &mut work => {
                    while let Ok(event) = self.events.try_recv() {
                        self.show(|display, streams| display.show(&event, streams), streams);
                    }
                    return result;
                }
                _ = ticks.tick(), if self.display.is_live() => self.show(Display::tick, streams),
            }
        }
    }

    /// Ends the display of the steps that are under way.
    fn end(&mut self, streams: &mut Streams<'_>) {
        self.show(Display::end, streams);
    }

    /// Prints something. Where that fails, nobody sees what the run does, and the run begins no more calls.
    fn show(
        &mut self,
        something: impl FnOnce(&mut Display, &mut Streams<'_>) -> Result<(), CommandError>,
        streams: &mut Streams<'_>,
    ) {
        if self.failed.is_none()
            && let Err(failed) = something(&mut self.display, streams)
        {
            self.stopper.stop(Stop::Gracefully);
            streams.say("nothing can be shown any more; ending the calls in flight and recording what they did\n");
            self.failed = Some(failed);
        }
    }
}

/// Ends at the next interrupt, or never where interrupts end the process.
async fn interrupted(interrupts: &mut Option<Interrupts>) {
    match interrupts {
        Some(interrupts) => interrupts.next().await,
        None => std::future::pending().await,
    }
}
