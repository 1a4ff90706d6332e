//! The network of a Shoot.

use crate::record;

record! {
    /// The network of a Shoot: `spec.provider.infrastructureConfig`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct InfrastructureConfig<'a> {
        /// `aws.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `InfrastructureConfig`
        pub kind: &'a str,
        /// Whether nodes may pull images from Amazon ECR, by default `true`.
        #[name = "enableECRAccess"]
        pub enable_ecr_access: Option<bool>,
        /// IPv6 in addition to IPv4 in the VPC of a Shoot whose `ipFamilies` is IPv4.
        pub dual_stack: Option<DualStack>,
        /// The network layout.
        pub networks: Networks<'a>,
        /// Tags that nobody removes from the resources of the Shoot.
        pub ignore_tags: Option<IgnoreTags<'a>>,
        /// Whether the instances of the VPC run on hardware of their own, by default `false`.
        #[name = "enableDedicatedTenancyForVPC"]
        pub enable_dedicated_tenancy_for_vpc: Option<bool>,
        /// A file system of Amazon EFS, and its CSI driver.
        pub elastic_file_system: Option<ElasticFileSystem<'a>>,
        /// Whether nodes have an MTU of 1460 bytes. By default `false` for a new Shoot, else `true`.
        #[name = "enableMTUCustomizer"]
        pub enable_mtu_customizer: Option<bool>,
    }
}

record! {
    /// IPv6 in addition to IPv4.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct DualStack {
        /// Whether the VPC has IPv6; once on, it stays on.
        pub enabled: bool,
    }
}

record! {
    /// The network layout.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Networks<'a> {
        /// The VPC.
        pub vpc: Vpc<'a>,
        /// The subnets, by availability zone.
        pub zones: Vec<Zone<'a>>,
        /// Id of an existing security group of the nodes.
        #[name = "nodesSecurityGroupID"]
        pub nodes_security_group_id: Option<&'a str>,
    }
}

impl Networks<'_> {
    /// Whether a zone has an existing subnet for its nodes. The existing extension calls that BYO mode.
    pub fn has_existing_subnets(&self) -> bool {
        self.zones.iter().any(|zone| zone.workers_subnet_id.is_some())
    }
}

record! {
    /// The VPC: an existing one by its id, or a new one by its range.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Vpc<'a> {
        /// Id of an existing VPC.
        pub id: Option<&'a str>,
        /// Range of the VPC to create.
        pub cidr: Option<&'a str>,
        /// Services that get a gateway endpoint, for example `s3`.
        pub gateway_endpoints: Vec<&'a str>,
        /// The IPAM pool that the IPv6 range of the VPC comes from.
        pub ipv6_ipam_pool: Option<Ipv6IpamPool<'a>>,
    }
}

record! {
    /// A pool of Amazon VPC IP Address Manager.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Ipv6IpamPool<'a> {
        /// Id of the pool.
        pub id: Option<&'a str>,
        /// The very range to take from the pool, a `/56`.
        pub cidr_block: Option<&'a str>,
    }
}

record! {
    /// The subnets of an availability zone: ranges to create them with, or ids of existing ones.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Zone<'a> {
        /// Name of the availability zone.
        pub name: &'a str,
        /// Range of the subnet of the nodes.
        pub workers: Option<&'a str>,
        /// Range of the subnet of public load balancers and the NAT gateway.
        pub public: Option<&'a str>,
        /// Range of the subnet of internal load balancers.
        pub internal: Option<&'a str>,
        /// Id of an existing subnet of the nodes.
        #[name = "workersSubnetID"]
        pub workers_subnet_id: Option<&'a str>,
        /// Id of an existing subnet of public load balancers.
        #[name = "publicSubnetID"]
        pub public_subnet_id: Option<&'a str>,
        /// Id of an existing subnet of internal load balancers.
        #[name = "internalSubnetID"]
        pub internal_subnet_id: Option<&'a str>,
        /// Allocation id of an existing Elastic IP of the NAT gateway.
        #[name = "elasticIPAllocationID"]
        pub elastic_ip_allocation_id: Option<&'a str>,
    }
}

impl<'a> Zone<'a> {
    /// The ranges of the subnets to create, each with its key.
    pub fn ranges(&self) -> [(&'static str, Option<&'a str>); 3] {
        [("workers", self.workers), ("public", self.public), ("internal", self.internal)]
    }
}

record! {
    /// Tags that nobody removes from the resources of the Shoot.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct IgnoreTags<'a> {
        /// Keys.
        pub keys: Vec<&'a str>,
        /// Beginnings of keys.
        pub key_prefixes: Vec<&'a str>,
    }
}

record! {
    /// A file system of Amazon EFS, and its CSI driver.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct ElasticFileSystem<'a> {
        /// Whether the Shoot has one.
        pub enabled: bool,
        /// Id of an existing file system; without it, one is created.
        pub id: Option<&'a str>,
    }
}
