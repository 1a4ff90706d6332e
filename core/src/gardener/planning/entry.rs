//! An entry of a response, read member by member.

use std::cell::Cell;

use crate::call::Query;
use crate::document::Value;
use crate::policy::RequestError;

/// What is wrong with a response whose entries cannot be read.
const WRONG_SHAPE: &str = "has an entry in its response that is not of the API's shape";

/// An entry of a list in a response, or a whole response. It remembers whether a member was read that is not of
/// the API's shape.
#[derive(Debug)]
pub struct Entry<'f> {
    value: &'f Value<'f>,
    is_wrong: Cell<bool>,
}

impl<'f> Entry<'f> {
    /// An entry of which nothing was read yet.
    pub fn new(value: &'f Value<'f>) -> Self {
        Self { value, is_wrong: Cell::new(!matches!(value, Value::Object(_))) }
    }

    /// Whether all that was read of it was of the API's shape.
    pub fn is_right(&self) -> bool {
        !self.is_wrong.get()
    }

    /// Fails where something that was read was not of the API's shape.
    pub fn check(&self, query: &Query) -> Result<(), RequestError> {
        if self.is_right() {
            return Ok(());
        }
        Err(RequestError::Fact { query: query.id.clone(), problem: WRONG_SHAPE })
    }

    /// A text; empty where there is none.
    pub fn text(&self, keys: &[&str]) -> &'f str {
        match self.value.at(keys) {
            None => "",
            Some(Value::String(text) | Value::Number(text)) => text,
            Some(_) => self.wrong(""),
        }
    }

    /// A text that every entry has.
    pub fn id(&self, key: &str) -> &'f str {
        self.id_at(&[key])
    }

    /// A text that every entry has, under nested keys.
    pub fn id_at(&self, keys: &[&str]) -> &'f str {
        match self.text(keys) {
            "" => self.wrong(""),
            id => id,
        }
    }

    /// The first of some texts that is not empty.
    pub fn first(&self, keys: &[&str]) -> &'f str {
        keys.iter().map(|key| self.text(&[key])).find(|text| !text.is_empty()).unwrap_or_default()
    }

    /// Whether a member is true.
    pub fn flag(&self, keys: &[&str]) -> bool {
        match self.value.at(keys) {
            Some(Value::Bool(flag)) => *flag,
            None => false,
            Some(_) => self.wrong(false),
        }
    }

    /// Whether it has a member.
    pub fn has(&self, key: &str) -> bool {
        self.value.get(key).is_some()
    }

    /// Whether a member is a list.
    pub fn has_list(&self, keys: &[&str]) -> bool {
        matches!(self.value.at(keys), Some(Value::Array(_)))
    }

    /// The entries of a list in it, each read by `read`; none where there is no list.
    pub fn each<T>(&self, list: &[&str], read: impl Fn(&Entry<'f>) -> T) -> Vec<T> {
        let mut found = Vec::new();
        self.visit(list, &mut |entry| found.push(read(entry)));
        found
    }

    /// The texts of a list in it.
    pub fn texts(&self, list: &[&str]) -> Vec<String> {
        let text = |entry: &Entry<'f>| {
            entry.is_wrong.set(false);
            entry.text(&[]).to_owned()
        };
        self.each(list, text)
    }

    /// Reads each entry of a list. Apart from [`each`](Self::each), so that a compiled policy holds it once and
    /// not for each type that is read.
    fn visit(&self, list: &[&str], read: &mut dyn FnMut(&Entry<'f>)) {
        let list = match self.value.at(list) {
            Some(Value::Array(list)) => list.as_slice(),
            None => &[],
            Some(_) => self.wrong(&[]),
        };
        for value in list {
            let entry = Entry::new(value);
            read(&entry);
            self.is_wrong.set(self.is_wrong.get() || entry.is_wrong.get());
        }
    }

    fn wrong<T>(&self, instead: T) -> T {
        self.is_wrong.set(true);
        instead
    }
}

/// Reads each entry of a list in the response to a query, by a pointer to the list, which the response must have.
pub fn each_of<'f>(
    query: &Query,
    response: &'f Value<'f>,
    list: &str,
    read: &mut dyn FnMut(&Entry<'f>),
) -> Result<(), RequestError> {
    let Some(Value::Array(list)) = response.pointer(list) else {
        let problem = "lacks the list of entries in its response";
        return Err(RequestError::Fact { query: query.id.clone(), problem });
    };
    for value in list {
        let entry = Entry::new(value);
        read(&entry);
        entry.check(query)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;

    /// Reads a document as an entry; whether all that was read was of the API's shape.
    fn is_right(document: &str, read: impl Fn(&Entry<'_>)) -> bool {
        let document = parse(document).unwrap();
        let entry = Entry::new(&document);
        read(&entry);
        entry.is_right()
    }

    #[test]
    fn an_entry_remembers_what_is_not_of_the_shape_of_the_api() {
        let entry = r#"{"id":"a","count":1,"is":true,"list":[{"id":"b"},{"id":[]}],"texts":["c"]}"#;
        let right: [fn(&Entry<'_>); 7] = [
            |entry| assert_eq!((entry.id("id"), entry.text(&["count"]), entry.text(&["none"])), ("a", "1", "")),
            |entry| assert_eq!(entry.first(&["none", "id"]), "a"),
            |entry| assert!(entry.flag(&["is"]) && !entry.flag(&["none"])),
            |entry| assert_eq!(entry.texts(&["texts"]), ["c"]),
            |entry| assert!(entry.has("id") && !entry.has("none")),
            |entry| assert!(entry.has_list(&["list"]) && !entry.has_list(&["id"])),
            |entry| assert_eq!(entry.each(&["none"], |_| ()), []),
        ];
        for (place, read) in right.into_iter().enumerate() {
            assert!(is_right(entry, read), "{place}");
        }
        let wrong: [fn(&Entry<'_>); 5] = [
            |entry| assert_eq!(entry.id("none"), ""),
            |entry| assert_eq!(entry.text(&["list"]), ""),
            |entry| assert!(!entry.flag(&["id"])),
            |entry| assert_eq!(entry.each(&["id"], |_| ()), []),
            |entry| assert_eq!(entry.each(&["list"], |inner| inner.id("id").to_owned()), ["b", ""]),
        ];
        for (place, read) in wrong.into_iter().enumerate() {
            assert!(!is_right(entry, read), "{place}");
        }
        assert!(!is_right("[]", |_| ()), "an entry is an object");
    }

    #[test]
    fn a_response_without_its_list_is_refused() {
        let query = Query {
            id: "id".to_owned(),
            call: crate::call::Call::default(),
            paging: crate::call::Paging::None,
            identity: None,
        };
        let document = parse(r#"{"of":{"list":[{"id":"a"}]}}"#).unwrap();
        let mut ids = Vec::new();
        each_of(&query, &document, "/of/list", &mut |entry| ids.push(entry.id("id"))).unwrap();
        assert_eq!(ids, ["a"]);
        assert!(each_of(&query, &document, "/of", &mut |_| ()).is_err());
        assert!(each_of(&query, &document, "/list", &mut |_| ()).is_err());
    }
}
