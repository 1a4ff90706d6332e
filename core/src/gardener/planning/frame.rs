//! The frame of every plan: read what a request wants, observe or imagine a cloud, check, declare
//! resources, and say what forbids a plan and what a person should know of it.

use super::errors::Errors;
use super::facts::{Api, FactOutcome, Facts, KnownAccount};
use super::findings::{OwnershipRules, PlanFindings, recorded_and_not_found};
use crate::call::Query;
use crate::plan::{self, ACCOUNT, Caller, Forbidden, Obstacle, Resource};
use crate::policy::{
    Afterwards, Baseline, Consent, Plan, PlanAnswer, PlanOperation, PlanRequest, PlanSubject, RequestError, State,
};
use crate::report::{Finding, Rule, Severity};

/// What a request wants of a subject, and how its provider plans it.
pub trait Subject<'r>: Sized {
    /// What the cloud has.
    type World;

    /// What holds for every plan of the kind.
    const FRAME: &'static Frame;

    /// Reads a request, with the recorded state.
    fn read(request: &PlanSubject<'r>, recorded: &State) -> Result<Self, Errors>;

    /// The query that the account of the credentials answers, by its [`identity`](Query::identity).
    fn account_query(&self) -> Query;

    /// Reads the cloud from the facts, and asks what they do not say yet. What is read counts once all is known.
    fn observe(&self, recorded: &State, facts: &mut Facts<'_>, account: &KnownAccount) -> Self::World;

    /// A cloud in which a run has created what an older request wants, or nothing, and in which everything exists that
    /// this one refers to; with the state of that run.
    fn imagine(&self, older: Option<&Self>) -> Result<(Self::World, State), RequestError>;

    /// Checks what the configuration needs of the cloud, before a plan that creates or updates; the findings forbid
    /// it.
    fn check(&self, world: &Self::World, recorded: &State) -> Vec<Finding> {
        let _ = (world, recorded);
        Vec::new()
    }

    /// Declares every resource, as it is wanted and as it is found.
    fn desired<'i>(&'i self, world: &Self::World, recorded: State) -> Result<Desired<'i>, RequestError>;

    /// Adds what keeps the planner from making a plan, at its place in the configuration.
    fn add_obstacle(&self, findings: &mut PlanFindings<'_>, obstacle: &Obstacle);

    /// What follows the plan once every step has succeeded, unless steps do a part of a deletion; `None` where the host
    /// observes once more.
    fn afterwards(&self, world: &Self::World) -> Option<Afterwards> {
        let _ = world;
        None
    }
}

/// What holds for every plan of a kind.
#[derive(Debug)]
pub struct Frame {
    /// The APIs of the cloud.
    pub api: &'static Api,
    /// The rules that every plan has.
    pub rules: PlanRules,
    /// What proves that what is found is ours.
    pub ownership: Ownership,
    /// The state after a deletion that no account is known for, without what the cloud itself leads to again.
    pub without_account: fn(State) -> State,
}

/// What proves that what is found in the cloud is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ownership {
    /// The record, or the word of a person or of the seed.
    Recorded,
    /// Its name, which the object has for itself.
    ByName,
}

/// The rules that every plan has.
#[derive(Debug)]
pub struct PlanRules {
    /// Somebody knows whose the resources are.
    pub ownership: OwnershipRules,
    /// The cloud says whose the credentials are.
    pub account: &'static Rule,
    /// The state is of their account.
    pub other_account: &'static Rule,
    /// What a step advises.
    pub remedy: &'static Rule,
}

/// What comes of reading the facts.
#[derive(Debug)]
pub enum Observed<W> {
    /// Somebody has to answer these queries first.
    Queries(Vec<Query>),
    /// All that a plan needs to know.
    World(Box<W>, KnownAccount),
    /// The cloud cannot be read.
    Errors(Errors),
}

