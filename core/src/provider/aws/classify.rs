//! What to do about the error of a call, and what to say to the person (section 6.6 of the fact sheet `aws`).

use crate::gardener::planning::error_codes::{
    self, CONFIGURATION_PROBLEM, DEPENDENCIES, Patterns, QUOTA_EXCEEDED, RATE_LIMITS_EXCEEDED, RESOURCES_DEPLETED,
    UNAUTHENTICATED, UNAUTHORIZED,
};
use crate::gardener::planning::error_words::message_of;
use crate::policy::{CallError, Classification, Outcome};
use crate::text::pattern::matches_any;

/// What the extension of AWS has in addition to the patterns of all clouds.
const PATTERNS: Patterns = &[
    (CONFIGURATION_PROBLEM, &["invalidparametervalue", "invalidsubnet"]),
    (
        DEPENDENCIES,
        &[
            "insufficientfreeaddressesinsubnet",
            "internal server error",
            "currently associated with another service",
        ],
    ),
    (RESOURCES_DEPLETED, &["insufficientinstancecapacity"]),
    (UNAUTHENTICATED, &["authfailure", "invalidaccesskeyid"]),
    (UNAUTHORIZED, &["invalidclienttokenid"]),
];

/// Patterns of codes of errors that pass by themselves, in lower case. EC2 answers most of them with status 400.
const TRANSIENT: &[&str] = &[
    // Too many calls.
    "*throttling*",
    "*throttled*",
    "requestlimitexceeded",
    "toomanyrequests*",
    "slowdown",
    "priorrequestnotcomplete",
    // The service.
    "internal*",
    "unavailable",
    "serviceunavailable*",
    "requesttimeout*",
    // Something else in the cloud goes first, or is not ready yet.
    "dependencyviolation",
    "deleteconflict",
    "incorrectstate",
    "incorrectinstancestate",
    "resourceinuse*",
    "operationaborted",
    "concurrentmodification*",
];

/// Actions by how they begin, with patterns of codes that say that the action has nothing to do.
const SATISFIED: &[(&[&str], &[&str])] = &[
    (
        &["Delete", "Terminate", "Release", "Detach", "Disassociate", "Revoke", "Remove"],
        &["*notfound*", "nosuch*", "gateway.notattached"],
    ),
    (&["Authorize"], &["invalidpermission.duplicate"]),
    (&["CreateRoute"], &["routealreadyexists"]),
    (&["AttachInternetGateway", "AssociateRouteTable"], &["resource.alreadyassociated"]),
];

/// What the person should do about an error with a code. Of several codes the first counts.
const ADVICE: &[(&str, &str)] = &[
    (
        UNAUTHENTICATED,
        "Check that `accessKeyID` and `secretAccessKey` in the Secret are right, and that the access key is active.",
    ),
    (UNAUTHORIZED, "Give the IAM user or the role the permission for the call, and check its trust policy."),
    (QUOTA_EXCEEDED, "Delete what you no longer need, or ask AWS for a larger service quota in the region."),
    (RATE_LIMITS_EXCEEDED, "Wait: the call is repeated later."),
    (RESOURCES_DEPLETED, "Choose another machine type or another availability zone."),
];

