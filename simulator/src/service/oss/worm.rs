//! Retention policies: `InitiateBucketWorm`, `GetBucketWorm`, `CompleteBucketWorm`, `ExtendBucketWorm`,
//! `AbortBucketWorm`.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::acl::Permission;
use super::errors::{ACCESS_DENIED, FILE_IMMUTABLE, MALFORMED_XML, NO_SUCH_BUCKET};
use super::{BUCKET, ENDPOINT, bucket, bucket_mut, instant};
use crate::action::{Action, Call, CloudError, ErrorCode, Form, Parameter, Shape, TEXT, field, record, required};
use crate::world::World;
use crate::world::oss::{Bucket, Worm, WormState};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[INITIATE, GET, COMPLETE, EXTEND, ABORT];

const NO_POLICY: ErrorCode =
    ErrorCode::new(404, "NoSuchWORMConfiguration", "The WORM Configuration does not exist.");
const EXISTS: ErrorCode = ErrorCode::new(
    409,
    "WORMConfigurationAlreadyExists",
    "The bucket has a retention policy already, which has to be deleted first.",
);
const LOCKED: ErrorCode = ErrorCode::new(403, "WORMConfigurationLocked", "The WORM Configuration is locked.");
const INVALID: ErrorCode = ErrorCode::new(
    400,
    "InvalidWORMConfiguration",
    "The WORM Configuration you provided is invalid: only a policy in progress can be locked, and only a locked one \
     extended.",
);

impl Bucket {
    /// Refuses when the object of a key cannot be changed or removed.
    pub(super) fn mutable(&self, key: &str, now: Timestamp) -> Result<(), CloudError> {
        match self.objects.get(key).and_then(|object| self.protected(object, now)) {
            Some(_) => Err((&FILE_IMMUTABLE).into()),
            None => Ok(()),
        }
    }
}

/// One day to seventy years.
const DAYS: Parameter =
    required("RetentionPeriodInDays", Form::Integer(1, 25550)).malformed(&MALFORMED_XML).missing(&MALFORMED_XML);
const WORM_ID: Parameter = required("wormId", TEXT);

const INITIATE: Action = Action::write("InitiateBucketWorm", initiate)
    .parameters(&[BUCKET, ENDPOINT, DAYS])
    .answer(&[field("x-oss-worm-id", Shape::Text)])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &MALFORMED_XML, &EXISTS]);

fn initiate(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    if bucket(world, call, Permission::Own)?.worm.is_some() {
        return Err((&EXISTS).into());
    }
    let worm_id = world.id("").to_uppercase();
    let worm = Worm {
        worm_id: worm_id.clone(),
        retention_period_in_days: call.integer("RetentionPeriodInDays").unwrap_or_default(),
        created: call.now,
        locked: false,
    };
    bucket_mut(world, call, Permission::Own)?.worm = Some(worm);
    Ok(json!({ "x-oss-worm-id": worm_id }))
}

const GET: Action = Action::read("GetBucketWorm", get)
    .parameters(&[BUCKET, ENDPOINT])
    .answer(&[field(
        "WormConfiguration",
        record(&[
            field("WormId", Shape::Text),
            field("State", Shape::Text),
            field("RetentionPeriodInDays", Shape::Integer),
            field("CreationDate", Shape::Text),
        ]),
    )])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &NO_POLICY]);

fn get(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let worm = bucket(world, call, Permission::Own)?.worm.as_ref().ok_or(&NO_POLICY)?;
    Ok(json!({
        "WormConfiguration": {
            "WormId": worm.worm_id,
            "State": worm.state(call.now),
            "RetentionPeriodInDays": worm.retention_period_in_days,
            "CreationDate": instant(worm.created),
        },
    }))
}

/// The policy of a call, and its state.
fn named<'a>(world: &'a mut World, call: &Call<'_>) -> Result<(&'a mut Worm, WormState), CloudError> {
    let worm = bucket_mut(world, call, Permission::Own)?.worm.as_mut();
    let worm = worm.filter(|worm| worm.worm_id == call.text("wormId")).ok_or(&NO_POLICY)?;
    let state = worm.state(call.now);
    Ok((worm, state))
}

