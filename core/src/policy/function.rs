//! The one table of functions.
//!
//! A function is an entry here, and a file next to this one that has its request and its answer. From this table
//! `cargo xtask functions` writes the WIT world, the host's list, the npm package's interface and the list in
//! `docs/architecture/functions.md`.

use super::answer::text;
use super::owner::{is_of_provider, makes_for_provider, plans_for_provider, renders_for_provider};
use super::{
    Addressing, CallError, Defaulted, Defaulting, Function, Info, Module, NewZone, PlanRequest, Plans, Policy,
    Provider, RenderRequest, Renders, Request, RequestError, Rules, StatusRequest, Validation, WorkersRequest,
};
use super::{MutateRequest, Mutates};
use crate::document::{JsonText, Value, parse};
use crate::kube::prepare::prepared;
#[cfg(feature = "schema")]
use crate::policy;
#[cfg(feature = "schema")]
use crate::schema::{answer, request, request_with_null, requests};

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

/// What every module answers.
pub const COMMON: &[Function<Module>] = functions! {
    "info": "Says what the policy is, which functions it answers and what it reads.", info,
        None => answer::<policy::Info>;
};

/// What a module answers that judges and completes objects.
pub const JUDGING: &[Function<dyn Policy>] = functions! {
    "rules": "Lists every rule.", rules,
        None => answer::<policy::Rules>;
    "validate": "Judges an object.", validate,
        Some(request_with_null::<requests::Request>) => answer::<policy::Validation>;
    "default": "Fills in what a person left out.", default,
        Some(request_with_null::<requests::Request>) => answer::<policy::Defaulting>;
    "join": "Joins what several policies say of one object.", join,
        Some(request::<requests::JoinRequest>) => answer::<policy::Joined>;
    "merge": "Says what `kubectl apply` makes of a stored object and a manifest.", merge,
        Some(request::<requests::MergeRequest>) => answer::<policy::Merged>;
};

/// What a module answers about Shoots: their addresses, and what an edit does to their nodes.
pub const ADDRESSING: &[Function<dyn Addressing>] = functions! {
    "addresses": "Says the address space of an object.", addresses,
        Some(request_with_null::<requests::Request>) => answer::<policy::Addresses>;
    "zones": "Chooses address ranges for zones to add to an object.", zones,
        Some(request_with_null::<requests::ZonesRequest>) => answer::<policy::AddedZones>;
    "rollout": "Says what an edit of a Shoot does to its nodes.", rollout,
        Some(request::<requests::RolloutRequest>) => answer::<policy::Rollout>;
};

/// What a module answers that plans subjects.
pub const PLANNING: &[Function<dyn Plans>] = functions! {
    "plan": "Plans what becomes of a subject, or asks for what has to be known before.", plan,
        Some(request::<requests::PlanRequest>) => answer::<policy::Planning>;
    "status": "Says the status of a subject from its recorded state.", status,
        Some(request::<requests::StatusRequest>) => answer::<policy::SubjectStatus>;
    "classify": "Says what to do about the error of a call.", classify,
        Some(request::<requests::ClassifyRequest>) => answer::<policy::Classification>;
};

/// What a module answers that changes the objects that webhooks see.
pub const MUTATING: &[Function<dyn Mutates>] = functions! {
    "mutate": "Changes an object that a webhook sees, or asks for what has to be known before.", mutate,
        Some(request::<requests::MutateRequest>) => answer::<policy::Mutation>;
};

/// What a module answers that renders objects.
pub const RENDERING: &[Function<dyn Renders>] = functions! {
    "render": "Renders the Kubernetes objects of a control plane, or asks for what has to be known before.", render,
        Some(request::<requests::RenderRequest>) => answer::<policy::Rendering>;
    "workers": "Makes the machines of worker pools, or asks for what has to be known before.", workers,
        Some(request::<requests::WorkersRequest>) => answer::<policy::Workers<'_>>;
};

fn info(module: &Module, _request: &str) -> Result<String, RequestError> {
    let part = module.parts.first().ok_or_else(|| RequestError::UnknownProvider(String::new()))?;
    Ok(text(&Info::of(module, &part.about(), part.scope())))
}

#[expect(clippy::unnecessary_wraps, reason = "every function of a table may fail")]
fn rules(policy: &dyn Policy, _request: &str) -> Result<String, RequestError> {
    Ok(text(&Rules { rules: policy.rules() }))
}

