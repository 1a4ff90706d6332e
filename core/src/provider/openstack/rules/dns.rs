//! The primary DNS provider of a Shoot, where it is Designate.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

/// What the Secret of a DNS provider is for.
const RECORDS: &str = "Gardener writes the cluster's DNS records with the credentials in it.";
/// Whose ids findings on the Secret's data carry.
const DATA: &str = "Its findings are reported as OS-SEC-001 to OS-SEC-021.";

rules! {
    DNS_001 = Rule::error("OS-DNS-001", SHOOT, Both)
        .summary("The primary DNS provider has a `credentialsRef`.")
        .why("Gardener writes the cluster's DNS records with the credentials of this provider.")
        .fix("Set `credentialsRef` to `apiVersion: v1`, `kind: Secret` and the Secret's name.");
    DNS_002 = Rule::error("OS-DNS-002", SHOOT, Both)
        .summary("The object of the DNS provider's `credentialsRef` exists.")
        .why(RECORDS)
        .fix("Create the Secret in the Shoot's namespace, or correct `credentialsRef.name`.");
    DNS_003 = Rule::error("OS-DNS-003", SHOOT, Both)
        .summary("The DNS provider's `credentialsRef` has a known `apiVersion` and `kind`.")
        .why("An object of another kind holds no credentials.")
        .fix("Set `apiVersion: v1` and `kind: Secret` in `credentialsRef`.");
    DNS_004 = Rule::error("OS-DNS-004", SHOOT, Both)
        .summary("The DNS provider's `credentialsRef` refers to a Secret.")
        .why("Designate is called with Keystone credentials, which only a Secret holds.")
        .fix("Set `apiVersion: v1` and `kind: Secret` in `credentialsRef`.");
    DNS_005 = Rule::error("OS-DNS-005", SHOOT, Both)
        .summary("The Secret of the DNS provider's `credentialsRef` has usable credentials.")
        .why(RECORDS)
        .fix("Follow the finding, which carries the id of the rule in question.")
        .informative(DATA);
    DNS_006 = Rule::error("OS-DNS-006", SHOOT, Both)
        .summary("The Secret of the DNS provider's `secretName` exists.")
        .why(RECORDS)
        .fix("Create the Secret in the Shoot's namespace, or name an existing one by `credentialsRef`.");
    DNS_007 = Rule::error("OS-DNS-007", SHOOT, Both)
        .summary("The Secret of the DNS provider's `secretName` can be read.")
        .why(RECORDS)
        .fix("Try again once the garden's API server answers.");
    DNS_008 = Rule::error("OS-DNS-008", SHOOT, Both)
        .summary("The Secret of the DNS provider's `secretName` has usable credentials.")
        .why(RECORDS)
        .fix("Follow the finding, which carries the id of the rule in question.")
        .informative(DATA);
}
