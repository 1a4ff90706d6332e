//! Before a DNSRecord is planned.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

use super::DNS_RECORD;

rules! {
    DNS_001 = Rule::error("ALI-DNS-001", DNS_RECORD, Both)
        .summary("A DNSRecord has a name, a type of A, AAAA, CNAME and TXT, values of that type, and a TTL that Alidns knows.")
        .why("Alidns would refuse it, perhaps after the first of several calls.")
        .fix("Correct the field that is named: `spec.values` is a list of texts, addresses for A and AAAA, one name for CNAME; \
              `spec.ttl` is a number of seconds from 1 to 86400.");
    DNS_002 = Rule::error("ALI-DNS-002", DNS_RECORD, Both)
        .summary("The account has a domain for the record: the one of `spec.zone`, or one that `spec.name` ends in.")
        .why("A record lies in a domain, and only the account that has the domain can make it.")
        .fix("Add the domain to Alidns in the account of the credentials, name another zone in `spec.zone`, or give credentials of \
              the account that has the domain.");
    DNS_003 = Rule::error("ALI-DNS-003", DNS_RECORD, Both)
        .summary("`spec.name` lies in the domain of its zone.")
        .why("Alidns takes names relative to the domain.")
        .fix("Remove `spec.zone`, so that the domain is found by the name, or name the zone that the name ends in.");
    DNS_004 = Rule::error("ALI-DNS-004", DNS_RECORD, Both)
        .summary("Alidns answers which domains and records there are.")
        .why("Without its answer nobody knows what to add and what to remove.")
        .fix("Read the cloud's words in the finding. Allow the credentials `alidns:DescribeDomains`, \
              `alidns:DescribeDomainRecords` and `alidns:DescribeDomainRecordInfo`.");
    DNS_005 = Rule::error("ALI-DNS-005", DNS_RECORD, Both)
        .summary("The credentials belong to the account that the state names.")
        .why("Another account has other domains: the record would be made once more there, and stay where it is.")
        .fix("Give credentials of the account that the state names. Where the domain moved to another account on purpose, rebind the \
              state with `trellis state rebind`.");
    DNS_006 = Rule::error("ALI-DNS-006", DNS_RECORD, Both)
        .summary("The account of the credentials is known before something is changed.")
        .why("A state belongs to an account. Without knowing whose the credentials are, nobody can say whether what is recorded is \
              theirs.")
        .fix("Allow the credentials `sts:GetCallerIdentity`, and see to it that the service STS can be reached.");
    DNS_007 = Rule::error("ALI-DNS-007", DNS_RECORD, Both)
        .summary("Name and type of a record stay as they are.")
        .why("The records of the old name would stay in the domain, and nobody would know of them.")
        .fix("Restore `spec.name` and `spec.recordType`. For another name, delete this record first, as with `trellis destroy`, or \
              make a DNSRecord of another name.");
}
