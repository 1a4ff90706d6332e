//! The objects that an object refers to, among those that were given.

use super::reference::{credentials_of, namespace, profile_reference, secret_of};
use super::{Document, Identity, Manifests};

/// The objects that a policy may read next to the object itself, by role. What else it needs it asks for by
/// queries.
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

/// The objects whose mistakes are errors of a Shoot, a NamespacedCloudProfile or a binding, too, each with the place
/// where the object names it.
pub fn named(document: &Document, manifests: &Manifests) -> Vec<(&'static str, Identity)> {
    let place = match document.kind() {
        "SecretBinding" => "/secretRef",
        "CredentialsBinding" => "/credentialsRef",
        "Shoot" => "/spec/cloudProfile",
        "NamespacedCloudProfile" => "/spec/parent",
        _ => return Vec::new(),
    };
    let named = [credentials_of(document), profile_reference(document)];
    let mut found: Vec<_> = named.into_iter().flatten().map(|identity| (place, identity)).collect();
    for (kind, field, place) in [
        ("CredentialsBinding", "credentialsBindingName", "/spec/credentialsBindingName"),
        ("SecretBinding", "secretBindingName", "/spec/secretBindingName"),
    ] {
        if let Some(binding) =
            (document.kind() == "Shoot").then(|| binding(document, manifests, kind, field)).flatten()
        {
            found.extend(credentials_of(binding).map(|identity| (place, identity)));
            found.push((place, binding.identity()));
        }
    }
    found
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
