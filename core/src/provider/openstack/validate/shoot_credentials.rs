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

/// What Trellis knows of the credentials of a Shoot. It has no `Debug`, so that no message can show a value of a
/// Secret.
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
    let namespace = shoot.metadata.namespace;
    let found = match request.object(api_version, kind, namespace, name) {
        Known::Found(binding) => behind(request, binding)?,
        Known::Failed(words) if request.lacks(api_version, kind, namespace, name) => {
            let remedy = format!("Name a {kind} that exists in the namespace `{namespace}`: `{name}` does not.");
            Known::Failed(Problem { words, remedy })
        }
        Known::Failed(words) => Known::Failed(Problem { words, remedy: TRY_AGAIN.to_owned() }),
        Known::Unknown(query) => Known::Unknown(query),
    };
    match found {
        Known::Found(domain) => return Ok(Credentials::Domain(domain)),
        Known::Failed(Problem { words, remedy }) => {
            let detail = format!("failed to get cloud provider credentials: {words}");
            report.deny(&rules::SHOOT_002, place, detail).remedy(remedy).hides_others();
        }
        Known::Unknown(query) => {
            let why = "the credentials of the Shoot are not known here; the Shoot's binding and the Secret behind it are \
                       checked on submit";
            report.undecided(&rules::SHOOT_002, why, Some(query));
        }
    }
    Ok(Credentials::Unknown)
}

/// Why nobody can read the credentials, in the words of the existing extension, and what to do.
struct Problem {
    words: String,
    remedy: String,
}

/// What to do where a look-up failed.
const TRY_AGAIN: &str = "Try again once the garden's API server answers.";

/// The Keystone domain of the credentials behind a binding.
fn behind<'r>(request: &Request<'r>, binding: &'r Value<'r>) -> Result<Known<String, Problem>, RequestError> {
    let reference = match reference(binding) {
        Ok((reference, _)) => reference,
        Err(error) => {
            let (words, remedy) = (error.to_string(), format!("Fix the binding: {error}."));
            return Ok(Known::Failed(Problem { words, remedy }));
        }
    };
    let ObjectReference { api_version, kind, namespace, name } = reference;
    let secret = format!("{} {namespace}/{name}", if kind.is_empty() { SECRET.kind } else { kind });
    let credentials = secrets::credentials(request, &reference, &SUPPORTED);
    let is_unreadable = matches!(credentials, Err(RequestError::Malformed { .. }));
    let credentials = match credentials {
        // The Shoot is judged all the same.
        Err(RequestError::Malformed { message, .. }) => Known::Failed(Refusal::Failed(message)),
        credentials => credentials?,
    };
    Ok(match credentials {
        Known::Found((_, values)) => match domain(&values) {
            Ok(domain) => Known::Found(domain),
            Err(problem) => {
                let remedy = format!(
                    "Fix the {secret}, to which the binding leads. It needs `domainName`, `tenantName`, and `username` with \
                     `password` or an application credential."
                );
                Known::Failed(Problem { words: within(problem, &reference), remedy })
            }
        },
        Known::Failed(Refusal::Unsupported(words)) => {
            let remedy = "Let the binding lead to a Secret: OpenStack takes no credentials of another kind.";
            Known::Failed(Problem { words, remedy: remedy.to_owned() })
        }
        Known::Failed(Refusal::Failed(words)) => {
            let remedy = if is_unreadable {
                format!("Fix the {secret}, to which the binding leads.")
            } else if request.lacks(api_version, kind, namespace, name) {
                format!("Create the {secret}, to which the binding leads, or let the binding lead to another one.")
            } else {
                TRY_AGAIN.to_owned()
            };
            Known::Failed(Problem { words, remedy })
        }
        Known::Unknown(query) => Known::Unknown(query),
    })
}

/// The words name a Secret, and no InternalSecret.
fn within(problem: String, reference: &ObjectReference<'_>) -> String {
    let ObjectReference { kind, namespace, name, .. } = reference;
    if *kind == SECRET.kind { format!("{problem} in secret {namespace}/{name}") } else { problem }
}
