//! The command line, on toy policies.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic")]

mod commands;
mod default;
mod files;
mod formats;
mod scan;
mod toy;
mod updates;
mod validate;

use crate::outcome::Outcome;
use serde_json::Value;
use tempfile::TempDir;

const SHOOT: &str = "\
apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata:
  name: crazy
  namespace: garden-dev
spec:
  cloudProfileName: acme
  region: north
  kubernetes:
    version: 1.30.1
  provider:
    type: acme
    infrastructureConfig:
      networks:
        cidr: 10.0.0.0/16
";

const CLOUD_PROFILE: &str = "\
apiVersion: core.gardener.cloud/v1beta1
kind: CloudProfile
metadata:
  name: acme
spec:
  type: acme
  regions: [south]
";

const SECRET: &str = "\
apiVersion: v1
kind: Secret
metadata:
  name: credentials
  labels:
    provider.shoot.gardener.cloud/acme: 'true'
data:
  key: hunter2
";

const CONFIG_MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: notes\n";

fn broken_shoot() -> String {
    SHOOT.replace("10.0.0.0/16", "10.0.0.7/16")
}

fn joined(documents: &[&str]) -> String {
    documents.join("---\n")
}

/// Files in a directory of their own.
struct Files(TempDir);

impl Files {
    fn new(files: &[(&str, &str)]) -> Self {
        let directory = TempDir::new().unwrap();
        for (name, text) in files {
            std::fs::write(directory.path().join(name), text).unwrap();
        }
        Self(directory)
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }
}

fn json(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error}: {}", outcome.stdout))
}
