use hyper::header::HeaderValue;
use proptest::{prelude::*, sample::Index};

use super::{
    super::testing::{any_pairs, at, believed, changed, edges, headers, pairs, secret},
    *,
};

const NOW: &str = "2023-10-26T10:22:32Z";
const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const NONCE: &str = "3156853299f313e23d1673dc12e1703d";
const DOCUMENTED: [(&str, &str); 6] = [
    ("host", "ecs.cn-shanghai.aliyuncs.com"),
    ("x-acs-action", "RunInstances"),
    ("x-acs-version", "2014-05-26"),
    ("x-acs-date", NOW),
    ("x-acs-signature-nonce", NONCE),
    ("x-acs-content-sha256", EMPTY),
];
const DOCUMENTED_AUTHORIZATION: &str = "ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;\
    x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,\
    Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0";

fn documented_query() -> Vec<Pair<'static>> {
    pairs(&[("RegionId", "cn-shanghai"), ("ImageId", "win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd")])
}

fn request<'a>(query: &'a [Pair<'a>], headers: &'a HeaderMap) -> Request<'a> {
    Request { method: &Method::POST, path: "/", query, headers, body: b"" }
}

fn set(headers: &mut HeaderMap, name: &'static str, value: &str) {
    headers.insert(name, HeaderValue::from_str(value).unwrap());
}

/// What is refused of the documented request with one header replaced, or without it.
fn refused(name: &'static str, value: Option<&str>) -> Refusal {
    let mut headers = headers(&DOCUMENTED);
    set(&mut headers, "authorization", DOCUMENTED_AUTHORIZATION);
    match value {
        Some(value) => set(&mut headers, name, value),
        None => drop(headers.remove(name)),
    }
    let query = documented_query();
    claim(&request(&query, &headers))
        .and_then(|claim| claim.verify(&Secret::new("YourAccessKeySecret"), at(NOW)))
        .unwrap_err()
}

#[test]
fn the_documented_request_is_signed_and_believed() {
    let (query, secret) = (documented_query(), Secret::new("YourAccessKeySecret"));
    let mut headers = headers(&DOCUMENTED);
    assert_eq!(sign(&request(&query, &headers), "YourAccessKeyId", &secret), DOCUMENTED_AUTHORIZATION);
    set(&mut headers, "authorization", DOCUMENTED_AUTHORIZATION);
    let request = request(&query, &headers);
    let claim = claim(&request).unwrap();
    assert_eq!((claim.access_key, claim.nonce, claim.security_token), ("YourAccessKeyId", Some(NONCE), None));
    assert_eq!(claim.verify(&secret, at(NOW)), Ok(()));
}

#[test]
fn requests_of_the_python_sdk_are_believed() {
    let secret = Secret::new("YourAccessKeySecret");
    let body = "Name=网络&Empty=".as_bytes();
    let query = pairs(&[
        ("Description", "a b*c~d+e/f'(g)!h&i=j%k"),
        ("VpcName", "网络 ü"),
        ("Empty", ""),
        ("Tag.1.Key", "k"),
        ("Tag.10.Key", "k10"),
        ("Tag.2.Key", "k2"),
    ]);
    let mut sent = headers(&DOCUMENTED);
    for (name, value) in [
        ("user-agent", "AlibabaCloud (Linux; x86_64) Python/3.11"),
        ("accept", "application/json"),
        ("content-type", "application/x-www-form-urlencoded"),
        ("x-acs-security-token", "CAIS+/=token"),
        ("x-acs-accesskey-id", "YourAccessKeyId"),
        ("x-acs-credentials-provider", "static_sts"),
        ("x-acs-content-sha256", &content_sha256(body)),
        (
            "authorization",
            "ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=accept;content-type;host;user-agent;\
             x-acs-accesskey-id;x-acs-action;x-acs-content-sha256;x-acs-credentials-provider;x-acs-date;\
             x-acs-security-token;x-acs-signature-nonce;x-acs-version,\
             Signature=d595e7d14790187ac5ea3e5ff9575d7afa1826903ca0713cc8f1ea7c971797a0",
        ),
    ] {
        set(&mut sent, name, value);
    }
    let request = Request { body, ..request(&query, &sent) };
    let read = claim(&request).unwrap();
    assert_eq!(read.security_token, Some("CAIS+/=token"));
    assert_eq!(read.verify(&secret, at(NOW)), Ok(()));

    let body = br#"{"count":3}"#;
    let query = pairs(&[("a", "1")]);
    let mut sent = headers(&DOCUMENTED);
    set(&mut sent, "content-type", "application/json; charset=utf-8");
    set(&mut sent, "x-acs-content-sha256", &content_sha256(body));
    let request =
        Request { method: &Method::PUT, path: "/clusters/c%20~1/nodes", query: &query, headers: &sent, body };
    assert_eq!(
        sign(&request, "YourAccessKeyId", &secret),
        "ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=content-type;host;x-acs-action;\
         x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,\
         Signature=9bc8dc4fc0c56a0c6038f68e32619623b10b9ed2710a2768b1898d51accaecba"
    );
}

