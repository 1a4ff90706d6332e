use super::*;
use trellis_policies::source;

fn value(text: &str, key: &'static str) -> Result<Option<String>, String> {
    let (_, nodes) = source::read("secret.yaml", text.as_bytes()).unwrap();
    let read = SecretData::of_manifest(&nodes[0], "secret.yaml").text(key);
    read.map(|text| text.map(|text| (*text).clone())).map_err(|error| error.to_string())
}

#[test]
fn a_manifest_is_read_plain_or_encoded() {
    let some = |text: &str| Ok(Some(text.to_owned()));
    assert_eq!(value("stringData: {user: id}", "user"), some("id"));
    assert_eq!(value("data: {user: aWQ=, other: '!'}", "user"), some("id"));
    assert_eq!(value("data: {user: '!'}\nstringData: {user: id}", "user"), some("id"));
    assert_eq!(value("data: {user: aGlk\n  ZGVu}", "user"), some("hidden"));
    for nothing in ["stringData: {user: ''}", "data: {other: aWQ=}", "kind: Secret"] {
        assert_eq!(value(nothing, "user"), Ok(None), "{nothing}");
    }
}

#[test]
fn what_is_wrong_is_reported_without_the_value() {
    let reported = value("data: {user: hidden!}", "user").unwrap_err();
    let expected =
        "`data.user` of the Secret in `secret.yaml` is not base64: encode it, or put it into `stringData`";
    assert_eq!(reported, expected);
    let values = |key: &str| (key == "user").then_some(b"hidden\xff".as_slice());
    let secret = SecretData::decoded(&values, "a/b");
    let reported = secret.text("user").unwrap_err().to_string();
    assert!(reported.starts_with("`user` in the Secret in `a/b` must be visible ASCII characters"), "{reported}");
    let reported = secret.required("password").unwrap_err().to_string();
    assert!(reported.starts_with("the Secret in `a/b` has no `password`"), "{reported}");
    assert_eq!(format!("{secret:?}"), "SecretData { place: \"a/b\", .. }");
}
