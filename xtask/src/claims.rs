//! What the program grants to policies: the claims of this release's, by provider. A policy that it loads gets no
//! more.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::ensure;
use serde::Serialize;
use trellis_core::POLICIES;
use trellis_core::policy::claims::Claims;
use trellis_core::policy::{Entry, Part};

/// What the program grants to a policy.
#[derive(Serialize)]
struct Granted {
    #[serde(flatten)]
    claims: Claims,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    types: BTreeMap<&'static str, &'static [&'static str]>,
}

/// The tables, each next to the module that reads it.
pub(crate) fn tables() -> anyhow::Result<BTreeMap<PathBuf, String>> {
    let (mut calls, mut harmless, mut granted) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for entry in POLICIES.0 {
        let (provider, claims) = (entry.name(), entry.claims);
        let (made, by_role) = calls_of(entry);
        if !by_role.is_empty() {
            calls.insert(provider, by_role);
        }
        let unknown = claims.harmless.iter().find(|call| !made.contains(call));
        ensure!(unknown.is_none(), "{provider}: no plan makes the harmless call {unknown:?}");
        let changed = entry.mutating.map(Part::webhooks).unwrap_or_default();
        let unchanged = claims.webhooks.iter().find(|claim| !changed.contains(&claim.name));
        ensure!(unchanged.is_none(), "{provider}: the policy changes no objects of the webhook {unchanged:?}");
        if !claims.harmless.is_empty() {
            harmless.insert(provider, claims.harmless);
        }
        if !claims.reads.is_empty() {
            granted.insert(provider, Granted { claims, types: types_of(entry) });
        }
    }
    let table = |path: &str, text: serde_json::Result<String>| Ok((PathBuf::from(path), text? + "\n"));
    [
        table("host/runner/src/transport/allowed_calls/calls.json", serde_json::to_string_pretty(&calls)),
        table("host/runner/src/transport/allowed_calls/harmless.json", serde_json::to_string_pretty(&harmless)),
        table(
            "host/kubernetes/src/controller/runtime/granted/claims.json",
            serde_json::to_string_pretty(&granted),
        ),
    ]
    .into_iter()
    .collect()
}

/// The calls that the plans of a policy make with the Shoot's account, and all by the role of the account.
fn calls_of(entry: &Entry) -> (Vec<&'static str>, BTreeMap<&'static str, Vec<&'static str>>) {
    let Some(planning) = entry.planning else { return (Vec::new(), BTreeMap::new()) };
    let made = planning.calls();
    let of_others = planning.calls_of_others.iter().map(|(role, calls)| (*role, calls.to_vec()));
    let own = Some(("shoot", made.clone())).filter(|(_, calls)| !calls.is_empty());
    (made, of_others.chain(own).collect())
}

/// The types of the objects that a policy plans, by kind, where they are not the provider type.
fn types_of(entry: &Entry) -> BTreeMap<&'static str, &'static [&'static str]> {
    let planned = entry.planning.map(Part::planned).unwrap_or_default();
    let others = planned.into_iter().filter(|planned| planned.types != [entry.name()]);
    others.map(|planned| (planned.kind.name(), planned.types)).collect()
}
