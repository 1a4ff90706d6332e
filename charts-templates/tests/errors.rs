//! What does not compile: file, line and words of each error.

use trellis_templates::compile;

/// The start of each template, four lines: which object it is.
const START: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n";

/// The words of the error of a template with this body, which begins at line 5.
fn error(body: &str) -> String {
    match compile("cm.yaml.hbs", &format!("{START}{body}")) {
        Ok(template) => format!("compiles: {:?}", template.root),
        Err(error) => error.to_string(),
    }
}

fn check(table: &[(&str, &str)]) {
    for (body, expected) in table {
        assert_eq!(error(body), format!("cm.yaml.hbs:{expected}"), "{body}");
    }
}

const UNKNOWN: &str = "is neither a path, `toJson` with a path, a block nor a comment";

#[test]
fn a_tag_is_a_path_a_block_or_a_comment() {
    for (tag, named) in [
        ("a-b", "a-b"),
        ("", ""),
        ("a b", "a b"),
        ("> part", "> part"),
        ("&a", "&a"),
        ("~a~", "~a~"),
        ("../@key", "../@key"),
        ("@first", "@first"),
        ("@root.a", "@root.a"),
        ("lookup a b", "lookup a b"),
        ("a.[b c]", "a.[b c]"),
        ("else", ""),
    ] {
        let expected = match tag {
            "else" => "cm.yaml.hbs:5: the tag of a block stands alone in its line".to_owned(),
            _ => format!("cm.yaml.hbs:5: `{{{{{named}}}}}` {UNKNOWN}"),
        };
        assert_eq!(error(&format!("a: \"{{{{{tag}}}}}\"\n")), expected, "{tag}");
    }
    for (line, named) in [
        ("a: \"{{{b}}}\"", "{b"),
        ("a: \"\\{{b}}\"", "b"),
        ("a: \"\\\\{{b}}\"", "b"),
        ("{{#for a}}", "#for a"),
        ("{{#if}}", "#if"),
        ("{{#if a b}}", "#if a b"),
        ("{{else if a}}", "else if a"),
        ("{{/for}}", "/for"),
        ("{{^}}", "^"),
    ] {
        assert_eq!(error(line), format!("cm.yaml.hbs:5: `{{{{{named}}}}}` {UNKNOWN}"), "{line}");
    }
}

#[test]
fn a_tag_ends_in_its_line_and_that_of_a_block_is_all_of_it() {
    check(&[
        ("a: \"{{b\"\n", "5: `{{` has no `}}` in its line"),
        ("a: 1\n{{! b\n}}\n", "6: `{{` has no `}}` in its line"),
        ("{{#if a}} b: 1\n{{/if}}\n", "5: the tag of a block stands alone in its line"),
        ("a: 1 {{#if a}}\nb: 1\n{{/if}}\n", "5: the tag of a block stands alone in its line"),
        ("a: 1 {{! b }}\n", "5: the tag of a block stands alone in its line"),
        ("{{! a }} b: 1\n", "5: the tag of a block stands alone in its line"),
    ]);
}

#[test]
fn a_block_has_an_end_and_content() {
    check(&[
        ("a: 1\n{{#if b}}\nc: 1\n", "6: `{{#if}}` has no end"),
        ("{{#if a}}\nb: 1\n{{/each}}\n", "7: `{{/each}}` ends nothing: `{{#if}}` of line 5 is open"),
        ("a: 1\n{{/if}}\n", "6: `{{/if}}` ends nothing: no block is open"),
        ("{{else}}\n", "5: `{{else}}` ends nothing: no block is open"),
        (
            "{{#if a}}\nb: 1\n{{else}}\nc: 1\n{{else}}\nd: 1\n{{/if}}\n",
            "9: `{{else}}` ends nothing: `{{#if}}` of line 5 is open",
        ),
        ("{{#if a}}\n{{/if}}\n", "5: the block has no line between its tags"),
        ("{{#if a}}\n# b\n{{/if}}\nc: 1\n", "7: the block has no line between its tags"),
        ("{{#if a}}\n{{else}}\nb: 1\n{{/if}}\n", "6: the block has no line between its tags"),
        ("{{#if a}}\nb: 1\n{{else}}\n{{/if}}\n", "8: the block has no line between its tags"),
    ]);
}

const CONTENT: &str = "a block holds whole members of a mapping, or whole items of a list, at their indentation";

