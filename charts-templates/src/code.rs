//! Trees as Rust code: constants of `trellis_core::render`.

use std::fmt::Write as _;

use crate::Bundle;
use crate::hole::{BlockKind, Hole, Name};
use crate::tree::{Node, Part, Piece, Template, quoted};

/// The code of some bundles: a constant each, named as the bundle.
pub fn code(bundles: &[Bundle]) -> String {
    let mut code = String::new();
    for Bundle { name, templates } in bundles {
        let constant = name.to_uppercase().replace('-', "_");
        let templates: Vec<String> = templates.iter().map(template).collect();
        let _ = writeln!(
            code,
            "/// The templates of `{name}`.\npub const {constant}: Bundle = Bundle {{ name: {name:?}, templates: &[{}] }};",
            templates.join(",")
        );
    }
    code
}

fn template(Template { file, root, .. }: &Template) -> String {
    format!("Template {{ file: {file:?}, root: {} }}", node(root))
}

fn node(value: &Node) -> String {
    match value {
        Node::Json(json) => format!("Node::Json({json:?})"),
        Node::Text(text) => format!("Node::Text({})", pieces(text)),
        Node::Value(value) => format!("Node::Value({})", hole(value)),
        Node::Object(members) => {
            // Where a value names a key, the keys next to it are compared with it when the template is filled.
            let fold = !members.iter().any(has_named_key);
            format!("Node::Object({})", parts(members, fold))
        }
        Node::List(items) => format!("Node::List({})", parts(items, true)),
    }
}

/// Whether a value names the key of a member, or of one that a block holds.
fn has_named_key(part: &Part) -> bool {
    match part {
        Part::Member(key, _) => key.iter().any(|piece| matches!(piece, Piece::Hole(_))),
        Part::Item(_) => false,
        Part::Block { body, otherwise, .. } => body.iter().chain(otherwise).any(has_named_key),
    }
}

/// Parts; with `fold`, neighbours without holes are one text.
fn parts(all: &[Part], fold: bool) -> String {
    let mut texts = Vec::new();
    let mut constants: Vec<String> = Vec::new();
    for one in all {
        if let Some(json) = one.constant().filter(|_| fold) {
            constants.push(json);
            continue;
        }
        flush(&mut constants, &mut texts);
        texts.push(part(one, fold));
    }
    flush(&mut constants, &mut texts);
    format!("&[{}]", texts.join(","))
}

fn flush(constants: &mut Vec<String>, texts: &mut Vec<String>) {
    if !constants.is_empty() {
        texts.push(format!("Part::Json({:?})", constants.join(",")));
        constants.clear();
    }
}

fn part(one: &Part, fold: bool) -> String {
    match one {
        Part::Member(key, value) => format!("Part::Member({}, {})", pieces(key), node(value)),
        Part::Item(value) => format!("Part::Item({})", node(value)),
        Part::Block { kind, of, body, otherwise } => {
            let kind = match kind {
                BlockKind::If => "If",
                BlockKind::Unless => "Unless",
                BlockKind::Each => "Each",
                BlockKind::With => "With",
            };
            let (body, otherwise) = (parts(body, fold), parts(otherwise, fold));
            format!(
                "Part::Block(Block {{ kind: BlockKind::{kind}, of: {}, body: {body}, otherwise: {otherwise} }})",
                hole(of)
            )
        }
    }
}

fn pieces(all: &[Piece]) -> String {
    let piece = |piece: &Piece| match piece {
        // Escaped as JSON, without the quotes.
        Piece::Text(text) => {
            let json = quoted(text);
            let inner = json.strip_prefix('"').and_then(|json| json.strip_suffix('"')).unwrap_or_default();
            format!("Piece::Json({inner:?})")
        }
        Piece::Hole(value) => format!("Piece::Hole({})", hole(value)),
    };
    format!("&[{}]", all.iter().map(piece).collect::<Vec<_>>().join(","))
}

fn hole(Hole { up, name, keys, line }: &Hole) -> String {
    let name = match name {
        Name::Value => "Value",
        Name::Key => "Key",
        Name::Index => "Index",
    };
    format!("Hole {{ up: {up}, name: Name::{name}, keys: &{keys:?}, line: {line} }}")
}
