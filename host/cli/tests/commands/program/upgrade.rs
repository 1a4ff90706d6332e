//! What must change before a Shoot goes to another version of Kubernetes.

#![cfg(feature = "native")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::with;

/// A Shoot of the examples with Kubernetes 1.32, and a field that 1.35 lacks.
fn shoot() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let text = fs::read_to_string(root.join("examples/two-zones.yaml")).unwrap();
    let server = "    version: 1.32.8\n    kubeAPIServer:\n      enableAnonymousAuthentication: false\n";
    with(&text, "    version: 1.33.2\n", server)
}

/// Its CloudProfile, as far as Gardener's rules read it.
const PROFILE: &str = "---
apiVersion: core.gardener.cloud/v1beta1
kind: CloudProfile
metadata: {name: alicloud}
spec:
  type: alicloud
  kubernetes:
    versions:
    - {version: 1.32.8, classification: deprecated}
    - {version: 1.34.1, classification: deprecated}
    - {version: 1.34.2, classification: supported}
    - {version: 1.34.3, classification: preview}
  machineImages: [{name: gardenlinux, versions: [{version: 1592.9.0}]}]
  machineTypes: [{name: ecs.g7.large, cpu: '2', gpu: '0', memory: 8Gi}]
  volumeTypes: [{name: cloud_essd, class: standard}]
  regions: [{name: eu-central-1, zones: [{name: eu-central-1a}, {name: eu-central-1b}]}]
";

/// What the program says of a text: its exit code, standard output and standard error.
fn validate(text: &str, options: &[&str]) -> (Option<i32>, String, String) {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("m.yaml"), text).unwrap();
    let program = Command::new(env!("CARGO_BIN_EXE_trellis"))
        .args(["validate", "m.yaml", "--now", "2026-06-01T00:00:00Z"])
        .args(options)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let [stdout, stderr] = [program.stdout, program.stderr].map(|text| String::from_utf8(text).unwrap());
    (program.status.code(), stdout, stderr)
}

/// The entry of the Shoot.
fn entry(text: &str, options: &[&str]) -> Value {
    let (_, stdout, stderr) = validate(text, &[options, &["-o", "json"]].concat());
    let entries: Value = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stderr}"));
    entries.as_array().unwrap().iter().find(|entry| entry["kind"] == "Shoot").unwrap().clone()
}

fn rules(entry: &Value) -> Vec<&str> {
    entry["findings"].as_array().unwrap().iter().map(|finding| finding["rule"].as_str().unwrap()).collect()
}

#[test]
fn what_the_newer_version_refuses_has_its_fix_and_the_fix_ends_it() {
    let (status, text, _) = validate(&shoot(), &["--kubernetes", "1.35"]);
    assert_eq!(status, Some(1), "{text}");
    for expected in [
        "error[GDN-API-001]",
        "= help: remove `/spec/kubernetes/kubeAPIServer/enableAnonymousAuthentication`",
        "note: Shoot garden-dev/two-zones was judged as an upgrade from Kubernetes 1.32.8 to 1.35.0; Gardener goes by 1.33 and 1.34, one",
        "-/+ 2 to 4 nodes of pool `worker-xoluy` roll, 2 at a time, because `spec.kubernetes.version` changes",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("cannot skip a minor version"), "{text}");
    let fixed = with(&shoot(), "      enableAnonymousAuthentication: false\n", "      logging: {verbosity: 2}\n");
    let (status, text, _) = validate(&fixed, &["--kubernetes", "1.35"]);
    assert_eq!(status, Some(0), "{text}");
}

#[test]
fn the_newest_patch_that_the_profile_supports_counts_and_a_minor_version_that_it_lacks_is_refused() {
    let text = shoot() + PROFILE;
    let upgrade = |to: &str| entry(&text, &["--kubernetes", to]);
    let found = upgrade("1.34");
    assert_eq!(
        (found["verdict"].as_str(), rules(&found)),
        (Some("reject"), vec!["GDN-ADV-002", "WRN-029"]),
        "{found}"
    );
    let upgrade_of = |entry: &Value| {
        let one = &entry["upgrade"];
        json!([one["from"], one["to"], one["between"], one["nodes"]["pools"][0]["change"]])
    };
    assert_eq!(upgrade_of(&found), json!(["1.32.8", "1.34.2", ["1.33"], "rolled"]));
    assert_eq!(found["operation"], "update");
    assert!(found.get("ofItself").is_none(), "{found}");
    let found = upgrade("v1.34.1");
    assert_eq!(upgrade_of(&found)[1], "1.34.1");
    let found = upgrade("1.35");
    assert_eq!(rules(&found), ["ADM-K8S-001", "GDN-ADV-002", "GDN-API-001"], "{found}");
    // What is no version of the profile has no way there either; what that version refuses is another matter.
    let caused: Vec<bool> =
        found["findings"].as_array().unwrap().iter().map(|one| one.get("causedBy").is_some()).collect();
    assert_eq!(caused, [false, true, false], "{found}");
    assert_eq!(upgrade_of(&found)[1], "1.35.0");
    let found = upgrade("1.31");
    assert!(rules(&found).contains(&"GDN-UPD-022"), "{found}");
    for (to, words) in [
        ("1.31", "was judged as a downgrade from Kubernetes 1.32.8 to 1.31.0, which Gardener refuses"),
        ("1.32.8", "has Kubernetes 1.32.8 already: there is nothing to upgrade"),
        (
            "1.34",
            "error[GDN-ADV-002]: spec.kubernetes.version: Gardener goes by 1.33, of which the CloudProfile has no version",
        ),
    ] {
        let (_, said, _) = validate(&text, &["--kubernetes", to]);
        assert!(said.contains(words), "{to}: {said}");
    }
}

