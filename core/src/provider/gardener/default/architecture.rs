//! The architecture of a worker pool that says none (MUT-5).

use super::fill::{entry, put_absent};
use super::places::{WORKERS, pools};
use super::submission::{Offer, Submission};
use crate::document::Value;
use crate::gardener::types::capabilities::AMD64;
use crate::provider::gardener::fields::{items, named, text};
use crate::provider::gardener::profile::architecture_of;
use crate::provider::gardener::rules::default as rules;

/// Gives each pool the architecture of its machine type. Nobody asks for the profile for that, because the rule on
/// the profile does.
pub fn default(submission: &mut Submission<'_, '_>) {
    let Offer::Known(profile) = submission.profile else { return };
    for index in 0..pools(&submission.defaulted.object).len() {
        let name = pools(&submission.defaulted.object).get(index).map(|pool| text(pool, &["machine", "type"]));
        let offered = named(items(profile, &["machineTypes"]), name.unwrap_or_default());
        let architecture = match offered.map(|offered| architecture_of(profile, offered)) {
            None | Some("") => AMD64,
            Some(own) => own,
        };
        let path = (entry(WORKERS, index), &["machine", "architecture"]);
        let reason = "the machine type has this architecture";
        let value = Value::string(architecture.to_owned());
        put_absent(&mut submission.defaulted, &rules::MUT_005, (&path.0, path.1), value, reason);
    }
}
