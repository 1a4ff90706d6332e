//! What a module answers: functions, and the policy that answers them.

use super::answer::failure;
use super::{About, Calls, PlannedKind, Provider, Reads, RequestError, Scope};
use crate::collections::NameSet;

/// A function that a `P` answers.
pub struct Function<P: ?Sized + 'static> {
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

/// The functions of one table, and the policy that answers them. A module is built with one part or more: a page
/// that only judges loads no code that plans.
pub trait Part {
    /// What the policy is.
    fn about(&self) -> About;

    /// What verdicts of the policy cover.
    fn scope(&self) -> Scope;

    /// The names of the functions that the policy answers, in the order of the table.
    fn names(&self) -> Vec<&'static str>;

    /// What the functions read of the context.
    fn reads(&self) -> Reads;

    /// The calls that the functions ask for.
    fn calls(&self) -> Calls;

    /// The kinds whose objects the functions plan.
    fn planned(&self) -> &[PlannedKind];

    /// The webhooks whose objects the functions change.
    fn webhooks(&self) -> &[&'static str];

    /// Answers a call; none where the part has no such function.
    fn call(&self, function: &str, request: &str) -> Option<Result<String, RequestError>>;
}

/// A table of functions, and the policy that answers them.
pub struct Table<P: ?Sized + 'static> {
    functions: &'static [Function<P>],
    policy: &'static P,
    reads: Reads,
    calls: Calls,
    planned: Vec<PlannedKind>,
    webhooks: Vec<&'static str>,
}

impl<P: ?Sized> Table<P> {
    /// Functions that read nothing of the context, ask for no calls, plan no kind, and change objects for no webhook.
    pub fn of(functions: &'static [Function<P>], policy: &'static P) -> Self {
        Self { functions, policy, reads: &[], calls: &[], planned: Vec::new(), webhooks: Vec::new() }
    }

    /// The table, with what the functions read of the context.
    pub fn reading(self, reads: Reads) -> Self {
        Self { reads, ..self }
    }

    /// The table, with the calls that the functions ask for.
    pub fn calling(self, calls: Calls) -> Self {
        Self { calls, ..self }
    }

    /// The table, with the kinds whose objects the functions plan.
    pub fn planning(self, planned: Vec<PlannedKind>) -> Self {
        Self { planned, ..self }
    }

    /// The table, with the webhooks whose objects the functions change.
    pub fn changing_for(self, webhooks: Vec<&'static str>) -> Self {
        Self { webhooks, ..self }
    }
}

impl<P: ?Sized + Provider> Part for Table<P> {
    fn about(&self) -> About {
        self.policy.about()
    }

    fn scope(&self) -> Scope {
        self.policy.scope(None)
    }

    fn names(&self) -> Vec<&'static str> {
        let lacks = self.policy.lacks();
        self.functions.iter().map(|function| function.name).filter(|name| !lacks.contains(name)).collect()
    }

    fn reads(&self) -> Reads {
        self.reads
    }

    fn calls(&self) -> Calls {
        self.calls
    }

    fn planned(&self) -> &[PlannedKind] {
        &self.planned
    }

    fn webhooks(&self) -> &[&'static str] {
        &self.webhooks
    }

    fn call(&self, function: &str, request: &str) -> Option<Result<String, RequestError>> {
        let known = self.functions.iter().find(|known| known.name == function)?;
        (!self.policy.lacks().contains(&function)).then(|| (known.call)(self.policy, request))
    }
}

/// What a module holds of one provider.
pub struct Module {
    /// What every module answers.
    pub common: &'static [Function<Module>],
    /// The parts that the module was built with.
    pub parts: Vec<Box<dyn Part>>,
}

impl Module {
    /// The names of the functions that the module answers, sorted.
    pub fn functions(&self) -> Vec<&'static str> {
        let mut names: NameSet<'_> = self.common.iter().map(|function| function.name).collect();
        for part in &self.parts {
            names.extend(part.names());
        }
        names.iter().collect()
    }

    /// Answers a call: JSON text in, JSON text out, the same bytes on every face. An answer
    /// `{ "error": { "code", "message", "pointer"? } }` says what is wrong with a request.
    pub fn call(&self, function: &str, request: &str) -> String {
        let common =
            self.common.iter().find(|known| known.name == function).map(|known| (known.call)(self, request));
        let answer = common.or_else(|| self.parts.iter().find_map(|part| part.call(function, request)));
        let unknown = || RequestError::UnknownFunction { name: function.to_owned(), known: self.functions() };
        answer.unwrap_or_else(|| Err(unknown())).unwrap_or_else(failure)
    }
}

#[cfg(feature = "schema")]
impl<P: ?Sized> Function<P> {
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
