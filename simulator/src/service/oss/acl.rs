//! Who may use a bucket: `PutBucketAcl`, `GetBucketAcl`.

use serde_json::{Value, json};

use super::errors::{ACCESS_DENIED, NO_SUCH_BUCKET};
use super::{BUCKET, ENDPOINT, bucket, bucket_mut};
use crate::action::{Action, Call, CloudError, Form, Shape, field, record, required};
use crate::world::World;
use crate::world::oss::Acl;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[PUT, GET];

/// The permission that a call needs on a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Permission {
    /// To read an object.
    Read,
    /// To write or remove an object.
    Write,
    /// What only the owner may.
    Own,
}

/// The words for it.
pub(super) const WORDS: Form = Form::OneOf(&["private", "public-read", "public-read-write"]);

impl Acl {
    /// The one with a name.
    pub(super) fn named(name: &str) -> Self {
        match name {
            "public-read" => Self::PublicRead,
            "public-read-write" => Self::PublicReadWrite,
            _ => Self::Private,
        }
    }

    /// Whether another account has a permission.
    pub(super) fn gives(self, want: Permission) -> bool {
        match want {
            Permission::Read => self != Self::Private,
            Permission::Write => self == Self::PublicReadWrite,
            Permission::Own => false,
        }
    }
}

/// The owner in an answer.
pub(super) const OWNER: Shape = record(&[field("ID", Shape::Text), field("DisplayName", Shape::Text)]);

/// The owner in an answer.
pub(super) fn owned(account: &str) -> Value {
    json!({ "ID": account, "DisplayName": account })
}

const PUT: Action = Action::write("PutBucketAcl", put)
    .parameters(&[BUCKET, ENDPOINT, required("x-oss-acl", WORDS)])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED]);

fn put(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    bucket_mut(world, call, Permission::Own)?.acl = Acl::named(call.text("x-oss-acl"));
    Ok(json!({}))
}

const GET: Action = Action::read("GetBucketAcl", get)
    .parameters(&[BUCKET, ENDPOINT])
    .answer(&[field(
        "AccessControlPolicy",
        record(&[field("Owner", OWNER), field("AccessControlList", record(&[field("Grant", Shape::Text)]))]),
    )])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED]);

fn get(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let bucket = bucket(world, call, Permission::Own)?;
    Ok(json!({
        "AccessControlPolicy": {
            "Owner": owned(&call.caller.account),
            "AccessControlList": { "Grant": bucket.acl },
        },
    }))
}

#[cfg(test)]
mod tests {
    use super::super::SERVICE;
    use super::super::testing::Oss;
    use crate::action::Action;

    #[test]
    fn other_accounts_have_what_the_acl_gives() {
        let cloud = Oss::with_bucket();
        cloud.put("a", b"content");
        let other = cloud.other_account();
        let read = [("bucket", "bucket"), ("key", "a")];
        for (acl, reads, writes) in [
            ("private", Err("AccessDenied"), Err("AccessDenied")),
            ("public-read", Ok(()), Err("AccessDenied")),
            ("public-read-write", Ok(()), Ok(())),
        ] {
            cloud.call("PutBucketAcl", &[("bucket", "bucket"), ("x-oss-acl", acl)]);
            let answer = cloud.call("GetBucketAcl", &[("bucket", "bucket")]);
            assert_eq!(answer.fields["AccessControlPolicy"]["AccessControlList"]["Grant"], acl);
            assert_eq!(other.attempt("GetObject", &read), reads, "{acl}");
            assert_eq!(other.attempt("PutObject", &read), writes, "{acl}");
            assert_eq!(other.attempt("DeleteBucket", &[("bucket", "bucket")]), Err("AccessDenied"));
        }
    }

    /// The parameters that an action needs in addition to its bucket.
    fn needed(action: &Action) -> Vec<(&'static str, &'static str)> {
        let known = [
            ("key", "a"),
            ("uploadId", "1"),
            ("partNumber", "1"),
            ("wormId", "1"),
            ("x-oss-acl", "private"),
            ("x-oss-copy-source", "/bucket/a"),
            ("ApplyServerSideEncryptionByDefault.SSEAlgorithm", "AES256"),
            ("RetentionPeriodInDays", "1"),
            ("Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg=="),
            ("list-type", "2"),
        ];
        let mut needed: Vec<_> = known.into_iter().filter(|(name, _)| action.parameter(name).is_some()).collect();
        match action.name {
            "PutBucketLifecycle" => needed.extend([("Rule.1.Status", "Enabled"), ("Rule.1.Expiration.Days", "1")]),
            "DeleteMultipleObjects" => needed.push(("Object.1.Key", "a")),
            _ => {}
        }
        needed
    }

    #[test]
    fn nothing_is_done_in_no_bucket_or_that_of_another() {
        let cloud = Oss::with_bucket();
        cloud.put("a", b"1");
        let other = cloud.other_account();
        for action in SERVICE.actions() {
            let declares = |code| action.errors.iter().any(|error| error.code == code);
            for (cloud, bucket, code) in [(&cloud, "nowhere", "NoSuchBucket"), (&other, "bucket", "AccessDenied")]
            {
                if declares(code) {
                    let parameters = [needed(action), vec![("bucket", bucket)]].concat();
                    assert_eq!(cloud.attempt(action.name, &parameters), Err(code), "{}", action.name);
                }
            }
        }
    }
}
