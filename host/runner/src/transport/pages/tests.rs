use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::call::Parameter;

fn call(parameters: &[(&str, &str)]) -> ResolvedCall {
    parameters.iter().fold(ResolvedCall::default(), |call, (name, value)| call.with(name, (*value).to_owned()))
}

/// What becomes of pages, and the calls that asked for them but for the first.
fn read(paging: &Paging, first: &ResolvedCall, pages: &[Value]) -> (Value, Vec<ResolvedCall>) {
    let (mut all, mut asked, mut call) = (Pages::new(paging), Vec::new(), first.clone());
    for page in pages {
        match all.take(&call, page.clone()).unwrap() {
            Some(next) => {
                asked.push(next.clone());
                call = next;
            }
            None => break,
        }
    }
    (all.whole(), asked)
}

#[test]
fn numbers_go_on_until_all_are_there() {
    let page = |ids: Value| json!({ "TotalCount": 5, "PageNumber": 1, "PageSize": 2, "Vpcs": { "Vpc": ids } });
    let pages = [page(json!([1, 2])), page(json!([3, 4])), page(json!([5])), page(json!([6]))];
    let (whole, asked) = read(&Paging::PageNumber, &call(&[("PageSize", "2")]), &pages);
    assert_eq!(whole, page(json!([1, 2, 3, 4, 5])));
    let numbers: Vec<_> = asked.iter().map(|call| call.text("PageNumber").unwrap()).collect();
    assert_eq!(numbers, ["2", "3"]);
}

#[test]
fn the_size_of_a_page_is_the_services() {
    // It may give out less than was asked for.
    let pages =
        [json!({ "TotalCount": "3", "PageSize": 2, "List": [1, 2] }), json!({ "TotalCount": 3, "List": [3] })];
    let (whole, asked) = read(&Paging::PageNumber, &call(&[("PageSize", "100")]), &pages);
    assert_eq!((&whole["List"], asked.len()), (&json!([1, 2, 3]), 1));
}

#[test]
fn tokens_are_those_of_the_page_before() {
    let pages = [
        json!({ "NextToken": "a", "RequestId": "1", "Tags": [1], "Groups": { "Group": [] } }),
        json!({ "NextToken": "b", "RequestId": "2", "Tags": [2], "Groups": { "Group": [1], "More": [2] } }),
        json!({ "NextToken": "", "RequestId": "3", "Tags": [], "Groups": { "Group": [3] } }),
    ];
    let (whole, asked) = read(&Paging::NextToken, &call(&[]), &pages);
    let expected = json!({ "RequestId": "1", "Tags": [1, 2], "Groups": { "Group": [1, 3], "More": [2] } });
    assert_eq!(whole, expected);
    assert_eq!(asked, [call(&[("NextToken", "a")]), call(&[("NextToken", "b")])]);
}

#[test]
fn what_comes_in_one_piece_is_left_as_it_is() {
    let page = json!({ "NextToken": "a", "TotalCount": 5, "PageSize": 1, "List": [1] });
    assert_eq!(read(&Paging::None, &call(&[]), &[page.clone(), page.clone()]), (page, vec![]));
}

#[test]
fn a_list_ends_where_nothing_more_comes() {
    let empty = json!({ "TotalCount": 9, "PageSize": 2, "NextToken": "a", "List": [] });
    for paging in [Paging::PageNumber, Paging::NextToken] {
        let (_, asked) = read(&paging, &call(&[]), &[empty.clone(), empty.clone()]);
        assert!(asked.is_empty());
    }
}

#[test]
fn a_numbered_list_that_does_not_say_how_many_entries_it_has_is_not_read() {
    for page in [json!({}), json!({ "PageSize": 2, "List": [] }), json!({ "TotalCount": 0, "List": [] })] {
        let failure = Pages::new(&Paging::PageNumber).take(&call(&[]), page).unwrap_err();
        assert!(failure.message.contains("does not say how many entries there are"), "{failure}");
        assert_eq!((failure.code.as_str(), failure.ambiguous), (UNREADABLE_ANSWER, false), "{failure}");
    }
}

#[test]
fn nobody_follows_a_list_for_ever() {
    let (mut pages, mut read) = (Pages::new(&Paging::NextToken), 0);
    let failure = loop {
        read += 1;
        match pages.take(&call(&[]), json!({ "NextToken": "a", "List": [read] })) {
            Ok(next) => assert!(next.is_some()),
            Err(failure) => break failure,
        }
    };
    assert_eq!((read, failure.code.as_str()), (MOST, TOO_MANY_PAGES));
}

#[test]
fn a_page_without_entries_may_have_a_token_to_more() {
    let paging = Paging::Token(NextPage { at: "/next".to_owned(), parameter: "/token".to_owned() });
    let pages = [json!({ "List": [1], "next": 7 }), json!({ "List": [], "next": "b" }), json!({ "List": [2] })];
    let (whole, asked) = read(&paging, &call(&[]), &pages);
    assert_eq!((&whole["List"], asked.len()), (&json!([1, 2]), 2));
    assert_eq!(asked[0].text("token"), Some("7"));
}

#[test]
fn a_service_that_repeats_a_page_is_an_error_at_once() {
    let mut pages = Pages::new(&Paging::NextToken);
    let page = json!({ "NextToken": "a", "List": [1] });
    let next = pages.take(&call(&[]), page.clone()).unwrap().unwrap();
    let failure = pages.take(&next, page).unwrap_err();
    assert_eq!(failure.code, UNREADABLE_ANSWER);
}

