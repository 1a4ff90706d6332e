//! Shoots: the order of their defaults, and those of the Shoot as a whole (DEF-1 to DEF-31, DEF-75 to DEF-80).

use super::fill::{Row, fill, has, put, put_absent, row, text};
use super::places::pools;
use super::{autoscalers, components, pool, prepare, submit};
use crate::document::Value;
use crate::policy::{Defaulted, Request, RequestError};
use crate::provider::gardener::fields::{flag, items, text as text_of};
use crate::provider::gardener::garden::Garden;
use crate::provider::gardener::rules::default as rules;

const PROTECTED: &str = "seed.gardener.cloud/protected";
const UPDATED: &str = "Gardener updates this in the maintenance window unless you say otherwise";

static WHOLE: &[Row] = &[
    row(
        &rules::DEF_002,
        &["spec", "purpose"],
        text("evaluation"),
        "a Shoot is for evaluation unless you say otherwise",
    ),
    row(&rules::DEF_004, &["spec", "maintenance", "autoUpdate", "kubernetesVersion"], Value::Bool(true), UPDATED)
        .with_its_object(),
    row(
        &rules::DEF_031,
        &["spec", "schedulerName"],
        text("default-scheduler"),
        "Gardener's own scheduler chooses the Seed",
    ),
];

static WITH_POOLS: &[Row] = &[
    row(
        &rules::DEF_027,
        &["spec", "maintenance", "autoUpdate", "machineImageVersion"],
        Value::Bool(true),
        UPDATED,
    ),
    row(
        &rules::DEF_028,
        &["spec", "provider", "workersSettings", "sshAccess", "enabled"],
        Value::Bool(true),
        "operators may reach the nodes by SSH unless you say otherwise",
    )
    .with_its_object(),
];

/// Rotations that a person asks for, and how often they happen then.
const ROTATIONS: [&[&str]; 3] = [&["observability"], &["sshKeypair"], &["etcdEncryptionKey"]];
const CREDENTIALS: &str = "/spec/maintenance/autoRotation/credentials";

/// Fills in a Shoot, of which the API server has set its part of the metadata.
pub fn shoot<'r>(request: &Request<'r>, settled: Defaulted<'r>) -> Result<Defaulted<'r>, RequestError> {
    let garden = Garden::of(request);
    let defaulted = decoded(request.object, garden, settled);
    let old = request.old_object.map(|old| stored(old, garden));
    let mut defaulted = submit::default(request, garden, old.as_ref(), defaulted)?;
    prepare::default(request, garden, old.as_ref(), &mut defaulted);
    Ok(defaulted)
}

/// A stored Shoot as the API server reads it: with what decoding fills in, and nothing else.
pub fn stored<'r>(shoot: &'r Value<'r>, garden: Garden) -> Value<'r> {
    decoded(shoot, garden, Defaulted::unchanged(shoot)).object
}

/// A Shoot with what every decoding fills in, also that of a stored object.
fn decoded<'r>(object: &Value<'r>, garden: Garden, mut defaulted: Defaulted<'r>) -> Defaulted<'r> {
    let has_pools = !pools(object).is_empty();
    fill(&mut defaulted, "", WHOLE);
    toleration(&mut defaulted);
    pool::machines(garden, &mut defaulted);
    if has_pools {
        components::with_pools(&mut defaulted);
        fill(&mut defaulted, "", WITH_POOLS);
        dns_scaling(&mut defaulted);
        dashboard(&mut defaulted);
    }
    autoscalers::default(&mut defaulted);
    components::api_server(&mut defaulted);
    if items(&defaulted.object, &["spec", "networking", "ipFamilies"]).is_empty() {
        let (path, families) = (("", &["spec", "networking", "ipFamilies"][..]), vec![Value::string("IPv4")]);
        let reason = "addresses are IPv4 unless you say otherwise";
        put(&mut defaulted, &rules::DEF_075, path, Value::Array(families), reason);
    }
    for rotation in ROTATIONS {
        if has(&defaulted, CREDENTIALS, rotation) {
            let path = [rotation, &["rotationPeriod"]].concat();
            let reason = "credentials are renewed every week unless you say otherwise";
            put_absent(&mut defaulted, &rules::DEF_077, (CREDENTIALS, &path), Value::string("168h0m0s"), reason);
        }
    }
    if has(&defaulted, "/spec/addons/nginxIngress", &[]) {
        let path = ("/spec/addons/nginxIngress", &["externalTrafficPolicy"][..]);
        let reason = "requests may take the way over any node";
        put_absent(&mut defaulted, &rules::DEF_080, path, Value::string("Cluster"), reason);
    }
    pool::updates(&mut defaulted);
    defaulted
}

/// Lets a Shoot of the garden run on a protected Seed (DEF-3).
fn toleration(defaulted: &mut Defaulted<'_>) {
    if text_of(&defaulted.object, &["metadata", "namespace"]) != "garden" {
        return;
    }
    let mut tolerations = items(&defaulted.object, &["spec", "tolerations"]).to_vec();
    let tolerates = |one: &Value<'_>| text_of(one, &["key"]) == PROTECTED && one.at(&["value"]).is_none();
    if !tolerations.iter().any(tolerates) {
        tolerations.push(Value::object([("key", Value::string(PROTECTED))]));
        let reason = "Shoots of the garden may run on protected Seeds";
        put(defaulted, &rules::DEF_003, ("", &["spec", "tolerations"]), Value::Array(tolerations), reason);
    }
}

/// Says how the DNS of the cluster grows (DEF-29).
fn dns_scaling(defaulted: &mut Defaulted<'_>) {
    const MODE: &[&str] = &["spec", "systemComponents", "coreDNS", "autoscaling", "mode"];
    if !matches!(text_of(&defaulted.object, MODE), "horizontal" | "cluster-proportional") {
        let reason = "the DNS of the cluster grows with its load, also where the mode is one that nobody knows";
        put(defaulted, &rules::DEF_029, ("", MODE), Value::string("horizontal"), reason);
    }
}

/// Says how people log in to the dashboard (DEF-30).
fn dashboard(defaulted: &mut Defaulted<'_>) {
    const DASHBOARD: &[&str] = &["spec", "addons", "kubernetesDashboard", "enabled"];
    if flag(&defaulted.object, DASHBOARD) == Some(true) {
        let path = ("/spec/addons/kubernetesDashboard", &["authenticationMode"][..]);
        let reason = "people log in to the dashboard with a token";
        put_absent(defaulted, &rules::DEF_030, path, Value::string("token"), reason);
    }
}
