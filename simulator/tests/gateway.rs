//! In which order a request is looked at, and what is remembered of it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "the requests are our own")]

use std::borrow::Cow;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use hyper::body::Bytes;
use hyper::header::{HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request};
use jiff::Timestamp;
use serde_json::{Value, json};
use trellis_simulator::cloud::Accounts;
use trellis_simulator::gateway::Gateway;
use trellis_simulator::signature::{Pair, Secret, acs3, oss};
use trellis_simulator::{Options, Started};

const SECRET: &str = "hush";

fn gateway() -> Gateway {
    let accounts = json!({ "accounts": [{ "id": "1", "accessKeys": [
        { "id": "all", "secret": SECRET },
        { "id": "reader", "secret": SECRET, "user": "u", "allow": ["vpc:Describe*"] },
        { "id": "lister", "secret": SECRET, "user": "v", "allow": ["ecs:DescribeInstances"] },
        { "id": "off", "secret": SECRET, "disabled": true },
    ]}]});
    let accounts: Accounts = serde_json::from_value(accounts).unwrap();
    let Started { gateway, .. } = Options { accounts, ..Options::default() }.start().unwrap();
    gateway
}

fn answer(gateway: &Gateway, head: &Parts) -> (u16, String) {
    let answer = pin!(gateway.answer("127.0.0.1:5", head, Bytes::new()));
    let Poll::Ready(Ok(answer)) = answer.poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("no answer");
    };
    (answer.status().as_u16(), String::from_utf8(answer.body().to_vec()).unwrap())
}

fn head(method: &str, target: &str, headers: &[(&str, &str)]) -> Parts {
    let mut request = Request::builder().method(method).uri(target).header("host", "127.0.0.1:8751");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(()).unwrap().into_parts().0
}

fn set(head: &mut Parts, name: &'static str, value: &str) {
    head.headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
}

/// A call that is signed with a key, a secret and a nonce.
struct Signed<'a> {
    version: &'a str,
    query: &'a [(&'a str, &'a str)],
    action: &'a str,
    key: &'a str,
    secret: &'a str,
    nonce: &'a str,
    headers: &'a [(&'a str, &'a str)],
}

impl Signed<'_> {
    const GOOD: Self = Self {
        version: "2016-04-28",
        query: &[("RegionId", "cn-shanghai")],
        action: "DescribeVpcs",
        key: "all",
        secret: SECRET,
        nonce: "n",
        headers: &[],
    };

    fn code(&self, gateway: &Gateway) -> String {
        let (status, body) = self.answer(gateway);
        body.get("Code").and_then(Value::as_str).map_or_else(|| status.to_string(), str::to_owned)
    }

    fn answer(&self, gateway: &Gateway) -> (u16, Value) {
        let query: Vec<String> = self.query.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut head = head("POST", &format!("/?{}", query.join("&")), self.headers);
        set(&mut head, "x-acs-action", self.action);
        set(&mut head, "x-acs-version", self.version);
        set(&mut head, "x-acs-date", &Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
        set(&mut head, "x-acs-signature-nonce", self.nonce);
        set(&mut head, "x-acs-content-sha256", &acs3::content_sha256(b""));
        let query: Vec<Pair<'_>> =
            self.query.iter().map(|(name, value)| (Cow::from(*name), Cow::from(*value))).collect();
        let method = Method::POST;
        let request =
            acs3::Request { method: &method, path: "/", query: &query, headers: &head.headers, body: b"" };
        let authorization = acs3::sign(&request, self.key, &Secret::new(self.secret));
        set(&mut head, "authorization", &authorization);
        let (status, body) = answer(gateway, &head);
        (status, serde_json::from_str(&body).unwrap())
    }
}

#[test]
fn who_may_not_list_instances_sees_none_and_learns_why_by_a_trial() {
    const REGION: (&str, &str) = ("RegionId", "cn-shanghai");
    let gateway = gateway();
    let list = Signed { version: "2014-05-26", action: "DescribeInstances", query: &[REGION], ..Signed::GOOD };
    let trial = Signed { query: &[("DryRun", "true"), REGION], nonce: "m", ..list };
    for (key, code) in [("reader", "Forbidden.RAM"), ("lister", "DryRunOperation"), ("all", "DryRunOperation")] {
        let (status, body) = Signed { key, ..list }.answer(&gateway);
        assert_eq!((status, &body["Instances"]["Instance"]), (200, &json!([])), "{key}");
        assert_eq!(Signed { key, ..trial }.code(&gateway), code, "{key}");
    }
}

#[test]
fn what_is_asked_is_looked_at_before_who_asks() {
    let gateway = gateway();
    let code = |action, key, secret| Signed { action, key, secret, ..Signed::GOOD }.code(&gateway);
    assert_eq!(code("Fly", "nobody", "wrong"), "InvalidAction.NotFound");
    assert_eq!(code("CreateVpc", "nobody", "wrong"), "InvalidAccessKeyId.NotFound");
    assert_eq!(code("CreateVpc", "off", "wrong"), "InvalidAccessKeyId.Inactive");
    assert_eq!(code("CreateVpc", "reader", "wrong"), "SignatureDoesNotMatch");
    assert_eq!(code("CreateVpc", "reader", SECRET), "Forbidden.RAM");
}

