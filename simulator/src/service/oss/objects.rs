//! Objects: `PutObject`, `GetObject`, `HeadObject`, `GetObjectMeta`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::acl::Permission;
use super::conditions::{Conditions, DATE, Range};
use super::content::room;
use super::errors::{
    ACCESS_DENIED, ENTITY_TOO_LARGE, FILE_ALREADY_EXISTS, FILE_IMMUTABLE, INVALID_ARGUMENT, INVALID_TAG,
    NO_SUCH_BUCKET, NO_SUCH_KEY, NOT_MODIFIED, PRECONDITION_FAILED, STORAGE_EXCEEDED,
};
use super::{BUCKET, ENDPOINT, KEY, bucket, bucket_mut, date, tagging};
use crate::action::{
    ANY, Action, Call, CloudError, ErrorCode, Field, Form, Parameter, Shape, TEXT, field, optional, records,
    required,
};
use crate::world::World;
use crate::world::oss::{Bucket, Content, Encryption, Object, Properties};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[PUT, GET, HEAD, META];

const INVALID_RANGE: ErrorCode = ErrorCode::new(416, "InvalidRange", "The requested range cannot be satisfied.");

/// The headers that are kept as they were sent.
const KEPT: [&str; 6] =
    ["Content-Type", "Cache-Control", "Content-Disposition", "Content-Encoding", "Content-Language", "Expires"];

/// Most bytes of names and values of the writer's own.
const METADATA: usize = 8 << 10;

/// The writer's own headers.
pub(super) const META_HEADERS: Parameter =
    optional("x-oss-meta", records(256, &[required("Name", TEXT), optional("Value", ANY)]));

/// The parameters of an action that writes an object, after others.
macro_rules! writes {
    ($($other:expr),* $(,)?) => {
        &[
            $($other,)*
            $crate::action::optional("Content-Type", $crate::action::TEXT),
            $crate::action::optional("Cache-Control", $crate::action::TEXT),
            $crate::action::optional("Content-Disposition", $crate::action::TEXT),
            $crate::action::optional("Content-Encoding", $crate::action::TEXT),
            $crate::action::optional("Content-Language", $crate::action::TEXT),
            $crate::action::optional("Expires", $crate::action::TEXT),
            $crate::action::optional("x-oss-storage-class", $crate::action::Form::OneOf(&["Standard", "IA"])),
            $crate::action::optional("x-oss-server-side-encryption", $crate::service::oss::encryption::ALGORITHMS),
            $crate::action::optional("x-oss-server-side-encryption-key-id", $crate::action::TEXT),
            $crate::action::optional("x-oss-tagging", $crate::action::ANY),
            $crate::action::optional("x-oss-forbid-overwrite", $crate::action::BOOLEAN),
            $crate::service::oss::objects::META_HEADERS,
        ]
    };
}
pub(super) use writes;

impl Properties {
    /// The properties that a call gives the object that it writes to a bucket.
    pub(super) fn read(call: &Call<'_>, bucket: &Bucket) -> Result<Self, CloudError> {
        let mut headers: BTreeMap<_, _> =
            KEPT.iter().filter_map(|name| Some(((*name).to_owned(), call.given(name)?.to_owned()))).collect();
        headers.entry("Content-Type".to_owned()).or_insert_with(|| "application/octet-stream".to_owned());
        let metadata: BTreeMap<_, _> = call
            .records("x-oss-meta")
            .iter()
            .map(|header| (header.text("Name").to_owned(), header.text("Value").to_owned()))
            .collect();
        if metadata.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>() > METADATA {
            return Err(INVALID_ARGUMENT.because("The user metadata is longer than 8192 bytes."));
        }
        let key = call.given("x-oss-server-side-encryption-key-id").map(str::to_owned);
        let encryption = match call.given("x-oss-server-side-encryption") {
            Some(algorithm) if key.is_none() || algorithm == "KMS" => {
                Some(Encryption { algorithm: algorithm.to_owned(), key })
            }
            None if key.is_none() => bucket.encryption.clone(),
            _ => return Err(INVALID_ARGUMENT.because("A key of KMS needs the server side encryption KMS.")),
        };
        Ok(Self {
            storage_class: call.given("x-oss-storage-class").unwrap_or(&bucket.storage_class).to_owned(),
            headers,
            metadata,
            tags: tagging::of_header(call.text("x-oss-tagging"))?,
            encryption,
        })
    }

