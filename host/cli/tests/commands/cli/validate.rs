//! What `trellis validate` reads, and what it decides.

use trellis_cli::Status;

use super::toy::{trellis, trellis_bytes};
use super::{CLOUD_PROFILE, CONFIG_MAP, Files, SECRET, SHOOT, broken_shoot, joined};

#[test]
fn exit_codes_distinguish_accepted_rejected_and_failed() {
    let warned = SHOOT.replace("1.30.1", "1.30");
    let undecided = SHOOT.replace("region: north", "region: north\n  image: mine");
    let unknown = SHOOT.replace("type: acme", "type: other");
    let table: Vec<(&[&str], String, Status)> = vec![
        (&["validate"], SHOOT.to_owned(), Status::Success),
        (&["validate"], broken_shoot(), Status::Rejected),
        (&["validate"], warned.clone(), Status::Success),
        (&["validate", "--strict"], warned.clone(), Status::Rejected),
        (&["validate", "--fail-on", "warning"], warned.clone(), Status::Rejected),
        (&["validate", "--fail-on", "undecided"], warned.clone(), Status::Success),
        (&["validate", "--fail-on", "undecided,warning"], warned.clone(), Status::Rejected),
        (&["validate", "--fail-on", "error"], warned.clone(), Status::Failed),
        (&["validate", "--fail-on", "warning", "--strict"], warned, Status::Failed),
        (&["validate"], undecided.clone(), Status::Success),
        (&["validate", "--fail-on", "undecided"], undecided.clone(), Status::Rejected),
        (&["validate", "--fail-on", "warning"], undecided.clone(), Status::Success),
        (&["validate", "--strict"], undecided, Status::Rejected),
        (&["validate", "--strict"], SHOOT.to_owned(), Status::Success),
        (&["validate"], CONFIG_MAP.to_owned(), Status::Failed),
        (&["validate"], joined(&[CONFIG_MAP, SHOOT]), Status::Success),
        (&["validate"], unknown.clone(), Status::Failed),
        (&["validate"], joined(&[&broken_shoot(), &unknown.replace("crazy", "other")]), Status::Failed),
        (&["validate", "--provider", "umbra"], unknown, Status::Success),
        (&["validate", "--provider", "other"], SHOOT.to_owned(), Status::Failed),
        (&["validate"], String::new(), Status::Failed),
        (&["validate", "-"], SHOOT.to_owned(), Status::Success),
        (&["validate", "-", "-"], SHOOT.to_owned(), Status::Success),
        (&["validate", "-", "--old", "-"], SHOOT.to_owned(), Status::Failed),
        (&["validate", "no-such-file.yaml"], String::new(), Status::Failed),
        (&["validate", "."], String::new(), Status::Failed),
        (&["validate", "--ratchet"], SHOOT.to_owned(), Status::Failed),
        (&["validate", "-o", "xml"], SHOOT.to_owned(), Status::Failed),
        (&["validate", "--engine", "other"], SHOOT.to_owned(), Status::Failed),
        (&["default"], SHOOT.to_owned(), Status::Success),
        (&["default"], CLOUD_PROFILE.to_owned(), Status::Failed),
        (&["judge"], String::new(), Status::Failed),
        (&[], String::new(), Status::Failed),
        (&["--help"], String::new(), Status::Success),
        (&["--version"], String::new(), Status::Success),
    ];
    for (arguments, input, status) in table {
        let outcome = trellis(arguments, &input);
        assert_eq!(outcome.status, status, "{arguments:?}\n{input}\n{}", outcome.stderr);
        assert!(status != Status::Failed || !outcome.stderr.is_empty(), "{arguments:?} must say why");
    }
}

#[test]
fn a_terminal_is_not_read() {
    let outcome = trellis_bytes(&["validate"], b"", true);
    assert_eq!(outcome.status, Status::Failed);
    assert!(outcome.stderr.contains("name files, or `-`"), "{}", outcome.stderr);
}

#[test]
fn objects_find_what_they_refer_to_in_other_files() {
    let files = Files::new(&[("shoot.yaml", SHOOT), ("profile.yaml", CLOUD_PROFILE)]);
    let outcome = trellis(&["validate", &files.path("shoot.yaml"), &files.path("profile.yaml")], "");
    assert!(
        outcome.stdout.contains("spec.region: Invalid value: \"north\": is none of the CloudProfile"),
        "{}",
        outcome.stdout
    );
    assert!(outcome.stdout.contains(&format!("--> {}:8:11\n", files.path("shoot.yaml"))));
    let alone = trellis(&["validate", &files.path("shoot.yaml")], "");
    assert_eq!(alone.status, Status::Success);
}

