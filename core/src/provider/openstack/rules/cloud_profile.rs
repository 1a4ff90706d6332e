//! CloudProfile: floating pools, load balancer providers, Keystone, and the mapping of machine images. The content
//! of a mapping is judged alike in a `NamespacedCloudProfile`.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::{CLOUD_PROFILE, PROFILES};

/// Why images and versions of the profile are mapped.
const MAPPED: &str = "Users could choose an image of which no ID is known, and their nodes would not start.";
/// Why a key that is present has a value.
const EMPTY: &str = "An entry without region or domain counts for all of them; an empty text counts for none.";
/// What an architecture may be.
const ARCHITECTURE: &str = "Machines of OpenStack are amd64 or arm64.";
/// Why a CA certificate must be readable.
const CERTIFICATE: &str = "Clients cannot check Keystone's certificate with a text that is none.";
/// How to write a CA certificate.
const PEM: &str = "Set the whole certificate in PEM form, beginning with `-----BEGIN CERTIFICATE-----`.";

rules! {
    CPROF_001 = Rule::error("OS-CPROF-001", CLOUD_PROFILE, Both)
        .summary("A CloudProfile has a `providerConfig`.")
        .why("Keystone, floating pools and images of an OpenStack are known from it only.")
        .fix("Add `spec.providerConfig` of kind `CloudProfileConfig`.");
    CPROF_002 = Rule::error("OS-CPROF-002", CLOUD_PROFILE, Both)
        .summary("`providerConfig` is a `CloudProfileConfig` of a supported version.")
        .why("A field that is unknown, given twice or of the wrong type would lose a setting unnoticed.")
        .fix("Set `apiVersion: openstack.provider.extensions.gardener.cloud/v1alpha1` and `kind: CloudProfileConfig`, \
              and correct the field that is named.");
    CPROF_003 = Rule::error("OS-CPROF-003", CLOUD_PROFILE, Both)
        .summary("`constraints.floatingPools` has at least one pool.")
        .why("Every Shoot names a floating pool, which must be one of these.")
        .fix("Add an entry with the `name` of an external network.");
    CPROF_004 = Rule::error("OS-CPROF-004", CLOUD_PROFILE, Both)
        .summary("A floating pool has a `name`.")
        .why("Shoots choose the pool by its name.")
        .fix("Set `name` to an external network, or to a pattern such as `internet-*`.");
    CPROF_005 = Rule::error("OS-CPROF-005", CLOUD_PROFILE, Both)
        .summary("`region` of a floating pool is not empty.")
        .why(EMPTY)
        .fix("Fill in the region, or remove `region`.");
    CPROF_006 = Rule::error("OS-CPROF-006", CLOUD_PROFILE, Both)
        .summary("`domain` of a floating pool is not empty.")
        .why(EMPTY)
        .fix("Fill in the Keystone domain, or remove `domain`.");
    CPROF_007 = Rule::error("OS-CPROF-007", CLOUD_PROFILE, Both)
        .summary("No two floating pools have the same name, domain and region.")
        .why("The second one is never chosen.")
        .fix("Remove one of the entries, or change its region or domain.");
    CPROF_008 = Rule::error("OS-CPROF-008", CLOUD_PROFILE, Both)
        .summary("`loadBalancerClasses` of a floating pool are well-formed.")
        .why("Shoots with this pool take their classes from it.")
        .fix("Follow the finding, which carries the id of the rule in question.")
        .informative("Its findings are reported as OS-LBC-001 to OS-LBC-013.");
    CPROF_009 = Rule::error("OS-CPROF-009", CLOUD_PROFILE, Both)
        .summary("`constraints.loadBalancerProviders` has at least one provider.")
        .why("Every Shoot names a load balancer provider, which must be one of these.")
        .fix("Add an entry with the `name` of a provider of Octavia, for example `amphora`.");
    CPROF_010 = Rule::error("OS-CPROF-010", CLOUD_PROFILE, Both)
        .summary("A load balancer provider has a `name`.")
        .why("Shoots choose the provider by its name.")
        .fix("Set `name` to a provider of Octavia, for example `amphora`.");
    CPROF_011 = Rule::error("OS-CPROF-011", CLOUD_PROFILE, Both)
        .summary("`region` of a load balancer provider is not empty.")
        .why(EMPTY)
        .fix("Fill in the region, or remove `region`.");
    CPROF_012 = Rule::error("OS-CPROF-012", CLOUD_PROFILE, Both)
        .summary("No two load balancer providers have the same name and region.")
        .why("The second entry says nothing.")
        .fix("Remove one of the entries, or change its region.");
    CPROF_013 = Rule::error("OS-CPROF-013", CLOUD_PROFILE, Both)
        .summary("`providerConfig.machineImages` has at least one image.")
        .why("Without an image no node can be created.")
        .fix("Add an entry with `name` and `versions` for every image of `spec.machineImages`.");
    CPROF_014 = Rule::error("OS-CPROF-014", PROFILES, Both)
        .summary("A mapped image has a `name`.")
        .why("Images of `spec.machineImages` find their mapping by name.")
        .fix("Set `name` to that of the image in `spec.machineImages`.");
    CPROF_015 = Rule::error("OS-CPROF-015", PROFILES, Both)
        .summary("A mapped image has at least one version.")
        .why("Image IDs belong to a version; an image without one maps nothing.")
        .fix("Add an entry with `version` and image IDs to `versions`, or remove the image.");
    CPROF_016 = Rule::error("OS-CPROF-016", PROFILES, Both)
        .summary("A version of a mapped image has a `version`.")
        .why("Versions of `spec.machineImages` find their image IDs by it.")
        .fix("Set `version` to that of the image in `spec.machineImages`.");
    CPROF_017 = Rule::error("OS-CPROF-017", PROFILES, Both)
        .summary("An image version has either `regions` or `capabilityFlavors`.")
        .why("Where both are set, nothing says which image ID counts.")
        .fix("Move the entries of `regions` into flavors with their `architecture`, and remove `regions`.");
    CPROF_018 = Rule::error("OS-CPROF-018", PROFILES, Both)
        .summary("A flavor's `capabilities` are defined in `machineCapabilities`, with one `architecture`.")
        .why("A flavor with other values fits no machine, and an image runs on one architecture only.")
        .fix("Use names and values of `spec.machineCapabilities`; with several architectures set exactly one.");
    CPROF_019 = Rule::error("OS-CPROF-019", PROFILES, Both)
        .summary("A region of an image mapping has a `name`.")
        .why("Shoots find the image ID by their region.")
        .fix("Set `name` to a region of `spec.regions`.");
    CPROF_020 = Rule::error("OS-CPROF-020", PROFILES, Both)
        .summary("A region of an image mapping has an `id`.")
        .why("Servers are created from this image.")
        .fix("Set `id` to the image's ID in that region, or remove the region.");
    CPROF_021 = Rule::error("OS-CPROF-021", PROFILES, Both)
        .summary("`architecture` of a region is `amd64` or `arm64`.")
        .why(ARCHITECTURE)
        .fix("Set `architecture` to `amd64` or `arm64`; without it the image is one for amd64.");
    CPROF_022 = Rule::error("OS-CPROF-022", PROFILES, Both)
        .summary("A region of a flavor has no `architecture`.")
        .why("The flavor's capabilities have the architecture.")
        .fix("Remove `architecture` from the region, and set it in the flavor's `capabilities`.");
    CPROF_023 = Rule::error("OS-CPROF-023", PROFILES, Both)
        .summary("`capabilityFlavors` are used only where `machineCapabilities` are defined.")
        .why("Without definitions flavors match nothing, and images are chosen by `regions` alone.")
        .fix("Move the region entries to `regions` of the version, or define `spec.machineCapabilities` in the \
              CloudProfile.");
    CPROF_024 = Rule::error("OS-CPROF-024", CLOUD_PROFILE, Both)
        .summary("Every image of `spec.machineImages` is mapped in `providerConfig`.")
        .why(MAPPED)
        .fix("Add the image to `providerConfig.machineImages`, or remove it from `spec.machineImages`.");
    CPROF_025 = Rule::error("OS-CPROF-025", CLOUD_PROFILE, Both)
        .summary("Every image version of `spec.machineImages` is mapped in `providerConfig`.")
        .why(MAPPED)
        .fix("Add the version to the image in `providerConfig.machineImages`, or remove it from \
              `spec.machineImages`.");
    CPROF_026 = Rule::error("OS-CPROF-026", CLOUD_PROFILE, Both)
        .summary("Every flavor of an image version has a mapped flavor with equal capabilities.")
        .why("Machines that need this flavor would find no image ID.")
        .fix("Add an entry with these `capabilities` and `regions` to the version's `capabilityFlavors` in \
              `providerConfig`.");
    CPROF_027 = Rule::error("OS-CPROF-027", CLOUD_PROFILE, Both)
        .summary("A version mapped by `regions` has an image ID for the architecture of every flavor.")
        .why("Machines of this architecture would find no image ID.")
        .fix("Add an entry with `name`, `id` and this `architecture` to the version's `regions` in \
              `providerConfig`.");
    CPROF_028 = Rule::error("OS-CPROF-028", CLOUD_PROFILE, Both)
        .summary("A mapped version has image IDs for every flavor of `spec.machineImages`.")
        .why("The entry has neither flavors nor regions; an `image` alone does not do where capabilities are \
              defined.")
        .fix("Add `capabilityFlavors` with `capabilities` and `regions` to the version in `providerConfig`.");
    CPROF_029 = Rule::error("OS-CPROF-029", CLOUD_PROFILE, Both)
        .summary("`architectures` of an image version are `amd64` and `arm64`.")
        .why(ARCHITECTURE)
        .fix("Correct `architectures` of the version in `spec.machineImages`.")
        .doubles(&["GDN-CPR-043"]);
    CPROF_030 = Rule::error("OS-CPROF-030", CLOUD_PROFILE, Both)
        .summary("A version mapped by `regions` has an image ID for each of its architectures.")
        .why("Machines of this architecture would find no image ID.")
        .fix("Add an entry with `name`, `id` and this `architecture` to the version's `regions` in \
              `providerConfig`.");
    CPROF_031 = Rule::error("OS-CPROF-031", CLOUD_PROFILE, Both)
        .summary("`keystoneURL` or `keystoneURLs` is set.")
        .why("Every call to OpenStack begins at Keystone.")
        .fix("Set `keystoneURL`, for example `https://keystone.example.com/v3`, or `keystoneURLs` for regions.");
    CPROF_032 = Rule::error("OS-CPROF-032", CLOUD_PROFILE, Both)
        .summary("`keystoneCACert` is a certificate in PEM form.")
        .why(CERTIFICATE)
        .fix(PEM);
    CPROF_033 = Rule::error("OS-CPROF-033", CLOUD_PROFILE, Both)
        .summary("An entry of `keystoneURLs` has a `region`.")
        .why("Shoots find the URL by their region.")
        .fix("Set `region`, or use `keystoneURL` for all regions.");
    CPROF_034 = Rule::error("OS-CPROF-034", CLOUD_PROFILE, Both)
        .summary("An entry of `keystoneURLs` has a `url`.")
        .why("Every call to OpenStack begins at Keystone.")
        .fix("Set `url`, for example `https://keystone.example.com/v3`, or remove the entry.");
    CPROF_035 = Rule::error("OS-CPROF-035", CLOUD_PROFILE, Both)
        .summary("`caCert` of an entry of `keystoneURLs` is a certificate in PEM form.")
        .why(CERTIFICATE)
        .fix(PEM);
    CPROF_036 = Rule::error("OS-CPROF-036", CLOUD_PROFILE, Both)
        .summary("`keystoneURLs` names a region once.")
        .why("The first entry of a region counts.")
        .fix("Remove one of the entries, or correct its `region`.");
    CPROF_037 = Rule::error("OS-CPROF-037", CLOUD_PROFILE, Both)
        .summary("Entries of `dnsServers` are IP addresses.")
        .why("Subnets hand them to nodes, which could not resolve the name of a resolver.")
        .fix("Write the address of the DNS server, for example `10.10.10.11`.");
    CPROF_038 = Rule::error("OS-CPROF-038", CLOUD_PROFILE, Both)
        .summary("`dhcpDomain` is not empty.")
        .why("An empty domain says nothing.")
        .fix("Fill in the domain, or remove `dhcpDomain`.");
    CPROF_039 = Rule::error("OS-CPROF-039", CLOUD_PROFILE, Both)
        .summary("Entries of `serverGroupPolicies` are not empty.")
        .why("Worker pools choose a policy by its name.")
        .fix("Write a policy of Nova, for example `soft-anti-affinity`, or remove the entry.");
    CPROF_040 = Rule::error("OS-CPROF-040", CLOUD_PROFILE, Both)
        .summary("`spec.machineCapabilities` is readable.")
        .why("Images and machine types are matched by these capabilities.")
        .fix("Write every entry of `machineCapabilities` with `name` and a list of `values`.")
        .informative("What Gardener stores is always readable; the conversion does not fail.");
}
