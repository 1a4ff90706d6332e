//! Objects in parts: `InitiateMultipartUpload`, `UploadPart`, `CompleteMultipartUpload`, `AbortMultipartUpload`.

use serde_json::{Map, Value, json};

use super::acl::Permission;
use super::content::{LONGEST, room};
use super::errors::{
    ACCESS_DENIED, ENTITY_TOO_LARGE, FILE_ALREADY_EXISTS, FILE_IMMUTABLE, INVALID_ARGUMENT, INVALID_TAG,
    MALFORMED_XML, NO_SUCH_BUCKET, NO_SUCH_UPLOAD, STORAGE_EXCEEDED,
};
use super::listing::{ENCODING, Encoding};
use super::objects::writes;
use super::uploads::UPLOAD_ID;
use super::{BUCKET, ENDPOINT, KEY, bucket, bucket_mut};
use crate::action::{
    Action, BOOLEAN, Call, CloudError, ErrorCode, Form, Parameter, Shape, TEXT, field, optional, record, records,
    required,
};
use crate::world::World;
use crate::world::oss::{Content, Object, Part, Properties, Upload};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[INITIATE, UPLOAD, COMPLETE, ABORT];

/// The least bytes of each part but the last.
const LEAST: usize = 100 << 10;

const INVALID_PART: ErrorCode = ErrorCode::new(
    400,
    "InvalidPart",
    "One or more of the specified parts could not be found or the specified entity tag might not have matched the \
     part's entity tag.",
);
const INVALID_PART_ORDER: ErrorCode =
    ErrorCode::new(400, "InvalidPartOrder", "The list of parts was not in ascending order.");
const TOO_SMALL: ErrorCode =
    ErrorCode::new(400, "EntityTooSmall", "Your proposed upload smaller than the minimum allowed size.");

const INITIATE: Action = Action::write("InitiateMultipartUpload", initiate)
    .parameters(writes![BUCKET, ENDPOINT, KEY, ENCODING])
    .left_out(&["sequential", "x-oss-server-side-data-encryption"])
    .answer(&[
        field("x-oss-server-side-encryption", Shape::Text),
        field("x-oss-server-side-encryption-key-id", Shape::Text),
        field(
            "InitiateMultipartUploadResult",
            record(&[
                field("EncodingType", Shape::Text),
                field("Bucket", Shape::Text),
                field("Key", Shape::Text),
                field("UploadId", Shape::Text),
            ]),
        ),
    ])
    .errors(&[
        &NO_SUCH_BUCKET,
        &ACCESS_DENIED,
        &INVALID_ARGUMENT,
        &INVALID_TAG,
        &FILE_IMMUTABLE,
        &FILE_ALREADY_EXISTS,
        &STORAGE_EXCEEDED,
    ]);

fn initiate(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let bucket = bucket(world, call, Permission::Write)?;
    let properties = Properties::read(call, bucket)?;
    bucket.writable(call)?;
    room(world, call, 0)?;
    let id = world.id("").to_uppercase();
    let key = call.text("key");
    let mut answer = Map::new();
    properties.encrypted(&mut answer);
    let mut result = Map::new();
    let encoding = Encoding::of(call);
    encoding.answer(&mut result);
    for (name, value) in
        [("Bucket", call.text("bucket").to_owned()), ("Key", encoding.write(key)), ("UploadId", id.clone())]
    {
        result.insert(name.to_owned(), json!(value));
    }
    answer.insert("InitiateMultipartUploadResult".to_owned(), Value::Object(result));
    let upload = Upload {
        key: key.to_owned(),
        initiated: call.now,
        properties,
        forbid_overwrite: call.flag("x-oss-forbid-overwrite") == Some(true),
        parts: std::collections::BTreeMap::new(),
    };
    let bucket = bucket_mut(world, call, Permission::Write)?;
    bucket.uploads.insert(id, upload);
    bucket.schedule(call.now);
    Ok(Value::Object(answer))
}

const UPLOAD: Action = Action::write("UploadPart", upload)
    .parameters(&[BUCKET, ENDPOINT, KEY, UPLOAD_ID, required("partNumber", Form::Integer(1, 10_000))])
    .left_out(&["x-oss-copy-source", "x-oss-copy-source-range", "x-oss-traffic-limit"])
    .answer(&[field("ETag", Shape::Text), field("x-oss-hash-crc64ecma", Shape::Text)])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &NO_SUCH_UPLOAD, &ENTITY_TOO_LARGE, &STORAGE_EXCEEDED]);

