use hyper::HeaderMap;
use serde_json::json;

use super::*;
use crate::call::Parameter;
use crate::transport::alicloud::oss::actions::ACTIONS;

const BUCKET: &str = "<BucketInfo><Bucket><Name>b</Name><Location>oss-cn-shanghai</Location><Owner><ID>1</ID></Owner>\
                      <ServerSideEncryptionRule><SSEAlgorithm>None</SSEAlgorithm></ServerSideEncryptionRule></Bucket>\
                      </BucketInfo>";
const LIFECYCLE: &str = "<LifecycleConfiguration><Rule><ID>a</ID><Prefix></Prefix><Status>Enabled</Status>\
                         <Transition><Days>30</Days><StorageClass>IA</StorageClass></Transition></Rule>\
                         </LifecycleConfiguration>";
const WORM: &str = "<WormConfiguration><WormId>W</WormId><State>Locked</State>\
                    <RetentionPeriodInDays>3</RetentionPeriodInDays></WormConfiguration>";
const OBJECTS: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ListBucketResult><Name>b</Name><Prefix>a%2F</Prefix>\
                       <Marker></Marker><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>\
                       <NextMarker>a%2Fb+c%2B</NextMarker><Contents><Key>a%2Fb+c%2B</Key>\
                       <LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents></ListBucketResult>";
const UPLOADS: &str = "<ListMultipartUploadsResult><Bucket>b</Bucket><KeyMarker></KeyMarker>\
                       <EncodingType>url</EncodingType><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>";
const DELETED: &str = "<DeleteResult><Deleted><Key>a</Key></Deleted></DeleteResult>";

/// Each action that answers with a document.
const DOCUMENTS: [(&str, &str); 6] = [
    ("GetBucketInfo", BUCKET),
    ("GetBucketLifecycle", LIFECYCLE),
    ("GetBucketWorm", WORM),
    ("ListObjects", OBJECTS),
    ("ListMultipartUploads", UPLOADS),
    ("DeleteMultipleObjects", DELETED),
];

/// A page that a proxy answers with.
const PAGE: &str = "<html><head><title>Sign in</title></head><body><p>Welcome</p></body></html>";

fn call(action: &str) -> ResolvedCall {
    let mut parameters = vec![("bucket".to_owned(), Parameter::from("b"))];
    if action == "ListObjects" || action == "ListMultipartUploads" {
        parameters.push(("encoding-type".to_owned(), "url".into()));
    }
    if action == "ListObjects" {
        parameters.push(("prefix".to_owned(), "a/".into()));
    }
    ResolvedCall { service: "oss".to_owned(), action: action.to_owned(), parameters, ..ResolvedCall::default() }
}

fn answer(status: u16, headers: &[(&'static str, &'static str)], body: &[u8]) -> Answer {
    let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
    Answer { status, headers: headers.collect::<HeaderMap>(), body: body.to_vec().into() }
}

fn answered(action: &str, body: impl AsRef<[u8]>) -> Result<Value, CallFailure> {
    response(&call(action), &answer(200, &[(REQUEST_ID, "R")], body.as_ref()))
}

/// The failure of a call whose answer is not the whole one.
#[track_caller]
fn unread(action: &str, body: impl AsRef<[u8]>) -> CallFailure {
    let body = body.as_ref();
    let failure = answered(action, body).expect_err(&String::from_utf8_lossy(body));
    assert_eq!((failure.code.as_str(), failure.http_status), (UNREADABLE_ANSWER, 200), "{failure}");
    let may_have_done = !action.starts_with("Get") && !action.starts_with("List");
    assert_eq!(failure.ambiguous, may_have_done, "{action}");
    failure
}

#[test]
fn documents_are_members_under_their_roots() {
    assert_eq!(answered("GetBucketInfo", BUCKET).unwrap()["BucketInfo"]["Bucket"]["Owner"]["ID"], "1");
    let rules = &answered("GetBucketLifecycle", LIFECYCLE).unwrap()["LifecycleConfiguration"]["Rule"];
    let rule = json!({
        "ID": "a", "Prefix": "", "Status": "Enabled", "Tag": [], "NoncurrentVersionTransition": [],
        "Transition": [{ "Days": "30", "StorageClass": "IA" }],
    });
    assert_eq!(rules, &json!([rule]));
    assert_eq!(answered("GetBucketWorm", WORM).unwrap()["WormConfiguration"]["State"], "Locked");
    let listed = &answered("ListObjects", OBJECTS).unwrap()["ListBucketResult"];
    assert_eq!((&listed["Prefix"], &listed["NextMarker"]), (&json!("a/"), &json!("a/b c+")));
    assert_eq!((&listed["Contents"][0]["Key"], &listed["IsTruncated"]), (&json!("a/b c+"), &json!("true")));
    let uploads = &answered("ListMultipartUploads", UPLOADS).unwrap()["ListMultipartUploadsResult"];
    assert_eq!(uploads["Upload"], json!([]));
    assert_eq!(answered("DeleteMultipleObjects", DELETED).unwrap()["DeleteResult"]["Error"], json!([]));
}

