//! How a bucket encrypts its objects: `PutBucketEncryption`, `GetBucketEncryption`, `DeleteBucketEncryption`.
//!
//! Objects say how they are encrypted; the simulator does not encrypt them.

use serde_json::{Value, json};

use super::acl::Permission;
use super::errors::{ACCESS_DENIED, INVALID_ARGUMENT, MALFORMED_XML, NO_SUCH_BUCKET};
use super::{BUCKET, ENDPOINT, bucket, bucket_mut};
use crate::action::{Action, Call, CloudError, ErrorCode, Form, Shape, TEXT, field, optional, record, required};
use crate::world::World;
use crate::world::oss::Encryption;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[PUT, GET, DELETE];

const NO_RULE: ErrorCode = ErrorCode::new(
    404,
    "NoSuchServerSideEncryptionRule",
    "The server side encryption configuration is not found.",
);
const INVALID_ALGORITHM: ErrorCode =
    ErrorCode::new(400, "InvalidEncryptionAlgorithmError", "The encryption algorithm is not supported.");

/// The words for the algorithms.
pub(super) const ALGORITHMS: Form = Form::OneOf(&["AES256", "KMS", "SM4"]);

/// How it is answered.
pub(super) const RULE: Shape = record(&[field("SSEAlgorithm", Shape::Text), field("KMSMasterKeyID", Shape::Text)]);

const PUT: Action = Action::write("PutBucketEncryption", put)
    .parameters(&[
        BUCKET,
        ENDPOINT,
        required("ApplyServerSideEncryptionByDefault.SSEAlgorithm", ALGORITHMS)
            .malformed(&INVALID_ALGORITHM)
            .missing(&MALFORMED_XML),
        optional("ApplyServerSideEncryptionByDefault.KMSMasterKeyID", TEXT),
    ])
    .left_out(&["ApplyServerSideEncryptionByDefault.KMSDataEncryption"])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &INVALID_ARGUMENT]);

fn put(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let algorithm = call.text("ApplyServerSideEncryptionByDefault.SSEAlgorithm");
    let key = call.given("ApplyServerSideEncryptionByDefault.KMSMasterKeyID");
    let bucket = bucket_mut(world, call, Permission::Own)?;
    if key.is_some() && algorithm != "KMS" {
        return Err(INVALID_ARGUMENT.because("KMSMasterKeyID is not applicable if the algorithm is not KMS."));
    }
    bucket.encryption = Some(Encryption { algorithm: algorithm.to_owned(), key: key.map(str::to_owned) });
    Ok(json!({}))
}

const GET: Action = Action::read("GetBucketEncryption", get)
    .parameters(&[BUCKET, ENDPOINT])
    .answer(&[field("ServerSideEncryptionRule", record(&[field("ApplyServerSideEncryptionByDefault", RULE)]))])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &NO_RULE]);

fn get(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let rule = bucket(world, call, Permission::Own)?.encryption.as_ref().ok_or(&NO_RULE)?;
    Ok(json!({ "ServerSideEncryptionRule": { "ApplyServerSideEncryptionByDefault": rule } }))
}

const DELETE: Action = Action::write("DeleteBucketEncryption", delete)
    .parameters(&[BUCKET, ENDPOINT])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED]);

fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    bucket_mut(world, call, Permission::Own)?.encryption = None;
    Ok(json!({}))
}

#[cfg(test)]
mod tests {
    use super::super::testing::Oss;

    const BUCKET: (&str, &str) = ("bucket", "bucket");
    const ALGORITHM: &str = "ApplyServerSideEncryptionByDefault.SSEAlgorithm";
    const KEY: &str = "ApplyServerSideEncryptionByDefault.KMSMasterKeyID";

    #[test]
    fn objects_say_how_their_bucket_encrypts_them() {
        let cloud = Oss::with_bucket();
        assert_eq!(cloud.attempt("GetBucketEncryption", &[BUCKET]), Err("NoSuchServerSideEncryptionRule"));
        cloud.call("PutBucketEncryption", &[BUCKET, (ALGORITHM, "KMS"), (KEY, "key-1")]);
        let answer = cloud.call("GetBucketEncryption", &[BUCKET]);
        let rule = &answer.fields["ServerSideEncryptionRule"]["ApplyServerSideEncryptionByDefault"];
        assert_eq!((&rule["SSEAlgorithm"], &rule["KMSMasterKeyID"]), (&"KMS".into(), &"key-1".into()));
        cloud.put("a", b"1");
        cloud.call("DeleteBucketEncryption", &[BUCKET]);
        cloud.put("b", b"1");
        let of = |key| cloud.call("HeadObject", &[BUCKET, ("key", key)]).fields;
        assert_eq!(of("a")["x-oss-server-side-encryption"], "KMS");
        assert_eq!(of("a")["x-oss-server-side-encryption-key-id"], "key-1");
        assert!(!of("b").contains_key("x-oss-server-side-encryption"));
    }

    #[test]
    fn only_what_can_be_is_taken() {
        let cloud = Oss::with_bucket();
        for (parameters, code) in [
            (&[BUCKET, (ALGORITHM, "ROT13")][..], "InvalidEncryptionAlgorithmError"),
            (&[BUCKET], "MalformedXML"),
            (&[BUCKET, (ALGORITHM, "AES256"), (KEY, "key-1")], "InvalidArgument"),
            (&[("bucket", "nowhere"), (ALGORITHM, "AES256")], "NoSuchBucket"),
        ] {
            assert_eq!(cloud.attempt("PutBucketEncryption", parameters), Err(code));
        }
    }
}
