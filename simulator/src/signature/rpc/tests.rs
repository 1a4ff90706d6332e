use proptest::{prelude::*, sample::Index};

use super::{
    super::testing::{any_pairs, at, believed, changed, edges, pairs, secret},
    *,
};

const NOW: &str = "2023-03-13T08:34:30Z";
const DOCUMENTED: [(&str, &str); 9] = [
    ("Version", "2014-05-26"),
    ("Action", "DescribeDedicatedHosts"),
    ("Format", "JSON"),
    ("RegionId", "cn-beijing"),
    ("AccessKeyId", "testid"),
    ("SignatureMethod", "HMAC-SHA1"),
    ("SignatureVersion", "1.0"),
    ("SignatureNonce", "edb2b34af0af9a6d14deaf7c1a5315eb"),
    ("Timestamp", NOW),
];
/// What encoders get wrong: spaces, stars, tildes, text beyond ASCII, empty values, the order of numbers.
const ODD: [(&str, &str); 8] = [
    ("SignatureType", ""),
    ("Description", "a b*c~d+e/f'(g)!h&i=j%k"),
    ("VpcName", "网络 ü"),
    ("Empty", ""),
    ("Tag.1.Key", "k"),
    ("Tag.10.Key", "k10"),
    ("Tag.2.Key", "k2"),
    ("Policy", r#"{"Version": "1"}"#),
];

/// The documented request with some parameters replaced; those replaced by nothing are absent.
fn request<'a>(replaced: &[(&'a str, &'a str)]) -> Vec<Pair<'a>> {
    let mut request = DOCUMENTED.to_vec();
    request.push(("Signature", "9NaGiOspFP5UPcwX8Iwt2YJXXuk="));
    for (name, value) in &mut request {
        if let Some((_, replacement)) = replaced.iter().find(|(replaced, _)| replaced == name) {
            *value = replacement;
        }
    }
    pairs(&request)
}

#[test]
fn the_documented_request_is_believed() {
    let pairs = request(&[]);
    let claim = claim(&Method::GET, &pairs).unwrap();
    assert_eq!((claim.access_key, claim.security_token), ("testid", None));
    assert_eq!(claim.nonce, Some("edb2b34af0af9a6d14deaf7c1a5315eb"));
    assert_eq!(claim.verify(&secret(), at(NOW)), Ok(()));
    assert!(claim.verify(&Secret::new("other"), at(NOW)).is_err());
}

#[test]
fn signatures_are_those_of_both_python_sdks() {
    let common: Vec<_> = DOCUMENTED.iter().chain(&ODD[..1]).copied().collect();
    let odd: Vec<_> = DOCUMENTED.iter().chain(&ODD).copied().collect();
    for (method, parameters, signature) in [
        (Method::GET, &common, "UH9YZkJFJxStt4vBk2/uWn0aA9U="),
        (Method::GET, &odd, "hZSqIMz7cnDIaIl2rm0+1Jlnf5M="),
        (Method::POST, &common, "D7Ui4pSeOvoAkSUtg6Oy0NbI1Ww="),
        (Method::POST, &odd, "0GNhskT9VPTkBFr7pTZIkX83Td4="),
    ] {
        assert_eq!(sign(&method, &pairs(parameters), &secret()).as_deref(), Ok(signature), "{method}");
    }
}

#[test]
fn a_longer_hash_is_taken_when_it_is_named() {
    let mut signed = request(&[("SignatureMethod", "HMAC-SHA256")]);
    let signature = sign(&Method::GET, &signed, &secret()).unwrap();
    assert_eq!(signature.len(), 44);
    signed.last_mut().unwrap().1 = signature.into();
    assert!(believed(claim(&Method::GET, &signed), NOW));
}

#[test]
fn a_request_is_valid_15_minutes_before_and_after_its_time() {
    let pairs = request(&[]);
    assert_eq!(edges(&claim(&Method::GET, &pairs).unwrap(), NOW), [false, true, true, false]);
    let late = claim(&Method::GET, &pairs).unwrap().verify(&secret(), at("2023-03-14T00:00:00Z")).unwrap_err();
    assert_eq!((&*late.code(), late.status().as_u16()), ("InvalidTimeStamp.Expired", 400));
}

#[test]
fn what_a_request_lacks_or_spells_wrongly_is_named() {
    for (parameter, value, code) in [
        ("AccessKeyId", "", "MissingAccessKeyId"),
        ("Signature", "", "MissingSignature"),
        ("SignatureMethod", "", "MissingSignatureMethod"),
        ("SignatureMethod", "SHA256withRSA", "InvalidSignatureMethod"),
        ("SignatureMethod", "hmac-sha1", "InvalidSignatureMethod"),
        ("SignatureVersion", "", "MissingSignatureVersion"),
        ("SignatureVersion", "2.0", "InvalidParameter"),
        ("SignatureNonce", "", "MissingSignatureNonce"),
        ("Timestamp", "", "MissingTimestamp"),
        ("Timestamp", "2023-03-13T08:34:30+0800", "InvalidTimeStamp.Format"),
        ("Timestamp", "1678696470", "InvalidTimeStamp.Format"),
    ] {
        let refusal = claim(&Method::GET, &request(&[(parameter, value)])).unwrap_err();
        assert_eq!((&*refusal.code(), refusal.status().as_u16()), (code, 400), "{parameter}={value}");
    }
    let refusal = claim(&Method::GET, &request(&[("SignatureNonce", "")])).unwrap_err();
    assert_eq!(refusal.message(), "SignatureNonce is mandatory for this action.");
}

#[test]
fn a_mismatch_shows_the_string_to_sign_as_sdks_look_for_it() {
    let pairs = request(&[("RegionId", "网 络:")]);
    let refusal = claim(&Method::GET, &pairs).unwrap().verify(&secret(), at(NOW)).unwrap_err();
    let message = refusal.message();
    assert_eq!((&*refusal.code(), refusal.status().as_u16()), ("SignatureDoesNotMatch", 400));
    let (text, string_to_sign) = message.split_once(':').unwrap();
    assert_eq!(text, "Specified signature is not matched with our calculation. server string to sign is");
    assert_eq!(
        string_to_sign,
        "GET&%2F&AccessKeyId%3Dtestid%26Action%3DDescribeDedicatedHosts%26Format%3DJSON%26RegionId%3D\
         %25E7%25BD%2591%2520%25E7%25BB%259C%253A%26SignatureMethod%3DHMAC-SHA1%26SignatureNonce%3D\
         edb2b34af0af9a6d14deaf7c1a5315eb%26SignatureVersion%3D1.0%26Timestamp%3D2023-03-13T08%253A34%253A30Z%26\
         Version%3D2014-05-26"
    );
}

#[test]
fn no_secret_and_no_token_is_ever_printed() {
    let mut pairs = request(&[]);
    pairs.push(("SecurityToken".into(), "a-token".into()));
    let claim = claim(&Method::GET, &pairs).unwrap();
    assert_eq!(claim.security_token, Some("a-token"));
    let printed = format!("{claim:?} {:?}", secret());
    assert!(!printed.contains("a-token") && !printed.contains("testsecret"), "{printed}");
    let refusal = claim.verify(&secret(), at(NOW)).unwrap_err();
    assert!(!format!("{refusal:?} {refusal}").contains("testsecret"));
}

proptest! {
    #[test]
    fn what_is_signed_is_believed_in_any_order_and_nothing_else_is(
        more in any_pairs(),
        order in any::<Index>(),
        parameter in any::<Index>(),
        place in any::<Index>(),
    ) {
        let more: Vec<_> = more.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let mut signed = pairs(&DOCUMENTED.iter().chain(&more).copied().collect::<Vec<_>>());
        let signature = sign(&Method::POST, &signed, &secret()).unwrap();
        signed.push(("Signature".into(), signature.into()));
        let rotation = order.index(signed.len());
        signed.rotate_left(rotation);
        prop_assert!(believed(claim(&Method::POST, &signed), NOW));
        prop_assert!(!believed(claim(&Method::GET, &signed), NOW));

        let parameter = parameter.index(signed.len());
        let mut other = signed.clone();
        other[parameter].1 = changed(&signed[parameter].1, place).into();
        prop_assert!(!believed(claim(&Method::POST, &other), NOW), "{other:?}");
        other = signed.clone();
        other[parameter].0 = changed(&signed[parameter].0, place).into();
        prop_assert!(!believed(claim(&Method::POST, &other), NOW), "{other:?}");
        other = signed.clone();
        other.remove(parameter);
        prop_assert!(!believed(claim(&Method::POST, &other), NOW), "{other:?}");
        other = signed.clone();
        other.push(("More".into(), "".into()));
        prop_assert!(!believed(claim(&Method::POST, &other), NOW), "{other:?}");
    }

    #[test]
    fn any_parameters_are_read_or_refused(pairs in prop::collection::vec((".*", ".*"), 0..8)) {
        let pairs: Vec<Pair<'_>> = pairs.iter().map(|(name, value)| (name.into(), value.into())).collect();
        prop_assert!(!believed(claim(&Method::GET, &pairs), NOW));
    }
}
