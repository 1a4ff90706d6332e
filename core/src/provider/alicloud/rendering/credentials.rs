//! The credentials of a control plane.

use crate::collections::NameMap;
use crate::document::write;
use crate::gardener::extension_objects::Preview;
use crate::gardener::rendering::ControlPlaneDraft;
use crate::gardener::types::secret::{Secret, Values};
use crate::provider::alicloud::credentials::{ACCESS_KEY_ID, ACCESS_KEY_SECRET};
use crate::provider::alicloud::rules::rendering as rules;
use crate::text::base64;
use crate::text::digest::sha256;

/// The key of the credentials in the format of the cloud's SDKs.
const CREDENTIALS_FILE: &str = "credentialsFile";

/// An access key. It has no `Debug`, so that no message can show it.
pub struct Credentials {
    /// The access key's id, in base64.
    pub id: String,
    /// The access key's secret, in base64.
    pub secret: String,
    /// The credentials in the format of the cloud's SDKs, in base64; empty where the Secret has none.
    pub file: String,
    /// The digest of the Secret's data.
    pub checksum: String,
}

/// Reads the credentials. None where a query has to be answered before, or where an error says what is wrong.
pub fn read(draft: &mut ControlPlaneDraft<'_>) -> Option<Credentials> {
    let name = draft.control_plane.full_name();
    let could_not = format!("could not read credentials from secret referred by controlplane '{name}'");
    draft.credentials(&rules::RND_001, &could_not, of, placeholders)
}

fn of(secret: &Secret<'_>, name: &str) -> Result<Credentials, String> {
    let values = Values::of(secret).map_err(|error| error.to_string())?;
    if secret.data.is_empty() && secret.string_data.is_empty() {
        return Err(format!("secret {name} has no data section"));
    }
    let value = |key: &str, what: &str| {
        let value = values.get(key).ok_or_else(|| format!("secret {name} has no {what}"));
        value.map(base64::encode)
    };
    let all: NameMap<'_, String> =
        values.keys().map(|key| (key, values.get(key).map(base64::encode).unwrap_or_default())).collect();
    Ok(Credentials {
        id: value(ACCESS_KEY_ID, "access key id")?,
        secret: value(ACCESS_KEY_SECRET, "access key secret")?,
        file: values.get(CREDENTIALS_FILE).map(base64::encode).unwrap_or_default(),
        checksum: sha256(write(&all).as_bytes()),
    })
}

/// The credentials of a preview.
fn placeholders(preview: &mut Preview) -> Credentials {
    let mut encoded = |name: &str| base64::encode(preview.placeholder(name).as_bytes());
    Credentials {
        id: encoded("access key id"),
        secret: encoded("access key secret"),
        file: encoded("credentials file"),
        checksum: preview.placeholder("checksum of the credentials"),
    }
}
