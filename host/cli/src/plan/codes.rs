//! Gardener's codes of errors, in words.

use std::fmt::Write as _;

/// What each code means, and what to do.
const MEANINGS: [(&str, &str); 9] = [
    (
        "ERR_CONFIGURATION_PROBLEM",
        "manifest, recorded state and cloud do not fit together; the errors above say what to do",
    ),
    ("ERR_INFRA_DEPENDENCIES", "something in the cloud is in the way or not ready; remove it, or run again later"),
    ("ERR_INFRA_QUOTA_EXCEEDED", "a quota of the account is used up; delete what nobody needs, or ask for more"),
    ("ERR_INFRA_RATE_LIMITS_EXCEEDED", "the account makes too many calls; run again in some minutes"),
    ("ERR_INFRA_RESOURCES_DEPLETED", "the zone has none left; choose another zone, or run again later"),
    ("ERR_INFRA_UNAUTHENTICATED", "the cloud refuses the credentials; put a valid access key into the Secret"),
    (
        "ERR_INFRA_UNAUTHORIZED",
        "the account lacks a permission, or its secret is wrong; see the error above; `trellis ram-policy` prints the permissions",
    ),
    (
        "ERR_RETRYABLE_CONFIGURATION_PROBLEM",
        "manifest, recorded state and cloud do not fit together at present; run again, and see the errors above if they stay",
    ),
    ("ERR_RETRYABLE_INFRA_DEPENDENCIES", "something in the cloud is not ready yet; run again"),
];

/// A line for each code: the code, what it means and what to do.
pub(crate) fn words(codes: &[String]) -> String {
    let mut text = String::new();
    for code in codes {
        let meaning = MEANINGS.iter().find(|(known, _)| known == code);
        let meaning = meaning.map(|(_, meaning)| format!(": {meaning}")).unwrap_or_default();
        // Writing to a string does not fail.
        let _ = writeln!(text, "{code}{meaning}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_reported_in_words() {
        let text = words(&["ERR_INFRA_UNAUTHORIZED".to_owned(), "ERR_NEW".to_owned()]);
        assert!(text.starts_with("ERR_INFRA_UNAUTHORIZED: the account lacks a permission, "), "{text}");
        assert!(text.ends_with("\nERR_NEW\n"), "{text}");
    }
}
