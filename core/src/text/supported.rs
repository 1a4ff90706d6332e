//! The words about the values that a field may have.

use super::quote;

/// The words about the values that a field may have, as the existing extensions print them; none without a value.
#[derive(Debug, Default)]
pub struct Supported(String);

impl Supported {
    /// Adds a value.
    pub fn add(&mut self, value: &str) {
        self.0.push_str(if self.0.is_empty() { "supported values: " } else { ", " });
        self.0.push_str(&quote(value));
    }

    /// The words.
    pub fn words(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_quoted_and_without_a_value_there_are_no_words() {
        let mut supported = Supported::default();
        supported.add("a\"");
        supported.add("");
        assert_eq!(supported.words(), r#"supported values: "a\"", """#);
        assert_eq!(Supported::default().words(), "");
    }
}
