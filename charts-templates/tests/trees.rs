//! What compiles to which tree.
#![expect(clippy::panic, reason = "a broken template must fail the test")]

use std::fmt::Write as _;

use trellis_templates::{BlockKind, Node, Part, Piece, compile};

/// The start of each template: which object it is.
const START: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n";
/// The same in a tree that is one JSON text, and in one with holes.
const START_AS_JSON: &str = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}"#;
const START_AS_MEMBERS: &str = r#"{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name":"a"}"#;

/// A tree in short: JSON stands for itself, `<path>` is a whole value, and a block begins with its name and path.
fn spelled(node: &Node) -> String {
    match node {
        Node::Json(json) => json.clone(),
        Node::Text(pieces) => text(pieces),
        Node::Value(hole) => format!("<{hole}>"),
        Node::Object(members) => format!("{{{}}}", parts(members)),
        Node::List(items) => format!("[{}]", parts(items)),
    }
}

fn text(pieces: &[Piece]) -> String {
    let mut text = String::from("\"");
    for piece in pieces {
        match piece {
            Piece::Text(fixed) => text.push_str(fixed),
            Piece::Hole(hole) => _ = write!(text, "{{{{{hole}}}}}"),
        }
    }
    text + "\""
}

fn parts(all: &[Part]) -> String {
    all.iter().map(part).collect::<Vec<_>>().join(", ")
}

fn part(one: &Part) -> String {
    match one {
        Part::Member(key, value) => format!("{}: {}", text(key), spelled(value)),
        Part::Item(value) => spelled(value),
        Part::Block { kind, of, body, otherwise } => {
            let kind = match kind {
                BlockKind::If => "if",
                BlockKind::Unless => "unless",
                BlockKind::Each => "each",
                BlockKind::With => "with",
            };
            let otherwise =
                if otherwise.is_empty() { String::new() } else { format!(" else ({})", parts(otherwise)) };
            format!("{kind} {of} ({}){otherwise}", parts(body))
        }
    }
}

/// What follows the start in the tree of a template.
fn rest(body: &str) -> String {
    let template =
        compile("a.yaml.hbs", &format!("{START}{body}")).unwrap_or_else(|error| panic!("{body}\n{error}"));
    let tree = spelled(&template.root);
    let start = if matches!(template.root, Node::Json(_)) { START_AS_JSON } else { START_AS_MEMBERS };
    let rest = tree.strip_prefix(start).unwrap_or_else(|| panic!("{tree}"));
    rest.trim_start_matches([',', ' ']).strip_suffix('}').unwrap_or_else(|| panic!("{tree}")).to_owned()
}

fn check(table: &[(&str, &str)]) {
    for (body, expected) in table {
        assert_eq!(rest(body), *expected, "{body}");
    }
}

