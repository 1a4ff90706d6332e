//! Whether the wanted machines are there (reference: gardener-contract 3.4).

use std::fmt::Write as _;

use serde_json::Value;

use super::desired::DesiredMachines;
use super::machines::{Fleet, class_of};
use crate::api_server::member::{number, text};
use crate::api_server::objects::{is_deleted, name, namespace};
use crate::controller::runtime::machines::has_begun_update;

/// How far the machines are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// All is as wanted.
    Ready,
    /// Something is under way; in words for people.
    Waiting(String),
    /// Machines failed; which, and why.
    Failed(String),
}

/// Where a machine deployment says how many machines that failed are kept.
const PRESERVED: &str = "/status/preservedFailedReplicas";

/// Sums over the wanted machine deployments.
#[derive(Default)]
struct Count {
    healthy: i64,
    desired: i64,
    replicas: i64,
    updated: i64,
    available: i64,
    unavailable: i64,
    /// Machines that failed and are kept for people who look into them; none where the machine-controller-manager keeps none.
    preserved: Option<i64>,
    /// Machines of old machine sets whose update in place a person starts.
    left_to_person: i64,
    /// Those of them whose update in place has begun.
    updating: i64,
}

/// Whether the machines of a Shoot that is awake are as wanted. `replaced` names the machine deployments to which
/// this step gave a machine class that did not exist before.
pub fn awake(wanted: &DesiredMachines, replaced: &[&str], fleet: Fleet<'_>) -> Readiness {
    if let Some(failed) = failed(wanted, fleet.deployments) {
        return Readiness::Failed(failed);
    }
    let sets = fleet.sets_by_deployment();
    let mut count = Count::default();
    for deployment in fleet.deployments {
        let name = name(deployment);
        let Some(wanted) = wanted.deployments.iter().find(|wanted| wanted.name == name) else { continue };
        let sets = sets.get(name).map(Vec::as_slice).unwrap_or_default();
        let awaited = match sets.iter().find(|set| class_of(set) == wanted.class_name) {
            _ if replaced.contains(&name) && sets.len() <= 1 => "machine sets",
            None => "updated machine set",
            Some(latest) => {
                count.add(deployment, latest, sets, fleet);
                continue;
            }
        };
        return Readiness::Waiting(format!(
            "Waiting for the machine-controller-manager to create the {awaited} for the machine deployment ({}/{name})",
            namespace(deployment)
        ));
    }
    count.judge(wanted.deployments.len())
}

/// Whether a Shoot that hibernates has no machines any more. Where the machine-controller-manager runs, it must
/// have seen that none is wanted, because it may be about to create one.
pub fn hibernated(wanted: &DesiredMachines, is_managed: bool, fleet: Fleet<'_>) -> Readiness {
    if let Some(failed) = failed(wanted, fleet.deployments) {
        return Readiness::Failed(failed);
    }
    let deployments = || fleet.deployments.iter().filter(|deployment| wanted.has_deployment(name(deployment)));
    let replicas: i64 = deployments().map(|deployment| number(deployment, "/status/replicas")).sum();
    let machines =
        fleet.machines.iter().filter(|machine| wanted.has_deployment(text(machine, "/metadata/labels/name")));
    let awake = replicas.max(i64::try_from(machines.count()).unwrap_or(i64::MAX));
    if awake == 0 && (!is_managed || deployments().all(is_observed)) {
        return Readiness::Ready;
    }
    Readiness::Waiting(format!("Waiting until all machines have been hibernated ({awake} still awake)..."))
}

/// The machines of wanted machine deployments that failed, by their errors.
fn failed(wanted: &DesiredMachines, deployments: &[Value]) -> Option<String> {
    let mut errors: Vec<(&str, Vec<String>)> = Vec::new();
    for machine in
        deployments.iter().filter(|deployment| wanted.has_deployment(name(deployment))).flat_map(failed_machines)
    {
        let (error, name) = (text(machine, "/lastOperation/description"), format!("{:?}", text(machine, "/name")));
        match errors.iter_mut().find(|(known, _)| *known == error) {
            Some((_, names)) => names.push(name),
            None => errors.push((error, vec![name])),
        }
    }
    let texts: Vec<String> =
        errors.iter().map(|(error, names)| format!("{}: {error}", names.join(", "))).collect();
    match texts.as_slice() {
        [] => None,
        [one] => Some(format!("machine(s) failed: 1 error occurred: {one}")),
        all => Some(format!("machine(s) failed: {} errors occurred: [{}]", all.len(), all.join(", "))),
    }
}

