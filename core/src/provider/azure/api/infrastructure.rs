//! The network of a Shoot.

use crate::record;

record! {
    /// The network of a Shoot: `spec.provider.infrastructureConfig`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct InfrastructureConfig<'a> {
        /// `azure.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `InfrastructureConfig`
        pub kind: &'a str,
        /// An existing resource group, which nobody supports yet.
        pub resource_group: Option<ResourceGroup<'a>>,
        /// The network layout.
        pub networks: Networks<'a>,
        /// A user-assigned identity that the machines have.
        pub identity: Option<Identity<'a>>,
        /// Whether the machines are in availability zones. Without zones, each worker pool has a scale set.
        pub zoned: bool,
    }
}

record! {
    /// An existing resource group.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct ResourceGroup<'a> {
        /// Name of the resource group.
        pub name: &'a str,
    }
}

record! {
    /// The network layout: one subnet for all workers, or one a zone.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Networks<'a> {
        /// The virtual network.
        pub vnet: Vnet<'a>,
        /// Range of the one subnet of all workers.
        pub workers: Option<&'a str>,
        /// NAT gateway of the one subnet.
        pub nat_gateway: Option<NatGateway<'a>>,
        /// Service endpoints of the one subnet, such as `Microsoft.Storage`.
        pub service_endpoints: Vec<&'a str>,
        /// Zones with a subnet each.
        pub zones: Vec<Zone<'a>>,
    }
}

impl Networks<'_> {
    /// Whether all workers are in one subnet.
    pub fn has_single_subnet(&self) -> bool {
        self.zones.is_empty()
    }
}

record! {
    /// The virtual network: an existing one by name and resource group, else a new one.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Vnet<'a> {
        /// Name of an existing virtual network.
        pub name: Option<&'a str>,
        /// Resource group of the existing virtual network.
        pub resource_group: Option<&'a str>,
        /// Range of a new virtual network; by default that of the workers.
        pub cidr: Option<&'a str>,
        /// Resource id of a DDoS protection plan for a new virtual network.
        #[name = "ddosProtectionPlanID"]
        pub ddos_protection_plan_id: Option<&'a str>,
    }
}

record! {
    /// NAT gateway of the one subnet.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct NatGateway<'a> {
        /// Whether the subnet has a NAT gateway.
        pub enabled: bool,
        /// Minutes until an idle connection is dropped, 4 to 120.
        pub idle_connection_timeout_minutes: Option<i32>,
        /// Zone of the gateway.
        pub zone: Option<i32>,
        /// `Standard`, which is the default, or `StandardV2`.
        pub sku: Option<&'a str>,
        /// Existing public addresses, instead of a new one.
        pub ip_addresses: Option<Vec<PublicIp<'a>>>,
    }
}

record! {
    /// An existing public address.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct PublicIp<'a> {
        /// Name of the public address.
        pub name: &'a str,
        /// Its resource group.
        pub resource_group: &'a str,
        /// Its zone.
        pub zone: Option<i32>,
    }
}

record! {
    /// A zone with its subnet.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Zone<'a> {
        /// Number of the zone.
        pub name: i32,
        /// Range of its subnet.
        pub cidr: &'a str,
        /// Service endpoints of its subnet.
        pub service_endpoints: Vec<&'a str>,
        /// NAT gateway of its subnet.
        pub nat_gateway: Option<ZoneNatGateway<'a>>,
    }
}

record! {
    /// NAT gateway of a zone's subnet. It is in that zone.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct ZoneNatGateway<'a> {
        /// Whether the subnet has a NAT gateway.
        pub enabled: bool,
        /// Minutes until an idle connection is dropped, 4 to 120.
        pub idle_connection_timeout_minutes: Option<i32>,
        /// `Standard`.
        pub sku: Option<&'a str>,
        /// Existing public addresses, instead of a new one.
        pub ip_addresses: Option<Vec<ZonePublicIp<'a>>>,
    }
}

record! {
    /// An existing public address in the zone of its gateway.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct ZonePublicIp<'a> {
        /// Name of the public address.
        pub name: &'a str,
        /// Its resource group.
        pub resource_group: &'a str,
    }
}

record! {
    /// A user-assigned identity.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Identity<'a> {
        /// Name of the identity.
        pub name: &'a str,
        /// Its resource group.
        pub resource_group: &'a str,
        /// Whether the machines pull images from Azure Container Registry with it.
        pub acr_access: Option<bool>,
    }
}
