//! The plan of a network, which is one resource.

use trellis_core::call::{Call, Paging, Query};
use trellis_core::gardener::infrastructure::config::config;
use trellis_core::gardener::planning::facts::{Api, Facts, KnownAccount};
use trellis_core::gardener::planning::findings::{OwnershipRules, PlanFindings};
use trellis_core::gardener::planning::frame::{Desired, Frame, Ownership, PlanRules, Subject};
use trellis_core::gardener::planning::steps::{create, report, step};
use trellis_core::gardener::planning::{entry::Entry, errors::Errors};
use trellis_core::plan::{Obstacle, Resource, ResourceKind};
use trellis_core::policy::{CallError, Classification, Outcome, PlanOperation, PlanSubject, RequestError, State};
use trellis_core::report::Rule;

use super::api::InfrastructureConfig;
use super::rules;

const RULE: &Rule = &rules::TOY_011;
const OWNERSHIP: OwnershipRules = OwnershipRules { unrecorded: RULE, unbound: RULE, nothing_found: RULE };
const NETWORK: ResourceKind = ResourceKind { name: "network", billed: false, association: false };

pub fn classify(error: &CallError<'_>) -> Classification {
    Classification { outcome: Outcome::Retry, codes: Vec::new(), message: error.message.to_owned() }
}

const API: Api = Api {
    is_gone: |code, _| code == "Gone",
    check: |_, _, _| Ok(()),
    is_asked_for: |_, entry| entry.text(&["owner"]) == "me",
    cloud: "Toys",
    classify,
    refuses_credentials: |_| false,
    codes: |_| Vec::new(),
    not_called: &[],
    unreadable: RULE,
};
pub const FRAME: Frame = Frame {
    api: &API,
    rules: PlanRules { ownership: OWNERSHIP, account: RULE, other_account: RULE, remedy: RULE },
    ownership: Ownership::Recorded,
    without_account: |state| state,
};

/// The query that the account of the credentials answers.
pub fn who() -> Query {
    Query { id: "who".to_owned(), call: call("WhoAmI"), paging: Paging::None, identity: Some("/id") }
}

pub fn call(action: &'static str) -> Call {
    Call { service: "toys", action, ..Call::default() }
}

pub struct Input<'r> {
    request: PlanSubject<'r>,
    config: InfrastructureConfig<'r>,
}

impl<'r> Subject<'r> for Input<'r> {
    type World = Option<(String, String)>;

    const FRAME: &'static Frame = &FRAME;

    fn read(request: &PlanSubject<'r>, _recorded: &State) -> Result<Self, Errors> {
        Ok(Self { request: *request, config: config(request, &rules::TOY_002)? })
    }

    fn account_query(&self) -> Query {
        who()
    }

    fn observe(&self, _recorded: &State, facts: &mut Facts<'_>, _account: &KnownAccount) -> Self::World {
        let read = |entry: &Entry<'_>| (entry.id("id").to_owned(), entry.text(&["cidr"]).to_owned());
        let query = Query { id: "networks".to_owned(), call: call("List"), paging: Paging::None, identity: None };
        facts.list(query, "/networks", None, read)?.into_iter().next()
    }

    fn imagine(&self, older: Option<&Self>) -> Result<(Self::World, State), RequestError> {
        let made = |older: &Self| ("(network)".to_owned(), older.config.cidr.unwrap_or_default().to_owned());
        let recorded = older.map(|_| ("Network", "(network)".to_owned())).into_iter().collect();
        Ok((older.map(made), recorded))
    }

    fn desired<'i>(&'i self, found: &Self::World, state: State) -> Result<Desired<'i>, RequestError> {
        let mut network = Resource::new("network", &NETWORK, &self.request.technical_id());
        network.wanted = self.request.operation != PlanOperation::Delete;
        network.key = Some("Network".to_owned());
        if let Some((id, cidr)) = found {
            network.found = Some(id.clone());
            network.attributes = vec![report("cidr", self.config.cidr.map(str::to_owned), cidr)];
        }
        network.create = vec![create("network", call("Make"), "Network", "/id")];
        network.delete = vec![step("network", "delete", call("Break"))];
        Ok(Desired { resources: vec![network], state, findings: PlanFindings::new(self.request) })
    }

    fn add_obstacle(&self, findings: &mut PlanFindings<'_>, obstacle: &Obstacle) {
        findings.whole(RULE, obstacle.remedy.clone());
    }
}
