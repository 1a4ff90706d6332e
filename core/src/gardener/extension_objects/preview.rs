//! What stands in a preview for what a Shoot does not tell.

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

    /// Keeps the placeholders that something uses.
    pub fn keep(&mut self, is_used: impl Fn(&str) -> bool) {
        self.placeholders.retain(|placeholder| is_used(placeholder));
    }

    /// The placeholders, in the order in which they were asked for.
    pub fn into_placeholders(self) -> Vec<String> {
        self.placeholders
    }
}
