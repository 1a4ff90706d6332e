//! What to do about the error of a call, and what to say to the person (fact sheet `openstack`, 6.7).

use crate::gardener::planning::error_codes::{
    self, CONFIGURATION_PROBLEM, DEPENDENCIES, Patterns, QUOTA_EXCEEDED, RATE_LIMITS_EXCEEDED, RESOURCES_DEPLETED,
    RETRYABLE_DEPENDENCIES, UNAUTHENTICATED, UNAUTHORIZED,
};
use crate::gardener::planning::error_words::message_of;
use crate::policy::{CallError, Classification, Outcome};

/// What the extension of OpenStack has in addition to the patterns of all clouds.
const PATTERNS: Patterns = &[
    (
        CONFIGURATION_PROBLEM,
        &[
            "missing expected router",
            "policy doesn't allow * to be performed",
            "overlaps with cidr",
            "your query returned no results",
        ],
    ),
    (
        DEPENDENCIES,
        &[
            "there are not enough hosts available",
            "no router found",
            "there are one or more ports still in use on the network",
        ],
    ),
    (QUOTA_EXCEEDED, &["maximum number of ports exceeded", "volumesizeexceedsavailablequota"]),
    (RESOURCES_DEPLETED, &["resourceexhausted"]),
    (RETRYABLE_DEPENDENCIES, &["internal server error"]),
    (
        UNAUTHENTICATED,
        &[
            "authentication failed",
            "invalid character",
            "invalid_client",
            "cannot fetch token",
            "could not find application credential",
        ],
    ),
    (
        UNAUTHORIZED,
        &[
            "invalid_grant",
            "authorization profile was not found",
            "no active subscriptions",
            "not authorized",
            "policynotauthorized",
        ],
    ),
];

/// What the person should do about an error with a code. Of several codes the first counts.
const ADVICE: &[(&str, &str)] = &[
    (
        UNAUTHENTICATED,
        "Check that the credentials in the Secret are right, that they have not expired, and that `domainName` is the \
         domain of the project.",
    ),
    (UNAUTHORIZED, "Give the user or the application credential the roles in the project that the call needs."),
    (
        QUOTA_EXCEEDED,
        "Delete what you no longer need, or ask the operator of the cloud for a larger quota of the project.",
    ),
    (RATE_LIMITS_EXCEEDED, "Wait: the call is repeated later."),
    (RESOURCES_DEPLETED, "Choose another machine type or another availability zone."),
];

/// Classifies the error of a call: whether the same call may succeed later, has nothing to do, or will not
/// succeed; and what to say to the person.
pub fn classify(error: &CallError<'_>) -> Classification {
    let codes = error_codes::codes(&format!("{}\n{}", error.code, error.message), PATTERNS);
    let outcome = match error.http_status {
        404 if error.action.to_ascii_lowercase().starts_with("delete") => Outcome::AlreadySatisfied,
        // No response, a conflict with another operation, too many calls, or a failure of the service.
        0 | 408 | 409 | 429 | 500.. if !codes.contains(&QUOTA_EXCEEDED) => Outcome::Retry,
        _ => Outcome::Fail,
    };
    let advice = ADVICE.iter().find(|(code, _)| codes.contains(code)).map_or("", |(_, advice)| advice);
    Classification { outcome, message: message_of("OpenStack", advice, error), codes }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(action: &str, code: &str, message: &str, http_status: i64) -> Classification {
        classify(&CallError { service: "network", action, code, message, http_status })
    }

    #[test]
    fn a_message_has_the_codes_that_the_existing_extension_gives_it() {
        for (message, expected) in [
            ("Authentication failed", &["ERR_INFRA_UNAUTHENTICATED"] as &[&str]),
            ("Could not find Application Credential: 1a2b", &["ERR_INFRA_UNAUTHENTICATED"]),
            ("PolicyNotAuthorized", &["ERR_INFRA_UNAUTHORIZED"]),
            ("Quota exceeded for resources: ['port']", &["ERR_INFRA_QUOTA_EXCEEDED"]),
            ("Maximum number of ports exceeded", &["ERR_INFRA_QUOTA_EXCEEDED"]),
            ("VolumeSizeExceedsAvailableQuota", &["ERR_INFRA_QUOTA_EXCEEDED"]),
            ("Too many requests", &["ERR_INFRA_RATE_LIMITS_EXCEEDED"]),
            ("There are not enough hosts available.", &["ERR_INFRA_DEPENDENCIES"]),
            ("No Router found with id x", &["ERR_INFRA_DEPENDENCIES"]),
            (
                "Unable to complete operation. There are one or more ports still in use on the network.",
                &["ERR_INFRA_DEPENDENCIES"],
            ),
            ("Internal Server Error", &["ERR_RETRYABLE_INFRA_DEPENDENCIES"]),
            ("ResourceExhausted", &["ERR_INFRA_RESOURCES_DEPLETED"]),
            ("missing expected router 1", &["ERR_CONFIGURATION_PROBLEM"]),
            (
                "Policy doesn't allow os_compute_api:servers:create to be performed.",
                &["ERR_CONFIGURATION_PROBLEM"],
            ),
            ("Requested subnet overlaps with cidr 10.0.0.0/8", &["ERR_CONFIGURATION_PROBLEM"]),
            ("Your query returned no results", &["ERR_CONFIGURATION_PROBLEM"]),
            ("Policy doesn't allow it", &[]),
            ("Port not found", &[]),
        ] {
            assert_eq!(of("CreatePort", "", message, 400).codes, expected, "{message}");
        }
    }

    #[test]
    fn what_passes_by_itself_is_tried_again_and_what_is_gone_need_not_be_deleted() {
        for (action, message, status, expected) in [
            ("CreateRouter", "", 0, Outcome::Retry),
            ("CreateRouter", "", 503, Outcome::Retry),
            ("DeleteNetwork", "one or more ports still in use", 409, Outcome::Retry),
            ("CreatePort", "Quota exceeded for resources: ['port']", 409, Outcome::Fail),
            ("CreatePort", "", 400, Outcome::Fail),
            ("GetRouter", "", 404, Outcome::Fail),
            ("DeleteRouter", "", 404, Outcome::AlreadySatisfied),
        ] {
            assert_eq!(of(action, "", message, status).outcome, expected, "{action} {message} {status}");
        }
    }

    #[test]
    fn a_message_shows_what_to_do_and_what_openstack_said() {
        let reported = of("CreatePort", "OverQuota", "Quota exceeded for resources: ['port']", 409).message;
        assert_eq!(
            reported,
            "Delete what you no longer need, or ask the operator of the cloud for a larger quota of the project. \
             OpenStack answered network:CreatePort with `OverQuota`: Quota exceeded for resources: ['port']"
        );
    }
}
