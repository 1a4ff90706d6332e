//! Uploads in parts that are not complete: `ListMultipartUploads`, `ListParts`.

use serde_json::{Map, Value, json};

use super::acl::Permission;
use super::errors::{ACCESS_DENIED, NO_SUCH_BUCKET, NO_SUCH_UPLOAD};
use super::listing::{ENCODING, Encoding, part};
use super::{BUCKET, ENDPOINT, KEY, bucket, instant};
use crate::action::{
    Action, Call, CloudError, Form, Parameter, Shape, TEXT, field, items, optional, record, required,
};
use crate::world::World;
use crate::world::oss::{Bucket, Upload};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[LIST, LIST_PARTS];

/// The upload.
pub(super) const UPLOAD_ID: Parameter = required("uploadId", TEXT);

impl Bucket {
    /// The upload of a call.
    pub(super) fn upload(&self, call: &Call<'_>) -> Result<&Upload, CloudError> {
        let id = call.text("uploadId");
        let upload = self.uploads.get(id).filter(|upload| upload.key == call.text("key"));
        upload.ok_or_else(|| CloudError::from(&NO_SUCH_UPLOAD).with("UploadId", id))
    }
}

const LIST: Action = Action::read("ListMultipartUploads", list)
    .parameters(&[
        BUCKET,
        ENDPOINT,
        optional("prefix", TEXT),
        optional("delimiter", TEXT),
        optional("key-marker", TEXT),
        optional("upload-id-marker", TEXT),
        optional("max-uploads", Form::Integer(1, 1000)).or("1000"),
        ENCODING,
    ])
    .answer(&[field(
        "ListMultipartUploadsResult",
        record(&[
            field("EncodingType", Shape::Text),
            field("Bucket", Shape::Text),
            field("KeyMarker", Shape::Text),
            field("UploadIdMarker", Shape::Text),
            field("NextKeyMarker", Shape::Text),
            field("NextUploadIdMarker", Shape::Text),
            field("Delimiter", Shape::Text),
            field("Prefix", Shape::Text),
            field("MaxUploads", Shape::Integer),
            field("IsTruncated", Shape::Boolean),
            field(
                "Upload",
                items(&record(&[
                    field("Key", Shape::Text),
                    field("UploadId", Shape::Text),
                    field("StorageClass", Shape::Text),
                    field("Initiated", Shape::Text),
                ])),
            ),
            field("CommonPrefixes", items(&record(&[field("Prefix", Shape::Text)]))),
        ]),
    )])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED]);

/// Uploads are in the order of their keys, those of a key in the order of their identifiers.
fn list(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let bucket = bucket(world, call, Permission::Own)?;
    let encoding = Encoding::of(call);
    let (prefix, delimiter) = (call.text("prefix"), call.text("delimiter"));
    let (key_marker, id_marker) = (call.text("key-marker"), call.text("upload-id-marker"));
    let most = usize::try_from(call.integer("max-uploads").unwrap_or(1000)).unwrap_or(1000);
    let mut uploads: Vec<(&str, (&str, &Upload))> =
        bucket.uploads.iter().map(|(id, upload)| (upload.key.as_str(), (id.as_str(), upload))).collect();
    uploads.retain(|(key, (id, _))| {
        *key > key_marker || (*key == key_marker && !id_marker.is_empty() && *id > id_marker)
    });
    uploads.sort_unstable_by_key(|(key, (id, _))| (*key, *id));
    let part = part(uploads.into_iter(), prefix, delimiter, key_marker, most);
    let rows: Vec<Value> = part
        .rows
        .iter()
        .map(|(key, (id, upload))| {
            json!({
                "Key": encoding.write(key),
                "UploadId": id,
                "StorageClass": upload.properties.storage_class,
                "Initiated": instant(upload.initiated),
            })
        })
        .collect();
    let prefixes: Vec<Value> =
        part.prefixes.iter().map(|prefix| json!({ "Prefix": encoding.write(prefix) })).collect();
    let last = part.rows.last().filter(|(key, _)| part.next == Some(key)).map_or("", |(_, (id, _))| id);
    let mut result = Map::new();
    encoding.answer(&mut result);
    for (name, value) in [
        ("Bucket", json!(bucket.name)),
        ("KeyMarker", json!(encoding.write(key_marker))),
        ("UploadIdMarker", json!(id_marker)),
        ("NextKeyMarker", json!(encoding.write(part.next.unwrap_or_default()))),
        ("NextUploadIdMarker", json!(last)),
        ("Delimiter", json!(encoding.write(delimiter))),
        ("Prefix", json!(encoding.write(prefix))),
        ("MaxUploads", json!(most)),
        ("IsTruncated", json!(part.next.is_some())),
        ("Upload", json!(rows)),
        ("CommonPrefixes", json!(prefixes)),
    ] {
        result.insert(name.to_owned(), value);
    }
    Ok(json!({ "ListMultipartUploadsResult": result }))
}

