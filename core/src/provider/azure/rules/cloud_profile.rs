//! CloudProfile: domains, and the mapping of machine images to images of Azure. The content of a mapping is judged
//! alike in a `NamespacedCloudProfile`.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::{CLOUD_PROFILE, PROFILES};

/// Why images and versions of the profile are mapped.
const MAPPED: &str = "Users could choose an image that Azure does not know, and their nodes would not start.";
/// Why each flavor and architecture is mapped.
const NO_IMAGE: &str = "Machines that need it would find no image.";
/// What an architecture may be.
const ARCHITECTURE: &str = "Machines of Azure are amd64 or arm64.";
/// How to write an architecture.
const CHOOSE: &str = "Set `architecture` to `amd64` or `arm64`; without it the image is one for amd64.";
/// Why a version has one format.
const ONE_FORMAT: &str = "Where both formats are used, nothing says which one counts.";
/// Why flavors name defined capabilities.
const FITS: &str = "A flavor with another capability or value fits no machine.";
/// Why regions have domain counts.
const DOMAINS: &str = "Azure spreads the machines of a Shoot without zones over the domains of its region.";
/// Why an address has a form.
const ADDRESS: &str = "Azure finds no image by an address of another form, and nodes would not start.";

rules! {
    CPROF_001 = Rule::error("AZ-CPROF-001", CLOUD_PROFILE, Both)
        .summary("A CloudProfile has a `providerConfig`.")
        .why("Images and fault domains of Azure are known from it only.")
        .fix("Add `spec.providerConfig` of kind `CloudProfileConfig`.");
    CPROF_002 = Rule::error("AZ-CPROF-002", CLOUD_PROFILE, Both)
        .summary("`providerConfig` is a `CloudProfileConfig` of a supported version.")
        .why("A field that is unknown, given twice or of the wrong type would lose an image unnoticed.")
        .fix("Set `apiVersion: azure.provider.extensions.gardener.cloud/v1alpha1` and `kind: CloudProfileConfig`, and correct \
              the field that is named.");
    CPROF_003 = Rule::error("AZ-CPROF-003", CLOUD_PROFILE, Both)
        .summary("`spec.machineCapabilities` is readable.")
        .why("Images are matched with machine types by capabilities.")
        .fix("Write `machineCapabilities` as a list of `name` and `values`.")
        .informative("A list of another form is refused as a malformed request, before any rule runs.");
    CPROF_010 = Rule::error("AZ-CPROF-010", CLOUD_PROFILE, Both)
        .summary("`countFaultDomains` has at least one region.")
        .why(DOMAINS)
        .fix("Add an entry with `region` and `count` for every region of `spec.regions`.");
    CPROF_011 = Rule::error("AZ-CPROF-011", CLOUD_PROFILE, Both)
        .summary("An entry of `countFaultDomains` has a `region`.")
        .why("Shoots find the count by the name of their region.")
        .fix("Set `region` to one of `spec.regions`.");
    CPROF_012 = Rule::error("AZ-CPROF-012", CLOUD_PROFILE, Both)
        .summary("A `count` of fault domains is not negative.")
        .why(DOMAINS)
        .fix("Set `count` to the number that `az vm list-skus --resource-type availabilitySets` shows for the region.");
    CPROF_013 = Rule::error("AZ-CPROF-013", CLOUD_PROFILE, Both)
        .summary("`countUpdateDomains` has at least one region, each with a `region` and a `count` that is not negative.")
        .why("The field is deprecated; a CloudProfile without it is refused all the same.")
        .fix("Add an entry with `region` and `count`, for example `count: 5`, for every region of `spec.regions`.");
    CPROF_020 = Rule::error("AZ-CPROF-020", CLOUD_PROFILE, Both)
        .summary("`providerConfig.machineImages` has at least one image.")
        .why("Without an image no node can be created.")
        .fix("Add an entry with `name` and `versions` for every image of `spec.machineImages`.");
    CPROF_021 = Rule::error("AZ-CPROF-021", PROFILES, Both)
        .summary("A mapped image has a `name`.")
        .why("Images of `spec.machineImages` find their mapping by name.")
        .fix("Set `name` to that of the image in `spec.machineImages`.");
    CPROF_022 = Rule::error("AZ-CPROF-022", PROFILES, Both)
        .summary("A mapped image has at least one version.")
        .why("Images of Azure belong to a version; an image without one maps nothing.")
        .fix("Add an entry with `version` and the address of the image to `versions`, or remove the image.");
    CPROF_023 = Rule::error("AZ-CPROF-023", PROFILES, Both)
        .summary("A version of a mapped image has a `version`.")
        .why("Versions of `spec.machineImages` find their image by it.")
        .fix("Set `version` to that of the image in `spec.machineImages`.");
    CPROF_024 = Rule::error("AZ-CPROF-024", PROFILES, Both)
        .summary("A version with `capabilityFlavors` has no image of its own.")
        .why(ONE_FORMAT)
        .fix("Move `urn`, `id`, `communityGalleryImageID` or `sharedGalleryImageID` into a flavor.");
    CPROF_025 = Rule::error("AZ-CPROF-025", PROFILES, Both)
        .summary("A version with `capabilityFlavors` has no `architecture`.")
        .why(ONE_FORMAT)
        .fix("Remove `architecture` from the version, and set it in each flavor's `capabilities`.");
    CPROF_026 = Rule::error("AZ-CPROF-026", PROFILES, Both)
        .summary("A version with `capabilityFlavors` has no `acceleratedNetworking`.")
        .why(ONE_FORMAT)
        .fix("Remove `acceleratedNetworking` from the version, and write `azure-networking: [basic]` into the `capabilities` of \
              flavors without it.");
    CPROF_027 = Rule::error("AZ-CPROF-027", PROFILES, Both)
        .summary("A flavor's `capabilities` are defined in `machineCapabilities`.")
        .why(FITS)
        .fix("Use names of `spec.machineCapabilities`.");
    CPROF_028 = Rule::error("AZ-CPROF-028", PROFILES, Both)
        .summary("The values of a flavor's `capabilities` are defined in `machineCapabilities`.")
        .why(FITS)
        .fix("Use values of `spec.machineCapabilities`.");
    CPROF_029 = Rule::error("AZ-CPROF-029", PROFILES, Both)
        .summary("A flavor has one `architecture` where `machineCapabilities` define several.")
        .why("An image runs on one architecture.")
        .fix("Write one architecture, and a flavor for each of the others.");
    CPROF_030 = Rule::error("AZ-CPROF-030", PROFILES, Both)
        .summary("The `architecture` of an image is `amd64` or `arm64`.")
        .why(ARCHITECTURE)
        .fix(CHOOSE);
    CPROF_031 = Rule::error("AZ-CPROF-031", PROFILES, Both)
        .summary("With `machineCapabilities`, a mapped version has an image or `capabilityFlavors`.")
        .why(NO_IMAGE)
        .fix("Add `capabilityFlavors`, or the address of the image.");
    CPROF_032 = Rule::error("AZ-CPROF-032", PROFILES, Both)
        .summary("`capabilityFlavors` are used only where `machineCapabilities` are defined.")
        .why("Without definitions flavors match nothing, and images are chosen by `architecture` alone.")
        .fix("Write an entry with `version`, `architecture` and the address of the image for each flavor, or define \
              `spec.machineCapabilities` in the CloudProfile.");
    CPROF_033 = Rule::error("AZ-CPROF-033", PROFILES, Both)
        .summary("An image has one of `urn`, `id`, `communityGalleryImageID` and `sharedGalleryImageID`.")
        .why("Without an address there is no image; of several nothing says which one counts.")
        .fix("Keep the address where the image is, and remove the others.");
    CPROF_034 = Rule::error("AZ-CPROF-034", PROFILES, Both)
        .summary("`urn` has four parts: `Publisher:Offer:Sku:Version`.")
        .why(ADDRESS)
        .fix("Copy the URN that `az vm image list` shows, for example `sap:gardenlinux:greatest:1443.3.0`.");
    CPROF_035 = Rule::error("AZ-CPROF-035", PROFILES, Both)
        .summary("`id` is not empty.")
        .why(ADDRESS)
        .fix("Set `id` to the resource id of the image, or remove it.");
    CPROF_036 = Rule::error("AZ-CPROF-036", PROFILES, Both)
        .summary("`communityGalleryImageID` is `/CommunityGalleries/…/Images/…/Versions/…`.")
        .why(ADDRESS)
        .fix("Write the id as `az sig image-version show-community` shows it.");
    CPROF_037 = Rule::error("AZ-CPROF-037", PROFILES, Both)
        .summary("`sharedGalleryImageID` is `/SharedGalleries/…/Images/…/Versions/…`.")
        .why(ADDRESS)
        .fix("Write the id as `az sig image-version show-shared` shows it.");
    CPROF_050 = Rule::error("AZ-CPROF-050", CLOUD_PROFILE, Both)
        .summary("Every image of `spec.machineImages` is mapped in `providerConfig`.")
        .why(MAPPED)
        .fix("Add the image to `providerConfig.machineImages`, or remove it from `spec.machineImages`.");
    CPROF_051 = Rule::error("AZ-CPROF-051", CLOUD_PROFILE, Both)
        .summary("`architectures` of an image version are `amd64` and `arm64`.")
        .why(ARCHITECTURE)
        .fix("Remove the other architecture from the version in `spec.machineImages`.")
        .doubles(&["GDN-CPR-043"]);
    CPROF_052 = Rule::error("AZ-CPROF-052", CLOUD_PROFILE, Both)
        .summary("Without `machineCapabilities`, every architecture of an image version is mapped.")
        .why(NO_IMAGE)
        .fix("Add an entry with the `version`, this `architecture` and the address of the image in `providerConfig`.");
    CPROF_053 = Rule::error("AZ-CPROF-053", CLOUD_PROFILE, Both)
        .summary("With `machineCapabilities`, every image version of `spec.machineImages` is mapped in `providerConfig`.")
        .why(MAPPED)
        .fix("Add the version to the image in `providerConfig.machineImages`, or remove it from `spec.machineImages`.");
    CPROF_054 = Rule::error("AZ-CPROF-054", CLOUD_PROFILE, Both)
        .summary("Every flavor of an image version has a mapped flavor with equal capabilities.")
        .why(NO_IMAGE)
        .fix("Add an entry with these `capabilities` and the address of the image to the version's `capabilityFlavors` in \
              `providerConfig`.");
    CPROF_055 = Rule::error("AZ-CPROF-055", CLOUD_PROFILE, Both)
        .summary("A version mapped without flavors has an image for each architecture of every flavor.")
        .why(NO_IMAGE)
        .fix("Add an entry with the `version`, the missing `architecture` and the address of the image in `providerConfig`.");
}
