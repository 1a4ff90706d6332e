//! Calls of OSS.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::watch;
use trellis_runner::call::cloud::Cloud as _;
use trellis_runner::call::failure::{NOT_ALLOWED, UNREADABLE_ANSWER};
use trellis_runner::call::{CallFailure, ResolvedCall, resolve};
use trellis_runner::credentials::{Accounts, CredentialSource};
use trellis_runner::document::{Paging, State};
use trellis_runner::transport::alicloud::{AccessKey, Alicloud};
use trellis_runner::transport::{AllowedCalls, Endpoint, Options, Session, Wire};
use trellis_simulator::action::{Caller, Principal};
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET, Operation};
use trellis_simulator::service::oss::SERVICE;

use super::support::{Client, REGION, Simulator, credential, terms};

const BUCKET: &str = "backups";

/// A call as a plan has it, for the bucket.
fn call(action: &str, parameters: &Value) -> ResolvedCall {
    let mut parameters = parameters.clone();
    parameters["bucket"] = json!(BUCKET);
    let call = json!({ "service": "oss", "action": action, "parameters": parameters });
    let state = State::from([("Worm".to_owned(), "no such policy".to_owned())]);
    resolve::call(&serde_json::from_value(call).unwrap(), &state).unwrap()
}

async fn change(client: &Client, action: &str, parameters: Value) -> Result<Value, CallFailure> {
    client.0.change(&call(action, &parameters), terms()).await
}

async fn query(client: &Client, action: &str, parameters: Value) -> Result<Value, CallFailure> {
    client.0.query(&call(action, &parameters), &Paging::None, terms()).await
}

fn code(answer: Result<Value, CallFailure>) -> String {
    let failure = answer.unwrap_err();
    assert!(!failure.ambiguous && failure.request_id.is_some() && failure.service == "oss", "{failure:?}");
    failure.code
}

/// Does something in the bucket that no plan does.
fn execute(simulator: &Simulator, action: &str, parameters: &[(&str, &str)], body: &'static str) -> Value {
    let account = "1000000000000001".to_owned();
    let parameters = [("bucket", BUCKET)].iter().chain(parameters);
    let operation = Operation {
        service: &SERVICE,
        action: SERVICE.action(action).unwrap(),
        caller: Caller {
            account,
            access_key: ACCESS_KEY.to_owned(),
            principal: Principal::Account,
            sees_nothing: false,
        },
        region: REGION.to_owned(),
        parameters: parameters.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        body: body.into(),
    };
    Value::Object(simulator.cloud().execute(&operation).unwrap().fields)
}

async fn with_bucket() -> (Simulator, Client) {
    let simulator = Simulator::start().await;
    let client = simulator.client();
    change(&client, "PutBucket", json!({ "body": { "StorageClass": "Standard" } })).await.unwrap();
    (simulator, client)
}

#[tokio::test]
async fn a_bucket_is_made_read_and_deleted() {
    let (simulator, client) = with_bucket().await;
    let info = query(&client, "GetBucketInfo", json!({})).await.unwrap()["BucketInfo"]["Bucket"].clone();
    assert_eq!((&info["Name"], &info["Location"]), (&json!(BUCKET), &json!("oss-cn-shanghai")));
    assert_eq!(info["ServerSideEncryptionRule"], json!({ "SSEAlgorithm": "None" }));
    let rule = json!({ "body": { "ApplyServerSideEncryptionByDefault": { "SSEAlgorithm": "AES256" } } });
    assert_eq!(change(&client, "PutBucketEncryption", rule).await.unwrap(), json!({}));
    let info = query(&client, "GetBucketInfo", json!({})).await.unwrap()["BucketInfo"]["Bucket"].clone();
    assert_eq!(info["ServerSideEncryptionRule"]["SSEAlgorithm"], "AES256");
    execute(&simulator, "PutObject", &[("key", "a")], "1");
    assert_eq!(code(change(&client, "DeleteBucket", json!({})).await), "BucketNotEmpty");
    execute(&simulator, "DeleteObject", &[("key", "a")], "");
    change(&client, "DeleteBucket", json!({})).await.unwrap();
    assert_eq!(code(query(&client, "GetBucketInfo", json!({})).await), "NoSuchBucket");
    let counts = trellis_runner::call::cloud::Cloud::tally(&client.0).requests;
    let of_info = |code: &str| counts["oss:GetBucketInfo"].get(code).copied();
    assert_eq!((of_info(""), of_info("NoSuchBucket")), (Some(2), Some(1)));
    assert_eq!(client.0.sent(), 7);
}

