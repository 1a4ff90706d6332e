//! The machines of a Worker that are being made: the frame that every provider's pools have.

use std::borrow::Cow;

use super::{Machines, Pool, UserData, WorkerSpec, Zone, in_place_hash, machine_deployment, pool_hash, user_data};
use crate::collections::NameSet;
use crate::document::decode::{DecodeError, Mode, decode};
use crate::document::{JsonText, Path, Value, parse};
use crate::gardener::extension_objects::{Preview, worker};
use crate::policy::{PoolHash, RequestError, Workers, WorkersRequest};
use crate::render::Bundle;
use crate::report::{ErrorType, Report, Rule};
use crate::text::base64;

/// Where the status of the infrastructure is in a Worker.
const STATUS: &str = "/spec/infrastructureProviderStatus";
/// Most machine deployments of a Worker. The largest Shoots have some hundred.
const MAX_DEPLOYMENTS: usize = 5_000;
/// Most bytes of what zones repeat of their pools: labels, annotations, user data.
const MAX_REPEATED_BYTES: usize = 64 << 20;

/// What a provider says of its Workers.
#[derive(Clone, Copy, Debug)]
pub struct WorkerPools {
    /// The status that the infrastructure of a Shoot would have, with placeholders for what only the cloud knows.
    pub preview_status: for<'s> fn(&'s Value<'s>, &mut Preview) -> Value<'s>,
    /// Reads what all pools share, and hands it to [`WorkerDraft::make`].
    pub make: fn(&mut WorkerDraft<'_>) -> Result<(), RequestError>,
    /// The label by which nodes know their zone.
    pub zone_label: &'static str,
    /// The templates of a machine class and of its Secret. They have the values `name` and `userData` in addition to those
    /// of the pool and of the zone.
    pub machine_class: Bundle,
    /// The rules that every provider has.
    pub rules: &'static WorkerRules,
}

/// The rules on the machines of every provider.
#[derive(Debug)]
pub struct WorkerRules {
    /// How many nodes change at once is a number or a percentage.
    pub share: &'static Rule,
    /// What a hash covers is readable.
    pub hash: &'static Rule,
    /// There is user data.
    pub user_data: &'static Rule,
    /// No two machine deployments have one name.
    pub double: &'static Rule,
    /// A placeholder stands for what the Shoot does not say.
    pub placeholder: &'static Rule,
}

/// A pool of a Worker.
#[derive(Clone, Copy, Debug)]
pub struct PoolAt<'w> {
    /// Its place among the pools.
    pub index: usize,
    /// The pool.
    pub pool: &'w Pool<'w>,
    /// The pool as JSON.
    pub raw: &'w Value<'w>,
}

/// Values that fill the templates of a machine class.
pub type ClassValues<'w> = Vec<(&'static str, Value<'w>)>;

/// What a provider makes of pools.
pub trait MakesMachines<'w> {
    /// What the provider adds to the hash of a pool.
    fn hash_inputs(&self, pool: PoolAt<'w>) -> Vec<Cow<'w, str>>;

    /// The values of the classes of a pool that all its zones share, as JSON. None where an error says what is wrong.
    fn class(&mut self, pool: PoolAt<'w>, draft: &mut WorkerDraft<'w>) -> Option<String>;

    /// The name of the machine deployment in the zone of that index; names of classes begin with it.
    fn name(&self, namespace: &str, pool: &Pool<'w>, zone: usize) -> String {
        format!("{namespace}-{}-z{}", pool.name, zone + 1)
    }

    /// Further values of the class in the zone of that index. None where an error says what is wrong.
    fn place(&mut self, pool: PoolAt<'w>, zone: usize, draft: &mut WorkerDraft<'w>) -> Option<ClassValues<'w>>;

    /// `status.providerStatus` of the Worker.
    fn provider_status(&self) -> JsonText;

    /// Whether machines have a value of the status of the infrastructure.
    fn has(&self, value: &str) -> bool;
}

/// The machines of a Worker that are being made. It has no `Debug`, so that no message can show user data.
pub struct WorkerDraft<'w> {
    /// The request.
    pub request: &'w WorkersRequest<'w>,
    /// The Worker.
    pub object: &'w Value<'w>,
    /// What the Worker says.
    pub spec: &'w WorkerSpec<'w>,
    /// The placeholders for what a pool has; none where there is a Worker.
    pub preview: Option<Preview>,
    /// What is wrong, and what has to be known before.
    pub report: Report<'w>,
    provider: &'static WorkerPools,
    workers: Workers<'w>,
    /// The placeholders of the status of the infrastructure, and others of the Worker.
    previews: [Preview; 2],
    /// Whether nothing is missing so far.
    is_complete: bool,
    repeated_bytes: usize,
}

