//! The configuration of a WorkloadIdentity: how a token of the garden becomes one of GCP (GCP-WI).

use super::api::WorkloadIdentityConfig;
use super::credentials::{PROJECT_ID, url_fault};
use super::rules::credentials as rules;
use super::settings::Settings;
use crate::document::Value;
use crate::gardener::checks::credentials_fault::CredentialsFault;
use crate::gardener::checks::workload_identity::CONFIG;
use crate::report::{ErrorType, Rule};
use crate::text::{base64, finds, join, quote};

const CREDENTIALS: &str = "credentialsConfig";
/// The members that the document has, in the order in which the existing extension looks for them.
const REQUIRED: [&str; 5] = ["audience", "subject_token_type", TOKEN_URL, "type", "universe_domain"];
const TOKEN_URL: &str = "token_url";
const IMPERSONATION_URL: &str = "service_account_impersonation_url";

/// What is wrong with a configuration.
#[derive(Debug, Default)]
pub struct Judged {
    /// All that is wrong, in the order of the existing extension.
    pub faults: Vec<CredentialsFault>,
    /// A pattern of the operator that Trellis cannot match, where the verdict depends on it.
    pub unknown_pattern: Option<String>,
}

/// Judges a configuration.
pub fn judge(config: &WorkloadIdentityConfig<'_>, settings: &Settings<'_>) -> Judged {
    let mut judged = Judged::default();
    if !config.project_id.is_empty() {
        let (key, field) = ("projectID", CONFIG.key("projectID").field());
        for fault in PROJECT_ID.faults(config.project_id) {
            let fault =
                CredentialsFault::at(&rules::WI_006, Some(key), field.clone(), ErrorType::Invalid, fault.detail);
            judged.faults.push(fault.with_value(quote(config.project_id)));
        }
    }
    match config.credentials_config.0 {
        None => judged.whole(&rules::WI_007, ErrorType::Required, "is required", String::new()),
        Some(document @ Value::Object(_)) => judged.document(document, settings),
        Some(other) => {
            let raw = quote(&base64::encode(other.to_string().as_bytes()));
            judged.whole(&rules::WI_008, ErrorType::Invalid, "has invalid format", raw);
        }
    }
    judged
}

impl Judged {
    fn whole(&mut self, rule: &'static Rule, error_type: ErrorType, detail: impl Into<String>, value: String) {
        let field = CONFIG.key(CREDENTIALS).field();
        self.faults
            .push(CredentialsFault::at(rule, Some(CREDENTIALS), field, error_type, detail).with_value(value));
    }

    fn member(&mut self, rule: &'static Rule, key: &str, error_type: ErrorType, detail: &str, value: String) {
        let field = CONFIG.key(CREDENTIALS).key(key).field();
        let key = format!("{CREDENTIALS}/{key}");
        self.faults.push(CredentialsFault::at(rule, Some(&key), field, error_type, detail).with_value(value));
    }

    fn document(&mut self, document: &Value<'_>, settings: &Settings<'_>) {
        let Value::Object(members) = document else { return };
        let is_allowed = |key: &str| REQUIRED.contains(&key) || key == IMPERSONATION_URL;
        if members.iter().any(|(key, _)| !is_allowed(key)) {
            let allowed = join(&REQUIRED, ", ");
            let detail = format!("contains extra fields, allowed fields are: {allowed}, {IMPERSONATION_URL}");
            self.whole(&rules::WI_009, ErrorType::Forbidden, detail, String::new());
        }
        for key in REQUIRED {
            if document.member(key).is_none() {
                let detail = format!("missing required field: \"{key}\"");
                self.whole(&rules::WI_010, ErrorType::Forbidden, detail, String::new());
            }
        }
        for &(rule, key, wanted) in &[
            (&rules::WI_011, "type", "external_account"),
            (&rules::WI_012, "subject_token_type", "urn:ietf:params:oauth:token-type:jwt"),
        ] {
            let value = document.member(key);
            if value.and_then(Value::as_str) != Some(wanted) {
                self.member(rule, key, ErrorType::Invalid, &format!("should equal \"{wanted}\""), printed(value));
                if let Some(fault) = self.faults.last_mut() {
                    fault.meant = Some(wanted);
                }
            }
        }
        let url = self.text(&rules::WI_013, document, TOKEN_URL);
        self.url(&rules::WI_014, TOKEN_URL, url);
        if !settings.token_urls.contains(&url) {
            let allowed: Vec<String> = settings.token_urls.iter().map(|url| quote(url)).collect();
            let detail = format!("allowed values are [{}]", join(&allowed, " "));
            self.member(&rules::WI_015, TOKEN_URL, ErrorType::Forbidden, &detail, String::new());
        }
        if document.member(IMPERSONATION_URL).is_some() {
            let url = self.text(&rules::WI_016, document, IMPERSONATION_URL);
            self.impersonation(url, &settings.impersonation_patterns);
            self.url(&rules::WI_018, IMPERSONATION_URL, url);
        }
    }

    /// The text of a member, which is empty where the member is no text.
    fn text<'v>(&mut self, rule: &'static Rule, document: &'v Value<'_>, key: &str) -> &'v str {
        let value = document.member(key);
        let text = value.and_then(Value::as_str);
        if text.is_none() {
            self.member(rule, key, ErrorType::Invalid, "should be string", printed(value));
        }
        text.unwrap_or_default()
    }

    fn url(&mut self, rule: &'static Rule, key: &str, url: &str) {
        if let Some((error_type, detail)) = url_fault(url) {
            self.member(rule, key, error_type, detail, quote(url));
        }
    }

    fn impersonation(&mut self, url: &str, patterns: &[&str]) {
        let mut unknown = None;
        for pattern in patterns {
            match finds(url, pattern) {
                Some(true) => return,
                Some(false) => {}
                None => unknown = Some((*pattern).to_owned()),
            }
        }
        if unknown.is_some() {
            self.unknown_pattern = unknown;
            return;
        }
        let detail = format!("should match one of the allowed regular expressions: {}", join(patterns, ", "));
        self.member(&rules::WI_017, IMPERSONATION_URL, ErrorType::Invalid, &detail, quote(url));
    }
}

/// A value as Go prints it.
fn printed(value: Option<&Value<'_>>) -> String {
    match value {
        None => "null".to_owned(),
        Some(Value::String(text)) => quote(text),
        Some(other) => other.canonical(false).to_string(),
    }
}
