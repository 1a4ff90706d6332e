//! How far a run is, in lines.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::output::clean;
use crate::plan::sum;
use trellis_runner::plan::event::Event;

/// How far a run is.
#[derive(Debug, Default)]
pub(super) struct Progress {
    total: usize,
    ended: usize,
    /// When each step began that has not ended.
    begun: BTreeMap<String, Instant>,
}

impl Progress {
    /// Takes note of an event; returns a line about the event where it is worth one.
    pub(super) fn line(&mut self, event: &Event) -> Option<String> {
        Some(clean(&match event {
            Event::Observing { round: 1 }
            | Event::Waiting { .. }
            | Event::StateSaved { .. }
            | Event::Finished { .. } => return None,
            Event::Observing { .. } => "looking whether anything is left to do".to_owned(),
            Event::Planned { round, plan } => {
                (self.total, self.ended) = (plan.steps.len(), 0);
                if *round == 1 || plan.is_empty() {
                    return None;
                }
                format!("left to do: {}", sum(plan))
            }
            Event::StepStarted { step, service, action } => {
                self.begun.entry(step.clone()).or_insert_with(Instant::now);
                format!("started {step} ({service}:{action})")
            }
            Event::Retrying { step, why, delay } => {
                format!("trying {step} again in {}: {why}", seconds(Duration::from_millis(*delay)))
            }
            Event::StepDone { step } => format!("done {step}{}", self.ended(step)),
            Event::StepFailed { step, message, .. } => format!("failed {step}{}: {message}", self.ended(step)),
            Event::StepSkipped { step, because } => {
                format!("skipped {step}{}, which comes after {because}", self.ended(step))
            }
        }))
    }

    /// Takes note that a step ended: ` after 2.1 s (3 of 19)`.
    fn ended(&mut self, step: &str) -> String {
        self.ended += 1;
        let mut text = String::new();
        if let Some(begun) = self.begun.remove(step) {
            // Writing to a string does not fail.
            let _ = write!(text, " after {}", seconds(begun.elapsed()));
        }
        let _ = write!(text, " ({} of {})", self.ended, self.total.max(self.ended));
        text
    }

    /// The number of steps that have ended, and the number of all steps.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.ended, self.total)
    }
}

/// `2.1 s`
pub(super) fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use trellis_runner::document::{Plan, Step};

    #[test]
    fn lines_show_what_matters() {
        let mut progress = Progress::default();
        let plan = Plan { steps: vec![Step::default(), Step::default()], ..Plan::default() };
        let step = || "vpc/create".to_owned();
        let (service, action) = ("vpc".to_owned(), "CreateVpc".to_owned());
        assert_eq!(progress.line(&Event::Planned { round: 1, plan }), None);
        assert_eq!(
            progress.line(&Event::StepStarted { step: step(), service, action }).unwrap(),
            "started vpc/create (vpc:CreateVpc)"
        );
        let why = "Throttling\u{1b}[2J".to_owned();
        let retrying = progress.line(&Event::Retrying { step: step(), why, delay: 1_500 }).unwrap();
        assert!(retrying.starts_with("trying vpc/create again in 1.5 s: Throttling"), "{retrying}");
        assert!(!retrying.contains('\u{1b}'), "{retrying}");
        let done = progress.line(&Event::StepDone { step: step() }).unwrap();
        assert!(done.starts_with("done vpc/create after 0.") && done.ends_with(" s (1 of 2)"), "{done}");
        let skipped = Event::StepSkipped { step: "vswitch/create".to_owned(), because: step() };
        assert_eq!(
            progress.line(&skipped).unwrap(),
            "skipped vswitch/create (2 of 2), which comes after vpc/create"
        );
    }
}
