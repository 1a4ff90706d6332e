//! What Gardener checks of a Shoot without looking at other objects (GDN).

mod addons;
mod bindings;
mod control_plane;
mod control_plane_zones;
mod create;
mod credentials;
mod dns;
mod extensions;
mod feature_gates;
mod force_deletion;
mod hibernation;
mod kubelet;
mod limits;
mod live_migration;
mod maintenance;
mod metadata;
mod monitoring;
mod networking;
mod operations;
mod overlap;
mod placement;
mod pools;
mod profile_reference;
mod project;
mod provider;
mod seed;
mod self_hosted;
mod system_components;
mod type_labels;
mod update;
mod warnings;
mod worker;

pub use metadata::{masked, rest as rest_of_metadata};
pub use placement::label_selector;

use std::cell::OnceCell;

use super::fields::{flag, items, supported, text};
use super::garden::{Garden, is_gate_on};
use super::profile::is_open;
use super::structure::misspelt_workers;
use super::structure::nearest::{by_likeness, offer};
use crate::call::Known;
use crate::document::{Path, Value};
use crate::gardener::shoot::named_profile;
use crate::gardener::types::cloud_profile::offering;
use crate::gardener::types::shoot::Shoot;
use crate::policy::{Request, RequestError, read};
use crate::report::{Cause, ErrorType, Report, Reported, Rule, Severity};

/// A Shoot, and its old version.
pub struct Check<'c> {
    /// The Shoot.
    pub shoot: &'c Value<'c>,
    /// The Shoot before the update; none where it is new.
    pub old: Option<&'c Value<'c>>,
    request: &'c Request<'c>,
    /// The release of Gardener that judges.
    pub garden: Garden,
    /// Whether images wait for the profile, once a pool asked.
    waits: OnceCell<bool>,
    /// The first error of a Shoot whose author most likely forgot the workers: the others follow from it.
    forgotten_workers: OnceCell<Cause>,
}

/// Judges a Shoot, on an update together with the old one. The parts run in the order in which Gardener judges
/// them.
pub fn judge(request: &Request<'_>, old: Option<&Value<'_>>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let check = Check::of(request, old);
    let errors = report.error_count();
    if let Some(old) = check.old {
        update::judge(&check, old, report);
    }
    metadata::judge(&check, report);
    operations::judge(&check, report);
    profile_reference::judge(&check, report);
    provider::judge(&check, report);
    kubelet::of_pools(&check, report);
    addons::judge(&check, report);
    dns::judge(&check, report);
    extensions::judge(&check, report);
    control_plane::judge(&check, report);
    networking::judge(&check, report);
    maintenance::judge(&check, report);
    monitoring::judge(&check, report);
    hibernation::judge(&check, report);
    bindings::judge(&check, report);
    placement::judge(&check, report);
    system_components::judge(&check, report);
    if check.old.is_none() {
        create::judge(&check, report);
    }
    if report.error_count() == errors && !report.is_full(Severity::Error) {
        warnings::judge(&check, report)?;
    }
    // Plug-ins judge what follows.
    if check.old.is_none() {
        project::judge(&check, report);
    }
    seed::judge(&check, report);
    overlap::judge(&check, report);
    live_migration::judge(&check, report);
    Ok(())
}

/// Judges what an update of an object of any kind changes in the metadata.
pub fn change_of_metadata(request: &Request<'_>, old: &Value<'_>, report: &mut Report<'_>) {
    update::metadata(&Check::of(request, Some(old)), old, report);
}

impl<'c> Check<'c> {
    fn of(request: &'c Request<'c>, old: Option<&'c Value<'c>>) -> Self {
        Self {
            shoot: request.object,
            old,
            request,
            garden: Garden::of(request),
            waits: OnceCell::new(),
            forgotten_workers: OnceCell::new(),
        }
    }

