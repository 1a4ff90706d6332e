//! Why there is no answer.

use super::{Failure, FailureCause};
use crate::json::SyntaxError;

/// Why a policy gives no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The text is not a JSON document within the limits.
    #[error("{message}")]
    Syntax {
        /// `Malformed`, `TooLarge` or `TooDeep`.
        code: &'static str,
        /// What is wrong.
        message: String,
    },
    /// The request or the object does not have the shape that its kind asks for.
    #[error("{message}")]
    Malformed {
        /// What is wrong.
        message: String,
        /// Where in the object.
        pointer: Option<String>,
    },
    /// Something is larger than anything real, and rules would compare each part of it with each.
    #[error("{what} has {count} {unit}, at most {limit} are judged")]
    TooMany {
        /// What it is.
        what: &'static str,
        /// How large it is.
        count: usize,
        /// What that counts, such as `entries`.
        unit: &'static str,
        /// How large it may be.
        limit: usize,
    },
    /// A fact does not have the shape of an answer to its query.
    #[error("the fact for query `{query}` {problem}")]
    Fact {
        /// Id of the query.
        query: String,
        /// What is wrong with the answer.
        problem: &'static str,
    },
    /// No policy of that name.
    #[error("there is no provider `{0}`")]
    UnknownProvider(String),
    /// No function of that name.
    #[error(
        "there is no function `{0}`; there are addresses, classify, default, info, plan, rules, status, validate and \
             zones"
    )]
    UnknownFunction(String),
    /// A provider whose zones have no ranges of their own.
    #[error("the zones of `{0}` have no address ranges of their own, so none can be chosen")]
    NoZones(&'static str),
    /// A provider whose infrastructure this policy does not build.
    #[error("the policy of `{0}` plans no infrastructure")]
    NoInfrastructure(String),
    /// An object that the policy has no rules for.
    #[error("{}", unsupported(.api_version, .kind))]
    UnsupportedKind {
        /// Group and version given.
        api_version: String,
        /// Kind given.
        kind: String,
    },
    /// An object that is another provider's.
    #[error(
        "{what} names the provider `{found}`, which the policy of `{provider}` does not judge; ask that of `{found}`"
    )]
    OtherProvider {
        /// What names the provider, such as `the Shoot`.
        what: String,
        /// The provider that it names, or several separated by commas.
        found: String,
        /// The provider of the policy.
        provider: &'static str,
        /// Where in the object.
        pointer: &'static str,
    },
    /// Old and new object are of different kinds.
    #[error("the old object is a `{old}`, the new one a `{new}`")]
    KindChanged {
        /// Kind of the old object.
        old: String,
        /// Kind of the new object.
        new: String,
    },
    /// A zone that is asked for cannot be added.
    #[error("{message}")]
    Impossible {
        /// Why, and what to do about it.
        message: String,
        /// Where in the object.
        pointer: Option<String>,
    },
    /// The existing extension refuses to set defaults on such an object.
    #[error("{message}")]
    Denied {
        /// Why, in the words of the existing extension where it has any.
        message: String,
        /// Where in the object.
        pointer: String,
    },
}

fn unsupported(api_version: &str, kind: &str) -> String {
    match (api_version, kind) {
        (_, "") => "the object has no `kind`".to_owned(),
        ("", kind) => format!("`{kind}` is not a kind that this policy judges"),
        (api_version, kind) => format!("`{kind}` of `{api_version}` is not a kind that this policy judges"),
    }
}

impl From<SyntaxError> for Refusal {
    fn from(error: SyntaxError) -> Self {
        let code = match error {
            SyntaxError::TooLarge(_) | SyntaxError::TooMany(_) | SyntaxError::TooManyValues(_) => "TooLarge",
            SyntaxError::TooDeep(_) => "TooDeep",
            SyntaxError::Malformed { .. } => "Malformed",
        };
        Self::Syntax { code, message: error.to_string() }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let message = refusal.to_string();
        let (code, pointer) = match refusal {
            Refusal::Syntax { code, .. } => (code, None),
            Refusal::Malformed { pointer, .. } => ("Malformed", pointer),
            Refusal::TooMany { .. } => ("TooLarge", None),
            Refusal::Fact { .. } => ("Malformed", None),
            Refusal::UnknownProvider(_) => ("UnknownProvider", None),
            Refusal::UnknownFunction(_) | Refusal::NoZones(_) | Refusal::NoInfrastructure(_) => {
                ("UnknownFunction", None)
            }
            Refusal::Impossible { pointer, .. } => ("Impossible", pointer),
            Refusal::UnsupportedKind { .. } => ("UnsupportedKind", Some("/kind".to_owned())),
            Refusal::OtherProvider { pointer, .. } => ("OtherProvider", Some(pointer.to_owned())),
            Refusal::KindChanged { .. } => ("Malformed", Some("/kind".to_owned())),
            Refusal::Denied { pointer, .. } => ("Denied", Some(pointer)),
        };
        Self { error: FailureCause { code, message, pointer } }
    }
}
