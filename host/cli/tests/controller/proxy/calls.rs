//! What was asked of the API server.

use std::collections::BTreeMap;
use std::sync::Mutex;

use hyper::Method;

/// A request without the names in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    /// As RBAC has it: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`.
    pub verb: &'static str,
    /// Names and namespaces are `*`.
    pub path: String,
}

/// How often each was asked.
pub type Counts = BTreeMap<Call, u64>;

impl Call {
    /// What a request asks.
    pub fn of(method: &Method, path: &str, query: Option<&str>) -> Self {
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        // `api/v1/…` or `apis/GROUP/VERSION/…`
        let head = if parts.first() == Some(&"api") { 2 } else { 3 };
        let mut kept: Vec<&str> = parts.iter().take(head).copied().collect();
        let mut rest = parts.get(head..).unwrap_or_default();
        if rest.len() > 2 && rest[0] == "namespaces" {
            kept.extend(["namespaces", "*"]);
            rest = &rest[2..];
        }
        let named = rest.len() > 1;
        kept.extend(rest.iter().enumerate().map(|(index, part)| if index == 1 { "*" } else { part }));
        let watches =
            query.is_some_and(|query| query.split('&').any(|pair| matches!(pair, "watch=true" | "watch=1")));
        let verb = match *method {
            Method::GET if watches => "watch",
            Method::GET if named || rest.is_empty() => "get",
            Method::GET => "list",
            Method::POST => "create",
            Method::PUT => "update",
            Method::PATCH => "patch",
            Method::DELETE => "delete",
            _ => "other",
        };
        Self { verb, path: kept.join("/") }
    }

    /// Whether it may change something.
    pub fn writes(&self) -> bool {
        !matches!(self.verb, "get" | "list" | "watch")
    }
}

#[derive(Default)]
pub(super) struct Calls {
    counts: Mutex<Counts>,
    forbidden: Mutex<Vec<Call>>,
}

impl Calls {
    pub(super) fn count(&self, call: &Call) {
        *self.counts.lock().unwrap().entry(call.clone()).or_default() += 1;
    }

    pub(super) fn forbid(&self, call: &Call) {
        self.forbidden.lock().unwrap().push(call.clone());
    }

    pub(super) fn counts(&self) -> Counts {
        self.counts.lock().unwrap().clone()
    }

    pub(super) fn forget(&self) {
        self.counts.lock().unwrap().clear();
    }

    pub(super) fn forbidden(&self) -> Vec<Call> {
        self.forbidden.lock().unwrap().clone()
    }
}
