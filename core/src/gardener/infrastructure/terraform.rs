//! The state of the predecessors of the existing extensions, which ran Terraform.

use std::borrow::Cow;

use crate::document::{Value, parse};
use crate::text::base64;

/// The text of a state, out of the document `{ "data", "encoding" }` that holds it; `None` where Terraform never
/// ran.
pub fn text<'d>(document: &'d Value<'_>) -> Result<Option<Cow<'d, str>>, String> {
    let member = |key| document.get(key).and_then(Value::as_str).unwrap_or_default();
    match (member("encoding"), member("data")) {
        ("" | "none", "") => Ok(None),
        ("none", data) => Ok(Some(data.into())),
        ("base64", data) => {
            let text = base64::decode(data).and_then(|bytes| String::from_utf8(bytes).ok());
            let text = text.ok_or("could not decode terraform raw state data: it is no base64 of a text")?;
            Ok(Some(text.into()))
        }
        (other, _) => Err(format!("unknown encoding of Terraformer raw state: {other}")),
    }
}

/// A state of Terraform.
#[derive(Debug)]
pub struct Terraform<'t>(Value<'t>);

impl<'t> Terraform<'t> {
    /// Reads the text of a state.
    pub fn read(text: &'t str) -> Result<Self, String> {
        parse(text).map(Self).map_err(|error| format!("could not decode terraform state: {error}"))
    }

    /// Whether it has outputs, and with them something to go on from.
    pub fn has_outputs(&self) -> bool {
        self.0.get("outputs").is_some()
    }

    /// The value of an output.
    pub fn output(&self, name: &str) -> Option<&str> {
        self.0.at(&["outputs", name, "value"])?.as_str()
    }

    /// The id of a resource that Terraform manages, and of which it has one instance.
    pub fn resource_id(&self, kind: &str, name: &str) -> Option<&str> {
        let is = |resource: &&Value<'_>, key, text| resource.get(key).and_then(Value::as_str) == Some(text);
        let resources = self.0.get("resources").map(Value::items).unwrap_or_default();
        let resource = resources.iter().find(|resource| {
            is(resource, "mode", "managed") && is(resource, "type", kind) && is(resource, "name", name)
        })?;
        match resource.get("instances").map(Value::items) {
            Some([instance]) => instance.at(&["attributes", "id"])?.as_str(),
            _ => None,
        }
    }
}