const COMPLETE: Action = Action::write("CompleteBucketWorm", complete)
    .parameters(&[BUCKET, ENDPOINT, WORM_ID])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &NO_POLICY, &LOCKED, &INVALID]);

fn complete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let (worm, state) = named(world, call)?;
    match state {
        WormState::InProgress => worm.locked = true,
        WormState::Locked => return Err((&LOCKED).into()),
        WormState::Expired => return Err((&INVALID).into()),
    }
    Ok(json!({}))
}

const EXTEND: Action = Action::write("ExtendBucketWorm", extend)
    .parameters(&[BUCKET, ENDPOINT, WORM_ID, DAYS])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &MALFORMED_XML, &NO_POLICY, &INVALID]);

fn extend(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let (worm, state) = named(world, call)?;
    let days = call.integer("RetentionPeriodInDays").unwrap_or_default();
    if state != WormState::Locked {
        return Err((&INVALID).into());
    }
    if days < worm.retention_period_in_days {
        return Err(INVALID.because("The retention period can only be extended."));
    }
    worm.retention_period_in_days = days;
    Ok(json!({}))
}

const ABORT: Action = Action::write("AbortBucketWorm", abort).parameters(&[BUCKET, ENDPOINT]).errors(&[
    &NO_SUCH_BUCKET,
    &ACCESS_DENIED,
    &NO_POLICY,
    &LOCKED,
]);

fn abort(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let bucket = bucket_mut(world, call, Permission::Own)?;
    let worm = bucket.worm.as_ref().ok_or(&NO_POLICY)?;
    if worm.state(call.now) == WormState::Locked {
        return Err((&LOCKED).into());
    }
    bucket.worm = None;
    bucket.schedule(call.now);
    Ok(json!({}))
}

#[cfg(test)]
mod tests {
    use super::super::testing::Oss;

    const BUCKET: (&str, &str) = ("bucket", "bucket");
    const DAY: u64 = 86_400;

    fn with_policy(days: &str) -> (Oss, String) {
        let cloud = Oss::with_bucket();
        let answer = cloud.call("InitiateBucketWorm", &[BUCKET, ("RetentionPeriodInDays", days)]);
        let id = answer.fields["x-oss-worm-id"].as_str().unwrap().to_owned();
        (cloud, id)
    }

    fn state(cloud: &Oss) -> String {
        let worm = &cloud.call("GetBucketWorm", &[BUCKET]).fields["WormConfiguration"];
        format!("{} {}", worm["State"].as_str().unwrap(), worm["RetentionPeriodInDays"])
    }

    #[test]
    fn a_policy_is_locked_within_a_day_or_expires() {
        let (cloud, id) = with_policy("2");
        assert_eq!(state(&cloud), "InProgress 2");
        cloud.step(DAY - 1);
        cloud.call("CompleteBucketWorm", &[BUCKET, ("wormId", &id)]);
        cloud.step(2);
        assert_eq!(state(&cloud), "Locked 2");
        assert_eq!(cloud.attempt("AbortBucketWorm", &[BUCKET]), Err("WORMConfigurationLocked"));
        let again = [BUCKET, ("wormId", &*id)];
        assert_eq!(cloud.attempt("CompleteBucketWorm", &again), Err("WORMConfigurationLocked"));

        let (cloud, id) = with_policy("2");
        cloud.step(DAY);
        assert_eq!(state(&cloud), "Expired 2");
        let lock = [BUCKET, ("wormId", &*id)];
        assert_eq!(cloud.attempt("CompleteBucketWorm", &lock), Err("InvalidWORMConfiguration"));
        let new = [BUCKET, ("RetentionPeriodInDays", "1")];
        assert_eq!(cloud.attempt("InitiateBucketWorm", &new), Err("WORMConfigurationAlreadyExists"));
        cloud.call("AbortBucketWorm", &[BUCKET]);
        assert_eq!(cloud.attempt("GetBucketWorm", &[BUCKET]), Err("NoSuchWORMConfiguration"));
    }

