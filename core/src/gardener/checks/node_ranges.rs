//! Advice on the address ranges of nodes.

use crate::cidr::Cidr;
use crate::document::{PatchOperation, Path, Value};
use crate::report::{Report, Rule};

/// Warns of the range at `path` where worker pools may want more nodes than it has addresses for. The cloud keeps
/// `reserved` addresses of a subnet.
pub fn warn_of_few_addresses(
    rule: &'static Rule,
    cidr: &Cidr,
    reserved: u128,
    wanted: u64,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let usable = u64::try_from(cidr.size().saturating_sub(reserved)).unwrap_or(u64::MAX);
    if wanted > usable {
        let detail = format!("has {usable} addresses for nodes, the worker pools may want {wanted}");
        report.warn(rule, path, detail);
    }
}

/// Warns of `worker`, the deprecated name of `workers` in the networks at `path`: where it stands alone, and where
/// it has no effect because the other one is there too.
pub fn warn_of_deprecated(
    [alone, without_effect]: [&'static Rule; 2],
    [worker, workers]: [&str; 2],
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let place = path.key("worker");
    if worker.is_empty() {
        return;
    }
    if !workers.is_empty() {
        report.warn(without_effect, &place, "has no effect next to `workers`").fix_removal();
        return;
    }
    let entry = report.warn(alone, &place, "the field is deprecated, use `workers`");
    if Cidr::parse(worker).is_some_and(|cidr| cidr.is_canonical()) {
        entry.fix(vec![
            PatchOperation::add(path.key("workers").pointer(), &Value::string(worker)),
            PatchOperation::remove(place.pointer()),
        ]);
    }
}
