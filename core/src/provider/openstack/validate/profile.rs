//! What a Shoot chooses of its CloudProfile: the floating pool and load balancers (OS-SHOOT-003, 006, OS-INFCP,
//! OS-CPCP).

use super::control_plane::CLASSES;
use super::parts::Parts;
use super::shoot_credentials::Credentials;
use crate::call::Known;
use crate::document::decode::Mode;
use crate::document::{Path, Value};
use crate::gardener::shoot::{
    CONTROL_PLANE, INFRASTRUCTURE, blame_profile, cloud_profile_reference, named_profile,
};
use crate::gardener::types::cloud_profile::offering;
use crate::gardener::types::shoot::Shoot;
use crate::policy::Request;
use crate::provider::openstack::api::{
    CloudProfileConfig, Config, ControlPlaneConfig, FloatingPool, LoadBalancerClass, LoadBalancerProvider,
};
use crate::provider::openstack::floating_pools::{Choice, RequestedPool, choose};
use crate::provider::openstack::rules::{control_plane, infrastructure_profile, shoot as rules};
use crate::report::{ErrorType, Report, Reported, Rule, Severity};
use crate::text::{Supported, join, quote};

/// Reads what the CloudProfile of a Shoot offers; none where nobody knows it, or nobody can read it.
pub fn read<'r>(
    request: &Request<'r>,
    shoot: &Shoot<'_>,
    report: &mut Report<'_>,
) -> Option<CloudProfileConfig<'r>> {
    let (rule, detail, error) = match named_profile(request, shoot) {
        Known::Failed(message) => (&rules::SHOOT_003, message, None),
        Known::Unknown(query) => {
            let why = "the CloudProfile is not known here; what the Shoot chooses of it is checked on submit";
            report.undecided(&rules::SHOOT_003, why, Some(query));
            return None;
        }
        Known::Found(profile) => {
            let reference = shoot.spec.cloud_profile.map_or_else(
                || "%!q(*core.CloudProfileReference=<nil>)".to_owned(),
                |reference| format!("&{{{} {}}}", quote(reference.kind), quote(reference.name)),
            );
            let Some(offered) = offering(profile) else {
                let why = "the CloudProfile is known here without its offers; what the Shoot chooses of it is checked on submit";
                report.undecided(&rules::SHOOT_003, why, None);
                return None;
            };
            match offered.get("providerConfig") {
                None => {
                    (&rules::SHOOT_006, format!("providerConfig is not given for cloud profile {reference}"), None)
                }
                Some(config) => match CloudProfileConfig::read(config, Mode::Strict) {
                    Ok(config) => return Some(config),
                    Err(error) => {
                        let detail =
                            format!("an error occurred while reading the cloud profile {reference}: {error}");
                        (&rules::SHOOT_006, detail, Some(error))
                    }
                },
            }
        }
    };
    let entry = report.deny(rule, &cloud_profile_reference(shoot).pointer(), detail).hides_others();
    if let Some(error) = error {
        blame_profile(entry, shoot, &error);
    }
    None
}

/// The floating pool that a Shoot chooses, where it is known and offered.
pub fn pool<'p, 'v>(
    new: &Parts<'_>,
    profile: &'p CloudProfileConfig<'v>,
    credentials: &Credentials,
) -> Option<&'p FloatingPool<'v>> {
    let name = new.infrastructure.as_ref()?.floating_pool_name;
    let wanted = RequestedPool { name, region: new.manifest.shoot.spec.region, domain: credentials.domain() };
    match choose(&profile.constraints.floating_pools, wanted) {
        Choice::Pool(pool) => Some(pool),
        Choice::NotOffered(_) | Choice::DependsOnDomain => None,
    }
}

