use std::time::Duration;

use trellis_runner::transport::alicloud::Alicloud;

use super::*;
use crate::controller::runtime::kind::{
    BACKUP_BUCKET, BACKUP_ENTRY, BASTION, CONTROL_PLANE, DNS_RECORD, INFRASTRUCTURE, KINDS, WORKER,
};
use crate::controller::runtime::testing::Server;

const NEW: [&Kind; 3] = [&BACKUP_BUCKET, &BACKUP_ENTRY, &DNS_RECORD];

fn needs(reconciled: &[&Kind], checked: &[&Kind], class: &str, trigger: Trigger) -> (bool, bool, bool, usize) {
    let needs = Needs::of(reconciled, checked, &[class.to_owned()], trigger);
    (needs.clusters, needs.labelled_credentials, needs.machines, needs.metadata.len())
}

#[test]
fn only_what_a_served_kind_needs_is_watched() {
    use Trigger::{Annotation, Generation};
    for (reconciled, checked, class, trigger, wanted) in [
        (&KINDS[..], &KINDS[..], "shoot", Annotation, (true, true, true, 0)),
        (&KINDS, &[], "shoot", Generation, (true, true, true, 2)),
        (&[&INFRASTRUCTURE], &[], "shoot", Annotation, (true, true, false, 0)),
        (&[&BASTION], &[], "shoot", Annotation, (true, true, false, 0)),
        (&[&WORKER, &CONTROL_PLANE], &[], "shoot", Annotation, (true, false, true, 0)),
        (&[], &[&WORKER], "shoot", Annotation, (true, false, false, 0)),
        (&NEW, &[], "garden", Annotation, (false, false, false, 0)),
        (&NEW, &[], "garden", Generation, (false, false, false, 2)),
        (&NEW, &[], "seed", Annotation, (false, false, false, 0)),
        (&NEW, &[], "shoot", Annotation, (true, false, false, 0)),
        (&[&BACKUP_BUCKET, &BACKUP_ENTRY], &[], "shoot", Annotation, (false, false, false, 0)),
        (&[&BACKUP_BUCKET], &[], "shoot", Generation, (false, false, false, 1)),
        (&[&DNS_RECORD], &[], "garden", Generation, (false, false, false, 0)),
    ] {
        let names: Vec<&str> = reconciled.iter().map(|kind| kind.name).collect();
        assert_eq!(needs(reconciled, checked, class, trigger), wanted, "{names:?} {class} {trigger:?}");
    }
}

/// Starts the watches at an API server that has no Clusters. Returns whether they are filled, what the process is
/// not ready for, and what it asked for.
async fn started(reconciled: &[&Kind], is_self_hosted: bool) -> (bool, Vec<String>, Vec<String>) {
    let (server, readiness, mut background) = (Server::default(), Readiness::default(), JoinSet::new());
    let secrets = Secrets::new(server.client(), Arc::new(Alicloud));
    let needs = Needs::of(reconciled, &[], &["garden".to_owned()], Trigger::Annotation);
    let needs = if is_self_hosted { needs.of_self_hosted(&server.client()).await } else { needs };
    let watches = Watches::start(needs, &server.client(), &secrets, &readiness, &mut background);
    let filled = tokio::time::timeout(Duration::from_secs(2), watches.filled).await.is_ok();
    (filled, readiness.missing(), server.requests())
}

#[tokio::test(start_paused = true)]
async fn a_garden_without_clusters_is_ready() {
    assert_eq!(started(&NEW, false).await, (true, Vec::new(), Vec::new()));
    let (filled, missing, requests) = started(&[&WORKER], false).await;
    assert_eq!((filled, missing), (false, vec!["clusters".to_owned()]));
    assert!(requests.contains(&"LIST clusters".to_owned()), "{requests:?}");
    assert!(requests.contains(&"LIST machines".to_owned()), "{requests:?}");
}

#[tokio::test(start_paused = true)]
async fn a_self_hosted_shoot_without_machines_is_asked_for_them_once() {
    let (_, missing, requests) = started(&[&WORKER], true).await;
    assert_eq!(missing, ["clusters"], "it is ready without machines");
    assert_eq!(requests.iter().filter(|request| request.contains("machine")).count(), 1, "{requests:?}");
    assert!(!requests.contains(&"LIST machines".to_owned()), "{requests:?}");
    // What has no machines asks for none.
    assert_eq!(started(&NEW, true).await, (true, Vec::new(), Vec::new()));
}
