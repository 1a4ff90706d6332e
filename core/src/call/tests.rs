use super::*;
use crate::collections::Entries;

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

#[test]
fn arguments_are_written_as_the_json_that_they_are() {
    let list = vec!["a".into(), 1.into(), true.into(), Argument::Null];
    let object = Argument::Object(NameMap::from([("name", "n".into()), ("list", Argument::List(list))]));
    assert_eq!(json(&object), r#"{"list":["a",1,true,null],"name":"n"}"#);
    let reference = Argument::Reference { key: "VPC".to_owned() };
    assert_eq!(json(&reference), r#"{"ref":"VPC"}"#);
    assert_eq!(
        json(&Argument::Concat { concat: vec!["x-".into(), reference] }),
        r#"{"concat":["x-",{"ref":"VPC"}]}"#
    );
}

#[test]
fn an_object_of_data_is_distinguished_from_a_reference() {
    let labels = Argument::data([("ref", "main".into()), ("b/c", 2.into())]);
    assert_eq!(json(&labels), r#"{"object":{"b/c":2,"ref":"main"}}"#);
    assert_eq!(json(&Argument::Data { object: Entries::new() }), r#"{"object":{}}"#);
}

#[test]
fn paging_is_a_name_or_a_name_with_what_differs() {
    assert_eq!(
        json(&[Paging::None, Paging::PageNumber, Paging::NextToken]),
        r#"["none","pageNumber","nextToken"]"#
    );
    let token = Paging::Token(&Next { at: "/nextPageToken", parameter: "/query/pageToken" });
    assert_eq!(json(&token), r#"{"token":{"at":"/nextPageToken","parameter":"/query/pageToken"}}"#);
    let marker = Paging::Marker(&Marker { list: "/ports", key: "id", parameter: "/query/marker" });
    assert_eq!(json(&marker), r#"{"marker":{"list":"/ports","key":"id","parameter":"/query/marker"}}"#);
}

/// The host's tests make a request of this text.
#[test]
fn a_call_by_method_and_path_has_its_method_and_path_in_its_action() {
    let call = Call {
        service: "network",
        action: "PUT /v2.0/routers/{router}/tags/{tag}",
        parameters: NameMap::from([
            ("router", Argument::Reference { key: "Router".to_owned() }),
            (
                "tag",
                Argument::Concat {
                    concat: vec!["owner/".into(), Argument::Reference { key: "Owner".to_owned() }],
                },
            ),
            (
                "query",
                Argument::Object(NameMap::from([("fields", Argument::List(vec!["id".into(), "a b".into()]))])),
            ),
            (
                "body",
                Argument::Object(NameMap::from([
                    ("enabled", true.into()),
                    ("mtu", 1450.into()),
                    ("gateway", Argument::Null),
                    ("labels", Argument::data([("ref", Argument::Reference { key: "Router".to_owned() })])),
                ])),
            ),
        ]),
        ..Call::default()
    };
    assert_eq!(json(&call), include_str!("rest.json").trim_end());
}
