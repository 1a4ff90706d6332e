//! The zones that the CloudProfile of a Shoot lists for its region (AZ-SHOOT-003, AZ-INF-002).

use super::infrastructure::NETWORKS;
use crate::call::Known;
use crate::gardener::shoot::{cloud_profile_reference, named_profile};
use crate::gardener::types::cloud_profile::{no_zones, offering, region_zones};
use crate::gardener::types::shoot::Shoot;
use crate::policy::{Request, kind_of};
use crate::provider::azure::api::InfrastructureConfig;
use crate::provider::azure::rules::{infrastructure, shoot as rules};
use crate::report::{ErrorType, Report};
use crate::text::{Supported, join};

/// Reads the zones; none where nobody knows the CloudProfile, or where it does not list the region.
pub fn read<'r>(request: &Request<'r>, shoot: &Shoot<'_>, report: &mut Report<'_>) -> Option<Vec<&'r str>> {
    let rule = &rules::SHOOT_003;
    match named_profile(request, shoot) {
        Known::Failed(message) => {
            report.deny(rule, &cloud_profile_reference(shoot).pointer(), message).hides_others();
            None
        }
        Known::Unknown(query) => {
            let why = "the CloudProfile is not known here; whether it lists the zones is checked on submit";
            report.undecided(rule, why, Some(query));
            None
        }
        Known::Found(profile) => {
            if offering(profile).is_none() && kind_of(profile).0 == "NamespacedCloudProfile" {
                let why = "the CloudProfile is known here without its offers; whether it lists the zones is checked on submit";
                report.undecided(rule, why, None);
            }
            Some(region_zones(profile, shoot.spec.region)?.collect())
        }
    }
}

/// Judges the zones with subnets: the CloudProfile lists them, or the old Shoot had them.
pub fn validate(
    config: &InfrastructureConfig<'_>,
    old: Option<&InfrastructureConfig<'_>>,
    offered: &[&str],
    region: &str,
    report: &mut Report<'_>,
) {
    let zones = NETWORKS.key("zones");
    for (index, zone) in config.networks.zones.iter().enumerate() {
        let number = zone.name.to_string();
        let had = old.is_some_and(|old| old.networks.zones.iter().any(|before| before.name == zone.name));
        if had || offered.contains(&number.as_str()) {
            continue;
        }
        let mut supported = Supported::default();
        for name in offered {
            supported.add(name);
        }
        let path = zones.index(index);
        let entry =
            report.error(&infrastructure::INF_002, &path.key("name"), ErrorType::NotSupported, supported.words());
        entry.remedy(if offered.is_empty() {
            no_zones(region)
        } else {
            format!("Choose one of the zones {}.", join(offered, ", "))
        });
    }
}
