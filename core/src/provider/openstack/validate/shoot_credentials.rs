//! The credentials that a Shoot names (OS-SHOOT-002).

use super::credentials::SUPPORTED;
use crate::call::Known;
use crate::document::Value;
use crate::gardener::checks::bindings::reference;
use crate::gardener::checks::kinds::SECRET;
use crate::gardener::checks::secrets::{self, Refusal};
use crate::gardener::types::binding::ObjectReference;
use crate::gardener::types::shoot::Shoot;
use crate::policy::{CORE, Request, RequestError, SECURITY};
use crate::provider::openstack::credentials::domain;
use crate::provider::openstack::rules::shoot as rules;
use crate::report::Report;

/// What Trellis knows of the credentials of a Shoot. It has no `Debug`, so that no message can show a value of a Secret.
#[derive(Clone, PartialEq, Eq)]
pub enum Credentials {
    /// The Shoot names no credentials.
    Unnamed,
    /// The Keystone domain that they belong to.
    Domain(String),
    /// Nobody has looked them up, or the look-up failed; the report says which.
    Unknown,
}

impl Credentials {
    /// The Keystone domain, where it is known.
    pub fn domain(&self) -> Option<&str> {
        match self {
            Self::Domain(domain) => Some(domain),
            Self::Unnamed | Self::Unknown => None,
        }
    }
}

/// Reads the credentials of a Shoot: its binding, and the Secret behind it. Reports why nobody can read them.
pub fn credentials(
    request: &Request<'_>,
    shoot: &Shoot<'_>,
    report: &mut Report<'_>,
) -> Result<Credentials, RequestError> {
    let spec = &shoot.spec;
    let (api_version, kind, name, place) = match (spec.secret_binding_name, spec.credentials_binding_name) {
        (Some(name), _) => (CORE, "SecretBinding", name, "/spec/secretBindingName"),
        (None, Some(name)) => (SECURITY, "CredentialsBinding", name, "/spec/credentialsBindingName"),
        (None, None) => {
            report.leaves_out("the credentials and floating pool of a Shoot without spec.credentialsBindingName");
            return Ok(Credentials::Unnamed);
        }
    };
    let found = match request.object(api_version, kind, shoot.metadata.namespace, name) {
        Known::Found(binding) => behind(request, binding)?,
        Known::Failed(message) => Known::Failed(message),
        Known::Unknown(query) => Known::Unknown(query),
    };
    match found {
        Known::Found(domain) => return Ok(Credentials::Domain(domain)),
        Known::Failed(problem) => {
            let detail = format!("failed to get cloud provider credentials: {problem}");
            report.deny(&rules::SHOOT_002, place, detail).hides_others();
        }
        Known::Unknown(query) => {
            let why = "the credentials of the Shoot are not known here; the Shoot's binding and the Secret behind it are \
                       checked on submit";
            report.undecided(&rules::SHOOT_002, why, Some(query));
        }
    }
    Ok(Credentials::Unknown)
}

/// The Keystone domain of the credentials behind a binding.
fn behind<'r>(request: &Request<'r>, binding: &'r Value<'r>) -> Result<Known<String>, RequestError> {
    let reference = match reference(binding) {
        Ok((reference, _)) => reference,
        Err(error) => return Ok(Known::Failed(error.to_string())),
    };
    let credentials = match secrets::credentials(request, &reference, &SUPPORTED) {
        // The Shoot is judged all the same.
        Err(RequestError::Malformed { message, .. }) => Known::Failed(Refusal::Failed(message)),
        credentials => credentials?,
    };
    Ok(match credentials {
        Known::Found((_, values)) => match domain(&values) {
            Ok(domain) => Known::Found(domain),
            Err(problem) => Known::Failed(within(problem, &reference)),
        },
        Known::Failed(Refusal::Unsupported(message) | Refusal::Failed(message)) => Known::Failed(message),
        Known::Unknown(query) => Known::Unknown(query),
    })
}

/// The words name a Secret, and no InternalSecret.
fn within(problem: String, reference: &ObjectReference<'_>) -> String {
    let ObjectReference { kind, namespace, name, .. } = reference;
    if *kind == SECRET.kind { format!("{problem} in secret {namespace}/{name}") } else { problem }
}
