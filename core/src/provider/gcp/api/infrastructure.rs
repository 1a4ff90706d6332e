//! The network of a Shoot.

use crate::document::decode::Float32;
use crate::record;

record! {
    /// The network of a Shoot: `spec.provider.infrastructureConfig`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct InfrastructureConfig<'a> {
        /// `gcp.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `InfrastructureConfig`
        pub kind: &'a str,
        /// The network layout.
        pub networks: Networks<'a>,
    }
}

record! {
    /// The network layout.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Networks<'a> {
        /// An existing VPC; without it, one is created.
        pub vpc: Option<Vpc<'a>>,
        /// Cloud NAT, through which nodes reach the internet.
        #[name = "cloudNAT"]
        pub cloud_nat: Option<CloudNat<'a>>,
        /// Range of the subnet of internal load balancers.
        pub internal: Option<&'a str>,
        /// Range of the subnet of the nodes, under its old name.
        pub worker: &'a str,
        /// Range of the subnet of the nodes.
        pub workers: &'a str,
        /// VPC flow logs of the subnet of the nodes.
        pub flow_logs: Option<FlowLogs<'a>>,
        /// Largest packet of the VPC that is created, in bytes.
        pub mtu: Option<i32>,
    }
}

impl<'a> Networks<'a> {
    /// The range of the nodes that counts, with its field. None where the config has neither.
    pub fn range(&self) -> Option<(&'static str, &'a str)> {
        [("workers", self.workers), ("worker", self.worker)].into_iter().find(|(_, range)| !range.is_empty())
    }
}

record! {
    /// An existing VPC.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Vpc<'a> {
        /// Name of the VPC.
        pub name: &'a str,
        /// The existing Cloud Router of the VPC.
        pub cloud_router: Option<CloudRouter<'a>>,
    }
}

record! {
    /// An existing Cloud Router.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct CloudRouter<'a> {
        /// Name of the router.
        pub name: &'a str,
    }
}

record! {
    /// Cloud NAT, through which nodes reach the internet.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct CloudNat<'a> {
        /// Whether a node has one external address and port for all destinations of an internal one.
        pub endpoint_independent_mapping: Option<EndpointIndependentMapping>,
        /// The fewest ports of a node, by default 2048.
        #[name = "minPortsPerVM"]
        pub min_ports_per_vm: Option<i32>,
        /// The most ports of a node, by default 65536, where ports are allocated dynamically.
        #[name = "maxPortsPerVM"]
        pub max_ports_per_vm: Option<i32>,
        /// Whether a node gets more ports when it needs them, by default `false`.
        pub enable_dynamic_port_allocation: bool,
        /// Existing external addresses that nodes go out with.
        #[name = "natIPNames"]
        pub nat_ip_names: Option<Vec<NatIpName<'a>>>,
        /// Seconds without traffic after which an ICMP mapping goes, by default 30.
        pub icmp_idle_timeout_sec: Option<i32>,
        /// Seconds without traffic after which an established TCP connection goes, by default 1200.
        pub tcp_established_idle_timeout_sec: Option<i32>,
        /// Seconds in which a closed TCP connection keeps its port, by default 120.
        pub tcp_time_wait_timeout_sec: Option<i32>,
        /// Seconds without traffic after which a half-open TCP connection goes, by default 30.
        pub tcp_transitory_idle_timeout_sec: Option<i32>,
        /// Seconds without traffic after which a UDP mapping goes, by default 30.
        pub udp_idle_timeout_sec: Option<i32>,
    }
}

record! {
    /// Whether a node has one external address and port for all destinations of an internal one.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct EndpointIndependentMapping {
        /// Whether it has.
        pub enabled: bool,
    }
}

record! {
    /// An existing external address.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct NatIpName<'a> {
        /// Name of the address.
        pub name: &'a str,
    }
}

record! {
    /// VPC flow logs.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct FlowLogs<'a> {
        /// How long traffic is gathered for an entry, by default `INTERVAL_5_MIN`.
        pub aggregation_interval: Option<&'a str>,
        /// The share of entries that are kept, from 0 to 1, by default 0.5.
        pub flow_sampling: Option<Float32<'a>>,
        /// What an entry has in addition to the traffic, by default `EXCLUDE_ALL_METADATA`.
        pub metadata: Option<&'a str>,
    }
}
