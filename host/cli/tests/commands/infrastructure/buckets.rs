//! BackupBuckets on the wire: what becomes of a bucket and of what it holds, in how many calls, and after a kill at
//! each of them.

mod entries;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use trellis_simulator::cloud::{Fault, Occurrence, When};

use crate::infrastructure::site::{REGION, Site, done, reported, shoot};

/// The bucket.
const NAME: &str = "backup-5f0f3e0a";
const BUCKET: (&str, &str) = ("bucket", NAME);
/// The entry, whose objects are under this name.
const ENTRY: &str = "shoot--dev--e2e--u1";

/// The manifest of a bucket, with the days of a retention that is locked.
fn bucket(site: &Site, days: Option<u32>) -> PathBuf {
    let config = days.map(|days| {
        json!({
            "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
            "kind": "BackupBucketConfig",
            "immutability": { "retentionType": "bucket", "retentionPeriod": days, "locked": true },
        })
    });
    let mut manifest = json!({
        "apiVersion": "extensions.gardener.cloud/v1alpha1",
        "kind": "BackupBucket",
        "metadata": { "name": NAME, "uid": "5f0f3e0a-0000-4000-8000-000000000002" },
        "spec": { "type": "alicloud", "region": REGION, "secretRef": { "name": "backup", "namespace": "garden" } },
    });
    if let Some(config) = config {
        manifest["spec"]["providerConfig"] = config;
    }
    site.write("bucket.json", &manifest)
}

/// The manifest of an entry.
fn entry(site: &Site, name: &str) -> PathBuf {
    site.write(
        "entry.json",
        &json!({
            "apiVersion": "extensions.gardener.cloud/v1alpha1",
            "kind": "BackupEntry",
            "metadata": { "name": name, "uid": "5f0f3e0a-0000-4000-8000-000000000003" },
            "spec": {
                "type": "alicloud",
                "region": REGION,
                "bucketName": NAME,
                "secretRef": { "name": "entry", "namespace": "garden" },
            },
        }),
    )
}

fn put(site: &Site, keys: impl IntoIterator<Item = String>) {
    for key in keys {
        site.call("oss", "PutObject", &[BUCKET, ("key", &key)]);
    }
}

/// Keys of the entry.
fn keys(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{ENTRY}/etcd-main/{number:05}")).collect()
}

/// The keys in the bucket, of which there are at most 1,000.
fn listed(site: &Site) -> Vec<String> {
    let list = site.call("oss", "ListObjects", &[BUCKET, ("max-keys", "1000")]);
    let contents = list["ListBucketResult"]["Contents"].as_array().unwrap().clone();
    contents.iter().map(|object| object["Key"].as_str().unwrap().to_owned()).collect()
}

fn has_bucket(site: &Site) -> bool {
    let all = site.call("oss", "ListBuckets", &[]);
    !all["ListAllMyBucketsResult"]["Buckets"]["Bucket"].as_array().unwrap().is_empty()
}

/// The actions of a command, and what it printed where it did not work.
fn tried(site: &Site, operation: &str, manifest: &Path) -> (Vec<String>, Option<String>) {
    let before = site.cloud().last_record();
    let output = site.command(&[operation, "--yes"], manifest).output().unwrap();
    let actions = site.calls(before).iter().map(|call| call.action.clone().unwrap()).collect();
    (actions, (!output.status.success()).then(|| reported(&output)))
}

/// The actions of a command that works.
fn actions(site: &Site, operation: &str, manifest: &Path) -> Vec<String> {
    let (actions, failed) = tried(site, operation, manifest);
    assert_eq!(failed, None);
    actions
}

/// A site with the bucket, which a run has made.
fn made(days: Option<u32>) -> (Site, PathBuf) {
    let site = Site::new();
    let manifest = bucket(&site, days);
    actions(&site, "apply", &manifest);
    (site, manifest)
}

