//! The modules of this crate stand in layers: no module imports, by itself or by others, a module that imports it.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests may panic")]

mod source;

use std::collections::{BTreeMap, BTreeSet};

use source::{Module, read_crate};

/// The layers at the top, lowest first. A module uses only those that stand before it.
const LAYERS: [&str; 13] = [
    "collections",
    "text",
    "document",
    "schema",
    "call",
    "report",
    "cidr",
    "kube",
    "render",
    "policy",
    "plan",
    "gardener",
    "provider",
];

/// For each folder of modules, which of its members imports which.
fn imports(modules: &BTreeMap<Vec<String>, Module>) -> BTreeMap<Vec<String>, BTreeSet<(String, String)>> {
    let mut imports: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for (path, module) in modules {
        for target in module.uses.iter().map(|used| defined_in(modules, used)) {
            let common = path.iter().zip(&target).take_while(|(one, other)| one == other).count();
            if let (Some(from), Some(to)) = (path.get(common), target.get(common)) {
                imports.entry(path[..common].to_vec()).or_default().insert((from.clone(), to.clone()));
            }
        }
    }
    imports
}

/// The module that defines what a path names, through re-exports.
fn defined_in(modules: &BTreeMap<Vec<String>, Module>, path: &[String]) -> Vec<String> {
    let mut path = path.to_vec();
    loop {
        let depth = (0..=path.len()).rev().find(|depth| modules.contains_key(&path[..*depth])).unwrap_or_default();
        let (module, rest) = path.split_at(depth);
        let exported = rest.first().and_then(|name| modules[module].exports.get(name));
        match exported {
            Some(source) => path = [source, &rest[1..]].concat(),
            None => return module.to_vec(),
        }
    }
}

/// A circle of imports, if there is one.
fn circle(edges: &BTreeSet<(String, String)>) -> Option<Vec<String>> {
    let mut open: BTreeSet<&String> = edges.iter().flat_map(|(from, to)| [from, to]).collect();
    // What imports nothing that is left stands in no circle.
    while let Some(free) =
        open.iter().copied().find(|module| !edges.iter().any(|(from, to)| from == *module && open.contains(to)))
    {
        open.remove(free);
    }
    let members: Vec<String> = open.into_iter().cloned().collect();
    (!members.is_empty()).then_some(members)
}

#[test]
fn no_module_imports_one_that_imports_it() {
    let modules = read_crate();
    assert!(modules.len() > 100, "{} modules", modules.len());
    let circles: Vec<_> = imports(&modules)
        .into_iter()
        .filter_map(|(folder, edges)| Some((folder.join("::"), circle(&edges)?, edges)))
        .map(|(folder, members, edges)| {
            let inside = |edge: &&(String, String)| members.contains(&edge.0) && members.contains(&edge.1);
            format!("{folder}: {:?}", edges.iter().filter(inside).collect::<Vec<_>>())
        })
        .collect();
    assert!(circles.is_empty(), "imports in circles:\n{}", circles.join("\n"));
}

#[test]
fn a_layer_uses_only_those_below_it() {
    let modules = read_crate();
    let place = |name: &str| LAYERS.iter().position(|layer| *layer == name);
    for (from, to) in &imports(&modules)[&Vec::new()] {
        let (Some(above), Some(below)) = (place(from), place(to)) else {
            panic!("{from} or {to} is a new layer: give it its place in LAYERS");
        };
        assert!(below < above, "{from} uses {to}, which stands above it");
    }
}
