//! A provider of few rules, with all that is its own.

mod api;
mod backup_bucket;
mod default;
mod infrastructure;
mod mutation;
mod rendering;
mod rules;
mod validate;
mod worker;

use trellis_core::document::{JsonText, Value};
use trellis_core::gardener::{self, planning::frame};
use trellis_core::policy::{
    About, Addressing, Calls, Entry, Judging, Mutating, PlanAnswer, PlanRequest, Planning, Rendering,
    RequestError, State, StatusRequest, SubjectKind, SubjectPlans, SubjectStatus, unsupported,
};
#[cfg(feature = "schema")]
use trellis_core::schema::Form;

pub use api::API_VERSION;

pub const ABOUT: About = About { provider: "toy", parity: "none", api_version: API_VERSION, kinds: api::KINDS };

/// The calls of every plan.
const CALLS: Calls = &["toys:Break", "toys:Empty", "toys:List", "toys:Make", "toys:WhoAmI"];

/// The policy in a list of providers.
pub const ENTRY: Entry = Entry {
    addressing: Some(&ADDRESSING),
    planning: Some(&PLANNING),
    rendering: Some(&RENDERING),
    mutating: Some(&MUTATING),
    ..Entry::of(&JUDGING)
};

pub static JUDGING: Judging = Judging {
    about: ABOUT,
    reads: &[],
    rules: &[rules::ALL],
    validate: &[("Shoot", validate::shoot)],
    default: &[("Shoot", default::shoot)],
    general: None,
    #[cfg(feature = "schema")]
    schemas,
};

static ADDRESSING: Addressing = Addressing {
    about: ABOUT,
    reads: &[],
    addresses: |request| Err(unsupported(request.object)),
    zones: None,
    rollout: None,
};

static PLANNING: Planning = Planning {
    about: ABOUT,
    classify: infrastructure::classify,
    calls_of_others: &[],
    subjects: &[
        SubjectPlans { kind: SubjectKind::Infrastructure, types: &["toy"], calls: CALLS, plan, status },
        SubjectPlans {
            kind: SubjectKind::BackupBucket,
            types: &["toy-store"],
            calls: CALLS,
            plan: backup_bucket::plan,
            status: backup_bucket::status,
        },
    ],
};

static RENDERING: Rendering = Rendering {
    about: ABOUT,
    render: |request| gardener::rendering::render(request, &rendering::CONTROL_PLANES),
    workers: |request| gardener::worker::workers(request, &worker::WORKER_POOLS),
};

static MUTATING: Mutating = Mutating {
    about: ABOUT,
    webhooks: || gardener::mutation::names(mutation::WEBHOOKS),
    mutate: |request| gardener::mutation::mutate(request, mutation::WEBHOOKS),
};

#[cfg(feature = "schema")]
fn schemas(_form: Form) -> std::collections::BTreeMap<String, serde_json::Value> {
    std::collections::BTreeMap::new()
}

fn plan(request: &PlanRequest<'_>) -> Result<PlanAnswer, RequestError> {
    frame::plan::<infrastructure::Input<'_>>(request, request.state.clone().unwrap_or_default())
}

fn status(request: &StatusRequest<'_>) -> Result<SubjectStatus, RequestError> {
    let recorded = request.state.iter().flat_map(State::iter).map(|(id, _)| Value::string(id.to_owned()));
    let state = JsonText::from(&Value::object([("resources", Value::Array(recorded.collect()))]));
    Ok(SubjectStatus::of(state))
}
