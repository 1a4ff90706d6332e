//! A controller that reconciles one Infrastructure, once.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::task::JoinSet;
use trellis_kubernetes::api_server::object::ObjectApi;
use trellis_kubernetes::controller::kinds::infrastructure::Infrastructures;
use trellis_kubernetes::controller::kinds::planned::Planned;
use trellis_kubernetes::controller::process::logging::{Format, Level, subscriber};
use trellis_kubernetes::controller::process::traces::Traces;
use trellis_kubernetes::controller::runtime::cache::Caches;
use trellis_kubernetes::controller::runtime::cluster::Cluster;
use trellis_kubernetes::controller::runtime::events::Events;
use trellis_kubernetes::controller::runtime::extension::Extension;
use trellis_kubernetes::controller::runtime::kind::INFRASTRUCTURE;
use trellis_kubernetes::controller::runtime::queue::{Controller, Unfinished};
use trellis_kubernetes::controller::runtime::reconcile::Reconcile;
use trellis_kubernetes::controller::runtime::safeguards::Safeguards;
use trellis_kubernetes::controller::runtime::secrets::Secrets;
use trellis_kubernetes::controller::runtime::trigger::{Filter, Trigger};
use trellis_kubernetes::health::Readiness;
use trellis_kubernetes::metrics::Metrics;
use trellis_policies::engine::{Native, PolicyThreads, Versions};
use trellis_runner::limits::lease::LeaseSignal;
use trellis_runner::limits::permit::Permit;
use trellis_runner::limits::stop::{Stop, stop};
use trellis_runner::transport::alicloud::Alicloud;
use trellis_runner::transport::{AllowedCalls, Endpoint, Options, Wire};
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET};

use crate::api::ApiServer;
use crate::cloud::Site;

pub const NAMESPACE: &str = "shoot--dev--traced";
pub const NAME: &str = "traced";

/// A seed with one Shoot, and its cloud.
pub struct Stage {
    site: Site,
    api: ApiServer,
    cluster: Arc<Cluster>,
}

/// What came of a reconcile.
pub struct Ran {
    pub object: Value,
    pub log: String,
}

impl Ran {
    /// The id of the VPC.
    pub fn vpc(&self) -> String {
        self.object["status"]["providerStatus"]["vpc"]["id"].as_str().unwrap().to_owned()
    }
}

impl Stage {
    pub fn new(site: Site) -> Self {
        let mut shoot = example("two-zones.yaml");
        shoot["metadata"]["name"] = NAME.into();
        shoot["metadata"]["uid"] = "uid-of-the-shoot".into();
        shoot["status"] = json!({ "technicalID": NAMESPACE });
        let infrastructure = json!({
            "apiVersion": "extensions.gardener.cloud/v1alpha1",
            "kind": "Infrastructure",
            "metadata": {
                "name": NAME, "namespace": NAMESPACE, "uid": "uid-of-the-infrastructure", "resourceVersion": "1",
                "generation": 1, "annotations": { "gardener.cloud/operation": "reconcile" },
            },
            "spec": {
                "type": "alicloud", "region": shoot["spec"]["region"],
                "secretRef": { "name": "cloudprovider", "namespace": NAMESPACE },
                "providerConfig": shoot["spec"]["provider"]["infrastructureConfig"],
            },
        });
        let encoded = |text: &str| base64::Engine::encode(&base64::engine::general_purpose::STANDARD, text);
        let secret = json!({
            "apiVersion": "v1", "kind": "Secret",
            "metadata": { "name": "cloudprovider", "namespace": NAMESPACE },
            "data": { "accessKeyID": encoded(ACCESS_KEY), "accessKeySecret": encoded(ACCESS_KEY_SECRET) },
        });
        let cluster = json!({
            "metadata": { "name": NAMESPACE },
            "spec": { "cloudProfile": example("cloudprofile-regions.yaml"), "seed": example("seed.yaml"), "shoot": shoot },
        });
        let cluster = Arc::new(serde_json::from_str(&cluster.to_string()).unwrap());
        Self { site, api: ApiServer::new(infrastructure, secret), cluster }
    }

