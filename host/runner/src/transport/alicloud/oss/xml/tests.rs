use proptest::prelude::*;
use serde_json::json;

use super::*;

fn read_text(text: &str, lists: &[&str]) -> Result<Value, String> {
    read(text.as_bytes(), lists).map(|(root, value)| json!({ root: value })).map_err(|error| error.to_string())
}

/// A value as an argument.
fn argument(value: &Value) -> Parameter {
    match value {
        Value::Null => Parameter::Null,
        Value::Bool(bool) => Parameter::Bool(*bool),
        Value::Number(number) => Parameter::Number(number.clone()),
        Value::String(text) => Parameter::Text(text.clone()),
        Value::Array(entries) => Parameter::List(entries.iter().map(argument).collect()),
        Value::Object(members) => {
            Parameter::Object(members.iter().map(|(name, value)| (name.clone(), argument(value))).collect())
        }
    }
}

fn written(root: &str, value: &Value) -> Result<String, Unwritable> {
    write(root, &argument(value)).map(|text| String::from_utf8(text).unwrap())
}

#[test]
fn elements_are_texts_objects_and_lists() {
    let text = "\u{feff}<?xml version=\"1.0\"?><!-- a --><L xmlns=\"http://doc.example\"><Name>b</Name><Empty/>
        <Rule><ID>1</ID><Tag><Key>k</Key></Tag></Rule><Rule><Prefix></Prefix></Rule><Twice>1</Twice><Twice>2</Twice></L>";
    let expected = json!({ "L": {
        "Name": "b",
        "Empty": "",
        "Rule": [{ "ID": "1", "Tag": [{ "Key": "k" }] }, { "Prefix": "", "Tag": [] }],
        "Twice": ["1", "2"],
        "None": [],
    } });
    assert_eq!(read_text(text, &["Rule", "Rule/Tag", "None"]), Ok(expected));
    assert_eq!(read_text("<L><A>1</A></L>", &["A"]), Ok(json!({ "L": { "A": ["1"] } })));
    assert_eq!(read_text("<L/>", &["A"]), Ok(json!({ "L": { "A": [] } })));
    assert_eq!(read_text("<L/>", &[]), Ok(json!({ "L": "" })));
    // The names of a list lead from the root.
    assert_eq!(read_text("<L><B><A>1</A></B></L>", &["A"]), Ok(json!({ "L": { "A": [], "B": { "A": "1" } } })));
}

#[test]
fn texts_are_read_as_they_are() {
    for (text, read) in [
        ("a &lt;&amp;&quot;&apos;&gt; b", "a <&\"'> b"),
        (" a ", " a "),
        (" ", " "),
        ("&#13;&#x9;&#10;", "\r\t\n"),
        ("<![CDATA[<a> & b]]>c", "<a> & bc"),
        ("网络 ü 😀", "网络 ü 😀"),
        ("a<!-- b -->c", "ac"),
    ] {
        assert_eq!(read_text(&format!("<L><A>{text}</A></L>"), &[]), Ok(json!({ "L": { "A": read } })), "{text}");
    }
}

#[test]
fn what_is_more_or_less_than_elements_and_texts_is_not_read() {
    for (text, why) in [
        ("", "it has not one root element"),
        ("   ", "it has not one root element"),
        ("<L>", "it is not complete"),
        ("<L><A></A>", "it is not complete"),
        ("<L/><L/>", "it has not one root element"),
        ("<L/><M/>", "it has not one root element"),
        ("<L/>more", "it is not complete"),
        ("more", "it is not complete"),
        ("{\"a\": 1}", "it is not complete"),
        ("<L><A b=\"c\"/></L>", "`A` has attributes"),
        ("<L><A>b<C/></A></L>", "`A` has text next to elements"),
        ("<!DOCTYPE html><html></html>", "it has a document type"),
        ("<L>&unknown;</L>", "it has an unknown entity"),
    ] {
        assert_eq!(read_text(text, &[]), Err(why.to_owned()), "{text}");
    }
    for text in ["<L></M>", "</L>", "<L", "<L><A></L></A>"] {
        assert!(read_text(text, &[]).is_err(), "{text}");
    }
    assert!(read(b"<L>\xff</L>", &[]).is_err());
    let deep = |depth| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
    assert!(read_text(&deep(DEEPEST), &[]).is_ok());
    assert!(read_text(&deep(DEEPEST + 1), &[]).is_err());
    let wide = |count| format!("<a>{}</a>", "<b/>".repeat(count));
    assert!(read_text(&wide(MOST - 1), &[]).is_ok());
    assert!(read_text(&wide(MOST), &[]).is_err());
}

