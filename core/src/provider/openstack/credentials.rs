//! Credentials of OpenStack in a Secret: their keys, and how the existing extension reads the keys (OS-SEC,
//! OS-SHOOT-002).

use super::rules::credentials as rules;
use crate::gardener::types::secret::Values;
use crate::report::Rule;
use crate::text::TextRule;

/// A key of a Secret.
#[derive(Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// The name that a Secret for DNS may use instead.
    pub alias: Option<&'static str>,
    /// When a Secret must have the key.
    pub needed: Needed,
    /// What the value must be.
    pub check: Check,
}

/// When a Secret must have a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed {
    /// In every Secret.
    Always,
    /// In a Secret for DNS.
    ForDns,
    /// Never.
    Never,
}

/// What a value must be.
#[derive(Debug)]
pub enum Check {
    /// A text that keeps a rule.
    Text(&'static Rule, TextRule),
    /// A URL of HTTP or HTTPS.
    Url,
    /// A certificate in PEM form.
    Certificate,
    /// `true` or `false`.
    Flag,
}

const NO_WHITESPACE: TextRule = TextRule::ANY.no_whitespace_at_edges().hidden();

/// The Keystone domain.
pub const DOMAIN: Key = Key {
    name: "domainName",
    alias: Some("OS_DOMAIN_NAME"),
    needed: Needed::Always,
    check: Check::Text(&rules::SEC_004, NO_WHITESPACE),
};
/// The project.
pub const TENANT: Key = Key {
    name: "tenantName",
    alias: Some("OS_PROJECT_NAME"),
    needed: Needed::Always,
    check: Check::Text(&rules::SEC_005, NO_WHITESPACE.length(0, 64)),
};
/// The user.
pub const USERNAME: Key = optional("username", "OS_USERNAME", Check::Text(&rules::SEC_006, NO_WHITESPACE));
/// The user's password.
pub const PASSWORD: Key = optional(
    "password",
    "OS_PASSWORD",
    Check::Text(&rules::SEC_007, TextRule::ANY.no_newlines_at_edges().hidden()),
);
/// The id of an application credential.
pub const APPLICATION_ID: Key = optional(
    "applicationCredentialID",
    "OS_APPLICATION_CREDENTIAL_ID",
    Check::Text(&rules::SEC_008, NO_WHITESPACE),
);
/// The name of an application credential.
pub const APPLICATION_NAME: Key = optional(
    "applicationCredentialName",
    "OS_APPLICATION_CREDENTIAL_NAME",
    Check::Text(&rules::SEC_009, NO_WHITESPACE),
);
/// The secret of an application credential.
pub const APPLICATION_SECRET: Key = optional(
    "applicationCredentialSecret",
    "OS_APPLICATION_CREDENTIAL_SECRET",
    Check::Text(&rules::SEC_010, NO_WHITESPACE),
);
/// Keystone's URL.
pub const AUTH_URL: Key =
    Key { name: "authURL", alias: Some("OS_AUTH_URL"), needed: Needed::ForDns, check: Check::Url };
/// The certificate that clients trust.
pub const CA_CERTIFICATE: Key = optional("caCert", "OS_CACERT", Check::Certificate);
/// Whether clients trust every certificate.
pub const INSECURE: Key = Key { name: "insecure", alias: None, needed: Needed::Never, check: Check::Flag };

/// All keys, in the order in which the existing extension judges them.
pub static KEYS: [Key; 10] = [
    DOMAIN,
    TENANT,
    USERNAME,
    PASSWORD,
    APPLICATION_ID,
    APPLICATION_NAME,
    APPLICATION_SECRET,
    AUTH_URL,
    CA_CERTIFICATE,
    INSECURE,
];

const fn optional(name: &'static str, alias: &'static str, check: Check) -> Key {
    Key { name, alias: Some(alias), needed: Needed::Never, check }
}

/// What a flag says; none where it says something else than `true` or `false`.
pub fn flag(value: &[u8]) -> Option<bool> {
    String::from_utf8_lossy(value).trim().to_ascii_lowercase().parse().ok()
}

/// The Keystone domain, as controllers read credentials; else the words of the existing extension about what is
/// wrong.
pub fn domain(values: &Values<'_>) -> Result<String, String> {
    if values.keys().next().is_none() {
        return Err("secret does not contain any data".to_owned());
    }
    let required = |key: &Key| match values.get(key.name) {
        None => Err(format!("missing \"{}\" data key in secret data", key.name)),
        Some([]) => Err(format!("key \"{}\" in secret data cannot be empty", key.name)),
        Some(value) => Ok(value),
    };
    let domain = required(&DOMAIN)?;
    required(&TENANT)?;
    let has = |key: &Key| values.get(key.name).is_some_and(|value| !value.is_empty());
    let problem = match (has(&PASSWORD), has(&APPLICATION_SECRET)) {
        (true, true) => "cannot specify both 'password' and 'applicationCredentialSecret'",
        (true, false) if !has(&USERNAME) => "'username' is required if 'password' is given",
        (false, false) => "must either specify 'password' or 'applicationCredentialSecret'",
        (false, true) if !(has(&APPLICATION_ID) || has(&USERNAME) && has(&APPLICATION_NAME)) => {
            "'applicationCredentialName' and 'username' are required if application credentials are used without \
             'applicationCredentialID'"
        }
        _ => return Ok(String::from_utf8_lossy(domain).into_owned()),
    };
    Err(problem.to_owned())
}
