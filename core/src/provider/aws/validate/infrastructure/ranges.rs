//! Ranges of subnets, of the VPC, and of nodes, pods and Services (AWS-INF-028…036).

use super::VPC;
use super::subnets::Ranges;
use crate::document::Path;
use crate::gardener::checks::cidr::{PlacedRange, are_apart};
use crate::gardener::types::shoot::Networking;
use crate::provider::aws::rules::infrastructure as rules;
use crate::report::{Report, Rule, Severity};

const NETWORKING: Path<'_> = Path::root("networking", "/spec/networking");

/// The ranges of subnets are ranges, and those of nodes lie in that of all nodes.
pub fn zones(ranges: &Ranges<'_>, networking: &Networking<'_>, report: &mut Report<'_>) {
    for range in &ranges.all {
        range.parses(&rules::INF_028, report);
    }
    if let Some(nodes) = networking.nodes {
        subsets(&ranges.workers, &PlacedRange::new(NETWORKING.key("nodes"), nodes), &rules::INF_029, report);
    }
}

/// Judges the range of a VPC to create.
pub fn vpc(cidr: &str, ranges: &[PlacedRange<'_>], networking: &Networking<'_>, report: &mut Report<'_>) {
    let vpc = PlacedRange::new(VPC.key("cidr"), cidr);
    vpc.is_canonical(&rules::INF_032, report);
    vpc.parses(&rules::INF_032, report);
    if let Some(nodes) = networking.nodes {
        PlacedRange::new(NETWORKING.key("nodes"), nodes).is_subset_of(&vpc, &rules::INF_032, report);
    }
    subsets(ranges, &vpc, &rules::INF_032, report);
    for &(key, text) in &[("pods", networking.pods), ("services", networking.services)] {
        if let Some(text) = text {
            PlacedRange::new(NETWORKING.key(key), text).is_apart_from(&vpc, &rules::INF_032, report);
        }
    }
}

fn subsets(ranges: &[PlacedRange<'_>], outer: &PlacedRange<'_>, rule: &'static Rule, report: &mut Report<'_>) {
    for range in ranges {
        if let Some(entry) = range.is_subset_of(outer, rule, report) {
            entry.remedy(format!("Choose a range within `{}`.", outer.text()));
        }
    }
}

/// No address is in two subnets, nor in a subnet and among those of pods or Services.
pub fn conflicts(ranges: &[PlacedRange<'_>], networking: &Networking<'_>, report: &mut Report<'_>) {
    are_apart(ranges, &rules::INF_034, report);
    for (rule, key, text) in
        [(&rules::INF_035, "pods", networking.pods), (&rules::INF_036, "services", networking.services)]
    {
        let Some(other) = text.map(|text| PlacedRange::new(NETWORKING.key(key), text)) else { continue };
        for range in ranges {
            if report.is_full(Severity::Error) {
                return;
            }
            range.is_apart_from(&other, rule, report);
        }
    }
}
