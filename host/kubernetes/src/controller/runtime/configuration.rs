//! The extension's own configuration: a file with a ControllerConfiguration.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::SignedDuration;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use trellis_policies::file;
use trellis_policies::source::{self, MAX_BYTES};

/// The role of the account of custom images, and where the configuration names its Secret.
pub const IMAGE_OWNER: (&str, &str) = ("imageOwner", "/machineImageOwnerSecretRef");

/// The kind of the document.
const KIND: &str = "ControllerConfiguration";
/// The end of the API group of every provider.
const GROUP: &str = ".provider.extensions.config.gardener.cloud/";

/// What a configuration file says.
#[derive(Debug, Default)]
pub struct Configuration {
    /// `healthCheckConfig`.
    pub health_check: HealthCheckConfig,
    /// The document, for policies.
    pub document: Option<Box<RawValue>>,
    /// The Secret of the account of custom images, as namespace and name.
    pub image_owner: Option<(String, String)>,
    /// `clientConnection.kubeconfig`.
    pub kubeconfig: Option<PathBuf>,
}

/// How often the health of objects is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HealthCheckConfig {
    /// `syncPeriod`: the time between two checks of an object, and the most that one takes.
    pub period: Duration,
    /// `shootRESTOptions.timeout`: the most for a request to the API server of a Shoot.
    pub timeout: Option<Duration>,
}

impl Default for HealthCheckConfig {
    fn default() -> Self {
        Self { period: Duration::from_secs(30), timeout: None }
    }
}

impl HealthCheckConfig {
    /// What the document has; the member that nobody can read, where there is one. Limits on the number of
    /// requests do not count: there is one in a period.
    fn of(document: &Value) -> Result<Self, &'static str> {
        const PERIOD: &str = "/healthCheckConfig/syncPeriod";
        const TIMEOUT: &str = "/healthCheckConfig/shootRESTOptions/timeout";
        let given = |pointer: &str| document.pointer(pointer).filter(|value| !value.is_null());
        let mut config = Self::default();
        if let Some(value) = given(PERIOD) {
            let period = value.as_str().and_then(|text| text.parse::<SignedDuration>().ok());
            let period = period.and_then(|period| Duration::try_from(period).ok());
            config.period = period.filter(|period| *period >= Duration::from_secs(1)).ok_or(PERIOD)?;
        }
        if let Some(value) = given(TIMEOUT) {
            let nanoseconds = value.as_u64().ok_or(TIMEOUT)?;
            config.timeout = (nanoseconds > 0).then(|| Duration::from_nanos(nanoseconds));
        }
        Ok(config)
    }
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
    /// A time is none.
    #[error(
        "--config-file: `{member}` in `{}` must be a time: `syncPeriod` such as `30s`, of at least a second, `timeout` in nanoseconds",
        file.display()
    )]
    Time {
        /// The file.
        file: PathBuf,
        /// The member, as an RFC 6901 pointer.
        member: &'static str,
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
    /// Reads the configuration of a provider's extension. An empty file says nothing; members that nobody knows
    /// are left alone.
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
        let health_check = HealthCheckConfig::of(&document)
            .map_err(|member| ConfigurationError::Time { file: named(), member })?;
        let document = to_raw_value(&document).map_err(|error| malformed(error.to_string()))?;
        Ok(Self { document: Some(document), image_owner, kubeconfig, health_check })
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
    fn a_configuration_may_say_nothing_and_has_to_say_what_it_is() {
        let nulls =
            "clientConnection: null\nmachineImageOwnerSecretRef: null\nhealthCheckConfig: null\netcd: {}\n";
        for text in [String::new(), HEAD.to_owned(), format!("---\n# chart\n{HEAD}"), format!("{HEAD}{nulls}")] {
            let read = read(&text).unwrap();
            assert_eq!((read.image_owner, read.kubeconfig), (None, None), "{text}");
            assert_eq!(read.health_check, HealthCheckConfig::default(), "{text}");
        }
        for text in ["{}", "# nothing\n", "kind: ControllerConfiguration\n"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_configuration_says_how_often_health_is_checked() {
        let seconds = Duration::from_secs;
        for (text, period, timeout) in [
            ("", 30, None),
            ("healthCheckConfig: {}", 30, None),
            ("healthCheckConfig: { syncPeriod: 1m30s }", 90, None),
            (
                "healthCheckConfig: { syncPeriod: 2m0s, shootRESTOptions: { qps: 1.5, timeout: 5000000000 } }",
                120,
                Some(5),
            ),
            ("healthCheckConfig: { shootRESTOptions: { timeout: 0 } }", 30, None),
        ] {
            let expected = HealthCheckConfig { period: seconds(period), timeout: timeout.map(seconds) };
            assert_eq!(read(&format!("{HEAD}{text}\n")).unwrap().health_check, expected, "{text}");
        }
        for text in [
            "syncPeriod: 0s",
            "syncPeriod: soon",
            "syncPeriod: -1m",
            "syncPeriod: 30",
            "shootRESTOptions: { timeout: 5s }",
        ] {
            let error = read(&format!("{HEAD}healthCheckConfig: {{ {text} }}\n")).unwrap_err();
            assert!(error.contains("must be a time"), "{text}: {error}");
        }
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
