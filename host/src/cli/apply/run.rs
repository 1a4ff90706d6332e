//! One run: the cloud is looked at, the person agrees, the plan is carried out.

use std::fs;
use std::pin::pin;
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::time::MissedTickBehavior;

use super::display::Display;
use super::interrupt::Interrupts;
use super::result::result_line;
use super::{ApplyError, Format, RunArguments};
use crate::cli::cloud::{Cloud, Wanted};
use crate::cli::output::count;
use crate::cli::plan::{self, PlanError, Told};
use crate::cli::subject::{Operation, Subject};
use crate::cli::validate::tell;
use crate::cli::{Status, Streams, Trouble};
use crate::engine::Engine;
use crate::plan::StepFailure;
use crate::plan::document::{InfrastructureStatus, Plan};
use crate::plan::event::Event;
use crate::plan::planner::{Consent, Decision, Planner};
use crate::plan::reconcile::{Calls, Ending, Reconciler, Report};
use crate::plan::runner::{Options, Runner};
use crate::plan::stop::{Stop, Stopper, stop};
use crate::source::read_own;
use crate::state::{Last, Recorded};
use crate::transport::{CallFailure, Transport};

/// How often a terminal shows that time passes.
const TICK: Duration = Duration::from_millis(250);

/// What is to be carried out.
pub(super) struct Run<'r> {
    pub(super) arguments: &'r RunArguments,
    pub(super) engine: &'r dyn Engine,
    pub(super) subject: &'r Subject,
    pub(super) operation: Operation,
    pub(super) request: Box<RawValue>,
    pub(super) consent: Vec<Consent>,
    pub(super) recorded: &'r Recorded<'r>,
    /// The plan that was agreed to before.
    pub(super) agreed: Option<Plan>,
}

impl Run<'_> {
    pub(super) async fn carry_out(self, streams: &mut Streams<'_>) -> Result<Status, Trouble> {
        let wanted = Wanted {
            region: self.subject.region(),
            secret: self.subject.secret(),
            states: self.arguments.states.root(),
        };
        let cloud = self.arguments.cloud.open(&wanted, streams).await?;
        let status = self.on(&cloud, streams).await;
        cloud.close().await?;
        status
    }

    async fn on(&self, cloud: &Cloud, streams: &mut Streams<'_>) -> Result<Status, Trouble> {
        let (sender, events) = mpsc::unbounded_channel();
        let listener = move |event| {
            // Nobody may be left to hear of it.
            let _ = sender.send(event);
        };
        let planner = Planner {
            engine: self.engine,
            provider: self.subject.provider(),
            request: &self.request,
            consent: &self.consent,
        };
        let classify = |failure: &CallFailure| planner.classify(failure);
        let (stopper, signal) = stop();
        let runner: Runner<'_, Transport> = Runner {
            cloud: &cloud.transport,
            classify: &classify,
            listener: &listener,
            stop: signal,
            options: Options::default(),
        };
        let reconciler = Reconciler { planner, runner: &runner, store: self.recorded };
        let mut watch = Watch { display: Display::new(self.arguments.format, streams), events, stops: None };
        let state = self.recorded.state();
        let observed = if let Some(plan) = &self.agreed {
            // It is compared with what is observed then.
            self.show(plan, streams)?;
            None
        } else {
            let observed = watch.during(reconciler.observe(state.as_ref()), streams).await?;
            let observed = observed.map_err(|error| PlanError::unobserved(self.subject, error))?;
            match &observed.decision {
                Decision::Plan(plan) => {
                    self.show(plan, streams)?;
                    if !plan.is_empty() {
                        self.ask(streams)?;
                    }
                }
                Decision::Withheld(plan, _) => self.show(plan, streams)?,
                Decision::Refused(_) => {}
            }
            Some(observed)
        };
        watch.stops = Some((Interrupts::new().map_err(ApplyError::Start)?, stopper));
        let run = reconciler.reconcile(state, observed, self.agreed.as_ref());
        let report = watch.during(run, streams).await?.map_err(ApplyError::from)?;
        watch.display.end(streams)?;
        self.finish(report, streams)
    }

    /// Shows what will be done.
    fn show(&self, plan: &Plan, streams: &mut Streams<'_>) -> Result<(), Trouble> {
        match self.arguments.format {
            Format::Json => Ok(()),
            Format::Human => streams.print(&plan::human(self.subject, plan, streams.stdout_has_color)),
        }
    }

    /// Asks whether it shall be done.
    fn ask(&self, streams: &mut Streams<'_>) -> Result<(), ApplyError> {
        if self.arguments.yes {
            return Ok(());
        }
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

    /// Tells how it ended, and records it.
    fn finish(&self, report: Report, streams: &mut Streams<'_>) -> Result<Status, Trouble> {
        let done = report.ending == Ending::Done;
        let last = Last {
            at: Timestamp::now(),
            operation: self.operation.name().to_owned(),
            ending: report.ending.to_string(),
            done,
        };
        let kept = match &report.ending {
            // Nothing was begun.
            Ending::Refused | Ending::Stale => Ok(()),
            _ if report.state.is_none() => Ok(()),
            _ => self.recorded.finish(last, report.written),
        };
        let mut troubles: Vec<Trouble> = kept.err().into_iter().map(Trouble::from).collect();
        if let (Some(file), Ok(status)) = (&self.arguments.status, &report.status)
            && let Err(error) = fs::write(file, plan::pretty(status))
        {
            troubles.push(ApplyError::Output { file: file.display().to_string(), error }.into());
        }
        match self.arguments.format {
            Format::Json => {
                streams.print(&result_line(&report, None))?;
            }
            Format::Human if done => self.tell_done(&report, streams)?,
            Format::Human => {}
        }
        if let Err(failure) = report.status
            && done
        {
            troubles.push(PlanError::of(self.subject, failure).into());
        }
        let status = if done { Status::Success } else { Status::Rejected };
        if self.arguments.format == Format::Json {
            return Ok(tell_all(&troubles, streams).max(status));
        }
        if report.ending == Ending::Refused {
            let told = Told::of_plan(self.subject, report.findings);
            return plan::refuse(told, report.codes, false, streams);
        }
        Told::of_plan(self.subject, report.findings).say(streams);
        for StepFailure { step, message, codes, .. } in report.failed {
            troubles.push(ApplyError::Step { step, message, codes }.into());
        }
        if !done {
            troubles.push(ApplyError::Ended(report.ending.to_string()).into());
        }
        Ok(tell_all(&troubles, streams).max(status))
    }

    /// The calls that it took, and the status of what is there now.
    fn tell_done(&self, report: &Report, streams: &mut Streams<'_>) -> Result<(), Trouble> {
        let Calls { observe, steps, closing } = report.calls;
        if report.plans > 0 {
            let calls = count(usize::try_from(observe + steps + closing).unwrap_or(usize::MAX), "call");
            streams.print(&format!(
                "Done, with {calls}: {observe} to look, {steps} to change, {closing} to look again.\n"
            ))?;
        }
        match &report.status {
            Ok(status) if self.operation != Operation::Delete => streams.print(&status_text(status)?),
            _ => Ok(()),
        }
    }
}