/// Makes the machines of a Worker; those of a Shoot alone are a preview. The answer is the text of [`Workers`].
pub fn workers(request: &WorkersRequest<'_>, provider: &'static WorkerPools) -> Result<String, RequestError> {
    let mut previews = [Preview::default(), Preview::default()];
    let previewed;
    let object = if let Some(object) = request.worker {
        object
    } else {
        let ([of_status, of_worker], cluster) = (&mut previews, &request.cluster);
        let status = (provider.preview_status)(cluster.shoot, of_status);
        previewed = worker(cluster.shoot, cluster.cloud_profile, status, of_worker);
        &previewed
    };
    let spec: WorkerSpec<'_> =
        decode(object.get("spec").unwrap_or(&Value::Null), Mode::Lenient).map_err(|error| {
            RequestError::Malformed {
                message: format!("the Worker cannot be read: spec: {error}"),
                pointer: Some(format!("/worker/spec{}", error.pointer())),
            }
        })?;
    let mut draft = WorkerDraft {
        request,
        object,
        spec: &spec,
        preview: request.worker.is_none().then(Preview::default),
        report: Report::of_secret(request.worker.unwrap_or(request.cluster.shoot)),
        provider,
        workers: Workers::default(),
        previews,
        is_complete: true,
        repeated_bytes: 0,
    };
    (provider.make)(&mut draft)?;
    let WorkerDraft { mut workers, report, .. } = draft;
    (workers.findings, workers.undecided) = report.into_parts();
    Ok(workers.text())
}

