//! What an edit does to the nodes of a pool, in a sentence.

use super::inputs::PoolIn;
use crate::document::Value;
use crate::policy::{Cause, NodeChange, PoolRollout, Range};
use crate::text::join;

/// What happens to a pool.
#[derive(Debug)]
pub struct Told<'s> {
    /// The pool before the edit.
    pub before: Option<PoolIn<'s>>,
    /// The pool after it.
    pub after: Option<PoolIn<'s>>,
    /// What happens to the nodes.
    pub change: NodeChange,
    /// What causes it.
    pub causes: Vec<Cause>,
    /// Whether nodes change some at a time.
    pub is_rollout: bool,
}

impl Default for Told<'_> {
    fn default() -> Self {
        Self { before: None, after: None, change: NodeChange::Unchanged, causes: Vec::new(), is_rollout: false }
    }
}

/// The sentence about a pool, without its point.
pub fn summary(told: &Told<'_>, entry: &PoolRollout) -> String {
    let (name, asleep) = (&entry.name, is_asleep(told));
    let mut parts = vec![match entry.change {
        NodeChange::Added => {
            format!("pool `{name}` is new, with {}", nodes(entry.after))
        }
        NodeChange::Removed => format!("pool `{name}` goes with its {}", nodes(entry.before)),
        NodeChange::Unchanged => format!("pool `{name}` keeps its nodes as they are"),
        NodeChange::Rolled if asleep => {
            format!("pool `{name}` gets new nodes when the Shoot wakes up, {}", because(&told.causes))
        }
        NodeChange::Rolled => format!(
            "{} of pool `{name}` {}, {}{}",
            nodes(entry.before),
            if is_one(entry.before) { "rolls" } else { "roll" },
            at_once(entry.at_once),
            because(&told.causes)
        ),
        NodeChange::UpdatedInPlace if asleep => {
            format!("pool `{name}` has the change when the Shoot wakes up, {}", because(&told.causes))
        }
        NodeChange::UpdatedInPlace if told.is_rollout => {
            let manual = told.after.is_some_and(|pool| {
                pool.pool.get("updateStrategy").and_then(Value::as_str) == Some("ManualInPlaceUpdate")
            });
            let verb = if is_one(entry.before) { "is" } else { "are" };
            let how = if manual { "once somebody selects them, " } else { "" };
            format!(
                "{} of pool `{name}` {verb} updated in place, {how}{}{}",
                nodes(entry.before),
                at_once(entry.at_once),
                because(&told.causes)
            )
        }
        NodeChange::UpdatedInPlace => {
            format!("pool `{name}` keeps its nodes; on them changes {}", fields(&told.causes))
        }
    }];
    if !entry.added_zones.is_empty() {
        parts.push(format!("it gets zone {}", quoted(&entry.added_zones)));
    }
    if !entry.removed_zones.is_empty() {
        parts.push(format!("its nodes in zone {} go", quoted(&entry.removed_zones)));
    }
    if let (Some(before), Some(after)) = (entry.before, entry.after)
        && before != after
    {
        parts.push(format!("it has {} instead of {}", nodes(Some(after)), count(before)));
    }
    join(&parts, "; ")
}

/// Whether no node runs.
fn is_asleep(told: &Told<'_>) -> bool {
    told.before
        .is_some_and(|pool| matches!(pool.shoot.at(&["spec", "hibernation", "enabled"]), Some(Value::Bool(true))))
}

fn is_one(range: Option<Range>) -> bool {
    range == Some(Range { minimum: 1, maximum: 1 })
}

/// `3`, or `2 to 4`.
fn count(range: Range) -> String {
    let Range { minimum, maximum } = range;
    if minimum == maximum { minimum.to_string() } else { format!("{minimum} to {maximum}") }
}

fn nodes(range: Option<Range>) -> String {
    let unit = if is_one(range) { "node" } else { "nodes" };
    range.map_or_else(|| unit.to_owned(), |range| format!("{} {unit}", count(range)))
}

fn at_once(range: Option<Range>) -> String {
    range.map_or_else(String::new, |range| format!("{} at a time, ", count(range)))
}

/// `because `machine.type` changes`.
fn because(causes: &[Cause]) -> String {
    let verb = if causes.len() == 1 { "changes" } else { "change" };
    format!("because {} {verb}", fields(causes))
}

/// The names of values, joined as in a sentence.
fn fields(causes: &[Cause]) -> String {
    quoted(&causes.iter().map(|cause| cause.field.clone()).collect::<Vec<_>>())
}

fn quoted(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", join(rest, ", ")),
        _ => join(&quoted, ", "),
    }
}
