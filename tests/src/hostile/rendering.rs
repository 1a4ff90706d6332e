//! Requests of `render`.

use super::{all, members};

/// More entries than any real list has.
const MANY: usize = 20_000;

/// The requests, with a name each.
pub fn requests() -> Vec<(&'static str, String)> {
    let preview = |shoot: &str| format!(r#"{{"what":"controlPlane","cluster":{{"shoot":{{{shoot}}}}}}}"#);
    let with = |rest: &str| {
        format!(
            r#"{{"what":"controlPlane","cluster":{{"shoot":{{"metadata":{{"name":"s","namespace":"garden-p"}}}}}},{rest}}}"#
        )
    };
    let long = "n".repeat(1 << 20);
    let gates = members(MANY, &|gate| format!(r#""Gate{gate}":true"#));
    let config = |config: &str| {
        preview(&format!(
            r#""spec":{{"provider":{{"controlPlaneConfig":{{"apiVersion":"alicloud.provider.extensions.gardener.cloud/v1alpha1","kind":"ControlPlaneConfig",{config}}}}}}}"#
        ))
    };
    vec![
        ("render: no what", r#"{"cluster":{"shoot":{}}}"#.to_owned()),
        ("render: no shoot", r#"{"what":"controlPlane","cluster":{}}"#.to_owned()),
        ("render: an empty shoot", preview("")),
        ("render: a long name", preview(&format!(r#""metadata":{{"name":"{long}"}}"#))),
        ("render: a long region", preview(&format!(r#""spec":{{"region":"{long}"}}"#))),
        (
            "render: names with structure",
            preview(r#""metadata":{"name":"a\n- b: {{c}} # \"d\" 'e' ! &f *g","namespace":"\t}]"}"#),
        ),
        ("render: many gates", config(&format!(r#""cloudControllerManager":{{"featureGates":{{{gates}}}}}"#))),
        (
            "render: many pod ranges",
            preview(&format!(
                r#""status":{{"networking":{{"pods":{}}}}}"#,
                all(MANY, &|pod| format!(r#""{pod}""#))
            )),
        ),
        (
            "render: many images",
            with(&format!(r#""images":{}"#, all(MANY, &|image| format!(r#"{{"name":"i{image}"}}"#)))),
        ),
        (
            "render: a thousand images",
            with(&format!(
                r#""images":{}"#,
                all(1_000, &|image| format!(r#"{{"name":"i{image}","repository":"r"}}"#))
            )),
        ),
        ("render: an image that is no object", with(r#""images":[1]"#)),
        ("render: a control plane without anything", with(r#""controlPlane":{}"#)),
        (
            "render: a secret that is no base64",
            with(
                r#""controlPlane":{"spec":{"secretRef":{"name":"c","namespace":"n"}}},"facts":[{"query":"kubernetes/get/v1/Secret/n/c","answer":{"response":{"data":{"accessKeyID":"%"}}}}]"#,
            ),
        ),
    ]
}
