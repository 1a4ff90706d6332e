//! The program in place of the existing ones: under exactly the rights that their charts give.

use kube::api::DeleteParams;
use serde_json::Value;

use crate::access::existing;
use crate::admission::stage::{NAMESPACE, Stage as Garden, broken, good};
use crate::backups::objects::{At, BUCKET, GARDEN, data, found as secret_in, object, secret};
use crate::deployments::found;
use crate::dns_records::{self, DOMAIN, Record};
use crate::process::{Trellis, free};
use crate::seed::{resource, succeeded};
use crate::shoot::{Shoot, credentials};
use crate::stage::Stage;
use crate::support::charts::{
    ADMISSION, AdmissionValues, DEFAULTS, PROVIDER, ProviderValues, admission, configuration, provider,
};
use crate::wait::{LIMIT, until};
use crate::whole::Whole;

/// Starts the extension with what its chart renders, and with the cloud of the stage.
async fn start(stage: &Stage, values: ProviderValues) -> Trellis {
    let (folder, port) = (tempfile::tempdir().unwrap(), free().port());
    let mut line = provider(&stage.namespace, ProviderValues { ports: [0, port, 0], ..values });
    line.push(configuration(folder.path()));
    line.push(format!("--cloud={}", stage.site.url));
    if !values.is_runtime {
        // API servers on loopback find no Service.
        line.push("--webhook-config-mode=url".to_owned());
        line.push(format!("--webhook-config-url=127.0.0.1:{port}"));
        line.push("--shutdown-delay-seconds=0".to_owned());
    }
    let kubeconfig = stage.kubeconfig().to_str().unwrap();
    let variables = [("LEADER_ELECTION_NAMESPACE", stage.namespace.as_str()), ("KUBECONFIG", kubeconfig)];
    Trellis::start_called(PROVIDER, &line, &variables).await
}

/// What the log has of a level.
fn lines(trellis: &Trellis, level: &str) -> Vec<Value> {
    trellis.log().into_iter().filter(|line| line["level"] == level).collect()
}

/// A bucket and a record, which Shoots and gardens have alike.
struct Common<'s> {
    bucket: At<'s>,
    record: Record<'s>,
}

impl<'s> Common<'s> {
    /// Makes them, of a class.
    async fn make(stage: &'s Stage, class: &str, namespace: &str) -> Self {
        let (bucket, record) = (At::new(stage, "BackupBucket", BUCKET), Record::new(stage, namespace));
        secret(stage, "backup", &data()).await;
        stage.seed.apply(&object("BackupBucket", BUCKET, class, "backup")).await;
        bucket.until("it is ready", succeeded).await;
        record.create(class, "reconcile", &credentials()).await;
        record.ready().await;
        Self { bucket, record }
    }

