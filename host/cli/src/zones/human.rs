//! Address spaces and zones to add, for people.

use std::fmt::Write as _;

use super::Answered;
use crate::CommandError;
use crate::output::{clean, count};
use trellis_policies::answer::{AddedZones, AddressConflict, AddressRange, AddressSpace, Addresses, ZoneChoice};
use trellis_policies::manifest::Document;
use trellis_policies::source::read_own;

/// Most conflicts of a space that an answer has.
const MOST_CONFLICTS: usize = 1_000;

/// The address space of each object.
pub(super) fn spaces(answered: &[Answered<'_, Addresses>], has_color: bool) -> String {
    let texts: Vec<String> = answered.iter().map(|one| object(one, has_color)).collect();
    texts.join("\n")
}

fn object(one: &Answered<'_, Addresses>, has_color: bool) -> String {
    let Addresses { spaces, unreadable, zones } = &one.answer;
    let conflicts: usize = spaces.iter().map(|space| space.conflicts.len()).sum();
    let is_cut = spaces.iter().any(|space| space.conflicts.len() >= MOST_CONFLICTS);
    let sum = format!("{}{}", count(conflicts, "conflict"), if is_cut { " or more" } else { "" });
    let mut text = head(one.document, one.provider, &sum);
    // Writing to a string does not fail.
    for space in spaces {
        let relative = space.relative.as_ref().map(|relative| format!(", {relative}")).unwrap_or_default();
        let _ = writeln!(text, "\n{}{}", space.family, clean(&relative));
        let mut rows: Vec<[String; 4]> = space.ranges.iter().map(row).collect();
        rows.extend(space.free.iter().map(|gap| {
            let label = format!("free, largest block {}", gap.largest);
            [String::new(), label, bounds(&gap.first, &gap.last), grouped(&gap.size)]
        }));
        text.push_str(&table(&rows));
        for conflict in &space.conflicts {
            let line = conflict_line(one.document, space, conflict);
            let _ = if has_color { writeln!(text, "  \x1b[31m{line}\x1b[0m") } else { writeln!(text, "  {line}") };
        }
    }
    if !unreadable.is_empty() {
        text.push('\n');
    }
    for range in unreadable {
        let label = label(&range.role, range.name.as_deref());
        let place = place(one.document, &range.pointer);
        let _ = writeln!(text, "unreadable: {}", clean(&format!("{label}: `{}` at {place}", range.text)));
    }
    if let Some(choice) = zones {
        let _ = writeln!(text, "\n{}", clean(&further(choice)));
    }
    text
}

/// `Shoot garden-dev/crazy (alicloud, shoot.yaml:1): no conflicts`
fn head(document: &Document, provider: &str, sum: &str) -> String {
    let (name, line) = (document.input.name(), document.position().line);
    let sum = if sum.starts_with("0 ") { sum.replacen('0', "no", 1) } else { sum.to_owned() };
    clean(&format!("{} ({provider}, {name}:{line}): {sum}", document.identity())) + "\n"
}

fn row(range: &AddressRange) -> [String; 4] {
    let label = label(&range.role, range.name.as_deref());
    [range.cidr.clone(), label, bounds(&range.first, &range.last), grouped(&range.size)]
}

fn label(role: &str, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{role} {name}"),
        None => role.to_owned(),
    }
}

fn bounds(first: &str, last: &str) -> String {
    format!("{first} - {last}")
}

/// A decimal number with a comma between thousands.
fn grouped(number: &str) -> String {
    let mut text = String::new();
    for (index, digit) in number.chars().enumerate() {
        if index > 0 && (number.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Columns side by side, the last one to the right.
fn table(rows: &[[String; 4]]) -> String {
    let rows: Vec<[String; 4]> = rows.iter().map(|row| row.each_ref().map(|cell| clean(cell))).collect();
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let [a, b, c, d] = [0, 1, 2, 3].map(width);
    let mut text = String::new();
    for [cidr, label, bounds, size] in &rows {
        let _ = writeln!(text, "  {cidr:a$}  {label:b$}  {bounds:c$}  {size:>d$}");
    }
    text
}

/// `error[ALI-INF-007]: zone a 10.0.0.0/24 is not inside of nodes 10.250.0.0/16 (shoot.yaml:20:18)`
fn conflict_line(document: &Document, space: &AddressSpace, conflict: &AddressConflict) -> String {
    let [first, second] = conflict.ranges.map(|index| space.ranges.get(index));
    let name = |range: Option<&AddressRange>| {
        range
            .map(|range| format!("{} {}", label(&range.role, range.name.as_deref()), range.cidr))
            .unwrap_or_default()
    };
    let rule = conflict.rule.as_ref().map(|rule| format!("[{rule}]")).unwrap_or_default();
    let place = second.and_then(|range| range.pointer.as_ref()).map(|pointer| place(document, pointer));
    let place = place.map(|place| format!(" ({place})")).unwrap_or_default();
    let (outer, inner) = (name(first), name(second));
    clean(&match (&conflict.first, &conflict.last) {
        (Some(from), Some(to)) => {
            format!("error{rule}: {inner} overlaps with {outer}: {}{place}", bounds(from, to))
        }
        _ => format!("error{rule}: {inner} is not inside of {outer}{place}"),
    })
}

fn place(document: &Document, pointer: &str) -> String {
    let input = &document.input;
    let place = input.position(document.root.locate(pointer).highlight(input).start);
    format!("{}:{}:{}", input.name(), place.line, place.column)
}

fn further(choice: &ZoneChoice) -> String {
    let ZoneChoice { names, prefix_length, shortest, longest } = choice;
    let Some(shortest) = shortest else { return "no further zone has room".to_owned() };
    let names = if names.is_empty() { String::new() } else { names.join(", ") + "; " };
    format!("further zones: {names}ranges from /{shortest} to /{longest} have room, /{prefix_length} by default")
}

/// The changes that add zones to each object.
pub(super) fn additions(answered: &[Answered<'_, AddedZones>]) -> Result<String, CommandError> {
    let texts: Result<Vec<String>, CommandError> = answered.iter().map(addition).collect();
    Ok(texts?.join("\n"))
}

fn addition(one: &Answered<'_, AddedZones>) -> Result<String, CommandError> {
    let AddedZones { zones, patch, .. } = &one.answer;
    // A zone may have ranges for load balancers, too.
    let added = zones.iter().filter(|range| range.role == "zone").count();
    let mut text = head(one.document, one.provider, &format!("{} to add", count(added, "zone")));
    let rows: Vec<_> = zones.iter().map(row).collect();
    text.push_str(&table(&rows));
    let mut list = "";
    for operation in patch {
        let Some(value) = &operation.value else { continue };
        let (parent, json) = match operation.path.rsplit_once('/') {
            Some((parent, "-")) => (parent, format!("[{value}]")),
            Some((parent, key)) => (parent, format!("{{\"{key}\":{value}}}")),
            None => continue,
        };
        if parent != list {
            let _ = writeln!(text, "\nadd to `{}`:", clean(parent));
            list = parent;
        }
        for node in read_own(&json) {
            for line in node.to_yaml()?.lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
    }
    Ok(text)
}
