//! The key pair that old versions of the existing extension gave to nodes (`alicloud-cloud` 2.1).

use super::{Desired, Layout};
use crate::plan::{Resource, ResourceKind};
use crate::policy::{Condition, Step};
use crate::provider::alicloud::infrastructure::steps::step;

const KIND: ResourceKind = ResourceKind { name: "key pair of nodes", billed: false, association: true };

/// Its id in the plan.
const ID: &str = "keypair";

/// Most instances in one call.
const MOST: usize = 50;

/// Declares that the plan detaches the key pair from all instances. The key pair itself stays.
pub fn declare(layout: &Layout<'_>, desired: &mut Desired<'_>) {
    let instances = &layout.world.key_pair_instances;
    if instances.is_empty() || !layout.wanted {
        return;
    }
    let detach = |(index, ids): (usize, &[String])| {
        let ids = format!("[\"{}\"]", ids.join("\",\""));
        let parameters = [("KeyPairName", layout.input.key_pair.into()), ("InstanceIds", ids.as_str().into())];
        Step {
            // Each instance has a result of its own; the call goes on where one instance fails.
            expect: vec![Condition::Among { at: "/FailCount", among: &["0"] }],
            ..step(ID, &format!("detach-{}", index + 1), layout.region.ecs("DetachKeyPair", &parameters))
        }
    };
    let mut resource = Resource::new(ID, &KIND, layout.input.key_pair);
    resource.found = Some(layout.input.key_pair.to_owned());
    resource.delete = instances.chunks(MOST).enumerate().map(detach).collect();
    desired.resources.push(resource);
}