#[test]
fn a_block_holds_whole_members_or_whole_items() {
    for (body, line) in [
        // Members and items in one block.
        ("a:\n  {{#if b}}\n  - 1\n  c: 2\n  {{/if}}\n", 8),
        ("a:\n  {{#if b}}\n  - 1\n  {{else}}\n  c: 2\n  {{/if}}\n", 9),
        ("{{#if b}}\na: 1\n{{else}}\n- 2\n{{/if}}\n", 8),
        // Lines further left than the first one of the block.
        ("a:\n  {{#if b}}\n  c: 1\nd: 1\n  {{/if}}\n", 8),
        ("a:\n  {{#if b}}\n  c: 1\n{{#if d}}\ne: 1\n{{/if}}\n  {{/if}}\n", 8),
        // Another indentation behind `else`.
        ("{{#if b}}\na: 1\n{{else}}\n  a: 2\n{{/if}}\n", 8),
        ("a:\n  {{#if b}}\n  - 1\n  {{else}}\n    - 2\n  {{/if}}\n", 9),
        ("{{#if b}}\na: 1\n{{else}}\n{{#if c}}\n  a: 2\n{{/if}}\n{{/if}}\n", 8),
        // What would belong to the last item of either part.
        ("a:\n  {{#if b}}\n  - c: 1\n  {{/if}}\n    d: 1\n", 9),
        ("a:\n  {{#if b}}\n  - c: 1\n  {{/if}}\n    d:\n      e: 1\n", 9),
        ("a:\n  {{#if b}}\n  - c: 1\n  {{else}}\n  - c: 2\n  {{/if}}\n    d: 1\n", 11),
        // A part of a text.
        ("a: |\n  {{#if b}}\n  c\n  {{/if}}\n", 6),
        ("{{#if b}}\nc\n{{/if}}\n", 6),
    ] {
        assert_eq!(error(body), format!("cm.yaml.hbs:{line}: {CONTENT}"), "{body}");
    }
}

#[test]
fn a_hole_stands_in_double_quotes_or_is_a_whole_value() {
    const QUOTES: &str = "a hole stands in double quotes, or, as a whole value, as `{{toJson path}}`";
    const JSON: &str = "`toJson` is a whole value, without quotes";
    check(&[
        ("a: {{b}}\n", &format!("5: {QUOTES}")),
        ("a: b {{c}}\n", &format!("5: {QUOTES}")),
        ("a: b {{toJson c}}\n", &format!("5: {QUOTES}")),
        ("a: '{{b}}'\n", &format!("5: {QUOTES}")),
        ("a: |\n  {{b}}\n", &format!("6: {QUOTES}")),
        ("a: >-\n  b\n  {{c}}\n", &format!("6: {QUOTES}")),
        ("{{b}}: 1\n", &format!("5: {QUOTES}")),
        ("'{{b}}': 1\n", &format!("5: {QUOTES}")),
        ("a-{{b}}: 1\n", &format!("5: {QUOTES}")),
        ("{{toJson b}}: 1\n", &format!("5: {QUOTES}")),
        ("a: \"{{toJson b}}\"\n", &format!("5: {JSON}")),
        ("\"{{toJson b}}\": 1\n", &format!("5: {JSON}")),
        ("a: 1 # {{b}}\n", "5: a hole stands in a YAML comment; write the comment as `{{! … }}`"),
        ("# {{b}}\n", "5: a hole stands in a YAML comment; write the comment as `{{! … }}`"),
    ]);
}

#[test]
fn a_scalar_means_the_same_to_all_readers() {
    for scalar in
        ["yes", "off", "~", "010", "0x1f", "1e3", "1_000", "1.10", "12:30", "2026-01-01", ".5", "+1", "True"]
    {
        let expected = format!(
            "cm.yaml.hbs:6: `{scalar}` means different things to different readers of YAML; put it in double quotes"
        );
        assert_eq!(error(&format!("a:\n  - {scalar}\n")), expected);
    }
}