#[test]
fn a_request_is_valid_15_minutes_before_and_after_its_time() {
    let query = documented_query();
    let mut headers = headers(&DOCUMENTED);
    let authorization = sign(&request(&query, &headers), "testid", &secret());
    set(&mut headers, "authorization", &authorization);
    let request = request(&query, &headers);
    assert_eq!(edges(&claim(&request).unwrap(), NOW), [false, true, true, false]);
}

#[test]
fn what_a_request_lacks_or_spells_wrongly_is_named() {
    for (header, code) in [
        ("authorization", "MissingAccessKeyId"),
        ("host", "MissingHost"),
        ("x-acs-action", "MissingAction"),
        ("x-acs-version", "MissingVersion"),
        ("x-acs-date", "MissingTimestamp"),
        ("x-acs-signature-nonce", "MissingSignatureNonce"),
        ("x-acs-content-sha256", "MissingContentSha256"),
    ] {
        assert_eq!(refused(header, None).code(), code);
    }
    for (header, value, code) in [
        ("x-acs-date", "2023-10-26 10:22:32", "InvalidTimeStamp.Format"),
        ("x-acs-date", "2023-10-26T10:52:33Z", "InvalidTimeStamp.Expired"),
        ("x-acs-content-sha256", content_sha256(b"other").as_str(), "SignatureDoesNotMatch"),
        ("x-acs-security-token", "unsigned", "IncompleteSignature"),
        ("x-acs-unheard-of", "unsigned", "IncompleteSignature"),
        ("authorization", "", "IncompleteSignature"),
        ("authorization", "ACS3-HMAC-SHA256", "IncompleteSignature"),
        ("authorization", "ACS3-HMAC-SHA256 ", "IncompleteSignature"),
        ("authorization", "ACS3-HMAC-SHA256 Credential=a,Signature=b", "IncompleteSignature"),
        ("authorization", "ACS3-HMAC-SHA256 Credential=a,SignedHeaders=host,Signature=b", "IncompleteSignature"),
        ("authorization", "ACS3-HMAC-SM3 Credential=a,SignedHeaders=host,Signature=b", "InvalidSignatureMethod"),
        ("authorization", &DOCUMENTED_AUTHORIZATION.replace("host;", "host;host;"), "IncompleteSignature"),
        ("authorization", &DOCUMENTED_AUTHORIZATION.replace("host;", ""), "IncompleteSignature"),
        (
            "authorization",
            &DOCUMENTED_AUTHORIZATION.replace("Signature=", "Signature=a,Signature="),
            "IncompleteSignature",
        ),
    ] {
        let refusal = refused(header, Some(value));
        assert_eq!((&*refusal.code(), refusal.status().as_u16()), (code, 400), "{header}: {value}");
    }
}

