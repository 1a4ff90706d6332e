//! What the webhooks change (`alicloud-policy` 3.3 and 4).

mod credentials;
mod deployments;
mod etcd;
mod nodes;
mod services;

use crate::gardener::mutation::Handlers::{All, ByName};
use crate::gardener::mutation::{SeenKind, Webhook};

/// The webhooks (`alicloud-manifests` 9.1).
pub const WEBHOOKS: &[Webhook] = &[
    Webhook {
        name: "controlplane",
        sees: &[
            SeenKind {
                api_version: "apps/v1",
                kind: "Deployment",
                handlers: ByName(&[
                    ("kube-controller-manager", deployments::kube_controller_manager),
                    ("virtual-garden-kube-controller-manager", deployments::kube_controller_manager),
                    ("machine-controller-manager", deployments::machine_controller_manager),
                ]),
            },
            SeenKind { api_version: "apps/v1", kind: "StatefulSet", handlers: ByName(&[]) },
            SeenKind {
                api_version: "autoscaling.k8s.io/v1",
                kind: "VerticalPodAutoscaler",
                handlers: ByName(&[("machine-controller-manager-vpa", deployments::autoscaler)]),
            },
            SeenKind {
                api_version: "extensions.gardener.cloud/v1alpha1",
                kind: "OperatingSystemConfig",
                handlers: All(nodes::operating_system_config),
            },
        ],
    },
    Webhook {
        name: "seedprovider",
        sees: &[SeenKind {
            api_version: "druid.gardener.cloud/v1alpha1",
            kind: "Etcd",
            handlers: ByName(&[
                ("etcd-main", etcd::main),
                ("etcd-events", etcd::others),
                ("virtual-garden-etcd-main", etcd::others),
                ("virtual-garden-etcd-events", etcd::others),
            ]),
        }],
    },
    Webhook {
        name: "cloudprovider",
        sees: &[SeenKind {
            api_version: "v1",
            kind: "Secret",
            handlers: ByName(&[("cloudprovider", credentials::secret)]),
        }],
    },
    Webhook {
        name: "shoot",
        sees: &[SeenKind { api_version: "v1", kind: "Service", handlers: All(services::service) }],
    },
];