#[test]
fn only_a_good_signature_uses_a_nonce_up_and_then_whatever_comes_of_it() {
    let gateway = gateway();
    let code = |signed: Signed<'_>| signed.code(&gateway);
    assert_eq!(code(Signed { secret: "wrong", ..Signed::GOOD }), "SignatureDoesNotMatch");
    assert_eq!(code(Signed { key: "nobody", ..Signed::GOOD }), "InvalidAccessKeyId.NotFound");
    assert_eq!(code(Signed::GOOD), "200");
    assert_eq!(code(Signed::GOOD), "SignatureNonceUsed");
    assert_eq!(code(Signed { key: "reader", ..Signed::GOOD }), "200", "keys have nonces of their own");
    let forbidden = || Signed { action: "CreateVpc", key: "reader", nonce: "m", ..Signed::GOOD };
    assert_eq!(code(forbidden()), "Forbidden.RAM");
    assert_eq!(code(forbidden()), "SignatureNonceUsed");
}

#[test]
fn neither_tokens_nor_signatures_are_recorded() {
    let gateway = gateway();
    let headers = &[("x-acs-security-token", "token-of-a-session")][..];
    let refused = Signed { headers, ..Signed::GOOD };
    assert_eq!(Signed { secret: "wrong", ..refused }.code(&gateway), "SignatureDoesNotMatch");
    assert_eq!(
        Signed { headers, nonce: "m", ..Signed::GOOD }.code(&gateway),
        "InvalidSecurityToken.MismatchWithAccessKey"
    );
    let link = "/?Action=DescribeVpcs&Version=2016-04-28&AccessKeyId=all&SecurityToken=token-of-a-session\
                &Signature=its-signature&SignatureMethod=HMAC-SHA1&SignatureVersion=1.0&SignatureNonce=o\
                &Timestamp=2026-01-02T03:04:05Z";
    answer(&gateway, &head("GET", link, &[]));
    answer(
        &gateway,
        &head(
            "GET",
            "/b/o?security-token=token-of-a-session&Signature=its-signature&OSSAccessKeyId=all&Expires=9",
            &[],
        ),
    );
    let records = gateway.cloud().records(&trellis_simulator::cloud::Query::default());
    assert_eq!(records.len(), 4);
    let text = serde_json::to_string(&records.iter().map(|record| &**record).collect::<Vec<_>>()).unwrap();
    assert!(!text.contains("token-of-a-session") && !text.contains("its-signature"), "{text}");
}

/// The code of a request for the list of a bucket, signed for a region and sent to a host.
fn object(gateway: &Gateway, host: &str, region: &str) -> String {
    let mut head = head("GET", "/bucket-one", &[]);
    set(&mut head, "host", host);
    set(&mut head, "x-oss-date", &Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string());
    set(&mut head, "x-oss-content-sha256", "UNSIGNED-PAYLOAD");
    let bucket = Some("bucket-one");
    let request = oss::Request { method: &head.method, bucket, key: "", query: &[], headers: &head.headers };
    let authorization = oss::v4::sign(&request, "all", region, &Secret::new(SECRET)).unwrap();
    set(&mut head, "authorization", &authorization);
    let (status, body) = answer(gateway, &head);
    let code = body.split_once("<Code>").and_then(|(_, rest)| rest.split_once("</Code>"));
    let message = body.split_once("<Message>").and_then(|(_, rest)| rest.split_once("</Message>"));
    format!("{status} {} {}", code.map_or("", |code| code.0), message.map_or("", |message| message.0))
}

#[test]
fn a_request_of_oss_is_signed_for_the_region_that_it_is_sent_to() {
    let gateway = gateway();
    let invalid = "400 InvalidArgument Invalid signing region in Authorization header.";
    let shanghai = "oss-cn-shanghai.aliyuncs.com";
    for (host, region, expected) in [
        ("127.0.0.1:8751", "mars", invalid),
        (shanghai, "cn-hangzhou", invalid),
        ("oss-cn-hangzhou-internal.aliyuncs.com", "cn-shanghai", invalid),
        (shanghai, "cn-shanghai", "404 NoSuchBucket The specified bucket does not exist."),
        ("127.0.0.1:8751", "cn-hangzhou", "404 NoSuchBucket The specified bucket does not exist."),
    ] {
        assert_eq!(object(&gateway, host, region), expected, "{host} {region}");
    }
}

#[test]
fn a_host_of_a_bucket_has_objects_where_others_have_the_own_api() {
    let gateway = gateway();
    let reported = |host| {
        let mut head = head("GET", "/_simulator/health", &[]);
        set(&mut head, "host", host);
        answer(&gateway, &head)
    };
    for host in ["127.0.0.1:8751", "localhost"] {
        let (status, body) = reported(host);
        assert!(status == 200 && body.contains("\"status\":\"ok\""), "{host} {body}");
    }
    for host in ["b.oss-cn-shanghai.aliyuncs.com", "b.localhost:8751"] {
        let (status, body) = reported(host);
        assert!(status == 403 && body.contains("<Code>AccessDenied</Code>"), "{host} {body}");
    }
}
