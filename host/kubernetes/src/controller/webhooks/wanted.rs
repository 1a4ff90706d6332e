//! Which webhooks an extension has, and which objects they see.
//!
//! A policy cannot say that: it changes what it is shown. Each existing extension has a list of kinds and labels.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, LabelSelectorRequirement};

use crate::webhook::GroupKind;
use crate::webhook::registration::{Action, Entry, Seen, Target};

/// A webhook of a seed. Its name is that of its policy's function `mutate`, and its path.
#[derive(Debug)]
pub struct Wanted {
    /// Its name.
    pub name: &'static str,
    /// Its path.
    pub path: &'static str,
    /// Whose objects it sees.
    pub target: Target,
    /// Their kinds.
    pub kinds: &'static [GroupKind],
    /// Their resources.
    pub sees: &'static [Seen],
    /// The label of their namespaces; `None` stands for the provider type.
    pub namespaces: (&'static str, Option<&'static str>),
    /// Their labels.
    pub labels: &'static [(&'static str, &'static str)],
}

/// Of Alibaba Cloud (reference: alicloud-manifests 9.1).
static OF_ALICLOUD: [Wanted; 4] = [
    Wanted {
        name: "controlplane",
        path: "/controlplane",
        target: Target::Own,
        kinds: &[
            GroupKind { group: "apps", kind: "Deployment" },
            GroupKind { group: "autoscaling.k8s.io", kind: "VerticalPodAutoscaler" },
            GroupKind { group: "extensions.gardener.cloud", kind: "OperatingSystemConfig" },
        ],
        sees: &[
            Seen { group: "apps", version: "v1", resource: "deployments" },
            Seen { group: "autoscaling.k8s.io", version: "v1", resource: "verticalpodautoscalers" },
            Seen { group: "extensions.gardener.cloud", version: "v1alpha1", resource: "operatingsystemconfigs" },
        ],
        namespaces: ("shoot.gardener.cloud/provider", None),
        labels: &[("provider.extensions.gardener.cloud/mutated-by-controlplane-webhook", "true")],
    },
    Wanted {
        name: "seedprovider",
        path: "/seedprovider",
        target: Target::Own,
        kinds: &[GroupKind { group: "druid.gardener.cloud", kind: "Etcd" }],
        sees: &[Seen { group: "druid.gardener.cloud", version: "v1alpha1", resource: "etcds" }],
        namespaces: ("seed.gardener.cloud/provider", None),
        labels: &[],
    },
    Wanted {
        name: "cloudprovider",
        path: "/cloudprovider",
        target: Target::Own,
        kinds: &[GroupKind { group: "", kind: "Secret" }],
        sees: &[Seen { group: "", version: "v1", resource: "secrets" }],
        namespaces: ("shoot.gardener.cloud/provider", None),
        labels: &[("gardener.cloud/purpose", "cloudprovider")],
    },
    Wanted {
        name: "shoot",
        path: "/shoot",
        target: Target::Shoots,
        kinds: &[GroupKind { group: "", kind: "Service" }],
        sees: &[Seen { group: "", version: "v1", resource: "services" }],
        namespaces: ("gardener.cloud/purpose", Some("kube-system")),
        labels: &[("app", "nginx-ingress"), ("component", "controller"), ("release", "addons")],
    },
];

impl Wanted {
    /// The webhooks of a provider's extension.
    pub fn of(provider: &str) -> &'static [Self] {
        if provider == "alicloud" { &OF_ALICLOUD } else { &[] }
    }

    /// The webhook as it is registered for objects of a provider.
    pub fn entry(&self, provider: &str) -> Entry {
        let (key, value) = self.namespaces;
        let labels = self.labels.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        let labels: BTreeMap<String, String> = labels.collect();
        Entry {
            name: self.name,
            path: self.path,
            action: Action::Mutates,
            target: self.target,
            sees: self.sees,
            namespaces: LabelSelector {
                match_expressions: Some(vec![LabelSelectorRequirement {
                    key: key.to_owned(),
                    operator: "In".to_owned(),
                    values: Some(vec![value.unwrap_or(provider).to_owned()]),
                }]),
                match_labels: None,
            },
            objects: LabelSelector {
                match_expressions: None,
                match_labels: (!labels.is_empty()).then_some(labels),
            },
        }
    }
}
