//! Rules on node templates.

use crate::document::Path;
use crate::gardener::types::node_template::NodeTemplate;
use crate::report::{ErrorType, Report, Rule, Severity};

/// The rules on a node template.
#[derive(Debug)]
pub struct NodeTemplateRules {
    /// The resources of the machine are not negative.
    pub capacity: &'static Rule,
    /// Virtual resources are not negative.
    pub virtual_capacity: &'static Rule,
    /// Virtual resources are whole numbers.
    pub whole: &'static Rule,
}

/// The resources that the cluster autoscaler reckons with.
const RESOURCES: [&str; 3] = ["cpu", "gpu", "memory"];

/// Advice: the node template of the configuration at `path` lists all resources, where it lists any.
pub fn warn_of_missing_resources(
    rule: &'static Rule,
    template: Option<&NodeTemplate<'_>>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let Some(template) = template.filter(|template| !template.capacity.is_empty()) else { return };
    for name in RESOURCES {
        if !template.capacity.contains(name) {
            let path = path.key("nodeTemplate");
            report.warn(rule, &path.key("capacity"), format!("lacks {name}, which counts as 0"));
        }
    }
}

/// Checks the node template at `path`.
pub fn check_node_template(
    template: &NodeTemplate<'_>,
    rules: &NodeTemplateRules,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let capacity = path.key("capacity");
    for name in RESOURCES {
        if template.capacity.get(name).is_some_and(|quantity| quantity.is_negative) {
            let detail = format!("{name} value must not be negative");
            report.error(rules.capacity, &capacity.key(name), ErrorType::Invalid, detail);
        }
    }
    let capacity = path.key("virtualCapacity");
    for (name, quantity) in template.virtual_capacity.iter() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = capacity.key(name);
        if quantity.is_negative {
            let detail = format!("{name} value must not be negative");
            report.error(rules.virtual_capacity, &path, ErrorType::Invalid, detail);
        }
        if !quantity.is_whole {
            let detail = format!("{name} value must be a whole number");
            report.error(rules.whole, &path, ErrorType::Invalid, detail);
        }
    }
}
