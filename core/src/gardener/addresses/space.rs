//! The ranges of one protocol, in their order.

use std::collections::BinaryHeap;

use super::Range;
use crate::cidr::{Cidr, Family, Room};
use crate::policy::{AddressConflict, AddressGap, AddressRole, AddressSpace, ConflictKind};
use crate::report::{MAX_FINDINGS, Rule};

/// Names the rule that forbids a conflict of two ranges. The second range is the one to change.
pub type Rules<'p> = dyn Fn(ConflictKind, &Range<'_>, &Range<'_>) -> Option<&'static Rule> + 'p;

/// The ranges of one protocol.
#[derive(Clone, Debug)]
pub struct Space<'v> {
    family: Family,
    relative: Option<&'static str>,
    /// The range that zones may lie in.
    place: Option<Cidr>,
    /// In the order of first addresses, larger ranges first, each with its position in the document.
    ranges: Vec<(usize, Range<'v>)>,
}

/// The spaces as answers describe them, without those that only have reserved ranges.
pub fn describe(spaces: &[&Space<'_>], rules: &Rules<'_>) -> Vec<AddressSpace> {
    let mut described = Vec::new();
    for space in spaces {
        if space.ranges.iter().any(|(_, range)| range.role != AddressRole::Reserved) {
            described.push(space.describe(rules));
        }
    }
    described
}

impl<'v> Space<'v> {
    /// Takes the ranges of a protocol. `place` is the range that zones may lie in. Of ranges with the same
    /// addresses, the earlier comes first.
    pub fn new(family: Family, relative: Option<&'static str>, place: Option<Cidr>, ranges: &[Range<'v>]) -> Self {
        // The code of a sort is a hundredth of a browser's download; a heap is there already.
        let mut order = BinaryHeap::new();
        for (at, range) in ranges.iter().enumerate() {
            if range.cidr.family() == family {
                order.push((range.cidr.span().first, range.cidr.prefix_length(), at));
            }
        }
        let mut sorted = Vec::new();
        for (_, _, at) in order.into_sorted_vec() {
            sorted.extend(ranges.get(at).map(|range| (at, range.clone())));
        }
        Self { family, relative, place: place.filter(|place| place.family() == family), ranges: sorted }
    }

    /// The free ranges that zones may have.
    pub fn room(&self) -> Room {
        self.room_in(self.place.as_ref())
    }

    /// The free ranges of a place.
    pub fn room_in(&self, place: Option<&Cidr>) -> Room {
        let taken = self.ranges.iter().filter(|(_, range)| !is_container(range.role)).map(|(_, range)| range.cidr);
        Room::within(self.family, place, taken)
    }

    fn describe(&self, rules: &Rules<'_>) -> AddressSpace {
        let mut free = Vec::new();
        for gap in self.room().gaps() {
            if let Some(largest) = gap.largest(self.family) {
                free.push(AddressGap {
                    first: self.family.text(gap.first),
                    last: self.family.text(gap.last),
                    size: gap.size(),
                    largest: largest.network().to_string(),
                });
            }
        }
        AddressSpace {
            family: self.family,
            relative: self.relative,
            ranges: self.ranges.iter().map(|(_, range)| range.describe()).collect(),
            free,
            conflicts: self.conflicts(rules),
        }
    }

    fn conflicts(&self, rules: &Rules<'_>) -> Vec<AddressConflict> {
        let mut conflicts = Vec::new();
        let containers = self.ranges.iter().enumerate().filter(|(_, (_, range))| is_container(range.role));
        for (outer, (_, container)) in containers {
            for (inner, (_, range)) in self.ranges.iter().enumerate() {
                if conflicts.len() == MAX_FINDINGS {
                    return conflicts;
                }
                if holds(container.role, range.role) && !container.cidr.contains(&range.cidr) {
                    let kind = ConflictKind::Outside;
                    let rule = rules(kind, container, range).map(|rule| rule.id);
                    conflicts.push(AddressConflict {
                        kind,
                        ranges: [outer, inner],
                        rule,
                        first: None,
                        last: None,
                    });
                }
            }
        }
        for (index, (_, larger)) in self.ranges.iter().enumerate() {
            // Ranges are disjoint, or one is inside the other and comes later.
            let last = larger.cidr.span().last;
            let inside = self.ranges.iter().enumerate().skip(index + 1);
            for (other, (_, smaller)) in inside.take_while(|(_, (_, range))| range.cidr.span().first <= last) {
                if conflicts.len() == MAX_FINDINGS {
                    return conflicts;
                }
                let overlap = self.overlap(index, other, rules);
                // A cloud may forbid what most clouds allow.
                let is_forbidden = || {
                    let is_of_load_balancers = |range: &Range<'_>| is_of_load_balancers(range.role);
                    let may_be = is_of_load_balancers(larger) || is_of_load_balancers(smaller);
                    may_be && overlap.as_ref().is_some_and(|overlap| overlap.rule.is_some())
                };
                if !go_together(larger, smaller) || is_forbidden() {
                    conflicts.extend(overlap);
                }
            }
        }
        conflicts
    }

    /// The overlap of a range with one inside of it.
    fn overlap(&self, larger: usize, smaller: usize, rules: &Rules<'_>) -> Option<AddressConflict> {
        let shared = self.ranges.get(smaller)?.1.cidr.span();
        let key = |index: usize| self.ranges.get(index).map(|(at, range)| (rank(range.role), *at));
        let ranges = if key(larger) < key(smaller) { [larger, smaller] } else { [smaller, larger] };
        let [(_, first), (_, second)] = [self.ranges.get(ranges[0])?, self.ranges.get(ranges[1])?];
        let kind = ConflictKind::Overlap;
        Some(AddressConflict {
            kind,
            ranges,
            rule: rules(kind, first, second).map(|rule| rule.id),
            first: Some(self.family.text(shared.first)),
            last: Some(self.family.text(shared.last)),
        })
    }
}

