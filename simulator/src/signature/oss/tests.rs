use hyper::header::HeaderValue;
use proptest::{prelude::*, sample::Index};

use super::{
    super::{
        CredentialFault, Secret,
        testing::{any_pairs, at, believed, changed, edges, headers, pairs, secret},
    },
    *,
};

mod cases;

use cases::{CASES, Case};

const NOW: &str = "2022-12-20T08:48:18Z";
const DATE: &str = "Tue, 20 Dec 2022 08:48:18 GMT";
const TIMESTAMP: &str = "20221220T084818Z";
const CREDENTIAL: &str = "testid/20221220/cn-hangzhou/oss/aliyun_v4_request";
const TOKEN: &str = "CAIS+/=token";
const EXPIRES: &str = "1671526158";

/// A request as it is sent, owned.
#[derive(Debug, Clone)]
struct Sent {
    method: Method,
    bucket: Option<String>,
    key: String,
    query: Vec<Pair<'static>>,
    headers: HeaderMap,
}

impl Sent {
    fn new(method: Method, key: &str) -> Self {
        Self {
            method,
            bucket: Some("examplebucket".to_owned()),
            key: key.to_owned(),
            query: Vec::new(),
            headers: HeaderMap::new(),
        }
    }

    fn of(case: &Case) -> Self {
        let bucket = case.bucket.map(str::to_owned);
        Self {
            bucket,
            query: pairs(case.query),
            headers: headers(case.headers),
            ..Self::new(case.method.clone(), case.key)
        }
    }

    fn with_header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.insert(name, value.parse().unwrap());
        self
    }

    fn with_query(mut self, name: &'static str, value: &str) -> Self {
        self.query.push((name.into(), value.to_owned().into()));
        self
    }

    fn with_date_of_v4(self) -> Self {
        self.with_header("x-oss-date", TIMESTAMP).with_header("x-oss-content-sha256", "UNSIGNED-PAYLOAD")
    }

    fn with_link_of_v4(self) -> Self {
        self.with_query("x-oss-signature-version", v4::ALGORITHM)
            .with_query("x-oss-credential", CREDENTIAL)
            .with_query("x-oss-date", TIMESTAMP)
            .with_query("x-oss-expires", "60")
    }

    fn request(&self) -> Request<'_> {
        let Self { method, bucket, key, query, headers } = self;
        Request { method, bucket: bucket.as_deref(), key, query, headers }
    }

    fn believed(&self) -> bool {
        believed(claim(&self.request()), NOW)
    }

    fn refused(&self) -> OssRefusal {
        let request = self.request();
        match claim(&request).and_then(|claim| claim.verify(&secret(), at(NOW))) {
            Err(Refusal::Oss(refusal)) => refusal,
            other => panic!("{other:?}"),
        }
    }
}

/// The same request, signed in all four ways.
fn signed_in_all_ways(sent: &Sent) -> [Sent; 4] {
    let dated = sent.clone().with_header("date", DATE);
    let v1 = v1::sign(&dated.request(), "testid", &secret()).unwrap();
    let link = sent.clone().with_query("Expires", EXPIRES).with_query("OSSAccessKeyId", "testid");
    let v1_link = v1::sign_link(&link.request(), &secret()).unwrap();
    let dated_v4 = sent.clone().with_date_of_v4();
    let v4 = v4::sign(&dated_v4.request(), "testid", "cn-hangzhou", &secret()).unwrap();
    let link_v4 = sent.clone().with_link_of_v4();
    let v4_link = v4::sign_link(&link_v4.request(), &secret()).unwrap();
    [
        dated.with_header("authorization", &v1),
        link.with_query("Signature", &v1_link),
        dated_v4.with_header("authorization", &v4),
        link_v4.with_query("x-oss-signature", &v4_link),
    ]
}

#[test]
fn requests_of_the_python_sdk_are_believed() {
    for (number, case) in CASES.iter().enumerate() {
        for (token, (v1, v4)) in [None, Some(TOKEN)].into_iter().zip(case.v1.iter().zip(&case.v4)) {
            let sent = Sent::of(case);
            let in_header =
                token.map_or(sent.clone(), |token| sent.clone().with_header("x-oss-security-token", token));
            let in_v1_link = token.map_or(sent.clone(), |token| sent.clone().with_query("security-token", token));
            let in_v4_link =
                token.map_or(sent.clone(), |token| sent.clone().with_query("x-oss-security-token", token));
            for (way, sent) in [
                in_header
                    .clone()
                    .with_header("date", DATE)
                    .with_header("authorization", &format!("OSS testid:{}", v1[0])),
                in_v1_link
                    .with_query("OSSAccessKeyId", "testid")
                    .with_query("Expires", EXPIRES)
                    .with_query("Signature", v1[1]),
                in_header.with_date_of_v4().with_header(
                    "authorization",
                    &format!("OSS4-HMAC-SHA256 Credential={CREDENTIAL}, Signature={}", v4[0]),
                ),
                in_v4_link.with_link_of_v4().with_query("x-oss-signature", v4[1]),
            ]
            .iter()
            .enumerate()
            {
                let request = sent.request();
                let claim = claim(&request).unwrap();
                assert_eq!(
                    (claim.access_key, claim.security_token),
                    ("testid", token),
                    "case {number}, way {way}"
                );
                assert_eq!(claim.region, (way > 1).then_some("cn-hangzhou"));
                assert_eq!(claim.verify(&secret(), at(NOW)), Ok(()), "case {number}, way {way}, {token:?}");
            }
        }
    }
}

