use super::super::testing::Oss;

const BUCKET: (&str, &str) = ("bucket", "bucket");
const A: (&str, &str) = ("key", "a");

#[test]
fn an_object_is_read_as_it_was_written() {
    let cloud = Oss::with_bucket();
    let parameters = [
        BUCKET,
        A,
        ("Content-Type", "text/plain"),
        ("Cache-Control", "no-cache"),
        ("x-oss-storage-class", "IA"),
        ("x-oss-tagging", "k=v&l=a%20b"),
        ("x-oss-meta.1.Name", "colour"),
        ("x-oss-meta.1.Value", "red"),
    ];
    let put = cloud.call_or("PutObject", &parameters, b"123456789").unwrap().fields;
    assert_eq!(put["ETag"], "\"25F9E794323B453885F5181F1B624D0B\"");
    assert_eq!(put["x-oss-hash-crc64ecma"], "11051210869376104954");
    let get = cloud.call("GetObject", &[BUCKET, A]);
    assert_eq!(&get.content[..], b"123456789");
    for (name, value) in [
        ("Content-Type", "text/plain"),
        ("Cache-Control", "no-cache"),
        ("Last-Modified", "Fri, 02 Jan 2026 03:04:05 GMT"),
        ("ETag", "\"25F9E794323B453885F5181F1B624D0B\""),
        ("x-oss-hash-crc64ecma", "11051210869376104954"),
        ("x-oss-object-type", "Normal"),
        ("x-oss-storage-class", "IA"),
        ("x-oss-tagging-count", "2"),
    ] {
        assert_eq!(get.fields[name], value, "{name}");
    }
    assert_eq!(get.fields["x-oss-meta"]["colour"], "red");
    let head = cloud.call("HeadObject", &[BUCKET, A]);
    assert_eq!((head.fields["Content-Length"].as_i64(), head.content.len()), (Some(9), 0));
    assert_eq!(cloud.call("GetObjectMeta", &[BUCKET, A]).fields["Content-Length"], 9);
    for action in ["GetObject", "HeadObject", "GetObjectMeta"] {
        assert_eq!(cloud.attempt(action, &[BUCKET, ("key", "b")]), Err("NoSuchKey"), "{action}");
    }
}

#[test]
fn a_part_is_read_where_one_is_asked_for() {
    let cloud = Oss::with_bucket();
    cloud.put("a", b"0123456789");
    for (range, content, answered) in [
        ("bytes=2-4", "234", Some("bytes 2-4/10")),
        ("bytes=8-", "89", Some("bytes 8-9/10")),
        ("bytes=8-99", "89", Some("bytes 8-9/10")),
        ("bytes=-3", "789", Some("bytes 7-9/10")),
        ("bytes=-99", "0123456789", Some("bytes 0-9/10")),
        ("bytes=10-", "0123456789", None),
        ("bytes=4-2", "0123456789", None),
        ("bytes=0-1,4-5", "0123456789", None),
        ("lines=1-2", "0123456789", None),
    ] {
        let get = cloud.call("GetObject", &[BUCKET, A, ("Range", range)]);
        assert_eq!(&get.content[..], content.as_bytes(), "{range}");
        assert_eq!(get.fields.get("Content-Range").and_then(|text| text.as_str()), answered, "{range}");
    }
    let standard = [BUCKET, A, ("Range", "bytes=10-"), ("x-oss-range-behavior", "standard")];
    assert_eq!(cloud.attempt("GetObject", &standard), Err("InvalidRange"));
}

#[test]
fn conditions_are_held_to() {
    let cloud = Oss::with_bucket();
    cloud.put("a", b"123456789");
    let (tag, other) = ("\"25F9E794323B453885F5181F1B624D0B\"", "\"0\"");
    let (then, before) = ("Fri, 02 Jan 2026 03:04:05 GMT", "Fri, 02 Jan 2026 03:04:04 GMT");
    for action in ["GetObject", "HeadObject"] {
        for (name, good, bad, code) in [
            ("If-Match", tag, other, "PreconditionFailed"),
            ("If-None-Match", other, tag, "NotModified"),
            ("If-Modified-Since", before, then, "NotModified"),
            ("If-Unmodified-Since", then, before, "PreconditionFailed"),
        ] {
            assert_eq!(cloud.attempt(action, &[BUCKET, A, (name, good)]), Ok(()), "{action} {name}");
            assert_eq!(cloud.attempt(action, &[BUCKET, A, (name, bad)]), Err(code), "{action} {name}");
        }
    }
}

#[test]
fn what_cannot_be_written_is_refused() {
    let cloud = Oss::with_bucket();
    cloud.put("a", b"1");
    let long = "v".repeat(9000);
    for (parameters, code) in [
        (&[BUCKET, A, ("x-oss-forbid-overwrite", "true")][..], "FileAlreadyExists"),
        (&[("bucket", "nowhere"), A], "NoSuchBucket"),
        (&[BUCKET, ("key", "/a")], "InvalidObjectName"),
        (&[BUCKET, A, ("x-oss-storage-class", "Archive")], "InvalidParameter"),
        (&[BUCKET, A, ("x-oss-tagging", "=v")], "InvalidTag"),
        (&[BUCKET, A, ("x-oss-server-side-encryption-key-id", "k")], "InvalidArgument"),
        (&[BUCKET, A, ("x-oss-meta.1.Name", "n"), ("x-oss-meta.1.Value", &long)], "InvalidArgument"),
    ] {
        assert_eq!(cloud.attempt("PutObject", parameters), Err(code));
    }
}
