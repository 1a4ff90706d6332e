//! Ranges of pods and services that a Seed has for its Shoots (ADM-NET).

use super::fill::put;
use super::places::pools;
use crate::call::Query;
use crate::document::Value;
use crate::policy::Defaulted;
use crate::provider::gardener::fields::{items, text, texts};
use crate::provider::gardener::rules::default as rules;

/// The Seed that a Shoot names.
pub enum Seed<'r> {
    Known(&'r Value<'r>),
    /// Nobody gave the Seed; the query asks for it.
    Open(Query),
}

/// Fills in the ranges that the Shoot does not name.
pub fn default(seed: &Seed<'_>, defaulted: &mut Defaulted<'_>) {
    for &key in &["pods", "services"] {
        let is_set = defaulted.object.at(&["spec", "networking", key]).is_some();
        let is_needed = key == "services" || !pools(&defaulted.object).is_empty();
        if is_set || !is_needed {
            continue;
        }
        match seed {
            Seed::Known(seed) => {
                let range = text(seed, &["spec", "networks", "shootDefaults", key]);
                let family = if range.contains(':') { "IPv6" } else { "IPv4" };
                let families = items(&defaulted.object, &["spec", "networking", "ipFamilies"]);
                if !range.is_empty() && texts(families).any(|one| one == family) {
                    let range = Value::string(range.to_owned());
                    let reason = "the Seed has this range for Shoots that name none";
                    put(defaulted, &rules::ADM_NET, ("/spec/networking", &[key]), range, reason);
                }
            }
            Seed::Open(query) => {
                let why = crate::text::join(
                    &["the range of", key, "is that of the Seed, which is not known here; it is set on submit"],
                    " ",
                );
                defaulted.undecided(&rules::ADM_NET, why, Some(query.clone()));
            }
        }
    }
}