#[test]
fn additional_headers_are_signed_where_they_are_listed() {
    let host = "examplebucket.oss-cn-hangzhou.aliyuncs.com";
    let put = Sent::new(Method::PUT, "k").with_header("host", host).with_date_of_v4();
    let put = put.with_header("content-type", "text/plain").with_header("cache-control", "no-cache");
    let authorization = "OSS4-HMAC-SHA256 Credential=testid/20221220/cn-hangzhou/oss/aliyun_v4_request, \
        Signature=437845fcba9d69713e00e3bdcdf9b2d8a7777966e49b9cc7cf4dd52613fe8b25, AdditionalHeaders=cache-control;host";
    let put = put.with_header("authorization", authorization);
    assert!(put.believed());
    assert!(!put.clone().with_header("host", "other").believed());
    // The order of the list is not signed: SDKs sort it by the first letter alone.
    assert!(
        put.with_header("authorization", &authorization.replace("cache-control;host", "host;cache-control"))
            .believed()
    );

    let link = Sent::new(Method::GET, "k").with_header("host", host).with_link_of_v4();
    let link = link.with_query("x-oss-additional-headers", "host");
    let link =
        link.with_query("x-oss-signature", "d406b0c03adb98428775454cafc67d3327aa01c8e1b26db36ad4f957f7fdf645");
    assert!(link.believed());
    assert!(!link.with_header("host", "other").believed());
}

#[test]
fn v4_takes_the_date_of_http_as_the_go_sdk_sends_it() {
    let sent = Sent::new(Method::GET, "").with_header("date", DATE);
    let sent = sent.with_header("x-oss-content-sha256", "UNSIGNED-PAYLOAD");
    let authorization = v4::sign(&sent.request(), "testid", "cn-hangzhou", &secret()).unwrap();
    let sent = sent.with_header("authorization", &authorization);
    let request = sent.request();
    let claim = claim(&request).unwrap();
    assert!(
        String::from_utf8_lossy(&claim.string_to_sign)
            .starts_with(&format!("OSS4-HMAC-SHA256\n{DATE}\n20221220/"))
    );
    assert_eq!(claim.verify(&secret(), at(NOW)), Ok(()));
}

#[test]
fn requests_are_valid_15_minutes_around_their_time_and_links_until_their_end() {
    let [v1, v1_link, v4, v4_link] = signed_in_all_ways(&Sent::new(Method::GET, "k"));
    for (sent, valid) in [
        (&v1, [false, true, true, false]),
        (&v4, [false, true, true, false]),
        (&v1_link, [true, true, false, false]),
        (&v4_link, [false, true, false, false]),
    ] {
        assert_eq!(edges(&claim(&sent.request()).unwrap(), NOW), valid);
    }
    let at_its_end = |sent: &Sent, now| claim(&sent.request()).unwrap().verify(&secret(), at(now));
    for link in [&v1_link, &v4_link] {
        assert_eq!(at_its_end(link, "2022-12-20T08:49:18Z"), Ok(()));
        let refusal = at_its_end(link, "2022-12-20T08:49:19Z").unwrap_err();
        assert_eq!((&*refusal.code(), refusal.message().as_str()), ("AccessDenied", "Request has expired."));
    }
    let Refusal::Oss(skewed) = at_its_end(&v1, "2022-12-20T09:48:18Z").unwrap_err() else { panic!() };
    assert_eq!((skewed.code(), skewed.status().as_u16()), ("RequestTimeTooSkewed", 403));
    assert_eq!(
        skewed.details(),
        [
            ("MaxAllowedSkewMilliseconds", "900000".to_owned()),
            ("RequestTime", "2022-12-20T08:48:18.000Z".to_owned()),
            ("ServerTime", "2022-12-20T09:48:18.000Z".to_owned()),
        ]
    );
}

