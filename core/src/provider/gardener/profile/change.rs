//! A Shoot that names another profile than before (ADM-CP-002 to 005).

use super::super::fields::{items, named, text};
use super::super::rules::profile as rules;
use crate::call::{Known, Query};
use crate::document::Value;
use crate::gardener::types::cloud_profile::offering;
use crate::policy::{CORE, Request};
use crate::report::{Report, Reported, Rule};
use crate::text::quote;

const NAMESPACED: &str = "NamespacedCloudProfile";

/// Kind and name of a profile.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Reference<'r> {
    kind: &'r str,
    name: &'r str,
}

/// A change of the profile.
struct Change<'c> {
    request: &'c Request<'c>,
    namespace: &'c str,
    old: Reference<'c>,
}

/// Judges the change of the profile, given what the new one offers, where that is known.
pub fn judge(request: &Request<'_>, old: &Value<'_>, offered: Option<&Value<'_>>, report: &mut Report<'_>) {
    let (Some(before), Some(after)) = (reference(old), reference(request.object)) else { return };
    if before == after {
        return;
    }
    let namespace = text(request.object, &["metadata", "namespace"]);
    let change = Change { request, namespace, old: before };
    let (old_root, new_root) = match (change.root(before), change.root(after)) {
        (Known::Found(old), Known::Found(new)) => (old, new),
        (Known::Unknown(query), _) | (_, Known::Unknown(query)) => {
            let why = "the Shoot names another profile, and the NamespacedCloudProfile is not known here; whether both have the \
                       same parent is checked on submit";
            report.undecided(&rules::ADM_CP_002, why, Some(query));
            return;
        }
        // Gardener fails there, and says nothing of the change.
        (Known::Failed(_), _) | (_, Known::Failed(_)) => return,
    };
    if old_root != new_root {
        let detail = format!(
            "cloud profile reference change is invalid: cannot change from {} to {}. The cloud profile reference must remain within \
             the same hierarchy",
            before.shown(old_root),
            after.shown(new_root),
        );
        change.deny(&rules::ADM_CP_002, detail, report).remedy(format!(
            "Name the CloudProfile `{}`, or a NamespacedCloudProfile whose parent it is.",
            old_root.name
        ));
    } else if let Some(offered) = offered {
        change.is_offered(offered, report);
    }
}

impl<'c> Change<'c> {
    /// The CloudProfile that a profile is, or that a NamespacedCloudProfile completes.
    fn root(&self, reference: Reference<'c>) -> Known<Reference<'c>> {
        if reference.kind != NAMESPACED {
            return Known::Found(reference);
        }
        match self.profile(reference) {
            Known::Found(profile) => {
                let parent = |key| text(profile, &["spec", "parent", key]);
                let kind = Some(parent("kind")).filter(|kind| !kind.is_empty()).unwrap_or("CloudProfile");
                Known::Found(Reference { kind, name: parent("name") })
            }
            Known::Failed(message) => Known::Failed(message),
            Known::Unknown(query) => Known::Unknown(query),
        }
    }

    fn profile(&self, Reference { kind, name }: Reference<'_>) -> Known<&'c Value<'c>> {
        let namespace = if kind == NAMESPACED { self.namespace } else { "" };
        let given = self.request.context("cloudProfile").filter(|profile| {
            text(profile, &["kind"]) == kind
                && text(profile, &["metadata", "name"]) == name
                && text(profile, &["metadata", "namespace"]) == namespace
        });
        given.map_or_else(|| self.request.object(CORE, kind, namespace, name), Known::Found)
    }

    /// Judges whether the new profile has what the worker pools use of the old one. The first that it lacks is
    /// reported.
    fn is_offered(&self, offered: &Value<'_>, report: &mut Report<'_>) {
        let (before, unknown) = match self.profile(self.old) {
            Known::Found(profile) => (offering(profile), None),
            Known::Failed(_) => return,
            Known::Unknown(query) => (None, Some(query)),
        };
        for worker in items(self.request.object, &["spec", "provider", "workers"]) {
            let pool = quote(text(worker, &["name"]));
            let lacks = |list, name| named(items(offered, &[list]), name).is_none();
            let image = |key| text(worker, &["machine", "image", key]);
            let (image, version) = (image("name"), image("version"));
            let has_image = |profile| {
                let versions =
                    named(items(profile, &["machineImages"]), image).map(|image| items(image, &["versions"]));
                versions.is_some_and(|versions| versions.iter().any(|known| text(known, &["version"]) == version))
            };
            if before.is_some_and(has_image) && !has_image(offered) {
                let used = format!("{image}@{version}");
                return self.lacking(&rules::ADM_CP_003, "machine image version", &used, &pool, report);
            }
            if let Some(query) = unknown.as_ref().filter(|_| !image.is_empty() && !has_image(offered)) {
                return Self::unknown(query.clone(), report);
            }
            let machine = text(worker, &["machine", "type"]);
            if lacks("machineTypes", machine) {
                return self.lacking(&rules::ADM_CP_004, "machine type", machine, &pool, report);
            }
            let volume = text(worker, &["volume", "type"]);
            if !volume.is_empty() && lacks("volumeTypes", volume) {
                return self.lacking(&rules::ADM_CP_005, "volume type", volume, &pool, report);
            }
        }
    }

    fn unknown(query: Query, report: &mut Report<'_>) {
        let why = "the Shoot names another profile, and the old one is not known here; whether the new one has the images that the \
                   worker pools use is checked on submit";
        report.undecided(&rules::ADM_CP_003, why, Some(query));
    }

    fn lacking(&self, rule: &'static Rule, what: &str, used: &str, pool: &str, report: &mut Report<'_>) {
        let detail = format!(
            "newly referenced cloud profile does not contain the {what} {} currently in use by worker {pool}",
            quote(used)
        );
        self.deny(rule, detail, report);
    }

    fn deny<'r>(&self, rule: &'static Rule, detail: String, report: &'r mut Report<'_>) -> Reported<'r> {
        let is_name = self.request.object.at(&["spec", "cloudProfile"]).is_none();
        report.deny(rule, if is_name { "/spec/cloudProfileName" } else { "/spec/cloudProfile" }, detail)
    }
}

impl Reference<'_> {
    /// The name as Gardener prints it, with the root of a NamespacedCloudProfile.
    fn shown(&self, root: Reference<'_>) -> String {
        let name = quote(self.name);
        if self.kind == "CloudProfile" { name } else { format!("{name} (root: {})", quote(root.name)) }
    }
}

/// The profile that a Shoot names. The API server writes the kind where a person leaves it out.
fn reference<'s>(shoot: &'s Value<'_>) -> Option<Reference<'s>> {
    if let Some(profile) = shoot.at(&["spec", "cloudProfile"]) {
        let kind = text(profile, &["kind"]);
        let kind = if kind.is_empty() { "CloudProfile" } else { kind };
        return Some(Reference { kind, name: text(profile, &["name"]) });
    }
    let name = text(shoot, &["spec", "cloudProfileName"]);
    (!name.is_empty()).then_some(Reference { kind: "CloudProfile", name })
}
