//! One mistake is one error, and what follows from it stands below: at the object that has it, wherever else it is
//! noticed.

#![cfg(feature = "native")]
#![expect(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::with;

/// An example, or several of them as one text.
fn example(names: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let text = |name| fs::read_to_string(root.join("examples").join(name).with_extension("yaml")).unwrap();
    names.split('+').map(text).collect::<Vec<_>>().join("---\n")
}

/// A Shoot, and the profile that it names.
const BOTH: &str = "two-zones+cloudprofile-regions";

/// What `trellis` says of a text.
fn said(command: &[&str], text: &str) -> (Option<i32>, String) {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("x.yaml"), text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_trellis"))
        .args(command)
        .args(["--now", "2026-06-01T00:00:00Z", "x.yaml"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

/// An example, a text in it and what is written instead; the only error that is not below another one.
const CAUSES: [(&str, &str, &str, &str); 21] = [
    ("aws-three-zones-dual-stack", "pods: 100.96.0.0/11", "pods: 10.250.0.0/16", "ADM-NET-003"),
    ("azure-zoned", "pods: 100.96.0.0/11", "pods: 10.250.0.0/16", "ADM-NET-003"),
    ("two-zones", "pods: 10.96.0.0/11", "pods: 10.250.0.0/16", "ADM-NET-003"),
    ("aws-three-zones-dual-stack", "services: 100.64.0.0/13", "services: 10.250.0.0/20", "ADM-NET-003"),
    ("openstack-new-network", "nodes: 10.250.0.0/16", "nodes: abc", "GDN-NET-007"),
    ("gcp-new-vpc", "nodes: 10.250.0.0/16", "nodes: 10.250.0.0", "GDN-NET-007"),
    ("two-zones", "pods: 10.96.0.0/11", "pods: 10.96.0.0/33", "GDN-NET-008"),
    ("openstack-two-floating-pools", "    constraints:", "    useOctavia: true\n    constraints:", "OS-CPROF-002"),
    ("openstack-application-credentials", "domainName:", "domainname:", "OS-SEC-021"),
    ("aws-workload-identity", "roleARN:", "roleArn:", "AWS-WID-002"),
    ("two-zones", "two-zones\n  namespace: garden-dev", "a-name-with-21-bytess\n  namespace: dev", "ADM-PRJ-002"),
    (BOTH, "region: eu-central-1\n", "region: [eu-central-1]\n", "DEC-4"),
    (BOTH, "region: eu-central-1\n", "region: \"\"\n", "GDN-SPEC-001"),
    (BOTH, "  region: eu-central-1\n", "", "GDN-SPEC-001"),
    (BOTH, "region: eu-central-1\n", "region: mars-1\n", "ADM-REG-001"),
    (BOTH, "          name: gardenlinux\n", "          name: \"\"\n", "GDN-WRK-005"),
    (BOTH, "maximum: 4", "maximum:", "GDN-WRK-009"),
    (BOTH, "nodes: 10.250.0.0/16", "nodes: 10.251.0.0/16", "ALI-INF-014"),
    (BOTH, "cidr: 10.250.0.0/16", "cidr: 10.251.0.0/16", "ALI-INF-014"),
    (BOTH, "workers: 10.250.32.0/19", "workers: 10.251.32.0/19", "ALI-INF-007"),
    ("azure-zoned", "cidr: 10.250.0.0/16", "cidr: 10.99.0.0/16", "AZ-INF-062"),
];

#[test]
fn one_mistake_is_one_error() {
    for (name, right, wrong, rule) in CAUSES {
        only(rule, &with(&example(name), right, wrong));
    }
}

#[test]
fn pools_whose_zones_are_in_networks_that_nobody_can_read_are_not_blamed() {
    for (name, rule) in [("aws-three-zones-dual-stack", "AWS-SHOOT-004"), ("two-zones", "ALI-SHOOT-005")] {
        let text = example(name);
        let (before, rest) = text.split_once("      networks:\n").unwrap();
        let (_, after) = rest.split_once("    controlPlaneConfig:\n").unwrap();
        only(rule, &format!("{before}      networks: text\n    controlPlaneConfig:\n{after}"));
    }
}

#[test]
fn two_mistakes_are_two_errors_also_where_one_is_in_what_the_other_is_compared_with() {
    let zone = "        - name: eu-central-1a\n";
    let text = with(&example("two-zones"), zone, &format!("{zone}          nonsense: a\n"));
    let (_, text) =
        said(&["validate", "--errors"], &with(&text, "      - eu-central-1a\n", "      - eu-central-1x\n"));
    assert!(text.contains("error[ALI-SHOOT-005]") && text.contains("error[ALI-WRK-010]"), "{text}");
}

/// Checks that an error of that rule is the only one of a text that is not below another one.
fn only(rule: &str, text: &str) {
    let (_, text) = said(&["validate", "--errors"], text);
    let errors: Vec<&str> = text.lines().filter(|line| line.starts_with("error[")).collect();
    assert!(matches!(&errors[..], [only] if only.starts_with(&format!("error[{rule}]"))), "{text}");
}

/// An example, a text in it and what is written instead; the object that is rejected for the mistake of another
/// one.
const REPORTED_ONCE: [(&str, &str, &str, &str); 8] = [
    (
        "aws-workload-identity",
        "roleARN:",
        "roleArn:",
        "rejected CredentialsBinding garden-dev/aws (x.yaml:76), because WorkloadIdentity garden-dev/aws has errors",
    ),
    (
        "openstack-two-floating-pools",
        "    constraints:",
        "    useOctavia: true\n    constraints:",
        ", because CloudProfile openstack has errors",
    ),
    (
        "openstack-application-credentials",
        "domainName:",
        "domainname:",
        ", because Secret garden-dev/openstack has errors",
    ),
    (BOTH, "  - name: ecs.g7.large\n", "  - name: \"\"\n", ", because CloudProfile alicloud has errors"),
    (BOTH, "  - name: eu-central-1\n", "  - name: \"\"\n", ", because CloudProfile alicloud has errors"),
    (
        "aws-three-zones-dual-stack",
        "  - name: m6i.large\n",
        "  - name: 5\n",
        ", because CloudProfile aws has errors",
    ),
    (
        "aws-namespaced-cloudprofile",
        "  - name: m5.large\n",
        "  - name: []\n",
        ", because CloudProfile aws has errors",
    ),
    (
        "equinix-metal",
        "  - name: c3.small.x86\n",
        "  - name: \"\"\n",
        ", because CloudProfile equinix-metal has errors",
    ),
];

#[test]
fn what_is_wrong_with_an_object_is_reported_there_and_not_again_at_what_names_it() {
    for (name, right, wrong, line) in REPORTED_ONCE {
        let (status, text) = said(&["validate", "--errors"], &with(&example(name), right, wrong));
        assert_eq!((status, text.matches("error[").count()), (Some(1), 1), "{name}: {text}");
        assert!(text.contains(line), "{name}: {text}");
    }
}

/// What is misspelt in a profile.
const KEYS: [&str; 6] =
    ["  regions:", "  machineTypes:", "  machineImages:", "  volumeTypes:", "  kubernetes:", "    zones:"];

#[test]
fn what_follows_from_a_misspelt_key_of_a_profile_is_not_reported_again_at_the_shoot() {
    let (shoot, profile) = (example("two-zones"), example("cloudprofile-regions"));
    for key in KEYS {
        let misspelt = with(&profile, &format!("\n{key}"), &format!("\n{}:", &key[..key.len() - 2]));
        let (status, text) = said(&["validate", "--errors"], &format!("{shoot}---\n{misspelt}"));
        assert_eq!((status, text.matches("error[").count()), (Some(1), 1), "{key}: {text}");
        assert!(text.contains(", because CloudProfile alicloud has errors"), "{key}: {text}");
        let wrong = with(&shoot, "10.96.0.0/11", "10.96.0.0/33");
        let (_, text) = said(&["validate", "--errors"], &format!("{wrong}---\n{misspelt}"));
        assert!(text.contains("error[DEC-2]") && text.contains("error[GDN-NET-008]"), "{key}: {text}");
    }
}

#[test]
fn a_mistake_of_a_shoot_stays_where_another_part_of_its_profile_has_an_error() {
    let text = with(&example(BOTH), "  - name: cloud_essd\n", "  - name: \"\"\n");
    let text = with(&text, "          name: gardenlinux\n", "          name: ubunto\n");
    let (_, text) = said(&["validate", "--errors"], &text);
    assert!(text.contains("error[GDN-CPR-085]") && text.contains("error[ADM-MACH-020]"), "{text}");
    assert!(!text.contains("error[ADM-VOL-001]"), "{text}");
}

#[test]
fn what_no_policy_can_judge_is_not_reported_again_at_what_names_it() {
    for (right, wrong) in [("domainName: ", "domainName: 5 #"), ("\n  kind: Secret\n", "\n  kind: 5\n")] {
        let text = with(&example("openstack-application-credentials"), right, wrong);
        let (status, text) = said(&["validate", "--errors"], &text);
        let errors = text.lines().filter(|line| line.starts_with("error")).count();
        assert_eq!((status, errors), (Some(2), 1), "{wrong}: {text}");
    }
}

#[test]
fn what_makes_an_object_unreadable_itself_is_shown_next_to_what_is_wrong_with_one_that_it_names() {
    let text = with(&example("openstack-application-credentials"), "domainName: ", "domainName: 5 #");
    let text = with(
        &text,
        "kind: CredentialsBinding\nmetadata:\n  name: openstack",
        "kind: CredentialsBinding\nmetadata:\n  name: 5",
    );
    let (status, text) = said(&["validate", "--errors"], &text);
    for object in ["Secret garden-dev/openstack", "CredentialsBinding garden-dev/(no name)"] {
        assert!(status == Some(2) && text.contains(&format!("error: {object} could not be judged")), "{text}");
    }
}

#[test]
fn what_a_policy_cannot_judge_for_a_profile_is_judged_without_the_mistakes_of_that_in_every_format() {
    let text = with(&example("aws-three-zones-dual-stack"), "  - name: m6i.large\n", "  - name: {x: 1}\n");
    let text = with(&text, "      maximum: 12\n", "      maximum: -1\n");
    for format in ["human", "json", "yaml", "sarif", "github"] {
        let (status, text) = said(&["validate", "-o", format], &text);
        assert!(status == Some(1) && text.contains("GDN-WRK-008"), "{format}: {text}");
    }
}

#[test]
fn a_mistake_of_a_profile_stays_where_its_parent_has_one_of_the_same_rule() {
    let text =
        example("aws-namespaced-cloudprofile").replace("        - name: eu-central-1\n", "        - name: \"\"\n");
    let (_, text) = said(&["validate", "--errors"], &text);
    assert_eq!(text.matches("error[AWS-CPROF-012]").count(), 3, "{text}");
}

#[test]
fn what_describes_an_entry_of_a_profile_hides_no_mistake_of_a_shoot() {
    let text = with(&example(BOTH), "    cpu: \"2\"\n", "    cpu: many\n");
    let text = with(&text, "        type: ecs.g7.large", "        type: ecs.g7.larg");
    let (_, text) = said(&["validate", "--errors"], &text);
    assert!(text.contains("spec.machineTypes[0].cpu") && text.contains("error[ADM-MACH-010]"), "{text}");
}

#[test]
fn an_error_that_a_mistake_of_the_profile_hid_is_found() {
    let (shoot, profile) = (example("two-zones"), example("cloudprofile-regions"));
    let wrong =
        with(&shoot, "        image:\n          name: gardenlinux", "        image:\n          name: ubunto");
    for (right, misspelt) in
        [("  - name: ecs.g7.large", "  - nam: ecs.g7.large"), ("  type: alicloud", "  typ: alicloud")]
    {
        let profile = with(&profile, right, misspelt);
        let (status, text) = said(&["validate", "--errors"], &format!("{wrong}---\n{profile}"));
        assert_eq!((status, text.matches("error[").count()), (Some(1), 2), "{misspelt}: {text}");
        assert!(text.contains("error[DEC-2]") && text.contains("error[ADM-MACH-020]"), "{misspelt}: {text}");
    }
}

#[test]
fn a_profile_that_is_read_only_along_has_its_mistakes_named_where_errors_follow_from_them() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("shoot.yaml"), example("two-zones")).unwrap();
    let profile = with(&example("cloudprofile-regions"), "  - name: eu-central-1\n", "  - nam: eu-central-1\n");
    fs::write(folder.path().join("profile.yaml"), profile).unwrap();
    let said = |format| {
        let output = Command::new(env!("CARGO_BIN_EXE_trellis"))
            .args(["validate", "shoot.yaml", "--with", "profile.yaml", "-o", format])
            .current_dir(folder.path())
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    for format in ["github", "sarif", "json"] {
        let (status, text) = said(format);
        assert!(status == Some(1) && text.contains("ADM-REG-001"), "such a report has no notes: {text}");
    }
    let (status, text) = said("human");
    assert_eq!((status, text.matches("error[").count()), (Some(1), 0), "{text}");
    assert!(text.contains("because CloudProfile alicloud has errors"), "{text}");
    assert!(text.contains("1 document: 1 rejected because of other objects"), "{text}");
    let note =
        "CloudProfile alicloud has an error itself (profile.yaml:35): unknown field \"spec.regions[0].nam\"";
    assert!(text.contains(note), "{text}");
}

#[test]
fn before_an_upgrade_a_misspelt_key_of_a_configuration_has_its_fix() {
    let text = with(&example(BOTH), "      networks:\n", "      network:\n");
    let (_, text) = said(&["validate", "--kubernetes", "1.33.2"], &text);
    assert!(text.contains("rename `/spec/provider/infrastructureConfig/network` to `networks`"), "{text}");
}

#[test]
fn zones_pass_over_what_is_no_shoot_of_whatever_provider() {
    let binding = "apiVersion: security.gardener.cloud/v1alpha1\nkind: CredentialsBinding\nmetadata:\n  name: other\n  namespace: \
                   garden-dev\nprovider:\n  type: vsphere\ncredentialsRef:\n  apiVersion: v1\n  kind: Secret\n  name: other\n  \
                   namespace: garden-dev\n";
    let (status, text) = said(&["zones"], &format!("{}---\n{binding}", example("two-zones")));
    assert_eq!(status, Some(0), "{text}");
    assert!(
        text.contains("skipped CredentialsBinding garden-dev/other: only Shoots have an address space"),
        "{text}"
    );
}

#[test]
fn an_error_of_the_binding_itself_stays_next_to_one_of_what_it_names() {
    let text = with(&example("aws-workload-identity"), "roleARN:", "roleArn:");
    let text = with(&text, "provider:\n  type: aws\ncredentialsRef", "provider:\n  type: gcp\ncredentialsRef");
    let (_, text) = said(&["validate", "--errors"], &text);
    assert!(text.contains("error[AWS-WID-002]") && text.contains("error[GCP-CRED-006]"), "{text}");
}

#[test]
fn an_api_that_ended_is_named_and_nothing_is_said_of_its_fields() {
    let old = with(
        &example("two-zones"),
        "core.gardener.cloud/v1beta1\nkind: Shoot",
        "garden.sapcloud.io/v1beta1\nkind: Shoot",
    );
    let (_, text) = said(&["validate"], &old);
    assert!(text.contains("error[DEC-13]: the API `garden.sapcloud.io` ended with Gardener 1.0"), "{text}");
    assert!(text.contains("set `/apiVersion` to"), "a Shoot of today has the wrong group: {text}");
    let (_, text) = said(&["validate"], &with(&old, "spec:\n", "spec:\n  cloud:\n    profile: alicloud\n"));
    assert!(text.contains("Write `spec.provider`, `spec.cloudProfile` and `spec.region`"), "{text}");
    assert!(!text.contains("DEC-2"), "{text}");
}

/// An example, a text in it and what is written instead; what is said of it.
const UNREADABLE: [(&str, &str, &str, &str); 3] = [
    (
        "two-zones",
        "version: 1.33.2",
        "version: 1.33",
        "spec.kubernetes.version: expected a string, found the number 1.33",
    ),
    (
        "two-zones",
        "workers: 10.250.0.0/19",
        "workers: 10",
        "zones[0].workers: expected a string, found the number 10",
    ),
    ("two-zones", "      networks:\n", "      network:\n", "infrastructureConfig.network: unknown field"),
];

#[test]
fn zones_stop_where_an_object_cannot_be_read() {
    for (name, right, wrong, words) in UNREADABLE {
        let (status, text) = said(&["zones"], &with(&example(name), right, wrong));
        assert_eq!(status, Some(1), "{wrong}: {text}");
        assert!(text.contains(words) && text.contains("`trellis validate` says how to fix it"), "{wrong}: {text}");
        assert!(!text.contains("no conflicts"), "{wrong}: {text}");
    }
}

#[test]
fn what_the_profile_of_openstack_lacks_is_not_decided_for_an_edited_export() {
    for (right, wrong, rule) in [
        ("loadBalancerProvider: amphora", "loadBalancerProvider: other", "OS-CPCP-001"),
        ("floatingPoolName: public-1", "floatingPoolName: other", "OS-INFCP-001"),
    ] {
        let new = with(&example("openstack-new-network"), right, wrong);
        only(rule, &new);
        let stored = with(&new, "metadata:\n", "metadata:\n  uid: 3b0c\n  resourceVersion: \"77\"\n");
        let (status, text) = said(&["validate"], &stored);
        assert!(status == Some(0) && text.contains(&format!("Not decided: {rule} of Shoot")), "{text}");
    }
}
