//! Why a call of a policy has no answer.

use std::time::Duration;

use crate::answer::Failure;

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
    /// The engine itself broke off.
    #[error("the call of the policy broke off: {0}")]
    Panicked(String),
    /// The policy does not keep to its interface otherwise, as with an answer that is outside of its memory.
    #[error("the policy breaks the rules of its interface: {0}")]
    Interface(String),
}

impl CallError {
    /// Whether the same call may have an answer later, because the machine is busy.
    pub fn is_temporary(&self) -> bool {
        matches!(self, Self::Busy { .. } | Self::Deadline { .. })
    }
}

impl crate::span::Coded for CallError {
    fn code(&self) -> &str {
        code(self)
    }
}

/// What went wrong.
fn code(error: &CallError) -> &'static str {
    match error {
        CallError::UnknownProvider(_) => "UnknownProvider",
        CallError::RequestTooLarge { .. } => "TooLarge",
        CallError::Busy { .. } => "Busy",
        CallError::Deadline { .. } => "DeadlineExceeded",
        CallError::Memory { .. } => "MemoryExceeded",
        CallError::Stack { .. } => "StackExceeded",
        CallError::Trap(_) | CallError::Panicked(_) => "Trapped",
        CallError::AnswerTooLarge { .. } => "AnswerTooLarge",
        CallError::AnswerNotText | CallError::AnswerNotJson(_) | CallError::Interface(_) => {
            Failure::UNKNOWN_ANSWER
        }
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        Self::new(code(&error), error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_said_in_units_that_people_use() {
        let deadline = CallError::Deadline { limit: Duration::from_millis(1_500) };
        assert_eq!(deadline.to_string(), "the policy has no answer after 1.5 s, which is all the time it gets");
        let memory = CallError::Memory { limit: 256 << 20 };
        assert_eq!(memory.to_string(), "the policy wants more memory than the 256 MiB that it gets");
    }
}
