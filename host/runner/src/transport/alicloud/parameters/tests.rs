use proptest::prelude::*;

use super::*;

fn text(text: &str) -> Parameter {
    Parameter::from(text)
}

fn object(members: &[(&str, Parameter)]) -> Parameter {
    Parameter::Object(members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}

fn call(parameters: &[(&str, Parameter)]) -> ResolvedCall {
    ResolvedCall {
        service: "vpc".to_owned(),
        action: "CreateVpc".to_owned(),
        parameters: parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
        ..ResolvedCall::default()
    }
}

fn pairs(call: &ResolvedCall) -> Vec<(String, String)> {
    call.pairs("cn-shanghai")
}

fn token(call: &ResolvedCall) -> String {
    pairs(call).into_iter().find(|(name, _)| name == "ClientToken").unwrap().1
}

#[test]
fn lists_and_members_are_written_out_and_empty_texts_left_out() {
    let tags = Parameter::List(vec![
        object(&[("Key", text("one")), ("Value", text(""))]),
        text(""),
        object(&[("Key", text("three")), ("Ids", Parameter::List(vec![text("a"), text("b")]))]),
    ]);
    let call = call(&[("VpcName", text("")), ("Tag", tags), ("CidrBlock", text("10.0.0.0/8"))]);
    let expected = [
        ("CidrBlock", "10.0.0.0/8"),
        ("RegionId", "cn-shanghai"),
        ("Tag.1.Key", "one"),
        ("Tag.3.Ids.1", "a"),
        ("Tag.3.Ids.2", "b"),
        ("Tag.3.Key", "three"),
    ];
    assert_eq!(pairs(&call), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[test]
fn numbers_and_booleans_are_written_as_texts_and_null_is_left_out() {
    let call = call(&[("A", Parameter::Number(5.into())), ("B", Parameter::Bool(false)), ("C", Parameter::Null)]);
    let expected = [("A", "5"), ("B", "false"), ("RegionId", "cn-shanghai")];
    assert_eq!(pairs(&call), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[test]
fn the_region_of_the_call_goes_before_the_configured_one() {
    assert_eq!(
        pairs(&call(&[("RegionId", text("eu-central-1"))])),
        [("RegionId".to_owned(), "eu-central-1".to_owned())]
    );
    assert_eq!(pairs(&call(&[("RegionId", text(""))])), [("RegionId".to_owned(), "cn-shanghai".to_owned())]);
    assert!(call(&[]).pairs("").is_empty());
}

#[test]
fn the_token_is_of_all_that_is_sent_and_of_nothing_else() {
    let one = ResolvedCall { token: Some("seed".to_owned()), ..call(&[("A", text("1")), ("B", text("2"))]) };
    assert_eq!(token(&one).len(), 64);
    // What is not sent, order and account are of no weight.
    let mut same =
        ResolvedCall { token: one.token.clone(), ..call(&[("B", text("2")), ("C", text("")), ("A", text("1"))]) };
    same.account = Some("imageOwner".to_owned());
    assert_eq!(token(&same), token(&one));
    let others = [
        ResolvedCall { token: Some("other".to_owned()), ..one.clone() },
        ResolvedCall { service: "ecs".to_owned(), ..one.clone() },
        ResolvedCall { action: "CreateVSwitch".to_owned(), ..one.clone() },
        ResolvedCall { parameters: call(&[("A", text("1")), ("B", text("3"))]).parameters, ..one.clone() },
        ResolvedCall { parameters: call(&[("A", text("1B2"))]).parameters, ..one.clone() },
        one.clone().with("RegionId", "eu-central-1".to_owned()),
    ];
    for other in others {
        assert_ne!(token(&other), token(&one), "{other:?}");
    }
    let given = one.with("ClientToken", "mine".to_owned());
    assert_eq!(token(&given), "mine");
}

#[test]
fn a_token_stays_the_same_from_release_to_release() {
    // A create that was sent by one release and is sent again by the next must not be a second create.
    let one = ResolvedCall { token: Some("seed".to_owned()), ..call(&[("CidrBlock", text("10.0.0.0/8"))]) };
    assert_eq!(token(&one), "14dd6ea467a7e4e64e7547e773e1941b426c73744a43e9fd5c9df6578c59cc0f");
}

fn parameter() -> impl Strategy<Value = Parameter> {
    let leaf = "[ -~]{0,8}".prop_map(Parameter::Text);
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Parameter::List),
            proptest::collection::btree_map("[A-Z][a-z]{0,4}", inner, 0..4)
                .prop_map(|members| Parameter::Object(members.into_iter().collect())),
        ]
    })
}

/// All texts of a parameter that are sent.
fn leaves(parameter: &Parameter, found: &mut Vec<String>) {
    match parameter {
        Parameter::Text(text) if text.is_empty() => {}
        Parameter::Text(text) => found.push(text.clone()),
        Parameter::Number(number) => found.push(number.to_string()),
        Parameter::Bool(bool) => found.push(bool.to_string()),
        Parameter::Null => {}
        Parameter::List(items) => items.iter().for_each(|item| leaves(item, found)),
        Parameter::Object(members) => members.iter().for_each(|(_, value)| leaves(value, found)),
    }
}

/// The value that a written name leads to.
fn follow<'a>(parameter: &'a Parameter, path: &str) -> Option<&'a Parameter> {
    let Some((first, rest)) = path.split_once('.').map_or((!path.is_empty()).then_some((path, "")), Some) else {
        return Some(parameter);
    };
    match parameter {
        Parameter::Text(_) | Parameter::Number(_) | Parameter::Bool(_) | Parameter::Null => None,
        Parameter::List(items) => follow(items.get(first.parse::<usize>().ok()?.checked_sub(1)?)?, rest),
        Parameter::Object(members) => follow(&members.iter().find(|(name, _)| name == first)?.1, rest),
    }
}

proptest! {
    #[test]
    fn every_text_is_written_once_under_the_name_that_leads_to_it(parameter in parameter()) {
        let call = call(&[("Name", parameter.clone())]);
        let pairs = call.pairs("");
        let (mut texts, mut written): (Vec<_>, Vec<_>) = (Vec::new(), pairs.iter().map(|(_, text)| text.clone()).collect());
        leaves(&parameter, &mut texts);
        texts.sort();
        written.sort();
        prop_assert_eq!(texts, written);
        for (name, value) in &pairs {
            let path = name.strip_prefix("Name").unwrap().trim_start_matches('.');
            prop_assert_eq!(follow(&parameter, path), Some(&Parameter::Text(value.clone())));
        }
        prop_assert!(pairs.is_sorted_by(|a, b| a.0 < b.0), "names are sorted, and none is there twice");
    }
}
