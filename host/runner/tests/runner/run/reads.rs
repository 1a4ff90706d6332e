//! What a policy may read of Kubernetes.

use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;
use trellis_runner::call::cloud::Cloud as _;
use trellis_runner::call::failure::NOT_ALLOWED;
use trellis_runner::call::{CallFailure, Parameter, ResolvedCall};
use trellis_runner::document::Paging;
use trellis_runner::limits::permit::{Permit, Terms};
use trellis_runner::limits::stop::{Stop, stop};
use trellis_runner::run::reads::{Read, Reads};
use trellis_runner::run::world::{Reader, World};

use crate::cloud::{Scripted, fine};

/// A Worker that names Secrets, next to members that only look so.
fn worker() -> Value {
    json!({
        "apiVersion": "extensions.gardener.cloud/v1alpha1", "kind": "Worker",
        "metadata": { "name": "bar", "namespace": "shoot--dev--bar", "annotations": { "x/secretRef": "other" } },
        "spec": {
            "secretRef": { "name": "cloudprovider", "namespace": "shoot--dev--bar" },
            "etcd": { "backupSecretRef": { "name": "backup", "namespace": "garden" } },
            "infrastructureProviderStatus": { "secretRef": { "name": "status", "namespace": "shoot--dev--bar" } },
            "pools": [
                { "name": "a", "userDataSecretRef": { "name": "data-a", "key": "cloud_config" } },
                { "name": "b", "userDataSecretRef": { "name": "data-b", "key": "cloud_config" },
                  "providerConfig": { "secretRef": { "name": "owner", "namespace": "shoot--dev--bar" } } },
            ],
        },
        "status": { "generatedSecretRef": { "name": "generated", "namespace": "shoot--dev--bar" } },
    })
}

fn call(service: &str, action: &str, parameters: Value) -> ResolvedCall {
    let parameter = |value: &Value| match value {
        Value::String(text) => Parameter::Text(text.clone()),
        Value::Array(_) => Parameter::List(Vec::new()),
        other => panic!("no test needs {other}"),
    };
    let parameters = parameters.as_object().unwrap().iter();
    let parameters = parameters.map(|(name, value)| (name.clone(), parameter(value))).collect();
    ResolvedCall { service: service.to_owned(), action: action.to_owned(), parameters, ..ResolvedCall::default() }
}

fn get(api_version: &str, kind: &str, namespace: &str, name: &str) -> ResolvedCall {
    let parameters = json!({ "apiVersion": api_version, "kind": kind, "namespace": namespace, "name": name });
    call("kubernetes", "get", parameters)
}

const OWN: &str = "shoot--dev--bar";
const EXTENSIONS: &str = "extensions.gardener.cloud/v1alpha1";

#[test]
fn what_belongs_to_the_object_may_be_read() {
    let reads = Reads::of(&worker());
    for (api_version, kind, namespace, name) in [
        ("apps/v1", "Deployment", OWN, "kube-apiserver"),
        ("v1", "ConfigMap", OWN, "x.y-z"),
        (EXTENSIONS, "Infrastructure", OWN, "bar"),
        ("v1", "Secret", OWN, "cloudprovider"),
        ("v1", "Secret", OWN, "data-a"),
        ("v1", "Secret", OWN, "data-b"),
        ("v1", "Secret", "garden", "backup"),
        (EXTENSIONS, "Cluster", "", OWN),
    ] {
        let namespace_read = Some(namespace.to_owned()).filter(|namespace| !namespace.is_empty());
        let (name_read, kind_read) = (name.to_owned(), kind.to_owned());
        let read = Read {
            api_version: api_version.to_owned(),
            kind: kind_read,
            namespace: namespace_read,
            name: name_read,
            in_shoot: false,
        };
        assert_eq!(reads.check(&get(api_version, kind, namespace, name)), Ok(read));
    }
    // Kubernetes may leave out what is empty.
    let cluster = json!({ "apiVersion": EXTENSIONS, "kind": "Cluster", "name": OWN });
    assert!(reads.check(&call("kubernetes", "get", cluster)).is_ok());
}

