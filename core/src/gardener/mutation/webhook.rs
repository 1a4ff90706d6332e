//! Which webhook changes which objects: the table that a provider has, and its dispatch.

use super::Change;
use crate::policy::{MutateRequest, Mutated, Mutation, RequestError, kind_of, unsupported_by};
use crate::report::Report;
use crate::text::enumerate;

/// A webhook of a provider's extension.
#[derive(Clone, Copy, Debug)]
pub struct Webhook {
    /// Its name in the fact sheet, such as `controlplane`.
    pub name: &'static str,
    /// The kinds of the objects that it sees.
    pub sees: &'static [SeenKind],
}

/// A kind of objects that a webhook sees.
#[derive(Clone, Copy, Debug)]
pub struct SeenKind {
    /// `apiVersion`
    pub api_version: &'static str,
    /// `kind`
    pub kind: &'static str,
    handlers: Handlers,
}

impl SeenKind {
    /// A kind whose objects are changed by one handler.
    pub const fn all(api_version: &'static str, kind: &'static str, handler: Handler) -> Self {
        Self { api_version, kind, handlers: Handlers::All(handler) }
    }

    /// A kind with a handler for the object of each name; others stay as they are.
    pub const fn by_name(
        api_version: &'static str,
        kind: &'static str,
        handlers: &'static [(&'static str, Handler)],
    ) -> Self {
        Self { api_version, kind, handlers: Handlers::ByName(handlers) }
    }
}

/// What changes the objects of a kind.
#[derive(Clone, Copy, Debug)]
enum Handlers {
    All(Handler),
    ByName(&'static [(&'static str, Handler)]),
}

/// Changes an object.
pub type Handler = fn(&mut Change<'_, '_>) -> Result<(), RequestError>;

/// The names of webhooks.
pub fn names(webhooks: &[Webhook]) -> Vec<&'static str> {
    webhooks.iter().map(|webhook| webhook.name).collect()
}

/// Changes an object as its webhook does. An object that is being deleted stays as it is.
pub fn mutate(request: &MutateRequest<'_>, webhooks: &[Webhook]) -> Result<Mutation, RequestError> {
    let mut change = Change {
        request,
        mutated: Mutated::of(request.object),
        // An OperatingSystemConfig has secrets too.
        report: Report::of_secret(request.object),
    };
    let handler = handler(request, webhooks)?;
    if let Some(handler) = handler.filter(|_| !request.is_deleted()) {
        handler(&mut change)?;
    }
    let (findings, undecided) = change.report.into_parts();
    Ok(Mutation::of(change.mutated, findings, undecided))
}

/// What changes the object of a request; none where it stays as it is. Other kinds do not come to the webhook.
fn handler(request: &MutateRequest<'_>, webhooks: &[Webhook]) -> Result<Option<Handler>, RequestError> {
    let (kind, api_version) = kind_of(request.object);
    let sees =
        webhooks.iter().find(|webhook| webhook.name == request.webhook).map_or(&[][..], |webhook| webhook.sees);
    match sees.iter().find(|seen| (seen.api_version, seen.kind) == (api_version, kind)) {
        Some(SeenKind { handlers: Handlers::All(handler), .. }) => Ok(Some(*handler)),
        Some(SeenKind { handlers: Handlers::ByName(handlers), .. }) => {
            let known = handlers.iter().find(|(name, _)| *name == request.name());
            Ok(known.map(|(_, handler)| *handler))
        }
        None => {
            let kinds: Vec<String> = sees.iter().map(|seen| format!("{}s", seen.kind)).collect();
            let (webhook, kinds) = (request.webhook, enumerate(&kinds, "and"));
            Err(unsupported_by(request.object, format!("the webhook `{webhook}` sees; it sees {kinds}")))
        }
    }
}