#[test]
fn yaml_without_holes_is_one_json_text() {
    check(&[
        ("", ""),
        ("data:\n  a: b\n", r#""data":{"a":"b"}"#),
        ("a: 1\nb: -2\nc: 1.5\nd: true\ne: null\nf:\n", r#""a":1,"b":-2,"c":1.5,"d":true,"e":null,"f":null"#),
        (r#"a: "1""#, r#""a":"1""#),
        ("a: '1'", r#""a":"1""#),
        (r#"a: "true""#, r#""a":"true""#),
        (r#"a: """#, r#""a":"""#),
        ("a: []\nb: {}\n", r#""a":[],"b":{}"#),
        (r#"a: [1, "2", b]"#, r#""a":[1,"2","b"]"#),
        ("a: {b: [c], d: 1}", r#""a":{"b":["c"],"d":1}"#),
        (r#"a: "\t\" \\ \n \u00e4 ü 🌱""#, r#""a":"\t\" \\ \n ä ü 🌱""#),
        (r#"a: "\0\a\e""#, r#""a":"\u0000\u0007\u001b""#),
        ("a: b:c\n", r#""a":"b:c""#),
        ("a: b # c\n# d\n", r#""a":"b""#),
        ("a: b#c\n", r#""a":"b#c""#),
        ("a: b\r\nc: d\r\n", r#""a":"b","c":"d""#),
    ]);
}

#[test]
fn block_scalars_without_holes_are_texts() {
    check(&[
        ("a: |\n  b\n    c\n\n  d\ne: f\n", r#""a":"b\n  c\n\nd\n","e":"f""#),
        ("a: |-\n  b\n  # c\n", r#""a":"b\n# c""#),
        ("a: >\n  b\n  c\n", r#""a":"b c\n""#),
        ("{{#if x}}\na: |\n  b\n    c\n\n  d\n{{/if}}\n", "if x (\"a\": \"b\\n  c\\n\\nd\\n\")"),
        ("a: |\n  1\nb: >-\n  true\n", r#""a":"1\n","b":"true""#),
    ]);
}

#[test]
fn holes_are_parts_of_texts_or_whole_values() {
    check(&[
        (r#"a: "{{x}}""#, r#""a": "{{x}}""#),
        (r#"a: "b {{x}} c{{y.z}}""#, r#""a": "b {{x}} c{{y.z}}""#),
        (r#"a: "{{ x }}{{this}}{{this.y}}""#, r#""a": "{{x}}{{this}}{{y}}""#),
        ("a: {{toJson x}}", r#""a": <x>"#),
        ("a: {{ toJson  x.y }} # b", r#""a": <x.y>"#),
        ("a:\n  - {{toJson x}}\n  - b\n", r#""a": [<x>, "b"]"#),
        ("a: [{{toJson x}}, 1]", r#""a": [<x>, 1]"#),
        ("a: {{toJson this}}", r#""a": <this>"#),
        (r#""{{x}}": 1"#, r#""{{x}}": 1"#),
        (r#""a-{{x}}/b": "c""#, r#""a-{{x}}/b": "c""#),
        (r#""a": "{{x}}""#, r#""a": "{{x}}""#),
        (r#"a: "{ {{x}} } {b}""#, r#""a": "{ {{x}} } {b}""#),
        (r#"a: "say \"{{x}}\"""#, r#""a": "say "{{x}}"""#),
        ("a:\n  b: 1\n  c:\n    d: \"{{x}}\"\n  e: 2\n", r#""a": {"b": 1, "c": {"d": "{{x}}"}, "e": 2}"#),
    ]);
}

#[test]
fn blocks_hold_members_of_mappings() {
    check(&[
        ("{{#if x}}\na: 1\n{{/if}}\n", r#"if x ("a": 1)"#),
        ("{{#if x}}\na: 1\n{{else}}\na: 2\nb: 3\n{{/if}}\n", r#"if x ("a": 1) else ("a": 2, "b": 3)"#),
        ("{{#unless x}}\na: 1\n{{else}}\nb: 1\n{{/unless}}\n", r#"unless x ("a": 1) else ("b": 1)"#),
        ("{{#with x}}\na: \"{{y}} {{../z}}\"\n{{/with}}\n", r#"with x ("a": "{{y}} {{../z}}")"#),
        (
            "a:\n  {{#each x}}\n  \"{{@key}}\": \"{{this}}\"\n  {{/each}}\n",
            r#""a": {each x ("{{@key}}": "{{this}}")}"#,
        ),
        (
            "a:\n  b: 1\n  {{#if x}}\n  c:\n    d: 2\n  {{/if}}\n  e: 3\n",
            r#""a": {"b": 1, if x ("c": {"d":2}), "e": 3}"#,
        ),
        ("{{#if x}}\na:\n  b: \"{{y}}\"\nc: 1\n{{/if}}\nd: 2\n", r#"if x ("a": {"b": "{{y}}"}, "c": 1), "d": 2"#),
        ("{{#if x}}\na: 1\n{{/if}}\n{{#if y}}\nb: 1\n{{/if}}\n", r#"if x ("a": 1), if y ("b": 1)"#),
        ("a:\n  {{#if x}}\n  b: 1\n  {{/if}}\nc: 2\n", r#""a": {if x ("b": 1)}, "c": 2"#),
    ]);
}

#[test]
fn blocks_hold_items_of_lists() {
    check(&[
        ("a:\n  {{#if x}}\n  - 1\n  - 2\n  {{/if}}\n  - 3\n", r#""a": [if x (1, 2), 3]"#),
        ("a:\n  - 0\n  {{#if x}}\n  - 1\n  {{else}}\n  - 2\n  {{/if}}\n", r#""a": [0, if x (1) else (2)]"#),
        (
            "a:\n  {{#each x}}\n  - name: \"{{this}}-{{@index}}\"\n    b: 1\n  {{else}}\n  - none\n  {{/each}}\n",
            r#""a": [each x ({"name": "{{this}}-{{@index}}", "b": 1}) else ("none")]"#,
        ),
        (
            "a:\n  - name: b\n    {{#if x}}\n    c: 1\n    {{/if}}\n  - d\n",
            r#""a": [{"name": "b", if x ("c": 1)}, "d"]"#,
        ),
        ("a:\n  {{#each x}}\n  - - 1\n    - \"{{this}}\"\n  {{/each}}\n", r#""a": [each x ([1, "{{this}}"])]"#),
        ("a:\n  {{#if x}}\n  -\n    b: 1\n  {{/if}}\n", r#""a": [if x ({"b":1})]"#),
    ]);
}

#[test]
fn a_list_may_stand_at_the_indentation_of_its_key() {
    check(&[
        ("a:\n- 1\n- b: 2\n  c: 3\nd: 4\n", r#""a":[1,{"b":2,"c":3}],"d":4"#),
        ("a:\n- 1\n{{#if x}}\n- 2\n{{/if}}\nb: 3\n", r#""a": [1, if x (2)], "b": 3"#),
        ("a:\n{{#if x}}\n- 1\n{{else}}\n- 2\n{{/if}}\nb: 3\n", r#""a": [if x (1) else (2)], "b": 3"#),
        ("{{#if x}}\na:\n- 1\n- 2\nb: 3\n{{/if}}\n", r#"if x ("a": [1,2], "b": 3)"#),
        ("{{#if x}}\na:\n{{#if y}}\n- 1\n{{/if}}\n{{/if}}\n", r#"if x ("a": [if y (1)])"#),
    ]);
}

#[test]
fn blocks_stand_in_blocks() {
    check(&[
        (
            "a:\n  {{#each x}}\n  {{#if b}}\n  - \"{{b}}\"\n  {{else}}\n  - \"{{../c}}\"\n  {{/if}}\n  {{/each}}\n",
            r#""a": [each x (if b ("{{b}}") else ("{{../c}}"))]"#,
        ),
        (
            "{{#if x}}\na: 1\n{{#unless y}}\nb: 2\n{{/unless}}\nc: 3\n{{else}}\n{{#with z}}\nd: \"{{e}}\"\n{{/with}}\n{{/if}}\n",
            r#"if x ("a": 1, unless y ("b": 2), "c": 3) else (with z ("d": "{{e}}"))"#,
        ),
        (
            "a:\n  {{#each x}}\n  - name: \"{{@key}}\"\n    b:\n      {{#each this}}\n      - \"{{@../key}}.{{@index}}: {{this}}{{../../z}}\"\n      {{/each}}\n  {{/each}}\n",
            r#""a": [each x ({"name": "{{@key}}", "b": [each this ("{{@../key}}.{{@index}}: {{this}}{{../../z}}")]})]"#,
        ),
    ]);
}

#[test]
fn comments_leave_nothing_behind() {
    check(&[
        ("{{! a }}\n# b\na: 1 # c\n", r#""a":1"#),
        ("{{#if x}}\n# b\n\n{{! {{ }}\na: 1\n# c\n{{/if}}\n", r#"if x ("a": 1)"#),
        ("a:\n# at the margin\n  b: 1\n", r#""a":{"b":1}"#),
        ("a:\n  {{#if x}}\n# at the margin\n  - 1\n  {{/if}}\n", r#""a": [if x (1)]"#),
    ]);
}

#[test]
fn lines_of_holes_are_those_of_the_template() {
    let body = "{{! five }}\n# six\n{{#if x}}\na:\n  - b\n\n  - \"{{y}}\"\n{{/if}}\nc: {{toJson z}}\n";
    let template = compile("a.yaml.hbs", &format!("{START}{body}")).unwrap_or_else(|error| panic!("{error}"));
    let Node::Object(members) = &template.root else { panic!("{:?}", template.root) };
    let [.., Part::Block { of, body, .. }, Part::Member(_, Node::Value(last))] = members.as_slice() else {
        panic!("{members:?}")
    };
    let [Part::Member(_, Node::List(items))] = body.as_slice() else { panic!("{body:?}") };
    let [_, Part::Item(Node::Text(pieces))] = items.as_slice() else { panic!("{items:?}") };
    let [Piece::Hole(hole)] = pieces.as_slice() else { panic!("{pieces:?}") };
    assert_eq!((of.line, hole.line, last.line), (7, 11, 13));
}

#[test]
fn the_object_of_a_template_is_known() {
    let text = "kind: Role\napiVersion: rbac/v1\nmetadata:\n  namespace: \"{{space}}\"\n  name: \"a-{{b}}\"\n";
    let template = compile("a.yaml.hbs", text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(template.identity.to_string(), "Role {{space}}/a-{{b}} of rbac/v1");
    assert_eq!(template.file, "a.yaml.hbs");
}
