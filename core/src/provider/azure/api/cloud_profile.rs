//! What a landscape offers of Azure.

use super::Image;
use crate::gardener::images::MachineImages;
use crate::gardener::types::capabilities::Capabilities;
use crate::record;

record! {
    /// What a landscape offers of Azure: `spec.providerConfig` of CloudProfiles and NamespacedCloudProfiles.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct CloudProfileConfig<'a> {
        /// `azure.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `CloudProfileConfig`
        pub kind: &'a str,
        /// Update domains of a region.
        pub count_update_domains: Option<Vec<DomainCount<'a>>>,
        /// Fault domains of a region.
        pub count_fault_domains: Option<Vec<DomainCount<'a>>>,
        /// Images by logical name.
        pub machine_images: Vec<MachineImages<'a, MachineImageVersion<'a>>>,
        /// What machine types can do.
        pub machine_types: Vec<MachineType<'a>>,
        /// The cloud of all regions.
        pub cloud_configuration: Option<CloudConfiguration<'a>>,
    }
}

record! {
    /// Fault domains or update domains of a region.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct DomainCount<'a> {
        /// Name of the region.
        pub region: &'a str,
        /// How many it has.
        pub count: i32,
    }
}

record! {
    /// What an image version is in Azure.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MachineImageVersion<'a> {
        /// Logical version.
        pub version: &'a str,
        /// Whether nobody has to agree to the terms of the marketplace.
        pub skip_marketplace_agreement: Option<bool>,
        /// Whether the image supports accelerated networking.
        pub accelerated_networking: Option<bool>,
        /// Architecture; `amd64` where absent and there are no flavors.
        pub architecture: Option<&'a str>,
        /// Images by capabilities, where the CloudProfile defines capabilities.
        pub capability_flavors: Vec<MachineImageFlavor<'a>>,
        /// Image of the marketplace: `Publisher:Offer:Sku:Version`.
        pub urn: Option<&'a str>,
        /// Resource id of a managed image, or of a gallery's image.
        pub id: Option<&'a str>,
        /// Image of a community gallery: `/CommunityGalleries/…/Images/…/Versions/…`.
        #[name = "communityGalleryImageID"]
        pub community_gallery_image_id: Option<&'a str>,
        /// Image of a shared gallery: `/SharedGalleries/…/Images/…/Versions/…`.
        #[name = "sharedGalleryImageID"]
        pub shared_gallery_image_id: Option<&'a str>,
    }
}

record! {
    /// The image with certain capabilities.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MachineImageFlavor<'a> {
        /// Whether nobody has to agree to the terms of the marketplace.
        pub skip_marketplace_agreement: Option<bool>,
        /// What the image offers.
        pub capabilities: Capabilities<'a>,
        /// Image of the marketplace: `Publisher:Offer:Sku:Version`.
        pub urn: Option<&'a str>,
        /// Resource id of a managed image, or of a gallery's image.
        pub id: Option<&'a str>,
        /// Image of a community gallery: `/CommunityGalleries/…/Images/…/Versions/…`.
        #[name = "communityGalleryImageID"]
        pub community_gallery_image_id: Option<&'a str>,
        /// Image of a shared gallery: `/SharedGalleries/…/Images/…/Versions/…`.
        #[name = "sharedGalleryImageID"]
        pub shared_gallery_image_id: Option<&'a str>,
    }
}

record! {
    /// What a machine type can do.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct MachineType<'a> {
        /// Name, as in the CloudProfile's `spec.machineTypes`.
        pub name: &'a str,
        /// Whether machines of the type have accelerated networking.
        pub accelerated_networking: Option<bool>,
    }
}

record! {
    /// One of the clouds of Azure.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct CloudConfiguration<'a> {
        /// `AzurePublic`, `AzureChina` or `AzureGovernment`.
        pub name: &'a str,
    }
}

macro_rules! image {
    ($($type:ident),+) => { $(
        impl<'a> $type<'a> {
            /// The addresses of the image.
            pub fn image(&self) -> Image<'a> {
                let Self { urn, id, community_gallery_image_id, shared_gallery_image_id, .. } = *self;
                Image { urn, id, community_gallery_image_id, shared_gallery_image_id }
            }
        }
    )+ };
}
image!(MachineImageVersion, MachineImageFlavor);
