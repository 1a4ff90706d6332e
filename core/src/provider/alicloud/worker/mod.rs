//! The machines of a Shoot on Alibaba Cloud (`alicloud-policy` 5.3, 5.6, `alicloud-manifests` 7).

mod class;
mod images;
mod rollout;

pub use rollout::{READS as ROLLOUT_READS, rollout};

use std::borrow::Cow;

use crate::collections::NameSet;
use crate::document::decode::{Mode, Typed, decode};
use crate::document::{JsonText, Path, Value};
use crate::gardener::extension_objects::{Preview, worker};
use crate::gardener::worker::{
    Machines, Pool, UserData, WorkerSpec, Zone, in_place_hash, machine_deployment, pool_hash, user_data,
};
use crate::policy::{PoolHash, RequestError, Workers, WorkersRequest, technical_id};
use crate::provider::alicloud::api::{Config as _, InfrastructureStatus};
use crate::provider::alicloud::image_mapping::Profile;
use crate::provider::alicloud::rendering::status;
use crate::provider::alicloud::rules::machines as rules;
use crate::report::{ErrorType, Report, Rule};
use crate::text::{base64, join, quote};

use class::{OfPool, Place, Site, disk_sizes, hash_inputs, objects};
use images::Images;

/// The purpose of VSwitches and of security groups for nodes.
const NODES: &str = "nodes";
/// The label by which the disk driver knows the zone of a node.
const ZONE_LABEL: &str = "topology.diskplugin.csi.alibabacloud.com/zone";
/// Most machine deployments of a Worker. The largest Shoots have some hundred.
const MAX_DEPLOYMENTS: usize = 5_000;
/// Most bytes of what zones repeat of their pools: labels, annotations, user data.
const MAX_REPEATED_BYTES: usize = 64 << 20;

/// Makes the machines of a Worker; those of a Shoot alone are a preview. The answer is the text of [`Workers`].
pub fn workers(request: &WorkersRequest<'_>) -> Result<String, RequestError> {
    let Some(object) = request.worker else {
        let (mut of_status, mut of_worker) = (Preview::default(), Preview::default());
        let status = status::preview(request.cluster.shoot, &mut of_status);
        let object = worker(request.cluster.shoot, request.cluster.cloud_profile, status, &mut of_worker);
        let made = make(request, &object, Some((of_status, of_worker)))?;
        return Ok(made.text());
    };
    Ok(make(request, object, None)?.text())
}

/// Makes the machines of an object: of the Worker, or of one that a preview made with placeholders of its own:
/// those of the status of the infrastructure, and others.
fn make<'r>(
    request: &WorkersRequest<'r>,
    object: &'r Value<'r>,
    previews: Option<(Preview, Preview)>,
) -> Result<Workers<'r>, RequestError> {
    let spec = object.get("spec").unwrap_or(&Value::Null);
    let worker: WorkerSpec<'r> = decode(spec, Mode::Lenient).map_err(|error| RequestError::Malformed {
        message: format!("the Worker cannot be read: spec: {error}"),
        pointer: Some(format!("/worker/spec{}", error.pointer())),
    })?;
    let raw = spec.get("pools").map(Value::items).unwrap_or_default();
    let mut report = Report::of_secret(request.worker.unwrap_or(request.cluster.shoot));
    let mut workers = Workers::default();

    let status = infrastructure(object, &mut report);
    let profile = profile(request)?.map_err(|why| {
        report.deny(&rules::MCH_009, "", why);
    });
    let technical_id = technical_id(request.cluster.shoot);
    if let (Some(status), Ok(profile)) = (&status, &profile) {
        let group = security_group(status, &mut report);
        let site = Site {
            technical_id: &technical_id,
            namespace: object.at(&["metadata", "namespace"]).and_then(Value::as_str).unwrap_or_default(),
            region: worker.region,
            credentials: (worker.secret_ref.name, worker.secret_ref.namespace),
            security_group: group.unwrap_or_default(),
        };
        let mut pools = PoolMachines {
            request,
            site: &site,
            status,
            images: Images::of(profile.as_ref(), &status.machine_images, worker.region),
            used: Vec::new(),
            workers: &mut workers,
            is_complete: group.is_some(),
            repeated_bytes: 0,
            preview: previews.is_some().then(Preview::default),
            report: &mut report,
        };
        for (index, pool) in worker.pools.iter().enumerate() {
            pools.add_pool(index, pool, raw.get(index).unwrap_or(&Value::Null))?;
        }
        pools.refuse_doubles();
        let PoolMachines { images, used, preview, is_complete, .. } = pools;
        if is_complete {
            workers.provider_status = Some(images.status());
        } else {
            (workers.machine_deployments, workers.pools, workers.objects) = (None, None, None);
        }
        if let (Some((mut of_status, of_worker)), Some(own)) = (previews, preview) {
            of_status.keep(|placeholder| placeholder == site.security_group || used.contains(&placeholder));
            for preview in [of_status, of_worker, own] {
                preview.tell(&rules::MCH_011, &mut report);
            }
        }
    }
    (workers.findings, workers.undecided) = report.into_parts();
    Ok(workers)
}

