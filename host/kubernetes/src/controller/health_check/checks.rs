//! Which conditions the objects of a kind have, and what is checked for them.

use super::report::Report;
use crate::controller::runtime::granted::{Granted, NamedWorkload, Workload};
use crate::controller::runtime::kind::{CONTROL_PLANE, Kind, WORKER};

/// The conditions of the objects of a kind.
#[derive(Debug)]
pub struct KindChecks {
    /// Each condition, with what is checked for it.
    pub conditions: Vec<(&'static str, Vec<Check>)>,
    /// Conditions that earlier releases have left.
    pub removed: &'static [&'static str],
}

/// Something that is checked, in the namespace of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// A workload of this name.
    Workload(Workload, &'static str),
    /// The `ManagedResource` of this name.
    ManagedResource(&'static str),
    /// All machine deployments, and whether the API server of the Shoot answers.
    Machines,
}

/// What gardenlet reads of the control plane.
const CONTROL_PLANE_HEALTHY: &str = "ControlPlaneHealthy";

impl KindChecks {
    /// That of a kind; none where nothing is checked.
    pub fn of(provider: &str, kind: &Kind) -> Option<Self> {
        if kind.name == WORKER.name {
            // Nobody else watches over the machine-controller-manager, because gardenlet deploys it.
            let conditions = vec![("EveryNodeReady", vec![Check::Machines])];
            return Some(Self { conditions, removed: &[CONTROL_PLANE_HEALTHY] });
        }
        let workloads = &Granted::of(provider).workloads;
        let check = |NamedWorkload { kind, name }: &NamedWorkload| Check::Workload(*kind, name);
        let conditions = vec![(CONTROL_PLANE_HEALTHY, workloads.iter().map(check).collect())];
        (kind.name == CONTROL_PLANE.name && !workloads.is_empty()).then_some(Self { conditions, removed: &[] })
    }

    /// A report for each condition, which is asked by its place and its name.
    pub fn reports(&self, report: impl Fn(usize, &str) -> Report) -> Vec<(&'static str, Report)> {
        self.conditions
            .iter()
            .enumerate()
            .map(|(at, (condition, _))| (*condition, report(at, condition)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controller::runtime::kind::INFRASTRUCTURE;

    #[test]
    fn control_planes_and_workers_have_conditions_that_gardenlet_reads() {
        let conditions = |provider, kind| {
            let kind_checks = KindChecks::of(provider, kind);
            kind_checks
                .map(|kind_checks| kind_checks.conditions.into_iter().map(|(name, _)| name).collect::<Vec<_>>())
        };
        assert_eq!(conditions("alicloud", &CONTROL_PLANE), Some(vec!["ControlPlaneHealthy"]));
        assert_eq!(conditions("other", &CONTROL_PLANE), None);
        assert_eq!(conditions("other", &WORKER), Some(vec!["EveryNodeReady"]));
        assert_eq!(conditions("alicloud", &INFRASTRUCTURE), None);
    }
}
