//! The cloud behind the wire, which carries out calls on its world, one after the other.
//!
//! | file | what it is about |
//! |---|---|
//! | `call`, `outcome` | a call on its way: faults, throttling, its record; how it ends |
//! | `fault`, `faults`, `attempts` | what goes wrong, with which calls, and what becomes of their client tokens |
//! | `throttle` | how many calls there may be |
//! | `record`, `records` | what was called |
//! | `manage` | what the simulator's own API does: time, settings, snapshots, reset |
//! | `accounts`, `image_seeds` | who may call, and the images that they have from the start |
//! | `inventory`, `snapshots` | what exists, and existed |
//! | `keep`, `file`, `session`, `replay` | what is kept in files, and comes back from them |

mod accounts;
mod attempts;
mod call;
mod clock;
mod fault;
mod faults;
mod file;
mod garbling;
mod history;
mod image_seeds;
mod inventory;
mod keep;
mod manage;
mod outcome;
mod pattern;
mod record;
mod records;
mod refused;
mod replay;
mod secret;
mod session;
mod settings;
mod snapshots;
#[cfg(test)]
mod tests;
mod throttle;

use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hyper::body::Bytes;
use jiff::Timestamp;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::action::{Action, Answer, Arguments, Call, Caller, CloudError, Problem, Run, Service, common, project};
use crate::service::sts;
use crate::settings::Settings;
use crate::world::sts::Session;
use crate::world::{Known, World};
use attempts::Attempts;
use faults::Faults;
use history::History;
use keep::Keeper;
use records::Records;
use session::Event;
use snapshots::Snapshots;
use throttle::Throttle;

pub use accounts::{ACCESS_KEY, ACCESS_KEY_SECRET, ACCOUNT, AccessKey, Accounts, AccountsError, Declared, Image};
pub use clock::{Clock, FASTEST, NoRate};
pub use fault::{Fault, Flow, NoShare, Occurrence, Order, OrderError, Share, When};
pub use faults::{FaultReport, HeldCall};
pub use file::StateFileError;
pub use garbling::Garbling;
pub use image_seeds::seed;
pub use inventory::{Filter, GLOBAL};
pub use keep::{KeepError, RecordError};
pub use manage::{ClockError, Reset};
pub use outcome::Outcome;
pub use pattern::{Pattern, PatternError};
pub use record::{Ending, Origin, Record, Rejection};
pub use records::{ActionCounts, Counts, Query, RECORDS};
pub use refused::Refused;
pub use replay::{Replay, ReplayError, replay};
pub use settings::SettingsError;
pub use snapshots::{Snapshot, SnapshotError};

/// A call whose caller is known.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The service.
    pub service: &'static Service,
    /// The action.
    pub action: &'static Action,
    /// Who asks.
    pub caller: Caller,
    /// The region of the call.
    pub region: String,
    /// Names and values as they were sent, without what every request has.
    pub parameters: Vec<(String, String)>,
    /// The content of an object, for the actions that take one.
    pub body: Bytes,
}

/// The cloud.
#[derive(Debug)]
pub struct Cloud {
    state: Mutex<State>,
    faults: Faults,
    attempts: Attempts,
    throttle: Throttle,
    records: Records,
}

#[derive(Debug)]
struct State {
    world: World,
    history: History,
    clock: Clock,
    settings: Arc<Settings>,
    keeper: Keeper,
    snapshots: Snapshots,
    /// The world and the settings at the start.
    start: Arc<(World, Settings)>,
}

/// A call was carried out.
struct Done {
    answer: Answer,
    /// Whether it changed the world.
    effect: bool,
}

impl Cloud {
    /// A cloud with a world.
    pub fn new(world: World, clock: Clock, settings: Settings) -> Self {
        let state = State {
            start: Arc::new((world.clone(), settings.clone())),
            world,
            history: History::default(),
            clock,
            settings: Arc::new(settings),
            keeper: Keeper::default(),
            snapshots: Snapshots::default(),
        };
        Self {
            state: Mutex::new(state),
            faults: Faults::default(),
            attempts: Attempts::default(),
            throttle: Throttle::default(),
            records: Records::default(),
        }
    }

    /// A panic never leaves the state half changed, so a poisoned lock is still good.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Carries out a call without faults, throttling and records.
    pub fn execute(&self, operation: &Operation) -> Result<Answer, CloudError> {
        self.state().execute(operation).map(|done| done.answer)
    }

    /// The session of an assumed role that has this access key, and who calls with it.
    pub fn session(&self, access_key: &str) -> Option<(Session, Caller)> {
        sts::session(&self.state().world, access_key).map(|(session, caller)| (session.clone(), caller))
    }

    /// Whether some session has this security token.
    pub fn has_token(&self, token: &str) -> bool {
        sts::has_token(&self.state().world, token)
    }

