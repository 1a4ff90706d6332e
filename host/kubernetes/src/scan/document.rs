//! An object of a garden as its API server has it.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::api_server::resource::Resource;
use trellis_policies::manifest::Document;
use trellis_policies::source::read;

/// What every object has.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Head {
    pub(super) api_version: Option<IgnoredAny>,
    pub(super) kind: Option<IgnoredAny>,
    #[serde(default)]
    pub(super) metadata: Metadata,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Metadata {
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) namespace: String,
    pub(super) deletion_timestamp: Option<IgnoredAny>,
}

/// An object of a garden from its text. In lists, objects have neither `apiVersion` nor `kind`. An error never has
/// the text.
pub(super) fn document(of: &Resource, text: &str) -> Result<Document, String> {
    let head: Head = serde_json::from_str(text).map_err(|_| "it is no object".to_owned())?;
    let whole = match (&head.api_version, &head.kind, text.trim_start().strip_prefix('{')) {
        (None, None, Some(members)) => {
            format!(r#"{{"apiVersion":"{}","kind":"{}",{members}"#, of.api_version(), of.kind)
        }
        _ => text.to_owned(),
    };
    let (input, roots) = read("the garden", whole.as_bytes()).map_err(|error| error.problem.to_string())?;
    let documents = Document::all_of(&input, roots).map_err(|error| error.problem.to_string())?;
    documents.into_iter().next().ok_or_else(|| "it is empty".to_owned())
}
