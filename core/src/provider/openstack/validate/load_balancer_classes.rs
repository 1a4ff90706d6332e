//! Classes of load balancers, of Shoots and of floating pools (OS-LBC).

use crate::document::Path;
use crate::provider::openstack::api::LoadBalancerClass;
use crate::report::Report;

/// Judges the classes in the list at `path`.
pub fn validate(_classes: &[LoadBalancerClass<'_>], _path: &Path<'_>, _report: &mut Report<'_>) {}
