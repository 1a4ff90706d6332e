//! The service account key in a Secret (GCP-SEC).

use super::rules::{advice, credentials as rules};
use crate::collections::NameMap;
use crate::document::decode::{Mode, decode};
use crate::document::parse;
use crate::gardener::checks::credentials_fault::CredentialsFault;
use crate::gardener::checks::spelling::Spelling;
use crate::gardener::types::secret::Values;
use crate::report::{ErrorType, Rule};
use crate::text::{TextRule, Url, quote};

/// The key of the service account key.
pub const SERVICE_ACCOUNT: &str = "serviceaccount.json";
/// The key of the URL of Cloud Storage, which a Secret may have in addition to it.
const STORAGE_ENDPOINT: &str = "storageAPIEndpoint";

/// What the address of a service account must be.
pub const SERVICE_ACCOUNT_EMAIL: TextRule =
    TextRule::pattern(r"^[a-zA-Z0-9\-_\.]+@[a-zA-Z0-9\-\.]+\.gserviceaccount\.com$")
        .length(1, 250)
        .reported_in_bytes();
/// What the id of a project must be.
pub const PROJECT_ID: TextRule =
    TextRule::pattern(r"^[a-z][a-z0-9\-]*[a-z0-9]$").length(6, 30).reported_in_bytes();
const PRIVATE_KEY_ID: TextRule = TextRule::pattern(r"^[a-f0-9]+$").length(40, 40).reported_in_bytes().hidden();
const CLIENT_ID: TextRule = TextRule::pattern(r"^[0-9]+$").length(1, 30).reported_in_bytes().hidden();

/// The members that a service account key has.
const REQUIRED: [&str; 6] = ["type", "project_id", "client_email", "private_key_id", "private_key", "token_uri"];
/// The members that a service account key may have.
const OPTIONAL: [&str; 5] =
    ["client_id", "auth_uri", "auth_provider_x509_cert_url", "client_x509_cert_url", "universe_domain"];
/// The members that are URLs.
const URLS: [&str; 4] = ["auth_uri", "token_uri", "auth_provider_x509_cert_url", "client_x509_cert_url"];

const HIDDEN: &str = "\"(hidden)\"";

/// The misspelt keys of a Secret.
pub fn spelling<'s>(values: &Values<'s>) -> Spelling<'s> {
    Spelling::of(values, &[SERVICE_ACCOUNT, STORAGE_ENDPOINT], &advice::ADV_022)
}

/// All that is wrong with the values of a Secret, which is given with its namespace, in the order of the existing
/// extension.
pub fn faults(values: &Values<'_>, secret: &str) -> Vec<CredentialsFault> {
    let mut faults = Vec::new();
    let count = values.keys().count();
    let most = if values.get(STORAGE_ENDPOINT).is_some() { 2 } else { 1 };
    if count > most {
        let detail = format!(
            "secret {secret} must contain only \"{SERVICE_ACCOUNT}\" (and optionally \"{STORAGE_ENDPOINT}\"), got {count} fields"
        );
        let mut fault = CredentialsFault::of_secret(&rules::SEC_001, None, ErrorType::Invalid, detail);
        // With the right name for it, there would be one key in addition to the service account key.
        fault.lacking = (count == 2).then_some(STORAGE_ENDPOINT);
        faults.push(fault.with_value(count.to_string()));
    }
    let whole = |rule, error_type, detail: String| {
        CredentialsFault::of_secret(rule, Some(SERVICE_ACCOUNT), error_type, detail)
    };
    let text = match values.get(SERVICE_ACCOUNT) {
        None => {
            let detail = format!("missing required field \"{SERVICE_ACCOUNT}\" in secret {secret}");
            faults.push(whole(&rules::SEC_002, ErrorType::Required, detail));
            return faults;
        }
        Some([]) => {
            let detail = format!("field \"{SERVICE_ACCOUNT}\" cannot be empty in secret {secret}");
            faults.push(whole(&rules::SEC_003, ErrorType::Invalid, detail));
            return faults;
        }
        Some(value) => String::from_utf8_lossy(value),
    };
    let reported = |error: String| {
        let detail = format!("field \"{SERVICE_ACCOUNT}\" must be valid JSON in secret {secret}: {error}");
        whole(&rules::SEC_004, ErrorType::Invalid, detail).with_value(HIDDEN)
    };
    match parse(&text) {
        Err(_) => faults.push(reported("it is no JSON document".to_owned())),
        Ok(document) => match decode::<NameMap<'_, &str>>(&document, Mode::Lenient) {
            // No value is shown.
            Err(error) => faults.push(reported(error.without_value().to_string())),
            Ok(key) => Members { key, secret, faults: &mut faults }.judge(),
        },
    }
    faults
}

