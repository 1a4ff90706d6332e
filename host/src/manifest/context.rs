//! The objects that an object refers to, among those that were given.

use super::{Document, Identity, Manifests};

/// The objects that a policy may read beside the object itself, by role. What else it needs it asks for by queries.
pub fn context<'m>(document: &'m Document, manifests: &'m Manifests) -> Vec<(&'static str, &'m Document)> {
    let profile = match document.kind() {
        "Shoot" => cloud_profile(document, manifests),
        "NamespacedCloudProfile" => parent(document, manifests),
        _ => None,
    };
    profile.map(|profile| ("cloudProfile", profile)).into_iter().collect()
}

/// The parent of a `NamespacedCloudProfile`.
pub(super) fn parent<'m>(document: &Document, manifests: &'m Manifests) -> Option<&'m Document> {
    manifests.find("CloudProfile", "", document.text_at(&["spec", "parent", "name"])?)
}

/// The CloudProfile or NamespacedCloudProfile of a Shoot.
pub fn cloud_profile<'m>(shoot: &Document, manifests: &'m Manifests) -> Option<&'m Document> {
    let reference = |key| shoot.text_at(&["spec", "cloudProfile", key]);
    match (reference("name"), reference("kind")) {
        (Some(name), Some("NamespacedCloudProfile")) => {
            manifests.find("NamespacedCloudProfile", &namespace(shoot), name)
        }
        (Some(name), _) => manifests.find("CloudProfile", "", name),
        (None, _) => manifests.find("CloudProfile", "", shoot.text_at(&["spec", "cloudProfileName"])?),
    }
}

fn binding<'m>(shoot: &Document, manifests: &'m Manifests, kind: &str, field: &str) -> Option<&'m Document> {
    manifests.find(kind, &namespace(shoot), shoot.text_at(&["spec", field])?)
}

/// The Secret with the credentials of a Shoot.
pub fn secret<'m>(shoot: &Document, manifests: &'m Manifests) -> Option<&'m Document> {
    let credentials_binding = binding(shoot, manifests, "CredentialsBinding", "credentialsBindingName");
    let binding =
        credentials_binding.or_else(|| binding(shoot, manifests, "SecretBinding", "secretBindingName"))?;
    manifests.get(&secret_of(binding)?)
}

/// The Secret that a binding refers to; other objects refer to none, nor do bindings of other credentials.
pub(super) fn secret_of(binding: &Document) -> Option<Identity> {
    let field = match binding.kind() {
        "SecretBinding" => "secretRef",
        "CredentialsBinding" => "credentialsRef",
        _ => return None,
    };
    let reference = |key| binding.text_at(&[field, key]);
    if reference("kind").is_some_and(|kind| kind != "Secret") {
        return None;
    }
    let namespace = reference("namespace").map_or_else(|| namespace(binding), str::to_owned);
    Some(Identity { kind: "Secret".to_owned(), namespace, name: reference("name")?.to_owned() })
}

fn namespace(document: &Document) -> String {
    document.identity().namespace
}
