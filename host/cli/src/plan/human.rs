//! A plan as text for people, with disruptions first.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use similar::{ChangeTag, TextDiff};

use crate::output::{clean, count};
use trellis_runner::document::{Action, Afterwards, Attributes, Change, Gone, Note, Plan, PlannedResource};

/// Actions in the order of the output: those that remove resources stand before those that add some.
const ORDER: [Action; 6] =
    [Action::Replace, Action::Delete, Action::Update, Action::Adopt, Action::Create, Action::Associate];
/// Longest pair of values that is shown on one line.
const MAX_PAIR: usize = 100;
/// The mark of an attribute that is the reason for a replacement.
const FORCES: &str = "  # forces replacement";
/// The attributes that say what goes with a resource. Of the others, the name is enough for a resource that is deleted.
const CONTENT: [&str; 2] = ["objects", "values"];
/// What is said where nothing changes, where nothing is asked for, and where nothing but nodes changes.
const UNCHANGED: &str = "No changes: everything is as it should be.\n";
const NOTHING: &str = "No changes: there is nothing to do in the cloud.\n";
const UNCHANGED_NETWORK: &str = "No changes of the infrastructure.\n";
/// How wide lists of names are.
const WIDTH: usize = 96;

/// Everything that there is to say about a plan; `sought` is whether a deletion asked the cloud. Where nodes change,
/// "no changes" is said of the infrastructure alone.
pub(super) fn plan(plan: &Plan, sought: bool, changes_nodes: bool, has_color: bool) -> String {
    let paint = Paint(has_color);
    let mut text = String::new();
    gone(plan, paint, &mut text);
    disruptions(plan, paint, &mut text);
    for action in ORDER {
        let changes: Vec<&Change> = plan.changes.iter().filter(|change| change.action == action).collect();
        if changes.is_empty() {
            continue;
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}:", heading(action));
        for one in changes {
            change(one, plan, paint, &mut text);
        }
        text.push('\n');
    }
    notes(plan, &mut text);
    if plan.is_empty() {
        let nothing = nothing(plan, sought);
        text.push_str(if changes_nodes && nothing == UNCHANGED { UNCHANGED_NETWORK } else { &nothing });
        return text;
    }
    if let Some(billed) = billed(&plan.resources) {
        let _ = writeln!(text, "Billed by the hour: {billed}");
    }
    calls(plan, &mut text);
    let _ = writeln!(text, "{}", sum(plan));
    text
}

/// `3 changes: 1 to replace, 2 to create`
pub(crate) fn sum(plan: &Plan) -> String {
    let number = |action| plan.changes.iter().filter(|change| change.action == action).count();
    let parts: Vec<String> = ORDER
        .into_iter()
        .filter(|action| number(*action) > 0)
        .map(|action| format!("{} to {}", number(action), action.verb()))
        .collect();
    format!("{}: {}", count(plan.changes.len(), "change"), parts.join(", "))
}

/// The sign before a change.
pub(crate) fn symbol(action: Action) -> &'static str {
    match action {
        Action::Create | Action::Associate => "+",
        Action::Update => "~",
        Action::Replace => "-/+",
        Action::Delete => "-",
        Action::Adopt => "=",
    }
}

fn heading(action: Action) -> &'static str {
    match action {
        Action::Create => "Created",
        Action::Update => "Updated in place",
        Action::Replace => "Deleted and created again",
        Action::Delete => "Deleted",
        Action::Adopt => "There already, and taken over",
        Action::Associate => "Associated",
    }
}

#[derive(Clone, Copy)]
struct Paint(bool);

impl Paint {
    fn of(self, action: Action, text: &str) -> String {
        let color = match action {
            Action::Create | Action::Associate => "32",
            Action::Update | Action::Adopt => "33",
            Action::Replace => "35",
            Action::Delete => "31",
        };
        self.with(color, text)
    }

