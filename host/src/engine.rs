//! What runs a policy.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;

use crate::answer::Failure;
use crate::digest::Digest;

/// Runs the functions of policies. Requests and answers are JSON text; whatever is wrong with a request is
/// an answer too.
pub trait Engine: Send + Sync {
    /// Calls a function of a provider's policy. An error means that this call has no answer; the next may have.
    fn call(&self, provider: &str, function: Function, request: &str) -> Result<String, CallError>;

    /// The provider types that have a policy, sorted.
    fn providers(&self) -> Vec<String>;

    /// JSON Schemas of a provider's kinds and of the request and answer documents, by name; none for an unknown
    /// provider.
    fn schemas(&self, provider: &str) -> Result<BTreeMap<String, serde_json::Value>, SchemasError>;

    /// The file that a provider's policy was loaded from; none for a policy that is linked into this program.
    fn file(&self, provider: &str) -> Option<&PolicyFile>;
}

/// The functions of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Function {
    /// What the policy is and what it reads.
    Info,
    /// Every rule.
    Rules,
    /// Judge an object.
    Validate,
    /// Set the defaults of an object.
    Default,
    /// Tell the address space of an object.
    Addresses,
    /// Choose ranges for zones to add to an object.
    Zones,
    /// Plan what becomes of an infrastructure.
    Plan,
    /// Tell the status of an infrastructure.
    Status,
    /// Tell what to do about the error of a call.
    Classify,
}

impl Function {
    /// Every function.
    pub const ALL: [Self; 9] = [
        Self::Info,
        Self::Rules,
        Self::Validate,
        Self::Default,
        Self::Addresses,
        Self::Zones,
        Self::Plan,
        Self::Status,
        Self::Classify,
    ];

    /// Its name in the policy's interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Rules => "rules",
            Self::Validate => "validate",
            Self::Default => "default",
            Self::Addresses => "addresses",
            Self::Zones => "zones",
            Self::Plan => "plan",
            Self::Status => "status",
            Self::Classify => "classify",
        }
    }

    /// Whether it is asked with a request.
    pub fn takes_request(self) -> bool {
        !matches!(self, Self::Info | Self::Rules)
    }
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
}

/// Why a call has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// No policy of that provider type.
    #[error("there is no provider `{0}`")]
    UnknownProvider(String),
    /// The request is larger than what is handed to policies.
    #[error("the request has {size} bytes, at most {limit} are handed to a policy")]
    RequestTooLarge {
        /// Size of the request in bytes.
        size: usize,
        /// Most bytes.
        limit: usize,
    },
    /// As many calls as may run at once were running all the time.
    #[error("{limit} calls are running already, and none of them ended within {} s", .waited.as_secs_f64())]
    Busy {
        /// Most calls at once.
        limit: u32,
        /// How long the call waited.
        waited: Duration,
    },
    /// The call took too long.
    #[error("the policy has no answer after {} s, which is all the time it gets", .limit.as_secs_f64())]
    Deadline {
        /// Most time for a call.
        limit: Duration,
    },
    /// The call wanted too much memory.
    #[error("the policy wants more memory than the {} MiB that it gets", .limit >> 20)]
    Memory {
        /// Most memory in bytes.
        limit: usize,
    },
    /// Functions called each other too deeply.
    #[error("the policy recurses deeper than its stack of {} KiB", .limit >> 10)]
    Stack {
        /// Size of the stack in bytes.
        limit: usize,
    },
    /// The policy broke off.
    #[error("the policy broke off: {0}")]
    Trap(String),
    /// The answer is larger than what is taken from policies.
    #[error("the policy's answer has more than {} MiB", .limit >> 20)]
    AnswerTooLarge {
        /// Most bytes.
        limit: usize,
    },
    /// The answer is no UTF-8 text.
    #[error("the policy's answer is not UTF-8")]
    AnswerNotText,
    /// The answer is no JSON document.
    #[error("the policy's answer is not JSON: {0}")]
    AnswerNotJson(String),
    /// The policy does not keep to its interface otherwise, as with an answer that is outside of its memory.
    #[error("the policy breaks the rules of its interface: {0}")]
    Interface(String),
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        let code = match error {
            CallError::UnknownProvider(_) => "UnknownProvider",
            CallError::RequestTooLarge { .. } => "TooLarge",
            CallError::Busy { .. } => "Busy",
            CallError::Deadline { .. } => "DeadlineExceeded",
            CallError::Memory { .. } => "MemoryExceeded",
            CallError::Stack { .. } => "StackExceeded",
            CallError::Trap(_) => "Trapped",
            CallError::AnswerTooLarge { .. } => "AnswerTooLarge",
            CallError::AnswerNotText | CallError::AnswerNotJson(_) | CallError::Interface(_) => {
                Self::UNKNOWN_ANSWER
            }
        };
        Self { code: code.to_owned(), message: error.to_string(), pointer: None }
    }
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

    fn schemas(&self, provider: &str) -> Result<BTreeMap<String, serde_json::Value>, SchemasError> {
        Ok(trellis_core::schemas(provider))
    }

    fn file(&self, _: &str) -> Option<&PolicyFile> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "native")]
    #[test]
    fn an_unknown_provider_has_the_same_words_on_every_engine() {
        let native = Native.call("nobody", Function::Info, "{}").unwrap();
        let failure: serde_json::Value = serde_json::from_str(&native).unwrap();
        let ours = Failure::from(CallError::UnknownProvider("nobody".to_owned()));
        assert_eq!(failure.get("error"), Some(&serde_json::to_value(ours).unwrap()));
    }

    #[test]
    fn limits_are_said_in_units_that_people_use() {
        let deadline = CallError::Deadline { limit: Duration::from_millis(1_500) };
        assert_eq!(deadline.to_string(), "the policy has no answer after 1.5 s, which is all the time it gets");
        let memory = CallError::Memory { limit: 256 << 20 };
        assert_eq!(memory.to_string(), "the policy wants more memory than the 256 MiB that it gets");
    }
}
