//! What to do about the error of a call, and what to say to the person (`alicloud-api` 7.3 to 7.5,
//! `alicloud-policy` 5.10).

mod advice;
#[cfg(test)]
mod tests;

use super::error_codes::codes;
use crate::gardener::planning::error_codes::{QUOTA_EXCEEDED, UNAUTHENTICATED, UNAUTHORIZED};
use crate::gardener::planning::error_words::message_of;
use crate::policy::{CallError, Classification, Outcome};
use crate::text::pattern::matches_any;

/// What people call the cloud.
pub const CLOUD: &str = "Alibaba Cloud";

/// Patterns of codes of errors that pass by themselves, in lower case.
const TRANSIENT: &[&str] = &[
    // Too many calls.
    "*throttling*",
    "*requestlimitexceeded",
    "*qpslimit*",
    "*trafficratelimitexceeded",
    "slowdown*",
    "frequentpurchase.*",
    // The service.
    "serviceunavailable*",
    "systembusy*",
    "internalerror*",
    "unknownerror",
    "signaturenonceused",
    // Another operation is running.
    "taskconflict*",
    "vpc_task_conflict",
    "operationconflict*",
    "*tokenprocessing",
    "idempotentprocessing",
    "*distibutelock",
    "*distributelock",
    "*.notifycencreate",
    "*.querycenipv6status",
    "*.othersubnetprocessing",
    "actioninprogress",
    // Something is not ready yet, or no longer.
    "incorrectstatus*",
    "*.incorrectstatus.*",
    "incorrectvpcstatus*",
    "invalidvpcstatus",
    "incorrectvswitchstatus*",
    "vswitchstatuserror",
    "incorrecteipstatus*",
    "incorrectinstancestatus*",
    "incorrectrouteentrystatus*",
    "incorrectroutetablestatus*",
    "incorrectimagestatus",
    "incorretsnatentrystatus*",
    "incorrectsnatentrystatus*",
    "invalidstatus.routeentry",
    "invalidstatus.snatordnat",
    "invalidstatus.ecsstatusnotsupport",
    "invalidstatus.enistatusnotsupport",
    "invalidstatus.notallow",
    "invalidipstatus.hasbeenused*",
    "invalidbindingstatus",
    "operationfailed.natgwrouteinmiddlestatus",
    "operationfailed.ecsmigrating",
    "operationunsupported.eip*",
    "operationdenied.imagecopying",
    "operationdenied.ipv4gatewaynotactive",
    "eip_not_in_gateway",
    "resourceincreating*",
];

/// Code of an error that stays with the token of the call: the first request with that token failed.
const TOKEN_FAILED: &str = "idempotentfailed";

/// Codes of the host where no response came, or none that anybody can read.
const UNANSWERED: &[&str] = &["timeout", "connectionfailed", "unreadableanswer"];

