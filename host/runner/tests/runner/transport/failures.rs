//! What goes wrong, and what is said of it.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::time::Instant;
use trellis_runner::call::CallFailure;
use trellis_runner::call::cloud::Cloud as _;
use trellis_runner::call::failure::{
    CONNECTION_FAILED, INVALID_CALL, NO_CREDENTIALS, NOBODY_LISTENS, TIMEOUT, UNREADABLE_ANSWER,
};
use trellis_runner::credentials::{Accounts, CredentialSource};
use trellis_runner::limits::permit::Terms;
use trellis_runner::transport::alicloud::{AccessKey, Alicloud};
use trellis_runner::transport::{Options, Rate};
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET};

use super::support::{Client, Simulator, call, credential, pass, session, still_time, terms};

#[tokio::test]
async fn wrong_credentials_are_said_to_be_so_and_stay_secret() {
    let simulator = Simulator::start().await;
    for (id, secret, code, status) in [
        ("LTAIunknown", ACCESS_KEY_SECRET, "InvalidAccessKeyId.NotFound", 404),
        (ACCESS_KEY, "TamperedSecret", "SignatureDoesNotMatch", 400),
    ] {
        let client = simulator.client_of(Arc::new(AccessKey::new(id, secret)));
        let failure = client.failure("vpc", "CreateVpc", &[("CidrBlock", "10.0.0.0/8")]).await;
        assert_eq!((failure.code.as_str(), failure.http_status), (code, status), "{failure}");
        assert!(!failure.ambiguous);
        let request = failure.request_id.clone().unwrap();
        let text = format!("{failure} {failure:?} {:?}", client.0);
        assert!(text.contains(&request), "{text}");
        assert!(!text.contains(secret), "{text}");
    }
    assert_eq!(simulator.cloud().inventory(&trellis_simulator::cloud::Filter::default()), json!({}));
}

#[tokio::test]
async fn a_security_token_that_the_cloud_quotes_stays_secret() {
    let simulator = Simulator::start().await;
    let text = format!(
        "{{kind: Secret, stringData: {{accessKeyID: {ACCESS_KEY}, accessKeySecret: wrong, securityToken: CAIStoken}}}}"
    );
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let accounts = Accounts::new(CredentialSource::file(file.path(), Arc::new(Alicloud)).unwrap());
    let client = simulator.client_for(accounts);
    let failure = client.failure("vpc", "DescribeVpcs", &[]).await;
    assert!(!format!("{failure:?}").contains("CAIStoken"), "{failure}");
}

#[tokio::test]
async fn new_credentials_in_the_file_are_used_at_once() {
    let simulator = Simulator::start().await;
    let file = tempfile::NamedTempFile::new().unwrap();
    let write = |secret: &str| {
        let secret =
            json!({ "kind": "Secret", "stringData": { "accessKeyID": ACCESS_KEY, "accessKeySecret": secret } });
        std::fs::write(file.path(), secret.to_string()).unwrap();
    };
    write("wrong");
    let accounts = Accounts::new(CredentialSource::file(file.path(), Arc::new(Alicloud)).unwrap());
    let client = simulator.client_for(accounts);
    assert_eq!(client.failure("vpc", "DescribeVpcs", &[]).await.code, "SignatureDoesNotMatch");
    write(ACCESS_KEY_SECRET);
    client.call("vpc", "DescribeVpcs", &[]).await;
    // What cannot be read leaves what was there.
    std::fs::write(file.path(), "kind: Secr").unwrap();
    client.call("vpc", "DescribeVpcs", &[]).await;
}

#[tokio::test]
async fn errors_of_the_cloud_are_reported_as_they_are() {
    let simulator = Simulator::start().await;
    let client = simulator.client();
    let failure = client.failure("vpc", "DeleteVpc", &[("VpcId", "vpc-gone")]).await;
    assert_eq!((failure.service.as_str(), failure.action.as_str()), ("vpc", "DeleteVpc"));
    let request = failure.request_id.as_deref().unwrap();
    let reported = failure.to_string();
    assert!(reported.starts_with(&format!("vpc DeleteVpc: {}: {}", failure.code, failure.message)), "{reported}");
    assert!(
        reported.ends_with(&format!("(HTTP status {}, request id {request})", failure.http_status)),
        "{reported}"
    );
    assert!(failure.host_id.is_some() && !failure.ambiguous);
}

