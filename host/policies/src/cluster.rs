//! The objects of a Cluster, as manifests give them to a policy.

use serde_json::value::RawValue;

use crate::engine::Function;
use crate::manifest::{Document, Manifests, excerpt};
use crate::policy::{Policy, of_role};
use crate::source::Node;

/// The CloudProfile as a Cluster holds it: Gardener merges what a NamespacedCloudProfile adds to its parent.
pub fn cloud_profile(
    profile: &Document,
    kind: &str,
    policy: &Policy<'_>,
    function: Function,
) -> Option<Box<RawValue>> {
    if profile.kind() == "CloudProfile" {
        return part(&profile.root, kind, "cloudProfile", policy, function);
    }
    let merged = profile.root.at(&["status", "cloudProfileSpec"])?;
    raw(format!("{{\"kind\":\"CloudProfile\",\"spec\":{}}}", merged.to_json()))
}

/// An object of the Cluster, cut down to what the policy says that it reads. A policy that says nothing gets all
/// of it.
pub fn part(
    node: &Node,
    kind: &str,
    role: &str,
    policy: &Policy<'_>,
    function: Function,
) -> Option<Box<RawValue>> {
    let text = match policy.info().reads.get(function.name()).and_then(|kinds| kinds.get(kind)) {
        Some(reads) => excerpt(node, &of_role(role, reads))?,
        None => node.to_json(),
    };
    raw(text)
}

/// The Seed that a Shoot names, where it is among the manifests.
pub fn seed(shoot: &Document, manifests: &Manifests) -> Option<Box<RawValue>> {
    let name = shoot.text_at(&["status", "seedName"]).or_else(|| shoot.text_at(&["spec", "seedName"]))?;
    raw(manifests.find(shoot, "Seed", "", name)?.json().to_owned())
}

/// The configuration of the extension itself, where it is among the manifests.
pub fn configuration(manifests: &Manifests) -> Option<Box<RawValue>> {
    let mut documents = manifests.documents().iter();
    let found = documents.find(|document| document.kind() == "ControllerConfiguration")?;
    raw(found.json().to_owned())
}

/// JSON text as a part of a request.
pub fn raw(json: String) -> Option<Box<RawValue>> {
    RawValue::from_string(json).ok()
}
