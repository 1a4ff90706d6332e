//! The DNS of a Shoot.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

const SHOOT: &[&str] = &["Shoot"];
const CREDENTIALS: &str = "`credentialsRef` takes the place of `secretName`.";
const PROVIDERS: &str =
    "Gardener writes the records of the cluster with the primary provider; an extension takes the others.";

rules! {
    GDN_DNS_001 = Rule::error("GDN-DNS-001", SHOOT, Both)
        .summary("The domain of a Shoot is a DNS subdomain.")
        .why("Gardener makes host names of it.")
        .fix("Write lower-case letters, digits, `-` and `.`, for example `demo.example.com`.");
    GDN_DNS_002 = Rule::error("GDN-DNS-002", SHOOT, Both)
        .summary("A Shoot has a domain where its primary DNS provider has a type other than `unmanaged`.")
        .why("Gardener writes the records of that domain with the provider.")
        .fix("Set `spec.dns.domain`, or remove the provider: then Gardener chooses a domain.");
    GDN_DNS_003 = Rule::error("GDN-DNS-003", SHOOT, Both)
        .summary("From Kubernetes 1.35 on, a DNS provider has no `secretName`.")
        .why(CREDENTIALS)
        .fix("Remove `secretName`, and name the Secret in `credentialsRef`.");
    GDN_DNS_004 = Rule::error("GDN-DNS-004", SHOOT, Both)
        .summary("A DNS provider with `secretName` has `credentialsRef`, too.")
        .why(CREDENTIALS)
        .fix("Name the Secret in `credentialsRef`.");
    GDN_DNS_006 = Rule::error("GDN-DNS-006", SHOOT, Both)
        .summary("Before Kubernetes 1.35, `secretName` of a DNS provider names the Secret of `credentialsRef`.")
        .why(CREDENTIALS)
        .fix("Write the name of `credentialsRef`, or remove `secretName`.");
    GDN_DNS_007 = Rule::error("GDN-DNS-007", SHOOT, Both)
        .summary("A DNS provider whose `credentialsRef` names no Secret has no `secretName`.")
        .why(CREDENTIALS)
        .fix("Remove `secretName`.");
    GDN_DNS_008 = Rule::error("GDN-DNS-008", SHOOT, Both)
        .summary("No two DNS providers have the same type and the same credentials.")
        .why(PROVIDERS)
        .fix("Remove one of the two providers.");
    GDN_DNS_009 = Rule::error("GDN-DNS-009", SHOOT, Both)
        .summary("A Shoot has one primary DNS provider at most.")
        .why(PROVIDERS)
        .fix("Remove `primary` of all providers but one.");
    GDN_DNS_010 = Rule::error("GDN-DNS-010", SHOOT, Both)
        .summary("A DNS provider of the type `unmanaged` has no credentials.")
        .why("Gardener writes no records there.")
        .fix("Remove `credentialsRef` and `secretName`, or write the type of the provider.");
    GDN_DNS_011 = Rule::error("GDN-DNS-011", SHOOT, Both)
        .summary("A DNS provider with credentials has a type.")
        .why("The type says what the credentials are for.")
        .fix("Set `type`, for example to `aws-route53`.");
    GDN_DNS_012 = Rule::error("GDN-DNS-012", SHOOT, Both)
        .summary("A DNS provider that is not the primary one has credentials.")
        .why(PROVIDERS)
        .fix("Set `credentialsRef`, or `primary: true` where the provider is for the domain of the Shoot.");
}
