//! Classes of load balancers, of Shoots and of floating pools (OS-LBC).

use super::infrastructure::{RESOURCE_NAME, uuid};
use crate::collections::NameSet;
use crate::document::Path;
use crate::provider::openstack::api::LoadBalancerClass;
use crate::provider::openstack::rules::load_balancer_classes as rules;
use crate::report::{ErrorType, Report, Severity};

const DEFAULT: &str = "default";
const PRIVATE: &str = "private";

/// Judges the classes in the list at `path`.
pub fn validate(classes: &[LoadBalancerClass<'_>], path: &Path<'_>, report: &mut Report<'_>) {
    let mut names = NameSet::new();
    for (index, class) in classes.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = path.index(index);
        by_itself(class, &path, report);
        if !names.insert(class.name) {
            report.error(&rules::LBC_011, &path.key("name"), ErrorType::Duplicate, "");
        }
    }
    for &(rule, what) in &[(&rules::LBC_012, DEFAULT), (&rules::LBC_013, PRIVATE)] {
        let mut count = 0;
        for class in classes {
            count += usize::from(class.purpose == Some(what) || class.name == what);
        }
        if count > 1 {
            let detail = format!("not allowed to configure multiple {what} load balancer classes");
            report.error(rule, path, ErrorType::Invalid, detail);
        }
    }
}

/// OS-LBC-010 has no code here: what it forbids, OS-LBC-008 and 009 forbid before it.
fn by_itself(class: &LoadBalancerClass<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if class.purpose.is_some_and(|purpose| ![DEFAULT, PRIVATE, "vpn"].contains(&purpose)) {
        let detail = "invalid LoadBalancerClass purpose. Valid values are \"default\" or \"private\"";
        report.error(&rules::LBC_001, path, ErrorType::Invalid, detail);
    }
    for &(rule, key, id) in &[
        (&rules::LBC_002, "floatingNetworkID", class.floating_network_id),
        (&rules::LBC_003, "floatingSubnetID", class.floating_subnet_id),
    ] {
        if let Some(id) = id {
            uuid(rule, &path.key(key), id, report);
        }
    }
    for &(rule, key, text) in &[
        (&rules::LBC_004, "name", Some(class.name)),
        (&rules::LBC_005, "floatingSubnetName", class.floating_subnet_name),
        (&rules::LBC_006, "floatingSubnetTags", class.floating_subnet_tags),
    ] {
        if let Some(text) = text {
            report.text(rule, &path.key(key), text, &RESOURCE_NAME);
        }
    }
    let (id, name, tags) = (class.floating_subnet_id, class.floating_subnet_name, class.floating_subnet_tags);
    let (rule, detail) = match (id.is_some(), name.is_some(), tags.is_some()) {
        (true, true, true) => (&rules::LBC_007, "cannot select floating subnet by id, name and tags in parallel"),
        (true, true, false) | (true, false, true) => {
            (&rules::LBC_008, "specify floating subnet id and name or tags is not possible")
        }
        (false, true, true) => (&rules::LBC_009, "specify floating subnet name and id or tags is not possible"),
        _ => return,
    };
    report.error(rule, path, ErrorType::Forbidden, detail);
}
