//! Gardener's codes of errors of Alibaba Cloud (`alicloud-policy` 5.10).

use crate::gardener::planning::error_codes::{
    self, DEPENDENCIES, Patterns, RESOURCES_DEPLETED, UNAUTHENTICATED, UNAUTHORIZED,
};

/// What the extension of Alibaba Cloud has in addition to the patterns of all clouds.
const PATTERNS: Patterns = &[
    (DEPENDENCIES, &["internal server error"]),
    (RESOURCES_DEPLETED, &["zone?notonsale"]),
    (
        UNAUTHENTICATED,
        &[
            "authentication failed",
            "invalid character",
            "invalid_client",
            "cannot fetch token",
            "invalidaccesskeyid",
        ],
    ),
    (
        UNAUTHORIZED,
        &["invalid_grant", "authorization profile was not found", "no active subscriptions", "not authorized"],
    ),
];

/// Every code that a text has, whatever its case; sorted.
pub fn codes(text: &str) -> Vec<&'static str> {
    error_codes::codes(text, PATTERNS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gardener::planning::error_codes::SHARED;

    #[test]
    fn a_text_has_every_code_whose_pattern_occurs_in_it() {
        for (text, expected) in [
            ("InvalidAccessKeyId.NotFound", &["ERR_CONFIGURATION_PROBLEM", "ERR_INFRA_UNAUTHENTICATED"][..]),
            ("TaskConflict", &["ERR_INFRA_DEPENDENCIES"]),
            ("QuotaExceeded.Eip", &["ERR_INFRA_QUOTA_EXCEEDED"]),
            ("InvalidVpcId.NotFound", &["ERR_CONFIGURATION_PROBLEM"]),
            ("Forbidden.RAM\nUser not authorized to operate", &["ERR_INFRA_UNAUTHORIZED"]),
            ("Throttling.User", &["ERR_INFRA_RATE_LIMITS_EXCEEDED"]),
            ("RetryableError", &["ERR_RETRYABLE_INFRA_DEPENDENCIES"]),
            ("zone.notonsale", &["ERR_INFRA_RESOURCES_DEPLETED"]),
            ("SDK.CanNotResolveEndpoint", &["ERR_RETRYABLE_CONFIGURATION_PROBLEM"]),
            ("AccessDenied, InvalidCidrBlock.Overlapped", &["ERR_INFRA_DEPENDENCIES", "ERR_INFRA_UNAUTHORIZED"]),
            ("", &[]),
            ("something else", &[]),
        ] {
            assert_eq!(codes(text), expected, "{text}");
        }
    }

    /// For each pattern of the sheet a text that it is made for, and one that misses it by a letter.
    #[test]
    fn each_pattern_of_the_sheet_is_found_whatever_its_case_and_no_near_miss_is() {
        const SHEET: &[(&str, &[&str])] = &[
            (
                "ERR_INFRA_UNAUTHENTICATED",
                &[
                    "Authentication failed",
                    "invalid character",
                    "invalid_client",
                    "cannot fetch token",
                    "InvalidSecretAccessKey",
                    "InvalidAccessKeyId",
                ],
            ),
            (
                "ERR_INFRA_UNAUTHORIZED",
                &[
                    "Unauthorized",
                    "SignatureDoesNotMatch",
                    "invalid_grant",
                    "Authorization Profile was not found",
                    "no active subscriptions",
                    "not authorized",
                    "AccessDenied",
                ],
            ),
            (
                "ERR_INFRA_QUOTA_EXCEEDED",
                &[
                    "LimitExceeded",
                    "Quotas",
                    "Quota of something exceeded",
                    "exceeded quota",
                    "Quota has been met",
                    "QUOTA_EXCEEDED",
                ],
            ),
            ("ERR_INFRA_RATE_LIMITS_EXCEEDED", &["RequestLimitExceeded", "Throttling", "Too many requests"]),
            (
                "ERR_INFRA_DEPENDENCIES",
                &[
                    "PendingVerification",
                    "Access Not Configured",
                    "accessNotConfigured",
                    "DependencyViolation",
                    "OptInRequired",
                    "Conflict",
                    "inactive billing state",
                    "timeout while waiting for state to become",
                    "InvalidCidrBlock",
                    "already busy for",
                    "internal server error",
                    "A resource with the ID",
                ],
            ),
            ("ERR_RETRYABLE_INFRA_DEPENDENCIES", &["RetryableError"]),
            (
                "ERR_INFRA_RESOURCES_DEPLETED",
                &["not available in the current hardware cluster", "out of stock", "Zone.NotOnSale"],
            ),
            (
                "ERR_CONFIGURATION_PROBLEM",
                &[
                    "not supported in your requested Availability Zone",
                    "notFound",
                    "Invalid value",
                    "violates constraint",
                    "no attached internet gateway found",
                    "invalid VPC attributes",
                    "unrecognized feature gate",
                    "runtime-config invalid key",
                    "strict decoder error",
                    "not allowed to configure an unsupported",
                    "error during apply of object a/b is invalid:",
                    "duplicate zones",
                    "overlapping zones",
                ],
            ),
            (
                "ERR_RETRYABLE_CONFIGURATION_PROBLEM",
                &[
                    "is misconfigured and requires zero voluntary evictions",
                    "SDK.CanNotResolveEndpoint",
                    "The requested configuration is currently not supported",
                ],
            ),
        ];
        for (code, texts) in SHEET {
            for text in *texts {
                for form in [text.to_string(), text.to_lowercase(), text.to_uppercase(), format!("x\n…{text}…\ny")]
                {
                    assert!(codes(&form).contains(code), "{form}");
                }
                let (start, end) = text.split_at(2);
                assert!(!codes(&format!("{start}~{end}")).contains(code), "{start}~{end}");
            }
        }
        let tables = || SHARED.iter().chain(PATTERNS);
        assert!(tables().all(|(code, _)| SHEET.iter().any(|(known, _)| known == code)));
        // The limit is the one alternative that the tables do not hold.
        let texts = SHEET.iter().map(|(_, texts)| texts.len()).sum::<usize>();
        assert_eq!(texts, tables().map(|(_, patterns)| patterns.len()).sum::<usize>() + 1);
    }

    #[test]
    fn codes_are_sorted_and_each_is_reported_once() {
        let all: String = SHARED
            .iter()
            .chain(PATTERNS)
            .flat_map(|(_, patterns)| *patterns)
            .map(|text| text.replace(['*', '?'], " ") + "\n")
            .collect();
        let codes = codes(&all);
        assert_eq!(codes.len(), SHARED.len());
        assert!(codes.is_sorted());
    }
}
