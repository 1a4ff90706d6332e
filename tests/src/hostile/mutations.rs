//! Requests of `mutate`: YAML and units inside objects, of the size that is read.

use serde_json::{Value, json};

/// Bytes of a text that is read.
const LONG: usize = (1 << 20) - 100;

/// A text of many parts.
fn many(part: &str) -> String {
    part.repeat(LONG / part.len())
}

/// A text of many lines, each with its number.
fn numbered(line: &dyn Fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0.. {
        let line = line(number);
        if text.len() + line.len() > LONG {
            break;
        }
        text.push_str(&line);
    }
    text
}

fn nodes(units: &Value, files: &Value) -> String {
    json!({
        "webhook": "controlplane",
        "object": {
            "apiVersion": "extensions.gardener.cloud/v1alpha1",
            "kind": "OperatingSystemConfig",
            "metadata": { "name": "osc", "namespace": "n" },
            "spec": { "purpose": "reconcile", "units": units, "files": files },
        },
        "cluster": { "shoot": { "spec": { "kubernetes": { "version": "1.33.0" } } } },
    })
    .to_string()
}

fn kubelet(configuration: &str) -> String {
    let inline = json!({ "encoding": "", "data": configuration });
    nodes(&json!([]), &json!([{ "path": "/var/lib/kubelet/config/kubelet", "content": { "inline": inline } }]))
}

fn unit(content: &str) -> String {
    nodes(&json!([{ "name": "kubelet.service", "content": content }]), &json!([]))
}

/// The requests, with a name each.
pub fn requests() -> Vec<(&'static str, String)> {
    let alias =
        |level: usize| format!("a{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); 9].join(","));
    let laughs: String = ["a0: &a0 [x]\n".to_owned()].into_iter().chain((1..100).map(alias)).collect();
    let manager = |containers: Value| {
        json!({
            "webhook": "controlplane",
            "object": {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "metadata": { "name": "kube-controller-manager" },
                "spec": { "template": { "spec": { "containers": containers } } },
            },
        })
        .to_string()
    };
    vec![
        ("mutate: no webhook", r#"{"object":{"kind":"Secret"}}"#.to_owned()),
        ("mutate: no kind", r#"{"webhook":"shoot","object":{}}"#.to_owned()),
        ("mutate: a cluster without a shoot", r#"{"webhook":"shoot","object":{},"cluster":{}}"#.to_owned()),
        ("mutate: YAML with aliases of aliases", kubelet(&laughs)),
        ("mutate: YAML of brackets", kubelet(&many("["))),
        ("mutate: YAML of braces", kubelet(&many("{a: "))),
        ("mutate: YAML of hyphens", kubelet(&many("- "))),
        ("mutate: YAML of question marks", kubelet(&many("? "))),
        ("mutate: YAML of colons", kubelet(&many(": "))),
        ("mutate: YAML of many members", kubelet(&numbered(&|number| format!("k{number}: v\n")))),
        ("mutate: YAML of many anchors", kubelet(&numbered(&|number| format!("k{number}: &a{number} v\n")))),
        ("mutate: YAML of one long line", kubelet(&format!("a: {}", many("x")))),
        ("mutate: YAML of one long quote", kubelet(&format!("a: \"{}", many("\\n")))),
        ("mutate: YAML of a text of many lines", kubelet(&format!("a: |\n{}", many(" x\n")))),
        ("mutate: YAML of many documents", kubelet(&many("---\n"))),
        ("mutate: YAML of comments", kubelet(&many("#\n"))),
        ("mutate: YAML of tags", kubelet(&many("!!str "))),
        ("mutate: YAML with a NUL character", kubelet("a: \0\n")),
        ("mutate: YAML of another alphabet", kubelet(&numbered(&|number| format!("ключ{number}: 值🌱\n")))),
        ("mutate: YAML that is too large", kubelet(&"a".repeat(2 << 20))),
        ("mutate: a unit of many sections", unit(&numbered(&|number| format!("[S{number}]\na=b\n")))),
        (
            "mutate: a unit of many starts",
            unit(&format!("[Service]\n{}", many("ExecStart=/k --cloud-provider=\n"))),
        ),
        ("mutate: a unit of backslashes", unit(&format!("[Service]\nExecStart={}", many("\\\n")))),
        ("mutate: a unit of brackets", unit(&many("["))),
        (
            "mutate: many flags",
            manager(json!([{ "name": "kube-controller-manager", "command": vec!["--cloud-provider="; 4_000] }])),
        ),
        (
            "mutate: a command that is no list",
            manager(json!([{ "name": "kube-controller-manager", "command": 5 }])),
        ),
        ("mutate: containers that are none", manager(json!({ "name": "kube-controller-manager" }))),
        ("mutate: a Secret of many keys", {
            let data: serde_json::Map<String, Value> =
                (0..4_000).map(|key| (format!("k{key}"), "eA==".into())).collect();
            let metadata = json!({ "name": "cloudprovider" });
            let object = json!({ "apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": data });
            json!({ "webhook": "cloudprovider", "object": object }).to_string()
        }),
    ]
}
