//! Names that end up in labels.

use crate::kube::names::qualified_faults;
use crate::text::join;

/// What is wrong with a text that must be a qualified name without a prefix.
pub fn faults(text: &str) -> Vec<String> {
    let mut faults = qualified_faults(text);
    if text.contains('/') {
        faults.push(join(&["name '", text, "' must not contain a prefix"], ""));
    }
    faults
}

/// What is wrong with a name, as Go prints a list; none where it is right.
pub fn fault(what: &str, text: &str) -> Option<String> {
    let faults = faults(text);
    (!faults.is_empty()).then(|| join(&[what, " must be a qualified name: [", &faults.join(" "), "]"], ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_no_prefix() {
        assert_eq!(fault("x", "g6.large_2"), None);
        let prefixed = fault("machine type name", "example.com/a");
        let wanted =
            "machine type name must be a qualified name: [name 'example.com/a' must not contain a prefix]";
        assert_eq!(prefixed.as_deref(), Some(wanted));
        assert_eq!(faults("a/b/c").len(), 2);
    }
}