/// Classifies the error of a call: whether the same call may succeed later, has nothing to do, or will not
/// succeed; and what to say to the person.
pub fn classify(error: &CallError<'_>) -> Classification {
    let codes = error_codes::codes(&format!("{}\n{}", error.code, error.message), PATTERNS);
    let code = error.code.to_ascii_lowercase();
    let has_nothing_to_do = SATISFIED.iter().any(|(actions, codes)| {
        actions.iter().any(|action| error.action.starts_with(action)) && matches_any(&code, codes)
    });
    let outcome = match error.http_status {
        1.. if has_nothing_to_do => Outcome::AlreadySatisfied,
        // No response, too many calls, or a failure of the service.
        0 | 408 | 429 | 500.. => Outcome::Retry,
        _ if matches_any(&code, TRANSIENT) => Outcome::Retry,
        _ => Outcome::Fail,
    };
    let advice = ADVICE.iter().find(|(code, _)| codes.contains(code)).map_or("", |(_, advice)| advice);
    Classification { outcome, message: message_of("AWS", advice, error), codes }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(action: &str, code: &str, message: &str, http_status: i64) -> Classification {
        classify(&CallError { service: "ec2", action, code, message, http_status })
    }

    #[test]
    fn a_message_has_the_codes_that_the_existing_extension_gives_it() {
        for (message, expected) in [
            ("AuthFailure", &["ERR_INFRA_UNAUTHENTICATED"] as &[&str]),
            ("InvalidAccessKeyId", &["ERR_INFRA_UNAUTHENTICATED"]),
            ("InvalidSecretAccessKey", &["ERR_INFRA_UNAUTHENTICATED"]),
            ("Unauthorized", &["ERR_INFRA_UNAUTHORIZED"]),
            ("InvalidClientTokenId", &["ERR_INFRA_UNAUTHORIZED"]),
            ("SignatureDoesNotMatch", &["ERR_INFRA_UNAUTHORIZED"]),
            ("UnauthorizedOperation", &["ERR_INFRA_UNAUTHORIZED"]),
            ("AccessDenied", &["ERR_INFRA_UNAUTHORIZED"]),
            ("VpcLimitExceeded", &["ERR_INFRA_QUOTA_EXCEEDED"]),
            ("Quotas", &["ERR_INFRA_QUOTA_EXCEEDED"]),
            ("Quota of addresses exceeded", &["ERR_INFRA_QUOTA_EXCEEDED"]),
            ("exceeded quota", &["ERR_INFRA_QUOTA_EXCEEDED"]),
            ("Quota has been met", &["ERR_INFRA_QUOTA_EXCEEDED"]),
            ("QUOTA_EXCEEDED", &["ERR_INFRA_QUOTA_EXCEEDED"]),
            ("RequestLimitExceeded", &["ERR_INFRA_RATE_LIMITS_EXCEEDED"]),
            ("Throttling: Rate exceeded", &["ERR_INFRA_RATE_LIMITS_EXCEEDED"]),
            ("Too many requests", &["ERR_INFRA_RATE_LIMITS_EXCEEDED"]),
            ("PendingVerification", &["ERR_INFRA_DEPENDENCIES"]),
            ("Access Not Configured", &["ERR_INFRA_DEPENDENCIES"]),
            ("accessNotConfigured", &["ERR_INFRA_DEPENDENCIES"]),
            ("DependencyViolation", &["ERR_INFRA_DEPENDENCIES"]),
            ("OptInRequired", &["ERR_INFRA_DEPENDENCIES"]),
            ("DeleteConflict", &["ERR_INFRA_DEPENDENCIES"]),
            ("Conflict", &["ERR_INFRA_DEPENDENCIES"]),
            ("inactive billing state", &["ERR_INFRA_DEPENDENCIES"]),
            ("timeout while waiting for state to become 'available'", &["ERR_INFRA_DEPENDENCIES"]),
            ("InvalidCidrBlock", &["ERR_INFRA_DEPENDENCIES"]),
            ("already busy for", &["ERR_INFRA_DEPENDENCIES"]),
            ("InsufficientFreeAddressesInSubnet", &["ERR_INFRA_DEPENDENCIES"]),
            ("internal server error", &["ERR_INFRA_DEPENDENCIES"]),
            ("A resource with the ID x already exists", &["ERR_INFRA_DEPENDENCIES"]),
            ("is currently associated with another service", &["ERR_INFRA_DEPENDENCIES"]),
            ("RetryableError", &["ERR_RETRYABLE_INFRA_DEPENDENCIES"]),
            ("not available in the current hardware cluster", &["ERR_INFRA_RESOURCES_DEPLETED"]),
            ("InsufficientInstanceCapacity", &["ERR_INFRA_RESOURCES_DEPLETED"]),
            ("out of stock", &["ERR_INFRA_RESOURCES_DEPLETED"]),
            ("not supported in your requested Availability Zone", &["ERR_CONFIGURATION_PROBLEM"]),
            ("InvalidParameterValue", &["ERR_CONFIGURATION_PROBLEM"]),
            ("InvalidVpcID.NotFound", &["ERR_CONFIGURATION_PROBLEM"]),
            ("InvalidSubnet", &["ERR_CONFIGURATION_PROBLEM"]),
            ("Invalid value", &["ERR_CONFIGURATION_PROBLEM"]),
            ("no attached internet gateway found", &["ERR_CONFIGURATION_PROBLEM"]),
            ("invalid VPC attributes", &["ERR_CONFIGURATION_PROBLEM"]),
            ("duplicate zones", &["ERR_CONFIGURATION_PROBLEM"]),
            ("overlapping zones", &["ERR_CONFIGURATION_PROBLEM"]),
            ("The requested configuration is currently not supported", &["ERR_RETRYABLE_CONFIGURATION_PROBLEM"]),
            ("SDK.CanNotResolveEndpoint", &["ERR_RETRYABLE_CONFIGURATION_PROBLEM"]),
            ("InvalidState", &[]),
        ] {
            assert_eq!(of("CreateVpc", "", message, 400).codes, expected, "{message}");
        }
    }

    #[test]
    fn what_passes_by_itself_is_tried_again_and_what_is_gone_need_not_be_deleted() {
        for (action, code, status, expected) in [
            ("CreateVpc", "", 0, Outcome::Retry),
            ("CreateVpc", "RequestLimitExceeded", 503, Outcome::Retry),
            ("CreateRole", "Throttling", 400, Outcome::Retry),
            ("DeleteSubnet", "DependencyViolation", 400, Outcome::Retry),
            ("DeleteRole", "DeleteConflict", 409, Outcome::Retry),
            ("CreateVpc", "VpcLimitExceeded", 400, Outcome::Fail),
            ("DescribeVpcs", "InvalidVpcID.NotFound", 400, Outcome::Fail),
            ("DeleteVpc", "InvalidVpcID.NotFound", 400, Outcome::AlreadySatisfied),
            ("DeleteRole", "NoSuchEntity", 404, Outcome::AlreadySatisfied),
            ("ReleaseAddress", "InvalidAllocationID.NotFound", 400, Outcome::AlreadySatisfied),
            ("DetachInternetGateway", "Gateway.NotAttached", 400, Outcome::AlreadySatisfied),
            ("AuthorizeSecurityGroupIngress", "InvalidPermission.Duplicate", 400, Outcome::AlreadySatisfied),
            ("CreateRoute", "RouteAlreadyExists", 400, Outcome::AlreadySatisfied),
            ("RevokeSecurityGroupEgress", "InvalidPermission.NotFound", 400, Outcome::AlreadySatisfied),
            // No response says that something is gone.
            ("DeleteVpc", "InvalidVpcID.NotFound", 0, Outcome::Retry),
        ] {
            assert_eq!(of(action, code, "", status).outcome, expected, "{action} {code} {status}");
        }
    }

    #[test]
    fn a_message_shows_what_to_do_and_what_aws_said() {
        let message = "The maximum number of VPCs has been reached.";
        assert_eq!(
            of("CreateVpc", "VpcLimitExceeded", message, 400).message,
            "Delete what you no longer need, or ask AWS for a larger service quota in the region. AWS answered ec2:CreateVpc \
             with `VpcLimitExceeded`: The maximum number of VPCs has been reached."
        );
    }
}
