//! What `default` fills in, in addition to what Gardener fills in.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use trellis_core::kube::duration::Duration;
use trellis_core::kube::quantity::Quantity;
use trellis_core::kube::time::Time;

use crate::cases::{Case, none_differ};

/// Fields that Go prints also where nobody set them.
const PRINTED: &[&str] = &[
    "/metadata",
    "/metadata/finalizers/*",
    "/spec/cloudProfile/kind",
    "/spec/controlPlane/highAvailability/failureTolerance",
    "/spec/dns/providers/*/credentialsRef/kind",
    "/spec/dns/providers/*/credentialsRef/name",
    "/spec/extensions/*/type",
    "/spec/kubernetes",
    "/spec/kubernetes/kubeAPIServer/admissionPlugins/*/name",
    "/spec/kubernetes/kubeAPIServer/structuredAuthentication/configMapName",
    "/spec/kubernetes/versions/*/lifecycle/*/classification",
    "/spec/kubernetes/versions/*/version",
    "/spec/kubernetes/verticalPodAutoscaler/enabled",
    "/spec/machineCapabilities/*/values/*",
    "/spec/machineImages/*/name",
    "/spec/machineImages/*/versions/*",
    "/spec/machineImages/*/versions/*/architectures/*",
    "/spec/machineImages/*/versions/*/capabilityFlavors/*/architecture/*",
    "/spec/machineImages/*/versions/*/cri/*/containerRuntimes/*/type",
    "/spec/machineImages/*/versions/*/cri/*/name",
    "/spec/machineImages/*/versions/*/inPlaceUpdates/supported",
    "/spec/machineImages/*/versions/*/version",
    "/spec/machineTypes/*/cpu",
    "/spec/machineTypes/*/gpu",
    "/spec/machineTypes/*/memory",
    "/spec/machineTypes/*/name",
    "/spec/machineTypes/*/storage/type",
    "/spec/maintenance/autoUpdate/kubernetesVersion",
    "/spec/maintenance/timeWindow/begin",
    "/spec/maintenance/timeWindow/end",
    "/spec/parent/kind",
    "/spec/parent/name",
    "/spec/provider",
    "/spec/provider/type",
    "/spec/provider/workers/*/controlPlane/backup/provider",
    "/spec/provider/workers/*/cri/name",
    "/spec/provider/workers/*/dataVolumes/*/size",
    "/spec/provider/workers/*/machine/image/name",
    "/spec/provider/workers/*/machine/image/version",
    "/spec/provider/workers/*/machine/type",
    "/spec/provider/workers/*/maximum",
    "/spec/provider/workers/*/minimum",
    "/spec/provider/workers/*/name",
    "/spec/provider/workers/*/systemComponents/allow",
    "/spec/provider/workers/*/volume/size",
    "/spec/region",
    "/spec/regions/*/accessRestrictions/*/name",
    "/spec/regions/*/name",
    "/spec/regions/*/zones/*/name",
    "/spec/resources/*/name",
    "/spec/resources/*/resourceRef/kind",
    "/spec/resources/*/resourceRef/name",
    "/spec/tolerations/*",
    "/spec/type",
    "/spec/volumeTypes/*/class",
    "/spec/volumeTypes/*/name",
    "/status",
    "/status/gardener",
    "/status/hibernated",
    "/status/technicalID",
    "/status/uid",
];

/// What `default` did: the object after the rules whose ids begin with one of these.
fn after(object: &Value, answer: &Value, rules: &[&str]) -> Value {
    let mut after = object.clone();
    let changes = answer["changes"].as_array().unwrap().iter().map(|change| change["rule"].as_str().unwrap());
    for (operation, rule) in answer["patch"].as_array().unwrap().iter().zip(changes) {
        if rules.iter().any(|prefix| rule.starts_with(prefix)) {
            let operation: json_patch::Patch = serde_json::from_value(json!([operation])).unwrap();
            json_patch::patch(&mut after, &operation).unwrap();
        }
    }
    after
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.values().all(is_zero),
    }
}

/// A comparison of an object with a recorded one.
struct Comparison {
    /// Where nothing is compared.
    left_out: Vec<String>,
    differences: Vec<String>,
}

impl Comparison {
    /// Compares a value with the recorded one. `written` is what the person wrote there: Go may spell it in
    /// another way.
    fn compare(&mut self, own: &Value, recorded: &Value, written: &Value, path: &str) {
        if self.left_out.iter().any(|left_out| left_out == path) {
            return;
        }
        let is_untouched = own == written;
        match (own, recorded) {
            (Value::Object(own), Value::Object(recorded)) => {
                let none = Map::new();
                let written = written.as_object().unwrap_or(&none);
                let keys: BTreeSet<&String> = own.keys().chain(recorded.keys()).collect();
                for key in keys {
                    let of = |members: &Map<String, Value>| members.get(key).cloned().unwrap_or(Value::Null);
                    self.compare(&of(own), &of(recorded), &of(written), &format!("{path}/{key}"));
                }
            }
            (Value::Array(own), Value::Array(recorded)) if own.len() == recorded.len() => {
                for (index, (own, recorded)) in own.iter().zip(recorded).enumerate() {
                    self.compare(own, recorded, &written[index], &format!("{path}/*"));
                }
            }
            (Value::Number(own), Value::Number(recorded)) if own.as_f64() == recorded.as_f64() => {}
            (own, recorded) if own == recorded => {}
            (Value::Null, recorded) if is_untouched && is_printed(recorded, path) => {}
            // Go leaves zero values out that a person wrote.
            (own, Value::Null) if is_zero(own) && is_untouched => {}
            (own, Value::String(recorded)) if is_untouched && is_spelled_again(own, recorded) => {}
            _ => self.differences.push(format!("{path}: own {own} recorded {recorded}")),
        }
    }
}

