//! The parts of a policy, each with its table of functions.

use super::{About, PlannedKind, Reads, RequestError, Scope};

/// A function that a `P` answers.
pub struct Function<P: 'static> {
    /// The name by which callers call the function.
    pub name: &'static str,
    /// What the function does, in a sentence.
    #[cfg(feature = "schema")]
    pub summary: &'static str,
    /// Answers a request, JSON text in and JSON text out.
    pub call: fn(&P, &str) -> Result<String, RequestError>,
    /// Makes the schema of the request; none for a function that reads no request.
    #[cfg(feature = "schema")]
    pub request: Option<fn() -> schemars::Schema>,
    /// Makes the schema of the answer.
    #[cfg(feature = "schema")]
    pub answer: fn() -> schemars::Schema,
}

/// Writes a table of functions: name, summary, what answers it, and the schemas of request and answer.
#[macro_export]
macro_rules! functions {
    ($($name:literal: $summary:literal, $call:path, $request:expr => $answer:expr;)+) => {
        &[$($crate::policy::Function {
            name: $name,
            #[cfg(feature = "schema")]
            summary: $summary,
            call: $call,
            #[cfg(feature = "schema")]
            request: $request,
            #[cfg(feature = "schema")]
            answer: $answer,
        }),+]
    };
}

/// A part of a policy, which answers the functions of one table. A module is built with one part or more: a page
/// that only judges loads no code that plans.
pub trait Part: Sync {
    /// What the policy is.
    fn about(&self) -> About;

    /// What verdicts of the policy cover.
    fn scope(&self) -> Scope {
        Scope::of(self.about().parity)
    }

    /// The names of the functions that the policy answers, in the order of the table.
    fn names(&self) -> Vec<&'static str>;

    /// What the functions read of the context.
    fn reads(&self) -> Reads {
        &[]
    }

    /// The calls that the functions ask for, sorted.
    fn calls(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// The kinds whose objects the functions plan.
    fn planned(&self) -> Vec<PlannedKind> {
        Vec::new()
    }

    /// The webhooks whose objects the functions change.
    fn webhooks(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Answers a call; none where the part has no such function.
    fn call(&self, function: &str, request: &str) -> Option<Result<String, RequestError>>;
}

/// The names of the functions of a table that a policy has.
pub(super) fn names<P>(functions: &[Function<P>], has: impl Fn(&str) -> bool) -> Vec<&'static str> {
    functions.iter().map(|function| function.name).filter(|name| has(name)).collect()
}

/// Answers a call of a function of a table; none where the table has no such function.
pub fn call<P>(
    functions: &[Function<P>],
    policy: &P,
    function: &str,
    request: &str,
) -> Option<Result<String, RequestError>> {
    functions.iter().find(|known| known.name == function).map(|known| (known.call)(policy, request))
}

/// The error for a function that a policy lacks.
pub(super) fn unanswered(function: &str) -> RequestError {
    RequestError::UnknownFunction { name: function.to_owned(), known: Vec::new() }
}

#[cfg(feature = "schema")]
impl<P> Function<P> {
    /// The name of the answer's schema, such as `ValidateAnswer`.
    pub fn answer_name(&self) -> String {
        let (first, rest) = self.name.split_at(1);
        format!("{}{rest}Answer", first.to_ascii_uppercase())
    }

    /// The name of the request's schema, such as `PlanRequest`.
    pub fn request_name(&self) -> Option<String> {
        Some((self.request?)().get("title")?.as_str()?.to_owned())
    }
}
