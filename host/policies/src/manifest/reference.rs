//! What objects refer to.

use super::{Document, Identity};

/// The CloudProfile or NamespacedCloudProfile that a Shoot names, or the parent of a NamespacedCloudProfile; other
/// objects name none.
pub fn profile_reference(document: &Document) -> Option<Identity> {
    let cluster_wide = |name: &str| (String::new(), "CloudProfile", name.to_owned());
    let (namespace, kind, name) = match document.kind() {
        "NamespacedCloudProfile" => cluster_wide(document.text_at(&["spec", "parent", "name"])?),
        "Shoot" => {
            let reference = |key| document.text_at(&["spec", "cloudProfile", key]);
            match (reference("name"), reference("kind")) {
                (Some(name), Some(kind @ "NamespacedCloudProfile")) => {
                    (namespace(document), kind, name.to_owned())
                }
                (Some(name), _) => cluster_wide(name),
                (None, _) => cluster_wide(document.text_at(&["spec", "cloudProfileName"])?),
            }
        }
        _ => return None,
    };
    Some(Identity { kind: kind.to_owned(), namespace, name })
}

/// The Secret that a binding refers to; other objects refer to none, nor do bindings of other credentials.
pub fn secret_of(binding: &Document) -> Option<Identity> {
    credentials_of(binding).filter(|credentials| credentials.kind == "Secret")
}

/// The Secret, the `InternalSecret` or the WorkloadIdentity that a binding refers to; other objects refer to none.
pub(super) fn credentials_of(binding: &Document) -> Option<Identity> {
    let field = match binding.kind() {
        "SecretBinding" => "secretRef",
        "CredentialsBinding" => "credentialsRef",
        _ => return None,
    };
    let reference = |key| binding.text_at(&[field, key]);
    let kind = reference("kind").unwrap_or("Secret").to_owned();
    let namespace = reference("namespace").map_or_else(|| namespace(binding), str::to_owned);
    Some(Identity { kind, namespace, name: reference("name")?.to_owned() })
}

/// The namespace of an object.
pub(super) fn namespace(document: &Document) -> String {
    document.identity().namespace
}
