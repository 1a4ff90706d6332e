//! Folders of templates, and image vectors.
#![expect(clippy::unwrap_used, reason = "a folder that cannot be made must fail the test")]

use std::fs;
use std::path::Path;

use trellis_templates::{bundles, code, images, images_code};

fn object(kind: &str, name: &str) -> String {
    format!("apiVersion: v1\nkind: {kind}\nmetadata:\n  name: {name}\n")
}

/// Writes files, makes bundles of them, and names the objects, or what is wrong, with paths in the folder.
fn of(files: &[(&str, String)]) -> Result<Vec<(String, Vec<String>)>, String> {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let start = format!("{}/", folder.path().display());
    let bundles = bundles(folder.path()).map_err(|error| error.to_string().replace(&start, ""))?;
    let named = bundles.into_iter().map(|bundle| {
        let objects =
            bundle.templates.iter().map(|template| format!("{} {}", template.identity.kind, template.file));
        (bundle.name, objects.collect())
    });
    Ok(named.collect())
}

#[test]
fn objects_stand_in_the_order_in_which_they_are_created() {
    let files = [
        ("two/deployment-a.yaml.hbs", object("Deployment", "a")),
        ("two/z.yaml.hbs", object("NetworkPolicy", "z")),
        ("two/other.yaml.hbs", object("Alert", "a")),
        ("two/role-b.yaml.hbs", object("Role", "b")),
        ("two/role-a.yaml.hbs", object("Role", "a")),
        ("two/clusterrole-c.yaml.hbs", object("ClusterRole", "c")),
        ("one/secret-a.yaml.hbs", object("Secret", "a")),
        ("images.yaml", String::new()),
    ];
    let expected = vec![
        ("one".to_owned(), vec!["Secret one/secret-a.yaml.hbs".to_owned()]),
        (
            "two".to_owned(),
            [
                "NetworkPolicy two/z.yaml.hbs",
                "ClusterRole two/clusterrole-c.yaml.hbs",
                "Role two/role-a.yaml.hbs",
                "Role two/role-b.yaml.hbs",
                "Deployment two/deployment-a.yaml.hbs",
                "Alert two/other.yaml.hbs",
            ]
            .map(str::to_owned)
            .to_vec(),
        ),
    ];
    assert_eq!(of(&files), Ok(expected));
}

#[test]
fn a_folder_that_is_no_bundle_is_refused() {
    let table = [
        (
            vec![("b/x.yaml.hbs", object("Role", "a")), ("b/y.yaml.hbs", object("Role", "a"))],
            "b/y.yaml.hbs:1: Role a of v1 of b/x.yaml.hbs is the same object",
        ),
        (
            vec![("b/x.yaml", object("Role", "a"))],
            "b/x.yaml:1: the file is no template; templates end in `.yaml.hbs`",
        ),
        (
            vec![("b/c/x.yaml.hbs", object("Role", "a"))],
            "b/c:1: the file is no template; templates end in `.yaml.hbs`",
        ),
        (vec![("b/x.yaml.hbs", object("Role", "\"{{\""))], "b/x.yaml.hbs:4: `{{` has no `}}` in its line"),
    ];
    for (files, expected) in table {
        assert_eq!(of(&files), Err(expected.to_owned()));
    }
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("b")).unwrap();
    assert!(bundles(folder.path()).unwrap_err().to_string().ends_with("/b:1: the folder has no template"));
    assert!(bundles(&folder.path().join("none")).unwrap_err().to_string().contains("the file cannot be read: "));
}

#[test]
fn code_has_a_constant_for_each_bundle() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("seed-controlplane")).unwrap();
    let text = object("Role", "a") + "a: \"b {{c}}\"\nd: 1\ne: {{toJson f}}\n";
    fs::write(folder.path().join("seed-controlplane/r.yaml.hbs"), text).unwrap();
    let code = code(&bundles(folder.path()).unwrap());
    let expected = r#"/// The templates of `seed-controlplane`.
pub const SEED_CONTROLPLANE: Bundle = Bundle { name: "seed-controlplane", templates: &[Template { file: "seed-controlplane/r.yaml.hbs", root: Node::Object(&[Part::Json("\"apiVersion\":\"v1\",\"kind\":\"Role\",\"metadata\":{\"name\":\"a\"}"),Part::Member(&[Piece::Json("a")], Node::Text(&[Piece::Json("b "),Piece::Hole(Hole { up: 0, name: Name::Value, keys: &["c"], line: 5 })])),Part::Json("\"d\":1"),Part::Member(&[Piece::Json("e")], Node::Value(Hole { up: 0, name: Name::Value, keys: &["f"], line: 7 }))]) }] };
"#;
    assert_eq!(code, expected);
}

#[test]
fn an_image_vector_is_read_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("images.yaml");
    let read = |text: &str| {
        fs::write(&path, text).unwrap();
        let start = format!("{}/", folder.path().display());
        images(&path).map(|images| images_code(&images)).map_err(|error| error.to_string().replace(&start, ""))
    };
    let code = read(
        "images:\n- name: a\n  sourceRepository: github.com/a\n  repository: r/a\n  tag: v1\n  targetVersion: \">= 1.31\"\n  architectures: [arm64]\n",
    );
    let expected = "/// The image vector.\npub const IMAGES: &[ImageSource<'static>] = &[ImageSource { name: \"a\", repository: Some(\"r/a\"), tag: Some(\"v1\"), runtime_version: None, target_version: Some(\">= 1.31\"), architectures: &[\"arm64\"], reference: None }];\n";
    assert_eq!(code.unwrap(), expected);
    for (text, expected) in [
        ("images: a\n", "images.yaml:1: the image is not there: the file has no list `images`"),
        ("images:\n- a\n", "images.yaml:2: the image is no mapping"),
        ("images:\n- repository: r\n", "images.yaml:2: the image has no `name`"),
        ("images:\n- name: a\n", "images.yaml:2: the image `a` has no `repository`"),
        ("images:\n- name: a\n  tags: v1\n", "images.yaml:2: the image has the unknown member `tags`"),
        ("images:\n- name: [a]\n", "images.yaml:2: the image has a member that is no text"),
        (
            "images:\n- name: a\n  architectures: b\n",
            "images.yaml:2: the image has `architectures` that are no list",
        ),
        ("images: [\n", "images.yaml:2: the text is no YAML: "),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.starts_with(expected), "{text}\n{error}");
    }
}

/// What the repository has.
#[test]
fn every_template_of_the_repository_compiles() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("alicloud");
    let bundles = bundles(&folder).unwrap();
    let counts: Vec<(&str, usize)> =
        bundles.iter().map(|bundle| (bundle.name.as_str(), bundle.templates.len())).collect();
    let expected = [
        ("machineclass", 2),
        ("seed-controlplane", 14),
        ("shoot-crds", 3),
        ("shoot-storageclasses", 1),
        ("shoot-system-components", 32),
    ];
    assert_eq!(counts, expected);
    for template in bundles.iter().flat_map(|bundle| &bundle.templates) {
        let text = fs::read_to_string(folder.join(&template.file)).unwrap();
        assert!(text.starts_with("# "), "{}: a comment says what the object is for", template.file);
        let kind = template.identity.kind.to_lowercase();
        let file = template.file.split_once('/').unwrap().1;
        assert!(file.starts_with(&format!("{kind}-")), "{}: the name begins with the kind", template.file);
    }
}