/// What a provider declares.
#[derive(Debug)]
pub struct Desired<'i> {
    /// Resources, each after those that it needs.
    pub resources: Vec<Resource>,
    /// The state, with what the facts say under keys that the existing extension does not have.
    pub state: State,
    /// What forbids a plan.
    pub findings: PlanFindings<'i>,
}

impl Desired<'_> {
    /// Records a value under a key that the existing extension does not have, unless the state has it already.
    pub fn record(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value
            && self.state.get(key).is_none_or(|known| known != value)
        {
            self.state.insert(key, value.to_owned());
        }
    }
}

/// Makes a plan, or says which queries somebody has to answer first, or what forbids a plan.
pub fn plan<'r, S: Subject<'r>>(request: &PlanRequest<'r>, recorded: State) -> Result<PlanAnswer, RequestError> {
    if request.request.operation == PlanOperation::Migrate {
        return Ok(PlanAnswer {
            plan: Some(Plan { state: recorded, ..Plan::default() }),
            ..PlanAnswer::default()
        });
    }
    let subject = match S::read(&request.request, &recorded) {
        Ok(subject) => subject,
        Err(errors) => return Ok(errors.into()),
    };
    let (world, account, recorded) = match request.baseline {
        Baseline::Observed => match observe(&subject, &recorded, request)? {
            Observed::Queries(queries) => return Ok(PlanAnswer { queries, ..PlanAnswer::default() }),
            Observed::Errors(errors) => return Ok(errors.into()),
            Observed::World(world, account) => (*world, account, recorded),
        },
        // The recorded state does not count.
        Baseline::Empty => without_credentials(subject.imagine(None)?),
        Baseline::Request(older) => without_credentials(subject.imagine(Some(&read_older(&older)?))?),
    };
    if request.request.operation != PlanOperation::Delete {
        let findings = subject.check(&world, &recorded);
        if !findings.is_empty() {
            return Ok(Errors::new(findings, S::FRAME.api.codes).into());
        }
    }
    let desired = subject.desired(&world, recorded.clone())?;
    let mut planning = planned(request, S::FRAME, &recorded, desired, account, &mut |findings, obstacle| {
        subject.add_obstacle(findings, obstacle);
    });
    if let Some(plan) = &mut planning.plan {
        plan.afterwards = plan.afterwards.or_else(|| subject.afterwards(&world));
    }
    Ok(planning)
}

/// Compares what is wanted with what is found, and says what forbids a plan or what a person should know of it.
///
/// One for all kinds, because a module has a copy of what is generic for each of its kinds.
fn planned<'i>(
    request: &PlanRequest<'_>,
    frame: &Frame,
    recorded: &State,
    Desired { mut resources, state, mut findings }: Desired<'i>,
    account: KnownAccount,
    add_obstacle: &mut dyn FnMut(&mut PlanFindings<'i>, &Obstacle),
) -> PlanAnswer {
    // A resource that does not exist has no status.
    for resource in resources.iter_mut().filter(|resource| resource.found.is_none()) {
        resource.attributes.retain(|attribute| attribute.name != "status");
    }
    let mut plan = compare(request, frame.ownership, recorded, state, resources, &account.id);
    match &plan {
        Err(Forbidden::Obstacles(obstacles)) => {
            for obstacle in obstacles {
                add_obstacle(&mut findings, obstacle);
            }
        }
        Err(Forbidden::Unowned(unowned)) => findings.unowned(&frame.rules.ownership, unowned),
        Ok(_) => {}
    }
    let mut findings = findings.into_findings();
    if !findings.is_empty() {
        return Errors::new(findings, frame.api.codes).into();
    }
    if let Ok(plan) = &mut plan {
        if request.request.operation == PlanOperation::Delete && plan.state.get(ACCOUNT).is_none() {
            plan.state = (frame.without_account)(std::mem::take(&mut plan.state));
        }
        findings = remarks(request, &frame.rules, &account.error, recorded, plan);
    }
    let is_withheld = findings.iter().any(|finding| finding.severity == Severity::Error);
    let codes = if is_withheld { account.codes } else { Vec::new() };
    PlanAnswer { plan: plan.ok(), findings, codes, ..PlanAnswer::default() }
}

