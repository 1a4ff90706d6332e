//! Disk encryption (ALI-DEF-009…014).

use super::customized_image::{Image, customized_images};
use crate::collections::{NameMap, NameSet};
use crate::document::Value;
use crate::gardener::shoot::{WORKERS, old_pools};
use crate::gardener::types::shoot::Shoot;
use crate::gardener::types::worker::Worker;
use crate::policy::{Defaulted, Request, RequestError, read};
use crate::provider::alicloud::rules::defaults as rules;
use crate::report::Rule;
use crate::text::quote;

const TASKS: &str = "shoot.gardener.cloud/tasks";
const DEPLOY_INFRASTRUCTURE: &str = "deployInfrastructure";

/// Fills in the disks of a new Shoot.
pub fn create<'r>(
    request: &Request<'r>,
    shoot: &Shoot<'r>,
    defaulted: &mut Defaulted<'r>,
) -> Result<(), RequestError> {
    let workers: Vec<usize> = (0..shoot.spec.provider.workers.len()).collect();
    new_workers(request, shoot, &workers, [&rules::DEF_009, &rules::DEF_010], defaulted)
}

/// Fills in the disks of a changed Shoot: a new pool gets the defaults, another one keeps what it had.
pub fn update<'r>(
    request: &Request<'r>,
    shoot: &Shoot<'r>,
    old: &Shoot<'r>,
    defaulted: &mut Defaulted<'r>,
) -> Result<(), RequestError> {
    let by_name = old_pools(old);
    let mut new = Vec::new();
    for (index, worker) in shoot.spec.provider.workers.iter().enumerate() {
        match by_name.get(worker.name) {
            None => new.push(index),
            Some((_, before)) => known_worker(index, worker, before, defaulted),
        }
    }
    new_workers(request, shoot, &new, [&rules::DEF_011, &rules::DEF_011], defaulted)
}

fn pointer(worker: usize) -> String {
    WORKERS.index(worker).pointer()
}

fn new_workers<'r>(
    request: &Request<'r>,
    shoot: &Shoot<'r>,
    new: &[usize],
    [data, system]: [&'static Rule; 2],
    defaulted: &mut Defaulted<'r>,
) -> Result<(), RequestError> {
    let workers = || new.iter().filter_map(|index| Some((*index, shoot.spec.provider.workers.get(*index)?)));
    for (index, worker) in workers() {
        for (volume, _) in worker.data_volumes.iter().enumerate().filter(|(_, volume)| volume.encrypted.is_none())
        {
            let pointer = format!("{}/dataVolumes/{volume}/encrypted", pointer(index));
            defaulted.set(data, pointer, Value::Bool(true), "data volumes are encrypted unless you say otherwise");
        }
    }
    let is_open = |worker: &Worker<'_>| worker.volume.is_some_and(|volume| volume.encrypted.is_none());
    let open: Vec<_> = workers().filter(|(_, worker)| is_open(worker)).collect();
    for (index, name, image) in customized_images(request, shoot, &open)? {
        match image {
            Image::Customized => {
                let pointer = format!("{}/volume/encrypted", pointer(index));
                let reason = "the image is a customized one, so the system disk can be encrypted";
                defaulted.set(system, pointer, Value::Bool(true), reason);
            }
            Image::System => {}
            Image::Unknown { why, query } => {
                defaulted.undecided(system, format!("worker pool {name}: {why}"), query);
            }
        }
    }
    Ok(())
}

fn known_worker<'r>(index: usize, worker: &Worker<'r>, before: &Worker<'r>, defaulted: &mut Defaulted<'r>) {
    if let (Some(volume), Some(old)) = (worker.volume, before.volume)
        && let (None, Some(encrypted)) = (volume.encrypted, old.encrypted)
    {
        let pointer = format!("{}/volume/encrypted", pointer(index));
        defaulted.set(&rules::DEF_012, pointer, Value::Bool(encrypted), "the system disk stays as it was");
    }
    let mut old_volumes = NameMap::new();
    for volume in &before.data_volumes {
        old_volumes.or_insert_with(volume.name, || volume.encrypted);
    }
    for (position, volume) in
        worker.data_volumes.iter().enumerate().filter(|(_, volume)| volume.encrypted.is_none())
    {
        let (value, reason) = match old_volumes.get(volume.name) {
            None => (true, "new data volumes are encrypted unless you say otherwise"),
            Some(Some(encrypted)) => (*encrypted, "the data volume stays as it was"),
            Some(None) => continue,
        };
        let pointer = format!("{}/dataVolumes/{position}/encrypted", pointer(index));
        defaulted.set(&rules::DEF_013, pointer, Value::Bool(value), reason);
    }
}

/// Asks for a reconciliation of the infrastructure where a pool encrypts its system disk with an image that no
/// pool used for an encrypted disk before: the infrastructure makes the encrypted copy of the image.
pub fn reconcile_infrastructure(old: &Shoot<'_>, defaulted: &mut Defaulted<'_>) -> Result<(), RequestError> {
    let shoot: Shoot<'_> = read(&defaulted.object)?;
    let encrypted = |shoot: &Shoot<'_>| -> Vec<String> {
        let workers = shoot.spec.provider.workers.iter();
        let encrypted =
            workers.filter(|worker| worker.volume.is_some_and(|volume| volume.encrypted == Some(true)));
        let images = encrypted.filter_map(|worker| worker.machine.image);
        images
            .map(|image| format!("{} {}", quote(image.name), image.version.map(quote).unwrap_or_default()))
            .collect()
    };
    let (after, before) = (encrypted(&shoot), encrypted(old));
    let before: NameSet<'_> = before.iter().map(String::as_str).collect();
    if after.iter().all(|image| before.contains(image)) {
        return Ok(());
    }
    let tasks = shoot.metadata.annotations.get(TASKS).copied().unwrap_or_default().to_owned();
    if tasks.split(',').any(|task| task.trim() == DEPLOY_INFRASTRUCTURE) {
        return Ok(());
    }
    let tasks = if tasks.is_empty() {
        DEPLOY_INFRASTRUCTURE.to_owned()
    } else {
        format!("{tasks},{DEPLOY_INFRASTRUCTURE}")
    };
    let reason = "an encrypted system disk needs an encrypted copy of its image, which the infrastructure makes";
    let (pointer, value) = if defaulted.object.at(&["metadata", "annotations"]).is_some() {
        ("/metadata/annotations/shoot.gardener.cloud~1tasks", Value::string(tasks))
    } else {
        let annotations = Value::object([(TASKS, Value::string(tasks))]);
        if defaulted.object.get("metadata").is_some() {
            ("/metadata/annotations", annotations)
        } else {
            ("/metadata", Value::object([("annotations", annotations)]))
        }
    };
    defaulted.set(&rules::DEF_014, pointer.to_owned(), value, reason);
    Ok(())
}
