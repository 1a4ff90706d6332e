//! The handler of a request, and the input of the handler.

use std::collections::BTreeMap;

use hyper::{Method, StatusCode};
use serde::de::DeserializeOwned;

use super::{Answered, Failed, PREFIX};
use crate::cloud::Cloud;

/// A function that answers a request.
type Handler = fn(&Cloud, &Input<'_>) -> Answered;

/// A method, a path in which `{}` stands for a name, and the handler for both.
pub(super) struct Route(pub(super) Method, pub(super) &'static str, pub(super) Handler);

/// The route of a request.
pub(super) struct MatchedRoute<'a> {
    pub(super) handler: Handler,
    /// The text at `{}`.
    pub(super) name: &'a str,
}

/// The input of a handler.
pub(super) struct Input<'a> {
    /// The text at `{}`.
    pub(super) name: &'a str,
    pub(super) query: &'a str,
    pub(super) body: &'a [u8],
}

/// Finds the handler of a request: the first whose path matches.
pub(super) fn route<'a>(routes: &[Route], method: &Method, path: &'a str) -> Result<MatchedRoute<'a>, Failed> {
    let alike = routes.iter().filter_map(|route| Some((route, matches(route.1, path)?)));
    if let Some((route, name)) = alike.clone().find(|(route, _)| route.0 == *method) {
        return Ok(MatchedRoute { handler: route.2, name });
    }
    let mut methods: Vec<_> = alike.map(|(route, _)| route.0.as_str()).collect();
    methods.sort_unstable();
    methods.dedup();
    if methods.is_empty() {
        return Err(Failed::not_found(format!("there is no `{PREFIX}{path}`")));
    }
    let allow = methods.join(", ");
    let message = format!("`{PREFIX}{path}` has {allow}, not {method}");
    let failed = Failed::new(StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", message);
    Err(Failed { allow: Some(allow), ..failed })
}

/// The text at `{}` in a path that matches a template.
fn matches<'a>(template: &str, path: &'a str) -> Option<&'a str> {
    let mut name = "";
    let mut segments = path.split('/');
    for wanted in template.split('/') {
        let segment = segments.next()?;
        match wanted {
            "{}" if !segment.is_empty() => name = segment,
            _ if wanted == segment => {}
            _ => return None,
        }
    }
    segments.next().is_none().then_some(name)
}

impl Input<'_> {
    /// The number at `{}`.
    pub(super) fn number(&self) -> Result<u64, Failed> {
        self.name.parse().map_err(|_| Failed::not_found(format!("`{}` is no number", self.name)))
    }

    /// The values of the query, which may have these names only.
    pub(super) fn query(&self, names: &[&str]) -> Result<BTreeMap<String, String>, Failed> {
        let mut given = BTreeMap::new();
        for (name, value) in form_urlencoded::parse(self.query.as_bytes()) {
            if !names.contains(&&*name) {
                let may = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
                return Err(Failed::bad(format!(
                    "the query has `{name}`, which is unknown here: it may have {may}"
                )));
            }
            if given.insert(name.clone().into_owned(), value.into_owned()).is_some() {
                return Err(Failed::bad(format!("the query has `{name}` twice")));
            }
        }
        Ok(given)
    }

    /// Refuses a request with a query or a body.
    pub(super) fn nothing(&self) -> Result<(), Failed> {
        self.query(&[])?;
        self.no_body()
    }

    /// Refuses a request with a body.
    pub(super) fn no_body(&self) -> Result<(), Failed> {
        if self.body.is_empty() { Ok(()) } else { Err(Failed::bad("no body is taken here")) }
    }

    /// The body, which is required.
    pub(super) fn body<T: DeserializeOwned>(&self) -> Result<T, Failed> {
        self.query(&[])?;
        if self.body.is_empty() {
            return Err(Failed::bad("a body is needed, in JSON"));
        }
        serde_json::from_slice(self.body)
            .map_err(|error| Failed::bad(format!("the body is not what it must be: {error}")))
    }

    /// The body, or a default where there is none.
    pub(super) fn body_or_default<T: DeserializeOwned + Default>(&self) -> Result<T, Failed> {
        if self.body.is_empty() {
            self.query(&[])?;
            return Ok(T::default());
        }
        self.body()
    }
}

/// Reads a value of a query.
pub(super) fn value<T>(
    given: &mut BTreeMap<String, String>,
    name: &str,
    expected: &str,
    read: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, Failed> {
    let Some(text) = given.remove(name) else { return Ok(None) };
    let value = read(&text);
    value.map(Some).ok_or_else(|| Failed::bad(format!("`{name}` in the query must be {expected}, not `{text}`")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_like_its_template() {
        for (template, path, name) in [
            ("calls", "calls", Some("")),
            ("calls", "calls/", None),
            ("calls", "calls/counts", None),
            ("faults/{}", "faults/1", Some("1")),
            ("faults/{}", "faults/", None),
            ("faults/{}", "faults", None),
            ("faults/{}/release", "faults/1/release", Some("1")),
            ("faults/{}/release", "faults/1", None),
        ] {
            assert_eq!(matches(template, path), name, "{template} {path}");
        }
    }
}
