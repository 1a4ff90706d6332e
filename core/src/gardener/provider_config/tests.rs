use super::*;
use crate::document::parse;
use crate::{record, rules};

record! {
    #[derive(Debug, Default, PartialEq)]
    struct Toy<'a> {
        api_version: &'a str,
        kind: &'a str,
        storage: Option<bool>,
    }
}

impl<'v> Config<'v> for Toy<'v> {
    const API_VERSION: &'static str = "toy/v1";
    const KINDS: &'static [&'static str] = &["Toy"];
    const KIND: &'static str = "Toy";

    fn complete(&mut self) {
        self.storage.get_or_insert(true);
    }
}

rules! {
    TOY = Rule::error("TOY-001", &["Toy"], crate::report::Operation::Both);
}

#[test]
fn a_kind_sets_its_defaults_after_each_decoding() {
    for (text, storage) in [("", true), (r#","storage":null"#, true), (r#","storage":false"#, false)] {
        let text = format!(r#"{{"apiVersion":"toy/v1","kind":"Toy"{text}}}"#);
        let value = parse(&text).unwrap();
        for mode in [Mode::Strict, Mode::Lenient] {
            assert_eq!(Toy::read(&value, mode).unwrap().storage, Some(storage));
        }
    }
}

#[test]
fn a_missing_kind_is_fixed_only_where_the_value_can_be_read_then() {
    for (text, fixed) in [
        (r#"{"storage":true}"#, 2),
        (r#"{"kind":"Toy"}"#, 1),
        (r#"{"kind":"Game"}"#, 0),
        (r#"{"apiVersion":"game/v1"}"#, 0),
        (r#"{"kind":"Toy","storage":1}"#, 0),
        (r#"{"kind":"Toy","extra":1}"#, 0),
    ] {
        let object = parse(text).unwrap();
        let mut report = Report::new(&object);
        Toy::read_reporting(&object, Mode::Strict, &Path::root("", ""), &mut report, |error| {
            (ALL[0], ErrorType::Invalid, error.to_string())
        });
        let (findings, _) = report.into_parts();
        assert_eq!(findings[0].fix.as_ref().map_or(0, Vec::len), fixed, "{text}");
    }
}

#[test]
fn a_value_with_an_unknown_field_is_reported_and_read_all_the_same() {
    let text = r#"{"spec":{"apiVersion":"toy/v1","kind":"Toy","storage":false,"extra":1}}"#;
    let object = parse(text).unwrap();
    let mut report = Report::new(&object);
    let place = Path::root("spec", "/spec");
    let value = object.get("spec").unwrap();
    let toy = Toy::read_reporting(value, Mode::Strict, &place, &mut report, |error| {
        (ALL[0], ErrorType::Invalid, error.to_string())
    });
    assert_eq!(toy.unwrap().storage, Some(false));
    let (findings, _) = report.into_parts();
    assert_eq!((findings[0].field.as_str(), findings[0].pointer.as_str()), ("spec", "/spec/extra"));
}

#[test]
fn a_value_that_must_be_whole_is_not_read_with_an_unknown_field() {
    let object = parse(r#"{"apiVersion":"toy/v1","kind":"Toy","extra":1}"#).unwrap();
    for (mode, is_read) in [(Mode::Strict, false), (Mode::Lenient, true)] {
        let mut report = Report::new(&object);
        let toy = Toy::read_wholly(&object, mode, &Path::root("", ""), &mut report, |error| {
            (ALL[0], ErrorType::Invalid, error.to_string())
        });
        assert_eq!(toy.is_some(), is_read);
        let (findings, _) = report.into_parts();
        assert!(findings.iter().all(|finding| finding.hides_others));
        assert_eq!(findings.len(), usize::from(!is_read));
    }
}
