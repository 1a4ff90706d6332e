//! What a landscape offers of OpenStack.

use super::LoadBalancerClass;
use crate::collections::NameMap;
use crate::gardener::images::MachineImages;
use crate::gardener::types::capabilities::Capabilities;
use crate::kube::duration::Duration;
use crate::record;

record! {
    /// What a landscape offers of OpenStack: `spec.providerConfig` of CloudProfiles and NamespacedCloudProfiles.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct CloudProfileConfig<'a> {
        /// `openstack.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `CloudProfileConfig`
        pub kind: &'a str,
        /// What Shoots may choose from.
        pub constraints: Constraints<'a>,
        /// Addresses of the DNS servers of subnets.
        pub dns_servers: Vec<&'a str>,
        /// DNS domain of the network; has no effect.
        #[name = "dhcpDomain"]
        pub dhcp_domain: Option<&'a str>,
        /// URL of Keystone, for regions that `keystoneURLs` does not list.
        #[name = "keystoneURL"]
        pub keystone_url: &'a str,
        /// Certificate in PEM that Keystone is trusted by.
        #[name = "keystoneCACert"]
        pub keystone_ca_cert: Option<&'a str>,
        /// Whether no certificate of the API is checked.
        pub keystone_force_insecure: bool,
        /// URLs of Keystone by region.
        #[name = "keystoneURLs"]
        pub keystone_urls: Vec<KeystoneUrl<'a>>,
        /// Images by logical name.
        pub machine_images: Vec<MachineImages<'a, MachineImageVersion<'a>>>,
        /// How long the control plane waits for the metadata service.
        pub request_timeout: Option<Duration>,
        /// Whether nodes scan a disk that grew.
        pub rescan_block_storage_on_resize: Option<bool>,
        /// Whether disks are in another availability zone than nodes.
        #[name = "ignoreVolumeAZ"]
        pub ignore_volume_az: Option<bool>,
        /// Most disks of a node.
        pub node_volume_attach_limit: Option<i32>,
        /// Whether new routers translate the addresses of nodes.
        #[name = "useSNAT"]
        pub use_snat: Option<bool>,
        /// Policies of server groups that Shoots may use.
        pub server_group_policies: Vec<&'a str>,
        /// Options of the DNS resolver on nodes.
        pub resolv_conf_options: Vec<&'a str>,
        /// Storage classes that replace the built-in ones.
        pub storage_classes: Vec<StorageClass<'a>>,
    }
}

impl CloudProfileConfig<'_> {
    /// Whether nothing but `machineImages` is set.
    pub fn has_only_images(&self) -> bool {
        let flags = [self.rescan_block_storage_on_resize, self.ignore_volume_az, self.use_snat];
        let lists = [&self.dns_servers, &self.server_group_policies, &self.resolv_conf_options];
        self.constraints.floating_pools.is_empty()
            && self.constraints.load_balancer_providers.is_empty()
            && self.keystone_urls.is_empty()
            && self.storage_classes.is_empty()
            && self.keystone_url.is_empty()
            && !self.keystone_force_insecure
            && self.keystone_ca_cert.or(self.dhcp_domain).is_none()
            && self.request_timeout.is_none()
            && self.node_volume_attach_limit.is_none()
            && flags.iter().all(Option::is_none)
            && lists.iter().all(|list| list.is_empty())
    }
}

record! {
    /// What Shoots may choose from.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Constraints<'a> {
        /// External networks.
        pub floating_pools: Vec<FloatingPool<'a>>,
        /// Providers of load balancers.
        pub load_balancer_providers: Vec<LoadBalancerProvider<'a>>,
    }
}

record! {
    /// An external network.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct FloatingPool<'a> {
        /// Name, or a pattern of names: `*`, `fip-*` or `*-fip`.
        pub name: &'a str,
        /// The region that has the pool; all regions where absent.
        pub region: Option<&'a str>,
        /// The Keystone domain that has the pool; all domains where absent.
        pub domain: Option<&'a str>,
        /// The subnet that routers get an address from where a Shoot names none.
        pub default_floating_subnet: Option<&'a str>,
        /// Whether the pool is offered besides those that are offered more precisely.
        pub non_constraining: Option<bool>,
        /// Classes of load balancers.
        pub load_balancer_classes: Vec<LoadBalancerClass<'a>>,
    }
}

record! {
    /// A provider of load balancers.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct LoadBalancerProvider<'a> {
        /// Name.
        pub name: &'a str,
        /// The region that has the provider; where absent, the regions that no other entry names.
        pub region: Option<&'a str>,
    }
}

record! {
    /// URL of Keystone in a region.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct KeystoneUrl<'a> {
        /// Region.
        pub region: &'a str,
        /// URL.
        pub url: &'a str,
        /// Certificate in PEM that Keystone is trusted by.
        #[name = "caCert"]
        pub ca_cert: Option<&'a str>,
    }
}

record! {
    /// What an image version is in OpenStack.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MachineImageVersion<'a> {
        /// Logical version.
        pub version: &'a str,
        /// Name of the image in regions that have no id.
        pub image: &'a str,
        /// Ids by region.
        pub regions: Vec<RegionIdMapping<'a>>,
        /// Ids by region and capabilities, where the CloudProfile defines capabilities.
        pub capability_flavors: Vec<MachineImageFlavor<'a>>,
    }
}

record! {
    /// The ids of an image with certain capabilities.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MachineImageFlavor<'a> {
        /// Ids by region.
        pub regions: Vec<RegionIdMapping<'a>>,
        /// Name of the image in regions that have no id.
        pub image: &'a str,
        /// What the image offers.
        pub capabilities: Capabilities<'a>,
    }
}

record! {
    /// Id of an image in a region.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct RegionIdMapping<'a> {
        /// Region.
        pub name: &'a str,
        /// Id.
        pub id: &'a str,
        /// Architecture; `amd64` where absent. A flavor has it among its capabilities.
        pub architecture: Option<&'a str>,
    }
}

record! {
    /// A storage class.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct StorageClass<'a> {
        /// Name.
        pub name: &'a str,
        /// Whether it is the default.
        pub default: Option<bool>,
        /// The driver; by default that of Cinder.
        pub provisioner: Option<&'a str>,
        /// Parameters of the driver.
        pub parameters: NameMap<'a, &'a str>,
        /// Annotations.
        pub annotations: NameMap<'a, &'a str>,
        /// Labels.
        pub labels: NameMap<'a, &'a str>,
        /// What becomes of the disk of a volume that goes.
        pub reclaim_policy: Option<&'a str>,
        /// When a disk is created.
        pub volume_binding_mode: Option<&'a str>,
    }
}