#[test]
fn a_mismatch_shows_what_the_server_has_signed() {
    let [v1, _, v4, _] = signed_in_all_ways(&Sent::new(Method::GET, "k"));
    let v1 = v1.with_query("acl", "").refused();
    assert_eq!((v1.code(), v1.status().as_u16()), ("SignatureDoesNotMatch", 403));
    let details = v1.details();
    assert_eq!(details[0], ("OSSAccessKeyId", "testid".to_owned()));
    assert_eq!(details[2], ("StringToSign", format!("GET\n\n\n{DATE}\n/examplebucket/k?acl")));
    assert!(details[3].1.starts_with("47 45 54 0A 0A 0A 54 75 65 2C "));
    let details = v4.with_query("acl", "").refused().details();
    assert!(
        details[2]
            .1
            .starts_with("OSS4-HMAC-SHA256\n20221220T084818Z\n20221220/cn-hangzhou/oss/aliyun_v4_request\n")
    );
    assert!(details[4].1.starts_with("GET\n/examplebucket/k\nacl\nx-oss-content-sha256:UNSIGNED-PAYLOAD\n"));
    assert!(!format!("{details:?}").contains("testsecret"));
}

#[test]
fn what_a_request_lacks_or_spells_wrongly_is_refused() {
    let get = || Sent::new(Method::GET, "k");
    let [v1, v1_link, v4, v4_link] = signed_in_all_ways(&get());
    let without = |sent: &Sent, name: &str| {
        let mut sent = sent.clone();
        sent.headers.remove(name);
        sent.query.retain(|(parameter, _)| parameter != name);
        sent
    };
    let authorized = |authorization: &str| v4.clone().with_header("authorization", authorization);
    for (sent, code, status) in [
        (get(), "AccessDenied", 403),
        (without(&v1, "date"), "AccessDenied", 403),
        (v1.clone().with_header("date", "2022-12-20"), "AccessDenied", 403),
        (without(&v4, "x-oss-date"), "AccessDenied", 403),
        (without(&v4, "x-oss-content-sha256"), "InvalidArgument", 400),
        (v4.clone().with_header("x-oss-content-sha256", "e3b0"), "InvalidArgument", 400),
        (v4.clone().with_header("x-oss-date", "20221221T084818Z"), "InvalidArgument", 400),
        (v1.clone().with_query("Signature", "x"), "InvalidArgument", 400),
        (v1.clone().with_query("x-oss-signature", "x"), "InvalidArgument", 400),
        (without(&v1_link, "OSSAccessKeyId"), "AccessDenied", 403),
        (without(&v1_link, "Expires"), "AccessDenied", 403),
        (without(&v1_link, "Expires").with_query("Expires", "soon"), "AccessDenied", 403),
        (without(&v1_link, "Expires").with_query("Expires", "99999999999999"), "AccessDenied", 403),
        (without(&v1_link, "Signature"), "AccessDenied", 403),
        (without(&v4_link, "x-oss-credential"), "AccessDenied", 403),
        (without(&v4_link, "x-oss-signature"), "AccessDenied", 403),
        (without(&v4_link, "x-oss-signature-version"), "AccessDenied", 403),
        (without(&v4_link, "x-oss-date").with_query("x-oss-date", "now"), "AccessDenied", 403),
        (without(&v4_link, "x-oss-expires").with_query("x-oss-expires", "604801"), "InvalidArgument", 400),
        (without(&v4_link, "x-oss-expires").with_query("x-oss-expires", "-1"), "InvalidArgument", 400),
        (get().with_query("x-oss-signature-version", "OSS2"), "InvalidArgument", 400),
        (authorized("OSS2 AccessKeyId:testid,Signature:x"), "InvalidArgument", 400),
        (authorized("OSS"), "InvalidArgument", 400),
        (authorized("OSS testid"), "InvalidArgument", 400),
        (authorized("OSS  :x"), "InvalidArgument", 400),
        (authorized("OSS testid:"), "InvalidArgument", 400),
        (authorized("OSS4-HMAC-SHA256 Signature=x"), "InvalidArgument", 400),
        (authorized(&format!("OSS4-HMAC-SHA256 Credential={CREDENTIAL}")), "InvalidArgument", 400),
        (authorized("OSS4-HMAC-SHA256 Credential=testid/20221220/r/oss/abc,Signature=x"), "InvalidArgument", 400),
        (
            authorized("OSS4-HMAC-SHA256 Credential=testid/2022-12-20/r/oss/aliyun_v4_request,Signature=x"),
            "InvalidArgument",
            400,
        ),
        (
            authorized("OSS4-HMAC-SHA256 Credential=testid/20221220/r/ecs/aliyun_v4_request,Signature=x"),
            "InvalidArgument",
            400,
        ),
    ] {
        let refusal = sent.refused();
        assert_eq!((refusal.code(), refusal.status().as_u16()), (code, status), "{refusal}: {sent:?}");
    }
}