/// Whether Go prints a value at a place where nobody set one.
fn is_printed(value: &Value, path: &str) -> bool {
    (is_zero(value) || value == "0") && PRINTED.contains(&path)
}

fn is_spelled_again(own: &Value, recorded: &str) -> bool {
    let own = own.as_str().map_or_else(|| own.to_string(), str::to_owned);
    let same_duration = || Duration::parse(&own).is_ok_and(|own| Duration::parse(recorded) == Ok(own));
    let same_time = || Time::parse(&own).is_some_and(|own| Time::parse(recorded) == Some(own));
    let same_quantity =
        || Quantity::parse(own.trim()).is_ok_and(|own| Quantity::parse(recorded).is_ok_and(|text| own == text));
    same_duration() || same_time() || same_quantity()
}

/// Whether new and old object say what they are: who asks the policy says so.
fn names_its_kind(recorded: &Value) -> bool {
    recorded["new"]["kind"] == recorded["kind"]
        && (recorded["old"].is_null() || recorded["old"]["kind"] == recorded["kind"])
}

/// Where nothing is compared: unknown fields, which Gardener drops and Trellis keeps; who made the Shoot, whom
/// nobody knows; and random values.
fn left_out(recorded: &Value, wanted: &Value) -> Vec<String> {
    let mut left_out: Vec<String> =
        recorded["strictErrors"].as_array().into_iter().flatten().filter_map(place).collect();
    left_out.push("/metadata/annotations/gardener.cloud/created-by".to_owned());
    if recorded["randomTimeWindow"] == true {
        left_out.push("/spec/maintenance/timeWindow".to_owned());
    }
    let services = "/spec/networking/services";
    if wanted.pointer(services).is_some_and(|range| range == "fd00:0000:0000::/112") {
        left_out.push(services.to_owned());
    }
    left_out
}

/// The place of an unknown field, as a comparison writes it.
fn place(error: &Value) -> Option<String> {
    let field = error.as_str()?.strip_prefix("unknown field \"")?.strip_suffix('"')?;
    let mut place = String::new();
    for part in field.split('.') {
        let (key, rest) = part.split_once('[').unwrap_or((part, ""));
        place.push('/');
        place.push_str(key);
        place.push_str(if rest.is_empty() { "" } else { "/*" });
    }
    Some(place)
}

#[test]
fn what_is_filled_in_is_what_gardener_fills_in() {
    let (mut compared, mut changed, mut refused, mut failures) = (0, 0, 0, Vec::new());
    for case in Case::all() {
        let recorded = &case.recorded;
        let is_decoded = recorded["decodeError"].is_null() && !recorded["defaulted"].is_null();
        if !is_decoded || !recorded["mutatePanic"].is_null() || !names_its_kind(recorded) {
            continue;
        }
        let (new, old) = (&recorded["new"], case.is_update().then_some(&recorded["old"]));
        let answer = case.ask("default", case.new_as_written(), old);
        let refusal = recorded["mutateError"].as_str();
        let is_refused = refusal.is_some();
        compared += 1;
        // Whether a Seed is there is not judged.
        if refusal.is_some_and(|refusal| !refusal.contains("could not find referenced seed")) {
            refused += 1;
            let verdict = || case.ask("validate", &answer["object"].to_string(), old)["verdict"].clone();
            let is_open = answer["undecided"].as_array().is_some_and(|undecided| !undecided.is_empty());
            if answer["error"]["code"] != "Denied" && !is_open && verdict() == "accept" {
                failures.push(format!("{}: accepted, but {}", case.id(), recorded["mutateError"]));
            }
        }
        if answer["error"]["code"] == "Denied" && is_refused {
            continue;
        }
        if !answer["error"].is_null() {
            failures.push(format!("{}: {answer}", case.id()));
            continue;
        }
        if after(new, &answer, &[""]) != answer["object"] {
            failures.push(format!("{}: the patch does not make the object", case.id()));
        }
        // Of a refusal by the plug-in, only what was filled in before is recorded. What is rewritten before the
        // rules run is not recorded.
        let (rules, wanted) = if is_refused {
            (&["DEF-"][..], recorded["defaulted"].clone())
        } else {
            (&["DEF-", "MUT-", "ADM-NET"][..], case.mutated())
        };
        let left_out = left_out(recorded, &wanted);
        let mut comparison = Comparison { left_out, differences: Vec::new() };
        comparison.compare(&after(new, &answer, rules), &wanted, new, "");
        changed += usize::from(answer["patch"] != json!([]));
        if !comparison.differences.is_empty() {
            let differences = comparison.differences.join("\n    ");
            failures.push(format!("{} {}: {differences}", case.id(), case.is_update()));
        }
    }
    none_differ(&failures, compared);
    assert!(compared >= 3_700 && changed >= 3_000 && refused >= 75, "{compared} {changed} {refused}");
}
