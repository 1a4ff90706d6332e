//! Bindings of another cloud (ADM-PROV-002 and 003).

use super::super::fields::text;
use super::super::rules::profile as rules;
use crate::document::{Path, Value};
use crate::policy::Request;
use crate::report::{ErrorType, Report};
use crate::text::quote;

/// Whose credentials a binding has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cloud {
    /// Those of the Shoot's cloud, as far as bindings are known.
    Own,
    /// Those of another one, which the report says.
    Another,
}

/// Judges the bindings that the Shoot names, where the request has them.
pub fn judge(request: &Request<'_>, provider: &str, report: &mut Report<'_>) -> Cloud {
    // A SecretBinding may be for several clouds.
    let secret = named(request, "secretBindingName", "secretBinding");
    let secret = secret.filter(|types| types.split(',').all(|one| one != provider) || types.is_empty());
    let credentials = named(request, "credentialsBindingName", "credentialsBinding").filter(|of| *of != provider);
    let (rule, what, of) = match (secret, credentials) {
        (Some(of), _) => (&rules::ADM_PROV_002, "SecretBinding", of),
        (None, Some(of)) => (&rules::ADM_PROV_003, "CredentialsBinding", of),
        (None, None) => return Cloud::Own,
    };
    let path = Path::root("spec.provider.type", "/spec/provider/type");
    let detail = format!("provider type in shoot must match provider type of referenced {what}: {}", quote(of));
    report.error(rule, &path, ErrorType::Invalid, detail);
    Cloud::Another
}

/// The provider type of the binding that the Shoot names in a field; empty where the binding names none.
fn named<'r>(request: &Request<'r>, field: &str, role: &str) -> Option<&'r str> {
    let name = text(request.object, &["spec", field]);
    let binding: &Value<'_> = request.context(role).filter(|_| !name.is_empty())?;
    Some(text(binding, &["provider", "type"]))
}