#[test]
fn an_entry_without_the_marker_is_an_error() {
    let paging = Paging::Marker(PageMarker {
        list: "/ports".to_owned(),
        key: "id".to_owned(),
        parameter: "/marker".to_owned(),
    });
    let failure = Pages::new(&paging).take(&call(&[]), json!({ "ports": [{ "name": "a" }] })).unwrap_err();
    assert!(failure.message.contains("`id`"), "{}", failure.message);
}

#[test]
fn a_name_that_repeats_in_a_link_is_a_list() {
    let paging = Paging::Link(NextPage { at: "/next".to_owned(), parameter: "/query".to_owned() });
    let page = json!({ "List": [1], "next": "https://a/b?fields=id&fields=a%20b&marker=x" });
    let next = Pages::new(&paging).take(&call(&[]), page).unwrap().unwrap();
    let text = |text: &str| Parameter::Text(text.to_owned());
    let fields = Parameter::List(vec![text("id"), text("a b")]);
    let query = vec![("fields".to_owned(), fields), ("marker".to_owned(), text("x"))];
    assert_eq!(next.parameters, [("query".to_owned(), Parameter::Object(query))]);
}

proptest! {
    #[test]
    fn any_split_into_pages_is_one_list(entries in proptest::collection::vec(any::<u8>(), 1..40), size in 1_usize..10) {
        let total = entries.len();
        let chunks: Vec<_> = entries.chunks(size).collect();
        let numbered: Vec<_> =
            chunks.iter().map(|ids| json!({ "TotalCount": total, "PageSize": size, "A": { "B": ids } })).collect();
        let (whole, asked) = read(&Paging::PageNumber, &call(&[]), &numbered);
        prop_assert_eq!(&whole["A"]["B"], &json!(&entries));
        prop_assert_eq!(asked.len() + 1, chunks.len());
        let last = chunks.len() - 1;
        let tokens: Vec<_> = chunks.iter().enumerate().map(|(position, ids)| match position {
            position if position == last => json!({ "A": { "B": ids } }),
            position => json!({ "A": { "B": ids }, "NextToken": position.to_string() }),
        }).collect();
        let (whole, asked) = read(&Paging::NextToken, &call(&[]), &tokens);
        prop_assert_eq!(&whole["A"]["B"], &json!(&entries));
        prop_assert_eq!(asked.len() + 1, chunks.len());
    }
}

fn query_of(call: &ResolvedCall) -> Vec<(String, String)> {
    let query = call.parameters.iter().find_map(|(name, value)| match value {
        Parameter::Object(members) if name == "query" => Some(members),
        _ => None,
    });
    let text = |value: &Parameter| match value {
        Parameter::Text(text) => text.clone(),
        other => panic!("{other:?}"),
    };
    query.into_iter().flatten().map(|(name, value)| (name.clone(), text(value))).collect()
}

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

#[test]
fn a_token_is_taken_from_where_the_query_says_and_goes_where_the_query_says() {
    let paging = Paging::Token(NextPage { at: "/meta/next".to_owned(), parameter: "/query/pageToken".to_owned() });
    let pages = [json!({ "meta": { "next": "a=/b" }, "items": [1] }), json!({ "meta": {}, "items": [2] })];
    let first = call(&[]).with_at(&["query", "max"], Parameter::Text("1".to_owned()));
    let (whole, asked) = read(&paging, &first, &pages);
    assert_eq!(whole, json!({ "meta": {}, "items": [1, 2] }));
    assert_eq!(query_of(&asked[0]), [pair("max", "1"), pair("pageToken", "a=/b")]);
}

#[test]
fn of_the_address_of_the_next_page_the_query_is_used() {
    let paging = |at: &str| Paging::Link(NextPage { at: at.to_owned(), parameter: "/query".to_owned() });
    let link = "https://evil.example/elsewhere?limit=2&marker=a%2Fb+c&%24skip=x#top";
    let expected = [pair("limit", "2"), pair("marker", "a/b c"), pair("$skip", "x")];
    for (at, member) in [
        ("/links/next", json!({ "links": { "next": link } })),
        ("/@odata.nextLink", json!({ "@odata.nextLink": link })),
        ("/ports_links/rel=next/href", json!({ "ports_links": [{ "rel": "next", "href": link }] })),
    ] {
        let mut page = member;
        page["ports"] = json!([1]);
        let (whole, asked) = read(&paging(at), &call(&[]), &[page, json!({ "ports": [2], "links": {} })]);
        assert_eq!(whole["ports"], json!([1, 2]), "{at}");
        assert!(!whole.to_string().contains("evil"), "{at}");
        assert_eq!(asked.iter().map(query_of).collect::<Vec<_>>(), [expected.to_vec()], "{at}");
    }
    let (_, asked) = read(&paging("/next"), &call(&[]), &[json!({ "next": null, "ports": [1] })]);
    assert!(asked.is_empty());
    let failure = Pages::new(&paging("/next")).take(&call(&[]), json!({ "next": "/v2/ports", "ports": [1] }));
    assert_eq!(failure.unwrap_err().code, UNREADABLE_ANSWER);
}

#[test]
fn after_a_marker_come_pages_until_one_is_empty() {
    let paging = Paging::Marker(PageMarker {
        list: "/ports".to_owned(),
        key: "id".to_owned(),
        parameter: "/query/marker".to_owned(),
    });
    let page = |ids: &[&str]| json!({ "ports": ids.iter().map(|id| json!({ "id": id })).collect::<Vec<_>>() });
    let (whole, asked) = read(&paging, &call(&[]), &[page(&["a", "b"]), page(&["c"]), page(&[])]);
    assert_eq!(whole, page(&["a", "b", "c"]));
    let markers: Vec<_> = asked.iter().map(query_of).collect();
    assert_eq!(markers, [[pair("marker", "b")], [pair("marker", "c")]]);
}
