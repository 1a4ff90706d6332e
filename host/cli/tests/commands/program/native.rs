//! Commands of the program with the policies that are linked into it.

#![cfg(feature = "native")]
#![expect(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const SHOOT: &str = r"
apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata:
  name: crazy
  namespace: garden-dev
spec:
  cloudProfile:
    name: alicloud
  credentialsBindingName: alicloud
  region: eu-central-1
  provider:
    type: alicloud
    infrastructureConfig:
      apiVersion: alicloud.provider.extensions.gardener.cloud/v1alpha1
      kind: InfrastructureConfig
      networks:
        vpc:
          cidr: 10.250.0.0/16
        zones:
        - name: eu-central-1a
          workers: 10.250.0.0/19
    controlPlaneConfig:
      apiVersion: alicloud.provider.extensions.gardener.cloud/v1alpha1
      kind: ControlPlaneConfig
    workers:
    - name: pool
      minimum: 1
      maximum: 2
      machine:
        type: ecs.g6.large
        image:
          name: gardenlinux
          version: 1592.9.0
      volume:
        type: cloud_essd
        size: 50Gi
      zones: [eu-central-1a]
  networking:
    type: calico
    nodes: 10.250.0.0/16
    pods: 172.16.0.0/13
    services: 172.24.0.0/13
  kubernetes:
    version: 1.31.4
";

fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_trellis"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // The program may have stopped reading.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn exit_codes_are_those_of_the_documentation() {
    let broken = SHOOT.replace("10.250.0.0/19", "10.250.0.7/19");
    let accepted = run(&["validate"], SHOOT.as_bytes());
    assert_eq!(code(&accepted), Some(0), "{}", text(&accepted.stdout));
    let rejected = run(&["validate"], broken.as_bytes());
    assert_eq!(code(&rejected), Some(1));
    assert!(text(&rejected.stdout).contains("error[ALI-INF-003]: networks.zones[0].workers"));
    assert!(text(&rejected.stdout).contains("--> <stdin>:22:20\n"), "{}", text(&rejected.stdout));
    let failed = run(&["validate"], b"kind: Shoot\nkind: Shoot\n");
    assert_eq!(code(&failed), Some(2));
    assert!(failed.stdout.is_empty());
    assert_eq!(code(&run(&["validate", "--what"], b"")), Some(2));
}

#[test]
fn a_misspelt_key_is_underlined_at_the_key() {
    let output = run(&["validate"], SHOOT.replace("          workers: 10", "          wrokers: 10").as_bytes());
    let reported = text(&output.stdout);
    assert!(reported.contains("22 |           wrokers: 10.250.0.0/19\n   |           ^^^^^^^\n"), "{reported}");
}

#[test]
fn a_limit_names_the_list_that_meets_it() {
    let key = "\n    more: [";
    let profile = format!("{PROFILE}{key}{}]\n", "x, ".repeat(5_000));
    let output = run(&["validate"], profile.as_bytes());
    let reported = text(&output.stderr);
    assert_eq!(code(&output), Some(2));
    assert!(reported.contains("more than 4000 entries: `/spec/providerConfig/more` has 5000"), "{reported}");
    assert!(reported.contains(&format!("--> <stdin>:{}:5", PROFILE.lines().count() + 1)), "{reported}");
}

const PROFILE: &str = "\
apiVersion: core.gardener.cloud/v1beta1
kind: CloudProfile
metadata:
  name: alicloud
spec:
  type: alicloud
  providerConfig:
    kind: CloudProfileConfig";

#[test]
fn the_documentation_and_the_help_have_one_table_of_exit_codes() {
    let help = run(&["--help"], b"");
    let help = text(&help.stdout);
    let (_, rest) = help.split_once("Exit codes:\n").unwrap();
    let (table, _) = rest.split_once("\n\n").unwrap();
    let table = table.split_whitespace().collect::<Vec<_>>().join(" ");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    let words = std::fs::read_to_string(page).unwrap().replace('`', "");
    let (one, two) = (table.find(" 1 Something").unwrap(), table.find(" 2 The").unwrap());
    for row in [&table[..one], &table[one..two], &table[two..]] {
        let (code, meaning) = row.trim().split_once(' ').unwrap();
        let row = format!("| {code} | {meaning} |");
        assert!(words.contains(&row.replace('`', "")), "docs/cli.md lacks the row {row}");
    }
}

