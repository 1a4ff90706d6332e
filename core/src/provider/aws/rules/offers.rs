//! What a Shoot chooses of its CloudProfile: zones, machine types and images.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

rules! {
    INFP_001 = Rule::error("AWS-INFP-001", SHOOT, Both)
        .summary("The zones of `networks.zones` are those that the CloudProfile offers in the region.")
        .why("Operators list the availability zones that an account can use.")
        .fix("Set the zone's `name` to a zone that the CloudProfile offers in the region.");
    INFP_002 = Rule::error("AWS-INFP-002", SHOOT, Both)
        .summary("No zone is listed twice in `networks.zones`.")
        .why("A zone has one subnet of each purpose.")
        .fix("Give the zone one entry, with a range that is large enough.");
    INFP_003 = Rule::error("AWS-INFP-003", SHOOT, Update)
        .summary("A zone that an old Shoot has at the same place is not held against the CloudProfile again.")
        .why("What the CloudProfile allowed once stays allowed.")
        .fix("Follow each finding.")
        .informative("The row says when AWS-INFP-001 and AWS-INFP-002 run; it rejects nothing.");
    WRKP_001 = Rule::error("AWS-WRKP-001", SHOOT, Both)
        .summary("The machine type of a worker pool is one of the CloudProfile.")
        .why("Operators list the machine types that there are, with their architecture and capabilities.")
        .fix("Set `machine.type` to a machine type of the CloudProfile.");
    WRKP_002 = Rule::error("AWS-WRKP-002", SHOOT, Both)
        .summary("A worker pool without an image gets the default one.")
        .why("Gardener fills in the newest image of the CloudProfile.")
        .fix("Set `machine.image` to choose one.")
        .informative("Without an image there is nothing to look for.");
    WRKP_003 = Rule::error("AWS-WRKP-003", SHOOT, Both)
        .summary("The image of a worker pool has an AMI in the region for the machine type.")
        .why("Instances start from an AMI of the region, of their architecture and capabilities.")
        .fix("Choose an image and version that the CloudProfile maps to an AMI in the region, or ask who operates the \
              CloudProfile to add it.");
    WRKP_004 = Rule::error("AWS-WRKP-004", SHOOT, Update)
        .summary("Of a changed Shoot, every worker pool with an image is judged again.")
        .why("Nodes that start later need an AMI too.")
        .fix("Follow each finding.")
        .informative("The row says when AWS-WRKP-001 and AWS-WRKP-003 run; it rejects nothing.");
}
