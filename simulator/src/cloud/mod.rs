//! The cloud behind the wire: what it is asked to do, it does to its world, one call after the other.

mod accounts;
mod clock;
mod history;
mod settings;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::action::{Action, Arguments, Call, Caller, CloudError, Problem, Run, Service, common, project};
use crate::world::{Known, World};
use history::History;

pub(crate) use accounts::like;
pub use accounts::{ACCESS_KEY, ACCESS_KEY_SECRET, ACCOUNT, AccessKey, Accounts, AccountsError, Declared, Image};
pub use clock::{Clock, FASTEST, NoRate};
pub use settings::{NotSeconds, PerAction, Rate, Seconds, Settings};

/// What a call asks for, once it is known who asks.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The service.
    pub service: &'static Service,
    /// The action.
    pub action: &'static Action,
    /// Who asks.
    pub caller: Caller,
    /// The region that is meant.
    pub region: String,
    /// Names and values as they were sent, without what every request has.
    pub parameters: Vec<(String, String)>,
    /// The content of an object, for the actions that take one.
    pub body: Vec<u8>,
}

/// The cloud.
#[derive(Debug)]
pub struct Cloud {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    world: World,
    history: History,
    clock: Clock,
    settings: Arc<Settings>,
}

impl Cloud {
    /// A cloud with a world.
    pub fn new(world: World, clock: Clock, settings: Settings) -> Self {
        Self {
            state: Mutex::new(State { world, history: History::default(), clock, settings: Arc::new(settings) }),
        }
    }

    /// Nothing that panics leaves the state half changed, so that a poisoned lock is as good as another.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does what is asked.
    pub fn execute(&self, operation: &Operation) -> Result<Map<String, Value>, CloudError> {
        self.state().execute(operation)
    }

    /// How the world is now.
    pub fn world(&self) -> World {
        let mut state = self.state();
        let now = state.clock.now();
        state.settle(now);
        state.world.clone()
    }

    /// Goes forward in time.
    pub fn step(&self, by: Duration) {
        self.state().clock.step(by);
    }
}

impl State {
    fn execute(&mut self, operation: &Operation) -> Result<Map<String, Value>, CloudError> {
        let now = self.clock.now();
        self.settle(now);
        let Operation { service, action, caller, region, parameters, body } = operation;
        let given = parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let arguments = Arguments::read(action.parameters, given).map_err(refuse)?;
        let settings = Arc::clone(&self.settings);
        let call = Call { service, action, caller, region, now, arguments, body, settings: &settings };
        let answer = match action.run {
            Run::Read(read) => {
                let lag = self.settings.lag(service, action);
                let past = (!lag.is_zero()).then(|| now.checked_sub(lag).ok()).flatten();
                let past = past.and_then(|past| self.history.at(past));
                let answer = read(past.as_deref().unwrap_or(&self.world), &call);
                shaped(action, answer)?
            }
            Run::Write(write) => self.write(write, &call, operation)?,
        };
        Ok(answer)
    }

    fn write(
        &mut self,
        write: crate::action::Write,
        call: &Call<'_>,
        operation: &Operation,
    ) -> Result<Map<String, Value>, CloudError> {
        let action = call.action;
        let declares = |name| action.parameter(name).is_some();
        if declares("DryRun") && call.flag("DryRun") == Some(true) {
            write(&mut self.world.clone(), call)?;
            return Err((&common::DRY_RUN).into());
        }
        let token = declares("ClientToken").then(|| call.given("ClientToken")).flatten().map(|token| {
            let key =
                format!("{} {} {}:{} {token}", call.caller.account, call.region, call.service.code, action.name);
            let mut parameters = operation.parameters.clone();
            parameters.sort();
            (key, serde_json::to_string(&parameters).unwrap_or_default())
        });
        if let Some((key, parameters)) = &token {
            match self.world.tokens.get(key, parameters) {
                Some(Known::Same(answer)) => return Ok(answer),
                Some(Known::Other) => return Err((&common::TOKEN_MISMATCH).into()),
                None => {}
            }
        }
        self.history.keep(&self.world, call.now, self.settings.longest_lag());
        let answer = shaped(action, write(&mut self.world, call));
        self.world.tidy();
        let answer = answer?;
        if let Some((key, parameters)) = token {
            self.world.tokens.put(key, parameters, answer.clone());
        }
        self.settle(call.now);
        Ok(answer)
    }

    /// Ends the transitions that are over, each at its time.
    fn settle(&mut self, now: Timestamp) {
        while let Some(due) = self.world.due().filter(|due| *due <= now) {
            self.history.keep(&self.world, due, self.settings.longest_lag());
            self.world.settle(due);
            self.world.tidy();
        }
    }
}

/// Holds an answer to its declaration.
fn shaped(action: &'static Action, answer: Result<Value, CloudError>) -> Result<Map<String, Value>, CloudError> {
    let answer = answer.inspect_err(|refused| {
        debug_assert!(
            action.errors.contains(&refused.error) || common::ALL.contains(&refused.error),
            "{} gives {}, which it does not declare",
            action.name,
            refused.error.code,
        );
    })?;
    project(action.answer, answer).map_err(|mismatch| {
        debug_assert!(false, "{}: {mismatch}", action.name);
        common::INTERNAL.because(format!("{}: {mismatch}", action.name))
    })
}

/// The cloud's error for parameters that are not as they are declared.
fn refuse(problem: Problem) -> CloudError {
    match problem {
        Problem::Missing { name, parameter } => {
            parameter.missing.map_or_else(|| CloudError::missing(&name), CloudError::from)
        }
        Problem::Unknown { name } => {
            common::INVALID_PARAMETER.because(format!("The specified parameter \"{name}\" is not valid."))
        }
        Problem::Malformed { name, expected, parameter } => {
            parameter.malformed.map_or_else(|| CloudError::invalid(&name, &expected), CloudError::from)
        }
    }
}
