//! The tags of objects: `PutObjectTagging`, `GetObjectTagging`, `DeleteObjectTagging`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::acl::Permission;
use super::errors::{ACCESS_DENIED, INVALID_TAG, MALFORMED_XML, NO_SUCH_BUCKET, NO_SUCH_KEY};
use super::{BUCKET, ENDPOINT, KEY, bucket, bucket_mut};
use crate::action::{
    ANY, Action, Arguments, Call, CloudError, Parameter, Shape, field, items, optional, record, records, required,
};
use crate::world::World;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[PUT, GET, DELETE];

/// Most tags of an object.
const MOST: usize = 10;

/// A tag.
pub(super) const TAG: &[Parameter] = &[required("Key", ANY).missing(&MALFORMED_XML), optional("Value", ANY)];

/// Tags of keys and values, when each of them can be one.
fn checked(tags: impl Iterator<Item = (String, String)>) -> Result<BTreeMap<String, String>, CloudError> {
    let mut checked = BTreeMap::new();
    for (key, value) in tags {
        let valid =
            |text: &str| text.chars().all(|letter| letter.is_ascii_alphanumeric() || " +-=._:/".contains(letter));
        let fits = (1..=128).contains(&key.len()) && value.len() <= 256;
        if !fits || !valid(&key) || !valid(&value) || checked.insert(key, value).is_some() {
            return Err((&INVALID_TAG).into());
        }
    }
    if checked.len() > MOST {
        return Err(INVALID_TAG.because("Object tags cannot be greater than 10."));
    }
    Ok(checked)
}

/// The tags of the header `x-oss-tagging`: `k=v&l=w`.
pub(super) fn of_header(header: &str) -> Result<BTreeMap<String, String>, CloudError> {
    let pairs = form_urlencoded::parse(header.as_bytes());
    checked(pairs.map(|(key, value)| (key.into_owned(), value.into_owned())))
}

/// The tags of records in XML.
pub(super) fn of_records(records: &[Arguments]) -> Result<BTreeMap<String, String>, CloudError> {
    checked(records.iter().map(|tag| (tag.text("Key").to_owned(), tag.text("Value").to_owned())))
}

/// Tags as they are answered.
pub(super) fn listed(tags: &BTreeMap<String, String>) -> Value {
    tags.iter().map(|(key, value)| json!({ "Key": key, "Value": value })).collect()
}

const PUT: Action = Action::write("PutObjectTagging", put)
    .parameters(&[BUCKET, ENDPOINT, KEY, optional("TagSet.Tag", records(100, TAG)).malformed(&MALFORMED_XML)])
    .left_out(&["versionId"])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &NO_SUCH_KEY, &INVALID_TAG]);

fn put(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    set(world, call, of_records(call.records("TagSet.Tag"))?)
}

fn set(world: &mut World, call: &Call<'_>, tags: BTreeMap<String, String>) -> Result<Value, CloudError> {
    let bucket = bucket_mut(world, call, Permission::Own)?;
    let key = call.text("key");
    bucket.object(key)?;
    if let Some(object) = bucket.objects.get_mut(key) {
        Arc::make_mut(object).properties.tags = tags;
    }
    bucket.schedule(call.now);
    Ok(json!({}))
}

const GET: Action = Action::read("GetObjectTagging", get)
    .parameters(&[BUCKET, ENDPOINT, KEY])
    .left_out(&["versionId"])
    .answer(&[field(
        "Tagging",
        record(&[field(
            "TagSet",
            record(&[field("Tag", items(&record(&[field("Key", Shape::Text), field("Value", Shape::Text)])))]),
        )]),
    )])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &NO_SUCH_KEY]);

fn get(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let object = bucket(world, call, Permission::Own)?.object(call.text("key"))?;
    Ok(json!({ "Tagging": { "TagSet": { "Tag": listed(&object.properties.tags) } } }))
}

const DELETE: Action = Action::write("DeleteObjectTagging", delete)
    .parameters(&[BUCKET, ENDPOINT, KEY])
    .left_out(&["versionId"])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &NO_SUCH_KEY]);

fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    set(world, call, BTreeMap::new())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::Oss;

    const A: [(&str, &str); 2] = [("bucket", "bucket"), ("key", "a")];

    #[test]
    fn tags_are_put_read_and_removed() {
        let cloud = Oss::with_bucket();
        cloud.put("a", b"1");
        let tags = || cloud.call("GetObjectTagging", &A).fields["Tagging"]["TagSet"]["Tag"].clone();
        assert_eq!(tags(), json!([]));
        let [bucket, key] = A;
        cloud.call("PutObjectTagging", &[bucket, key, ("TagSet.Tag.1.Key", "k"), ("TagSet.Tag.1.Value", "v")]);
        assert_eq!(tags(), json!([{ "Key": "k", "Value": "v" }]));
        cloud.call("DeleteObjectTagging", &A);
        assert_eq!(tags(), json!([]));
        for action in ["PutObjectTagging", "GetObjectTagging", "DeleteObjectTagging"] {
            assert_eq!(cloud.attempt(action, &[bucket, ("key", "b")]), Err("NoSuchKey"), "{action}");
        }
    }

    #[test]
    fn what_is_no_tag_is_refused() {
        let cloud = Oss::with_bucket();
        cloud.put("a", b"1");
        let long = "k".repeat(129);
        let names: Vec<String> = (1..=11).map(|number| format!("TagSet.Tag.{number}.Key")).collect();
        let eleven: Vec<_> = names.iter().map(|name| (name.as_str(), name.as_str())).collect();
        for (tags, code) in [
            (&[("TagSet.Tag.1.Value", "v")][..], "MalformedXML"),
            (&[("TagSet.Tag.1.Key", &*long)], "InvalidTag"),
            (&[("TagSet.Tag.1.Key", "k%")], "InvalidTag"),
            (&[("TagSet.Tag.1.Key", "k"), ("TagSet.Tag.2.Key", "k")], "InvalidTag"),
            (&eleven, "InvalidTag"),
        ] {
            let parameters: Vec<_> = A.iter().chain(tags).copied().collect();
            assert_eq!(cloud.attempt("PutObjectTagging", &parameters), Err(code), "{tags:?}");
        }
    }
}
