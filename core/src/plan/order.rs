//! The order of steps: the plan creates a resource after what it needs, and deletes it before what it uses.

use super::arena::{Arena, Id};
use super::planned::{Planned, deleted_by};
use super::{Difference, Resource};
use crate::collections::sorted_once;
use crate::policy::{Action, Step};

/// What the plan does to one resource at a time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    /// The plan creates or updates the resource.
    Apply(Id<Planned>),
    /// The plan deletes the resource.
    Delete(Id<Planned>),
}

/// The tasks that each task waits for.
type WaitsFor = Arena<Vec<Id<Task>>, Task>;

/// All tasks, each after those that it waits for.
pub(super) struct Order {
    tasks: Arena<Task>,
    waits_for: WaitsFor,
    sorted: Vec<Id<Task>>,
}

/// A step at its place in the plan.
struct Placed {
    step: Step,
    /// The steps that it comes after.
    after: Vec<Id<Placed>>,
}

impl Order {
    /// The order of what the plan does to resources. Where nothing else decides, the plan creates first what was
    /// declared first, and deletes it last.
    pub fn of(all: &Arena<Planned>) -> Self {
        let mut tasks = Arena::default();
        let apply = all.parallel(|id| tasks.push(Task::Apply(id)));
        let delete = all.parallel(|id| tasks.push(Task::Delete(id)));
        let mut waits_for = tasks.parallel(|_| Vec::new());
        for id in all.ids() {
            let Planned { needs, uses, action, deleted_with, .. } = &all[id];
            if *action != Some(Action::Delete) {
                waits_for[apply[id]].extend(needs.iter().map(|needed| match all[*needed].action {
                    // What is created takes the place of what is deleted.
                    Some(Action::Delete) => delete[deleted_by(all, *needed)],
                    _ => apply[*needed],
                }));
            }
            if all[id].is_deleted() {
                waits_for[apply[id]].push(delete[deleted_by(all, id)]);
                if let Some(container) = deleted_with {
                    waits_for[delete[*container]].push(delete[id]);
                }
            }
            for used in uses.iter().copied().filter(|used| all[*used].is_deleted()) {
                let task = match action {
                    Some(Action::Update | Action::Adopt) => apply[id],
                    Some(Action::Replace | Action::Delete) if deleted_by(all, id) == deleted_by(all, used) => {
                        delete[id]
                    }
                    Some(Action::Replace | Action::Delete) => delete[deleted_by(all, id)],
                    _ => continue,
                };
                waits_for[delete[used]].push(task);
            }
        }
        let goals = apply.iter().chain(delete.iter().rev()).copied();
        let (sorted, is_acyclic) = sort(&mut waits_for, goals);
        debug_assert!(is_acyclic, "resources need each other in a ring");
        Self { tasks, waits_for, sorted }
    }

    /// The resources that exist or will, in the order in which the plan creates them; then those that it deletes,
    /// in the order in which it does.
    pub fn listed(&self, all: &Arena<Planned>) -> Vec<Id<Planned>> {
        let (mut listed, mut deleted) = (Vec::new(), Vec::new());
        for task in &self.sorted {
            match self.tasks[*task] {
                Task::Delete(id) if all[id].action == Some(Action::Delete) => deleted.push(id),
                Task::Apply(id) if all[id].remains() => listed.push(id),
                _ => {}
            }
        }
        listed.append(&mut deleted);
        listed
    }

