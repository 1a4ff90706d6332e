//! Digests on pod templates. The existing extension takes them of its own texts, so that those of the policy
//! differ. Where the cluster holds the same content, its digest is kept, and no pod restarts.

use super::{Credentials, Network};
use crate::call::{FactAnswer, Query};
use crate::document::{Value, write_string};
use crate::gardener::rendering::ControlPlane;
use crate::kube::query;
use crate::policy::{ObjectName, RenderRequest, Restart};
use crate::provider::alicloud::rules::rendering as rules;
use crate::report::Report;
use crate::text::base64;
use crate::text::digest::sha256;

/// Finds the digests.
pub struct DeployedDigests<'k, 'r, 'd> {
    pub request: &'k RenderRequest<'r>,
    pub control_plane: &'k ControlPlane<'r>,
    pub restarts: &'k mut Vec<Restart>,
    pub report: &'k mut Report<'d>,
}

/// A workload, and the Secret whose content its pods have a digest of.
struct Mounted {
    workload: ObjectName,
    secret: ObjectName,
    /// The key of the Secret's data.
    key: &'static str,
    /// The annotation of the pods.
    annotation: &'static str,
    is_in_shoot: bool,
}

/// What the cluster holds.
enum Deployed<'r> {
    /// The objects.
    Found(&'r Value<'r>, &'r Value<'r>),
    /// One of them is not there.
    Absent,
    /// Why nobody knows.
    Unknown(String),
}

impl<'r> DeployedDigests<'_, 'r, '_> {
    /// The configuration of the cloud controller manager in base64, and its digest.
    pub fn cloud_provider_config(&mut self, network: &Network, credentials: &Credentials) -> (String, String) {
        let namespace = self.control_plane.namespace;
        let content = base64::encode(config(self.control_plane, network, credentials).as_bytes());
        let mounted = Mounted {
            workload: named("apps/v1", "Deployment", namespace, "cloud-controller-manager"),
            secret: named("v1", "Secret", namespace, "cloud-provider-config"),
            key: "cloudprovider.conf",
            annotation: "checksum/secret-cloud-provider-config",
            is_in_shoot: false,
        };
        let checksum = self.checksum(mounted, &content);
        (content, checksum)
    }

    /// The digest of the credentials that the nodes have.
    pub fn credentials_file(&mut self, content: &str) -> String {
        let mounted = Mounted {
            workload: named("apps/v1", "DaemonSet", "kube-system", "csi-disk-plugin-alicloud"),
            secret: named("v1", "Secret", "kube-system", "csi-diskplugin-alicloud"),
            key: "credentialsFile",
            annotation: "checksum/secret-csi-diskplugin-alicloud",
            is_in_shoot: true,
        };
        self.checksum(mounted, content)
    }

    fn checksum(&mut self, mounted: Mounted, content: &str) -> String {
        let own = sha256(content.as_bytes());
        if self.control_plane.is_preview {
            return own;
        }
        match self.held(&mounted) {
            Deployed::Found(workload, secret) => {
                let held = secret.at(&["data", mounted.key]).and_then(Value::as_str).unwrap_or_default();
                let pods = ["spec", "template", "metadata", "annotations", mounted.annotation];
                let annotated = workload.at(&pods).and_then(Value::as_str);
                annotated.filter(|_| held == content).map_or(own, str::to_owned)
            }
            Deployed::Absent => own,
            Deployed::Unknown(why) => {
                self.restarts.push(Restart { object: mounted.workload, why: why.into() });
                own
            }
        }
    }

    fn held(&mut self, mounted: &Mounted) -> Deployed<'r> {
        let mut found = Vec::with_capacity(2);
        let mut unknown = None;
        let mut is_absent = false;
        for &object in &[&mounted.workload, &mounted.secret] {
            let query = query_of(object, mounted.is_in_shoot);
            match self.request.fact(&query) {
                Some(FactAnswer::Response(object)) => found.push(object),
                Some(FactAnswer::Error { http_status: 404, .. }) => is_absent = true,
                Some(FactAnswer::Error { message, .. }) => {
                    unknown = Some(format!("{} {} could not be read: {message}", object.kind, object.name));
                }
                None => {
                    let why = format!(
                        "nobody has looked up {} {}; without it, pods may start anew",
                        object.kind, object.name
                    );
                    self.report.undecided(&rules::RND_007, why, Some(query));
                    unknown = Some("nobody has looked up what the cluster holds".to_owned());
                }
            }
        }
        match (found.as_slice(), unknown) {
            _ if is_absent => Deployed::Absent,
            (_, Some(why)) => Deployed::Unknown(why),
            ([workload, secret], None) => Deployed::Found(workload, secret),
            _ => Deployed::Absent,
        }
    }
}

fn named(api_version: &'static str, kind: &'static str, namespace: &str, name: &str) -> ObjectName {
    ObjectName { api_version, kind, namespace: Some(namespace.to_owned()), name: name.to_owned() }
}

fn query_of(object: &ObjectName, is_in_shoot: bool) -> Query {
    let namespace = object.namespace.as_deref().unwrap_or_default();
    let ask = if is_in_shoot { query::object_in_shoot } else { query::object };
    ask(object.api_version, object.kind, namespace, &object.name)
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
