//! What runs a policy.

mod asker;
mod call_error;
mod function;
#[cfg(feature = "sandbox")]
mod shadow;
mod versions;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

use crate::answer::RuleWords;
use crate::digest::Digest;

pub use asker::words;
pub use asker::{Asker, PolicyThreads};
pub use call_error::CallError;
pub use function::{Function, Part};
#[cfg(feature = "sandbox")]
pub use shadow::{Comparisons, Deviation, Difference, Shadow};
pub use versions::Versions;

/// Runs the functions of policies. Requests and answers are JSON text; whatever is wrong with a request is
/// an answer too.
pub trait Engine: Send + Sync {
    /// Calls a function of a provider's policy. An error means that this call has no answer; the next may have.
    fn call(&self, provider: &str, function: Function, request: &str) -> Result<String, CallError>;

    /// The provider types that have a policy, sorted.
    fn providers(&self) -> Vec<String>;

    /// The policies that judge objects of every provider, sorted; their names are no provider types.
    fn general(&self) -> Vec<String> {
        Vec::new()
    }

    /// The names of all policies, sorted.
    fn policies(&self) -> Vec<String> {
        let mut names = [self.providers(), self.general()].concat();
        names.sort_unstable();
        names
    }

    /// JSON Schemas of a provider's kinds and of the request and answer documents, by name; none for an unknown
    /// provider.
    fn schemas(&self, provider: &str) -> Result<BTreeMap<String, serde_json::Value>, SchemasError>;

    /// What the rules of a provider say to people, by the ids of the rules.
    fn words(&self, provider: &str) -> Result<BTreeMap<String, RuleWords>, WordsError>;

    /// The file that a provider's policy was loaded from; none for a policy that is linked into this program.
    fn file(&self, provider: &str) -> Option<&PolicyFile>;
}

/// A file with a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyFile {
    /// Where it is.
    pub path: PathBuf,
    /// Of its bytes.
    pub digest: Digest,
    /// Size in bytes.
    pub size: usize,
    /// What vouches for the file.
    pub trust: Trust,
}

/// What vouches for a file with a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The operator named the digest of the file.
    Named,
    /// `SHA256SUMS` next to the file lists the digest. That shows damage, and not who made the file, because
    /// people who can write the file can write `SHA256SUMS`.
    Listed,
}

/// Why there are no schemas.
#[derive(Debug, thiserror::Error)]
#[error("the JSON Schemas of `{provider}` cannot be read: {cause}")]
pub struct SchemasError {
    /// Whose.
    pub provider: String,
    /// What is wrong.
    pub cause: Box<dyn Error + Send + Sync>,
}

/// Why the rules of a provider have no words.
#[derive(Debug, thiserror::Error)]
pub enum WordsError {
    /// Nobody gave the file.
    #[error("there are no words for the rules of `{provider}`: there is no file `{}`", .file.display())]
    Missing {
        /// Whose rules.
        provider: String,
        /// The file that should hold the words.
        file: PathBuf,
    },
    /// The file, or what it holds, is not what it should be.
    #[error("the words for the rules of `{provider}` cannot be read: {cause}")]
    Unreadable {
        /// Whose rules.
        provider: String,
        /// What is wrong.
        cause: Box<dyn Error + Send + Sync>,
    },
}

/// Policies linked into this program.
#[cfg(feature = "native")]
#[derive(Clone, Copy, Debug)]
pub struct Native;

#[cfg(feature = "native")]
impl Engine for Native {
    fn call(&self, provider: &str, function: Function, request: &str) -> Result<String, CallError> {
        Ok(trellis_core::call(provider, function.name(), request))
    }

    fn providers(&self) -> Vec<String> {
        trellis_core::providers().map(str::to_owned).collect()
    }

    fn general(&self) -> Vec<String> {
        trellis_core::general().map(str::to_owned).collect()
    }

    fn schemas(&self, provider: &str) -> Result<BTreeMap<String, serde_json::Value>, SchemasError> {
        Ok(trellis_core::schemas(provider))
    }

    fn words(&self, provider: &str) -> Result<BTreeMap<String, RuleWords>, WordsError> {
        let words = |words: trellis_core::report::RuleWords| RuleWords {
            summary: words.summary.to_owned(),
            why: words.why.to_owned(),
            fix: words.fix.to_owned(),
            informative: words.informative.map(str::to_owned),
        };
        Ok(trellis_core::words(provider).into_iter().map(|(id, of)| (id.to_owned(), words(of))).collect())
    }

    fn file(&self, _: &str) -> Option<&PolicyFile> {
        None
    }
}

#[cfg(all(test, feature = "native"))]
mod tests {
    use super::*;
    use crate::answer::Failure;

    #[test]
    fn an_unknown_provider_has_the_same_words_on_every_engine() {
        let native = Native.call("nobody", Function::Info, "{}").unwrap();
        let failure: serde_json::Value = serde_json::from_str(&native).unwrap();
        let ours = Failure::from(CallError::UnknownProvider("nobody".to_owned()));
        assert_eq!(failure.get("error"), Some(&serde_json::to_value(ours).unwrap()));
    }
}
