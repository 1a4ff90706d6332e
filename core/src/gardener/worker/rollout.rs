//! What an edit of a Shoot does to its nodes: which pools are rolled, and why (`gardener-contract` 3.5).

use super::CountOrPercentText;
use super::deployment::changed_at_once;
use super::inputs::{Covered, Input, NODE_LOCAL_DNS, PoolIn, plain};
use super::share::{Zone, share};
use super::words::{PoolUpdate, summary};
use crate::collections::NameMap;
use crate::document::{Path, Value};
use crate::policy::{Cause, NodeChange, PoolRollout, Range, Rollout};
use crate::report::{Rule, Undecided};

/// The part of a hash that is a provider's own.
pub type OwnInputs = fn(&PoolIn<'_>) -> Vec<Input>;

/// What is on nodes without being covered by a hash: it changes while they stay.
const ON_NODES: [&[&str]; 8] = [
    &["machine", "architecture"],
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
/// The annotation by which a person starts an operation in the next maintenance.
const IN_MAINTENANCE: &str = "maintenance.gardener.cloud/operation";
/// Rotations that roll the nodes of all pools.
const ROTATIONS: [&str; 3] = ["rotate-credentials-start", "rotate-ca-start", "rotate-serviceaccount-key-start"];
/// Operations that roll the nodes of the pools that they name.
const ROLLOUTS: [&str; 2] = ["rollout-workers=", "rotate-rollout-workers="];

/// Shows what an edit does to the nodes of each pool. `own` is the provider's part of a hash; `either` is the rule
/// that says that the answer depends on which hash a pool has.
pub fn rollout(shoot: &Value<'_>, old: &Value<'_>, own: OwnInputs, either: &'static Rule) -> Rollout {
    let (new_pools, old_pools) = (pools(shoot), pools(old));
    let (new_names, old_names) = (names(&new_pools), names(&old_pools));
    let mut rollout = Rollout::default();
    for pool in &new_pools {
        let change = match old_names.get(pool.name()).and_then(|index| old_pools.get(*index)) {
            Some(before) => changed(pool, before, own, either, &mut rollout.undecided),
            None => {
                PoolUpdate { before: None, after: Some(*pool), change: NodeChange::Added, ..PoolUpdate::default() }
            }
        };
        rollout.pools.push(entry(change));
    }
    for pool in old_pools.iter().filter(|pool| !new_names.contains(pool.name())) {
        let gone = PoolUpdate { before: Some(*pool), change: NodeChange::Removed, ..PoolUpdate::default() };
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
) -> PoolUpdate<'s> {
    let is_resized = before.size() != pool.size() || before.zones().ne(pool.zones());
    let stays = if is_resized { NodeChange::Resized } else { NodeChange::Unchanged };
    let update = PoolUpdate { before: Some(*before), after: Some(*pool), change: stays, ..PoolUpdate::default() };
    if before.bounds().maximum == 0 || pool.bounds().maximum == 0 {
        // There is no node that could change, whichever hash the pool has.
        return update;
    }
    let in_place = pool.updates_in_place();
    let mut causes: Vec<(Cause, Covered)> = differences(&inputs(pool, own), &inputs(before, own));
    name_the_cause_of_node_local_dns(&mut causes, pool, before);
    let operations = [OPERATION, IN_MAINTENANCE];
    causes.extend(
        operations.iter().filter_map(|key| operation(key, pool, before)).map(|cause| (cause, Covered::Everywhere)),
    );
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
    let change = if in_place { NodeChange::UpdatedInPlace } else { NodeChange::Rolled };
    match (hashed, on_nodes(pool, before)) {
        (causes, _) if !causes.is_empty() => PoolUpdate { change, causes, is_rollout: true, ..update },
        (_, causes) if !causes.is_empty() => PoolUpdate { change: NodeChange::UpdatedInPlace, causes, ..update },
        _ => update,
    }
}

/// Which of the values that together turn the local DNS of nodes on or off is the one that changes. A Kubernetes
/// version that does is a cause already.
fn name_the_cause_of_node_local_dns(causes: &mut Vec<(Cause, Covered)>, pool: &PoolIn<'_>, before: &PoolIn<'_>) {
    let Some(at) = causes.iter().position(|(cause, _)| cause.field == NODE_LOCAL_DNS) else { return };
    let changes = |keys: &[&str]| pool.shoot.at(keys).map(plain) != before.shoot.at(keys).map(plain);
    if changes(&["spec", "systemComponents", "nodeLocalDNS", "enabled"]) {
        return;
    }
    let (_, covered) = causes.remove(at);
    for &key in &["enabled", "mode"] {
        if changes(&["spec", "kubernetes", "kubeProxy", key]) {
            let (field, pointer) =
                (format!("spec.kubernetes.kubeProxy.{key}"), format!("/spec/kubernetes/kubeProxy/{key}"));
            causes.insert(at, (Cause { field, pointer }, covered));
        }
    }
}

fn inputs(pool: &PoolIn<'_>, own: OwnInputs) -> Vec<Input> {
    let mut inputs = pool.inputs();
    inputs.extend(own(pool));
    inputs
}

/// The inputs that differ, as they are in the new pool. An input whose name alone changes, since the Shoot says it
/// now and not the pool, is the same. What one of them has more is of an item of a list: then the list differs.
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

/// The operation that an edit starts by an annotation, where it rolls the nodes of the pool.
fn operation(key: &str, pool: &PoolIn<'_>, before: &PoolIn<'_>) -> Option<Cause> {
    let asked = |shoot: &Value<'_>| {
        let annotation = shoot.at(&["metadata", "annotations", key]);
        annotation.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let rolls = |one: &str| {
        let names = ROLLOUTS.iter().find_map(|prefix| one.strip_prefix(prefix));
        names.map_or_else(
            || ROTATIONS.contains(&one),
            |names| names == "*" || names.split(',').any(|name| name == pool.name()),
        )
    };
    let now = asked(pool.shoot);
    if now == asked(before.shoot) || !now.split(';').any(|one| rolls(one.trim())) {
        return None;
    }
    Some(Cause {
        field: format!("metadata.annotations[{key}]"),
        pointer: Path::root("", "/metadata/annotations").key(key).pointer(),
    })
}

/// What changes on nodes that stay.
fn on_nodes(pool: &PoolIn<'_>, before: &PoolIn<'_>) -> Vec<Cause> {
    let is_other = |one: Option<&Value<'_>>, other: Option<&Value<'_>>| comparable(one) != comparable(other);
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
    // A label of nodes says whether they have a local DNS.
    let keys = ["spec", "systemComponents", "nodeLocalDNS", "enabled"];
    let is_on = |pool: &PoolIn<'_>| matches!(pool.shoot.at(&keys), Some(Value::Bool(true)));
    if is_on(pool) != is_on(before) {
        causes.push(Cause {
            field: NODE_LOCAL_DNS.to_owned(),
            pointer: "/spec/systemComponents/nodeLocalDNS/enabled".to_owned(),
        });
    }
    causes
}

/// A value as a text; what is empty is as good as absent.
fn comparable(value: Option<&Value<'_>>) -> Option<String> {
    value.filter(|value| !matches!(value, Value::Null) && plain(value) != "{}" && plain(value) != "[]").map(plain)
}

/// The entry of the answer.
fn entry(update: PoolUpdate<'_>) -> PoolRollout {
    let name = update.after.or(update.before).map(|pool| pool.name().to_owned()).unwrap_or_default();
    let (before, after) = (update.before.map(|pool| pool.size()), update.after.map(|pool| pool.size()));
    let at_once = match (update.is_rollout, update.after, before) {
        (true, Some(pool), Some(nodes)) if !update.waits_for_a_person() && !update.is_asleep() => {
            at_once(&pool, nodes)
        }
        _ => None,
    };
    let without = |one: Option<PoolIn<'_>>, other: Option<PoolIn<'_>>| -> Vec<String> {
        let (Some(one), Some(other)) = (one, other) else { return Vec::new() };
        one.zones().filter(|zone| !other.zones().any(|known| known == *zone)).map(str::to_owned).collect()
    };
    let mut entry = PoolRollout {
        name,
        change: update.change,
        causes: Vec::new(),
        before,
        after,
        at_once,
        added_zones: without(update.after, update.before),
        removed_zones: without(update.before, update.after),
        summary: String::new(),
    };
    entry.summary = summary(&update, &entry);
    entry.causes = update.causes;
    entry
}

/// How many nodes change at once, in all zones together; none where a share cannot be read.
fn at_once(pool: &PoolIn<'_>, nodes: Range) -> Option<Range> {
    let read = |key: &str| match pool.pool.get(key) {
        Some(Value::String(text)) => CountOrPercentText::Text(text.as_ref()),
        _ => CountOrPercentText::Count(pool.number(key)),
    };
    let (surge, unavailable) = (read("maxSurge"), read("maxUnavailable"));
    let bounds = pool.bounds();
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