fn upload(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    bucket(world, call, Permission::Write)?.upload(call)?;
    room(world, call, call.body.len())?;
    let content = Content::new(call.body.clone());
    let answer = json!({ "ETag": content.quoted(), "x-oss-hash-crc64ecma": content.crc64.to_string() });
    let bucket = bucket_mut(world, call, Permission::Write)?;
    if let Some(upload) = bucket.uploads.get_mut(call.text("uploadId")) {
        upload.parts.insert(call.integer("partNumber").unwrap_or_default(), Part { content, modified: call.now });
    }
    Ok(answer)
}

/// A part, as the call that completes the upload names it.
const PART: &[Parameter] = &[
    required("PartNumber", Form::Integer(1, 10_000)).missing(&MALFORMED_XML).malformed(&MALFORMED_XML),
    required("ETag", TEXT).missing(&MALFORMED_XML).malformed(&MALFORMED_XML),
];

const COMPLETE: Action = Action::write("CompleteMultipartUpload", complete)
    .parameters(&[
        BUCKET,
        ENDPOINT,
        KEY,
        UPLOAD_ID,
        ENCODING,
        optional("x-oss-forbid-overwrite", BOOLEAN),
        optional("x-oss-complete-all", Form::OneOf(&["yes"])),
        optional("Part", records(10_000, PART)).malformed(&MALFORMED_XML),
    ])
    .left_out(&["x-oss-callback", "x-oss-callback-var"])
    .answer(&[
        field("ETag", Shape::Text),
        field("x-oss-hash-crc64ecma", Shape::Text),
        field(
            "CompleteMultipartUploadResult",
            record(&[
                field("EncodingType", Shape::Text),
                field("Location", Shape::Text),
                field("Bucket", Shape::Text),
                field("Key", Shape::Text),
                field("ETag", Shape::Text),
            ]),
        ),
    ])
    .errors(&[
        &NO_SUCH_BUCKET,
        &ACCESS_DENIED,
        &NO_SUCH_UPLOAD,
        &MALFORMED_XML,
        &INVALID_ARGUMENT,
        &INVALID_PART,
        &INVALID_PART_ORDER,
        &TOO_SMALL,
        &ENTITY_TOO_LARGE,
        &FILE_IMMUTABLE,
        &FILE_ALREADY_EXISTS,
    ]);

/// The parts that a call names, or all parts where it asks for all.
fn chosen<'a>(upload: &'a Upload, call: &Call<'_>) -> Result<Vec<&'a Content>, CloudError> {
    let named = call.records("Part");
    if call.has("x-oss-complete-all") {
        if !named.is_empty() {
            return Err(INVALID_ARGUMENT.because("A body is not allowed with x-oss-complete-all."));
        }
        return Ok(upload.parts.values().map(|part| &part.content).collect());
    }
    if named.is_empty() {
        return Err((&MALFORMED_XML).into());
    }
    let mut last = 0;
    let mut parts = Vec::new();
    for part in named {
        let number = part.integer("PartNumber").unwrap_or_default();
        if number <= last {
            return Err((&INVALID_PART_ORDER).into());
        }
        last = number;
        let tag = part.text("ETag").trim_matches('"');
        let known = upload.parts.get(&number).filter(|known| known.content.e_tag.eq_ignore_ascii_case(tag));
        let known = known.ok_or_else(|| CloudError::from(&INVALID_PART).with("PartNumber", number.to_string()))?;
        parts.push(&known.content);
    }
    Ok(parts)
}

