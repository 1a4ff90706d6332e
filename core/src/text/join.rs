//! Texts one after another.

/// The texts in their order, with `between` between each two. The standard library has more code for this, and the
/// code twice: for texts that borrow and for texts that own.
pub fn join(texts: &[impl AsRef<str>], between: &str) -> String {
    let mut joined = String::new();
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            joined.push_str(between);
        }
        joined.push_str(text.as_ref());
    }
    joined
}

/// Texts as a person lists them: commas between them, and `word` before the last one.
pub fn enumerate(texts: &[impl AsRef<str>], word: &str) -> String {
    match texts.split_last() {
        Some((last, others)) if !others.is_empty() => join(&[&join(others, ", "), word, last.as_ref()], " "),
        _ => join(texts, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_separator_stands_between_texts_also_where_they_are_empty() {
        assert_eq!(join(&[] as &[&str], ", "), "");
        assert_eq!(join(&["a"], ", "), "a");
        assert_eq!(join(&["", "b", ""], ", "), ", b, ");
        assert_eq!(enumerate(&["a", "b", "c"], "or"), "a, b or c");
        assert_eq!((enumerate(&["a"], "or"), enumerate(&[] as &[&str], "or")), ("a".to_owned(), String::new()));
        assert_eq!(join(&["a".to_owned(), "b".to_owned()], ""), "ab");
    }
}
