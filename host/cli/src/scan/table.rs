//! For people: tables with the sums.

use super::{Report, Streams};
use crate::output::{Style, aligned, clean, count};
use trellis_kubernetes::scan::tally::Ends;

/// How many objects of each kind had which end, how many break each rule, and whose rules these are.
pub(super) fn sums(report: &Report) -> String {
    let rules: Vec<[String; 3]> = report
        .tally
        .rules
        .iter()
        .map(|((severity, rule), count)| {
            let rule = if rule.is_empty() { "(no default can be set)" } else { rule };
            [clean(rule), severity.clone(), count.objects.to_string()]
        })
        .collect();
    let title = ["RULE", "SEVERITY", "OBJECTS"].map(str::to_owned);
    let rules = if rules.is_empty() { String::new() } else { aligned(&[vec![title], rules].concat(), 2) };
    let left = &report.tally.skipped;
    let mut left_out: Vec<String> = left
        .iter()
        .map(|((kind, why), count)| {
            format!("Not judged: {}: {}.\n", objects(count.objects, kind), clean(&why.to_string()))
        })
        .collect();
    if left.further > 0 {
        left_out.push(format!("Not judged for further reasons: {}.\n", objects(left.further, "object")));
    }
    let scope = report.scope.as_ref().map(|scope| format!("{scope}\n")).unwrap_or_default();
    let mut parts = vec![kinds(report), rules, left_out.concat(), meaning(report), scope];
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// What the verdict means for objects that run, where there is one to explain.
fn meaning(report: &Report) -> String {
    if report.tally.all().rejected == 0 {
        return String::new();
    }
    "A rejected object keeps running, and this scan changed nothing: the next change of it is refused. Fix it, or inform its owner, before \
     you turn on admission or upgrade.\n"
        .to_owned()
}

fn kinds(report: &Report) -> String {
    let title = ["KIND", "OBJECTS", "ACCEPTED", "REJECTED", "UNDECIDED", "WITH WARNINGS", "NOT JUDGED", "FAILED"];
    let row = |kind: &str, ends: Ends| {
        let Ends { objects, accepted, rejected, undecided, warned, not_judged, failed } = ends;
        let numbers =
            [objects, accepted, rejected, undecided, warned, not_judged, failed].map(|one| one.to_string());
        let [objects, accepted, rejected, undecided, warned, not_judged, failed] = numbers;
        [kind.to_owned(), objects, accepted, rejected, undecided, warned, not_judged, failed]
    };
    let mut rows = vec![title.map(str::to_owned)];
    rows.extend(report.tally.kinds().map(|(kind, ends)| row(kind.name(), ends)));
    if rows.len() > 2 {
        rows.push(row("all", report.tally.all()));
    }
    if rows.len() == 1 { String::new() } else { aligned(&rows, 1) }
}

/// Shows what is undecided, and what could not be read, on standard error: a line for each reason.
pub(super) fn show_rest(Report { tally, unread, .. }: &Report, streams: &mut Streams<'_>) {
    let style = Style::new(streams.stderr_has_color);
    for ((rule, why), found) in tally.undecided.iter() {
        let what = format!("{} ({}, the first is {})", why, objects(found.objects, "object"), found.first);
        streams.say(&style.open(rule, &what));
    }
    if tally.undecided.further > 0 {
        let text =
            format!("{} more are undecided for further reasons: `-o json` lists all", tally.undecided.further);
        streams.say(&style.warning(&text));
    }
    for (what, found) in tally.unread.iter() {
        let text = format!("{what} ({}, the first is {})", objects(found.objects, "object"), found.first);
        streams.say(&style.warning(&format!("what objects refer to cannot be read: {text}")));
    }
    if tally.unread.further > 0 {
        let text = format!("{} more references cannot be read: `-o json` lists all", tally.unread.further);
        streams.say(&style.warning(&text));
    }
    if *unread > 0 {
        let lists = objects(*unread, "list");
        streams.say(&style.warning(&format!("{lists} could not be read to the end: the sums lack the rest")));
    }
}

/// `1 Shoot`, `2 Shoots`.
fn objects(number: u64, thing: &str) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), thing)
}
