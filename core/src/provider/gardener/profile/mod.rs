//! What a Shoot asks of its CloudProfile: Kubernetes version, region, machine types, images, volumes and zones
//! (ADM).

mod admission_plugins;
mod bindings;
mod change;
mod lifecycle;
mod machine;
mod raw;
mod runtime;
mod version;
mod volume;
mod zones;

pub use lifecycle::{NO_TIME, Stage, is_dated, is_open};
pub use machine::{architecture_of, fits, supports};

use super::fields::{flag, integer, items, named, text, texts};
use super::rules::profile as rules;
use super::same::is_same_at;
use super::structure::nearest::{by_likeness, offer};
use crate::call::Known;
use crate::document::{Path, Value};
use crate::gardener::shoot::{WORKERS, named_profile};
use crate::gardener::types::cloud_profile::offering;
use crate::gardener::types::shoot::Shoot;
use crate::kube::semver::SemVer;
use crate::kube::time::Time;
use crate::policy::{Request, RequestError, read};
use crate::report::{ErrorType, Report};

/// A Shoot, its old version, and what its profile offers.
struct Check<'c> {
    request: &'c Request<'c>,
    shoot: &'c Value<'c>,
    old: Option<&'c Value<'c>>,
    /// The specification of the profile.
    profile: &'c Value<'c>,
    /// The time of the request.
    now: Option<Time>,
}

/// Judges a Shoot by its profile, on an update together with the old Shoot.
pub fn judge(request: &Request<'_>, old: Option<&Value<'_>>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let shoot = request.object;
    let is_same = |old| ["spec", "metadata"].iter().all(|part| is_same_at(&[], &[part], old, shoot));
    if !request.is_itself() && old.is_some_and(is_same) {
        return Ok(());
    }
    let decoded: Shoot<'_> = read(shoot)?;
    if decoded.spec.cloud_profile.is_none() && decoded.spec.cloud_profile_name.is_none_or(str::is_empty) {
        return Ok(());
    }
    raw::judge(shoot, report);
    let profile = named_profile(request, &decoded);
    if let Some(old) = old {
        let offered = match profile {
            Known::Found(profile) => offering(profile),
            _ => None,
        };
        change::judge(request, old, offered, report);
    }
    let profile = match profile {
        Known::Found(profile) => offering(profile),
        Known::Failed(message) => {
            let detail = format!("could not find referenced cloud profile: {message}");
            report.deny(&rules::ADM_CP_001, "/spec/cloudProfile", detail).hides_others();
            return Ok(());
        }
        Known::Unknown(query) => {
            let why = "the CloudProfile of the Shoot is not known here; versions, machine types, images, volumes and zones \
                       are checked on submit";
            report.undecided(&rules::ADM_CP_001, why, Some(query));
            admission_plugins::judge(shoot, report);
            if request.is_sent() {
                // Whatever the profile is for, it differs from the Shoot or from the binding.
                bindings::judge(request, text(shoot, &["spec", "provider", "type"]), report);
            }
            return Ok(());
        }
    };
    let Some(profile) = profile else {
        let why = "the profile does not say what it offers: a CloudProfile in `spec`, a NamespacedCloudProfile in \
                   `status.cloudProfileSpec`, which Gardener writes; versions, machine types, images, volumes and zones are checked on submit";
        report.undecided(&rules::ADM_CP_001, why, None);
        admission_plugins::judge(shoot, report);
        return Ok(());
    };
    let check = Check { request, shoot, old, profile, now: request.now()? };
    check.judge(report);
    if request.may_be_edited() {
        check.if_changed(report);
    }
    Ok(())
}

impl<'c> Check<'c> {
    fn judge(&self, report: &mut Report<'_>) {
        version::judge(self, report);
        self.region(report);
        self.access_restrictions(report);
        self.provider(report);
        admission_plugins::judge(self.shoot, report);
        self.nodes(report);
        self.control_plane_zones(report);
    }

