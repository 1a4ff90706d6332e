//! The infrastructure request of a policy, as manifests give it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::{TargetError, at};
use trellis_policies::answer::DefaultChange;
use trellis_policies::cluster::{cloud_profile, configuration, part, raw, seed};
use trellis_policies::engine::Function;
use trellis_policies::judge::{Case, NoAnswer, Panel, Settings};
use trellis_policies::manifest::{self, Document, Identity, Manifests};
use trellis_policies::policy::Policy;

/// The annotation by which Gardener tells an extension of a control plane that moves.
const OPERATION: &str = "gardener.cloud/operation";

/// What a run does with an infrastructure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// The run creates the infrastructure, or updates it.
    #[default]
    Reconcile,
    /// The run deletes the infrastructure.
    Delete,
    /// As `Reconcile`, after the control plane moved here from another seed.
    Restore,
    /// The run leaves the infrastructure alone; another seed takes it over.
    Migrate,
}

impl Operation {
    /// Its name in requests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reconcile => "reconcile",
            Self::Delete => "delete",
            Self::Restore => "restore",
            Self::Migrate => "migrate",
        }
    }
}

/// An infrastructure request, with its objects as JSON texts.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Request {
    /// The operation that the manifests ask for.
    pub(super) operation: Operation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) infrastructure: Option<Box<RawValue>>,
    #[serde(default)]
    pub(super) cluster: Cluster,
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<Box<RawValue>>,
}

/// The objects that a Cluster holds.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cluster {
    #[serde(skip_serializing_if = "Option::is_none")]
    cloud_profile: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shoot: Option<Box<RawValue>>,
}

impl Request {
    /// The request of a Shoot, and the defaults that the policy sets in the Shoot at this time.
    pub(super) fn of_shoot(
        document: &Document,
        manifests: &Manifests,
        policy: &Policy<'_>,
        now: &str,
    ) -> Result<(Self, Vec<DefaultChange>), TargetError> {
        let profile = manifest::cloud_profile(document, manifests);
        let (case, panel) = (Case::new(document, None, manifests), Panel::of(policy));
        let (shoot, changes) = match case.default(&panel, Settings::at(now, &[])) {
            Some(Ok(defaulted)) => (Some(defaulted.object), defaulted.changes),
            Some(Err(failure)) => return Err(NoAnswer::about(document, failure).into()),
            None => (raw(document.json().to_owned()), Vec::new()),
        };
        let cluster = Cluster {
            cloud_profile: profile
                .and_then(|profile| cloud_profile(profile, document.kind(), policy, Function::Plan)),
            seed: seed(document, manifests),
            shoot,
        };
        Ok((Self { cluster, configuration: configuration(manifests), ..Self::default() }, changes))
    }

    /// The request of an Infrastructure, whose Cluster must be among the manifests.
    pub(super) fn of_infrastructure(
        document: &Document,
        manifests: &Manifests,
        policy: &Policy<'_>,
    ) -> Result<Self, TargetError> {
        let Identity { namespace, .. } = document.identity();
        let Some(cluster) = manifests.find(document, "Cluster", "", &namespace) else {
            let (input, span) = (Arc::clone(&document.input), at(document, "/metadata/namespace"));
            return Err(TargetError::NoCluster {
                infrastructure: document.identity().to_string(),
                namespace,
                input,
                span,
            });
        };
        let spec = |key| cluster.root.at(&["spec", key]);
        let whole = |key| spec(key).and_then(|node| raw(node.to_json()));
        let cloud_profile = spec("cloudProfile")
            .and_then(|node| part(node, document.kind(), "cloudProfile", policy, Function::Plan));
        let operation = match document.text_at(&["metadata", "annotations", OPERATION]) {
            Some("restore") => Operation::Restore,
            Some("migrate") => Operation::Migrate,
            _ => Operation::Reconcile,
        };
        Ok(Self {
            operation,
            infrastructure: raw(document.json().to_owned()),
            cluster: Cluster { cloud_profile, seed: whole("seed"), shoot: whole("shoot") },
            configuration: configuration(manifests),
        })
    }

    /// The request as JSON text, for an operation.
    pub(super) fn to_json(&self, operation: Operation) -> Box<RawValue> {
        // Never fails: the objects are JSON.
        to_raw_value(&Self { operation, ..self.clone() }).unwrap_or_default()
    }
}
