//! The objects that an object refers to, among those that were given.

use super::reference::{namespace, profile_reference, secret_of};
use super::{Document, Manifests};

/// The objects that a policy may read beside the object itself, by role. What else it needs it asks for by queries.
pub fn context<'m>(document: &'m Document, manifests: &'m Manifests) -> Vec<(&'static str, &'m Document)> {
    let mut found = vec![("cloudProfile", cloud_profile(document, manifests))];
    if document.kind() == "Shoot" {
        found.push((
            "credentialsBinding",
            binding(document, manifests, "CredentialsBinding", "credentialsBindingName"),
        ));
        found.push(("project", manifests.project_of(&namespace(document))));
        found.push(("secretBinding", binding(document, manifests, "SecretBinding", "secretBindingName")));
    }
    found.into_iter().filter_map(|(role, object)| Some((role, object?))).collect()
}

/// The parent of a `NamespacedCloudProfile`, or the CloudProfile or NamespacedCloudProfile of a Shoot.
pub fn cloud_profile<'m>(document: &Document, manifests: &'m Manifests) -> Option<&'m Document> {
    manifests.meant(document, &profile_reference(document)?).one()
}

fn binding<'m>(shoot: &Document, manifests: &'m Manifests, kind: &str, field: &str) -> Option<&'m Document> {
    manifests.find(shoot, kind, &namespace(shoot), shoot.text_at(&["spec", field])?)
}

/// The Secret with the credentials of a Shoot.
pub fn secret<'m>(shoot: &Document, manifests: &'m Manifests) -> Option<&'m Document> {
    let credentials_binding = binding(shoot, manifests, "CredentialsBinding", "credentialsBindingName");
    let binding =
        credentials_binding.or_else(|| binding(shoot, manifests, "SecretBinding", "secretBindingName"))?;
    manifests.meant(binding, &secret_of(binding)?).one()
}
