//! Findings of a plan at places of the configuration.

use crate::document::Path;
use crate::gardener::planning::findings::PlanFindings;
use crate::report::Rule;

const NETWORKS: Path<'_> = Path::root("networks", "/networks");

/// Adds a finding about the network as a whole.
pub fn network(findings: &mut PlanFindings<'_>, rule: &'static Rule, detail: String) {
    findings.config(rule, &NETWORKS, detail);
}

/// Adds a finding about a zone, by its index, or about the list of zones; `part` leads to a member of the zone.
pub fn zone(
    findings: &mut PlanFindings<'_>,
    rule: &'static Rule,
    index: Option<usize>,
    part: Option<[&str; 2]>,
    detail: String,
) {
    let zones = NETWORKS.key("zones");
    let Some(index) = index else {
        return findings.config(rule, &zones, detail);
    };
    let zone = zones.index(index);
    match part {
        Some([member, part]) => findings.config(rule, &zone.key(member).key(part), detail),
        None => findings.config(rule, &zone, detail),
    }
}