    /// Runs the controller until its first reconcile has ended. The spans go to the receiver, where there is one.
    pub async fn reconcile(&self, receiver: Option<&str>) -> Ran {
        let start =
            |url: &str| Traces::start(&url.parse().unwrap(), "provider-alicloud", Handle::current()).unwrap();
        let (traces, log) = (receiver.map(start), LogBuffer::default());
        let layer = traces.as_ref().map(Traces::layer);
        // Everything but calls of the policy and the sender of spans is on this thread.
        let logging = tracing::subscriber::set_default(subscriber(Level::Info, Format::Json, log.clone(), layer));
        let object = self.run().await;
        if let Some(traces) = traces {
            traces.end().await;
        }
        drop(logging);
        Ran { object, log: log.text() }
    }

    async fn run(&self) -> Value {
        let (client, metrics, (stopper, signal)) = (self.api.client(), Metrics::new(), stop());
        let permit = Permit { stop: signal.clone(), lease_signal: LeaseSignal::unlimited() };
        let planned = Planned {
            provider: "alicloud".to_owned(),
            policies: Arc::new(Versions::new(Arc::new(Native))),
            threads: PolicyThreads::default(),
            family: Arc::new(Alicloud),
            wire: Wire::new(Options::default()),
            endpoint: Endpoint::Url(self.site.url.parse().unwrap()),
            allowed_calls: AllowedCalls::of("alicloud"),
            secrets: Secrets::new(client.clone(), Arc::new(Alicloud)),
            configuration: None,
            client: client.clone(),
            metrics: metrics.clone(),
        };
        let actuator = Arc::new(Infrastructures { planned: Arc::new(planned), image_owner: None });
        let events = Arc::new(Events::new(client.clone(), "infrastructure-controller", "test"));
        let (mut caches, mut watches) = (Caches::default(), JoinSet::new());
        let objects = caches.listen(&INFRASTRUCTURE);
        caches.watch(&client, &Readiness::default(), &mut watches);
        let controller = Controller {
            objects,
            resource: INFRASTRUCTURE.resource(),
            filter: Filter {
                types: vec!["alicloud".to_owned()],
                classes: vec!["shoot".to_owned()],
                trigger: Trigger::Annotation,
            },
            concurrency: 1,
            metrics: metrics.controller("infrastructure", 1),
            stop: signal,
        };
        let cluster = Arc::clone(&self.cluster);
        let reconcile = move |object: Arc<Extension>, Unfinished { is_owed, waits }: Unfinished| {
            let (actuator, events, cluster) = (Arc::clone(&actuator), Arc::clone(&events), Arc::clone(&cluster));
            let (permit, client) = (permit.clone(), client.clone());
            let api = ObjectApi::new(client.clone(), INFRASTRUCTURE.objects(), &object.metadata, permit.clone());
            async move {
                let reconcile = Reconcile {
                    actuator: &*actuator,
                    object: &object,
                    cluster: Some(&cluster),
                    api: api.clone(),
                    client,
                    trigger: Trigger::Annotation,
                    is_owed,
                    waits,
                    safeguards: Safeguards::default(),
                    permit,
                    events: &events,
                };
                (reconcile.run().await, api.newest())
            }
        };
        let running = controller.run(reconcile, futures_util::stream::pending(), || {});
        let ended = async {
            let has_ended = |object: &Value| {
                ["Succeeded", "Error"]
                    .contains(&object["status"]["lastOperation"]["state"].as_str().unwrap_or_default())
            };
            let object = self.api.until(has_ended).await;
            stopper.stop(Stop::Gracefully);
            object
        };
        tokio::join!(running, ended).1
    }
}

/// An example of this repository.
fn example(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    serde_saphyr::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The lines of a log, without what differs from run to run.
pub fn messages(log: &str) -> Vec<Value> {
    let line = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let time = line.as_object_mut().unwrap().shift_remove("ts").unwrap();
        time.as_str().unwrap().parse::<Timestamp>().unwrap();
        line
    };
    log.lines().map(line).collect()
}

/// Keeps what is written.
#[derive(Clone, Default)]
struct LogBuffer(Arc<Mutex<Vec<u8>>>);

impl LogBuffer {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for LogBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
