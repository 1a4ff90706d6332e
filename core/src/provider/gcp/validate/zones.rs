//! The zones that the CloudProfile of a Shoot lists for its region (GCP-SHOOT-015).

use crate::call::Known;
use crate::document::decode::Mode;
use crate::gardener::shoot::{blame_profile, cloud_profile_reference, named_profile};
use crate::gardener::types::cloud_profile::{offering, zone_names};
use crate::gardener::types::shoot::Shoot;
use crate::policy::{Request, kind_of};
use crate::provider::gcp::api::{CloudProfileConfig, Config};
use crate::provider::gcp::rules::shoot as rules;
use crate::report::Report;
use crate::text::quote;

/// Reads the zones; none where nobody knows the CloudProfile, or nobody can read it.
pub fn read<'r>(request: &Request<'r>, shoot: &Shoot<'_>, report: &mut Report<'_>) -> Option<Vec<&'r str>> {
    let rule = &rules::SHOOT_015;
    let (detail, error) = match named_profile(request, shoot) {
        Known::Failed(message) => (message, None),
        Known::Unknown(query) => {
            let why = "the CloudProfile is not known here; whether it lists the zone is checked on submit";
            report.undecided(rule, why, Some(query));
            return None;
        }
        Known::Found(profile) => {
            let offered = offering(profile);
            if offered.is_none() && kind_of(profile).0 == "NamespacedCloudProfile" {
                let why = "the CloudProfile is known here without its offers; whether it lists the zone is checked on submit";
                report.undecided(rule, why, None);
                return None;
            }
            let name = profile.text_at(&["metadata", "name"]);
            match offered.and_then(|offered| offered.get("providerConfig")) {
                None => (format!("providerConfig is not given for cloud profile {}", quote(name)), None),
                Some(config) => match CloudProfileConfig::read(config, Mode::Strict) {
                    Ok(_) => {
                        // A region may list a zone twice.
                        let mut zones: Vec<&str> = Vec::new();
                        for zone in zone_names(profile, shoot.spec.region) {
                            if !zones.contains(&zone) {
                                zones.push(zone);
                            }
                        }
                        return Some(zones);
                    }
                    Err(error) => {
                        let detail =
                            format!("an error occurred while reading the cloud profile {}: {error}", quote(name));
                        (detail, Some(error))
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

/// The existing extension reads the CloudProfile of an old Shoot too, where the Shoot changes to another one.
pub fn read_old(request: &Request<'_>, new: &Shoot<'_>, old: &Shoot<'_>, report: &mut Report<'_>) {
    let (new, before) = (&new.spec, &old.spec);
    if (new.cloud_profile, new.cloud_profile_name) != (before.cloud_profile, before.cloud_profile_name) {
        read(request, old, report);
    }
}
