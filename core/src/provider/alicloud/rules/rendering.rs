//! What forbids to render a control plane, and what is not known of it.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::CONTROL_PLANE;

/// Why a policy asks what the cluster holds.
const KEPT: &str = "Pods restart whenever an annotation of theirs changes. Two annotations are digests, and the existing extension \
                    takes them of other texts.";

rules! {
    RND_001 = Rule::error("ALI-RND-001", CONTROL_PLANE, Both)
        .summary("The Secret with the credentials of the control plane is there, and has an access key.")
        .why("The cloud controller manager and the CSI driver call the cloud with it.")
        .fix("Give the Secret the keys `accessKeyID` and `accessKeySecret`.");
    RND_002 = Rule::error("ALI-RND-002", CONTROL_PLANE, Both)
        .summary("The status of the infrastructure has a VSwitch for nodes.")
        .why("The cloud controller manager gets the VSwitch and the zone that load balancers stand in.")
        .fix("Wait until the Infrastructure is ready, so that its status has a VSwitch of the purpose `nodes`.");
    RND_003 = Rule::error("ALI-RND-003", CONTROL_PLANE, Both)
        .summary("The configuration of the control plane can be read.")
        .why("It says which feature gates the cloud controller manager has, and who attaches disks.")
        .fix("Correct the configuration; it is of the kind `ControlPlaneConfig`.");
    RND_004 = Rule::error("ALI-RND-004", CONTROL_PLANE, Both)
        .summary("The status of the infrastructure is there and can be read.")
        .why("It names the VPC and its VSwitches.")
        .fix("Wait until the Infrastructure is ready; its status is of the kind `InfrastructureStatus`.");
    RND_005 = Rule::error("ALI-RND-005", CONTROL_PLANE, Both)
        .summary("The image vector has an image for each container.")
        .why("A container without an image does not start.")
        .fix("Correct the images that replace those of the policy, or add one for the Kubernetes version of the Shoot.");
    RND_006 = Rule::error("ALI-RND-006", CONTROL_PLANE, Both)
        .summary("Whether the kube-apiserver runs is known while the Shoot hibernates.")
        .why("The pods of a control plane go after the kube-apiserver, not before: they clean up through it.")
        .fix("Let the host read the Deployment `kube-apiserver`.")
        .informative("A query asks for it.");
    RND_007 = Rule::warning("ALI-RND-007", CONTROL_PLANE, Both)
        .summary("Pods keep running while what they mount stays the same.")
        .why(KEPT)
        .fix("Let the host read the objects that the cluster holds.")
        .informative("Queries ask for what the cluster holds; `restarts` says which pods restart.");
    RND_008 = Rule::warning("ALI-RND-008", CONTROL_PLANE, Both)
        .summary("In a preview, a placeholder stands for what the Shoot does not say.")
        .why("Only the cloud and the seed know ids, credentials and names of Secrets.")
        .fix("Render with the ControlPlane and the Cluster of the seed.")
        .informative("A placeholder is never a mistake.");
}
