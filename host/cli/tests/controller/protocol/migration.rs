//! Migrations and restorations.

use serde_json::json;

use super::{first, quiet, reached, shows, terraformer_leaves};
use crate::history::History;
use crate::seed::succeeded;
use crate::shoot::Shoot;
use crate::stage::Stage;

pub async fn a_migration_lets_go_and_a_restoration_takes_over(stage: &Stage) {
    let (shoot, gardenlet) = (Shoot::new("migrant"), stage.gardenlet());
    stage.ready(&shoot).await;
    let before = stage.seed.infrastructure(&shoot).await["status"].clone();
    terraformer_leaves(stage, &shoot).await;

    // Row 16: success, then no finalizer, then no annotation.
    let history = History::of(&stage.seed, &shoot);
    gardenlet.migrate(&shoot).await;
    gardenlet.wait_migrate(&shoot).await;
    stage.seed.until(&shoot, "the annotation goes", succeeded).await;
    quiet().await;
    shows(
        &history,
        0,
        "Migrate",
        "Starting migration of the Infrastructure",
        "Successfully migrated Infrastructure",
    );
    let changes = history.changes();
    let succeeded = reached(&changes, "Migrate", "Succeeded");
    let free = first(&changes, "let go", |change| !change.has_finalizer());
    let asked = first(&changes, "asked for", |change| change.asked().is_some());
    let done = asked + first(&changes[asked..], "done", |change| change.asked().is_none());
    assert!(succeeded < free && free < done, "{changes:#?}");
    let after = stage.seed.infrastructure(&shoot).await["status"].clone();
    assert_eq!(after["state"], before["state"], "a migration changes no state");

    // Row 17: a change of the spec does nothing.
    let from = history.len();
    stage.seed.merge(&shoot, json!({ "spec": { "sshPublicKey": "YQ==" } })).await;
    stage.seed.operate(&shoot, "reconcile").await;
    quiet().await;
    assert_eq!(stage.seed.infrastructure(&shoot).await["status"], after);
    assert!(history.changes()[from..].iter().all(|change| !change.has_finalizer()));
    gardenlet.destroy(&shoot).await;
    gardenlet.wait_cleanup(&shoot).await;
    gardenlet.delete_namespace(&shoot).await;

    // Row 18.
    let moved = shoot.moved("b");
    stage.prepare(&moved).await;
    let history = History::of(&stage.seed, &moved);
    gardenlet.restore(&moved, &before["state"]).await;
    let status = gardenlet.wait(&moved).await;
    assert_eq!(status["providerStatus"], before["providerStatus"], "the restoration found what there was");
    quiet().await;
    shows(&history, 0, "Restore", "Restoring the Infrastructure", "Successfully restored Infrastructure");
    let changes = history.changes();
    let asked = first(&changes, "asked for", |change| change.asked().as_deref() == Some("restore"));
    let taken = asked + first(&changes[asked..], "taken up", |change| change.asked().is_none());
    let held = first(&changes, "held", super::Change::has_finalizer);
    let processing = reached(&changes, "Restore", "Processing");
    let succeeded = reached(&changes, "Restore", "Succeeded");
    assert!(held < processing && taken < succeeded, "{changes:#?}");
    stage.remove(&moved).await;
}