#[test]
fn a_bucket_is_made_kept_and_deleted_in_no_more_calls_than_by_the_existing_extension() {
    let site = Site::new();
    let plain = bucket(&site, None);
    assert_eq!(
        actions(&site, "apply", &plain),
        ["GetBucketInfo", "PutBucket", "PutBucketEncryption", "PutBucketLifecycle"],
        "the existing extension makes five calls"
    );
    let info = site.call("oss", "GetBucketInfo", &[BUCKET]);
    assert_eq!(info["BucketInfo"]["Bucket"]["ServerSideEncryptionRule"]["SSEAlgorithm"], "AES256");
    let mut unchanged = actions(&site, "apply", &plain);
    unchanged.sort_unstable();
    assert_eq!(unchanged, ["GetBucketInfo", "GetBucketLifecycle", "GetBucketWorm"], "it makes two");
    put(&site, keys(1001));
    let deleted = actions(&site, "destroy", &plain);
    let emptied = ["ListObjects", "DeleteMultipleObjects"].repeat(2);
    assert_eq!(deleted, [&emptied[..], &["ListObjects", "DeleteBucket"]].concat(), "it makes seven");
    site.assert_empty();
    assert_eq!(actions(&site, "destroy", &plain), ["GetBucketInfo"]);
}

#[test]
fn a_locked_retention_is_made_kept_and_extended_in_no_more_calls_than_by_the_existing_extension() {
    let site = Site::new();
    let locked = bucket(&site, Some(2));
    assert_eq!(
        actions(&site, "apply", &locked),
        [
            "GetBucketInfo",
            "PutBucket",
            "PutBucketEncryption",
            "PutBucketLifecycle",
            "InitiateBucketWorm",
            "CompleteBucketWorm"
        ],
        "the existing extension makes nine calls"
    );
    assert_eq!(actions(&site, "apply", &locked).len(), 3, "it makes three");
    let longer = bucket(&site, Some(3));
    let extended = actions(&site, "apply", &longer);
    assert_eq!(
        (extended.len(), extended.last().map(String::as_str)),
        (4, Some("ExtendBucketWorm")),
        "it makes five"
    );
    let worm = site.call("oss", "GetBucketWorm", &[BUCKET])["WormConfiguration"].clone();
    assert_eq!((&worm["State"], &worm["RetentionPeriodInDays"]), (&json!("Locked"), &json!(3)));
    let (_, failed) = tried(&site, "apply", &bucket(&site, Some(1)));
    assert!(failed.unwrap().contains("OSS only makes it longer"));
}

#[test]
fn a_bucket_that_was_there_is_used_and_kept_until_a_person_says_otherwise() {
    let site = Site::new();
    site.call("oss", "PutBucket", &[BUCKET]);
    let manifest = bucket(&site, None);
    put(&site, ["of a person".to_owned()]);
    actions(&site, "apply", &manifest);
    let info = site.call("oss", "GetBucketInfo", &[BUCKET]);
    assert_eq!(info["BucketInfo"]["Bucket"]["ServerSideEncryptionRule"]["SSEAlgorithm"], "None");
    let plan = site.command(&["plan"], &manifest).output().unwrap();
    assert!(!reported(&plan).contains("is found in this account"), "{}", reported(&plan));
    // Nobody looked.
    let preview = site.command(&["plan", "--destroy", "--baseline", "empty"], &manifest).output().unwrap();
    assert!(!reported(&preview).contains("is found in this account"), "{}", reported(&preview));
    let output = site.command(&["destroy", "--yes"], &manifest).output().unwrap();
    let text = reported(&output);
    assert!(output.status.success() && text.contains("backupbucket.trellis.gardener.cloud/adopt=true"), "{text}");
    assert_eq!(listed(&site), ["of a person"]);
    site.adopting("destroy", &manifest);
    site.assert_empty();
}

#[test]
fn a_bucket_of_another_account_is_an_error() {
    let site = Site::new();
    site.call_as("2000000000000002", "oss", "PutBucket", &[BUCKET]);
    for operation in ["apply", "destroy"] {
        let (actions, failed) = tried(&site, operation, &bucket(&site, None));
        assert_eq!(actions, ["GetBucketInfo"]);
        let text = failed.unwrap();
        assert!(text.contains("the bucket belongs to another account"), "{text}");
    }
}

