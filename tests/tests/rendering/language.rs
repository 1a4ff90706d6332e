//! The language: small templates mean to the compiler and to Handlebars the same.

use serde_json::{Value, json};
use trellis_core::document::parse;
use trellis_core::render as core;
use trellis_templates::{BlockKind, Hole, Name, Node, Part, Piece, compile};

use super::handlebars::Oracle;

/// The start of each template: which object it is.
pub const START: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n";

/// What the compiled template makes of values; else, the error's words behind the file.
pub fn filled(template: &str, values: &Value) -> Result<Value, String> {
    let compiled = compile("t", template).map_err(|error| format!("{error}\n{template}"))?;
    let template = core::Template { file: "t", root: node(&compiled.root) };
    let values = values.to_string();
    let filled = core::fill(&template, &parse(&values).unwrap()).map_err(|error| error.to_string())?;
    Ok(serde_json::from_str(filled.as_str()).unwrap_or_else(|error| panic!("{error}: {}", filled.as_str())))
}

/// A tree as the constant that `trellis_templates::code` writes of it.
fn node(tree: &Node) -> core::Node {
    match tree {
        Node::Json(json) => core::Node::Json(text(json)),
        Node::Text(all) => core::Node::Text(pieces(all)),
        Node::Value(value) => core::Node::Value(hole(value)),
        Node::Object(members) => core::Node::Object(parts(members, !members.iter().any(names_key))),
        Node::List(items) => core::Node::List(parts(items, true)),
    }
}

fn names_key(part: &Part) -> bool {
    match part {
        Part::Member(key, _) => key.iter().any(|piece| matches!(piece, Piece::Hole(_))),
        Part::Item(_) => false,
        Part::Block { body, otherwise, .. } => body.iter().chain(otherwise).any(names_key),
    }
}

fn parts(all: &[Part], folds: bool) -> &'static [core::Part] {
    let mut leaked: Vec<core::Part> = Vec::new();
    for part in all {
        leaked.push(match part {
            Part::Member(key, Node::Json(json)) if folds => {
                core::Part::Json(text(&format!("{}:{json}", quoted(key))))
            }
            Part::Item(Node::Json(json)) if folds => core::Part::Json(text(json)),
            Part::Member(key, value) => core::Part::Member(pieces(key), node(value)),
            Part::Item(value) => core::Part::Item(node(value)),
            Part::Block { kind, of, body, otherwise } => core::Part::Block(core::Block {
                kind: match kind {
                    BlockKind::If => core::BlockKind::If,
                    BlockKind::Unless => core::BlockKind::Unless,
                    BlockKind::Each => core::BlockKind::Each,
                    BlockKind::With => core::BlockKind::With,
                },
                of: hole(of),
                body: parts(body, folds),
                otherwise: parts(otherwise, folds),
            }),
        });
    }
    leaked.leak()
}

fn pieces(all: &[Piece]) -> &'static [core::Piece] {
    let piece = |piece: &Piece| match piece {
        Piece::Text(fixed) => {
            let json = Value::from(fixed.as_str()).to_string();
            core::Piece::Json(text(&json[1..json.len() - 1]))
        }
        Piece::Hole(value) => core::Piece::Hole(hole(value)),
    };
    all.iter().map(piece).collect::<Vec<_>>().leak()
}

/// A key without holes as JSON.
fn quoted(key: &[Piece]) -> String {
    let text = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Hole(hole) => panic!("{hole} in a key that is folded"),
    };
    Value::from(key.iter().map(text).collect::<String>()).to_string()
}

fn hole(Hole { up, name, keys, line }: &Hole) -> core::Hole {
    let name = match name {
        Name::Value => core::Name::Value,
        Name::Key => core::Name::Key,
        Name::Index => core::Name::Index,
    };
    let keys: &'static [&'static str] = keys.iter().map(|key| text(key)).collect::<Vec<_>>().leak();
    core::Hole { up: u8::try_from(*up).unwrap(), name, keys, line: u16::try_from(*line).unwrap() }
}

fn text(text: &str) -> &'static str {
    text.to_owned().leak()
}

/// The values of the tables.
fn values() -> Value {
    json!({
        "text": "x: \"y\" #\n{{z}}", "none": "", "number": 3, "zero": 0, "part": 1.5, "yes": true, "no": false, "nothing": null,
        "list": ["a", "b"], "empty": [], "map": { "k": "v", "l": "w" }, "bare": {},
        "deep": { "text": "d", "list": [{ "n": 1, "is": true }, { "n": 2, "is": false }] },
        "lists": { "p": ["1", "2"], "q": [] }, "same": ["s", "s"],
    })
}

