//! What a run may carry out of its plans, where an operator is cautious.

use serde::Serialize;

use crate::document::{Action, Plan};

/// What a run may carry out of its plans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guard {
    /// Everything.
    #[default]
    Open,
    /// Nothing: the run observes and plans.
    ReadOnly,
    /// Everything but a plan with which the run would delete or replace more resources than this.
    Destructive(usize),
}

/// Why a run does not carry out a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "why", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PlanHold {
    /// The run changes nothing.
    ReadOnly {
        /// Number of changes of the plan.
        changes: usize,
    },
    /// The plan deletes or replaces too many resources.
    Destructive {
        /// Ids of the resources that the run deletes or replaces, with this plan.
        resources: Vec<String>,
        /// How many it may.
        most: usize,
    },
}

impl Guard {
    /// Why the guard holds a plan back. `destroyed` has the ids of the resources that the run deleted or replaced
    /// before; those of a plan that passes are added.
    pub(super) fn holds(self, plan: &Plan, is_written: bool, destroyed: &mut Vec<String>) -> Option<PlanHold> {
        match self {
            Self::Open => None,
            Self::ReadOnly if plan.is_empty() && !is_written => None,
            Self::ReadOnly => Some(PlanHold::ReadOnly { changes: plan.changes.len() }),
            Self::Destructive(most) => {
                let is_destructive = |action| matches!(action, Action::Delete | Action::Replace);
                let found = plan.changes.iter().filter(|change| is_destructive(change.action));
                let mut resources = destroyed.clone();
                resources.extend(found.map(|change| change.id.clone()));
                resources.sort_unstable();
                resources.dedup();
                if resources.len() > most {
                    return Some(PlanHold::Destructive { resources, most });
                }
                *destroyed = resources;
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Change;

    fn plan(changes: &[(&str, Action)]) -> Plan {
        let change = |(id, action): &(&str, Action)| Change {
            id: (*id).to_owned(),
            action: *action,
            kind: String::new(),
            name: String::new(),
            resource_id: None,
            before: None,
            after: None,
            forces_replacement: Vec::new(),
            disruption: None,
            steps: Vec::new(),
        };
        Plan { changes: changes.iter().map(change).collect(), ..Plan::default() }
    }

    #[test]
    fn a_cap_counts_each_resource_once_over_all_plans_of_a_run() {
        let guard = Guard::Destructive(2);
        let mut destroyed = Vec::new();
        let first = plan(&[("a", Action::Delete), ("b", Action::Create), ("c", Action::Replace)]);
        assert_eq!(guard.holds(&first, true, &mut destroyed), None);
        assert_eq!(guard.holds(&first, true, &mut destroyed), None);
        let held = guard.holds(&plan(&[("d", Action::Delete)]), true, &mut destroyed);
        let resources = ["a", "c", "d"].map(str::to_owned).to_vec();
        assert_eq!(held, Some(PlanHold::Destructive { resources, most: 2 }));
    }

    #[test]
    fn read_only_lets_nothing_pass_that_changes_anything() {
        let mut destroyed = Vec::new();
        assert_eq!(Guard::ReadOnly.holds(&plan(&[]), false, &mut destroyed), None);
        let held = Some(PlanHold::ReadOnly { changes: 0 });
        assert_eq!(Guard::ReadOnly.holds(&plan(&[]), true, &mut destroyed), held);
        let held = Some(PlanHold::ReadOnly { changes: 1 });
        assert_eq!(Guard::ReadOnly.holds(&plan(&[("a", Action::Create)]), false, &mut destroyed), held);
    }
}
