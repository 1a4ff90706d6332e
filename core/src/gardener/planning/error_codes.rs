//! Gardener's codes of errors, which the existing extensions read from the text of an error (`alicloud-policy`
//! 5.10, `openstack` 6.7, `aws` 6.6, `gcp` 6.9, `azure` 6.7).

use crate::collections::sorted_once;
use crate::text::pattern::occurs;

/// Code of an account that the cloud does not know.
pub const UNAUTHENTICATED: &str = "ERR_INFRA_UNAUTHENTICATED";
/// Code of an account that lacks a permission.
pub const UNAUTHORIZED: &str = "ERR_INFRA_UNAUTHORIZED";
/// Code of a quota that is used up.
pub const QUOTA_EXCEEDED: &str = "ERR_INFRA_QUOTA_EXCEEDED";
/// Code of too many calls in a short time.
pub const RATE_LIMITS_EXCEEDED: &str = "ERR_INFRA_RATE_LIMITS_EXCEEDED";
/// Code of something in the cloud that stands in the way, or is not ready.
pub const DEPENDENCIES: &str = "ERR_INFRA_DEPENDENCIES";
/// Code of something in the cloud that will be ready soon.
pub const RETRYABLE_DEPENDENCIES: &str = "ERR_RETRYABLE_INFRA_DEPENDENCIES";
/// Code of a zone that has nothing left to sell.
pub const RESOURCES_DEPLETED: &str = "ERR_INFRA_RESOURCES_DEPLETED";
/// Code of a configuration that a person has to correct.
pub const CONFIGURATION_PROBLEM: &str = "ERR_CONFIGURATION_PROBLEM";
/// Code of a configuration that may work later as it is.
pub const RETRYABLE_CONFIGURATION_PROBLEM: &str = "ERR_RETRYABLE_CONFIGURATION_PROBLEM";

/// Codes, each with the patterns of texts that have it. The patterns are in lower case; see [`occurs`] for what
/// they mean.
pub type Patterns = &'static [(&'static str, &'static [&'static str])];

/// What the extensions of all clouds have in common.
pub const SHARED: Patterns = &[
    (
        CONFIGURATION_PROBLEM,
        &[
            "not supported in your requested availability zone",
            "notfound",
            "invalid value",
            "violates constraint",
            "no attached internet gateway found",
            "invalid vpc attributes",
            "unrecognized feature gate",
            "runtime-config invalid key",
            "strict decoder error",
            "not allowed to configure an unsupported",
            "error during apply of object * is invalid:",
            "duplicate zones",
            "overlapping zones",
        ],
    ),
    (
        DEPENDENCIES,
        &[
            "pendingverification",
            "access not configured",
            "accessnotconfigured",
            "dependencyviolation",
            "optinrequired",
            "conflict",
            "inactive billing state",
            "timeout while waiting for state to become",
            "invalidcidrblock",
            "already busy for",
            "a resource with the id",
        ],
    ),
    (QUOTA_EXCEEDED, &["quotas", "quota*exceeded", "exceeded quota", "quota has been met", "quota_exceeded"]),
    (RATE_LIMITS_EXCEEDED, &["requestlimitexceeded", "throttling", "too many requests"]),
    (RESOURCES_DEPLETED, &["not available in the current hardware cluster", "out of stock"]),
    (UNAUTHENTICATED, &["invalidsecretaccesskey"]),
    (UNAUTHORIZED, &["unauthorized", "signaturedoesnotmatch", "accessdenied"]),
    (
        RETRYABLE_CONFIGURATION_PROBLEM,
        &[
            "is misconfigured and requires zero voluntary evictions",
            "sdk?cannotresolveendpoint",
            "the requested configuration is currently not supported",
        ],
    ),
    (RETRYABLE_DEPENDENCIES, &["retryableerror"]),
];

/// Every code that a text has, whatever its case, by the patterns of all clouds and by those of one; sorted.
pub fn codes(text: &str, own: Patterns) -> Vec<&'static str> {
    let text = lower_case(text);
    let has = |(code, patterns): &&(&'static str, &[&str])| {
        patterns.iter().any(|pattern| occurs(&text, pattern)) || (*code == QUOTA_EXCEEDED && has_limit(&text))
    };
    sorted_once(SHARED.iter().chain(own).filter(has).map(|(code, _)| *code).collect())
}

/// A text in lower case as the existing extensions' patterns see it, for which two letters beyond ASCII are
/// letters of ASCII.
fn lower_case(text: &str) -> String {
    let lower = |letter: char| match letter {
        'ſ' => 's',
        'K' => 'k',
        other => other.to_ascii_lowercase(),
    };
    text.chars().map(lower).collect()
}

/// Whether a text says that a limit is exceeded, other than the limit of requests.
fn has_limit(text: &str) -> bool {
    text.match_indices("limitexceeded")
        .any(|(place, _)| !text.get(..place).unwrap_or_default().ends_with("request"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: Patterns = &[(RESOURCES_DEPLETED, &["zone?notonsale"])];

    #[test]
    fn a_limit_of_requests_is_no_quota() {
        let is_quota = |text: &str| codes(text, OWN).contains(&QUOTA_EXCEEDED);
        for text in [
            "LimitExceeded",
            "QpsLimitExceeded",
            "questLimitExceeded",
            "Requests LimitExceeded",
            "\nLimitExceeded",
        ] {
            assert!(is_quota(text), "{text}");
        }
        for text in ["RequestLimitExceeded", "requestlimitexceeded", "xRequestLimitExceeded", "Limit exceeded"] {
            assert!(!is_quota(text), "{text}");
        }
        assert!(is_quota("RequestLimitExceeded LimitExceeded"));
    }

    #[test]
    fn any_character_is_one_of_the_same_line() {
        for (text, expected) in [
            ("Zone NotOnSale", true),
            ("Zone→NotOnSale", true),
            ("Zone\nNotOnSale", false),
            ("ZoneNotOnSale", false),
            ("Zone.Zone.NotOnSale", true),
        ] {
            assert_eq!(codes(text, OWN).contains(&RESOURCES_DEPLETED), expected, "{text}");
        }
        for (text, expected) in [
            ("Quotaexceeded", true),
            ("quota of EIPs is exceeded", true),
            ("Quota\nexceeded", false),
            ("exceeded: Quota", false),
            ("the Quota\nof this Quota is exceeded", true),
        ] {
            assert_eq!(codes(text, OWN).contains(&QUOTA_EXCEEDED), expected, "{text}");
        }
        assert!(codes("error during apply of object\n is invalid:", OWN).is_empty());
    }

    #[test]
    fn letters_that_are_equal_but_for_their_case_are_equal() {
        assert_eq!(codes("out of ſtocK", OWN), [RESOURCES_DEPLETED]);
    }
}