/// The members of a service account key.
struct Members<'f, 'v> {
    key: NameMap<'v, &'v str>,
    secret: &'f str,
    faults: &'f mut Vec<CredentialsFault>,
}

impl Members<'_, '_> {
    fn fault(
        &mut self,
        rule: &'static Rule,
        member: &str,
        error_type: ErrorType,
        detail: impl Into<String>,
        value: impl Into<std::borrow::Cow<'static, str>>,
    ) {
        let fault = CredentialsFault::of_secret(rule, Some(SERVICE_ACCOUNT), error_type, detail);
        self.faults.push(fault.of_member(member).with_value(value));
    }

    fn judge(mut self) {
        self.names();
        if let Some(kind) = self.key.get("type").copied().filter(|kind| *kind != "service_account") {
            let detail = "supported values: \"service_account\"";
            self.fault(&rules::SEC_008, "type", ErrorType::NotSupported, detail, quote(kind));
        }
        for &(rule, member, must, is_judged_empty) in &[
            (&rules::SEC_009, "project_id", &PROJECT_ID, false),
            (&rules::SEC_010, "client_email", &SERVICE_ACCOUNT_EMAIL, false),
            (&rules::SEC_011, "client_id", &CLIENT_ID, true),
            (&rules::SEC_012, "private_key_id", &PRIVATE_KEY_ID, false),
        ] {
            let Some(text) = self.key.get(member).copied() else { continue };
            if text.is_empty() && !is_judged_empty {
                continue;
            }
            for fault in must.faults(text) {
                let value = if must.is_hidden() { HIDDEN.to_owned() } else { quote(text) };
                self.fault(rule, member, ErrorType::Invalid, fault.detail, value);
            }
        }
        if let Some(key) = self.key.get("private_key").copied().filter(|key| !key.is_empty()) {
            let (start, end) = ("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----");
            if !key.starts_with(start) {
                let detail = format!("must start with '{start}'");
                self.fault(&rules::SEC_013, "private_key", ErrorType::Invalid, detail, HIDDEN);
            }
            if !key.trim().ends_with(end) {
                let detail = format!("must end with '{end}'");
                self.fault(&rules::SEC_014, "private_key", ErrorType::Invalid, detail, HIDDEN);
            }
        }
        for member in URLS {
            if let Some((text, (error_type, detail))) =
                self.key.get(member).and_then(|text| Some((*text, url_fault(text)?)))
            {
                self.fault(&rules::SEC_015, member, error_type, detail, quote(text));
            }
        }
    }

    /// A key has what it must have, and nothing that it must not have.
    fn names(&mut self) {
        let secret = self.secret;
        for member in REQUIRED {
            match self.key.get(member).copied() {
                None => {
                    let detail =
                        format!("missing required field \"{member}\" in service account JSON in secret {secret}");
                    self.fault(&rules::SEC_005, member, ErrorType::Required, detail, "");
                }
                Some("") => {
                    let detail =
                        format!("field \"{member}\" cannot be empty in service account JSON in secret {secret}");
                    self.fault(&rules::SEC_006, member, ErrorType::Invalid, detail, "\"\"");
                }
                Some(_) => {}
            }
        }
        let is_other = |member: &&str| !REQUIRED.contains(member) && !OPTIONAL.contains(member);
        let others: Vec<&str> = self.key.names().filter(is_other).collect();
        for member in others {
            let detail = format!("unexpected field \"{member}\" in service account JSON in secret {secret}");
            self.fault(&rules::SEC_007, member, ErrorType::Forbidden, detail, "");
        }
    }
}

