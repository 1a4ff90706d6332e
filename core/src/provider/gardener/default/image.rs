//! Machine images of worker pools that name none, or no whole version of one (MUT-3).

use super::fill::{entry, put};
use super::places::{WORKERS, pools};
use super::submission::Submission;
use super::version::VersionPrefix;
use crate::document::Value;
use crate::kube::semver::SemVer;
use crate::kube::time::Time;
use crate::provider::gardener::fields::{flag, items, named, text};
use crate::provider::gardener::garden::Garden;
use crate::provider::gardener::profile::{Stage, fits, supports};
use crate::provider::gardener::rules::default as rules;

const IMAGE: &[&str] = &["machine", "image"];

/// Fills in the image of each pool.
pub fn default(submission: &mut Submission<'_, '_>) {
    if submission.defaulted.object.at(&["metadata", "deletionTimestamp"]).is_some() {
        return;
    }
    for index in 0..pools(&submission.defaulted.object).len() {
        of_pool(submission, index);
    }
}

fn of_pool(submission: &mut Submission<'_, '_>, index: usize) {
    let Some(pool) = pools(&submission.defaulted.object).get(index).cloned() else { return };
    let base = entry(WORKERS, index);
    let image = pool.at(IMAGE);
    let olds = submission.old.map(pools).unwrap_or_default();
    if let Some(old) = named(olds, text(&pool, &["name"])).and_then(|old| old.at(IMAGE))
        && image.is_none_or(|image| is_kept(image, old))
    {
        let own = image.and_then(|image| image.get("providerConfig"));
        let kept = if keeps_configuration(submission.garden) { configured(old, own) } else { old.clone() };
        let kept = with_unknown(kept, image);
        if image.is_none_or(|image| image.canonical(true) != kept.canonical(true)) {
            let reason = "the worker pool keeps its image";
            put(&mut submission.defaulted, &rules::MUT_003, (&base, IMAGE), kept, reason);
        }
        return;
    }
    let (name, version) =
        (text(&pool, &["machine", "image", "name"]), text(&pool, &["machine", "image", "version"]));
    // The profile has to have a whole version, and a text that is no version is refused: `validate` judges both.
    let Ok(Some(wanted)) = VersionPrefix::read(version.strip_prefix('v').unwrap_or(version)) else { return };
    let Some((profile, now)) = submission.offer(&rules::MUT_003, "the machine image of a worker pool") else {
        return;
    };
    let choice = Choice { profile, pool: &pool, now };
    let Some(found) = choice.image(name) else { return };
    let has_version = |offered: &Value<'_>| text(offered, &["version"]) == version;
    if !name.is_empty() && items(found, &["versions"]).iter().any(has_version) {
        return;
    }
    let Some(latest) = choice.latest(found, wanted) else { return };
    let reason =
        "the highest version of the image that goes with the machine type and is neither new nor deprecated";
    for &(key, value, own) in &[("name", text(found, &["name"]), name), ("version", latest, version)] {
        if own != value {
            let path = ["machine", "image", key];
            put(&mut submission.defaulted, &rules::MUT_003, (&base, &path), Value::string(value), reason);
        }
    }
}

/// Whether a pool keeps its old image: it names the same one, and no other version.
fn is_kept(image: &Value<'_>, old: &Value<'_>) -> bool {
    let version = text(image, &["version"]);
    text(image, &["name"]) == text(old, &["name"]) && (version.is_empty() || version == text(old, &["version"]))
}

/// Whether a pool that keeps its image gets the configuration that the person wrote, or none.
const fn keeps_configuration(garden: Garden) -> bool {
    garden.is_patch_from(146, 5) || garden.is_patch_from(147, 1) || garden.is_from(148)
}

/// An image with the members that a person wrote and that no image has: `validate` refuses them.
fn with_unknown<'r>(mut kept: Value<'r>, image: Option<&Value<'r>>) -> Value<'r> {
    if let (Value::Object(members), Some(Value::Object(own))) = (&mut kept, image) {
        let is_unknown = |key: &str| !matches!(key, "name" | "version" | "providerConfig");
        members.extend(own.iter().filter(|(key, _)| is_unknown(key)).cloned());
    }
    kept
}

/// An image with another configuration.
fn configured<'r>(image: &Value<'r>, configuration: Option<&Value<'r>>) -> Value<'r> {
    let mut image = image.clone();
    if let Value::Object(members) = &mut image {
        members.retain(|(key, _)| key != "providerConfig");
        members.extend(configuration.map(|configuration| ("providerConfig".into(), configuration.clone())));
    }
    image
}

/// The choice of an image for a pool.
struct Choice<'c, 'r> {
    profile: &'r Value<'r>,
    pool: &'c Value<'r>,
    now: Time,
}

impl<'r> Choice<'_, 'r> {
    /// The image of that name, or the first one that goes with the pool where there is no name.
    fn image(&self, name: &str) -> Option<&'r Value<'r>> {
        let images = items(self.profile, &["machineImages"]);
        if !name.is_empty() {
            return named(images, name);
        }
        let goes =
            |version: &Value<'_>| self.has_architecture(version) || self.goes_with_type(version) == Some(true);
        images.iter().find(|image| items(image, &["versions"]).iter().any(goes))
    }

    /// The highest version of an image that the pool may have, a deprecated one only where there is no other.
    fn latest(&self, image: &'r Value<'r>, wanted: VersionPrefix) -> Option<&'r str> {
        let is_in_place =
            matches!(text(self.pool, &["updateStrategy"]), "AutoInPlaceUpdate" | "ManualInPlaceUpdate");
        let mut best: Option<(bool, SemVer<'r>, &'r str)> = None;
        for offered in items(image, &["versions"]) {
            let stage = Stage::of(offered, Some(self.now));
            let version = text(offered, &["version"]);
            let Some(read) = SemVer::parse(version).filter(|read| wanted.has(read)) else { continue };
            let may_be = stage != Stage::Active("preview")
                && self.has_architecture(offered)
                && self.goes_with_type(offered) != Some(false)
                && (!is_in_place || flag(offered, &["inPlaceUpdates", "supported"]) == Some(true));
            let is_current = stage != Stage::Active("deprecated");
            let is_better = best.as_ref().is_none_or(|(current, best, _)| (is_current, &read) > (*current, best));
            if may_be && is_better {
                best = Some((is_current, read, version));
            }
        }
        best.map(|(_, _, version)| version)
    }

    fn has_architecture(&self, version: &Value<'_>) -> bool {
        supports(self.profile, version, text(self.pool, &["machine", "architecture"]))
    }

    /// Whether a version goes with the machine type; none where the profile does not know the type.
    fn goes_with_type(&self, version: &Value<'_>) -> Option<bool> {
        let machine = named(items(self.profile, &["machineTypes"]), text(self.pool, &["machine", "type"]))?;
        Some(fits(self.profile, machine, version))
    }
}
