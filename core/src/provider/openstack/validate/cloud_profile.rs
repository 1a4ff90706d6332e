//! CloudProfiles (OS-CPROF).

use std::net::IpAddr;

use super::image_mappings::IMAGES;
use super::{advice, load_balancer_classes};
use crate::collections::{NameMap, NameSet};
use crate::document::Path;
use crate::gardener::images::{judge_profile, read_cloud_profile};
use crate::gardener::types::cloud_profile::PROVIDER_CONFIG;
use crate::policy::{Request, RequestError};
use crate::provider::openstack::api::{CloudProfileConfig, Constraints, FloatingPool, LoadBalancerProvider};
use crate::provider::openstack::image_mapping;
use crate::provider::openstack::rules::cloud_profile as rules;
use crate::report::{ErrorType, Report, Rule, Severity};
use crate::text::is_certificate;

const CONFIG: Path<'_> = Path::root("spec.providerConfig", PROVIDER_CONFIG);

/// Judges a CloudProfile. An update is judged like a creation.
pub fn cloud_profile<'r>(request: &Request<'r>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let read = read_cloud_profile::<CloudProfileConfig<'r>>(request, &IMAGES.configuration, report)?;
    let Some((profile, config)) = read else { return Ok(()) };
    constraints(&config.constraints, report);
    let images = image_mapping::images(&config);
    judge_profile(&profile, &images, &IMAGES, report)?;
    keystone(&config, report);
    network(&config, report);
    let policies = CONFIG.key("serverGroupPolicies");
    for (index, policy) in config.server_group_policies.iter().enumerate() {
        required(&rules::CPROF_039, Some(policy), &policies.index(index), "policy cannot be empty", report);
    }
    advice::cloud_profile(&profile, &config, &images, report);
    Ok(())
}

/// Complains of a text that is there, and empty.
fn required(rule: &'static Rule, text: Option<&str>, path: &Path<'_>, detail: &str, report: &mut Report<'_>) {
    if text == Some("") {
        report.error(rule, path, ErrorType::Required, detail);
    }
}

fn constraints(constraints: &Constraints<'_>, report: &mut Report<'_>) {
    let place = CONFIG.key("constraints");
    floating_pools(&constraints.floating_pools, &place.key("floatingPools"), report);
    load_balancer_providers(&constraints.load_balancer_providers, &place.key("loadBalancerProviders"), report);
}

fn floating_pools(pools: &[FloatingPool<'_>], place: &Path<'_>, report: &mut Report<'_>) {
    if pools.is_empty() {
        let detail = "must provide at least one floating pool";
        report.error(&rules::CPROF_003, place, ErrorType::Required, detail);
    }
    let mut seen: NameMap<'_, NameMap<'_, NameSet<'_>>> = NameMap::new();
    for (index, pool) in pools.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = place.index(index);
        let name = path.key("name");
        required(&rules::CPROF_004, Some(pool.name), &name, "must provide a name", report);
        let detail = "must provide a region if key is present";
        required(&rules::CPROF_005, pool.region, &path.key("region"), detail, report);
        let detail = "must provide a domain if key is present";
        required(&rules::CPROF_006, pool.domain, &path.key("domain"), detail, report);
        let [region, domain] = [pool.region, pool.domain].map(|part| part.unwrap_or("*"));
        let has_scope = pool.region.is_some() || pool.domain.is_some();
        let domains = seen.or_insert_with(pool.name, NameMap::new);
        if has_scope && !domains.or_insert_with(domain, NameSet::new).insert(region) {
            report.error(&rules::CPROF_007, &name, ErrorType::Duplicate, "");
        }
    }
    for (index, pool) in pools.iter().enumerate() {
        let path = place.index(index);
        load_balancer_classes::validate(&pool.load_balancer_classes, &path.key("loadBalancerClasses"), report);
    }
}

fn load_balancer_providers(providers: &[LoadBalancerProvider<'_>], place: &Path<'_>, report: &mut Report<'_>) {
    if providers.is_empty() {
        let detail = "must provide at least one load balancer provider";
        report.error(&rules::CPROF_009, place, ErrorType::Required, detail);
    }
    let mut seen: NameMap<'_, NameSet<'_>> = NameMap::new();
    for (index, provider) in providers.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = place.index(index);
        required(&rules::CPROF_010, Some(provider.name), &path.key("name"), "must provide a name", report);
        let detail = "must provide a region if key is present";
        required(&rules::CPROF_011, provider.region, &path.key("region"), detail, report);
        let regions = seen.or_insert_with(provider.name, NameSet::new);
        if provider.region.is_some_and(|region| !regions.insert(region)) {
            report.error(&rules::CPROF_012, &path, ErrorType::Duplicate, "");
        }
    }
}

/// The existing extension prints some names otherwise than a configuration spells them.
fn keystone(config: &CloudProfileConfig<'_>, report: &mut Report<'_>) {
    let url = Path::root("spec.providerConfig.keyStoneURL", "/spec/providerConfig/keystoneURL");
    if config.keystone_url.is_empty() && config.keystone_urls.is_empty() {
        report.error(&rules::CPROF_031, &url, ErrorType::Required, "must provide the URL to KeyStone");
    }
    let certificate = Path::root("spec.providerConfig.caCert", "/spec/providerConfig/keystoneCACert");
    ca_cert(&rules::CPROF_032, config.keystone_ca_cert, &certificate, report);
    let urls = Path::root("spec.providerConfig.keyStoneURLs", "/spec/providerConfig/keystoneURLs");
    let mut seen = NameSet::new();
    for (index, entry) in config.keystone_urls.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = urls.index(index);
        let region = path.key("region");
        required(&rules::CPROF_033, Some(entry.region), &region, "must provide a region", report);
        required(&rules::CPROF_034, Some(entry.url), &path.key("url"), "must provide an url", report);
        ca_cert(&rules::CPROF_035, entry.ca_cert, &path.key("caCert"), report);
        if !seen.insert(entry.region) {
            report.error(&rules::CPROF_036, &region, ErrorType::Duplicate, "");
        }
    }
}

fn ca_cert(rule: &'static Rule, text: Option<&str>, path: &Path<'_>, report: &mut Report<'_>) {
    if text.is_some_and(|text| !text.is_empty() && !is_certificate(text)) {
        report.error(rule, path, ErrorType::Invalid, "caCert is not a valid PEM-encoded certificate");
    }
}

fn network(config: &CloudProfileConfig<'_>, report: &mut Report<'_>) {
    let servers = CONFIG.key("dnsServers");
    for (index, server) in config.dns_servers.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        if server.parse::<IpAddr>().is_err() {
            let path = servers.index(index);
            report.error(&rules::CPROF_037, &path, ErrorType::Invalid, "must provide a valid IP");
        }
    }
    let detail = "must provide a dhcp domain when the key is specified";
    required(&rules::CPROF_038, config.dhcp_domain, &CONFIG.key("dhcpDomain"), detail, report);
}
