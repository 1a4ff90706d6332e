//! Gardener error codes of an error's text (`alicloud-policy` 5.10).

/// Code of an account that the cloud does not know.
pub const UNAUTHENTICATED: &str = "ERR_INFRA_UNAUTHENTICATED";
/// Code of an account that may not do something.
pub const UNAUTHORIZED: &str = "ERR_INFRA_UNAUTHORIZED";
/// Code of a quota that is used up.
pub const QUOTA_EXCEEDED: &str = "ERR_INFRA_QUOTA_EXCEEDED";
/// Code of a zone that has nothing left to sell.
pub const RESOURCES_DEPLETED: &str = "ERR_INFRA_RESOURCES_DEPLETED";
/// Code of a configuration that has to be mended.
pub const CONFIGURATION_PROBLEM: &str = "ERR_CONFIGURATION_PROBLEM";

/// Patterns of each code, in lower case: `*` stands for any characters of a line, `?` for one.
const PATTERNS: &[(&str, &[&str])] = &[
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
        "ERR_INFRA_DEPENDENCIES",
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
            "internal server error",
            "a resource with the id",
        ],
    ),
    (QUOTA_EXCEEDED, &["quotas", "quota*exceeded", "exceeded quota", "quota has been met", "quota_exceeded"]),
    ("ERR_INFRA_RATE_LIMITS_EXCEEDED", &["requestlimitexceeded", "throttling", "too many requests"]),
    (RESOURCES_DEPLETED, &["not available in the current hardware cluster", "out of stock", "zone?notonsale"]),
    (
        UNAUTHENTICATED,
        &[
            "authentication failed",
            "invalid character",
            "invalid_client",
            "cannot fetch token",
            "invalidsecretaccesskey",
            "invalidaccesskeyid",
        ],
    ),
    (
        UNAUTHORIZED,
        &[
            "unauthorized",
            "signaturedoesnotmatch",
            "invalid_grant",
            "authorization profile was not found",
            "no active subscriptions",
            "not authorized",
            "accessdenied",
        ],
    ),
    (
        "ERR_RETRYABLE_CONFIGURATION_PROBLEM",
        &[
            "is misconfigured and requires zero voluntary evictions",
            "sdk?cannotresolveendpoint",
            "the requested configuration is currently not supported",
        ],
    ),
    ("ERR_RETRYABLE_INFRA_DEPENDENCIES", &["retryableerror"]),
];

/// Every code whose patterns occur in a text, whatever its case; sorted.
pub fn codes(text: &str) -> Vec<&'static str> {
    let text = lower_case(text);
    let told = PATTERNS.iter().filter(|(code, patterns)| {
        patterns.iter().any(|pattern| occurs(&text, pattern)) || (*code == QUOTA_EXCEEDED && has_limit(&text))
    });
    told.map(|(code, _)| *code).collect()
}

/// As the existing extension's patterns ignore case: two letters beyond ASCII are some of ASCII's, too.
fn lower_case(text: &str) -> String {
    let lower = |letter: char| match letter {
        'ſ' => 's',
        'K' => 'k',
        other => other.to_ascii_lowercase(),
    };
    text.chars().map(lower).collect()
}

fn occurs(text: &str, pattern: &str) -> bool {
    if let Some((start, end)) = pattern.split_once('*') {
        return text.lines().any(|line| line.split_once(start).is_some_and(|(_, rest)| rest.contains(end)));
    }
    if let Some((start, end)) = pattern.split_once('?') {
        return text.match_indices(start).any(|(place, _)| {
            let mut rest = text.get(place + start.len()..).unwrap_or_default().chars();
            rest.next().is_some_and(|any| any != '\n') && rest.as_str().starts_with(end)
        });
    }
    text.contains(pattern)
}

/// Whether a limit is exceeded that is none of requests: those are a matter of rates.
fn has_limit(text: &str) -> bool {
    text.match_indices("limitexceeded")
        .any(|(place, _)| !text.get(..place).unwrap_or_default().ends_with("request"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(SHEET.len(), PATTERNS.len());
        // The limit is the one alternative that the table does not hold.
        let count = |table: &[(&str, &[&str])]| table.iter().map(|(_, patterns)| patterns.len()).sum::<usize>();
        assert_eq!(count(SHEET), count(PATTERNS) + 1);
    }

    #[test]
    fn a_limit_of_requests_is_no_quota() {
        let is_quota = |text: &str| codes(text).contains(&QUOTA_EXCEEDED);
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
            assert_eq!(codes(text).contains(&RESOURCES_DEPLETED), expected, "{text}");
        }
        for (text, expected) in [
            ("Quotaexceeded", true),
            ("quota of EIPs is exceeded", true),
            ("Quota\nexceeded", false),
            ("exceeded: Quota", false),
            ("the Quota\nof this Quota is exceeded", true),
        ] {
            assert_eq!(codes(text).contains(&QUOTA_EXCEEDED), expected, "{text}");
        }
        assert!(codes("error during apply of object\n is invalid:").is_empty());
    }

    #[test]
    fn letters_that_are_equal_but_for_their_case_are_equal() {
        assert_eq!(codes("out of ſtocK"), [RESOURCES_DEPLETED]);
    }

    #[test]
    fn codes_are_sorted_and_each_is_told_once() {
        let all: String = PATTERNS
            .iter()
            .flat_map(|(_, patterns)| *patterns)
            .map(|text| text.replace(['*', '?'], " ") + "\n")
            .collect();
        let codes = codes(&all);
        assert_eq!(codes.len(), PATTERNS.len());
        assert!(codes.is_sorted());
    }
}
