//! What goes of Terraformer, when, and in which order; and that nothing else of a namespace does.

use serde_json::json;

use crate::api_server::resource::DEPLOYMENTS;
use crate::controller::kinds::infrastructure::Infrastructures;
use crate::controller::kinds::testing::{asked, deleted, nothing, object, one_deletion, planned, with_secret};
use crate::controller::runtime::kind::{INFRASTRUCTURE as KIND, Operation};
use crate::controller::runtime::reconcile::Outcome;
use crate::controller::runtime::safeguards::MOST_DESTRUCTIVE;
use crate::controller::runtime::testing::Server;

use super::*;

const NAMESPACE: &str = "shoot--a--b";

fn infrastructure() -> Value {
    let mut object = object(&KIND, "b");
    object["metadata"]["namespace"] = json!(NAMESPACE);
    object
}

fn file(name: &str, finalizers: &[&str]) -> Value {
    json!({ "metadata": { "namespace": NAMESPACE, "name": name, "finalizers": finalizers } })
}

fn pod(name: &str, infrastructure: &str, purpose: &str) -> Value {
    let labels = json!({
        "terraformer.gardener.cloud/name": infrastructure, "terraformer.gardener.cloud/purpose": purpose,
    });
    json!({ "metadata": { "namespace": NAMESPACE, "name": name, "labels": labels } })
}

/// Objects that look like those of Terraformer for the Infrastructure, and are not.
fn others() -> Vec<(&'static Resource, Value)> {
    vec![
        (&PODS, pod("of-another", "c", "infra")),
        (&PODS, pod("for-something-else", "b", "dns")),
        (&PODS, file("without-labels", &[FINALIZER])),
        (&CONFIG_MAPS, file("c.infra.tf-state", &[FINALIZER])),
        (&CONFIG_MAPS, file("b.infra.tf-state-backup", &[FINALIZER])),
        (&CONFIG_MAPS, file("b.dns.tf-config", &[FINALIZER])),
        (&CONFIG_MAPS, file("b.infra.tf-vars", &[FINALIZER])),
        (&SECRETS, file("b.infra.tf-state", &[FINALIZER])),
        (&DEPLOYMENTS, file("b.infra.tf-state", &[FINALIZER])),
    ]
}

fn files() -> Vec<(&'static Resource, Value)> {
    vec![
        (&SECRETS, file("b.infra.tf-vars", &[FINALIZER])),
        (&CONFIG_MAPS, file("b.infra.tf-state", &["other", FINALIZER])),
        (&CONFIG_MAPS, file("b.infra.tf-config", &[])),
    ]
}

/// A server with an Infrastructure, with what Terraformer left of it, and with what others have.
fn left(infrastructure: Value) -> Server {
    let all = others().into_iter().chain(files()).chain([(&PODS, pod("p", "b", "infra"))]);
    all.fold(with_secret().with(&KIND.objects(), infrastructure), |server, (of, object)| server.with(of, object))
}

fn has(server: &Server, of: &Resource, object: &Value) -> bool {
    server.object(of, NAMESPACE, name(object)).is_some()
}

fn has_files(server: &Server) -> Vec<bool> {
    files().iter().map(|(of, object)| has(server, of, object)).collect()
}

/// Reconciles once, with a policy that answers so. Returns the requests but those for the Infrastructure and its Secret.
async fn reconcile_as(server: &Server, plan: Value, shoot: &Value) -> (Outcome, Vec<String>) {
    let infrastructures = Infrastructures { planned: planned(server, plan), image_owner: None };
    server.requests();
    let outcome = server.reconcile(&infrastructures, NAMESPACE, "b", shoot).await;
    let is_other = |request: &String| !request.contains("infrastructures/") && !request.ends_with("secrets/s");
    (outcome, server.requests().into_iter().filter(is_other).collect())
}

async fn reconcile(server: &Server) -> (Outcome, Vec<String>) {
    reconcile_as(server, nothing(), &json!({})).await
}

const REMOVAL: [&str; 9] = [
    "LIST pods",
    "GET secrets/b.infra.tf-vars",
    "PATCH secrets/b.infra.tf-vars",
    "DELETE secrets/b.infra.tf-vars",
    "GET configmaps/b.infra.tf-state",
    "PATCH configmaps/b.infra.tf-state",
    "DELETE configmaps/b.infra.tf-state",
    "GET configmaps/b.infra.tf-config",
    "DELETE configmaps/b.infra.tf-config",
];

