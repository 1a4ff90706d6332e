//! The two etcds of a control plane (GDN-ETCD).

use super::{KUBERNETES, autoscaling};
use crate::document::Value;
use crate::report::Report;

/// The etcds, each with the least memory that its autoscaling may allow.
const ETCDS: [(&str, &str); 2] = [("main", "300M"), ("events", "60M")];

/// Judges both.
pub fn judge(kubernetes: &Value<'_>, report: &mut Report<'_>) {
    let path = KUBERNETES.key("etcd");
    for (name, memory) in ETCDS {
        if let Some(scaling) = kubernetes.at(&["etcd", name, "autoscaling"]) {
            autoscaling::judge(scaling, &[("memory", memory)], &path.key(name).key("autoscaling"), report);
        }
    }
}
