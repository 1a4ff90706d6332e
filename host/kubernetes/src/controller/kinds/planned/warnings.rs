//! What a policy warns of.

use super::{Kind, Task, wording};
use trellis_policies::answer::{Finding, Severity};

/// Writes each warning, into log and events.
pub(super) async fn write(findings: &[Finding], task: Task<'_>, kind: &Kind) {
    let warnings = findings.iter().filter(|finding| finding.severity == Severity::Warning);
    for Finding { rule, detail, .. } in warnings {
        tracing::warn!(rule = rule.as_deref().unwrap_or_default(), "{detail}");
        if let Some(reference) = wording::reference(task.object, kind) {
            task.events.warn(&reference, "ReconcileWarning", task.operation, detail).await;
        }
    }
}