#[test]
fn nothing_else_may_be_read() {
    let reads = Reads::of(&worker());
    let others = [
        ("v1", "Secret", OWN, "other", "the object does not name this Secret"),
        ("v1", "Secret", OWN, "status", "the object does not name this Secret"),
        ("v1", "Secret", OWN, "owner", "the object does not name this Secret"),
        ("v1", "Secret", OWN, "generated", "the object does not name this Secret"),
        ("v1", "Secret", "garden", "cloudprovider", "the object does not name this Secret"),
        ("v1", "SECRET", OWN, "other", "the object does not name this Secret"),
        ("v1", "Secrets", OWN, "other", "the object does not name this Secret"),
        ("core.gardener.cloud/v1beta1", "InternalSecret", OWN, "other", "the object does not name this Secret"),
        ("v1", "ConfigMap", "garden", "x", "it is in another namespace"),
        ("v1", "ConfigMap", "shoot--dev--ba", "x", "it is in another namespace"),
        ("v1", "Namespace", "", OWN, "it is in no namespace"),
        ("v1", "Secret", "", "cloudprovider", "it is in no namespace"),
        (EXTENSIONS, "Cluster", "", "shoot--dev--foo", "it is another Cluster"),
        (EXTENSIONS, "Cluster", OWN, "shoot--dev--foo", "it is another Cluster"),
        (EXTENSIONS, "Cluster", OWN, OWN, "it is another Cluster"),
        ("extensions.gardener.cloud/v2", "Cluster", "", OWN, "it is another Cluster"),
        ("v1", "ConfigMap", OWN, "../../garden/secrets/x", "its name or its namespace is none"),
        ("v1", "ConfigMap", OWN, "..", "its name or its namespace is none"),
        ("v1", "ConfigMap", OWN, "x%2F..", "its name or its namespace is none"),
        ("v1", "ConfigMap", OWN, "", "its name or its namespace is none"),
        ("v1", "ConfigMap", "shoot--dev--bar/secrets", "x", "its name or its namespace is none"),
        ("v1/namespaces/garden", "ConfigMap", OWN, "x", "its apiVersion or its kind is none"),
        ("../v1", "ConfigMap", OWN, "x", "its apiVersion or its kind is none"),
        ("", "ConfigMap", OWN, "x", "its apiVersion or its kind is none"),
        ("v1", "secret", OWN, "other", "its apiVersion or its kind is none"),
        ("v1", "Pod/log", OWN, "x", "its apiVersion or its kind is none"),
        ("v1", "", OWN, "x", "its apiVersion or its kind is none"),
    ];
    for (api_version, kind, namespace, name, why) in others {
        let reported = reads.check(&get(api_version, kind, namespace, name)).unwrap_err().to_string();
        assert!(reported.contains(why), "{kind} {namespace}/{name}: {reported}");
    }
    let config_map = |further: Value| {
        let mut parameters = json!({ "apiVersion": "v1", "kind": "ConfigMap", "namespace": OWN, "name": "x" });
        parameters.as_object_mut().unwrap().extend(further.as_object().unwrap().clone());
        parameters
    };
    for (action, parameters, why) in [
        ("get", config_map(json!({ "cluster": "shoot" })), "it is in the Shoot itself"),
        ("get", config_map(json!({ "subresource": "token" })), "a parameter that is not known"),
        ("get", config_map(json!({ "name": ["x"] })), "a parameter that is no text"),
        ("list", config_map(json!({})), "a policy gets single objects"),
        ("Get", config_map(json!({})), "a policy gets single objects"),
        ("delete", config_map(json!({})), "a policy gets single objects"),
    ] {
        let reported = reads.check(&call("kubernetes", action, parameters)).unwrap_err().to_string();
        assert!(reported.contains(why), "{reported}");
    }
    let mut of_other = get("v1", "ConfigMap", OWN, "x");
    of_other.account = Some("imageOwner".to_owned());
    assert!(reads.check(&of_other).is_err());
    of_other.account = None;
    assert!(reads.check(&of_other).is_ok());
    of_other.parameters.push(("namespace".to_owned(), "garden".into()));
    assert!(reads.check(&of_other).unwrap_err().to_string().contains("a parameter twice"));
}

#[test]
fn who_may_not_read_learns_what_may_be_read() {
    let reported = Reads::of(&worker()).check(&get("v1", "Secret", OWN, "other")).unwrap_err();
    assert_words(
        &reported.to_string(),
        "Secret `shoot--dev--bar/other` may not be read: the object does not name this Secret; for Worker \
         shoot--dev--bar/bar a policy may read of Secrets `garden/backup`, `shoot--dev--bar/cloudprovider`, \
         `shoot--dev--bar/data-a`, `shoot--dev--bar/data-b`, the Cluster `shoot--dev--bar`, and objects of other kinds \
         in the namespace `shoot--dev--bar`",
    );
    let bucket = json!({
        "kind": "BackupBucket", "metadata": { "name": "b" },
        "spec": { "secretRef": { "name": "backup", "namespace": "garden" } },
    });
    let reads = Reads::of(&bucket);
    assert!(reads.check(&get("v1", "Secret", "garden", "backup")).is_ok());
    assert_words(
        &reads.check(&get("v1", "ConfigMap", "garden", "x")).unwrap_err().to_string(),
        "ConfigMap `garden/x` may not be read: it is in another namespace; for BackupBucket b a policy may read of \
         Secrets `garden/backup`",
    );
    for nothing in
        [Reads::nothing(), Reads::of(&json!({})), Reads::of(&json!({ "metadata": { "namespace": "" } }))]
    {
        for call in
            [get("v1", "ConfigMap", "", "x"), get(EXTENSIONS, "Cluster", "", "x"), get("v1", "Secret", "x", "x")]
        {
            let reported = nothing.check(&call).unwrap_err().to_string();
            assert!(reported.ends_with("a policy may read nothing of Kubernetes here"), "{reported}");
        }
    }
}