#[tokio::test]
async fn an_account_or_a_service_that_is_not_known_is_no_call() {
    let simulator = Simulator::start().await;
    let client = simulator.client();
    let mut unknown = call("ecs", "DescribeImages", &[]);
    unknown.account = Some("imageOwner".to_owned());
    let failure = client.send(&unknown).await.unwrap_err();
    assert_eq!(
        failure.to_string(),
        format!("ecs DescribeImages: {NO_CREDENTIALS}: no credentials are given for the account `imageOwner`")
    );
    let failure = client.failure("kubernetes", "Get", &[]).await;
    assert_eq!(failure.code, INVALID_CALL);
    assert!(failure.message.contains("there is no service `kubernetes`"), "{failure}");
    let long = "x".repeat(70_000);
    let failure = client.failure("vpc", "CreateVpc", &[("VpcName", &long)]).await;
    assert_eq!(failure.code, INVALID_CALL);
    assert_eq!(client.0.sent(), 0);
}

#[tokio::test]
async fn another_account_signs_with_its_own_key() {
    let simulator = Simulator::start().await;
    let owner = CredentialSource::fixed(Arc::new(AccessKey::new(ACCESS_KEY, "wrong")));
    let accounts = Accounts::new(CredentialSource::fixed(credential())).with("imageOwner", owner);
    let client = simulator.client_for(accounts);
    client.call("ecs", "DescribeImages", &[]).await;
    let mut theirs = call("ecs", "DescribeImages", &[]);
    theirs.account = Some("imageOwner".to_owned());
    assert_eq!(client.send(&theirs).await.unwrap_err().code, "SignatureDoesNotMatch");
}

#[tokio::test]
async fn who_is_throttled_waits_as_long_as_the_cloud_asks() {
    let simulator = Simulator::start().await;
    let client = simulator.client();
    simulator.fault("vpc:DescribeVpcs", 1, &json!({ "kind": "throttle", "retryAfter": 0.3 }));
    let failure = client.failure("vpc", "DescribeVpcs", &[]).await;
    assert_eq!(failure.retry_after, Some(Duration::from_millis(300)), "{failure}");
    assert!(failure.code.starts_with("Throttling") && !failure.ambiguous);
    // Other actions go on.
    client.call("vpc", "DescribeVSwitches", &[]).await;
    client.call("vpc", "DescribeVpcs", &[]).await;
    // Where there is no time to wait, nothing is sent.
    simulator.fault("vpc:DescribeVpcs", 1, &json!({ "kind": "throttle", "retryAfter": 600 }));
    client.failure("vpc", "DescribeVpcs", &[]).await;
    let sent = client.0.sent();
    let failure = client.failure("vpc", "DescribeVpcs", &[]).await;
    assert_eq!((failure.code.as_str(), failure.ambiguous), (TIMEOUT, false), "{failure}");
    assert_eq!(client.0.sent(), sent);
}

#[tokio::test]
async fn calls_follow_each_other_at_the_rate() {
    let simulator = Simulator::start().await;
    let options = Options { rate: Rate { burst: 1, per_second: 1 }, ..Options::default() };
    let accounts = Accounts::new(CredentialSource::fixed(credential()));
    let client = Client(session(&simulator.url, options, accounts).unwrap());
    // The second turn is in a second.
    let soon = Terms { deadline: Instant::now() + Duration::from_millis(500), ..terms() };
    let describe = call("vpc", "DescribeVpcs", &[]);
    let (_, second, third) = tokio::join!(
        client.0.change(&describe, soon),
        client.0.change(&describe, soon),
        client.0.change(&describe, soon)
    );
    for failure in [second.unwrap_err(), third.unwrap_err()] {
        assert_eq!((failure.code.as_str(), failure.ambiguous), (TIMEOUT, false), "{failure}");
    }
    assert_eq!(client.0.sent(), 1);
}

#[tokio::test]
async fn after_a_timeout_or_a_reset_nobody_knows_whether_the_call_had_its_effect() {
    let _time = still_time();
    for (kind, code) in [("timeout", TIMEOUT), ("reset", CONNECTION_FAILED)] {
        for (when, made) in [("before", 0), ("after", 1)] {
            let simulator = Simulator::start().await;
            let client = simulator.client();
            simulator.fault("vpc:CreateVpc", 1, &json!({ "kind": kind, "when": when }));
            let soon = Terms { deadline: Instant::now() + Duration::from_secs(1), ..terms() };
            let until = if kind == "timeout" { soon } else { terms() };
            let create = call("vpc", "CreateVpc", &[("CidrBlock", "10.0.0.0/8")]);
            let time_is_over = async {
                while simulator.called().is_empty() {
                    tokio::task::yield_now().await;
                }
                pass(Duration::from_secs(u64::from(kind == "timeout"))).await;
                std::future::pending::<Infallible>().await
            };
            let failure = tokio::select! {
                created = client.0.change(&create, until) => created.unwrap_err(),
                never = time_is_over => match never {},
            };
            assert_eq!(
                (failure.code.as_str(), failure.http_status, failure.ambiguous),
                (code, 0, true),
                "{failure}"
            );
            assert_eq!(simulator.called(), ["CreateVpc"], "it is made once");
            let vpcs = client.call("vpc", "DescribeVpcs", &[]).await;
            assert_eq!(vpcs["TotalCount"], made, "{kind} {when}");
        }
    }
}

