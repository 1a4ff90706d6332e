mod mistakes;

use proptest::prelude::*;

use super::*;
use crate::source::{MAX_DOCUMENT_NODES, Part};

fn json(text: &str) -> String {
    let (_, documents) = read("t.yaml", text.as_bytes()).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    documents.iter().map(Node::to_json).collect::<Vec<_>>().join("\n")
}

/// What is wrong, with line and column.
type Refusal = (ReadProblem, Option<(usize, usize)>);

fn problem(bytes: impl AsRef<[u8]>) -> Refusal {
    let error = read("t.yaml", bytes.as_ref()).expect_err("the text must be refused");
    let place = error.span.map(|span| error.input.position(span.start));
    assert!(!error.problem.help().is_empty());
    (error.problem, place.map(|place| (place.line, place.column)))
}

#[test]
fn tabs_separate_a_key_from_its_value_and_indent_nothing() {
    let table = [
        ("kind:\tShoot\n", r#"{"kind":"Shoot"}"#),
        ("a:\t \tx\nb:\t5\nc:\t\"\td\"\n", "{\"a\":\"x\",\"b\":5,\"c\":\"\\td\"}"),
        ("a: {b:\tc, d:\te}\nf:\tg:\n", ""),
        ("a: |\n  x:\ty\nb:\tc # d:\te\n", "{\"a\":\"x:\\ty\\n\",\"b\":\"c\"}"),
    ];
    for (text, expected) in table {
        if expected.is_empty() {
            assert!(matches!(problem(text).0, ReadProblem::Syntax(_)), "{text:?}");
        } else {
            assert_eq!(json(text), expected, "{text:?}");
        }
    }
    let (source, roots) = read("t.yaml", "a:\tä\nb:\tc\n".as_bytes()).unwrap();
    assert_eq!(source.text(), "a:\tä\nb:\tc\n", "the text stays as it is written");
    assert_eq!(source.slice(roots[0].locate("/b").node.span), "c");
    assert_eq!(problem("a:\t- 1\n").1, Some((1, 4)), "a tab does not indent a list");
}

#[test]
fn yaml_becomes_json_with_the_numbers_as_spelled() {
    let table = [
        ("version: 1.30\n", r#"{"version":1.30}"#),
        ("big: 123456789012345678901234567890\n", r#"{"big":123456789012345678901234567890}"#),
        ("a: \"1.30\"\nb: '0777'\nc: 0777\n", r#"{"a":"1.30","b":"0777","c":511}"#),
        ("on: yes\n8: x\n1.5: z", r#"{"true":true,"8":"x","1.5":"z"}"#),
        ("a: |\n  x\n  y\nb: >-\n  x\n  y\n", r#"{"a":"x\ny\n","b":"x y"}"#),
        ("a: !!str 5\nb: !!int \"5\"\nc: ! 5\n", r#"{"a":"5","b":5,"c":"5"}"#),
        ("a:\nb: ~\nc: ''\n", r#"{"a":null,"b":null,"c":""}"#),
        ("a: 1\n---\n---\n# nothing\n---\nb: 2\n...\n", "{\"a\":1}\n{\"b\":2}"),
        ("\u{feff}a: 1\n", r#"{"a":1}"#),
        ("a: 1\r\nb:\r\n- 2\r\n", r#"{"a":1,"b":[2]}"#),
        ("%YAML 1.1\n---\na: 1\n", r#"{"a":1}"#),
        ("{\"a\":1,\"b\":[true,null,\"\\u00e9\\/\"],\n\t\"c\": {}}", r#"{"a":1,"b":[true,null,"é/"],"c":{}}"#),
        ("a: \"\\x07\\\"\\\\\"\n", "{\"a\":\"\\u0007\\\"\\\\\"}"),
    ];
    for (text, expected) in table {
        assert_eq!(json(text), expected, "{text:?}");
    }
}

#[test]
fn aliases_repeat_and_merge_keys_fill_in() {
    let table = [
        ("a: &x {p: 1}\nb: *x\n", r#"{"a":{"p":1},"b":{"p":1}}"#),
        ("a: &x 5\nb: [*x, *x]\n", r#"{"a":5,"b":[5,5]}"#),
        ("a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  q: 3\n", r#"{"a":{"p":1,"q":2},"b":{"q":3,"p":1}}"#),
        (
            "a: &x {p: 1}\nb: &y {p: 2, q: 2}\nc:\n  <<: [*x, *y]\n",
            r#"{"a":{"p":1},"b":{"p":2,"q":2},"c":{"p":1,"q":2}}"#,
        ),
        ("'<<': 1\n", r#"{"<<":1}"#),
    ];
    for (text, expected) in table {
        assert_eq!(json(text), expected, "{text:?}");
    }
}

#[test]
fn what_cannot_be_read_is_named_with_its_place() {
    let duplicate = ReadProblem::DuplicateKey { key: "a".into(), first_line: 1 };
    let table: Vec<(&[u8], Refusal)> = vec![
        (b"", (ReadProblem::Empty, None)),
        (b"# only a comment\n---\n", (ReadProblem::Empty, None)),
        (b"a: 1\nb: 2\na: 3\n", (duplicate, Some((3, 1)))),
        (b"a: 1\nb: \xFF\n", (ReadProblem::NotUtf8, Some((2, 4)))),
        (b"a: 1\nb: \0\n", (ReadProblem::Nul, Some((2, 4)))),
        (b"a\0:\0 \0", (ReadProblem::Nul, Some((1, 2)))),
        (b"a: .inf\n", (ReadProblem::NotFinite(".inf".into()), Some((1, 4)))),
        (b"? [a]\n: b\n", (ReadProblem::KeyNotScalar, Some((1, 3)))),
        (b"a:\n  ~: b\n", (ReadProblem::KeyNotScalar, Some((2, 3)))),
        (b"a: *x\n", (ReadProblem::UnknownAlias("*x".into()), Some((1, 4)))),
        (b"a: &x [*x]\n", (ReadProblem::UnknownAlias("*x".into()), Some((1, 8)))),
        (b"a: &x 1\n---\nb: *x\n", (ReadProblem::UnknownAlias("*x".into()), Some((3, 4)))),
        (b"a: !custom 1\n", (ReadProblem::UnknownTag("!custom".into()), Some((1, 4)))),
        (b"a: !!binary aGk=\n", (ReadProblem::UnknownTag("!!binary".into()), Some((1, 4)))),
        (b"a: !!int x\n", (ReadProblem::TagMismatch("!!int".into()), Some((1, 4)))),
        (b"a:\n  <<: 5\n", (ReadProblem::MergeNotMapping, Some((2, 7)))),
    ];
    for (bytes, expected) in table {
        assert_eq!(problem(bytes), expected, "{:?}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn hostile_inputs_end_with_an_error() {
    let bomb = (1..40).fold("a0: &a0 [x, x]\n".to_owned(), |text, level| {
        let below = level - 1;
        text + &format!("a{level}: &a{level} [*a{below}, *a{below}]\n")
    });
    let anchored = (0..60).fold(String::new(), |text, level| text + &format!("&a{level} ["))
        + &"x,".repeat(40_000)
        + &"]".repeat(60);
    let steps = (0..60).fold("s0: &s0 [x]\n".to_owned(), |text, level| {
        text + &format!("s{}: &s{} [[[*s{level}]]]\n", level + 1, level + 1)
    });
    let indented = (0..1_000).fold(String::new(), |text, level| text + &" ".repeat(level) + "a:\n");
    let too_many = || ReadProblem::TooManyNodes(Part::Document(1));
    let table: Vec<(&str, String, ReadProblem)> = vec![
        ("brackets", "[".repeat(100_000), ReadProblem::TooDeep),
        ("braces", "{a: ".repeat(100_000), ReadProblem::TooDeep),
        ("bracket lines", "[\n".repeat(1 << 20), ReadProblem::TooDeep),
        ("dashes", "- ".repeat(3 << 19), ReadProblem::TooDeep),
        ("questions", "? ".repeat(3 << 19), ReadProblem::KeyNotScalar),
        ("indentation", indented, ReadProblem::TooDeep),
        ("alias bomb", bomb, too_many()),
        ("anchors in anchors", anchored, too_many()),
        (
            "long text in anchors",
            format!("{}{}{}", "&a [".repeat(60), "x".repeat(1 << 20), "]".repeat(60)),
            ReadProblem::RepeatsTooMuch,
        ),
        (
            "long text repeated",
            format!("a: &a {}\nb: [{}]", "x".repeat(1 << 20), "*a,".repeat(40_000)),
            ReadProblem::RepeatsTooMuch,
        ),
        ("aliases that deepen", steps, ReadProblem::TooDeep),
        ("many items", "- a\n".repeat(700_000), too_many()),
        ("many items in one line", format!("[{}]", "1,".repeat(1_500_000)), too_many()),
        (
            "ten megabytes",
            "a".repeat(10_000_000),
            ReadProblem::PartTooLarge { part: Part::Document(1), bytes: 10_000_000 },
        ),
    ];
    for (name, text, expected) in table {
        assert_eq!(problem(&text).0, expected, "{name}");
    }
}

#[test]
fn values_count_against_the_limit_and_keys_do_not() {
    let entries = |number: usize| (0..number).fold(String::new(), |text, at| text + &format!("k{at}: v\n"));
    assert!(read("t.yaml", entries(MAX_DOCUMENT_NODES - 1).as_bytes()).is_ok());
    assert_eq!(problem(entries(MAX_DOCUMENT_NODES)).0, ReadProblem::TooManyNodes(Part::Document(1)));
}

#[test]
fn each_document_and_each_item_of_a_list_has_limits_of_its_own() {
    let half = format!("[{}0]", "0,".repeat(MAX_DOCUMENT_NODES / 2));
    let (long, whole) =
        (format!("\"{}\"", "x".repeat(2 << 20)), format!("[{}0]", "0,".repeat(MAX_DOCUMENT_NODES)));
    let list = |items: &[&str]| {
        let lines = items.iter().fold(String::new(), |lines, item| lines + "- " + item + "\n");
        let json = format!("{{\"items\":[{}],\n\"kind\":\"List\"}}", items.join(",\n"));
        [format!("kind: List\nitems:\n{lines}"), json]
    };
    for text in list(&[&half, &half, &half, &long, &long]) {
        assert_eq!(json(&text).matches("[0,").count(), 3);
    }
    let documents = format!("{half}\n---\n{half}\n---\n{long}\n---\n{long}\n");
    assert!(
        read("t.yaml", documents.as_bytes()).is_ok()
            && read("t.json", documents.replace("---", "").as_bytes()).is_ok()
    );

    let huge = format!("\"{}\"", "x".repeat(4 << 20));
    let too_large = |part| ReadProblem::PartTooLarge { part, bytes: huge.len() };
    for (items, expected) in [
        ([&half, &whole], ReadProblem::TooManyNodes(Part::Item(2))),
        ([&whole, &half], ReadProblem::TooManyNodes(Part::Item(1))),
        ([&half, &huge], too_large(Part::Item(2))),
    ] {
        for (text, first) in list(&items.map(String::as_str)).iter().zip([3, 1]) {
            let (found, place) = problem(text);
            let Part::Item(number) = (match &found {
                ReadProblem::TooManyNodes(part) | ReadProblem::PartTooLarge { part, .. } => *part,
                other => panic!("{other}"),
            }) else {
                panic!("{found}")
            };
            assert_eq!(
                (&found, place.map(|(line, _)| line)),
                (&expected, Some(first + number - 1)),
                "the item is named"
            );
        }
    }
    assert_eq!(problem(format!("a: 1\n---\n{whole}\n")).0, ReadProblem::TooManyNodes(Part::Document(2)));
    assert_eq!(problem(format!("items: [1]\nother: {whole}\n")).0, ReadProblem::TooManyNodes(Part::Document(1)));
    let lists = format!("{{\"items\":[1]}} [{half},{half}]");
    assert_eq!(
        problem(lists).0,
        ReadProblem::TooManyNodes(Part::Document(2)),
        "a list without a kind is one document"
    );
    let third = format!("[{}0]", "0,".repeat(MAX_DOCUMENT_NODES / 3));
    let repeated = format!("anchor: &a {third}\nitems:\n{}", "- *a\n".repeat(3));
    assert_eq!(
        problem(repeated).0,
        ReadProblem::RepeatsTooManyNodes,
        "items do not multiply what an alias repeats"
    );
    let reported = ReadProblem::TooManyNodes(Part::Item(17)).to_string();
    assert!(reported.starts_with("item 17 of the list has more than 50000 values"), "{reported}");
}

#[test]
fn long_inputs_within_the_limits_are_read() {
    let line = format!("a: \"{}\"\n", "é".repeat(1 << 20));
    assert_eq!(json(&line).len(), line.len() + 2);
    assert!(json(&format!("a: |\n{}", "  x\n".repeat(700_000))).len() > 1_400_000);
    assert_eq!(json(&format!("{}a: 1\n", "# comment\n".repeat(300_000))), r#"{"a":1}"#);
}

fn tree() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        "\\PC{0,12}".prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::btree_map("[a-z/~é \"#:-]{1,6}", inner, 0..6)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Every pointer of a tree, with the value it leads to.
fn pointers<'v>(value: &'v serde_json::Value, at: &str, found: &mut Vec<(String, &'v serde_json::Value)>) {
    found.push((at.to_owned(), value));
    match value {
        serde_json::Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointers(item, &format!("{at}/{index}"), found);
            }
        }
        serde_json::Value::Object(entries) => {
            for (key, item) in entries {
                pointers(item, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        _ => {}
    }
}

/// What stands at the span of each node reads as that node again.
fn check_spans(text: &str, value: &serde_json::Value) -> Result<(), TestCaseError> {
    let (source, documents) =
        read("t.yaml", text.as_bytes()).map_err(|error| TestCaseError::fail(error.to_string()))?;
    let mut found = Vec::new();
    pointers(value, "", &mut found);
    for (pointer, expected) in found {
        let location = documents[0].locate(&pointer);
        prop_assert!(location.exact, "{pointer} in {text}");
        let json: serde_json::Value = serde_json::from_str(&location.node.to_json()).unwrap();
        prop_assert_eq!(&json, expected);
        if !location.node.is_container() && location.node.value != Value::Null {
            let slice = source.slice(location.node.span);
            let (_, again) =
                read("part", slice.as_bytes()).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(&again[0].value, &location.node.value);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn every_pointer_of_a_json_text_is_located(value in tree()) {
        prop_assume!(!value.is_null());
        check_spans(&value.to_string(), &value)?;
        check_spans(&serde_json::to_string_pretty(&value).unwrap(), &value)?;
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[ \\-:a\\[\\]{}&*!|>'\"#,\n\t?%~<é0.]{0,60}") {
        if let Ok((source, documents)) = read("t.yaml", text.as_bytes()) {
            for document in documents {
                let _ = document.to_json();
                let _ = source.slice(document.locate("/a/0").highlight(&source));
            }
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let _ = read("t.yaml", &bytes);
    }
}

#[test]
fn json_is_read_as_json() {
    let text = "{\"a\":\"\\ud83d\\ude00\\/\",\"b\":1.30}\n{\"a\":[]} [1]\nnull";
    let (source, documents) = read("t.json", text.as_bytes()).unwrap();
    let json: Vec<String> = documents.iter().map(Node::to_json).collect();
    assert_eq!(json, ["{\"a\":\"😀/\",\"b\":1.30}", "{\"a\":[]}", "[1]"]);
    let b = documents[0].locate("/b").highlight(&source);
    assert_eq!(source.slice(b), "1.30");
}

#[test]
fn what_yaml_refuses_is_refused_in_json_too() {
    let problem = |text: &str| read("t.json", text.as_bytes()).unwrap_err().problem;
    assert_eq!(problem("{\"a\":1,\n\"a\":2}"), ReadProblem::DuplicateKey { key: "a".to_owned(), first_line: 1 });
    assert_eq!(problem("[3e333033]"), ReadProblem::NotFinite("3e333033".to_owned()));
    assert_eq!(problem(&"[".repeat(100_000)), ReadProblem::TooDeep);
    assert_eq!(
        problem(&format!("[{}0]", "0,".repeat(MAX_DOCUMENT_NODES))),
        ReadProblem::TooManyNodes(Part::Document(1))
    );
}

#[test]
fn what_may_be_part_of_a_secret_is_not_reported() {
    for text in ["kind: Secret\na: *TOPSECRET\n", "kind: Secret\na: !TOPSECRET x\n"] {
        let error = read("t.yaml", text.as_bytes()).unwrap_err();
        let reported = format!("{error} {}", error.problem.help());
        assert!(!reported.contains("TOPSECRET"), "{reported}");
    }
    assert!(read("t.yaml", b"kind: Shoot\na: *NAME\n").unwrap_err().to_string().contains("NAME"));
}