#[test]
fn a_mismatch_shows_what_the_server_has_signed() {
    let message = refused("x-acs-version", Some("2016-04-28")).message();
    assert!(
        message.starts_with(
            "Specified signature does not match our calculation. server StringToSign is [ACS3-HMAC-SHA256\n"
        ) && message.contains("] server CanonicalRequest is [POST\n/\nImageId=win2019"),
        "{message}"
    );
    assert!(!message.contains("YourAccessKeySecret"));
}

fn is_believed(request: &Request<'_>) -> bool {
    believed(claim(request), NOW)
}

proptest! {
    #[test]
    fn what_is_signed_is_believed_and_nothing_else_is(
        query in any_pairs(),
        path in "/[a-z~%]{0,5}",
        token in "[!-~]{1,9}",
        body: Vec<u8>,
        which in any::<Index>(),
        place in any::<Index>(),
        byte in b'!'..=b'~',
    ) {
        let query: Vec<Pair<'_>> = query.iter().map(|(name, value)| (name.into(), value.into())).collect();
        let mut sent = headers(&DOCUMENTED);
        set(&mut sent, "x-acs-security-token", &token);
        set(&mut sent, "content-type", "text/plain");
        set(&mut sent, "x-acs-content-sha256", &content_sha256(&body));
        let unsigned = Request { method: &Method::POST, path: &path, query: &query, headers: &sent, body: &body };
        let authorization = sign(&unsigned, "testid", &secret());
        set(&mut sent, "authorization", &authorization);
        let request = Request { method: &Method::POST, path: &path, query: &query, headers: &sent, body: &body };
        prop_assert!(is_believed(&request));

        let other_path = changed(&path, place);
        let mut other_body = body.clone();
        if body.is_empty() { other_body.push(byte) } else { other_body[place.index(body.len())] ^= byte }
        let mut more = query.clone();
        more.push(("More".into(), "".into()));
        let (mut other_value, mut other_name) = (more.clone(), more.clone());
        if !query.is_empty() {
            let parameter = which.index(query.len());
            (other_value, other_name) = (query.clone(), query.clone());
            other_value[parameter].1 = changed(&query[parameter].1, place).into();
            other_name[parameter].0 = changed(&query[parameter].0, place).into();
        }
        let names: Vec<_> = sent.keys().cloned().collect();
        let name = &names[which.index(names.len())];
        let (mut other_header, mut less, mut other_authorization) = (sent.clone(), sent.clone(), sent.clone());
        other_header.insert(name, changed(sent[name].to_str().unwrap(), place).parse().unwrap());
        less.remove(name);
        let mut bytes = authorization.into_bytes();
        let at = place.index(bytes.len());
        bytes[at] = if bytes[at] != byte { byte } else if byte == b'_' { b'-' } else { b'_' };
        other_authorization.insert(AUTHORIZATION, HeaderValue::from_bytes(&bytes).unwrap());
        for other in [
            Request { method: &Method::PUT, ..request },
            Request { path: &other_path, ..request },
            Request { body: &other_body, ..request },
            Request { query: &more, ..request },
            Request { query: &other_value, ..request },
            Request { query: &other_name, ..request },
            Request { headers: &other_header, ..request },
            Request { headers: &less, ..request },
            Request { headers: &other_authorization, ..request },
        ] {
            prop_assert!(!is_believed(&other), "{:?}", other);
        }
    }

    #[test]
    fn any_authorization_is_read_or_refused(authorization in prop::collection::vec(32u8..=255, 0..99)) {
        for authorization in [authorization.clone(), [b"ACS3-HMAC-SHA256 ", &authorization[..]].concat()] {
            if let Ok(value) = HeaderValue::from_bytes(&authorization) {
                let mut headers = headers(&DOCUMENTED);
                headers.insert(AUTHORIZATION, value);
                prop_assert!(!is_believed(&request(&[], &headers)));
            }
        }
    }
}