impl<'w> WorkerDraft<'w> {
    /// The namespace of the Worker.
    pub fn namespace(&self) -> &'w str {
        self.object.text_at(&["metadata", "namespace"])
    }

    /// The status of the infrastructure, as `read` decodes it. None where an error says what is wrong.
    pub fn infrastructure_status<S>(
        &mut self,
        rule: &'static Rule,
        read: impl FnOnce(&'w Value<'w>) -> Result<S, DecodeError>,
    ) -> Option<S> {
        let Some(value) = self.object.at(&["spec", "infrastructureProviderStatus"]) else {
            self.refuse_status(rule, "", "could not decode infrastructureProviderStatus: it is absent");
            return None;
        };
        let refuse = |error: DecodeError| {
            let pointer = format!("{STATUS}{}", error.pointer());
            self.report.error(rule, &Path::root("", &pointer), ErrorType::Denied, error.to_string());
            self.is_complete = false;
        };
        read(value).map_err(refuse).ok()
    }

    /// Refuses the status of the infrastructure for something below `place`.
    pub fn refuse_status(&mut self, rule: &'static Rule, place: &str, detail: &str) {
        self.report.deny(rule, &format!("{STATUS}{place}"), detail);
        self.is_complete = false;
    }

    /// Refuses a pool for a member. A preview points into the Shoot.
    pub fn deny(&mut self, rule: &'static Rule, index: usize, member: &str, detail: String) {
        let pointer = if self.preview.is_some() {
            let member = if member == "/machineImage" { "/machine/image" } else { member };
            format!("/spec/provider/workers/{index}{member}")
        } else {
            format!("/spec/pools/{index}{member}")
        };
        self.report.deny(rule, &pointer, detail);
        self.is_complete = false;
    }

    /// Makes the machines of all pools.
    pub fn make(&mut self, machines: &mut dyn MakesMachines<'w>) -> Result<(), RequestError> {
        let raw = self.object.at(&["spec", "pools"]).map(Value::items).unwrap_or_default();
        for (index, pool) in self.spec.pools.iter().enumerate() {
            self.add(PoolAt { index, pool, raw: raw.get(index).unwrap_or(&Value::Null) }, machines)?;
        }
        self.refuse_doubles();
        if self.is_complete {
            self.workers.provider_status = Some(machines.provider_status());
        } else {
            self.workers = Workers::default();
        }
        if let Some(of_pools) = self.preview.take() {
            let [mut of_status, of_worker] = std::mem::take(&mut self.previews);
            of_status.keep(|placeholder| machines.has(placeholder));
            for preview in [of_status, of_worker, of_pools] {
                preview.report(self.provider.rules.placeholder, &mut self.report);
            }
        }
        Ok(())
    }

    /// Adds the machines of a pool.
    fn add(&mut self, at: PoolAt<'w>, machines: &mut dyn MakesMachines<'w>) -> Result<(), RequestError> {
        let pool = at.pool;
        let additional = machines.hash_inputs(at);
        let hash = self.hash(at, &additional);
        let class = machines.class(at, self);
        let user_data = self.user_data(at);
        self.is_complete &= hash.is_some() && class.is_some() && user_data.is_some();
        let (class, user_data) = (class.unwrap_or_default(), user_data.unwrap_or_default());
        self.count(at, user_data.len())?;
        let (hash, in_place_hash) = hash.unwrap_or_default();
        let mut places = Vec::with_capacity(pool.zones.len());
        for (index, zone) in pool.zones.iter().copied().enumerate() {
            let name = machines.name(self.namespace(), pool, index);
            let class = format!("{name}-{hash}");
            places.extend(machines.place(at, index, self).map(|values| (class.clone(), values)));
            let label = (self.provider.zone_label, zone);
            let machines = Machines { name, class, zone: Zone { index, of: pool.zones.len() }, label };
            match machine_deployment(pool, at.raw, machines) {
                Ok(deployment) => self.workers.machine_deployments.get_or_insert_default().push(deployment),
                Err(error) => self.deny(self.provider.rules.share, at.index, "", error.to_string()),
            }
        }
        if self.is_complete {
            self.fill(&class, &user_data, places)?;
        }
        let hash = PoolHash { name: pool.name, hash, additional, in_place_hash };
        self.workers.pools.get_or_insert_default().push(hash);
        Ok(())
    }

    /// Adds the objects of each class of a pool: its Secret, and then the class. User data is large, and is not written
    /// to be read again.
    fn fill(
        &mut self,
        class: &str,
        user_data: &str,
        places: Vec<(String, ClassValues<'w>)>,
    ) -> Result<(), RequestError> {
        let bundle = self.provider.machine_class;
        let mut values = parse(class)?;
        let objects = self.workers.objects.get_or_insert_default();
        let shared = if let Value::Object(members) = &values { members.len() } else { 0 };
        for (name, of_place) in places {
            if let Value::Object(members) = &mut values {
                members.truncate(shared);
                members
                    .extend([("name", Value::string(name)), ("userData", Value::string(user_data))].map(member));
                members.extend(of_place.into_iter().map(member));
            }
            // What is no object lacks what the templates ask for.
            objects.extend(bundle.fill(&values)?);
        }
        Ok(())
    }

    /// Refuses more machine deployments or more bytes than there may be: each zone repeats what its pool says.
    fn count(&mut self, at: PoolAt<'w>, user_data: usize) -> Result<(), RequestError> {
        let zones = at.pool.zones.len();
        let before = self.workers.machine_deployments.as_ref().map_or(0, Vec::len);
        let too_many = |what, count, unit, limit| {
            if count > limit { Err(RequestError::TooMany { what, count, unit, limit }) } else { Ok(()) }
        };
        too_many("the zones of all worker pools", before + zones, "entries", MAX_DEPLOYMENTS)?;
        // Labels stand in a deployment and in the tags of a class.
        let repeated = 2 * JsonText::from(at.raw).as_str().len() + user_data;
        self.repeated_bytes = self.repeated_bytes.saturating_add(repeated.saturating_mul(zones));
        too_many("what the zones of worker pools repeat", self.repeated_bytes, "bytes", MAX_REPEATED_BYTES)
    }

    /// The hash of a pool, and the one for updates in place.
    fn hash(&mut self, at: PoolAt<'w>, additional: &[Cow<'w, str>]) -> Option<(String, Option<String>)> {
        let PoolAt { pool, raw, .. } = at;
        let shoot = self.request.cluster.shoot;
        if let Some(preview) = &mut self.preview {
            let hash = preview.of("hash", pool.name);
            let in_place = pool.updates_in_place().then(|| preview.of("in-place hash", pool.name));
            return Some((hash, in_place));
        }
        let hashes = pool_hash(pool, raw, shoot, additional).and_then(|hash| {
            let in_place = if pool.updates_in_place() { Some(in_place_hash(pool, shoot)?) } else { None };
            Ok((hash, in_place))
        });
        hashes
            .map_err(|error| {
                let detail = format!("failed to calculate the hash of worker pool {}: {error}", pool.name);
                self.deny(self.provider.rules.hash, at.index, "/kubernetesVersion", detail);
            })
            .ok()
    }

    /// The user data of a pool, in base64.
    fn user_data(&mut self, at: PoolAt<'w>) -> Option<String> {
        let pool = at.pool;
        if let Some(preview) = &mut self.preview {
            return Some(base64::encode(preview.of("user data", pool.name).as_bytes()));
        }
        let rule = self.provider.rules.user_data;
        match user_data(self.request, self.namespace(), pool) {
            UserData::Found(data) => Some(data),
            UserData::Unknown(query) => {
                let why = format!("nobody has looked up the user data of worker pool {}", pool.name);
                self.report.undecided(rule, why, Some(query));
                None
            }
            UserData::Missing(detail) => {
                self.deny(rule, at.index, "/userDataSecretRef", detail);
                None
            }
        }
    }

    /// Refuses machine deployments of one name.
    fn refuse_doubles(&mut self) {
        let deployments = self.workers.machine_deployments.as_deref().unwrap_or_default();
        let mut names = NameSet::default();
        for name in deployments.iter().map(|deployment| deployment.name.as_str()) {
            if !names.insert(name) {
                let detail = format!("two machine deployments have the name {name}");
                self.report.deny(self.provider.rules.double, "/spec", detail);
                self.is_complete = false;
            }
        }
    }
}

fn member<'v>((key, value): (&'static str, Value<'v>)) -> (Cow<'v, str>, Value<'v>) {
    (key.into(), value)
}
