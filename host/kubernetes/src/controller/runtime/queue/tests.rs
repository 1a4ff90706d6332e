use kube::runtime::reflector::store::Writer;
use kube::runtime::watcher::Event;
use serde_json::json;

use super::*;
use crate::controller::runtime::kind::{BACKUP_BUCKET, WORKER};
use crate::controller::runtime::trigger::Trigger;

#[test]
fn a_failure_with_a_time_of_its_own_does_not_count_as_one_more() {
    let (memory, key) = (Memory::default(), Key::new_with("a", BACKUP_BUCKET.resource()));
    let after = Duration::from_secs(30);
    for (outcome, expected) in [
        (Outcome::Failed("no".to_owned()), Duration::from_secs(1)),
        (Outcome::Failed("no".to_owned()), Duration::from_secs(2)),
        (Outcome::FailedFor(after, "throttled".to_owned()), after),
        (Outcome::Failed("no".to_owned()), Duration::from_secs(1)),
    ] {
        let (action, counted) = due(&outcome, &key, &memory);
        assert_eq!(action, Action::requeue(expected), "{outcome:?}");
        assert_eq!(matches!(counted, Counted::RequeueAfter), expected == after, "{outcome:?}");
    }
}

#[tokio::test]
async fn a_secret_wakes_all_objects_that_name_it_and_are_the_controllers_own() {
    let bucket = |name: &str, class: &str, secret: &str| {
        let secret = json!({ "namespace": "garden", "name": secret });
        let spec = json!({ "type": "alicloud", "class": class, "secretRef": secret });
        let status = json!({ "lastOperation": { "type": "Reconcile", "state": "Succeeded" } });
        let object = json!({ "metadata": { "name": name }, "spec": spec, "status": status });
        serde_json::from_value::<Extension>(object).unwrap()
    };
    let mut writer = Writer::<Extension>::new(BACKUP_BUCKET.resource());
    for object in [
        bucket("one", "seed", "shared"),
        bucket("two", "seed", "shared"),
        bucket("of-the-garden", "garden", "shared"),
        bucket("another", "seed", "another"),
    ] {
        writer.apply_watcher_event(&Event::Apply(object));
    }
    for (trigger, expected) in [(Trigger::Generation, vec!["one", "two"]), (Trigger::Annotation, vec![])] {
        let filter = Filter { types: vec!["alicloud".to_owned()], classes: vec!["seed".to_owned()], trigger };
        let wakes = stream::iter([Wake::Secret("garden".to_owned(), "shared".to_owned())]);
        let memory = Arc::<Memory>::default();
        let woken = others(wakes, writer.as_reader(), filter, BACKUP_BUCKET.resource(), Arc::clone(&memory));
        let mut names: Vec<String> = woken.map(|key| key.name).collect().await;
        names.sort();
        assert_eq!(names, expected, "{trigger:?}");
        assert!(!memory.left(&Key::new_with("one", BACKUP_BUCKET.resource())).is_owed, "it only goes on");
    }
}

/// A Worker whose last operation succeeded, with a pool whose nodes are updated so.
fn worker(name: &str, strategy: &str) -> Extension {
    let spec = json!({ "type": "alicloud", "pools": [{ "updateStrategy": strategy }] });
    let status = json!({ "lastOperation": { "type": "Reconcile", "state": "Succeeded" } });
    let metadata = json!({ "name": name, "namespace": "shoot--a--b" });
    serde_json::from_value(json!({ "metadata": metadata, "spec": spec, "status": status })).unwrap()
}

fn of_workers() -> Filter {
    let (types, classes) = (vec!["alicloud".to_owned()], vec!["shoot".to_owned()]);
    Filter { types, classes, trigger: Trigger::Annotation }
}

#[tokio::test]
async fn a_machine_asks_for_a_reconcile_of_its_worker_although_the_worker_says_nothing() {
    let mut writer = Writer::<Extension>::new(WORKER.resource());
    for object in [worker("by-hand", "ManualInPlaceUpdate"), worker("rolled", "AutoRollingUpdate")] {
        writer.apply_watcher_event(&Event::Apply(object));
    }
    let memory = Arc::<Memory>::default();
    let machine = |worker: &str| Wake::Machine("shoot--a--b".to_owned(), worker.to_owned());
    let wakes = stream::iter([machine("by-hand"), machine("rolled"), machine("gone")]);
    let woken = others(wakes, writer.as_reader(), of_workers(), WORKER.resource(), Arc::clone(&memory));
    let woken: Vec<Key> = woken.collect().await;
    assert_eq!(woken.iter().map(|key| key.name.as_str()).collect::<Vec<_>>(), ["by-hand"]);
    assert!(memory.left(&woken[0]).is_owed);
}

#[tokio::test]
async fn after_a_start_a_worker_whose_nodes_a_person_updates_is_reconciled_once() {
    let (sender, changes) = tokio::sync::mpsc::unbounded_channel();
    for (name, strategy) in [("by-hand", "ManualInPlaceUpdate"), ("rolled", "AutoRollingUpdate")] {
        let new = Arc::new(worker(name, strategy));
        let key = ObjectRef::from_obj_with(&*new, WORKER.resource());
        for old in [None, Some(Arc::clone(&new))] {
            sender.send(Change::Object { key: key.clone(), old, new: Arc::clone(&new) }).unwrap();
        }
    }
    drop(sender);
    let (memory, store) = (Arc::<Memory>::default(), Writer::<Extension>::new(WORKER.resource()).as_reader());
    let metrics = crate::metrics::Metrics::new().controller("worker", 1);
    let admitted = own(changes, of_workers(), Arc::clone(&memory), store, metrics, || {});
    let admitted: Vec<Key> = admitted.collect().await;
    assert_eq!(admitted.iter().map(|key| key.name.as_str()).collect::<Vec<_>>(), ["by-hand"]);
    assert!(memory.left(&admitted[0]).is_owed);
}
