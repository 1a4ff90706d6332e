//! The ControlPlane, and what a control plane takes from its Cluster (`gardener-contract` 1.4, 1.11).

use std::borrow::Cow;

use crate::document::Value;
use crate::policy::{ClusterObjects, RenderRequest, RequestError, technical_id};
use crate::text::join;

/// The annotation of a Cluster that names the Secret with the kubeconfig for tokens.
const GENERIC_KUBECONFIG: &str = "generic-token-kubeconfig.secret.gardener.cloud/name";

/// A control plane: its ControlPlane, or the one that gardenlet would create from the Shoot.
#[derive(Debug)]
pub struct ControlPlane<'r> {
    /// The namespace in the seed, which is the Shoot's name there too.
    pub namespace: Cow<'r, str>,
    /// The name of the ControlPlane.
    pub name: &'r str,
    /// The cloud's region.
    pub region: &'r str,
    /// Namespace and name of the Secret with the credentials.
    pub secret_ref: (Cow<'r, str>, &'r str),
    /// The provider's configuration of the control plane.
    pub config: Option<&'r Value<'r>>,
    /// The pointer to that configuration in the object that the person sees.
    pub config_pointer: &'static str,
    /// The status of the infrastructure; none in a preview, which has only a Shoot.
    pub infrastructure_status: Option<&'r Value<'r>>,
    /// Whether only the Shoot is known.
    pub is_preview: bool,
}

/// Most bytes of a name: those of an object in Kubernetes. Names stand in many places of many objects.
const MAX_NAME: usize = 253;

impl<'r> ControlPlane<'r> {
    /// The control plane of a request. A name that no object can have is an error.
    pub fn of(request: &RenderRequest<'r>) -> Result<Self, RequestError> {
        let control_plane = Self::read(request);
        let names = [
            ("the namespace of the control plane", control_plane.namespace.as_ref()),
            ("the name of the ControlPlane", control_plane.name),
            ("the region", control_plane.region),
            ("the name of the Secret with the credentials", control_plane.secret_ref.1),
            ("the name of the Shoot", text(request.cluster.shoot, &["metadata", "name"])),
            ("the name of the generic kubeconfig", generic_kubeconfig(&request.cluster)),
        ];
        let long = names.into_iter().find(|(_, name)| name.len() > MAX_NAME);
        match long.map(|(what, name)| (what, name.len())) {
            Some((what, count)) => Err(RequestError::TooMany { what, count, unit: "bytes", limit: MAX_NAME }),
            None => Ok(control_plane),
        }
    }

    fn read(request: &RenderRequest<'r>) -> Self {
        let shoot = request.cluster.shoot;
        let Some(object) = request.control_plane else {
            let namespace = technical_id(shoot);
            return Self {
                name: text(shoot, &["metadata", "name"]),
                region: text(shoot, &["spec", "region"]),
                secret_ref: (namespace.clone(), "cloudprovider"),
                namespace,
                config: shoot.at(&["spec", "provider", "controlPlaneConfig"]),
                config_pointer: "/spec/provider/controlPlaneConfig",
                infrastructure_status: None,
                is_preview: true,
            };
        };
        let secret = |key| text(object, &["spec", "secretRef", key]);
        Self {
            namespace: text(object, &["metadata", "namespace"]).into(),
            name: text(object, &["metadata", "name"]),
            region: text(object, &["spec", "region"]),
            secret_ref: (secret("namespace").into(), secret("name")),
            config: object.at(&["spec", "providerConfig"]),
            config_pointer: "/spec/providerConfig",
            infrastructure_status: object.at(&["spec", "infrastructureProviderStatus"]),
            is_preview: false,
        }
    }

    /// Names the ControlPlane in messages: `namespace/name`.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.namespace, self.name)
    }
}

/// The Secret with the kubeconfig to which a token belongs.
pub fn generic_kubeconfig<'r>(cluster: &ClusterObjects<'r>) -> &'r str {
    let annotated = cluster.metadata.map(|metadata| text(metadata, &["annotations", GENERIC_KUBECONFIG]));
    annotated.filter(|name| !name.is_empty()).unwrap_or("generic-token-kubeconfig")
}

/// The ranges of the Shoot's pods, joined by commas: the one that is asked for, then others that the status tells.
pub fn pod_network(shoot: &Value<'_>) -> String {
    let wanted = text(shoot, &["spec", "networking", "pods"]);
    let told = shoot.at(&["status", "networking", "pods"]).map(Value::items).unwrap_or_default();
    let others = told.iter().filter_map(Value::as_str).filter(|range| *range != wanted);
    let ranges: Vec<&str> = Some(wanted).filter(|range| !range.is_empty()).into_iter().chain(others).collect();
    join(&ranges, ",")
}

fn text<'v>(value: &'v Value<'v>, keys: &[&str]) -> &'v str {
    value.at(keys).and_then(Value::as_str).unwrap_or_default()
}
