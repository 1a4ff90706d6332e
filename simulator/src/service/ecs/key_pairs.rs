//! Key pairs, as far as instances were run with them: `DetachKeyPair`.

use serde_json::{Value, json};

use super::instances::NOT_FOUND;
use crate::action::{Action, Call, CloudError, ErrorCode, Form, Shape, TEXT, field, items, record, required};
use crate::world::World;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[DETACH];

const NO_PAIR: ErrorCode =
    ErrorCode::new(400, "InvalidKeyPairName.NotFound", "The specified KeyPairName does not exist in our records.");
const BAD_IDS: ErrorCode = ErrorCode::new(
    400,
    "InvalidInstanceIds.ValueNotSupported",
    "The specified parameter InstanceIds is not valid.",
);
/// The code of the result for an instance that has another key pair or none.
const NOT_ATTACHED: &str = "InvalidKeyPair.NotAttached";

const RESULT: Shape = record(&[
    field("InstanceId", Shape::Text),
    field("Success", Shape::Text),
    field("Code", Shape::Text),
    field("Message", Shape::Text),
]);

const DETACH: Action = Action::write("DetachKeyPair", detach)
    .parameters(&[
        required("RegionId", TEXT),
        required("KeyPairName", TEXT),
        required("InstanceIds", Form::Json(50)).malformed(&BAD_IDS),
    ])
    .answer(&[
        field("KeyPairName", Shape::Text),
        field("TotalCount", Shape::Text),
        field("FailCount", Shape::Text),
        field("Results", record(&[field("Result", items(&RESULT))])),
    ])
    .errors(&[&NO_PAIR, &BAD_IDS]);

/// Each instance has a result of its own; the failure of one does not stop the others.
fn detach(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let name = call.text("KeyPairName");
    if !world.region(call).ecs.key_pairs.contains(name) {
        return Err((&NO_PAIR).into());
    }
    let mut failed = 0;
    let results: Vec<Value> = call
        .texts("InstanceIds")
        .iter()
        .map(|id| {
            let instance = world.region_mut(call).ecs.instances.get_mut(id);
            let (code, message) = match instance {
                None => (NOT_FOUND.code, NOT_FOUND.message),
                Some(instance) if instance.key_pair_name != name => {
                    (NOT_ATTACHED, "The specified instance does not have the specified key pair.")
                }
                Some(instance) => {
                    instance.key_pair_name.clear();
                    return json!({ "InstanceId": id, "Success": "true", "Code": "200", "Message": "successful" });
                }
            };
            failed += 1;
            json!({ "InstanceId": id, "Success": "false", "Code": code, "Message": message })
        })
        .collect();
    Ok(json!({
        "KeyPairName": name,
        "TotalCount": results.len().to_string(),
        "FailCount": failed.to_string(),
        "Results": { "Result": results },
    }))
}
