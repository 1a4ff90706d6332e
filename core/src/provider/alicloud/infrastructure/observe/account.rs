//! The account that the credentials belong to.

use super::Observation;
use crate::gardener::infrastructure::errors::Errors;
use crate::gardener::infrastructure::facts::KnownAccount;
use crate::provider::alicloud::infrastructure::world::World;
use crate::provider::alicloud::rules::infrastructure_plan as rules;

impl Observation<'_> {
    /// Reads the account. Where the state belongs to another account, that forbids a plan.
    pub fn account(&mut self, world: &mut World) -> Option<Errors> {
        let KnownAccount { id, error, codes } = self.facts.account(self.queries.account(), "AccountId");
        (world.account, world.account_error, world.account_codes) = (id, error, codes);
        self.facts.other_account(self.state, &world.account, &rules::PLAN_010)
    }
}