/// The status of the infrastructure. None where an error says what is wrong.
fn infrastructure<'r>(worker: &'r Value<'r>, report: &mut Report<'_>) -> Option<InfrastructureStatus<'r>> {
    const STATUS: &str = "/spec/infrastructureProviderStatus";
    let Some(value) = worker.at(&["spec", "infrastructureProviderStatus"]) else {
        report.deny(&rules::MCH_001, STATUS, "could not decode infrastructureProviderStatus: it is absent");
        return None;
    };
    InfrastructureStatus::read_typed(value, Mode::Strict, Typed::ByVersion)
        .map_err(|error| {
            let pointer = format!("{STATUS}{}", error.pointer());
            report.error(&rules::MCH_001, &Path::root("", &pointer), ErrorType::Denied, error.to_string());
        })
        .ok()
}

/// The CloudProfile, where there is one with the provider's part; or what is wrong with that part.
fn profile<'r>(request: &WorkersRequest<'r>) -> Result<Result<Option<Profile<'r>>, String>, RequestError> {
    let Some(profile) = request.cluster.cloud_profile else { return Ok(Ok(None)) };
    match Profile::read(profile, &rules::MCH_009) {
        Ok(profile) => Ok(Ok(profile)),
        Err(RequestError::Denied(refusal)) => Ok(Err(refusal.message)),
        Err(error) => Err(error),
    }
}

/// The security group of nodes.
fn security_group<'r>(status: &InfrastructureStatus<'r>, report: &mut Report<'_>) -> Option<&'r str> {
    let group = status.vpc.security_groups.iter().find(|group| group.purpose == NODES);
    if group.is_none() {
        let detail = "cannot find security group with purpose \"nodes\"";
        report.deny(&rules::MCH_002, "/spec/infrastructureProviderStatus/vpc/securityGroups", detail);
    }
    group.map(|group| group.id)
}

/// The machines that are being made.
struct PoolMachines<'m, 'c, 'r, 'd> {
    request: &'m WorkersRequest<'r>,
    site: &'m Site<'m>,
    status: &'m InfrastructureStatus<'r>,
    images: Images<'c, 'r>,
    /// The VSwitches that machines are in.
    used: Vec<&'r str>,
    workers: &'m mut Workers<'r>,
    /// Whether nothing is missing so far.
    is_complete: bool,
    repeated_bytes: usize,
    /// The placeholders; none where there is a Worker.
    preview: Option<Preview>,
    report: &'m mut Report<'d>,
}

