//! Many files and folders: each is read once, judged for itself, and no worse for what is wrong with another.

use serde_json::Value;
use trellis_cli::Status;

use super::toy::trellis;
use super::{CLOUD_PROFILE, CONFIG_MAP, Files, SHOOT, broken_shoot, joined};

const VALUES: &str = "replicas: 3\nimage: nginx\n";

/// File, kind and verdict, error or `skipped` of every entry.
fn entries(arguments: &[&str]) -> (Status, Vec<String>) {
    let outcome = trellis(&[arguments, &["-o", "json"]].concat(), "");
    let entries: Vec<Value> = serde_json::from_str(&outcome.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let line = |entry: &Value| {
        let file = text(&entry["file"]);
        let file = file.rsplit('/').next().unwrap_or_default().to_owned();
        let skipped = entry.get("skipped").map(|_| "skipped".to_owned());
        let answer = skipped.or_else(|| entry.pointer("/error/message").map(text));
        let answer = answer.unwrap_or_else(|| text(&entry["verdict"]));
        [file, text(&entry["kind"]), answer].join(" ")
    };
    (outcome.status, entries.iter().map(line).collect())
}

#[test]
fn a_file_that_cannot_be_read_is_reported_and_the_others_are_judged() {
    let files = Files::new(&[
        ("a.yaml", SHOOT),
        ("b.yaml", "kind: Shoot\n  metadata: {}\n"),
        ("c.yaml", &SHOOT.replace("crazy", "calm")),
        ("values.yaml", VALUES),
    ]);
    let (status, found) = entries(&["validate", &files.path("")]);
    assert_eq!(status, Status::Failed);
    assert_eq!(found[..3], ["a.yaml Shoot accept", "c.yaml Shoot accept", "values.yaml - skipped"]);
    assert!(found.len() == 4 && found[3].starts_with("b.yaml - this is not valid YAML"), "{found:?}");

    let outcome = trellis(&["validate", "-f", &files.path("a.yaml"), "-f", &files.path("b.yaml")], "");
    assert!(outcome.stdout.contains("1 document: no errors, 1 file could not be read\n"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("\nJudged by acme's rules"), "not all is accepted: {}", outcome.stdout);
}

#[test]
fn what_is_no_kubernetes_object_is_named_and_left_out() {
    let files = Files::new(&[("values.yaml", &joined(&[VALUES, "- 1\n", SHOOT]))]);
    let outcome = trellis(&["validate", &files.path("values.yaml")], "");
    assert_eq!(outcome.status, Status::Success, "{}", outcome.stderr);
    for line in [1, 4] {
        let reported =
            format!("values.yaml:{line}: it is no Kubernetes object, as it has neither `apiVersion` nor `kind`");
        assert!(outcome.stderr.contains(&reported), "{}", outcome.stderr);
    }
    let folder = Files::new(&[("a.yaml", SHOOT), ("empty.yaml", "# later\n")]);
    let outcome = trellis(&["validate", &folder.path("")], "");
    assert_eq!(outcome.status, Status::Success, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("empty.yaml:1: it has no document\n"), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("2 files: 1 document accepted, 1 skipped\n"), "{}", outcome.stdout);
    assert_eq!(
        trellis(&["validate", &folder.path("empty.yaml")], "").status,
        Status::Failed,
        "it alone is a mistake"
    );
    let alone = trellis(&["validate"], VALUES);
    assert_eq!(alone.status, Status::Failed);
    assert!(alone.stderr.contains("none of the objects given is judged by a policy"), "{}", alone.stderr);
    let half = trellis(&["validate"], "apiVersion: core.gardener.cloud/v1beta1\nspec: {}\n");
    assert!(half.stderr.contains("has no `kind`"), "an object without its kind is a mistake: {}", half.stderr);
}

#[test]
fn folders_are_read_and_the_folders_in_them_where_that_is_asked_for() {
    let files =
        Files::new(&[("b.yaml", SHOOT), ("a.json", "{\"kind\": \"ConfigMap\"}"), ("notes.txt", "tab:\tx")]);
    std::fs::create_dir(files.path("deep")).unwrap();
    std::fs::write(files.path("deep/c.yml"), broken_shoot()).unwrap();
    let [a, b, c] = ["a.json ConfigMap skipped", "b.yaml Shoot accept", "c.yml Shoot reject"].map(str::to_owned);
    assert_eq!(entries(&["validate", &files.path("")]), (Status::Success, vec![b.clone(), a.clone()]));
    let all = vec![b, c, a];
    assert_eq!(
        entries(&["validate", "-R", &files.path(""), "-f", &files.path("b.yaml")]),
        (Status::Rejected, all)
    );
    for command in ["validate", "default", "zones", "plan"] {
        let none = trellis(&[command, "-f", &files.path("deep/none")], "");
        assert!(none.stderr.contains("check the path"), "{command}: {}", none.stderr);
    }
    std::fs::remove_file(files.path("deep/c.yml")).unwrap();
    let empty = trellis(&["validate", &files.path("deep")], "");
    assert_eq!(empty.status, Status::Failed);
    assert!(
        empty.stderr.contains("deep` has no file that ends in `.yaml`, `.yml` or `.json`"),
        "{}",
        empty.stderr
    );
}

#[test]
fn objects_of_with_are_referred_to_and_neither_judged_nor_reported() {
    let odd = CLOUD_PROFILE.replace("name: acme", "name: odd").replace("regions", "areas");
    let files = Files::new(&[("a.yaml", SHOOT), ("b.yaml", "kind: Shoot\n  metadata: {}\n")]);
    std::fs::create_dir_all(files.path("garden/deep")).unwrap();
    for (name, text) in [
        ("garden/profile.yaml", joined(&[CLOUD_PROFILE, &odd, CONFIG_MAP, VALUES])),
        ("garden/deep/broken.yaml", "a: [\n".to_owned()),
    ] {
        std::fs::write(files.path(name), text).unwrap();
    }
    let (shoot, garden) = (files.path("a.yaml"), files.path("garden"));
    let profile = files.path("garden/profile.yaml");
    let reject = vec!["a.yaml Shoot reject".to_owned()];
    let with = |more: &[&str]| entries(&[&["validate", &shoot, "--with", &garden], more].concat());
    assert_eq!(entries(&["validate", &shoot]).1, ["a.yaml Shoot accept"]);
    assert_eq!(with(&[]), (Status::Rejected, reject.clone()), "the region is none of the profile");
    assert_eq!(with(&["--with", &profile]), (Status::Rejected, reject), "a file counts once");
    assert_eq!(with(&[&profile]).1.len(), 5, "a file that is to be judged is judged");
    let outcome = trellis(&["validate", &shoot, "--with", &profile], "");
    assert!(outcome.stdout.contains("\n1 document: 1 error\n") && !outcome.stdout.contains("files:"));
    assert!(outcome.stderr.is_empty(), "{}", outcome.stderr);
    let (status, broken) = with(&["-R"]);
    assert_eq!((status, broken.len()), (Status::Failed, 2), "a file that cannot be read is an error");
    let alone = trellis(&["default", "--with", &profile], SHOOT);
    assert_eq!(alone.status, Status::Success, "standard input is read: {}", alone.stderr);
    assert!(!alone.stdout.contains("CloudProfile") && alone.stderr.is_empty(), "{}", alone.stderr);
}

#[test]
fn a_run_over_several_files_ends_with_its_numbers() {
    let broken = joined(&[&broken_shoot(), &broken_shoot().replace("crazy", "calm").replace("1.30.1", "1.30")]);
    let open = SHOOT.replace("region: north", "region: north\n  image: mine");
    let files = Files::new(&[
        ("a.yaml", &broken),
        ("b.yaml", &joined(&[SHOOT, CONFIG_MAP, VALUES])),
        ("c.yaml", &open),
        ("d.yaml", "a: [\n"),
    ]);
    let sum = "4 files: 1 document accepted, 2 rejected, 1 undecided, 2 skipped\n\
               4 documents: 2 errors, 1 warning, 1 undecided, 1 file could not be read\n\n\
               RULE         SEVERITY  FINDINGS\n\
               ACM-NET-001  error            2\n\
               ACM-ADV-001  warning          1\n\n\
               Judged by";
    let several = trellis(&["validate", &files.path("")], "").stdout;
    assert!(several.contains(sum), "{several}");
    let one = trellis(&["validate", &files.path("a.yaml")], "").stdout;
    assert!(one.contains("\n2 documents: ") && !one.contains("files:") && !one.contains("RULE"), "{one}");
    let github = trellis(&["validate", "-o", "github", &files.path("")], "").stdout;
    assert!(!github.contains("FINDINGS"), "{github}");
}

#[test]
fn objects_of_one_name_in_different_files_are_distinguished() {
    let elsewhere = CLOUD_PROFILE.replace("south", "north");
    let files = Files::new(&[
        ("a.yaml", &joined(&[SHOOT, &elsewhere])),
        ("b.yaml", &joined(&[SHOOT, CLOUD_PROFILE, CLOUD_PROFILE])),
        ("c.yaml", SHOOT),
    ]);
    let (_, found) = entries(&["validate", &files.path("a.yaml"), &files.path("b.yaml")]);
    let expected =
        ["a.yaml Shoot accept", "a.yaml CloudProfile accept", "b.yaml Shoot reject", "b.yaml CloudProfile accept"];
    assert_eq!(found, expected, "each means the profile in its own file");

    let outcome = trellis(&["validate", &files.path("")], "");
    let reported = format!(
        "Shoot garden-dev/crazy ({}:1) refers to CloudProfile acme, and files have different ones ({}:17, {}:17)",
        files.path("c.yaml"),
        files.path("a.yaml"),
        files.path("b.yaml")
    );
    assert!(outcome.stderr.contains(&reported), "{}", outcome.stderr);
    assert_eq!(outcome.stderr.matches("refers to CloudProfile").count(), 1, "{}", outcome.stderr);
}

#[test]
fn every_format_says_what_the_verdicts_cover_and_what_they_do_not() {
    let covered = "by acme's rules (v1.0). Not checked: what Gardener itself checks.";
    for format in ["human", "github", "sarif"] {
        let outcome = trellis(&["validate", "-o", format], SHOOT);
        assert!(outcome.stdout.contains(&format!("Accepted {covered}")), "{format}: {}", outcome.stdout);
        let outcome = trellis(&["validate", "-o", format], &broken_shoot());
        assert!(outcome.stdout.contains(&format!("Judged {covered}")), "{format}: {}", outcome.stdout);
        let outcome = trellis(&["validate", "-o", format], &joined(&[SHOOT, CONFIG_MAP]));
        assert!(outcome.stdout.contains(&format!("Judged {covered}")), "{format}: not every object is judged");
    }
    let outcome = trellis(&["validate", "-o", "json"], &joined(&[SHOOT, CONFIG_MAP]));
    let entries: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let scope = serde_json::json!({ "checked": ["provider-acme v1.0.0"], "notChecked": ["gardener"] });
    assert_eq!(entries[0]["scope"], scope);
}

#[test]
fn every_format_names_what_no_policy_judges() {
    let text = joined(&[SHOOT, CONFIG_MAP, "replicas: 3\n"]);
    for format in ["json", "yaml", "github", "sarif"] {
        let outcome = trellis(&["validate", "-o", format], &text);
        assert_eq!(outcome.status, Status::Success, "{}", outcome.stderr);
        assert!(outcome.stdout.contains("no Kubernetes object"), "{format}: {}", outcome.stdout);
        assert!(outcome.stdout.contains("ConfigMap"), "{format}: {}", outcome.stdout);
        assert_eq!(outcome.stderr.matches("skipped").count(), 2, "{format}: {}", outcome.stderr);
    }
    let entries: Value = serde_json::from_str(&trellis(&["validate", "-o", "json"], &text).stdout).unwrap();
    let skipped: Vec<_> =
        entries.as_array().unwrap().iter().filter(|entry| entry["skipped"].is_string()).collect();
    assert_eq!(skipped.len(), 2);
    assert!(skipped.iter().all(|entry| entry["verdict"].is_null() && entry["line"].is_u64()));
}

#[test]
fn programs_get_a_document_from_a_command_line_that_nobody_can_parse_and_from_defaults_that_fail() {
    for (arguments, is_list) in [
        (&["validate", "--bogus"][..], true),
        (&["default", "--bogus"], false),
        (&["default", "none.yaml"], false),
    ] {
        let outcome = trellis(&[arguments, &["-o", "json"]].concat(), "");
        assert_eq!(outcome.status, Status::Failed);
        let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
        let error = if is_list { &document[0]["error"] } else { &document["error"] };
        assert!(error["message"].is_string(), "{arguments:?}: {document}");
    }
}

#[test]
fn what_nobody_sees_is_shown_by_its_code_on_one_line() {
    let shoot = SHOOT.replace("10.0.0.0/16", "\"10.0.\u{200b}0.7/16\\nx\"");
    for format in ["human", "github"] {
        let outcome = trellis(&["validate", "-o", format], &shoot);
        let line = outcome.stdout.lines().find(|line| line.contains("U+200B")).unwrap_or_default();
        assert!(line.contains("10.0.U+200B0.7/16"), "{format}: {}", outcome.stdout);
    }
}

#[test]
fn a_tab_that_indents_is_an_error_at_the_tab() {
    let outcome = trellis(&["validate"], &SHOOT.replace("  region:", "\tregion:"));
    assert_eq!(outcome.status, Status::Failed);
    assert!(outcome.stderr.contains("region: north"), "the line of the tab: {}", outcome.stderr);
    assert!(outcome.stderr.contains("indent with spaces"), "{}", outcome.stderr);
}

#[test]
fn an_object_that_was_judged_as_an_update_of_itself_is_named_in_every_format() {
    let live = SHOOT.replacen("metadata:\n", "metadata:\n  uid: 1f\n", 1);
    for format in ["human", "github", "sarif"] {
        let outcome = trellis(&["validate", "-o", format], &live);
        assert!(outcome.stdout.contains("judged as an update of itself"), "{format}: {}", outcome.stdout);
    }
}

#[test]
fn a_provider_without_a_policy_is_named_and_never_accepted() {
    let other = SHOOT.replace("type: acme", "type: aws");
    for command in ["validate", "default", "zones", "plan"] {
        let outcome = trellis(&[command], &other);
        assert_ne!(outcome.status, Status::Success);
        assert!(outcome.stderr.contains("`aws` is not supported yet"), "{command}: {}", outcome.stderr);
        assert!(!outcome.stdout.contains("ccepted"), "{command}: {}", outcome.stdout);
    }
}

#[test]
fn a_binding_of_a_provider_without_a_policy_is_left_out_and_the_others_are_judged() {
    let binding = "apiVersion: security.gardener.cloud/v1alpha1\nkind: CredentialsBinding\n\
                   metadata: {name: b, namespace: garden-dev}\nprovider: {type: hcloud}\n";
    let outcome = trellis(&["validate"], &format!("{SHOOT}\n---\n{binding}"));
    assert_eq!(outcome.status, trellis(&["validate"], SHOOT).status);
    assert!(outcome.stderr.contains("Trellis has no rules of its provider yet"), "{}", outcome.stderr);
    assert_ne!(trellis(&["validate"], binding).status, Status::Success);
}

#[test]
fn json_is_a_document_whatever_went_wrong() {
    for arguments in
        [&["validate", "none.yaml"][..], &["validate", "--provider", "other"], &["validate", "-", "--old", "-"]]
    {
        let outcome = trellis(&[arguments, &["-o", "json"]].concat(), SHOOT);
        let entries: Value = serde_json::from_str(&outcome.stdout).unwrap();
        assert!(
            entries.as_array().unwrap().iter().any(|entry| entry["error"]["message"].is_string()),
            "{entries}"
        );
        let outcome = trellis(&[arguments, &["-o", "yaml"]].concat(), SHOOT);
        assert!(outcome.stdout.contains("error:\n"), "{}", outcome.stdout);
    }
}
