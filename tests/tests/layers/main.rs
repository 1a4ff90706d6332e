//! A crate is a house: no module imports, by itself or by others, a module that imports it; and where a crate has floors, a module
//! uses only those below it.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests may panic")]

mod crates;
mod source;

use std::collections::{BTreeMap, BTreeSet};

use source::{Module, read_crate};

/// A crate.
struct House {
    /// Its folder, from the top of the repository.
    folder: &'static str,
    /// Its modules, lowest first: a module uses only those that stand before it. Empty where any order without a circle will do.
    floors: &'static [&'static str],
    /// Modules that still import each other in a circle, by the module that they are in. The list only shrinks.
    circles: &'static [(&'static str, &'static [&'static str])],
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
        circles: &[],
    },
    House { folder: "charts-templates", floors: &[], circles: &[] },
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
            "judge",
        ],
        circles: &[],
    },
    House {
        folder: "host/runner",
        floors: &["document", "limits", "credentials", "call", "transport", "plan", "state", "run"],
        circles: &[],
    },
    House {
        folder: "host/kubernetes",
        floors: &["metrics", "health", "api_server", "certificates", "webhook", "controller", "admission", "scan"],
        circles: &[],
    },
    House { folder: "host/cli", floors: &[], circles: &[] },
    House { folder: "host/testing", floors: &[], circles: &[] },
    House {
        folder: "simulator",
        floors: &[],
        circles: &[
            ("", &["action", "cloud", "oss", "service", "world"]),
            ("cloud", &["call", "records"]),
            ("service::oss", &["buckets", "conditions", "lifecycle", "listing", "objects", "uploads", "worm"]),
            (
                "service::vpc",
                &[
                    "deletion_protection",
                    "eips",
                    "nat_gateways",
                    "private_addresses",
                    "route_entries",
                    "route_tables",
                    "snat_entries",
                    "vpcs",
                    "vswitches",
                ],
            ),
        ],
    },
    House { folder: "xtask", floors: &[], circles: &[] },
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
    for House { folder, circles: known, .. } in HOUSES {
        let modules = read_crate(folder);
        assert!(modules.len() > 5, "{folder} has {} modules", modules.len());
        let imports = imports(&modules);
        let mut known: BTreeMap<_, BTreeSet<&str>> = known
            .iter()
            .map(|(inside, members)| ((*inside).to_owned(), members.iter().copied().collect()))
            .collect();
        for (inside, edges) in &imports {
            let found = circles(edges);
            let listed = known.remove(&inside.join("::")).unwrap_or_default();
            if found != listed {
                let edges: Vec<_> = edges
                    .iter()
                    .filter(|(from, to)| found.contains(from.as_str()) && found.contains(to.as_str()))
                    .collect();
                wrong.push(format!(
                    "{folder}, {inside:?}: {found:?} in circles, listed are {listed:?}: {edges:#?}"
                ));
            }
        }
        wrong.extend(known.keys().map(|inside| format!("{folder}, {inside:?} is listed, and is not there")));
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
