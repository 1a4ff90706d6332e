//! The provider of a Shoot, and its worker pools side by side (GDN-PROV).

use super::metadata::label;
use super::{Check, worker};
use crate::document::{Path, Value};
use crate::gardener::shoot::WORKERS;
use crate::provider::gardener::fields::{flag, integer, items, text, texts};
use crate::provider::gardener::rules::workers as rules;
use crate::report::{ErrorType, Report};
use crate::text::join;

const PROVIDER: Path<'_> = Path::root("spec.provider", "/spec/provider");
const MASK: Path<'_> = Path::root(
    "spec.kubernetes.kubeControllerManager.nodeCIDRMaskSize",
    "/spec/kubernetes/kubeControllerManager/nodeCIDRMaskSize",
);

/// Judges provider and worker pools.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let (provider_type, path) = (text(check.shoot, &["spec", "provider", "type"]), PROVIDER.key("type"));
    if provider_type.is_empty() {
        report.error(&rules::GDN_PROV_001, &path, ErrorType::Required, "must specify a provider type");
    } else {
        label(&rules::GDN_PROV_002, provider_type, &path, report);
    }
    if check.workers().is_empty() {
        for &(rule, key) in &[
            (&rules::GDN_PROV_003, "infrastructureConfig"),
            (&rules::GDN_PROV_004, "controlPlaneConfig"),
            (&rules::GDN_PROV_005, "workersSettings"),
        ] {
            if check.shoot.at(&["spec", "provider", key]).is_some() {
                check.forbid_without_workers(rule, &PROVIDER.key(key), report);
            }
        }
    } else {
        for (index, pool) in check.workers().iter().enumerate() {
            worker::judge(check, pool, &WORKERS.index(index), report);
        }
        together(check.workers(), report);
        system_components(check.workers(), report);
    }
    mask(check, report);
}

/// Judges what only one pool may have.
fn together(workers: &[Value<'_>], report: &mut Report<'_>) {
    let mut names: Vec<&str> = Vec::with_capacity(workers.len());
    let mut has_control_plane = false;
    for (index, pool) in workers.iter().enumerate() {
        let (name, path) = (text(pool, &["name"]), WORKERS.index(index));
        if names.contains(&name) {
            report.error(&rules::GDN_PROV_010, &path.key("name"), ErrorType::Duplicate, "");
        }
        names.push(name);
        if has_control_plane && is_control_plane(pool) {
            let detail = "cannot have more than one worker pool marked for control plane components";
            report.error(&rules::GDN_PROV_011, &path.key("controlPlane"), ErrorType::Invalid, detail);
        }
        has_control_plane |= is_control_plane(pool);
    }
}

fn is_control_plane(pool: &Value<'_>) -> bool {
    pool.at(&["controlPlane"]).is_some()
}

/// Whether system components may run in the pool. They may where nobody says anything.
fn allows_system_components(pool: &Value<'_>) -> bool {
    pool.at(&["systemComponents"]).is_none() || flag(pool, &["systemComponents", "allow"]) == Some(true)
}

/// Pools with the same zones, of which one needs a machine in each zone.
struct Group<'c> {
    zones: Vec<&'c str>,
    /// The last pool with too few machines, as long as no pool has enough.
    short: Option<usize>,
    is_enough: bool,
}

