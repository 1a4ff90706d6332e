//! What a policy knows of something outside of its request.

use super::{FactAnswer, Query};
use crate::document::Value;

/// What is known of something outside: of an object, or of a list in a cloud. `E` says why a look-up failed, in
/// the words of the caller where a policy adds nothing to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known<T, E = String> {
    /// The request holds it.
    Found(T),
    /// A look-up failed.
    Failed(E),
    /// Nobody has looked it up: the query that would.
    Unknown(Query),
}

impl<'r> Known<&'r Value<'r>> {
    /// What is known by the answer to a query.
    pub fn answered(query: Query, answer: Option<FactAnswer<'r>>) -> Self {
        match answer {
            Some(FactAnswer::Response(response)) => Self::Found(response),
            Some(FactAnswer::Error { message, .. }) => Self::Failed(message.to_owned()),
            None => Self::Unknown(query),
        }
    }
}
