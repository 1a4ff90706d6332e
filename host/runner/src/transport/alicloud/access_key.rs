//! An access key.

use std::fmt;

use zeroize::Zeroizing;

use crate::call::CallFailure;
use crate::call::failure::NO_CREDENTIALS;
use crate::credentials::{Credential, CredentialError, SecretData};

/// An access key, and a security token where it is a temporary one. Its texts are wiped from memory when it goes.
#[derive(Clone)]
pub struct AccessKey {
    id: Zeroizing<String>,
    secret: Zeroizing<String>,
    token: Option<Zeroizing<String>>,
}

/// Shows no part of the access key.
impl fmt::Debug for AccessKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("AccessKey").finish_non_exhaustive()
    }
}

/// Keys in Secrets.
const SECRET: [&str; 3] = ["accessKeyID", "accessKeySecret", "securityToken"];
/// Other keys, which count where the first are missing, in Secrets of every kind: those of DNS records have them.
const OTHER_KEYS: [&str; 2] = ["ACCESS_KEY_ID", "ACCESS_KEY_SECRET"];
/// Variables of the environment.
const VARIABLES: [&str; 3] =
    ["ALIBABA_CLOUD_ACCESS_KEY_ID", "ALIBABA_CLOUD_ACCESS_KEY_SECRET", "ALIBABA_CLOUD_SECURITY_TOKEN"];

impl AccessKey {
    /// The variables that an access key of the environment needs.
    pub(super) const NEEDED: [&str; 2] = {
        let [id, secret, _] = VARIABLES;
        [id, secret]
    };

    /// A permanent access key.
    pub fn new(id: &str, secret: &str) -> Self {
        Self { id: text(id), secret: text(secret), token: None }
    }

    /// A temporary access key, with its security token.
    pub fn temporary(id: &str, secret: &str, token: &str) -> Self {
        let token = Some(text(token)).filter(|token| !token.is_empty());
        Self { token, ..Self::new(id, secret) }
    }

    /// The access key that a credential is.
    pub(super) fn of(credential: &dyn Credential) -> Result<&Self, CallFailure> {
        let none = || CallFailure::own(NO_CREDENTIALS, "the credentials are no access key of Alibaba Cloud");
        credential.own().ok_or_else(none)
    }

    /// The access key in a Secret.
    pub(super) fn of_secret(secret: &SecretData<'_>) -> Result<Self, CredentialError> {
        let ([id, key, token], [other_id, other_key]) = (SECRET, OTHER_KEYS);
        let found = |name, other| match (secret.text(name)?, secret.text(other)?) {
            (None, Some(text)) => Ok((other, text)),
            (Some(text), _) => Ok((name, text)),
            (None, None) => secret.required(name).map(|text| (name, text)),
        };
        let ((id, of_id), (key, of_key)) = (found(id, other_id)?, found(key, other_key)?);
        let read = Self { id: of_id, secret: of_key, token: secret.text(token)? };
        read.checked([id, key, token], secret.place())
    }

    /// The access key in variables of the environment, where there is one.
    pub(super) fn of_environment(
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, CredentialError> {
        let [id, secret, token] =
            VARIABLES.map(|name| variable(name).filter(|value| !value.is_empty()).map(Zeroizing::new));
        let [id_name, secret_name, _] = VARIABLES;
        match (id, secret) {
            (None, None) => Ok(None),
            (Some(id), Some(secret)) => {
                Self { id, secret, token }.checked(VARIABLES, "the environment".to_owned()).map(Some)
            }
            (Some(_), None) => Err(CredentialError::Variable { given: id_name, missing: secret_name }),
            (None, Some(_)) => Err(CredentialError::Variable { given: secret_name, missing: id_name }),
        }
    }

    /// Checks that all texts can stand in headers.
    fn checked(self, keys: [&'static str; 3], place: String) -> Result<Self, CredentialError> {
        let texts = [Some(&self.id), Some(&self.secret), self.token.as_ref()];
        let wrong = keys
            .into_iter()
            .zip(texts)
            .find(|(_, text)| text.is_some_and(|text| !text.bytes().all(|byte| byte.is_ascii_graphic())));
        match wrong {
            Some((key, _)) => Err(CredentialError::Characters { place, key }),
            None => Ok(self),
        }
    }

    /// The secret of the access key.
    pub(super) fn secret(&self) -> &str {
        &self.secret
    }

    /// The security token of a temporary access key.
    pub(super) fn token(&self) -> Option<&str> {
        self.token.as_deref().map(String::as_str)
    }
}

impl Credential for AccessKey {
    fn id(&self) -> &str {
        &self.id
    }

    fn secrets(&self) -> Vec<&str> {
        [Some(self.secret()), self.token()].into_iter().flatten().collect()
    }
}

fn text(text: &str) -> Zeroizing<String> {
    Zeroizing::new(text.to_owned())
}

#[cfg(test)]
mod tests;
