//! The JSON Schemas of the policy's documents, and of the provider configurations in a folder a provider.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use trellis_core::policy::documents;
use trellis_core::schema::Form;

use crate::generated::{Folder, sorted_json};

/// `web/schemas/<Document>.json` and `web/schemas/<provider>/<Kind>.json`.
pub(crate) fn schemas() -> anyhow::Result<Folder> {
    let mut files = BTreeMap::new();
    add(&mut files, Path::new(""), documents())?;
    for provider in trellis_core::providers() {
        add(&mut files, Path::new(provider), trellis_core::kinds(provider, Form::Full))?;
    }
    Ok(Folder { path: PathBuf::from("web/schemas"), files, foreign: Some("gardener") })
}

fn add(
    files: &mut BTreeMap<PathBuf, String>,
    folder: &Path,
    schemas: BTreeMap<String, Value>,
) -> anyhow::Result<()> {
    for (name, schema) in schemas {
        files.insert(folder.join(name).with_added_extension("json"), sorted_json(schema)? + "\n");
    }
    Ok(())
}