    fn control_plane_zones(&self, report: &mut Report<'_>) {
        let has_zones = |shoot| !items(shoot, &["spec", "controlPlane", "zones"]).is_empty();
        let allows = flag(self.profile, &["controlPlane", "allowZonePinning"]) == Some(true);
        if has_zones(self.shoot) && !self.old.is_some_and(has_zones) && !allows {
            let path = Path::root("spec.controlPlane.zones", "/spec/controlPlane/zones");
            let detail = "spec.controlPlane.zones can only be set when the CloudProfile has spec.controlPlane.allowZonePinning set to true";
            report.error(&rules::ADM_CPZ_001, &path, ErrorType::Forbidden, detail).fix_removal();
        }
    }

    /// Says of what the profile lacks that Gardener accepts it only of a Shoot that has it already.
    fn if_changed(&self, report: &mut Report<'_>) {
        let other = Value::object([]);
        let mut changed = report.of_release(self.shoot);
        Check { old: Some(&other), ..*self }.judge(&mut changed);
        report.open_if_changed(changed);
    }

    fn region(&self, report: &mut Report<'_>) {
        if self.is_region_changed() && self.region_of_profile().is_none() {
            let regions = items(self.profile, &["regions"]).iter();
            let names: Vec<&str> = regions.map(|region| text(region, &["name"])).collect();
            let path = Path::root("spec.region", "/spec/region");
            let detail = super::fields::supported(names.iter().copied());
            let entry = report.error(&rules::ADM_REG_001, &path, ErrorType::NotSupported, detail);
            if names.is_empty() {
                entry.remedy("Ask the operators of the CloudProfile for a region: it has none.");
                return;
            }
            offer(entry, text(self.shoot, &["spec", "region"]), &names, by_likeness);
        }
    }

    fn is_region_changed(&self) -> bool {
        let before = self.old.map(|old| text(old, &["spec", "region"])).unwrap_or_default();
        before != text(self.shoot, &["spec", "region"])
    }

    fn region_of_profile(&self) -> Option<&'c Value<'c>> {
        named(items(self.profile, &["regions"]), text(self.shoot, &["spec", "region"]))
    }

