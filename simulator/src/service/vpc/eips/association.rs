//! Elastic addresses are bound and freed: `AssociateEipAddress`, `UnassociateEipAddress`.

use std::net::Ipv4Addr;
use std::time::Duration;

use serde_json::{Value, json};

use super::super::errors::EIP_NOT_FOUND;
use super::STATUS;
use crate::action::{Action, BOOLEAN, Call, CloudError, ErrorCode, Form, TEXT, TOKEN, optional, required};
use crate::resource::{Phase, Status};
use crate::service::vpc::private_addresses;
use crate::settings::Quota;
use crate::world::vpc::{Eip, NatGateway, SnatEntry, State};
use crate::world::{Region, World};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[ASSOCIATE, UNASSOCIATE];

/// How many a NAT gateway may have: <https://www.alibabacloud.com/help/en/nat-gateway/user-guide/quotas>.
pub(in crate::service::vpc) const NAT_QUOTA: Quota = Quota::new("natGatewayEips", 20);

const NAT: &str = "Nat";
const ECS_INSTANCE: &str = "EcsInstance";
const TYPES: Form = Form::OneOf(&[ECS_INSTANCE, NAT]);

const TYPE_MALFORMED: ErrorCode = ErrorCode::new(
    400,
    "InvalidInstanceType.ValueNotSupported",
    "The specified value of InstanceType is not supported.",
);
/// The spelling is the cloud's.
const NO_INSTANCE: ErrorCode =
    ErrorCode::new(404, "InvalidInstanId.NotFound", "Specified instance does not exist.");
const NAT_STATUS: ErrorCode =
    ErrorCode::new(400, "IncorrectStatus.NatGateway", "The status of the specified NAT gateway is incorrect.");
const NAT_FULL: ErrorCode =
    ErrorCode::new(400, "QuotaExceeded.NumberOfEip", "Binded eip Quota exceed on this NatGw.");
const INSTANCE_STATUS: ErrorCode =
    ErrorCode::new(400, "IncorrectInstanceStatus", "Current instance status does not support this operation.");
const INSTANCE_HAS_EIP: ErrorCode = ErrorCode::new(
    400,
    "BIND_INSTANCE_HAVE_PORTMAP_OR_BIND_EIP",
    "The instance may have portMap or already bind eip.",
);
const INSTANCE_HAS_ADDRESS: ErrorCode = ErrorCode::new(
    400,
    "InvalidStatus.InstanceHasBandWidth",
    "The specified instance has a public IP address already.",
);

const ASSOCIATE: Action = Action::write("AssociateEipAddress", associate)
    .parameters(&[
        optional("RegionId", TEXT),
        required("AllocationId", TEXT),
        required("InstanceId", TEXT),
        optional("InstanceType", TYPES).or(ECS_INSTANCE).malformed(&TYPE_MALFORMED),
        optional("ClientToken", TOKEN),
    ])
    .left_out(&["InstanceRegionId", "Mode", "PrivateIpAddress", "VpcId"])
    .errors(&[
        &EIP_NOT_FOUND,
        &STATUS,
        &TYPE_MALFORMED,
        &NO_INSTANCE,
        &NAT_STATUS,
        &NAT_FULL,
        &private_addresses::NONE_FREE,
        &INSTANCE_STATUS,
        &INSTANCE_HAS_EIP,
        &INSTANCE_HAS_ADDRESS,
    ])
    .through(&[Status::Associating, Status::InUse])
    .takes(Duration::from_secs(4));

fn associate(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let (id, instance_id) = (call.text("AllocationId"), call.text("InstanceId"));
    let region = world.region(call);
    let eip = region.vpc.eips.get(id).ok_or(&EIP_NOT_FOUND)?;
    if eip.phase != Phase::stay(Status::Available) {
        return Err((&STATUS).into());
    }
    let private_ip_address = match call.text("InstanceType") {
        NAT => with_gateway(region, call, region.vpc.nat_gateways.get(instance_id).ok_or(&NO_INSTANCE)?)?,
        _ => Some(with_instance(region, instance_id)?),
    };
    let eip = world.region_mut(call).vpc.eips.get_mut(id).ok_or(&EIP_NOT_FOUND)?;
    instance_id.clone_into(&mut eip.instance_id);
    call.text("InstanceType").clone_into(&mut eip.instance_type);
    eip.private_ip_address = private_ip_address;
    eip.phase = call.turn(Status::Associating, call.takes(), Status::InUse);
    Ok(json!({}))
}

