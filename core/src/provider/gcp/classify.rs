//! What to do about the error of a call, and what to say to the person (section 6.9 of the fact sheet `gcp`).

use crate::gardener::planning::error_codes::{
    self, CONFIGURATION_PROBLEM, DEPENDENCIES, Patterns, QUOTA_EXCEEDED, RATE_LIMITS_EXCEEDED, RESOURCES_DEPLETED,
    UNAUTHENTICATED, UNAUTHORIZED,
};
use crate::gardener::planning::error_words::message_of;
use crate::policy::{CallError, Classification, Outcome};

/// What the extension of GCP has in addition to the patterns of all clouds.
const PATTERNS: Patterns = &[
    (CONFIGURATION_PROBLEM, &["locate user-managed"]),
    (DEPENDENCIES, &["is already being used", "internalerror", "internal server error"]),
    (QUOTA_EXCEEDED, &["zone_resource_pool_exhausted_with_details"]),
    (UNAUTHENTICATED, &["authentication failed", "invalid character", "invalid_client", "cannot fetch token"]),
    (
        UNAUTHORIZED,
        &[
            "invalid_grant",
            "authorization profile was not found",
            "no active subscriptions",
            "not authorized",
            "error 403",
            "service_account_access_denied",
        ],
    ),
];

/// What the person should do about an error with a code. Of several codes the first counts.
const ADVICE: &[(&str, &str)] = &[
    (
        UNAUTHENTICATED,
        "Check that the service account key in the Secret is right and has not been deleted, or that the workload identity pool \
         trusts the garden.",
    ),
    (UNAUTHORIZED, "Give the service account the role in the project that the call needs."),
    (
        QUOTA_EXCEEDED,
        "Delete what you no longer need, ask for a larger quota of the project, or choose another zone.",
    ),
    (RATE_LIMITS_EXCEEDED, "Wait: the call is repeated later."),
    (RESOURCES_DEPLETED, "Choose another machine type or another zone."),
];

/// Reasons of GCP for a call that may succeed later as it is.
const TRANSIENT: [&str; 4] =
    ["ratelimitexceeded", "userratelimitexceeded", "resourcenotready", "resourceinusebyanotherresource"];

/// Classifies the error of a call: whether the same call may succeed later, has nothing to do, or will not
/// succeed; and what to say to the person.
pub fn classify(error: &CallError<'_>) -> Classification {
    let codes = error_codes::codes(&format!("{}\n{}", error.code, error.message), PATTERNS);
    let reason = error.code.to_ascii_lowercase();
    let deletes = error.action.rsplit('.').next().unwrap_or_default().eq_ignore_ascii_case("delete");
    let outcome = match error.http_status {
        404 if deletes => Outcome::AlreadySatisfied,
        // No response, too many calls, or a failure of the service.
        0 | 408 | 429 | 500.. => Outcome::Retry,
        _ if TRANSIENT.contains(&reason.as_str()) => Outcome::Retry,
        _ => Outcome::Fail,
    };
    let advice = ADVICE.iter().find(|(code, _)| codes.contains(code)).map_or("", |(_, advice)| advice);
    Classification { outcome, message: message_of("GCP", advice, error), codes }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(action: &str, code: &str, message: &str, http_status: i64) -> Classification {
        classify(&CallError { service: "compute", action, code, message, http_status })
    }

    #[test]
    fn a_message_has_the_codes_that_the_existing_extension_gives_it() {
        for (message, expected) in [
            ("Authentication failed", &["ERR_INFRA_UNAUTHENTICATED"] as &[&str]),
            ("oauth2: cannot fetch token: 400 Bad Request", &["ERR_INFRA_UNAUTHENTICATED"]),
            ("googleapi: Error 403: Required 'compute.networks.get' permission", &["ERR_INFRA_UNAUTHORIZED"]),
            ("invalid_grant: Invalid JWT Signature", &["ERR_INFRA_UNAUTHORIZED"]),
            ("SERVICE_ACCOUNT_ACCESS_DENIED", &["ERR_INFRA_UNAUTHORIZED"]),
            ("Quota 'CPUS' exceeded", &["ERR_INFRA_QUOTA_EXCEEDED"]),
            ("QUOTA_EXCEEDED", &["ERR_INFRA_QUOTA_EXCEEDED"]),
            ("ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS", &["ERR_INFRA_QUOTA_EXCEEDED"]),
            ("Too many requests", &["ERR_INFRA_RATE_LIMITS_EXCEEDED"]),
            ("Access Not Configured", &["ERR_INFRA_DEPENDENCIES"]),
            ("The subnetwork resource is already being used by instance", &["ERR_INFRA_DEPENDENCIES"]),
            ("internalError", &["ERR_INFRA_DEPENDENCIES"]),
            ("RetryableError", &["ERR_RETRYABLE_INFRA_DEPENDENCIES"]),
            ("out of stock", &["ERR_INFRA_RESOURCES_DEPLETED"]),
            ("failed to locate user-managed VPC [Name=x]", &["ERR_CONFIGURATION_PROBLEM"]),
            ("Invalid value for field", &["ERR_CONFIGURATION_PROBLEM"]),
            ("RequestLimitExceeded", &["ERR_INFRA_RATE_LIMITS_EXCEEDED"]),
            ("something else", &[]),
        ] {
            assert_eq!(of("networks.insert", "", message, 400).codes, expected, "{message}");
        }
    }

    #[test]
    fn what_passes_by_itself_is_tried_again_and_what_is_gone_need_not_be_deleted() {
        for (action, code, status, expected) in [
            ("networks.insert", "", 0, Outcome::Retry),
            ("networks.insert", "backendError", 503, Outcome::Retry),
            ("networks.insert", "rateLimitExceeded", 403, Outcome::Retry),
            ("networks.delete", "resourceInUseByAnotherResource", 400, Outcome::Retry),
            ("networks.insert", "forbidden", 403, Outcome::Fail),
            ("networks.get", "notFound", 404, Outcome::Fail),
            ("networks.delete", "notFound", 404, Outcome::AlreadySatisfied),
        ] {
            assert_eq!(of(action, code, "", status).outcome, expected, "{action} {code} {status}");
        }
    }

    #[test]
    fn a_message_shows_what_to_do_and_what_gcp_said() {
        assert_eq!(
            of("networks.insert", "quotaExceeded", "Quota 'NETWORKS' exceeded. Limit: 5.0 globally.", 403).message,
            "Delete what you no longer need, ask for a larger quota of the project, or choose another zone. GCP answered \
             compute:networks.insert with `quotaExceeded`: Quota 'NETWORKS' exceeded. Limit: 5.0 globally."
        );
    }
}
