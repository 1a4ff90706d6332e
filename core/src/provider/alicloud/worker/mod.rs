//! The machines of a Shoot on Alibaba Cloud (`alicloud-policy` 5.3, 5.6, `alicloud-manifests` 7).

mod class;
mod images;
mod rollout;

pub use rollout::{READS as ROLLOUT_READS, rollout};

use std::borrow::Cow;

use crate::document::decode::{Mode, Typed};
use crate::document::{JsonText, Value};
use crate::gardener::worker::{ClassValues, MakesMachines, Pool, PoolAt, WorkerDraft, WorkerPools, WorkerRules};
use crate::policy::{RequestError, technical_id};
use crate::provider::alicloud::api::{Config as _, InfrastructureStatus};
use crate::provider::alicloud::image_mapping::Profile;
use crate::provider::alicloud::rendering::{status, templates::MACHINECLASS};
use crate::provider::alicloud::rules::machines as rules;
use crate::text::{join, quote};

use class::{Site, class_values, disk_sizes, hash_inputs};
use images::Images;

/// The purpose of VSwitches and of security groups for nodes.
const NODES: &str = "nodes";

/// How the machines of Workers are made.
pub const WORKER_POOLS: WorkerPools = WorkerPools {
    preview_status: status::preview,
    make,
    machine_class: MACHINECLASS,
    zone_label: "topology.diskplugin.csi.alibabacloud.com/zone",
    rules: &WorkerRules {
        share: &rules::MCH_006,
        hash: &rules::MCH_007,
        user_data: &rules::MCH_008,
        double: &rules::MCH_010,
        placeholder: &rules::MCH_011,
    },
};

/// Reads what all pools share.
fn make(draft: &mut WorkerDraft<'_>) -> Result<(), RequestError> {
    let read = |value| InfrastructureStatus::read_typed(value, Mode::Strict, Typed::ByVersion);
    let status = draft.infrastructure_status(&rules::MCH_001, read);
    let profile = match draft.request.cluster.cloud_profile.map(|profile| Profile::read(profile, &rules::MCH_009))
    {
        None => None,
        Some(Ok(profile)) => profile,
        Some(Err(RequestError::Denied(refusal))) => {
            draft.report.deny(&rules::MCH_009, "", refusal.message);
            return Ok(());
        }
        Some(Err(error)) => return Err(error),
    };
    let Some(status) = status else { return Ok(()) };
    let group = status.vpc.security_groups.iter().find(|group| group.purpose == NODES);
    if group.is_none() {
        let detail = "cannot find security group with purpose \"nodes\"";
        draft.refuse_status(&rules::MCH_002, "/vpc/securityGroups", detail);
    }
    let spec = draft.spec;
    draft.make(&mut PoolMachines {
        site: Site {
            technical_id: &technical_id(draft.request.cluster.shoot),
            namespace: draft.namespace(),
            region: spec.region,
            credentials: (spec.secret_ref.name, spec.secret_ref.namespace),
            security_group: group.map_or("", |group| group.id),
        },
        status: &status,
        images: Images::of(profile.as_ref(), &status.machine_images, spec.region),
        used: Vec::new(),
    })
}

/// The machines of pools.
struct PoolMachines<'m, 'w> {
    site: Site<'m>,
    status: &'m InfrastructureStatus<'w>,
    images: Images<'m, 'w>,
    /// The VSwitches that machines are in.
    used: Vec<&'w str>,
}

impl<'w> MakesMachines<'w> for PoolMachines<'_, 'w> {
    fn hash_inputs(&self, at: PoolAt<'w>) -> Vec<Cow<'w, str>> {
        hash_inputs(at.pool)
    }

    fn class(&mut self, at: PoolAt<'w>, draft: &mut WorkerDraft<'w>) -> Option<String> {
        let image = self.image(at, draft);
        let sizes = disk_sizes(at.pool).map_err(|(member, why)| {
            draft.deny(&rules::MCH_005, at.index, &member, format!("worker pool {}: {why}", at.pool.name));
        });
        Some(class_values(&self.site, at, &image?, &sizes.ok()?))
    }

    fn name(&self, _namespace: &str, pool: &Pool<'w>, zone: usize) -> String {
        let zone = pool.zones.get(zone).copied().unwrap_or_default();
        format!("{}-{}-{zone}", self.site.technical_id, pool.name)
    }

    fn place(&mut self, at: PoolAt<'w>, index: usize, draft: &mut WorkerDraft<'w>) -> Option<ClassValues<'w>> {
        let zone = at.pool.zones.get(index).copied()?;
        let vswitches = &self.status.vpc.vswitches;
        let found = vswitches.iter().find(|vswitch| vswitch.purpose == NODES && vswitch.zone == zone);
        let Some(vswitch) = found else {
            let detail = format!("no vswitch with purpose {} in zone {} found", quote(NODES), quote(zone));
            draft.deny(&rules::MCH_003, at.index, &format!("/zones/{index}"), detail);
            return None;
        };
        if !self.used.contains(&vswitch.id) {
            self.used.push(vswitch.id);
        }
        Some(vec![("vSwitchID", Value::string(vswitch.id)), ("zoneID", Value::string(zone))])
    }

    fn provider_status(&self) -> JsonText {
        self.images.status()
    }

    fn has(&self, value: &str) -> bool {
        value == self.site.security_group || self.used.contains(&value)
    }
}

impl<'w> PoolMachines<'_, 'w> {
    /// The id of the image of a pool.
    fn image(&mut self, at: PoolAt<'w>, draft: &mut WorkerDraft<'w>) -> Option<Cow<'w, str>> {
        let pool = at.pool;
        let found = self.images.find(pool);
        if let (Err(_), Some(preview)) = (&found, &mut draft.preview) {
            let is_copy = pool.volume.is_some_and(|volume| volume.encrypted == Some(true));
            if is_copy || !self.images.has_profile() {
                let what = if is_copy { "id of the encrypted copy" } else { "image id" };
                let image = join(&[pool.machine_image.name, pool.machine_image.version], " ");
                return Some(preview.of(what, &image).into());
            }
        }
        let refuse = |detail| draft.deny(&rules::MCH_004, at.index, "/machineImage", detail);
        found.map(Cow::Borrowed).map_err(refuse).ok()
    }
}
