//! Policies from files, as WebAssembly components in a sandbox.
//!
//! A policy imports nothing: it can reach neither files nor network, neither clock nor other policies. Every
//! call gets an instance of its own, within [`Limits`]; whatever becomes of it is an error of that call alone.
//! Which files are run, [`Expected`] says: those whose digests the operator names, or those that `SHA256SUMS` next
//! to them lists. The latter is for integrity only.
//!
//! ```no_run
//! use std::path::Path;
//! use trellis_policies::engine::{Engine, Function};
//! use trellis_policies::sandbox::{Limits, Sandbox, default_cache};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut sandbox = Sandbox::new(Limits::default(), default_cache().as_deref())?;
//! sandbox.load(Path::new("target/release/policies"))?;
//! let request = r#"{"object":{"apiVersion":"core.gardener.cloud/v1beta1","kind":"Shoot"}}"#;
//! println!("{}", sandbox.call("alicloud", Function::Validate, request)?);
//! # Ok(())
//! # }
//! ```

mod artifacts;
mod clock;
mod component;
mod folder;
mod limits;
mod places;
mod record;
mod refusal;
mod runtime;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

pub use artifacts::CacheError;
pub use folder::Expected;
pub use limits::Limits;
pub use record::RecordError;
pub use refusal::{Cause, LoadError, Refusal};
pub use runtime::StartError;

use crate::answer::{self, Info, RuleWords};
use crate::digest::Digest;
use crate::engine::{CallError, Engine, Function, PolicyFile, SchemasError, Trust, WordsError};
use crate::policy::GARDENER;
use artifacts::Artifacts;
use component::Guest;
use folder::Verified;
use runtime::Runtime;

/// Policies from files. Calls may come from several threads.
#[derive(Debug)]
pub struct Sandbox {
    /// By provider type.
    policies: BTreeMap<String, Loaded>,
    runtime: Runtime,
    artifacts: Artifacts,
}

/// A policy that can be called.
struct Loaded {
    guest: Guest,
    file: PolicyFile,
}

impl Sandbox {
    /// A sandbox without policies. What it compiles is kept in the folder `cache`, if there is one.
    pub fn new(limits: Limits, cache: Option<&Path>) -> Result<Self, StartError> {
        let artifacts = Artifacts::new(cache);
        let runtime = Runtime::new(limits, artifacts.cache())?;
        Ok(Self { policies: BTreeMap::new(), runtime, artifacts })
    }

    /// Loads a policy from a file with the extension `wasm`, or all of a folder, where `SHA256SUMS` lists them.
    /// What is not refused is loaded, also when something else is.
    pub fn load(&mut self, path: &Path) -> Result<(), LoadError> {
        let (refused, _) = self.load_path(path, &Expected::Listed)?;
        if refused.is_empty() { Ok(()) } else { Err(LoadError::Refused(refused)) }
    }