/// The status without the state, as YAML.
fn status_text(status: &InfrastructureStatus) -> Result<String, Trouble> {
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

fn tell_all(troubles: &[Trouble], streams: &mut Streams<'_>) -> Status {
    tell(troubles, streams).min(Status::Rejected)
}

/// Shows what happens, and hears whether somebody wants an end.
struct Watch {
    display: Display,
    events: UnboundedReceiver<Event>,
    stops: Option<(Interrupts, Stopper)>,
}

impl Watch {
    /// Does something, and shows what happens meanwhile.
    async fn during<T>(&mut self, work: impl Future<Output = T>, streams: &mut Streams<'_>) -> Result<T, Trouble> {
        let mut work = pin!(work);
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let mut asked = 0_u32;
        loop {
            let Self { display, events, stops } = self;
            tokio::select! {
                biased;
                () = interrupted(stops) => {
                    asked += 1;
                    if let Some((_, stopper)) = stops {
                        stopper.stop(if asked == 1 { Stop::Gracefully } else { Stop::AtOnce });
                    }
                    display.end(streams)?;
                    streams.say(if asked == 1 {
                        "ending the calls in flight and recording what they did; once more to stop at once\n"
                    } else {
                        "stopping at once\n"
                    });
                }
                Some(event) = events.recv() => display.show(&event, streams)?,
                result = &mut work => {
                    while let Ok(event) = events.try_recv() {
                        display.show(&event, streams)?;
                    }
                    return Ok(result);
                }
                _ = ticks.tick(), if display.is_live() => display.tick(streams)?,
            }
        }
    }
}

/// Ends when somebody wants an end and that is listened to.
async fn interrupted(stops: &mut Option<(Interrupts, Stopper)>) {
    match stops {
        Some((interrupts, _)) => interrupts.next().await,
        None => std::future::pending().await,
    }
}
