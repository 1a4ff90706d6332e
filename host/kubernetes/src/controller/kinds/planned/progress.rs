//! How far a run is: what it plans, and how many of its steps are done.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, interval_at};
use tokio_util::sync::CancellationToken;

use super::{Task, wording};
use crate::controller::runtime::kind::Kind;
use crate::controller::runtime::status;
use trellis_runner::document::Plan;
use trellis_runner::plan::event::Event;

/// How often the status shows how far a run is.
const INTERVAL: Duration = Duration::from_secs(10);

/// What a run has reported so far.
#[derive(Debug, Default)]
pub struct Progress {
    reported: Mutex<ProgressState>,
    /// Reports a plan.
    planned: Notify,
    ended: CancellationToken,
}

#[derive(Debug, Default)]
struct ProgressState {
    /// Plans that nobody has taken yet.
    plans: Vec<Plan>,
    /// The number of steps of the last plan.
    steps: usize,
    /// Those of them that are done.
    done: usize,
}

impl Progress {
    /// Takes note of an event.
    pub fn note(&self, event: &Event) {
        let mut reported = self.reported();
        match event {
            Event::Planned { plan, .. } if !plan.is_empty() => {
                reported.plans.push(plan.clone());
                (reported.steps, reported.done) = (plan.steps.len(), 0);
                self.planned.notify_one();
            }
            Event::StepDone { .. } => reported.done += 1,
            _ => {}
        }
    }

    /// Awaits a run, after whose end nothing more is written.
    pub async fn ending<T>(&self, run: impl Future<Output = T>) -> T {
        let report = run.await;
        self.ended.cancel();
        report
    }

    /// Until the end of the run, hands on each plan that is not empty, and writes how far the run is; nothing for
    /// a run that is quick.
    pub async fn write(&self, task: Task<'_>, kind: &Kind) {
        let mut ticks = interval_at(Instant::now() + INTERVAL, INTERVAL);
        let mut written = 1;
        loop {
            let is_over = tokio::select! {
                biased;
                () = self.planned.notified() => false,
                () = self.ended.cancelled() => true,
                _ = ticks.tick() => false,
            };
            let plans = std::mem::take(&mut self.reported().plans);
            for plan in plans.into_iter().filter(|_| task.permit.to_read().is_ok()) {
                wording::plan(&plan, task, kind).await;
            }
            if is_over {
                return;
            }
            let percent = self.percent();
            if percent > written {
                // Nobody needs a number that is not written, because the next one comes.
                let _ = task.api.try_write_status(&status::progress(percent)).await;
                written = percent;
            }
        }
    }

    /// The share of the steps of the last plan that are done.
    fn percent(&self) -> u8 {
        let reported = self.reported();
        u8::try_from((reported.done * 100 / reported.steps.max(1)).clamp(1, 99)).unwrap_or(99)
    }

    fn reported(&self) -> MutexGuard<'_, ProgressState> {
        self.reported.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_runner::document::Step;

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
        assert_eq!(progress.reported().plans.len(), 1);
    }
}
