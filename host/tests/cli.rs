//! The command line, on toy policies.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic")]

mod support;

use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{Outcome, trellis, trellis_bytes};
use tempfile::TempDir;
use trellis_host::cli::Status;

const SHOOT: &str = "\
apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata:
  name: crazy
  namespace: garden-dev
spec:
  cloudProfileName: acme
  region: north
  kubernetes:
    version: 1.30.1
  provider:
    type: acme
    infrastructureConfig:
      networks:
        cidr: 10.0.0.0/16
";

const CLOUD_PROFILE: &str = "\
apiVersion: core.gardener.cloud/v1beta1
kind: CloudProfile
metadata:
  name: acme
spec:
  type: acme
  regions: [south]
";

const SECRET: &str = "\
apiVersion: v1
kind: Secret
metadata:
  name: credentials
  labels:
    provider.shoot.gardener.cloud/acme: 'true'
data:
  key: hunter2
";

const CONFIG_MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: notes\n";

fn broken_shoot() -> String {
    SHOOT.replace("10.0.0.0/16", "10.0.0.7/16")
}

fn joined(documents: &[&str]) -> String {
    documents.join("---\n")
}

/// Files in a directory of their own.
struct Files(TempDir);

impl Files {
    fn new(files: &[(&str, &str)]) -> Self {
        let directory = TempDir::new().unwrap();
        for (name, text) in files {
            std::fs::write(directory.path().join(name), text).unwrap();
        }
        Self(directory)
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }
}

fn json(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error}: {}", outcome.stdout))
}

#[test]
fn people_see_every_mistake_at_its_place_with_its_remedy() {
    let shoot = broken_shoot()
        .replace("1.30.1", "1.30")
        .replace("region: north", "region: north\n  purpose: testing\n  image: mine");
    let input = joined(&[&shoot, CONFIG_MAP, CLOUD_PROFILE, SECRET]);
    let outcome = trellis(&["validate"], &input);
    assert_eq!(outcome.status, Status::Rejected);
    insta::assert_snapshot!("human_stdout", outcome.stdout);
    insta::assert_snapshot!("human_stderr", outcome.stderr);
}

#[test]
fn colors_come_and_go_as_asked() {
    let colored = trellis(&["validate", "--color", "always"], &broken_shoot()).stdout;
    let plain = trellis(&["--color", "never", "validate"], &broken_shoot()).stdout;
    assert!(colored.contains("\x1b[") && !plain.contains('\x1b'));
    let colored = trellis(&["default", "--color", "always"], SHOOT).stdout;
    assert!(colored.contains("\x1b[32m+    controlPlaneConfig:\x1b[0m"));
}

#[test]
fn columns_count_characters_in_every_format() {
    let shoot = format!("{{\"kind\":\"Shoot\",\"metadata\":{{\"name\":\"é😀\"}},\"spec\":{SPEC_IN_ONE_LINE}");
    let human = trellis(&["validate"], &shoot).stdout;
    let column = shoot.chars().position(|character| character == '7').unwrap() - "\"10.0.0.".len() + 1;
    assert!(human.contains(&format!("--> <stdin>:1:{column}\n")), "{human}");
    let entry = &json(&trellis(&["validate", "-o", "json"], &shoot))[0]["findings"][0];
    assert_eq!(entry["column"], column);
    let region = "/runs/0/results/0/locations/0/physicalLocation/region/startColumn";
    let sarif = json(&trellis(&["validate", "-o", "sarif"], &shoot));
    assert_eq!(sarif.pointer(region).unwrap(), column + 1, "one character is two units of UTF-16");
}

const SPEC_IN_ONE_LINE: &str =
    r#"{"provider":{"type":"acme","infrastructureConfig":{"networks":{"cidr":"10.0.0.7/16"}}}}}"#;

#[test]
fn programs_get_one_entry_an_object_with_places() {
    let input = joined(&[&broken_shoot(), CLOUD_PROFILE]);
    let entries = json(&trellis(&["validate", "-o", "json"], &input));
    assert_eq!(entries[0]["verdict"], "reject");
    assert_eq!(entries[0]["operation"], "create");
    assert_eq!(entries[0]["line"], 1);
    let finding = &entries[0]["findings"][0];
    assert_eq!([&finding["line"], &finding["column"]], [15, 15]);
    assert_eq!([&finding["endLine"], &finding["endColumn"]], [15, 26]);
    assert_eq!(finding["fix"][0]["op"], "replace");
    assert_eq!(entries[0]["changes"][0]["rule"], "ACM-DEF-001");
    assert_eq!(entries[1]["kind"], "CloudProfile");
    assert_eq!(entries[1]["verdict"], "accept");
    assert_eq!(entries[1]["line"], 17);
}

