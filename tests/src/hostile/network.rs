//! Networks that nobody builds, and zones that nobody adds.

use super::{all, list};

/// A Shoot in an existing VPC, in addition to other members of a request.
fn network(nodes: &str, zones: &str, dual_stack: bool, members: &str) -> String {
    let networks = format!(r#"{{"vpc":{{"id":"v"}},"zones":{zones}}}"#);
    let config = format!(
        r#"{{"apiVersion":"alicloud.provider.extensions.gardener.cloud/v1alpha1","kind":"InfrastructureConfig","dualStack":{{"enabled":{dual_stack}}},"networks":{networks}}}"#
    );
    let spec = format!(
        r#"{{"networking":{{"nodes":"{nodes}"}},"provider":{{"workers":[{{}}],"infrastructureConfig":{config}}}}}"#
    );
    format!(r#"{{"object":{{"kind":"Shoot","spec":{spec}}}{members}}}"#)
}

/// The requests, with a name each.
pub(super) fn requests() -> Vec<(&'static str, String)> {
    vec![
        ("zones that all have the same addresses", {
            let zone = r#"{"name":"a","worker":"10.0.0.0/8","workers":"10.0.0.0/8","ipv6CidrBlock":1}"#;
            network("0.0.0.0/0", &list(zone, 4_000), true, "")
        }),
        ("zones and VSwitches that share no address", {
            let zones = all(4_000, &|zone| {
                let (a, b) = (zone / 256, zone % 256);
                format!(r#"{{"name":"z{zone}","worker":"10.{a}.{b}.0/26","workers":"10.{a}.{b}.128/26"}}"#)
            });
            let vswitches = all(4_000, &|vswitch| {
                let (a, b) = (vswitch / 256, vswitch % 256);
                format!(r#"{{"VSwitchId":"v{vswitch}","CidrBlock":"10.{a}.{b}.64/26"}}"#)
            });
            let response = format!(r#"{{"VSwitches":{{"VSwitch":{vswitches}}}}}"#);
            let fact =
                format!(r#"{{"query":"vpc/DescribeVSwitches//VpcId=v","answer":{{"response":{response}}}}}"#);
            network("10.0.0.0/8", &zones, true, &format!(r#","facts":[{fact}]"#))
        }),
        ("many zones to add", {
            let add = all(4_000, &|zone| format!(r#"{{"name":"n{zone}","prefixLength":{}}}"#, 20 + zone % 10));
            network("10.0.0.0/8", "[]", false, &format!(r#","add":{add}"#))
        }),
        ("many zones to add between many others", {
            let zones = all(4_000, &|zone| {
                let (a, b) = (zone / 128, zone % 128 * 2);
                format!(r#"{{"name":"z{zone}","worker":"10.{a}.{b}.0/25","workers":"10.{a}.{}.0/25"}}"#, b + 1)
            });
            let add = all(4_000, &|zone| format!(r#"{{"name":"n{zone}"}}"#));
            network("10.0.0.0/11", &zones, false, &format!(r#","add":{add}"#))
        }),
        ("zones to add that are none", network("10.0.0.0/8", "null", false, r#","add":[null,1,{"name":{}}]"#)),
        ("prefixes beyond all types", {
            let add = r#","add":[{"name":"a","prefixLength":1e400},{"name":"b","prefixLength":-1}]"#;
            network("10.0.0.0/8", "[]", false, add)
        }),
        (
            "all addresses",
            network("::/0", r#"[{"workers":"0.0.0.0/0","ipv6CidrBlock":-9223372036854775808}]"#, true, ""),
        ),
    ]
}
