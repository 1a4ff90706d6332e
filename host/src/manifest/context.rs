//! The objects that an object refers to, among those that were given.

use super::{Document, Manifests};

/// What a policy may look at beside the object itself, by role.
pub fn context<'m>(document: &'m Document, manifests: &'m Manifests) -> Vec<(&'static str, &'m Document)> {
    let roles = match document.kind() {
        "Shoot" => {
            let secret_binding = binding(document, manifests, "SecretBinding", "secretBindingName");
            let credentials_binding = binding(document, manifests, "CredentialsBinding", "credentialsBindingName");
            let secret = credentials_binding.or(secret_binding).and_then(|binding| secret(binding, manifests));
            vec![
                ("cloudProfile", cloud_profile(document, manifests)),
                ("secretBinding", secret_binding),
                ("credentialsBinding", credentials_binding),
                ("secret", secret),
            ]
        }
        "NamespacedCloudProfile" => vec![("cloudProfile", parent(document, manifests))],
        "SecretBinding" | "CredentialsBinding" => vec![("secret", secret(document, manifests))],
        _ => Vec::new(),
    };
    roles.into_iter().filter_map(|(role, found)| Some((role, found?))).collect()
}

/// The parent of a `NamespacedCloudProfile`.
pub(super) fn parent<'m>(document: &Document, manifests: &'m Manifests) -> Option<&'m Document> {
    manifests.find("CloudProfile", "", document.text_at(&["spec", "parent", "name"])?)
}

/// The bindings among the objects that refer to a Secret.
pub(super) fn bindings_of<'m>(
    document: &'m Document,
    manifests: &'m Manifests,
) -> impl Iterator<Item = &'m Document> {
    manifests.documents().iter().filter(move |binding| {
        matches!(binding.kind(), "SecretBinding" | "CredentialsBinding")
            && secret(binding, manifests).is_some_and(|secret| std::ptr::eq(secret, document))
    })
}

fn cloud_profile<'m>(shoot: &Document, manifests: &'m Manifests) -> Option<&'m Document> {
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

/// The Secret that a binding refers to; other kinds of credentials are none.
fn secret<'m>(binding: &Document, manifests: &'m Manifests) -> Option<&'m Document> {
    let field = if binding.kind() == "SecretBinding" { "secretRef" } else { "credentialsRef" };
    let reference = |key| binding.text_at(&[field, key]);
    if reference("kind").is_some_and(|kind| kind != "Secret") {
        return None;
    }
    let own = namespace(binding);
    manifests.find("Secret", reference("namespace").unwrap_or(&own), reference("name")?)
}

fn namespace(document: &Document) -> String {
    document.identity().namespace
}
