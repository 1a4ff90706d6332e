//! What a landscape offers of AWS.

use crate::gardener::images::MachineImages;
use crate::gardener::types::capabilities::Capabilities;
use crate::record;

record! {
    /// What a landscape offers of AWS: `spec.providerConfig` of CloudProfiles and NamespacedCloudProfiles.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct CloudProfileConfig<'a> {
        /// `aws.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `CloudProfileConfig`
        pub kind: &'a str,
        /// Images by logical name.
        pub machine_images: Vec<MachineImages<'a, MachineImageVersion<'a>>>,
    }
}

record! {
    /// What an image version is in AWS.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MachineImageVersion<'a> {
        /// Logical version.
        pub version: &'a str,
        /// AMIs by region.
        pub regions: Vec<RegionAmiMapping<'a>>,
        /// AMIs by region and capabilities, where the CloudProfile defines capabilities.
        pub capability_flavors: Vec<MachineImageFlavor<'a>>,
    }
}

record! {
    /// The AMIs of an image with certain capabilities.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MachineImageFlavor<'a> {
        /// AMIs by region.
        pub regions: Vec<RegionAmiMapping<'a>>,
        /// What the image offers.
        pub capabilities: Capabilities<'a>,
    }
}

record! {
    /// An AMI in a region.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct RegionAmiMapping<'a> {
        /// Region.
        pub name: &'a str,
        /// Id of the AMI.
        pub ami: &'a str,
        /// Architecture; `amd64` where absent. A flavor has it among its capabilities.
        pub architecture: Option<&'a str>,
    }
}
