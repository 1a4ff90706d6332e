//! Lists of objects: `ListObjects`, `ListObjectsV2`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};

use super::acl::{OWNER, Permission, owned};
use super::errors::{ACCESS_DENIED, INVALID_ARGUMENT, NO_SUCH_BUCKET};
use super::{BUCKET, ENDPOINT, bucket, instant};
use crate::action::{
    Action, BOOLEAN, Call, CloudError, Form, Parameter, Shape, TEXT, field, items, optional, record, required,
};
use crate::world::World;
use crate::world::oss::Bucket;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[LIST, LIST_V2];

/// How names are written in an answer.
pub(super) const ENCODING: Parameter = optional("encoding-type", Form::OneOf(&["url"]));
const MOST: Parameter = optional("max-keys", Form::Integer(1, 1000)).or("100");

/// How names are written in an answer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Encoding {
    /// As they are.
    Plain,
    /// Percent-encoded, for what XML cannot hold.
    Url,
}

/// The characters that percent-encoding leaves as they are.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

impl Encoding {
    /// The encoding that a call asks for.
    pub(super) fn of(call: &Call<'_>) -> Self {
        if call.has("encoding-type") { Self::Url } else { Self::Plain }
    }

    /// A name.
    pub(super) fn write(self, name: &str) -> String {
        match self {
            Self::Plain => name.to_owned(),
            Self::Url => utf8_percent_encode(name, PLAIN).to_string(),
        }
    }

    /// Adds the encoding to an answer.
    pub(super) fn answer(self, result: &mut Map<String, Value>) {
        if matches!(self, Self::Url) {
            result.insert("EncodingType".to_owned(), json!("url"));
        }
    }
}

/// A part of a list of names, in which all names with the same beginning up to a delimiter count as one.
#[derive(Debug)]
pub(super) struct Part<'a, T> {
    /// The names that count for themselves.
    pub(super) rows: Vec<(&'a str, T)>,
    /// The beginnings that stand for several.
    pub(super) prefixes: Vec<&'a str>,
    /// The last of both, when there are more.
    pub(super) next: Option<&'a str>,
}

/// The names with a prefix after a marker, at most so many.
pub(super) fn part<'a, T>(
    names: impl Iterator<Item = (&'a str, T)>,
    prefix: &str,
    delimiter: &str,
    marker: &str,
    most: usize,
) -> Part<'a, T> {
    let mut part = Part { rows: Vec::new(), prefixes: Vec::new(), next: None };
    let mut last = None;
    for (name, row) in names {
        let Some(rest) = name.strip_prefix(prefix) else { continue };
        let group = (!delimiter.is_empty()).then(|| rest.find(delimiter)).flatten();
        let group = group.and_then(|end| name.get(..prefix.len() + end + delimiter.len()));
        // What a marker or the prefix before stands for is through.
        if group.is_some_and(|group| group <= marker || last == Some(group)) {
            continue;
        }
        if part.rows.len() + part.prefixes.len() == most {
            part.next = last;
            break;
        }
        match group {
            Some(group) => part.prefixes.push(group),
            None => part.rows.push((name, row)),
        }
        last = group.or(Some(name));
    }
    part
}

const CONTENTS: Shape = items(&record(&[
    field("Key", Shape::Text),
    field("LastModified", Shape::Text),
    field("ETag", Shape::Text),
    field("Type", Shape::Text),
    field("Size", Shape::Integer),
    field("StorageClass", Shape::Text),
    field("Owner", OWNER),
]));
const COMMON_PREFIXES: Shape = items(&record(&[field("Prefix", Shape::Text)]));

