//! What an edit of a Shoot does to its nodes: what Alibaba Cloud adds to the hash of a pool (`alicloud-policy`
//! 5.6).

use crate::document::Value;
use crate::gardener::types::shoot::Shoot;
use crate::gardener::worker::{self, Covered, Input, PoolIn};
use crate::policy::{ReadsByKind, Request, RequestError, Rollout, judged_kind, read, unsupported};
use crate::provider::alicloud::rules::machines as rules;

/// What `rollout` reads of the context.
pub const READS: ReadsByKind = &[("Shoot", &[])];

/// Shows what an edit does to the nodes of each pool.
pub fn rollout(request: &Request<'_>) -> Result<Rollout, RequestError> {
    if judged_kind(request.object) != Some("Shoot") {
        return Err(unsupported(request.object));
    }
    let Some(old) = request.old_object else {
        return Err(RequestError::Malformed {
            message: "the request has no `oldObject`: the Shoot before the edit".to_owned(),
            pointer: None,
        });
    };
    let (shoot, before): (Shoot<'_>, Shoot<'_>) = (read(request.object)?, read(old)?);
    if (shoot.metadata.namespace, shoot.metadata.name) != (before.metadata.namespace, before.metadata.name) {
        return Err(RequestError::Malformed {
            message: "`object` and `oldObject` are two Shoots: one Shoot before and after an edit has one name"
                .to_owned(),
            pointer: None,
        });
    }
    Ok(worker::rollout(request.object, old, own_inputs, &rules::MCH_012))
}

/// The disks of a pool, without their names.
fn own_inputs(pool: &PoolIn<'_>) -> Vec<Input> {
    let mut inputs = vec![pool.input(&["volume", "encrypted"], Covered::WhereRolled)];
    let volumes = pool.pool.get("dataVolumes").map(Value::items).unwrap_or_default();
    for (index, volume) in volumes.iter().enumerate() {
        for &key in &["size", "type", "encrypted"] {
            inputs.push(Input {
                field: format!("dataVolumes[{index}].{key}"),
                pointer: format!("{}/{index}/{key}", pool.pointer(&["dataVolumes"])),
                value: volume.get(key).map(worker::plain),
                covered: Covered::WhereRolled,
            });
        }
    }
    inputs
}
