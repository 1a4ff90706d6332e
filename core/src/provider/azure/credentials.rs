//! The values of Secrets by which Gardener and the external DNS management log in to Azure (AZ-SEC, AZ-DNS).

use super::rules::credentials as rules;
use crate::gardener::checks::credentials_fault::CredentialsFault;
use crate::gardener::checks::spelling::Spelling;
use crate::gardener::types::secret::Values;
use crate::report::{ErrorType, Rule};
use crate::text::{Supported, check_uuid, quote};

/// A key of a Secret.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    is_required: bool,
    must: Must,
    /// Whether the value stays as it is.
    is_fixed: bool,
}

/// What a value must be, apart from having no white space at its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Must {
    Guid,
    Text,
    Cloud,
}

impl Key {
    const fn new(name: &'static str, must: Must) -> Self {
        Self { name, is_required: false, must, is_fixed: false }
    }

    const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    const fn fixed(self) -> Self {
        Self { is_fixed: true, ..self }
    }
}

/// Id of the application.
pub const CLIENT_ID: Key = Key::new("clientID", Must::Guid);
/// A secret of the application.
pub const CLIENT_SECRET: Key = Key::new("clientSecret", Must::Text);
const SUBSCRIPTION_ID: Key = Key::new("subscriptionID", Must::Guid).required();
const TENANT_ID: Key = Key::new("tenantID", Must::Guid).required();
const CLOUD: Key = Key::new("AZURE_CLOUD", Must::Cloud);

/// The keys of a Secret for infrastructure.
pub const INFRASTRUCTURE: &[Key] = &[SUBSCRIPTION_ID.fixed(), TENANT_ID.fixed(), CLIENT_ID, CLIENT_SECRET];
/// The keys of a Secret for DNS in one spelling.
const DNS: &[Key] = &[
    SUBSCRIPTION_ID,
    TENANT_ID,
    CLIENT_ID.required(),
    CLIENT_SECRET.required(),
    Key::new("azureCloud", Must::Cloud),
    CLOUD,
];
/// The keys of a Secret for DNS in the other spelling.
const DNS_ALIASES: &[Key] = &[
    Key::new("AZURE_SUBSCRIPTION_ID", Must::Guid).required(),
    Key::new("AZURE_TENANT_ID", Must::Guid).required(),
    Key::new("AZURE_CLIENT_ID", Must::Guid).required(),
    Key::new("AZURE_CLIENT_SECRET", Must::Text).required(),
    CLOUD,
];

/// The clouds of Azure.
const CLOUDS: [&str; 3] = ["AzurePublic", "AzureChina", "AzureGovernment"];

/// The keys that a Secret for DNS has: one in the other spelling, the cloud apart, decides.
pub fn dns_keys(values: &Values<'_>) -> &'static [Key] {
    let is_there = |key: &Key| key.is_required && values.get(key.name).is_some();
    if DNS_ALIASES.iter().any(is_there) { DNS_ALIASES } else { DNS }
}

/// Whether a text is a GUID as Azure writes one.
pub fn is_guid(text: &str) -> bool {
    text.len() == 36 && check_uuid(text).is_ok()
}

/// The misspelt keys of a Secret that has `keys`.
pub fn spelling<'s>(values: &Values<'s>, keys: &[Key]) -> Spelling<'s> {
    let names: Vec<&'static str> = keys.iter().map(|key| key.name).collect();
    Spelling::of(values, &names, &rules::SEC_005)
}

/// All that is wrong with the values of a Secret that has `keys`, and with their change from the `old` ones.
pub fn faults(values: &Values<'_>, old: Option<&Values<'_>>, keys: &[Key]) -> Vec<CredentialsFault> {
    let mut faults = Vec::new();
    let mut add = |rule: &'static Rule, key: &str, error_type: ErrorType, detail: String, value: String| {
        faults.push(CredentialsFault::of_secret(rule, Some(key), error_type, detail).with_value(value));
    };
    let hidden = || quote("(hidden)");
    for Key { name, .. } in keys.iter().filter(|key| key.is_required) {
        match values.get(name) {
            None => {
                let detail = format!("missing required field \"{name}\"");
                add(&rules::SEC_001, name, ErrorType::Required, detail, String::new());
            }
            Some([]) => {
                let detail = format!("field \"{name}\" cannot be empty");
                add(&rules::SEC_002, name, ErrorType::Invalid, detail, quote(""));
            }
            Some(_) => {}
        }
    }
    for Key { name, must, .. } in keys {
        let text = String::from_utf8_lossy(values.get(name).unwrap_or_default());
        if *must == Must::Guid && !text.is_empty() && !is_guid(&text) {
            let detail = format!("field \"{name}\" must be a valid GUID");
            add(&rules::SEC_003, name, ErrorType::Invalid, detail, hidden());
        }
        if text.trim() != text {
            let detail = format!("field \"{name}\" must not contain leading or trailing whitespace");
            add(&rules::SEC_004, name, ErrorType::Invalid, detail, hidden());
        }
    }
    for name in values.keys().filter(|name| keys.iter().all(|key| key.name != *name)) {
        let detail = format!("unexpected field \"{name}\"");
        add(&rules::SEC_005, name, ErrorType::Forbidden, detail, String::new());
    }
    for Key { name, .. } in keys.iter().filter(|key| key.must == Must::Cloud) {
        let Some(value) = values.get(name) else { continue };
        let text = String::from_utf8_lossy(value);
        if !text.is_empty() && !CLOUDS.contains(&text.as_ref()) {
            let mut supported = Supported::default();
            for cloud in CLOUDS {
                supported.add(cloud);
            }
            add(&rules::DNS_003, name, ErrorType::NotSupported, supported.words(), quote(&text));
        }
    }
    let Some(old) = old.filter(|old| old.keys().next().is_some()) else { return faults };
    for Key { name, .. } in keys.iter().filter(|key| key.is_fixed) {
        if values.get(name).unwrap_or_default() != old.get(name).unwrap_or_default() {
            let detail = format!("field \"{name}\" must not be changed for existing shoot clusters");
            add(&rules::SEC_007, name, ErrorType::Invalid, detail, hidden());
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guid_has_hyphens_and_nothing_around_it() {
        let guid = "8f2d7a10-52c4-4be6-9a41-c5d1e0b7f3a2";
        for (text, expected) in [
            (guid.to_owned(), true),
            (guid.to_uppercase(), true),
            (guid.replace('-', ""), false),
            (format!("{{{guid}}}"), false),
            (format!("urn:uuid:{guid}"), false),
            (format!("{guid}\n"), false),
            (guid.replace('8', "g"), false),
            (String::new(), false),
        ] {
            assert_eq!(is_guid(&text), expected, "{text}");
        }
    }
}
