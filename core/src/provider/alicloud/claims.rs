//! What the policy claims of the process that carries out what it decides.

use crate::policy::claims::{Claims, Kind, Label, NamespaceLabel, SeedWebhook, Target, Workload};

const SECRET: Kind = Kind::new("", "v1", "Secret", "secrets");
const SERVICE: Kind = Kind::new("", "v1", "Service", "services");
const DEPLOYMENT: Kind = Kind::new("apps", "v1", "Deployment", "deployments");
const AUTOSCALER: Kind = Kind::new("autoscaling.k8s.io", "v1", "VerticalPodAutoscaler", "verticalpodautoscalers");
const DISRUPTION_BUDGET: Kind = Kind::new("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets");
const CLUSTER: Kind = Kind::new("extensions.gardener.cloud", "v1alpha1", "Cluster", "clusters");
const OPERATING_SYSTEM_CONFIG: Kind =
    Kind::new("extensions.gardener.cloud", "v1alpha1", "OperatingSystemConfig", "operatingsystemconfigs");
const ETCD: Kind = Kind::new("druid.gardener.cloud", "v1alpha1", "Etcd", "etcds");

/// The namespaces of the provider's Shoots.
const OF_SHOOTS: NamespaceLabel = NamespaceLabel { key: "shoot.gardener.cloud/provider", value: None };

/// What the policy claims (`alicloud-manifests` 7 and 9.1, `alicloud-policy` 5.9).
pub const CLAIMS: Claims = Claims {
    harmless: super::calls::HARMLESS,
    webhooks: &[
        SeedWebhook {
            name: "controlplane",
            path: "/controlplane",
            target: Target::Own,
            sees: &[DEPLOYMENT, AUTOSCALER, OPERATING_SYSTEM_CONFIG],
            namespaces: OF_SHOOTS,
            labels: &[Label {
                key: "provider.extensions.gardener.cloud/mutated-by-controlplane-webhook",
                value: "true",
            }],
        },
        SeedWebhook {
            name: "seedprovider",
            path: "/seedprovider",
            target: Target::Own,
            sees: &[ETCD],
            namespaces: NamespaceLabel { key: "seed.gardener.cloud/provider", value: None },
            labels: &[],
        },
        SeedWebhook {
            name: "cloudprovider",
            path: "/cloudprovider",
            target: Target::Own,
            sees: &[SECRET],
            namespaces: OF_SHOOTS,
            labels: &[Label { key: "gardener.cloud/purpose", value: "cloudprovider" }],
        },
        SeedWebhook {
            name: "shoot",
            path: "/shoot",
            target: Target::Shoots,
            sees: &[SERVICE],
            namespaces: NamespaceLabel { key: "gardener.cloud/purpose", value: Some("kube-system") },
            labels: &[
                Label { key: "app", value: "nginx-ingress" },
                Label { key: "component", value: "controller" },
                Label { key: "release", value: "addons" },
            ],
        },
    ],
    reads: &[CLUSTER, DEPLOYMENT, SECRET],
    deletes: &[DEPLOYMENT, SERVICE, DISRUPTION_BUDGET, AUTOSCALER],
    machine_class: "Alicloud",
    workloads: &[
        Workload { kind: "Deployment", name: "csi-plugin-controller" },
        Workload { kind: "Deployment", name: "csi-snapshot-controller" },
        Workload { kind: "Deployment", name: "cloud-controller-manager" },
    ],
};
