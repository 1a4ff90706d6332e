//! What to do about the error of a call, and what to say to the person (section 6.7 of the fact sheet `azure`).

use crate::gardener::planning::error_codes::{
    self, CONFIGURATION_PROBLEM, DEPENDENCIES, Patterns, QUOTA_EXCEEDED, RATE_LIMITS_EXCEEDED, RESOURCES_DEPLETED,
    RETRYABLE_CONFIGURATION_PROBLEM, UNAUTHENTICATED, UNAUTHORIZED,
};
use crate::gardener::planning::error_words::message_of;
use crate::policy::{CallError, Classification, Outcome};

/// What the extension of Azure has in addition to the patterns of all clouds.
const PATTERNS: Patterns = &[
    (
        CONFIGURATION_PROBLEM,
        &[
            "azurebastionsubnet",
            "invalidparameter",
            "netcfginvalidsubnet",
            "your query returned no results",
            "privateendpointnetworkpoliciescannotbeenabledonprivateendpointsubnet",
            "privatelinkservicenetworkpoliciescannotbeenabledonprivatelinkservicesubnet",
            "loadbalancingrulemustdisablesnatsincesamefrontendipconfigurationisreferencedbyoutboundrule",
            "the selected vm size '*' cannot boot hypervisor generation '",
        ],
    ),
    (
        DEPENDENCIES,
        &[
            "readonlydisabledsubscription",
            "is already being used",
            "inusesubnetcannotbedeleted",
            "vnetinuse",
            "inuseroutetablecannotbedeleted",
            "internalservererror",
            "internal server error",
            "vnetaddressspacecannotchangeduetopeerings",
            "internalbillingerror",
            "netcfgsubnetrangesoverlap",
            "cannotdeleteloadbalancerwithprivatelinkservice",
        ],
    ),
    (QUOTA_EXCEEDED, &["exceeding approved *quota"]),
    (RESOURCES_DEPLETED, &["skunotavailable", "zonalallocationfailed"]),
    (RETRYABLE_CONFIGURATION_PROBLEM, &["overconstrainedzonalallocationrequest"]),
    (
        UNAUTHENTICATED,
        &[
            "invalidauthenticationtokentenant",
            "authentication failed",
            "invalid character",
            "invalid_client",
            "invalidaccesskeyid",
            "cannot fetch token",
            "invalidsubscriptionid",
        ],
    ),
    (
        UNAUTHORIZED,
        &[
            "authorizationfailed",
            "invalid_grant",
            "authorization profile was not found",
            "no active subscriptions",
            "not authorized",
            "operationnotallowed",
        ],
    ),
];

/// What the person should do about an error with a code. Of several codes the first counts.
const ADVICE: &[(&str, &str)] = &[
    (
        UNAUTHENTICATED,
        "Check that the ids and the client secret in the Secret are right and that the client secret has not expired, or that the \
         application trusts the garden.",
    ),
    (
        QUOTA_EXCEEDED,
        "Delete what you no longer need, ask Azure for a larger quota in the region, or choose another machine type.",
    ),
    (UNAUTHORIZED, "Give the application the role in the subscription that the call needs."),
    (RATE_LIMITS_EXCEEDED, "Wait: the call is repeated later."),
    (RESOURCES_DEPLETED, "Choose another machine type or another zone."),
];

/// Codes of Azure, in lower case, for a call that may succeed later as it is.
const TRANSIENT: [&str; 8] = [
    "anotheroperationinprogress",
    "canceledandsupersededduetoanotheroperation",
    "inusesubnetcannotbedeleted",
    "operationpreempted",
    "retryableerror",
    "retryableerrorduetoanotheroperation",
    "referencedresourcenotprovisioned",
    "toomanyrequests",
];

