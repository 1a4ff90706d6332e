//! What has to go, and what is still there (reference: gardener-contract 3.4).

use serde_json::Value;

use super::machines::Fleet;
use super::readiness::failed_machines;
use crate::api_server::member::text;
use crate::api_server::objects::{is_deleted, name};

/// What the machine-controller-manager holds, it has not let go of yet.
const FINALIZERS: [&str; 2] =
    ["machine.sapcloud.io/machine-controller-manager", "machine.sapcloud.io/machine-controller"];

/// How far a removal is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Removal {
    /// Nothing is left.
    Done,
    /// Something is left; in words for people, in the middle of a sentence.
    Waiting(String),
    /// A machine failed; which, and why.
    Failed(String),
}

/// How far the deletion of a Worker is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The machines have to go, and the machine-controller-manager needs classes and credentials for that.
    Preparing,
    /// Something is being deleted: classes must not come back.
    Deleting,
    /// Nothing is left.
    Gone,
}

/// All that a Worker owns, as it was read. It holds user data, and nothing prints it.
#[derive(Clone, Copy, Default)]
pub struct Remains<'v> {
    /// Machine deployments, machine sets and machines.
    pub fleet: Fleet<'v>,
    /// Machine classes.
    pub classes: &'v [Value],
    /// The Secrets of machine classes.
    pub secrets: &'v [Value],
}

impl Remains<'_> {
    /// How far the deletion of the Worker is. The objects show it, so that every process can go on with the
    /// deletion.
    pub fn stage(self) -> Stage {
        let Fleet { deployments, sets, machines } = self.fleet;
        if [deployments, self.classes, self.secrets].into_iter().flatten().any(is_deleted) {
            return Stage::Deleting;
        }
        let is_empty = [deployments, sets, machines, self.classes].iter().all(|objects| objects.is_empty());
        match (is_empty, self.secrets.is_empty()) {
            (false, _) => Stage::Preparing,
            // A Secret without a class: nobody uses it.
            (true, false) => Stage::Deleting,
            (true, true) => Stage::Gone,
        }
    }

    /// What is left after everything was deleted. A Secret that nobody holds is as good as gone.
    pub fn left(self) -> Removal {
        let Fleet { deployments, sets, machines } = self.fleet;
        if let Some(failed) = deployments.iter().find_map(failed) {
            return Removal::Failed(failed);
        }
        let held = self.secrets.iter().filter(|secret| !finalizers(secret).is_empty()).count();
        let counts = [
            (machines.len(), "machines"),
            (sets.len(), "machine sets"),
            (deployments.len(), "machine deployments"),
            (self.classes.len(), "machine classes"),
            (held, "machine class secrets"),
        ];
        let left = counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        let left: Vec<String> = left.collect();
        if left.is_empty() {
            return Removal::Done;
        }
        Removal::Waiting(format!(
            "waiting until the following machine resources have been deleted: {}",
            left.join(", ")
        ))
    }
}

/// The objects that are not wanted, and that nobody has deleted yet.
pub fn unwanted(live: &[Value], is_wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = &Value> {
    live.iter().filter(move |object| !is_wanted(name(object)) && !is_deleted(object))
}

/// Whether machine deployments that are not wanted are gone.
pub fn unwanted_left(deployments: &[Value], is_wanted: impl Fn(&str) -> bool) -> Removal {
    let Some(first) = deployments.iter().find(|deployment| !is_wanted(name(deployment))) else {
        return Removal::Done;
    };
    if let Some(failed) = failed(first) {
        return Removal::Failed(failed);
    }
    Removal::Waiting(format!("at least one unwanted machine deployment ({}) still exists", name(first)))
}

/// Whether the machine-controller-manager holds the Secret with the credentials.
pub fn is_acquired(secret: &Value) -> bool {
    finalizers(secret).iter().any(|finalizer| FINALIZERS.contains(finalizer))
}

fn finalizers(object: &Value) -> Vec<&str> {
    let all = object.pointer("/metadata/finalizers").and_then(Value::as_array);
    all.into_iter().flatten().filter_map(Value::as_str).collect()
}

fn failed(deployment: &Value) -> Option<String> {
    let first = failed_machines(deployment).next()?;
    Some(format!("machine {} failed: {}", text(first, "/name"), text(first, "/lastOperation/description")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(name: &str) -> Value {
        json!({ "metadata": { "name": name } })
    }

    fn deleted(name: &str) -> Value {
        json!({ "metadata": { "name": name, "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": [FINALIZERS[0]] } })
    }

    #[test]
    fn classes_are_prepared_until_something_is_deleted() {
        let (one, gone) = ([object("a")], [deleted("a")]);
        let fleet = |deployments, machines| Fleet { deployments, sets: &[], machines };
        for (fleet, classes, secrets, expected) in [
            (fleet(&[][..], &[][..]), &[][..], &[][..], Stage::Gone),
            (fleet(&one, &[]), &[], &[], Stage::Preparing),
            (fleet(&[], &one), &[], &[], Stage::Preparing),
            (fleet(&[], &[]), &one, &one, Stage::Preparing),
            (fleet(&one, &one), &gone, &one, Stage::Deleting),
            (fleet(&gone, &one), &one, &one, Stage::Deleting),
            (fleet(&one, &[]), &one, &gone, Stage::Deleting),
            (fleet(&[], &[]), &[], &one, Stage::Deleting),
        ] {
            assert_eq!(Remains { fleet, classes, secrets }.stage(), expected, "{fleet:?} {classes:?} {secrets:?}");
        }
    }

    #[test]
    fn what_is_left_is_counted() {
        let (one, gone) = ([object("a")], [deleted("a"), deleted("b")]);
        let fleet = Fleet { deployments: &gone, sets: &one, machines: &gone };
        let all = Remains { fleet, classes: &one, secrets: &gone };
        let text = "waiting until the following machine resources have been deleted: 2 machines, 1 machine sets, 2 machine \
                    deployments, 1 machine classes, 2 machine class secrets";
        assert_eq!(all.left(), Removal::Waiting(text.to_owned()));
        assert_eq!(Remains { secrets: &one, ..Remains::default() }.left(), Removal::Done);
        let failed = [
            json!({ "status": { "failedMachines": [{ "name": "m", "lastOperation": { "description": "no" } }] } }),
        ];
        let fleet = Fleet { deployments: &failed, ..Fleet::default() };
        assert_eq!(Remains { fleet, ..all }.left(), Removal::Failed("machine m failed: no".to_owned()));
    }

    #[test]
    fn what_is_not_wanted_is_deleted_once_and_waited_for() {
        let live = [object("a"), object("b"), deleted("c")];
        let names: Vec<&str> = unwanted(&live, |name| name == "a").map(name).collect();
        assert_eq!(names, ["b"]);
        assert_eq!(unwanted_left(&live[..1], |name| name == "a"), Removal::Done);
        let text = "at least one unwanted machine deployment (b) still exists".to_owned();
        assert_eq!(unwanted_left(&live, |name| name == "a"), Removal::Waiting(text));
    }

    #[test]
    fn credentials_are_held_by_either_finalizer() {
        for (finalizers, expected) in
            [(json!([FINALIZERS[0]]), true), (json!(["x", FINALIZERS[1]]), true), (json!(["x"]), false)]
        {
            assert_eq!(is_acquired(&json!({ "metadata": { "finalizers": finalizers } })), expected);
        }
        assert!(!is_acquired(&json!({})));
    }
}
