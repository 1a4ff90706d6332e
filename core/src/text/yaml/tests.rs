use super::*;
use proptest::prelude::*;

const MEMBERS: [(&str, Scalar<'static>); 2] = [("m", Scalar::True), ("p", Scalar::Text("place_holder"))];

fn with(text: &str) -> Result<String, String> {
    let mapping = Mapping::read(text).map_err(|error| error.to_string())?;
    mapping.with(&MEMBERS).map_err(|error| error.to_string())
}

#[test]
fn members_are_set_in_their_places() {
    let table = [
        ("", "m: true\np: place_holder\n"),
        ("# nothing yet\n", "# nothing yet\nm: true\np: place_holder\n"),
        ("---\n", "---\nm: true\np: place_holder\n"),
        ("{}", r#"{"m": true, "p": "place_holder"}"#),
        // Sorted keys stay sorted.
        ("a: 1\nn: 2\nz: 3\n", "a: 1\nm: true\nn: 2\np: place_holder\nz: 3\n"),
        ("a:\n  x: 1\nz:\n- b\n", "a:\n  x: 1\nm: true\np: place_holder\nz:\n- b\n"),
        // Others stay in their order.
        ("z: 3\na: 1", "z: 3\na: 1\nm: true\np: place_holder\n"),
        ("  z: 3\n  a: 1\n", "  z: 3\n  a: 1\n  m: true\n  p: place_holder\n"),
        ("a: 1\n# about z\nz: 3\n", "a: 1\n# about z\nz: 3\nm: true\np: place_holder\n"),
        // Values are replaced, and what stands next to them stays.
        ("p: 'x' # mine\nm: false\n", "p: place_holder # mine\nm: true\n"),
        ("m: false # so\np: \"x\\\" # y\" # 'mine'\n", "m: true # so\np: place_holder # 'mine'\n"),
        ("m: no\np: 'it''s # x'   # mine\n", "m: true\np: place_holder   # mine\n"),
        ("p: |\n  x\n  y\nm: false\n", "p: place_holder\nm: true\n"),
        ("m: true\np: |\n  x\n", "m: true\np: place_holder\n"),
        ("m: >-\n  x\n\n# end\np: 1\n", "m: true\n# end\np: place_holder\n"),
        ("p: |\n  x", "m: true\np: place_holder\n"),
        ("m:\np: \"\"\n", "m: true\np: place_holder\n"),
        ("m: \"true\"\np: place_holder\n", "m: true\np: place_holder\n"),
        ("m: true\np: 'place_holder'\n", "m: true\np: 'place_holder'\n"),
        // Aliases and merges stay.
        ("a: &a {b: 1}\nc: *a\n<<: *a\n", "a: &a {b: 1}\nc: *a\n<<: *a\nm: true\np: place_holder\n"),
        ("ä: ö\nm: ü\n", "ä: ö\nm: true\np: place_holder\n"),
        // JSON stays JSON.
        (r#"{"a":{"b":1}}"#, r#"{"m": true, "p": "place_holder", "a":{"b":1}}"#),
        (r#"{"p":"x","m":false}"#, r#"{"p":"place_holder","m":true}"#),
        // A value that keeps its line breaks is followed by its own.
        ("a: |+\n  x\n\n", "a: |+\n  x\n\nm: true\np: place_holder\n"),
        ("a: |\n  x", "m: true\np: place_holder\na: |\n  x"),
        ("a: 1\n...\n", "m: true\np: place_holder\na: 1\n...\n"),
    ];
    for (text, expected) in table {
        assert_eq!(with(text).as_deref(), Ok(expected), "{text}");
        assert_eq!(with(expected).as_deref(), Ok(expected), "a second time: {text}");
    }
}

#[test]
fn texts_that_cannot_be_edited_are_refused_with_their_line() {
    let deep = format!("a: {}1{}", "[".repeat(80), "]".repeat(80));
    let table = [
        ("a: 1\nb: [", "line 3 is not valid YAML"),
        ("a: 1\nb: 2\na: 3\n", "line 3 sets a key for a second time"),
        ("x:\n  a: 1\n  a: 3\n", "line 3 sets a key for a second time"),
        ("[1]", "it is no mapping"),
        ("text", "it is no mapping"),
        ("a: 1\n---\nb: 2\n", "it has more than one document, and a second one in line 2"),
        ("? [a]\n: 1\n", "line 1 has a key that is no text"),
        ("m: [1]\n", "`m` has a list"),
        ("a: &a 1\nm: *a\n", "`m` has a list"),
        ("m: &a 1\nb: *a\n", "`m` has a list"),
        ("m: !!str true\n", "`m` has a list"),
        (&deep, "line 1 nests lists and mappings deeper than 64 levels"),
        ("? a\n: 1\n...\n", "nothing can be added"),
    ];
    for (text, expected) in table {
        let error = with(text).unwrap_err();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
    let large = "a".repeat(MAX_BYTES + 1);
    assert!(with(&large).unwrap_err().starts_with("it has 1048577 bytes"));
}

#[test]
fn aliases_are_not_followed() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..60 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        bomb.extend([format!("a{level}: &a{level} [{aliases}]\n")]);
    }
    assert_eq!(with(&bomb).unwrap(), format!("{bomb}m: true\np: place_holder\n"));
}

proptest! {
    #[test]
    fn any_text_is_refused_or_edited_once(text in "[amp:{},\\[\\]&*|>'\"# \n-]{0,40}") {
        if let Ok(edited) = with(&text) {
            prop_assert_eq!(with(&edited), Ok(edited.clone()), "{}", text);
        }
    }
}
