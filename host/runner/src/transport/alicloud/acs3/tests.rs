use proptest::prelude::*;

use super::*;

const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn credential() -> AccessKey {
    AccessKey::new("YourAccessKeyId", "YourAccessKeySecret")
}

fn documented(body_hash: &str) -> Headers {
    Headers::from([
        ("host", "ecs.cn-shanghai.aliyuncs.com".to_owned()),
        ("x-acs-action", "RunInstances".to_owned()),
        ("x-acs-version", "2014-05-26".to_owned()),
        ("x-acs-date", "2023-10-26T10:22:32Z".to_owned()),
        ("x-acs-signature-nonce", "3156853299f313e23d1673dc12e1703d".to_owned()),
        ("x-acs-content-sha256", body_hash.to_owned()),
    ])
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn the_documented_request_has_the_documented_signature() {
    let query = encode(&owned(&[
        ("RegionId", "cn-shanghai"),
        ("ImageId", "win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd"),
    ]));
    let headers = documented(&hash(b""));
    let request = Request { method: "POST", path: "/", query: &query, headers: &headers };
    assert_eq!(
        sign(request, &credential()),
        "ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;\
         x-acs-date;x-acs-signature-nonce;x-acs-version,\
         Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0"
    );
    assert_eq!(hash(b""), EMPTY);
}

#[test]
fn a_request_has_the_signature_that_the_python_sdk_gives_it() {
    let body = "Name=网络&Empty=".as_bytes();
    let query = encode(&owned(&[
        ("Description", "a b*c~d+e/f'(g)!h&i=j%k"),
        ("VpcName", "网络 ü"),
        ("Empty", ""),
        ("Tag.1.Key", "k"),
        ("Tag.10.Key", "k10"),
        ("Tag.2.Key", "k2"),
    ]));
    let mut headers = documented(&hash(body));
    headers.extend([
        ("user-agent", "AlibabaCloud (Linux; x86_64) Python/3.11".to_owned()),
        ("accept", "application/json".to_owned()),
        ("content-type", "application/x-www-form-urlencoded".to_owned()),
        ("x-acs-security-token", "CAIS+/=token".to_owned()),
        ("x-acs-accesskey-id", "YourAccessKeyId".to_owned()),
        ("x-acs-credentials-provider", "static_sts".to_owned()),
    ]);
    let request = Request { method: "POST", path: "/", query: &query, headers: &headers };
    let signature = "d595e7d14790187ac5ea3e5ff9575d7afa1826903ca0713cc8f1ea7c971797a0";
    assert!(sign(request, &credential()).ends_with(signature));
}

#[test]
fn names_are_sorted_before_their_values() {
    // As text, `A=` would come after `A.1=`.
    assert_eq!(encode(&owned(&[("A.1", "y"), ("A", "z"), ("A-", "x")])), "A=z&A-=x&A.1=y");
    assert_eq!(encode(&owned(&[("b", ""), ("B", "")])), "B=&b=");
}

proptest! {
    #[test]
    fn what_is_encoded_is_read_as_it_was(mut pairs in proptest::collection::vec((".{1,8}", ".{0,8}"), 0..8)) {
        let text = encode(&pairs);
        prop_assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%&=".contains(&byte)));
        let mut read: Vec<_> = form_urlencoded::parse(text.as_bytes())
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect();
        read.sort();
        pairs.sort();
        prop_assert_eq!(read, pairs);
    }
}
