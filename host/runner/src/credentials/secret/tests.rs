use super::*;
use trellis_policies::source;

fn secret(text: &str) -> Result<Credential, String> {
    let (_, nodes) = source::read("secret.yaml", text.as_bytes()).unwrap();
    Credential::of_secret(&nodes[0], "secret.yaml").map_err(|error| error.to_string())
}

fn texts(credential: &Credential) -> (&str, &str, Option<&str>) {
    (credential.id(), credential.secret(), credential.token())
}

#[test]
fn a_secret_is_read_plain_or_encoded() {
    let plain = secret("stringData: {accessKeyID: id, accessKeySecret: hidden, securityToken: token}").unwrap();
    assert_eq!(texts(&plain), ("id", "hidden", Some("token")));
    let encoded = secret("data: {accessKeyID: aWQ=, accessKeySecret: aGlkZGVu, credentialsFile: '!'}").unwrap();
    assert_eq!(texts(&encoded), ("id", "hidden", None));
    let both = secret("data: {accessKeyID: '!', accessKeySecret: aGlk\n  ZGVu}\nstringData: {accessKeyID: id}");
    assert_eq!(texts(&both.unwrap()), ("id", "hidden", None));
}

#[test]
fn what_is_wrong_with_a_secret_is_said_without_it() {
    for (text, told) in [
        (
            "stringData: {accessKeyID: id}",
            "the Secret in `secret.yaml` has no `accessKeySecret`: put it into `stringData`, or in base64 into `data`",
        ),
        (
            "stringData: {accessKeyID: '', accessKeySecret: hidden}",
            "the Secret in `secret.yaml` has no `accessKeyID`: put it into `stringData`, or in base64 into `data`",
        ),
        (
            "data: {accessKeyID: aWQ=, accessKeySecret: hidden!}",
            "`data.accessKeySecret` of the Secret in `secret.yaml` is not base64: encode it, or put it into `stringData`",
        ),
        (
            "data: {accessKeyID: aWQK, accessKeySecret: aGlkZGVu}",
            "`accessKeyID` in the Secret in `secret.yaml` must be visible ASCII characters; a line break at its end comes from `echo` without `-n`",
        ),
    ] {
        assert_eq!(secret(text).unwrap_err(), told);
    }
}

#[test]
fn the_environment_has_all_or_nothing() {
    let read = |given: &[(&str, &str)]| {
        let variable =
            |name: &str| given.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        let read = Credential::of_variables(variable).map_err(|error| error.to_string());
        read.map(|credential| credential.map(|credential| credential.id().to_owned()))
    };
    let [id, secret, token] = VARIABLES;
    assert_eq!(read(&[]), Ok(None));
    assert_eq!(read(&[(id, ""), (secret, "")]), Ok(None));
    assert_eq!(read(&[(id, "id"), (secret, "hidden"), (token, "")]), Ok(Some("id".to_owned())));
    let told = |given, missing| Err(format!("the environment has {given}, but not {missing}: set both"));
    assert_eq!(read(&[(id, "id")]), told(id, secret));
    assert_eq!(read(&[(secret, "hidden"), (token, "token")]), told(secret, id));
    let wrong = read(&[(id, "id"), (secret, "hidden\r")]).unwrap_err();
    assert!(
        wrong.starts_with(&format!("`{secret}` in the environment must be visible")) && !wrong.contains("hidden")
    );
}

#[test]
fn it_is_not_shown() {
    let credential = Credential::temporary("id", "hidden", "token");
    assert_eq!(format!("{credential:?}"), "Credential { .. }");
    let quoted = credential.redact("x-acs-security-token:token key hidden&".to_owned());
    assert_eq!(quoted, "x-acs-security-(redacted):(redacted) key (redacted)&");
}