    async fn remove(self) {
        self.record.delete().await;
        self.record.gone().await;
        self.bucket.delete().await;
        self.bucket.gone().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_shoot_has_all_that_it_needs_with_the_rights_of_the_existing_extension() {
    const NAME: &str = "gardener-extension-provider-alicloud";
    let stage = Stage::with_access(existing::SEED).await;
    dns_records::garden(&stage).await;
    stage.site.call("alidns", "AddDomain", &[("DomainName", DOMAIN)]);
    let trellis = start(&stage, DEFAULTS).await;
    let kind = "MutatingWebhookConfiguration";
    until("the webhooks are registered", LIMIT, async || found(&stage.seed, kind, NAME).await).await;

    let mut whole = Whole::prepare(&stage, Shoot::new("rights")).await;
    let namespace = whole.shoot.namespace.clone();
    // An API server asks webhooks some moments after they are registered.
    until("a webhook completes the credentials", LIMIT, async || {
        stage.gardenlet().cloudprovider(&whole.shoot, credentials()).await;
        let written = secret_in(&stage, &namespace, "cloudprovider").await;
        written["data"]["credentialsFile"].is_string().then_some(())
    })
    .await;
    whole.machines();
    whole.flow().await;
    let common = Common::make(&stage, "shoot", &namespace).await;
    let name = format!("{namespace}--uid-of-rights");
    let entry = At::new(&stage, "BackupEntry", &name);
    stage.seed.apply(&object("BackupEntry", &name, "shoot", "backup")).await;
    entry.until("it is ready", succeeded).await;

    // A copy has the same objects, and its deletion says in an event that they stay.
    let copy = format!("source-{name}");
    let source = At::new(&stage, "BackupEntry", &copy);
    stage.seed.apply(&object("BackupEntry", &copy, "shoot", "backup")).await;
    source.until("it is ready", succeeded).await;
    source.delete().await;
    source.gone().await;
    let events = stage.seed.events("default").await;
    assert!(events.iter().any(|event| event.contains("ObjectsKept") && event.contains(&name)), "{events:#?}");

    entry.delete().await;
    entry.gone().await;
    common.remove().await;
    whole.remove().await;
    stage.nothing_is_left().await;
    stage.nothing_was_forbidden();
    trellis.end().await;
    stage
        .seed
        .global(&resource("admissionregistration.k8s.io", "v1", kind))
        .delete(NAME, &DeleteParams::default())
        .await
        .unwrap();
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_garden_has_a_bucket_and_a_record_with_the_rights_of_the_existing_extension() {
    let stage = Stage::with_access(existing::GARDEN).await;
    dns_records::garden(&stage).await;
    stage.site.call("alidns", "AddDomain", &[("DomainName", DOMAIN)]);
    // The second time, Secrets and namespaces are watched.
    for is_annotation_ignored in [false, true] {
        let values = ProviderValues { is_runtime: true, is_annotation_ignored, ..DEFAULTS };
        let trellis = start(&stage, values).await;
        let common = Common::make(&stage, GARDEN, GARDEN).await;
        common.bucket.operate("reconcile").await;
        common.record.operate("reconcile").await;
        common.record.ready().await;
        common.remove().await;
        trellis.end().await;
    }
    stage.nothing_is_left().await;
    stage.nothing_was_forbidden();
    stage.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn shoots_are_judged_and_completed_with_the_rights_of_the_existing_admission() {
    let garden = Garden::with_access(existing::ADMISSION).await;
    let values = AdmissionValues { is_virtual: true, owner: Some(NAMESPACE), kubeconfig: None, has_metrics: true };
    let (mut line, port) = (admission(NAMESPACE, values), free().port());
    line.push(format!("--webhook-config-server-port={port}"));
    line.push(format!("--webhook-config-url=127.0.0.1:{port}"));
    line.push("--shutdown-delay-seconds=0".to_owned());
    let kubeconfig = garden.kubeconfig();
    let variables = [
        ("LEADER_ELECTION_NAMESPACE", NAMESPACE),
        ("SOURCE_CLUSTER", "enabled"),
        ("SOURCE_KUBECONFIG", kubeconfig),
        ("GARDEN_KUBECONFIG", kubeconfig),
    ];
    let trellis = Trellis::start_called(ADMISSION, &line, &variables).await;
    let person = garden.person();
    until("admission refuses a broken Shoot", LIMIT, async || {
        person.dry_run(&broken("asked")).await.refusal().contains("(ALI-INF-003)").then_some(())
    })
    .await;
    let mut shoot = good("completed");
    shoot["spec"]["provider"]["controlPlaneConfig"] = Value::Null;
    let reported = person.dry_run(&shoot).await;
    assert_eq!(reported.refusal(), "");
    let completed = &reported.object["spec"]["provider"];
    assert!(completed["controlPlaneConfig"].is_object(), "{completed}");

    assert_eq!(lines(&trellis, "error"), Vec::<Value>::new());
    let warnings = until("it says what it may not do", LIMIT, async || {
        Some(lines(&trellis, "warn")).filter(|warnings| !warnings.is_empty())
    });
    let warnings = warnings.await;
    let [warning] = warnings.as_slice() else { panic!("{warnings:#?}") };
    let reported = warning["msg"].as_str().unwrap();
    let right =
        "allow this process to `create`, `get` and `patch` `configmaps` in the namespace `gardener-system-public`";
    assert!(reported.contains(right), "{reported}");
    trellis.end().await;
}