/// Actions, with patterns of codes that say that the action has nothing to do.
const SATISFIED: &[(&[&str], &[&str])] = &[
    (
        &[
            "DeleteVpc",
            "DescribeIpv6Gateways",
            "DescribeLoadBalancers",
            "DescribeNatGateways",
            "DescribeRouteTableList",
            "DescribeSecurityGroups",
            "DescribeVSwitches",
            "DescribeVpcs",
            "ListLoadBalancers",
        ],
        &[
            "invalidvpcid.notfound",
            "invalidvpcid.notexist",
            "forbidden.vpcnotfound",
            "invalidresource.notfound",
            "resourcenotfound.vpc",
        ],
    ),
    (&["DeleteVSwitch", "DescribeVSwitches", "UnassociateRouteTable"], &["invalidvswitchid.notfound"]),
    (
        &["DeleteNatGateway", "DescribeNatGateways", "DescribeSnatTableEntries"],
        &["invalidnatgatewayid.notfound", "instance_not_exists"],
    ),
    (&["DescribeEipAddresses", "ReleaseEipAddress", "UnassociateEipAddress"], &["invalidallocationid.notfound"]),
    (
        &["DeleteSnatEntry", "DescribeSnatTableEntries"],
        &["invalidsnattableid.notfound", "invalidsnatentryid.notfound"],
    ),
    (
        &[
            "DeleteSecurityGroup",
            "DescribeSecurityGroupAttribute",
            "DescribeSecurityGroups",
            "RevokeSecurityGroup",
            "RevokeSecurityGroupEgress",
        ],
        &["invalidsecuritygroupid.notfound", "invalidsecuritygroupid"],
    ),
    // Of several rules one may be left: the next plan finds it.
    (
        &["RevokeSecurityGroup", "RevokeSecurityGroupEgress"],
        &["invalidparam.securitygroupruleid", "invalidsecuritygrouprule.rulenotexist"],
    ),
    (
        &[
            "DeleteRouteEntry",
            "DeleteRouteTable",
            "DescribeRouteEntryList",
            "DescribeRouteTableList",
            "UnassociateRouteTable",
        ],
        &["invalidroutetableid.notfound"],
    ),
    (&["UnassociateRouteTable"], &["invalidbindingstatus.routetable"]),
    (&["AssociateRouteTable"], &["*alreadyassociated*", "*binderror*"]),
    (&["DeleteRouteEntry"], &["invalidrouteentry.notfound"]),
    (&["DeleteIpv6Gateway", "DescribeIpv6Gateways"], &["invalidipv6gatewayid.notfound"]),
    (
        &[
            "DeleteLoadBalancer",
            "DescribeVServerGroups",
            "GetLoadBalancerAttribute",
            "SetLoadBalancerDeleteProtection",
            "UpdateLoadBalancerProtection",
        ],
        &["invalidloadbalancerid.notfound", "resourcenotfound.loadbalancer"],
    ),
    (&["DescribeInstances", "DetachKeyPair"], &["invalidkeypairname.notfound"]),
    (&["DeleteInstance"], &["invalidinstanceid.notfound"]),
    (&["AllocatePublicIpAddress"], &["allocatedalready"]),
    (&["UpdateDomainRecord"], &["domainrecordduplicate"]),
    (&["DeleteDomainRecord"], &["domainrecordnotbelongtouser"]),
    (&["AbortMultipartUpload", "DeleteBucket", "DeleteMultipleObjects", "GetBucketInfo"], &["nosuchbucket"]),
    (&["AbortMultipartUpload"], &["nosuchupload"]),
    (&["PutObjectTagging"], &["nosuchkey"]),
    (&["AbortBucketWorm", "GetBucketWorm"], &["nosuchwormconfiguration"]),
    (&["CompleteBucketWorm"], &["wormconfigurationlocked"]),
    (&["CreateServiceLinkedRole"], &["entityalreadyexists.role"]),
];

/// Classifies the error of a call: whether the same call may succeed later, or with another token, has nothing to
/// do, or will not succeed; and what to say to the person.
pub fn classify(error: &CallError<'_>) -> Classification {
    let code = error.code.to_ascii_lowercase();
    let is_gone =
        |(actions, codes): &(&[&str], &[&str])| actions.contains(&error.action) && matches_any(&code, codes);
    let outcome = if SATISFIED.iter().any(is_gone) {
        Outcome::AlreadySatisfied
    } else if code == TOKEN_FAILED {
        Outcome::AnotherToken
    } else if is_transient(error, &code) {
        Outcome::Retry
    } else {
        Outcome::Fail
    };
    let mut codes = codes(&format!("{}\n{}", error.code, error.message));
    // Codes that the patterns of the existing extension do not have.
    let own = if advice::is_credential(&code) {
        Some(UNAUTHENTICATED)
    } else if advice::is_forbidden(&code) {
        Some(UNAUTHORIZED)
    } else if advice::is_quota(&code) && outcome == Outcome::Fail {
        Some(QUOTA_EXCEEDED)
    } else {
        None
    };
    if let (Some(own), true) = (own, codes.is_empty()) {
        codes.push(own);
    }
    Classification { outcome, message: message_of(CLOUD, &advice::of(error, &code, &codes), error), codes }
}

fn is_transient(error: &CallError<'_>, code: &str) -> bool {
    match error.http_status {
        0 if matches_any(code, UNANSWERED) => true,
        429 | 500.. => true,
        _ => {
            let is_removal =
                ["Delete", "Release", "Unassociate"].iter().any(|verb| error.action.starts_with(verb));
            matches_any(code, TRANSIENT)
                || error.message.contains("Throttling")
                // The cloud may not have noticed yet that what used the resource is gone.
                || is_removal && code.starts_with("dependencyviolation")
                // The service answers with this spelling while it adds or removes another route.
                || error.action.ends_with("RouteEntry") && code == "forbbiden"
        }
    }
}
