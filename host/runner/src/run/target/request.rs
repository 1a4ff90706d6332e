//! The request about a subject, as manifests give it.

use std::sync::Arc;

use serde_json::value::{RawValue, to_raw_value};

use super::{TargetError, at, text};
use crate::document::{BASTION, Cluster, Operation, SubjectRequest, is_of_cluster};
use trellis_policies::answer::DefaultChange;
use trellis_policies::cluster::{cloud_profile, configuration, part, raw, seed};
use trellis_policies::engine::Function;
use trellis_policies::judge::{Case, NoAnswer, Panel, Settings};
use trellis_policies::manifest::{self, Document, Identity, Manifests};
use trellis_policies::policy::Policy;

/// The annotation by which Gardener says to an extension that a control plane moves.
const OPERATION: &str = "gardener.cloud/operation";

impl SubjectRequest {
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
        let configuration = configuration(manifests);
        Ok((Self::new(Operation::Reconcile, cluster, configuration), changes))
    }

    /// The request of a subject. The Cluster of an Infrastructure or a Bastion must be among the manifests.
    pub(super) fn of_subject(
        document: &Document,
        manifests: &Manifests,
        policy: &Policy<'_>,
    ) -> Result<Self, TargetError> {
        let Identity { namespace, .. } = document.identity();
        let found = (!namespace.is_empty()).then(|| manifests.find(document, "Cluster", "", &namespace)).flatten();
        let cluster = match found {
            Some(cluster) => of_cluster(cluster, document, policy),
            None if !is_of_cluster(document.kind()) => Cluster::default(),
            None => {
                text(document, &["metadata", "namespace"], "`metadata.namespace`")?;
                let (input, span) = (Arc::clone(&document.input), at(document, "/metadata/namespace"));
                let object = document.identity().to_string();
                return Err(TargetError::NoCluster { object, namespace, input, span });
            }
        };
        let operation = match document.text_at(&["metadata", "annotations", OPERATION]) {
            Some("restore") => Operation::Restore,
            Some("migrate") => Operation::Migrate,
            _ => Operation::Reconcile,
        };
        let mut request = Self::new(operation, cluster, configuration(manifests));
        if document.kind() == BASTION {
            request.infrastructure_status = found.and_then(|cluster| network(cluster, document, manifests));
        }
        Ok(request.with(document.kind(), raw(document.json().to_owned())))
    }

    /// The request as JSON text, for an operation.
    pub(super) fn to_json(&self, operation: Operation) -> Box<RawValue> {
        // Never fails: the objects are JSON.
        to_raw_value(&Self { operation, ..self.clone() }).unwrap_or_default()
    }
}

/// What the Worker of a Cluster says of the network that a Bastion is in; the Worker has the name of the Shoot.
fn network(cluster: &Document, bastion: &Document, manifests: &Manifests) -> Option<Box<RawValue>> {
    let shoot = cluster.text_at(&["spec", "shoot", "metadata", "name"])?;
    let worker = manifests.find(bastion, "Worker", &bastion.identity().namespace, shoot)?;
    raw(worker.root.at(&["spec", "infrastructureProviderStatus"])?.to_json())
}

/// What a policy reads of a Cluster.
fn of_cluster(cluster: &Document, document: &Document, policy: &Policy<'_>) -> Cluster {
    let spec = |key| cluster.root.at(&["spec", key]);
    let whole = |key| spec(key).and_then(|node| raw(node.to_json()));
    let cloud_profile =
        spec("cloudProfile").and_then(|node| part(node, document.kind(), "cloudProfile", policy, Function::Plan));
    Cluster { cloud_profile, seed: whole("seed"), shoot: whole("shoot") }
}
