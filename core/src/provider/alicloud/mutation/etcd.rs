//! The volumes of etcd.

use crate::document::Value;
use crate::gardener::mutation::Change;
use crate::kube::quantity::Quantity;
use crate::policy::RequestError;
use crate::provider::alicloud::rules::mutation as rules;
use crate::report::Rule;

/// The smallest volume of the cloud.
const CAPACITY: &str = "20Gi";
const SMALLEST: &str = "the cloud has no smaller volumes than 20Gi";

/// The etcd with the objects of a Shoot has the volume that the configuration asks for.
pub(super) fn main(change: &mut Change<'_, '_>) -> Result<(), RequestError> {
    let storage = change.request.configuration.and_then(|configuration| configuration.at(&["etcd", "storage"]));
    let text = |key: &str| match storage.and_then(|storage| storage.get(key)) {
        None => Ok(None),
        Some(Value::String(text) | Value::Number(text)) => Ok(Some(text.to_string())),
        Some(other) => Err(malformed(key, &format!("be a text, not {}", other.kind()))),
    };
    let capacity = text("capacity")?;
    if let Some(capacity) = &capacity
        && Quantity::parse(capacity).is_err()
    {
        return Err(malformed("capacity", "be a quantity such as `25Gi`"));
    }
    let class = text("className")?;
    let reason =
        if capacity.is_some() { "the operator of the seed chooses the volume of this etcd" } else { SMALLEST };
    let capacity = capacity.unwrap_or_else(|| CAPACITY.to_owned());
    set(change, &rules::CPW_009, class.unwrap_or_default(), capacity, reason)
}

fn malformed(key: &str, must: &str) -> RequestError {
    let message = format!("`configuration.etcd.storage.{key}` must {must}");
    RequestError::Malformed { message, pointer: None }
}

/// Every other etcd has the smallest volume of the default class.
pub(super) fn others(change: &mut Change<'_, '_>) -> Result<(), RequestError> {
    set(change, &rules::CPW_010, String::new(), CAPACITY.to_owned(), SMALLEST)
}

fn set(
    change: &mut Change<'_, '_>,
    rule: &'static Rule,
    class: String,
    capacity: String,
    of_capacity: &'static str,
) -> Result<(), RequestError> {
    let of_class = "the class of the volume decides how fast etcd is; an empty one is the default of the seed";
    change.mutated.set(rule, &["spec", "storageClass"], Value::string(class), of_class)?;
    change.mutated.set(rule, &["spec", "storageCapacity"], Value::string(capacity), of_capacity)
}
