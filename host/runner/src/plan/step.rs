//! Carries out one step.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use tokio::sync::{Mutex, Semaphore, mpsc};
use tokio::time::{Instant, sleep};

use super::condition::{recorded, unmet, waits_for_absence};
use super::event::{Event, Listener};
use super::ledger::{Ledger, StateStore, StoreError};
use super::options::{Classify, Options, permit_ended};
use super::phase::{Phase, Phases};
use super::probes::Wait;
use super::token::{self, Tokens};
use crate::call::cloud::Cloud;
use crate::call::resolve::ResolveError;
use crate::call::{CallFailure, ResolvedCall};
use crate::document::{Call, Classification, Effects, Outcome, Probe, Step};
use crate::limits::backoff::Backoff;
use crate::limits::permit::{Permit, Terms};
use crate::limits::stop::{Stop, StopSignal};
use trellis_policies::span::{Coded, span, within};

/// Gardener's error code of calls that fail because there were too many.
const RATE_LIMITS_EXCEEDED: &str = "ERR_INFRA_RATE_LIMITS_EXCEEDED";

/// The most characters that a message shows of an answer that says that not all was done.
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
    /// Whether another plan fixes that: what the step waited for went away meanwhile.
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
    pub permit: &'r Permit,
    pub tokens: &'r Tokens,
    /// Says that the run cannot go on by itself.
    pub broken: StopSignal,
}

/// What came of a call.
enum Answer {
    /// The cloud answered.
    Response(Value),
    /// The cloud is already as the call wants it.
    Satisfied,
    /// The cloud did not answer, and a probe shows that the call had its effect. The item, where the probe names
    /// one.
    Seen(Option<Value>),
    /// The cloud did not answer, and shows what the call has created.
    Found(Value),
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
            Answer::Found(item) => {
                recorded(step.look_again.as_ref().map_or(&step.record, |look| &look.record), item)
            }
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
                Answer::Satisfied | Answer::Response(_) | Answer::Found(_) => {
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
            Some(mutex) => Some(self.unless_interrupted(mutex.lock()).await?),
            None => None,
        };
        // Where the run has to end, this ends at once.
        self.unless_interrupted(async {}).await?;
        let has_begun = self.ledger.has_begun(step);
        self.ledger.write(&step.remember).await?;
        let call = self.ledger.call_of(step).map_err(|error| step.unresolved(&error))?;
        (self.listener)(Event::StepStarted {
            step: step.id.clone(),
            service: call.service.clone(),
            action: call.action.clone(),
        });
        if has_begun && let Some(item) = self.look_again(place, step).await? {
            return Ok(Answer::Found(item));
        }
        let mut uncertain = false;
        let answer = self.attempt(place, step, call, &mut uncertain).await;
        if matches!(answer, Err(End::Failed(_))) && !(has_begun || uncertain) && step.look_again.is_some() {
            // No call created anything: what a later run finds is somebody else's.
            self.forget(step).await?;
        }
        answer
    }

    /// Makes the call again and again, until the cloud answers or the call fails for good. The call is uncertain once
    /// it may have had an effect that no answer showed.
    async fn attempt(
        &self,
        place: usize,
        step: &'r Step,
        mut call: ResolvedCall,
        uncertain: &mut bool,
    ) -> Result<Answer, End> {
        let limit = step.until.as_ref().map_or(self.options.step_limit, Probe::limit);
        let end = Instant::now() + limit;
        let deadline = self.options.deadline.map_or(end, |deadline| deadline.min(end));
        let mut backoff = Backoff::new(self.options.jitter);
        let mut conflicts = 0_u32;
        loop {
            let failure = {
                let _permit = self.unless_interrupted(self.permits.acquire()).await?;
                match self.cloud.change(&call, Terms { deadline, permit: self.permit }).await {
                    Ok(response) => return Ok(Answer::Response(response)),
                    Err(failure) if failure.is_permit_ended() => return Err(End::Interrupted),
                    Err(failure) => failure,
                }
            };
            let classified = self.classify.classify(&failure, end).await;
            *uncertain |= failure.ambiguous;
            conflicts += u32::from(is_conflict(&failure, &classified));
            let outcome = match classified.outcome {
                Outcome::AnotherToken if call.token.is_none() => Outcome::Fail,
                outcome => outcome,
            };
            match outcome {
                Outcome::AlreadySatisfied => return Ok(Answer::Satisfied),
                Outcome::Fail if !*uncertain => return Err(step.refused(classified, &failure)),
                Outcome::AnotherToken if !self.tokens.take(step) => {
                    return Err(step.out_of_tokens(classified, &failure));
                }
                Outcome::AnotherToken => call.token = self.another_token(step).await?,
                Outcome::Fail | Outcome::Retry => {}
            }
            self.phases.set(place, Phase::Retrying);
            // After the first conflict the runner only waits: most often, something else is still going on.
            if (*uncertain || conflicts > 1)
                && let Some(item) = self.peek(step, deadline).await?
            {
                return Ok(Answer::Seen(item));
            }
            if outcome == Outcome::Fail {
                let found = self.look_again(place, step).await?;
                return found.map(Answer::Found).ok_or_else(|| step.refused(classified, &failure));
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
            self.unless_interrupted(sleep(delay)).await?;
            if *uncertain && let Some(item) = self.look_again(place, step).await? {
                return Ok(Answer::Found(item));
            }
        }
    }

    /// The seed of the next token of a step. The state has its number before the call is sent, so that the run
    /// that goes on after a crash sends no older token.
    async fn another_token(&self, step: &Step) -> Result<Option<String>, StoreError> {
        let number = self.ledger.next_token(step);
        self.ledger.write(&Effects::from([(token::key(step), Some(number.to_string()))])).await?;
        Ok(self.ledger.token(step, number))
    }

    /// Awaits something, unless the run has to end.
    pub(super) async fn unless_interrupted<T>(&self, what: impl Future<Output = T>) -> Result<T, End> {
        tokio::select! {
            biased;
            () = permit_ended(self.permit, self.options.deadline) => Err(End::Interrupted),
            () = self.broken.asked(Stop::Gracefully) => Err(End::Interrupted),
            value = what => Ok(value),
        }
    }
}