#[test]
fn values_become_elements() {
    let object = |members: &[(&str, Parameter)]| {
        Parameter::Object(members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
    };
    let tags = ["a", "b"].map(|key| object(&[("Key", key.into())]));
    let first = [
        ("Prefix", "".into()),
        ("Status", "Enabled".into()),
        ("AbortMultipartUpload", object(&[("Days", Parameter::Number(7.into()))])),
    ];
    let second = [
        ("ID", "<&>\r".into()),
        ("Tag", Parameter::List(tags.into())),
        ("None", Parameter::Null),
        ("Is", Parameter::Bool(true)),
        ("Empty", object(&[])),
        ("Nothing", Parameter::List(Vec::new())),
    ];
    let rules = object(&[("Rule", Parameter::List(vec![object(&first), object(&second)]))]);
    assert_eq!(
        String::from_utf8(write("LifecycleConfiguration", &rules).unwrap()).unwrap(),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><LifecycleConfiguration><Rule><Prefix></Prefix>\
         <Status>Enabled</Status><AbortMultipartUpload><Days>7</Days></AbortMultipartUpload></Rule>\
         <Rule><ID>&lt;&amp;&gt;&#13;</ID><Tag><Key>a</Key></Tag><Tag><Key>b</Key></Tag><Is>true</Is><Empty></Empty>\
         </Rule></LifecycleConfiguration>"
    );
}

#[test]
fn what_has_no_form_as_xml_is_refused() {
    for (value, why) in [
        (json!({ "A": "\u{1}" }), Unwritable::Text("\u{1}".to_owned())),
        (json!({ "A": "\u{fffe}" }), Unwritable::Text("\u{fffe}".to_owned())),
        (json!({ "A": [[1]] }), Unwritable::List),
        (json!([1]), Unwritable::List),
        (json!({ "a b": 1 }), Unwritable::Name("a b".to_owned())),
        (json!({ "a><b": 1 }), Unwritable::Name("a><b".to_owned())),
        (json!({ "": 1 }), Unwritable::Name(String::new())),
        (json!({ "A": { "1": 1 } }), Unwritable::Name("1".to_owned())),
    ] {
        assert_eq!(written("L", &value), Err(why), "{value}");
    }
}

/// Any rule of a person: elements that this program knows, and others.
fn rules() -> impl Strategy<Value = Value> {
    let text = proptest::string::string_regex("[ -~\\t\\n\\rü网😀]{0,12}").unwrap().prop_map(Value::String);
    let names = ["ID", "Prefix", "Status", "Days", "Filter", "Transition", "Not", "Key", "x-y.z_1"];
    let value = text.prop_recursive(4, 24, 5, move |inner| {
        let entries = prop_oneof![
            3 => inner.clone(),
            1 => proptest::collection::vec(inner, 2..4).prop_map(Value::Array),
        ];
        let members = proptest::collection::btree_map(proptest::sample::select(names.to_vec()), entries, 1..5);
        members.prop_map(|members| members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    });
    proptest::collection::vec(value, 0..4).prop_map(|rules| json!({ "Rule": rules }))
}

proptest! {
    #[test]
    fn rules_survive(rules in rules()) {
        let text = written("LifecycleConfiguration", &rules).unwrap();
        let (root, again) = read(text.as_bytes(), &["Rule"]).unwrap();
        prop_assert_eq!(root, "LifecycleConfiguration");
        prop_assert_eq!(again, rules);
    }

    #[test]
    fn no_beginning_of_a_document_is_a_document(rules in rules(), end in any::<proptest::sample::Index>()) {
        let text = written("LifecycleConfiguration", &rules).unwrap();
        prop_assert!(read(&text.as_bytes()[..end.index(text.len())], &["Rule"]).is_err());
    }

    #[test]
    fn any_bytes_are_read_or_not(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let _ = read(&bytes, &["a", "a/b"]);
    }
}
