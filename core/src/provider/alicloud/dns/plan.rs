//! The plan of a DNSRecord in the frame of every plan.

use super::form;
use super::input::{Input, NAME};
use super::rows;
use super::status;
use super::world::{API, Place, Row, World, known_place, observe};
use crate::call::Query;
use crate::document::Path;
use crate::gardener::planning::errors::Errors;
use crate::gardener::planning::facts::{Facts, KnownAccount};
use crate::gardener::planning::findings::{OwnershipRules, PlanFindings};
use crate::gardener::planning::frame::{self, Desired, Frame, Ownership, PlanRules, Subject};
use crate::plan::{ACCOUNT, Obstacle, recorded_value};
use crate::policy::{Afterwards, PlanAnswer, PlanRequest, PlanSubject, RequestError, State};
use crate::provider::alicloud::queries;
use crate::provider::alicloud::rules::dns_record_plan as rules;

/// What a preview has in place of a domain, because only the account's list of domains says it.
const DOMAIN: &str = "(domain of the account)";
const RR: &str = "(name in the domain)";

/// Makes a plan, or says which queries somebody has to answer first, or what forbids a plan.
pub fn plan(request: &PlanRequest<'_>) -> Result<PlanAnswer, RequestError> {
    let recorded = status::recorded(&request.request, request.state.as_ref())?;
    frame::plan::<Input<'_>>(request, recorded)
}

impl<'r> Subject<'r> for Input<'r> {
    type World = World;

    const FRAME: &'static Frame = &Frame {
        api: &API,
        rules: PlanRules {
            // Not reached, because a name proves whose the rows are, and nothing is given up by an id alone.
            ownership: OwnershipRules {
                unrecorded: &rules::DNS_006,
                unbound: &rules::DNS_006,
                nothing_found: &rules::DNS_006,
            },
            account: &rules::DNS_006,
            other_account: &rules::DNS_005,
            remedy: &rules::DNS_004,
        },
        // A name belongs to its domain, and the domain to the account.
        ownership: Ownership::ByName,
        without_account: |state| state,
    };

    fn read(request: &PlanSubject<'r>, recorded: &State) -> Result<Self, Errors> {
        let input = Input::read(request, recorded);
        let findings = form::check(&input, request.document(), recorded_value(recorded, NAME));
        if findings.is_empty() { Ok(input) } else { Err(Errors::unreadable(findings)) }
    }

    fn account_query(&self) -> Query {
        queries::account(self.region)
    }

    fn observe(&self, recorded: &State, facts: &mut Facts<'_>, account: &KnownAccount) -> World {
        let is_own = recorded_value(recorded, ACCOUNT).is_some_and(|known| known == account.id);
        observe(self, facts, is_own)
    }

    fn imagine(&self, older: Option<&Self>) -> Result<(World, State), RequestError> {
        let unknown = || Place { zone: DOMAIN.to_owned(), rr: Some(RR.to_owned()) };
        let place = known_place(self).unwrap_or_else(unknown);
        let older = older.filter(|older| older.title() == self.title());
        let row = |(index, value): (usize, &&str)| Row {
            id: format!("(record {})", index + 1),
            value: (*value).to_owned(),
            ttl: older.map(|older| older.ttl).unwrap_or_default().to_owned(),
        };
        let rows = older.map(|older| older.values.iter().enumerate().map(row).collect()).unwrap_or_default();
        Ok((World { place: Some(place), rows, ..World::default() }, State::new()))
    }

    fn desired<'i>(&'i self, world: &World, recorded: State) -> Result<Desired<'i>, RequestError> {
        let mut findings = PlanFindings::new(self.request);
        let asked = if self.zone.is_empty() { ("spec.name", "/spec/name") } else { ("spec.zone", "/spec/zone") };
        let (rule, detail) = match &world.place {
            Some(place) if world.lacks_domain => {
                (&rules::DNS_002, format!("the account has no domain {}", place.domain()))
            }
            Some(place) => match &place.rr {
                Some(rr) => return Ok(rows::desired(self, place, rr, world, &recorded)),
                None => {
                    (&rules::DNS_003, format!("name {} does not match domain name {}", self.name, place.domain()))
                }
            },
            None if self.zone.is_empty() => {
                (&rules::DNS_002, format!("could not find DNS domain name for name {}", self.name))
            }
            None => (&rules::DNS_002, format!("DNS domain with id {} not found", self.zone)),
        };
        findings.at(rule, &Path::root(asked.0, asked.1), detail);
        Ok(Desired { resources: Vec::new(), state: recorded, findings })
    }

    fn add_obstacle(&self, findings: &mut PlanFindings<'_>, Obstacle { id, remedy, .. }: &Obstacle) {
        findings.whole(&rules::DNS_004, format!("{id}: {remedy}"));
    }

    // The next reconcile looks again, and the answers of these calls are certain.
    fn afterwards(&self, _world: &World) -> Option<Afterwards> {
        Some(Afterwards::Done)
    }
}
