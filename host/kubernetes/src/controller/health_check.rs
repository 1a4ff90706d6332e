//! Health checks: conditions of ControlPlanes and Workers, which gardenlet takes over into the status of the Shoot
//! (reference: gardener-contract 6.1, 6.2).

pub mod checks;
pub mod conditions;
pub mod machines;
pub mod managed_resource;
pub mod report;
pub mod shoots;
pub mod workload;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::try_join_all;
use jiff::Timestamp;
use kube::Client;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use crate::api_server::member::text;
use crate::api_server::object::ObjectApi;
use crate::api_server::objects::Objects;
use crate::api_server::requests::WriteError;
use crate::api_server::resource::{MACHINE_DEPLOYMENTS, MANAGED_RESOURCES};
use crate::controller::runtime::asking::Asking;
use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::configuration::HealthCheckConfig;
use crate::controller::runtime::extension::{Extension, Request, SHOOT};
use crate::controller::runtime::kind::Operation;
use crate::controller::runtime::reconcile::Outcome;
use checks::{Check, KindChecks};
use report::{Found, Report};
use shoots::{ShootError, Shoots};
use trellis_runner::limits::permit::{Permit, PermitEnded};
use trellis_runner::state::object::ApiError;

/// The name of the controllers, on the command line and before the kind in metrics.
pub const NAME: &str = "healthcheck";
/// The longest time for a request to the API server of a Shoot, where the configuration has none: the few checks
/// at a time do not all wait for Shoots that nobody reaches.
const REQUEST_LIMIT: Duration = Duration::from_secs(10);
/// How often a write is computed again because somebody else changes the object.
const MOST_CONFLICTS: usize = 5;

/// Checks the health of objects.
pub struct HealthChecks {
    asking: Arc<Asking>,
    client: Client,
    shoots: Shoots,
    period: Duration,
}

/// An object whose health is checked.
#[derive(Clone, Copy)]
pub struct CheckedObject<'s> {
    /// The object as the cache has it.
    pub object: &'s Extension,
    /// The Cluster of its namespace, as the cache has it.
    pub cluster: Option<&'s Cluster>,
    /// The object at its API server.
    pub api: &'s ObjectApi,
    /// Whether requests may be sent.
    pub permit: &'s Permit,
    /// What is checked.
    pub kind_checks: &'s KindChecks,
}

impl HealthChecks {
    /// Checks so often. The policy has the codes for what is wrong.
    pub fn new(asking: Arc<Asking>, client: Client, config: HealthCheckConfig) -> Self {
        let HealthCheckConfig { period, timeout } = config;
        let limit = timeout.unwrap_or(REQUEST_LIMIT).min(period);
        Self { asking, client, shoots: Shoots::new(limit, 3 * period), period }
    }

    /// Checks an object once, and writes its conditions where something changes.
    pub async fn check(&self, checked: CheckedObject<'_>) -> Outcome {
        match self.carry_out(checked).await {
            Ok(outcome) => outcome,
            Err(WriteError::PermitEnded(_)) => Outcome::PermitEnded,
            Err(error) if error.is_gone() => Outcome::Idle("the object does not exist any more"),
            Err(error @ WriteError::Api(_)) => {
                Outcome::Unwritten(format!("the conditions cannot be written: {error}"))
            }
        }
    }

    async fn carry_out(&self, checked: CheckedObject<'_>) -> Result<Outcome, WriteError> {
        let CheckedObject { object, cluster, .. } = checked;
        if let Some(why) = leaves(object) {
            return Ok(Outcome::Idle(why));
        }
        let hibernates = match cluster {
            Some(cluster) => cluster.hibernates(),
            None if object.class == SHOOT => {
                return Ok(Outcome::Unwritten(format!("there is no Cluster `{}`", object.namespace())));
            }
            None => false,
        };
        if hibernates {
            write(checked, |_, _| checked.kind_checks.reports(|_, _| Report::hibernated())).await?;
            return Ok(Outcome::Idle("its Shoot hibernates"));
        }
        let deadline = Instant::now() + self.period;
        let objects = Objects::new(self.client.clone(), checked.permit.clone(), deadline);
        let place = Place { objects: &objects, namespace: object.namespace(), deadline };
        let mut found = Vec::new();
        for (_, checks) in &checked.kind_checks.conditions {
            found.push(try_join_all(checks.iter().map(|check| self.carry_out_one(*check, place))).await?);
        }
        let reports = |conditions: &[Value], now| {
            checked.kind_checks.reports(|at, condition| {
                let found = found.get(at).map(Vec::as_slice).unwrap_or_default();
                Report::of(found, conditions::before(conditions, condition, now))
            })
        };
        write(checked, reports).await?;
        Ok(Outcome::Checked(self.period))
    }