fn complete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let bucket = bucket(world, call, Permission::Write)?;
    let upload = bucket.upload(call)?;
    let parts = chosen(upload, call)?;
    if parts.split_last().is_none_or(|(_, others)| others.iter().any(|part| part.bytes.len() < LEAST)) {
        return Err((&TOO_SMALL).into());
    }
    if parts.iter().map(|part| part.bytes.len()).sum::<usize>() > LONGEST {
        return Err((&ENTITY_TOO_LARGE).into());
    }
    bucket.writable(call)?;
    if upload.forbid_overwrite && bucket.objects.contains_key(&upload.key) {
        return Err((&FILE_ALREADY_EXISTS).into());
    }
    // The upload and its parts are gone, so the bucket holds no more than before.
    let content = Content::join(parts.into_iter());
    let properties = upload.properties.clone();
    let object = Object { content, modified: call.now, object_type: "Multipart".to_owned(), properties };
    let key = call.text("key");
    let encoding = Encoding::of(call);
    let mut result = Map::new();
    encoding.answer(&mut result);
    for (name, value) in [
        (
            "Location",
            format!("http://{}.{}/{}", bucket.name, super::endpoint(&bucket.region), encoding.write(key)),
        ),
        ("Bucket", bucket.name.clone()),
        ("Key", encoding.write(key)),
        ("ETag", object.content.quoted()),
    ] {
        result.insert(name.to_owned(), json!(value));
    }
    let answer = json!({
        "ETag": object.content.quoted(),
        "x-oss-hash-crc64ecma": object.content.crc64.to_string(),
        "CompleteMultipartUploadResult": result,
    });
    let bucket = bucket_mut(world, call, Permission::Write)?;
    bucket.uploads.remove(call.text("uploadId"));
    bucket.keep(key, object, call.now);
    Ok(answer)
}

const ABORT: Action = Action::write("AbortMultipartUpload", abort)
    .parameters(&[BUCKET, ENDPOINT, KEY, UPLOAD_ID])
    .errors(&[&NO_SUCH_BUCKET, &ACCESS_DENIED, &NO_SUCH_UPLOAD]);

fn abort(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let bucket = bucket_mut(world, call, Permission::Write)?;
    bucket.upload(call)?;
    bucket.uploads.remove(call.text("uploadId"));
    Ok(json!({}))
}

#[cfg(test)]
mod tests {
    use super::super::testing::Oss;
    use super::*;

    const NAME: (&str, &str) = ("bucket", "bucket");
    const A: (&str, &str) = ("key", "a");

    fn begun(cloud: &Oss) -> String {
        let answer = cloud.call("InitiateMultipartUpload", &[NAME, A, ("Content-Type", "text/plain")]).fields;
        answer["InitiateMultipartUploadResult"]["UploadId"].as_str().unwrap().to_owned()
    }

    fn part(cloud: &Oss, id: &str, number: &str, content: &[u8]) -> String {
        let parameters = [NAME, A, ("uploadId", id), ("partNumber", number)];
        cloud.call_or("UploadPart", &parameters, content).unwrap().fields["ETag"].as_str().unwrap().to_owned()
    }

    #[test]
    fn an_object_is_put_together_of_its_parts() {
        let cloud = Oss::with_bucket();
        let id = begun(&cloud);
        let whole: Vec<u8> = (0..LEAST + 10).map(|number| u8::try_from(number % 251).unwrap()).collect();
        let (first, second) = whole.split_at(LEAST);
        part(&cloud, &id, "1", b"replaced");
        let (one, two) = (part(&cloud, &id, "1", first), part(&cloud, &id, "2", second));
        assert_eq!(cloud.attempt("HeadObject", &[NAME, A]), Err("NoSuchKey"), "not before it is complete");
        let complete = [
            NAME,
            A,
            ("uploadId", &*id),
            ("Part.1.PartNumber", "1"),
            ("Part.1.ETag", &*one),
            ("Part.2.PartNumber", "2"),
            ("Part.2.ETag", &*two),
        ];
        let answer = cloud.call("CompleteMultipartUpload", &complete).fields;
        let object = cloud.call("GetObject", &[NAME, A]);
        assert!(object.content == whole);
        assert_eq!(object.fields["x-oss-object-type"], "Multipart");
        assert_eq!(object.fields["Content-Type"], "text/plain");
        assert_eq!(object.fields["x-oss-hash-crc64ecma"], answer["x-oss-hash-crc64ecma"]);
        let crc = Content::new(whole.into()).crc64.to_string();
        assert_eq!(answer["x-oss-hash-crc64ecma"], crc, "it is that of the content");
        assert!(answer["ETag"].as_str().unwrap().ends_with("-2\""));
        assert_eq!(cloud.attempt("CompleteMultipartUpload", &complete), Err("NoSuchUpload"));
    }

