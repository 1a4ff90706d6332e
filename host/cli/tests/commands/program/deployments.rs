//! The command lines that the charts of the existing extension render start the program, called by the names of the
//! existing programs.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests may panic")]

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::charts::{
    ADMISSION, AdmissionValues, DEFAULTS, PROVIDER, ProviderValues, admission, configuration, provider,
};

/// The program as a Deployment starts it, but that it finds no policies, which it looks for once it knows what its
/// command line asks for.
fn start(name: &str, line: &[String], without_policies: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_trellis"))
        .arg0(name)
        .args(line)
        .env("TRELLIS_POLICIES", without_policies)
        .env("LEADER_ELECTION_NAMESPACE", "extension-provider-alicloud")
        .env("SOURCE_CLUSTER", "enabled")
        .env_remove("WEBHOOK_CONFIG_NAMESPACE")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Requires that the program takes a command line, and ends for want of policies alone.
fn is_taken(name: &str, line: &[String]) {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no-policies");
    let output = start(name, line, &missing);
    let log = text(&output.stderr);
    let last: serde_json::Value = serde_json::from_str(log.lines().last().unwrap_or_default()).unwrap_or_default();
    let reason = last["msg"].as_str().unwrap_or_default();
    assert!(output.status.code() == Some(1) && reason.contains("no-policies"), "{line:?}: {log}");
}

#[test]
fn each_command_line_of_the_charts_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let here = configuration(folder.path());
    let cases = [
        DEFAULTS,
        ProviderValues { syncs: "1", qps: "2.5", wait: "1m30s", ..DEFAULTS },
        ProviderValues { is_annotation_ignored: true, ..DEFAULTS },
        ProviderValues { disabled_controllers: "bastion", disabled_webhooks: "shoot", ..DEFAULTS },
        ProviderValues {
            disabled_controllers: "backupbucket,backupentry,bastion,controlplane,dnsrecord,healthcheck,heartbeat,infrastructure,worker",
            disabled_webhooks: "controlplane,seedprovider,cloudprovider,shoot",
            ..DEFAULTS
        },
        ProviderValues { disabled_webhooks: "*", ..DEFAULTS },
        ProviderValues { gardener_version: "v1.150.0", ports: [31001, 31002, 31003], ..DEFAULTS },
        ProviderValues { is_self_hosted: true, ..DEFAULTS },
        ProviderValues { is_runtime: true, ..DEFAULTS },
        ProviderValues { is_runtime: true, is_annotation_ignored: true, gardener_version: "v1.150.0", ..DEFAULTS },
    ];
    for values in cases {
        let mut line = provider("extension-provider-alicloud", values);
        line.push(here.clone());
        is_taken(PROVIDER, &line);
    }
    for is_virtual in [true, false] {
        for owner in [None, Some("extension-admission-alicloud")] {
            for kubeconfig in [
                None,
                Some("/etc/gardener-extension-admission-alicloud/kubeconfig/kubeconfig"),
                Some("/var/run/secrets/gardener.cloud/shoot/generic-kubeconfig/kubeconfig"),
            ] {
                for has_metrics in [true, false] {
                    is_taken(
                        ADMISSION,
                        &admission("garden", AdmissionValues { is_virtual, owner, kubeconfig, has_metrics }),
                    );
                }
            }
        }
    }
}

#[test]
fn where_the_chart_is_silent_the_program_has_the_defaults_of_the_existing_one() {
    is_taken(PROVIDER, &["--webhook-config-namespace=n".to_owned()]);
    is_taken(ADMISSION, &["--webhook-config-namespace=n".to_owned()]);
}

#[test]
fn a_flag_that_the_program_does_not_know_is_an_error_that_names_it() {
    let flags = [(PROVIDER, provider("n", DEFAULTS)), (ADMISSION, vec![])];
    for (name, mut line) in flags {
        for (flag, said) in [
            ("--a-flag-of-a-newer-chart=true", "unexpected argument '--a-flag-of-a-newer-chart'"),
            ("-z", "unexpected argument '-z'"),
            ("further", "unexpected argument 'further'"),
            ("--leader-election=maybe", "invalid value 'maybe' for '--leader-election"),
            ("--disable-webhooks=network", "cannot disable unknown webhook \"network\""),
        ] {
            line.push(flag.to_owned());
            line.retain(|flag| !flag.starts_with("--config-file="));
            let output = start(name, &line, Path::new("/"));
            line.pop();
            assert_eq!(output.status.code(), Some(2), "{name} {flag}");
            assert!(text(&output.stderr).contains(said), "{name} {flag}: {}", text(&output.stderr));
            assert!(!text(&output.stderr).contains("Usage: trellis"), "{name} {flag}: {}", text(&output.stderr));
        }
    }
}

#[test]
fn the_usage_is_that_of_the_program_as_it_is_called() {
    for (name, usage) in [
        (PROVIDER, "Usage: gardener-extension-provider-alicloud [OPTIONS]\n"),
        (ADMISSION, "Usage: gardener-extension-admission-alicloud [OPTIONS]\n"),
    ] {
        // The second is an error of what `trellis` has for all its commands.
        for line in [&["--a-flag"][..], &["--engine=native", "--policies=p"]] {
            let line: Vec<String> = line.iter().map(|flag| (*flag).to_owned()).collect();
            let output = start(name, &line, Path::new("/"));
            assert_eq!(output.status.code(), Some(2), "{line:?}");
            assert!(text(&output.stderr).contains(usage), "{line:?}: {}", text(&output.stderr));
        }
    }
}

#[test]
fn the_version_is_printed_and_nothing_starts() {
    for name in [PROVIDER, ADMISSION] {
        for flag in ["--version", "--version=true"] {
            let output = start(name, &[flag.to_owned()], Path::new("/"));
            assert_eq!(output.status.code(), Some(0), "{name} {flag}");
            assert_eq!(text(&output.stdout), format!("trellis {}\n", env!("CARGO_PKG_VERSION")));
        }
        let wrong = start(name, &["--version".to_owned(), "--a-flag".to_owned()], Path::new("/"));
        assert!(wrong.status.code() == Some(2) && text(&wrong.stderr).contains("'--a-flag'"));
    }
}
