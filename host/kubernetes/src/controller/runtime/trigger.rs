//! Which events of an object give its controller something to do (reference: gardener-contract 2.1).

use crate::controller::runtime::extension::{Extension, Request, TIMESTAMP};
use crate::controller::runtime::wake::Wake;

/// Which objects a controller reconciles, and when.
#[derive(Clone, Debug)]
pub struct Filter {
    /// The types of objects.
    pub types: Vec<String>,
    /// The classes of objects.
    pub classes: Vec<String>,
    /// What asks for a reconcile.
    pub trigger: Trigger,
}

/// What asks for a reconcile of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// The operation annotation, as gardenlet sets it.
    Annotation,
    /// Each change of the spec (`--ignore-operation-annotation`).
    Generation,
}

impl Filter {
    /// Whether an object is one of the controller's.
    pub fn is_own(&self, object: &Extension) -> bool {
        self.types.contains(&object.provider) && self.classes.contains(&object.class)
    }

    /// Whether a change of something else gives the controller something to do: what failed or waits may go on.
    pub fn admits_wake(&self, wake: &Wake, object: &Extension) -> bool {
        let has_failed = object.last.as_ref().is_some_and(|last| last.state == "Error");
        self.is_own(object) && (self.trigger == Trigger::Generation || has_failed || wake.asks())
    }

    /// Whether an object has something to do that nothing shows: machines may have changed while no process saw it. `old` is
    /// the object before, where it was known.
    pub fn owes(&self, old: Option<&Extension>, new: &Extension) -> bool {
        old.is_none() && new.is_updated_by_hand && self.is_own(new)
    }

    /// Whether an event gives the controller something to do. `old` is the object before, where it was known.
    pub fn admits(&self, old: Option<&Extension>, new: &Extension) -> bool {
        if !self.is_own(new) {
            return false;
        }
        match (self.trigger, old) {
            (Trigger::Annotation, None) => {
                asks(new) || new.is_deleted() || !new.has_succeeded() || new.lacks_answer()
            }
            (Trigger::Annotation, Some(old)) => {
                // The controller's own changes of the status give nothing to do, because what failed waits for its
                // time.
                let is_foreign = old.has_status_of(new);
                let is_asked = asks(new) && (asks_otherwise(old, new) || is_foreign);
                let is_deleted = new.is_deleted() && (!old.is_deleted() || is_foreign);
                is_asked || is_deleted || was_resumed(old, new)
            }
            (Trigger::Generation, None) => true,
            (Trigger::Generation, Some(old)) => {
                // gardenlet waits until its annotation is gone, whatever asks for reconciles.
                (asks(new) && asks_otherwise(old, new))
                    || old.metadata.generation != new.metadata.generation
                    || old.is_deleted() != new.is_deleted()
                    || was_resumed(old, new)
            }
        }
    }
}

fn asks(object: &Extension) -> bool {
    matches!(object.request(), Some(Request::Reconcile | Request::Migrate | Request::Restore))
}

/// Whether somebody asks for something else, or once more.
fn asks_otherwise(old: &Extension, new: &Extension) -> bool {
    old.request() != new.request() || old.annotation(TIMESTAMP) != new.annotation(TIMESTAMP)
}

/// Whether somebody changed what holds an object back that is not done.
fn was_resumed(old: &Extension, new: &Extension) -> bool {
    !new.has_succeeded() && !answers(old).eq(answers(new))
}

/// The annotations by which people answer to what a controller says in `lastError`: whatever the kind, their domain
/// is [`ANSWERS`] or a part of it.
fn answers(object: &Extension) -> impl Iterator<Item = (&String, &String)> {
    let is_answer = |key: &str| key.split_once('/').is_some_and(|(domain, _)| domain.ends_with(ANSWERS));
    object.metadata.annotations.iter().flatten().filter(move |(key, _)| is_answer(key))
}

