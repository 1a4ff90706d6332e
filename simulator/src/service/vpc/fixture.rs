//! A network for tests: a VPC with one VSwitch, and what is put into it.

use std::ops::Deref;

use serde_json::Value;

use crate::settings::Settings;
use crate::testing::TestCloud;

/// A cloud with a VPC and a VSwitch that are available.
pub(super) struct Network {
    cloud: TestCloud,
    pub(super) vpc: String,
    pub(super) vswitch: String,
}

/// A NAT gateway.
pub(super) struct Gateway {
    pub(super) id: String,
    pub(super) table: String,
}

/// An elastic address.
pub(super) struct Address {
    pub(super) id: String,
    pub(super) ip: String,
}

impl Deref for Network {
    type Target = TestCloud;

    fn deref(&self) -> &TestCloud {
        &self.cloud
    }
}

impl Network {
    pub(super) fn new() -> Self {
        Self::with("{}")
    }

    /// With settings as they are written.
    pub(super) fn with(settings: &str) -> Self {
        let cloud = TestCloud::with(serde_json::from_str::<Settings>(settings).unwrap());
        let vpc = cloud.text("vpc", "CreateVpc", &[("CidrBlock", "172.16.0.0/12")], "VpcId");
        cloud.step(60);
        let mut network = Self { cloud, vpc, vswitch: String::new() };
        network.vswitch = network.add_vswitch("172.16.0.0/24");
        network
    }

    /// Adds a VSwitch.
    pub(super) fn add_vswitch(&self, block: &str) -> String {
        let parameters = [("VpcId", self.vpc.as_str()), ("ZoneId", "cn-shanghai-b"), ("CidrBlock", block)];
        let id = self.text("vpc", "CreateVSwitch", &parameters, "VSwitchId");
        self.step(60);
        id
    }

    /// Begins to create a NAT gateway.
    pub(super) fn begin_gateway(&self, more: &[(&str, &str)]) -> Gateway {
        let mut parameters =
            vec![("VpcId", self.vpc.as_str()), ("VSwitchId", &self.vswitch), ("NatType", "Enhanced")];
        parameters.extend(more);
        let answer = self.call("vpc", "CreateNatGateway", &parameters);
        Gateway { id: text(&answer, "/NatGatewayId"), table: text(&answer, "/SnatTableIds/SnatTableId/0") }
    }

    /// Creates a NAT gateway.
    pub(super) fn gateway(&self) -> Gateway {
        let gateway = self.begin_gateway(&[]);
        self.step(60);
        gateway
    }

    /// Allocates an elastic address.
    pub(super) fn address(&self) -> Address {
        let answer = self.call("vpc", "AllocateEipAddress", &[]);
        Address { id: text(&answer, "/AllocationId"), ip: text(&answer, "/EipAddress") }
    }

    /// Begins to bind an address to a NAT gateway.
    pub(super) fn begin_binding(&self, address: &Address, gateway: &Gateway) {
        let parameters =
            [("AllocationId", address.id.as_str()), ("InstanceId", &gateway.id), ("InstanceType", "Nat")];
        self.call("vpc", "AssociateEipAddress", &parameters);
    }

    /// Allocates an address and binds it to a NAT gateway.
    pub(super) fn bound_address(&self, gateway: &Gateway) -> Address {
        let address = self.address();
        self.begin_binding(&address, gateway);
        self.step(60);
        address
    }

    /// Begins to create an SNAT entry for the VSwitch.
    pub(super) fn begin_snat(&self, gateway: &Gateway, address: &Address) -> String {
        let parameters =
            [("SnatTableId", gateway.table.as_str()), ("SourceVSwitchId", &self.vswitch), ("SnatIp", &address.ip)];
        self.text("vpc", "CreateSnatEntry", &parameters, "SnatEntryId")
    }

    /// Creates an SNAT entry for the VSwitch.
    pub(super) fn snat(&self, gateway: &Gateway, address: &Address) -> String {
        let id = self.begin_snat(gateway, address);
        self.step(60);
        id
    }

    /// A value of the answer to an action.
    pub(super) fn get(&self, action: &str, parameters: &[(&str, &str)], pointer: &str) -> Option<Value> {
        self.call("vpc", action, parameters).pointer(pointer).cloned()
    }

    /// The field of a NAT gateway.
    pub(super) fn of_gateway(&self, gateway: &Gateway, pointer: &str) -> Option<Value> {
        let pointer = format!("/NatGateways/NatGateway/0{pointer}");
        self.get("DescribeNatGateways", &[("NatGatewayId", &gateway.id)], &pointer)
    }

    /// The field of an elastic address.
    pub(super) fn of_address(&self, address: &Address, field: &str) -> Option<Value> {
        let pointer = format!("/EipAddresses/EipAddress/0/{field}");
        self.get("DescribeEipAddresses", &[("AllocationId", &address.id)], &pointer)
    }

    /// The field of an SNAT entry.
    pub(super) fn of_snat(&self, gateway: &Gateway, id: &str, field: &str) -> Option<Value> {
        let pointer = format!("/SnatTableEntries/SnatTableEntry/0/{field}");
        let parameters = [("SnatTableId", gateway.table.as_str()), ("SnatEntryId", id)];
        self.get("DescribeSnatTableEntries", &parameters, &pointer)
    }
}

fn text(answer: &Value, pointer: &str) -> String {
    answer.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("{pointer} of {answer}")).to_owned()
}
