//! A plan as a Mermaid flowchart: which resource depends on which, and what the plan does to each.

use std::fmt::Write as _;

use trellis_runner::document::{Action, Plan, PlannedResource};

/// The styles of resources that change, by class.
const CLASSES: [(&str, &str); 6] = [
    ("create", "fill:#dafbe1,stroke:#1a7f37,color:#0a3d1a"),
    ("update", "fill:#fff8c5,stroke:#9a6700,color:#4d3300"),
    ("replace", "fill:#fbefff,stroke:#8250df,color:#3b1a6b"),
    ("delete", "fill:#ffebe9,stroke:#cf222e,color:#6b0f16"),
    ("adopt", "fill:#ddf4ff,stroke:#0969da,color:#052e5c"),
    ("foreign", "fill:#f6f8fa,stroke:#57606a,color:#24292f,stroke-dasharray:4 3"),
];

/// Every resource that exists or will exist, with an arrow to each resource that it depends on.
pub(super) fn plan(plan: &Plan) -> String {
    let mut text = "flowchart LR\n".to_owned();
    // Writing to a string does not fail.
    for (index, resource) in plan.resources.iter().enumerate() {
        let class = class(resource).map(|class| format!(":::{class}")).unwrap_or_default();
        let _ = writeln!(text, "  r{index}[\"{}\"]{class}", label(resource));
    }
    let place = |id: &String| plan.resources.iter().position(|resource| resource.id == *id);
    for (index, resource) in plan.resources.iter().enumerate() {
        for needed in resource.needs.iter().filter_map(place) {
            let _ = writeln!(text, "  r{index} --> r{needed}");
        }
    }
    for (class, looks) in CLASSES {
        if plan.resources.iter().any(|resource| self::class(resource) == Some(class)) {
            let _ = writeln!(text, "  classDef {class} {looks}");
        }
    }
    text
}

fn class(resource: &PlannedResource) -> Option<&'static str> {
    match resource.action {
        Some(Action::Create | Action::Associate) => Some("create"),
        Some(Action::Update) => Some("update"),
        Some(Action::Replace) => Some("replace"),
        Some(Action::Delete) => Some("delete"),
        Some(Action::Adopt) => Some("adopt"),
        None => resource.foreign.then_some("foreign"),
    }
}

fn label(resource: &PlannedResource) -> String {
    // Not in front: a label that begins as a list does is taken for one.
    let action = resource.action.map(|action| format!(" ({})", action.verb())).unwrap_or_default();
    format!("{}<br/>{}", escaped(&format!("{}{action}", resource.kind)), escaped(&resource.name))
}

/// Text in a quoted label: nothing in it is markup or ends it.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            plain if plain.is_alphanumeric() || " -_./:()".contains(plain) => escaped.push(plain),
            control if control.is_control() => escaped.push(' '),
            other => {
                let _ = write!(escaped, "#{};", u32::from(other));
            }
        }
    }
    escaped
}
