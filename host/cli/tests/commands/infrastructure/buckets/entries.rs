//! BackupEntries on the wire: the objects below the name of an entry.

use std::time::Duration;

use serde_json::{Value, json};

use super::{BUCKET, ENTRY, actions, entry, keys, listed, made, put, tried};
use crate::infrastructure::site::{Site, reported};

#[test]
fn an_entry_that_asks_nothing_of_the_cloud_claims_nothing_of_it() {
    let site = Site::new();
    let entry = entry(&site, ENTRY);
    let applied = site.apply(&entry);
    assert!(applied.contains("there is nothing to do in the cloud") && !applied.contains("found"), "{applied}");
    let destroyed = site.destroy(&entry);
    assert!(destroyed.contains("nothing of it is found in this account"), "{destroyed}");
}

#[test]
fn the_objects_of_an_entry_go_with_their_whole_name_and_no_others() {
    for name in [ENTRY.to_owned(), format!("source-{ENTRY}")] {
        let (site, _) = made(None);
        put(&site, keys(1001));
        let others = [format!("{ENTRY}0/etcd-main/1"), ENTRY.to_owned(), "shoot--dev--e2e2--u1/1".to_owned()];
        put(&site, others);
        let manifest = entry(&site, &name);
        assert_eq!(actions(&site, "apply", &manifest), [""; 0]);
        let deleted =
            ["ListObjects", "DeleteMultipleObjects", "ListObjects", "DeleteMultipleObjects", "ListObjects"];
        assert_eq!(actions(&site, "destroy", &manifest), deleted, "the existing extension makes five calls");
        assert_eq!(listed(&site).len(), 3);
    }
}

#[test]
fn an_entry_of_a_bucket_that_is_gone_is_deleted() {
    let site = Site::new();
    assert_eq!(actions(&site, "destroy", &entry(&site, ENTRY)), ["ListObjects"]);
}

#[test]
fn what_a_retention_keeps_expires_later() {
    let (site, manifest) = made(Some(2));
    put(&site, keys(20));
    put(&site, ["other/1".to_owned()]);
    let output = site.command(&["destroy", "--yes"], &entry(&site, ENTRY)).output().unwrap();
    let text = reported(&output);
    assert!(output.status.success() && text.contains("objects under retention: 20"), "{text}");
    assert_eq!(listed(&site).len(), 21);
    let (_, failed) = tried(&site, "destroy", &manifest);
    assert!(failed.unwrap().contains("objects under retention: 21"));
    let rules = site.call("oss", "GetBucketLifecycle", &[BUCKET])["LifecycleConfiguration"]["Rule"].clone();
    let ids: Vec<&Value> = rules.as_array().unwrap().iter().map(|rule| &rule["ID"]).collect();
    assert_eq!((ids.len(), ids[1]), (2, &json!("GC-forTaggedObjects")));
    site.cloud().step(Duration::from_hours(24 * 7)).unwrap();
    actions(&site, "destroy", &manifest);
    site.assert_empty();
}
