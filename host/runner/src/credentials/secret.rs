//! An access key.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

use super::CredentialError;
use trellis_policies::source::Node;

/// An access key, and a security token where it is a temporary one. Its texts are wiped from memory when it goes.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential {
    id: Zeroizing<String>,
    secret: Zeroizing<String>,
    token: Option<Zeroizing<String>>,
}

/// Shows no part of the access key.
impl fmt::Debug for Credential {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Credential").finish_non_exhaustive()
    }
}

/// Keys in Secrets.
const SECRET: [&str; 3] = ["accessKeyID", "accessKeySecret", "securityToken"];
/// Variables of the environment.
const VARIABLES: [&str; 3] =
    ["ALIBABA_CLOUD_ACCESS_KEY_ID", "ALIBABA_CLOUD_ACCESS_KEY_SECRET", "ALIBABA_CLOUD_SECURITY_TOKEN"];

/// What stands in place of secrets.
const REDACTED: &str = "(redacted)";

impl Credential {
    /// A permanent access key.
    pub fn new(id: &str, secret: &str) -> Self {
        Self { id: text(id), secret: text(secret), token: None }
    }

    /// A temporary access key, with its security token.
    pub fn temporary(id: &str, secret: &str, token: &str) -> Self {
        let token = Some(text(token)).filter(|token| !token.is_empty());
        Self { token, ..Self::new(id, secret) }
    }

    /// The access key of a Secret; `place` is where that is, for people.
    pub fn of_secret(secret: &Node, place: &str) -> Result<Self, CredentialError> {
        let [id_key, secret_key, token_key] = SECRET;
        let value = |key| value(secret, key, place);
        let required = |key| value(key)?.ok_or_else(|| CredentialError::Missing { place: place.to_owned(), key });
        let (id, secret) = (required(id_key)?, required(secret_key)?);
        Self { id, secret, token: value(token_key)? }.checked(SECRET, &format!("the Secret in `{place}`"))
    }

    /// The access key in the decoded data of a Secret; `place` is where that is, for people.
    pub fn of_data<'d>(data: impl Fn(&str) -> Option<&'d [u8]>, place: &str) -> Result<Self, CredentialError> {
        let [id_key, secret_key, token_key] = SECRET;
        let value = |key: &'static str| {
            let Some(bytes) = data(key).filter(|bytes| !bytes.is_empty()) else { return Ok(None) };
            let wrong = || CredentialError::Characters { place: format!("the Secret in `{place}`"), key };
            std::str::from_utf8(bytes).map(|value| Some(text(value))).map_err(|_| wrong())
        };
        let required = |key| value(key)?.ok_or_else(|| CredentialError::Missing { place: place.to_owned(), key });
        let (id, secret) = (required(id_key)?, required(secret_key)?);
        Self { id, secret, token: value(token_key)? }.checked(SECRET, &format!("the Secret in `{place}`"))
    }

    /// The access key of the environment, where that has one.
    pub fn of_environment() -> Result<Option<Self>, CredentialError> {
        Self::of_variables(|name| std::env::var(name).ok())
    }

    fn of_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, CredentialError> {
        let [id, secret, token] =
            VARIABLES.map(|name| variable(name).filter(|value| !value.is_empty()).map(Zeroizing::new));
        let [id_name, secret_name, _] = VARIABLES;
        match (id, secret) {
            (None, None) => Ok(None),
            (Some(id), Some(secret)) => Self { id, secret, token }.checked(VARIABLES, "the environment").map(Some),
            (Some(_), None) => Err(CredentialError::Variable { given: id_name, missing: secret_name }),
            (None, Some(_)) => Err(CredentialError::Variable { given: secret_name, missing: id_name }),
        }
    }

    /// Checks that all texts can stand in headers.
    fn checked(self, keys: [&'static str; 3], place: &str) -> Result<Self, CredentialError> {
        let texts = [Some(&self.id), Some(&self.secret), self.token.as_ref()];
        let wrong = keys
            .into_iter()
            .zip(texts)
            .find(|(_, text)| text.is_some_and(|text| !text.bytes().all(|byte| byte.is_ascii_graphic())));
        match wrong {
            Some((key, _)) => Err(CredentialError::Characters { place: place.to_owned(), key }),
            None => Ok(self),
        }
    }

    /// Identifier of the access key.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The secret of the access key.
    pub fn secret(&self) -> &str {
        &self.secret
    }

    /// The security token of a temporary access key.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref().map(String::as_str)
    }

    /// Removes the secrets of this credential from a text of the cloud, which may quote what it received.
    pub fn redact(&self, text: String) -> String {
        let secrets = [Some(self.secret()), self.token()].into_iter().flatten();
        secrets.filter(|secret| !secret.is_empty()).fold(text, |text, secret| text.replace(secret, REDACTED))
    }
}

fn text(text: &str) -> Zeroizing<String> {
    Zeroizing::new(text.to_owned())
}

/// A value of a Secret; `stringData` goes before `data`, as for the API server.
fn value(secret: &Node, key: &'static str, place: &str) -> Result<Option<Zeroizing<String>>, CredentialError> {
    if let Some(plain) = secret.at(&["stringData", key]).and_then(Node::as_str) {
        return Ok(Some(text(plain)).filter(|text| !text.is_empty()));
    }
    let Some(encoded) = secret.at(&["data", key]).and_then(Node::as_str) else { return Ok(None) };
    let encoded: Zeroizing<String> = Zeroizing::new(encoded.split_ascii_whitespace().collect());
    let decoded = STANDARD.decode(encoded.as_bytes()).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let decoded = decoded.ok_or_else(|| CredentialError::Base64 { place: place.to_owned(), key })?;
    Ok(Some(Zeroizing::new(decoded)).filter(|text| !text.is_empty()))
}

#[cfg(test)]
mod tests;
