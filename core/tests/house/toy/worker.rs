//! The machines of worker pools.

use std::borrow::Cow;

use trellis_core::document::{JsonText, Value};
use trellis_core::gardener::worker::{ClassValues, MakesMachines, PoolAt, WorkerDraft, WorkerPools, WorkerRules};
use trellis_core::policy::RequestError;
use trellis_core::render::{Bundle, Node, Part, Piece, Template};
use trellis_core::report::Rule;

use super::rendering::{hole, preview_status};
use super::rules;

const RULE: &Rule = &rules::TOY_011;
pub const WORKER_POOLS: WorkerPools = WorkerPools {
    preview_status,
    make,
    zone_label: "topology.toy.example/zone",
    machine_class: Bundle { name: "machineclass", templates: &[MACHINE_CLASS] },
    rules: &WorkerRules { share: RULE, hash: RULE, user_data: RULE, double: RULE, placeholder: RULE },
};

const MACHINE_CLASS: Template = Template {
    file: "machineclass.yaml",
    root: Node::Object(&[
        Part::Json(r#""apiVersion":"machine.sapcloud.io/v1alpha1","kind":"MachineClass""#),
        Part::Member(&[Piece::Json("name")], hole(&["name"])),
        Part::Member(&[Piece::Json("network")], hole(&["network"])),
        Part::Member(&[Piece::Json("zone")], hole(&["zone"])),
    ]),
};

fn make(draft: &mut WorkerDraft<'_>) -> Result<(), RequestError> {
    let Some(status) = draft.infrastructure_status(RULE, Ok) else { return Ok(()) };
    draft.make(&mut Machines(status.get("network").and_then(Value::as_str).unwrap_or_default()))
}

struct Machines<'w>(&'w str);

impl<'w> MakesMachines<'w> for Machines<'w> {
    fn hash_inputs(&self, at: PoolAt<'w>) -> Vec<Cow<'w, str>> {
        at.pool.volume.map(|volume| volume.size.into()).into_iter().collect()
    }

    fn class(&mut self, _pool: PoolAt<'w>, _draft: &mut WorkerDraft<'w>) -> Option<String> {
        Some(Value::object([("network", Value::string(self.0))]).to_string())
    }

    fn place(&mut self, at: PoolAt<'w>, zone: usize, _: &mut WorkerDraft<'w>) -> Option<ClassValues<'w>> {
        Some(vec![("zone", Value::string(*at.pool.zones.get(zone)?))])
    }

    fn provider_status(&self) -> JsonText {
        JsonText::from(&Value::object([("kind", Value::string("WorkerStatus"))]))
    }

    fn has(&self, value: &str) -> bool {
        value == self.0
    }
}
