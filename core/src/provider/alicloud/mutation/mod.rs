//! What the webhooks change (`alicloud-policy` 3.3 and 4).

mod credentials;
mod deployments;
mod etcd;
mod nodes;
mod services;

use crate::gardener::mutation::{SeenKind, Webhook};

/// The webhooks (`alicloud-manifests` 9.1).
pub const WEBHOOKS: &[Webhook] = &[
    Webhook {
        name: "controlplane",
        sees: &[
            SeenKind::by_name(
                "apps/v1",
                "Deployment",
                &[
                    ("kube-controller-manager", deployments::kube_controller_manager),
                    ("virtual-garden-kube-controller-manager", deployments::kube_controller_manager),
                    ("machine-controller-manager", deployments::machine_controller_manager),
                ],
            ),
            SeenKind::by_name("apps/v1", "StatefulSet", &[]),
            SeenKind::by_name(
                "autoscaling.k8s.io/v1",
                "VerticalPodAutoscaler",
                &[("machine-controller-manager-vpa", deployments::autoscaler)],
            ),
            SeenKind::all(
                "extensions.gardener.cloud/v1alpha1",
                "OperatingSystemConfig",
                nodes::operating_system_config,
            ),
        ],
    },
    Webhook {
        name: "seedprovider",
        sees: &[SeenKind::by_name(
            "druid.gardener.cloud/v1alpha1",
            "Etcd",
            &[
                ("etcd-main", etcd::main),
                ("etcd-events", etcd::others),
                ("virtual-garden-etcd-main", etcd::others),
                ("virtual-garden-etcd-events", etcd::others),
            ],
        )],
    },
    Webhook {
        name: "cloudprovider",
        sees: &[SeenKind::by_name("v1", "Secret", &[("cloudprovider", credentials::secret)])],
    },
    Webhook { name: "shoot", sees: &[SeenKind::all("v1", "Service", services::service)] },
];
