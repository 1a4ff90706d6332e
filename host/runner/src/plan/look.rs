//! What a step sees of the cloud: whether its call had its effect.

use std::time::Duration;

use serde_json::Value;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::condition::{ABSENT, Target};
use super::event::Event;
use super::ledger::{StateStore, StoreError};
use super::phase::Phase;
use super::probes::{Ended, Wait};
use super::step::{End, StepRunner};
use crate::call::cloud::Cloud;
use crate::call::resolve::ResolveError;
use crate::document::{Probe, Step};

impl<'r, C: Cloud, S: StateStore> StepRunner<'r, C, S> {
    /// Whether a call without an answer had its effect after all: the item of the probe, if the probe says so. A
    /// step that records something of the response needs the response itself.
    pub(super) async fn peek(&self, step: &'r Step, until: Instant) -> Result<Option<Option<Value>>, End> {
        let Some(probe) = step.until.as_ref().filter(|_| step.record.is_empty()) else { return Ok(None) };
        let Ok(target) = self.ledger.target(probe) else { return Ok(None) };
        let Ok(answer) = self.register(step, probe, target, until, true) else { return Ok(None) };
        match self.unless_interrupted(answer).await? {
            Ok(Ended::Success(item)) => Ok(Some(item)),
            _ => Ok(None),
        }
    }

    /// Looks for what a call without a token has created, where nobody knows whether it has. Gives the item; none
    /// where the call may be sent again, and where the step does not say how to look.
    pub(super) async fn look_again(&self, place: usize, step: &'r Step) -> Result<Option<Value>, End> {
        let Some(probe) = &step.look_again else { return Ok(None) };
        self.phases.set(place, Phase::Retrying);
        let target = self.ledger.target(probe).map_err(|error| step.unresolved(&error))?;
        let target = target.other_than(step.remember.values().flatten().map(String::as_str).collect());
        let until = self.time_of(probe);
        let answer = self.register(step, probe, target, until, false).map_err(|error| step.unresolved(&error))?;
        match self.unless_interrupted(answer).await? {
            Ok(Ended::Success(item)) => Ok(item),
            Ok(Ended::Gone) => Ok(None),
            Ok(Ended::NotYet(last)) if last == ABSENT => Ok(None),
            Ok(Ended::NotYet(last) | Ended::Failure(last)) => Err(step.failed(format!(
                "nobody knows whether an earlier call had its effect, so it is not sent again: of what it may have created, {last}"
            ))),
            Ok(Ended::Refused(classified, failure)) => Err(step.refused(classified, &failure)),
            // The prober is gone only when the run has ended.
            Err(_) => Err(End::Interrupted),
        }
    }

    /// Waits for the effect of the call. Gives the item, where the probe names one.
    pub(super) async fn wait(&self, place: usize, step: &'r Step, probe: &'r Probe) -> Result<Option<Value>, End> {
        let target = self.ledger.target(probe).map_err(|error| step.unresolved(&error))?;
        let until = self.time_of(probe);
        let answer = self.register(step, probe, target, until, false).map_err(|error| step.unresolved(&error))?;
        self.phases.set(place, Phase::Waiting);
        (self.listener)(Event::Waiting { step: step.id.clone(), limit: probe.limit });
        match self.unless_interrupted(answer).await? {
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

    /// Removes the keys that the step would remove when done, because the resource never came to exist, or is gone
    /// again. So a later plan creates another resource, instead of asking for this one once more.
    pub(super) async fn forget(&self, step: &Step) -> Result<(), StoreError> {
        let done = |key: &str| matches!(step.conclude.get(key), Some(None));
        let forgotten = step.remember.keys().filter(|key| done(key)).map(|key| (key.clone(), None)).collect();
        self.ledger.write(&forgotten).await
    }

    /// When the step stops looking, from now on.
    fn time_of(&self, probe: &Probe) -> Instant {
        let end = Instant::now() + probe.limit();
        self.options.deadline.map_or(end, |deadline| deadline.min(end))
    }

    fn register(
        &self,
        step: &'r Step,
        probe: &'r Probe,
        target: Target<'r>,
        until: Instant,
        once: bool,
    ) -> Result<oneshot::Receiver<Ended>, ResolveError> {
        let call = self.ledger.call(&probe.call)?;
        let (reply, answer) = oneshot::channel();
        let interval = Duration::from_secs(probe.interval.into());
        let wait = Wait { step: &step.id, call, document: &probe.call, target, interval, until, once, reply };
        // The prober receives it, for as long as the run goes on.
        let _ = self.waits.send(wait);
        Ok(answer)
    }
}

impl Probe {
    pub(super) fn limit(&self) -> Duration {
        Duration::from_secs(self.limit.into())
    }
}
