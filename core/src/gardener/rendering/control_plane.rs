//! The ControlPlane, and what a control plane takes from its Cluster (`gardener-contract` 1.4, 1.11).

use crate::document::Value;
use crate::policy::{ClusterObjects, RenderRequest, RequestError};
use crate::text::join;

/// The annotation of a Cluster that names the Secret with the kubeconfig for tokens.
const GENERIC_KUBECONFIG: &str = "generic-token-kubeconfig.secret.gardener.cloud/name";

/// A control plane: its ControlPlane, or the one that gardenlet would create from the Shoot.
#[derive(Debug)]
pub struct ControlPlane<'r> {
    /// The namespace in the seed, which is the Shoot's name there too.
    pub namespace: &'r str,
    /// The name of the ControlPlane.
    pub name: &'r str,
    /// The cloud's region.
    pub region: &'r str,
    /// Namespace and name of the Secret with the credentials.
    pub secret_ref: (&'r str, &'r str),
    /// The provider's configuration of the control plane.
    pub config: Option<&'r Value<'r>>,
    /// The pointer to that configuration in the object that the person sees.
    pub config_pointer: &'static str,
    /// The status of the infrastructure.
    pub infrastructure_status: Option<&'r Value<'r>>,
    /// Whether only the Shoot is known.
    pub is_preview: bool,
}

/// Most bytes of a name: those of an object in Kubernetes. Names stand in many places of many objects.
const MAX_NAME: usize = 253;

impl<'r> ControlPlane<'r> {
    /// The control plane of a request: its ControlPlane, or, where it has a Shoot alone, the one that gardenlet
    /// would create. A name that no object can have is an error.
    pub fn of(request: &RenderRequest<'_>, object: &'r Value<'r>) -> Result<Self, RequestError> {
        let is_preview = request.control_plane.is_none();
        let control_plane = Self {
            namespace: object.text_at(&["metadata", "namespace"]),
            name: object.text_at(&["metadata", "name"]),
            region: object.text_at(&["spec", "region"]),
            secret_ref: (
                object.text_at(&["spec", "secretRef", "namespace"]),
                object.text_at(&["spec", "secretRef", "name"]),
            ),
            config: object.at(&["spec", "providerConfig"]),
            config_pointer: if is_preview { "/spec/provider/controlPlaneConfig" } else { "/spec/providerConfig" },
            infrastructure_status: object.at(&["spec", "infrastructureProviderStatus"]),
            is_preview,
        };
        let names = [
            ("the namespace of the control plane", control_plane.namespace),
            ("the name of the ControlPlane", control_plane.name),
            ("the region", control_plane.region),
            ("the name of the Secret with the credentials", control_plane.secret_ref.1),
            ("the name of the Shoot", request.cluster.shoot.text_at(&["metadata", "name"])),
            ("the name of the generic kubeconfig", generic_kubeconfig(&request.cluster)),
        ];
        match names.into_iter().find(|(_, name)| name.len() > MAX_NAME) {
            Some((what, name)) => {
                Err(RequestError::TooMany { what, count: name.len(), unit: "bytes", limit: MAX_NAME })
            }
            None => Ok(control_plane),
        }
    }

    /// Names the ControlPlane in messages: `namespace/name`.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.namespace, self.name)
    }
}

/// The Secret with the kubeconfig to which a token belongs.
pub fn generic_kubeconfig<'r>(cluster: &ClusterObjects<'r>) -> &'r str {
    let annotated = cluster.metadata.map(|metadata| metadata.text_at(&["annotations", GENERIC_KUBECONFIG]));
    annotated.filter(|name| !name.is_empty()).unwrap_or("generic-token-kubeconfig")
}

/// The ranges of the Shoot's pods, joined by commas: the one that is asked for, then others that the status has.
pub fn pod_network(shoot: &Value<'_>) -> String {
    let wanted = shoot.text_at(&["spec", "networking", "pods"]);
    let reported = shoot.at(&["status", "networking", "pods"]).map(Value::items).unwrap_or_default();
    let others = reported.iter().filter_map(Value::as_str).filter(|range| *range != wanted);
    let ranges: Vec<&str> = Some(wanted).filter(|range| !range.is_empty()).into_iter().chain(others).collect();
    join(&ranges, ",")
}