#[test]
fn a_deletion_says_how_many_objects_go() {
    let (site, manifest) = made(None);
    let entry = entry(&site, ENTRY);
    let planned = |manifest: &Path| done(site.command(&["plan", "--destroy"], manifest).output().unwrap());
    let text = planned(&manifest);
    assert!(text.contains("objects: 0\n") && !text.contains("are lost"), "{text}");
    put(&site, keys(3).into_iter().chain(["other/1".to_owned()]));
    for (manifest, words) in [(&manifest, "objects: 4\n"), (&entry, "objects: 3\n")] {
        let text = planned(manifest);
        assert!(text.contains(words) && text.contains("are lost"), "{text}");
    }
    put(&site, keys(1001));
    for manifest in [&manifest, &entry] {
        let text = planned(manifest);
        assert!(text.contains("objects: at least 1000\n"), "{text}");
    }
}

#[test]
fn what_stands_next_to_a_network_is_left_out_by_name() {
    let site = Site::new();
    let network = site.write("shoot.json", &shoot(1, &json!({})));
    let (bucket, entry) = (bucket(&site, None), entry(&site, ENTRY));
    let mut command = site.command(&["plan"], &bucket);
    let said = reported(&command.args([&network, &entry]).output().unwrap());
    for object in [format!("BackupBucket {NAME}"), format!("BackupEntry {ENTRY}")] {
        let left = said.lines().find(|line| line.starts_with(&format!("note: {object} ("))).unwrap_or_default();
        assert!(left.contains("is left out") && left.contains("without the Shoot"), "{said}");
    }
    let said = reported(&site.command(&["plan"], &bucket).output().unwrap());
    assert!(!said.contains("note:"), "{said}");
}

#[test]
fn what_is_recorded_of_an_object_that_was_made_again_is_gone_on_with_or_deleted_as_the_message_says() {
    for goes_on in [true, false] {
        let (site, manifest) = made(None);
        let text = std::fs::read_to_string(&manifest).unwrap();
        let again = text.replace("000000000002", "000000000009");
        std::fs::write(&manifest, &again).unwrap();
        let (calls, failed) = tried(&site, "apply", &manifest);
        assert_eq!(calls, [""; 0]);
        let failed = failed.unwrap();
        let advice =
            format!("trellis state rebind backupbucket.{NAME} --uid 5f0f3e0a-0000-4000-8000-000000000009");
        assert!(failed.contains(&advice) && failed.contains("somebody made the BackupBucket again"), "{failed}");
        assert!(!failed.contains("network"), "{failed}");
        if goes_on {
            let state = site.state();
            let mut rebind = std::process::Command::new(env!("CARGO_BIN_EXE_trellis"));
            done(rebind.args(advice.split(' ').skip(1)).arg("--state-dir").arg(&state).output().unwrap());
            site.assert_no_changes(&manifest);
        } else {
            let mut bare: Value = serde_json::from_str(&again).unwrap();
            bare["metadata"].as_object_mut().unwrap().remove("uid");
            let bare = site.write("bare.json", &bare);
            site.destroy(&bare);
            assert!(!has_bucket(&site));
            actions(&site, "apply", &manifest);
        }
        actions(&site, "destroy", &manifest);
        site.assert_empty();
    }
}

#[test]
fn a_namespace_that_the_api_server_clears_makes_no_other_bucket() {
    let (site, manifest) = made(None);
    let mut with: Value = serde_json::from_str(&std::fs::read_to_string(&manifest).unwrap()).unwrap();
    with["metadata"]["namespace"] = "garden".into();
    let with = site.write("with.json", &with);
    site.assert_no_changes(&with);
    let said = reported(&site.command(&["plan"], &with).output().unwrap());
    assert!(said.contains("has `metadata.namespace`, which the API server clears"), "{said}");
    assert!(said.contains(&format!(", backupbucket.{NAME} in ")), "{said}");
}

/// What a run is killed at: an operation on a bucket or an entry.
struct Killed {
    operation: &'static str,
    is_entry: bool,
    days: Option<u32>,
    calls: u64,
}

impl Killed {
    fn site(&self) -> (Site, PathBuf) {
        let site = Site::new();
        let manifest = bucket(&site, self.days);
        if self.operation == "destroy" {
            actions(&site, "apply", &manifest);
            put(&site, keys(1001).into_iter().chain(["other/1".to_owned()]));
        }
        let manifest = if self.is_entry { entry(&site, ENTRY) } else { manifest };
        (site, manifest)
    }