#[tokio::test]
async fn an_answer_that_comes_late_is_taken() {
    let simulator = Simulator::start().await;
    simulator.fault("vpc:DescribeVpcs", 1, &json!({ "kind": "slow", "milliseconds": 300 }));
    simulator.client().call("vpc", "DescribeVpcs", &[]).await;
}

#[tokio::test]
async fn what_breaks_down_may_have_had_its_effect() {
    let simulator = Simulator::start().await;
    let client = simulator.client();
    for (code, ambiguous) in [("InternalError", true), ("ServiceUnavailable", true), ("Forbidden.RAM", false)] {
        simulator.fault("vpc:DescribeVpcs", 1, &json!({ "kind": "error", "code": code }));
        let failure = client.failure("vpc", "DescribeVpcs", &[]).await;
        assert_eq!((failure.code.as_str(), failure.ambiguous), (code, ambiguous));
    }
}

#[tokio::test]
async fn nothing_is_sent_where_nobody_listens() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let accounts = Accounts::new(CredentialSource::fixed(credential()));
    let client = Client(session(&format!("http://{free}"), Options::default(), accounts).unwrap());
    let failure = client.failure("vpc", "CreateVpc", &[]).await;
    assert_eq!((failure.code.as_str(), failure.http_status, failure.ambiguous), (NOBODY_LISTENS, 0, false));
    assert!(failure.message.starts_with(&format!("`{free}` cannot be reached: ")), "{failure}");
    assert!(failure.message.contains("refused"), "{failure}");
    assert!(failure.message.contains("start a simulator there with `trellis simulate`"), "{failure}");
}

/// What is made of an answer that is these bytes.
async fn answered(text: impl Into<Vec<u8>>) -> CallFailure {
    let text = text.into();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = [0; 4096];
        assert_ne!(stream.read(&mut request).await.unwrap(), 0);
        // Who has read enough may be gone.
        let _ = stream.write_all(&text).await;
        let _ = stream.shutdown().await;
    });
    let accounts = Accounts::new(CredentialSource::fixed(credential()));
    let session = session(&format!("http://{address}"), Options::default(), accounts).unwrap();
    session.change(&call("vpc", "CreateVpc", &[]), terms()).await.unwrap_err()
}

/// An answer with a status and a content.
fn page(status: &str, content: &str) -> String {
    format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{content}", content.len())
}

#[tokio::test]
async fn garbage_is_no_answer() {
    let (deep, long) = ("{\"a\":".repeat(10_000), "x".repeat((16 << 20) + 1));
    for (text, code, status, ambiguous, reported) in [
        (page("200 OK", "hello"), UNREADABLE_ANSWER, 200, true, "`hello`"),
        (page("200 OK", "[]"), UNREADABLE_ANSWER, 200, true, "`[]`"),
        (page("200 OK", &deep), UNREADABLE_ANSWER, 200, true, "the answer does not come from the cloud"),
        (
            page("502 Bad Gateway", "<html>\r\n\x1b[31m<b>sorry</b>  "),
            UNREADABLE_ANSWER,
            502,
            true,
            "`<html> [31m<b>sorry</b>`",
        ),
        (page("302 Found\r\nlocation: /elsewhere", ""), UNREADABLE_ANSWER, 302, false, "``"),
        (
            "HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{\"VpcId\":".to_owned(),
            CONNECTION_FAILED,
            0,
            true,
            "broke off",
        ),
        (page("200 OK", &long), UNREADABLE_ANSWER, 200, true, "more than 16777216 bytes"),
        ("no HTTP at all\r\n\r\n".to_owned(), CONNECTION_FAILED, 0, true, "broke before the answer"),
        (String::new(), CONNECTION_FAILED, 0, true, "broke before the answer"),
    ] {
        let begin: String = text.chars().take(60).collect();
        let failure = answered(text).await;
        let got = (failure.code.as_str(), failure.http_status, failure.ambiguous);
        assert_eq!(got, (code, status, ambiguous), "{begin:?}: {failure}");
        assert!(failure.message.contains(reported), "{begin:?}: {failure}");
    }
}
