//! What the existing extension asks OpenStack before it creates an infrastructure.

use crate::report::{Operation::Both, Rule};
use crate::rules;

const INFRASTRUCTURE: &[&str] = &["Infrastructure"];

/// Why the rules judge nothing.
const CLOUD: &str = "The check needs answers of OpenStack, which no function of the policy asks for.";

rules! {
    CFGV_001 = Rule::error("OS-CFGV-001", INFRASTRUCTURE, Both)
        .summary("The infrastructure has a readable `InfrastructureConfig`.")
        .why("A field that is unknown, given twice or of the wrong type would build another network than you meant.")
        .fix("Correct this field.")
        .informative(CLOUD);
    CFGV_002 = Rule::error("OS-CFGV-002", INFRASTRUCTURE, Both)
        .summary("The credentials of the Shoot can be read.")
        .why("Nothing can be created on OpenStack without them.")
        .fix("Provide a Secret with `domainName`, `tenantName` and one way to authenticate.")
        .informative(CLOUD);
    CFGV_003 = Rule::error("OS-CFGV-003", INFRASTRUCTURE, Both)
        .summary("OpenStack can be called with the credentials, in the Shoot's region.")
        .why("Nothing can be created on OpenStack without a client.")
        .fix("Check `spec.region`, the CloudProfile's Keystone URL and the credentials.")
        .informative(CLOUD);
    CFGV_004 = Rule::error("OS-CFGV-004", INFRASTRUCTURE, Both)
        .summary("The external networks can be listed.")
        .why("The floating pool is one of them.")
        .fix("Allow the user of the credentials to list networks.")
        .informative(CLOUD);
    CFGV_005 = Rule::error("OS-CFGV-005", INFRASTRUCTURE, Both)
        .summary("`floatingPoolName` is an external network.")
        .why("The router gets its external address from the network of this name.")
        .fix("Set `floatingPoolName` to an external network that the project sees.")
        .informative(CLOUD);
}