#[test]
fn faults_of_credentials_have_the_words_of_the_service() {
    use CredentialFault::{ExpiredToken, MalformedToken, UnknownKey};
    let [v1, ..] = signed_in_all_ways(&Sent::new(Method::GET, "k"));
    let request = v1.request();
    let of_oss = claim(&request).unwrap();
    for (fault, oss, others, status) in [
        (UnknownKey, "InvalidAccessKeyId", "InvalidAccessKeyId.NotFound", 404),
        (MalformedToken, "InvalidSecurityToken", "InvalidSecurityToken.Malformed", 400),
        (ExpiredToken, "SecurityTokenExpired", "InvalidSecurityToken.Expired", 400),
    ] {
        let (of_oss, of_others) = (of_oss.refuse(fault), Refusal::Credential(fault));
        assert_eq!((&*of_oss.code(), of_oss.status().as_u16()), (oss, 403));
        assert_eq!((&*of_others.code(), of_others.status().as_u16()), (others, status));
    }
    assert!(of_oss.verify(&Secret::new("other"), at(NOW)).is_err());
}

proptest! {
    #[test]
    fn what_is_signed_is_believed_and_nothing_else_is(
        query in any_pairs(),
        key in ".{0,6}",
        meta in "[!-~é]{1,6}",
        which in any::<Index>(),
        place in any::<Index>(),
        byte in b'!'..=b'~',
    ) {
        let mut sent = Sent::new(Method::PUT, &key)
            .with_header("content-type", "text/plain")
            .with_header("content-md5", "eB5eJF1ptWaXm4bijSPyxw==")
            .with_query("uploadId", "U-1")
            .with_query("x-oss-process", "p");
        sent.headers.insert("x-oss-meta-a", HeaderValue::from_bytes(meta.as_bytes()).unwrap());
        // A query that V1 does not sign.
        let unsigned = query.len();
        sent.query.splice(..0, query.into_iter().map(|(name, value)| (name.into(), value.into())));
        for (way, signed) in signed_in_all_ways(&sent).into_iter().enumerate() {
            prop_assert!(signed.believed(), "{way}: {signed:?}");
            let mut others = vec![
                Sent { method: Method::GET, ..signed.clone() },
                Sent { key: changed(&key, place), ..signed.clone() },
                Sent { bucket: None, ..signed.clone() },
                Sent { bucket: Some("other".to_owned()), ..signed.clone() },
                signed.clone().with_query("acl", ""),
                signed.clone().with_header("x-oss-acl", "private"),
            ];
            let first = if way < 2 { unsigned } else { 0 };
            let parameter = first + which.index(signed.query.len() - first);
            for changes in 0..3 {
                let mut other = signed.clone();
                match changes {
                    0 => other.query[parameter].0 = changed(&signed.query[parameter].0, place).into(),
                    1 => other.query[parameter].1 = changed(&signed.query[parameter].1, place).into(),
                    _ => drop(other.query.remove(parameter)),
                }
                others.push(other);
            }
            let names: Vec<_> = signed.headers.keys().cloned().collect();
            let name = &names[which.index(names.len())];
            let mut bytes = signed.headers[name].as_bytes().to_vec();
            let at = place.index(bytes.len());
            bytes[at] = if bytes[at] != byte { byte } else if byte == b'_' { b'-' } else { b'_' };
            let mut other = signed.clone();
            other.headers.insert(name, HeaderValue::from_bytes(&bytes).unwrap());
            others.push(other.clone());
            other.headers.remove(name);
            others.push(other);
            for other in others {
                prop_assert!(!other.believed(), "{way}: {other:?}");
            }
        }
    }

    #[test]
    fn any_authorization_and_any_link_are_read_or_refused(text in ".{0,60}", bytes: Vec<u8>) {
        let dated = || Sent::new(Method::GET, "k").with_date_of_v4();
        for prefix in ["", "OSS ", "OSS4-HMAC-SHA256 ", "OSS4-HMAC-SHA256 Credential="] {
            if let Ok(value) = HeaderValue::from_bytes(&[prefix.as_bytes(), &bytes].concat()) {
                let mut sent = dated();
                sent.headers.insert(AUTHORIZATION, value);
                prop_assert!(!sent.believed());
            }
        }
        for name in ["Signature", "Expires", "OSSAccessKeyId", "x-oss-credential", "x-oss-date", "x-oss-expires"] {
            let sent = dated().with_query(name, &text).with_link_of_v4().with_query("x-oss-signature", &text);
            prop_assert!(!sent.believed());
        }
    }
}
