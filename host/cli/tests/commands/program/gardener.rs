//! Objects that Gardener's own rules and those of a provider judge together.

#![cfg(feature = "native")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A Shoot and its CloudProfile, with which nothing is wrong.
fn manifests() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let text = fs::read_to_string(root.join("examples/five-mistakes.yaml")).unwrap();
    // The mistakes, fixed.
    [
        ("workers: 10.250.1.0/19", "workers: 10.250.0.0/19"),
        ("workers: 10.250.128.0/19", "workers: 10.250.32.0/19"),
        ("pods: 10.250.192.0/18", "pods: 172.16.0.0/16"),
        ("      - name: containerd\n        type", "      - name: containerd\n        size: 50Gi\n        type"),
        ("      - eu-central-1c\n", ""),
    ]
    .into_iter()
    .fold(text, |text, (wrong, right)| {
        assert!(text.contains(wrong), "{wrong}");
        text.replace(wrong, right)
    })
}

struct Folder(TempDir);

impl Folder {
    fn new(manifests: &str) -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("m.yaml"), manifests).unwrap();
        Self(folder)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_trellis")).args(arguments).current_dir(self.0.path()).output().unwrap()
    }

    fn validate(&self, options: &[&str]) -> (Option<i32>, String) {
        let output = self.run(&[&["validate", "m.yaml", "--now", "2026-06-01T00:00:00Z"], options].concat());
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    }

    /// Rule, source, severity and place of each finding about the Shoot.
    fn findings(&self, options: &[&str]) -> Vec<(String, String, String, String)> {
        let (_, text) = self.validate(&[&["-o", "json"], options].concat());
        let entries: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let shoot = entries.as_array().unwrap().iter().find(|entry| entry["kind"] == "Shoot").unwrap();
        let text = |finding: &Value, member: &str| finding[member].as_str().unwrap().to_owned();
        let findings = shoot["findings"].as_array().unwrap_or_else(|| panic!("{shoot}")).iter();
        findings
            .map(|one| (text(one, "rule"), text(one, "source"), text(one, "severity"), text(one, "pointer")))
            .collect()
    }
}

#[test]
fn a_verdict_says_whose_rules_it_covers_and_what_nobody_checked() {
    let (status, text) = Folder::new(&manifests()).validate(&[]);
    assert_eq!(status, Some(0), "{text}");
    let expected =
        "Accepted by Gardener's rules (v1.150, structure, values, profile) and alicloud's (v1.72). Not checked: ";
    let last = text.lines().last().unwrap();
    assert!(last.starts_with(expected), "{text}");
    for section in ["what needs other objects", "what needs the Shoots of the profile"] {
        assert!(last.contains(section), "{section}: {last}");
    }
    assert!(!last.contains("the seed"), "the Shoot names none: {last}");
    assert!(!last.contains("what Gardener itself checks"), "{last}");
}

#[test]
fn mistakes_in_any_part_of_a_shoot_are_found_at_their_lines() {
    let text = manifests();
    let shoot = |wrong: &str, right: &str| {
        let (profile, shoot) = text.split_once("kind: Shoot").unwrap();
        assert!(shoot.contains(right), "{right}");
        format!("{profile}kind: Shoot{}", shoot.replacen(right, wrong, 1))
    };
    for (wrong, right, rule, pointer) in [
        ("type: ecs.doesnotexist", "type: ecs.g7.large", "ADM-MACH-010", "/spec/provider/workers/0/machine/type"),
        ("minimum: 9", "minimum: 2", "GDN-WRK-009", "/spec/provider/workers/0/maximum"),
        ("region: mars-1", "region: eu-central-1", "ADM-REG-001", "/spec/region"),
        ("workrs:\n    - name: w", "workers:\n    - name: w", "DEC-2", "/spec/provider/workrs"),
        ("version: 9.99.0", "version: 1.33.2", "ADM-K8S-001", "/spec/kubernetes/version"),
    ] {
        let found = Folder::new(&shoot(wrong, right)).findings(&["--gardener-version", "v1.143.1"]);
        let of_rule = found.iter().find(|(id, ..)| id == rule).unwrap_or_else(|| panic!("{wrong}: {found:?}"));
        assert_eq!((of_rule.1.as_str(), of_rule.3.as_str()), ("gardener", pointer), "{wrong}");
    }
}

