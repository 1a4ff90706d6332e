//! The services: a folder each, a file for each kind of resource in it. What the resources are is in
//! [`crate::world`].
#![allow(clippy::unnecessary_wraps, reason = "all actions have one signature, also those that never refuse")]

mod addresses;
pub mod alidns;
pub mod ecs;
pub mod nlb;
pub mod oss;
pub mod ram;
pub mod resource_manager;
pub mod ros;
pub mod slb;
pub mod sts;
pub mod vpc;

use crate::action::Service;

/// Every service.
pub static SERVICES: [Service; 10] = [
    vpc::SERVICE,
    ecs::SERVICE,
    slb::SERVICE,
    nlb::SERVICE,
    resource_manager::SERVICE,
    ram::SERVICE,
    sts::SERVICE,
    ros::SERVICE,
    oss::SERVICE,
    alidns::SERVICE,
];

/// The service whose API has this version; OSS has a protocol of its own.
pub fn rpc_service(version: &str) -> Option<&'static Service> {
    SERVICES.iter().find(|service| service.version == version && service.code != oss::SERVICE.code)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// How many quotas the files of a folder have.
    fn quotas(folder: &Path) -> usize {
        let of = |path: &Path| {
            if path.is_dir() {
                quotas(path)
            } else {
                let text = fs::read_to_string(path).unwrap();
                text.lines().filter(|line| !line.starts_with(' ') && line.contains(" = Quota::new(")).count()
            }
        };
        fs::read_dir(folder).unwrap().map(|entry| of(&entry.unwrap().path())).sum()
    }

    #[test]
    fn every_quota_is_one_that_settings_can_change() {
        let declared: usize = SERVICES.iter().map(|service| service.quotas.len()).sum();
        assert_eq!(declared, quotas(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/service")));
    }
}
