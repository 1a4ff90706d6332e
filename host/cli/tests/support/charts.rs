//! The command lines that the charts of the existing extension render (reference: alicloud-manifests 8.3, 10.2).

#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]
#![allow(dead_code, reason = "not every test needs all of it")]

use std::path::Path;

pub const PROVIDER: &str = "/gardener-extension-provider-alicloud";
pub const ADMISSION: &str = "/gardener-extension-admission-alicloud";

/// Values of the provider's chart, on which the command line depends.
#[derive(Clone, Copy)]
pub struct ProviderValues {
    pub syncs: &'static str,
    pub qps: &'static str,
    pub wait: &'static str,
    pub is_annotation_ignored: bool,
    pub disabled_controllers: &'static str,
    pub disabled_webhooks: &'static str,
    pub is_runtime: bool,
    pub ports: [u16; 3],
    pub gardener_version: &'static str,
    pub is_self_hosted: bool,
}

pub const DEFAULTS: ProviderValues = ProviderValues {
    syncs: "5",
    qps: "25",
    wait: "2s",
    is_annotation_ignored: false,
    disabled_controllers: "",
    disabled_webhooks: "",
    is_runtime: false,
    ports: [8080, 10250, 8081],
    gardener_version: "",
    is_self_hosted: false,
};

/// The flags of the provider in a namespace, in the order of its chart.
pub fn provider(namespace: &str, values: ProviderValues) -> Vec<String> {
    let ProviderValues { syncs, qps, wait, ports: [metrics, webhook, health], gardener_version, .. } = values;
    let most = |controller: &str| format!("--{controller}-max-concurrent-reconciles={syncs}");
    let mut line = vec![
        most("backupbucket"),
        most("backupentry"),
        most("bastion"),
        "--config-file=/etc/gardener-extension-provider-alicloud/config/config.yaml".to_owned(),
        most("controlplane"),
        most("dnsrecord"),
        format!("--dnsrecord-provider-client-qps={qps}"),
        "--dnsrecord-provider-client-burst=1".to_owned(),
        format!("--dnsrecord-provider-client-wait-timeout={wait}"),
        most("infrastructure"),
        format!("--ignore-operation-annotation={}", values.is_annotation_ignored),
        most("healthcheck"),
        format!("--heartbeat-namespace={namespace}"),
        "--heartbeat-renew-interval-seconds=30".to_owned(),
        most("worker"),
        format!("--webhook-config-namespace={namespace}"),
        "--webhook-config-service-port=443".to_owned(),
        format!("--webhook-config-server-port={webhook}"),
    ];
    if values.is_runtime {
        let runtime =
            ["--controllers=backupbucket,dnsrecord", "--disable-webhooks=\"*\"", "--extension-classes=garden"];
        line.extend(runtime.map(str::to_owned));
    } else {
        line.push(format!("--disable-controllers={}", values.disabled_controllers));
        line.push(format!("--disable-webhooks={}", values.disabled_webhooks));
    }
    line.push(format!("--metrics-bind-address=:{metrics}"));
    line.push(format!("--health-bind-address=:{health}"));
    line.push(format!("--gardener-version={gardener_version}"));
    if values.is_self_hosted {
        line.push("--self-hosted-shoot-cluster=true".to_owned());
    }
    line
}

/// Values of the admission's chart, on which the command line depends.
#[derive(Clone, Copy)]
pub struct AdmissionValues {
    pub is_virtual: bool,
    pub owner: Option<&'static str>,
    pub kubeconfig: Option<&'static str>,
    pub has_metrics: bool,
}

/// The flags of the admission in a namespace, in the order of its chart.
pub fn admission(namespace: &str, values: AdmissionValues) -> Vec<String> {
    let mut line = vec!["--webhook-config-server-port=10250".to_owned()];
    if values.is_virtual {
        line.push("--webhook-config-mode=url".to_owned());
        line.push(format!("--webhook-config-url=gardener-extension-admission-alicloud.{namespace}"));
    } else {
        line.push("--webhook-config-mode=service".to_owned());
    }
    line.push(format!("--webhook-config-namespace={namespace}"));
    line.extend(values.owner.map(|owner| format!("--webhook-config-owner-namespace={owner}")));
    line.extend(values.kubeconfig.map(|file| format!("--kubeconfig={file}")));
    line.extend(values.has_metrics.then(|| "--metrics-bind-address=:8080".to_owned()));
    line.push("--health-bind-address=:8081".to_owned());
    line.push("--leader-election-id=gardener-extension-admission-alicloud".to_owned());
    line
}

/// Writes the file that the chart mounts, and answers with the flag that names it there: it takes the place of the
/// chart's, which is not on this machine.
pub fn configuration(folder: &Path) -> String {
    let file = folder.join("config.yaml");
    let text =
        "apiVersion: alicloud.provider.extensions.config.gardener.cloud/v1alpha1\nkind: ControllerConfiguration\n";
    std::fs::write(&file, text).unwrap();
    format!("--config-file={}", file.display())
}
