//! A crate is a house: no module imports, by itself or by others, a module that imports it; and where a crate has
//! floors, a module uses only those below it.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests may panic")]

mod crates;
mod lengths;
mod source;

use std::collections::{BTreeMap, BTreeSet};

use source::{Module, read_crate};

/// A crate.
struct House {
    /// Its folder, from the top of the repository.
    folder: &'static str,
    /// Its modules, lowest first: a module uses only those that stand before it. Empty where any order without a
    /// circle will do.
    floors: &'static [&'static str],
}

const HOUSES: [House; 9] = [
    House {
        folder: "core",
        floors: &[
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
        ],
    },
    House { folder: "charts-templates", floors: &[] },
    House {
        folder: "host/policies",
        floors: &[
            "span",
            "file",
            "digest",
            "invisible",
            "source",
            "manifest",
            "answer",
            "headline",
            "engine",
            "garden",
            "policy",
            "sandbox",
            "cluster",
            "rounds",
            "judge",
        ],
    },
    House {
        folder: "host/runner",
        floors: &["document", "limits", "credentials", "call", "transport", "plan", "state", "run"],
    },
    House {
        folder: "host/kubernetes",
        floors: &["metrics", "health", "api_server", "certificates", "webhook", "controller", "admission", "scan"],
    },
    House { folder: "host/cli", floors: &[] },
    House { folder: "host/testing", floors: &[] },
    House {
        folder: "simulator",
        floors: &[
            "file",
            "regions",
            "signature",
            "settings",
            "resource",
            "world",
            "action",
            "service",
            "oss",
            "rpc",
            "cloud",
            "control",
            "gateway",
            "options",
            "server",
        ],
    },
    House { folder: "xtask", floors: &[] },
];

/// Imports inside of a module, by that module: which of its members imports which.
type Imports = BTreeMap<Vec<String>, BTreeSet<(String, String)>>;

fn imports(modules: &BTreeMap<Vec<String>, Module>) -> Imports {
    let mut imports = Imports::new();
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
        let exported = rest.first().and_then(|name| modules.get(module)?.exports.get(name));
        match exported {
            Some(source) if *source != path => path = [source, &rest[1..]].concat(),
            _ => return module.to_vec(),
        }
    }
}

/// The members of circles.
fn circles(edges: &BTreeSet<(String, String)>) -> BTreeSet<&str> {
    let mut open: BTreeSet<&str> = edges.iter().flat_map(|(from, to)| [from.as_str(), to.as_str()]).collect();
    loop {
        let inside = |from: &str, to: &str| open.contains(from) && open.contains(to);
        // What imports nothing that is left, or is imported by nothing that is left, stands in no circle.
        let free = open.iter().copied().find(|member| {
            !edges.iter().any(|(from, to)| from == member && inside(from, to))
                || !edges.iter().any(|(from, to)| to == member && inside(from, to))
        });
        match free {
            Some(member) => open.remove(member),
            None => return open,
        };
    }
}

#[test]
fn no_module_imports_one_that_imports_it() {
    let mut wrong = Vec::new();
    for House { folder, .. } in HOUSES {
        let modules = read_crate(folder);
        assert!(modules.len() > 5, "{folder} has {} modules", modules.len());
        for (inside, edges) in &imports(&modules) {
            let found = circles(edges);
            if !found.is_empty() {
                let inside = inside.join("::");
                let edges =
                    edges.iter().filter(|(from, to)| found.contains(from.as_str()) && found.contains(to.as_str()));
                wrong.push(format!("{folder}, {inside}: {found:?} in circles: {:#?}", edges.collect::<Vec<_>>()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_floor_uses_only_those_below_it() {
    for House { folder, floors, .. } in HOUSES.iter().filter(|house| !house.floors.is_empty()) {
        let place = |name: &str| floors.iter().position(|floor| *floor == name);
        for (from, to) in &imports(&read_crate(folder))[&Vec::new()] {
            let (Some(above), Some(below)) = (place(from), place(to)) else {
                panic!("{folder}: {from} or {to} is a new module: give it its floor");
            };
            assert!(below < above, "{folder}: {from} uses {to}, which stands above it");
        }
    }
}