#[test]
fn a_key_is_a_text_and_is_there_once() {
    check(&[
        ("a:\n  1: b\n", "6: a key is a text"),
        ("a:\n  true: b\n", "6: a key is a text"),
        ("a:\n  : b\n", "6: a key is a text"),
        ("a:\n  on: b\n", "6: `on` means different things to different readers of YAML; put it in double quotes"),
        ("a:\n  ? [b]\n  : c\n", "6: a key is a text"),
        ("a: 1\na: 2\n", "6: the key `a` is there twice"),
        ("a: 1\n\"a\": 2\n", "6: the key `a` is there twice"),
        ("kind: Secret\n", "5: the key `kind` is there twice"),
        ("a: 1\n{{#if b}}\na: 2\n{{/if}}\n", "7: the key `a` is there twice"),
        ("{{#if b}}\na: 2\n{{/if}}\na: 1\n", "8: the key `a` is there twice"),
        ("{{#if b}}\na: 1\n{{/if}}\n{{#if c}}\na: 2\n{{/if}}\n", "9: the key `a` is there twice"),
        ("{{#if b}}\nc: 1\n{{else}}\n{{#if d}}\nc: 2\n{{/if}}\nc: 3\n{{/if}}\n", "11: the key `c` is there twice"),
        ("{{#each b}}\nc: 1\n{{/each}}\n", "5: the key `c` is there for each item; it needs a hole"),
        (
            "a:\n  {{#each b}}\n  {{#if d}}\n  c: 1\n  {{/if}}\n  {{/each}}\n",
            "6: the key `c` is there for each item; it needs a hole",
        ),
    ]);
}

#[test]
fn what_trees_do_not_have_is_refused() {
    check(&[
        ("a: &b 1\n", "5: an anchor cannot be compiled"),
        ("a: &b [1]\n", "5: an anchor cannot be compiled"),
        ("a: &b {c: 1}\n", "5: an anchor cannot be compiled"),
        ("a: !!str 1\n", "5: a tag of YAML cannot be compiled"),
        ("a: !b\n  c: 1\n", "5: a tag of YAML cannot be compiled"),
        ("a: 1\n---\nb: 1\n", "6: a second document cannot be compiled"),
        ("a:\n\t- b\n", "6: a tabulator indents the line; indent with spaces"),
        ("a: \u{e000}h0\u{e001}\n", "5: the text has a character of the private use area"),
        ("a: \"\\ue000h0\\ue001\"\nb: \"{{c}}\"\n", "5: the text has a character of the private use area"),
        ("a: \"\\U0000E000h0\\uE001\"\nb: \"{{c}}\"\n", "5: the text has a character of the private use area"),
    ]);
    let deep = format!("a: {}{}\n", "[".repeat(70), "]".repeat(70));
    assert_eq!(error(&deep), "cm.yaml.hbs:5: a value in more than 64 others cannot be compiled");
}

#[test]
fn broken_yaml_is_reported_with_its_line() {
    for (body, line) in [("a: \"b\n", 5), ("a: b: c\n", 5), ("a: 1\n  b: 2\n", 6), ("a: [1\nb: 2\n", 6)] {
        let error = error(body);
        let start = format!("cm.yaml.hbs:{line}: the text is no YAML: ");
        assert!(error.starts_with(&start) && error.len() > start.len(), "{body}\n{error}");
    }
}

#[test]
fn an_object_has_a_version_a_kind_and_a_name() {
    for (text, what) in [
        ("", "apiVersion"),
        ("# nothing\n", "apiVersion"),
        ("- apiVersion: v1\n", "apiVersion"),
        ("kind: A\nmetadata:\n  name: a\n", "apiVersion"),
        ("apiVersion: \"{{a}}\"\nkind: A\nmetadata:\n  name: a\n", "apiVersion"),
        ("apiVersion: v1\nmetadata:\n  name: a\n", "kind"),
        ("apiVersion: v1\nkind: \"\"\nmetadata:\n  name: a\n", "kind"),
        ("apiVersion: v1\nkind: A\n", "metadata.name"),
        ("apiVersion: v1\nkind: A\nmetadata:\n  name: \"\"\n", "metadata.name"),
        ("apiVersion: v1\nkind: A\nmetadata:\n  {{#if b}}\n  name: a\n  {{/if}}\n", "metadata.name"),
        ("apiVersion: v1\nkind: A\nmetadata:\n  name: a\n  labels: [b]\n", "metadata.labels"),
    ] {
        let error = compile("o.yaml.hbs", text).map(|template| template.identity).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("o.yaml.hbs:1: the object has no {what} that is a text without holes"),
            "{text}"
        );
    }
}
