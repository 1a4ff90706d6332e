//! Machine sets and machines, and whose they are.

use std::collections::BTreeMap;

use crate::api_server::member::text;
use serde_json::{Value, json};

/// The label by which the machine-controller-manager deletes a machine without draining its node.
const FORCE_DELETION: &str = "force-deletion";

/// The machine objects of a Worker's namespace, as they were read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fleet<'v> {
    /// The machine deployments.
    pub deployments: &'v [Value],
    /// The machine sets.
    pub sets: &'v [Value],
    /// The machines.
    pub machines: &'v [Value],
}

impl<'v> Fleet<'v> {
    /// The machine sets by the names of their machine deployments. A machine set that another seed saved has no
    /// owner yet; its label `name` has the name.
    pub fn sets_by_deployment(self) -> BTreeMap<&'v str, Vec<&'v Value>> {
        let mut sets: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
        for set in self.sets {
            let owners = owners(set, "MachineDeployment");
            let label = || Some(text(set, "/metadata/labels/name")).filter(|name| !name.is_empty());
            let names = owners.unwrap_or_else(|| label().into_iter().collect());
            for name in names {
                sets.entry(name).or_default().push(set);
            }
        }
        sets
    }

    /// The machines of a machine set.
    pub fn machines_of(self, set: &str) -> impl Iterator<Item = &'v Value> {
        self.machines
            .iter()
            .filter(move |machine| owners(machine, "MachineSet").is_some_and(|owners| owners.contains(&set)))
    }
}

/// The owners of a kind; none where nobody owns the object.
fn owners<'v>(object: &'v Value, kind: &str) -> Option<Vec<&'v str>> {
    let references = object.pointer("/metadata/ownerReferences")?.as_array().filter(|all| !all.is_empty())?;
    let of_kind = references.iter().filter(|reference| text(reference, "/kind") == kind);
    Some(of_kind.map(|reference| text(reference, "/name")).collect())
}

/// The machine class of a machine deployment or a machine set.
pub fn class_of(object: &Value) -> &str {
    text(object, "/spec/template/spec/class/name")
}

/// What to change of a machine that is to be deleted without draining its node; none where nothing is to be
/// changed.
pub fn forced(machine: &Value) -> Option<Value> {
    let is_forced = text(machine, &format!("/metadata/labels/{FORCE_DELETION}")) == "True";
    (!is_forced).then(|| json!({ "metadata": { "labels": { FORCE_DELETION: "True" } } }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_and_machines_belong_to_their_owners() {
        let owned = |kind: &str, owner: &str| json!([{ "kind": kind, "name": owner }]);
        let sets = [
            json!({ "metadata": { "name": "s1", "ownerReferences": owned("MachineDeployment", "d") } }),
            json!({ "metadata": { "name": "s2", "labels": { "name": "d" } } }),
            json!({ "metadata": { "name": "s3", "labels": { "name": "d" }, "ownerReferences": owned("Other", "d") } }),
            json!({ "metadata": { "name": "s4" } }),
        ];
        let machines = [
            json!({ "metadata": { "name": "m1", "ownerReferences": owned("MachineSet", "s1") } }),
            json!({ "metadata": { "name": "m2", "labels": { "name": "s1" } } }),
        ];
        let fleet = Fleet { sets: &sets, machines: &machines, ..Fleet::default() };
        let names =
            |sets: &[&Value]| sets.iter().map(|set| text(set, "/metadata/name").to_owned()).collect::<Vec<_>>();
        let by_deployment = fleet.sets_by_deployment();
        assert_eq!(by_deployment.keys().copied().collect::<Vec<_>>(), ["d"]);
        assert_eq!(names(&by_deployment["d"]), ["s1", "s2"]);
        let machines: Vec<&Value> = fleet.machines_of("s1").collect();
        assert_eq!(names(&machines), ["m1"]);
    }

    #[test]
    fn a_machine_is_marked_once() {
        let marked = json!({ "metadata": { "labels": { "force-deletion": "True" } } });
        assert_eq!(forced(&marked), None);
        for other in [json!({}), json!({ "metadata": { "labels": { "force-deletion": "true" } } })] {
            assert_eq!(forced(&other).as_ref(), Some(&marked));
        }
    }
}
