//! What stands in a preview for what a Shoot does not say.

use crate::report::{Report, Rule};
use crate::text::join;

/// Placeholders of a preview.
#[derive(Debug, Default)]
pub struct Preview {
    placeholders: Vec<String>,
}

impl Preview {
    /// A placeholder: the name of a value between `<` and `>`.
    pub fn placeholder(&mut self, name: &str) -> String {
        let placeholder = format!("<{name}>");
        if !self.placeholders.contains(&placeholder) {
            self.placeholders.push(placeholder.clone());
        }
        placeholder
    }

    /// A placeholder for what something has: `<hash of a pool>`.
    pub fn of(&mut self, what: &str, whose: &str) -> String {
        self.placeholder(&join(&[what, " of ", whose], ""))
    }

    /// Says of each placeholder, in the order in which they were asked for, that it is one.
    pub fn report(self, rule: &'static Rule, report: &mut Report<'_>) {
        for placeholder in self.placeholders {
            report.undecided(rule, format!("`{placeholder}` stands for what the Shoot does not say"), None);
        }
    }

    /// Keeps the placeholders that something uses.
    pub fn keep(&mut self, is_used: impl Fn(&str) -> bool) {
        self.placeholders.retain(|placeholder| is_used(placeholder));
    }

    /// The placeholders, in the order in which they were asked for.
    pub fn into_placeholders(self) -> Vec<String> {
        self.placeholders
    }
}
