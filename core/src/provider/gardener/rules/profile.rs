//! What a Shoot asks of its CloudProfile.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

const SHOOT: &[&str] = &["Shoot"];
const OFFER: &str = "The operators of the landscape list in the CloudProfile what they offer.";

rules! {
    ADM_CP_001 = Rule::error("ADM-CP-001", SHOOT, Both)
        .summary("The CloudProfile that a Shoot names exists.")
        .why("All that a Shoot may choose stands there.")
        .fix("Name a CloudProfile or a NamespacedCloudProfile that exists in `spec.cloudProfile`.");
    ADM_CP_002 = Rule::error("ADM-CP-002", SHOOT, Update)
        .summary("A Shoot stays with its CloudProfile: it may change to a NamespacedCloudProfile of that one, and back.")
        .why("Another CloudProfile may lack what the Shoot uses.")
        .fix("Name the CloudProfile of before, or a NamespacedCloudProfile whose parent it is.");
    ADM_CP_003 = Rule::error("ADM-CP-003", SHOOT, Update)
        .summary("Another profile of the Shoot has the image versions that worker pools use.")
        .why("New machines of a worker pool need the image.")
        .fix("Name a profile that has the version, or change the image first.");
    ADM_CP_004 = Rule::error("ADM-CP-004", SHOOT, Update)
        .summary("Another profile of the Shoot has the machine types that worker pools use.")
        .why("New machines of a worker pool need the type.")
        .fix("Name a profile that has the machine type, or change the worker pool first.");
    ADM_CP_005 = Rule::error("ADM-CP-005", SHOOT, Update)
        .summary("Another profile of the Shoot has the volume types that worker pools use.")
        .why("New machines of a worker pool need the type.")
        .fix("Name a profile that has the volume type, or change the worker pool first.");
    ADM_RAW_001 = Rule::error("ADM-RAW-001", SHOOT, Both)
        .summary("The configuration of an extension has a version that the extension serves.")
        .why("`__internal` is how extensions name what they make of it.")
        .fix("Write the `apiVersion` of the configuration, for example `alicloud.provider.extensions.gardener.cloud/v1alpha1`.");
    ADM_K8S_001 = Rule::error("ADM-K8S-001", SHOOT, Both)
        .summary("The CloudProfile offers the Kubernetes version.")
        .why(OFFER)
        .fix("Choose one of the listed versions.");
    ADM_K8S_002 = Rule::error("ADM-K8S-002", SHOOT, Both)
        .summary("The CloudProfile offers the Kubernetes version of a worker pool.")
        .why(OFFER)
        .fix("Choose one of the listed versions, or leave out the version of the pool.");
    ADM_REG_001 = Rule::error("ADM-REG-001", SHOOT, Both)
        .summary("The CloudProfile has the region.")
        .why(OFFER)
        .fix("Choose one of the listed regions.");
    ADM_ACC_001 = Rule::error("ADM-ACC-001", SHOOT, Both)
        .summary("Access restrictions are those of a region of the CloudProfile.")
        .why("Each region has its own.")
        .fix("Choose a region of the CloudProfile.");
    ADM_ACC_002 = Rule::error("ADM-ACC-002", SHOOT, Both)
        .summary("The region has the access restriction.")
        .why(OFFER)
        .fix("Choose one of the listed restrictions, or remove the restriction.");
    ADM_PROV_001 = Rule::error("ADM-PROV-001", SHOOT, Both)
        .summary("The provider type is that of the CloudProfile.")
        .why("A CloudProfile is about one cloud.")
        .fix("Write the provider type of the CloudProfile, or name another CloudProfile.");
    ADM_PROV_002 = Rule::error("ADM-PROV-002", SHOOT, Both)
        .summary("The SecretBinding of a Shoot is for the cloud of the Shoot.")
        .why("Credentials of another cloud open nothing in this one.")
        .fix("Name a SecretBinding of the provider type of the Shoot.");
    ADM_PROV_003 = Rule::error("ADM-PROV-003", SHOOT, Both)
        .summary("The CredentialsBinding of a Shoot is for the cloud of the Shoot.")
        .why("Credentials of another cloud open nothing in this one.")
        .fix("Name a CredentialsBinding of the provider type of the Shoot.");
    ADM_PROV_004 = Rule::error("ADM-PROV-004", SHOOT, Both)
        .summary("The Kubernetes version is a semantic version.")
        .why("Worker pools are judged by it.")
        .fix("Write a version such as `1.33.7`.");
    ADM_MACH_001 = Rule::error("ADM-MACH-001", SHOOT, Both)
        .summary("The architecture of a worker pool is one that Gardener knows.")
        .why("Images and machine types are chosen by it.")
        .fix("Write `amd64` or `arm64`, or leave out `architecture`.")
        .informative("GDN-WRK-051 says the same of the same field.");
    ADM_MACH_010 = Rule::error("ADM-MACH-010", SHOOT, Both)
        .summary("The CloudProfile offers the machine type.")
        .why(OFFER)
        .fix("Choose one of the listed machine types.");
    ADM_MACH_011 = Rule::error("ADM-MACH-011", SHOOT, Both)
        .summary("The machine type may be used, is there in all zones of the worker pool, and has its architecture.")
        .why(OFFER)
        .fix("Choose one of the listed machine types, other zones, or another architecture.");
    ADM_MACH_020 = Rule::error("ADM-MACH-020", SHOOT, Both)
        .summary("The CloudProfile offers the version of the machine image.")
        .why(OFFER)
        .fix("Choose one of the listed versions.");
    ADM_MACH_021 = Rule::error("ADM-MACH-021", SHOOT, Both)
        .summary("The machine image has not expired, has the architecture, and can be updated in place where the pool asks for that.")
        .why("Machines of another image do not start, or get no updates.")
        .fix("Choose one of the listed versions.");
    ADM_MACH_030 = Rule::error("ADM-MACH-030", SHOOT, Both)
        .summary("A flavor of the machine image goes with the capabilities of the machine type.")
        .why("A machine starts with an image that is made for it alone.")
        .fix("Choose another version of the image, or another machine type.");
    ADM_CRI_001 = Rule::error("ADM-CRI-001", SHOOT, Both)
        .summary("The machine image has the container runtime interface.")
        .why(OFFER)
        .fix("Choose one of the listed names, or another image.");
    ADM_CRI_002 = Rule::error("ADM-CRI-002", SHOOT, Both)
        .summary("The machine image has the container runtime.")
        .why(OFFER)
        .fix("Choose one of the listed runtimes, or another image.");
    ADM_KLV_001 = Rule::error("ADM-KLV-001", SHOOT, Both)
        .summary("The machine image goes with the version of the kubelet.")
        .why("An image may be too old, or too new, for a kubelet.")
        .fix("Choose another version of the image, or a Kubernetes version that it allows.");
    ADM_VOL_001 = Rule::error("ADM-VOL-001", SHOOT, Both)
        .summary("The CloudProfile offers the volume type.")
        .why(OFFER)
        .fix("Choose one of the listed volume types.");
    ADM_VOL_002 = Rule::error("ADM-VOL-002", SHOOT, Both)
        .summary("The volume type may be used, and is there in all zones of the worker pool.")
        .why(OFFER)
        .fix("Choose one of the listed volume types, or other zones.");
    ADM_VOL_003 = Rule::error("ADM-VOL-003", SHOOT, Both)
        .summary("The system disk is as large as machine type and volume type demand.")
        .why("The cloud makes no smaller one.")
        .fix("Set the size that is named, or a larger one.");
    ADM_KLT_001 = Rule::error("ADM-KLT-001", SHOOT, Both)
        .summary("The kubelet reserves less CPU than the machine type has.")
        .why("Nothing would be left for pods.")
        .fix("Reserve less in `kubeReserved.cpu`, or choose a larger machine type.");
    ADM_KLT_002 = Rule::error("ADM-KLT-002", SHOOT, Both)
        .summary("The kubelet reserves less memory than the machine type has.")
        .why("Nothing would be left for pods.")
        .fix("Reserve less in `kubeReserved.memory`, or choose a larger machine type.");
    ADM_APL_001 = Rule::error("ADM-APL-001", SHOOT, Both)
        .summary("The Secret of an admission plug-in is one of the Shoot's resources.")
        .why("Gardener copies what stands in `spec.resources` to the control plane, and nothing else.")
        .fix("Add the Secret to `spec.resources`, or name one that is there.");
    ADM_ZONE_001 = Rule::error("ADM-ZONE-001", SHOOT, Both)
        .summary("A worker pool has zones only in a region that has zones.")
        .why(OFFER)
        .fix("Remove `zones`, or choose a region with zones.");
    ADM_ZONE_002 = Rule::error("ADM-ZONE-002", SHOOT, Both)
        .summary("The region has the zone.")
        .why(OFFER)
        .fix("Choose one of the listed zones.");
    ADM_ZONE_003 = Rule::error("ADM-ZONE-003", SHOOT, Both)
        .summary("A worker pool names a zone once.")
        .why("Machines are spread over the zones of the list.")
        .fix("Remove the zone that is there twice.");
    ADM_LIM_001 = Rule::error("ADM-LIM-001", SHOOT, Both)
        .summary("All worker pools together have no more nodes at least than the CloudProfile allows.")
        .why("Operators limit how large a cluster may become.")
        .fix("Lower `minimum` of a pool.");
    ADM_CPZ_001 = Rule::error("ADM-CPZ-001", SHOOT, Both)
        .since(150)
        .summary("A Shoot chooses zones of its control plane only where the CloudProfile allows it.")
        .why("Operators plan the zones of their Seeds.")
        .fix("Remove `controlPlane.zones`, or ask the operators to set `controlPlane.allowZonePinning` in the CloudProfile.");
}
