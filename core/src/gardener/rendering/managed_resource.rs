//! ManagedResources (`gardener-contract` 4.1).

use crate::collections::NameMap;
use crate::document::{JsonText, Value};
use crate::policy::{ManagedResource, ManagedResourceSpec, ManifestSecret, Reference, SecretRef};
use crate::render::{Bundle, RenderError};
use crate::text::digest::sha256;

/// How annotations begin that keep a Secret from being collected as garbage.
const REFERENCE: &str = "reference.resources.gardener.cloud/secret-";

/// Which objects a ManagedResource delivers, and how. Its name is Gardener's, the same for every provider.
#[derive(Clone, Copy, Debug)]
pub struct Delivery {
    /// Name of the ManagedResource.
    pub name: &'static str,
    /// The objects.
    pub bundle: Bundle,
    /// Where they go.
    pub destination: Destination,
}

impl Delivery {
    /// What runs in the seed.
    pub const fn seed(bundle: Bundle) -> Self {
        Self { name: "extension-controlplane-seed", bundle, destination: Destination::Seed }
    }

    /// What runs in the Shoot.
    pub const fn shoot(bundle: Bundle) -> Self {
        Self::to_shoot("extension-controlplane-shoot", bundle, false)
    }

    /// The CustomResourceDefinitions of the Shoot.
    pub const fn crds(bundle: Bundle) -> Self {
        Self::to_shoot("extension-controlplane-shoot-crds", bundle, false)
    }

    /// The storage classes of the Shoot, and classes of snapshots.
    pub const fn storage_classes(bundle: Bundle) -> Self {
        Self::to_shoot("extension-controlplane-storageclasses", bundle, true)
    }

    const fn to_shoot(name: &'static str, bundle: Bundle, overwrites_annotations: bool) -> Self {
        Self { name, bundle, destination: Destination::Shoot { overwrites_annotations } }
    }
}

/// Where the objects of a ManagedResource go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// The seed.
    Seed,
    /// The Shoot.
    Shoot {
        /// Whether annotations that others set go.
        overwrites_annotations: bool,
    },
}

/// Fills the templates of a delivery.
pub fn managed_resource(delivery: Delivery, values: &Value<'_>) -> Result<ManagedResource, RenderError> {
    let Delivery { name, bundle, destination } = delivery;
    let objects = bundle.fill(values)?;
    let secret = format!("{name}-{}", checksum(&objects));
    let reference = format!("{REFERENCE}{}", start_of(&sha256(secret.as_bytes())));
    let secret_refs = vec![SecretRef { name: secret.clone() }];
    let spec = match destination {
        Destination::Seed => ManagedResourceSpec {
            class: Some("seed"),
            secret_refs,
            inject_labels: None,
            force_overwrite_annotations: None,
            keep_objects: None,
        },
        Destination::Shoot { overwrites_annotations } => ManagedResourceSpec {
            class: None,
            secret_refs,
            inject_labels: Some(NameMap::from([("shoot.gardener.cloud/no-cleanup", "true")])),
            force_overwrite_annotations: Some(overwrites_annotations),
            keep_objects: Some(false),
        },
    };
    Ok(ManagedResource {
        name,
        annotations: Reference { key: reference, secret: secret.clone() },
        spec,
        secret: ManifestSecret {
            name: secret,
            data_key: bundle.name,
            labels: NameMap::from([("resources.gardener.cloud/garbage-collectable-reference", "true")]),
            secret_type: "Opaque",
            immutable: true,
        },
        objects,
    })
}

/// The checksum of the Secret's data: the digest of the digest of its one value.
fn checksum(objects: &[JsonText]) -> String {
    let length = objects.iter().map(|object| object.as_str().len() + 5).sum();
    let mut data = String::with_capacity(length);
    for object in objects {
        data.push_str("---\n");
        data.push_str(object.as_str());
        data.push('\n');
    }
    start_of(&sha256(sha256(data.as_bytes()).as_bytes())).to_owned()
}

/// The first eight digits of a digest.
fn start_of(digest: &str) -> &str {
    digest.get(..8).unwrap_or_default()
}
