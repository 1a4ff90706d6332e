//! Components of the control plane (`alicloud-policy` 4.1, 4.3).

use crate::gardener::mutation::{Change, Sidecar, add_sidecar, autoscale_sidecar, ensure_flag};
use crate::policy::RequestError;
use crate::provider::alicloud::rendering::IMAGES;
use crate::provider::alicloud::rules::mutation as rules;

const SIDECAR: Sidecar = Sidecar {
    name: "machine-controller-manager-provider-alicloud",
    images: IMAGES,
    container: &rules::CPW_002,
    reason: "the machine-controller-manager makes machines of Alibaba Cloud through this container",
    autoscaler: &rules::CPW_003,
};

/// Has the kube-controller-manager leave the cloud to the cloud controller manager.
pub(super) fn kube_controller_manager(change: &mut Change<'_, '_>) -> Result<(), RequestError> {
    let reason =
        "the cloud controller manager runs next to the kube-controller-manager, which must leave the cloud to it";
    let flag = ("--cloud-provider=", "external");
    ensure_flag(change, &rules::CPW_001, "kube-controller-manager", flag, reason)
}

/// Adds the sidecar to the machine-controller-manager.
pub(super) fn machine_controller_manager(change: &mut Change<'_, '_>) -> Result<(), RequestError> {
    add_sidecar(change, &SIDECAR)
}

/// Has the autoscaler of the machine-controller-manager leave the limits of the sidecar alone.
pub(super) fn autoscaler(change: &mut Change<'_, '_>) -> Result<(), RequestError> {
    autoscale_sidecar(change, &SIDECAR)
}
