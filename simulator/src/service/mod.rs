//! The services: a folder each, a file for each kind of resource in it.
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
