//! Which conditions the objects of a kind have, and what is checked for them.
//!
//! A policy cannot say that: it knows what it renders and not what of that stands for the health of a control plane. Each existing extension
//! has a list of names, and gardenlet itself watches over all else that is delivered.

use super::report::Report;
use super::workload::Workload;
use crate::controller::runtime::kind::{CONTROL_PLANE, Kind, WORKER};

/// The conditions of the objects of a kind.
#[derive(Debug)]
pub struct Wanted {
    /// Each condition, with what is checked for it.
    pub conditions: &'static [(&'static str, &'static [Check])],
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

/// Of Alibaba Cloud (reference: alicloud-policy 5.9).
static CONTROL_PLANES_OF_ALICLOUD: Wanted = Wanted {
    conditions: &[(
        CONTROL_PLANE_HEALTHY,
        &[
            Check::Workload(Workload::Deployment, "csi-plugin-controller"),
            Check::Workload(Workload::Deployment, "csi-snapshot-controller"),
            Check::Workload(Workload::Deployment, "cloud-controller-manager"),
        ],
    )],
    removed: &[],
};

/// Of all providers. Since gardenlet deploys the machine-controller-manager, nobody else watches over it.
static WORKERS: Wanted =
    Wanted { conditions: &[("EveryNodeReady", &[Check::Machines])], removed: &[CONTROL_PLANE_HEALTHY] };

impl Wanted {
    /// That of a kind; none where nothing is checked.
    pub fn of(provider: &str, kind: &Kind) -> Option<&'static Self> {
        if kind.name == WORKER.name {
            return Some(&WORKERS);
        }
        (kind.name == CONTROL_PLANE.name && provider == "alicloud").then_some(&CONTROL_PLANES_OF_ALICLOUD)
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
            let wanted = Wanted::of(provider, kind);
            wanted.map(|wanted| wanted.conditions.iter().map(|(name, _)| *name).collect::<Vec<_>>())
        };
        assert_eq!(conditions("alicloud", &CONTROL_PLANE), Some(vec!["ControlPlaneHealthy"]));
        assert_eq!(conditions("other", &CONTROL_PLANE), None);
        assert_eq!(conditions("other", &WORKER), Some(vec!["EveryNodeReady"]));
        assert_eq!(conditions("alicloud", &INFRASTRUCTURE), None);
    }
}
