//! The plan of a DNSRecord in the frame of every plan.

use super::input::Input;
use super::rows;
use super::status;
use super::world::{API, Place, Row, World, observe};
use crate::call::Query;
use crate::document::Path;
use crate::gardener::planning::errors::Errors;
use crate::gardener::planning::facts::{Api, Facts, KnownAccount};
use crate::gardener::planning::findings::{OwnershipRules, PlanFindings};
use crate::gardener::planning::frame::{self, Desired, Ownership, PlanRules, Subject};
use crate::plan::{ACCOUNT, Obstacle, recorded_value};
use crate::policy::{Afterwards, PlanRequest, PlanSubject, Planning, RequestError, State};
use crate::provider::alicloud::queries;
use crate::provider::alicloud::rules::dns_record_plan as rules;

/// What a preview has in place of a domain, because only the account's list of domains says it.
const DOMAIN: &str = "(domain of the account)";

/// Makes a plan, or says which queries somebody has to answer first, or what forbids a plan.
pub fn plan(request: &PlanRequest<'_>) -> Result<Planning, RequestError> {
    let recorded = status::recorded(&request.request, request.state.as_ref())?;
    frame::plan::<Input<'_>>(request, recorded)
}

impl<'r> Subject<'r> for Input<'r> {
    type World = World;

    const API: &'static Api = &API;
    const RULES: &'static PlanRules = &PlanRules {
        ownership: OwnershipRules {
            unrecorded: &rules::DNS_006,
            unbound: &rules::DNS_006,
            nothing_found: &rules::DNS_006,
        },
        account: &rules::DNS_006,
        other_account: &rules::DNS_005,
        remedy: &rules::DNS_004,
    };
    // A name belongs to its domain, and the domain to the account.
    const OWNERSHIP: Ownership = Ownership::ByName;

    fn read(request: &PlanSubject<'r>, recorded: &State) -> Result<Self, Errors> {
        Input::read(request, recorded)
    }

    fn account_query(&self) -> Query {
        queries::account(self.region)
    }

    fn observe(&self, recorded: &State, facts: &mut Facts<'_>, account: &KnownAccount) -> World {
        let is_own = recorded_value(recorded, ACCOUNT).is_some_and(|known| known == account.id);
        observe(self, facts, is_own)
    }

    fn imagine(&self, older: Option<&Self>) -> Result<(World, State), RequestError> {
        let zone = [self.zone, self.known_zone.as_str()].into_iter().find(|zone| zone.contains('.'));
        let place = zone.map_or_else(
            || Place { zone: DOMAIN.to_owned(), rr: Some(self.name.to_owned()) },
            |zone| Place::new(zone, self.name),
        );
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
        match &world.place {
            Some(place) => {
                if let Some(rr) = &place.rr {
                    return Ok(rows::desired(self, place, rr, world, &recorded));
                }
                let detail = format!("name {} does not match domain name {}", self.name, place.domain());
                findings.at(&rules::DNS_003, &Path::root("spec.zone", "/spec/zone"), detail);
            }
            None if self.zone.is_empty() => {
                let detail = format!("could not find DNS domain name for name {}", self.name);
                findings.at(&rules::DNS_002, &Path::root("spec.name", "/spec/name"), detail);
            }
            None => {
                let detail = format!("DNS domain with id {} not found", self.zone);
                findings.at(&rules::DNS_002, &Path::root("spec.zone", "/spec/zone"), detail);
            }
        }
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