#[test]
fn an_answer_that_is_empty_or_broken_off_or_of_somebody_else_is_not_read() {
    for (action, whole) in DOCUMENTS {
        assert!(answered(action, whole).is_ok(), "{action}");
        unread(action, "");
        unread(action, " \n");
        unread(action, PAGE);
        unread(action, "{}");
        unread(action, b"\xff\xfe");
        // No beginning of an answer is one.
        for end in 0..whole.len() {
            unread(action, &whole.as_bytes()[..end]);
        }
        for (other, body) in DOCUMENTS.iter().filter(|(other, _)| *other != action) {
            let failure = unread(action, body);
            assert!(failure.message.contains("its root is"), "{other}: {failure}");
        }
    }
    let declared = ACTIONS.iter().filter(|action| matches!(action.reply, Reply::Document(_)));
    assert_eq!(declared.count(), DOCUMENTS.len());
}

#[test]
fn every_element_that_an_answer_needs_is_missed() {
    for (action, whole, elements) in [
        ("GetBucketInfo", BUCKET, &["Name", "Location", "Owner", "ID", "Bucket"][..]),
        ("GetBucketLifecycle", LIFECYCLE, &["Rule", "Status"]),
        ("GetBucketWorm", WORM, &["WormId", "State", "RetentionPeriodInDays"]),
        (
            "ListObjects",
            OBJECTS,
            &["Name", "Prefix", "IsTruncated", "NextMarker", "Key", "LastModified", "EncodingType"],
        ),
        ("ListMultipartUploads", UPLOADS, &["Bucket", "IsTruncated", "EncodingType"]),
        ("DeleteMultipleObjects", DELETED, &["Key"]),
    ] {
        for element in elements {
            let (start, end) = (format!("<{element}>"), format!("</{element}>"));
            let (from, to) = (whole.find(&start).unwrap(), whole.rfind(&end).unwrap());
            unread(action, format!("{}{}", &whole[..from], &whole[to + end.len()..]));
            unread(action, format!("{}{}", &whole[..from + start.len()], &whole[to..]));
        }
    }
    // A text is one, and no list or object.
    for (from, to) in [("<ID>1</ID>", "<ID>1</ID><ID>2</ID>"), ("<ID>1</ID>", "<ID><A>1</A></ID>")] {
        let failure = unread("GetBucketInfo", BUCKET.replacen(from, to, 1));
        assert!(failure.message.contains("it has no `Bucket/Owner/ID`"), "{failure}");
    }
}

#[test]
fn a_list_is_the_one_that_was_asked_for() {
    for (from, to, why) in [
        ("<Name>b<", "<Name>c<", "another bucket"),
        ("<Prefix>a%2F<", "<Prefix>b%2F<", "its `Prefix` is not the one of the call"),
        ("<Prefix>a%2F</Prefix>", "", "its `Prefix` is not the one of the call"),
        ("<Marker></Marker>", "<Marker>a</Marker>", "its `Marker` is not the one of the call"),
        ("<Key>a%2Fb+c%2B", "<Key>b%2Fa%2F", "its key `b/a/` has another prefix"),
        ("true", "TRUE", "whether the list goes on"),
        ("<NextMarker>a%2Fb+c%2B", "<NextMarker>", "where the list goes on"),
        ("<Key>a%2Fb+c%2B", "<Key>%ff", "the name `%ff` is not UTF-8"),
        (">url<", ">other<", "not encoded as the call asks"),
    ] {
        let body = OBJECTS.replacen(from, to, 1);
        assert_ne!(body, OBJECTS);
        let failure = unread("ListObjects", body);
        assert!(failure.message.contains(why), "{failure}");
    }
    let mut uploads = call("ListMultipartUploads");
    uploads
        .parameters
        .extend([("prefix", "a/"), ("key-marker", "a/1")].map(|(name, value)| (name.to_owned(), value.into())));
    let list = "<ListMultipartUploadsResult><Bucket>b</Bucket><Prefix>a%2F</Prefix><KeyMarker>a%2F1</KeyMarker>\
                <EncodingType>url</EncodingType><IsTruncated>false</IsTruncated><Upload><Key>a%2F2</Key>\
                <UploadId>U</UploadId></Upload></ListMultipartUploadsResult>";
    let read = |body: &str| response(&uploads, &answer(200, &[(REQUEST_ID, "R")], body.as_bytes()));
    assert!(read(list).is_ok());
    for (from, to) in [("<Prefix>a%2F</Prefix>", ""), ("<KeyMarker>a%2F1</KeyMarker>", ""), ("<Key>a", "<Key>b")] {
        assert_eq!(read(&list.replacen(from, to, 1)).unwrap_err().code, UNREADABLE_ANSWER, "{from}");
    }
    // A list without entries that ends is one.
    let ends = "<ListBucketResult><Name>b</Name><Prefix>a/</Prefix><EncodingType>url</EncodingType>\
                <IsTruncated>false</IsTruncated></ListBucketResult>";
    assert_eq!(answered("ListObjects", ends).unwrap()["ListBucketResult"]["Contents"], json!([]));
}

