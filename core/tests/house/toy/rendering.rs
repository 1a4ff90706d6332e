//! The control plane: a Deployment in the seed and a ConfigMap in the Shoot.

use trellis_core::document::Value;
use trellis_core::gardener::extension_objects::Preview;
use trellis_core::gardener::rendering::{
    ControlPlaneDraft, ControlPlaneParts, ControlPlanes, Delivery, shoot_access,
};
use trellis_core::policy::RequestError;
use trellis_core::render::{Bundle, Hole, Name, Node, Part, Piece, Template};

use super::rules;

pub const CONTROL_PLANES: ControlPlanes = ControlPlanes { preview_status, parts, placeholders: &rules::TOY_011 };

const SEED: Delivery = Delivery::seed(Bundle { name: "seed-controlplane", templates: &[MANAGER] });
const SHOOT: Delivery = Delivery::shoot(Bundle { name: "shoot-system-components", templates: &[NETWORK] });

const MANAGER: Template = Template {
    file: "manager.yaml",
    root: Node::Object(&[
        Part::Json(r#""apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"manager"}"#),
        Part::Member(&[Piece::Json("spec")], hole(&["spec"])),
    ]),
};
const NETWORK: Template = Template {
    file: "network.yaml",
    root: Node::Object(&[
        Part::Json(r#""apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"network"}"#),
        Part::Member(&[Piece::Json("data")], hole(&["data"])),
    ]),
};

pub const fn hole(keys: &'static [&'static str]) -> Node {
    Node::Value(Hole { up: 0, name: Name::Value, keys, line: 1 })
}

pub fn preview_status<'s>(_shoot: &'s Value<'s>, preview: &mut Preview) -> Value<'s> {
    Value::object([("network", Value::string(preview.placeholder("network id")))])
}

fn parts(draft: &mut ControlPlaneDraft<'_>) -> Result<Option<ControlPlaneParts>, RequestError> {
    let status = draft.infrastructure_status(&rules::TOY_011, Ok);
    let replicas = draft.replicas(&rules::TOY_011);
    let (Some(status), Some(replicas)) = (status, replicas) else { return Ok(None) };
    let spec = Value::object([("replicas", Value::string(replicas.to_string()))]);
    let [seed, shoot] = [("spec", spec), ("data", status.clone())].map(|it| Value::object([it]).to_string());
    let deliveries = vec![(SEED, seed), (SHOOT, shoot)];
    let secrets = vec![shoot_access("manager")];
    Ok(Some(ControlPlaneParts { deliveries, secrets, leftovers: &[("v1", "Service", "manager")] }))
}
