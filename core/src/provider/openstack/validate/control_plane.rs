//! Settings of the control plane (OS-CPC).

use super::load_balancer_classes;
use crate::document::Path;
use crate::gardener::checks::feature_gates::{FeatureGateRules, check_feature_gates};
use crate::gardener::shoot::CONTROL_PLANE;
use crate::provider::openstack::api::{ControlPlaneConfig, InfrastructureConfig};
use crate::provider::openstack::rules::control_plane as rules;
use crate::report::{ErrorType, Report};

/// The place of the classes of load balancers.
pub const CLASSES: Path<'_> = CONTROL_PLANE.key("loadBalancerClasses");

const FEATURE_GATES: FeatureGateRules = FeatureGateRules {
    known: &rules::CPC_004,
    version: &rules::CPC_004,
    supported: &rules::CPC_004,
    locked: &rules::CPC_004,
    newest: 36,
};

/// Judges the settings for a Kubernetes version. Without a readable infrastructureConfig nobody knows whether the
/// Shoot has a network for shared file systems.
pub fn validate(
    config: &ControlPlaneConfig<'_>,
    infrastructure: Option<&InfrastructureConfig<'_>>,
    version: &str,
    report: &mut Report<'_>,
) {
    if config.load_balancer_provider.is_empty() {
        let detail = "must provide the name of a load balancer provider";
        report.error(&rules::CPC_001, &CONTROL_PLANE.key("loadBalancerProvider"), ErrorType::Required, detail);
    }
    load_balancer_classes::validate(&config.load_balancer_classes, &CLASSES, report);
    for (index, class) in config.load_balancer_classes.iter().enumerate() {
        if class.purpose == Some("vpn") {
            let detail = "not allowed to specify a LoadBalancerClass with purpose \"vpn\"";
            report.error(&rules::CPC_003, &CLASSES.index(index), ErrorType::Invalid, detail);
        }
    }
    if let Some(manager) = &config.cloud_controller_manager {
        check_feature_gates(&manager.feature_gates, version, &FEATURE_GATES, report);
    }
    let manila = config.storage.and_then(|storage| storage.csi_manila).is_some_and(|driver| driver.enabled);
    if manila && infrastructure.is_some_and(|config| !config.networks.has_share_network()) {
        let path = CONTROL_PLANE.key("storage");
        let path = path.key("csiManila");
        let detail = "share network must be created if CSI manila driver is enabled";
        report.error(&rules::CPC_005, &path.key("enabled"), ErrorType::Invalid, detail);
    }
}
