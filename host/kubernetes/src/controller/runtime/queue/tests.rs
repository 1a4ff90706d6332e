use kube::runtime::reflector::store::Writer;
use kube::runtime::watcher::Event;
use serde_json::json;

use super::*;
use crate::controller::runtime::kind::BACKUP_BUCKET;
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
        let woken = others(wakes, writer.as_reader(), filter, BACKUP_BUCKET.resource());
        let mut names: Vec<String> = woken.map(|key| key.name).collect().await;
        names.sort();
        assert_eq!(names, expected, "{trigger:?}");
    }
}
