//! What a controller does for objects of its kind: an actuator carries out the operations that a reconcile asks
//! for.

use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, ready};
use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::api_server::object::ObjectApi;
use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::events::Events;
use crate::controller::runtime::extension::LastOperation;
use crate::controller::runtime::kind::{Kind, Operation};
use crate::controller::runtime::safeguards::Hold;
use crate::controller::runtime::status::Failure;
use trellis_runner::limits::permit::Permit;
use trellis_runner::plan::guard::Guard;

/// What a controller does for objects of its kind.
pub trait Actuator: Send + Sync {
    /// The kind of the objects.
    fn kind(&self) -> &'static Kind;

    /// Does what can be done now of an operation. An actuator never sleeps until something changes: it ends with
    /// what it waits for, and is called again.
    fn act<'t>(&'t self, task: Task<'t>) -> BoxFuture<'t, Ended>;

    /// Does what has to be done before, once the status says that the operation goes on.
    fn prepare<'t>(&'t self, _: Task<'t>) -> BoxFuture<'t, Result<Prepared, Retry>> {
        ready(Ok(Prepared::Go)).boxed()
    }

    /// Does what has to be done once a deletion or a migration has succeeded, while the finalizer still holds the
    /// object.
    fn released<'t>(&'t self, _: Task<'t>) -> BoxFuture<'t, Result<(), Retry>> {
        ready(Ok(())).boxed()
    }
}

/// What comes after the preparation of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prepared {
    /// The operation.
    Go,
    /// Nothing: the object is given up, and its status stays as it is.
    Release,
}

/// Why an operation begins again, while the status stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Retry {
    /// Something failed.
    Failed(String),
    /// The process ends, and another one goes on.
    PermitEnded,
}

/// An operation that an actuator carries out.
#[derive(Clone, Copy, Debug)]
pub struct Task<'t> {
    /// Create, reconcile, restore, migrate or delete.
    pub operation: Operation,
    /// Whether the deletion must not wait for anything.
    pub is_forced: bool,
    /// The object as the API server has just answered it.
    pub object: &'t Value,
    /// Its Cluster; none where its kind needs none.
    pub cluster: Option<&'t Cluster>,
    /// The last operation of the object before this one; none where it is the first one.
    pub last: Option<&'t LastOperation>,
    /// The object at its API server.
    pub api: &'t ObjectApi,
    /// What may be carried out.
    pub guard: Guard,
    /// Whether calls may be sent.
    pub permit: &'t Permit,
    /// When the attempt ends.
    pub deadline: Instant,
    /// Shows people what happens.
    pub events: &'t Events,
    /// What the operation waits for, and since when.
    pub waits: Option<Waits>,
}

impl Task<'_> {
    /// How long the operation has waited for something.
    pub fn waited(&self, what: &str) -> Duration {
        let since = self.waits.filter(|waits| waits.what == what).map(|waits| waits.since);
        since.map(|since| since.elapsed()).unwrap_or_default()
    }
}

/// Something that an operation waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// A name for it.
    pub what: &'static str,
    /// Since when.
    pub since: Instant,
}

/// What has to change in the world before an operation goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// A name for it.
    pub what: &'static str,
    /// What people read in the status meanwhile.
    pub text: String,
    /// How long to wait before the actuator looks again.
    pub every: Duration,
    /// How long to wait in all.
    pub most: Duration,
    /// How the operation fails after that.
    pub late: Failure,
}

/// How an operation of an actuator ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// It is done; further members of the status.
    Done(Map<String, Value>),
    /// It is done for now, and has to be done once more soon; further members of the status.
    Again(Map<String, Value>),
    /// It goes on once something has changed.
    Waiting(Wait),
    /// It failed; further members of the status that are known all the same.
    Failed(Failure, Map<String, Value>),
    /// Safeguards hold it back.
    Held(Hold),
    /// The process ends, and another one goes on.
    PermitEnded,
}