/// Whether other ranges have to lie in ranges of a role.
fn is_container(role: AddressRole) -> bool {
    matches!(role, AddressRole::Vpc | AddressRole::Nodes)
}

/// Whether ranges of the second role have to lie in ranges of the first.
fn holds(container: AddressRole, role: AddressRole) -> bool {
    match container {
        AddressRole::Vpc => role == AddressRole::Nodes || is_subnet(role),
        AddressRole::Nodes => matches!(role, AddressRole::Zone | AddressRole::Workers),
        _ => false,
    }
}

/// Whether ranges of a role are subnets.
fn is_subnet(role: AddressRole) -> bool {
    matches!(role, AddressRole::Zone | AddressRole::Workers | AddressRole::Public | AddressRole::Internal)
}

/// Whether ranges of a role are subnets of load balancers.
fn is_of_load_balancers(role: AddressRole) -> bool {
    matches!(role, AddressRole::Public | AddressRole::Internal)
}

/// Whether two ranges may share addresses, unless a rule of the cloud forbids it. Subnets of load balancers may
/// lie among the nodes, and need not.
fn go_together(a: &Range<'_>, b: &Range<'_>) -> bool {
    let takes = |a: &Range<'_>, b: &Range<'_>| is_container(b.role) && (a.is_taken() || is_subnet(a.role));
    let alike = a.role == b.role && (!is_subnet(a.role) || a.role == AddressRole::Workers);
    alike || holds(a.role, b.role) || holds(b.role, a.role) || takes(a, b) || takes(b, a)
}

/// The order of roles: of two ranges that overlap, the one with the higher rank has to change.
fn rank(role: AddressRole) -> u8 {
    match role {
        AddressRole::Reserved => 0,
        AddressRole::Vpc => 1,
        AddressRole::Nodes => 2,
        AddressRole::Pods => 3,
        AddressRole::Services => 4,
        AddressRole::Zone | AddressRole::Workers | AddressRole::Public | AddressRole::Internal => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gardener::addresses::Ranges;

    /// The conflicts of ranges, and the free ranges inside of a place.
    fn described(ranges: &[(AddressRole, &str)], place: Option<&str>) -> (Vec<String>, Vec<String>) {
        let mut all = Ranges::default();
        for (role, text) in ranges {
            all.add(*role, None, String::new(), text);
        }
        let [space, _] = all.spaces(place.and_then(Cidr::parse));
        let described = space.describe(&|_, _, _| None);
        let name = |at: usize| format!("{:?}", described.ranges[at].role);
        let conflict = |AddressConflict { kind, ranges: [a, b], .. }: &AddressConflict| {
            format!("{kind:?} {} {}", name(*a), name(*b))
        };
        let conflicts = described.conflicts.iter().map(conflict).collect();
        (conflicts, described.free.into_iter().map(|gap| gap.largest).collect())
    }

    #[test]
    fn the_subnet_of_the_workers_lies_inside_the_nodes_and_next_to_pods_and_services() {
        use AddressRole::{Nodes, Pods, Services, Vpc, Workers};
        let nodes = (Nodes, "10.250.0.0/16");
        for (ranges, conflicts) in [
            (&[(Workers, "10.250.0.0/16"), nodes][..], &[][..]),
            (&[nodes, (Workers, "10.250.0.0/19"), (Pods, "100.96.0.0/11")], &[]),
            (&[nodes, (Workers, "10.251.0.0/19")], &["Outside Nodes Workers"]),
            (&[(Vpc, "10.250.0.0/16"), (Workers, "10.251.0.0/19")], &["Outside Vpc Workers"]),
            (&[(Workers, "10.250.0.0/19"), (Pods, "10.250.0.0/20")], &["Overlap Pods Workers"]),
            (&[(Workers, "10.250.0.0/19"), (Services, "10.0.0.0/8")], &["Overlap Services Workers"]),
        ] {
            assert_eq!(described(ranges, None).0, conflicts, "{ranges:?}");
        }
    }

    #[test]
    fn the_subnet_of_the_workers_is_not_free() {
        let ranges = [(AddressRole::Nodes, "10.250.0.0/16"), (AddressRole::Workers, "10.250.0.0/17")];
        assert_eq!(described(&ranges, Some("10.250.0.0/16")).1, ["10.250.128.0/17"]);
        assert!(described(&ranges, None).1.is_empty());
    }
}
