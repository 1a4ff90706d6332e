//! Advice on CloudProfiles and NamespacedCloudProfiles.

use super::control_plane::classes;
use crate::collections::NameSet;
use crate::document::Path;
use crate::gardener::checks::gathered::Gathered;
use crate::gardener::images::{KnownRegions, MAPPINGS, MachineImages, MappedImage, Mapping};
use crate::gardener::types::cloud_profile::{CloudProfile, PROVIDER_CONFIG};
use crate::provider::openstack::api::{CloudProfileConfig, MachineImageVersion};
use crate::provider::openstack::rules::advice as rules;
use crate::report::Report;

const CONFIG: Path<'_> = Path::root("spec.providerConfig", PROVIDER_CONFIG);
const KEYSTONE_URLS: Path<'_> = CONFIG.key("keystoneURLs");
const REGIONS: Path<'_> = Path::root("spec.regions", "/spec/regions");

/// Looks at a CloudProfile, whose configuration maps `images`.
pub fn cloud_profile<'v>(
    profile: &CloudProfile<'v>,
    config: &CloudProfileConfig<'v>,
    images: &[MappedImage<'v, Mapping<'_, 'v>>],
    report: &mut Report<'_>,
) {
    names_of_images(&config.machine_images, report);
    keystone(config, report);
    let mut known = KnownRegions::of(profile, &rules::ADV_013);
    constraints(config, &mut known, report);
    known.check_images(images, &MAPPINGS);
    known.report(report);
    if config.keystone_url.is_empty() && !config.keystone_urls.is_empty() {
        regions_without_keystone(profile, config, report);
    }
}

/// Looks for versions that only the name of an image identifies.
pub fn names_of_images(images: &[MachineImages<'_, MachineImageVersion<'_>>], report: &mut Report<'_>) {
    let mut named = Gathered::new(&rules::ADV_010, |names, is_one| {
        if is_one {
            "the name of the image is all that identifies the image".to_owned()
        } else {
            format!("their names are all that identifies the images {names}")
        }
    });
    for (index, image) in images.iter().enumerate() {
        let path = MAPPINGS.index(index);
        let versions = path.key("versions");
        for (index, version) in image.versions.iter().enumerate() {
            if !version.image.is_empty() && version.regions.is_empty() && version.capability_flavors.is_empty() {
                named.add(image.name, &versions.index(index).key("image"));
            }
        }
    }
    named.report(report);
}

fn keystone(config: &CloudProfileConfig<'_>, report: &mut Report<'_>) {
    if config.keystone_force_insecure {
        let detail = "nobody checks the certificates of OpenStack";
        report.warn(&rules::ADV_011, &CONFIG.key("keystoneForceInsecure"), detail);
    }
    let mut check = |url: &str, path: &Path<'_>| {
        if url.starts_with("http://") {
            report.warn(&rules::ADV_012, path, "sends credentials in clear text");
        }
    };
    check(config.keystone_url, &CONFIG.key("keystoneURL"));
    for (index, entry) in config.keystone_urls.iter().enumerate() {
        check(entry.url, &KEYSTONE_URLS.index(index).key("url"));
    }
}

fn constraints<'v>(config: &CloudProfileConfig<'v>, known: &mut KnownRegions<'v>, report: &mut Report<'_>) {
    let path = CONFIG.key("constraints");
    let pools = path.key("floatingPools");
    for (index, pool) in config.constraints.floating_pools.iter().enumerate() {
        let path = pools.index(index);
        let inner = pool.name.strip_suffix('*').or(pool.name.strip_prefix('*')).unwrap_or(pool.name);
        if inner.contains('*') {
            let detail = format!("the `*` inside `{inner}` stands for itself");
            report.warn(&rules::ADV_015, &path.key("name"), detail);
        }
        known.check(pool.region.unwrap_or_default(), &path.key("region"));
        classes(&pool.load_balancer_classes, &path.key("loadBalancerClasses"), report);
    }
    let providers = path.key("loadBalancerProviders");
    for (index, provider) in config.constraints.load_balancer_providers.iter().enumerate() {
        known.check(provider.region.unwrap_or_default(), &providers.index(index).key("region"));
    }
    for (index, entry) in config.keystone_urls.iter().enumerate() {
        known.check(entry.region, &KEYSTONE_URLS.index(index).key("region"));
    }
}

fn regions_without_keystone(profile: &CloudProfile<'_>, config: &CloudProfileConfig<'_>, report: &mut Report<'_>) {
    let with: NameSet<'_> = config.keystone_urls.iter().map(|entry| entry.region).collect();
    let mut without = Gathered::new(&rules::ADV_014, |names, is_one| {
        if is_one {
            format!("region {names} has no URL of Keystone")
        } else {
            format!("regions {names} have no URL of Keystone")
        }
    });
    for (index, region) in profile.spec.regions.iter().enumerate() {
        if !with.contains(region.name) {
            without.add(region.name, &REGIONS.index(index).key("name"));
        }
    }
    without.report(report);
}
