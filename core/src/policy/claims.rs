//! What a policy claims of the process that carries out what it decides: what the process registers, reads,
//! deletes and calls for it.
//!
//! `cargo xtask providers` writes the claims of this release's policies into the program, which grants them to
//! every version of the policy that it loads, and no more. So no module holds them, and `info` does not show them.

use serde::Serialize;

use super::Calls;

/// What a policy claims.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Claims {
    /// Those of its calls that change nothing, sorted: admission makes no others.
    #[serde(skip)]
    pub harmless: Calls,
    /// The webhooks of its extension in a seed.
    pub webhooks: &'static [SeedWebhook],
    /// The kinds of the objects that it asks a seed for.
    pub reads: &'static [Kind],
    /// The kinds of what earlier releases have left behind in the namespace of a control plane.
    pub deletes: &'static [Kind],
    /// `provider` of its machine classes; empty where it makes none.
    pub machine_class: &'static str,
    /// The workloads that stand for the health of a control plane.
    pub workloads: &'static [Workload],
}

impl Claims {
    /// The claims of a policy that decides nothing which somebody carries out.
    pub const NONE: Self =
        Self { harmless: &[], webhooks: &[], reads: &[], deletes: &[], machine_class: "", workloads: &[] };
}

/// A kind of objects, as requests to an API server name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Kind {
    /// The API group; empty for the first kinds of Kubernetes.
    pub group: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Such as `Secret`.
    pub kind: &'static str,
    /// Such as `secrets`.
    pub plural: &'static str,
}

impl Kind {
    /// A kind of a group in a version.
    pub const fn new(
        group: &'static str,
        version: &'static str,
        kind: &'static str,
        plural: &'static str,
    ) -> Self {
        Self { group, version, kind, plural }
    }
}

/// A webhook, and the objects that it sees: those of its kinds that have the labels, in namespaces with the label.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SeedWebhook {
    /// Its name in requests of `mutate`.
    pub name: &'static str,
    /// Its path at the server.
    pub path: &'static str,
    /// Whose objects it sees.
    pub target: Target,
    /// Their kinds.
    pub sees: &'static [Kind],
    /// The label of their namespaces.
    pub namespaces: NamespaceLabel,
    /// Their labels.
    pub labels: &'static [Label],
}

/// Whose objects a webhook sees.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// Those of the seed.
    Own,
    /// Those of each Shoot.
    Shoots,
}

/// A label of namespaces.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct NamespaceLabel {
    /// Its key.
    pub key: &'static str,
    /// Its value; without one, the provider type.
    pub value: Option<&'static str>,
}

/// A label of objects.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Label {
    /// Its key.
    pub key: &'static str,
    /// Its value.
    pub value: &'static str,
}

/// A workload in the namespace of a control plane.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Workload {
    /// `Deployment`, `StatefulSet` or `DaemonSet`.
    pub kind: &'static str,
    /// Its name.
    pub name: &'static str,
}
