//! Carries out one step.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use tokio::sync::{Mutex, Semaphore, mpsc, oneshot};
use tokio::time::{Instant, sleep};

use super::condition::{ABSENT, recorded, unmet, waits_for_absence};
use super::event::{Event, Listener};
use super::ledger::{Ledger, StateStore, StoreError};
use super::options::{Classify, Options, halted};
use super::phase::{Phase, Phases};
use super::probes::{Ended, Wait};
use crate::call::cloud::Cloud;
use crate::call::resolve::ResolveError;
use crate::call::{CallFailure, ResolvedCall};
use crate::document::{Call, Classification, Effects, Outcome, Probe, Step};
use crate::limits::backoff::Backoff;
use crate::limits::leave::{Leave, Terms};
use crate::limits::stop::{Stop, StopSignal};
use trellis_policies::span::{Coded, span, within};

/// Gardener's error code of calls that fail because there were too many.
const RATE_LIMITS_EXCEEDED: &str = "ERR_INFRA_RATE_LIMITS_EXCEEDED";

/// The most characters that a message shows of an answer that tells that not all was done.
const SHOWN: usize = 600;

/// Why a step was not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepFailure {
    /// Id of the step.
    pub step: String,
    /// What happened, and what the person can do.
    pub message: String,
    /// Gardener error codes.
    pub codes: Vec<String>,
    /// The error of the call, where a call failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Whether another plan mends that: what the step waited for went away meanwhile.
    #[serde(skip)]
    pub is_outdated: bool,
}

/// How a step ends without being done.
pub(super) enum End {
    /// The step failed.
    Failed(StepFailure),
    /// Somebody stopped the run before the step was done.
    Interrupted,
    /// The store cannot save what the step did.
    Unkept(StoreError),
}

impl Coded for End {
    fn code(&self) -> &str {
        match self {
            Self::Failed(_) => "Failed",
            Self::Interrupted => "Interrupted",
            Self::Unkept(_) => "Unkept",
        }
    }
}

impl From<StoreError> for End {
    fn from(error: StoreError) -> Self {
        Self::Unkept(error)
    }
}

/// Carries out single steps, with what all steps of a plan share.
pub(super) struct StepRunner<'r, C, S> {
    pub cloud: &'r C,
    pub classify: &'r dyn Classify,
    pub listener: &'r Listener<'r>,
    pub options: &'r Options,
    pub ledger: &'r Ledger<'r, S>,
    pub phases: &'r Phases<'r>,
    pub permits: &'r Semaphore,
    pub mutexes: &'r BTreeMap<&'r str, Mutex<()>>,
    pub waits: mpsc::UnboundedSender<Wait<'r>>,
    pub leave: &'r Leave,
    /// Tells that the run cannot go on by itself.
    pub broken: StopSignal,
}

/// What came of a call.
enum Answer {
    /// The cloud answered.
    Response(Value),
    /// The cloud is already as the call wants it.
    Satisfied,
    /// The cloud did not answer, and a probe tells that the call had its effect. The item, where the probe names one.
    Seen(Option<Value>),
}

impl<'r, C: Cloud, S: StateStore> StepRunner<'r, C, S> {
    /// Carries out a step.
    pub(super) async fn carry_out(&self, place: usize, step: &'r Step) -> Result<(), End> {
        within(span!("step", step = step.id), self.work(place, step)).await
    }

    async fn work(&self, place: usize, step: &'r Step) -> Result<(), End> {
        let answer = self.make_call(place, step).await?;
        let (mut effects, missing) = match &answer {
            Answer::Response(response) => recorded(&step.record, response),
            Answer::Satisfied | Answer::Seen(_) => (Effects::new(), None),
        };
        if let Some(pointer) = missing {
            self.ledger.write(&effects).await?;
            return Err(
                step.failed(format!("the response has nothing at `{pointer}`, which the step has to record"))
            );
        }
        if let Answer::Response(response) = &answer
            && let Some(unmet) = unmet(&step.expect, Some(response))
        {
            self.ledger.write(&effects).await?;
            return Err(step.partial(&unmet, response));
        }
        if let Some(probe) = &step.until {
            let item = match answer {
                Answer::Seen(item) => item,
                Answer::Satisfied if waits_for_absence(probe) || !self.ledger.has_all(step.record.keys()) => None,
                Answer::Satisfied | Answer::Response(_) => {
                    self.ledger.write(&effects).await?;
                    effects.clear();
                    self.wait(place, step, probe).await?
                }
            };
            if let Some(item) = item {
                let (found, missing) = recorded(&probe.record, &item);
                effects.extend(found);
                if let Some(pointer) = missing {
                    self.ledger.write(&effects).await?;
                    return Err(step.failed(format!("the item that the step waited for has nothing at `{pointer}`, which the step has to record")));
                }
            }
        }
        effects.extend(step.conclude.clone());
        Ok(self.ledger.write(&effects).await?)
    }

