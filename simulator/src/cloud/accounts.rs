//! The accounts that are declared at start, and their access keys.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::action::{Action, Caller, Principal, Service, like};
use crate::signature::Secret;

/// The accounts that may call.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Accounts {
    /// Each of them.
    pub accounts: Vec<Declared>,
}

/// An account.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Declared {
    /// Its number, up to 16 digits.
    pub id: String,
    /// Its access keys.
    pub access_keys: Vec<AccessKey>,
    /// Images of its own.
    #[serde(default)]
    pub images: Vec<Image>,
}

/// A pair of identifier and secret.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AccessKey {
    /// Its identifier.
    pub id: String,
    /// Its secret.
    pub secret: Secret,
    /// The RAM user that it belongs to; without one, the account itself.
    pub user: Option<String>,
    /// Whether it is disabled.
    #[serde(default)]
    pub disabled: bool,
    /// The actions that it may call, as in RAM policies: `vpc:Describe*`, `ecs:*`. Without this, every action.
    pub allow: Option<Vec<String>>,
}

/// A custom image that an account has from the start.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Image {
    /// Its identifier.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its region.
    pub region: String,
    /// `x86_64` or `arm64`.
    #[serde(default = "Image::architecture")]
    pub architecture: String,
}

impl Image {
    fn architecture() -> String {
        "x86_64".to_owned()
    }
}

/// Why a declaration of accounts is wrong.
#[derive(Debug, thiserror::Error)]
pub enum AccountsError {
    /// No account is declared.
    #[error("no account is declared")]
    None,
    /// An account's number is not one.
    #[error("account `{0}` must have 1 to 16 digits")]
    Number(String),
    /// Two are the same.
    #[error("account `{0}` is declared twice")]
    Twice(String),
    /// Two access keys are the same, or one has no identifier or secret.
    #[error("access key `{0}` is declared twice, or it has no secret")]
    Key(String),
    /// An image is in no known region.
    #[error("image `{image}` is in region `{region}`, which is unknown")]
    Region {
        /// The image.
        image: String,
        /// Its region.
        region: String,
    },
}

/// The number of the account of a simulator without declared accounts.
pub const ACCOUNT: &str = "1000000000000001";
/// Its access key, of the form that secrets of the cloud have.
pub const ACCESS_KEY: &str = "LTAI5tTrellisSimulator01";
/// The secret of its access key, which opens nothing but a simulator.
pub const ACCESS_KEY_SECRET: &str = "TrellisSimulatorNoSecret000000";

impl Accounts {
    /// The account of a simulator without declared accounts.
    pub fn built_in() -> Self {
        let key = AccessKey {
            id: ACCESS_KEY.to_owned(),
            secret: Secret::new(ACCESS_KEY_SECRET),
            user: None,
            disabled: false,
            allow: None,
        };
        Self { accounts: vec![Declared { id: ACCOUNT.to_owned(), access_keys: vec![key], images: Vec::new() }] }
    }

    /// Checks the declaration.
    pub fn check(self) -> Result<Self, AccountsError> {
        if self.accounts.is_empty() {
            return Err(AccountsError::None);
        }
        let mut numbers = BTreeSet::new();
        let mut keys = BTreeSet::new();
        for account in &self.accounts {
            if !(1..=16).contains(&account.id.len()) || !account.id.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(AccountsError::Number(account.id.clone()));
            }
            if !numbers.insert(&account.id) {
                return Err(AccountsError::Twice(account.id.clone()));
            }
            for key in &account.access_keys {
                if key.id.is_empty() || key.secret.is_empty() || !keys.insert(&key.id) {
                    return Err(AccountsError::Key(key.id.clone()));
                }
            }
            for image in &account.images {
                if crate::regions::region(&image.region).is_none() {
                    return Err(AccountsError::Region { image: image.id.clone(), region: image.region.clone() });
                }
            }
        }
        Ok(self)
    }

    /// The access key of this identifier, and who calls with it.
    pub fn key(&self, id: &str) -> Option<(&AccessKey, Caller)> {
        self.accounts.iter().find_map(|account| {
            let key = account.access_keys.iter().find(|key| key.id == id)?;
            let principal = key.user.clone().map_or(Principal::Account, Principal::User);
            let caller =
                Caller { account: account.id.clone(), access_key: key.id.clone(), principal, sees_nothing: false };
            Some((key, caller))
        })
    }
}

impl AccessKey {
    /// Whether the access key may call an action.
    pub fn allows(&self, service: &Service, action: &Action) -> bool {
        let Some(allow) = &self.allow else { return true };
        let name = format!("{}:{}", service.code, action.name);
        allow.iter().any(|pattern| like(pattern, &name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_are_checked() {
        for (text, error) in [
            (r#"{ "accounts": [] }"#, "no account is declared"),
            (r#"{ "accounts": [{ "id": "a", "accessKeys": [] }] }"#, "account `a` must have 1 to 16 digits"),
            (
                r#"{ "accounts": [{ "id": "1", "accessKeys": [] }, { "id": "1", "accessKeys": [] }] }"#,
                "account `1` is declared twice",
            ),
            (
                r#"{ "accounts": [{ "id": "1", "accessKeys": [{ "id": "k", "secret": "" }] }] }"#,
                "access key `k` is declared twice, or it has no secret",
            ),
        ] {
            let accounts: Accounts = serde_json::from_str(text).unwrap();
            assert_eq!(accounts.check().unwrap_err().to_string(), error);
        }
    }
}
