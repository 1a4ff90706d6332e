//! Requests of `workers` and `rollout`.

use super::{all, members};

/// The requests, with a name each.
pub(super) fn requests() -> Vec<(&'static str, String)> {
    let long = "x".repeat(5_000);
    let worker =
        |spec: &str| format!(r#"{{"worker":{{"kind":"Worker","spec":{{{spec}}}}},"cluster":{{"shoot":{{}}}}}}"#);
    let pool = |pool: &str| worker(&format!(r#""pools":[{{{pool}}}]"#));
    let status = r#""infrastructureProviderStatus":{"apiVersion":"alicloud.provider.extensions.gardener.cloud/v1alpha1","vpc":{"securityGroups":[{"purpose":"nodes","id":"g"}]}}"#;
    let made = |pool: &str| worker(&format!(r#"{status},"pools":[{{{pool}}}]"#));
    let shoot = |workers: &str| format!(r#"{{"kind":"Shoot","spec":{{"provider":{{"workers":{workers}}}}}}}"#);
    let edit = |new: &str, old: &str| format!(r#"{{"object":{},"oldObject":{}}}"#, shoot(new), shoot(old));
    let zones = all(4_000, &|zone| format!(r#""z{zone}""#));
    let labels = members(2_000, &|label| format!(r#""l{label}":"{long:.20}""#));
    let pools = all(2_000, &|pool| format!(r#"{{"name":"p{pool}","minimum":1,"maximum":2}}"#));
    let volumes = all(3_000, &|volume| format!(r#"{{"name":"v{volume}","size":"1"}}"#));
    vec![
        ("workers: no shoot", r#"{"cluster":{}}"#.to_owned()),
        ("workers: an empty shoot", r#"{"cluster":{"shoot":{"kind":"Shoot"}}}"#.to_owned()),
        ("workers: an empty worker", r#"{"worker":{"kind":"Worker"},"cluster":{"shoot":{}}}"#.to_owned()),
        ("workers: pools that are none", worker(r#""pools":{}"#)),
        ("workers: a pool without anything", made("")),
        ("workers: a pool without its infrastructure", pool("")),
        (
            "workers: numbers beyond all",
            made(r#""minimum":2147483647,"maximum":-2147483648,"maxSurge":2147483647,"zones":["a","b"]"#),
        ),
        (
            "workers: shares that are none",
            made(r#""maxSurge":"999999999999%","maxUnavailable":"%","zones":["a"]"#),
        ),
        ("workers: many zones", made(&format!(r#""name":"{long}","zones":{zones}"#))),
        ("workers: many labels in many zones", made(&format!(r#""labels":{{{labels}}},"zones":{zones}"#))),
        (
            "workers: a version that is none",
            made(r#""updateStrategy":"AutoInPlaceUpdate","kubernetesVersion":"1..x""#),
        ),
        (
            "workers: names with structure",
            made(r#""name":"{{name}}\"\n- x: y","volume":{"size":"1"},"zones":["{{zone}}"]"#),
        ),
        ("workers: a volume of another type", made(r#""volume":[]"#)),
        ("workers: kubelet settings that are none", made(r#""kubeletConfig":{"kubeReserved":{"cpu":"many"}}"#)),
        ("rollout: no shoot before", format!(r#"{{"object":{}}}"#, shoot("[]"))),
        ("rollout: pools that are none", edit("{}", "[1,null,[]]")),
        ("rollout: many pools come", edit(&pools, "[]")),
        ("rollout: many pools go", edit("[]", &pools)),
        ("rollout: many pools stay", edit(&pools, &pools)),
        ("rollout: many volumes", edit(&format!(r#"[{{"dataVolumes":{volumes}}}]"#), "[{}]")),
        (
            "rollout: numbers beyond all",
            edit(r#"[{"minimum":99999999999999999999,"maxSurge":1e99}]"#, r#"[{"minimum":-5}]"#),
        ),
        (
            "rollout: many zones",
            edit(&format!(r#"[{{"zones":{zones},"minimum":1}}]"#), r#"[{"machine":{"type":"m"}}]"#),
        ),
    ]
}
