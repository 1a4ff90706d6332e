//! What people tell the cloud apart from calling it: time, settings, faults, snapshots, files.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::file::StateFile;
use super::inventory::{Filter, inventory, summary};
use super::session::{Event, FORMAT, Start, VERSION};
use super::snapshots::{Snapshot, SnapshotError};
use super::{
    Accounts, Clock, Cloud, Counts, KeepError, Ledger, NoRate, Order, OrderError, Query, Record, RecordError,
    Settings, State, StateFileError,
};
use crate::service::ecs;
use crate::world::World;

/// What becomes as it was at the start, beside the world.
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
    /// It cannot go so fast.
    #[error(transparent)]
    Rate(#[from] NoRate),
    /// What it has become cannot be kept in a file.
    #[error(transparent)]
    Keep(#[from] KeepError),
}

/// Files.
impl Cloud {
    /// Keeps the world and its time in a file from now on. What is in the file takes the place of the world; time goes
    /// on from the later one. Says whether there was anything.
    pub fn keep_state(&self, path: &Path) -> Result<bool, StateFileError> {
        let (file, content) = StateFile::open(path)?;
        let mut state = self.state();
        let found = content.is_some();
        if let Some((time, world)) = content {
            if time > state.clock.now() {
                state.clock.set(time);
            }
            state.world = world;
            state.history.clear();
            state.settle_now();
        } else {
            let error = |error| StateFileError::Io { path: path.to_owned(), error };
            file.save(state.clock.now(), &state.world).map_err(error)?;
        }
        state.keeper.follow(file);
        Ok(found)
    }

    /// Declares accounts to the world, and gives them those of the images that they have from the start which it lacks.
    pub fn declare(&self, accounts: &Accounts) {
        ecs::seed(&mut self.state().world, accounts);
    }

    /// Records a session in a new file from now on.
    pub fn record(&self, path: &Path) -> Result<(), RecordError> {
        let mut state = self.state();
        let start = Start {
            format: FORMAT.to_owned(),
            version: VERSION,
            time: state.settle_now(),
            settings: Settings::clone(&state.settings),
            world: state.world.clone(),
        };
        state.keeper.record(path, &start)
    }

    /// Writes what time it is to the files, at the end of the simulator.
    pub fn save(&self) -> Result<(), KeepError> {
        let mut state = self.state();
        let now = state.settle_now();
        let State { keeper, world, .. } = &mut *state;
        keeper.keep(now, world, || Event::Clock)
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

    /// Makes the cloud behave otherwise.
    pub fn set_settings(&self, settings: Settings) -> Result<(), KeepError> {
        self.change_settings(|_| Ok(settings))
    }

    /// Makes the cloud behave otherwise than it does, with nothing in between.
    pub fn change_settings<E: From<KeepError>>(
        &self,
        change: impl FnOnce(&Settings) -> Result<Settings, E>,
    ) -> Result<(), E> {
        let mut state = self.state();
        let now = state.settle_now();
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
        self.settle_now();
        Ok(())
    }

    fn replace(&mut self, world: World) -> Result<(), KeepError> {
        let now = self.clock.now();
        self.keeper.keep(now, &world, || Event::World(Box::new(world.clone())))?;
        self.world = world;
        self.history.clear();
        self.settle(now);
        Ok(())
    }
}

/// The world.
impl Cloud {
    /// What exists: `{account: {region: {"vpc:vpcs": [...]}}}`, without what is empty, secrets and contents of objects.
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

    /// Makes the world as it was at the start, and what else is wished. Time goes on.
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

    /// Keeps how the world is under a name, in place of what had that name.
    pub fn put_snapshot(&self, name: &str) -> Result<(), SnapshotError> {
        let mut state = self.state();
        let now = state.settle_now();
        let world = state.world.clone();
        state.snapshots.put(name, now, world)
    }

    /// The snapshots, by name.
    pub fn snapshots(&self) -> Vec<Snapshot> {
        self.state().snapshots.list()
    }

    /// Makes the world as it was in a snapshot. Time goes on: transitions that are over by now end.
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
    pub fn order(&self, order: Order) -> Result<Ledger, OrderError> {
        self.faults.order(order)
    }

    /// The faults, in the order in which they were ordered.
    pub fn faults(&self) -> Vec<Ledger> {
        self.faults.list()
    }

    /// Deletes a fault or all, and says how many; calls that they hold are released.
    pub fn delete_faults(&self, id: Option<u64>) -> usize {
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
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;
    use crate::testing::{ACCOUNT, TestCloud, operation};

    fn count(test: &TestCloud) -> u64 {
        let vpcs = test.cloud.summary(&Filter { kind: Some("vpc:vpcs".to_owned()), ..Filter::default() });
        vpcs.pointer(&format!("/{ACCOUNT}/cn-shanghai/vpc:vpcs")).and_then(Value::as_u64).unwrap_or_default()
    }

    fn status(test: &TestCloud) -> Value {
        let all = test.cloud.inventory(&Filter::default());
        all.pointer(&format!("/{ACCOUNT}/cn-shanghai/vpc:vpcs/0/Status")).cloned().unwrap_or_default()
    }

    #[test]
    fn a_state_file_has_every_write_that_was_answered() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        let (world, now) = {
            let test = TestCloud::new();
            assert!(!test.cloud.keep_state(&path).unwrap());
            test.call("vpc", "CreateVpc", &[("ClientToken", "t")]);
            test.step(1);
            // As when it is killed: nothing is done at its end.
            (test.cloud.world(), test.cloud.now())
        };
        let test = TestCloud::new();
        assert!(test.cloud.keep_state(&path).unwrap());
        assert!(test.cloud.world() == world);
        assert_eq!(test.cloud.now(), now);
        assert_eq!(status(&test), "Pending");
        test.step(2);
        assert_eq!(status(&test), "Available");
        test.call("vpc", "CreateVpc", &[("ClientToken", "t")]);
        assert_eq!(count(&test), 1, "the token is known");
        test.cloud.reset(Reset::default()).unwrap();
        drop(test);
        let test = TestCloud::new();
        assert!(test.cloud.keep_state(&path).unwrap());
        assert_eq!(count(&test), 0);
    }

    #[test]
    fn time_never_goes_back_by_a_state_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        let test = TestCloud::new();
        test.cloud.keep_state(&path).unwrap();
        test.call("vpc", "CreateVpc", &[]);
        drop(test);
        let test = TestCloud::new();
        test.step(100);
        let now = test.cloud.now();
        test.cloud.keep_state(&path).unwrap();
        assert_eq!(test.cloud.now(), now);
        assert_eq!(status(&test), "Available");
    }

    #[test]
    fn a_write_that_cannot_be_kept_is_not_made() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let session = folder.path().join("session");
        let test = TestCloud::new();
        test.cloud.keep_state(&inner.join("state.json")).unwrap();
        test.cloud.record(&session).unwrap();
        let before = fs::read(&session).unwrap();
        fs::remove_dir_all(&inner).unwrap();
        assert_eq!(test.refused("vpc", "CreateVpc", &[]), "InternalError");
        assert!(test.cloud.set_settings(Settings::default()).is_err());
        assert!(test.cloud.reset(Reset::default()).is_err());
        assert!(test.cloud.step(Duration::from_secs(1)).is_err());
        assert_eq!(fs::read(&session).unwrap(), before, "nor is it in the session");
        fs::create_dir(&inner).unwrap();
        test.call("vpc", "CreateVpc", &[]);
        let replay = crate::cloud::replay(&session).unwrap();
        assert!(replay.cloud.world() == test.cloud.world());
    }

    #[test]
    fn the_end_of_a_session_can_be_told() {
        let folder = tempfile::tempdir().unwrap();
        let session = folder.path().join("session");
        let test = TestCloud::new();
        test.cloud.set_rate(1e6).unwrap();
        test.cloud.record(&session).unwrap();
        let id = test.text("vpc", "CreateVpc", &[], "VpcId");
        while test.cloud.world().due().is_some() {}
        test.cloud.save().unwrap();
        let replay = crate::cloud::replay(&session).unwrap();
        let inventory = replay.cloud.inventory(&Filter::default()).to_string();
        assert!(inventory.contains(&id) && inventory.contains("Available"), "{inventory}");
    }

    #[test]
    fn a_snapshot_is_returned_to() {
        let test = TestCloud::new();
        test.call("vpc", "CreateVpc", &[]);
        test.cloud.put_snapshot("one").unwrap();
        let second = test.text("vpc", "CreateVpc", &[], "VpcId");
        test.step(10);
        let now = test.cloud.now();
        test.cloud.restore_snapshot("one").unwrap();
        assert_eq!((count(&test), status(&test)), (1, json!("Available")));
        assert_eq!(test.cloud.now(), now);
        assert_eq!(test.text("vpc", "CreateVpc", &[], "VpcId"), second, "the same calls get the same identifiers");
        assert_eq!(test.cloud.snapshots().len(), 1);
        test.cloud.delete_snapshot("one").unwrap();
        assert!(test.cloud.restore_snapshot("one").is_err());
    }

    #[tokio::test]
    async fn a_reset_is_of_what_is_wished() {
        let settings =
            |seconds: u32| -> Settings { serde_json::from_value(json!({ "lag": { "*": seconds } })).unwrap() };
        for reset in [
            Reset::default(),
            Reset { calls: true, ..Reset::default() },
            Reset { faults: true, ..Reset::default() },
            Reset { settings: true, ..Reset::default() },
        ] {
            let test = TestCloud::with(settings(1));
            test.call("vpc", "CreateVpc", &[]);
            test.cloud.call(operation("vpc", "DescribeVpcs", &[]), crate::cloud::Seen::default()).await;
            let order = json!({ "action": "*", "fault": { "kind": "quota" } });
            test.cloud.order(serde_json::from_value(order).unwrap()).unwrap();
            test.cloud.set_settings(settings(2)).unwrap();
            test.cloud.reset(reset).unwrap();
            assert_eq!(count(&test), 0);
            assert_eq!(test.cloud.records(&Query::default()).is_empty(), reset.calls);
            assert_eq!(test.cloud.faults().is_empty(), reset.faults);
            assert_eq!(*test.cloud.settings(), settings(if reset.settings { 1 } else { 2 }));
        }
    }

    #[test]
    fn a_step_ends_transitions() {
        let test = TestCloud::new();
        test.call("vpc", "CreateVpc", &[]);
        test.step(2);
        assert_eq!(status(&test), "Pending");
        test.step(1);
        assert_eq!(status(&test), "Available");
        assert!(test.cloud.set_rate(-1.0).is_err());
        test.cloud.set_rate(2.0).unwrap();
        assert!((test.cloud.rate() - 2.0).abs() < f64::EPSILON);
    }
}
