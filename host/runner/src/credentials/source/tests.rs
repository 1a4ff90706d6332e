use super::*;

const SECRET: &str = "kind: Secret\nstringData: {user: id, password: hidden}\n";

/// A family whose credentials are logins.
struct Logins;

struct Login(String);

impl Credential for Login {
    fn id(&self) -> &str {
        &self.0
    }

    fn secrets(&self) -> Vec<&str> {
        Vec::new()
    }
}

impl ReadsCredentials for Logins {
    fn of_secret(&self, secret: &SecretData<'_>) -> Result<Arc<dyn Credential>, CredentialError> {
        secret.required("password")?;
        Ok(Arc::new(Login((*secret.required("user")?).clone())))
    }
}

fn of_file(path: &Path) -> Result<CredentialSource, CredentialError> {
    CredentialSource::file(path, Arc::new(Logins))
}

fn reported(text: &str) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let error = of_file(file.path()).unwrap_err();
    error.to_string().replace(&file.path().display().to_string(), "FILE")
}

#[test]
fn a_file_may_have_other_objects_next_to_the_secret() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("kind: Shoot\n---\n{SECRET}")).unwrap();
    assert_eq!(of_file(file.path()).unwrap().current().unwrap().id(), "id");
}

#[test]
fn what_is_wrong_with_a_file_is_said_without_what_is_in_it() {
    assert_eq!(reported("kind: Shoot"), "`FILE` must have one Secret, and has 0");
    assert_eq!(reported(&format!("{SECRET}---\n{SECRET}")), "`FILE` must have one Secret, and has 2");
    for text in ["kind: [hidden", "kind: *hidden", "kind: !hidden x", "\"hidden"] {
        let reported = reported(text);
        assert!(reported.starts_with("cannot read the credentials in `FILE`: "), "{reported}");
        assert!(!reported.contains("hidden"), "{reported}");
    }
    let error = of_file(Path::new("/nowhere/secret.yaml")).unwrap_err();
    assert!(error.to_string().starts_with("cannot read the credentials in `/nowhere/secret.yaml`: No such file"));
}

#[test]
fn a_file_that_changes_is_read_again_and_one_that_breaks_is_not_missed() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let write = |text: &str| std::fs::write(file.path(), text).unwrap();
    write(SECRET);
    let source = of_file(file.path()).unwrap();
    let id = || source.current().unwrap().id().to_owned();
    assert_eq!(id(), "id");
    write(&SECRET.replace("id,", "other,"));
    assert_eq!(id(), "other");
    write("kind: Sec");
    assert_eq!(id(), "other");
    std::fs::remove_file(file.path()).unwrap();
    assert_eq!(id(), "other");
}

#[test]
fn what_never_ends_is_reported_with_the_limit() {
    let error = of_file(Path::new("/dev/zero")).unwrap_err().to_string();
    let reported = "cannot read the credentials in `/dev/zero`: it has more than 3 MiB, which is the limit; check that it is \
                the file that you mean";
    assert_eq!(error, reported);
    let error = of_file(Path::new("/")).unwrap_err().to_string();
    assert!(error.starts_with("cannot read the credentials in `/`: Is a directory"), "{error}");
}

#[test]
fn a_pipe_is_read_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::write(pipe, SECRET).unwrap()
    });
    let source = of_file(&pipe).unwrap();
    writer.join().unwrap();
    // Nobody writes to it any more.
    assert_eq!(source.current().unwrap().id(), "id");
}