    #[test]
    fn all_parts_are_taken_when_asked_for() {
        let cloud = Oss::with_bucket();
        let id = begun(&cloud);
        part(&cloud, &id, "7", b"content");
        let all = [NAME, A, ("uploadId", &*id), ("x-oss-complete-all", "yes")];
        cloud.call("CompleteMultipartUpload", &all);
        assert_eq!(&cloud.call("GetObject", &[NAME, A]).content[..], b"content");
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let cloud = Oss::with_bucket();
        let id = begun(&cloud);
        let (one, two) = (part(&cloud, &id, "1", b"1"), part(&cloud, &id, "2", b"2"));
        for (parts, code) in [
            (&[][..], "MalformedXML"),
            (&[("1", "\"0\"")], "InvalidPart"),
            (&[("3", &*one)], "InvalidPart"),
            (&[("2", &*two), ("1", &*one)], "InvalidPartOrder"),
            (&[("1", &*one), ("2", &*two)], "EntityTooSmall"),
            (&[("0", &*one)], "MalformedXML"),
        ] {
            let names: Vec<(String, String)> = (1..=parts.len())
                .map(|number| (format!("Part.{number}.PartNumber"), format!("Part.{number}.ETag")))
                .collect();
            let mut parameters = vec![NAME, A, ("uploadId", &*id)];
            for ((number, tag), part) in names.iter().zip(parts) {
                parameters.extend([(number.as_str(), part.0), (tag.as_str(), part.1)]);
            }
            assert_eq!(cloud.attempt("CompleteMultipartUpload", &parameters), Err(code), "{parts:?}");
        }
        let all = [NAME, A, ("uploadId", &*id), ("x-oss-complete-all", "yes"), ("Part.1.PartNumber", "1")];
        let all = [&all[..], &[("Part.1.ETag", &*one)]].concat();
        assert_eq!(cloud.attempt("CompleteMultipartUpload", &all), Err("InvalidArgument"));
        let upload = |id, number, content: &[u8]| {
            let part = [NAME, A, ("uploadId", id), ("partNumber", number)];
            cloud.call_or("UploadPart", &part, content).map(|_| ()).map_err(|error| error.error.code)
        };
        assert_eq!(upload(&*id, "10001", b""), Err("InvalidParameter"));
        assert_eq!(upload("0", "1", b""), Err("NoSuchUpload"));
        assert_eq!(upload(&*id, "1", &vec![0; LONGEST + 1]), Err("EntityTooLarge"));
        for (header, value, code) in [
            ("x-oss-tagging", "=v", "InvalidTag"),
            ("x-oss-server-side-encryption-key-id", "k", "InvalidArgument"),
        ] {
            assert_eq!(cloud.attempt("InitiateMultipartUpload", &[NAME, A, (header, value)]), Err(code));
        }
    }

    #[test]
    fn an_upload_that_is_given_up_is_gone() {
        let cloud = Oss::with_bucket();
        let id = begun(&cloud);
        part(&cloud, &id, "1", b"1");
        assert_eq!(cloud.attempt("DeleteBucket", &[NAME]), Err("BucketNotEmpty"));
        let upload = [NAME, A, ("uploadId", &*id)];
        cloud.call("AbortMultipartUpload", &upload);
        assert_eq!(cloud.attempt("AbortMultipartUpload", &upload), Err("NoSuchUpload"));
        assert_eq!(cloud.attempt("DeleteBucket", &[NAME]), Ok(()));
    }

    #[test]
    fn an_object_that_is_there_may_be_kept() {
        let cloud = Oss::with_bucket();
        let forbid = ("x-oss-forbid-overwrite", "true");
        let answer = cloud.call("InitiateMultipartUpload", &[NAME, A, forbid]).fields;
        let id = answer["InitiateMultipartUploadResult"]["UploadId"].as_str().unwrap();
        part(&cloud, id, "1", b"1");
        cloud.put("a", b"2");
        assert_eq!(cloud.attempt("InitiateMultipartUpload", &[NAME, A, forbid]), Err("FileAlreadyExists"));
        let all = [NAME, A, ("uploadId", id), ("x-oss-complete-all", "yes")];
        assert_eq!(cloud.attempt("CompleteMultipartUpload", &all), Err("FileAlreadyExists"));
    }
}
