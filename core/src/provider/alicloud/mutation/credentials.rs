//! The Secret with the credentials (`alicloud-policy` 4.5).

use crate::document::Value;
use crate::gardener::mutation::Change;
use crate::gardener::types::secret::{Secret, Values};
use crate::policy::RequestError;
use crate::provider::alicloud::credentials::{ACCESS_KEY_ID, ACCESS_KEY_SECRET};
use crate::provider::alicloud::rules::mutation as rules;
use crate::text::base64;

/// The key of the credentials in the format of the cloud's SDKs.
const CREDENTIALS_FILE: &str = "credentialsFile";

const REASON: &str = "the CSI driver reads the access key in the format of the cloud's SDKs";

/// Writes the access key in the format of the cloud's SDKs.
pub(super) fn secret(change: &mut Change<'_, '_>) -> Result<(), RequestError> {
    let secret = match Secret::read(change.request.object) {
        Ok(secret) => secret,
        Err(error) => {
            let remedy = "Correct the value of this key: it is a text.";
            change.refuse(&rules::CPW_011, error.pointer(), error.to_string(), remedy);
            return Ok(());
        }
    };
    let values = match Values::of(&secret) {
        Ok(values) => values,
        Err(error) => {
            let remedy = "Write the value of this key in base64.";
            change.refuse(&rules::CPW_011, error.pointer(), error.to_string(), remedy);
            return Ok(());
        }
    };
    let mut file = b"[default]\ntype = access_key".to_vec();
    for &(key, name) in &[(ACCESS_KEY_ID, "access_key_id"), (ACCESS_KEY_SECRET, "access_key_secret")] {
        let Some(value) = values.get(key) else {
            let detail = format!("could not mutate cloudprovider secret as \"{key}\" field is missing");
            change.refuse(
                &rules::CPW_011,
                "/data",
                detail,
                "Give the Secret the keys `accessKeyID` and `accessKeySecret`.",
            );
            continue;
        };
        file.extend_from_slice(format!("\n{name} = ").as_bytes());
        file.extend_from_slice(value);
    }
    // The API server prefers `stringData`, which holds texts alone.
    let (member, value) = match String::from_utf8(file) {
        Ok(text) if secret.string_data.contains(CREDENTIALS_FILE) => ("stringData", text),
        Ok(text) => ("data", base64::encode(text.as_bytes())),
        Err(error) => ("data", base64::encode(error.as_bytes())),
    };
    change.mutated.set(&rules::CPW_011, &[member, CREDENTIALS_FILE], Value::string(value), REASON)
}