    /// Takes the steps that are needed out of the resources, which keep the ids of their steps.
    pub fn take_steps(&self, all: &mut Arena<Planned>) -> Vec<Step> {
        let mut steps: Arena<Placed> = Arena::default();
        // The last steps of each task: what waits for the task waits for them.
        let mut last_steps = self.tasks.parallel(|_| Vec::new());
        for &task in &self.sorted {
            let earlier = self.waits_for[task].iter().flat_map(|earlier| last_steps[*earlier].iter().copied());
            let mut after = sorted_once(earlier.collect());
            leave_out_implied(&mut after, &steps);
            let (id, taken) = match self.tasks[task] {
                Task::Apply(id) => (id, take_steps_to_apply(&mut all[id])),
                Task::Delete(id) => (id, take_steps_to_delete(&mut all[id])),
            };
            // What happens without a step happens with what it waits for.
            let mut is_passed_on = match self.tasks[task] {
                Task::Apply(_) => all[id].is_created(),
                Task::Delete(_) => all[id].is_deleted(),
            };
            for mut step in taken {
                step.after = after.iter().map(|earlier| steps[*earlier].step.id.clone()).collect();
                all[id].steps.push(step.id.clone());
                after = vec![steps.push(Placed { step, after })];
                is_passed_on = true;
            }
            if is_passed_on {
                last_steps[task] = after;
            }
        }
        steps.into_iter().map(|placed| placed.step).collect()
    }
}

/// Takes the steps that create or update a resource.
fn take_steps_to_apply(planned: &mut Planned) -> Vec<Step> {
    match planned.action {
        Some(Action::Create | Action::Associate | Action::Replace) => std::mem::take(&mut planned.resource.create),
        Some(Action::Update | Action::Adopt) => take_updates(&mut planned.resource),
        Some(Action::Delete) | None => Vec::new(),
    }
}

/// Takes the steps that delete a resource; none where the deletion of another resource deletes it.
fn take_steps_to_delete(planned: &mut Planned) -> Vec<Step> {
    if planned.is_deleted() && planned.deleted_with.is_none() {
        std::mem::take(&mut planned.resource.delete)
    } else {
        Vec::new()
    }
}

/// Takes the steps that update what differs. A step that updates several attributes is taken once.
fn take_updates(resource: &mut Resource) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for attribute in resource.attributes.iter_mut().filter(|attribute| attribute.differs()) {
        if let Difference::Update(updates, _) = &mut attribute.difference {
            for step in std::mem::take(updates) {
                if steps.iter().all(|known| known.id != step.id) {
                    steps.push(step);
                }
            }
        }
    }
    steps
}

/// Leaves out the steps that others of them come after.
fn leave_out_implied(some: &mut Vec<Id<Placed>>, steps: &Arena<Placed>) {
    let Some(&lowest) = some.first().filter(|_| some.len() > 1) else { return };
    let mut is_implied = steps.parallel(|_| false);
    let mut open = some.clone();
    while let Some(step) = open.pop() {
        for &earlier in steps[step].after.iter().filter(|earlier| **earlier >= lowest) {
            if !std::mem::replace(&mut is_implied[earlier], true) {
                open.push(earlier);
            }
        }
    }
    some.retain(|step| !is_implied[*step]);
}

/// Tasks in an order in which each comes after those that it waits for, and whether there is one: of tasks that
/// wait for each other in a ring, the one that is met last no longer waits for the first.
fn sort(waits_for: &mut WaitsFor, goals: impl Iterator<Item = Id<Task>>) -> (Vec<Id<Task>>, bool) {
    let mut sorting = Sorting { marks: waits_for.parallel(|_| Mark::New), sorted: Vec::new(), is_acyclic: true };
    for goal in goals {
        sorting.visit(goal, waits_for);
    }
    (sorting.sorted, sorting.is_acyclic)
}

struct Sorting {
    marks: Arena<Mark, Task>,
    sorted: Vec<Id<Task>>,
    is_acyclic: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

impl Sorting {
    fn visit(&mut self, task: Id<Task>, waits_for: &mut WaitsFor) {
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
    fn a_ring_is_reported_and_broken_where_it_is_met_first() {
        let mut waits_for = WaitsFor::default();
        let [a, b, c, d] = [(); 4].map(|()| waits_for.push(Vec::new()));
        (waits_for[a], waits_for[b], waits_for[c]) = (vec![b], vec![c], vec![a, d]);
        let all = || [a, b, c, d].into_iter();
        assert_eq!(sort(&mut waits_for, all()), (vec![d, c, b, a], false));
        assert_eq!(waits_for.iter().collect::<Vec<_>>(), [&vec![b], &vec![c], &vec![d], &vec![]]);
        assert_eq!(sort(&mut waits_for, all()), (vec![d, c, b, a], true));
    }
}
