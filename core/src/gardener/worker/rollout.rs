//! What an edit of a Shoot does to its nodes: which pools are rolled, and why (`gardener-contract` 3.5).

use super::CountOrPercentText;
use super::deployment::changed_at_once;
use super::inputs::{Covered, Input, PoolIn, plain};
use super::share::{Zone, share};
use super::words::{Told, summary};
use crate::collections::NameMap;
use crate::document::Value;
use crate::policy::{Cause, NodeChange, PoolRollout, Range, Rollout};
use crate::report::{Rule, Undecided};

/// The part of a hash that is a provider's own.
pub type OwnInputs = fn(&PoolIn<'_>) -> Vec<Input>;

/// What is on nodes without being covered by a hash: it changes while they stay.
const ON_NODES: [&[&str]; 7] = [
    &["labels"],
    &["annotations"],
    &["taints"],
    &["caBundle"],
    &["sysctls"],
    &["systemComponents"],
    &["cri", "containerRuntimes"],
];

/// The annotation by which a person starts a rotation.
const OPERATION: &str = "gardener.cloud/operation";
/// Rotations that roll nodes.
const ROTATIONS: [&str; 3] = ["rotate-credentials-start", "rotate-ca-start", "rotate-serviceaccount-key-start"];

/// Tells what an edit does to the nodes of each pool. `own` is the provider's part of a hash; `either` is the rule that says that the
/// answer depends on which hash a pool has.
pub fn rollout(shoot: &Value<'_>, old: &Value<'_>, own: OwnInputs, either: &'static Rule) -> Rollout {
    let (new_pools, old_pools) = (pools(shoot), pools(old));
    let (new_names, old_names) = (names(&new_pools), names(&old_pools));
    let mut rollout = Rollout::default();
    for pool in &new_pools {
        let change = match old_names.get(pool.name()).and_then(|index| old_pools.get(*index)) {
            Some(before) => changed(pool, before, own, either, &mut rollout.undecided),
            None => Told { before: None, after: Some(*pool), change: NodeChange::Added, ..Told::default() },
        };
        rollout.pools.push(entry(change));
    }
    for pool in old_pools.iter().filter(|pool| !new_names.contains(pool.name())) {
        let gone = Told { before: Some(*pool), change: NodeChange::Removed, ..Told::default() };
        rollout.pools.push(entry(gone));
    }
    rollout
}

/// The places of pools by their names.
fn names<'s>(pools: &[PoolIn<'s>]) -> NameMap<'s, usize> {
    pools.iter().map(|pool| (pool.name(), pool.index)).collect()
}

/// The pools of a Shoot.
fn pools<'s>(shoot: &'s Value<'s>) -> Vec<PoolIn<'s>> {
    let all = shoot.at(&["spec", "provider", "workers"]).map(Value::items).unwrap_or_default();
    all.iter().enumerate().map(|(index, pool)| PoolIn { shoot, pool, index }).collect()
}

/// What an edit does to the nodes of a pool that both Shoots have.
fn changed<'s>(
    pool: &PoolIn<'s>,
    before: &PoolIn<'s>,
    own: OwnInputs,
    either: &'static Rule,
    undecided: &mut Vec<Undecided>,
) -> Told<'s> {
    let in_place = pool.updates_in_place();
    let mut causes: Vec<(Cause, Covered)> = differences(&inputs(pool, own), &inputs(before, own));
    causes.extend(rotation(pool.shoot, before.shoot).map(|cause| (cause, Covered::Everywhere)));
    let counts = |covered: Covered| match covered {
        Covered::Everywhere | Covered::NotByOldHash => true,
        Covered::WhereRolled => !in_place,
        Covered::ByOldHashAlone => false,
    };
    let is_certain = in_place
        || causes.is_empty()
        || causes.iter().any(|(_, covered)| matches!(covered, Covered::Everywhere | Covered::WhereRolled));
    if !is_certain {
        let fields: Vec<String> = causes.iter().map(|(cause, _)| format!("`{}`", cause.field)).collect();
        undecided.push(Undecided {
            rule: either.id,
            why: format!(
                "only the cluster knows whether pool `{}` has the old hash, which covers other values than the new one: {}",
                pool.name(),
                crate::text::join(&fields, ", ")
            ),
            query: None,
        });
    }
    let hashed: Vec<Cause> =
        causes.into_iter().filter(|(_, covered)| counts(*covered)).map(|(cause, _)| cause).collect();
    let (change, causes, is_rollout) = match (hashed.is_empty(), in_place) {
        (false, false) => (NodeChange::Rolled, hashed, true),
        (false, true) => (NodeChange::UpdatedInPlace, hashed, true),
        (true, _) => match on_nodes(pool, before) {
            fields if fields.is_empty() => (NodeChange::Unchanged, fields, false),
            fields => (NodeChange::UpdatedInPlace, fields, false),
        },
    };
    Told { before: Some(*before), after: Some(*pool), change, causes, is_rollout }
}

fn inputs(pool: &PoolIn<'_>, own: OwnInputs) -> Vec<Input> {
    let mut inputs = pool.inputs();
    inputs.extend(own(pool));
    inputs
}

