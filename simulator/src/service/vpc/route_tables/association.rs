//! The route table of a VSwitch: `AssociateRouteTable`, `UnassociateRouteTable`.

use std::time::Duration;

use serde_json::{Value, json};

use super::super::errors::ROUTE_TABLE_NOT_FOUND;
use crate::action::{Action, Call, CloudError, ErrorCode, TEXT, TOKEN, optional, required};
use crate::resource::Status;
use crate::world::World;
use crate::world::vpc::{RouteTable, State, VSwitch};

const NO_VSWITCH: ErrorCode =
    ErrorCode::new(404, "InvalidVSwitchId.NotFound", "Specified VSwitch does not exist.");
const VSWITCH_STATUS: ErrorCode = ErrorCode::new(
    404,
    "IncorrectVSwitchStatus",
    "The current status of the virtual switch does not support this operation.",
);
const TABLE_STATUS: ErrorCode =
    ErrorCode::new(404, "IncorrectStatus.RouteTable", "The status of the specified route table is incorrect.");

/// Both resources of a call, if they are ready for it.
fn pair<'a>(state: &'a State, call: &Call<'_>) -> Result<(&'a RouteTable, &'a VSwitch), CloudError> {
    let table = state.route_tables.get(call.text("RouteTableId")).ok_or(&ROUTE_TABLE_NOT_FOUND)?;
    let vswitch = state.vswitches.get(call.text("VSwitchId")).ok_or(&NO_VSWITCH)?;
    if vswitch.phase.status != Status::Available {
        return Err((&VSWITCH_STATUS).into());
    }
    if table.phase.status != Status::Available {
        return Err((&TABLE_STATUS).into());
    }
    Ok((table, vswitch))
}

/// Gives a VSwitch another table. It is `Pending` meanwhile; the table is not, as other VSwitches may change to it
/// and from it at the same time.
fn change(state: &mut State, call: &Call<'_>, table: &str) {
    let phase = call.turn(Status::Pending, call.takes(), Status::Available);
    if let Some(vswitch) = state.vswitches.get_mut(call.text("VSwitchId")) {
        table.clone_into(&mut vswitch.route_table_id);
        vswitch.phase = phase;
    }
}

pub(super) const ASSOCIATE: Action = Action::write("AssociateRouteTable", associate)
    .parameters(&[
        required("RegionId", TEXT),
        required("RouteTableId", TEXT),
        required("VSwitchId", TEXT),
        optional("ClientToken", TOKEN),
    ])
    .errors(&[
        &ROUTE_TABLE_NOT_FOUND,
        &NO_VSWITCH,
        &VSWITCH_STATUS,
        &TABLE_STATUS,
        &OTHER_VPC,
        &ASSOCIATED,
        &ASSOCIATED_OTHER,
        &TO_SYSTEM,
    ])
    .through(&[Status::Pending, Status::Available])
    .takes(Duration::from_secs(4));

const OTHER_VPC: ErrorCode = ErrorCode::new(
    404,
    "Forbidden.NotInSameVpc",
    "The specified virtual switch and route table are not in the same VPC.",
);
const ASSOCIATED: ErrorCode = ErrorCode::new(
    400,
    "ResourceAlreadyAssociated.RouteTable",
    "The resource has already associated with a routetable.",
);
const ASSOCIATED_OTHER: ErrorCode = ErrorCode::new(
    404,
    "Forbidden.VSwitchAlreadyAssociatedRouteTable",
    "The specified virtual switch already associates route table.",
);
const TO_SYSTEM: ErrorCode = ErrorCode::new(
    400,
    "OperationDenied.SwitchToSystemRouteTable",
    "The associated route tables cannot be directly changed to system route tables.",
);

fn associate(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    let (table, vswitch) = pair(state, call)?;
    if table.vpc_id != vswitch.vpc_id {
        return Err((&OTHER_VPC).into());
    }
    if vswitch.route_table_id == table.route_table_id {
        return Err((&ASSOCIATED).into());
    }
    if table.route_table_type == RouteTable::SYSTEM {
        return Err((&TO_SYSTEM).into());
    }
    if state
        .system_route_table(&vswitch.vpc_id)
        .is_none_or(|system| system.route_table_id != vswitch.route_table_id)
    {
        return Err((&ASSOCIATED_OTHER).into());
    }
    change(&mut world.region_mut(call).vpc, call, call.text("RouteTableId"));
    Ok(json!({}))
}

pub(super) const UNASSOCIATE: Action = Action::write("UnassociateRouteTable", unassociate)
    .parameters(&[
        required("RegionId", TEXT),
        required("RouteTableId", TEXT),
        required("VSwitchId", TEXT),
        optional("ClientToken", TOKEN),
    ])
    .errors(&[&ROUTE_TABLE_NOT_FOUND, &NO_VSWITCH, &VSWITCH_STATUS, &TABLE_STATUS, &OF_SYSTEM, &NOT_ASSOCIATED])
    .through(&[Status::Pending, Status::Available])
    .takes(Duration::from_secs(4));

const OF_SYSTEM: ErrorCode =
    ErrorCode::new(404, "OperationUnsupported.SystemRouteTable", "System route table can not be unassociated.");
const NOT_ASSOCIATED: ErrorCode = ErrorCode::new(
    404,
    "InvalidBindingStatus.RouteTable",
    "The specified virtual switch and route table does not bind",
);

fn unassociate(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let state = &world.region(call).vpc;
    let (table, vswitch) = pair(state, call)?;
    if table.route_table_type == RouteTable::SYSTEM {
        return Err((&OF_SYSTEM).into());
    }
    if vswitch.route_table_id != table.route_table_id {
        return Err((&NOT_ASSOCIATED).into());
    }
    let system =
        state.system_route_table(&vswitch.vpc_id).map(|table| table.route_table_id.clone()).unwrap_or_default();
    change(&mut world.region_mut(call).vpc, call, &system);
    Ok(json!({}))
}
