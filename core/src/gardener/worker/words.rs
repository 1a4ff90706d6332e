//! What an edit does to the nodes of a pool, in a sentence.

use super::inputs::PoolIn;
use crate::policy::{Cause, NodeChange, PoolRollout, Range};
use crate::text::enumerate;

/// What happens to a pool.
#[derive(Debug)]
pub struct PoolUpdate<'s> {
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

impl Default for PoolUpdate<'_> {
    fn default() -> Self {
        Self { before: None, after: None, change: NodeChange::Unchanged, causes: Vec::new(), is_rollout: false }
    }
}

impl PoolUpdate<'_> {
    /// Whether nothing happens before somebody selects nodes.
    pub fn waits_for_a_person(&self) -> bool {
        let strategy = self.after.and_then(|pool| pool.pool.get("updateStrategy")?.as_str());
        strategy == Some("ManualInPlaceUpdate")
    }

    /// Whether no node runs before the edit, or none after it.
    pub fn is_asleep(&self) -> bool {
        self.before.is_some_and(|pool| pool.is_asleep()) || self.after.is_some_and(|pool| pool.is_asleep())
    }
}

/// The sentence about a pool, without its point.
pub fn summary(reported: &PoolUpdate<'_>, entry: &PoolRollout) -> String {
    let (name, asleep) = (&entry.name, reported.is_asleep());
    let mut first = match entry.change {
        NodeChange::Added if asleep => {
            let bounds = reported.after.map(|pool| pool.bounds());
            format!("pool `{name}` is new, and gets {} when the Shoot wakes up", nodes(bounds))
        }
        NodeChange::Added => format!("pool `{name}` is new, with {}", nodes(entry.after)),
        NodeChange::Removed if asleep => format!("pool `{name}` goes; it has no nodes while the Shoot hibernates"),
        NodeChange::Removed => format!("pool `{name}` goes with its {}", nodes(entry.before)),
        NodeChange::Unchanged if entry.after.is_some_and(|range| range.maximum == 0) => {
            format!("pool `{name}` has no nodes")
        }
        NodeChange::Unchanged => format!("pool `{name}` keeps its nodes as they are"),
        NodeChange::Resized => format!("no node of pool `{name}` is replaced"),
        NodeChange::Rolled if asleep => {
            format!("pool `{name}` gets new nodes when the Shoot wakes up, {}", because(&reported.causes))
        }
        NodeChange::Rolled => format!(
            "{} of pool `{name}` {}, {}{}",
            nodes(entry.before),
            if is_one(entry.before) { "rolls" } else { "roll" },
            at_once(entry.at_once),
            because(&reported.causes)
        ),
        NodeChange::UpdatedInPlace if asleep => {
            format!("pool `{name}` has the change when the Shoot wakes up, {}", because(&reported.causes))
        }
        NodeChange::UpdatedInPlace if reported.is_rollout => {
            let verb = if is_one(entry.before) { "is" } else { "are" };
            let how = if reported.waits_for_a_person() { "once somebody selects them, " } else { "" };
            format!(
                "{} of pool `{name}` {verb} updated in place, {how}{}{}",
                nodes(entry.before),
                at_once(entry.at_once),
                because(&reported.causes)
            )
        }
        NodeChange::UpdatedInPlace => {
            let verb = if reported.causes.len() == 1 { "changes" } else { "change" };
            format!("{} {verb} on the nodes of pool `{name}`, which stay", fields(&reported.causes))
        }
    };
    for part in parts(reported, entry) {
        first.push_str("; ");
        first.push_str(&part);
    }
    first
}

/// What else happens to a pool that was there before.
fn parts(reported: &PoolUpdate<'_>, entry: &PoolRollout) -> Vec<String> {
    let mut parts = Vec::new();
    let (Some(old), Some(new)) = (reported.before, reported.after) else { return parts };
    if !entry.added_zones.is_empty() {
        parts.push(format!("it gets {}", zones(&entry.added_zones)));
    }
    if !entry.removed_zones.is_empty() {
        parts.push(format!("its nodes in {} go", zones(&entry.removed_zones)));
    }
    match (old.is_asleep(), new.is_asleep()) {
        (false, true) => {
            let verb = if is_one(Some(old.bounds())) { "goes" } else { "go" };
            parts.push(format!("its {} {verb} while the Shoot hibernates", nodes(Some(old.bounds()))));
        }
        (true, false) => parts.push(format!("it gets {} when the Shoot wakes up", nodes(Some(new.bounds())))),
        _ if old.bounds() != new.bounds() => {
            let will = if new.is_asleep() { "will have" } else { "has" };
            parts.push(format!("it {will} {} instead of {}", nodes(Some(new.bounds())), count(old.bounds())));
        }
        _ => {}
    }
    parts
}

/// `zone `a``, or `zones `a` and `b``.
fn zones(names: &[String]) -> String {
    format!("{} {}", if names.len() == 1 { "zone" } else { "zones" }, quoted(names))
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
    enumerate(&quoted, "and")
}
