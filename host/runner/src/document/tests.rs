use super::*;

#[test]
fn arguments_are_read_by_their_shape() {
    let text = r#"{"a":"x","b":{"ref":"VPC"},"c":{"concat":["p-",{"ref":"Zones/a/ID"}]},"d":["1",{"Key":"k"}]}"#;
    let read: BTreeMap<String, Argument> = serde_json::from_str(text).unwrap();
    let reference = |key: &str| Argument::Reference { key: key.to_owned() };
    let literal = |text: &str| Argument::Text(text.to_owned());
    assert_eq!(read["a"], literal("x"));
    assert_eq!(read["b"], reference("VPC"));
    assert_eq!(read["c"], Argument::Concat { concat: vec![literal("p-"), reference("Zones/a/ID")] });
    let object = Argument::Object(BTreeMap::from([("Key".to_owned(), literal("k"))]));
    assert_eq!(read["d"], Argument::List(vec![literal("1"), object]));
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
}

#[test]
fn an_object_with_more_than_a_reference_is_no_reference() {
    let read: Argument = serde_json::from_str(r#"{"ref":"VPC","more":"x"}"#).unwrap();
    assert!(matches!(read, Argument::Object(members) if members.len() == 2));
}

#[test]
fn conditions_are_read_by_their_members() {
    let text = concat!(
        r#"[{"gone":true},{"at":"/Status","among":["Available"]},"#,
        r#"{"at":"/Status","ends":["ing"]},{"present":"/Ip"}]"#
    );
    let read: Vec<Condition> = serde_json::from_str(text).unwrap();
    assert!(matches!(
        read.as_slice(),
        [
            Condition::Gone { gone: true },
            Condition::Among { .. },
            Condition::Ends { .. },
            Condition::Present { .. }
        ]
    ));
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
}

#[test]
fn a_plan_of_a_newer_policy_is_read_as_far_as_it_is_known() {
    let text = r#"{"plan":{"state":{"VPC":"vpc-1"},"news":1,"steps":[{"id":"a","call":{"service":"vpc",
        "action":"CreateVpc"},"later":true}]}}"#;
    let plan = serde_json::from_str::<Planning>(text).unwrap().plan.unwrap();
    assert_eq!((plan.state["VPC"].as_str(), plan.steps[0].call.action.as_str()), ("vpc-1", "CreateVpc"));
    assert!(!plan.is_empty());
}

#[test]
fn every_json_value_is_an_argument_and_is_written_as_it_was_read() {
    let text =
        r#"[1,-2.5,true,null,"x",[],{},{"a":[{"b":null}]},{"object":{"b/c":2,"ref":"main"}},{"object":"x"}]"#;
    let read: Vec<Argument> = serde_json::from_str(text).unwrap();
    assert_eq!((&read[2], &read[3]), (&Argument::Bool(true), &Argument::Null));
    assert!(matches!(&read[8], Argument::Data { object } if object["ref"] == Argument::Text("main".to_owned())));
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
}

#[test]
fn paging_is_a_name_or_a_name_with_what_differs() {
    let text = concat!(
        r#"["none","pageNumber","nextToken",{"token":{"at":"/nextPageToken","parameter":"/query/pageToken"}},"#,
        r#"{"link":{"at":"/links/next","parameter":"/query"}},{"marker":{"list":"/a","key":"id","parameter":"/query/m"}}]"#
    );
    let read: Vec<Paging> = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
}