#[test]
fn chosen_templates_make_what_handlebars_makes() {
    let table = [
        ("a: \"{{text}}\"", json!({ "a": "x: \"y\" #\n{{z}}" })),
        ("a: \"<{{number}} {{part}} {{yes}} {{no}} {{none}}>\"", json!({ "a": "<3 1.5 true false >" })),
        (
            "a: {{toJson number}}\nb: {{toJson nothing}}\nc: {{toJson text}}",
            json!({ "a": 3, "b": null, "c": "x: \"y\" #\n{{z}}" }),
        ),
        (
            "a: {{toJson deep}}\nb: {{toJson empty}}\nc: {{toJson bare}}",
            json!({ "a": values()["deep"], "b": [], "c": {} }),
        ),
        ("a: [{{toJson number}}, {{toJson list}}]", json!({ "a": [3, ["a", "b"]] })),
        ("\"{{deep.text}}-a\": \"{{deep.text}}\"", json!({ "d-a": "d" })),
        ("a:\n  {{#if yes}}\n  - 1\n  {{/if}}\n  {{#if no}}\n  - 2\n  {{/if}}", json!({ "a": [1] })),
        ("a:\n  {{#if no}}\n  - 1\n  {{/if}}\nb: 1", json!({ "a": null, "b": 1 })),
        ("a:\n  {{#if no}}\n  b: 1\n  {{/if}}\nb: 1", json!({ "a": null, "b": 1 })),
        (
            "{{#if none}}\na: 1\n{{else}}\na: 2\n{{/if}}\n{{#unless zero}}\nb: 1\n{{/unless}}",
            json!({ "a": 2, "b": 1 }),
        ),
        (
            "{{#if empty}}\na: 1\n{{/if}}\n{{#if bare}}\nb: 1\n{{/if}}\n{{#if nothing}}\nc: 1\n{{/if}}\nd: 1",
            json!({ "d": 1 }),
        ),
        ("{{#if part}}\na: 1\n{{/if}}\n{{#if list}}\nb: 1\n{{/if}}", json!({ "a": 1, "b": 1 })),
        (
            "a:\n  {{#each list}}\n  - \"{{@index}} {{this}} {{../number}}\"\n  {{/each}}",
            json!({ "a": ["0 a 3", "1 b 3"] }),
        ),
        ("a:\n  {{#each empty}}\n  - 1\n  {{else}}\n  - none\n  {{/each}}", json!({ "a": ["none"] })),
        ("a:\n  {{#each empty}}\n  - 1\n  {{/each}}", json!({ "a": null })),
        (
            "a:\n  {{#each map}}\n  \"{{@key}}-{{@index}}\": \"{{this}}\"\n  {{/each}}",
            json!({ "a": { "k-0": "v", "l-1": "w" } }),
        ),
        (
            "{{#with deep}}\na: \"{{text}} {{../number}}\"\nb:\n  {{#each list}}\n  - num: {{toJson n}}\n    t: \"{{../text}}{{../../number}}\"\n    {{#if is}}\n    is: true\n    {{/if}}\n  {{/each}}\n{{/with}}",
            json!({ "a": "d 3", "b": [{ "num": 1, "t": "d3", "is": true }, { "num": 2, "t": "d3" }] }),
        ),
        ("{{#with none}}\na: 1\n{{else}}\na: \"{{number}}\"\n{{/with}}", json!({ "a": "3" })),
        (
            "a:\n  {{#each lists}}\n  - name: \"{{@key}}\"\n    b:\n      {{#each this}}\n      - \"{{@../key}}.{{@index}}.{{@../index}}: {{this}}\"\n      {{/each}}\n  {{/each}}",
            json!({ "a": [{ "name": "p", "b": ["p.0.0: 1", "p.1.0: 2"] }, { "name": "q", "b": null }] }),
        ),
        (
            "a:\n  {{#each list}}\n  {{#with ../deep}}\n  - \"{{@index}} {{text}} {{@../index}} {{../this}}\"\n  {{/with}}\n  {{/each}}",
            json!({ "a": ["0 d 0 a", "1 d 1 b"] }),
        ),
        (
            "a:\n  {{#each list}}\n  {{#if @index}}\n  - \"{{this}}\"\n  {{else}}\n  - first\n  {{/if}}\n  {{/each}}",
            json!({ "a": ["first", "b"] }),
        ),
        ("{{#if yes}}\na:\n- 1\n{{#if yes}}\n- 2\n{{/if}}\nb: 3\n{{/if}}", json!({ "a": [1, 2], "b": 3 })),
        (
            "{{! {{ }}\n{{! a }}\na: |\n  {\n\n   b\n# c\nd: >-\n  e\n  f\n",
            json!({ "a": "{\n\n b\n", "d": "e f" }),
        ),
    ];
    for (body, members) in table {
        let template = format!("{START}{body}\n");
        let mut expected = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "a" } });
        expected.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        let filled = filled(&template, &values()).unwrap_or_else(|error| panic!("{body}\n{error}"));
        assert_eq!(filled.to_string(), expected.to_string(), "{body}");
        let oracle = Oracle::render_once(&template, &values()).unwrap_or_else(|error| panic!("{body}\n{error}"));
        assert_eq!(oracle.to_string(), expected.to_string(), "{body}");
    }
}