#[test]
fn yaml_output_says_the_same_as_json() {
    let input = joined(&[&broken_shoot(), CLOUD_PROFILE]);
    let yaml = trellis(&["validate", "-o", "yaml"], &input).stdout;
    let (_, nodes) = trellis_host::source::read("yaml", yaml.as_bytes()).unwrap();
    let from_yaml: Value = serde_json::from_str(&nodes[0].to_json()).unwrap();
    assert_eq!(from_yaml, json(&trellis(&["validate", "-o", "json"], &input)));
}

#[test]
fn sarif_follows_its_schema() {
    let text = std::fs::read_to_string(fixture("sarif-2.1.0.json")).unwrap();
    // The pattern of language tags has a stray bracket, with which it is no regular expression.
    let text = text.replace("{2}]?$", "{2}?$");
    let schema: Value = serde_json::from_str(&text).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let undecided = SHOOT.replace("region: north", "region: north\n  image: mine");
    let unknown = SHOOT.replace("type: acme", "type: other");
    let inputs = [
        joined(&[&broken_shoot(), CLOUD_PROFILE, SECRET]),
        SHOOT.to_owned(),
        undecided,
        unknown,
        "a: b: c".to_owned(),
    ];
    for input in inputs {
        let log = json(&trellis(&["validate", "-o", "sarif"], &input));
        let errors: Vec<_> = schema.iter_errors(&log).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        assert_eq!(log["runs"][0]["columnKind"], "utf16CodeUnits");
    }
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

#[test]
fn sarif_results_refer_to_the_rules_they_come_from() {
    let input = joined(&[&broken_shoot().replace("region: north", "region: north\n  image: mine"), CLOUD_PROFILE]);
    let log = json(&trellis(&["validate", "-o", "sarif"], &input));
    let run = &log["runs"][0];
    for result in run["results"].as_array().unwrap() {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
    }
    assert_eq!(run["results"][0]["level"], "error");
    assert_eq!(run["results"][2]["kind"], "open");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
}

#[test]
fn sarif_tells_what_could_not_be_judged() {
    let log = json(&trellis(&["validate", "-o", "sarif"], "kind: Shoot\nspec:\n  provider:\n    type: other\n"));
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let location = "/toolExecutionNotifications/0/locations/0/physicalLocation/region/startLine";
    assert_eq!(invocation.pointer(location).unwrap(), 4);
}

#[test]
fn github_gets_workflow_commands() {
    let shoot = broken_shoot().replace("region: north", "region: north\n  image: mine");
    let outcome = trellis(&["validate", "-o", "github"], &joined(&[&shoot, CLOUD_PROFILE]));
    insta::assert_snapshot!("github", outcome.stdout);
    let outcome = trellis(&["validate", "-o", "github"], "kind: Shoot\nkind: Shoot\n");
    assert_eq!(outcome.status, Status::Failed);
    assert!(outcome.stdout.starts_with("::error file=<stdin>,line=2,col=1,"), "{}", outcome.stdout);
}

#[test]
fn values_of_secrets_never_appear() {
    let secrets = [
        SECRET.to_owned(),
        SECRET.replace("key: hunter2", "key: hunter2\n  key: hunter2"),
        SECRET.replace("key: hunter2", "key: hunter2: hunter2"),
        SECRET.replace("key: hunter2", "key: @hunter2"),
        SECRET.replace("metadata:", "data: hunter2\nmetadata:"),
        SECRET.replace("kind: Secret", "kind: Secret\nkind: hunter2"),
        format!("{{\"kind\":\"Secret\",\"data\":{{\"key\":\"hunter2\"}}{}", "}}"),
        format!("kind: List\nitems:\n- {}", SECRET.replace('\n', "\n  ")),
        SECRET.replace("kind: Secret", "kind: InternalSecret"),
        SECRET.replace("kind: Secret", "kind: SecretList\nitems: [{data: {key: hunter2}}]"),
    ];
    for secret in secrets {
        for format in ["human", "json", "yaml", "sarif", "github"] {
            let outcome = trellis(&["validate", "-o", format, "--provider", "acme"], &secret);
            assert_ne!(outcome.status, Status::Success, "{format}: {secret}");
            assert!(!outcome.stdout.contains("hunter2"), "{format}: {}", outcome.stdout);
            assert!(!outcome.stderr.contains("hunter2"), "{format}: {}", outcome.stderr);
        }
        for format in ["human", "json", "yaml", "patch"] {
            let outcome = trellis(&["default", "-o", format, "--provider", "acme"], &secret);
            assert!(!(outcome.stdout + &outcome.stderr).contains("hunter2"), "{format}: {secret}");
        }
    }
}

#[test]
fn exit_codes_tell_accepted_rejected_and_failed_apart() {
    let warned = SHOOT.replace("1.30.1", "1.30");
    let undecided = SHOOT.replace("region: north", "region: north\n  image: mine");
    let unknown = SHOOT.replace("type: acme", "type: other");
    let table: Vec<(&[&str], String, Status)> = vec![
        (&["validate"], SHOOT.to_owned(), Status::Success),
        (&["validate"], broken_shoot(), Status::Rejected),
        (&["validate"], warned.clone(), Status::Success),
        (&["validate", "--strict"], warned, Status::Rejected),
        (&["validate"], undecided.clone(), Status::Success),
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
        (&["validate", "-", "-"], SHOOT.to_owned(), Status::Failed),
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
    assert!(outcome.stdout.contains("spec.region: is none of the CloudProfile"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains(&format!("--> {}:8:11\n", files.path("shoot.yaml"))));
    let alone = trellis(&["validate", &files.path("shoot.yaml")], "");
    assert_eq!(alone.status, Status::Success);
}

#[test]
fn an_old_version_makes_an_update() {
    let files = Files::new(&[("old.yaml", SHOOT), ("new.yaml", &broken_shoot()), ("other.yaml", CLOUD_PROFILE)]);
    let (old, new) = (files.path("old.yaml"), files.path("new.yaml"));
    let outcome = trellis(&["validate", "-o", "json", "--old", &old, &new], "");
    assert_eq!(json(&outcome)[0]["operation"], "update");
    assert_eq!(json(&outcome)[0]["findings"][1]["rule"], "ACM-NET-002");
    let from_stdin = trellis(&["validate", "--old", "-", &new], SHOOT);
    assert!(from_stdin.stdout.contains("field is immutable"), "{}", from_stdin.stdout);
    let unpaired = trellis(&["validate", "--old", &files.path("other.yaml"), &new], "");
    assert_eq!(unpaired.status, Status::Failed);
    assert!(
        unpaired.stderr.contains("old version of CloudProfile acme has no new version"),
        "{}",
        unpaired.stderr
    );
}

#[test]
fn ratchet_is_passed_on_for_updates() {
    let files = Files::new(&[("old.yaml", &broken_shoot()), ("new.yaml", &broken_shoot())]);
    let arguments = ["validate", "--ratchet", "--old", &files.path("old.yaml"), &files.path("new.yaml")];
    let outcome = trellis(&arguments, "");
    assert_eq!(outcome.status, Status::Success, "{}", outcome.stdout);
    assert!(outcome.stdout.contains("warning[ACM-NET-001]"), "{}", outcome.stdout);
}

/// A Shoot as a garden hands it out.
fn exported(shoot: &str) -> String {
    shoot.replace("  name: crazy\n", "  name: crazy\n  resourceVersion: '5'\n  uid: a-b\n")
}

#[test]
fn an_object_that_is_there_already_is_an_update_of_itself() {
    for metadata in ["uid: a", "resourceVersion: '5'"] {
        let shoot = SHOOT.replace("  name: crazy\n", &format!("  name: crazy\n  {metadata}\n"));
        let entry = &json(&trellis(&["validate", "-o", "json"], &shoot))[0];
        assert_eq!((&entry["operation"], &entry["ofItself"]), (&"update".into(), &true.into()), "{metadata}");
        let human = trellis(&["validate"], &shoot).stdout;
        assert!(human.contains("Shoot garden-dev/crazy is there already, and was judged as an update of itself"));
        let default = trellis(&["default"], &shoot).stdout;
        assert!(default.contains("1 change, as an update of itself\n"), "{default}");
        let entry = &json(&trellis(&["validate", "-o", "json", "--create"], &shoot))[0];
        assert_eq!((&entry["operation"], &entry["ofItself"]), (&"create".into(), &Value::Null), "{metadata}");
        let human =
            trellis(&["validate", "--create"], &shoot).stdout + &trellis(&["default", "--create"], &shoot).stdout;
        assert!(!human.contains("update of itself"), "{human}");
    }
    let human = trellis(&["validate"], SHOOT).stdout + &trellis(&["default"], SHOOT).stdout;
    assert!(!human.contains("update of itself"), "{human}");
}

#[test]
fn the_old_version_of_an_export_is_the_one_that_is_given() {
    let files = Files::new(&[("old.yaml", &exported(SHOOT)), ("new.yaml", &exported(&broken_shoot()))]);
    for create in [&[] as &[&str], &["--create"]] {
        let (old, new) = (files.path("old.yaml"), files.path("new.yaml"));
        let arguments = [&["validate", "-o", "json", "--old", &old, &new], create].concat();
        let entry = &json(&trellis(&arguments, ""))[0];
        assert_eq!((&entry["operation"], &entry["ofItself"]), (&"update".into(), &Value::Null));
        assert_eq!(entry["findings"][1]["rule"], "ACM-NET-002");
    }
}

#[test]
fn ratchet_excuses_no_error_of_an_object_that_is_its_own_old_version() {
    let files = Files::new(&[
        ("old.yaml", CLOUD_PROFILE),
        ("new.yaml", &joined(&[&exported(&broken_shoot()), CLOUD_PROFILE])),
    ]);
    let arguments = ["validate", "--ratchet", "--old", &files.path("old.yaml"), &files.path("new.yaml")];
    let outcome = trellis(&arguments, "");
    assert_eq!(outcome.status, Status::Rejected, "{}", outcome.stdout);
    assert!(outcome.stdout.contains("error[ACM-NET-001]"), "{}", outcome.stdout);
}

#[test]
fn every_format_says_that_findings_were_left_out() {
    let warned = broken_shoot().replace("1.30.1", "1.30");
    let shoot = warned.replace("region: north", "region: north\n  purpose: evaluation");
    let note = "Shoot garden-dev/crazy has more errors and warnings than are listed";
    for format in ["human", "json", "yaml", "sarif", "github"] {
        let says = |shoot: &str| {
            let text = trellis(&["validate", "-o", format], shoot).stdout;
            text.contains(note) || text.contains("truncated")
        };
        assert!(says(&shoot), "{format}");
        assert!(!says(&warned), "{format}");
    }
    let entry = &json(&trellis(&["validate", "-o", "json"], &shoot))[0];
    assert_eq!(entry["truncated"], serde_json::json!(["error", "warning"]));
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

#[test]
fn what_a_default_set_is_shown_at_the_nearest_place_that_was_written() {
    let shoot = SHOOT.replace("region: north", "region: north\n  purpose: testing");
    let outcome = trellis(&["validate"], &shoot);
    assert!(outcome.stdout.contains("--> <stdin>:12:3\n"), "{}", outcome.stdout);
    let note = "ACM-DEF-001 set `/spec/provider/controlPlaneConfig` by default: the controller needs a mode";
    assert!(outcome.stdout.contains(note), "{}", outcome.stdout);
    let without = trellis(&["validate", "--no-defaults"], &shoot);
    assert_eq!(without.status, Status::Success, "{}", without.stdout);
}

#[test]
fn a_refusal_to_default_is_an_error_among_the_others() {
    let shoot = broken_shoot().replace("type: acme", "type: acme\n    controlPlaneConfig: text");
    let outcome = trellis(&["validate"], &shoot);
    assert_eq!(outcome.status, Status::Rejected);
    assert!(outcome.stdout.contains("error: the config is a text\n  --> <stdin>:13:25"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("error[ACM-NET-001]"), "{}", outcome.stdout);
    let defaulted = trellis(&["default"], &shoot);
    assert_eq!(defaulted.status, Status::Rejected);
    assert!(
        defaulted.stderr.contains("cannot have defaults as it is: the config is a text"),
        "{}",
        defaulted.stderr
    );
}

#[test]
fn defaults_are_shown_with_reasons_and_as_a_diff() {
    let outcome = trellis(&["default"], &joined(&[SHOOT, CLOUD_PROFILE]));
    insta::assert_snapshot!("default_human", outcome.stdout);
    insta::assert_snapshot!("default_stderr", outcome.stderr);
}

#[test]
fn defaulted_objects_come_as_yaml_json_or_patch() {
    let second = SHOOT.replace("crazy", "'1.30'");
    let both = joined(&[SHOOT, &second]);
    let yaml = trellis(&["default", "-o", "yaml"], &both).stdout;
    assert!(yaml.contains("\n---\n") && yaml.contains("name: \"1.30\"") && yaml.contains("mode: right"), "{yaml}");
    assert_eq!(trellis(&["validate"], &yaml).status, Status::Success);
    let one = json(&trellis(&["default", "-o", "json"], SHOOT));
    assert_eq!(one["spec"]["provider"]["controlPlaneConfig"]["mode"], "right");
    assert_eq!(json(&trellis(&["default", "-o", "json"], &both)).as_array().unwrap().len(), 2);
    let patch = json(&trellis(&["default", "-o", "patch"], SHOOT));
    assert_eq!(patch[0]["op"], "add");
    let patches = json(&trellis(&["default", "-o", "patch"], &both));
    assert_eq!(patches[1]["name"], "1.30");
    assert_eq!(patches[1]["patch"][0]["op"], "add");
}

#[test]
fn rules_are_listed_and_explained() {
    insta::assert_snapshot!("rules", trellis(&["rules"], "").stdout);
    let only = trellis(&["rules", "--provider", "umbra"], "").stdout;
    assert!(only.contains("UMB-INF-001") && !only.contains("ACM"), "{only}");
    insta::assert_snapshot!("rules_show", trellis(&["rules", "show", "acm-old-001"], "").stdout);
    let unknown = trellis(&["rules", "show", "ACM-XXX-001"], "");
    assert_eq!(unknown.status, Status::Failed);
    assert!(unknown.stderr.contains("`trellis rules` lists all rules"), "{}", unknown.stderr);
}

#[test]
fn schemas_are_listed_and_printed() {
    assert!(trellis(&["schema"], "").stdout.contains("acme\n  InfrastructureConfig\n"));
    assert_eq!(json(&trellis(&["schema", "ValidateRequest"], ""))["type"], "object");
    let several = trellis(&["schema", "InfrastructureConfig"], "");
    assert_eq!(several.status, Status::Failed);
    assert!(several.stderr.contains("`acme`, `umbra`"), "{}", several.stderr);
    let one = trellis(&["schema", "InfrastructureConfig", "--provider", "umbra"], "");
    assert_eq!(json(&one)["title"], "umbra");
    assert_eq!(trellis(&["schema", "Nothing"], "").status, Status::Failed);
}

#[test]
fn completion_scripts_are_printed() {
    for shell in ["bash", "zsh", "fish"] {
        let outcome = trellis(&["completion", shell], "");
        assert_eq!(outcome.status, Status::Success);
        assert!(outcome.stdout.contains("trellis"));
    }
}

#[test]
fn eval_answers_line_by_line_in_order() {
    let shoot = r#"{"object":{"kind":"Shoot"}}"#;
    let profile = r#"{"object":{"kind":"CloudProfile","spec":{"regions":[]}}}"#;
    let long = "x".repeat(17 << 20);
    let mut input = format!("{shoot}\n{profile}\nnonsense\n\n{long}\n").into_bytes();
    input.extend(b"{\"object\":{\"kind\":\"Shoot\",\"x\":\"\xFF\"}}\n");
    // Cut within a letter.
    input.extend(format!("x{}\n{profile}", "é".repeat(9 << 20)).as_bytes());
    let outcome = trellis_bytes(&["eval", "validate", "--provider", "acme"], &input, false);
    assert_eq!(outcome.status, Status::Success);
    let answers: Vec<Value> = outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 8);
    assert_eq!(answers[0]["verdict"], "reject");
    assert_eq!(answers[1]["verdict"], "accept");
    for answer in &answers[2..7] {
        assert_eq!(answer["error"]["code"], "Malformed");
    }
    let is_about_bytes = |answer: &Value| answer["error"]["message"].as_str().unwrap().contains("is not UTF-8");
    assert!(answers[5]["error"]["message"].as_str().unwrap().ends_with("byte 32 of the line is not UTF-8"));
    assert!(!is_about_bytes(&answers[6]), "{}", answers[6]);
    assert_eq!(answers[7]["verdict"], "accept");
    assert_eq!(trellis(&["eval", "validate", "--provider", "none"], "").status, Status::Failed);
    assert_eq!(trellis(&["eval", "nothing", "--provider", "acme"], "").status, Status::Failed);
}