#[test]
fn what_both_have_is_reported_once_and_the_provider_shows_it() {
    let wrong = manifests().replace("        size: 50Gi\n        type", "        type");
    let found = Folder::new(&wrong).findings(&[]);
    let size = "/spec/provider/workers/0/dataVolumes/0/size";
    let at: Vec<&str> = found.iter().filter(|one| one.3 == size).map(|one| one.0.as_str()).collect();
    assert_eq!(at, ["ALI-WRK-008"]);
}

#[test]
fn findings_of_both_come_in_the_order_of_the_text() {
    let wrong = manifests()
        .replace("workers: 10.250.0.0/19", "workers: 10.250.1.0/19")
        .replace("region: eu-central-1\n", "region: mars-1\n")
        .replace("minimum: 2", "minimum: 9");
    let found = Folder::new(&wrong).findings(&[]);
    let sources: Vec<&str> = found.iter().map(|one| one.1.as_str()).collect();
    assert!(sources.contains(&"gardener") && sources.contains(&"alicloud"), "{found:?}");
    let (_, text) = Folder::new(&wrong).validate(&["-o", "json"]);
    let entries: Value = serde_json::from_str(&text).unwrap();
    for entry in entries.as_array().unwrap() {
        let findings = entry["findings"].as_array().unwrap().iter();
        let places: Vec<_> = findings.map(|one| (one["line"].as_u64(), one["column"].as_u64())).collect();
        assert!(places.is_sorted(), "{places:?}");
    }
}

#[test]
fn an_object_of_a_provider_without_a_policy_is_judged_by_gardeners_rules_alone() {
    let other = manifests().replace("type: alicloud", "type: ironcore");
    let folder = Folder::new(&other);
    let (status, text) = folder.validate(&[]);
    assert_eq!(status, Some(0), "{text}");
    let last = text.lines().last().unwrap();
    assert!(
        last.starts_with(
            "Accepted by Gardener's rules (v1.150, structure, values, profile). Not checked: ironcore's rules (Trellis has \
             none of them yet), "
        ),
        "{last}"
    );
    let (_, text) = folder.validate(&["-o", "json"]);
    let entries: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(entries[0]["provider"], "ironcore");
    assert_eq!(entries[0]["scope"]["checked"], json!(["gardener v1.150"]));
    let defaults = folder.run(&["default", "m.yaml"]);
    assert_eq!(defaults.status.code(), Some(0));
    let zones = folder.run(&["zones", "m.yaml"]);
    assert_eq!(zones.status.code(), Some(2));
    assert!(String::from_utf8(zones.stderr).unwrap().contains("`ironcore` is not supported yet"));
}

#[test]
fn a_seed_is_judged_by_its_structure_whatever_its_provider() {
    for provider in ["alicloud", "ironcore"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let seed = fs::read_to_string(root.join("examples/seed.yaml")).unwrap();
        let seed = seed.replace(": alicloud\n", &format!(": {provider}\n"));
        let (status, text) = Folder::new(&seed).validate(&[]);
        assert_eq!(status, Some(0), "{text}");
        let last = text.lines().last().unwrap();
        assert!(last.starts_with("Accepted by Gardener's rules (v1.150, structure)"), "{last}");
        assert!(last.contains("the values of a Seed"), "{last}");
        let wrong = seed.replace("    zones:\n", "    zone:\n").replace("controller:\n", "contoller:\n");
        let (_, text) = Folder::new(&wrong).validate(&["-o", "json"]);
        let entries: Value = serde_json::from_str(&text).unwrap();
        let found = entries[0]["findings"].as_array().unwrap().iter().map(|one| [&one["rule"], &one["pointer"]]);
        let expected = [["DEC-2", "/spec/provider/zone"], ["DEC-2", "/spec/ingress/contoller"]];
        assert_eq!(found.collect::<Vec<_>>(), expected, "{text}");
    }
}

