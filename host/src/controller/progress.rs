//! How far a run is: what it plans, and how many of its steps are done.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, interval_at};
use tokio_util::sync::CancellationToken;

use super::api::ObjectApi;
use super::status;
use crate::plan::document::Plan;
use crate::plan::event::Event;

/// How often the status tells how far a run is.
const INTERVAL: Duration = Duration::from_secs(10);

/// What a run has told so far.
#[derive(Debug, Default)]
pub struct Progress {
    told: Mutex<Told>,
    ended: CancellationToken,
}

#[derive(Debug, Default)]
struct Told {
    plans: Vec<Plan>,
    done: usize,
}

impl Progress {
    /// Takes note of an event.
    pub fn note(&self, event: &Event) {
        let mut told = self.told();
        match event {
            Event::Planned { plan, .. } if !plan.is_empty() => {
                told.plans.push(plan.clone());
                told.done = 0;
            }
            Event::StepDone { .. } => told.done += 1,
            _ => {}
        }
    }

    /// The plans so far that are not empty.
    pub fn plans(&self) -> Vec<Plan> {
        self.told().plans.clone()
    }

    /// Awaits a run, after whose end nothing more is written.
    pub async fn ending<T>(&self, run: impl Future<Output = T>) -> T {
        let report = run.await;
        self.ended.cancel();
        report
    }

    /// Writes how far the run is until its end, and nothing for a run that is quick.
    pub async fn write(&self, api: &ObjectApi) {
        let mut ticks = interval_at(Instant::now() + INTERVAL, INTERVAL);
        let mut written = 1;
        loop {
            tokio::select! {
                biased;
                () = self.ended.cancelled() => return,
                _ = ticks.tick() => {}
            }
            let percent = self.percent();
            if percent > written {
                // Nobody needs a number that is not written: the next one comes.
                let _ = api.patch_status(status::progress(percent)).await;
                written = percent;
            }
        }
    }

    /// The share of the steps of the last plan that are done.
    fn percent(&self) -> u8 {
        let told = self.told();
        let steps = told.plans.last().map_or(0, |plan| plan.steps.len()).max(1);
        u8::try_from((told.done * 100 / steps).clamp(1, 99)).unwrap_or(99)
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::document::Step;

    #[test]
    fn the_share_of_steps_that_are_done_is_never_nothing_and_never_all() {
        let progress = Progress::default();
        assert_eq!(progress.percent(), 1);
        let plan = Plan { steps: vec![Step::default(); 4], ..Plan::default() };
        progress.note(&Event::Planned { round: 1, plan });
        progress.note(&Event::StepDone { step: "a".to_owned() });
        assert_eq!(progress.percent(), 25);
        for step in ["b", "c", "d"] {
            progress.note(&Event::StepDone { step: step.to_owned() });
        }
        assert_eq!(progress.percent(), 99);
        progress.note(&Event::Planned { round: 2, plan: Plan::default() });
        assert_eq!(progress.plans().len(), 1);
    }
}
