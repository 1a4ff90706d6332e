//! A Shoot that is submitted, and what its defaults are chosen from.

use crate::call::Query;
use crate::document::Value;
use crate::kube::time::Time;
use crate::policy::Defaulted;
use crate::provider::gardener::garden::Garden;
use crate::report::Rule;

/// A Shoot whose defaults are filled in, and what they are chosen from.
pub struct Submission<'s, 'r> {
    pub defaulted: Defaulted<'r>,
    pub garden: Garden,
    /// The old Shoot, with the defaults of a stored object.
    pub old: Option<&'s Value<'r>>,
    /// What the profile offers.
    pub profile: Offer<'r>,
    pub now: Option<Time>,
    /// Whether a person looks at the update in advance.
    pub is_ahead: bool,
}

/// What a profile offers.
pub enum Offer<'r> {
    Known(&'r Value<'r>),
    /// Nobody gave the profile, and the query asks for it; or the profile does not yet say what it offers.
    Open(Option<Query>),
}

impl<'r> Submission<'_, 'r> {
    /// What the profile offers, and the time; none where a choice has to wait for one of them, which the answer
    /// then says.
    pub fn offer(&mut self, rule: &'static Rule, what: &str) -> Option<(&'r Value<'r>, Time)> {
        let (why, query) = match (&self.profile, self.now) {
            (Offer::Known(profile), Some(now)) => return Some((profile, now)),
            (Offer::Open(query), _) => {
                ("is chosen on submit: what the CloudProfile of the Shoot offers is not known here", query.clone())
            }
            (Offer::Known(_), None) => {
                ("is chosen on submit: the request does not say the time, by which versions expire", None)
            }
        };
        // Said once for all worker pools.
        if self.defaulted.undecided.iter().all(|open| open.rule != rule.id) {
            self.defaulted.undecided(rule, crate::text::join(&[what, why], " "), query);
        }
        None
    }
}
