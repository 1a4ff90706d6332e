//! What the program keeps of each network in the simulated cloud.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;

use super::run::Run;
use crate::world::EXAMPLES;
use trellis_runner::document::State;

/// The networks, by technical id.
#[derive(Default)]
pub(super) struct Networks {
    all: BTreeMap<String, Network>,
    /// The technical id of the network whose run goes on.
    pub(super) running: Option<String>,
}

/// A network of a Shoot.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Network {
    /// Namespace and name of the Shoot.
    pub(super) shoot: String,
    /// The objects that were applied last, without Secrets; none where the network does not exist.
    pub(super) manifests: Vec<Box<RawValue>>,
    /// The state of the infrastructure.
    pub(super) state: State,
    /// How many resources of its own the network has, once all are made.
    pub(super) resources: usize,
    /// The last run: its operation, and its ending once the run has ended.
    pub(super) last_run: Option<LastRun>,
    /// The Shoot that was applied last, with its defaults.
    #[serde(skip)]
    pub(super) applied: Option<String>,
    #[serde(skip)]
    pub(super) run: Option<Arc<Run>>,
}

/// What a run was for, and how it ended.
#[derive(Clone, Serialize)]
pub(super) struct LastRun {
    pub(super) operation: &'static str,
    /// `null` while the run goes on, `error` where the run did not begin, else the kind of the ending.
    pub(super) ending: Option<String>,
}

#[derive(Serialize)]
struct Listed<'n> {
    id: &'n str,
    #[serde(flatten)]
    network: &'n Network,
}

#[derive(Serialize)]
struct Document<'n> {
    /// Ids of what the examples name, and the simulated cloud has from its start.
    given: &'n [&'n str],
    networks: Vec<Listed<'n>>,
    running: Option<&'n str>,
}

impl Networks {
    /// A network, which need not exist yet.
    pub(super) fn of(&mut self, id: &str) -> &mut Network {
        self.all.entry(id.to_owned()).or_default()
    }

    /// The last run of a network.
    pub(super) fn run(&self, id: &str) -> Option<Arc<Run>> {
        self.all.get(id)?.run.clone()
    }

    /// All networks for the page.
    pub(super) fn to_json(&self) -> String {
        let networks = self.all.iter().map(|(id, network)| Listed { id, network }).collect();
        let document = Document { given: &EXAMPLES, networks, running: self.running.as_deref() };
        // Never fails: there is only JSON in it.
        serde_json::to_string(&document).unwrap_or_default()
    }
}
