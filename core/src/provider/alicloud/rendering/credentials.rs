//! The credentials of a control plane.

use crate::call::{FactAnswer, Query};
use crate::collections::NameMap;
use crate::document::write;
use crate::gardener::extension_objects::Preview;
use crate::gardener::rendering::ControlPlane;
use crate::gardener::types::secret::{Secret, Values};
use crate::kube::query;
use crate::policy::RenderRequest;
use crate::provider::alicloud::credentials::{ACCESS_KEY_ID, ACCESS_KEY_SECRET};
use crate::provider::alicloud::rules::rendering as rules;
use crate::report::Report;
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
pub fn read(
    request: &RenderRequest<'_>,
    control_plane: &ControlPlane<'_>,
    preview: &mut Preview,
    report: &mut Report<'_>,
) -> Option<Credentials> {
    let (namespace, name) = control_plane.secret_ref;
    let query = query::object("v1", "Secret", namespace, name);
    let problem = match request.fact(&query) {
        None if control_plane.is_preview => return Some(placeholders(preview)),
        None => {
            ask(query, report);
            return None;
        }
        Some(FactAnswer::Error { message, .. }) => message.to_owned(),
        Some(FactAnswer::Response(object)) => match Secret::read(object) {
            Ok(secret) => match of(&secret, &format!("{namespace}/{name}")) {
                Ok(credentials) => return Some(credentials),
                Err(problem) => problem,
            },
            Err(error) => error.to_string(),
        },
    };
    let detail = format!(
        "could not read credentials from secret referred by controlplane '{}': {problem}",
        control_plane.full_name()
    );
    report.deny(&rules::RND_001, "/spec/secretRef", detail);
    None
}

fn ask(query: Query, report: &mut Report<'_>) {
    let why = "nobody has looked up the Secret with the credentials";
    report.undecided(&rules::RND_001, why, Some(query));
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
