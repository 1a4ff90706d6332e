//! The JSON Schemas of the provider configurations and of the policy's documents, a folder a provider.

use std::path::{Path, PathBuf};

use crate::generated::Folder;

/// `web/schemas/<provider>/<Name>.json`.
pub(crate) fn schemas() -> anyhow::Result<Folder> {
    let files = trellis_core::providers()
        .flat_map(|provider| trellis_core::schemas(provider).into_iter().map(move |entry| (provider, entry)))
        .map(|(provider, (name, schema))| {
            let path = Path::new(provider).join(name).with_added_extension("json");
            Ok((path, serde_json::to_string_pretty(&schema)? + "\n"))
        })
        .collect::<anyhow::Result<_>>()?;
    Ok(Folder { path: PathBuf::from("web/schemas"), files })
}