impl Step {
    pub(super) fn failed(&self, message: String) -> End {
        let (step, codes) = (self.id.clone(), Vec::new());
        End::Failed(StepFailure { step, message, codes, cause: None, is_outdated: false })
    }

    /// The failure of a step that waits for something that is gone.
    pub(super) fn outdated(&self) -> End {
        let message = "what the step waits for was there, and is gone: somebody deleted it, or an earlier run had begun to; \
                       run again, and it is made anew";
        let (step, message) = (self.id.clone(), message.to_owned());
        End::Failed(StepFailure { step, message, codes: Vec::new(), cause: None, is_outdated: true })
    }

    /// The failure of a step whose answer says that not all was done.
    fn partial(&self, unmet: &str, response: &Value) -> End {
        let Call { service, action, .. } = &self.call;
        let reported = response.to_string();
        let shown: String = reported.chars().take(SHOWN).collect();
        let rest = if shown.len() < reported.len() { "…" } else { "" };
        self.failed(format!(
            "{service}:{action} was answered, and not all of it is done, as {unmet}: fix what the answer shows, and run \
             again; it is `{shown}{rest}`"
        ))
    }

    pub(super) fn unresolved(&self, error: &ResolveError) -> End {
        self.failed(format!("step `{}` cannot be carried out: {error}", self.id))
    }

    /// The failure of a step whose tokens the cloud takes for used up, one after the other.
    fn out_of_tokens(&self, classified: Classification, failure: &CallFailure) -> End {
        let message =
            format!("the cloud takes this token and the {} before it for used up: {failure}", token::MOST);
        self.refused(Classification { message, ..classified }, failure)
    }

    pub(super) fn refused(&self, classified: Classification, failure: &CallFailure) -> End {
        let Classification { codes, mut message, .. } = classified;
        if let Some(remedy) = &self.remedy {
            message = format!("{}. {remedy}", message.trim_end_matches('.'));
        }
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
