//! What Gardener checks of a Shoot without looking at other objects (GDN).

mod bindings;
mod create;
mod kubelet;
mod metadata;
mod networking;
mod overlap;
mod placement;
mod pools;
mod profile_reference;
mod project;
mod provider;
mod system_components;
mod update;
mod worker;

use std::cell::OnceCell;

use super::fields::{flag, items, text};
use super::structure::misspelt_workers;
use crate::call::Known;
use crate::document::{Path, Value};
use crate::gardener::shoot::named_profile;
use crate::gardener::types::cloud_profile::offering;
use crate::gardener::types::shoot::Shoot;
use crate::policy::{Request, read};
use crate::report::{ErrorType, Report, Reported, Rule};

/// A Shoot, and its old version.
pub struct Check<'c> {
    /// The Shoot.
    pub shoot: &'c Value<'c>,
    /// The Shoot before the update; none where it is new.
    pub old: Option<&'c Value<'c>>,
    request: &'c Request<'c>,
    /// Whether images wait for the profile, once a pool asked.
    waits: OnceCell<bool>,
    /// Whether the API server allows worker pools that are updated in place.
    pub updates_in_place: bool,
}

/// Judges a Shoot, on an update beside the old one. The parts run in the order in which Gardener judges them.
pub fn judge(request: &Request<'_>, old: Option<&Value<'_>>, report: &mut Report<'_>) {
    let gates = request.context("featureGates");
    let check = Check {
        shoot: request.object,
        old,
        request,
        waits: OnceCell::new(),
        updates_in_place: gates.is_some_and(|gates| flag(gates, &["InPlaceNodeUpdates"]) == Some(true)),
    };
    if let Some(old) = check.old {
        update::judge(&check, old, report);
    }
    metadata::judge(&check, report);
    profile_reference::judge(&check, report);
    provider::judge(&check, report);
    kubelet::judge(&check, report);
    networking::judge(&check, report);
    bindings::judge(&check, report);
    placement::judge(&check, report);
    system_components::judge(&check, report);
    if check.old.is_none() {
        create::judge(&check, report);
        project::judge(&check, report);
    }
    overlap::judge(&check, report);
}

impl<'c> Check<'c> {
    /// The worker pools.
    pub fn workers(&self) -> &'c [Value<'c>] {
        items(self.shoot, &["spec", "provider", "workers"])
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

    /// The Kubernetes version of the Shoot.
    pub fn version(&self) -> &'c str {
        text(self.shoot, &["spec", "kubernetes", "version"])
    }

    /// Reports a field that a Shoot without workers must not have.
    pub fn forbid_without_workers(&self, rule: &'static Rule, path: &Path<'_>, report: &mut Report<'_>) {
        let detail = "this field should not be set for workerless Shoot clusters";
        self.mend_workers(report.error(rule, path, ErrorType::Forbidden, detail));
    }

    /// Tells a person who misspelt `workers` to rename the field: to the API server, the Shoot has no workers.
    pub fn mend_workers(&self, reported: Reported<'_>) {
        if let Some(misspelt) = misspelt_workers(self.shoot) {
            reported.remedy(format!("Rename `{misspelt}` to `workers`."));
        }
    }
}