/// Whether a NAT gateway can have one more elastic address, and with which address of its subnet.
fn with_gateway(region: &Region, call: &Call<'_>, gateway: &NatGateway) -> Result<Option<Ipv4Addr>, CloudError> {
    if gateway.phase.status != Status::Available {
        return Err((&NAT_STATUS).into());
    }
    let count = region.vpc.eips.iter().filter(|eip| eip.instance_id == gateway.nat_gateway_id).count();
    call.within(&NAT_QUOTA, count, &NAT_FULL)?;
    if gateway.eip_bind_mode != NatGateway::NAT_MODE {
        return Ok(None);
    }
    let vswitch = region.vpc.vswitches.get(&gateway.v_switch_id).ok_or(&NO_INSTANCE)?;
    private_addresses::free(region, vswitch).map(Some).ok_or_else(|| (&private_addresses::NONE_FREE).into())
}

/// Whether an instance can have an elastic address, and for which address of its own.
fn with_instance(region: &Region, id: &str) -> Result<Ipv4Addr, CloudError> {
    let instance = region.ecs.instances.get(id).ok_or(&NO_INSTANCE)?;
    if !matches!(instance.phase.status, Status::Running | Status::Stopped) || instance.phase.leaving() {
        return Err((&INSTANCE_STATUS).into());
    }
    if instance.public_ip_address.is_some() {
        return Err((&INSTANCE_HAS_ADDRESS).into());
    }
    if region.vpc.eips.iter().any(|eip| eip.instance_id == id) {
        return Err((&INSTANCE_HAS_EIP).into());
    }
    Ok(instance.private_ip_address)
}

const OTHER_INSTANCE: ErrorCode =
    ErrorCode::new(404, "InvalidBindInstance.NotFound", "The specified bind instance does not exist.");
const USED_BY_SNAT: ErrorCode = ErrorCode::new(
    400,
    "InvalidIpStatus.HasBeenUsedBySnatTable",
    "The removed ip address has been used by snat table.",
);
const SNAT_STATUS: ErrorCode =
    ErrorCode::new(400, "InvalidStatus.SnatOrDnat", "Operation failed because snat or dnat in unstable status.");

const UNASSOCIATE: Action = Action::write("UnassociateEipAddress", unassociate)
    .parameters(&[
        optional("RegionId", TEXT),
        required("AllocationId", TEXT),
        optional("InstanceId", TEXT),
        optional("InstanceType", TYPES).malformed(&TYPE_MALFORMED),
        optional("Force", BOOLEAN),
        optional("ClientToken", TOKEN),
    ])
    .left_out(&["PrivateIpAddress"])
    .errors(&[&EIP_NOT_FOUND, &STATUS, &TYPE_MALFORMED, &OTHER_INSTANCE, &USED_BY_SNAT, &SNAT_STATUS])
    .through(&[Status::Unassociating, Status::Available, Status::Deleting])
    .takes(Duration::from_secs(4));

fn unassociate(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let id = call.text("AllocationId");
    let state = &world.region(call).vpc;
    let eip = state.eips.get(id).ok_or(&EIP_NOT_FOUND)?;
    if eip.phase.status != Status::InUse {
        return Err((&STATUS).into());
    }
    let is = |name, value: &str| call.given(name).is_none_or(|wanted| wanted == value);
    if !is("InstanceId", &eip.instance_id) || !is("InstanceType", &eip.instance_type) {
        return Err((&OTHER_INSTANCE).into());
    }
    let mut users = state.snat_entries.iter().filter(|entry| uses(entry, eip));
    let force = call.flag("Force") == Some(true);
    if let Some(entry) = users.next().filter(|_| !force) {
        return Err(if entry.phase.due().is_some() { &SNAT_STATUS } else { &USED_BY_SNAT }.into());
    }
    let eip = eip.clone();
    let state = &mut world.region_mut(call).vpc;
    state.snat_entries.each(|entry| {
        if uses(entry, &eip) {
            give_up(entry, &eip, call.leave(Status::Deleting, call.takes()));
        }
    });
    state.eips.get_mut(id).ok_or(&EIP_NOT_FOUND)?.phase =
        call.turn(Status::Unassociating, call.takes(), Status::Available);
    Ok(json!({}))
}

/// Whether an SNAT entry leads through an elastic address.
fn uses(entry: &SnatEntry, eip: &Eip) -> bool {
    entry.nat_gateway_id == eip.instance_id && entry.snat_ips.contains(&eip.ip_address)
}

/// Removes an elastic address from an SNAT entry, and removes an entry that has no other address.
fn give_up(entry: &mut SnatEntry, eip: &Eip, leave: Phase) {
    if entry.snat_ips.len() > 1 {
        entry.snat_ips.retain(|address| *address != eip.ip_address);
    } else {
        entry.phase = leave;
    }
}

