//! A cloud that answers from a script, a place that keeps states, and a run with both.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout_at};
use trellis_runner::call::cloud::Cloud;
use trellis_runner::call::{CallFailure, ResolvedCall};
use trellis_runner::document::{Classification, Outcome, Paging, Plan, State};
use trellis_runner::limits::permit::{Permit, Terms};
use trellis_runner::limits::stop::StopSignal;
use trellis_runner::plan::event::Event;
use trellis_runner::plan::ledger::{StateStore, StoreError};
use trellis_runner::plan::options::Options;
use trellis_runner::plan::runner::{Applied, Runner};
use trellis_runner::plan::token::Tokens;

/// An answer, and how long it takes.
pub struct Reply(pub u64, pub Result<Value, CallFailure>);

/// What a call is answered: the call, and how often its action was called so far, from 1.
pub type Script = dyn Fn(&ResolvedCall, usize) -> Reply + Send + Sync;

/// A cloud that answers from a script.
pub struct Scripted {
    script: Box<Script>,
    began: Instant,
    counts: Mutex<BTreeMap<String, usize>>,
    /// Milliseconds since the beginning, and what happened: `+Action` when it is called, `-Action` when it is
    /// answered.
    pub log: Mutex<Vec<(u128, String)>>,
    sent: AtomicU64,
}

impl Scripted {
    pub fn new(script: impl Fn(&ResolvedCall, usize) -> Reply + Send + Sync + 'static) -> Self {
        Self {
            script: Box::new(script),
            began: Instant::now(),
            counts: Mutex::default(),
            log: Mutex::default(),
            sent: AtomicU64::new(0),
        }
    }

    /// How often an action was called.
    pub fn count(&self, action: &str) -> usize {
        self.counts.lock().unwrap().get(action).copied().unwrap_or(0)
    }

    /// What happened, without times.
    pub fn story(&self) -> Vec<String> {
        self.log.lock().unwrap().iter().map(|(_, what)| what.clone()).collect()
    }

    /// When an action was called, in milliseconds since the beginning.
    pub fn times(&self, action: &str) -> Vec<u128> {
        let called = format!("+{action}");
        self.log.lock().unwrap().iter().filter(|(_, what)| *what == called).map(|(at, _)| *at).collect()
    }

    fn note(&self, what: String) {
        self.log.lock().unwrap().push((self.began.elapsed().as_millis(), what));
    }
}

impl Scripted {
    async fn call(
        &self,
        call: &ResolvedCall,
        Terms { deadline, permit }: Terms<'_>,
    ) -> Result<Value, CallFailure> {
        permit.to_read()?;
        self.sent.fetch_add(1, Ordering::Relaxed);
        let count = {
            let mut counts = self.counts.lock().unwrap();
            let count = counts.entry(call.action.clone()).or_default();
            *count += 1;
            *count
        };
        self.note(format!("+{}", call.action));
        let Reply(latency, result) = (self.script)(call, count);
        let late = timeout_at(deadline, sleep(Duration::from_millis(latency))).await.is_err();
        self.note(format!("-{}", call.action));
        if late { Err(lost("Timeout")) } else { result }
    }
}

impl Cloud for Scripted {
    async fn change(&self, call: &ResolvedCall, terms: Terms<'_>) -> Result<Value, CallFailure> {
        self.call(call, terms).await
    }

    async fn query(&self, call: &ResolvedCall, _: &Paging, terms: Terms<'_>) -> Result<Value, CallFailure> {
        self.call(call, terms).await
    }

    async fn identity(&self, call: &ResolvedCall, _: &str, terms: Terms<'_>) -> Result<Value, CallFailure> {
        self.call(call, terms).await
    }

    /// As long as Alibaba Cloud takes for its slowest action.
    fn patience(&self, call: &ResolvedCall) -> Duration {
        Duration::from_secs(if call.action == "DescribeSecurityGroupAttribute" { 133 } else { 10 })
    }

    fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }
}

/// A good answer.
pub fn fine(latency: u64, response: Value) -> Reply {
    Reply(latency, Ok(response))
}