/// Judges what a Shoot with credentials chooses. Of an update, only what changes is judged, and nothing where
/// nobody can read the old Shoot.
pub fn validate(
    new: &Parts<'_>,
    old: Option<&Parts<'_>>,
    profile: &CloudProfileConfig<'_>,
    credentials: &Credentials,
    report: &mut Report<'_>,
) {
    if *credentials == Credentials::Unnamed {
        return;
    }
    let region = new.manifest.shoot.spec.region;
    // Of a new Shoot all is chosen; of a changed one, what differs.
    let changes = |differs: &dyn Fn(&ControlPlaneConfig<'_>) -> bool| {
        old.is_none_or(|old| old.control_plane.as_ref().is_some_and(differs))
    };
    let mut classes: &[LoadBalancerClass<'_>] = &[];
    if let Some(config) = &new.control_plane
        && changes(&|old| old.load_balancer_classes != config.load_balancer_classes)
    {
        classes = &config.load_balancer_classes;
    }
    let (mut is_pool_chosen, mut found) = (false, None);
    if let Some(config) = &new.infrastructure {
        let name = config.floating_pool_name;
        is_pool_chosen =
            old.is_none_or(|old| old.infrastructure.as_ref().is_some_and(|old| old.floating_pool_name != name));
        if is_pool_chosen || !classes.is_empty() {
            let wanted = RequestedPool { name, region, domain: credentials.domain() };
            found = Some((name, choose(&profile.constraints.floating_pools, wanted)));
        }
    }
    let place = INFRASTRUCTURE.key("floatingPoolName");
    if let (true, Some((name, choice))) = (is_pool_chosen, &found) {
        match choice {
            Choice::Pool(_) => {}
            Choice::NotOffered(names) => {
                let rule = &infrastructure_profile::INFCP_001;
                let entry = report.error(rule, &place, ErrorType::NotSupported, supported(names));
                offer_pools(entry, names, region);
            }
            Choice::DependsOnDomain => {
                depends_on_domain(&infrastructure_profile::INFCP_001, name, report);
            }
        }
    }
    if let Some(config) = &new.control_plane
        && changes(&|old| old.load_balancer_provider != config.load_balancer_provider)
    {
        let providers = &profile.constraints.load_balancer_providers;
        load_balancer_provider(config.load_balancer_provider, region, providers, report);
    }
    let Some((name, choice)) = found.filter(|_| !classes.is_empty()) else { return };
    match choice {
        Choice::Pool(pool) => load_balancer_classes(classes, pool, report),
        Choice::NotOffered(names) => {
            let words = supported(&names);
            // The existing extension prints an error within an error, and the name of the field alone.
            let colon = if words.is_empty() { "" } else { ": " };
            let detail = format!("{}: Unsupported value: {}{colon}{words}", CLASSES.field(), quote(name));
            let pointer = place.pointer();
            let path = Path::root("floatingPoolName", &pointer);
            offer_pools(report.error(&control_plane::CPCP_002, &path, ErrorType::Invalid, detail), &names, region);
        }
        Choice::DependsOnDomain => depends_on_domain(&control_plane::CPCP_003, name, report),
    }
}

/// Says which floating pools a Shoot may choose.
fn offer_pools(entry: Reported<'_>, names: &[&str], region: &str) {
    if names.is_empty() {
        entry.remedy(format!(
            "Ask the operators of the CloudProfile for a floating pool: it has none for region `{region}` and the Keystone \
             domain of the credentials."
        ));
    } else if !names.iter().any(|name| name.contains('*')) {
        let mut names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        names.dedup();
        let which = if names.len() == 1 { "" } else { "one of " };
        entry.remedy(format!("Set `floatingPoolName` to {which}{}.", join(&names, ", ")));
    }
}

fn supported(names: &[&str]) -> String {
    let mut supported = Supported::default();
    for name in names {
        supported.add(name);
    }
    supported.words()
}

fn depends_on_domain(rule: &'static Rule, name: &str, report: &mut Report<'_>) {
    let why = format!(
        "what the CloudProfile offers of floating pool {name} depends on the Keystone domain of the credentials; it is \
         checked on submit"
    );
    report.undecided(rule, why, None);
}

/// The providers of a region are those that name it; where none does, those that name no region.
fn load_balancer_provider(
    name: &str,
    region: &str,
    providers: &[LoadBalancerProvider<'_>],
    report: &mut Report<'_>,
) {
    let is_regional = providers.iter().any(|provider| provider.region == Some(region));
    let wanted = is_regional.then_some(region);
    let (mut detail, mut offered) = (Supported::default(), Vec::new());
    for provider in providers.iter().filter(|provider| provider.region == wanted) {
        detail.add(provider.name);
        offered.push(provider.name);
    }
    if !offered.contains(&name) {
        let path = CONTROL_PLANE.key("loadBalancerProvider");
        let entry = report.error(&control_plane::CPCP_001, &path, ErrorType::NotSupported, detail.words());
        match offered[..] {
            [] => {
                entry.remedy(format!(
                    "Ask the operators of the CloudProfile for a load balancer provider: it has none for region `{region}`."
                ));
            }
            [only] if !only.is_empty() => entry.fix_value(&Value::string(only)),
            _ => {}
        }
    }
}

/// Each class is one of those that the pool has, if the pool has any.
fn load_balancer_classes(classes: &[LoadBalancerClass<'_>], pool: &FloatingPool<'_>, report: &mut Report<'_>) {
    let offered = &pool.load_balancer_classes;
    if offered.is_empty() {
        return;
    }
    let mut detail = None;
    for (index, class) in classes.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        if !offered.iter().any(|other| other.is_same_as(class)) {
            let detail = detail.get_or_insert_with(|| {
                let mut detail = Supported::default();
                for other in offered {
                    detail.add(&other.to_string());
                }
                detail.words()
            });
            let path = CLASSES.index(index);
            report.error(&control_plane::CPCP_003, &path, ErrorType::NotSupported, detail.as_str());
        }
    }
}
