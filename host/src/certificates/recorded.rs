//! What Gardener's own secrets manager made (`host/tests/data/certificates`).

use jiff::Timestamp;
use serde_json::Value;

use super::decide::{CA_CRT, CA_KEY};
use super::hash::Signer;
use super::held::Held;
use super::pem::Parsed;
use super::rotation::Rotation;

/// A namespace as Gardener's secrets manager left it.
pub struct Recorded(Value);

impl Recorded {
    pub fn read(name: &str) -> Self {
        let path = format!("{}/tests/data/certificates/{name}.json", env!("CARGO_MANIFEST_DIR"));
        Self(serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
    }

    pub fn now(&self) -> Timestamp {
        self.0["now"].as_str().unwrap().parse().unwrap()
    }

    pub fn namespace(&self) -> &str {
        self.0["namespace"].as_str().unwrap()
    }

    pub fn rotation(&self) -> Rotation {
        let rotation = serde_json::json!({ "certificateAuthorities": self.0["rotation"] });
        Rotation::of(&serde_json::json!({ "status": { "credentials": { "rotation": rotation } } }))
    }

    /// Which Secret is used for which configuration.
    pub fn current(&self) -> &Value {
        &self.0["current"]
    }

    pub fn secrets(&self) -> &[Value] {
        self.0["secrets"].as_array().unwrap()
    }

    pub fn held(&self) -> Vec<Held> {
        self.secrets().iter().map(|secret| Held::read(secret).unwrap()).collect()
    }

    pub fn authority(&self, name: &str) -> RecordedAuthority {
        let held = self.held().into_iter().find(|held| held.name == name).unwrap();
        RecordedAuthority { certificate: Parsed::read(held.data.get(CA_CRT).unwrap()).unwrap(), held }
    }
}

pub struct RecordedAuthority {
    held: Held,
    certificate: Parsed,
}

impl RecordedAuthority {
    pub fn signer<'s>(&'s self, name: &'s str) -> Signer<'s> {
        let value = |key| self.held.data.get(key).unwrap();
        Signer { name, certificate: &self.certificate, certificate_pem: value(CA_CRT), key_pem: value(CA_KEY) }
    }
}