/// Frees all elastic addresses that are bound to an instance, with the phase that leads to `Available`.
pub(crate) fn unbind(state: &mut State, instance_id: &str, phase: &Phase) {
    state.eips.each(|eip| {
        if eip.instance_id == instance_id {
            eip.phase = phase.clone();
        }
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::service::vpc::fixture::{Address, Network};

    #[test]
    fn an_address_is_bound_and_freed() {
        let network = Network::new();
        let gateway = network.gateway();
        let address = network.address();
        let reported = |field| network.of_address(&address, field);
        let by_id = [("AllocationId", address.id.as_str())];
        let free = || network.try_call("vpc", "UnassociateEipAddress", &by_id).map_err(|error| error.error.code);
        assert_eq!(free().unwrap_err(), "IncorrectEipStatus");
        network.begin_binding(&address, &gateway);
        assert_eq!(reported("Status"), Some(json!("Associating")));
        assert_eq!(free().unwrap_err(), "IncorrectEipStatus");
        let again = [by_id[0], ("InstanceId", &gateway.id), ("InstanceType", "Nat")];
        assert_eq!(network.refused("vpc", "AssociateEipAddress", &again), "IncorrectEipStatus");
        network.step(4);
        assert_eq!(reported("Status"), Some(json!("InUse")));
        assert_eq!(reported("InstanceId"), Some(json!(gateway.id)));
        assert_eq!(reported("InstanceType"), Some(json!("Nat")));
        assert_eq!(reported("Mode"), Some(json!("MULTI_BINDED")));
        assert_eq!(reported("VpcId"), Some(json!(network.vpc)));
        free().unwrap();
        assert_eq!(reported("Status"), Some(json!("Unassociating")));
        network.step(4);
        assert_eq!(reported("Status"), Some(json!("Available")));
        assert_eq!(reported("InstanceId"), Some(json!("")));
    }

    #[test]
    fn an_address_is_bound_to_what_can_have_it() {
        let network = Network::with(r#"{ "quotas": { "natGatewayEips": 1 } }"#);
        let gateway = network.gateway();
        let address = network.address();
        let refused = |address: &str, instance: &str, kind| {
            let parameters = [("AllocationId", address), ("InstanceId", instance), ("InstanceType", kind)];
            network.refused("vpc", "AssociateEipAddress", &parameters)
        };
        assert_eq!(refused("eip-x", &gateway.id, "Nat"), "InvalidAllocationId.NotFound");
        assert_eq!(refused(&address.id, "ngw-x", "Nat"), "InvalidInstanId.NotFound");
        assert_eq!(refused(&address.id, &gateway.id, "EcsInstance"), "InvalidInstanId.NotFound");
        assert_eq!(refused(&address.id, &gateway.id, "NatGateway"), "InvalidInstanceType.ValueNotSupported");
        let other = network.begin_gateway(&[]);
        assert_eq!(refused(&address.id, &other.id, "Nat"), "IncorrectStatus.NatGateway");
        network.bound_address(&gateway);
        assert_eq!(refused(&address.id, &gateway.id, "Nat"), "QuotaExceeded.NumberOfEip");
    }

    #[test]
    fn in_nat_mode_an_address_takes_one_of_the_subnet() {
        let network = Network::new();
        let small = network.add_vswitch("172.16.1.0/29");
        let gateway = network.begin_gateway(&[("EipBindMode", "NAT"), ("VSwitchId", &small)]);
        network.step(60);
        let private: Vec<_> =
            (0..3).map(|_| network.of_address(&network.bound_address(&gateway), "PrivateIpAddress")).collect();
        assert_eq!(private, ["172.16.1.2", "172.16.1.3", "172.16.1.4"].map(|address| Some(json!(address))));
        let address = network.address();
        let parameters =
            [("AllocationId", address.id.as_str()), ("InstanceId", &gateway.id), ("InstanceType", "Nat")];
        let refused = network.refused("vpc", "AssociateEipAddress", &parameters);
        assert_eq!(refused, "OperationDenied.NoAvailablePrivateIp");
        let parameters = [("VpcId", network.vpc.as_str()), ("VSwitchId", &small), ("NatType", "Enhanced")];
        let refused = network.refused("vpc", "CreateNatGateway", &parameters);
        assert_eq!(refused, "OperationDenied.NoAvailablePrivateIp");
    }

    #[test]
    fn an_address_that_snat_needs_stays() {
        let network = Network::new();
        let gateway = network.gateway();
        let address = network.bound_address(&gateway);
        let free = |name, value| {
            let parameters = [("AllocationId", address.id.as_str()), (name, value)];
            network.try_call("vpc", "UnassociateEipAddress", &parameters).map_err(|error| error.error.code)
        };
        let entry = network.begin_snat(&gateway, &address);
        assert_eq!(free("InstanceType", "Nat").unwrap_err(), "InvalidStatus.SnatOrDnat");
        network.step(4);
        assert_eq!(free("InstanceType", "Nat").unwrap_err(), "InvalidIpStatus.HasBeenUsedBySnatTable");
        assert_eq!(free("InstanceType", "EcsInstance").unwrap_err(), "InvalidBindInstance.NotFound");
        assert_eq!(free("InstanceType", "x").unwrap_err(), "InvalidInstanceType.ValueNotSupported");
        assert_eq!(free("InstanceId", "ngw-x").unwrap_err(), "InvalidBindInstance.NotFound");
        assert_eq!(
            network.refused("vpc", "UnassociateEipAddress", &[("AllocationId", "eip-x")]),
            "InvalidAllocationId.NotFound"
        );
        free("Force", "true").unwrap();
        network.step(4);
        assert_eq!(network.of_snat(&gateway, &entry, "Status"), None);
        assert_eq!(network.of_address(&address, "Status"), Some(json!("Available")));
    }

    #[test]
    fn force_leaves_an_entry_its_other_addresses() {
        let network = Network::new();
        let gateway = network.gateway();
        let (one, other) = (network.bound_address(&gateway), network.bound_address(&gateway));
        let both = format!("{},{}", one.ip, other.ip);
        let parameters =
            [("SnatTableId", gateway.table.as_str()), ("SourceCIDR", "172.16.0.0/16"), ("SnatIp", &both)];
        let entry = network.text("vpc", "CreateSnatEntry", &parameters, "SnatEntryId");
        network.step(4);
        network.call("vpc", "UnassociateEipAddress", &[("AllocationId", &one.id), ("Force", "true")]);
        assert_eq!(network.of_snat(&gateway, &entry, "SnatIp"), Some(json!(other.ip)));
        assert_eq!(network.of_snat(&gateway, &entry, "Status"), Some(json!("Available")));
    }

    #[test]
    fn an_instance_has_one_address_as_long_as_it_lives() {
        let network = Network::new();
        let instance = |more: &[(&str, &str)]| {
            let group = network.text("ecs", "CreateSecurityGroup", &[("VpcId", &network.vpc)], "SecurityGroupId");
            let images = network.call("ecs", "DescribeImages", &[("Architecture", "x86_64")]);
            let image = images.pointer("/Images/Image/0/ImageId").and_then(Value::as_str).unwrap();
            let mut run = vec![
                ("ImageId", image),
                ("InstanceType", "ecs.g6.large"),
                ("SecurityGroupId", &group),
                ("VSwitchId", &network.vswitch),
            ];
            run.extend(more);
            let answer = network.call("ecs", "RunInstances", &run);
            answer.pointer("/InstanceIdSets/InstanceIdSet/0").and_then(Value::as_str).unwrap().to_owned()
        };
        let (address, other) = (network.address(), network.address());
        let bind = |address: &Address, instance: &str| {
            let parameters = [("AllocationId", address.id.as_str()), ("InstanceId", instance)];
            network.try_call("vpc", "AssociateEipAddress", &parameters).map_err(|error| error.error.code)
        };
        let one = instance(&[]);
        assert_eq!(bind(&address, &one).unwrap_err(), "IncorrectInstanceStatus");
        network.step(120);
        bind(&address, &one).unwrap();
        assert_eq!(bind(&other, &one).unwrap_err(), "BIND_INSTANCE_HAVE_PORTMAP_OR_BIND_EIP");
        network.step(4);
        let reported = |field| network.of_address(&address, field);
        assert_eq!(reported("InstanceType"), Some(json!("EcsInstance")));
        assert_eq!(reported("PrivateIpAddress"), Some(json!("172.16.0.4")));

        let public = instance(&[("InternetMaxBandwidthOut", "5")]);
        network.step(120);
        assert_eq!(bind(&other, &public).unwrap_err(), "InvalidStatus.InstanceHasBandWidth");

        network.call("ecs", "DeleteInstance", &[("InstanceId", &one), ("Force", "true")]);
        network.step(120);
        assert_eq!(reported("Status"), Some(json!("Available")));
        assert_eq!(reported("InstanceId"), Some(json!("")));
        assert_eq!(reported("PrivateIpAddress"), Some(json!("")));
    }
}
