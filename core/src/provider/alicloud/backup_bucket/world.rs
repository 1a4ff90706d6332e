//! What OSS has of a bucket.

use super::input::{BUCKET, DELETING, Input, Origin};
use crate::document::Value;
use crate::gardener::planning::entry::Entry;
use crate::gardener::planning::facts::{Api, Facts};
use crate::plan::recorded_value;
use crate::policy::{RequestError, State};
use crate::provider::alicloud::oss::{
    self, Answer, Bucket, Place, Retention, Rule, Sweep, Uploads, is_abort_rule, retention, retention_query,
    rules, rules_query,
};
use crate::provider::alicloud::queries::{CLIENT_UNAVAILABLE, CREDENTIALS_UNAVAILABLE};
use crate::provider::alicloud::rules::backup_bucket_plan as own_rules;

/// The API.
pub static API: Api = oss::api(
    &own_rules::BKT_002,
    &[
        (CREDENTIALS_UNAVAILABLE, &own_rules::BKT_002, "could not get Alicloud credentials"),
        (CLIENT_UNAVAILABLE, &own_rules::BKT_002, "could not create Alicloud OSS client"),
    ],
);

/// How OSS encrypts the objects of our buckets.
pub const ENCRYPTION: &str = "AES256";
/// Days after which our rule drops unfinished uploads.
pub const ABORT_DAYS: u32 = 7;

/// What there is.
#[derive(Debug, Default)]
pub struct World {
    /// The account of the credentials; empty where nobody knows it.
    pub account: String,
    /// The bucket; absent where it does not exist, or was not asked for.
    pub bucket: Option<Found>,
    /// How it came to be the one of the object.
    pub origin: Origin,
    /// Its retention.
    pub retention: Option<Retention>,
    /// How far its deletion is.
    pub sweep: Option<Sweep>,
    /// Unfinished uploads that keep an empty bucket from being deleted.
    pub uploads: Option<Uploads>,
}

/// A bucket.
#[derive(Debug)]
pub struct Found {
    /// The account that it belongs to.
    pub owner: String,
    /// `oss-` with its region.
    pub location: String,
    /// How it encrypts objects; empty where it does not.
    pub encryption: String,
    /// Its rules.
    pub rules: Vec<Rule>,
}

impl Found {
    /// Whether it belongs to another account than this one; an empty one is not known.
    pub fn is_of_others(&self, account: &str) -> bool {
        !account.is_empty() && self.owner != account
    }

    /// Whether it is in another region.
    pub fn is_elsewhere(&self, region: &str) -> bool {
        self.location.strip_prefix("oss-") != Some(region)
    }
}

/// Reads what there is, and asks what nobody knows yet.
pub fn observe(input: &Input<'_>, recorded: &State, facts: &mut Facts<'_>, account: &str) -> World {
    let mut world = World { account: account.to_owned(), origin: input.origin, ..World::default() };
    let is_known = match (input.is_deletion(), input.origin) {
        (true, Origin::Found) => return world,
        (true, Origin::Created | Origin::Taken) => Some(()),
        _ => observe_bucket(input, recorded, facts, &mut world),
    };
    if is_known.is_some() && input.is_deletion() && matches!(world.origin, Origin::Created | Origin::Taken) {
        world.sweep = oss::observe(&place(input, account), recorded, facts);
        let is_left = recorded_value(recorded, DELETING).is_some()
            && world.sweep.as_ref().is_some_and(|sweep| !sweep.is_gone && sweep.objects.is_empty());
        if is_left {
            world.uploads = oss::uploads(&input.bucket, facts);
        }
    }
    world
}

/// All objects of the bucket.
pub fn place<'a>(input: &Input<'a>, account: &'a str) -> Place<'a> {
    Place { bucket: input.bucket, prefix: "", account }
}

fn observe_bucket(input: &Input<'_>, recorded: &State, facts: &mut Facts<'_>, world: &mut World) -> Option<()> {
    let bucket = &input.bucket;
    let found = match info(bucket, facts) {
        Answer::Found(found) => found,
        Answer::Nothing => return Some(()),
        Answer::Unknown => {
            // The bucket was there: what is asked next is asked at the same time.
            if recorded_value(recorded, BUCKET).is_some() && !input.is_deletion() {
                facts.ask(rules_query(bucket));
                facts.ask(retention_query(bucket));
            }
            return None;
        }
    };
    if found.is_of_others(&world.account) || found.is_elsewhere(bucket.region) {
        // No run has created it. What a person says of it is refused.
        if matches!(world.origin, Origin::Unknown | Origin::Begun) {
            world.origin = Origin::Found;
        }
        world.bucket = Some(found);
        return Some(());
    }
    let needs_rules = !input.is_deletion() || world.origin == Origin::Unknown;
    let rules = if needs_rules { rules(bucket, facts) } else { Some(Vec::new()) };
    if !input.is_deletion() {
        world.retention = match retention(bucket, facts) {
            Answer::Unknown => return None,
            Answer::Nothing => None,
            Answer::Found(retention) => Some(retention),
        };
    }
    let found = Found { rules: rules?, ..found };
    let has_marks =
        || found.encryption == ENCRYPTION && found.rules.iter().any(|rule| is_abort_rule(rule, ABORT_DAYS));
    world.origin = match world.origin {
        Origin::Begun => Origin::Created,
        Origin::Adopted => Origin::Taken,
        Origin::Unknown if input.was_reconciled && has_marks() => Origin::Taken,
        Origin::Unknown => Origin::Found,
        known => known,
    };
    world.bucket = Some(found);
    Some(())
}

/// The bucket without its rules.
fn info(bucket: &Bucket<'_>, facts: &mut Facts<'_>) -> Answer<Found> {
    let query = bucket.query("GetBucketInfo", &[]);
    let response = match bucket.response(&query, facts) {
        None => return Answer::Unknown,
        Some(Value::Null) => return Answer::Nothing,
        Some(response) => response,
    };
    let entry = Entry::new(response.at(&["BucketInfo", "Bucket"]).unwrap_or(&Value::Null));
    let encryption = match entry.text(&["ServerSideEncryptionRule", "SSEAlgorithm"]) {
        "None" => "",
        algorithm => algorithm,
    };
    let found = Found {
        owner: entry.id_at(&["Owner", "ID"]).to_owned(),
        location: entry.id("Location").to_owned(),
        encryption: encryption.to_owned(),
        rules: Vec::new(),
    };
    let is_asked_for = entry.id("Name") == bucket.name;
    match entry.check(&query) {
        Ok(()) if is_asked_for => return Answer::Found(found),
        Ok(()) => facts
            .fail(RequestError::Fact { query: query.id, problem: "is about another bucket than was asked for" }),
        Err(error) => facts.fail(error),
    }
    Answer::Unknown
}
