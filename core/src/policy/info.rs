//! `info`: what a policy is, answers and reads.

use serde::Serialize;

use super::answer::text;
use super::{About, Function, Module, PlannedKind, RequestError, Scope};
use crate::collections::NameMap;
use crate::functions;
#[cfg(feature = "schema")]
use crate::schema::answer;

/// What every module answers.
pub const COMMON: &[Function<Module>] = functions! {
    "info": "Says what the policy is, which functions it answers and what it reads.", info,
        None => answer::<Info>;
};

fn info(module: &Module, _request: &str) -> Result<String, RequestError> {
    let part = module.parts.first().ok_or_else(|| RequestError::UnknownProvider(String::new()))?;
    Ok(text(&Info::of(module, &part.about(), part.scope())))
}

/// What a policy is.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Info {
    /// Provider type, as in `spec.provider.type`.
    pub provider: &'static str,
    /// Version of the policy.
    pub version: &'static str,
    /// Release of the existing extension whose rules it carries.
    pub parity: &'static str,
    /// Whose rules a verdict of the policy covers.
    pub scope: Scope,
    /// Names of the functions that this module answers, sorted.
    pub functions: Vec<&'static str>,
    /// Kinds of the provider's own API.
    pub kinds: Vec<ApiKind>,
    /// By function and kind of object: what the policy reads of the request's context, as RFC 6901 pointers with
    /// `*` for every entry of a list. Callers need to send no more.
    pub reads: NameMap<'static, NameMap<'static, Vec<&'static str>>>,
    /// Every call that queries, steps and probes of this module can make with the credentials that the object
    /// names, such as `vpc:CreateVpc`.
    pub calls: Vec<&'static str>,
    /// The kinds whose objects this module plans, each with the types that are this provider's; absent where it
    /// plans none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<PlannedKind>,
    /// The names of the webhooks whose objects this module changes; absent where it changes none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub webhooks: Vec<&'static str>,
}

/// A kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ApiKind {
    /// Group and version.
    pub api_version: &'static str,
    /// Name of the kind.
    pub kind: &'static str,
}

impl Info {
    /// Describes a module by what its policy says.
    fn of(module: &Module, about: &About, scope: Scope) -> Self {
        let functions = module.functions();
        let kind = |kind: &&'static str| ApiKind { api_version: about.api_version, kind };
        let mut reads = NameMap::new();
        for (function, kinds) in module.parts.iter().flat_map(|part| part.reads()) {
            if functions.contains(function) {
                // Every object may be one that a person sends, or its own old version.
                let also: &[&str] = match *function {
                    "validate" => &["/ahead", "/itself", "/request"],
                    "default" => &["/itself"],
                    _ => &[],
                };
                let of_kind = |pointers: &[&'static str]| {
                    let mut pointers: Vec<&'static str> =
                        pointers.iter().copied().chain(also.iter().copied()).collect();
                    pointers.sort_unstable();
                    pointers.dedup();
                    pointers
                };
                reads.insert(function, kinds.iter().map(|(kind, pointers)| (*kind, of_kind(pointers))).collect());
            }
        }
        Self {
            provider: about.provider,
            version: env!("CARGO_PKG_VERSION"),
            parity: about.parity,
            scope,
            kinds: about.kinds.iter().map(kind).collect(),
            reads,
            calls: module.parts.iter().flat_map(|part| part.calls()).collect(),
            plans: module.parts.iter().flat_map(|part| part.planned()).collect(),
            webhooks: module.parts.iter().flat_map(|part| part.webhooks()).collect(),
            functions,
        }
    }
}