#[test]
fn where_the_profile_supports_no_patch_the_newest_that_it_still_has_counts_before_a_preview() {
    for (versions, to) in [
        ("{version: 1.34.1, classification: deprecated}, {version: 1.34.4, classification: preview}", "1.34.1"),
        ("{version: 1.34.1, classification: preview}, {version: 1.34.4, classification: preview}", "1.34.4"),
        ("{version: 1.34.2, expirationDate: 2026-01-01T00:00:00Z}", "1.34.2"),
        ("{version: 1.33.2}", "1.34.0"),
    ] {
        let (before, _) = PROFILE.split_once("  kubernetes:\n").unwrap();
        let rest = PROFILE.split_once("  machineImages").unwrap().1;
        let versions =
            format!("  kubernetes: {{versions: [{{version: 1.32.8}}, {versions}, {{version: 1.36.1}}]}}\n");
        let text = format!("{}{before}{versions}  machineImages{rest}", shoot());
        assert_eq!(entry(&text, &["--kubernetes", "1.34"])["upgrade"]["to"], to, "{versions}");
    }
}

#[test]
fn a_secret_of_a_dns_provider_is_named_in_the_newer_way_by_the_fix_and_a_null_takes_it_away() {
    let provider = |rest: &str| {
        let dns = format!(
            "  dns:\n    domain: x.example.org\n    providers:\n    - {{type: aws-route53, primary: true, {rest}}}\n"
        );
        with(&shoot(), "  networking:\n", &format!("{dns}  networking:\n"))
            .replace("1.32.8", "1.34.1")
            .replace("    kubeAPIServer:\n      enableAnonymousAuthentication: false\n", "")
    };
    let found = entry(&provider("secretName: dns"), &["--kubernetes", "1.35"]);
    let finding = &found["findings"][0];
    assert_eq!(finding["rule"], "GDN-DNS-003", "{found}");
    let reference = "credentialsRef: {apiVersion: v1, kind: Secret, name: dns}";
    let found = entry(&provider(&format!("{reference}, secretName: null")), &["--kubernetes", "1.35"]);
    assert_ne!(found["verdict"], "reject", "{found}");
}

#[test]
fn a_profile_that_the_manifest_names_in_the_older_way_is_reported_where_the_next_apply_is_refused() {
    let reference = "  cloudProfile:\n    kind: CloudProfile\n    name: alicloud\n";
    let plain = with(&shoot(), "    kubeAPIServer:\n      enableAnonymousAuthentication: false\n", "");
    let named = with(&plain, reference, "  cloudProfileName: alicloud\n");
    let found = entry(&named, &["--kubernetes", "1.34"]);
    assert_eq!(rules(&found), ["GDN-CP-001"], "{found}");
    let finding = &found["findings"][0];
    assert_eq!(finding["pointer"], "/spec/cloudProfileName");
    assert_eq!(finding["fix"][0]["value"], json!({ "kind": "CloudProfile", "name": "alicloud" }), "{found}");
    let found = entry(&named, &["--kubernetes", "1.33"]);
    // Nobody gave the profile.
    let expected = (Some("undecided"), vec!["WRN-023"]);
    assert_eq!((found["verdict"].as_str(), rules(&found)), expected, "{found}");
    assert!(rules(&entry(&plain, &["--kubernetes", "1.34"])).is_empty());
}

#[test]
fn a_version_of_a_wrong_type_is_reported_and_nothing_is_made_of_it() {
    let wrong = with(&shoot(), "version: 1.32.8", "version: 1.32");
    let (status, text, _) = validate(&wrong, &["--kubernetes", "1.35"]);
    assert_eq!(status, Some(1));
    assert!(text.contains("error[DEC-4]") && !text.contains("GDN-UPD"), "{text}");
}

