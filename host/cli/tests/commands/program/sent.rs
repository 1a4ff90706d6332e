//! What a person sends: a manifest for a stored object, an export, and metadata that only the API server sets.

#![cfg(feature = "native")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use super::with;

/// A Shoot of the examples, which is accepted.
fn shoot() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    fs::read_to_string(root.join("examples/two-zones.yaml")).unwrap()
}

/// Its CloudProfile, as far as Gardener's rules read it.
const PROFILE: &str = "---
apiVersion: core.gardener.cloud/v1beta1
kind: CloudProfile
metadata: {name: alicloud}
spec:
  type: alicloud
  kubernetes: {versions: [{version: 1.33.2}]}
  machineImages: [{name: gardenlinux, versions: [{version: 1592.9.0}]}]
  machineTypes: [{name: ecs.g7.large, cpu: '2', gpu: '0', memory: 8Gi}]
  volumeTypes: [{name: cloud_essd, class: standard}]
  regions: [{name: eu-central-1, zones: [{name: eu-central-1a}, {name: eu-central-1b}]}]
";

struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Self(folder)
    }

    fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let program = Command::new(env!("CARGO_BIN_EXE_trellis"))
            .args(arguments)
            .args(["--now", "2026-06-01T00:00:00Z"])
            .current_dir(self.0.path())
            .output()
            .unwrap();
        (program.status.code(), String::from_utf8(program.stdout).unwrap())
    }

    /// The entry of the Shoot.
    fn shoot(&self, arguments: &[&str]) -> Value {
        let (_, text) = self.run(&[&["validate", "-o", "json"], arguments].concat());
        let entries: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        entries.as_array().unwrap().iter().find(|entry| entry["kind"] == "Shoot").unwrap().clone()
    }
}

fn rules<'e>(entry: &'e Value, list: &str) -> Vec<&'e str> {
    entry[list].as_array().unwrap().iter().map(|one| one["rule"].as_str().unwrap_or_default()).collect()
}

/// The Shoot as the garden stores it: with defaults, a uid, and an annotation that nobody wrote.
fn stored() -> String {
    let folder = Folder::new(&[("m.yaml", &shoot())]);
    let (_, text) = folder.run(&["default", "-o", "yaml", "m.yaml"]);
    let text = with(&text, "  name: two-zones\n", "  name: two-zones\n  uid: u-1\n  resourceVersion: '5'\n");
    with(&text, "spec:\n", "spec:\n  purpose: production\n").replacen("  purpose: evaluation\n", "", 1)
}

#[test]
fn a_manifest_for_a_stored_shoot_is_checked_as_kubectl_apply_sends_it() {
    let bare = with(&shoot(), "  region: eu-central-1\n", "");
    let folder = Folder::new(&[("live.yaml", &stored()), ("git.yaml", &bare), ("profile.yaml", PROFILE)]);
    let files = ["--old", "live.yaml", "git.yaml", "profile.yaml"];
    let applied = folder.shoot(&files);
    assert_eq!((&applied["applied"], &applied["verdict"]), (&true.into(), &"accept".into()), "{applied}");
    let replaced = folder.shoot(&[&files[..], &["--replace"]].concat());
    assert_eq!(replaced["applied"], Value::Null);
    assert!(rules(&replaced, "findings").contains(&"GDN-UPD-011"), "{replaced}");
    let (_, text) = folder.run(&[&["validate"], &files[..]].concat());
    assert!(text.contains("was judged as `kubectl apply` sends it"), "{text}");
}

#[test]
fn an_object_with_a_uid_replaces_its_old_version_unless_it_is_said_to_be_applied() {
    let bare = with(&stored(), "  region: eu-central-1\n", "");
    let folder = Folder::new(&[("live.yaml", &stored()), ("new.yaml", &bare)]);
    assert_eq!(folder.shoot(&["--old", "live.yaml", "new.yaml"])["applied"], Value::Null);
    assert_eq!(folder.shoot(&["--old", "live.yaml", "new.yaml", "--apply"])["applied"], true);
    let (status, _) = folder.run(&["validate", "new.yaml", "--apply"]);
    assert_eq!(status, Some(2), "there is nothing to merge with");
}

