//! Asks a policy for plans.

use futures_util::future::{BoxFuture, FutureExt as _};
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::observe::{AskError, Fact};
use super::options::Classify;
use super::runner::Runner;
use crate::call::CallFailure;
use crate::call::cloud::Cloud;
use crate::document::{Classification, Consent, Outcome, Plan, Planning, State, SubjectStatus};
use trellis_policies::answer::{self, Failure, Finding, Severity};
use trellis_policies::engine::{Asker, Function};
use trellis_policies::rounds::{Endless, Limits, Rounds};
use trellis_policies::span::Coded;

/// What a policy may ask for one plan.
const LIMITS: Limits = Limits { rounds: 8, queries: 10_000 };

/// A policy, and the infrastructure to plan.
#[derive(Clone, Copy)]
pub struct Planner<'e> {
    /// Asks the policy.
    pub asker: &'e Asker,
    /// The request: operation, infrastructure, cluster, configuration.
    pub request: &'e RawValue,
    /// What the person agreed to.
    pub consent: &'e [Consent],
    /// Whether the cloud had enough time since the last change. If so, a resource that a run began to create and
    /// that the cloud does not show never came to exist.
    pub waited: bool,
}

/// What a plan starts from.
#[derive(Clone, Copy, Debug)]
pub enum Baseline<'b> {
    /// The cloud as it is.
    Observed,
    /// Nothing, for a preview.
    Empty,
    /// What an older request would have created.
    Request(&'b RawValue),
}

/// What the cloud answered, and what the policy decided.
#[derive(Debug)]
pub struct Observed {
    /// The answers of the cloud.
    pub facts: Vec<Fact>,
    /// The plan, or why there is none.
    pub decision: Decision,
    /// Findings for the person: all findings where there is no plan to carry out, else the warnings.
    pub findings: Vec<Finding>,
    /// The number of requests for this observation.
    pub calls: u64,
}

/// What a policy decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The plan to carry out.
    Plan(Box<Plan>),
    /// A plan that findings forbid to carry out, and the Gardener error codes.
    Withheld(Box<Plan>, Vec<String>),
    /// Findings forbid a plan; the Gardener error codes.
    Refused(Vec<String>),
}

/// Why there is no plan, although no finding forbids a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ObserveError {
    /// The policy has no answer.
    #[error("{}", .0.message)]
    Policy(Failure),
    /// The host cannot answer the queries.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// The policy asks for too much.
    #[error(transparent)]
    Endless(#[from] Endless),
}

impl Coded for ObserveError {
    fn code(&self) -> &str {
        match self {
            Self::Policy(failure) => &failure.code,
            Self::Ask(AskError::PermitEnded) => "Halted",
            Self::Ask(AskError::Query { .. }) => "UnknownReference",
            Self::Endless(Endless::Repeated(_)) => "Repeated",
            Self::Endless(_) => "Endless",
        }
    }
}

impl From<Failure> for ObserveError {
    fn from(failure: Failure) -> Self {
        Self::Policy(failure)
    }
}

#[derive(Serialize)]
struct PlanRequest<'r> {
    request: &'r RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'r State>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<BaselineMember<'r>>,
    #[serde(skip_serializing_if = "<[Consent]>::is_empty")]
    consent: &'r [Consent],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    waited: bool,
    #[serde(skip_serializing_if = "<[Fact]>::is_empty")]
    facts: &'r [Fact],
}

