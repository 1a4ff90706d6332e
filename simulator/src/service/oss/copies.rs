//! Copies of objects: `CopyObject`.

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};

use super::acl::Permission;
use super::conditions::{Conditions, DATE};
use super::content::room;
use super::errors::{
    ACCESS_DENIED, FILE_ALREADY_EXISTS, FILE_IMMUTABLE, INVALID_ARGUMENT, INVALID_TAG, NO_SUCH_BUCKET,
    NO_SUCH_KEY, NOT_MODIFIED, PRECONDITION_FAILED, STORAGE_EXCEEDED,
};
use super::objects::writes;
use super::{BUCKET, ENDPOINT, KEY, bucket, bucket_mut, instant};
use crate::action::{ANY, Action, Call, CloudError, Form, Shape, TEXT, field, optional, record, required};
use crate::world::World;
use crate::world::oss::{Bucket, Object, Properties};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[COPY];

const DIRECTIVE: Form = Form::OneOf(&["COPY", "REPLACE"]);

const COPY: Action = Action::write("CopyObject", copy)
    .parameters(writes![
        BUCKET,
        ENDPOINT,
        KEY,
        required("x-oss-copy-source", ANY),
        optional("x-oss-copy-source-if-match", TEXT),
        optional("x-oss-copy-source-if-none-match", TEXT),
        optional("x-oss-copy-source-if-modified-since", DATE),
        optional("x-oss-copy-source-if-unmodified-since", DATE),
        optional("x-oss-metadata-directive", DIRECTIVE).or("COPY"),
        optional("x-oss-tagging-directive", Form::OneOf(&["Copy", "Replace"])).or("Copy"),
    ])
    .left_out(&["x-oss-object-acl", "x-oss-server-side-data-encryption"])
    .answer(&[
        field("ETag", Shape::Text),
        field("x-oss-hash-crc64ecma", Shape::Text),
        field("x-oss-server-side-encryption", Shape::Text),
        field("x-oss-server-side-encryption-key-id", Shape::Text),
        field("CopyObjectResult", record(&[field("LastModified", Shape::Text), field("ETag", Shape::Text)])),
    ])
    .errors(&[
        &NO_SUCH_BUCKET,
        &ACCESS_DENIED,
        &NO_SUCH_KEY,
        &INVALID_ARGUMENT,
        &INVALID_TAG,
        &NOT_MODIFIED,
        &PRECONDITION_FAILED,
        &STORAGE_EXCEEDED,
        &FILE_IMMUTABLE,
        &FILE_ALREADY_EXISTS,
    ]);

/// The object that a call copies: `/bucket/key`, percent-encoded, in the region of the bucket that it is copied
/// to.
fn source<'a>(world: &'a World, call: &Call<'_>, to: &Bucket) -> Result<&'a Object, CloudError> {
    let named = percent_decode_str(call.text("x-oss-copy-source")).decode_utf8().ok();
    let named = named.as_deref().map(|path| path.strip_prefix('/').unwrap_or(path));
    let (name, key) = named.and_then(|path| path.split_once('/')).ok_or_else(|| {
        INVALID_ARGUMENT.because("Copy Source must mention the source bucket and key: /bucket/key.")
    })?;
    let (owner, from) = world
        .accounts()
        .find_map(|(account, has)| Some((account, has.oss.buckets.get(name)?)))
        .ok_or_else(|| CloudError::from(&NO_SUCH_BUCKET).with("BucketName", name))?;
    if (owner != call.caller.account && !from.acl.gives(Permission::Read)) || from.region != to.region {
        return Err(
            ACCESS_DENIED.because("Target object does not reside in the same data center as source object.")
        );
    }
    from.object(key)
}

