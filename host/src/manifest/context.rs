//! The objects that an object refers to, among those that were given.

use super::{Document, Identity, Manifests};

/// The objects that a policy may read beside the object itself, by role. What else it needs it asks for by queries.
pub fn context<'m>(document: &'m Document, manifests: &'m Manifests) -> Vec<(&'static str, &'m Document)> {
    let profile = cloud_profile(document, manifests);
    profile.map(|profile| ("cloudProfile", profile)).into_iter().collect()
}

/// The CloudProfile or NamespacedCloudProfile that a Shoot names, or the parent of a NamespacedCloudProfile; other objects
/// name none.
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
