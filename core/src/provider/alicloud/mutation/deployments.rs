//! Flags of components of the control plane.

use super::Change;
use crate::document::Value;
use crate::gardener::mutation::named;
use crate::policy::RequestError;
use crate::provider::alicloud::rules::mutation as rules;

/// The containers of a Deployment.
pub(super) const CONTAINERS: [&str; 4] = ["spec", "template", "spec", "containers"];

const FLAG: &str = "--cloud-provider=";
const EXTERNAL: &str = "--cloud-provider=external";
const REASON: &str =
    "the cloud controller manager runs beside the kube-controller-manager, which must leave the cloud to it";

/// Has the kube-controller-manager leave the cloud to the cloud controller manager.
pub(super) fn kube_controller_manager(change: &mut Change<'_, '_>) -> Result<(), RequestError> {
    let object = change.request.object;
    let containers = object.at(&CONTAINERS).map(Value::items).unwrap_or_default();
    let Some((index, container)) = named(containers, "name", "kube-controller-manager") else { return Ok(()) };
    let pointer = format!("/{}/{index}/command", CONTAINERS.join("/"));
    let (rule, external) = (&rules::CPW_001, Value::string(EXTERNAL));
    let Some(command) = container.get("command") else {
        return change.mutated.replace(rule, pointer, Value::Array(vec![external]), REASON);
    };
    let mut is_there = false;
    for (place, argument) in command.items().iter().enumerate() {
        let is_flag = argument.as_str().is_some_and(|text| text.starts_with(FLAG));
        is_there |= is_flag;
        if is_flag && argument.as_str() != Some(EXTERNAL) {
            change.mutated.replace(rule, format!("{pointer}/{place}"), external.clone(), REASON)?;
        }
    }
    if is_there {
        return Ok(());
    }
    change.mutated.append_at(rule, &pointer, command.items().len(), external, REASON)
}
