//! What tests of admission run in: a garden with Gardener's own API, and the access that the roles of the program
//! give.

use std::net::SocketAddr;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http_body_util::BodyExt as _;
use hyper::Request;
use hyper::header::WARNING;
use kube::api::ListParams;
use kube::client::Body;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::access;
use crate::landscape::{Landscape, Shared};
use crate::process::Trellis;
use crate::seed::{Seed, resource};
use crate::wait::{LIMIT, until};

/// The namespace of the program.
pub const NAMESPACE: &str = "extension-admission-alicloud";
/// What the webhooks are registered as.
const NAME: &str = "gardener-extension-admission-alicloud";

/// Where objects like this are created.
pub fn path_of(object: &Value) -> String {
    let (group, plural) =
        (object["apiVersion"].as_str().unwrap(), object["kind"].as_str().unwrap().to_lowercase());
    let root = if group == "v1" { "/api/v1".to_owned() } else { format!("/apis/{group}") };
    let namespace = object["metadata"]["namespace"].as_str();
    let namespace = namespace.map_or_else(String::new, |namespace| format!("/namespaces/{namespace}"));
    format!("{root}{namespace}/{plural}s")
}

const SHOOTS: &str = "/apis/core.gardener.cloud/v1beta1/namespaces/garden-dev/shoots";

/// A garden with what the Shoots of the examples name.
pub struct Stage {
    /// As an administrator sees it.
    pub garden: Seed,
    /// Sends nothing twice.
    person: Person,
    kubeconfig: PathBuf,
    _folder: TempDir,
    // Last: what is above uses it.
    _landscape: Shared,
}

/// Who sends Shoots to the garden.
#[derive(Clone)]
pub struct Person(Client);

/// What the API server answers.
#[derive(Debug)]
pub struct Answer {
    pub code: u16,
    /// The texts of its warnings.
    pub warnings: Vec<String>,
    /// The object, or a Status that says why not.
    pub object: Value,
}

impl Answer {
    /// The message of a refusal; empty where nothing was refused.
    pub fn refusal(&self) -> &str {
        self.object["message"].as_str().filter(|_| self.code >= 400).unwrap_or_default()
    }
}

/// The objects of an example.
pub fn example(name: &str) -> Vec<Value> {
    let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let (_, roots) = trellis_policies::source::read(name, &std::fs::read(path).unwrap()).unwrap();
    roots.iter().map(|root| serde_json::from_str(&root.to_json()).unwrap()).collect()
}

/// A good Shoot.
pub fn good(name: &str) -> Value {
    let mut shoot = example("two-zones.yaml").remove(0);
    shoot["metadata"]["name"] = name.into();
    shoot
}

/// A Shoot with three mistakes, each of which Gardener itself takes.
pub fn broken(name: &str) -> Value {
    let mut shoot = example("five-mistakes.yaml").remove(1);
    shoot["metadata"]["name"] = name.into();
    let pool = &mut shoot["spec"]["provider"]["workers"][0];
    pool["dataVolumes"][0]["size"] = "50Gi".into();
    pool["zones"] = json!(["eu-central-1a", "eu-central-1b"]);
    shoot
}

impl Stage {
    pub async fn new() -> Self {
        Self::with_access(access::ADMISSION).await
    }

