//! What a landscape offers of GCP.

use crate::gardener::images::MachineImages;
use crate::gardener::types::capabilities::Capabilities;
use crate::record;

record! {
    /// What a landscape offers of GCP: `spec.providerConfig` of CloudProfiles and NamespacedCloudProfiles.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct CloudProfileConfig<'a> {
        /// `gcp.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `CloudProfileConfig`
        pub kind: &'a str,
        /// Images by logical name.
        pub machine_images: Vec<MachineImages<'a, MachineImageVersion<'a>>>,
    }
}

record! {
    /// What an image version is in GCP.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MachineImageVersion<'a> {
        /// Logical version.
        pub version: &'a str,
        /// Path of the image.
        pub image: &'a str,
        /// Architecture; `amd64` where absent and there are no flavors.
        pub architecture: Option<&'a str>,
        /// Images by capabilities, where the CloudProfile defines capabilities.
        pub capability_flavors: Vec<MachineImageFlavor<'a>>,
    }
}

record! {
    /// The image with certain capabilities.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MachineImageFlavor<'a> {
        /// Path of the image.
        pub image: &'a str,
        /// What the image offers.
        pub capabilities: Capabilities<'a>,
    }
}