fn copy(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let bucket = bucket(world, call, Permission::Write)?;
    let source = source(world, call, bucket)?;
    let conditions = Conditions {
        matches: call.given("x-oss-copy-source-if-match"),
        matches_not: call.given("x-oss-copy-source-if-none-match"),
        modified_since: call.given("x-oss-copy-source-if-modified-since"),
        unmodified_since: call.given("x-oss-copy-source-if-unmodified-since"),
    };
    conditions.hold(source)?;
    bucket.writable(call)?;
    room(world, call, source.content.bytes.len())?;
    let mut properties = Properties::read(call, bucket)?;
    if call.text("x-oss-metadata-directive") == "COPY" {
        properties.headers.clone_from(&source.properties.headers);
        properties.metadata.clone_from(&source.properties.metadata);
    }
    if call.text("x-oss-tagging-directive") == "Copy" {
        properties.tags.clone_from(&source.properties.tags);
    }
    let content = source.content.clone();
    let mut answer = Map::new();
    answer.insert("ETag".to_owned(), json!(content.quoted()));
    answer.insert("x-oss-hash-crc64ecma".to_owned(), json!(content.crc64.to_string()));
    properties.encrypted(&mut answer);
    let result = json!({ "LastModified": instant(call.now), "ETag": content.quoted() });
    answer.insert("CopyObjectResult".to_owned(), result);
    let object = Object { content, modified: call.now, object_type: "Normal".to_owned(), properties };
    bucket_mut(world, call, Permission::Write)?.keep(call.text("key"), object, call.now);
    Ok(Value::Object(answer))
}

#[cfg(test)]
mod tests {
    use super::super::testing::Oss;

    const NAME: (&str, &str) = ("bucket", "bucket");
    const B: (&str, &str) = ("key", "b");

    fn with_source() -> Oss {
        let cloud = Oss::with_bucket();
        let parameters = [
            NAME,
            ("key", "a b"),
            ("Content-Type", "text/plain"),
            ("x-oss-tagging", "k=v"),
            ("x-oss-meta.1.Name", "colour"),
            ("x-oss-meta.1.Value", "red"),
        ];
        cloud.call_or("PutObject", &parameters, b"content").unwrap();
        cloud
    }

    #[test]
    fn a_copy_has_the_content_and_what_is_said_of_it() {
        let cloud = with_source();
        let source = ("x-oss-copy-source", "/bucket/a%20b");
        let answer = cloud.call("CopyObject", &[NAME, B, source]).fields;
        assert_eq!(answer["CopyObjectResult"]["ETag"], answer["ETag"]);
        let copy = cloud.call("GetObject", &[NAME, B]);
        assert_eq!(&copy.content[..], b"content");
        assert_eq!(
            (&copy.fields["Content-Type"], &copy.fields["x-oss-tagging-count"]),
            (&"text/plain".into(), &"1".into())
        );
        assert_eq!(copy.fields["x-oss-meta"]["colour"], "red");
        let again = [("x-oss-metadata-directive", "REPLACE"), ("x-oss-tagging-directive", "Replace")];
        cloud.call("CopyObject", &[NAME, B, source, again[0], again[1], ("Content-Type", "text/html")]);
        let copy = cloud.call("HeadObject", &[NAME, B]).fields;
        assert_eq!((&copy["Content-Type"], copy.get("x-oss-tagging-count")), (&"text/html".into(), None));
    }

    #[test]
    fn what_cannot_be_copied_is_refused() {
        let cloud = with_source();
        cloud.in_region("eu-central-1").call("PutBucket", &[("bucket", "far")]);
        let source = ("x-oss-copy-source", "/bucket/a%20b");
        for (parameters, code) in [
            (&[NAME, B, ("x-oss-copy-source", "bucket")][..], "InvalidArgument"),
            (&[NAME, B, ("x-oss-copy-source", "/bucket/c")], "NoSuchKey"),
            (&[NAME, B, ("x-oss-copy-source", "/nowhere/c")], "NoSuchBucket"),
            (&[("bucket", "far"), B, source], "AccessDenied"),
            (&[NAME, B, source, ("x-oss-tagging-directive", "Replace"), ("x-oss-tagging", "=v")], "InvalidTag"),
            (&[NAME, B, source, ("x-oss-copy-source-if-match", "\"0\"")], "PreconditionFailed"),
            (&[NAME, B, source, ("x-oss-copy-source-if-none-match", "*")], "NotModified"),
            (&[NAME, ("key", "a b"), source, ("x-oss-forbid-overwrite", "true")], "FileAlreadyExists"),
        ] {
            assert_eq!(cloud.attempt("CopyObject", parameters), Err(code), "{parameters:?}");
        }
    }
}