    fn access_restrictions(&self, report: &mut Report<'_>) {
        let names = |shoot: &'c Value<'c>| -> Vec<&'c str> {
            let mut names: Vec<&str> =
                items(shoot, &["spec", "accessRestrictions"]).iter().map(|one| text(one, &["name"])).collect();
            names.sort_unstable();
            names.dedup();
            names
        };
        if names(self.shoot) == self.old.map(names).unwrap_or_default() {
            return;
        }
        let Some(region) = self.region_of_profile() else {
            let path = Path::root("spec.region", "/spec/region");
            report.error(&rules::ADM_ACC_001, &path, ErrorType::Invalid, "region not present in CloudProfile");
            return;
        };
        let offered = items(region, &["accessRestrictions"]);
        let all = Path::root("spec.accessRestrictions", "/spec/accessRestrictions");
        for (index, one) in items(self.shoot, &["spec", "accessRestrictions"]).iter().enumerate() {
            if named(offered, text(one, &["name"])).is_none() {
                let detail = super::fields::supported(offered.iter().map(|one| text(one, &["name"])));
                let entry = report.error(&rules::ADM_ACC_002, &all.index(index), ErrorType::NotSupported, detail);
                if offered.is_empty() {
                    entry.remedy("Remove the restriction: the region has none.");
                }
            }
        }
    }

    fn provider(&self, report: &mut Report<'_>) {
        let (own, offered) = (text(self.shoot, &["spec", "provider", "type"]), text(self.profile, &["type"]));
        if own != offered {
            let path = Path::root("spec.provider.type", "/spec/provider/type");
            let detail = format!(
                "provider type in shoot must equal provider type of referenced CloudProfile: \"{offered}\""
            );
            let entry = report.error(&rules::ADM_PROV_001, &path, ErrorType::Invalid, detail);
            if offered.is_empty() {
                entry.remedy("Name another CloudProfile: this one has no `spec.type`.");
            }
            return;
        }
        if bindings::judge(self.request, own, report) == bindings::Cloud::Another {
            return;
        }
        let version = text(self.shoot, &["spec", "kubernetes", "version"]);
        if SemVer::parse(version).is_none() {
            let path = Path::root("spec.kubernetes.version", "/spec/kubernetes/version");
            let detail = "cannot parse the kubernetes version: invalid semantic version";
            report.error(&rules::ADM_PROV_004, &path, ErrorType::Invalid, detail);
            return;
        }
        let mut kubelet = self.shoot.at(&["spec", "kubernetes", "kubelet"]);
        let olds = self.old.map(|old| items(old, &["spec", "provider", "workers"])).unwrap_or_default();
        for (index, worker) in items(self.shoot, &["spec", "provider", "workers"]).iter().enumerate() {
            let pool = Pool { worker, old: named(olds, text(worker, &["name"])), path: WORKERS.index(index) };
            if machine::judge(self, &pool, report) && !runtime::judge(self, &pool, version, report) {
                return;
            }
            volume::judge(self, &pool, report);
            kubelet = worker.at(&["kubernetes", "kubelet"]).or(kubelet);
            if worker.at(&["kubernetes"]).is_some() {
                runtime::reserved(self, &pool, kubelet, report);
                version::judge_pool(self, &pool, report);
            }
            zones::judge(self, &pool, report);
        }
    }

    fn nodes(&self, report: &mut Report<'_>) {
        let Some(most) = self.profile.at(&["limits", "maxNodesTotal"]) else { return };
        if self.shoot.at(&["metadata", "deletionTimestamp"]).is_some() {
            return;
        }
        let most_nodes = match most {
            Value::Number(number) => number.parse().unwrap_or(i64::MAX),
            _ => return,
        };
        let workers = items(self.shoot, &["spec", "provider", "workers"]);
        let total: i64 = workers.iter().map(|worker| integer(worker, &["minimum"])).sum();
        if total > most_nodes {
            let detail = format!(
                "the total minimum node count of all worker pools must not exceed the limit of {most_nodes} configured in \
                 the CloudProfile"
            );
            report.error(&rules::ADM_LIM_001, &WORKERS, ErrorType::Forbidden, detail);
        }
    }

    /// Whether a zone of the pool lacks a machine type or a volume type, which the profile lists under `key`.
    fn is_unavailable(&self, pool: &Pool<'_, '_>, key: &str, name: &str) -> bool {
        let Some(region) = self.region_of_profile() else { return false };
        texts(items(pool.worker, &["zones"])).any(|zone| {
            let zone = named(items(region, &["zones"]), zone);
            zone.is_some_and(|zone| texts(items(zone, &[key])).any(|lacking| lacking == name))
        })
    }
}

/// A worker pool, and its old version.
struct Pool<'p, 'c> {
    worker: &'c Value<'c>,
    /// None where the pool is new.
    old: Option<&'c Value<'c>>,
    path: Path<'p>,
}

impl Pool<'_, '_> {
    fn is_in_place(&self) -> bool {
        matches!(text(self.worker, &["updateStrategy"]), "AutoInPlaceUpdate" | "ManualInPlaceUpdate")
    }

    /// Whether the pool is new, or has another value at one of these places.
    fn is_changed(&self, places: &[&[&str]]) -> bool {
        self.old.is_none_or(|old| {
            places.iter().any(|path| !is_same_at(&["spec", "provider", "workers"], path, old, self.worker))
        })
    }
}

/// Whether a machine type or a volume type may be used; one that says nothing may.
fn is_usable(offered: &Value<'_>) -> bool {
    flag(offered, &["usable"]) != Some(false)
}