    /// Makes the call, when it is the turn of the step.
    async fn make_call(&self, place: usize, step: &'r Step) -> Result<Answer, End> {
        let mutex = step.mutex.as_deref().and_then(|name| self.mutexes.get(name));
        let _turn = match mutex {
            Some(mutex) => Some(self.unless_halted(mutex.lock()).await?),
            None => None,
        };
        // Where the run has to end, this ends at once.
        self.unless_halted(async {}).await?;
        self.ledger.write(&step.remember).await?;
        let call = self.ledger.call(&step.call).map_err(|error| step.unresolved(&error))?;
        (self.listener)(Event::StepStarted {
            step: step.id.clone(),
            service: call.service.clone(),
            action: call.action.clone(),
        });
        self.attempt(place, step, &call).await
    }

    /// Makes the call again and again, until the cloud answers or the call fails for good.
    async fn attempt(&self, place: usize, step: &'r Step, call: &ResolvedCall) -> Result<Answer, End> {
        let limit = step.until.as_ref().map_or(self.options.step_limit, Probe::limit);
        let end = Instant::now() + limit;
        let deadline = self.options.deadline.map_or(end, |deadline| deadline.min(end));
        let mut backoff = Backoff::new(self.options.jitter);
        let mut uncertain = false;
        let mut conflicts = 0_u32;
        loop {
            let failure = {
                let _permit = self.unless_halted(self.permits.acquire()).await?;
                match self.cloud.change(call, Terms { deadline, leave: self.leave }).await {
                    Ok(response) => return Ok(Answer::Response(response)),
                    Err(failure) if failure.is_withdrawn() => return Err(End::Interrupted),
                    Err(failure) => failure,
                }
            };
            let classified = self.classify.classify(&failure, end).await;
            uncertain |= failure.ambiguous;
            conflicts += u32::from(is_conflict(&failure, &classified));
            match classified.outcome {
                Outcome::AlreadySatisfied => return Ok(Answer::Satisfied),
                Outcome::Fail if !uncertain => return Err(step.refused(classified, &failure)),
                Outcome::Fail | Outcome::Retry => {}
            }
            self.phases.set(place, Phase::Retrying);
            // After the first conflict the runner only waits: most often, something else is still going on.
            if (uncertain || conflicts > 1)
                && let Some(item) = self.peek(step, deadline).await?
            {
                return Ok(Answer::Seen(item));
            }
            if classified.outcome == Outcome::Fail {
                return Err(step.refused(classified, &failure));
            }
            let delay = backoff.next(failure.retry_after);
            if Instant::now() + delay >= end {
                let Classification { codes, message, .. } = classified;
                let message = format!("not done within {} s: {message}", limit.as_secs());
                return Err(step.refused(Classification { outcome: Outcome::Fail, codes, message }, &failure));
            }
            (self.listener)(Event::Retrying {
                step: step.id.clone(),
                why: classified.message,
                delay: u64::try_from(delay.as_millis()).unwrap_or(u64::MAX),
            });
            self.unless_halted(sleep(delay)).await?;
        }
    }

    /// Whether a call without an answer had its effect after all: the item of the probe, if the probe tells so. A step that
    /// records something of the response needs the response itself.
    async fn peek(&self, step: &'r Step, until: Instant) -> Result<Option<Option<Value>>, End> {
        let Some(probe) = step.until.as_ref().filter(|_| step.record.is_empty()) else { return Ok(None) };
        let Ok(answer) = self.register(step, probe, until, true) else { return Ok(None) };
        match self.unless_halted(answer).await? {
            Ok(Ended::Success(item)) => Ok(Some(item)),
            _ => Ok(None),
        }
    }

