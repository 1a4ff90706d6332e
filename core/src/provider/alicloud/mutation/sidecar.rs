//! The sidecar by which the machine-controller-manager makes machines (`alicloud-policy` 4.3).

use super::Change;
use super::deployments::CONTAINERS;
use crate::document::Value;
use crate::gardener::mutation::named;
use crate::gardener::rendering::ImageVector;
use crate::policy::RequestError;
use crate::provider::alicloud::rendering::IMAGES;
use crate::provider::alicloud::rules::mutation as rules;

const NAME: &str = "machine-controller-manager-provider-alicloud";
const PORT: &str = "10259";
const KUBECONFIG_FOLDER: &str = "/var/run/secrets/gardener.cloud/shoot/generic-kubeconfig";
const POLICIES: [&str; 3] = ["spec", "resourcePolicy", "containerPolicies"];

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
pub(super) fn machine_controller_manager(change: &mut Change<'_, '_>) -> Result<(), RequestError> {
    let rule = &rules::CPW_002;
    let cluster = change.cluster(rule, |message| format!("failed reading Cluster: {message}"));
    let image = ImageVector::of(IMAGES, change.request.images).and_then(|images| images.find(NAME, "", ""));
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
    let reason = "the machine-controller-manager makes machines of Alibaba Cloud through this container";
    ensure(change, rule, &CONTAINERS, "name", container(image, namespace, &target), reason)
}

/// Has the autoscaler scale what the sidecar asks for, and leave its limits alone.
pub(super) fn autoscaler(change: &mut Change<'_, '_>) -> Result<(), RequestError> {
    let policy = Value::object([
        ("containerName", Value::string(NAME)),
        ("controlledValues", Value::string("RequestsOnly")),
    ]);
    let reason = "the autoscaler changes what the container requests, and not its limits";
    ensure(change, &rules::CPW_003, &POLICIES, "containerName", policy, reason)
}

/// Puts an entry in the place of the first one of its name, else at the end of its list.
fn ensure<'r>(
    change: &mut Change<'_, 'r>,
    rule: &'static crate::report::Rule,
    list: &[&'static str],
    key: &str,
    entry: Value<'r>,
    reason: &'static str,
) -> Result<(), RequestError> {
    let entries = change.request.object.at(list).map(Value::items).unwrap_or_default();
    match named(entries, key, NAME) {
        None => change.mutated.append(rule, list, entry, reason),
        Some((_, known)) if known.canonical(true) == entry.canonical(true) => Ok(()),
        Some((index, _)) => change.mutated.replace(rule, format!("/{}/{index}", list.join("/")), entry, reason),
    }
}

/// Whether a pool of the Shoot runs the Shoot's own control plane.
fn is_self_hosted(shoot: &Value<'_>) -> bool {
    let workers = shoot.at(&["spec", "provider", "workers"]).map(Value::items).unwrap_or_default();
    workers.iter().any(|worker| worker.get("controlPlane").is_some())
}

fn container<'v>(image: String, namespace: &str, target: &Target) -> Value<'v> {
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
        ("name", Value::string(NAME)),
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
