//! The configuration of a profile: whether a profile has one, and whether it can be read.

use crate::document::Path;
use crate::document::decode::{DecodeError, Mode};
use crate::gardener::provider_config::Config;
use crate::gardener::types::cloud_profile::{CloudProfile, PROVIDER_CONFIG, provider_config};
use crate::policy::{Request, RequestError, read};
use crate::report::{ErrorType, Report, Rule};

/// The rules on the configuration of a profile.
#[derive(Debug)]
pub struct ConfigurationRules {
    /// A CloudProfile has a configuration.
    pub present: &'static Rule,
    /// The words for a CloudProfile that has none.
    pub missing: &'static str,
    /// The configuration of a CloudProfile can be read.
    pub cloud_profile: UnreadableWords,
    /// The configuration of a NamespacedCloudProfile can be read.
    pub namespaced_cloud_profile: UnreadableWords,
}

/// The rule for a configuration that nobody can read, and its detail. It gets the name of the profile.
pub type UnreadableWords = fn(&str, &DecodeError) -> (&'static Rule, String);

/// Reads a CloudProfile with its configuration; none where there is no more to judge.
pub fn read_cloud_profile<'r, C: Config<'r>>(
    request: &Request<'r>,
    rules: &ConfigurationRules,
    report: &mut Report<'_>,
) -> Result<Option<(CloudProfile<'r>, C)>, RequestError> {
    let profile: CloudProfile<'r> = read(request.object)?;
    if provider_config(request.object).is_none() {
        let path = Path::root("spec.providerConfig", PROVIDER_CONFIG);
        report.error(rules.present, &path, ErrorType::Required, rules.missing).hides_others();
        return Ok(None);
    }
    Ok(configuration(request, profile, rules.cloud_profile, report))
}

/// Reads a NamespacedCloudProfile with its configuration, which it need not have; none where there is no more to
/// judge.
pub fn read_namespaced_cloud_profile<'r, C: Config<'r>>(
    request: &Request<'r>,
    rules: &ConfigurationRules,
    report: &mut Report<'_>,
) -> Result<Option<(CloudProfile<'r>, C)>, RequestError> {
    let profile: CloudProfile<'r> = read(request.object)?;
    if profile.metadata.deletion_timestamp.is_some() {
        report.leaves_out("a NamespacedCloudProfile in deletion");
        return Ok(None);
    }
    Ok(configuration(request, profile, rules.namespaced_cloud_profile, report))
}

fn configuration<'r, C: Config<'r>>(
    request: &Request<'r>,
    profile: CloudProfile<'r>,
    words: UnreadableWords,
    report: &mut Report<'_>,
) -> Option<(CloudProfile<'r>, C)> {
    let Some(raw) = provider_config(request.object) else { return Some((profile, C::default())) };
    let place = Path::root("", PROVIDER_CONFIG);
    let config = C::read_reporting(raw, Mode::Strict, &place, report, |error| {
        let (rule, detail) = words(profile.metadata.name, error);
        (rule, ErrorType::Denied, detail)
    })?;
    Some((profile, config))
}