    /// The world now.
    pub fn world(&self) -> World {
        let mut state = self.state();
        state.end_transitions_now();
        state.world.clone()
    }
}

impl Operation {
    /// The client token, with all that distinguishes its use from other uses of the same text.
    fn token(&self) -> Option<String> {
        let Self { service, action, caller, region, parameters, .. } = self;
        action.parameter("ClientToken")?;
        let (_, token) = parameters.iter().find(|(name, _)| name == "ClientToken")?;
        Some(format!("{} {region} {}:{} {token}", caller.account, service.code, action.name))
    }
}

impl State {
    fn execute(&mut self, operation: &Operation) -> Result<Done, CloudError> {
        let now = self.end_transitions_now();
        let Operation { service, action, caller, region, parameters, body } = operation;
        let settings = Arc::clone(&self.settings);
        let heeded = parameters.iter().filter(|(name, _)| settings.heeds(service, action, name));
        let given = heeded.map(|(name, value)| (name.as_str(), value.as_str()));
        let arguments = Arguments::read(action.parameters, given).map_err(refuse)?;
        let sent = RefCell::default();
        let call = Call { service, action, caller, region, now, arguments, body, settings: &settings, sent };
        let (fields, effect) = match action.run {
            Run::Read(read) => {
                if is_dry_run(&call) {
                    return Err(if caller.sees_nothing { &common::FORBIDDEN } else { &common::DRY_RUN }.into());
                }
                if caller.sees_nothing {
                    let answer = read(&World::default(), &call);
                    return Ok(Done {
                        answer: Answer { fields: shaped(action, answer)?, content: Bytes::new() },
                        effect: false,
                    });
                }
                let lag = self.settings.lag(service, action);
                let past = (!lag.is_zero()).then(|| now.checked_sub(lag).ok()).flatten();
                let past = past.and_then(|past| self.history.at(past));
                let answer = read(past.as_deref().unwrap_or(&self.world), &call);
                (shaped(action, answer)?, false)
            }
            Run::Write(write) => self.write(write, &call, operation)?,
        };
        Ok(Done { answer: Answer { fields, content: call.sent.into_inner() }, effect })
    }

    /// The answer to a write, and whether the write changed the world.
    fn write(
        &mut self,
        write: crate::action::Write,
        call: &Call<'_>,
        operation: &Operation,
    ) -> Result<(Map<String, Value>, bool), CloudError> {
        let action = call.action;
        if is_dry_run(call) {
            write(&mut self.world.clone(), call)?;
            return Err((&common::DRY_RUN).into());
        }
        let token = operation.token().map(|key| {
            let mut parameters = operation.parameters.clone();
            parameters.sort();
            let parameters = serde_json::to_vec(&parameters).unwrap_or_default();
            (key, format!("{:x}", Sha256::digest(parameters)))
        });
        if let Some((key, parameters)) = &token {
            match self.world.tokens.get(key, parameters) {
                Some(Known::Same(answer)) => return Ok((answer, false)),
                Some(Known::Other) => return Err((&common::TOKEN_MISMATCH).into()),
                None => {}
            }
        }
        let lag = self.settings.longest_lag();
        let before = (self.keeper.keeps() || !lag.is_zero()).then(|| self.world.clone());
        let answer = shaped(action, write(&mut self.world, call));
        self.world.tidy();
        let answer = answer?;
        if let Some((key, parameters)) = token {
            self.world.tokens.put(key, parameters, answer.clone());
        }
        if let Some(before) = before {
            let event = || Event::Call(Box::new(operation.into()));
            if let Err(error) = self.keeper.keep(call.now, &self.world, event) {
                self.world = before;
                return Err(common::INTERNAL.because(format!("The simulator {error}.")));
            }
            self.history.keep(before, call.now, lag);
        }
        self.end_transitions(call.now);
        Ok((answer, true))
    }

    /// Ends the transitions that are over, each at its time.
    fn end_transitions(&mut self, now: Timestamp) {
        let lag = self.settings.longest_lag();
        while let Some(due) = self.world.due().filter(|due| *due <= now) {
            if !lag.is_zero() {
                self.history.keep(self.world.clone(), due, lag);
            }
            self.world.end_transitions(due);
            self.world.tidy();
        }
    }

    /// Ends the transitions that are over now.
    fn end_transitions_now(&mut self) -> Timestamp {
        let now = self.clock.now();
        self.end_transitions(now);
        now
    }
}

/// Checks an answer against its declaration.
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
/// Whether a call asks only whether it would be carried out.
fn is_dry_run(call: &Call<'_>) -> bool {
    call.action.parameter("DryRun").is_some() && call.flag("DryRun") == Some(true)
}

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