/// What a machine deployment says of its machines that failed.
pub fn failed_machines(deployment: &Value) -> impl Iterator<Item = &Value> {
    deployment.pointer("/status/failedMachines").and_then(Value::as_array).into_iter().flatten()
}

impl Count {
    fn add(&mut self, deployment: &Value, latest: &Value, sets: &[&Value], fleet: Fleet<'_>) {
        self.healthy += i64::from(is_healthy(deployment));
        self.desired += number(deployment, "/spec/replicas");
        self.replicas += number(deployment, "/status/replicas");
        self.updated += number(deployment, "/status/updatedReplicas");
        self.available += number(deployment, "/status/availableReplicas");
        self.unavailable += number(deployment, "/status/unavailableReplicas");
        if ["/spec/autoPreserveFailedMachineMax", PRESERVED]
            .iter()
            .any(|place| deployment.pointer(place).is_some())
        {
            self.preserved = Some(self.preserved.unwrap_or_default() + number(deployment, PRESERVED));
        }
        if is_left_to_person(deployment) {
            for set in sets.iter().filter(|set| name(set) != name(latest)) {
                // The machine set knows of a machine that is updated before the machine deployment does.
                self.left_to_person += number(set, "/status/replicas");
                let begun = fleet.machines_of(name(set)).filter(|machine| has_begun_update(machine));
                self.updating += i64::try_from(begun.count()).unwrap_or(i64::MAX);
            }
        }
    }

    fn judge(&self, wanted: usize) -> Readiness {
        let done = self.updated + self.left_to_person;
        // Nobody waits for machines that stay as they are until a person is done with them.
        let is_available = self.unavailable <= self.preserved.unwrap_or_default();
        let is_complete = is_available && done == self.replicas && self.updating == 0;
        if is_complete && usize::try_from(self.healthy) == Ok(wanted) {
            return Readiness::Ready;
        }
        let Self { healthy, desired, replicas, available, unavailable, updating, .. } = self;
        let mut text = String::new();
        if *unavailable == 0 && available == desired && done < *replicas {
            let old = replicas - done;
            let _ = write!(
                text,
                "Waiting until all old machines are drained and terminated. Waiting for {old} machine(s)..."
            );
        }
        if *updating > 0 {
            let separator = if text.is_empty() { "" } else { "\n" };
            let _ = write!(text, "{separator}Waiting until {updating} old machines are updated...");
        }
        if text.is_empty() {
            let preserved =
                self.preserved.map(|count| format!("{count} preserved failed machine(s), ")).unwrap_or_default();
            text = format!(
                "Waiting until machines are available ({available}/{desired} desired machine(s) available, {done}/{desired} \
                 machine(s) updated, {unavailable} machine(s) pending, {preserved}{healthy}/{wanted} machinedeployments \
                 available)..."
            );
        }
        Readiness::Waiting(text)
    }
}

/// Whether the machine-controller-manager has seen a machine deployment as it is.
fn is_observed(deployment: &Value) -> bool {
    number(deployment, "/status/observedGeneration") >= number(deployment, "/metadata/generation")
}

/// Whether a machine deployment is as it should be. One that somebody deletes is not: its machines go.
fn is_healthy(deployment: &Value) -> bool {
    let condition = |kind: &str| {
        let all = deployment.pointer("/status/conditions").and_then(Value::as_array).into_iter().flatten();
        all.into_iter()
            .find(|condition| text(condition, "/type") == kind)
            .map(|condition| text(condition, "/status"))
    };
    let is_false = |kind: &str| condition(kind).is_none_or(|status| status == "False");
    is_observed(deployment)
        && !is_deleted(deployment)
        && condition("Available") == Some("True")
        && condition("Progressing").is_none_or(|status| status == "True")
        && is_false("ReplicaFailure")
        && is_false("Frozen")
}

/// Whether a person starts the update of each machine in place.
fn is_left_to_person(deployment: &Value) -> bool {
    text(deployment, "/spec/strategy/type") == "InPlaceUpdate"
        && text(deployment, "/spec/strategy/inPlaceUpdate/orchestrationType") == "Manual"
}

#[cfg(test)]
mod tests;