    fn is_done(&self, site: &Site, at: &str) {
        match (self.operation, self.is_entry) {
            ("destroy", true) => assert_eq!(listed(site), ["other/1"], "{at}"),
            ("destroy", false) => assert!(!has_bucket(site), "{at}"),
            _ => {
                let rules = site.call("oss", "GetBucketLifecycle", &[BUCKET]);
                assert_eq!(rules["LifecycleConfiguration"]["Rule"].as_array().unwrap().len(), 1, "{at}");
                let worm = site.call("oss", "GetBucketWorm", &[BUCKET]);
                assert_eq!(worm["WormConfiguration"]["State"], "Locked", "{at}");
                let manifest = bucket(site, self.days);
                actions(site, "destroy", &manifest);
                assert!(!has_bucket(site), "{at}: what a run has made is ours");
            }
        }
    }
}

#[test]
fn a_run_that_is_killed_at_any_call_is_finished_by_the_next_one() {
    let all = [
        Killed { operation: "apply", is_entry: false, days: Some(2), calls: 7 },
        Killed { operation: "destroy", is_entry: false, days: None, calls: 7 },
        Killed { operation: "destroy", is_entry: true, days: None, calls: 6 },
    ];
    std::thread::scope(|scope| {
        for killed in &all {
            scope.spawn(move || {
                for when in [When::Before, When::After] {
                    for nth in 1..=killed.calls {
                        let (site, manifest) = killed.site();
                        let is_killed =
                            site.kill_at(site.command(&[killed.operation, "--yes"], &manifest), nth, when);
                        let at = format!("{}, killed {when:?} call {nth}: {is_killed}", killed.operation);
                        assert!(is_killed, "{at}");
                        actions(&site, killed.operation, &manifest);
                        killed.is_done(&site, &at);
                    }
                }
            });
        }
    });
}

#[test]
fn an_answer_that_is_damaged_deletes_nothing_and_is_no_deletion() {
    let damages = ["empty", "cut", "noEnd", "html"];
    std::thread::scope(|scope| {
        for how in damages {
            scope.spawn(move || {
                let (site, manifest) = made(None);
                put(&site, keys(3));
                let fault: Fault = serde_json::from_value(json!({ "kind": "garbled", "how": how })).unwrap();
                site.order("oss:ListObjects", Occurrence::All, fault);
                let (_, failed) = tried(&site, "destroy", &manifest);
                assert!(failed.is_some(), "{how}");
                let (_, failed) = tried(&site, "destroy", &entry(&site, ENTRY));
                assert!(failed.is_some(), "{how}");
                site.cloud().delete_faults(None);
                assert_eq!(listed(&site).len(), 3, "{how}");
            });
        }
    });
}

#[test]
fn a_bucket_with_an_unfinished_upload_is_deleted_by_the_second_run() {
    let (site, manifest) = made(None);
    site.call("oss", "InitiateMultipartUpload", &[BUCKET, ("key", "a")]);
    let (_, failed) = tried(&site, "destroy", &manifest);
    assert!(failed.unwrap().contains("the next run drops unfinished uploads"));
    assert_eq!(
        actions(&site, "destroy", &manifest),
        ["ListObjects", "ListMultipartUploads", "AbortMultipartUpload", "DeleteBucket"]
    );
    site.assert_empty();
}

#[test]
fn buckets_are_emptied_where_lists_show_a_change_late() {
    let site =
        Site::with(crate::infrastructure::site::settings(json!({ "delays": { "*": 0 }, "lag": { "*": 2 } })));
    let manifest = bucket(&site, None);
    actions(&site, "apply", &manifest);
    put(&site, keys(3));
    std::thread::sleep(Duration::from_secs(3));
    let (_, failed) = tried(&site, "destroy", &manifest);
    // A list that still shows what is gone is looked at again.
    assert_eq!(failed, None);
    std::thread::sleep(Duration::from_secs(3));
    assert!(!has_bucket(&site));
}
