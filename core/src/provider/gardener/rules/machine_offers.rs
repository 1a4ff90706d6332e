//! The machine images, machine types and volume types that a CloudProfile or a NamespacedCloudProfile offers.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

const CLOUD_PROFILE: &[&str] = &["CloudProfile"];
const PROFILES: &[&str] = &["CloudProfile", "NamespacedCloudProfile"];
const NAME: &str = "Write letters, digits, `-`, `_` and `.`, 63 at most; begin and end with a letter or a digit.";
const SORTED: &str = "Gardener sorts the versions, and updates nodes from one to a later one.";
const CAPABILITIES: &str = "Gardener chooses the image of a machine by the capabilities of both.";
const CONTAINERS: &str = "Nodes run their containers by it.";
const TWICE: &str = "Gardener looks up entries by their name.";
const AMOUNT: &str = "Write a quantity such as `4`, `16Gi` or `500m`.";
const NODES: &str = "The cluster autoscaler reckons with it.";
const DEFINED: &str = "Choose what `spec.machineCapabilities` of the CloudProfile defines, or define it there.";

rules! {
    GDN_CPR_030 = Rule::error("GDN-CPR-030", CLOUD_PROFILE, Both)
        .summary("A CloudProfile offers a machine image.")
        .why("A worker pool needs one.")
        .fix("Add an image to `spec.machineImages`.");
    GDN_CPR_031 = Rule::error("GDN-CPR-031", PROFILES, Both)
        .summary("Gardener knows which version of an image is the latest.")
        .why(SORTED)
        .fix("Write a semantic version.");
    GDN_CPR_032 = Rule::error("GDN-CPR-032", PROFILES, Both)
        .summary("A machine image is listed once.")
        .why(TWICE)
        .fix("Put all versions into one entry, and remove the other.");
    GDN_CPR_033 = Rule::error("GDN-CPR-033", PROFILES, Both)
        .summary("A machine image has a name, which is a qualified name without a prefix.")
        .why("Gardener labels nodes with it.")
        .fix(NAME);
    GDN_CPR_034 = Rule::error("GDN-CPR-034", PROFILES, Both)
        .summary("A machine image has a version.")
        .why("A worker pool needs one.")
        .fix("Add a version, or remove the image.");
    GDN_CPR_035 = Rule::error("GDN-CPR-035", PROFILES, Both)
        .summary("The update strategy of a machine image is `major`, `minor` or `patch`.")
        .why("It says how far an automatic update goes.")
        .fix("Choose one of these.");
    GDN_CPR_047 = Rule::error("GDN-CPR-047", PROFILES, Both)
        .summary("A machine image has an update strategy.")
        .why("It says how far an automatic update goes.")
        .fix("Set `updateStrategy` to `major`, `minor` or `patch`.");
    GDN_CPR_036 = Rule::error("GDN-CPR-036", PROFILES, Both)
        .summary("A version of an image is listed once.")
        .why(TWICE)
        .fix("Remove the other entry of the version.");
    GDN_CPR_037 = Rule::error("GDN-CPR-037", PROFILES, Both)
        .summary("A version of an image has a version number.")
        .why(SORTED)
        .fix("Set `version`.");
    GDN_CPR_038 = Rule::error("GDN-CPR-038", PROFILES, Both)
        .summary("The version of an image is a semantic version.")
        .why(SORTED)
        .fix("Write a version such as `1.2.3`; `providerConfig` says which image of the cloud that is.");
    GDN_CPR_039 = Rule::error("GDN-CPR-039", PROFILES, Both)
        .summary("The version from which an image can be updated in place is a semantic version.")
        .why(SORTED)
        .fix("Write a version such as `1.2.3`, or remove `minVersionForUpdate`.");
    GDN_CPR_040 = Rule::error("GDN-CPR-040", PROFILES, Both)
        .summary("Where the CloudProfile defines several architectures, a version of an image has a capability flavor.")
        .why("The flavors say which architectures the image has.")
        .fix("Add a flavor for each architecture that the image has, for example `- architecture: [amd64]`.");
    GDN_CPR_041 = Rule::error("GDN-CPR-041", PROFILES, Both)
        .summary("A capability flavor of an image has one architecture.")
        .why("An image of the cloud has one.")
        .fix("Write one flavor for each architecture.");
    GDN_CPR_042 = Rule::error("GDN-CPR-042", PROFILES, Both)
        .summary("The architectures of an image are those of its capability flavors.")
        .why("`architectures` and the capability `architecture` say the same.")
        .fix("Remove `architectures`, or add a flavor for the architecture that lacks one.");
    GDN_CPR_043 = Rule::error("GDN-CPR-043", PROFILES, Both)
        .summary("The architectures of an image are those that the CloudProfile defines, or else `amd64` and `arm64`.")
        .why("Gardener runs on no others.")
        .fix("Choose one of the listed architectures.");
    GDN_CPR_044 = Rule::error("GDN-CPR-044", PROFILES, Both)
        .summary("A capability flavor has capabilities and values that the CloudProfile defines.")
        .why(CAPABILITIES)
        .fix(DEFINED);
    GDN_CPR_046 = Rule::error("GDN-CPR-046", PROFILES, Both)
        .summary("The kubelet versions of an image are a constraint on semantic versions.")
        .why("Gardener chooses the image of a node by it.")
        .fix("Write a constraint such as `>= 1.31` or `>= 1.31, < 1.34`, or remove it.");
    GDN_CPR_048 = Rule::error("GDN-CPR-048", PROFILES, Both)
        .summary("A version of an image has a container runtime interface.")
        .why(CONTAINERS)
        .fix("Add `- name: containerd` to `cri`.");
    GDN_CPR_049 = Rule::error("GDN-CPR-049", PROFILES, Both)
        .summary("A container runtime interface is listed once.")
        .why(TWICE)
        .fix("Remove the other entry.");
    GDN_CPR_050 = Rule::error("GDN-CPR-050", PROFILES, Both)
        .summary("The container runtime interface is `containerd`.")
        .why(CONTAINERS)
        .fix("Write `containerd`.");
    GDN_CPR_051 = Rule::error("GDN-CPR-051", PROFILES, Both)
        .summary("The type of a container runtime is a qualified name without a prefix, and is listed once.")
        .why("Gardener labels nodes with it.")
        .fix(NAME);
    GDN_CPR_045 = Rule::error("GDN-CPR-045", PROFILES, Both)
        .summary("Classification and lifecycle of a version of an image follow the rules of Kubernetes versions.")
        .why("Both say which versions a Shoot may use, and when.")
        .informative("GDN-CPR-016 to GDN-CPR-024 say it.");
    GDN_CPR_052 = Rule::error("GDN-CPR-052", PROFILES, Both)
        .summary("Without machine capabilities, a version of an image has an architecture.")
        .why("Gardener chooses the image of a machine by its architecture.")
        .fix("Set `architectures`, for example to `[amd64]`.");
    GDN_CPR_053 = Rule::error("GDN-CPR-053", PROFILES, Both)
        .summary("Without machine capabilities in the CloudProfile, a version of an image has no capability flavors.")
        .why(CAPABILITIES)
        .fix("Remove `capabilityFlavors`, or define the capabilities in `spec.machineCapabilities` of the CloudProfile.");
    GDN_CPR_070 = Rule::error("GDN-CPR-070", CLOUD_PROFILE, Both)
        .summary("A CloudProfile offers a machine type.")
        .why("A worker pool needs one.")
        .fix("Add a type to `spec.machineTypes`.");
    GDN_CPR_071 = Rule::error("GDN-CPR-071", PROFILES, Both)
        .summary("A machine type has a name, which is a qualified name without a prefix.")
        .why("Gardener labels nodes with it.")
        .fix(NAME);
    GDN_CPR_072 = Rule::error("GDN-CPR-072", PROFILES, Both)
        .summary("A machine type is listed once.")
        .why(TWICE)
        .fix("Remove the other entry.");
    GDN_CPR_073 = Rule::error("GDN-CPR-073", PROFILES, Both)
        .summary("CPUs, GPUs and memory of a machine type are not negative.")
        .why(NODES)
        .fix(AMOUNT);
    GDN_CPR_074 = Rule::error("GDN-CPR-074", PROFILES, Both)
        .summary("A machine type has one architecture.")
        .why(CAPABILITIES)
        .fix("Keep one value of the capability `architecture`.");
    GDN_CPR_075 = Rule::error("GDN-CPR-075", PROFILES, Both)
        .summary("The architecture of a machine type is that of its capabilities.")
        .why("`architecture` and the capability `architecture` say the same.")
        .fix("Remove `architecture`, or write the value of the capability.");
    GDN_CPR_076 = Rule::error("GDN-CPR-076", PROFILES, Both)
        .summary("The architecture of a machine type is `amd64` or `arm64`.")
        .why("Gardener runs on no others.")
        .fix("Write `amd64` or `arm64`.");
    GDN_CPR_077 = Rule::error("GDN-CPR-077", PROFILES, Both)
        .summary("A machine type has capabilities and values that the CloudProfile defines.")
        .why(CAPABILITIES)
        .fix(DEFINED);
    GDN_CPR_078 = Rule::error("GDN-CPR-078", PROFILES, Both)
        .summary("The storage of a machine type has a size or a least size, and not both.")
        .why("With `size`, the disk comes with the machine; with `minSize`, a worker pool chooses the size.")
        .fix("Set one of `size` and `minSize`.");
    GDN_CPR_079 = Rule::error("GDN-CPR-079", PROFILES, Both)
        .summary("The size of a storage is not negative.")
        .why("A worker pool gets a disk of that size.")
        .fix("Write a quantity such as `50Gi`.");
    GDN_CPR_080 = Rule::error("GDN-CPR-080", PROFILES, Both)
        .summary("Without machine capabilities, a machine type has an architecture.")
        .why("Gardener chooses the image of a machine by its architecture.")
        .fix("Set `architecture` to `amd64` or `arm64`.");
    GDN_CPR_081 = Rule::error("GDN-CPR-081", PROFILES, Both)
        .summary("Without machine capabilities in the CloudProfile, a machine type has no capabilities.")
        .why(CAPABILITIES)
        .fix("Remove `capabilities`, or define them in `spec.machineCapabilities` of the CloudProfile.");
    GDN_CPR_085 = Rule::error("GDN-CPR-085", PROFILES, Both)
        .summary("A volume type has a name, which is a qualified name without a prefix, and which no other volume type has.")
        .why(TWICE)
        .fix(NAME);
    GDN_CPR_086 = Rule::error("GDN-CPR-086", PROFILES, Both)
        .summary("A volume type has a class, which is a qualified name without a prefix.")
        .why("The class says what a volume is good for, for example `premium`.")
        .fix(NAME);
    GDN_CPR_087 = Rule::error("GDN-CPR-087", PROFILES, Both)
        .summary("The least size of a volume type is not negative.")
        .why("A worker pool gets a volume of that size at least.")
        .fix("Write a quantity such as `20Gi`.");
}
