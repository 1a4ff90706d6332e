//! Protection from deletion: `DeletionProtection`, of elastic addresses and NAT gateways.

use serde_json::{Value, json};

use super::errors::{EIP_NOT_FOUND, NAT_GATEWAY_NOT_FOUND};
use crate::action::{Action, BOOLEAN, Call, CloudError, Form, TEXT, TOKEN, optional, required};
use crate::world::World;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[PROTECT];

const PROTECT: Action = Action::write("DeletionProtection", protect)
    .parameters(&[
        required("RegionId", TEXT),
        required("InstanceId", TEXT),
        required("Type", Form::OneOf(&["EIP", "NATGW"])),
        required("ProtectionEnable", BOOLEAN),
        optional("ClientToken", TOKEN),
    ])
    .errors(&[&EIP_NOT_FOUND, &NAT_GATEWAY_NOT_FOUND]);

fn protect(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let (id, enabled) = (call.text("InstanceId"), call.flag("ProtectionEnable").unwrap_or_default());
    let state = &world.region(call).vpc;
    if call.text("Type") == "EIP" {
        state.eips.get(id).ok_or(&EIP_NOT_FOUND)?;
        world.region_mut(call).vpc.eips.get_mut(id).ok_or(&EIP_NOT_FOUND)?.deletion_protection = enabled;
    } else {
        state.nat_gateways.get(id).ok_or(&NAT_GATEWAY_NOT_FOUND)?;
        let gateway = world.region_mut(call).vpc.nat_gateways.get_mut(id).ok_or(&NAT_GATEWAY_NOT_FOUND)?;
        gateway.deletion_protection = enabled;
    }
    Ok(json!({}))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Network;

    #[test]
    fn what_is_protected_is_not_deleted() {
        let network = Network::new();
        let gateway = network.gateway();
        let address = network.address();
        for (kind, id, action, name) in [
            ("NATGW", &gateway.id, "DeleteNatGateway", "NatGatewayId"),
            ("EIP", &address.id, "ReleaseEipAddress", "AllocationId"),
        ] {
            let protect = |enable| {
                let parameters = [("Type", kind), ("InstanceId", id.as_str()), ("ProtectionEnable", enable)];
                network.call("vpc", "DeletionProtection", &parameters);
            };
            protect("true");
            assert_eq!(network.refused("vpc", action, &[(name, id)]), "InvalidOperation.DeletionProtection");
            protect("false");
            network.call("vpc", action, &[(name, id)]);
        }
    }

    #[test]
    fn only_what_exists_is_protected() {
        let network = Network::new();
        for (kind, error) in [("NATGW", "InvalidNatGatewayId.NotFound"), ("EIP", "InvalidAllocationId.NotFound")] {
            let parameters = [("Type", kind), ("InstanceId", "x"), ("ProtectionEnable", "true")];
            assert_eq!(network.refused("vpc", "DeletionProtection", &parameters), error);
        }
    }
}
