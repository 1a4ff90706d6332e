//! How a simulator starts.

use std::path::PathBuf;

use jiff::Timestamp;

use crate::cloud::{
    Accounts, Clock, ClockError, Cloud, RECORDS, RecordError, ReplayError, StateFileError, replay, seed,
};
use crate::gateway::Gateway;
use crate::regions;
use crate::settings::Settings;
use crate::world::World;

/// How a simulator starts.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who may call.
    pub accounts: Accounts,
    /// The region of requests that name none.
    pub region: String,
    /// How the cloud behaves. A session that is replayed has its own.
    pub settings: Settings,
    /// How fast its time goes: 1 as real time, 0 when it is only stepped.
    pub rate: f64,
    /// The world at the start, to which the images of the accounts are added. A session that is replayed has its
    /// own.
    pub world: World,
    /// The number of calls that are remembered.
    pub calls: usize,
    /// The file that keeps the world. A world in the file replaces the new one.
    pub state: Option<PathBuf>,
    /// The new file that a session is recorded in.
    pub record: Option<PathBuf>,
    /// The recorded session that is replayed first.
    pub replay: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            accounts: Accounts::built_in(),
            region: "cn-shanghai".to_owned(),
            settings: Settings::default(),
            rate: 1.0,
            world: World::default(),
            calls: RECORDS,
            state: None,
            record: None,
            replay: None,
        }
    }
}

/// A simulator that has started, and what it did at its start.
#[derive(Debug)]
pub struct Started {
    /// The gateway before its cloud.
    pub gateway: Gateway,
    /// Whether the world is that of the state file.
    pub resumed: bool,
    /// The number of events of a recorded session that were replayed.
    pub replayed: Option<usize>,
    /// The number of the last line of that session, where it was cut short and left out.
    pub cut: Option<usize>,
}

/// Why a simulator does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is no such region.
    #[error("there is no region `{0}`")]
    Region(String),
    /// Settings name an action or a quota that does not exist.
    #[error(transparent)]
    Settings(#[from] crate::cloud::SettingsError),
    /// The clock cannot go so fast.
    #[error(transparent)]
    Clock(#[from] ClockError),
    /// The state file cannot be used.
    #[error(transparent)]
    State(#[from] StateFileError),
    /// A session cannot be recorded.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A session cannot be replayed.
    #[error("`{}`: {error}", path.display())]
    Replay {
        /// Its file.
        path: PathBuf,
        /// Why not.
        error: ReplayError,
    },
}

impl Options {
    /// Makes the cloud and the gateway before it.
    pub fn start(self) -> Result<Started, StartError> {
        let Self { accounts, region, settings, rate, world, calls, state, record, replay: session } = self;
        if regions::region(&region).is_none() {
            return Err(StartError::Region(region));
        }
        let settings = settings.check()?;
        let mut started = match session {
            None => {
                let mut world = world;
                seed(&mut world, &accounts);
                Replayed {
                    cloud: Cloud::new(world, Clock::at(Timestamp::now()), settings),
                    events: None,
                    cut: None,
                }
            }
            Some(path) => {
                let replay = replay(&path).map_err(|error| StartError::Replay { path, error })?;
                Replayed { cloud: replay.cloud, events: Some(replay.events), cut: replay.cut }
            }
        };
        let cloud = &mut started.cloud;
        cloud.keep_records(calls);
        cloud.set_rate(rate)?;
        let resumed = state.map(|path| cloud.keep_state(&path)).transpose()?.unwrap_or_default();
        if resumed {
            // The declared accounts may have changed since the file was begun.
            cloud.declare(&accounts);
        }
        record.map(|path| cloud.record(&path)).transpose()?;
        let Replayed { cloud, events: replayed, cut } = started;
        Ok(Started { gateway: Gateway::new(cloud, accounts, &region), resumed, replayed, cut })
    }
}

struct Replayed {
    cloud: Cloud,
    events: Option<usize>,
    cut: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloud::Filter;

    #[test]
    fn a_world_that_is_resumed_has_what_is_declared_now() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        let state = Some(path);
        let first = Options { state: state.clone(), ..Options::default() }.start().unwrap();
        assert!(!first.resumed);
        drop(first);
        let accounts: Accounts = serde_json::from_value(serde_json::json!({ "accounts": [
            { "id": "2", "accessKeys": [], "images": [{ "id": "m-1", "name": "one", "region": "cn-shanghai" }] },
            { "id": "3", "accessKeys": [] },
        ] }))
        .unwrap();
        let second = Options { accounts, state, ..Options::default() }.start().unwrap();
        assert!(second.resumed);
        let cloud = second.gateway.cloud();
        assert!(cloud.world().knows("3"));
        let images = cloud.inventory(&Filter { kind: Some("ecs:images".to_owned()), ..Filter::default() });
        assert!(images.to_string().contains("m-1"), "{images}");
    }
}
