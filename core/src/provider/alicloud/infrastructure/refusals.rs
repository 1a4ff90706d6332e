//! What forbids a plan, as findings.

use super::desired::nat_gateway;
use super::input::Input;
use crate::document::Path;
use crate::plan::{Cause, Forbidden, Obstacle, Unowned};
use crate::policy::Gone;
use crate::provider::alicloud::rules::infrastructure_plan as rules;
use crate::report::{ErrorType, Finding, Report, Rule};

/// Collects findings about the configuration.
#[derive(Debug)]
pub struct Refusals<'r> {
    input: &'r Input<'r>,
    report: Report<'r>,
}

impl<'r> Refusals<'r> {
    /// None yet.
    pub fn new(input: &'r Input<'r>) -> Self {
        Self { input, report: Report::new(input.request.document()) }
    }

    /// Adds one about a zone, or about all of them where none of that name is configured; `part` is a member of the zone.
    pub fn zone(&mut self, rule: &'static Rule, zone: &str, part: &[&str], detail: String) {
        let pointer = self.input.pointer("/networks/zones");
        let zones = Path::root("networks.zones", &pointer);
        let Some(known) = self.input.zones.iter().find(|known| known.name == zone) else {
            self.report.error(rule, &zones, ErrorType::Forbidden, detail);
            return;
        };
        let zone = zones.index(known.index);
        match part {
            [member, part] => {
                let member = zone.key(member);
                self.report.error(rule, &member.key(part), ErrorType::Forbidden, detail);
            }
            _ => _ = self.report.error(rule, &zone, ErrorType::Forbidden, detail),
        }
    }

    /// Adds one about the network as a whole.
    pub fn network(&mut self, rule: &'static Rule, detail: String) {
        let pointer = self.input.pointer("/networks");
        self.report.error(rule, &Path::root("networks", &pointer), ErrorType::Forbidden, detail);
    }

    /// Adds one about a worker pool of the Shoot. Where the document is an Infrastructure, it has no such place.
    pub fn worker(&mut self, rule: &'static Rule, index: Option<usize>, detail: String) {
        let in_shoot = self.input.request.infrastructure.is_none();
        let pointer = if in_shoot { "/spec/provider/workers" } else { "" };
        let workers = Path::root("provider.workers", pointer);
        match index.filter(|_| in_shoot) {
            Some(index) => _ = self.report.error(rule, &workers.index(index), ErrorType::Invalid, detail),
            None => _ = self.report.error(rule, &workers, ErrorType::Invalid, detail),
        }
    }

    /// Adds one that is about nothing in the document.
    pub fn whole(&mut self, rule: &'static Rule, detail: String) {
        self.report.error(rule, &Path::root("", ""), ErrorType::Forbidden, detail);
    }

    /// Adds one that forbids nothing.
    pub fn warning(&mut self, rule: &'static Rule, detail: String) {
        self.report.warn(rule, &Path::root("", ""), detail);
    }

    /// Adds why the planner has no plan.
    pub fn planner(&mut self, forbidden: &Forbidden) {
        match forbidden {
            Forbidden::Obstacles(obstacles) => self.obstacles(obstacles),
            Forbidden::Unowned(Unowned::Unrecorded(found)) => {
                let detail = format!(
                    "nothing that is recorded is found, and these are found by tag or name alone: {}",
                    list(found)
                );
                self.whole(&rules::PLAN_012, detail);
            }
            Forbidden::Unowned(Unowned::Unbound(gone)) => {
                let detail = format!(
                    "nothing tells yet that the state is of this account, and none of these is found: {}",
                    list(gone)
                );
                self.whole(&rules::PLAN_014, detail);
            }
            Forbidden::Unowned(Unowned::Nothing(gone)) => {
                self.whole(&rules::PLAN_013, format!("recorded, and not found: {}", list(gone)));
            }
        }
    }

    fn obstacles(&mut self, obstacles: &[Obstacle]) {
        for Obstacle { id, cause, remedy } in obstacles {
            let mut parts = id.split('/');
            let zone = parts.next().filter(|part| *part == "zones").and_then(|_| parts.next());
            match cause {
                Cause::Attribute(_) if id == nat_gateway::ID => self.network(&rules::PLAN_003, remedy.clone()),
                Cause::Protected => self.zone(&rules::PLAN_002, zone.unwrap_or_default(), &[], remedy.clone()),
                _ => self.network(&rules::PLAN_009, format!("{id}: {remedy}")),
            }
        }
    }

    /// All of them. One that is about nothing in the document shows none of it.
    pub fn into_findings(self) -> Vec<Finding> {
        let (mut findings, _) = self.report.into_parts();
        for finding in findings.iter_mut().filter(|finding| finding.pointer.is_empty()) {
            finding.bad_value = None;
        }
        findings
    }
}

/// `VPC vpc-1, NAT gateway ngw-1`
pub fn list(resources: &[Gone]) -> String {
    let named: Vec<String> = resources.iter().map(|one| format!("{} {}", one.kind, one.resource_id)).collect();
    named.join(", ")
}