/// Reads the cloud from the facts of a request, its account first. Where the state is of another account, that
/// forbids a plan.
pub fn observe<'r, S: Subject<'r>>(
    subject: &S,
    recorded: &State,
    request: &PlanRequest<'_>,
) -> Result<Observed<S::World>, RequestError> {
    let mut facts = Facts::new(S::FRAME.api, request);
    let account = facts.account(subject.account_query());
    if let Some(errors) = facts.other_account(recorded, &account.id, S::FRAME.rules.other_account) {
        return Ok(Observed::Errors(errors));
    }
    let world = subject.observe(recorded, &mut facts, &account);
    Ok(match facts.outcome()? {
        FactOutcome::Known => Observed::World(Box::new(world), account),
        FactOutcome::Unanswered(queries) => Observed::Queries(queries),
        FactOutcome::Failed(errors) => Observed::Errors(errors),
    })
}

/// An imagined cloud: nobody has credentials for it.
fn without_credentials<W>((world, state): (W, State)) -> (W, KnownAccount, State) {
    (world, KnownAccount::default(), state)
}

/// Reads the older request of a baseline.
fn read_older<'r, S: Subject<'r>>(older: &PlanSubject<'r>) -> Result<S, RequestError> {
    S::read(older, &State::new()).map_err(|errors| {
        let why = errors.findings.first().map(|finding| finding.detail.as_str()).unwrap_or_default();
        RequestError::Malformed { message: format!("`baseline`: {why}"), pointer: None }
    })
}

/// Compares what is wanted with what is found.
fn compare(
    request: &PlanRequest<'_>,
    ownership: Ownership,
    recorded: &State,
    state: State,
    resources: Vec<Resource>,
    account: &str,
) -> Result<Plan, Forbidden> {
    let identity = format!("{}/{}", request.request.identity(), request.request.uid());
    let is_preview = !matches!(request.baseline, Baseline::Observed);
    let is_verified = recorded.get(ACCOUNT).is_some_and(|known| *known == account);
    let is_of_seed = request.request.object.is_some();
    let annotated = Consent::annotated(&request.request);
    let caller = Caller {
        recorded,
        account: Some(account).filter(|account| !account.is_empty()),
        may_adopt: ownership == Ownership::ByName || request.consent.adopt || annotated.adopt || is_preview,
        is_known: request.request.is_known_to_seed(),
        may_forget: request.consent.forget || annotated.forget || (is_of_seed && is_verified),
        has_waited: request.waited,
    };
    plan::plan(&identity, state, resources, &caller)
}

/// Findings in addition to a plan. Nobody carries out a plan for an unknown account, and a plan that gives up a record
/// says so.
fn remarks(
    request: &PlanRequest<'_>,
    rules: &PlanRules,
    account_error: &str,
    recorded: &State,
    plan: &Plan,
) -> Vec<Finding> {
    let is_delete = request.request.operation == PlanOperation::Delete;
    let mut remarks = PlanFindings::new(request.request);
    if !account_error.is_empty() {
        let detail = format!("the cloud does not say whose the credentials are: {account_error}");
        // A record is not given up either.
        let is_kept = !is_delete || plan.state == *recorded;
        if plan.changes.is_empty() && is_kept {
            remarks.warning(rules.account, detail);
        } else {
            remarks.whole(rules.account, detail);
        }
    }
    if is_delete && !plan.gone.is_empty() {
        remarks.warning(rules.ownership.nothing_found, recorded_and_not_found(&plan.gone));
    }
    for remedy in plan.steps.iter().filter_map(|step| step.remedy.clone()) {
        remarks.warning(rules.remedy, remedy);
    }
    remarks.into_findings()
}