#[test]
fn what_answers_nothing_has_no_content() {
    for action in ["PutBucket", "DeleteBucket", "PutBucketEncryption", "PutBucketLifecycle", "AbortBucketWorm"] {
        assert_eq!(answered(action, "").unwrap(), json!({}));
        unread(action, PAGE);
        // Somebody in between says that all is well.
        let failure = response(&call(action), &answer(200, &[], b"")).unwrap_err();
        assert_eq!((failure.code.as_str(), failure.ambiguous), (UNREADABLE_ANSWER, true));
    }
    let header = |headers: &[_]| response(&call("InitiateBucketWorm"), &answer(200, headers, b""));
    let given = header(&[(REQUEST_ID, "R"), ("x-oss-worm-id", "W")]).unwrap();
    assert_eq!(given, json!({ "x-oss-worm-id": "W" }));
    assert_eq!(header(&[(REQUEST_ID, "R")]).unwrap_err().code, UNREADABLE_ANSWER);
    assert_eq!(header(&[(REQUEST_ID, "R"), ("x-oss-worm-id", "")]).unwrap_err().code, UNREADABLE_ANSWER);
}

#[test]
fn a_deletion_lists_what_was_deleted() {
    let deleted = answered("DeleteMultipleObjects", "<DeleteResult/>").unwrap();
    assert_eq!(deleted["DeleteResult"]["Deleted"], json!([]));
    unread("DeleteMultipleObjects", "");
}

#[test]
fn errors_are_read() {
    let refused = |action: &str, status, body: &str| {
        response(&call(action), &answer(status, &[(REQUEST_ID, "R")], body.as_bytes())).unwrap_err()
    };
    let whole = "<?xml version=\"1.0\"?><Error><Code>NoSuchBucket</Code><Message>a &lt; b</Message>\
                 <RequestId>Q</RequestId><HostId>h</HostId><BucketName>b</BucketName></Error>";
    let failure = refused("GetBucketInfo", 404, whole);
    assert_eq!((failure.code.as_str(), failure.message.as_str()), ("NoSuchBucket", "a < b"));
    assert_eq!((failure.request_id.as_deref(), failure.host_id.as_deref()), (Some("Q"), Some("h")));
    assert!(!failure.ambiguous);
    // No beginning of it says that the bucket is not there.
    let bodies = (0..whole.len()).map(|end| &whole[..end]);
    for body in bodies.chain([PAGE, "{}", "<Error/>", "<Error><Code></Code></Error>", BUCKET]) {
        let failure = refused("GetBucketInfo", 404, body);
        let read = (failure.code.as_str(), failure.request_id.as_deref());
        assert_eq!(read, (UNREADABLE_ANSWER, Some("R")), "{body}");
    }
    // A service that breaks down may have done what it was asked for.
    for (action, code, ambiguous) in [
        ("PutBucket", "InternalError", true),
        ("PutBucket", "SlowDown", false),
        ("GetBucketInfo", "InternalError", false),
    ] {
        let failure = refused(action, 503, &format!("<Error><Code>{code}</Code></Error>"));
        assert_eq!((failure.code.as_str(), failure.ambiguous), (code, ambiguous), "{action}");
    }
}

#[test]
fn no_other_server_and_no_other_bucket_says_that_a_bucket_is_gone() {
    let gone = |bucket: &str| format!("<Error><Code>NoSuchBucket</Code>{bucket}</Error>");
    for (headers, bucket, code) in [
        (&[(REQUEST_ID, "R")][..], "<BucketName>b</BucketName>", "NoSuchBucket"),
        (&[(REQUEST_ID, "R")], "", "NoSuchBucket"),
        (&[(REQUEST_ID, "R")], "<BucketName>c</BucketName>", UNREADABLE_ANSWER),
        (&[], "<BucketName>b</BucketName>", UNREADABLE_ANSWER),
        (&[("x-amz-request-id", "R")], "", UNREADABLE_ANSWER),
    ] {
        let failure =
            response(&call("GetBucketInfo"), &answer(404, headers, gone(bucket).as_bytes())).unwrap_err();
        assert_eq!((failure.code.as_str(), failure.http_status), (code, 404), "{headers:?} {bucket}");
    }
}

#[test]
fn what_a_server_writes_is_shown_on_one_line_and_cut() {
    let long = format!("a\u{1b}[31m\n{}", "x".repeat(1_000));
    let error = format!("<Error><Code>{long}</Code><Message>{long}</Message></Error>");
    let refused =
        response(&call("GetBucketInfo"), &answer(404, &[(REQUEST_ID, "R")], error.as_bytes())).unwrap_err();
    let elements = format!(
        "<ListBucketResult><Name>b</Name><Prefix>a/</Prefix><EncodingType>url</EncodingType>\
         <IsTruncated>false</IsTruncated><Contents><Key>{long}</Key><LastModified>1</LastModified></Contents>\
         </ListBucketResult>"
    );
    let unread = unread("ListObjects", elements);
    for text in [&refused.code, &refused.message, &unread.message] {
        assert!(text.contains("a [31m x") && !text.contains(char::is_control), "{text:?}");
        assert!(text.chars().count() < 500, "{text:?}");
    }
}