#[test]
fn a_value_that_does_not_fit_is_an_error_with_its_line() {
    // What Handlebars writes there: nothing where it is an error too.
    let table = [
        ("a: \"{{lost}}\"", "t:5: the value `lost` is missing", None),
        ("a: \"{{deep.lost}}\"", "t:5: the value `deep.lost` is missing", None),
        ("a: {{toJson lost}}", "t:5: the value `lost` is missing", None),
        ("a: \"{{../text}}\"", "t:5: the value `../text` is missing", Some(json!(values()["text"]))),
        ("a: \"{{@index}}\"", "t:5: the value `@index` is missing", None),
        ("{{#with deep}}\na: \"{{@key}}\"\n{{/with}}", "t:6: the value `@key` is missing", None),
        ("a:\n  {{#each list}}\n  - \"{{@key}}\"\n  {{/each}}", "t:7: the value `@key` is missing", None),
        ("a:\n  {{#each lost}}\n  - 1\n  {{/each}}", "t:6: the value `lost` is missing", None),
        ("{{#with lost}}\na: 1\n{{/with}}", "t:5: the value `lost` is missing", None),
        (
            "{{#each text}}\n\"{{@key}}\": 1\n{{/each}}",
            "t:5: the value `text` is neither a list nor an object",
            None,
        ),
        (
            "a:\n  {{#each same}}\n  \"{{this}}\": 1\n  {{/each}}",
            "t:7: the value `this` names a member that the object has already",
            None,
        ),
        (
            "a:\n  d: 1\n  \"{{deep.text}}\": 1",
            "t:7: the value `deep.text` names a member that the object has already",
            None,
        ),
        // Here Handlebars is content, and writes what nobody means.
        ("{{#if lost}}\na: 1\n{{else}}\na: 2\n{{/if}}", "t:5: the value `lost` is missing", Some(json!(2))),
        ("a: \"{{nothing}}\"", "t:5: the value `nothing` is missing", Some(json!(""))),
        ("a: \"{{list}}\"", "t:5: the value `list` is no text, number or boolean", Some(json!("[a, b]"))),
        ("a: \"{{map}}\"", "t:5: the value `map` is no text, number or boolean", Some(json!("[object]"))),
    ];
    for (body, words, lax) in table {
        let template = format!("{START}{body}\n");
        assert_eq!(filled(&template, &values()), Err(words.to_owned()), "{body}");
        let oracle = Oracle::render_once(&template, &values());
        match lax {
            None => assert!(oracle.is_err(), "{body}\n{oracle:?}"),
            Some(text) => assert_eq!(oracle.map(|object| object["a"].clone()), Ok(text), "{body}"),
        }
    }
}

/// Here the compiled template is content, and Handlebars, which is strict, is not: `each` and `with` of nothing
/// are nothing.
#[test]
fn blocks_of_null_are_empty() {
    for body in [
        "a:\n  {{#each nothing}}\n  - 1\n  {{/each}}",
        "a:\n  {{#with nothing}}\n  b: 1\n  {{/with}}",
        "a:\n  {{#with empty}}\n  b: 1\n  {{/with}}",
    ] {
        let template = format!("{START}{body}\n");
        let values = json!({ "nothing": null, "empty": "" });
        assert_eq!(filled(&template, &values).map(|object| object["a"].clone()), Ok(Value::Null), "{body}");
        assert!(Oracle::render_once(&template, &values).is_err());
    }
}
