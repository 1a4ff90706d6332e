//! The order of steps: what stands on something is made after it, and removed before it.
#![expect(clippy::indexing_slicing, reason = "places of entries, tasks and steps are those of the lists here")]

use super::diff::Entry;
use super::record::top;
use super::{Difference, Resource};
use crate::collections::sorted_once;
use crate::policy::{Action, Step};

/// What is done to resources, each after what it waits for.
///
/// A task is a number. For the resource at a place it is the place itself to make or mend it, and that plus the number
/// of resources to remove it.
pub(super) struct Order {
    /// Every task.
    tasks: Vec<usize>,
    /// What each task waits for.
    waits_for: Vec<Vec<usize>>,
}

impl Order {
    /// The order of what is done to resources.
    pub fn of(entries: &[Entry]) -> Self {
        let count = entries.len();
        let mut waits_for = vec![Vec::new(); 2 * count];
        for (place, entry) in entries.iter().enumerate() {
            if entry.action != Some(Action::Delete) {
                let needed = |&needed: &usize| match entries[needed].action {
                    // What comes takes the place of what goes.
                    Some(Action::Delete) => count + top(entries, needed),
                    _ => needed,
                };
                waits_for[place].extend(entry.needs.iter().map(needed));
            }
            if entry.is_removed() {
                waits_for[place].push(count + top(entries, place));
                if let Some(carrier) = entry.carrier {
                    waits_for[count + carrier].push(count + place);
                }
            }
            for &used in entry.uses.iter().filter(|used| entries[**used].is_removed()) {
                let task = match entry.action {
                    Some(Action::Update | Action::Adopt) => place,
                    Some(Action::Replace | Action::Delete) if top(entries, place) == top(entries, used) => {
                        count + place
                    }
                    Some(Action::Replace | Action::Delete) => count + top(entries, place),
                    _ => continue,
                };
                waits_for[count + used].push(task);
            }
        }
        let goals = (0..count).chain((count..2 * count).rev());
        let (tasks, is_acyclic) = sort(&mut waits_for, goals);
        debug_assert!(is_acyclic, "resources need each other in a ring");
        Self { tasks, waits_for }
    }

    /// Places of the resources that there are or will be, in the order in which they are made; then of those that go, in the
    /// order in which they do.
    pub fn places(&self, entries: &[Entry]) -> impl Iterator<Item = usize> {
        let made = self.tasks.iter().copied().filter(|task| {
            entries.get(*task).is_some_and(|entry| match entry.action {
                Some(action) => action != Action::Delete,
                None => entry.resource.found.is_some(),
            })
        });
        let removed = self.tasks.iter().filter_map(|task| task.checked_sub(entries.len()));
        made.chain(removed.filter(|place| entries[*place].action == Some(Action::Delete)))
    }

    /// Takes the steps that are needed out of the resources; beside them, ids of the steps of each resource.
    pub fn steps(&self, entries: &mut [Entry]) -> (Vec<Step>, Vec<Vec<String>>) {
        let count = entries.len();
        let mut steps: Vec<Step> = Vec::new();
        let mut predecessors: Vec<Vec<usize>> = Vec::new();
        let mut ids = vec![Vec::new(); count];
        // Steps that have to be done for a task to be done.
        let mut ends: Vec<Vec<usize>> = vec![Vec::new(); 2 * count];
        for &task in &self.tasks {
            let place = task % count;
            let earlier = self.waits_for[task].iter().flat_map(|earlier| ends[*earlier].iter().copied());
            let mut before = sorted_once(earlier.collect());
            reduce(&mut before, &predecessors);
            // What comes or goes without a step does so with what it waits for.
            let mut is_passed_on =
                if task < count { entries[place].is_made() } else { entries[place].is_removed() };
            for mut step in take_steps(entries, place, task >= count) {
                step.after = before.iter().map(|earlier| steps[*earlier].id.clone()).collect();
                ids[place].push(step.id.clone());
                predecessors.push(std::mem::replace(&mut before, vec![steps.len()]));
                steps.push(step);
                is_passed_on = true;
            }
            if is_passed_on {
                ends[task] = before;
            }
        }
        (steps, ids)
    }
}

/// Takes the steps of a task out of a resource.
fn take_steps(entries: &mut [Entry], place: usize, is_removal: bool) -> Vec<Step> {
    let is_carried = entries[place].carrier.is_some();
    let Entry { resource, action, .. } = &mut entries[place];
    match action {
        Some(Action::Replace | Action::Delete) if is_removal && !is_carried => {
            std::mem::take(&mut resource.delete)
        }
        Some(Action::Create | Action::Associate | Action::Replace) if !is_removal => {
            std::mem::take(&mut resource.create)
        }
        Some(Action::Update | Action::Adopt) if !is_removal => take_mends(resource),
        _ => Vec::new(),
    }
}

/// Takes the steps that mend what differs. One that mends several attributes is made once.
fn take_mends(resource: &mut Resource) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for attribute in resource.attributes.iter_mut().filter(|attribute| attribute.differs()) {
        if let Difference::Mend(mends, _) = &mut attribute.difference {
            for step in std::mem::take(mends) {
                if steps.iter().all(|known| known.id != step.id) {
                    steps.push(step);
                }
            }
        }
    }
    steps
}

/// Leaves out the steps that others of them come after.
fn reduce(steps: &mut Vec<usize>, predecessors: &[Vec<usize>]) {
    let Some(&lowest) = steps.first().filter(|_| steps.len() > 1) else { return };
    let mut is_earlier = vec![false; predecessors.len()];
    let mut later = steps.clone();
    while let Some(step) = later.pop() {
        for &earlier in predecessors[step].iter().filter(|earlier| **earlier >= lowest) {
            if !std::mem::replace(&mut is_earlier[earlier], true) {
                later.push(earlier);
            }
        }
    }
    steps.retain(|step| !is_earlier[*step]);
}

/// Tasks in an order in which each comes after what it waits for, and whether there is one: of tasks that wait for each other
/// in a ring, the one met last no longer waits for the first.
fn sort(waits_for: &mut [Vec<usize>], goals: impl Iterator<Item = usize>) -> (Vec<usize>, bool) {
    let mut sorting = Sorting { marks: vec![Mark::New; waits_for.len()], sorted: Vec::new(), is_acyclic: true };
    for goal in goals {
        sorting.visit(goal, waits_for);
    }
    (sorting.sorted, sorting.is_acyclic)
}

struct Sorting {
    marks: Vec<Mark>,
    sorted: Vec<usize>,
    is_acyclic: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

impl Sorting {
    fn visit(&mut self, task: usize, waits_for: &mut [Vec<usize>]) {
        if self.marks[task] != Mark::New {
            return;
        }
        self.marks[task] = Mark::Open;
        let mut earlier = std::mem::take(&mut waits_for[task]);
        earlier.retain(|&earlier| {
            self.visit(earlier, waits_for);
            let is_open = self.marks[earlier] == Mark::Open;
            self.is_acyclic &= !is_open;
            !is_open
        });
        waits_for[task] = earlier;
        self.marks[task] = Mark::Done;
        self.sorted.push(task);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_is_told_and_broken_where_it_is_met_first() {
        let mut waits_for = vec![vec![1], vec![2], vec![0, 3], vec![]];
        assert_eq!(sort(&mut waits_for, 0..4), (vec![3, 2, 1, 0], false));
        assert_eq!(waits_for, [vec![1], vec![2], vec![3], vec![]]);
        assert_eq!(sort(&mut waits_for, 0..4), (vec![3, 2, 1, 0], true));
    }
}
