//! Control of the cloud in addition to its actions: time, settings, faults, snapshots, files.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::file::StateFile;
use super::inventory::{Filter, inventory, summary};
use super::session::{Event, FORMAT, Start, VERSION};
use super::snapshots::{Snapshot, SnapshotError};
use super::{
    Accounts, Clock, Cloud, Counts, FaultReport, KeepError, NoRate, Order, OrderError, Query, Record, RecordError,
    State, StateFileError, seed,
};
use crate::settings::Settings;
use crate::world::World;

/// What a reset sets back in addition to the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reset {
    /// The record of calls, which becomes empty.
    pub calls: bool,
    /// The faults, which are deleted; calls that they hold are released.
    pub faults: bool,
    /// The settings.
    pub settings: bool,
}

/// The clock cannot be set so.
#[derive(Debug, thiserror::Error)]
pub enum ClockError {
    /// The clock cannot go so fast.
    #[error(transparent)]
    Rate(#[from] NoRate),
    /// The change cannot be saved in a file.
    #[error(transparent)]
    Keep(#[from] KeepError),
}

/// Files.
impl Cloud {
    /// Keeps the world and its time in a file from now on. A state in the file replaces the world; time goes on
    /// from the later of both. Returns whether there was a state.
    pub fn keep_state(&self, path: &Path) -> Result<bool, StateFileError> {
        let (file, content) = StateFile::open(path)?;
        let mut state = self.state();
        let found = content.is_some();
        if let Some((time, world)) = content {
            state.resume(time, world);
        } else {
            let error = |error| StateFileError::Io { path: path.to_owned(), error };
            file.save(state.clock.now(), &state.world).map_err(error)?;
        }
        state.keeper.follow(file);
        Ok(found)
    }

    /// Goes on with a copy of the world in a state file, which stays as it is. Returns whether another simulator
    /// uses the file. Without a file the world stays as it is.
    pub fn copy_state(&self, path: &Path) -> Result<bool, StateFileError> {
        let Some((time, world, is_used)) = StateFile::look(path)? else { return Ok(false) };
        self.state().resume(time, world);
        Ok(is_used)
    }

    /// Declares accounts to the world, and adds the images that they have from the start where the world lacks
    /// them.
    pub fn declare(&self, accounts: &Accounts) {
        seed(&mut self.state().world, accounts);
    }

    /// Records a session in a new file from now on.
    pub fn record(&self, path: &Path) -> Result<(), RecordError> {
        let mut state = self.state();
        let start = Start {
            format: FORMAT.to_owned(),
            version: VERSION,
            time: state.end_transitions_now(),
            settings: Settings::clone(&state.settings),
            world: state.world.clone(),
        };
        state.keeper.record(path, &start)
    }

    /// Writes the time to the files, at the end of the simulator.
    pub fn save(&self) -> Result<(), KeepError> {
        let mut state = self.state();
        let now = state.end_transitions_now();
        let State { keeper, world, .. } = &mut *state;
        keeper.keep(now, world, || Event::Clock)
    }
}

impl State {
    /// Goes on with a world from a file; time goes on from the later of both.
    fn resume(&mut self, time: Timestamp, world: World) {
        if time > self.clock.now() {
            self.clock.set(time);
        }
        self.world = world;
        self.history.clear();
        self.end_transitions_now();
    }
}

/// Time and settings.
impl Cloud {
    /// How many seconds of the cloud are in a real second.
    pub fn rate(&self) -> f64 {
        self.state().clock.rate()
    }

    /// Goes on at another speed.
    pub fn set_rate(&self, rate: f64) -> Result<(), ClockError> {
        let mut state = self.state();
        let mut clock = state.clock.clone();
        clock.set_rate(rate)?;
        Ok(state.set_clock(clock)?)
    }

    /// Goes forward in time, and ends the transitions that are over then.
    pub fn step(&self, by: Duration) -> Result<(), KeepError> {
        let mut state = self.state();
        let mut clock = state.clock.clone();
        clock.step(by);
        state.set_clock(clock)
    }

    /// How the cloud behaves.
    pub fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.state().settings)
    }

    /// Changes the settings.
    pub fn set_settings(&self, settings: Settings) -> Result<(), KeepError> {
        self.change_settings(|_| Ok(settings))
    }

