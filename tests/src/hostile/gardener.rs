//! Shoots with more of everything than anybody has, for the policy that judges Shoots of every provider.

use super::{all, list, members};

/// As many entries as a policy reads in a list or an object.
const MOST: usize = 4_000;

/// A Shoot with these members of its `spec`, next to a CloudProfile with these.
fn shoot(spec: &str, profile: &str) -> String {
    let header = r#""apiVersion":"core.gardener.cloud/v1beta1","kind""#;
    let named = r#""cloudProfile":{"kind":"CloudProfile","name":"p"}"#;
    format!(
        r#"{{"object":{{{header}:"Shoot","metadata":{{"name":"s","namespace":"garden-dev"}},"spec":{{{named},{spec}}}}},"context":{{"gardenerVersion":"1.143.1","cloudProfile":{{{header}:"CloudProfile","metadata":{{"name":"p"}},"spec":{{{profile}}}}}}},"now":"2026-06-01T00:00:00Z"}}"#
    )
}

/// A Shoot with these worker pools, next to a CloudProfile with these members.
fn pools(workers: &str, profile: &str) -> String {
    let spec = format!(
        r#""region":"r","kubernetes":{{"version":"1.33.1"}},"provider":{{"type":"t","workers":{workers}}}"#
    );
    shoot(&spec, profile)
}

/// The requests, with a name each.
pub(super) fn requests() -> Vec<(&'static str, String)> {
    let pool = |image: &str| {
        format!(
            r#"{{"name":"w","minimum":9,"maximum":4,"machine":{{"type":"unknown","image":{image}}},"volume":{{"type":"unknown","size":"1Gi"}},"zones":["a","a","b"]}}"#
        )
    };
    let image = r#"{"name":"i","version":"0.0.1"}"#;
    vec![
        ("as many unknown fields as are read", {
            let fields = members(MOST, &|field| format!(r#""worker{field}":{{}}"#));
            shoot(&format!(r#""provider":{{{fields}}}"#), "")
        }),
        ("an unknown field in as many worker pools as are read", {
            pools(&list(r#"{"minimun":1,"Maximum":2,"machine":{"typ":"a"}}"#, MOST), "")
        }),
        ("an unknown field with a name of a megabyte", {
            shoot(
                &format!(r#""{}":1,"provider":{{"workers{}":[]}}"#, "regio".repeat(1 << 18), "s".repeat(1 << 20)),
                "",
            )
        }),
        (
            "the same field as often as is read",
            shoot(&format!("{},\"region\":\"r\"", members(MOST - 2, &|_| r#""region":"a""#.to_owned())), ""),
        ),
        ("as many worker pools and machine types as are read", {
            let types = all(MOST, &|name| format!(r#"{{"name":"m{name}","usable":{}}}"#, name % 2 == 0));
            let volumes = all(MOST, &|name| format!(r#"{{"name":"v{name}","minSize":"20Gi"}}"#));
            pools(
                &list(&pool(image), MOST),
                &format!(r#""machineTypes":{types},"volumeTypes":{volumes},"regions":[]"#),
            )
        }),
        ("as many worker pools and image versions as are read", {
            let versions = all(MOST, &|version| {
                format!(
                    r#"{{"version":"1.{version}.0","expirationDate":"2026-01-01T00:00:00Z","architectures":["amd64"]}}"#
                )
            });
            let images = format!(r#"[{{"name":"i","versions":{versions}}}]"#);
            let types = r#"[{"name":"unknown","cpu":"1","memory":"1Gi"}]"#;
            pools(&list(&pool(image), MOST), &format!(r#""machineImages":{images},"machineTypes":{types}"#))
        }),
        ("as many zones with as many unavailable machine types as are read", {
            let zones = all(200, &|zone| {
                format!(r#"{{"name":"z{zone}","unavailableMachineTypes":{}}}"#, list(r#""unknown""#, 200))
            });
            let used = all(MOST, &|zone| format!(r#""z{}""#, zone % 300));
            let worker = format!(r#"{{"name":"w","machine":{{"type":"unknown"}},"zones":{used}}}"#);
            let profile =
                format!(r#""regions":[{{"name":"r","zones":{zones}}}],"machineTypes":[{{"name":"unknown"}}]"#);
            pools(&list(&worker, 20), &profile)
        }),
        ("as many labels, annotations and taints as are read", {
            let labels = members(MOST, &|label| format!(r#""-{label}/{}":"a b""#, "x".repeat(64)));
            let taints = list(r#"{"key":"k","value":"v","effect":"NoSchedule"}"#, MOST);
            let worker =
                format!(r#"[{{"name":"w","labels":{{{labels}}},"annotations":{{{labels}}},"taints":{taints}}}]"#);
            pools(&worker, "")
        }),
        ("quantities, versions and durations beyond all types", {
            let worker = r#"[{"name":"w","minimum":99999999999,"volume":{"size":"1e999999999Gi"},"kubernetes":{"version":"99999999999999999999.1.1","kubelet":{"maxPods":1e400,"kubeReserved":{"cpu":"9E999"},"evictionHard":{"memoryAvailable":"99999999999999999999%"}}},"machineControllerManager":{"machineDrainTimeout":"9999999999999999999h"}}]"#;
            pools(
                worker,
                r#""kubernetes":{"versions":[{"version":"99999999999999999999.1.1","expirationDate":"9999-99-99T99:99:99Z"}]}"#,
            )
        }),
        ("networks beyond all families", {
            let networking = r#""networking":{"nodes":"::/0","pods":"0.0.0.0/0","services":"10.0.0.0/33","ipFamilies":["IPv4","IPv6","IPv4",""]}"#;
            shoot(networking, "")
        }),
        ("an object of nothing but null", {
            let null = members(64, &|name| format!(r#""n{name}":null"#));
            shoot(
                &format!(r#""provider":null,"kubernetes":null,"networking":null,"maintenance":null,{null}"#),
                r#""kubernetes":null,"regions":null,"machineTypes":[null]"#,
            )
        }),
    ]
}
