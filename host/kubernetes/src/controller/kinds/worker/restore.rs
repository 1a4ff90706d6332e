//! Machines that another seed saved (reference: gardener-contract 3.4).

use std::collections::BTreeMap;
use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::{Value, json};

use super::owned::without_nulls;

/// The most bytes of the machines of a Worker.
const MOST_BYTES: u64 = 64 << 20;

/// The machines of a Worker as its old seed saved them.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Saved {
    /// By the name of the machine deployment.
    machine_deployments: BTreeMap<String, SavedDeployment>,
}

/// A machine deployment as its old seed saved it.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SavedDeployment {
    /// The number of its machines.
    pub replicas: i64,
    /// Its machine sets.
    #[serde(deserialize_with = "or_none")]
    pub machine_sets: Vec<Value>,
    /// Its machines, with the ids of their instances.
    #[serde(deserialize_with = "or_none")]
    pub machines: Vec<Value>,
}

/// The state of a Worker cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// It is not of the form `{ "state": base64 }`.
    #[error("failed unmarshalling JSON to compressed machine state structure: {0}")]
    Form(serde_json::Error),
    /// It is no base64.
    #[error("failed unmarshalling JSON to compressed machine state structure: {0}")]
    Base64(#[from] base64::DecodeError),
    /// It is not compressed.
    #[error("failed decompressing machine state: {0}")]
    Compression(#[from] std::io::Error),
    /// It has more bytes than anybody reads.
    #[error("failed decompressing machine state: it has more than {} MiB", MOST_BYTES >> 20)]
    TooLarge,
    /// Its content is something else.
    #[error("failed decoding machine state: {0}")]
    Content(serde_json::Error),
}

impl Saved {
    /// Reads `status.state` of a Worker. A state without content has no machines.
    pub fn read(state: Option<&Value>) -> Result<Self, StateError> {
        #[derive(Deserialize)]
        struct Compressed {
            #[serde(default)]
            state: Option<String>,
        }
        let Some(state) = state.filter(|state| !state.is_null()) else { return Ok(Self::default()) };
        let Compressed { state } = Compressed::deserialize(state).map_err(StateError::Form)?;
        let compressed = STANDARD.decode(state.unwrap_or_default())?;
        if compressed.is_empty() {
            return Ok(Self::default());
        }
        let mut content = Vec::new();
        GzDecoder::new(compressed.as_slice()).take(MOST_BYTES + 1).read_to_end(&mut content)?;
        if content.len() as u64 > MOST_BYTES {
            return Err(StateError::TooLarge);
        }
        let saved: Option<Self> = serde_json::from_slice(&content).map_err(StateError::Content)?;
        Ok(saved.unwrap_or_default())
    }

    /// A machine deployment. One without machine sets is made as if nothing had been saved.
    pub fn deployment(&self, name: &str) -> Option<&SavedDeployment> {
        self.machine_deployments.get(name).filter(|deployment| !deployment.machine_sets.is_empty())
    }
}

/// A saved machine set or machine as it is created in a namespace: without its status, and owned by nobody yet.
pub fn restored(saved: &Value, namespace: &str) -> Value {
    let metadata = |key: &str| saved.pointer("/metadata").and_then(|metadata| metadata.get(key)).cloned();
    without_nulls(&json!({
        "metadata": {
            "name": metadata("name"), "namespace": namespace, "annotations": metadata("annotations"), "labels": metadata("labels"),
        },
        "spec": saved.get("spec"),
    }))
}

fn or_none<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<Value>, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn state(content: &[u8]) -> Value {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(content).unwrap();
        json!({ "state": STANDARD.encode(encoder.finish().unwrap()) })
    }

    #[test]
    fn a_saved_state_has_machines_by_their_machine_deployments() {
        let machine = json!({ "metadata": { "name": "m" }, "spec": { "providerID": "cn.i-1" } });
        let content = json!({ "machineDeployments": {
            "a": { "replicas": 2, "machineSets": [{ "metadata": { "name": "s" } }], "machines": [machine] },
            "b": { "machineSets": [{}], "machines": null },
            "c": { "replicas": 1 },
        } });
        let saved = Saved::read(Some(&state(content.to_string().as_bytes()))).unwrap();
        let a = saved.deployment("a").unwrap();
        assert_eq!((a.replicas, &a.machines), (2, &vec![machine]));
        assert_eq!(saved.deployment("b").map(|b| (b.replicas, b.machines.len())), Some((0, 0)));
        assert!(saved.deployment("c").is_none() && saved.deployment("d").is_none());
    }

    #[test]
    fn a_state_without_content_has_no_machines() {
        for state in [
            None,
            Some(json!(null)),
            Some(json!({})),
            Some(json!({ "state": null })),
            Some(json!({ "state": "" })),
            Some(state(b"null")),
        ] {
            assert!(Saved::read(state.as_ref()).unwrap().machine_deployments.is_empty(), "{state:?}");
        }
    }

    #[test]
    fn what_is_no_state_is_an_error_and_so_is_a_state_without_an_end() {
        let words = |state: &Value| Saved::read(Some(state)).unwrap_err().to_string();
        for (state, begin) in [
            (json!("x"), "failed unmarshalling JSON to compressed machine state structure: "),
            (json!({ "state": 1 }), "failed unmarshalling JSON to compressed machine state structure: "),
            (json!({ "state": "*" }), "failed unmarshalling JSON to compressed machine state structure: "),
            (json!({ "state": "AAAA" }), "failed decompressing machine state: "),
            (state(b"[]x"), "failed decoding machine state: "),
        ] {
            assert!(words(&state).starts_with(begin), "{}", words(&state));
        }
        let bomb = state(&vec![b' '; usize::try_from(MOST_BYTES).unwrap() + 1]);
        assert_eq!(words(&bomb), "failed decompressing machine state: it has more than 64 MiB");
    }

    #[test]
    fn what_is_restored_keeps_its_instance_and_its_node_and_comes_into_the_namespace() {
        let saved = json!({
            "apiVersion": "x", "kind": "Machine",
            "metadata": { "name": "m", "namespace": "elsewhere", "labels": { "node": "n" }, "creationTimestamp": null, "uid": "u",
                "finalizers": ["f"] },
            "spec": { "providerID": "cn.i-1", "nodeTemplate": { "metadata": { "creationTimestamp": null } } },
            "status": { "currentStatus": { "lastUpdateTime": null } },
        });
        let expected = json!({
            "metadata": { "name": "m", "namespace": "ns", "labels": { "node": "n" } },
            "spec": { "providerID": "cn.i-1", "nodeTemplate": { "metadata": {} } },
        });
        assert_eq!(restored(&saved, "ns"), expected);
    }
}