/// The inputs that differ, as they are in the new pool. An input whose name alone changes, since the Shoot says it now and not the
/// pool, is the same. What one of them has more is of an item of a list: then the list differs.
fn differences(new: &[Input], old: &[Input]) -> Vec<(Cause, Covered)> {
    let longer = if new.len() >= old.len() { new } else { old };
    let mut causes = Vec::new();
    for (index, input) in longer.iter().enumerate() {
        let (one, other) = (new.get(index), old.get(index));
        if one.and_then(|input| input.value.as_ref()) != other.and_then(|input| input.value.as_ref()) {
            let Input { field, pointer, covered, .. } = one.unwrap_or(input).clone();
            let is_in_both = one.is_some() && other.is_some();
            let cause = (if is_in_both { Cause { field, pointer } } else { list_of(&field, &pointer) }, covered);
            if !causes.contains(&cause) {
                causes.push(cause);
            }
        }
    }
    causes
}

/// The list that a field of an item is in: `dataVolumes` of `dataVolumes[1].size`.
fn list_of(field: &str, pointer: &str) -> Cause {
    let list = field.split_once('[').map_or(field, |(list, _)| list);
    let above = pointer.rsplitn(3, '/').nth(2).unwrap_or(pointer);
    Cause { field: list.to_owned(), pointer: above.to_owned() }
}

/// The rotation that an edit starts.
fn rotation(shoot: &Value<'_>, old: &Value<'_>) -> Option<Cause> {
    let operation = |shoot: &Value<'_>| {
        shoot.at(&["metadata", "annotations", OPERATION]).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let asked = operation(shoot);
    if asked == operation(old) || !asked.split(';').any(|one| ROTATIONS.contains(&one.trim())) {
        return None;
    }
    Some(Cause {
        field: format!("metadata.annotations[{OPERATION}]"),
        pointer: "/metadata/annotations/gardener.cloud~1operation".to_owned(),
    })
}

/// What changes on nodes that stay.
fn on_nodes(pool: &PoolIn<'_>, before: &PoolIn<'_>) -> Vec<Cause> {
    let is_other = |one: Option<&Value<'_>>, other: Option<&Value<'_>>| one.map(plain) != other.map(plain);
    let mut causes: Vec<Cause> = ["version", "kubelet"]
        .into_iter()
        .filter_map(|key| {
            let ((field, pointer, value), (_, _, old)) = (pool.kubernetes(key), before.kubernetes(key));
            is_other(value, old).then_some(Cause { field, pointer })
        })
        .collect();
    for keys in ON_NODES {
        if is_other(pool.pool.at(keys), before.pool.at(keys)) {
            causes.push(Cause { field: crate::text::join(keys, "."), pointer: pool.pointer(keys) });
        }
    }
    causes
}

/// The entry of the answer.
fn entry(told: Told<'_>) -> PoolRollout {
    let name = told.after.or(told.before).map(|pool| pool.name().to_owned()).unwrap_or_default();
    let (before, after) = (told.before.map(|pool| range(&pool)), told.after.map(|pool| range(&pool)));
    let at_once = match (told.is_rollout, told.after, before) {
        (true, Some(pool), Some(nodes)) => at_once(&pool, nodes),
        _ => None,
    };
    let zones = |pool: Option<PoolIn<'_>>| {
        let zones = pool.and_then(|pool| pool.pool.get("zones")).map(Value::items).unwrap_or_default();
        zones.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
    };
    let (now, then) = (zones(told.after), zones(told.before));
    let is_kept = told.before.is_some() && told.after.is_some();
    let without = |all: &[String], others: &[String]| -> Vec<String> {
        all.iter().filter(|zone| is_kept && !others.contains(zone)).cloned().collect()
    };
    let mut entry = PoolRollout {
        name,
        change: told.change,
        causes: Vec::new(),
        before,
        after,
        at_once,
        added_zones: without(&now, &then),
        removed_zones: without(&then, &now),
        summary: String::new(),
    };
    entry.summary = summary(&told, &entry);
    entry.causes = told.causes;
    entry
}

/// The bounds of a pool.
fn range(pool: &PoolIn<'_>) -> Range {
    Range { minimum: number(pool, "minimum"), maximum: number(pool, "maximum") }
}

fn number(pool: &PoolIn<'_>, key: &str) -> i32 {
    match pool.pool.get(key) {
        Some(Value::Number(digits)) => {
            digits.parse::<i64>().map_or(0, |count| i32::try_from(count).unwrap_or(i32::MAX))
        }
        _ => 0,
    }
}

/// How many nodes change at once, in all zones together; none where a share cannot be read.
fn at_once(pool: &PoolIn<'_>, nodes: Range) -> Option<Range> {
    let read = |key: &str| match pool.pool.get(key) {
        Some(Value::String(text)) => CountOrPercentText::Text(text.as_ref()),
        _ => CountOrPercentText::Count(number(pool, key)),
    };
    let (surge, unavailable) = (read("maxSurge"), read("maxUnavailable"));
    let bounds = range(pool);
    let zones = pool.pool.get("zones").map_or(1, |zones| zones.items().len()).max(1);
    let of = |nodes: i32| {
        (0..zones).try_fold(0_i32, |sum, index| {
            let zone = Zone { index, of: zones };
            let bounds = (bounds.minimum, bounds.maximum);
            let changed = changed_at_once(surge, unavailable, bounds, zone, share(nodes, zone)).ok()?;
            sum.checked_add(changed)
        })
    };
    Some(Range { minimum: of(nodes.minimum)?, maximum: of(nodes.maximum)? })
}