#[test]
fn an_item_of_a_list_without_a_kind_is_reported_and_the_others_are_judged() {
    let items: Vec<Value> = serde_saphyr::from_multiple(&manifests()).unwrap();
    let list = json!({ "apiVersion": "v1", "kind": "List", "items": [items[0], { "metadata": { "name": "x" } }, items[1]] });
    let output = Folder::new(&list.to_string()).run(&["validate", "m.yaml", "-o", "json"]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("has no `kind`"), "{stderr}");
    let entries: Value = serde_json::from_slice(&output.stdout).unwrap();
    let verdicts: Vec<_> =
        entries.as_array().unwrap().iter().map(|entry| [&entry["kind"], &entry["verdict"]]).collect();
    let accepted = |kind: &str| [json!(kind), json!("accept")];
    assert_eq!(entries.as_array().unwrap().len(), 3, "{entries}");
    assert_eq!(verdicts[..2], [accepted("CloudProfile").each_ref(), accepted("Shoot").each_ref()], "{entries}");
}

#[test]
fn a_value_of_a_wrong_type_is_a_finding_though_the_provider_cannot_read_it() {
    let folder = Folder::new(&manifests().replace("minimum: 2", "minimum: many"));
    let (status, text) = folder.validate(&[]);
    assert_eq!(status, Some(1), "{text}");
    assert!(
        text.contains(
            "error[DEC-5]: spec.provider.workers[0].minimum: Invalid value: \"many\": expected a 32-bit integer"
        ),
        "{text}"
    );
    assert!(
        text.contains("1 error\n") && text.contains("and alicloud's (v1.72)."),
        "what it hides is judged too: {text}"
    );
}

#[test]
fn defaults_are_those_of_both_each_with_its_source() {
    let folder = Folder::new(&manifests());
    let output = folder.run(&["default", "m.yaml", "-o", "patch"]);
    assert_eq!(output.status.code(), Some(0));
    let entries: Value = serde_json::from_slice(&output.stdout).unwrap();
    let shoot = entries.as_array().unwrap().iter().find(|entry| entry["kind"] == "Shoot").unwrap();
    assert!(shoot["patch"].as_array().unwrap().len() > 10, "{shoot}");
    let human = String::from_utf8(folder.run(&["default", "m.yaml"]).stdout).unwrap();
    assert!(human.contains("  DEF-2  /spec/purpose  by gardener\n"), "{human}");
    assert!(human.contains("  by alicloud\n"), "{human}");
}

#[test]
fn an_update_without_a_change_has_no_findings_of_what_gardener_filled_in() {
    let folder = Folder::new(&manifests());
    let old = folder.file("old.yaml", &manifests());
    assert_eq!(folder.findings(&["--old", &old.display().to_string()]), []);
}

#[test]
fn the_time_decides_which_versions_have_expired() {
    let expires = manifests().replacen(
        "    - version: 1.33.2\n",
        // The latest version has no date.
        "    - version: 1.33.2\n      expirationDate: 2026-07-01T00:00:00Z\n    - version: 1.33.3\n",
        1,
    );
    assert!(expires.contains("expirationDate"));
    let folder = Folder::new(&expires);
    for (now, status) in [("2026-06-01T00:00:00Z", 0), ("2026-08-01T02:00:00+02:00", 1)] {
        let output = folder.run(&["validate", "m.yaml", "--now", now]);
        assert_eq!(output.status.code(), Some(status), "{now}: {}", String::from_utf8_lossy(&output.stdout));
    }
    assert_eq!(folder.run(&["validate", "m.yaml", "--now", "soon"]).status.code(), Some(2));
}

#[test]
fn an_unknown_field_is_an_error_where_the_garden_is_known() {
    let wrong = manifests().replacen("  region: eu-central-1\n", "  region: eu-central-1\n  brandNew: 1\n", 1);
    let folder = Folder::new(&wrong);
    let severity = |options: &[&str]| {
        let found = folder.findings(options);
        found.into_iter().find(|one| one.3 == "/spec/brandNew").map(|one| one.2)
    };
    assert_eq!(severity(&[]).as_deref(), Some("warning"));
    assert_eq!(severity(&["--gardener-version", "1.143.1"]).as_deref(), Some("error"));
    assert_eq!(severity(&["--gardener-version", "1.150.0"]).as_deref(), Some("error"));
    assert_eq!(severity(&["--gardener-version", "1.151.0"]).as_deref(), Some("warning"));
    let api = |spec: Value| {
        let shoot = json!({ "properties": { "apiVersion": {}, "kind": {}, "metadata": {}, "spec": { "$ref": "#/x/Spec" } } });
        json!({ "components": { "schemas": { "g.core.v1beta1.Shoot": shoot, "Spec": { "properties": spec } } } })
            .to_string()
    };
    let known = [
        "brandNew",
        "cloudProfile",
        "kubernetes",
        "networking",
        "provider",
        "region",
        "credentialsBindingName",
        "maintenance",
    ];
    let all: Value =
        known.iter().map(|name| ((*name).to_owned(), json!({}))).collect::<serde_json::Map<_, _>>().into();
    let with = folder.file("with.json", &api(all.clone())).display().to_string();
    assert_eq!(severity(&["--openapi", &with]), None);
    let mut fewer = all;
    fewer.as_object_mut().unwrap().remove("brandNew");
    let without = folder.file("without.json", &api(fewer)).display().to_string();
    assert_eq!(severity(&["--openapi", &without]).as_deref(), Some("error"));
}

