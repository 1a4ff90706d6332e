use super::*;

fn of_data(pairs: &[(&'static str, &'static str)]) -> Result<AccessKey, String> {
    let values = |key: &str| pairs.iter().find_map(|(known, value)| (*known == key).then_some(value.as_bytes()));
    AccessKey::of_secret(&SecretData::decoded(&values, "a/b")).map_err(|error| error.to_string())
}

fn texts(key: &AccessKey) -> (&str, &str, Option<&str>) {
    (key.id(), key.secret(), key.token())
}

#[test]
fn a_secret_has_an_access_key_and_perhaps_a_token() {
    let permanent =
        of_data(&[("accessKeyID", "id"), ("accessKeySecret", "hidden"), ("credentialsFile", "!")]).unwrap();
    assert_eq!(texts(&permanent), ("id", "hidden", None));
    let given = [("accessKeyID", "id"), ("accessKeySecret", "hidden"), ("securityToken", "token")];
    let temporary = of_data(&given).unwrap();
    assert_eq!(texts(&temporary), ("id", "hidden", Some("token")));
    assert_eq!(temporary.secrets(), ["hidden", "token"]);
    assert_eq!(format!("{temporary:?}"), "AccessKey { .. }");
}

#[test]
fn a_secret_of_dns_records_has_other_keys_which_count_where_the_first_are_missing() {
    let read = |pairs: &[_]| of_data(pairs).map(|key| (key.id().to_owned(), key.secret().to_owned()));
    let two = |id: &str, secret: &str| Ok((id.to_owned(), secret.to_owned()));
    let others = ("ACCESS_KEY_ID", "other");
    assert_eq!(read(&[others, ("ACCESS_KEY_SECRET", "hidden")]), two("other", "hidden"));
    assert_eq!(read(&[("accessKeyID", "id"), others, ("ACCESS_KEY_SECRET", "hidden")]), two("id", "hidden"));
    assert_eq!(read(&[("accessKeyID", ""), others, ("accessKeySecret", "hidden")]), two("other", "hidden"));
    let reported = read(&[others]).unwrap_err();
    assert!(reported.contains("has no `accessKeySecret`"), "{reported}");
    let reported = read(&[("ACCESS_KEY_ID", "other\n"), ("accessKeySecret", "hidden")]).unwrap_err();
    assert!(reported.starts_with("`ACCESS_KEY_ID` in the Secret"), "{reported}");
}

#[test]
fn what_is_wrong_with_a_secret_is_reported_without_it() {
    for (pairs, reported) in [
        (
            [("accessKeyID", "id"), ("accessKeySecret", "")],
            "the Secret in `a/b` has no `accessKeySecret`: put it into `stringData`, or in base64 into `data`",
        ),
        (
            [("accessKeyID", ""), ("accessKeySecret", "hidden")],
            "the Secret in `a/b` has no `accessKeyID`: put it into `stringData`, or in base64 into `data`",
        ),
        (
            [("accessKeyID", "id\n"), ("accessKeySecret", "hidden")],
            "`accessKeyID` in the Secret in `a/b` must be visible ASCII characters; a line break at its end comes from `echo` \
             without `-n`",
        ),
    ] {
        assert_eq!(of_data(&pairs).unwrap_err(), reported);
    }
}

#[test]
fn the_environment_has_all_or_nothing() {
    let read = |given: &[(&str, &str)]| {
        let variable =
            |name: &str| given.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        let read = AccessKey::of_environment(&variable).map_err(|error| error.to_string());
        read.map(|credential| credential.map(|key| key.id().to_owned()))
    };
    let [id, secret, token] = VARIABLES;
    assert_eq!(read(&[]), Ok(None));
    assert_eq!(read(&[(id, ""), (secret, "")]), Ok(None));
    assert_eq!(read(&[(id, "id"), (secret, "hidden"), (token, "")]), Ok(Some("id".to_owned())));
    let reported = |given, missing| Err(format!("the environment has {given}, but not {missing}: set both"));
    assert_eq!(read(&[(id, "id")]), reported(id, secret));
    assert_eq!(read(&[(secret, "hidden"), (token, "token")]), reported(secret, id));
    let wrong = read(&[(id, "id"), (secret, "hidden\r")]).unwrap_err();
    assert!(
        wrong.starts_with(&format!("`{secret}` in the environment must be visible")) && !wrong.contains("hidden")
    );
}

#[test]
fn the_credential_of_another_family_is_no_access_key() {
    struct Login;

    impl Credential for Login {
        fn id(&self) -> &'static str {
            "user"
        }

        fn secrets(&self) -> Vec<&str> {
            Vec::new()
        }
    }

    let Err(failure) = AccessKey::of(&Login) else { panic!("it is one") };
    assert_eq!(failure.code, NO_CREDENTIALS);
}
