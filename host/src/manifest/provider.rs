//! The provider whose policy judges an object.

use super::context::cloud_profile;
use super::{Document, ManifestError, ManifestProblem, Manifests};
use crate::source::Node;

const CORE: &str = "core.gardener.cloud";
const SECURITY: &str = "security.gardener.cloud";

/// The kinds that belong to a provider, by API group.
const KINDS: [(&str, &str); 8] = [
    (CORE, "Shoot"),
    (CORE, "Seed"),
    (CORE, "BackupBucket"),
    (CORE, "CloudProfile"),
    (CORE, "NamespacedCloudProfile"),
    (CORE, "SecretBinding"),
    (SECURITY, "CredentialsBinding"),
    ("", "Secret"),
];

const CONFIG_GROUP: &str = ".provider.extensions.gardener.cloud";
const SECRET_LABEL: &str = "provider.shoot.gardener.cloud/";

/// Whether objects of this kind belong to a provider at all. An object without `apiVersion` counts by its
/// kind: the policy says what is missing.
pub fn is_of_gardener(document: &Document) -> bool {
    let group = document.group();
    KINDS.iter().any(|(of, kind)| *kind == document.kind() && group.is_none_or(|group| group == *of))
}

/// The error in an object whose kind Gardener alone has, and whose API group is another one, as with a typing mistake.
pub fn other_group(document: &Document) -> Option<ManifestError> {
    const SHARED: [&str; 2] = ["BackupBucket", "Secret"];
    let group = document.group()?;
    let expected = KINDS.iter().find(|(_, kind)| *kind == document.kind() && !SHARED.contains(kind))?.0;
    let problem = ManifestProblem::OtherGroup {
        identity: document.identity().to_string(),
        group: group.to_owned(),
        expected,
    };
    (group != expected).then(|| ManifestError::at(&document.input, document.root.locate("/apiVersion"), problem))
}

/// The provider of an object that [belongs to one](is_of_gardener); `None` for a Secret that no provider
/// claims. The first of its candidates that is known wins.
pub fn provider(
    document: &Document,
    manifests: &Manifests,
    known: &[&str],
) -> Result<Option<String>, ManifestError> {
    let candidates = candidates(document, manifests);
    if let Some(found) = candidates.iter().find(|(candidate, _)| known.contains(candidate)) {
        return Ok(Some(found.0.to_owned()));
    }
    let (problem, pointer) = match candidates.first() {
        Some((provider, pointer)) => {
            let known = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            (ManifestProblem::UnknownProvider { provider: (*provider).to_owned(), known }, *pointer)
        }
        None if document.is_secret() => return Ok(None),
        None => (ManifestProblem::NoProvider { kind: document.kind().to_owned() }, "/spec"),
    };
    Err(ManifestError::at(&document.input, document.root.locate(pointer), problem))
}

type Candidate<'d> = (&'d str, &'static str);

/// Provider types that an object names, with the pointer to the place where it does, best first.
fn candidates<'d>(document: &'d Document, manifests: &'d Manifests) -> Vec<Candidate<'d>> {
    let at = |path: &[&str], pointer| {
        document.text_at(path).filter(|name| !name.is_empty()).map(|name| (name, pointer))
    };
    let found: Vec<Option<Candidate<'d>>> = match document.kind() {
        "Seed" => vec![
            at(&["spec", "backup", "provider"], "/spec/backup/provider")
                .or_else(|| at(&["spec", "provider", "type"], "/spec/provider/type")),
        ],
        "CloudProfile" => vec![at(&["spec", "type"], "/spec/type")],
        "NamespacedCloudProfile" => vec![
            cloud_profile(document, manifests)
                .and_then(|parent| parent.text_at(&["spec", "type"]))
                .map(|name| (name, "/spec/parent")),
            document
                .text_at(&["spec", "providerConfig", "apiVersion"])
                .and_then(|version| version.split('/').next()?.strip_suffix(CONFIG_GROUP))
                .map(|name| (name, "/spec/providerConfig/apiVersion")),
        ],
        "SecretBinding" | "CredentialsBinding" => vec![at(&["provider", "type"], "/provider/type")],
        "Secret" => labels(document)
            .chain(manifests.bindings_of(document).filter_map(|binding| binding.text_at(&["provider", "type"])))
            .map(|name| Some((name, "/metadata/labels")))
            .collect(),
        _ => vec![at(&["spec", "provider", "type"], "/spec/provider/type")],
    };
    found.into_iter().flatten().collect()
}

/// Provider types that a Secret's labels claim.
fn labels(secret: &Document) -> impl Iterator<Item = &str> {
    let entries = match secret.root.at(&["metadata", "labels"]).map(|labels| &labels.value) {
        Some(crate::source::Value::Mapping(entries)) => entries.as_slice(),
        _ => &[],
    };
    let set = entries.iter().filter(|entry| Node::as_str(&entry.value) == Some("true"));
    set.filter_map(|entry| entry.key.strip_prefix(SECRET_LABEL))
}
