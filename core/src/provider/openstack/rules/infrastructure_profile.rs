//! `InfrastructureConfig` of a Shoot against the CloudProfile.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    INFCP_001 = Rule::error("OS-INFCP-001", SHOOT, Both)
        .summary("`floatingPoolName` is a floating pool of the CloudProfile, for region and Keystone domain.")
        .why("Operators decide from which pools Shoots get external addresses.")
        .fix("Set `floatingPoolName` to one of the pools that the message lists; a `*` stands for any text. Where the message \
              lists none, the CloudProfile has no pool for the Shoot's region and Keystone domain: ask who operates it.");
}