const BINDING: &str = "\
apiVersion: security.gardener.cloud/v1alpha1
kind: CredentialsBinding
metadata:
  name: mine
  namespace: garden-dev
provider:
  type: acme
credentialsRef:
  kind: Secret
  name: credentials
  namespace: garden-dev
";

fn bound_shoot() -> String {
    SHOOT.replace("region: north", "region: north\n  credentialsBindingName: mine")
}

fn secret() -> String {
    SECRET.replace("name: credentials", "name: credentials\n  namespace: garden-dev")
}

#[test]
fn given_objects_answer_queries_and_the_further_queries_that_follow() {
    let alone = trellis(&["validate"], &bound_shoot());
    assert!(alone.stderr.contains("CredentialsBinding \"mine\" is not known"), "{}", alone.stderr);
    let half = trellis(&["validate"], &joined(&[&bound_shoot(), BINDING]));
    assert!(!half.stderr.contains("CredentialsBinding \"mine\""), "{}", half.stderr);
    assert!(half.stderr.contains("Secret \"credentials\" is not known"), "{}", half.stderr);
    let strong = secret().replace("hunter2", "hunter2hunter2hunter2");
    let whole = trellis(&["validate"], &joined(&[&bound_shoot(), BINDING, &strong]));
    assert!(whole.stdout.contains("accepted Shoot garden-dev/crazy"), "{}", whole.stdout);
    assert!(!whole.stderr.contains("undecided"), "{}", whole.stderr);
    let empty = trellis(&["validate"], &joined(&[&bound_shoot(), BINDING, &secret().replace("key:", "lock:")]));
    assert!(empty.stdout.contains("leads to a Secret without a key"), "{}", empty.stdout);
}

#[test]
fn an_object_of_another_group_answers_no_query_and_one_without_a_group_does() {
    let foreign = BINDING.replace("security.gardener.cloud", "security.example.com");
    let open = trellis(&["validate"], &joined(&[&bound_shoot(), &foreign]));
    assert!(open.stderr.contains("CredentialsBinding \"mine\" is not known"), "{}", open.stderr);
    let bare = BINDING.replace("apiVersion: security.gardener.cloud/v1alpha1\n", "");
    let next = trellis(&["validate"], &joined(&[&bound_shoot(), &bare]));
    assert!(next.stderr.contains("Secret \"credentials\" is not known"), "{}", next.stderr);
}

#[test]
fn facts_of_the_caller_go_before_what_given_objects_answer() {
    let files = Files::new(&[("facts.yaml", "- query: secret\n  answer: {response: {data: {}}}\n")]);
    let given = joined(&[&bound_shoot(), BINDING, &secret()]);
    let outcome = trellis(&["validate", "--facts", &files.path("facts.yaml")], &given);
    assert!(outcome.stdout.contains("leads to a Secret without a key"), "{}", outcome.stdout);
}

#[test]
fn facts_decide_what_was_undecided() {
    let shoot = SHOOT.replace("region: north", "region: north\n  image: mine");
    let files = Files::new(&[
        ("facts.yaml", "- query: image\n  answer: {response: {}}\n"),
        ("wrong.yaml", "query: image\n"),
    ]);
    let open = trellis(&["validate"], &shoot);
    assert!(open.stderr.contains("undecided[ACM-IMG-001]: Shoot garden-dev/crazy"), "{}", open.stderr);
    assert!(!open.stdout.contains("accepted"), "nobody may take it for accepted: {}", open.stdout);
    let decided = trellis(&["validate", "--facts", &files.path("facts.yaml")], &shoot);
    assert!(decided.stdout.contains("accepted Shoot garden-dev/crazy"), "{}", decided.stdout);
    let wrong = trellis(&["validate", "--facts", &files.path("wrong.yaml")], &shoot);
    assert_eq!(wrong.status, Status::Failed);
    assert!(wrong.stderr.contains("the facts are not a list"), "{}", wrong.stderr);
    let files =
        Files::new(&[("odd.yaml", "- query: image\n  answer: {response: {}}\n- query: image\n  answer: 1\n")]);
    let odd = trellis(&["validate", "--facts", &files.path("odd.yaml")], &shoot);
    assert_eq!(odd.status, Status::Failed);
    assert!(odd.stderr.contains("this is not a fact") && odd.stderr.contains("odd.yaml:3:3"), "{}", odd.stderr);
}
