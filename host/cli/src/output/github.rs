//! For GitHub Actions: workflow commands, which become annotations of a pull request.

use super::{Judged, Remarks, headline, nearest, since};
use trellis_policies::answer::Severity;
use trellis_policies::invisible::visible;
use trellis_policies::judge::PlacedFinding;
use trellis_policies::source::{Source, Span};

/// A line for each finding, each undecided rule, each object that no policy judges, and each error.
pub(crate) fn github(judged: &[Judged<'_>], remarks: Remarks<'_>) -> String {
    let mut text = String::new();
    for one in judged {
        let input = &one.document.input;
        for placed in one.unfolded() {
            let command = match placed.finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            let title = placed.finding.rule.as_deref().unwrap_or(&placed.finding.type_);
            text.push_str(&line(command, Some((input, Some(placed.span))), title, &message(placed, one)));
        }
        let place = one.document.root.locate("").highlight(input);
        if let Some(message) = one.truncation() {
            text.push_str(&line("warning", Some((input, Some(place))), "trellis", &message));
        }
        if let Some(message) = one.manner() {
            text.push_str(&line("notice", Some((input, Some(place))), "trellis", &message));
        }
        for undecided in &one.ruling.undecided {
            let message = format!("{}: undecided: {}", one.document.identity(), undecided.why);
            text.push_str(&line("notice", Some((input, Some(place))), &undecided.rule, &message));
        }
    }
    for skipped in remarks.skipped {
        let place = Some((skipped.input.as_ref(), Some(skipped.span)));
        text.push_str(&line("notice", place, "trellis", &skipped.to_string()));
    }
    if let Some(scope) = remarks.scope {
        text.push_str(&line("notice", None, "trellis", scope));
    }
    for error in remarks.errors {
        let help = error.help().map(|help| format!("\n{help}")).unwrap_or_default();
        text.push_str(&line("error", error.place(), "trellis", &format!("{error}{help}")));
    }
    text
}

fn message(placed: &PlacedFinding, judged: &Judged<'_>) -> String {
    let set_by = placed.set_by.as_ref();
    let note = set_by.map(|change| format!("\nset by default ({}): {}", change.rule, change.reason));
    let nearest = nearest(&placed.finding).map(|nearest| format!("\n{nearest}"));
    let (nearest, note) = (nearest.unwrap_or_default(), note.unwrap_or_default());
    let headline = headline(&placed.finding, Some(judged.document));
    let first = format!("{headline}\n{}{nearest}", placed.finding.remedy);
    let parts = std::iter::once(first).chain(judged.followers(placed)).chain(since(&placed.finding));
    parts.collect::<Vec<_>>().join("\n") + &note
}

fn line(command: &str, place: Option<(&Source, Option<Span>)>, title: &str, message: &str) -> String {
    let mut properties = Vec::new();
    if let Some((input, span)) = place {
        properties.push(format!("file={}", property(input.name())));
        if let Some(span) = span {
            let (start, end) = (input.position(span.start), input.position(span.end));
            properties.push(format!("line={},col={}", start.line, start.column));
            properties.push(format!("endLine={},endColumn={}", end.line, end.column));
        }
    }
    properties.push(format!("title={}", property(title)));
    format!("::{command} {}::{}\n", properties.join(","), data(message))
}

fn data(text: &str) -> String {
    visible(text).replace('%', "%25").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_or_a_property_is_escaped() {
        let input = Source::new("a,b:c.yaml", "x: 1\n");
        let text = line("error", Some((&input, Some(Span::new(0, 1)))), "A:1,2", "50%, see: x\r\n::stop::");
        assert_eq!(
            text,
            "::error file=a%2Cb%3Ac.yaml,line=1,col=1,endLine=1,endColumn=2,title=A%3A1%2C2::50%25, see: xU+000D%0A::stop::\n"
        );
    }
}