/// What is wrong with a URL that credentials go to.
pub fn url_fault(text: &str) -> Option<(ErrorType, &'static str)> {
    if text.is_empty() {
        return Some((ErrorType::Required, "URL cannot be empty if key is set"));
    }
    match Url::parse(text) {
        None => Some((ErrorType::Invalid, "must be a valid URL")),
        Some(url) if url.scheme != "https" => Some((ErrorType::Invalid, "must use https:// scheme")),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Value, parse};
    use crate::gardener::checks::credentials_fault::refusal;
    use crate::gardener::types::secret::Secret;

    const RIGHT: [(&str, &str); 6] = [
        ("type", "service_account"),
        ("project_id", "my-project-1"),
        ("client_email", "a@b.iam.gserviceaccount.com"),
        ("private_key_id", "0123456789abcdef0123456789abcdef01234567"),
        ("private_key", "-----BEGIN PRIVATE KEY-----\nnone\n-----END PRIVATE KEY-----\n"),
        ("token_uri", "https://oauth2.googleapis.com/token"),
    ];

    fn reported(key: &str) -> Option<String> {
        let data = Value::object([(SERVICE_ACCOUNT, Value::string(key))]);
        let object = Value::object([("stringData", data)]).to_string();
        let object = parse(&object).unwrap();
        let values = Values::of(&Secret::read(&object).unwrap()).unwrap();
        refusal(&faults(&values, "garden/gcp"))
    }

    /// What is wrong with the right key and another member.
    fn with(member: &str, value: &str) -> String {
        let mut members: Vec<(&str, &str)> = RIGHT.into_iter().filter(|(name, _)| *name != member).collect();
        members.push((member, value));
        let text: Vec<String> =
            members.iter().map(|(name, value)| format!("{}:{}", quote(name), quote(value))).collect();
        reported(&format!("{{{}}}", text.join(","))).unwrap_or_default()
    }

    #[test]
    fn each_member_of_a_key_has_its_words() {
        for (member, value, expected) in [
            ("client_id", "123", ""),
            ("client_id", "x", "Invalid value: \"(hidden)\": does not match expected regex ^[0-9]+$"),
            (
                "project_id",
                "äbcdef",
                "Invalid value: \"äbcdef\": does not match expected regex ^[a-z][a-z0-9\\-]*[a-z0-9]$",
            ),
            ("private_key_id", "0a", "Invalid value: \"(hidden)\": must not be fewer than 40 characters, got 2"),
            (
                "private_key",
                "-----BEGIN PRIVATE KEY-----",
                "Invalid value: \"(hidden)\": must end with '-----END PRIVATE KEY-----'",
            ),
            ("auth_uri", "", "Required value: URL cannot be empty if key is set"),
            ("auth_uri", "http://x", "Invalid value: \"http://x\": must use https:// scheme"),
            ("type", "user", "Unsupported value: \"user\": supported values: \"service_account\""),
            ("extra", "x", "Forbidden: unexpected field \"extra\" in service account JSON in secret garden/gcp"),
        ] {
            let place = format!("secret.data[serviceaccount.json].{member}: ");
            let expected = if expected.is_empty() { String::new() } else { format!("{place}{expected}") };
            assert_eq!(with(member, value), expected, "{member} {value}");
        }
    }

    #[test]
    fn what_is_no_key_is_refused_without_a_word_of_it() {
        for text in ["secret", "[\"secret\"]", "{\"type\":[\"secret\"]}", "\"secret\""] {
            let reported = reported(text).unwrap();
            assert!(
                reported.starts_with("secret.data[serviceaccount.json]: Invalid value: \"(hidden)\""),
                "{reported}"
            );
            assert!(!reported.contains("\"secret\""), "{reported}");
        }
        // `null` is an empty object, as for Go.
        assert!(reported("null").unwrap().contains("missing required field \"type\""));
    }
}
