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

    /// The placeholders, in the order in which they were asked for.
    pub fn into_placeholders(self) -> Vec<String> {
        self.placeholders
    }
}
