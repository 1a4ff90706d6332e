//! What a module answers that judges and completes objects.

mod default;
mod join;
mod merge;
mod rules;
mod validate;

#[cfg(feature = "schema")]
use std::collections::BTreeMap;

use super::owner::is_of_provider;
use super::part::{call, names};
use super::{About, Function, Part, Reads, Request, RequestError, Scope, judged_kind};
use crate::document::Value;
use crate::functions;
use crate::report::{Report, Rule};
#[cfg(feature = "schema")]
use crate::schema::{Form, answer, request, request_with_null};

pub use default::{DefaultChange, Defaulted, Defaulting};
pub use join::{JoinRequest, Joined, JointScope, join};
pub use merge::{MergeRequest, Merged};
pub use rules::Rules;
pub use validate::Validation;

/// The functions.
pub const JUDGING: &[Function<Judging>] = functions! {
    "rules": "Lists every rule.", rules::rules,
        None => answer::<Rules>;
    "validate": "Judges an object.", validate::validate,
        Some(request_with_null::<super::request::shape::Request>) => answer::<Validation>;
    "default": "Fills in what a person left out.", default::default,
        Some(request_with_null::<super::request::shape::Request>) => answer::<Defaulting>;
    "join": "Joins what several policies say of one object.", join::answer,
        Some(request::<join::shape::JoinRequest>) => answer::<Joined>;
    "merge": "Says what `kubectl apply` makes of a stored object and a manifest.", merge::merge,
        Some(request::<merge::shape::MergeRequest>) => answer::<Merged>;
};

/// The kind of an object that a policy judges.
type Kind = for<'v> fn(&'v Value<'v>) -> Option<&'v str>;
/// Judges an object.
type Validate = fn(&Request<'_>, &mut Report<'_>) -> Result<(), RequestError>;
/// Fills in what a person left out of an object.
type Default = for<'r> fn(&Request<'r>) -> Result<Defaulted<'r>, RequestError>;

/// What a policy judges and completes. What it says is pure: the same request yields the same answer.
pub struct Judging {
    /// What the policy is.
    pub about: About,
    /// What `default` and `validate` read of the context.
    pub reads: Reads,
    /// Every rule, by section, in the order of the reference.
    pub rules: &'static [&'static [&'static Rule]],
    /// The kinds that there is something to judge of, and what judges them.
    pub validate: &'static [(&'static str, Validate)],
    /// Those of the kinds that there are defaults for, and what sets them.
    pub default: &'static [(&'static str, Default)],
    /// What only a policy has that judges objects of every provider.
    pub general: Option<General>,
    /// Makes the JSON Schemas of the configuration kinds, by kind.
    #[cfg(feature = "schema")]
    pub schemas: fn(Form) -> BTreeMap<String, serde_json::Value>,
}

/// What only a policy has that judges objects of every provider.
#[derive(Clone, Copy)]
pub struct General {
    /// The kind of an object that the policy judges, in whatever version of its API the object is.
    pub kind: Kind,
    /// What a verdict covers: one on an object of a kind, or, without a kind, every verdict.
    pub scope: fn(Option<&str>) -> Scope,
    /// Joins what several policies say of one object; request and answer are JSON texts, so that the module of a
    /// provider, which lacks the function, holds no code for either.
    pub join: fn(&str) -> Result<String, RequestError>,
    /// Merges a manifest with the object that is stored, as `kubectl apply` does; texts for the same reason.
    pub merge: fn(&str) -> Result<String, RequestError>,
}

impl Judging {
    /// Every rule, in the order of the reference.
    pub fn rules(&self) -> Vec<&'static Rule> {
        self.rules.concat()
    }

    /// What stands in a table for the kind of the object of a request.
    fn of_kind<T: Copy>(&self, table: &[(&'static str, T)], request: &Request<'_>) -> Option<T> {
        let kind = self.general.map_or(judged_kind as Kind, |general| general.kind)(request.object)?;
        table.iter().find(|(known, _)| *known == kind).map(|(_, found)| *found)
    }

    /// What a verdict covers.
    pub fn scope_of(&self, kind: Option<&str>) -> Scope {
        self.general.map_or_else(|| Scope::of(self.about.parity), |general| (general.scope)(kind))
    }

    /// Reads a request about an object, which is this provider's or names none.
    fn read<'r>(&self, document: &'r Value<'r>) -> Result<Request<'r>, RequestError> {
        let request = Request::read(document, &Request::MEMBERS)?;
        if self.general.is_none() {
            is_of_provider(&request, self.about.provider)?;
        }
        Ok(request)
    }
}

impl Part for Judging {
    fn about(&self) -> About {
        self.about
    }

    fn scope(&self) -> Scope {
        self.scope_of(None)
    }

    fn names(&self) -> Vec<&'static str> {
        names(JUDGING, |name| self.general.is_some() || !["join", "merge"].contains(&name))
    }

    fn reads(&self) -> Reads {
        self.reads
    }

    fn call(&self, function: &str, request: &str) -> Option<Result<String, RequestError>> {
        call(JUDGING, self, function, request)
    }
}
