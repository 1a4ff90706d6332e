//! The plan of a Bastion in the frame of every plan.

use super::choice::{self, Choice};
use super::input::{GROUP, INSTANCE, Input, PUBLIC_IP};
use super::world::{API, Instance, World, observe};
use super::{form, group, instance, status};
use crate::call::Query;
use crate::document::Path;
use crate::gardener::planning::errors::Errors;
use crate::gardener::planning::facts::{Facts, KnownAccount};
use crate::gardener::planning::findings::{OwnershipRules, PlanFindings};
use crate::gardener::planning::frame::{self, Desired, Frame, Ownership, PlanRules, Subject};
use crate::plan::{Cause, Obstacle};
use crate::policy::{PlanAnswer, PlanOperation, PlanRequest, PlanSubject, RequestError, State};
use crate::provider::alicloud::queries;
use crate::provider::alicloud::rules::bastion_plan as rules;
use crate::provider::alicloud::security_groups::SecurityGroup;
use crate::report::{ErrorType, Finding, Report};

/// What a preview has in place of the machine type, because only the cloud says what it offers.
const MACHINE_TYPE: &str = "(small machine type)";

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
            ownership: OwnershipRules {
                // Neither is reached, because nothing is taken for the bastion's that nothing shows to be.
                unrecorded: &rules::BAST_011,
                unbound: &rules::BAST_011,
                nothing_found: &rules::BAST_012,
            },
            account: &rules::BAST_009,
            other_account: &rules::BAST_010,
            remedy: &rules::BAST_015,
        },
        ownership: Ownership::ByName,
        without_account: |state| state,
    };

    fn read(request: &PlanSubject<'r>, _recorded: &State) -> Result<Self, Errors> {
        let is_deletion = request.operation == PlanOperation::Delete;
        let findings = form::check(request.document(), is_deletion);
        if !findings.is_empty() {
            return Err(Errors::unreadable(findings));
        }
        // A deletion does not need the network.
        let network = if is_deletion { None } else { Some(form::network(request)?) };
        Ok(Input::read(request, network))
    }

    fn account_query(&self) -> Query {
        queries::account(self.region)
    }

    fn observe(&self, recorded: &State, facts: &mut Facts<'_>, _account: &KnownAccount) -> World {
        observe(self, recorded, facts)
    }

    fn imagine(&self, older: Option<&Self>) -> Result<(World, State), RequestError> {
        let mut world = World { is_imagined: true, ..World::default() };
        let mut state = State::new();
        let older = older.filter(|older| older.name == self.name);
        if let Some((older, network)) = older.and_then(|older| Some((older, older.network.as_ref()?))) {
            let tags = vec![self.tag()];
            let rules = Some(group::imagined_rules(older, network));
            let (id, name) = (format!("({GROUP})"), self.group_name());
            state.insert(GROUP, id.clone());
            state.insert(INSTANCE, format!("({INSTANCE})"));
            world.instances.push(Instance::imagined(self, format!("({INSTANCE})"), &id));
            world.groups.push(SecurityGroup { id, name, vpc: network.vpc.clone(), rules, tags });
        }
        Ok((world, state))
    }

    fn check(&self, world: &World, _recorded: &State) -> Vec<Finding> {
        let Some((rule, field, detail)) = &world.missing else { return Vec::new() };
        let mut report = Report::new(self.request.document());
        report.error(rule, &Path::root(field, ""), ErrorType::Internal, detail.clone());
        let mut findings = report.into_parts().0;
        for finding in &mut findings {
            finding.bad_value = None;
        }
        findings
    }

    fn desired<'i>(&'i self, world: &World, recorded: State) -> Result<Desired<'i>, RequestError> {
        let mut findings = PlanFindings::new(self.request);
        if !world.strangers.is_empty() {
            let detail = format!(
                "nothing shows that these are the bastion's, which have its name, {}: {}",
                self.name,
                world.strangers.join(", ")
            );
            findings.whole(&rules::BAST_011, detail);
        }
        let choice = match self.choice(world, &recorded) {
            Ok(choice) => choice,
            Err(detail) => {
                findings.whole(&rules::BAST_013, detail);
                None
            }
        };
        let address = world.instance(&recorded).map(|instance| instance.public_ip.clone());
        let mut resources = group::declare(self, world, &recorded);
        resources.extend(instance::declare(self, world, &recorded, choice.as_ref()));
        let mut state = recorded;
        match address.filter(|address| !address.is_empty()) {
            Some(address) => state.insert(PUBLIC_IP, address),
            None => _ = state.remove(PUBLIC_IP),
        }
        Ok(Desired { resources, state, findings })
    }

    fn add_obstacle(&self, findings: &mut PlanFindings<'_>, Obstacle { cause, remedy, .. }: &Obstacle) {
        let is_of_group = *cause == Cause::Attribute(instance::GROUP_OF);
        findings.whole(if is_of_group { &rules::BAST_016 } else { &rules::BAST_014 }, remedy.clone());
    }
}

impl Input<'_> {
    /// What an instance is made from that is missing.
    fn choice(&self, world: &World, recorded: &State) -> Result<Option<Choice>, String> {
        let is_missing = world.instances.is_empty() && world.strangers.is_empty();
        let Some(network) = self.network.as_ref().filter(|_| is_missing) else { return Ok(None) };
        if world.is_imagined {
            return Ok(Some(Choice { network: network.clone(), machine_type: MACHINE_TYPE.to_owned() }));
        }
        choice::choose(self, network, recorded, &world.architecture, &world.offers).map(Some)
    }
}