impl<'r> PoolMachines<'_, '_, 'r, '_> {
    /// Adds the machines of a pool.
    fn add_pool(&mut self, index: usize, pool: &Pool<'r>, raw: &'r Value<'r>) -> Result<(), RequestError> {
        let additional = hash_inputs(pool);
        let hash = self.hash(index, pool, raw, &additional);
        let image = self.image(index, pool);
        let sizes = self.disk_sizes(index, pool);
        let user_data = self.user_data(index, pool);
        self.is_complete &= hash.is_some() && image.is_some() && sizes.is_some() && user_data.is_some();
        let user_data = user_data.unwrap_or_default();
        self.count(pool, raw, user_data.len())?;
        let (hash, in_place_hash) = hash.unwrap_or_default();
        let (system_disk, data_disks) = sizes.unwrap_or_default();
        let image = image.unwrap_or_default();
        let mut places = Vec::with_capacity(pool.zones.len());
        for (position, zone) in pool.zones.iter().copied().enumerate() {
            let vswitch = self.vswitch(index, position, zone);
            let name = format!("{}-{}-{zone}", self.site.technical_id, pool.name);
            let class = format!("{name}-{hash}");
            let machines = Machines {
                name,
                class: class.clone(),
                zone: Zone { index: position, of: pool.zones.len() },
                label: (ZONE_LABEL, zone),
            };
            match machine_deployment(pool, raw, machines) {
                Ok(deployment) => self.workers.machine_deployments.get_or_insert_default().push(deployment),
                Err(error) => self.deny(&rules::MCH_006, index, "", error.to_string()),
            }
            places.extend(vswitch.map(|vswitch| Place { class, zone, vswitch }));
        }
        if self.is_complete {
            let of = OfPool { pool, raw, image: &image, system_disk, data_disks, user_data };
            self.workers.objects.get_or_insert_default().extend(objects(self.site, &of, &places)?);
        }
        self.workers.pools.get_or_insert_default().push(PoolHash {
            name: pool.name,
            hash,
            additional,
            in_place_hash,
        });
        Ok(())
    }

    /// Refuses more machine deployments or more bytes than there may be: each zone repeats what its pool says.
    fn count(&mut self, pool: &Pool<'r>, raw: &Value<'_>, user_data: usize) -> Result<(), RequestError> {
        let before = self.workers.machine_deployments.as_ref().map_or(0, Vec::len);
        let too_many = |what, count, unit, limit| {
            if count > limit { Err(RequestError::TooMany { what, count, unit, limit }) } else { Ok(()) }
        };
        too_many("the zones of all worker pools", before + pool.zones.len(), "entries", MAX_DEPLOYMENTS)?;
        // Labels stand in a deployment and in the tags of a class.
        let repeated = 2 * JsonText::from(raw).as_str().len() + user_data;
        self.repeated_bytes = self.repeated_bytes.saturating_add(repeated.saturating_mul(pool.zones.len()));
        too_many("what the zones of worker pools repeat", self.repeated_bytes, "bytes", MAX_REPEATED_BYTES)
    }

    /// The hash of a pool, and the one for updates in place.
    fn hash(
        &mut self,
        index: usize,
        pool: &Pool<'r>,
        raw: &Value<'_>,
        additional: &[&str],
    ) -> Option<(String, Option<String>)> {
        let shoot = self.request.cluster.shoot;
        if let Some(preview) = &mut self.preview {
            let in_place = pool.updates_in_place();
            let hash = preview.of("hash", pool.name);
            return Some((hash, in_place.then(|| preview.of("in-place hash", pool.name))));
        }
        let hashes = pool_hash(pool, raw, shoot, additional).and_then(|hash| {
            let in_place = if pool.updates_in_place() { Some(in_place_hash(pool, shoot)?) } else { None };
            Ok((hash, in_place))
        });
        hashes
            .map_err(|error| {
                let detail = format!("failed to calculate the hash of worker pool {}: {error}", pool.name);
                self.deny(&rules::MCH_007, index, "/kubernetesVersion", detail);
            })
            .ok()
    }

    /// The id of the image of a pool.
    fn image(&mut self, index: usize, pool: &Pool<'r>) -> Option<Cow<'r, str>> {
        let found = self.images.find(pool);
        if let (Err(_), Some(preview)) = (&found, &mut self.preview) {
            let is_copy = pool.volume.is_some_and(|volume| volume.encrypted == Some(true));
            if is_copy || !self.images.has_profile() {
                let what = if is_copy { "id of the encrypted copy" } else { "image id" };
                let image = join(&[pool.machine_image.name, pool.machine_image.version], " ");
                return Some(preview.of(what, &image).into());
            }
        }
        found.map(Cow::Borrowed).map_err(|detail| self.deny(&rules::MCH_004, index, "/machineImage", detail)).ok()
    }

    fn disk_sizes(&mut self, index: usize, pool: &Pool<'r>) -> Option<(i64, Vec<i64>)> {
        disk_sizes(pool)
            .map_err(|(member, why)| {
                self.deny(&rules::MCH_005, index, &member, format!("worker pool {}: {why}", pool.name));
            })
            .ok()
    }

    /// The user data of a pool, in base64.
    fn user_data(&mut self, index: usize, pool: &Pool<'r>) -> Option<String> {
        if let Some(preview) = &mut self.preview {
            return Some(base64::encode(preview.of("user data", pool.name).as_bytes()));
        }
        match user_data(self.request, self.site.namespace, pool) {
            UserData::Found(data) => Some(data),
            UserData::Unknown(query) => {
                let why = format!("nobody has looked up the user data of worker pool {}", pool.name);
                self.report.undecided(&rules::MCH_008, why, Some(query));
                None
            }
            UserData::Missing(detail) => {
                self.deny(&rules::MCH_008, index, "/userDataSecretRef", detail);
                None
            }
        }
    }

    /// The VSwitch of a zone.
    fn vswitch(&mut self, index: usize, position: usize, zone: &str) -> Option<&'r str> {
        let vswitches = &self.status.vpc.vswitches;
        let found = vswitches.iter().find(|vswitch| vswitch.purpose == NODES && vswitch.zone == zone);
        let Some(vswitch) = found else {
            let detail = format!("no vswitch with purpose {} in zone {} found", quote(NODES), quote(zone));
            self.deny(&rules::MCH_003, index, &format!("/zones/{position}"), detail);
            return None;
        };
        if !self.used.contains(&vswitch.id) {
            self.used.push(vswitch.id);
        }
        Some(vswitch.id)
    }

    /// Refuses machine deployments of one name.
    fn refuse_doubles(&mut self) {
        let deployments = self.workers.machine_deployments.as_deref().unwrap_or_default();
        let mut names = NameSet::default();
        for name in deployments.iter().map(|deployment| deployment.name.as_str()) {
            if !names.insert(name) {
                self.report.deny(
                    &rules::MCH_010,
                    "/spec",
                    format!("two machine deployments have the name {name}"),
                );
                self.is_complete = false;
            }
        }
    }

    /// Reports what is wrong with a pool. A preview points into the Shoot.
    fn deny(&mut self, rule: &'static Rule, index: usize, member: &str, detail: String) {
        let pointer = if self.preview.is_some() {
            let member = if member == "/machineImage" { "/machine/image" } else { member };
            format!("/spec/provider/workers/{index}{member}")
        } else {
            format!("/spec/pools/{index}{member}")
        };
        self.report.deny(rule, &pointer, detail);
        self.is_complete = false;
    }
}
