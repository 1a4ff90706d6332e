//! WorkloadIdentities: how their configuration is read, as the object of a request and behind a reference.

use crate::document::decode::Mode;
use crate::document::{Path, Value};
use crate::gardener::provider_config::Config;
use crate::policy::Request;
use crate::report::{ErrorType, Report, Rule};

/// The place of the configuration.
pub const CONFIG: Path<'_> = Path::root("spec.targetSystem.providerConfig", "/spec/targetSystem/providerConfig");

/// What the existing extensions say where there is no configuration.
const MISSING: &str = "the new target system is missing configuration";
/// The same of an old WorkloadIdentity.
const EMPTY: &str = "cannot parse WorkloadIdentityConfig from empty RawExtension";

/// The rules on the configuration of a WorkloadIdentity.
#[derive(Debug)]
pub struct IdentityRules {
    /// There is one.
    pub present: &'static Rule,
    /// It can be read.
    pub readable: &'static Rule,
    /// That of the old WorkloadIdentity can be read.
    pub old: &'static Rule,
}

/// The configuration of the WorkloadIdentity of a request, and that of the old one; none where nobody can read it.
pub fn read_identity<'r, C: Config<'r>>(
    request: &Request<'r>,
    rules: &IdentityRules,
    report: &mut Report<'_>,
) -> (Option<C>, Option<C>) {
    let Some(new) = config(request.object) else {
        report.deny(rules.present, "/spec/targetSystem", MISSING).hides_others();
        return (None, None);
    };
    let pointer = CONFIG.pointer();
    let new = C::read_wholly(new, Mode::Strict, &Path::root("", &pointer), report, |error| {
        let detail = format!("cannot decode the new target system's configuration: {error}");
        (rules.readable, ErrorType::Denied, detail)
    });
    let old = request.old_object.map(|old| match config(old) {
        None => Err(EMPTY.to_owned()),
        Some(old) => C::read(old, Mode::Strict).map_err(|error| error.to_string()),
    });
    let old = old.transpose().unwrap_or_else(|problem| {
        let detail = format!("cannot decode the old target system's configuration: {problem}");
        report.deny(rules.old, &pointer, detail).hides_others();
        None
    });
    (new, old)
}

/// The configuration of a WorkloadIdentity that a CredentialsBinding refers to at a pointer; none where nobody can
/// read it.
pub fn read_referenced<'r, C: Config<'r>>(
    identity: &'r Value<'r>,
    [present, readable]: [&'static Rule; 2],
    place: &str,
    report: &mut Report<'_>,
) -> Option<C> {
    match config(identity).map(|config| C::read(config, Mode::Strict)) {
        None => {
            report.deny(present, place, "the target system is missing configuration");
            None
        }
        Some(Err(error)) => {
            report.deny(readable, place, format!("target system's configuration is not valid: {error}"));
            None
        }
        Some(Ok(config)) => Some(config),
    }
}

/// The configuration of a WorkloadIdentity that a Shoot's DNS provider refers to, or why the Shoot is refused.
pub fn read_for_dns<'r, C: Config<'r>>(identity: &'r Value<'r>) -> Result<C, String> {
    let config = config(identity).ok_or(MISSING)?;
    C::read(config, Mode::Strict)
        .map_err(|error| format!("cannot decode the new target system's configuration: {error}"))
}

fn config<'v>(identity: &'v Value<'v>) -> Option<&'v Value<'v>> {
    identity.at(&["spec", "targetSystem", "providerConfig"])
}
