//! The objects that an object refers to, among those that were given.

use super::{Document, Identity, Manifests};

/// The objects that a policy may read beside the object itself, by role.
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

fn secret<'m>(binding: &Document, manifests: &'m Manifests) -> Option<&'m Document> {
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
