//! The one table of functions, and how a module answers a call.
//!
//! A function is an entry here and a file beside this one, with its request, its answer and its `call`. From this table
//! `cargo xtask functions` writes the WIT world, the host's list, the npm package's interface and the list in
//! `docs/architecture.md`.

use serde::Serialize;

use super::{About, Failure, Infrastructure, Policy, Provider, RequestError};
use super::{addresses, classify, default, info, plan, rules, status, validate, zones};
use crate::collections::NameSet;
#[cfg(feature = "schema")]
use crate::schema::{answer, request, request_with_null, requests};

/// A function that a `P` answers.
pub struct Function<P: ?Sized + 'static> {
    /// What callers call it by.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Answers a request, JSON text in and JSON text out.
    pub call: fn(&P, &str) -> Result<String, RequestError>,
    /// Makes the schema of its request; none for a function that reads no request.
    #[cfg(feature = "schema")]
    pub request: Option<fn() -> schemars::Schema>,
    /// Makes the schema of its answer.
    #[cfg(feature = "schema")]
    pub answer: fn() -> schemars::Schema,
}

/// Writes a table of functions: name, summary, what answers it, and the schemas of request and answer.
#[macro_export]
macro_rules! functions {
    ($($name:literal: $summary:literal, $call:path, $request:expr => $answer:expr;)+) => {
        &[$($crate::policy::Function {
            name: $name,
            summary: $summary,
            call: $call,
            #[cfg(feature = "schema")]
            request: $request,
            #[cfg(feature = "schema")]
            answer: $answer,
        }),+]
    };
}

/// What every module answers.
pub const COMMON: &[Function<Module>] = functions! {
    "info": "Tells what the policy is, which functions it answers and what it reads.", info::call,
        None => answer::<info::Info<'_>>;
};

/// What a module answers that judges and completes objects.
pub const JUDGING: &[Function<dyn Policy>] = functions! {
    "rules": "Lists every rule.", rules::call,
        None => answer::<rules::Rules>;
    "validate": "Judges an object.", validate::call,
        Some(request_with_null::<requests::Request>) => answer::<validate::Validation>;
    "default": "Fills in what a person left out.", default::call,
        Some(request_with_null::<requests::Request>) => answer::<default::Defaulting>;
    "addresses": "Tells the address space of an object.", addresses::call,
        Some(request_with_null::<requests::Request>) => answer::<addresses::Addresses>;
    "zones": "Chooses address ranges for zones to add to an object.", zones::call,
        Some(request_with_null::<requests::ZonesRequest>) => answer::<zones::AddedZones>;
};

/// What a module answers that plans infrastructures.
pub const PLANNING: &[Function<dyn Infrastructure>] = functions! {
    "plan": "Plans what becomes of an infrastructure, or asks for what has to be known before.", plan::call,
        Some(request::<requests::PlanRequest>) => answer::<plan::Planning>;
    "status": "Tells the status of an infrastructure from its recorded state.", status::call,
        Some(request::<requests::StatusRequest>) => answer::<status::InfrastructureStatus>;
    "classify": "Tells what to do about the error of a call.", classify::call,
        Some(request::<requests::ClassifyRequest>) => answer::<classify::Classification>;
};

/// Functions of one table with the policy that answers them. A module holds one of these for each table that it was built
/// with, so that a page which only judges does not load what plans.
pub trait Part {
    /// What the policy is.
    fn about(&self) -> About;

    /// The names of the functions that the policy answers, in the order of the table.
    fn names(&self) -> Vec<&'static str>;

    /// Answers a call; none where the function is not among these.
    fn call(&self, function: &str, request: &str) -> Option<Result<String, RequestError>>;
}

/// A table of functions, and the policy that answers them.
pub struct Table<P: ?Sized + 'static> {
    /// The functions.
    pub functions: &'static [Function<P>],
    /// The policy.
    pub policy: &'static P,
}

impl<P: ?Sized + Provider> Part for Table<P> {
    fn about(&self) -> About {
        self.policy.about()
    }

    fn names(&self) -> Vec<&'static str> {
        let lacks = self.policy.lacks();
        self.functions.iter().map(|function| function.name).filter(|name| !lacks.contains(name)).collect()
    }

    fn call(&self, function: &str, request: &str) -> Option<Result<String, RequestError>> {
        let known = self.functions.iter().find(|known| known.name == function)?;
        (!self.policy.lacks().contains(&function)).then(|| (known.call)(self.policy, request))
    }
}

/// What a module holds of one provider.
pub struct Module(pub Vec<Box<dyn Part>>);

impl Module {
    /// The names of the functions that the module answers, sorted.
    pub fn functions(&self) -> Vec<&'static str> {
        let common = COMMON.iter().map(|function| function.name);
        let names: NameSet<'_> = common.chain(self.0.iter().flat_map(|part| part.names())).collect();
        names.iter().collect()
    }

    /// Answers a call: JSON text in, JSON text out, for every face the same bytes. What is wrong with a request is told in
    /// an answer `{ "error": { "code", "message", "pointer"? } }`.
    pub fn call(&self, function: &str, request: &str) -> String {
        let common = COMMON.iter().find(|known| known.name == function).map(|known| (known.call)(self, request));
        let answer = common.or_else(|| self.0.iter().find_map(|part| part.call(function, request)));
        let unknown = || RequestError::UnknownFunction { name: function.to_owned(), known: self.functions() };
        answer.unwrap_or_else(|| Err(unknown())).unwrap_or_else(failure)
    }
}

/// The answer that tells why there is no other.
pub fn failure(error: RequestError) -> String {
    text(&Failure::from(error))
}

/// The text of an answer.
pub(super) fn text<T: Serialize>(answer: &T) -> String {
    // Never fails: answers have string keys and no fallible parts.
    serde_json::to_string(answer).unwrap_or_default()
}

/// Schemas of the requests and answers of all functions, by their names, which are their titles.
#[cfg(feature = "schema")]
pub fn documents() -> Vec<schemars::Schema> {
    fn of<P: ?Sized>(functions: &[Function<P>]) -> Vec<schemars::Schema> {
        let answer = |function: &Function<P>| {
            let mut answer = (function.answer)();
            answer.insert("title".to_owned(), function.answer_name().into());
            answer
        };
        let request = |function: &Function<P>| function.request.map(|schema| schema());
        functions.iter().flat_map(|function| [request(function), Some(answer(function))]).flatten().collect()
    }
    [of(COMMON), of(JUDGING), of(PLANNING)].concat()
}

#[cfg(feature = "schema")]
impl<P: ?Sized> Function<P> {
    /// The name of its answer, such as `ValidateAnswer`.
    pub fn answer_name(&self) -> String {
        let (first, rest) = self.name.split_at(1);
        format!("{}{rest}Answer", first.to_ascii_uppercase())
    }

    /// The name of its request, such as `PlanRequest`.
    pub fn request_name(&self) -> Option<String> {
        Some((self.request?)().get("title")?.as_str()?.to_owned())
    }
}