/// The name of a file may be anything, and a terminal obeys what is printed.
#[cfg(unix)]
#[test]
fn names_of_manifests_show_a_terminal_nothing() {
    let folder = tempfile::TempDir::new().unwrap();
    let rejected = SHOOT.replace("10.250.0.0/19", "10.250.0.7/19");
    for (name, manifest) in [("no", rejected.as_str()), ("broken", "a: ["), ("empty", "")] {
        let file = folder.path().join(format!("\u{1b}[2J{name}"));
        std::fs::write(&file, manifest).unwrap();
        for command in ["validate", "default"] {
            let output = run(&[command, file.to_str().unwrap()], b"");
            let reported = format!("{}{}", text(&output.stdout), text(&output.stderr));
            assert!(!reported.contains('\u{1b}') && reported.contains(&format!("[2J{name}")), "{reported:?}");
        }
    }
}

#[test]
fn numbers_reach_the_policy_and_come_back_as_they_were_spelled() {
    let shoot =
        SHOOT.replace("workers: 10.250.0.0/19", "workers: 1.30").replace("version: 1.31.4", "version: 1.30");
    let output = run(&["validate", "--no-defaults", "-o", "json"], shoot.as_bytes());
    assert!(text(&output.stdout).contains(r#""badValue": 1.30"#), "{}", text(&output.stdout));
}

#[test]
fn defaulted_manifests_are_read_again() {
    let yaml = run(&["default", "-o", "yaml"], SHOOT.as_bytes());
    let again = run(&["default", "-o", "patch"], &yaml.stdout);
    assert_eq!(text(&again.stdout).trim(), "[]", "{}", text(&yaml.stdout));
}

#[test]
fn every_provider_lists_and_explains_its_rules_and_schemas() {
    let rules = run(&["rules"], b"");
    let ids: Vec<&str> = text(&rules.stdout)
        .lines()
        .filter(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(ids.len() > 50, "{ids:?}");
    for id in [ids.first().unwrap(), ids.last().unwrap()] {
        let page = run(&["rules", "show", id], b"");
        assert!(text(&page.stdout).starts_with(id) && text(&page.stdout).contains("Why:"));
    }
    let schema = run(&["schema", "InfrastructureConfig", "--provider", "alicloud"], b"");
    assert!(serde_json::from_slice::<serde_json::Value>(&schema.stdout).is_ok());
}

#[test]
fn eval_lets_the_policy_answer_for_lines_that_are_no_requests() {
    let long = "x".repeat(17 << 20);
    let input = format!("nonsense\n{{}}\n{long}\n\n{{\"object\":{{}}}}");
    let output = run(&["eval", "validate", "--provider", "alicloud"], input.as_bytes());
    assert_eq!(code(&output), Some(0));
    let answers: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!(answers.len(), 5);
    assert!(answers.iter().all(|answer| answer.starts_with(r#"{"error":"#)), "{answers:?}");
    assert!(answers.get(2).is_some_and(|answer| answer.contains("TooLarge")));
}

#[test]
fn hostile_inputs_are_refused() {
    let inputs: Vec<Vec<u8>> = vec![
        vec![b'['; 100_000],
        b"{a: ".repeat(100_000),
        b"- ".repeat(3 << 19),
        vec![b'a'; 10_000_000],
        b"kind: Shoot\n\0".to_vec(),
        b"kind: \xFF\n".to_vec(),
        Vec::new(),
    ];
    for input in inputs {
        let output = run(&["validate"], &input);
        assert_eq!(code(&output), Some(2));
        assert!(text(&output.stderr).contains("help: "), "{}", text(&output.stderr));
    }
}

#[test]
fn many_findings_in_one_long_line_are_all_placed() {
    let pools: Vec<String> =
        (0..500).map(|pool| format!(r#"{{"name":"é{pool}","volume":{{"size":"x"}}}}"#)).collect();
    let padding = "é".repeat(1 << 20);
    let shoot = format!(
        r#"{{"kind":"Shoot","apiVersion":"core.gardener.cloud/v1beta1","x":"{padding}","spec":{{"provider":{{"type":"alicloud","infrastructureConfig":{{}},"workers":[{}]}}}}}}"#,
        pools.join(",")
    );
    let output = run(&["validate", "--no-defaults", "-o", "json"], shoot.as_bytes());
    let entries: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = entries.pointer("/0/findings").and_then(serde_json::Value::as_array).unwrap();
    assert!(findings.iter().all(|finding| finding.pointer("/line").is_some_and(|line| line == 1)));
    assert!(!findings.is_empty());
}

#[test]
fn a_reader_that_leaves_early_is_no_trouble() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_trellis"))
        .args(["eval", "rules", "--provider", "alicloud"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let _ = child.stdin.take().unwrap().write_all(&b"{}\n".repeat(100));
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), Some(0), "{}", text(&output.stderr));
    assert!(output.stderr.is_empty());
}