    #[test]
    fn without_a_policy_there_is_nothing_to_lock() {
        let cloud = Oss::with_bucket();
        let missing = Err("NoSuchWORMConfiguration");
        assert_eq!(cloud.attempt("CompleteBucketWorm", &[BUCKET, ("wormId", "1")]), missing);
        assert_eq!(cloud.attempt("AbortBucketWorm", &[BUCKET]), missing);
        let never = [BUCKET, ("RetentionPeriodInDays", "0")];
        assert_eq!(cloud.attempt("InitiateBucketWorm", &never), Err("MalformedXML"));
    }

    #[test]
    fn a_locked_policy_is_only_extended() {
        let (cloud, id) = with_policy("2");
        let extend = |days: &str| {
            cloud.attempt("ExtendBucketWorm", &[BUCKET, ("wormId", &id), ("RetentionPeriodInDays", days)])
        };
        assert_eq!(extend("3"), Err("InvalidWORMConfiguration"), "not locked");
        cloud.call("CompleteBucketWorm", &[BUCKET, ("wormId", &id)]);
        assert_eq!(extend("1"), Err("InvalidWORMConfiguration"), "shorter");
        assert_eq!(extend("25551"), Err("MalformedXML"));
        assert_eq!(extend("3"), Ok(()));
        assert_eq!(state(&cloud), "Locked 3");
        let other = [BUCKET, ("wormId", "other"), ("RetentionPeriodInDays", "4")];
        assert_eq!(cloud.attempt("ExtendBucketWorm", &other), Err("NoSuchWORMConfiguration"));
    }

    #[test]
    fn an_upload_that_was_begun_before_does_not_replace_what_is_protected() {
        let cloud = Oss::with_bucket();
        let object = [BUCKET, ("key", "a")];
        let begun = cloud.call("InitiateMultipartUpload", &object).fields;
        let id = begun["InitiateMultipartUploadResult"]["UploadId"].as_str().unwrap();
        cloud.call("UploadPart", &[&object[..], &[("uploadId", id), ("partNumber", "1")]].concat());
        cloud.put("a", b"1");
        cloud.call("InitiateBucketWorm", &[BUCKET, ("RetentionPeriodInDays", "1")]);
        let complete = [&object[..], &[("uploadId", id), ("x-oss-complete-all", "yes")]].concat();
        assert_eq!(cloud.attempt("CompleteMultipartUpload", &complete), Err("FileImmutable"));
    }

    #[test]
    fn objects_are_protected_for_their_time() {
        let (cloud, id) = with_policy("2");
        cloud.put("a", b"1");
        let object = [BUCKET, ("key", "a")];
        let both = |cloud: &Oss| (cloud.attempt("PutObject", &object), cloud.attempt("DeleteObject", &object));
        let refused = (Err("FileImmutable"), Err("FileImmutable"));
        assert_eq!(both(&cloud), refused, "in progress");
        assert_eq!(cloud.attempt("InitiateMultipartUpload", &object), refused.0);
        assert_eq!(
            cloud.attempt("CopyObject", &[&object[..], &[("x-oss-copy-source", "/bucket/a")]].concat()),
            refused.0
        );
        cloud.call("CompleteBucketWorm", &[BUCKET, ("wormId", &id)]);
        cloud.step(2 * DAY - 1);
        assert_eq!(both(&cloud), refused, "locked");
        cloud.step(1);
        assert_eq!(both(&cloud), (Ok(()), Err("FileImmutable")), "its time begins again with its new content");

        let (cloud, _) = with_policy("25550");
        cloud.put("a", b"1");
        cloud.step(DAY);
        assert_eq!(both(&cloud), (Ok(()), Ok(())), "expired");
    }
}
