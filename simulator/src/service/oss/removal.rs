//! The removal of objects: `DeleteObject`, `DeleteMultipleObjects`.

use serde_json::{Map, Value, json};

use super::acl::Permission;
use super::errors::{
    ACCESS_DENIED, FILE_IMMUTABLE, INVALID_OBJECT_NAME, MALFORMED_XML, MISSING_ARGUMENT, NO_SUCH_BUCKET,
};
use super::listing::{ENCODING, Encoding};
use super::{BUCKET, ENDPOINT, KEY, NAME, bucket_mut};
use crate::action::{
    Action, BOOLEAN, Call, CloudError, Shape, TEXT, field, items, optional, record, records, required,
};
use crate::world::World;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[DELETE, DELETE_MULTIPLE];

const DELETE: Action = Action::write("DeleteObject", delete)
    .parameters(&[BUCKET, ENDPOINT, KEY])
    .left_out(&["versionId"])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &FILE_IMMUTABLE]);

/// The removal of an object that does not exist succeeds.
fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let bucket = bucket_mut(world, call, Permission::Write)?;
    let key = call.text("key");
    bucket.mutable(key, call.now)?;
    bucket.objects.remove(key);
    Ok(json!({}))
}

const DELETE_MULTIPLE: Action = Action::write("DeleteMultipleObjects", delete_multiple)
    .parameters(&[
        BUCKET,
        ENDPOINT,
        ENCODING,
        required("Content-MD5", TEXT).missing(&MISSING_ARGUMENT),
        optional("Quiet", BOOLEAN).or("false").malformed(&MALFORMED_XML),
        required(
            "Object",
            records(1000, &[required("Key", NAME).missing(&MALFORMED_XML).malformed(&INVALID_OBJECT_NAME)]),
        )
        .missing(&MALFORMED_XML)
        .malformed(&MALFORMED_XML),
    ])
    .left_out(&["Object.VersionId"])
    .answer(&[field(
        "DeleteResult",
        record(&[
            field("EncodingType", Shape::Text),
            field("Deleted", items(&record(&[field("Key", Shape::Text)]))),
        ]),
    )])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED]);

/// The answer leaves out objects that cannot be removed; this is not an error.
fn delete_multiple(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let encoding = Encoding::of(call);
    let bucket = bucket_mut(world, call, Permission::Write)?;
    let mut deleted = Vec::new();
    for object in call.records("Object") {
        let key = object.text("Key");
        if bucket.mutable(key, call.now).is_ok() {
            bucket.objects.remove(key);
            deleted.push(json!({ "Key": encoding.write(key) }));
        }
    }
    if call.flag("Quiet") == Some(true) {
        return Ok(json!({}));
    }
    let mut result = Map::new();
    encoding.answer(&mut result);
    result.insert("Deleted".to_owned(), deleted.into());
    Ok(json!({ "DeleteResult": result }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::Oss;

    const BUCKET: (&str, &str) = ("bucket", "bucket");
    /// What the front has checked.
    const MD5: (&str, &str) = ("Content-MD5", "md5");

    #[test]
    fn an_object_is_removed_once_and_again() {
        let cloud = Oss::with_bucket();
        cloud.put("a", b"1");
        for _ in 0..2 {
            assert_eq!(cloud.attempt("DeleteObject", &[BUCKET, ("key", "a")]), Ok(()));
        }
        assert_eq!(cloud.keys(), "");
        assert_eq!(cloud.attempt("DeleteObject", &[("bucket", "nowhere"), ("key", "a")]), Err("NoSuchBucket"));
    }

    #[test]
    fn many_objects_are_removed_at_once() {
        let cloud = Oss::with_bucket();
        for key in ["a", "b c", "d"] {
            cloud.put(key, b"1");
        }
        let remove = [BUCKET, MD5, ("Object.1.Key", "b c"), ("Object.2.Key", "gone"), ("encoding-type", "url")];
        let result = cloud.call("DeleteMultipleObjects", &remove).fields["DeleteResult"].clone();
        assert_eq!(result["Deleted"], json!([{ "Key": "b%20c" }, { "Key": "gone" }]));
        assert_eq!(cloud.keys(), "a d");
        let quiet = [BUCKET, MD5, ("Object.1.Key", "d"), ("Quiet", "true")];
        assert!(cloud.call("DeleteMultipleObjects", &quiet).fields.is_empty());
        assert_eq!(cloud.keys(), "a");
    }

    #[test]
    fn protected_objects_are_left() {
        let cloud = Oss::with_bucket();
        cloud.put("a", b"1");
        cloud.call("InitiateBucketWorm", &[BUCKET, ("RetentionPeriodInDays", "1")]);
        let result = cloud.call("DeleteMultipleObjects", &[BUCKET, MD5, ("Object.1.Key", "a")]);
        assert_eq!(result.fields["DeleteResult"]["Deleted"], json!([]));
        assert_eq!(cloud.keys(), "a");
    }

    #[test]
    fn what_names_no_objects_is_refused() {
        let cloud = Oss::with_bucket();
        let names: Vec<String> = (1..=1001).map(|number| format!("Object.{number}.Key")).collect();
        let mut many: Vec<_> = names.iter().map(|name| (name.as_str(), "a")).collect();
        many.extend([BUCKET, MD5]);
        for (parameters, code) in [
            (&[BUCKET, ("Object.1.Key", "a")][..], "MissingArgument"),
            (&[BUCKET, MD5], "MalformedXML"),
            (&[BUCKET, MD5, ("Object.1.Key", "/a")], "InvalidObjectName"),
            (&[BUCKET, MD5, ("Object.1.Key", "a"), ("Quiet", "perhaps")], "MalformedXML"),
            (&many, "MalformedXML"),
        ] {
            assert_eq!(cloud.attempt("DeleteMultipleObjects", parameters), Err(code));
        }
    }
}
