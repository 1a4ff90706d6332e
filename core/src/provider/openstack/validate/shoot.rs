//! Shoots: the order in which their parts are judged (OS-SHOOT).

use super::parts::{PARTS, Parts};
use super::shoot_credentials::credentials;
use super::{advice, control_plane, dns, infrastructure, infrastructure_update, profile, workers};
use crate::document::Value;
use crate::gardener::checks::dns::check_dns;
use crate::gardener::checks::immutable::check_pools;
use crate::gardener::shoot::{INFRASTRUCTURE, Manifest, NETWORKING};
use crate::gardener::types::shoot::kubernetes_version;
use crate::policy::{Request, RequestError};
use crate::provider::openstack::api::InfrastructureConfig;
use crate::provider::openstack::rules::shoot as rules;
use crate::report::{ErrorType, Report};

/// Judges a Shoot. One without workers has nothing on OpenStack.
pub fn shoot(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let manifest = Manifest::read(request.object)?;
    let old = request.old_object.map(Manifest::read_old).transpose()?;
    if !manifest.has_workers(report) {
        return Ok(());
    }
    let credentials = credentials(request, &manifest.shoot, report)?;
    let offered = profile::read(request, &manifest.shoot, report);
    let (new, old) = Parts::read(manifest, old, &PARTS, report);
    let shoot = &new.manifest.shoot;
    if let Some(old) = &old
        && let (Some(config), Some(before)) = (&new.infrastructure, &old.infrastructure)
    {
        infrastructure_update::validate(config, before, old.manifest.object, report);
    }
    if let Some(offered) = &offered {
        profile::validate(&new, old.as_ref(), offered, &credentials, report);
        if request.may_be_edited() {
            let mut changed = Report::new(request.object);
            profile::validate(&new, None, offered, &credentials, &mut changed);
            report.open_if_changed(changed);
        }
    }
    if let Some(old) = &old {
        check_pools(&new.manifest, &old.manifest, &workers::POOLS, report);
    }
    if let Some(networking) = &shoot.spec.networking {
        network(networking.nodes, request.object, new.infrastructure.as_ref(), report);
    } else {
        report.leaves_out("the network of a Shoot without spec.networking");
    }
    if let Some(config) = &new.control_plane {
        let version = kubernetes_version(request.object);
        control_plane::validate(config, new.infrastructure.as_ref(), &version.0, report);
    }
    let configs = workers::validate(&new.manifest, offered.as_ref(), report);
    check_dns(request, shoot, &dns::DNS, report)?;
    let pool = offered.as_ref().and_then(|offered| profile::pool(&new, offered, &credentials));
    advice::shoot(&new, &configs, old.as_ref(), pool, report);
    Ok(())
}

/// Judges the network of a Shoot that has `spec.networking`.
fn network(
    nodes: Option<&str>,
    shoot: &Value<'_>,
    config: Option<&InfrastructureConfig<'_>>,
    report: &mut Report<'_>,
) {
    if nodes.is_none() {
        let detail = "a nodes CIDR must be provided for Openstack shoots";
        report.error(&rules::SHOOT_011, &NETWORKING.key("nodes"), ErrorType::Required, detail);
    }
    let families = shoot.at(&["spec", "networking", "ipFamilies"]).map(Value::items).unwrap_or_default();
    let has = |family: &str| families.iter().any(|entry| entry.as_str() == Some(family));
    if families.len() == 1 && has("IPv6") {
        let detail = "IPv6 single-stack networking is not supported";
        report.error(&rules::SHOOT_012, &NETWORKING.key("ipFamilies"), ErrorType::Invalid, detail);
    }
    let Some(config) = config else { return };
    infrastructure::validate(config, nodes, report);
    let has_ipv6 =
        config.networks.ipv6.is_some_and(|ipv6| ipv6.subnet_pool_id.is_some() || !ipv6.node_cidr.is_empty());
    if has("IPv4") && has("IPv6") && !has_ipv6 {
        let detail = "either networks.ipv6.subnetPoolID or networks.ipv6 CIDRs must be set for dual-stack shoots";
        report.error(&rules::SHOOT_013, &INFRASTRUCTURE, ErrorType::Required, detail);
    }
}
