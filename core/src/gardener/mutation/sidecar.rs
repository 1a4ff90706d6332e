//! The sidecar by which the machine-controller-manager makes machines: Gardener's extension library gives each
//! provider the same container, but for its name and its image (`alicloud-policy` 4.3). What a provider adds, such as
//! the mount of AWS (AWS-CPW-008), its own handler adds.

use super::{CONTAINERS, Change};
use crate::document::Value;
use crate::gardener::rendering::{ImageSource, ImageVector};
use crate::policy::RequestError;
use crate::report::Rule;

const PORT: &str = "10259";
const KUBECONFIG_FOLDER: &str = "/var/run/secrets/gardener.cloud/shoot/generic-kubeconfig";
const POLICIES: [&str; 3] = ["spec", "resourcePolicy", "containerPolicies"];

/// What a provider says of its sidecar.
#[derive(Clone, Copy, Debug)]
pub struct Sidecar {
    /// The name of the container, and of its image.
    pub name: &'static str,
    /// The images of the policy.
    pub images: &'static [ImageSource<'static>],
    /// The rule that the Deployment has the container.
    pub container: &'static Rule,
    /// Why it has the container.
    pub reason: &'static str,
    /// The rule that the autoscaler leaves the limits of the container alone.
    pub autoscaler: &'static Rule,
}

/// How the sidecar reaches the cluster of its machines.
enum Target {
    /// With the kubeconfig of the Shoot.
    Kubeconfig,
    /// It runs there: the Shoot hosts its own control plane.
    Own,
    /// Not yet: a control plane that is to move to its own Shoot.
    Bootstrap,
}

/// Adds the sidecar to the machine-controller-manager.
pub fn add_sidecar(change: &mut Change<'_, '_>, sidecar: &Sidecar) -> Result<(), RequestError> {
    let Sidecar { name, images, container: rule, reason, .. } = *sidecar;
    let cluster = change.cluster(rule, |message| format!("failed reading Cluster: {message}"));
    let image = ImageVector::of(images, change.request.images).and_then(|images| images.find(name, "", ""));
    if let Err(error) = &image {
        let remedy = "Correct the images that replace those of the policy.";
        change.refuse(rule, "", error.to_string(), remedy);
    }
    let (Some(cluster), Ok(image)) = (cluster, image) else { return Ok(()) };
    let namespace = change.request.namespace();
    let target = match (is_self_hosted(cluster.shoot), namespace) {
        (false, _) => Target::Kubeconfig,
        (true, "kube-system") => Target::Own,
        (true, _) => Target::Bootstrap,
    };
    change.ensure_entry(rule, &CONTAINERS, ("name", name), container(name, image, namespace, &target), reason)
}

/// Has the autoscaler scale what the sidecar asks for, and leave its limits alone.
pub fn autoscale_sidecar(change: &mut Change<'_, '_>, sidecar: &Sidecar) -> Result<(), RequestError> {
    let Sidecar { name, autoscaler: rule, .. } = *sidecar;
    let policy = Value::object([
        ("containerName", Value::string(name)),
        ("controlledValues", Value::string("RequestsOnly")),
    ]);
    let reason = "the autoscaler changes what the container requests, and not its limits";
    change.ensure_entry(rule, &POLICIES, ("containerName", name), policy, reason)
}

/// Whether a pool of the Shoot runs the Shoot's own control plane.
fn is_self_hosted(shoot: &Value<'_>) -> bool {
    let workers = shoot.at(&["spec", "provider", "workers"]).map(Value::items).unwrap_or_default();
    workers.iter().any(|worker| worker.get("controlPlane").is_some())
}

fn container<'v>(name: &'static str, image: String, namespace: &str, target: &Target) -> Value<'v> {
    let number = |number: &'static str| Value::Number(number.into());
    let target_kubeconfig = match target {
        Target::Kubeconfig => format!("{KUBECONFIG_FOLDER}/kubeconfig"),
        Target::Own => String::new(),
        Target::Bootstrap => "none".to_owned(),
    };
    let args = [
        "--control-kubeconfig=inClusterConfig".to_owned(),
        "--kube-api-qps=100".to_owned(),
        "--kube-api-burst=200".to_owned(),
        "--machine-creation-timeout=20m".to_owned(),
        "--machine-drain-timeout=2h".to_owned(),
        "--machine-health-timeout=10m".to_owned(),
        "--machine-safety-apiserver-statuscheck-timeout=30s".to_owned(),
        "--machine-safety-apiserver-statuscheck-period=1m".to_owned(),
        "--machine-safety-orphan-vms-period=30m".to_owned(),
        format!("--namespace={namespace}"),
        format!("--port={PORT}"),
        format!("--target-kubeconfig={target_kubeconfig}"),
        "--v=3".to_owned(),
    ];
    let probe = Value::object([
        (
            "httpGet",
            Value::object([
                ("path", Value::string("/healthz")),
                ("port", number(PORT)),
                ("scheme", Value::string("HTTP")),
            ]),
        ),
        ("initialDelaySeconds", number("30")),
        ("timeoutSeconds", number("5")),
        ("periodSeconds", number("10")),
        ("successThreshold", number("1")),
        ("failureThreshold", number("3")),
    ]);
    let port = Value::object([
        ("name", Value::string("providermetrics")),
        ("containerPort", number(PORT)),
        ("protocol", Value::string("TCP")),
    ]);
    let requests = Value::object([("cpu", Value::string("10m")), ("memory", Value::string("20Mi"))]);
    let mut container = Vec::from([
        ("name", Value::string(name)),
        ("image", Value::string(image)),
        ("imagePullPolicy", Value::string("IfNotPresent")),
        ("args", Value::Array(args.map(Value::string).into())),
        ("livenessProbe", probe),
        ("ports", Value::Array(vec![port])),
        ("resources", Value::object([("requests", requests)])),
        ("securityContext", Value::object([("allowPrivilegeEscalation", Value::Bool(false))])),
    ]);
    if let Target::Kubeconfig = target {
        let mount = Value::object([
            ("name", Value::string("kubeconfig")),
            ("mountPath", Value::string(KUBECONFIG_FOLDER)),
            ("readOnly", Value::Bool(true)),
        ]);
        container.push(("volumeMounts", Value::Array(vec![mount])));
    }
    Value::Object(container.into_iter().map(|(key, value)| (key.into(), value)).collect())
}
