//! Backups and DNSRecords next to all else of a Shoot, as gardenlet's own code makes them, and those of a garden, as
//! gardener-operator makes them: from the first to the last on two seeds.

pub mod made;
mod seen;

use kube::api::{DeleteParams, Patch, PatchParams};
use serde_json::{Value, json};

use self::made::{DOMAIN, Made, OF_GARDEN};
use self::seen::{held, keys, put, rows, secrets, serves};
use crate::access;
use crate::process::{Settings, Trellis};
use crate::seed::resource;
use crate::shoot::{Shoot, credentials};
use crate::simulated::Site;
use crate::stage::Stage;
use crate::whole::Whole;

/// The namespace of what is no Shoot's, in each seed.
const GARDEN: &str = "garden";
/// What holds the Secrets of buckets.
const FOR_BUCKETS: &str = "extensions.gardener.cloud/backupbucket";
/// What holds the Secrets of entries.
const FOR_ENTRIES: &str = "extensions.gardener.cloud/backupentry";
/// What the domain shows of the Shoot, and then of the garden.
const SHOWN: [&str; 4] = [
    "*.ingress.complete A 198.51.100.5",
    "api.complete CNAME lb.example.org",
    "api.complete.internal A 198.51.100.4",
    "api.garden A 198.51.100.6",
];

/// What gardenlet makes for a Shoot and its seeds.
struct OfShoot {
    bucket: Made,
    /// That of the next seed.
    next_bucket: Made,
    entry: Made,
    records: [Made; 3],
}

impl OfShoot {
    fn new(shoot: &Shoot) -> Self {
        let Shoot { namespace, .. } = shoot;
        let bucket = Made::bucket("5f1d0000-here");
        let entry = Made::entry(&format!("{namespace}--uid-of-complete"), &bucket);
        let records = [
            Made::record(namespace, "complete-internal", "api.complete.internal", "198.51.100.4"),
            Made::record(namespace, "complete-external", "api.complete", "lb.example.org"),
            // It shares its Secret with the one before.
            Made::record(namespace, "complete-ingress", "*.ingress.complete", "198.51.100.5"),
        ];
        Self { bucket, next_bucket: Made::bucket("5f1d0000-there"), entry, records }
    }

    async fn ready(&self, stage: &Stage) {
        let records = self.records.iter();
        Made::ready(stage, &[&self.bucket, &self.entry].into_iter().chain(records).collect::<Vec<_>>()).await;
    }

    /// Leaves a seed. Answers with the states of the records.
    async fn leave(&self, stage: &Stage, shoot: &Shoot) -> [Value; 3] {
        let gardenlet = stage.gardenlet();
        gardenlet.migrate(&self.entry).await;
        gardenlet.wait_migrate(&self.entry).await;
        for record in &self.records {
            gardenlet.migrate(record).await;
            gardenlet.wait_migrate(record).await;
        }
        let saved = gardenlet.save_state(shoot).await["shootState"]["extensions"].clone();
        Made::remove(stage, &self.records.each_ref()).await;
        self.records.each_ref().map(|record| {
            let is = |kept: &&Value| kept["kind"] == record.kind && kept["name"] == record.name;
            saved.as_array().unwrap().iter().find(is).unwrap()["state"].clone()
        })
    }

    /// Comes to the next seed, with the entry in the bucket of that one.
    async fn arrive(&self, stage: &Stage, entry: &Made, states: &[Value; 3]) {
        let gardenlet = stage.gardenlet();
        gardenlet.restore(entry, &Value::Null).await;
        gardenlet.wait(entry).await;
        for (record, state) in self.records.iter().zip(states) {
            gardenlet.restore(record, state).await;
            gardenlet.wait(record).await;
        }
    }
}

/// What gardener-operator makes, in the first seed.
struct OfGarden {
    bucket: Made,
    entry: Made,
    record: Made,
}

impl OfGarden {
    fn new() -> Self {
        let bucket = Made::bucket("garden-5f1d0000").of_garden();
        let entry = Made::entry("garden--5f1d0000", &bucket).of_garden();
        let record = Made::record(GARDEN, "api-garden-alicloud-dns", "api.garden", "198.51.100.6").of_garden();
        Self { bucket, entry, record }
    }

    async fn ready(&self, stage: &Stage) {
        Made::ready(stage, &[&self.bucket, &self.entry, &self.record]).await;
    }

    /// Deletes all. The entry loses its Secret before.
    async fn remove(&self, stage: &Stage) {
        Made::remove(stage, &[&self.record]).await;
        let api = stage.seed.namespaced(GARDEN, &resource("", "v1", "Secret"));
        let free = json!({ "metadata": { "finalizers": null } });
        api.patch(OF_GARDEN, &PatchParams::default(), &Patch::Merge(free)).await.unwrap();
        api.delete(OF_GARDEN, &DeleteParams::default()).await.unwrap();
        // Row 34 of the checklist: such an entry goes, and what it stands for stays.
        Made::remove(stage, &[&self.entry]).await;
        api.delete("etcd-backup", &DeleteParams::default()).await.unwrap();
        secret_of_garden(stage).await;
        Made::remove(stage, &[&self.bucket]).await;
        api.delete(OF_GARDEN, &DeleteParams::default()).await.unwrap();
    }
}

async fn secret_of_garden(stage: &Stage) {
    stage
        .seed
        .apply(&json!({
            "apiVersion": "v1", "kind": "Secret", "metadata": { "namespace": GARDEN, "name": OF_GARDEN },
            "stringData": credentials(),
        }))
        .await;
}