/// Classifies the error of a call: whether the same call may succeed later, has nothing to do, or will not
/// succeed; and what to say to the person.
pub fn classify(error: &CallError<'_>) -> Classification {
    let codes = error_codes::codes(&format!("{}\n{}", error.code, error.message), PATTERNS);
    let code = error.code.to_ascii_lowercase();
    let verb = error.action.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let outcome = match error.http_status {
        404 if verb.starts_with("delete") => Outcome::AlreadySatisfied,
        // No response, too many calls, or a failure of the service.
        0 | 408 | 429 | 500.. => Outcome::Retry,
        _ if TRANSIENT.contains(&code.as_str()) => Outcome::Retry,
        _ => Outcome::Fail,
    };
    let advice = ADVICE.iter().find(|(code, _)| codes.contains(code)).map_or("", |(_, advice)| advice);
    Classification { outcome, message: message_of("Azure", advice, error), codes }
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
            ("InvalidAuthenticationTokenTenant", &["ERR_INFRA_UNAUTHENTICATED"] as &[&str]),
            ("AADSTS7000215: invalid_client", &["ERR_INFRA_UNAUTHENTICATED"]),
            ("InvalidSubscriptionId", &["ERR_INFRA_UNAUTHENTICATED"]),
            ("AuthorizationFailed", &["ERR_INFRA_UNAUTHORIZED"]),
            (
                "OperationNotAllowed: Operation could not be completed as it results in exceeding approved Total Regional Cores \
                 quota.",
                &["ERR_INFRA_QUOTA_EXCEEDED", "ERR_INFRA_UNAUTHORIZED"],
            ),
            ("PublicIPCountLimitExceeded", &["ERR_INFRA_QUOTA_EXCEEDED"]),
            ("RequestLimitExceeded", &["ERR_INFRA_RATE_LIMITS_EXCEEDED"]),
            ("ReadOnlyDisabledSubscription", &["ERR_INFRA_DEPENDENCIES"]),
            ("InUseSubnetCannotBeDeleted", &["ERR_INFRA_DEPENDENCIES"]),
            ("VnetInUse", &["ERR_INFRA_DEPENDENCIES"]),
            ("Conflict", &["ERR_INFRA_DEPENDENCIES"]),
            ("NetcfgSubnetRangesOverlap", &["ERR_INFRA_DEPENDENCIES"]),
            ("RetryableError", &["ERR_RETRYABLE_INFRA_DEPENDENCIES"]),
            ("SkuNotAvailable", &["ERR_INFRA_RESOURCES_DEPLETED"]),
            ("ZonalAllocationFailed", &["ERR_INFRA_RESOURCES_DEPLETED"]),
            ("InvalidParameter", &["ERR_CONFIGURATION_PROBLEM"]),
            ("NetcfgInvalidSubnet", &["ERR_CONFIGURATION_PROBLEM"]),
            (
                "The selected VM size 'Standard_D2_v3' cannot boot Hypervisor Generation '2'.",
                &["ERR_CONFIGURATION_PROBLEM"],
            ),
            ("OverconstrainedZonalAllocationRequest", &["ERR_RETRYABLE_CONFIGURATION_PROBLEM"]),
            ("something else", &[]),
        ] {
            assert_eq!(of("virtualNetworks.createOrUpdate", "", message, 400).codes, expected, "{message}");
        }
    }

    #[test]
    fn what_passes_by_itself_is_tried_again_and_what_is_gone_need_not_be_deleted() {
        for (action, code, status, expected) in [
            ("subnets.createOrUpdate", "", 0, Outcome::Retry),
            ("subnets.createOrUpdate", "InternalServerError", 500, Outcome::Retry),
            ("subnets.createOrUpdate", "AnotherOperationInProgress", 409, Outcome::Retry),
            ("subnets.createOrUpdate", "AuthorizationFailed", 403, Outcome::Fail),
            ("subnets.get", "ResourceNotFound", 404, Outcome::Fail),
            ("subnets.delete", "ResourceNotFound", 404, Outcome::AlreadySatisfied),
        ] {
            assert_eq!(of(action, code, "", status).outcome, expected, "{action} {code} {status}");
        }
    }

    #[test]
    fn a_message_shows_what_to_do_and_what_azure_said() {
        assert_eq!(
            of("virtualNetworks.createOrUpdate", "AuthorizationFailed", "The client has no authorization.", 403)
                .message,
            "Give the application the role in the subscription that the call needs. Azure answered \
             network:virtualNetworks.createOrUpdate with `AuthorizationFailed`: The client has no authorization."
        );
    }
}
