//! When the next check is due.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::stream;
use kube::runtime::reflector::ObjectRef;
use kube::runtime::reflector::store::Writer;
use kube::runtime::watcher::Event;
use tokio::sync::mpsc::unbounded_channel;

use super::*;
use crate::controller::runtime::cache::{Change, Listener};
use crate::controller::runtime::queue::{Controller, Unfinished};
use crate::controller::runtime::trigger::{Filter, Trigger};
use crate::controller::runtime::wake::Wake;
use crate::metrics::Metrics;
use trellis_runner::limits::stop::{Stop, stop};

/// A queue with one ControlPlane: how often it is checked within a time.
async fn runs(hibernates: bool, changes: usize, seconds: u64) -> usize {
    let server = Server::with(control_plane());
    put(&server, &CONTROL_PLANE, object(&json!([])));
    let health = Arc::new(checks(&server, 30));
    let cluster = Arc::new(cluster(hibernates));
    let object: Extension = serde_json::from_value(object(&json!([]))).unwrap();
    let mut writer = Writer::new(CONTROL_PLANE.resource());
    let (sender, heard) = unbounded_channel();
    for event in [Event::Init, Event::InitApply(object.clone()), Event::InitDone] {
        writer.apply_watcher_event(&event);
    }
    let key = ObjectRef::from_obj_with(&object, CONTROL_PLANE.resource());
    sender.send(Change::Object { key, old: None, new: Arc::new(object) }).unwrap();
    sender.send(Change::Filled).unwrap();
    let (stopper, signal) = stop();
    let classes = vec!["shoot".to_owned()];
    let controller = Controller {
        objects: Listener { store: writer.as_reader(), changes: heard },
        resource: CONTROL_PLANE.resource(),
        filter: Filter { types: vec!["alicloud".to_owned()], classes, trigger: Trigger::Generation },
        concurrency: 1,
        metrics: Metrics::new().controller("healthcheck-controlplane", 1),
        stop: signal,
    };
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let check = move |object: Arc<Extension>, _: Unfinished| {
        let (health, cluster, server, counted) =
            (Arc::clone(&health), Arc::clone(&cluster), server.clone(), Arc::clone(&counted));
        async move {
            counted.fetch_add(1, Ordering::Relaxed);
            let permit = Permit::unlimited();
            let api = ObjectApi::new(server.client(), CONTROL_PLANE.objects(), &object.metadata, permit.clone());
            let kind_checks = KindChecks::of("alicloud", &CONTROL_PLANE).unwrap();
            let (cluster, kind_checks) = (Some(&*cluster), &kind_checks);
            let checked = CheckedObject { object: &object, cluster, api: &api, permit: &permit, kind_checks };
            (health.check(checked).await, None)
        }
    };
    // A change every 7 seconds, and then none.
    let more = stream::unfold(0, move |at| async move {
        if at == changes {
            std::future::pending::<()>().await;
        }
        tokio::time::sleep(Duration::from_secs(7)).await;
        Some((Wake::Cluster("s".to_owned()), at + 1))
    });
    let running = tokio::spawn(controller.run(check, more, || {}));
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    stopper.stop(Stop::Gracefully);
    running.await.unwrap();
    count.load(Ordering::Relaxed)
}

#[tokio::test(start_paused = true)]
async fn an_object_is_checked_once_a_period_and_one_of_a_shoot_that_hibernates_when_its_cluster_changes() {
    assert_eq!(runs(false, 0, 100).await, 4);
    assert_eq!(runs(true, 0, 100).await, 1);
    assert_eq!(runs(true, 2, 100).await, 3);
}