#[tokio::test]
async fn rules_are_written_as_they_were_read() {
    let (_simulator, client) = with_bucket().await;
    assert_eq!(code(query(&client, "GetBucketLifecycle", json!({})).await), "NoSuchLifecycle");
    let tag = json!([{ "Key": "gc-marked-for-deletion", "Value": "true" }]);
    let rules = json!([
        { "ID": "theirs", "Prefix": "logs/", "Status": "Disabled", "Expiration": { "Days": 30 } },
        { "ID": "gc", "Prefix": "", "Status": "Enabled", "Tag": tag, "Expiration": { "Days": 4 } },
        { "Prefix": "", "Status": "Enabled", "AbortMultipartUpload": { "Days": 7 } },
    ]);
    change(&client, "PutBucketLifecycle", json!({ "body": { "Rule": rules } })).await.unwrap();
    let read = query(&client, "GetBucketLifecycle", json!({})).await.unwrap()["LifecycleConfiguration"].clone();
    assert_eq!(read["Rule"][1]["Tag"], tag);
    assert_eq!(read["Rule"][2]["AbortMultipartUpload"], json!({ "Days": "7" }));
    change(&client, "PutBucketLifecycle", json!({ "body": read })).await.unwrap();
    let again = query(&client, "GetBucketLifecycle", json!({})).await.unwrap()["LifecycleConfiguration"].clone();
    assert_eq!(again, read);
}

#[tokio::test]
async fn a_retention_is_made_locked_extended_and_given_up() {
    let (simulator, client) = with_bucket().await;
    let days = |days: u32| json!({ "RetentionPeriodInDays": days });
    assert_eq!(code(query(&client, "GetBucketWorm", json!({})).await), "NoSuchWORMConfiguration");
    change(&client, "InitiateBucketWorm", json!({ "body": days(1) })).await.unwrap();
    change(&client, "AbortBucketWorm", json!({})).await.unwrap();
    let made = change(&client, "InitiateBucketWorm", json!({ "body": days(1) })).await.unwrap();
    let worm = made["x-oss-worm-id"].as_str().unwrap();
    let other = json!({ "wormId": { "ref": "Worm" } });
    assert_eq!(code(change(&client, "CompleteBucketWorm", other).await), "NoSuchWORMConfiguration");
    change(&client, "CompleteBucketWorm", json!({ "wormId": worm })).await.unwrap();
    change(&client, "ExtendBucketWorm", json!({ "wormId": worm, "body": days(3) })).await.unwrap();
    let found = query(&client, "GetBucketWorm", json!({})).await.unwrap()["WormConfiguration"].clone();
    let reported = (&found["WormId"], &found["State"], &found["RetentionPeriodInDays"]);
    assert_eq!(reported, (&json!(worm), &json!("Locked"), &json!("3")));
    assert_eq!(code(change(&client, "AbortBucketWorm", json!({})).await), "WORMConfigurationLocked");
    // What survives is seen by listing again.
    execute(&simulator, "PutObject", &[("key", "a")], "1");
    let delete = json!({ "body": { "Object": [{ "Key": "a" }, { "Key": "b" }] } });
    let deleted = change(&client, "DeleteMultipleObjects", delete).await.unwrap();
    assert_eq!(deleted["DeleteResult"], json!({ "Deleted": [{ "Key": "b" }], "Error": [] }));
    let listed = query(&client, "ListObjects", json!({})).await.unwrap();
    assert_eq!(listed["ListBucketResult"]["Contents"][0]["Key"], "a");
}