const ANSWERS: &str = "trellis.gardener.cloud";

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::controller::runtime::extension::OPERATION;
    use crate::controller::runtime::safeguards::{ADOPT, FORGET, MOST_DESTRUCTIVE, PAUSE};

    fn object(annotations: &Value, deleted: bool, state: &str, generation: i64) -> Extension {
        let mut object = json!({
            "metadata": { "name": "a", "annotations": annotations, "generation": generation },
            "spec": { "type": "alicloud" },
            "status": { "lastOperation": { "type": "Reconcile", "state": state } },
        });
        if deleted {
            object["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        }
        serde_json::from_value(object).unwrap()
    }

    fn filter(trigger: Trigger) -> Filter {
        Filter { types: vec!["alicloud".to_owned()], classes: vec!["shoot".to_owned()], trigger }
    }

    #[test]
    fn an_annotation_a_deletion_or_an_unfinished_operation_give_something_to_do() {
        let filter = filter(Trigger::Annotation);
        let (none, reconcile, wait) =
            (json!({}), json!({ OPERATION: "reconcile" }), json!({ OPERATION: "wait-for-state" }));
        let again = json!({ OPERATION: "reconcile", TIMESTAMP: "2026-01-01T00:00:00Z" });
        let done = object(&none, false, "Succeeded", 1);
        for (old, new, admitted) in [
            (None, object(&none, false, "Succeeded", 1), false),
            (None, object(&none, false, "Processing", 1), true),
            (None, object(&reconcile, false, "Succeeded", 1), true),
            (None, object(&none, true, "Succeeded", 1), true),
            (Some(&done), object(&none, false, "Succeeded", 2), false),
            (Some(&done), object(&none, false, "Processing", 1), false),
            (Some(&done), object(&reconcile, false, "Succeeded", 1), true),
            (Some(&done), object(&wait, false, "Succeeded", 1), false),
            (Some(&done), object(&none, true, "Succeeded", 2), true),
            (Some(&done), object(&none, true, "Processing", 2), true),
            (Some(&object(&none, true, "Processing", 2)), object(&none, true, "Error", 2), false),
            (Some(&object(&reconcile, false, "Error", 1)), object(&reconcile, false, "Processing", 1), false),
            (Some(&object(&reconcile, false, "Error", 1)), object(&again, false, "Processing", 1), true),
            (Some(&object(&reconcile, false, "Error", 1)), object(&reconcile, false, "Error", 2), true),
        ] {
            assert_eq!(filter.admits(old, &new), admitted, "{old:?} {new:?}");
        }
    }

    #[test]
    fn a_request_that_nobody_answered_is_found_after_a_start() {
        let filter = filter(Trigger::Annotation);
        let at = |asked: &str, answered: &str, operation: Option<&str>| {
            let mut annotations = json!({ TIMESTAMP: asked });
            if let Some(operation) = operation {
                annotations[OPERATION] = json!(operation);
            }
            let object: Extension = serde_json::from_value(json!({
                "metadata": { "name": "a", "annotations": annotations },
                "spec": { "type": "alicloud" },
                "status": { "lastOperation": { "type": "Reconcile", "state": "Succeeded", "lastUpdateTime": answered } },
            }))
            .unwrap();
            object
        };
        for (asked, answered, operation, is_lost) in [
            ("2026-01-01T00:00:08.5Z", "2026-01-01T00:00:07Z", None, true),
            ("2026-01-01T00:00:08.5Z", "2026-01-01T00:00:08Z", None, false),
            ("2026-01-01T00:00:08.5Z", "2026-01-01T00:00:09Z", None, false),
            ("2026-01-01T00:00:08.5Z", "2026-01-01T00:00:07Z", Some("wait-for-state"), false),
            ("then", "2026-01-01T00:00:07Z", None, false),
            ("2026-01-01T00:00:08.5Z", "", None, false),
        ] {
            let object = at(asked, answered, operation);
            assert_eq!(filter.admits(None, &object), is_lost, "{asked} {answered} {operation:?}");
            // This process answers itself.
            assert!(!filter.admits(Some(&object), &object));
        }
    }

    #[test]
    fn without_the_annotation_each_change_of_the_spec_gives_something_to_do() {
        let filter = filter(Trigger::Generation);
        let none = json!({});
        let old = object(&none, false, "Succeeded", 1);
        assert!(filter.admits(None, &old));
        assert!(filter.admits(Some(&old), &object(&none, false, "Succeeded", 2)));
        assert!(filter.admits(Some(&old), &object(&json!({ OPERATION: "reconcile" }), false, "Error", 1)));
        assert!(!filter.admits(Some(&old), &object(&json!({ "other": "x" }), false, "Error", 1)));
    }

    #[test]
    fn a_change_of_the_cluster_wakes_what_failed_and_without_the_annotation_everything() {
        let none = json!({});
        let cluster = Wake::Cluster("a".to_owned());
        let machine = Wake::Machine("a".to_owned(), "a".to_owned());
        for (trigger, state, wakes) in [
            (Trigger::Annotation, "Succeeded", false),
            (Trigger::Annotation, "Processing", false),
            (Trigger::Annotation, "Error", true),
            (Trigger::Generation, "Succeeded", true),
        ] {
            let object = object(&none, false, state, 1);
            assert_eq!(filter(trigger).admits_wake(&cluster, &object), wakes, "{trigger:?} {state}");
            assert!(
                filter(trigger).admits_wake(&machine, &object),
                "nobody else knows of a machine: {trigger:?} {state}"
            );
        }
    }

    #[test]
    fn a_worker_whose_nodes_a_person_updates_has_something_to_do_after_a_start() {
        let filter = filter(Trigger::Annotation);
        let worker = |strategy: &str, provider: &str| -> Extension {
            let pools = json!([{ "updateStrategy": strategy }]);
            serde_json::from_value(json!({
                "metadata": { "name": "a" }, "spec": { "type": provider, "pools": pools },
                "status": { "lastOperation": { "type": "Reconcile", "state": "Succeeded" } },
            }))
            .unwrap()
        };
        let by_hand = worker("ManualInPlaceUpdate", "alicloud");
        assert!(filter.owes(None, &by_hand) && !filter.admits(None, &by_hand));
        assert!(!filter.owes(Some(&by_hand), &by_hand));
        assert!(!filter.owes(None, &worker("AutoInPlaceUpdate", "alicloud")));
        assert!(!filter.owes(None, &worker("ManualInPlaceUpdate", "aws")));
    }

    #[test]
    fn objects_of_other_types_and_classes_are_left_alone() {
        let mut filter = filter(Trigger::Annotation);
        let open = object(&json!({}), false, "Error", 1);
        filter.classes = vec!["seed".to_owned()];
        assert!(!filter.admits(None, &open));
        filter.classes.push("shoot".to_owned());
        assert!(filter.admits(None, &open));
        filter.types = vec!["aws".to_owned()];
        assert!(!filter.admits(None, &open));
        filter.types.push("alicloud".to_owned());
        assert!(filter.admits(None, &open));
    }

    #[test]
    fn an_object_that_is_held_back_goes_on_when_somebody_answers() {
        let filter = filter(Trigger::Annotation);
        let paused = object(&json!({ PAUSE: "true" }), false, "Error", 1);
        assert!(filter.admits(Some(&paused), &object(&json!({}), false, "Error", 1)));
        assert!(!filter.admits(Some(&paused), &object(&json!({}), false, "Succeeded", 1)));
        let held = object(&json!({}), false, "Error", 1);
        for key in [ADOPT, FORGET, MOST_DESTRUCTIVE, "backupbucket.trellis.gardener.cloud/adopt"] {
            assert!(filter.admits(Some(&held), &object(&json!({ key: "1" }), false, "Error", 1)), "{key}");
        }
        assert!(!filter.admits(Some(&held), &object(&json!({ "other": "true" }), false, "Error", 1)));
    }
}