/// A failure that the cloud answers.
pub fn refused(code: &str, http_status: u16) -> CallFailure {
    CallFailure {
        service: "vpc".to_owned(),
        action: "Action".to_owned(),
        code: code.to_owned(),
        message: format!("the words of {code}"),
        http_status,
        request_id: Some("REQUEST".to_owned()),
        host_id: None,
        retry_after: None,
        ambiguous: false,
    }
}

/// A failure without an answer.
pub fn lost(code: &str) -> CallFailure {
    CallFailure { http_status: 0, request_id: None, ambiguous: true, ..refused(code, 0) }
}

/// What `Busy…`, `Throttling…` and lost answers call for is another attempt, and `Spent…` for one with another
/// token; what is `Gone…` is so already.
pub fn classify(failure: &CallFailure) -> Classification {
    let (outcome, codes) = match failure.code.as_str() {
        code if code.starts_with("Throttling") => {
            (Outcome::Retry, vec!["ERR_INFRA_RATE_LIMITS_EXCEEDED".to_owned()])
        }
        code if code.starts_with("Busy") || code == "Timeout" || code == "ConnectionFailed" => {
            (Outcome::Retry, vec![])
        }
        code if code.starts_with("Spent") => (Outcome::AnotherToken, vec!["ERR_INFRA_DEPENDENCIES".to_owned()]),
        code if code.starts_with("Gone") => (Outcome::AlreadySatisfied, vec![]),
        _ => (Outcome::Fail, vec!["ERR_CONFIGURATION_PROBLEM".to_owned()]),
    };
    Classification { outcome, codes, message: format!("advice on {}", failure.code) }
}

/// Keeps every state that was saved.
#[derive(Default)]
pub struct MemoryStore {
    pub saved: Mutex<Vec<State>>,
    /// What is recorded at the beginning.
    pub recorded: Option<State>,
    /// What distinguishes its tokens from those of others.
    pub salt: Option<&'static str>,
    /// Number of saves after which there is no place any more.
    pub room: Option<usize>,
    /// How long each takes, in milliseconds.
    pub latency: u64,
    /// What becomes of the next saves: those that fail have an error.
    pub faults: Mutex<VecDeque<Option<StoreError>>>,
}

impl StateStore for MemoryStore {
    async fn load(&self) -> Result<Option<State>, StoreError> {
        Ok(self.recorded.clone())
    }

    async fn save(&self, state: &State) -> Result<(), StoreError> {
        if self.latency > 0 {
            sleep(Duration::from_millis(self.latency)).await;
        }
        if let Some(Some(fault)) = self.faults.lock().unwrap().pop_front() {
            return Err(fault);
        }
        let mut saved = self.saved.lock().unwrap();
        if self.room.is_some_and(|room| saved.len() >= room) {
            return Err(StoreError::unkept("no space left"));
        }
        saved.push(state.clone());
        Ok(())
    }

    fn salt(&self) -> Option<&str> {
        self.salt
    }
}

/// A plan with steps.
pub fn plan(steps: Value) -> Plan {
    serde_json::from_value(json!({ "steps": steps })).unwrap()
}

/// Delays without chance.
pub fn options() -> Options {
    Options { jitter: || 1.0, ..Options::default() }
}

/// Carries out a plan; what happened.
pub async fn run(cloud: &Scripted, plan: &Plan, store: &MemoryStore) -> (Applied, Vec<Event>) {
    run_with(cloud, plan, store, StopSignal::never(), options()).await
}

pub async fn run_with(
    cloud: &Scripted,
    plan: &Plan,
    store: &MemoryStore,
    stop: StopSignal,
    options: Options,
) -> (Applied, Vec<Event>) {
    let events = Mutex::new(Vec::new());
    let listener = |event| events.lock().unwrap().push(event);
    let permit = Permit { stop, ..Permit::unlimited() };
    let runner =
        Runner { cloud, classify: &classify, listener: &listener, permit, options, tokens: Tokens::default() };
    let applied = runner.apply(plan, State::new(), store).await.unwrap();
    (applied, events.into_inner().unwrap())
}

/// A text of a call's parameters.
pub fn text<'c>(call: &'c ResolvedCall, name: &str) -> &'c str {
    let value = call.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value);
    match value {
        Some(trellis_runner::call::Parameter::Text(text)) => text,
        _ => panic!("{} has no text {name}", call.action),
    }
}
