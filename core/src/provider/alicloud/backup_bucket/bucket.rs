//! The bucket as a resource.

use super::input::{BUCKET, DELETING, ID, Input, LAST, ORIGIN, Origin, PENDING, WORM};
use super::world::{ABORT_DAYS, ENCRYPTION, World, place};
use crate::call::Argument;
use crate::collections::Entries;
use crate::gardener::planning::steps::{report, step, text, update};
use crate::plan::{ACCOUNT, Resource, ResourceKind};
use crate::policy::{Condition, Probe, Step};
use crate::provider::alicloud::oss::{AbortRule, LEFT, MARKER, PASS, abort_rule, aborts, put_rules};

const KIND: ResourceKind = ResourceKind { name: "bucket", billed: false, association: false };

/// Seconds that a bucket takes to appear once a call without an answer has created it.
const LATE: u32 = 3;

/// The bucket as it is wanted.
pub fn wanted(input: &Input<'_>, world: &World) -> Resource {
    let encryption = step(ID, "encryption", {
        let algorithm = Argument::data([("SSEAlgorithm", ENCRYPTION.into())]);
        input.bucket.call_with("PutBucketEncryption", "ApplyServerSideEncryptionByDefault", algorithm)
    });
    let rules = world.bucket.as_ref().map(|found| found.rules.as_slice()).unwrap_or_default();
    let documents = rules.iter().map(|rule| rule.document.clone()).chain([aborts()]).collect();
    let lifecycle = step(ID, "lifecycle", put_rules(&input.bucket, documents));
    let mut resource = new(input);
    resource.wanted = true;
    resource.create = vec![create(input), encryption.clone(), lifecycle.clone()];
    let Some(found) = &world.bucket else { return resource };
    resource.found = Some(input.bucket.name.to_owned());
    resource.foreign = world.origin == Origin::Found;
    // What a person chose instead stays.
    let set = |name, wanted: &str, found: &str, is_free: bool, step: Step| {
        if is_free { update(name, text(wanted), found, vec![step]) } else { report(name, text(wanted), found) }
    };
    let days = |days: u32| format!("dropped after {days} days");
    let (uploads, is_free) = match abort_rule(&found.rules) {
        AbortRule::After(found) if found <= ABORT_DAYS => (days(ABORT_DAYS), false),
        AbortRule::After(found) => (days(found), false),
        AbortRule::Other => ("by other rules".to_owned(), false),
        AbortRule::None => (String::new(), true),
    };
    resource.attributes = vec![
        set("encryption", ENCRYPTION, &found.encryption, found.encryption.is_empty(), encryption),
        set("unfinished uploads", &days(ABORT_DAYS), &uploads, is_free, lifecycle),
    ];
    resource
}

fn new(input: &Input<'_>) -> Resource {
    let mut resource = Resource::new(ID, &KIND, input.bucket.name);
    resource.key = Some(BUCKET.to_owned());
    let keys = [BUCKET, ORIGIN, WORM, MARKER, PASS, LEFT, ACCOUNT, LAST];
    resource.keys = keys.map(str::to_owned).into();
    resource
}

fn create(input: &Input<'_>) -> Step {
    let class = input.bucket.call_with("PutBucket", "StorageClass", "Standard".into());
    let name = Some(input.bucket.name.to_owned());
    let origin = Origin::Created.text().map(str::to_owned);
    Step {
        // What the state has of an earlier bucket of the name does not count for this one.
        remember: [(BUCKET, name.clone()), (ORIGIN, None)].into_iter().collect(),
        // The answer is certain: who asks next sees the bucket.
        conclude: [(BUCKET, name), (ORIGIN, origin), (PENDING, None)].into_iter().collect(),
        look_again: Some(Probe {
            call: input.bucket.call("GetBucketInfo", &[]),
            item: None,
            success: vec![Condition::Present { present: "/BucketInfo/Bucket/Name" }],
            failure: Vec::new(),
            record: Entries::new(),
            interval: 1,
            limit: LATE,
        }),
        ..step(ID, "create", class)
    }
}

/// The bucket that has to go, with what it holds.
pub fn unwanted(input: &Input<'_>, world: &World) -> Resource {
    let mut resource = new(input);
    if world.sweep.as_ref().is_none_or(|sweep| !sweep.objects.is_empty()) {
        resource.disruption = Some("The backups in it are lost.".to_owned());
    }
    let is_there = world.sweep.as_ref().map_or(world.bucket.is_some(), |sweep| !sweep.is_gone);
    if !is_there {
        return resource;
    }
    resource.found = Some(input.bucket.name.to_owned());
    resource
        .attributes
        .extend(world.sweep.as_ref().map(|sweep| update("objects", None, &sweep.count(), Vec::new())));
    if let Some(sweep) = world.sweep.as_ref().filter(|sweep| !sweep.objects.is_empty()) {
        resource.delete = sweep.steps(&place(input, &world.account), ID);
        resource.is_partial = true;
        return resource;
    }
    if let Some(uploads) = &world.uploads {
        for (index, upload) in uploads.entries.iter().enumerate() {
            let parameters = [("key", upload.key.as_str().into()), ("uploadId", upload.id.as_str().into())];
            let call = input.bucket.call("AbortMultipartUpload", &parameters);
            resource.delete.push(step(ID, &format!("abort-{index}"), call));
        }
        resource.is_partial = uploads.next.is_some();
    }
    if resource.is_partial {
        // The next page of uploads is looked for too.
        let deleting = (DELETING.to_owned(), resource.found.clone());
        if let Some(last) = resource.delete.last_mut() {
            last.conclude.extend([deleting]);
        }
    } else {
        resource.delete.push(step(ID, "delete", input.bucket.call("DeleteBucket", &[])));
    }
    resource
}