#[test]
fn a_resource_version_is_refused_on_creation_and_where_it_is_not_the_stored_one() {
    let new = with(&shoot(), "  namespace: garden-dev\n", "  namespace: garden-dev\n  resourceVersion: '4'\n");
    let folder = Folder::new(&[("new.yaml", &new), ("live.yaml", &stored())]);
    for (arguments, rule) in [
        (&["new.yaml"] as &[&str], "GDN-META-021"),
        (&["live.yaml", "--create"], "GDN-META-021"),
        (&["--old", "live.yaml", "new.yaml"], "GDN-META-022"),
    ] {
        let found = folder.shoot(arguments);
        assert!(rules(&found, "findings").contains(&rule), "{arguments:?}: {found}");
    }
    let fix = folder.shoot(&["new.yaml"])["findings"][0]["fix"].to_string();
    assert_eq!(fix, r#"[{"op":"remove","path":"/metadata/resourceVersion"}]"#);
    assert_eq!(rules(&folder.shoot(&["live.yaml"]), "findings"), [""; 0], "an export is an update of itself");
}

#[test]
fn a_value_of_an_export_that_the_profile_lacks_is_open_as_a_person_may_have_edited_it() {
    let old_type = with(&stored(), "type: cloud_essd", "type: cloud_gone");
    let folder = Folder::new(&[("export.yaml", &old_type), ("profile.yaml", PROFILE)]);
    let found = folder.shoot(&["export.yaml", "profile.yaml"]);
    assert_eq!((found["verdict"].as_str(), rules(&found, "undecided")), (Some("undecided"), vec!["ADM-VOL-001"]));
    assert!(found["undecided"][0]["why"].as_str().unwrap().contains("give the original with `--old`"), "{found}");
    let known = folder.shoot(&["export.yaml", "profile.yaml", "--old", "export.yaml"]);
    assert_eq!(known["verdict"], "accept", "{known}");
}

#[test]
fn what_the_next_change_of_a_stored_shoot_meets_is_an_error_and_no_fix_is_offered_that_does_not_end_it() {
    let config = "    controlPlaneConfig:\n      apiVersion: alicloud.provider.extensions.gardener.cloud/v1alpha1\n      \
                  kind: ControlPlaneConfig\n      zone: eu-central-1a\n    workers:\n";
    let uid = with(&shoot(), "  name: two-zones\n", "  name: two-zones\n  uid: u-1\n");
    let zone = match uid.find("    controlPlaneConfig:\n") {
        Some(start) => {
            let end = start + uid.get(start..).unwrap().find("    workers:\n").unwrap();
            format!("{}{config}{}", uid.get(..start).unwrap(), uid.get(end + 13..).unwrap())
        }
        None => with(&uid, "    workers:\n", config),
    };
    let folder = Folder::new(&[("export.yaml", &zone)]);
    let found = folder.shoot(&["export.yaml"]);
    assert_eq!(found["verdict"], "reject", "{found}");
    let finding = &found["findings"][0];
    assert_eq!((finding["rule"].as_str(), finding.get("fix")), (Some("ALI-DEF-007"), None), "{found}");
    assert!(finding["remedy"].as_str().unwrap().starts_with("No manifest ends this"), "{found}");
    let new = folder.shoot(&["export.yaml", "--create"]);
    let fix = new["findings"].as_array().unwrap().iter().find(|one| one["rule"] == "ALI-DEF-007").unwrap()["fix"]
        .to_string();
    assert_eq!(fix, r#"[{"op":"remove","path":"/spec/provider/controlPlaneConfig/zone"}]"#);
}

#[test]
fn an_edit_without_effect_is_said_to_have_none() {
    let edited = with(&stored(), "spec:\n", "spec:\n  seedName: mine\n");
    let folder = Folder::new(&[("live.yaml", &stored()), ("new.yaml", &edited)]);
    let found = folder.shoot(&["--old", "live.yaml", "new.yaml"]);
    assert_eq!(found["findings"][0]["rule"], "ADM-SCH-004", "Gardener 1.144 and newer refuse it: {found}");
    let found = folder.shoot(&["--old", "live.yaml", "new.yaml", "--gardener-version", "1.143.1"]);
    let warning = &found["findings"][0];
    assert_eq!((&warning["rule"], &warning["pointer"]), (&"PREP-2".into(), &"/spec/seedName".into()), "{found}");
    assert!(warning["detail"].as_str().unwrap().starts_with("has no effect: "), "{found}");
}

#[test]
fn a_scope_names_what_nobody_checked_in_this_shoot_by_line_and_the_last_line_what_is_open() {
    let seeded = with(&shoot(), "spec:\n", "spec:\n  seedName: mine\n");
    let folder = Folder::new(&[("m.yaml", &seeded)]);
    let (status, text) = folder.run(&["validate", "m.yaml"]);
    let line = seeded.lines().position(|line| line == "  seedName: mine").unwrap() + 1;
    assert_eq!(status, Some(0));
    assert!(text.contains(&format!("Not checked: the seed (line {line}), what needs other objects")), "{text}");
    assert!(text.starts_with("not decided Shoot garden-dev/two-zones (m.yaml:"), "{text}");
    assert!(!text.contains("accepted") && !text.contains("Accepted"), "{text}");
    assert_eq!(text.lines().last(), Some("Not decided: ADM-CP-001 of Shoot garden-dev/two-zones."));
}

#[test]
fn a_binding_without_a_provider_is_refused_at_its_place() {
    let binding = "apiVersion: core.gardener.cloud/v1beta1\nkind: SecretBinding\nmetadata: {name: b, namespace: n}\n\
                   secretRef: {name: s, namespace: n}\n";
    for (extra, field) in [("", "provider"), ("provider: {}\n", "provider.type")] {
        let folder = Folder::new(&[("b.yaml", &format!("{binding}{extra}"))]);
        let (status, text) = folder.run(&["validate", "b.yaml"]);
        assert_eq!(status, Some(1), "{text}");
        assert!(text.contains(&format!("error: {field}: must specify")), "{text}");
    }
}

#[test]
fn an_object_without_api_version_is_refused_with_a_fix() {
    let folder = Folder::new(&[("m.yaml", &with(&shoot(), "apiVersion: core.gardener.cloud/v1beta1\n", ""))]);
    let found = folder.shoot(&["m.yaml"]);
    assert!(rules(&found, "findings").contains(&"DEC-13"), "{found}");
}

#[test]
fn a_version_that_gardener_completes_later_is_no_downgrade() {
    let open = with(&shoot(), "version: 1.33.2", "version: '1.33'");
    let folder = Folder::new(&[("live.yaml", &stored()), ("new.yaml", &open), ("profile.yaml", PROFILE)]);
    let found = folder.shoot(&["--old", "live.yaml", "new.yaml"]);
    assert_eq!(rules(&found, "findings"), [""; 0], "{found}");
    assert!(rules(&found, "undecided").contains(&"GDN-UPD-022"), "{found}");
    assert_eq!(folder.shoot(&["--old", "live.yaml", "new.yaml", "profile.yaml"])["verdict"], "accept");
}

#[test]
fn an_old_manifest_is_what_was_applied_last() {
    let more = with(&shoot(), "spec:\n", "spec:\n  purpose: production\n");
    let folder = Folder::new(&[("old.yaml", &more), ("new.yaml", &shoot())]);
    let (_, text) = folder.run(&["default", "--old", "old.yaml", "new.yaml", "--apply", "-o", "yaml"]);
    assert!(!text.contains("purpose: production"), "{text}");
}

#[test]
fn of_what_only_the_stored_object_has_the_manifest_gets_no_fix() {
    let live = with(&stored(), "spec:\n", "spec:\n  seedSelectr: {}\n");
    let folder = Folder::new(&[("live.yaml", &live), ("new.yaml", &shoot())]);
    let found = folder.shoot(&["--old", "live.yaml", "new.yaml"]);
    let finding = &found["findings"][0];
    assert_eq!((&finding["rule"], &finding["fix"]), (&"DEC-2".into(), &Value::Null), "{found}");
    assert!(finding["remedy"].as_str().unwrap().starts_with("The stored object has this at `/spec/seedSelectr`"));
}

#[test]
fn a_range_that_an_old_manifest_leaves_to_gardener_is_open_and_a_stored_shoot_without_one_gets_it() {
    let bare = |text: &str| with(text, "    pods: 10.96.0.0/11\n", "");
    let folder = Folder::new(&[
        ("old.yaml", &bare(&shoot())),
        ("new.yaml", &shoot()),
        ("live.yaml", &bare(&stored())),
        ("next.yaml", &stored()),
    ]);
    let open = folder.shoot(&["--old", "old.yaml", "new.yaml"]);
    assert!(rules(&open, "undecided").contains(&"GDN-UPD-062"), "{open}");
    let free = folder.shoot(&["--old", "live.yaml", "next.yaml"]);
    assert!(!rules(&free, "undecided").contains(&"GDN-UPD-062"), "{free}");
    assert!(!rules(&free, "findings").contains(&"GDN-UPD-062"), "{free}");
}

#[test]
fn errors_of_a_secret_are_reported_at_the_secret_alone_where_its_binding_is_judged_too() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let example = fs::read_to_string(root.join("examples/aws-secret.yaml")).unwrap();
    let key = example.lines().find(|line| line.contains("accessKeyID: ")).unwrap();
    let short = with(&example, key, "  accessKeyID: QQ==");
    let (secret, binding) = short.split_once("\n---\n").unwrap();
    let folder = Folder::new(&[("both.yaml", &short), ("secret.yaml", secret), ("binding.yaml", binding)]);
    let (status, text) = folder.run(&["validate", "both.yaml"]);
    assert_eq!((status, text.matches("error[").count()), (Some(1), 1), "{text}");
    assert!(text.contains("rejected CredentialsBinding garden-dev/core-aws (both.yaml:"), "{text}");
    assert!(text.contains("because Secret garden-dev/core-aws has errors\n"), "{text}");
    let (status, text) = folder.run(&["validate", "binding.yaml", "--with", "secret.yaml"]);
    assert_eq!((status, text.matches("error[").count()), (Some(1), 1), "the Secret alone is not judged: {text}");
}