    /// The headers that say how it is encrypted.
    pub(super) fn encrypted(&self, answer: &mut Map<String, Value>) {
        if let Some(encryption) = &self.encryption {
            answer.insert("x-oss-server-side-encryption".to_owned(), json!(encryption.algorithm));
            answer.insert("x-oss-server-side-encryption-key-id".to_owned(), json!(encryption.key));
        }
    }
}

impl Bucket {
    /// Refuses a call that may not write an object.
    pub(super) fn writable(&self, call: &Call<'_>) -> Result<(), CloudError> {
        let key = call.text("key");
        if call.flag("x-oss-forbid-overwrite") == Some(true) && self.objects.contains_key(key) {
            return Err((&FILE_ALREADY_EXISTS).into());
        }
        self.mutable(key, call.now)
    }

    /// The object of a call.
    pub(super) fn object(&self, key: &str) -> Result<&Object, CloudError> {
        let object = self.objects.get(key).map(Arc::as_ref);
        object.ok_or_else(|| CloudError::from(&NO_SUCH_KEY).with("Key", key))
    }
}

const PUT: Action = Action::write("PutObject", put)
    .parameters(writes![BUCKET, ENDPOINT, KEY])
    .left_out(&[
        "x-oss-object-acl",
        "x-oss-server-side-data-encryption",
        "x-oss-callback",
        "x-oss-callback-var",
        "x-oss-traffic-limit",
        "x-oss-request-payer",
    ])
    .answer(&[
        field("ETag", Shape::Text),
        field("x-oss-hash-crc64ecma", Shape::Text),
        field("x-oss-server-side-encryption", Shape::Text),
        field("x-oss-server-side-encryption-key-id", Shape::Text),
    ])
    .errors(&[
        &NO_SUCH_BUCKET,
        &ACCESS_DENIED,
        &INVALID_ARGUMENT,
        &INVALID_TAG,
        &ENTITY_TOO_LARGE,
        &STORAGE_EXCEEDED,
        &FILE_IMMUTABLE,
        &FILE_ALREADY_EXISTS,
    ]);

fn put(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let bucket = bucket(world, call, Permission::Write)?;
    let properties = Properties::read(call, bucket)?;
    bucket.writable(call)?;
    room(world, call, call.body.len())?;
    let content = Content::new(call.body.clone());
    let mut answer = Map::new();
    answer.insert("ETag".to_owned(), content.quoted().into());
    answer.insert("x-oss-hash-crc64ecma".to_owned(), content.crc64.to_string().into());
    properties.encrypted(&mut answer);
    let object = Object { content, modified: call.now, object_type: "Normal".to_owned(), properties };
    bucket_mut(world, call, Permission::Write)?.keep(call.text("key"), object, call.now);
    Ok(Value::Object(answer))
}

/// The answer to a read of an object.
const READ: &[Field] = &[
    field("Accept-Ranges", Shape::Text),
    field("Content-Length", Shape::Integer),
    field("Content-Range", Shape::Text),
    field("Content-Type", Shape::Text),
    field("Cache-Control", Shape::Text),
    field("Content-Disposition", Shape::Text),
    field("Content-Encoding", Shape::Text),
    field("Content-Language", Shape::Text),
    field("Expires", Shape::Text),
    field("ETag", Shape::Text),
    field("Last-Modified", Shape::Text),
    field("x-oss-hash-crc64ecma", Shape::Text),
    field("x-oss-object-type", Shape::Text),
    field("x-oss-storage-class", Shape::Text),
    field("x-oss-server-side-encryption", Shape::Text),
    field("x-oss-server-side-encryption-key-id", Shape::Text),
    field("x-oss-tagging-count", Shape::Text),
    field("x-oss-meta", Shape::Map),
];

fn described(object: &Object) -> Map<String, Value> {
    let Object { content, modified, object_type, properties } = object;
    let mut answer = Map::new();
    for (name, value) in &properties.headers {
        answer.insert(name.clone(), json!(value));
    }
    for (name, value) in [
        ("Accept-Ranges", json!("bytes")),
        ("ETag", json!(content.quoted())),
        ("Last-Modified", json!(date(*modified))),
        ("x-oss-hash-crc64ecma", json!(content.crc64.to_string())),
        ("x-oss-object-type", json!(object_type)),
        ("x-oss-storage-class", json!(properties.storage_class)),
        ("x-oss-meta", json!(properties.metadata)),
    ] {
        answer.insert(name.to_owned(), value);
    }
    if !properties.tags.is_empty() {
        answer.insert("x-oss-tagging-count".to_owned(), json!(properties.tags.len().to_string()));
    }
    properties.encrypted(&mut answer);
    answer
}

