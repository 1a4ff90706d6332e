//! The table of objects in `docs/manifests.md` is what is rendered.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::cases::{base, holds_credentials, render};

#[test]
fn the_documented_objects_are_the_rendered_ones() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let bundles = trellis_templates::bundles(&root.join("charts-templates/alicloud")).unwrap();
    let answer = render(&base(), &holds_credentials);
    let mut table = String::from("| managed resource | kind | name | template |\n|---|---|---|---|\n");
    for resource in answer["managedResources"].as_array().unwrap() {
        let bundle = bundles.iter().find(|bundle| resource["secret"]["dataKey"] == bundle.name.as_str()).unwrap();
        let objects = resource["objects"].as_array().unwrap();
        assert_eq!(objects.len(), bundle.templates.len());
        for (object, template) in objects.iter().zip(&bundle.templates) {
            let text = |pointer: &str| object.pointer(pointer).unwrap().as_str().unwrap();
            let (kind, name) = (text("/kind"), text("/metadata/name"));
            assert_eq!((kind, name), (template.identity.kind.as_str(), template.identity.name.as_str()));
            let short = text("/metadata/name").replace(".snapshot.storage.k8s.io", "");
            assert!(template.file.contains(short.rsplit(':').next().unwrap()), "{}", template.file);
            let _ = writeln!(
                table,
                "| `{}` | {kind} | `{name}` | [`{file}`](../charts-templates/alicloud/{file}) |",
                resource["name"].as_str().unwrap(),
                file = template.file
            );
        }
    }
    let page = fs::read_to_string(root.join("docs/manifests.md")).unwrap();
    assert!(page.contains(&table), "docs/manifests.md lacks the table\n{table}");
}