/// The program of the garden, next to that of the seed.
async fn program_of_garden(stage: &Stage) -> Trellis {
    let arguments = ["--extension-classes=garden", "--controllers=backupbucket,backupentry,dnsrecord"];
    let namespace = format!("{}-garden", stage.namespace);
    access::lease_elsewhere(&stage.seed, &stage.namespace, &namespace).await;
    Trellis::start(&Settings { namespace, ..stage.settings(&arguments) }).await
}

/// All is there: rows, Secrets for etcd (row 34), finalizers, and no credentials that a bucket has alone (row 35).
async fn all_is_made(stage: &Stage, of_shoot: &OfShoot, of_garden: &OfGarden, there_were: &[String]) {
    assert_eq!(rows(&stage.site), SHOWN);
    let OfShoot { bucket, entry, .. } = of_shoot;
    let namespace = &of_shoot.records[0].namespace;
    serves(&secrets(stage, namespace).await["etcd-backup"], &entry.name, &bucket.name);
    let found = secrets(stage, GARDEN).await;
    serves(&found["etcd-backup"], &of_garden.entry.name, &of_garden.bucket.name);
    let expected = [
        (format!("bucket-{}", bucket.name), json!([FOR_BUCKETS])),
        (format!("entry-{}", entry.name), json!([FOR_ENTRIES])),
        ("etcd-backup".to_owned(), Value::Null),
        (OF_GARDEN.to_owned(), json!([FOR_BUCKETS, FOR_ENTRIES])),
    ];
    let made = found.into_iter().filter(|(name, _)| !there_were.contains(name));
    let made: Vec<_> = made.map(|(name, secret)| (name, secret["metadata"]["finalizers"].clone())).collect();
    assert_eq!(made, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn backups_and_records_of_a_shoot_move_between_two_seeds_next_to_those_of_a_garden() {
    let here = Stage::new(1).await;
    let there = here.second().await;
    let site: &Site = &here.site;
    for stage in [&here, &there] {
        let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": GARDEN } });
        stage.seed.apply(&namespace).await;
    }
    let there_were: Vec<_> = secrets(&here, GARDEN).await.into_keys().collect();
    secret_of_garden(&here).await;
    site.call("alidns", "AddDomain", &[("DomainName", DOMAIN)]);
    let programs = [here.trellis(&[]).await, there.trellis(&[]).await, program_of_garden(&here).await];

    let mut whole = Whole::prepare(&here, Shoot::new("complete")).await;
    whole.machines();
    let shoot = whole.shoot.clone();
    let (of_shoot, of_garden) = (OfShoot::new(&shoot), OfGarden::new());
    let OfShoot { bucket, next_bucket, entry, records } = &of_shoot;
    tokio::join!(whole.flow(), of_shoot.ready(&here), of_garden.ready(&here));
    all_is_made(&here, &of_shoot, &of_garden, &there_were).await;

    let before = site.last_call();
    tokio::join!(of_shoot.ready(&here), of_garden.ready(&here));
    assert_eq!(site.changes(before), [""; 0], "something was left to do");
    assert!(site.last_call() > before, "nothing was reconciled");

    let backup = format!("{}/v2/1", entry.name);
    put(site, &bucket.name, &backup);
    Made::ready(&there, &[next_bucket]).await;
    let before = site.last_call();
    let states = of_shoot.leave(&here, &shoot).await;
    let of_entry = format!("entry-{}", entry.name);
    assert!(!secrets(&here, GARDEN).await.contains_key(&of_entry), "the Secret of the entry stays");
    let carried = whole.leave().await;

    whole.stage = &there;
    there.prepare(&shoot).await;
    // What etcd's backups are copied from, and where they go on.
    let source = Made::entry(&format!("source-{}", entry.name), bucket);
    let next = Made::entry(&entry.name, next_bucket);
    Made::ready(&there, &[&source]).await;
    tokio::join!(whole.arrive(&carried), of_shoot.arrive(&there, &next, &states));
    assert_eq!(site.changes(before), [""; 0], "a migration changes nothing in the cloud");
    let found = secrets(&there, &shoot.namespace).await;
    serves(&found["source-etcd-backup"], &source.name, &bucket.name);
    serves(&found["etcd-backup"], &next.name, &next_bucket.name);

    put(site, &next_bucket.name, &backup);
    Made::remove(&there, &[&source]).await;
    assert_eq!((keys(site, &bucket.name), keys(site, &next_bucket.name)), (vec![], vec![backup]));
    Made::remove(&there, &records.each_ref()).await;
    assert_eq!(rows(site), SHOWN[3..]);
    Made::remove(&there, &[&next]).await;
    assert_eq!(keys(site, &next_bucket.name), [""; 0]);
    whole.remove().await;
    Made::remove(&there, &[next_bucket]).await;
    Made::remove(&here, &[bucket]).await;
    of_garden.remove(&here).await;

    assert_eq!(rows(site), [""; 0]);
    for stage in [&here, &there] {
        stage.nothing_is_left().await;
        stage.nothing_was_forbidden();
        assert_eq!(held(stage).await, [""; 0], "a finalizer stays");
    }
    assert_eq!(secrets(&here, GARDEN).await.into_keys().collect::<Vec<_>>(), there_were);
    assert_eq!(secrets(&there, GARDEN).await.into_keys().collect::<Vec<_>>(), [""; 0]);
    for (program, other) in [(&programs[0], &of_garden.bucket), (&programs[2], bucket)] {
        let is_reported = program.log().iter().any(|line| line["name"] == other.name);
        assert!(!is_reported, "a program reconciles what is of the other's class");
    }
    for program in programs {
        program.end().await;
    }
    there.close().await;
    here.close().await;
}
