//! The order of steps.

use std::collections::BTreeMap;

use crate::document::Step;

/// Why steps have no order. Each is an error of the policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Two steps have the same id.
    #[error("the policy's plan has two steps `{0}`")]
    Duplicate(String),
    /// A step waits for a step that is not in the plan.
    #[error("step `{step}` of the policy's plan comes after `{after}`, which is not in the plan")]
    Unknown {
        /// The step.
        step: String,
        /// What it waits for.
        after: String,
    },
    /// Steps wait for each other.
    #[error("steps of the policy's plan wait for each other: {}", .0.join(", "))]
    Cycle(Vec<String>),
}

/// The order of steps. A step is named by its place in the plan.
#[derive(Debug)]
pub(super) struct Graph {
    /// How many steps must still be done before each step.
    before: Vec<usize>,
    after: Vec<Vec<usize>>,
}

impl Graph {
    pub(super) fn new(steps: &[Step]) -> Result<Self, PlanError> {
        let mut places = BTreeMap::new();
        for (place, step) in steps.iter().enumerate() {
            if places.insert(step.id.as_str(), place).is_some() {
                return Err(PlanError::Duplicate(step.id.clone()));
            }
        }
        let mut graph = Self { before: vec![0; steps.len()], after: vec![Vec::new(); steps.len()] };
        for (place, step) in steps.iter().enumerate() {
            for after in &step.after {
                let unknown = || PlanError::Unknown { step: step.id.clone(), after: after.clone() };
                let predecessor = *places.get(after.as_str()).ok_or_else(unknown)?;
                if let (Some(successors), Some(count)) =
                    (graph.after.get_mut(predecessor), graph.before.get_mut(place))
                {
                    successors.push(place);
                    *count += 1;
                }
            }
        }
        graph.check(steps)?;
        Ok(graph)
    }

    /// The steps that wait for no other step.
    pub(super) fn first(&self) -> Vec<usize> {
        (0..self.before.len()).filter(|place| self.before.get(*place) == Some(&0)).collect()
    }

    /// Marks a step as done, and gives the steps that now wait for no other step.
    pub(super) fn done(&mut self, step: usize) -> Vec<usize> {
        let mut ready = Vec::new();
        for &successor in self.after.get(step).map_or(&[][..], Vec::as_slice) {
            if let Some(count) = self.before.get_mut(successor) {
                *count -= 1;
                if *count == 0 {
                    ready.push(successor);
                }
            }
        }
        ready
    }

    /// All steps that come after a step.
    pub(super) fn all_after(&self, step: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut open = vec![step];
        while let Some(place) = open.pop() {
            for &successor in self.after.get(place).map_or(&[][..], Vec::as_slice) {
                if !found.contains(&successor) {
                    found.push(successor);
                    open.push(successor);
                }
            }
        }
        found.sort_unstable();
        found
    }

    fn check(&self, steps: &[Step]) -> Result<(), PlanError> {
        let mut trial = Self { before: self.before.clone(), after: self.after.clone() };
        let mut open = trial.first();
        let mut reached = vec![false; steps.len()];
        while let Some(place) = open.pop() {
            if let Some(reached) = reached.get_mut(place) {
                *reached = true;
            }
            open.extend(trial.done(place));
        }
        let stuck: Vec<_> = steps.iter().zip(reached).filter(|(_, reached)| !reached).collect();
        if stuck.is_empty() {
            return Ok(());
        }
        Err(PlanError::Cycle(stuck.into_iter().map(|(step, _)| step.id.clone()).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(steps: &[(&str, &[&str])]) -> Result<Graph, PlanError> {
        let step = |(id, after): &(&str, &[&str])| Step {
            id: (*id).to_owned(),
            after: after.iter().map(|id| (*id).to_owned()).collect(),
            ..Step::default()
        };
        Graph::new(&steps.iter().map(step).collect::<Vec<_>>())
    }

    #[test]
    fn steps_are_ready_when_all_before_them_are_done() {
        let mut graph = graph(&[("c", &["a", "b"]), ("a", &[]), ("b", &[]), ("d", &["c"])]).unwrap();
        assert_eq!(graph.first(), [1, 2]);
        assert_eq!(graph.all_after(1), [0, 3]);
        assert_eq!((graph.done(1), graph.done(2), graph.done(0)), (vec![], vec![0], vec![3]));
    }

    #[test]
    fn plans_that_cannot_be_carried_out_are_refused_by_name() {
        let reported = |steps: &[(&str, &[&str])]| graph(steps).unwrap_err().to_string();
        assert_eq!(reported(&[("a", &[]), ("a", &[])]), "the policy's plan has two steps `a`");
        assert_eq!(
            reported(&[("a", &["x"])]),
            "step `a` of the policy's plan comes after `x`, which is not in the plan"
        );
        let cycle = reported(&[("a", &[]), ("b", &["c", "a"]), ("c", &["b"])]);
        assert_eq!(cycle, "steps of the policy's plan wait for each other: b, c");
    }
}