#[test]
fn a_finding_of_a_newer_gardener_says_so_until_the_version_is_given() {
    let pool = "    - name: worker-xoluy\n";
    let limit = "      machineControllerManager:\n        autoPreserveFailedMachineMax: -1\n";
    let folder = Folder::new(&manifests().replacen(pool, &format!("{pool}{limit}"), 1));
    let since = "Gardener 1.147 and newer say so: for an older garden, give its version with `--gardener-version`";
    for (options, rule, says_since) in [
        (&[][..], "GDN-WRK-082", true),
        (&["--gardener-version", "1.147"], "GDN-WRK-082", false),
        (&["--gardener-version", "v1.149.3"], "GDN-WRK-082", false),
        // The field is not known there.
        (&["--gardener-version", "1.146.2"], "DEC-2", false),
    ] {
        let (status, text) = folder.validate(options);
        assert_eq!(status, Some(1), "{options:?}: {text}");
        assert!(text.contains(&format!("error[{rule}]")), "{options:?}: {text}");
        assert_eq!(text.contains(since), says_since, "{options:?}: {text}");
        for format in ["github", "sarif"] {
            let (_, text) = folder.validate(&[options, &["-o", format]].concat());
            assert_eq!(text.contains("Gardener 1.147 and newer say so"), says_since, "{options:?}: {text}");
        }
    }
    let shown = folder.run(&["rules", "show", "GDN-WRK-082"]).stdout;
    assert!(String::from_utf8(shown).unwrap().contains("Releases:    1.147 and newer\n"));
}

#[test]
fn a_version_that_trellis_does_not_know_is_judged_as_the_nearest_and_the_last_line_says_so() {
    let folder = Folder::new(&manifests());
    for (version, expected) in [
        ("1.120.0", ["(v1.143,", "what Gardener had otherwise before 1.143"]),
        ("1.146", ["(v1.146,", "Not checked: "]),
        ("1.151", ["(v1.150,", "what Gardener changed after 1.150"]),
    ] {
        let (_, text) = folder.validate(&["--gardener-version", version]);
        let last = text.lines().last().unwrap();
        assert!(expected.iter().all(|part| last.contains(part)), "{version}: {text}");
    }
}

#[test]
fn what_is_wrong_with_an_openapi_document_or_a_version_is_said() {
    let folder = Folder::new(&manifests());
    folder.file("other.json", r#"{ "definitions": { "io.k8s.Pod": {} } }"#);
    for (options, message) in [
        (["--openapi", "none.json"], "cannot read `none.json`"),
        (["--openapi", "m.yaml"], "`m.yaml` does not say the fields of the garden: it is no JSON"),
        (["--openapi", "other.json"], "none of its 1 schemas is of a kind of core.gardener.cloud/v1beta1"),
        (["--gardener-version", "2.0.0"], "write a version such as `1.147` or `1.147.2`"),
        (["--gardener-version", "new"], "write a version such as `1.147` or `1.147.2`"),
    ] {
        let output = folder.run(&[&["validate", "m.yaml"], options.as_slice()].concat());
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        let reported = String::from_utf8(output.stderr).unwrap();
        assert!(reported.contains(message), "{reported}");
    }
}

#[test]
fn the_policy_is_listed_with_the_others_and_its_rules_are_explained() {
    let folder = Folder::new("");
    let text = |arguments: &[&str]| String::from_utf8(folder.run(arguments).stdout).unwrap();
    assert!(text(&["policies", "list"]).contains("gardener v1.150"));
    assert!(text(&["rules", "show", "GDN-WRK-042"]).contains("gardener"));
    assert!(text(&["rules", "--provider", "gardener"]).starts_with("gardener\n"));
}
