//! The extension's own configuration: a file with a ControllerConfiguration.

use std::path::{Path, PathBuf};

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::infrastructure::IMAGE_OWNER;
use crate::file;
use crate::source::{self, MAX_BYTES};

/// The kind of the document.
const KIND: &str = "ControllerConfiguration";
/// The end of the API group of every provider.
const GROUP: &str = ".provider.extensions.config.gardener.cloud/";

/// What a configuration file says.
#[derive(Debug, Default)]
pub struct Configuration {
    /// The document, for policies.
    pub document: Option<Box<RawValue>>,
    /// The Secret of the account of custom images, as namespace and name.
    pub image_owner: Option<(String, String)>,
    /// `clientConnection.kubeconfig`.
    pub kubeconfig: Option<PathBuf>,
}

/// Why a file is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigurationError {
    /// It cannot be read.
    #[error("--config-file: cannot read `{}`: {error}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// It is neither YAML nor JSON.
    #[error("--config-file: `{}` cannot be read as YAML: {problem}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Why not.
        problem: String,
    },
    /// It is something else.
    #[error(
        "--config-file: `{}` is no {KIND} of this provider: set `apiVersion: {wanted}` and `kind: {KIND}`",
        file.display()
    )]
    Other {
        /// The file.
        file: PathBuf,
        /// The `apiVersion` that it should have.
        wanted: String,
    },
    /// A member has another form.
    #[error("--config-file: `{member}` in `{}` must have `namespace` and `name`", file.display())]
    Member {
        /// The file.
        file: PathBuf,
        /// The member, as an RFC 6901 pointer.
        member: &'static str,
    },
}

impl Configuration {
    /// Reads the configuration of a provider's extension. An empty file says nothing; members that nobody knows are left alone.
    pub fn read(path: &Path, provider: &str) -> Result<Self, ConfigurationError> {
        let named = || path.to_owned();
        let bytes = file::read(path, MAX_BYTES as u64)
            .map_err(|error| ConfigurationError::Unreadable { file: named(), error })?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(Self::default());
        }
        let malformed = |problem: String| ConfigurationError::Malformed { file: named(), problem };
        let (_, documents) = source::read(&path.display().to_string(), &bytes)
            .map_err(|error| malformed(error.problem.without_text().to_string()))?;
        let wanted = format!("{provider}{GROUP}v1alpha1");
        let other = || ConfigurationError::Other { file: named(), wanted: wanted.clone() };
        let [document] = documents.as_slice() else { return Err(other()) };
        let document: Value =
            serde_json::from_str(&document.to_json()).map_err(|error| malformed(error.to_string()))?;
        let text = |pointer: &str| document.pointer(pointer).and_then(Value::as_str);
        if text("/kind") != Some(KIND) || text("/apiVersion") != Some(&wanted) {
            return Err(other());
        }
        let member = IMAGE_OWNER.1;
        let image_owner = match document.pointer(member) {
            None | Some(Value::Null) => None,
            Some(reference) => {
                let part = |key| reference.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
                let parts = part("namespace").zip(part("name"));
                let parts = parts.ok_or_else(|| ConfigurationError::Member { file: named(), member })?;
                Some((parts.0.to_owned(), parts.1.to_owned()))
            }
        };
        let kubeconfig = text("/clientConnection/kubeconfig").filter(|path| !path.is_empty()).map(PathBuf::from);
        let document = to_raw_value(&document).map_err(|error| malformed(error.to_string()))?;
        Ok(Self { document: Some(document), image_owner, kubeconfig })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Configuration, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.yaml");
        std::fs::write(&file, text).unwrap();
        let place = file.display().to_string();
        Configuration::read(&file, "alicloud").map_err(|error| error.to_string().replace(&place, "FILE"))
    }

    const HEAD: &str =
        "apiVersion: alicloud.provider.extensions.config.gardener.cloud/v1alpha1\nkind: ControllerConfiguration\n";

    #[test]
    fn a_configuration_names_the_account_of_custom_images_and_goes_to_policies_whole() {
        let text =
            format!("{HEAD}machineImageOwnerSecretRef: {{ namespace: garden, name: owner }}\ncsi: {{ a: 1 }}\n");
        let configuration = read(&text).unwrap();
        assert_eq!(configuration.image_owner, Some(("garden".to_owned(), "owner".to_owned())));
        assert!(configuration.document.unwrap().get().contains("\"csi\":{\"a\":1}"));
        assert!(read(" \n").unwrap().document.is_none());
    }

    #[test]
    fn what_is_no_configuration_says_what_to_write() {
        assert_eq!(
            read("apiVersion: v1\nkind: Secret\n").unwrap_err(),
            "--config-file: `FILE` is no ControllerConfiguration of this provider: set `apiVersion: \
             alicloud.provider.extensions.config.gardener.cloud/v1alpha1` and `kind: ControllerConfiguration`"
        );
        assert!(read("a: [").unwrap_err().starts_with("--config-file: `FILE` cannot be read as YAML: "));
        let text = format!("{HEAD}machineImageOwnerSecretRef: {{ name: owner }}\n");
        assert_eq!(
            read(&text).unwrap_err(),
            "--config-file: `/machineImageOwnerSecretRef` in `FILE` must have `namespace` and `name`"
        );
    }
}