#[tokio::test]
async fn objects_are_listed_in_parts_tagged_and_deleted() {
    let (simulator, client) = with_bucket().await;
    let keys = ["shoot--a--b/1 +&?=%/网络 ü", "shoot--a--b/2\u{1}\r\n", "shoot--a--b/3"];
    for key in keys.iter().chain(&["shoot--a--bc/1"]) {
        execute(&simulator, "PutObject", &[("key", key)], "1");
    }
    let list = json!({ "prefix": "shoot--a--b/", "marker": "", "max-keys": 2, "encoding-type": "url" });
    let page = query(&client, "ListObjects", list.clone()).await.unwrap()["ListBucketResult"].clone();
    let listed = |page: &Value| -> Vec<String> {
        page["Contents"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["Key"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        (listed(&page), &page["NextMarker"]),
        (keys[..2].iter().map(|key| (*key).to_owned()).collect(), &json!(keys[1]))
    );
    let mut rest = list.clone();
    rest["marker"] = page["NextMarker"].clone();
    let page = query(&client, "ListObjects", rest).await.unwrap()["ListBucketResult"].clone();
    assert_eq!((listed(&page), &page["IsTruncated"]), (vec![keys[2].to_owned()], &json!("false")));

    let tags = json!({ "TagSet": { "Tag": [{ "Key": "gc-marked-for-deletion", "Value": "true" }] } });
    change(&client, "PutObjectTagging", json!({ "key": keys[0], "body": tags })).await.unwrap();
    let tagged = execute(&simulator, "GetObjectTagging", &[("key", keys[0])], "");
    assert!(tagged.to_string().contains("gc-marked-for-deletion"), "{tagged}");
    let nowhere = json!({ "key": "nowhere", "body": tags });
    assert_eq!(code(change(&client, "PutObjectTagging", nowhere).await), "NoSuchKey");

    let objects = json!([{ "Key": keys[0] }, { "Key": keys[2] }]);
    for objects in [objects, json!([{ "Key": "nowhere" }])] {
        let delete = json!({ "body": { "Object": objects } });
        let deleted = change(&client, "DeleteMultipleObjects", delete).await.unwrap();
        assert_eq!(deleted["DeleteResult"]["Deleted"], objects);
    }
    let page = query(&client, "ListObjects", list).await.unwrap()["ListBucketResult"].clone();
    assert_eq!(listed(&page), [keys[1]]);
}

#[tokio::test]
async fn uploads_are_listed_and_given_up() {
    let (simulator, client) = with_bucket().await;
    for key in ["a", "b c"] {
        execute(&simulator, "InitiateMultipartUpload", &[("key", key)], "");
    }
    let list = json!({ "encoding-type": "url", "max-uploads": "1" });
    let page = query(&client, "ListMultipartUploads", list).await.unwrap()["ListMultipartUploadsResult"].clone();
    let upload = page["Upload"][0].clone();
    assert_eq!((&page["IsTruncated"], &upload["Key"]), (&json!("true"), &json!("a")));
    let rest = json!({
        "encoding-type": "url", "key-marker": page["NextKeyMarker"], "upload-id-marker": page["NextUploadIdMarker"],
    });
    let page = query(&client, "ListMultipartUploads", rest).await.unwrap()["ListMultipartUploadsResult"].clone();
    assert_eq!((&page["IsTruncated"], &page["Upload"][0]["Key"]), (&json!("false"), &json!("b c")));
    let abort = json!({ "key": "a", "uploadId": upload["UploadId"] });
    change(&client, "AbortMultipartUpload", abort.clone()).await.unwrap();
    assert_eq!(code(change(&client, "AbortMultipartUpload", abort).await), "NoSuchUpload");
}

#[tokio::test]
async fn what_the_operator_does_not_allow_is_never_sent() {
    let simulator = Simulator::start().await;
    let session = |allowed: AllowedCalls| {
        let endpoint = Endpoint::Url(simulator.url.parse().unwrap());
        let accounts = Accounts::new(CredentialSource::fixed(credential()));
        let wire = Wire::new(Options::default());
        Client(Session::new(Arc::new(Alicloud), &wire, endpoint, REGION, accounts, allowed).unwrap())
    };
    let some = session(AllowedCalls::of("nobody").with_call("oss:GetBucketInfo"));
    assert_eq!(code(query(&some, "GetBucketInfo", json!({})).await), "NoSuchBucket");
    let failure = change(&some, "DeleteBucket", json!({})).await.unwrap_err();
    assert_eq!((failure.code.as_str(), some.0.sent()), (NOT_ALLOWED, 1), "{failure}");
    let elsewhere = query(&some, "GetBucketInfo", json!({ "RegionId": "cn-beijing" })).await.unwrap_err();
    assert_eq!((elsewhere.code.as_str(), some.0.sent()), (NOT_ALLOWED, 1), "{elsewhere}");
    assert_eq!(simulator.called(), ["GetBucketInfo"]);
}

#[tokio::test]
async fn credentials_change_in_the_middle_and_no_failure_shows_them() {
    let simulator = Simulator::start().await;
    let (watched, receiver) = watch::channel(Ok(credential()));
    let client = simulator.client_for(Accounts::new(CredentialSource::watched(receiver)));
    change(&client, "PutBucket", json!({ "body": { "StorageClass": "Standard" } })).await.unwrap();
    drop(watched.send_replace(Ok(Arc::new(AccessKey::temporary(ACCESS_KEY, "wrong-secret", "wrong-token")))));
    let failure = query(&client, "GetBucketInfo", json!({})).await.unwrap_err();
    let shown = format!("{failure:?}");
    assert_eq!(failure.http_status, 403, "{shown}");
    assert!(!shown.contains("wrong-secret") && !shown.contains("wrong-token"), "{shown}");
    assert!(!shown.contains(ACCESS_KEY_SECRET), "{shown}");
    drop(watched.send_replace(Ok(credential())));
    query(&client, "GetBucketInfo", json!({})).await.unwrap();
}

#[tokio::test]
async fn a_signature_of_another_secret_is_refused() {
    let simulator = Simulator::start().await;
    let client = simulator.client_of(Arc::new(AccessKey::new(ACCESS_KEY, "wrong")));
    let create = json!({ "body": { "StorageClass": "Standard" } });
    assert_eq!(code(change(&client, "PutBucket", create).await), "SignatureDoesNotMatch");
}

#[tokio::test]
async fn an_answer_that_is_damaged_never_says_that_nothing_is_there() {
    let (simulator, client) = with_bucket().await;
    let rule = json!({ "Prefix": "", "Status": "Enabled", "AbortMultipartUpload": { "Days": 7 } });
    change(&client, "PutBucketLifecycle", json!({ "body": { "Rule": [rule] } })).await.unwrap();
    execute(&simulator, "PutObject", &[("key", "a")], "1");
    execute(&simulator, "InitiateMultipartUpload", &[("key", "a")], "");
    execute(&simulator, "InitiateBucketWorm", &[("RetentionPeriodInDays", "1")], "");
    let list = json!({ "encoding-type": "url" });
    for (action, parameters, hows) in [
        ("GetBucketInfo", &json!({}), &["empty", "cut", "html"][..]),
        ("GetBucketLifecycle", &json!({}), &["empty", "cut", "html"]),
        ("GetBucketWorm", &json!({}), &["empty", "cut", "html"]),
        ("ListObjects", &list, &["empty", "cut", "html", "noEnd"]),
        ("ListMultipartUploads", &list, &["empty", "cut", "html", "noEnd"]),
    ] {
        for how in hows {
            simulator.fault(&format!("oss:{action}"), 1, &json!({ "kind": "garbled", "how": how }));
            let failure = query(&client, action, parameters.clone()).await.unwrap_err();
            let reported = (failure.code.as_str(), failure.http_status, failure.ambiguous);
            assert_eq!(reported, (UNREADABLE_ANSWER, 200, false), "{action} {how}: {failure}");
        }
        query(&client, action, parameters.clone()).await.unwrap();
    }
    // What was done may have been done.
    let delete = json!({ "body": { "Object": [{ "Key": "b" }] } });
    let tags = json!({ "key": "a", "body": { "TagSet": { "Tag": [] } } });
    for (action, parameters, how) in [
        ("DeleteMultipleObjects", &delete, "empty"),
        ("DeleteMultipleObjects", &delete, "cut"),
        ("DeleteMultipleObjects", &delete, "html"),
        ("PutObjectTagging", &tags, "html"),
    ] {
        simulator.fault(&format!("oss:{action}"), 1, &json!({ "kind": "garbled", "how": how }));
        let failure = change(&client, action, parameters.clone()).await.unwrap_err();
        let reported = (failure.code.as_str(), failure.http_status, failure.ambiguous);
        assert_eq!(reported, (UNREADABLE_ANSWER, 200, true), "{action} {how}: {failure}");
    }
}

#[tokio::test]
async fn rules_of_other_people_survive_with_what_nobody_here_knows() {
    let (_simulator, client) = with_bucket().await;
    let tag = json!({ "Key": "a", "Value": "<&>" });
    let theirs = json!({
        "ID": "theirs", "Prefix": "logs/", "Status": "Enabled", "Expiration": { "Days": "30" },
        "Transition": [{ "Days": "10", "StorageClass": "IA" }, { "Days": "20", "StorageClass": "Archive" }],
        "NoncurrentVersionTransition": [], "Tag": [], "AtimeBase": "1631698332",
        "Filter": { "Not": { "Prefix": "logs/kept/", "Tag": tag } },
    });
    let put = json!({ "body": { "Rule": [theirs] } });
    change(&client, "PutBucketLifecycle", put).await.unwrap();
    let read = query(&client, "GetBucketLifecycle", json!({})).await.unwrap();
    assert_eq!(read["LifecycleConfiguration"]["Rule"], json!([theirs]));
}