    /// The worker pools.
    pub fn workers(&self) -> &'c [Value<'c>] {
        items(self.shoot, &["spec", "provider", "workers"])
    }

    /// What Gardener last said of the Shoot, and nothing of a new one. An update of the specification keeps the
    /// status.
    pub fn status(&self) -> Option<&'c Value<'c>> {
        self.old.and_then(|old| old.get("status").or(self.shoot.get("status")))
    }

    /// Whether nobody knows here what Gardener last said of the Shoot: a manifest that a person sends has no
    /// status.
    pub fn lacks_status(&self) -> bool {
        self.is_update_of_manifest() && self.status().is_none()
    }

    /// Whether the old version is a manifest that a person sends: what it leaves out, Gardener may have chosen
    /// when it stored the Shoot.
    pub fn is_update_of_manifest(&self) -> bool {
        self.request.is_sent() && self.old.is_some_and(|old| text(old, &["metadata", "uid"]).is_empty())
    }

    /// Whether the request is one to a part of the Shoot, such as the scheduler's.
    pub fn is_of_subresource(&self) -> bool {
        self.request.context("subresource").is_some()
    }

    /// Whether the Shoot names a profile: of another one, the plug-ins of the API server judge nothing.
    pub fn names_profile(&self) -> bool {
        self.shoot.at(&["spec", "cloudProfile"]).is_some()
            || !text(self.shoot, &["spec", "cloudProfileName"]).is_empty()
    }

    /// Whether somebody deletes the Shoot. Nobody can take that back.
    pub fn is_deleted(&self) -> bool {
        let is_marked = |shoot: &Value<'_>| shoot.at(&["metadata", "deletionTimestamp"]).is_some();
        is_marked(self.shoot) || self.old.is_some_and(is_marked)
    }

    /// Whether Gardener has created the Shoot, and may work on it.
    pub fn is_ready(&self) -> bool {
        let last = |key| self.status().map(|status| text(status, &["lastOperation", key])).unwrap_or_default();
        match last("type") {
            "Create" | "Restore" => last("state") == "Succeeded",
            of => of == "Reconcile",
        }
    }

    /// Whether the control plane is hibernated, or is to be.
    pub fn is_hibernated(&self) -> bool {
        self.status().and_then(|status| flag(status, &["hibernated"])) == Some(true)
            || flag(self.shoot, &["spec", "hibernation", "enabled"]) == Some(true)
    }

    /// Whether the API server chooses images from a profile that is not known here, or by a time that is not.
    pub fn waits_for_profile(&self) -> bool {
        *self.waits.get_or_init(|| self.lacks_profile())
    }

    fn lacks_profile(&self) -> bool {
        let Ok(shoot) = read::<Shoot<'_>>(self.shoot) else { return false };
        let is_known = match named_profile(self.request, &shoot) {
            Known::Found(profile) => offering(profile).is_some() && matches!(self.request.now(), Ok(Some(_))),
            Known::Failed(_) => true,
            Known::Unknown(_) => false,
        };
        !is_known
    }

    /// Whether a feature gate of the API server is on.
    pub fn is_gate_on(&self, gate: &str) -> bool {
        is_gate_on(self.request, self.garden, gate)
    }

    /// Whether the API server chooses the minor version of Kubernetes, from a profile that is not known here or by
    /// a time that is not.
    pub fn waits_for_version(&self) -> bool {
        let version = self.version();
        // A version of two numbers says enough: Gardener chooses the third one.
        is_open(version) && !version.contains('.') && self.waits_for_profile()
    }

    /// The Kubernetes version of the Shoot.
    pub fn version(&self) -> &'c str {
        text(self.shoot, &["spec", "kubernetes", "version"])
    }

    /// Reports a field that a Shoot without workers must not have.
    pub fn forbid_without_workers(&self, rule: &'static Rule, path: &Path<'_>, report: &mut Report<'_>) {
        let detail = "this field should not be set for workerless Shoot clusters";
        self.fix_workers(report.error(rule, path, ErrorType::Forbidden, detail));
    }

    /// Advises a person who misspelt `workers` to rename the field, and one who most likely forgot the workers to
    /// add a pool, because to the API server the Shoot has no workers.
    pub fn fix_workers(&self, reported: Reported<'_>) {
        if let Some(misspelt) = misspelt_workers(self.shoot) {
            reported.remedy(format!("Rename `{misspelt}` to `workers`."));
        } else if let Some(first) = self.forgotten_workers.get() {
            reported.caused_by(first);
        } else if let Some(cause) = reported.as_cause().filter(|_| self.needs_workers()) {
            self.forgotten_workers.get_or_init(|| cause);
            if self.old.is_some_and(|old| !items(old, &["spec", "provider", "workers"]).is_empty()) {
                return;
            }
            let remedy = "Add a worker pool to `spec.provider.workers`. If the Shoot is to have no workers, remove this field, and \
                          the fields of the errors that follow from this one.";
            reported.remedy(remedy);
        }
    }

    /// Whether the Shoot has what only a Shoot with workers needs: a provider's configuration, or credentials.
    fn needs_workers(&self) -> bool {
        let places: [&[&str]; 4] = [
            &["spec", "provider", "infrastructureConfig"],
            &["spec", "provider", "controlPlaneConfig"],
            &["spec", "secretBindingName"],
            &["spec", "credentialsBindingName"],
        ];
        places.iter().any(|place| self.shoot.at(place).is_some())
    }
}
/// The place of an entry of a map, which field errors print as a field; one without a name they print in brackets.
const fn named<'p>(map: &'p Path<'p>, name: &'p str) -> Path<'p> {
    if name.is_empty() { map.entry(name) } else { map.key(name) }
}

/// Judges a text that must be one of several, where there is a text.
fn one_of(
    rule: &'static Rule,
    parent: &Value<'_>,
    key: &str,
    values: &[&str],
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    if let Some(value) = parent.get(key).and_then(Value::as_str)
        && !values.contains(&value)
    {
        let detail = supported(values.iter().copied());
        let entry = report.error(rule, &path.key(key), ErrorType::NotSupported, detail);
        offer(entry, value, values, by_likeness);
    }
}

#[cfg(test)]
mod tests;