#[tokio::test]
async fn a_deletion_and_a_migration_remove_pods_and_then_files_without_their_finalizer() {
    for (given, operation) in
        [(deleted(infrastructure()), Operation::Delete), (asked(infrastructure(), "migrate"), Operation::Migrate)]
    {
        let server = left(given);
        let (outcome, requests) = reconcile(&server).await;
        let Outcome::Waiting(waits, every) = outcome else { panic!("{outcome:?}") };
        assert_eq!((waits.what, every.as_secs()), ("pods of Terraformer", 5));
        assert_eq!(requests, ["LIST pods", "DELETE pods/p"]);
        assert_eq!(has_files(&server), [true; 3]);
        let (outcome, requests) = reconcile(&server).await;
        assert_eq!((outcome, requests), (Outcome::Done(operation), REMOVAL.map(str::to_owned).to_vec()));
        assert_eq!(has_files(&server), [false; 3]);
        for (of, object) in others() {
            let live = server.object(of, NAMESPACE, name(&object)).unwrap();
            assert_eq!(live["metadata"]["finalizers"], object["metadata"]["finalizers"], "{object}");
        }
    }
}

#[tokio::test]
async fn a_forced_deletion_removes_all_and_waits_for_no_pod() {
    let server = left(deleted(infrastructure()));
    let shoot = json!({ "metadata": { "annotations": { "confirmation.gardener.cloud/force-deletion": "true" } } });
    let (outcome, requests) = reconcile_as(&server, one_deletion(), &shoot).await;
    assert_eq!(outcome, Outcome::Done(Operation::Delete));
    let mut wanted = REMOVAL.to_vec();
    wanted.insert(1, "DELETE pods/p");
    assert_eq!(requests, wanted);
    assert_eq!(has_files(&server), [false; 3]);
}

#[tokio::test]
async fn nothing_goes_while_something_is_left_in_the_cloud_or_the_infrastructure_stays() {
    let mut held = deleted(infrastructure());
    held["metadata"]["annotations"] = json!({ "trellis.gardener.cloud/pause": "true", MOST_DESTRUCTIVE: "0" });
    for given in [infrastructure(), asked(infrastructure(), "reconcile"), asked(infrastructure(), "restore"), held]
    {
        let server = left(given.clone());
        let (_, requests) = reconcile(&server).await;
        assert_eq!((requests, has_files(&server)), (Vec::new(), vec![true; 3]), "{given}");
    }
    // The cloud does not answer.
    let server = left(deleted(infrastructure()));
    let (outcome, requests) =
        reconcile_as(&server, json!({ "error": { "code": "x", "message": "no" } }), &json!({})).await;
    assert!(matches!(outcome, Outcome::Failed(_)), "{outcome:?}");
    assert_eq!((requests, has_files(&server)), (Vec::new(), vec![true; 3]));
}

#[tokio::test]
async fn a_pod_that_somebody_deleted_is_waited_for_and_not_deleted_again() {
    let mut going = pod("p", "b", "infra");
    going["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    let server = with_secret().with(&KIND.objects(), deleted(infrastructure())).with(&PODS, going);
    let (outcome, requests) = reconcile(&server).await;
    assert!(matches!(outcome, Outcome::Waiting(..)), "{outcome:?}");
    assert_eq!(requests, ["LIST pods"]);
}

#[tokio::test]
async fn a_file_that_is_being_deleted_only_loses_its_finalizer() {
    let mut going = file("b.infra.tf-state", &[FINALIZER]);
    going["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    let server = with_secret().with(&KIND.objects(), deleted(infrastructure())).with(&CONFIG_MAPS, going);
    let (outcome, requests) = reconcile(&server).await;
    assert_eq!(outcome, Outcome::Done(Operation::Delete));
    let written: Vec<&String> = requests
        .iter()
        .filter(|request| !["GET", "LIST"].contains(&&request[..request.find(' ').unwrap()]))
        .collect();
    assert_eq!(written, ["PATCH configmaps/b.infra.tf-state"]);
}

#[tokio::test]
async fn whichever_write_has_no_effect_the_next_attempts_remove_the_rest() {
    for given in [deleted(infrastructure()), asked(infrastructure(), "migrate")] {
        for at in 0..9 {
            let server = left(given.clone()).failing(at, 403);
            let mut attempts = 0;
            while !matches!(reconcile(&server).await.0, Outcome::Done(_) | Outcome::Idle(_)) {
                attempts += 1;
                assert!(attempts < 5, "{at} {given}");
            }
            assert_eq!(has_files(&server), [false; 3], "{at} {given}");
            assert!(others().iter().all(|(of, object)| has(&server, of, object)));
        }
    }
}
