//! Answers to queries.

use super::Query;
use crate::document::Value;

/// The answer to a [`Query`].
#[derive(Clone, Copy, Debug)]
pub struct Fact<'r> {
    /// Id of the query.
    pub query: &'r str,
    /// The answer.
    pub answer: FactAnswer<'r>,
}

/// What an API answered.
#[derive(Clone, Copy, Debug)]
pub enum FactAnswer<'r> {
    /// The response, as the API wrote it.
    Response(&'r Value<'r>),
    /// The call failed.
    Error {
        /// The API's error code.
        code: &'r str,
        /// The API's message.
        message: &'r str,
        /// The HTTP status of the response; 0 where there was no response.
        http_status: i64,
    },
}

impl<'r> Fact<'r> {
    /// The answer to a query, where the facts have one.
    pub fn of(facts: &[Self], query: &Query) -> Option<FactAnswer<'r>> {
        facts.iter().find(|fact| fact.query == query.id).map(|fact| fact.answer)
    }
}
