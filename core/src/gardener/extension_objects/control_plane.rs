//! ControlPlanes and Clusters.

use super::{API_VERSION, CLOUD_PROVIDER, copied, members, object};
use crate::document::Value;
use crate::policy::technical_id;

/// The ControlPlane of a Shoot. `infrastructure` is the status of its infrastructure.
pub fn control_plane<'s>(shoot: &'s Value<'s>, infrastructure: Value<'s>) -> Value<'s> {
    let namespace = technical_id(shoot);
    let metadata = Value::object([
        ("name", Value::string(shoot.text_at(&["metadata", "name"]))),
        ("namespace", Value::String(namespace.clone())),
    ]);
    let secret = Value::object([("name", Value::string(CLOUD_PROVIDER)), ("namespace", Value::String(namespace))]);
    let spec = vec![
        ("type", copied(shoot, &["spec", "provider", "type"])),
        ("region", copied(shoot, &["spec", "region"])),
        ("secretRef", Some(secret)),
        ("infrastructureProviderStatus", Some(infrastructure)),
        ("providerConfig", copied(shoot, &["spec", "provider", "controlPlaneConfig"])),
    ];
    object("ControlPlane", metadata, spec)
}

/// The Cluster of a Shoot.
pub fn cluster<'s>(
    shoot: &'s Value<'s>,
    cloud_profile: Option<&'s Value<'s>>,
    seed: Option<&'s Value<'s>>,
) -> Value<'s> {
    Value::object([
        ("apiVersion", Value::string(API_VERSION)),
        ("kind", Value::string("Cluster")),
        ("metadata", Value::object([("name", Value::String(technical_id(shoot)))])),
        (
            "spec",
            members(vec![
                ("cloudProfile", cloud_profile.cloned()),
                ("seed", seed.cloned()),
                ("shoot", Some(shoot.clone())),
            ]),
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;

    #[test]
    fn a_control_plane_and_a_cluster_are_those_of_gardenlet() {
        let shoot = r#"{"metadata":{"name":"s","namespace":"garden-p"},"spec":{"region":"r","provider":{"type":"t","controlPlaneConfig":{"a":1.50}}}}"#;
        let shoot = parse(shoot).unwrap();
        let status = parse(r#"{"b":[]}"#).unwrap();
        assert_eq!(
            control_plane(&shoot, status).to_string(),
            r#"{"apiVersion":"extensions.gardener.cloud/v1alpha1","kind":"ControlPlane","metadata":{"name":"s","namespace":"shoot--p--s"},"spec":{"type":"t","region":"r","secretRef":{"name":"cloudprovider","namespace":"shoot--p--s"},"infrastructureProviderStatus":{"b":[]},"providerConfig":{"a":1.50}}}"#
        );
        let profile = parse(r#"{"kind":"CloudProfile"}"#).unwrap();
        assert_eq!(
            cluster(&shoot, Some(&profile), None).to_string(),
            format!(
                r#"{{"apiVersion":"extensions.gardener.cloud/v1alpha1","kind":"Cluster","metadata":{{"name":"shoot--p--s"}},"spec":{{"cloudProfile":{{"kind":"CloudProfile"}},"shoot":{shoot}}}}}"#
            )
        );
    }
}
