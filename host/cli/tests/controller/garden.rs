//! A garden, with the rights that `charts-templates/run-garden` gives, and no more.

use serde_json::{Value, json};

use crate::access;
use crate::backups::objects::{At, BUCKET, GARDEN, data, finalizers, found, object, secret};
use crate::dns_records::{self, DOMAIN, Record};
use crate::seed::succeeded;
use crate::shoot::credentials;
use crate::stage::Stage;
use crate::wait::{LIMIT, until};

/// As gardener-operator starts an extension for the garden.
const OF_GARDEN: [&str; 2] = ["--extension-classes=garden", "--controllers=backupbucket,backupentry,dnsrecord"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_garden_has_a_bucket_an_entry_and_a_record_with_only_its_rights() {
    let stage = Stage::with_access(access::GARDEN).await;
    dns_records::garden(&stage).await;
    stage.site.call("alidns", "AddDomain", &[("DomainName", DOMAIN)]);
    let trellis = stage.trellis(&OF_GARDEN).await;
    let name = format!("{GARDEN}--uid-of-the-garden");
    let (bucket, entry) = (At::new(&stage, "BackupBucket", BUCKET), At::new(&stage, "BackupEntry", &name));
    let record = Record::new(&stage, GARDEN);

    // The Garden's own Secret, which its objects share.
    secret(&stage, "backup", &data()).await;
    stage.seed.apply(&object("BackupBucket", BUCKET, GARDEN, "backup")).await;
    bucket.until("it is ready", succeeded).await;
    stage.seed.apply(&object("BackupEntry", &name, GARDEN, "backup")).await;
    entry.until("it is ready", succeeded).await;
    record.create(GARDEN, "reconcile", &credentials()).await;
    record.ready().await;
    let written = found(&stage, GARDEN, "etcd-backup").await;
    assert_eq!(written["metadata"]["annotations"], json!({ "backup.gardener.cloud/created-by": name }));

    let before = stage.site.last_call();
    bucket.operate("reconcile").await;
    entry.operate("reconcile").await;
    record.operate("reconcile").await;
    record.ready().await;
    assert_eq!(stage.site.changes(before), [""; 0]);

    record.delete().await;
    record.gone().await;
    // A copy has the same objects, and its deletion says in an event that they stay.
    let copy = format!("source-{name}");
    let source = At::new(&stage, "BackupEntry", &copy);
    stage.seed.apply(&object("BackupEntry", &copy, GARDEN, "backup")).await;
    source.until("it is ready", succeeded).await;
    source.delete().await;
    source.gone().await;
    let events = stage.seed.events("default").await;
    assert!(events.iter().any(|event| event.contains("ObjectsKept") && event.contains(&name)), "{events:#?}");
    entry.delete().await;
    entry.gone().await;
    bucket.delete().await;
    bucket.gone().await;
    assert_eq!(found(&stage, GARDEN, "etcd-backup").await, Value::Null);
    assert_eq!(finalizers(&stage, "backup").await, Value::Null);
    stage.nothing_is_left().await;
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.close().await;
}

/// With the rights of `clusterrole-watch.yaml` in addition.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_secret_of_a_garden_that_changes_asks_for_its_objects_where_that_is_wanted() {
    let stage = Stage::with_access(access::WATCHED_GARDEN).await;
    dns_records::garden(&stage).await;
    let trellis = stage.trellis(&[&OF_GARDEN[..], &["--ignore-operation-annotation"]].concat()).await;
    let name = format!("{GARDEN}--uid-of-the-garden");
    let (bucket, entry) = (At::new(&stage, "BackupBucket", BUCKET), At::new(&stage, "BackupEntry", &name));
    secret(&stage, "backup", &data()).await;
    stage.seed.apply(&object("BackupBucket", BUCKET, GARDEN, "backup")).await;
    bucket.until("it is ready", succeeded).await;
    stage.seed.apply(&object("BackupEntry", &name, GARDEN, "backup")).await;
    entry.until("it is ready", succeeded).await;

    let copied = async || found(&stage, GARDEN, "etcd-backup").await["data"]["marker"].clone();
    let before = copied().await;
    let mut changed = data();
    changed["marker"] = json!("another");
    secret(&stage, "backup", &changed).await;
    until("etcd has what changed", LIMIT, async || (copied().await != before).then_some(())).await;

    entry.delete().await;
    entry.gone().await;
    bucket.delete().await;
    bucket.gone().await;
    stage.nothing_is_left().await;
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage.close().await;
}