fn validate(policy: &dyn Policy, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let request = object(policy, &document, &Request::MEMBERS)?;
    if !request.is_sent() {
        return Ok(text(&Validation::of(policy, &request)?));
    }
    let prepared = prepared(request.object, request.old_object);
    Ok(text(&Validation::of(policy, &request.about(&prepared))?))
}

fn default(policy: &dyn Policy, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let request = object(policy, &document, &Request::MEMBERS)?;
    let Defaulted { object, patch, changes, undecided } = policy.default(&request)?;
    Ok(text(&Defaulting { object: JsonText::from(&object), patch, changes, undecided }))
}

fn join(policy: &dyn Policy, request: &str) -> Result<String, RequestError> {
    policy.join(request)
}

fn merge(policy: &dyn Policy, request: &str) -> Result<String, RequestError> {
    policy.merge(request)
}

fn addresses(policy: &dyn Addressing, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    Ok(text(&policy.addresses(&object(policy, &document, &Request::MEMBERS)?)?))
}

fn zones(policy: &dyn Addressing, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let members: Vec<&str> = Request::MEMBERS.iter().copied().chain([NewZone::MEMBER]).collect();
    let request = object(policy, &document, &members)?;
    Ok(text(&policy.zones(&request, &NewZone::read_all(&document)?)?))
}

fn plan(policy: &dyn Plans, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let request = PlanRequest::read(&document)?;
    plans_for_provider(&request.request, &policy.planned(), policy.provider())?;
    Ok(text(&policy.plan(&request)?))
}

fn status(policy: &dyn Plans, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let request = StatusRequest::read(&document)?;
    plans_for_provider(&request.request, &policy.planned(), policy.provider())?;
    Ok(text(&policy.status(&request)?))
}

fn classify(policy: &dyn Plans, request: &str) -> Result<String, RequestError> {
    Ok(text(&policy.classify(&CallError::read(&parse(request)?)?)?))
}

fn mutate(policy: &dyn Mutates, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let request = MutateRequest::read(&document, &policy.webhooks())?;
    request.is_of_provider(policy.provider())?;
    Ok(text(&policy.mutate(&request)?))
}

fn render(policy: &dyn Renders, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let request = RenderRequest::read(&document)?;
    renders_for_provider(&request, policy.provider())?;
    Ok(text(&policy.render(&request)?))
}

fn workers(policy: &dyn Renders, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let request = WorkersRequest::read(&document)?;
    makes_for_provider(&request, policy.provider())?;
    policy.workers(&request)
}

fn rollout(policy: &dyn Addressing, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let request = Request::read(&document, &["object", "oldObject"])?;
    is_of_provider(&request, policy.provider())?;
    Ok(text(&policy.rollout(&request)?))
}

/// Reads a request about an object, which is this provider's or names none.
fn object<'r>(
    policy: &dyn Provider,
    document: &'r Value<'r>,
    members: &[&str],
) -> Result<Request<'r>, RequestError> {
    let request = Request::read(document, members)?;
    if !policy.judges_all() {
        is_of_provider(&request, policy.provider())?;
    }
    Ok(request)
}

/// Schemas of the requests and answers, which are the same for every provider, by name.
#[cfg(feature = "schema")]
pub fn documents() -> std::collections::BTreeMap<String, serde_json::Value> {
    let mut failure = answer::<policy::Failure>();
    failure.insert("title".to_owned(), "ErrorAnswer".into());
    let mut words = answer::<std::collections::BTreeMap<String, crate::report::RuleWords>>();
    words.insert("title".to_owned(), "RulesInWords".into());
    words.insert(
        "description".to_owned(),
        "The file `<provider>.rules.json`: what rules say to people, by the ids of the rules.".into(),
    );
    let named = |schema: schemars::Schema| Some((schema.get("title")?.as_str()?.to_owned(), schema.to_value()));
    let all = [
        schemas(COMMON),
        schemas(JUDGING),
        schemas(ADDRESSING),
        schemas(PLANNING),
        schemas(MUTATING),
        schemas(RENDERING),
        vec![failure, words],
    ];
    all.into_iter().flatten().filter_map(named).collect()
}

/// The schemas of a table's requests and answers; the title of each is its name.
#[cfg(feature = "schema")]
fn schemas<P: ?Sized>(functions: &[Function<P>]) -> Vec<schemars::Schema> {
    let answer = |function: &Function<P>| {
        let mut answer = (function.answer)();
        answer.insert("title".to_owned(), function.answer_name().into());
        answer
    };
    let request = |function: &Function<P>| function.request.map(|schema| schema());
    functions.iter().flat_map(|function| [request(function), Some(answer(function))]).flatten().collect()
}
