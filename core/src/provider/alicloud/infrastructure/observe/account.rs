//! Who the credentials belong to.

use super::Look;
use crate::call::{Call, FactAnswer};
use crate::plan::{ACCOUNT, recorded_id};
use crate::policy::{CallError, RequestError};
use crate::provider::alicloud::classify::classify;
use crate::provider::alicloud::infrastructure::errors::{Errors, cause};
use crate::provider::alicloud::infrastructure::facts::Entry;
use crate::provider::alicloud::infrastructure::refusals::Refusals;
use crate::provider::alicloud::infrastructure::world::World;
use crate::provider::alicloud::rules::infrastructure_plan as rules;

impl Look<'_> {
    /// Asks for the account; what forbids to look further, where the state is another one's. Where the cloud does not tell,
    /// the others are read all the same.
    pub fn account(&mut self, world: &mut World) -> Result<Option<Errors>, RequestError> {
        let query = self.queries.account();
        match self.facts.known(&query) {
            None => self.facts.ask(&query),
            Some(FactAnswer::Error { code, message, http_status }) => {
                let Call { service, action, .. } = query.call;
                let classified = classify(&CallError { service, action, code, message, http_status });
                (world.account_error, world.account_codes) = (cause(code, message), classified.codes);
            }
            Some(FactAnswer::Response(response)) => {
                let entry = Entry::new(response);
                world.account = entry.id("AccountId");
                entry.check(&query)?;
            }
        }
        let other =
            recorded_id(self.state, ACCOUNT).filter(|known| **known != world.account && !world.account.is_empty());
        Ok(other.map(|known| {
            let detail = format!(
                "the state is of account {known}, and the credentials belong to account {}",
                world.account
            );
            let mut refusals = Refusals::new(self.input);
            refusals.whole(&rules::PLAN_010, detail);
            Errors::new(refusals.into_findings())
        }))
    }
}
