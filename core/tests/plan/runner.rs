//! Runs plans on the model of a cloud, many steps at a time, until it is stopped somewhere.

use serde_json::Value;
use trellis_core::call::{Argument, Call};
use trellis_core::policy::{Condition, Effects, Plan, Probe, State, Step};

use crate::cloud::{Cloud, Fields};

/// Most calls of a probe.
const PROBES: usize = 12;

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    Done,
    /// It was stopped before it was done.
    Stopped,
    /// A probe ran out.
    GaveUp,
    /// The cloud refused a call.
    Refused(String),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Waiting,
    /// What an earlier run may have made is looked for.
    Looking(usize),
    Remembered,
    Called,
    Recorded(usize),
    Probed,
    Done,
}

struct Progress<'p> {
    step: &'p Step,
    /// Places of the steps that come before.
    after: Vec<usize>,
    phase: Phase,
    response: Value,
}

/// Runs a plan; each turn is one effect of one of the steps that may go on, which `pick` chooses among so many.
///
/// `turns` is how many there may be.
pub fn run(
    plan: &Plan,
    cloud: &mut Cloud,
    state: &mut State,
    turns: usize,
    mut pick: impl FnMut(usize) -> usize,
) -> End {
    state.clone_from(&plan.state);
    let place = |id: &String| plan.steps.iter().position(|other| other.id == *id);
    let progress = |step| Progress {
        step,
        after: step.after.iter().filter_map(place).collect(),
        phase: Phase::Waiting,
        response: Value::Null,
    };
    let mut all: Vec<Progress> = plan.steps.iter().map(progress).collect();
    for _ in 0..turns {
        let is_done = |place: &usize| all[*place].phase == Phase::Done;
        let may_go_on = |place: &usize| !is_done(place) && all[*place].after.iter().all(is_done);
        let ready: Vec<usize> = (0..all.len()).filter(may_go_on).collect();
        if ready.is_empty() {
            let is_over = all.iter().all(|progress| progress.phase == Phase::Done);
            return if is_over { End::Done } else { End::Refused("steps wait for each other".to_owned()) };
        }
        if let Err(end) = advance(&mut all[ready[pick(ready.len())]], cloud, state) {
            return end;
        }
    }
    if all.iter().all(|progress| progress.phase == Phase::Done) { End::Done } else { End::Stopped }
}

fn advance(progress: &mut Progress<'_>, cloud: &mut Cloud, state: &mut State) -> Result<(), End> {
    let step = progress.step;
    progress.phase = match progress.phase {
        Phase::Waiting => {
            let is_begun = step.remember.iter().any(|(key, value)| value.is_some() && state.get(key).is_some());
            write(state, &step.remember);
            if is_begun && step.look_again.is_some() { Phase::Looking(0) } else { Phase::Remembered }
        }
        Phase::Looking(count) => match &step.look_again {
            Some(look) if count < PROBES => {
                let former = step.remember.iter().filter_map(|(_, value)| value.as_deref()).collect::<Vec<_>>();
                if holds(look, &former, cloud, state) { Phase::Recorded(0) } else { Phase::Looking(count + 1) }
            }
            _ => Phase::Remembered,
        },
        Phase::Remembered => {
            progress.response =
                make(&step.call, cloud, state).map_err(|error| End::Refused(format!("{}: {error}", step.id)))?;
            Phase::Called
        }
        Phase::Called => {
            record(state, &step.record, &progress.response);
            Phase::Recorded(0)
        }
        Phase::Recorded(count) => match &step.until {
            Some(_) if count == PROBES => {
                // It is not late: it is not there. What was remembered until then would mislead the next plan.
                for (key, _) in step.conclude.iter().filter(|(key, _)| step.remember.get(key).is_some()) {
                    state.remove(key);
                }
                return Err(End::GaveUp);
            }
            Some(probe) if !holds(probe, &[], cloud, state) => Phase::Recorded(count + 1),
            _ => Phase::Probed,
        },
        Phase::Probed | Phase::Done => {
            write(state, &step.conclude);
            Phase::Done
        }
    };
    Ok(())
}

fn write(state: &mut State, effects: &Effects) {
    for (key, value) in effects.iter() {
        match value {
            Some(value) => state.insert(key, value.clone()),
            None => _ = state.remove(key),
        }
    }
}

fn record(state: &mut State, record: &trellis_core::collections::Entries<&'static str>, from: &Value) {
    for (key, pointer) in record.iter() {
        state.insert(key, from.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned());
    }
}

fn make(call: &Call, cloud: &mut Cloud, state: &State) -> Result<Value, String> {
    let parameters = call.parameters.iter().map(|(name, value)| Ok((name.to_owned(), resolve(value, state)?)));
    let parameters = parameters.collect::<Result<Fields, String>>()?;
    let token = call.token.as_ref().map(|seed| format!("{seed} {} {parameters:?}", call.action));
    cloud.call(call.action, parameters, token)
}

fn resolve(argument: &Argument, state: &State) -> Result<String, String> {
    match argument {
        Argument::Text(text) => Ok(text.clone()),
        Argument::Reference { key } => state.get(key).cloned().ok_or_else(|| format!("`{key}` is not recorded")),
        other => Err(format!("{other:?} is no text")),
    }
}

/// Whether the item of a probe is as it is waited for. What was there before is another item.
fn holds(probe: &Probe, former: &[&str], cloud: &mut Cloud, state: &mut State) -> bool {
    let response = make(&probe.call, cloud, state).unwrap_or_default();
    let item = probe.item.as_ref().and_then(|item| {
        let value = resolve(&item.value, state).ok()?;
        let list = response.pointer(item.list)?.as_array()?;
        let is_former = |entry: &Value| former.iter().any(|id| entry["id"] == *id);
        list.iter().find(|entry| entry[item.key] == value.as_str() && !is_former(entry))
    });
    let is_so = |condition: &Condition| match condition {
        Condition::Gone { .. } => item.is_none(),
        Condition::Present { present } => item.and_then(|item| item.pointer(present)).is_some(),
        Condition::Among { .. } | Condition::Ends { .. } => false,
    };
    let holds = probe.success.iter().all(is_so);
    if holds && let Some(item) = item {
        record(state, &probe.record, item);
    }
    holds
}