fn assert_words(reported: &str, expected: &str) {
    assert_eq!(reported, expected);
}

/// Reads objects from a list, and keeps what it was asked for.
#[derive(Default)]
struct Objects {
    objects: Vec<Value>,
    asked: Mutex<Vec<String>>,
}

impl Reader for &Objects {
    async fn get(&self, read: &Read) -> Result<Option<Value>, CallFailure> {
        self.asked.lock().unwrap().push(read.to_string());
        if read.name == "slow" {
            std::future::pending::<()>().await;
        }
        Ok(self.objects.iter().find(|object| object["metadata"]["name"] == read.name.as_str()).cloned())
    }
}

fn config_map(namespace: &str, name: &str) -> Value {
    json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name, "namespace": namespace } })
}

#[tokio::test(start_paused = true)]
async fn the_world_reads_what_may_be_read_and_hands_the_rest_to_the_cloud() {
    let objects = Objects { objects: vec![config_map(OWN, "x"), config_map("garden", "y")], ..Objects::default() };
    let world =
        World::new(Scripted::new(|_, _| fine(0, json!({ "from": "cloud" }))), Reads::of(&worker()), &objects);
    let (stopper, stop) = stop();
    let permit = Permit { stop, ..Permit::unlimited() };
    let query = async |call: &ResolvedCall| {
        let terms = Terms { deadline: Instant::now() + Duration::from_secs(5), permit: &permit };
        world.query(call, &Paging::None, terms).await
    };
    let code = |answer: Result<Value, CallFailure>| answer.unwrap_err().code;
    assert_eq!(query(&get("v1", "ConfigMap", OWN, "x")).await.unwrap(), config_map(OWN, "x"));
    let absent = query(&get("v1", "ConfigMap", OWN, "z")).await.unwrap_err();
    assert_eq!(
        (absent.code.as_str(), absent.http_status, absent.service.as_str()),
        ("NotFound", 404, "kubernetes")
    );
    assert_eq!(code(query(&get("v1", "ConfigMap", OWN, "slow")).await), "Timeout");
    assert_eq!(code(query(&get("v1", "ConfigMap", "garden", "y")).await), NOT_ALLOWED);
    // A reader that answers with another object.
    assert_eq!(code(query(&get("v1", "ConfigMap", OWN, "y")).await), NOT_ALLOWED);
    assert_eq!(objects.asked.lock().unwrap().len(), 4);
    assert_eq!(world.sent(), 0);

    let terms = Terms { deadline: Instant::now() + Duration::from_secs(5), permit: &permit };
    assert_eq!(code(world.change(&get("v1", "ConfigMap", OWN, "x"), terms).await), NOT_ALLOWED);
    assert_eq!(code(world.identity(&get("v1", "ConfigMap", OWN, "x"), "/kind", terms).await), NOT_ALLOWED);
    assert_eq!(query(&call("vpc", "DescribeVpcs", json!({}))).await.unwrap(), json!({ "from": "cloud" }));
    assert!(world.change(&call("vpc", "CreateVpc", json!({})), terms).await.is_ok());
    assert_eq!((objects.asked.lock().unwrap().len(), world.sent()), (4, 2));

    stopper.stop(Stop::Gracefully);
    assert!(query(&get("v1", "ConfigMap", OWN, "x")).await.unwrap_err().is_permit_ended());
    assert_eq!(objects.asked.lock().unwrap().len(), 4);
}

#[tokio::test]
async fn a_run_without_a_cluster_reads_nothing() {
    let world = World::of_cloud(Scripted::new(|_, _| fine(0, json!({}))));
    let permit = Permit::unlimited();
    let terms = Terms { deadline: Instant::now() + Duration::from_secs(5), permit: &permit };
    let failure = world.query(&get("v1", "Secret", OWN, "cloudprovider"), &Paging::None, terms).await.unwrap_err();
    assert_eq!(failure.code, NOT_ALLOWED);
    assert!(failure.message.ends_with("a policy may read nothing of Kubernetes here"), "{failure}");
    assert_eq!(world.sent(), 0);
}