    async fn carry_out_one(&self, check: Check, place: Place<'_>) -> Result<Found, PermitEnded> {
        let Place { objects, namespace, .. } = place;
        Ok(match check {
            Check::Workload(workload, name) => {
                let word = workload.word();
                match place.read(objects.glance(workload.resource(), namespace, name)).await? {
                    Err(why) => Found::Unknown(format!(
                        "failed to retrieve {word} {name:?} in namespace {namespace:?}: {why}"
                    )),
                    Ok(None) => unhealthy(format!("{word} {name:?} in namespace {namespace:?} not found")),
                    Ok(Some(object)) => judged(workload.check(&object).map_err(|why| {
                        let word = workload.unhealthy_word();
                        format!("{word} {name:?} in namespace {namespace:?} is unhealthy: {why}")
                    })),
                }
            }
            Check::ManagedResource(name) => {
                match place.read(objects.glance(&MANAGED_RESOURCES, namespace, name)).await? {
                    Err(why) => Found::Unknown(format!(
                        "check Managed Resource failed. Unable to retrieve managed resource {name:?} in namespace {namespace:?}: {why}"
                    )),
                    Ok(None) => {
                        unhealthy(format!("Managed Resource {name:?} in namespace {namespace:?} not found"))
                    }
                    Ok(Some(object)) => match managed_resource::check(&object) {
                        Ok(()) => Found::Healthy,
                        Err(why) => {
                            let codes = managed_resource::code(&why).map(str::to_owned).into_iter().collect();
                            let detail = format!(
                                "managed resource {name:?} in namespace {namespace:?} is unhealthy: {why}"
                            );
                            Found::Unhealthy(detail, codes)
                        }
                    },
                }
            }
            Check::Machines => match self.machines(place).await? {
                Err(why) => Found::Unknown(why),
                Ok(Ok(())) => Found::Healthy,
                Ok(Err(detail)) => {
                    let codes = self.asking.codes(&detail, place.deadline).await;
                    Found::Unhealthy(detail, codes)
                }
            },
        })
    }

    /// What is wrong with machines; an outer error, where nobody knows.
    async fn machines(&self, place: Place<'_>) -> Result<Result<Result<(), String>, String>, PermitEnded> {
        let Place { objects, namespace, deadline } = place;
        let deployments = match place.read(objects.glance_all(&MACHINE_DEPLOYMENTS, namespace)).await? {
            Ok(deployments) => deployments,
            Err(why) => {
                return Ok(Err(format!(
                    "unable to check nodes. Failed to list machine deployments in namespace {namespace:?}: {why}"
                )));
            }
        };
        let why = match timeout_at(deadline, self.shoots.list_nodes(objects, namespace)).await {
            Ok(Ok(())) => return Ok(Ok(machines::check(&deployments))),
            Ok(Err(ShootError::PermitEnded(ended))) => return Err(ended),
            Ok(Err(error @ ShootError::Way(_))) => return Ok(Err(error.to_string())),
            Ok(Err(error @ ShootError::Answer(_))) => error.to_string(),
            Err(_) => LATE.to_owned(),
        };
        Ok(Err(format!("unable to check nodes. Failed to list shoot nodes: {why}")))
    }
}

/// Where a check looks, and until when.
#[derive(Clone, Copy)]
struct Place<'p> {
    objects: &'p Objects,
    namespace: &'p str,
    deadline: Instant,
}

const LATE: &str = "there was no answer in time";

impl Place<'_> {
    async fn read<T>(
        &self,
        read: impl Future<Output = Result<T, WriteError>>,
    ) -> Result<Result<T, String>, PermitEnded> {
        match timeout_at(self.deadline, read).await {
            Ok(Ok(object)) => Ok(Ok(object)),
            Ok(Err(WriteError::PermitEnded(ended))) => Err(ended),
            Ok(Err(error @ WriteError::Api(_))) => Ok(Err(error.to_string())),
            Err(_) => Ok(Err(LATE.to_owned())),
        }
    }
}

/// Why nobody checks an object any more.
fn leaves(object: &Extension) -> Option<&'static str> {
    if object.is_deleted() {
        return Some("it is being deleted");
    }
    let migrates = object.last.as_ref().is_some_and(|last| last.operation == Operation::Migrate.name());
    (migrates || object.request() == Some(Request::Migrate)).then_some("it leaves for another seed")
}

/// Writes what reports change of the conditions. They are asked again when somebody else was faster.
async fn write(
    checked: CheckedObject<'_>,
    reports: impl Fn(&[Value], Timestamp) -> Vec<(&'static str, Report)>,
) -> Result<(), WriteError> {
    let mut conditions = checked.object.conditions();
    for _ in 0..MOST_CONFLICTS {
        let now = Timestamp::now();
        let reports = reports(&conditions, now);
        let Some(merged) = conditions::merge(&conditions, &reports, checked.kind_checks.removed, now) else {
            return Ok(());
        };
        match checked.api.try_write_status(&json!({ "conditions": merged })).await {
            Ok(()) => {
                for (condition, Report { status, message, .. }) in &reports {
                    tracing::info!(condition, status = status.name(), "health: {message}");
                }
                return Ok(());
            }
            Err(WriteError::Api(ApiError::Conflict)) => {}
            Err(error) => return Err(error),
        }
        let object = checked.api.reread().await?;
        let object: Extension = serde_json::from_value(object)
            .map_err(|error| ApiError::Server { status: None, message: error.to_string() })?;
        if leaves(&object).is_some() {
            return Ok(());
        }
        conditions = object.conditions();
    }
    Err(ApiError::Conflict.into())
}

fn judged(health: Result<(), String>) -> Found {
    health.map_or_else(unhealthy, |()| Found::Healthy)
}

fn unhealthy(detail: String) -> Found {
    Found::Unhealthy(detail, Vec::new())
}

pub(super) fn condition<'o>(object: &'o Value, kind: &str) -> Option<&'o Value> {
    object.pointer("/status/conditions")?.as_array()?.iter().find(|condition| text(condition, "/type") == kind)
}

#[cfg(test)]
mod tests;