/// The object of a call, when the conditions of the call hold.
fn asked<'a>(world: &'a World, call: &Call<'_>) -> Result<&'a Object, CloudError> {
    let object = bucket(world, call, Permission::Read)?.object(call.text("key"))?;
    let conditions = Conditions {
        matches: call.given("If-Match"),
        matches_not: call.given("If-None-Match"),
        modified_since: call.given("If-Modified-Since"),
        unmodified_since: call.given("If-Unmodified-Since"),
    };
    conditions.hold(object)?;
    Ok(object)
}

const GET: Action = Action::read("GetObject", get)
    .parameters(&[
        BUCKET,
        ENDPOINT,
        KEY,
        optional("Range", TEXT),
        optional("x-oss-range-behavior", Form::OneOf(&["standard"])),
        optional("If-Match", TEXT),
        optional("If-None-Match", TEXT),
        optional("If-Modified-Since", DATE),
        optional("If-Unmodified-Since", DATE),
        optional("response-content-type", TEXT),
        optional("response-content-language", TEXT),
        optional("response-expires", TEXT),
        optional("response-cache-control", TEXT),
        optional("response-content-disposition", TEXT),
        optional("response-content-encoding", TEXT),
    ])
    .left_out(&["versionId", "x-oss-process", "x-oss-traffic-limit", "x-oss-request-payer"])
    .answer(READ)
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &NO_SUCH_KEY, &NOT_MODIFIED, &PRECONDITION_FAILED, &INVALID_RANGE]);

fn get(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let object = asked(world, call)?;
    let mut answer = described(object);
    for (name, parameter) in [
        ("Content-Type", "response-content-type"),
        ("Content-Language", "response-content-language"),
        ("Expires", "response-expires"),
        ("Cache-Control", "response-cache-control"),
        ("Content-Disposition", "response-content-disposition"),
        ("Content-Encoding", "response-content-encoding"),
    ] {
        if let Some(value) = call.given(parameter) {
            answer.insert(name.to_owned(), json!(value));
        }
    }
    let bytes = &object.content.bytes;
    match call.given("Range").map_or(Range::Whole, |range| Range::read(range, bytes.len())) {
        Range::Part(part) => {
            let range = format!("bytes {}-{}/{}", part.start, part.end.saturating_sub(1), bytes.len());
            answer.insert("Content-Range".to_owned(), json!(range));
            call.send(bytes.slice(part));
        }
        Range::Nothing if call.has("x-oss-range-behavior") => return Err((&INVALID_RANGE).into()),
        Range::Nothing | Range::Whole => call.send(bytes.clone()),
    }
    Ok(Value::Object(answer))
}

const HEAD: Action = Action::read("HeadObject", head)
    .parameters(&[
        BUCKET,
        ENDPOINT,
        KEY,
        optional("If-Match", TEXT),
        optional("If-None-Match", TEXT),
        optional("If-Modified-Since", DATE),
        optional("If-Unmodified-Since", DATE),
    ])
    .left_out(&["versionId", "x-oss-request-payer"])
    .answer(READ)
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &NO_SUCH_KEY, &NOT_MODIFIED, &PRECONDITION_FAILED]);

fn head(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let object = asked(world, call)?;
    let mut answer = described(object);
    answer.insert("Content-Length".to_owned(), json!(object.content.bytes.len()));
    Ok(Value::Object(answer))
}

const META: Action = Action::read("GetObjectMeta", meta)
    .parameters(&[BUCKET, ENDPOINT, KEY])
    .left_out(&["versionId"])
    .answer(&[
        field("Content-Length", Shape::Integer),
        field("ETag", Shape::Text),
        field("Last-Modified", Shape::Text),
        field("x-oss-hash-crc64ecma", Shape::Text),
    ])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &NO_SUCH_KEY]);

fn meta(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let object = bucket(world, call, Permission::Read)?.object(call.text("key"))?;
    Ok(json!({
        "Content-Length": object.content.bytes.len(),
        "ETag": object.content.quoted(),
        "Last-Modified": date(object.modified),
        "x-oss-hash-crc64ecma": object.content.crc64.to_string(),
    }))
}

#[cfg(test)]
mod tests;
