//! What Gardener's own secrets manager made (`tests/data/certificates`).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use rsa::PrivateKey;
use rsa::pkcs1::DecodeRsaPrivateKey as _;
use serde_json::Value;

use super::decide::{CA_CRT, CA_KEY, TLS_KEY};
use super::existing::ExistingSecret;
use super::hash::Signer;
use super::issue::{IssueError, Keys};
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

    pub fn held(&self) -> Vec<ExistingSecret> {
        self.secrets().iter().map(|secret| ExistingSecret::read(secret).unwrap()).collect()
    }

    pub fn authority(&self, name: &str) -> RecordedAuthority {
        let held = self.held().into_iter().find(|held| held.name == name).unwrap();
        RecordedAuthority { certificate: Parsed::read(held.data.get(CA_CRT).unwrap()).unwrap(), held }
    }
}

pub struct RecordedAuthority {
    held: ExistingSecret,
    certificate: Parsed,
}

impl RecordedAuthority {
    pub fn signer<'s>(&'s self, name: &'s str) -> Signer<'s> {
        let value = |key| self.held.data.get(key).unwrap();
        Signer { name, certificate: &self.certificate, certificate_pem: value(CA_CRT), key_pem: value(CA_KEY) }
    }
}

/// The keys of recorded Secrets, in turn, because a fresh key takes seconds.
#[derive(Default)]
pub struct RecordedKeys(AtomicUsize);

impl RecordedKeys {
    /// Each test has a turn of its own: no two of its keys are the same unless it takes more than there are.
    pub fn shared() -> Arc<dyn Keys> {
        Arc::new(Self::default())
    }
}

impl Keys for RecordedKeys {
    fn key(&self) -> Result<PrivateKey, IssueError> {
        static READ: OnceLock<Vec<PrivateKey>> = OnceLock::new();
        let keys = READ.get_or_init(|| {
            let held = ["none", "preparing"].map(|name| Recorded::read(name).held()).concat();
            let keys = held.iter().filter_map(|held| held.data.get(CA_KEY).or_else(|| held.data.get(TLS_KEY)));
            keys.map(|pem| PrivateKey::from_pkcs1_pem(str::from_utf8(pem).unwrap()).unwrap()).collect()
        });
        Ok(keys[self.0.fetch_add(1, Ordering::Relaxed) % keys.len()].clone())
    }
}
