//! The provider whose policy judges an object.

use super::context::cloud_profile;
use super::{Document, ManifestError, ManifestProblem, Manifests};
use crate::source::Node;

const CORE: &str = "core.gardener.cloud";
const SECURITY: &str = "security.gardener.cloud";
/// The group that Gardener's kinds had before.
const OLD: &str = "garden.sapcloud.io";

/// The kinds that belong to a provider, by API group.
const KINDS: [(&str, &str); 9] = [
    (CORE, "Shoot"),
    (CORE, "Seed"),
    (CORE, "BackupBucket"),
    (CORE, "CloudProfile"),
    (CORE, "NamespacedCloudProfile"),
    (CORE, "SecretBinding"),
    (SECURITY, "CredentialsBinding"),
    (SECURITY, "WorkloadIdentity"),
    ("", "Secret"),
];

/// Further kinds of the groups [`CORE`] and [`SECURITY`], which belong to no provider.
const OTHER_KINDS: [&str; 11] = [
    "BackupEntry",
    "ControllerDeployment",
    "ControllerInstallation",
    "ControllerRegistration",
    "ExposureClass",
    "InternalSecret",
    "Project",
    "Quota",
    "ShootState",
    "TokenRequest",
    "Binding",
];

/// The kinds that Gardener's own rules judge, whatever the provider.
pub const OF_GARDENER: [&str; 4] = ["CloudProfile", "NamespacedCloudProfile", "Seed", "Shoot"];

const CONFIG_GROUP: &str = ".provider.extensions.gardener.cloud";
const SECRET_LABEL: &str = "provider.shoot.gardener.cloud/";

/// Whether objects of this kind belong to a provider at all. An object without `apiVersion` counts by its
/// kind: the policy says what is missing.
pub fn is_of_gardener(document: &Document) -> bool {
    let group = document.group();
    KINDS.iter().any(|(of, kind)| {
        *kind == document.kind()
            && group.is_none_or(|group| group == *of || group == OLD && is_judged_by_gardener(kind))
    })
}

/// Whether Gardener's own rules judge objects of the kind, and say what is wrong with `apiVersion` too.
fn is_judged_by_gardener(kind: &str) -> bool {
    OF_GARDENER.contains(&kind)
}

/// The error in an object whose `apiVersion` and `kind` do not go together, as with a typing mistake in one of
/// them: Gardener has the kind in another version, or has no such kind in its own groups.
pub fn wrong_kind(document: &Document) -> Option<ManifestError> {
    /// Kinds that others have too.
    const SHARED: [&str; 2] = ["BackupBucket", "Secret"];
    let (group, kind) = (document.group()?, document.kind());
    let found = document.text_at(&["apiVersion"]).unwrap_or_default().to_owned();
    let identity = document.identity().to_string();
    if let Some((of, _)) = KINDS.iter().find(|(_, known)| *known == kind) {
        let expected = version_of(of);
        let is_others =
            SHARED.contains(&kind) && group != *of || is_judged_by_gardener(kind) && [CORE, OLD].contains(&group);
        let problem = ManifestProblem::OtherVersion { identity, found: found.clone(), expected };
        let is_wrong = found != expected && !is_others;
        return is_wrong.then(|| ManifestError::at(&document.input, document.root.locate("/apiVersion"), problem));
    }
    let is_gardeners = matches!(group, CORE | SECURITY) && !OTHER_KINDS.contains(&kind) && !kind.ends_with("List");
    let problem = ManifestProblem::UnknownKind { kind: kind.to_owned(), group: group.to_owned() };
    is_gardeners.then(|| ManifestError::at(&document.input, document.root.locate("/kind"), problem))
}

/// The version of an API group in which its kinds belong to a provider.
fn version_of(group: &str) -> &'static str {
    match group {
        CORE => "core.gardener.cloud/v1beta1",
        SECURITY => "security.gardener.cloud/v1alpha1",
        _ => "v1",
    }
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
            let meant = meant_provider(provider, known.iter().copied()).map(str::to_owned);
            let known = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            (ManifestProblem::UnknownProvider { provider: (*provider).to_owned(), known, meant }, *pointer)
        }
        None if document.is_secret() => return Ok(None),
        None => (ManifestProblem::NoProvider { kind: document.kind().to_owned() }, "/spec"),
    };
    Err(ManifestError::at(&document.input, document.root.locate(pointer), problem))
}

/// The known provider type that a misspelt one most likely means: two letters differ at most, and more than that
/// are the same.
pub fn meant_provider<'n>(misspelt: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let near = known.filter_map(|name| {
        let apart = strsim::damerau_levenshtein(misspelt, name);
        (apart <= 2 && 2 * apart < misspelt.len().max(name.len())).then_some((apart, name))
    });
    near.min().map(|(_, name)| name)
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
        "WorkloadIdentity" => vec![at(&["spec", "targetSystem", "type"], "/spec/targetSystem/type")],
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
