//! The data of a Secret.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

use super::CredentialError;
use trellis_policies::source::Node;

/// The data of a Secret, of which a family of clouds makes a credential.
pub struct SecretData<'d> {
    place: &'d str,
    values: Values<'d>,
}

enum Values<'d> {
    /// As a manifest has them.
    Manifest(&'d Node),
    /// As the API server hands them out.
    Decoded(&'d dyn Fn(&str) -> Option<&'d [u8]>),
}

/// Shows no value.
impl fmt::Debug for SecretData<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("SecretData").field("place", &self.place).finish_non_exhaustive()
    }
}

impl<'d> SecretData<'d> {
    /// The data of a manifest; `place` is where that is, for people.
    pub fn of_manifest(secret: &'d Node, place: &'d str) -> Self {
        Self { place, values: Values::Manifest(secret) }
    }

    /// Decoded values by key; `place` is where the Secret is, for people.
    pub fn decoded(values: &'d dyn Fn(&str) -> Option<&'d [u8]>, place: &'d str) -> Self {
        Self { place, values: Values::Decoded(values) }
    }

    /// Where the Secret is, for people.
    pub fn place(&self) -> String {
        format!("the Secret in `{}`", self.place)
    }

    /// A value; none where it is absent or empty.
    pub fn text(&self, key: &'static str) -> Result<Option<Zeroizing<String>>, CredentialError> {
        let value = match self.values {
            Values::Manifest(secret) => self.of_node(secret, key)?,
            Values::Decoded(values) => {
                let text = |bytes| std::str::from_utf8(bytes).map(|text| Zeroizing::new(text.to_owned()));
                let wrong = |_| CredentialError::Characters { place: self.place(), key };
                values(key).map(text).transpose().map_err(wrong)?
            }
        };
        Ok(value.filter(|text| !text.is_empty()))
    }

    /// A value that the Secret must have.
    pub fn required(&self, key: &'static str) -> Result<Zeroizing<String>, CredentialError> {
        self.text(key)?.ok_or_else(|| CredentialError::Missing { place: self.place.to_owned(), key })
    }

    /// A value of a manifest; `stringData` goes before `data`, as for the API server.
    fn of_node(&self, secret: &Node, key: &'static str) -> Result<Option<Zeroizing<String>>, CredentialError> {
        if let Some(plain) = secret.at(&["stringData", key]).and_then(Node::as_str) {
            return Ok(Some(Zeroizing::new(plain.to_owned())));
        }
        let Some(encoded) = secret.at(&["data", key]).and_then(Node::as_str) else { return Ok(None) };
        let encoded: Zeroizing<String> = Zeroizing::new(encoded.split_ascii_whitespace().collect());
        let decoded = STANDARD.decode(encoded.as_bytes()).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let wrong = || CredentialError::Base64 { place: self.place.to_owned(), key };
        decoded.map(|text| Some(Zeroizing::new(text))).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests;