#[derive(Serialize)]
#[serde(untagged)]
enum BaselineMember<'r> {
    Name(&'static str),
    Request(&'r RawValue),
}

impl Planner<'_> {
    /// Asks for a plan once, and waits for a busy policy no longer than until a time.
    pub async fn plan(
        &self,
        state: Option<&State>,
        baseline: Baseline<'_>,
        facts: &[Fact],
        until: Instant,
    ) -> Result<Planning, Failure> {
        let baseline = match baseline {
            Baseline::Observed => None,
            Baseline::Empty => Some(BaselineMember::Name("empty")),
            Baseline::Request(request) => Some(BaselineMember::Request(request)),
        };
        let request = PlanRequest {
            request: self.request,
            state,
            baseline,
            consent: self.consent,
            waited: self.waited,
            facts,
        };
        answer::read(&self.asker.ask(Function::Plan, json(&request), until).await?)
    }

    /// Asks for a plan, and answers the queries of the policy until there is a plan. `facts` are the facts that
    /// are known already.
    pub async fn observe<C: Cloud>(
        &self,
        runner: &Runner<'_, C>,
        state: Option<&State>,
        baseline: Baseline<'_>,
        facts: Vec<Fact>,
    ) -> Result<Observed, ObserveError> {
        let before = runner.cloud.sent();
        let mut known = Rounds::knowing(LIMITS, facts, |fact| &fact.query);
        loop {
            let planning = self.plan(state, baseline, known.facts(), runner.policy_deadline());
            let Planning { queries, plan, findings, codes } = tokio::select! {
                biased;
                () = runner.permit_ended() => return Err(AskError::PermitEnded.into()),
                planning = planning => planning?,
            };
            let queries = known.queries(queries, |query| &query.id)?;
            if queries.is_empty() {
                let is_forbidden = findings.iter().any(|finding| finding.severity == Severity::Error);
                let decision = match plan {
                    Some(plan) if is_forbidden => Decision::Withheld(Box::new(plan), codes),
                    Some(plan) => Decision::Plan(Box::new(plan)),
                    None => Decision::Refused(codes),
                };
                let (facts, calls) = (known.into_facts(), runner.cloud.sent() - before);
                return Ok(Observed { facts, decision, findings, calls });
            }
            known.learn(runner.ask(&queries, state.unwrap_or(&State::new())).await?);
        }
    }

    /// Asks for the status.
    pub async fn status<C>(
        &self,
        runner: &Runner<'_, C>,
        state: Option<&State>,
    ) -> Result<SubjectStatus, Failure> {
        #[derive(Serialize)]
        struct StatusRequest<'r> {
            request: &'r RawValue,
            #[serde(skip_serializing_if = "Option::is_none")]
            state: Option<&'r State>,
        }
        let request = StatusRequest { request: self.request, state };
        answer::read(&self.asker.ask(Function::Status, json(&request), runner.policy_deadline()).await?)
    }

    /// Asks what to do about the error of a call. What the operator does not let the policy do, fails, and the
    /// policy is not asked. Where the policy has no answer, the call fails; where the policy is too busy to answer
    /// until the time, the call may be made again.
    async fn ask_about(&self, failure: &CallFailure, until: Instant) -> Classification {
        #[derive(Serialize)]
        struct ClassifyRequest<'r> {
            call: Called<'r>,
            error: FailedCallError<'r>,
        }
        #[derive(Serialize)]
        struct Called<'r> {
            service: &'r str,
            action: &'r str,
        }
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct FailedCallError<'r> {
            code: &'r str,
            message: &'r str,
            http_status: u16,
        }
        let CallFailure { service, action, code, message, http_status, .. } = failure;
        if failure.is_not_allowed() {
            return Classification { outcome: Outcome::Fail, codes: Vec::new(), message: failure.to_string() };
        }
        let error = FailedCallError { code, message, http_status: *http_status };
        let request = ClassifyRequest { call: Called { service, action }, error };
        let unknown = |outcome: Outcome, why: &str| {
            let message = format!("{failure}; the policy cannot say more: {why}");
            Classification { outcome, codes: Vec::new(), message }
        };
        match self.asker.ask(Function::Classify, json(&request), until).await {
            Ok(answer) => answer::read(&answer).unwrap_or_else(|refusal| unknown(Outcome::Fail, &refusal.message)),
            Err(error) if error.is_temporary() => unknown(Outcome::Retry, &error.to_string()),
            Err(error) => unknown(Outcome::Fail, &error.to_string()),
        }
    }
}

impl Classify for Planner<'_> {
    fn classify<'f>(&'f self, failure: &'f CallFailure, until: Instant) -> BoxFuture<'f, Classification> {
        self.ask_about(failure, until).boxed()
    }
}

fn json<T: Serialize>(request: &T) -> String {
    // Never fails: requests have string keys and no fallible parts.
    serde_json::to_string(request).unwrap_or_default()
}
