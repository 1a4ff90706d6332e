//! Findings about a plan: what forbids it, and what the person should know.

use crate::document::Path;
use crate::plan::Unowned;
use crate::policy::{Gone, PlanSubject};
use crate::report::{ErrorType, Finding, Report, Rule};

/// Collects findings about a plan, at their places in the object that the person wrote.
#[derive(Debug)]
pub struct PlanFindings<'r> {
    request: PlanSubject<'r>,
    report: Report<'r>,
}

/// The rules that a plan breaks where nobody knows whose the resources are.
#[derive(Debug)]
pub struct OwnershipRules {
    /// Nothing that the state records is found, and other resources are.
    pub unrecorded: &'static Rule,
    /// Nothing that the state records is found, and nothing shows that the state is of the account.
    pub unbound: &'static Rule,
    /// Nothing is found of a network that is to be deleted.
    pub nothing_found: &'static Rule,
}

impl<'r> PlanFindings<'r> {
    /// No findings yet.
    pub fn new(request: PlanSubject<'r>) -> Self {
        Self { request, report: Report::new(request.document()) }
    }

    /// Adds one about a place in the provider's configuration. The path begins at the configuration.
    pub fn config(&mut self, rule: &'static Rule, place: &Path<'_>, detail: String) {
        let pointer = format!("{}{}", self.request.config_pointer(), place.pointer());
        self.report.error(rule, &Path::root(&place.field(), &pointer), ErrorType::Forbidden, detail);
    }

    /// Adds one about a worker pool of the Shoot, by its index, or about all of them. An Infrastructure has no
    /// worker pools: there it is about nothing in the object.
    pub fn worker(&mut self, rule: &'static Rule, index: Option<usize>, detail: String) {
        let is_shoot = self.request.object.is_none();
        let pointer = if is_shoot { "/spec/provider/workers" } else { "" };
        let workers = Path::root("provider.workers", pointer);
        match index.filter(|_| is_shoot) {
            Some(index) => _ = self.report.error(rule, &workers.index(index), ErrorType::Invalid, detail),
            None => _ = self.report.error(rule, &workers, ErrorType::Invalid, detail),
        }
    }

    /// Adds one about a place in the object.
    pub fn at(&mut self, rule: &'static Rule, place: &Path<'_>, detail: String) {
        self.report.error(rule, place, ErrorType::Invalid, detail);
    }

    /// Adds one that is about nothing in the object.
    pub fn whole(&mut self, rule: &'static Rule, detail: String) {
        self.report.error(rule, &Path::root("", ""), ErrorType::Forbidden, detail);
    }

    /// Adds a warning, which forbids nothing and is about nothing in the object.
    pub fn warning(&mut self, rule: &'static Rule, detail: String) {
        self.report.warn(rule, &Path::root("", ""), detail);
    }

    /// Adds that nobody knows whose the resources are.
    pub fn unowned(&mut self, rules: &OwnershipRules, unowned: &Unowned) {
        match unowned {
            Unowned::Unrecorded(found) => {
                let detail = format!(
                    "nothing that is recorded is found, and these are found by tag or name alone: {}",
                    listed(found)
                );
                self.whole(rules.unrecorded, detail);
            }
            Unowned::Unbound(gone) => {
                let detail = format!(
                    "nothing says yet that the state is of this account, and none of these is found: {}",
                    listed(gone)
                );
                self.whole(rules.unbound, detail);
            }
            Unowned::Nothing(gone) => self.whole(rules.nothing_found, recorded_and_not_found(gone)),
        }
    }

    /// All of them. One that is about nothing in the object shows nothing of it.
    pub fn into_findings(self) -> Vec<Finding> {
        let (mut findings, _) = self.report.into_parts();
        for finding in findings.iter_mut().filter(|finding| finding.pointer.is_empty()) {
            finding.bad_value = None;
        }
        findings
    }
}

/// `recorded, and not found: VPC vpc-1, NAT gateway ngw-1`
pub fn recorded_and_not_found(gone: &[Gone]) -> String {
    format!("recorded, and not found: {}", listed(gone))
}

/// `VPC vpc-1, NAT gateway ngw-1`
fn listed(resources: &[Gone]) -> String {
    let named: Vec<String> = resources.iter().map(|one| format!("{} {}", one.kind, one.resource_id)).collect();
    named.join(", ")
}
