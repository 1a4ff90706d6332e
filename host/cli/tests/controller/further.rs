//! What gardenlet makes of a Shoot besides its network, its control plane and its machines.

use futures_util::future::join;
use serde_json::{Value, json};

use crate::backups_and_records::made::{DOMAIN, Made};
use crate::shoot::{Bastion, Shoot};
use crate::simulated::Inventory;
use crate::stage::Stage;

/// The kinds, which every Shoot has one of each, and the one of the seed.
pub const KINDS: [&str; 3] = ["DNSRecord", "BackupEntry", "Bastion"];
pub const OF_SEED: &str = "BackupBucket";

/// Who may connect.
const OFFICE: &[&str] = &["192.0.2.0/24"];

/// The bucket of the seed.
fn bucket() -> Made {
    Made::bucket("of-survivors")
}

fn of(shoot: &Shoot) -> ([Made; 2], Bastion<'_>) {
    let Shoot { name, namespace, .. } = shoot;
    let record = Made::record(namespace, &format!("{name}-external"), &format!("api.{name}"), "198.51.100.4");
    let entry = Made::entry(&format!("{namespace}--uid-of-{name}"), &bucket());
    ([record, entry], Bastion { shoot, ingress: OFFICE, is_forced: false })
}

/// Makes the domain and the bucket, which all Shoots share.
pub async fn prepare(stage: &Stage) {
    // gardenlet keeps the Secrets of buckets and entries there.
    stage.seed.apply(&json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "garden" } })).await;
    stage.site.call("alidns", "AddDomain", &[("DomainName", DOMAIN)]);
    Made::ready(stage, &[&bucket()]).await;
}

/// Makes a Shoot's name, its place in the bucket, and a Bastion in its network.
pub async fn create(stage: &Stage, shoot: &Shoot) {
    let (made, bastion) = of(shoot);
    let bastion = async {
        stage.gardenlet().deploy(&bastion).await;
        stage.gardenlet().wait(&bastion).await;
    };
    join(Made::ready(stage, &made.each_ref()), bastion).await;
}

/// Deletes the Bastion, before the network goes that it is in.
pub async fn delete_bastion(stage: &Stage, shoot: &Shoot) {
    let (_, bastion) = of(shoot);
    stage.gardenlet().destroy(&bastion).await;
    stage.gardenlet().wait_cleanup(&bastion).await;
}

/// Deletes the rest.
pub async fn delete(stage: &Stage, shoot: &Shoot) {
    Made::remove(stage, &of(shoot).0.each_ref()).await;
}

/// Deletes what all Shoots shared.
pub async fn clear(stage: &Stage) {
    Made::remove(stage, &[&bucket()]).await;
}

/// Adds what so many Shoots have in the cloud of these kinds.
pub fn count(inventory: &mut Inventory, shoots: usize) {
    let shoots = u64::try_from(shoots).unwrap();
    for (kind, count) in [("ecs:instances", shoots), ("ecs:security_groups", shoots), ("oss:buckets", 1)] {
        *inventory.entry(kind.to_owned()).or_default() += count;
    }
}

/// No status is stale.
pub fn is_fresh(object: &Value) {
    let status = &object["status"];
    match object["kind"].as_str() {
        Some("Bastion") => assert!(status["ingress"]["ip"].is_string(), "{object}"),
        Some("DNSRecord") => assert!(status["zone"].is_string(), "{object}"),
        _ => {}
    }
}
