//! Versions of a profile that nobody can use any more, which the API server drops before it judges the profile
//! (PREP-CPR-1).

use crate::collections::{NameMap, NameSet};
use crate::document::{Path, Value, patch};
use crate::kube::time::Time;
use crate::policy::{Defaulted, Request, RequestError};
use crate::provider::gardener::fields::{items, text};
use crate::provider::gardener::profile::{NO_TIME, Stage, is_dated};
use crate::provider::gardener::rules::default as rules;
use crate::text::join;

const VERSIONS: &[&str] = &["spec", "kubernetes", "versions"];
const IMAGES: &[&str] = &["spec", "machineImages"];
const REASON: &str = "nobody can use the version any more, and the API server drops it";

/// What the API server drops.
#[derive(Default)]
pub struct Dropped {
    /// Pointers to versions and images, in the order of the object.
    pointers: Vec<String>,
    /// Whether others depend on the time, which the request does not have.
    is_open: bool,
}

/// What the API server drops of the object of a request.
pub fn dropped(request: &Request<'_>, kind: &str) -> Result<Dropped, RequestError> {
    let is_namespaced = kind == "NamespacedCloudProfile";
    let mut dropped = Dropped::default();
    if !is_namespaced && request.old_object.is_some() {
        return Ok(dropped);
    }
    let none = NameSet::new();
    let (object, now) = (request.object, request.now()?);
    // An old CloudProfile keeps its versions.
    let old_versions: NameSet<'_> =
        request.old_object.map(|old| numbers(items(old, VERSIONS))).unwrap_or_default();
    let old_images = request.old_object.map(|old| items(old, IMAGES)).unwrap_or_default();
    let old_images: NameMap<'_, NameSet<'_>> =
        old_images.iter().map(|image| (text(image, &["name"]), numbers(items(image, &["versions"])))).collect();
    let is_unusable = |stage: Stage<'_>| !stage.is_active();
    let is_over = |stage: Stage<'_>| if is_namespaced { !stage.is_active() } else { stage == Stage::Expired };
    let path = Path::root("", "/spec/kubernetes/versions");
    dropped.add(items(object, VERSIONS), &old_versions, now, is_unusable, &path);
    let path = Path::root("", "/spec/machineImages");
    for (index, image) in items(object, IMAGES).iter().enumerate() {
        let (entry, before) = (path.index(index), dropped.pointers.len());
        let versions = items(image, &["versions"]);
        let old = old_images.get(text(image, &["name"])).unwrap_or(&none);
        dropped.add(versions, old, now, is_over, &entry.key("versions"));
        // An image of which nothing is left goes as a whole.
        let is_empty = dropped.pointers.len() - before == versions.len();
        if is_namespaced && is_empty && image.get("updateStrategy").is_none() {
            dropped.pointers.truncate(before);
            dropped.pointers.push(entry.pointer());
        }
    }
    Ok(dropped)
}

/// Drops what the API server drops. All that a person sends stays, so that pointers lead to what the person wrote.
pub fn drop_outdated(
    request: &Request<'_>,
    kind: &str,
    defaulted: &mut Defaulted<'_>,
) -> Result<(), RequestError> {
    let Dropped { pointers, is_open } = dropped(request, kind)?;
    if request.is_sent() {
        return Ok(());
    }
    // From the last one to the first, because nothing that goes moves what goes after it.
    for pointer in pointers.into_iter().rev() {
        defaulted.overrule(&rules::PREP_CPR_001, pointer, None, REASON);
    }
    if is_open {
        defaulted.undecided(&rules::PREP_CPR_001, NO_TIME, None);
    }
    Ok(())
}

fn numbers<'v>(versions: &'v [Value<'v>]) -> NameSet<'v> {
    versions.iter().map(|version| text(version, &["version"])).collect()
}

impl Dropped {
    /// Adds the versions that go. Those that the old object has stay.
    fn add(
        &mut self,
        versions: &[Value<'_>],
        olds: &NameSet<'_>,
        now: Option<Time>,
        goes: impl Fn(Stage<'_>) -> bool,
        path: &Path<'_>,
    ) {
        for (index, version) in versions.iter().enumerate() {
            if olds.contains(text(version, &["version"])) {
                continue;
            }
            self.is_open |= now.is_none() && is_dated(version);
            if goes(Stage::of(version, now)) {
                self.pointers.push(path.index(index).pointer());
            }
        }
    }

    /// Whether nothing goes.
    pub fn is_empty(&self) -> bool {
        self.pointers.is_empty()
    }

    /// The object without what goes.
    pub fn without<'v>(&self, object: &Value<'v>) -> Value<'v> {
        let mut object = object.clone();
        for pointer in self.pointers.iter().rev() {
            patch::remove(&mut object, pointer);
        }
        object
    }

    /// Where a place of the object without what goes is in the whole object.
    pub fn place(&self, mut pointer: String) -> String {
        for dropped in &self.pointers {
            let Some((list, gone)) = dropped.rsplit_once('/') else { continue };
            let Some(below) = pointer.strip_prefix(list).and_then(|below| below.strip_prefix('/')) else {
                continue;
            };
            let (index, rest) = below.split_once('/').map_or((below, ""), |(index, rest)| (index, rest));
            let (Ok(index), Ok(gone)) = (index.parse::<usize>(), gone.parse::<usize>()) else { continue };
            if index >= gone {
                let moved = (index + 1).to_string();
                let parts = [list, &moved, rest];
                pointer = join(if rest.is_empty() { &parts[..2] } else { &parts }, "/");
            }
        }
        pointer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_in_the_whole_object() {
        let pointers = ["/a/1", "/a/2", "/b/1", "/b/3/c/0"].map(str::to_owned).to_vec();
        let dropped = Dropped { pointers, is_open: false };
        for (place, wanted) in [
            ("/a/0/x", "/a/0/x"),
            ("/a/1", "/a/3"),
            ("/a", "/a"),
            ("/b/2/c/0/d", "/b/3/c/1/d"),
            ("/b/2/d", "/b/3/d"),
            ("/ab/5", "/ab/5"),
            ("", ""),
        ] {
            assert_eq!(dropped.place(place.to_owned()), wanted, "{place}");
        }
    }
}