    /// Changes the settings from what they are, with no other change in between.
    pub fn change_settings<E: From<KeepError>>(
        &self,
        change: impl FnOnce(&Settings) -> Result<Settings, E>,
    ) -> Result<(), E> {
        let mut state = self.state();
        let now = state.end_transitions_now();
        let settings = change(&state.settings)?;
        let State { keeper, world, .. } = &mut *state;
        keeper.keep(now, world, || Event::Settings(Box::new(settings.clone())))?;
        state.settings = Arc::new(settings);
        drop(state);
        self.throttle.clear();
        Ok(())
    }
}

impl State {
    fn set_clock(&mut self, clock: Clock) -> Result<(), KeepError> {
        self.keeper.keep(clock.now(), &self.world, || Event::Clock)?;
        self.clock = clock;
        self.end_transitions_now();
        Ok(())
    }

    fn replace(&mut self, world: World) -> Result<(), KeepError> {
        let now = self.clock.now();
        self.keeper.keep(now, &world, || Event::World(Box::new(world.clone())))?;
        self.world = world;
        self.history.clear();
        self.end_transitions(now);
        Ok(())
    }
}

/// The world.
impl Cloud {
    /// What exists: `{account: {region: {"vpc:vpcs": [...]}}}`, without what is empty, secrets and contents of
    /// objects.
    pub fn inventory(&self, filter: &Filter) -> Value {
        let (world, start) = (self.world(), Arc::clone(&self.state().start));
        inventory(&world, &start.0, filter)
    }

    /// How many there are of each kind: `{account: {region: {"vpc:vpcs": 1}}}`.
    pub fn summary(&self, filter: &Filter) -> Value {
        summary(self.inventory(filter))
    }

    /// Puts another world in the place of this one.
    pub(super) fn replace(&self, world: World) -> Result<(), KeepError> {
        self.state().replace(world)
    }

    /// Sets back the world to the start, and what else is asked for. Time goes on.
    pub fn reset(&self, reset: Reset) -> Result<(), KeepError> {
        let start = Arc::clone(&self.state().start);
        self.replace(start.0.clone())?;
        if reset.settings {
            self.set_settings(start.1.clone())?;
        }
        if reset.faults {
            self.delete_faults(None);
        }
        if reset.calls {
            self.clear_records();
        }
        Ok(())
    }

    /// Keeps the world under a name, in place of a snapshot of that name.
    pub fn put_snapshot(&self, name: &str) -> Result<(), SnapshotError> {
        let mut state = self.state();
        let now = state.end_transitions_now();
        let world = state.world.clone();
        state.snapshots.put(name, now, world)
    }

    /// The snapshots, by name.
    pub fn snapshots(&self) -> Vec<Snapshot> {
        self.state().snapshots.list()
    }

    /// Sets back the world to a snapshot. Time goes on: transitions that are over by now end.
    pub fn restore_snapshot(&self, name: &str) -> Result<(), SnapshotError> {
        let mut state = self.state();
        let world = state.snapshots.get(name)?;
        Ok(state.replace(world)?)
    }

    /// Forgets a snapshot.
    pub fn delete_snapshot(&self, name: &str) -> Result<(), SnapshotError> {
        self.state().snapshots.delete(name)
    }
}

/// Faults and records.
impl Cloud {
    /// Orders a fault.
    pub fn order(&self, order: Order) -> Result<FaultReport, OrderError> {
        self.faults.order(order)
    }

    /// The faults, in the order in which they were ordered.
    pub fn faults(&self) -> Vec<FaultReport> {
        self.faults.list()
    }

    /// Deletes a fault or all, and says how many; calls that they hold are released. With all faults go the tokens
    /// that failed because of one.
    pub fn delete_faults(&self, id: Option<u64>) -> usize {
        if id.is_none() {
            self.attempts.forget();
        }
        self.faults.delete(id)
    }

    /// Releases the calls that a fault holds or that all hold, of these one or all, and says how many.
    pub fn release(&self, fault: Option<u64>, call: Option<u64>) -> usize {
        self.faults.release(fault, call)
    }

    /// The calls that were recorded, the oldest first.
    pub fn records(&self, query: &Query) -> Vec<Arc<Record>> {
        self.records.list(query)
    }

    /// The number of the last call.
    pub fn last_record(&self) -> u64 {
        self.records.last()
    }

    /// How often each action was called.
    pub fn counts(&self) -> Counts {
        self.records.counts()
    }

    /// Forgets the calls, and counts from zero.
    pub fn clear_records(&self) {
        self.records.clear();
    }

    /// Keeps the record of so many calls from now on.
    pub fn keep_records(&self, most: usize) {
        self.records.keep(most);
    }
}

#[cfg(test)]
mod tests;