    fn with(self, color: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{color}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Recorded resources that the cloud does not have. They stand first, as they explain the changes that follow.
fn gone(plan: &Plan, paint: Paint, text: &mut String) {
    if plan.gone.is_empty() {
        return;
    }
    let _ = writeln!(text, "{}", paint.with("1;31", "Recorded, but gone:"));
    for Gone { kind, name, resource_id, .. } in &plan.gone {
        let mark = paint.with("1;31", "?");
        let _ = writeln!(text, "  {mark} {}", clean(&format!("{kind} {name} ({resource_id})")));
    }
    text.push('\n');
}

/// The sentence for a plan that changes nothing, which claims no more than is known: only a deletion that asked the cloud has
/// `sought` what it need not find.
fn nothing(plan: &Plan, sought: bool) -> String {
    let is_there = |resource: &PlannedResource| !resource.foreign && resource.resource_id.is_some();
    let may_be_there = !plan.resources.is_empty() || plan.state.is_empty();
    match plan.notes.len() {
        0 if plan.gone.is_empty() && sought && may_be_there && !plan.resources.iter().any(is_there) => {
            "No changes: nothing is recorded, and nothing of it is found in this account and region.\n".to_owned()
        }
        0 if plan.gone.is_empty() && plan.resources.is_empty() => NOTHING.to_owned(),
        0 if plan.gone.is_empty() => UNCHANGED.to_owned(),
        0 => "Nothing is changed in the cloud.\n".to_owned(),
        notes => format!("Nothing is changed: {} left as found.\n", are(notes)),
    }
}

/// `1 difference is`, `2 differences are`
fn are(differences: usize) -> String {
    format!("{} {}", count(differences, "difference"), if differences == 1 { "is" } else { "are" })
}

fn disruptions(plan: &Plan, paint: Paint, text: &mut String) {
    let mut disruptive = plan.changes.iter().filter_map(|change| Some((change, change.disruption.as_ref()?)));
    let Some(first) = disruptive.next() else { return };
    let _ = writeln!(text, "{}", paint.with("1;31", "Disruptions:"));
    for (change, disruption) in std::iter::once(first).chain(disruptive) {
        let mark = paint.with("1;31", "!");
        let _ = writeln!(text, "  {mark} {}: {}", clean(&title(change)), clean(disruption));
    }
    text.push('\n');
}

/// `NAT gateway shoot--dev--crazy-natgw (ngw-1)`
fn title(change: &Change) -> String {
    // A resource without a name is known by its place.
    let name = if change.name.is_empty() { &change.id } else { &change.name };
    let id = change.resource_id.as_ref().filter(|id| *id != name).map(|id| format!(" ({id})")).unwrap_or_default();
    format!("{} {name}{id}", change.kind)
}

fn change(change: &Change, plan: &Plan, paint: Paint, text: &mut String) {
    let _ = writeln!(text, "  {} {}", paint.of(change.action, symbol(change.action)), clean(&title(change)));
    let empty = Attributes::new();
    let (before, after) = (change.before.as_ref(), change.after.as_ref());
    match change.action {
        Action::Delete => {
            for name in CONTENT {
                if let Some(Some(value)) = before.unwrap_or(&empty).get(name) {
                    attribute(name, value, text);
                }
            }
        }
        Action::Create | Action::Associate => {
            for (name, value) in after.unwrap_or(&empty) {
                // The title has the name, and a value that only the cloud knows says nothing about a new resource.
                if let Some(value) = value.as_ref().filter(|value| **value != change.name) {
                    attribute(name, value, text);
                }
            }
        }
        Action::Update | Action::Replace | Action::Adopt => {
            for (name, wanted) in after.unwrap_or(&empty) {
                let found = before.and_then(|before| before.get(name)).and_then(Option::as_deref);
                let forces = if change.forces_replacement.contains(name) { FORCES } else { "" };
                difference(name, found, wanted.as_deref(), forces, paint, text);
            }
            if change.action == Action::Replace && change.forces_replacement.is_empty() {
                replaced_with(change, plan, text);
            }
        }
    }
}

/// Why a resource is replaced whose own attributes are as they should be.
fn replaced_with(change: &Change, plan: &Plan, text: &mut String) {
    let needs = plan.resources.iter().find(|one| one.id == change.id).map(|one| one.needs.as_slice());
    let is_needed = |other: &&Change| needs.unwrap_or_default().contains(&other.id);
    let replaced = plan.changes.iter().filter(|other| other.action == Action::Replace);
    for other in replaced.filter(is_needed) {
        let _ = writeln!(text, "      goes with {}, which is replaced", clean(&title(other)));
    }
}

/// An attribute of a resource that comes or goes.
fn attribute(name: &str, value: &str, text: &mut String) {
    let name = clean(name);
    if !value.contains('\n') {
        let _ = writeln!(text, "      {name}: {}", clean(value));
        return;
    }
    let _ = writeln!(text, "      {name}:");
    for line in value.lines() {
        let _ = writeln!(text, "        {}", clean(line));
    }
}

/// A value as it will be.
fn wanted(value: Option<&str>) -> String {
    value.map_or_else(|| "(known once it is there)".to_owned(), clean)
}

fn difference(name: &str, found: Option<&str>, to: Option<&str>, forces: &str, paint: Paint, text: &mut String) {
    let name = clean(name);
    let is_long = |value: Option<&str>| value.unwrap_or_default().contains('\n');
    let length = found.unwrap_or_default().len() + to.unwrap_or_default().len();
    if length <= MAX_PAIR && !is_long(found) && !is_long(to) {
        let from = found.map_or_else(|| "(none)".to_owned(), clean);
        let _ = writeln!(text, "      {name}: {from} -> {}{forces}", wanted(to));
        return;
    }
    let _ = writeln!(text, "      {name}:{forces}");
    let ended =
        |text: &str| if text.is_empty() { String::new() } else { format!("{}\n", text.trim_end_matches('\n')) };
    let (found, to) = (ended(found.unwrap_or_default()), ended(&to.map_or_else(|| wanted(None), str::to_owned)));
    for line in TextDiff::from_lines(&found, &to).iter_all_changes() {
        let content = clean(line.value().trim_end_matches('\n'));
        let _ = match line.tag() {
            ChangeTag::Delete => writeln!(text, "        {}", paint.with("31", &format!("- {content}"))),
            ChangeTag::Insert => writeln!(text, "        {}", paint.with("32", &format!("+ {content}"))),
            ChangeTag::Equal => writeln!(text, "          {content}"),
        };
    }
}

fn notes(plan: &Plan, text: &mut String) {
    if plan.notes.is_empty() {
        return;
    }
    text.push_str("Differs, and is left as it is:\n");
    for Note { id, attribute, wanted, found } in &plan.notes {
        let resource = plan.resources.iter().find(|resource| resource.id == *id);
        let title = resource.map_or_else(|| id.clone(), |one| format!("{} {}", one.kind, one.name));
        let shown = |value: &Option<String>| value.as_ref().map_or("nothing".to_owned(), |one| format!("`{one}`"));
        let line = format!("{title}: {attribute} is {}, and should be {}", shown(found), shown(wanted));
        let _ = writeln!(text, "  {}", clean(&line));
    }
    text.push('\n');
}

/// `+1 NAT gateway (1 in all), +2 EIP (2 in all)`; `None` where nothing is billed, before or after.
fn billed(resources: &[PlannedResource]) -> Option<String> {
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for resource in resources.iter().filter(|resource| resource.billed && !resource.foreign) {
        let (before, after) = kinds.entry(&resource.kind).or_default();
        *before += usize::from(!matches!(resource.action, Some(Action::Create | Action::Associate)));
        *after += usize::from(resource.action != Some(Action::Delete));
    }
    let parts: Vec<String> = kinds
        .into_iter()
        .map(|(kind, (before, after))| {
            let kind = clean(kind);
            match after.cmp(&before) {
                std::cmp::Ordering::Greater => format!("+{} {kind} ({after} in all)", after - before),
                std::cmp::Ordering::Less => format!("-{} {kind} ({after} in all)", before - after),
                std::cmp::Ordering::Equal => format!("{after} {kind} as before"),
            }
        })
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn calls(plan: &Plan, text: &mut String) {
    let mut numbers: Vec<(String, usize)> = Vec::new();
    for step in &plan.steps {
        let name = clean(&format!("{}:{}", step.call.service, step.call.action));
        match numbers.iter_mut().find(|(known, _)| *known == name) {
            Some((_, number)) => *number += 1,
            None => numbers.push((name, 1)),
        }
    }
    // Which calls a further part needs is known once this one is done.
    let more = if plan.afterwards == Some(Afterwards::More) {
        " to make, and more for the rest, a part at a time:"
    } else {
        " to make:"
    };
    let _ = writeln!(text, "{}{more}", count(plan.steps.len(), "call"));
    let mut line = String::new();
    for (at, (name, number)) in numbers.iter().enumerate() {
        let times = if *number > 1 { format!("{number} x ") } else { String::new() };
        let comma = if at + 1 < numbers.len() { "," } else { "" };
        let word = format!(" {times}{name}{comma}");
        if !line.is_empty() && line.len() + word.len() > WIDTH {
            let _ = writeln!(text, " {line}");
            line.clear();
        }
        line.push_str(&word);
    }
    if !line.is_empty() {
        let _ = writeln!(text, " {line}");
    }
}
