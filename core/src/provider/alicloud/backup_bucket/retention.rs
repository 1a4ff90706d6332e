//! The retention of a bucket as a resource. It is never deleted: OSS drops one that is not locked, and one that is locked
//! only becomes longer.

use super::input::{self, Input, Origin, RETENTION_ID as ID, RETENTION_PENDING as PENDING, WORM};
use super::world::World;
use crate::call::Argument;
use crate::gardener::planning::steps::{Parameter, ids, reference, step};
use crate::plan::{Attribute, Difference, Resource, ResourceKind};
use crate::policy::{Condition, Probe, Step};
use crate::provider::alicloud::api::Immutability;
use crate::provider::alicloud::oss::{Bucket, Retention, RetentionState, retention_query};

const KIND: ResourceKind = ResourceKind { name: "retention", billed: false, association: false };

/// The retention; `None` where there is none and none is wanted.
pub fn desired(input: &Input<'_>, world: &World) -> Option<Resource> {
    let (wanted, found) = (input.immutability, world.retention.as_ref());
    if wanted.is_none() && found.is_none() {
        return None;
    }
    let mut resource = Resource::new(ID, &KIND, input.bucket.name);
    resource.wanted = true;
    resource.needs = ids(&[input::ID]);
    let text = match &wanted {
        Some(wanted) => shown(wanted.retention_period, if wanted.locked { "locked" } else { "not locked" }),
        None => "none".to_owned(),
    };
    let difference = match found {
        None => {
            resource.create = begin(&input.bucket, wanted.as_ref());
            Difference::Report
        }
        Some(found) => {
            resource.found = Some(found.id.clone());
            difference(&input.bucket, wanted.as_ref(), found, world.origin != Origin::Found)
        }
    };
    let found = found.map(|found| {
        let state = match found.state {
            RetentionState::InProgress => "not locked",
            RetentionState::Locked => "locked",
            RetentionState::Expired => "expired",
        };
        shown(found.days, state)
    });
    resource.attributes = vec![Attribute { name: "policy", wanted: Some(text), found, difference }];
    Some(resource)
}

fn shown(days: i64, state: &str) -> String {
    format!("{days} days, {state}")
}

/// Whether the plan locks a retention of another period than is wanted: the next plan makes it longer.
pub fn has_to_grow(input: &Input<'_>, world: &World) -> bool {
    match (&input.immutability, &world.retention) {
        (Some(wanted), Some(found)) => {
            found.state == RetentionState::InProgress && wanted.locked && wanted.retention_period != found.days
        }
        _ => false,
    }
}

fn difference(
    bucket: &Bucket<'_>,
    wanted: Option<&Immutability<'_>>,
    found: &Retention,
    is_own: bool,
) -> Difference {
    let Some(wanted) = wanted else {
        let is_free = is_own && found.state != RetentionState::Locked;
        return if is_free { Difference::Update(vec![abort(bucket)], None) } else { Difference::Report };
    };
    let (days, period) = (found.days, wanted.retention_period);
    match found.state {
        RetentionState::Expired => {
            let mut first = abort(bucket);
            first.remedy = Some(format!(
                "the retention that nobody locked expired on {} and is begun once more: without a lock it protects a day at a time",
                found.expires()
            ));
            Difference::Update([vec![first], begin(bucket, Some(wanted))].concat(), None)
        }
        RetentionState::InProgress if !wanted.locked => Difference::Report,
        _ if period < days => Difference::Refuse(format!(
            "the retention of {days} days cannot become {period} days, because OSS only makes it longer"
        )),
        RetentionState::InProgress => {
            let mut lock = lock(bucket, found.id.as_str().into());
            if period != days {
                lock.remedy = Some(format!(
                    "the retention is locked with its {days} days, and then made {period} days long"
                ));
            }
            Difference::Update(vec![lock], None)
        }
        RetentionState::Locked if period > days => {
            let days = days_of(wanted);
            let parameters = [("wormId", found.id.as_str().into()), ("body", (&days).into())];
            Difference::Update(vec![step(ID, "extend", bucket.call("ExtendBucketWorm", &parameters))], None)
        }
        RetentionState::Locked => Difference::Report,
    }
}

fn days_of(wanted: &Immutability<'_>) -> Argument {
    Argument::data([("RetentionPeriodInDays", wanted.retention_period.into())])
}

fn abort(bucket: &Bucket<'_>) -> Step {
    Step {
        conclude: [(WORM, None)].into_iter().collect(),
        ..step(ID, "abort", bucket.call("AbortBucketWorm", &[]))
    }
}

/// Begins a retention, and locks it where that is wanted.
fn begin(bucket: &Bucket<'_>, wanted: Option<&Immutability<'_>>) -> Vec<Step> {
    let Some(wanted) = wanted else { return Vec::new() };
    let days = days_of(wanted);
    let begin = Step {
        record: [(WORM, "/x-oss-worm-id")].into_iter().collect(),
        conclude: [(PENDING, None)].into_iter().collect(),
        look_again: Some(Probe {
            call: retention_query(bucket).call,
            item: None,
            success: vec![Condition::Present { present: "/WormConfiguration/WormId" }],
            failure: Vec::new(),
            record: [(WORM, "/WormConfiguration/WormId")].into_iter().collect(),
            interval: 1,
            limit: 1,
        }),
        ..step(ID, "create", bucket.call("InitiateBucketWorm", &[("body", (&days).into())]))
    };
    let lock = wanted.locked.then(|| lock(bucket, reference(WORM)));
    [begin].into_iter().chain(lock).collect()
}

fn lock(bucket: &Bucket<'_>, id: Parameter<'_>) -> Step {
    step(ID, "lock", bucket.call("CompleteBucketWorm", &[("wormId", id)]))
}