/// What both lists have in common, and the last name when there are more.
fn listed<'a>(
    bucket: &'a Bucket,
    call: &Call<'_>,
    marker: &str,
    owner: bool,
) -> (Map<String, Value>, Option<&'a str>, usize) {
    let encoding = Encoding::of(call);
    let (prefix, delimiter) = (call.text("prefix"), call.text("delimiter"));
    let most = usize::try_from(call.integer("max-keys").unwrap_or(100)).unwrap_or(100);
    let after = (std::ops::Bound::Excluded(marker), std::ops::Bound::Unbounded);
    let names = bucket.objects.range::<str, _>(after).map(|(key, object)| (key.as_str(), object));
    let names = names.skip_while(|(key, _)| *key < prefix).take_while(|(key, _)| key.starts_with(prefix));
    let part = part(names, prefix, delimiter, marker, most);
    let contents: Vec<Value> = part
        .rows
        .iter()
        .map(|(key, object)| {
            json!({
                "Key": encoding.write(key),
                "LastModified": instant(object.modified),
                "ETag": object.content.quoted(),
                "Type": object.object_type,
                "Size": object.content.bytes.len(),
                "StorageClass": object.properties.storage_class,
                "Owner": owner.then(|| owned(&call.caller.account)),
            })
        })
        .collect();
    let prefixes: Vec<Value> =
        part.prefixes.iter().map(|prefix| json!({ "Prefix": encoding.write(prefix) })).collect();
    let count = contents.len() + prefixes.len();
    let mut result = Map::new();
    encoding.answer(&mut result);
    for (name, value) in [
        ("Name", json!(bucket.name)),
        ("Prefix", json!(encoding.write(prefix))),
        ("MaxKeys", json!(most)),
        ("Delimiter", json!(encoding.write(delimiter))),
        ("IsTruncated", json!(part.next.is_some())),
        ("Contents", json!(contents)),
        ("CommonPrefixes", json!(prefixes)),
    ] {
        result.insert(name.to_owned(), value);
    }
    (result, part.next, count)
}

const LIST: Action = Action::read("ListObjects", list)
    .parameters(&[
        BUCKET,
        ENDPOINT,
        optional("prefix", TEXT),
        optional("marker", TEXT),
        optional("delimiter", TEXT),
        MOST,
        ENCODING,
    ])
    .answer(&[field(
        "ListBucketResult",
        record(&[
            field("Name", Shape::Text),
            field("Prefix", Shape::Text),
            field("Marker", Shape::Text),
            field("MaxKeys", Shape::Integer),
            field("Delimiter", Shape::Text),
            field("EncodingType", Shape::Text),
            field("IsTruncated", Shape::Boolean),
            field("NextMarker", Shape::Text),
            field("Contents", CONTENTS),
            field("CommonPrefixes", COMMON_PREFIXES),
        ]),
    )])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED]);

fn list(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let bucket = bucket(world, call, Permission::Own)?;
    let marker = call.text("marker");
    let (mut result, next, _) = listed(bucket, call, marker, true);
    let encoding = Encoding::of(call);
    result.insert("Marker".to_owned(), json!(encoding.write(marker)));
    result.insert("NextMarker".to_owned(), json!(next.map(|next| encoding.write(next))));
    Ok(json!({ "ListBucketResult": result }))
}

const LIST_V2: Action = Action::read("ListObjectsV2", list_v2)
    .parameters(&[
        BUCKET,
        ENDPOINT,
        required("list-type", Form::OneOf(&["2"])),
        optional("prefix", TEXT),
        optional("start-after", TEXT),
        optional("continuation-token", Form::Text(&crate::action::Rule { what: "text", check: |_| true })),
        optional("delimiter", TEXT),
        optional("fetch-owner", BOOLEAN),
        MOST,
        ENCODING,
    ])
    .answer(&[field(
        "ListBucketResult",
        record(&[
            field("Name", Shape::Text),
            field("Prefix", Shape::Text),
            field("StartAfter", Shape::Text),
            field("ContinuationToken", Shape::Text),
            field("MaxKeys", Shape::Integer),
            field("Delimiter", Shape::Text),
            field("EncodingType", Shape::Text),
            field("IsTruncated", Shape::Boolean),
            field("NextContinuationToken", Shape::Text),
            field("KeyCount", Shape::Integer),
            field("Contents", CONTENTS),
            field("CommonPrefixes", COMMON_PREFIXES),
        ]),
    )])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &INVALID_ARGUMENT]);

fn list_v2(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let bucket = bucket(world, call, Permission::Own)?;
    let start = call.text("start-after");
    let marker = match call.given("continuation-token") {
        None => start.to_owned(),
        Some(token) => STANDARD
            .decode(token)
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .ok_or_else(|| INVALID_ARGUMENT.because("The continuation-token is not valid."))?,
    };
    let (mut result, next, count) = listed(bucket, call, &marker, call.flag("fetch-owner") == Some(true));
    result.insert("StartAfter".to_owned(), json!(Encoding::of(call).write(start)));
    result.insert("ContinuationToken".to_owned(), json!(call.given("continuation-token")));
    result.insert("NextContinuationToken".to_owned(), json!(next.map(|next| STANDARD.encode(next))));
    result.insert("KeyCount".to_owned(), json!(count));
    Ok(json!({ "ListBucketResult": result }))
}

