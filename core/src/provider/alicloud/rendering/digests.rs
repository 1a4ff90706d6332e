//! What pods have digests of (`alicloud-manifests` 2).

use super::credentials::Credentials;
use super::status::Network;
use crate::document::write_string;
use crate::gardener::rendering::{ControlPlane, ControlPlaneDraft, Mounted};
use crate::policy::ObjectName;
use crate::provider::alicloud::rules::rendering as rules;
use crate::text::base64;

/// The configuration of the cloud controller manager in base64, and its digest.
pub fn cloud_provider_config(
    draft: &mut ControlPlaneDraft<'_>,
    network: &Network,
    credentials: &Credentials,
) -> (String, String) {
    let namespace = draft.control_plane.namespace;
    let content = base64::encode(config(draft.control_plane, network, credentials).as_bytes());
    let mounted = Mounted {
        workload: ObjectName::within("apps/v1", "Deployment", namespace, "cloud-controller-manager"),
        secret: ObjectName::within("v1", "Secret", namespace, "cloud-provider-config"),
        key: "cloudprovider.conf",
        annotation: "checksum/secret-cloud-provider-config",
        is_in_shoot: false,
    };
    let checksum = draft.checksum(&rules::RND_007, mounted, &content);
    (content, checksum)
}

/// The digest of the credentials that the nodes have.
pub fn credentials_file(draft: &mut ControlPlaneDraft<'_>, content: &str) -> String {
    let mounted = Mounted {
        workload: ObjectName::within("apps/v1", "DaemonSet", "kube-system", "csi-disk-plugin-alicloud"),
        secret: ObjectName::within("v1", "Secret", "kube-system", "csi-diskplugin-alicloud"),
        key: "credentialsFile",
        annotation: "checksum/secret-csi-diskplugin-alicloud",
        is_in_shoot: true,
    };
    draft.checksum(&rules::RND_007, mounted, content)
}

/// The configuration of the cloud controller manager, in the words and the order of the existing extension.
fn config(control_plane: &ControlPlane<'_>, network: &Network, credentials: &Credentials) -> String {
    let namespace = control_plane.namespace;
    let members = [
        ("KubernetesClusterTag", namespace),
        ("clusterID", namespace),
        ("uid", ""),
        ("vpcid", &network.vpc),
        ("region", control_plane.region),
        ("zoneid", &network.zone),
        ("vswitchid", &network.vswitch),
        ("accessKeyID", &credentials.id),
        ("accessKeySecret", &credentials.secret),
        ("routeTableIDS", &network.route_table),
    ];
    let mut text = String::from("{\"Global\":{");
    for (index, (key, value)) in members.into_iter().enumerate() {
        if key == "routeTableIDS" && value.is_empty() {
            continue;
        }
        text.push_str(if index == 0 { "" } else { "," });
        write_string(key, &mut text);
        text.push(':');
        write_string(value, &mut text);
    }
    text.push_str("}}");
    text
}
