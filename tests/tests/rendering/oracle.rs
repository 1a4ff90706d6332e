//! The templates of the repository: what is rendered from their trees is what Handlebars and a YAML reader make of
//! their texts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::cases::{ask, base, cases, example_shoots, holds_credentials, live, preview, render, request};
use super::handlebars::Oracle;

/// The oracle with all templates.
pub struct Templates {
    oracle: Oracle,
    /// The files by bundle, in the order of the objects.
    files: BTreeMap<String, Vec<String>>,
    /// The files without a tag, which are compared once.
    constant: BTreeSet<String>,
    compared: BTreeSet<String>,
}

impl Templates {
    /// Reads the templates.
    pub fn new() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("charts-templates").join("alicloud");
        let (mut oracle, mut files, mut constant) = (Oracle::new(), BTreeMap::new(), BTreeSet::new());
        for bundle in trellis_templates::bundles(&folder).unwrap() {
            let names = bundle.templates.into_iter().map(|template| template.file);
            let names: Vec<String> = names.collect();
            for file in &names {
                let text = fs::read_to_string(folder.join(file)).unwrap();
                if !text.contains("{{") {
                    constant.insert(file.clone());
                }
                oracle.read(file, &text);
            }
            files.insert(bundle.name, names);
        }
        Self { oracle, files, constant, compared: BTreeSet::new() }
    }

    /// Compares each object of an answer that has the values.
    pub fn compare(&mut self, answer: &Value) -> Result<usize, String> {
        let mut count = 0;
        for resource in answer["managedResources"].as_array().ok_or_else(|| answer.to_string())? {
            let bundle = resource["secret"]["dataKey"].as_str().unwrap();
            let objects = resource["objects"].as_array().unwrap();
            assert_eq!(objects.len(), self.files[bundle].len());
            for (file, object) in self.files[bundle].iter().zip(objects) {
                if self.constant.contains(file) && !self.compared.insert(file.clone()) {
                    continue;
                }
                let expected = self.oracle.render(file, &answer["values"][bundle])?;
                // As texts: the order of members counts, and so do types of numbers.
                let (object, expected) = (object.to_string(), expected.to_string());
                if object != expected {
                    return Err(format!("{file}\n  tree       {object}\n  handlebars {expected}"));
                }
                count += 1;
            }
        }
        Ok(count)
    }
}

/// The same request, asking for the values.
pub fn with_values(mut request: Value) -> Value {
    request["values"] = true.into();
    request
}

#[test]
fn recorded_control_planes_are_those_of_handlebars() {
    let mut templates = Templates::new();
    let mut compared = 0;
    for case in cases() {
        let answer = render(&with_values(request(case)), &live(case));
        if answer["managedResources"].is_null() {
            assert_ne!(answer["findings"], Value::Array(Vec::new()));
            continue;
        }
        compared += templates.compare(&answer).unwrap_or_else(|error| panic!("{}: {error}", case["id"]));
    }
    assert!(compared >= 76 * 16, "{compared} objects are compared");
    assert_eq!(templates.compared, templates.constant, "each template without a tag is compared too");
}

#[test]
fn every_toggle_is_compared() {
    let mut templates = Templates::new();
    let mut request = with_values(base());
    templates.compare(&render(&request, &holds_credentials)).unwrap();
    request["configuration"] = serde_json::json!({ "corrections": ["csiPluginControllerLabels"] });
    templates.compare(&render(&request, &holds_credentials)).unwrap();
}

#[test]
fn previews_of_the_examples_are_those_of_handlebars() {
    let mut templates = Templates::new();
    let shoots = example_shoots();
    assert!(shoots.len() >= 6, "{}", shoots.len());
    for (file, shoot) in shoots {
        let answer = ask(&with_values(preview(&shoot)));
        templates.compare(&answer).unwrap_or_else(|error| panic!("{file}: {error}"));
    }
}
