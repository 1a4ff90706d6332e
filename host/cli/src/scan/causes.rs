//! The findings about a garden by cause: the rule, the first objects that break it, and what to do, once.

use std::collections::BTreeMap;

use crate::output::{Cause, Style};
use trellis_kubernetes::scan::judge::Judged;
use trellis_policies::answer::Severity;
use trellis_policies::headline::{headline, since};

/// Most objects that are named for a cause.
const MOST: usize = 10;

/// What is wrong in a garden, errors first, each by rule.
#[derive(Default)]
pub(super) struct Causes {
    errors: BTreeMap<String, Cause>,
    warnings: BTreeMap<String, Cause>,
    /// Objects that have more errors than are listed.
    cut: Vec<String>,
}

impl Causes {
    /// Adds the findings about an object.
    pub(super) fn add(&mut self, Judged { document, ruling, .. }: &Judged) {
        let mut seen: Vec<(Severity, &str)> = Vec::new();
        for placed in &ruling.findings {
            let finding = &placed.finding;
            let rule = finding.rule.as_deref().unwrap_or_default();
            if seen.contains(&(finding.severity, rule)) {
                continue;
            }
            seen.push((finding.severity, rule));
            let causes = match finding.severity {
                Severity::Error => &mut self.errors,
                Severity::Warning => &mut self.warnings,
            };
            let cause = causes.entry(rule.to_owned()).or_default();
            if cause.objects == 0 {
                cause.remedy.clone_from(&finding.remedy);
                cause.since = since(finding);
            }
            cause.objects += 1;
            if cause.first.len() < MOST {
                cause.first.push(format!("{}: {}", document.identity(), headline(finding, Some(document))));
            }
        }
        if ruling.truncated.contains(&Severity::Error) && self.cut.len() < MOST {
            self.cut.push(document.identity().to_string());
        }
    }

    /// The causes as people read them.
    pub(super) fn text(&self, has_color: bool) -> String {
        let style = Style::new(has_color);
        let mut text = String::new();
        for (severity, causes) in [(Severity::Error, &self.errors), (Severity::Warning, &self.warnings)] {
            for (rule, cause) in causes {
                text += &(style.cause(severity, rule, cause) + "\n");
            }
        }
        for object in &self.cut {
            text += &(style.note(&format!("{object} has more errors than are listed")) + "\n");
        }
        text
    }
}
