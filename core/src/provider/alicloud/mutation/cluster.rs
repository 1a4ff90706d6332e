//! The Cluster of an object.

use super::Change;
use crate::call::Known;
use crate::policy::ClusterObjects;
use crate::report::Rule;

impl<'r> Change<'_, 'r> {
    /// The objects of the Cluster. None where a query has to be answered before, or where an error says what is
    /// wrong: `failure` words it.
    pub(super) fn cluster(
        &mut self,
        rule: &'static Rule,
        failure: impl FnOnce(String) -> String,
    ) -> Option<ClusterObjects<'r>> {
        match self.request.cluster() {
            Known::Found(cluster) => Some(cluster),
            Known::Failed(message) => {
                let remedy = "Let the host read the Cluster that is named as the namespace of the object.";
                self.refuse(rule, "/metadata/namespace", failure(message), remedy);
                None
            }
            Known::Unknown(query) => {
                let why = "nobody has looked up the Cluster that the object belongs to";
                self.report.undecided(rule, why, Some(query));
                None
            }
        }
    }
}
