//! CloudProfile: the mapping of machine images to images of GCP. The content of a mapping is judged alike in a
//! `NamespacedCloudProfile`.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::{CLOUD_PROFILE, PROFILES};

/// Why images and versions of the profile are mapped.
const MAPPED: &str = "Users could choose an image that GCP does not know, and their nodes would not start.";
/// Why each flavor and architecture is mapped.
const NO_IMAGE: &str = "Machines that need it would find no image.";
/// What an architecture may be.
const ARCHITECTURE: &str = "Machines of GCP are amd64 or arm64.";
/// How to write an architecture.
const CHOOSE: &str = "Set `architecture` to `amd64` or `arm64`; without it the image is one for amd64.";
/// How to map an image.
const IMAGE: &str =
    "Set `image` to the path of the image, for example `projects/my-project/global/images/my-image`.";

rules! {
    CPROF_001 = Rule::error("GCP-CPROF-001", CLOUD_PROFILE, Both)
        .summary("A CloudProfile has a `providerConfig`.")
        .why("Images of GCP are known from it only.")
        .fix("Add `spec.providerConfig` of kind `CloudProfileConfig`.");
    CPROF_002 = Rule::error("GCP-CPROF-002", CLOUD_PROFILE, Both)
        .summary("`providerConfig` is a `CloudProfileConfig` of a supported version.")
        .why("A field that is unknown, given twice or of the wrong type would lose an image unnoticed.")
        .fix("Set `apiVersion: gcp.provider.extensions.gardener.cloud/v1alpha1` and `kind: CloudProfileConfig`, and correct the \
              field that is named.");
    CPROF_016 = Rule::error("GCP-CPROF-016", CLOUD_PROFILE, Both)
        .summary("`spec.machineCapabilities` is readable.")
        .why("Images are matched with machine types by capabilities.")
        .fix("Write `machineCapabilities` as a list of `name` and `values`.")
        .informative("A list of another form is refused as a malformed request, before any rule runs.");
    CPROF_003 = Rule::error("GCP-CPROF-003", CLOUD_PROFILE, Both)
        .summary("`providerConfig.machineImages` has at least one image.")
        .why("Without an image no node can be created.")
        .fix("Add an entry with `name` and `versions` for every image of `spec.machineImages`.");
    CPROF_004 = Rule::error("GCP-CPROF-004", PROFILES, Both)
        .summary("A mapped image has a `name`.")
        .why("Images of `spec.machineImages` find their mapping by name.")
        .fix("Set `name` to that of the image in `spec.machineImages`.");
    CPROF_005 = Rule::error("GCP-CPROF-005", PROFILES, Both)
        .summary("A mapped image has at least one version.")
        .why("Images of GCP belong to a version; an image without one maps nothing.")
        .fix("Add an entry with `version` and `image` to `versions`, or remove the image.");
    CPROF_006 = Rule::error("GCP-CPROF-006", PROFILES, Both)
        .summary("A version of a mapped image has a `version`.")
        .why("Versions of `spec.machineImages` find their image by it.")
        .fix("Set `version` to that of the image in `spec.machineImages`.");
    CPROF_007 = Rule::error("GCP-CPROF-007", PROFILES, Both)
        .summary("An image version has either `image` or `capabilityFlavors`.")
        .why("Where both are set, nothing says which image counts.")
        .fix("Move `image` into a flavor with its `architecture`, and remove it from the version.");
    CPROF_008 = Rule::error("GCP-CPROF-008", PROFILES, Both)
        .summary("A flavor's `capabilities` are defined in `machineCapabilities`, with one `architecture` where several are \
                  defined.")
        .why("A flavor with another capability or value fits no machine.")
        .fix("Use names and values of `spec.machineCapabilities`, and one `architecture`.");
    CPROF_009 = Rule::error("GCP-CPROF-009", PROFILES, Both)
        .summary("A flavor has an `image`.")
        .why(NO_IMAGE)
        .fix(IMAGE);
    CPROF_010 = Rule::error("GCP-CPROF-010", PROFILES, Both)
        .summary("A version with `capabilityFlavors` has no `architecture`.")
        .why("The flavors' capabilities have the architecture.")
        .fix("Remove `architecture` from the version, and set it in the flavor's `capabilities`.");
    CPROF_011 = Rule::error("GCP-CPROF-011", PROFILES, Both)
        .summary("With `machineCapabilities`, the `architecture` of an image is `amd64` or `arm64`.")
        .why(ARCHITECTURE)
        .fix(CHOOSE);
    CPROF_012 = Rule::error("GCP-CPROF-012", PROFILES, Both)
        .summary("A mapped version has an `image` or `capabilityFlavors`.")
        .why(NO_IMAGE)
        .fix(IMAGE);
    CPROF_013 = Rule::error("GCP-CPROF-013", PROFILES, Both)
        .summary("`capabilityFlavors` are used only where `machineCapabilities` are defined.")
        .why("Without definitions flavors match nothing, and images are chosen by `architecture` alone.")
        .fix("Write an entry with `version`, `image` and `architecture` for each flavor, or define `spec.machineCapabilities` in \
              the CloudProfile.");
    CPROF_014 = Rule::error("GCP-CPROF-014", PROFILES, Both)
        .summary("Without `machineCapabilities`, a mapped version has an `image`.")
        .why(NO_IMAGE)
        .fix(IMAGE);
    CPROF_015 = Rule::error("GCP-CPROF-015", PROFILES, Both)
        .summary("Without `machineCapabilities`, the `architecture` of an image is `amd64` or `arm64`.")
        .why(ARCHITECTURE)
        .fix(CHOOSE);
    CPROF_020 = Rule::error("GCP-CPROF-020", CLOUD_PROFILE, Both)
        .summary("Every image of `spec.machineImages` with versions is mapped in `providerConfig`.")
        .why(MAPPED)
        .fix("Add the image to `providerConfig.machineImages`, or remove it from `spec.machineImages`.");
    CPROF_021 = Rule::error("GCP-CPROF-021", CLOUD_PROFILE, Both)
        .summary("Every image version of `spec.machineImages` is mapped in `providerConfig`.")
        .why(MAPPED)
        .fix("Add the version to the image in `providerConfig.machineImages`, or remove it from `spec.machineImages`.");
    CPROF_022 = Rule::error("GCP-CPROF-022", CLOUD_PROFILE, Both)
        .summary("Every flavor of an image version has a mapped flavor with equal capabilities.")
        .why(NO_IMAGE)
        .fix("Add an entry with these `capabilities` and `image` to the version's `capabilityFlavors` in `providerConfig`.");
    CPROF_023 = Rule::error("GCP-CPROF-023", CLOUD_PROFILE, Both)
        .summary("A version mapped without flavors has an image for each architecture of every flavor.")
        .why(NO_IMAGE)
        .fix("Add an entry with the `version`, `image` and this `architecture` in `providerConfig`.");
    CPROF_024 = Rule::error("GCP-CPROF-024", CLOUD_PROFILE, Both)
        .summary("`architectures` of an image version are `amd64` and `arm64`.")
        .why(ARCHITECTURE)
        .fix("Remove the other architecture from the version in `spec.machineImages`.")
        .doubles(&["GDN-CPR-043"]);
    CPROF_025 = Rule::error("GCP-CPROF-025", CLOUD_PROFILE, Both)
        .summary("Without `machineCapabilities`, every architecture of an image version is mapped.")
        .why(NO_IMAGE)
        .fix("Add an entry with the `version`, `image` and this `architecture` in `providerConfig`.");
}
