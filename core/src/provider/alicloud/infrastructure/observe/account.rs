//! The account that the credentials belong to.

use super::Observation;
use crate::call::{Call, FactAnswer};
use crate::gardener::infrastructure::entry::Entry;
use crate::gardener::infrastructure::errors::{Errors, said};
use crate::gardener::infrastructure::findings::PlanFindings;
use crate::plan::{ACCOUNT, recorded_value};
use crate::policy::CallError;
use crate::provider::alicloud::classify::classify;
use crate::provider::alicloud::error_codes::codes;
use crate::provider::alicloud::infrastructure::world::World;
use crate::provider::alicloud::rules::infrastructure_plan as rules;

impl Observation<'_> {
    /// Reads the account. Where the state belongs to another account, that forbids a plan; where the cloud does
    /// not tell the account, the other facts are read all the same.
    pub fn account(&mut self, world: &mut World) -> Option<Errors> {
        let query = self.queries.account();
        match self.facts.known(&query) {
            None => self.facts.ask(query),
            Some(FactAnswer::Error { code, message, http_status }) => {
                let Call { service, action, .. } = query.call;
                let classified = classify(&CallError { service, action, code, message, http_status });
                (world.account_error, world.account_codes) = (said(code, message), classified.codes);
            }
            Some(FactAnswer::Response(response)) => {
                let entry = Entry::new(response);
                entry.id("AccountId").clone_into(&mut world.account);
                if let Err(error) = entry.check(&query) {
                    self.facts.fail(error);
                }
            }
        }
        let other = recorded_value(self.state, ACCOUNT)
            .filter(|known| *known != world.account && !world.account.is_empty());
        other.map(|known| {
            let detail = format!(
                "the state is of account {known}, and the credentials belong to account {}",
                world.account
            );
            let mut findings = PlanFindings::new(self.input.request);
            findings.whole(&rules::PLAN_010, detail);
            Errors::new(findings.into_findings(), codes)
        })
    }
}