#[cfg(test)]
mod tests {
    use super::super::testing::Oss;
    use super::*;

    const NAME: (&str, &str) = ("bucket", "bucket");

    fn filled() -> Oss {
        let cloud = Oss::with_bucket();
        for key in ["a", "b/1", "b/2", "b/c/3", "d", "e/1", "f g"] {
            cloud.put(key, b"1");
        }
        cloud
    }

    /// Keys, then prefixes, then the mark of the next part.
    fn flat(result: &Value, next: &str) -> String {
        let texts = |list: &str, name: &str| -> Vec<String> {
            let rows = result[list].as_array().unwrap().iter();
            rows.map(|row| row[name].as_str().unwrap().to_owned()).collect()
        };
        let next = result[next].as_str().map(str::to_owned);
        let parts = [texts("Contents", "Key").join(" "), texts("CommonPrefixes", "Prefix").join(" ")];
        parts.into_iter().chain(next).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn objects_are_listed_by_prefix_delimiter_and_in_parts() {
        let cloud = filled();
        for (parameters, listed) in [
            (&[][..], "a b/1 b/2 b/c/3 d e/1 f g | "),
            (&[("prefix", "b/")], "b/1 b/2 b/c/3 | "),
            (&[("delimiter", "/")], "a d f g | b/ e/"),
            (&[("prefix", "b/"), ("delimiter", "/")], "b/1 b/2 | b/c/"),
            (&[("max-keys", "2")], "a b/1 |  | b/1"),
            (&[("marker", "b/1"), ("max-keys", "2")], "b/2 b/c/3 |  | b/c/3"),
            (&[("delimiter", "/"), ("max-keys", "2")], "a | b/ | b/"),
            (&[("delimiter", "/"), ("max-keys", "2"), ("marker", "b/")], "d | e/ | e/"),
            (&[("delimiter", "/"), ("max-keys", "2"), ("marker", "e/")], "f g | "),
            (&[("marker", "f"), ("encoding-type", "url")], "f%20g | "),
            (&[("marker", "z")], " | "),
            (&[("prefix", "e"), ("max-keys", "1")], "e/1 | "),
        ] {
            let parameters: Vec<_> = [NAME].iter().chain(parameters).copied().collect();
            let result = cloud.call("ListObjects", &parameters).fields["ListBucketResult"].clone();
            assert_eq!(flat(&result, "NextMarker"), listed, "{parameters:?}");
            assert_eq!(result["IsTruncated"], result.get("NextMarker").is_some());
        }
    }

    #[test]
    fn a_continuation_goes_on_where_a_part_ended() {
        let cloud = filled();
        let mut keys = String::new();
        let mut token = String::new();
        loop {
            let parameters = [
                NAME,
                ("list-type", "2"),
                ("max-keys", "3"),
                ("start-after", "a"),
                ("continuation-token", &token),
            ];
            let result = cloud.call("ListObjectsV2", &parameters).fields["ListBucketResult"].clone();
            for row in result["Contents"].as_array().unwrap() {
                keys.push_str(row["Key"].as_str().unwrap());
                keys.push(' ');
                assert!(row.get("Owner").is_none());
            }
            match result.get("NextContinuationToken").and_then(Value::as_str) {
                Some(next) => token = next.to_owned(),
                None => break,
            }
        }
        assert_eq!(keys, "b/1 b/2 b/c/3 d e/1 f g ");
        let wrong = [NAME, ("list-type", "2"), ("continuation-token", "?")];
        assert_eq!(cloud.attempt("ListObjectsV2", &wrong), Err("InvalidArgument"));
    }

    #[test]
    fn a_part_has_at_most_a_thousand() {
        let cloud = filled();
        for most in ["0", "1001", "many"] {
            assert_eq!(cloud.attempt("ListObjects", &[NAME, ("max-keys", most)]), Err("InvalidParameter"));
        }
        assert_eq!(cloud.attempt("ListObjects", &[("bucket", "nowhere")]), Err("NoSuchBucket"));
    }
}