#[test]
fn what_changes_by_default_is_reported_of_a_stored_shoot() {
    let stored = with(
        &shoot(),
        "  namespace: garden-dev\n",
        "  namespace: garden-dev\n  uid: 4f7c0f83-6f2a-4a0b-9b0a-2f6d3d4f3d11\n  resourceVersion: \"7\"\n",
    );
    let named = with(&stored, "  cloudProfile:\n", "  cloudProfileName: alicloud\n  cloudProfile:\n");
    let found = entry(&named, &["--kubernetes", "1.34"]);
    let changes: Vec<(&str, &str)> = found["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| (change["rule"].as_str().unwrap(), change["pointer"].as_str().unwrap()))
        .collect();
    assert!(changes.contains(&("PREP-3", "/spec/cloudProfileName")), "{found}");
    let (_, text, _) = validate(&named, &["--kubernetes", "1.34"]);
    assert!(text.contains("note: PREP-3 changes `/spec/cloudProfileName` by default: "), "{text}");
}

#[test]
fn a_pool_keeps_its_own_version_and_is_reported_as_too_old() {
    let pool = "    - name: worker-xoluy\n";
    let old = with(&shoot(), pool, &format!("{pool}      kubernetes: {{version: 1.29.3}}\n"));
    let found = entry(&old, &["--kubernetes", "1.33"]);
    assert_eq!(rules(&found).first(), Some(&"GDN-WRK-033"), "{found}");
    assert_eq!(found["findings"][0]["pointer"], "/spec/provider/workers/0/kubernetes/version");
}

#[test]
fn what_cannot_be_an_upgrade_is_said() {
    for (options, message) in [
        (&["--kubernetes", "latest"][..], "write a version of Kubernetes such as `1.35` or `1.35.2`"),
        (&["--kubernetes", "1.35", "--old", "m.yaml"], "cannot be used with"),
        (&["--kubernetes", "1.35", "--create"], "cannot be used with"),
    ] {
        let (status, _, stderr) = validate(&shoot(), options);
        assert_eq!(status, Some(2), "{options:?}");
        assert!(stderr.contains(message), "{options:?}: {stderr}");
    }
    let profile = PROFILE.trim_start_matches("---\n");
    let (status, _, stderr) = validate(profile, &["--kubernetes", "1.35"]);
    assert_eq!(status, Some(2));
    assert!(stderr.contains("there is no Shoot to go to another version of Kubernetes"), "{stderr}");
}

#[test]
fn a_misspelt_section_is_one_mistake_however_the_shoot_is_judged() {
    let text = with(&shoot(), "  networking:\n", "  networkin:\n");
    let text = with(&text, "    kubeAPIServer:\n      enableAnonymousAuthentication: false\n", "");
    let stored =
        with(&text, "kind: Shoot\nmetadata:\n", "kind: Shoot\nmetadata:\n  uid: a\n  resourceVersion: '5'\n");
    let folder = TempDir::new().unwrap();
    let old = folder.path().join("old.yaml");
    fs::write(&old, &text).unwrap();
    let before = ["--old", old.to_str().unwrap()];
    for (text, options) in [(&text, &[][..]), (&text, &["--kubernetes", "1.33"]), (&stored, &[]), (&text, &before)]
    {
        let entry = entry(text, options);
        let causes: Vec<&Value> = entry["findings"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|finding| finding["severity"] == "error" && finding["causedBy"].is_null())
            .collect();
        let [only] = causes.as_slice() else { panic!("{options:?}: {causes:#?}") };
        assert_eq!((&only["rule"], &only["pointer"]), (&json!("DEC-2"), &json!("/spec/networkin")), "{options:?}");
        // Where the old object has the same mistake, nobody knows what is stored.
        let fixed = if options == before { Value::Null } else { "/spec/networking".into() };
        assert_eq!(only["fix"][0]["path"], fixed, "{options:?}");
    }
}

#[test]
fn a_misspelt_key_next_to_what_the_old_object_or_a_default_has_is_reported_with_the_right_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let good = fs::read_to_string(root.join("examples/aws-workload-identity.yaml")).unwrap();
    let live =
        with(&good, "kind: Shoot\nmetadata:\n", "kind: Shoot\nmetadata:\n  uid: u\n  resourceVersion: '7'\n");
    let folder = TempDir::new().unwrap();
    let [manifest, stored] = [("good.yaml", &good), ("live.yaml", &live)].map(|(name, text)| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    });
    let ways: [&[&str]; 4] = [&[], &["--old", &manifest], &["--old", &stored], &["--kubernetes", "1.33.2"]];
    for (from, to, place, right) in [
        ("  networking:\n", "  networkin:\n", "/spec/networkin", "/spec/networking"),
        ("    nodes: ", "    noeds: ", "/spec/networking/noeds", "/spec/networking/nodes"),
        (
            "          version: 1592.9.0\n        arch",
            "          vesrion: 1592.9.0\n        arch",
            "/spec/provider/workers/0/machine/image/vesrion",
            "/spec/provider/workers/0/machine/image/version",
        ),
    ] {
        let text = with(&good, from, to);
        for options in ways {
            let entry = entry(&text, options);
            let found = entry["findings"].as_array().unwrap().iter();
            let reported: Vec<_> = found
                .filter(|one| one["severity"] == "error" && one["causedBy"].is_null())
                .map(|one| (&one["pointer"], &one["fix"][0]["path"]))
                .collect();
            assert_eq!(reported, [(&json!(place), &json!(right))], "{to:?} {options:?}");
        }
    }
}
