//! `InfrastructureConfig` of a Shoot against the CloudProfile.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    INFCP_001 = Rule::error("OS-INFCP-001", SHOOT, Both)
        .summary("`floatingPoolName` is a floating pool of the CloudProfile, for region and Keystone domain.")
        .why("Operators decide from which pools Shoots get external addresses.")
        .fix("Set `floatingPoolName` to a floating pool of the CloudProfile; a `*` there stands for any text.");
}