const LIST_PARTS: Action = Action::read("ListParts", list_parts)
    .parameters(&[
        BUCKET,
        ENDPOINT,
        KEY,
        UPLOAD_ID,
        optional("max-parts", Form::Integer(1, 1000)).or("1000"),
        optional("part-number-marker", Form::Integer(0, 10_000)).or("0"),
        ENCODING,
    ])
    .answer(&[field(
        "ListPartsResult",
        record(&[
            field("EncodingType", Shape::Text),
            field("Bucket", Shape::Text),
            field("Key", Shape::Text),
            field("UploadId", Shape::Text),
            field("StorageClass", Shape::Text),
            field("PartNumberMarker", Shape::Integer),
            field("NextPartNumberMarker", Shape::Integer),
            field("MaxParts", Shape::Integer),
            field("IsTruncated", Shape::Boolean),
            field(
                "Part",
                items(&record(&[
                    field("PartNumber", Shape::Integer),
                    field("LastModified", Shape::Text),
                    field("ETag", Shape::Text),
                    field("HashCrc64ecma", Shape::Text),
                    field("Size", Shape::Integer),
                ])),
            ),
        ]),
    )])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &NO_SUCH_UPLOAD]);

fn list_parts(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let bucket = bucket(world, call, Permission::Own)?;
    let upload = bucket.upload(call)?;
    let encoding = Encoding::of(call);
    let marker = call.integer("part-number-marker").unwrap_or_default();
    let most = usize::try_from(call.integer("max-parts").unwrap_or(1000)).unwrap_or(1000);
    let mut parts = upload.parts.range(marker + 1..);
    let rows: Vec<Value> = parts
        .by_ref()
        .take(most)
        .map(|(number, part)| {
            json!({
                "PartNumber": number,
                "LastModified": instant(part.modified),
                "ETag": part.content.quoted(),
                "HashCrc64ecma": part.content.crc64.to_string(),
                "Size": part.content.bytes.len(),
            })
        })
        .collect();
    let last = rows.last().and_then(|row| row.get("PartNumber")).cloned().unwrap_or_else(|| json!(0));
    let mut result = Map::new();
    encoding.answer(&mut result);
    for (name, value) in [
        ("Bucket", json!(bucket.name)),
        ("Key", json!(encoding.write(&upload.key))),
        ("UploadId", json!(call.text("uploadId"))),
        ("StorageClass", json!(upload.properties.storage_class)),
        ("PartNumberMarker", json!(marker)),
        ("NextPartNumberMarker", last),
        ("MaxParts", json!(most)),
        ("IsTruncated", json!(parts.next().is_some())),
        ("Part", json!(rows)),
    ] {
        result.insert(name.to_owned(), value);
    }
    Ok(json!({ "ListPartsResult": result }))
}

#[cfg(test)]
mod tests {
    use super::super::testing::Oss;
    use super::*;

    const NAME: (&str, &str) = ("bucket", "bucket");

    #[test]
    fn uploads_are_listed_in_parts() {
        let cloud = Oss::with_bucket();
        for key in ["a", "a", "b/1", "b/2"] {
            cloud.call("InitiateMultipartUpload", &[NAME, ("key", key)]);
        }
        let list = |parameters: &[(&str, &str)]| {
            let parameters: Vec<_> = [NAME].iter().chain(parameters).copied().collect();
            cloud.call("ListMultipartUploads", &parameters).fields["ListMultipartUploadsResult"].clone()
        };
        let keys = |result: &Value| -> String {
            let rows = result["Upload"].as_array().unwrap().iter();
            rows.map(|row| row["Key"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(keys(&list(&[])), "a a b/1 b/2");
        assert_eq!(keys(&list(&[("prefix", "b/")])), "b/1 b/2");
        let grouped = list(&[("delimiter", "/")]);
        assert_eq!((keys(&grouped), &grouped["CommonPrefixes"][0]["Prefix"]), ("a a".to_owned(), &json!("b/")));
        let first = list(&[("max-uploads", "1")]);
        assert_eq!((keys(&first), &first["IsTruncated"]), ("a".to_owned(), &json!(true)));
        let id = first["NextUploadIdMarker"].as_str().unwrap();
        assert_eq!(keys(&list(&[("key-marker", "a"), ("upload-id-marker", id)])), "a b/1 b/2");
        assert_eq!(keys(&list(&[("key-marker", "a")])), "b/1 b/2");
    }

    #[test]
    fn parts_are_listed_in_parts() {
        let cloud = Oss::with_bucket();
        let answer = cloud.call("InitiateMultipartUpload", &[NAME, ("key", "a")]).fields;
        let id = answer["InitiateMultipartUploadResult"]["UploadId"].as_str().unwrap();
        let upload = [NAME, ("key", "a"), ("uploadId", id)];
        for number in ["1", "3", "5"] {
            let part = [upload[0], upload[1], upload[2], ("partNumber", number)];
            cloud.call_or("UploadPart", &part, number.as_bytes()).unwrap();
        }
        let list = |parameters: &[(&str, &str)]| {
            let parameters: Vec<_> = upload.iter().chain(parameters).copied().collect();
            cloud.call("ListParts", &parameters).fields["ListPartsResult"].clone()
        };
        let first = list(&[("max-parts", "2")]);
        assert_eq!((&first["NextPartNumberMarker"], &first["IsTruncated"]), (&json!(3), &json!(true)));
        let second = list(&[("part-number-marker", "3")]);
        assert_eq!((&second["Part"][0]["PartNumber"], &second["IsTruncated"]), (&json!(5), &json!(false)));
        let other = [NAME, ("key", "b"), ("uploadId", id)];
        assert_eq!(cloud.attempt("ListParts", &other), Err("NoSuchUpload"), "of another key");
    }
}