    /// Loads the policies at all of these paths, as far as they are expected. What is not refused is loaded, also
    /// when something else is. A digest that is named and that no file has is an error.
    pub fn load_all(&mut self, paths: &[PathBuf], expected: &Expected) -> Result<(), Vec<LoadError>> {
        let (mut errors, mut found) = (Vec::new(), BTreeSet::new());
        for path in paths {
            match self.load_path(path, expected) {
                Err(error) => errors.push(error),
                Ok((refused, digests)) => {
                    found.extend(digests);
                    if !refused.is_empty() {
                        errors.push(LoadError::Refused(refused));
                    }
                }
            }
        }
        if let Expected::Named(digests) = expected {
            errors.extend(digests.difference(&found).copied().map(LoadError::Absent));
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Loads what is at a path: the files that are refused, and the digests of all files.
    fn load_path(
        &mut self,
        path: &Path,
        expected: &Expected,
    ) -> Result<(Vec<Refusal>, BTreeSet<Digest>), LoadError> {
        let (mut refused, mut digests) = (Vec::new(), BTreeSet::new());
        let trust = match expected {
            Expected::Listed => Trust::Listed,
            Expected::Named(_) => Trust::Named,
        };
        for policy in folder::policies(path, expected)? {
            digests.extend(match &policy {
                Ok(policy) => Some(policy.digest),
                Err(refusal) => refusal.digest,
            });
            if let Err(refusal) = policy.and_then(|policy| self.add(policy, trust)) {
                refused.push(refusal);
            }
        }
        Ok((refused, digests))
    }

    /// What went wrong with keeping compiled policies since this was asked before.
    pub fn take_cache_errors(&self) -> Vec<CacheError> {
        self.artifacts.take_errors()
    }

    fn add(&mut self, Verified { path, digest, bytes }: Verified, trust: Trust) -> Result<(), Refusal> {
        if self.policies.values().any(|policy| policy.file.digest == digest) {
            // It was named twice.
            return Ok(());
        }
        let file = PolicyFile { path, digest, size: bytes.len(), trust };
        let refusal = |file: PolicyFile, cause: Cause| Refusal {
            file: file.path,
            digest: Some(digest),
            cause: cause.into(),
        };
        let (provider, guest) = match self.prepare(digest, &bytes) {
            Ok(prepared) => prepared,
            Err(cause) => return Err(refusal(file, cause)),
        };
        if let Some(other) = self.policies.get(&provider) {
            let other = other.file.path.clone();
            return Err(refusal(file, Cause::SameProvider { provider, other }));
        }
        self.policies.insert(provider, Loaded { guest, file });
        Ok(())
    }

    /// The policy and its provider type.
    fn prepare(&self, digest: Digest, bytes: &[u8]) -> Result<(String, Guest), Cause> {
        component::check_kind(bytes)?;
        let engine = self.runtime.engine();
        let component = self.artifacts.compile(engine, digest, bytes);
        let component = component.map_err(|error| Cause::Invalid(format!("{error:#}")))?;
        let guest = Guest::new(engine, &component)?;
        let info = self.runtime.call(&guest, Function::Info, "").map_err(|error| Cause::NoInfo(error.into()))?;
        let Info { provider, version, parity, .. } = answer::read(&info).map_err(Cause::NoInfo)?;
        let is_name = |of: char| of.is_ascii_alphanumeric() || ".-_".contains(of);
        let is_line = |text: &str| !text.is_empty() && !text.contains(char::is_control);
        for (key, is_proper) in [
            ("provider", !provider.is_empty() && provider.chars().all(is_name)),
            ("version", is_line(&version)),
            ("parity", is_line(&parity)),
        ] {
            if !is_proper {
                return Err(Cause::WrongInfo(key));
            }
        }
        Ok((provider, guest))
    }
}

impl Engine for Sandbox {
    fn call(&self, provider: &str, function: Function, request: &str) -> Result<String, CallError> {
        let policy = self.policies.get(provider).ok_or_else(|| CallError::UnknownProvider(provider.to_owned()))?;
        self.runtime.call(&policy.guest, function, request)
    }

    fn providers(&self) -> Vec<String> {
        self.policies.keys().filter(|name| *name != GARDENER).cloned().collect()
    }

    fn general(&self) -> Vec<String> {
        self.policies.keys().filter(|name| *name == GARDENER).cloned().collect()
    }

    /// They are in the file `<name>.schemas.json` next to `<name>.wasm`; without it there are none.
    fn schemas(&self, provider: &str) -> Result<BTreeMap<String, serde_json::Value>, SchemasError> {
        let Some(policy) = self.policies.get(provider) else { return Ok(BTreeMap::new()) };
        let name = policy.file.path.file_stem().unwrap_or_default().to_string_lossy();
        let file = folder::companion(&policy.file.path, &format!("{name}.schemas.json"));
        let schemas = file.map_err(Box::from).and_then(|file| {
            file.map_or_else(|| Ok(BTreeMap::new()), |file| Ok(serde_json::from_slice(&file.bytes)?))
        });
        schemas.map_err(|cause| SchemasError { provider: provider.to_owned(), cause })
    }

    /// The words are in the file `<name>.rules.json` next to `<name>.wasm`.
    fn words(&self, provider: &str) -> Result<BTreeMap<String, RuleWords>, WordsError> {
        let Some(policy) = self.policies.get(provider) else { return Ok(BTreeMap::new()) };
        let name = policy.file.path.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{name}.rules.json");
        let provider = provider.to_owned();
        match folder::companion(&policy.file.path, &name) {
            Ok(None) => Err(WordsError::Missing { provider, file: policy.file.path.with_file_name(name) }),
            Ok(Some(file)) => serde_json::from_slice(&file.bytes).map_err(|error| {
                let cause = format!("`{}`: {error}", file.path.display()).into();
                WordsError::Unreadable { provider, cause }
            }),
            Err(refusal) => Err(WordsError::Unreadable { provider, cause: Box::new(refusal) }),
        }
    }

    fn file(&self, provider: &str) -> Option<&PolicyFile> {
        self.policies.get(provider).map(|policy| &policy.file)
    }
}

impl fmt::Debug for Loaded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.file.fmt(formatter)
    }
}

/// The folder where this user's programs keep what they can make again: `trellis` in `XDG_CACHE_HOME`, else in
/// `.cache` of the home directory; none without a home. `TRELLIS_CACHE` names another folder; empty, none.
pub fn default_cache() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("TRELLIS_CACHE") {
        return (!folder.is_empty()).then(|| PathBuf::from(folder));
    }
    let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    caches.map(|caches| caches.join("trellis"))
}