    /// Waits for the effect of the call. Gives the item, where the probe names one.
    async fn wait(&self, place: usize, step: &'r Step, probe: &'r Probe) -> Result<Option<Value>, End> {
        let end = Instant::now() + probe.limit();
        let until = self.options.deadline.map_or(end, |deadline| deadline.min(end));
        let answer = self.register(step, probe, until, false).map_err(|error| step.unresolved(&error))?;
        self.phases.set(place, Phase::Waiting);
        (self.listener)(Event::Waiting { step: step.id.clone(), limit: probe.limit });
        match self.unless_halted(answer).await? {
            Ok(Ended::Success(item)) => Ok(item),
            Ok(Ended::Failure(what)) => Err(step.failed(format!("the effect of the call will not come: {what}"))),
            Ok(Ended::Refused(classified, failure)) => Err(step.refused(classified, &failure)),
            Ok(Ended::Gone) => {
                self.forget(step).await?;
                Err(step.outdated())
            }
            Ok(Ended::NotYet(last)) => {
                if last == ABSENT {
                    self.forget(step).await?;
                }
                Err(step.failed(format!("not done within {} s: at last, {last}", probe.limit)))
            }
            // The prober is gone only when the run has ended.
            Err(_) => Err(End::Interrupted),
        }
    }

    /// Removes the keys that the step would remove when done, because the resource never came to exist, or is gone again. So a
    /// later plan creates another resource, instead of asking for this one once more.
    async fn forget(&self, step: &Step) -> Result<(), StoreError> {
        let done = |key: &str| matches!(step.conclude.get(key), Some(None));
        let forgotten = step.remember.keys().filter(|key| done(key)).map(|key| (key.clone(), None)).collect();
        self.ledger.write(&forgotten).await
    }

    fn register(
        &self,
        step: &'r Step,
        probe: &'r Probe,
        until: Instant,
        once: bool,
    ) -> Result<oneshot::Receiver<Ended>, ResolveError> {
        let call = self.ledger.call(&probe.call)?;
        let target = self.ledger.target(probe)?;
        let (reply, answer) = oneshot::channel();
        let interval = Duration::from_secs(probe.interval.into());
        let wait = Wait { step: &step.id, call, document: &probe.call, target, interval, until, once, reply };
        // The prober receives it, for as long as the run goes on.
        let _ = self.waits.send(wait);
        Ok(answer)
    }

    /// Awaits something, unless the run has to end.
    async fn unless_halted<T>(&self, what: impl Future<Output = T>) -> Result<T, End> {
        tokio::select! {
            biased;
            () = halted(self.leave, self.options.deadline) => Err(End::Interrupted),
            () = self.broken.asked(Stop::Gracefully) => Err(End::Interrupted),
            value = what => Ok(value),
        }
    }
}

impl Probe {
    fn limit(&self) -> Duration {
        Duration::from_secs(self.limit.into())
    }
}

impl Step {
    fn failed(&self, message: String) -> End {
        let (step, codes) = (self.id.clone(), Vec::new());
        End::Failed(StepFailure { step, message, codes, cause: None, is_outdated: false })
    }

    /// The failure of a step that waits for something that is gone.
    fn outdated(&self) -> End {
        let message = "what the step waits for was there, and is gone: somebody deleted it, or an earlier run had begun to; \
                       run again, and it is made anew";
        let (step, message) = (self.id.clone(), message.to_owned());
        End::Failed(StepFailure { step, message, codes: Vec::new(), cause: None, is_outdated: true })
    }

    /// The failure of a step whose answer tells that not all was done.
    fn partial(&self, unmet: &str, response: &Value) -> End {
        let Call { service, action, .. } = &self.call;
        let told = response.to_string();
        let shown: String = told.chars().take(SHOWN).collect();
        let rest = if shown.len() < told.len() { "…" } else { "" };
        self.failed(format!(
            "{service}:{action} was answered, and not all of it is done, as {unmet}: mend what the answer tells, and run \
             again; it is `{shown}{rest}`"
        ))
    }

    fn unresolved(&self, error: &ResolveError) -> End {
        self.failed(format!("step `{}` cannot be carried out: {error}", self.id))
    }

    fn refused(&self, classified: Classification, failure: &CallFailure) -> End {
        let Classification { codes, message, .. } = classified;
        let cause = Some(failure.to_string());
        End::Failed(StepFailure { step: self.id.clone(), message, codes, cause, is_outdated: false })
    }
}

/// Whether a call failed because something else is going on with the same resource.
fn is_conflict(failure: &CallFailure, classified: &Classification) -> bool {
    (400..500).contains(&failure.http_status)
        && failure.http_status != 429
        && !classified.codes.iter().any(|code| code == RATE_LIMITS_EXCEEDED)
}