    /// A garden whose program may do so much.
    pub async fn with_access(manifests: &[&str]) -> Self {
        let landscape = Landscape::garden().await;
        let garden = Seed::connect(&landscape.kubeconfig).await;
        let read = Kubeconfig::read_from(&landscape.kubeconfig).unwrap();
        let mut config = Config::from_custom_kubeconfig(read, &KubeConfigOptions::default()).await.unwrap();
        config.default_retry = false;
        let person = Person(Client::try_from(config).unwrap());

        let public =
            json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "gardener-system-public" } });
        garden.apply(&public).await;
        let token = access::give(&garden, NAMESPACE, manifests).await;
        let folder = TempDir::new().unwrap();
        let kubeconfig = folder.path().join("kubeconfig");
        let text = std::fs::read_to_string(&landscape.kubeconfig).unwrap();
        let mut own: Value = serde_saphyr::from_str(&text).unwrap();
        own["users"][0]["user"] = json!({ "token": token });
        std::fs::write(&kubeconfig, own.to_string()).unwrap();

        let stage = Self { garden, person, kubeconfig, _folder: folder, _landscape: landscape };
        for object in ["cloudprofile-regions.yaml", "secret.yaml"].into_iter().flat_map(example) {
            stage.fill(&object).await;
        }
        stage
    }

    /// Creates an object once the API server has what that needs in its caches.
    pub async fn fill(&self, object: &Value) {
        let path = path_of(object);
        until("the garden takes the object", LIMIT, async || {
            let reported = self.person.send("POST", &path, object).await;
            assert!([201, 403, 503].contains(&reported.code), "{reported:?}");
            (reported.code == 201).then_some(())
        })
        .await;
    }

    /// Starts `trellis admission`, which registers its webhooks at this address, or at its own where there is
    /// none.
    pub async fn admission(&self, url: Option<SocketAddr>, arguments: &[&str]) -> Trellis {
        let own = crate::process::free();
        let address = format!("--webhook-config-url={}", url.unwrap_or(own));
        let namespaces = ["--webhook-config-namespace", "--leader-election-namespace"]
            .map(|flag| format!("{flag}={NAMESPACE}"));
        let port = format!("--webhook-config-server-port={}", own.port());
        let [of_webhooks, of_lease] = &namespaces;
        let place = ["--webhook-config-mode=url", &address, &port, of_webhooks, of_lease];
        Trellis::start_admission(&self.kubeconfig, &[&place, arguments].concat()).await
    }

    /// The file with the way to the garden, and with the access of the program.
    pub fn kubeconfig(&self) -> &str {
        self.kubeconfig.to_str().unwrap()
    }

    /// Who sends Shoots.
    pub fn person(&self) -> Person {
        self.person.clone()
    }

    /// The authorities for which the API server trusts the webhooks, in PEM; none before they are registered.
    pub async fn trusted(&self) -> Vec<String> {
        let kind = resource("admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration");
        let Some(registered) = self.garden.global(&kind).get_opt(NAME).await.unwrap() else { return Vec::new() };
        let bundle = registered.data["webhooks"][0]["clientConfig"]["caBundle"].as_str().unwrap();
        let bundle = String::from_utf8(STANDARD.decode(bundle).unwrap()).unwrap();
        bundle.split_inclusive("-----END CERTIFICATE-----\n").map(str::to_owned).collect()
    }

    /// The Secrets of the certificates that have this name of the secrets manager.
    pub async fn secrets(&self, name: &str) -> Vec<Value> {
        let api = self.garden.namespaced(NAMESPACE, &resource("", "v1", "Secret"));
        let found = api.list(&ListParams::default().labels(&format!("name={name}"))).await.unwrap();
        found.into_iter().map(|secret| serde_json::to_value(secret).unwrap()).collect()
    }
}

impl Person {
    /// What becomes of a new Shoot; nothing is stored.
    pub async fn dry_run(&self, shoot: &Value) -> Answer {
        self.send("POST", &format!("{SHOOTS}?dryRun=All"), shoot).await
    }

    /// What becomes of a new object that is written so; nothing is stored. The API server reports a field that
    /// Gardener does not know.
    pub async fn dry_run_of(&self, path: &str, text: String) -> Answer {
        self.send_text("POST", &format!("{path}?dryRun=All&fieldValidation=Strict"), text).await
    }

    /// The same of an object that is stored where nobody refuses it.
    pub async fn store(&self, path: &str, text: String) -> Answer {
        self.send_text("POST", &format!("{path}?fieldValidation=Strict"), text).await
    }

    pub async fn create(&self, shoot: &Value) -> Answer {
        self.send("POST", SHOOTS, shoot).await
    }

    /// Merges this into a Shoot.
    pub async fn patch(&self, name: &str, patch: &Value) -> Answer {
        self.send("PATCH", &format!("{SHOOTS}/{name}"), patch).await
    }

    pub async fn delete(&self, name: &str) -> Answer {
        self.send("DELETE", &format!("{SHOOTS}/{name}"), &json!({})).await
    }

    pub async fn get(&self, name: &str) -> Answer {
        self.send("GET", &format!("{SHOOTS}/{name}"), &Value::Null).await
    }

    async fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.send_text(method, path, if body.is_null() { String::new() } else { body.to_string() }).await
    }

    async fn send_text(&self, method: &str, path: &str, text: String) -> Answer {
        let kind = if method == "PATCH" { "application/merge-patch+json" } else { "application/json" };
        let body = if text.is_empty() { Body::empty() } else { text.into_bytes().into() };
        let request = Request::builder().method(method).uri(path).header("content-type", kind).body(body).unwrap();
        let response = self.0.send(request).await.unwrap();
        let code = response.status().as_u16();
        let headers = response.headers().get_all(WARNING).iter();
        let warnings = headers.map(|warning| text_of(&String::from_utf8_lossy(warning.as_bytes()))).collect();
        let text = response.into_body().collect().await.unwrap().to_bytes();
        Answer { code, warnings, object: serde_json::from_slice(&text).unwrap_or(Value::Null) }
    }
}

/// The text of a warning: `299 - "TEXT"`, where `\` stands before each character that it could be taken for
/// another.
fn text_of(warning: &str) -> String {
    let quoted = warning.strip_prefix("299 - ").unwrap();
    serde_json::from_str(quoted).unwrap()
}
