//! The Secrets of admission plug-ins (ADM-APL).

use crate::document::{Path, Value};
use crate::provider::gardener::fields::{items, text};
use crate::provider::gardener::rules::profile as rules;
use crate::report::{ErrorType, Report};

const PLUG_INS: Path<'_> = Path::root(
    "spec.kubernetes.kubeAPIServer.admissionPlugins",
    "/spec/kubernetes/kubeAPIServer/admissionPlugins",
);

/// Judges whether the resources of a Shoot have the Secrets that its admission plug-ins name.
pub fn judge(shoot: &Value<'_>, report: &mut Report<'_>) {
    if shoot.at(&["metadata", "deletionTimestamp"]).is_some() {
        return;
    }
    let resources = items(shoot, &["spec", "resources"]);
    let is_resource = |name: &str| {
        resources.iter().any(|resource| {
            let part = |key| text(resource, &["resourceRef", key]);
            part("apiVersion") == "v1" && part("kind") == "Secret" && part("name") == name
        })
    };
    let plug_ins = items(shoot, &["spec", "kubernetes", "kubeAPIServer", "admissionPlugins"]);
    for (index, plug_in) in plug_ins.iter().enumerate() {
        let path = PLUG_INS.index(index);
        let path = path.key("kubeconfigSecretName");
        if let Some(name) = plug_in.get("kubeconfigSecretName").and_then(Value::as_str)
            && !is_resource(name)
        {
            let cause = report.error_at(&path.pointer());
            let detail = "secret should be referenced in shoot .spec.resources";
            let entry = report.error(&rules::ADM_APL_001, &path, ErrorType::Invalid, detail);
            if let Some(cause) = &cause {
                entry.caused_by(cause);
            }
        }
    }
}