/// Judges where system components can run.
fn system_components(workers: &[Value<'_>], report: &mut Report<'_>) {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let active = workers
        .iter()
        .enumerate()
        .filter(|(_, pool)| allows_system_components(pool) && integer(pool, &["maximum"]) != 0);
    for (index, pool) in active {
        let listed = items(pool, &["zones"]);
        let mut zones: Vec<&str> = texts(listed).collect();
        zones.sort_unstable();
        zones.dedup();
        let is_enough = i64::try_from(listed.len()).is_ok_and(|zones| integer(pool, &["maximum"]) >= zones);
        let short = (!is_enough).then_some(index);
        match groups.iter_mut().find(|group| group.zones == zones) {
            Some(group) => {
                group.is_enough |= is_enough;
                group.short = short.or(group.short);
            }
            None => groups.push(Group { zones, short, is_enough }),
        }
    }
    for index in groups.iter().filter(|group| !group.is_enough).filter_map(|group| group.short) {
        let path = WORKERS.index(index);
        let detail =
            "maximum node count should be greater than or equal to the number of zones specified for this pool";
        report.error(&rules::GDN_PROV_020, &path.key("maximum"), ErrorType::Forbidden, detail);
    }
    if groups.is_empty() {
        let detail =
            "at least one active (workers[i].maximum > 0) worker pool with systemComponents.allow=true needed";
        // No machines in a pool that is to have some is an error there.
        let wants = |pool: &Value<'_>| allows_system_components(pool) && integer(pool, &["minimum"]) > 0;
        let cause = workers
            .iter()
            .position(wants)
            .and_then(|index| report.error_at(&WORKERS.index(index).key("maximum").pointer()));
        let entry = report.error(&rules::GDN_PROV_021, &WORKERS, ErrorType::Forbidden, detail);
        if let Some(cause) = &cause {
            entry.caused_by(cause);
        }
    }
    if !workers.iter().any(is_control_plane) {
        return;
    }
    let of_control_plane: Vec<&str> = workers
        .iter()
        .filter(|pool| is_control_plane(pool))
        .flat_map(|pool| texts(items(pool, &["zones"])))
        .collect();
    for (index, pool) in workers.iter().enumerate() {
        let is_elsewhere = texts(items(pool, &["zones"])).any(|zone| !of_control_plane.contains(&zone));
        if is_elsewhere && !is_control_plane(pool) && allows_system_components(pool) {
            let path = WORKERS.index(index);
            let detail =
                "workers that enable systemComponents must use a subset of the zones of control plane worker";
            report.error(&rules::GDN_PROV_022, &path.key("systemComponents"), ErrorType::Invalid, detail);
        }
    }
}

/// The most pods of a kubelet that does not say how many.
const DEFAULT_PODS: i64 = 110;

/// Judges whether a node's range has an address for each pod.
fn mask(check: &Check<'_>, report: &mut Report<'_>) {
    let mask = check.shoot.at(&["spec", "kubernetes", "kubeControllerManager", "nodeCIDRMaskSize"]);
    if mask.is_none() || check.shoot.at(&["spec", "networking"]).is_none() {
        return;
    }
    let mask = integer(check.shoot, &["spec", "kubernetes", "kubeControllerManager", "nodeCIDRMaskSize"]);
    let of_shoot = integer(check.shoot, &["spec", "kubernetes", "kubelet", "maxPods"]);
    let of_pools = check.workers().iter().map(|pool| integer(pool, &["kubernetes", "kubelet", "maxPods"]));
    let pods = match of_pools.fold(of_shoot, i64::max) {
        0 => DEFAULT_PODS,
        pods => pods,
    };
    let families = items(check.shoot, &["spec", "networking", "ipFamilies"]);
    let (bits, default) = if texts(families).eq(["IPv6"]) { (128, 64) } else { (32, 24) };
    let addresses = match u32::try_from(bits - mask) {
        // Gardener's count overflows from here on, and there is room for any number of pods.
        Ok(63..) => return,
        Ok(free) => (1_i64 << free) - 2,
        Err(_) => -1,
    };
    if addresses < pods {
        let (mask, addresses, pods) = (mask.to_string(), addresses.to_string(), pods.to_string());
        let detail = join(
            &[
                "kubelet or kube-controller-manager configuration incorrect. Please adjust the nodeCIDRMaskSize to support the \
                 highest maxPod on any worker pool. The nodeCIDRMaskSize of ",
                &mask,
                if default == 64 { " (default: 64) only supports " } else { " (default: 24) only supports " },
                &addresses,
                " IP addresses. The highest maxPod setting is ",
                &pods,
                " (default: 110). Please choose a nodeCIDRMaskSize that at least supports ",
                &pods,
                " IP addresses",
            ],
            "",
        );
        report.error(&rules::GDN_PROV_030, &MASK, ErrorType::Invalid, detail);
    }
}
