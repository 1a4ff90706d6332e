//! What an operator of the existing extension allows: its flags, which a request has in `context.settings`.

use crate::document::Value;
use crate::policy::Request;

/// What an operator allows.
#[derive(Clone, Debug)]
pub struct Settings<'r> {
    /// Where tokens of WorkloadIdentities may be exchanged: `--wi-allowed-token-url`.
    pub token_urls: Vec<&'r str>,
    /// Patterns of where service accounts may be impersonated:
    /// `--wi-allowed-service-account-impersonation-url-regexp`.
    pub impersonation_patterns: Vec<&'r str>,
    /// Where buckets may be reached: `--bb-allowed-endpoint-override-url`.
    pub endpoints: Vec<&'r str>,
}

impl<'r> Settings<'r> {
    /// What the context says, else the defaults of the flags.
    pub fn of(request: &Request<'r>) -> Self {
        let settings = request.context("settings");
        let list = |key: &str, default: &'static str| match settings.and_then(|settings| settings.get(key)) {
            Some(list) => list.items().iter().filter_map(Value::as_str).collect(),
            None => vec![default],
        };
        Self {
            token_urls: list("allowedTokenURLs", "https://sts.googleapis.com/v1/token"),
            impersonation_patterns: list(
                "allowedServiceAccountImpersonationURLRegExps",
                r"^https://iamcredentials\.googleapis\.com/v1/projects/-/serviceAccounts/.+:generateAccessToken$",
            ),
            endpoints: list("allowedEndpointOverrideURLs", "https://storage.googleapis.com/storage/v1/"),
        }
    }
}
