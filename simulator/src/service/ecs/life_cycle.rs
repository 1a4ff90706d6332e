//! Instances are started, stopped and deleted: `StartInstance`, `StopInstance`, `DeleteInstance`,
//! `DeleteInstances`.

use std::time::Duration;

use serde_json::{Value, json};

use super::instances::{NOT_FOUND, STATUS};
use crate::action::{Action, BOOLEAN, Call, CloudError, ErrorCode, Form, TEXT, TOKEN, list, optional, required};
use crate::resource::Status;
use crate::service::vpc::eips::association::unbind;
use crate::world::World;
use crate::world::ecs::Instance;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[START, STOP, DELETE, DELETE_SOME];

const INITIALIZING: ErrorCode = ErrorCode::new(
    403,
    "IncorrectInstanceStatus.Initializing",
    "The specified instance status does not support this operation.",
);
const PROTECTED: ErrorCode = ErrorCode::new(
    403,
    "InvalidOperation.DeletionProtection",
    "The operation is not allowed due to deletion protection.",
);
const HAS_ROUTE: ErrorCode =
    ErrorCode::new(400, "DependencyViolation.RouteEntry", "Specified instance is used by route entry.");

const START: Action = Action::write("StartInstance", start)
    .parameters(&[required("InstanceId", TEXT), optional("DryRun", BOOLEAN)])
    .left_out(&["InitLocalDisk"])
    .errors(&[&NOT_FOUND, &STATUS])
    .through(&[Status::Starting, Status::Running])
    .takes(Duration::from_secs(20));

fn start(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    turn(world, call, Status::Stopped, |instance| {
        instance.start_time = call.time();
        instance.phase = call.turn(Status::Starting, call.takes(), Status::Running);
    })
}

const STOP: Action = Action::write("StopInstance", stop)
    .parameters(&[
        required("InstanceId", TEXT),
        optional("ForceStop", BOOLEAN),
        optional("StoppedMode", Form::OneOf(&["StopCharging", "KeepCharging"])).or("KeepCharging"),
        optional("DryRun", BOOLEAN),
    ])
    .left_out(&["ConfirmStop", "Hibernate"])
    .errors(&[&NOT_FOUND, &STATUS])
    .through(&[Status::Stopping, Status::Stopped])
    .takes(Duration::from_secs(20));

/// A forced stop takes no time.
fn stop(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    turn(world, call, Status::Running, |instance| {
        let takes = if call.flag("ForceStop") == Some(true) { Duration::ZERO } else { call.takes() };
        call.text("StoppedMode").clone_into(&mut instance.stopped_mode);
        instance.phase = call.turn(Status::Stopping, takes, Status::Stopped);
    })
}

/// Changes an instance that is in a status and stays in it.
fn turn(
    world: &mut World,
    call: &Call<'_>,
    from: Status,
    change: impl FnOnce(&mut Instance),
) -> Result<Value, CloudError> {
    let id = call.text("InstanceId");
    let instance = world.region(call).ecs.instances.get(id).ok_or(&NOT_FOUND)?;
    if instance.phase.status != from || instance.phase.leaving() {
        return Err((&STATUS).into());
    }
    if let Some(instance) = world.region_mut(call).ecs.instances.get_mut(id) {
        change(instance);
    }
    Ok(json!({}))
}

const DELETE: Action = Action::write("DeleteInstance", delete)
    .parameters(&[required("InstanceId", TEXT), optional("Force", BOOLEAN), optional("DryRun", BOOLEAN)])
    .left_out(&["ForceStop", "TerminateSubscription"])
    .errors(&[&NOT_FOUND, &STATUS, &INITIALIZING, &PROTECTED, &HAS_ROUTE])
    .through(&[Status::Stopping, Status::Stopped, Status::Unassociating, Status::Available])
    .takes(Duration::from_secs(5));

fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    remove(world, call, &[call.text("InstanceId").to_owned()])
}

const DELETE_SOME: Action = Action::write("DeleteInstances", delete_some)
    .parameters(&[
        required("RegionId", TEXT),
        required("InstanceId", list(100, &TEXT)),
        optional("Force", BOOLEAN),
        optional("DryRun", BOOLEAN),
        optional("ClientToken", TOKEN),
    ])
    .left_out(&["ForceStop", "TerminateSubscription"])
    .errors(&[&NOT_FOUND, &STATUS, &INITIALIZING, &PROTECTED, &HAS_ROUTE])
    .through(&[Status::Stopping, Status::Stopped, Status::Unassociating, Status::Available])
    .takes(Duration::from_secs(5));

fn delete_some(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    remove(world, call, call.texts("InstanceId"))
}

/// Deletes all of some instances, or none. The deletion of an instance that is being deleted already goes on.
fn remove(world: &mut World, call: &Call<'_>, ids: &[String]) -> Result<Value, CloudError> {
    let region = world.region(call);
    for id in ids {
        let instance = region.ecs.instances.get(id).ok_or(&NOT_FOUND)?;
        if instance.deletion_protection {
            return Err((&PROTECTED).into());
        }
        match instance.phase.status {
            Status::Pending => return Err((&INITIALIZING).into()),
            Status::Stopped => {}
            _ if call.flag("Force") == Some(true) => {}
            _ => return Err((&STATUS).into()),
        }
        let hops = [id, &instance.network_interface_id];
        if region.vpc.route_entries.iter().any(|entry| hops.contains(&&entry.next_hop_id)) {
            return Err((&HAS_ROUTE).into());
        }
    }
    let region = world.region_mut(call);
    for id in ids {
        let Some(instance) = region.ecs.instances.get_mut(id) else { continue };
        if instance.phase.leaving() {
            continue;
        }
        let status = if instance.phase.status == Status::Stopped { Status::Stopped } else { Status::Stopping };
        instance.phase = call.leave(status, call.takes());
        unbind(&mut region.vpc, id, &call.turn(Status::Unassociating, call.takes(), Status::Available));
    }
    Ok(json!({}))
}
