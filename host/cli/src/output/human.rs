//! For people: an excerpt with what is wrong underlined, and what to do about it.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet, normalize_untrusted_str};

use super::super::CommandError;
#[cfg(feature = "cluster")]
use super::{Cause, count};
use super::{Judged, headline, nearest, nodes, shortened, since};
use trellis_policies::answer::{DefaultChange, Finding, PatchOperation, Severity, Undecided, Verdict};
use trellis_policies::invisible::visible;
use trellis_policies::judge::PlacedFinding;
use trellis_policies::source::{Source, Span};

/// Longest line of which an excerpt is shown, in bytes.
const MAX_LINE: usize = 4_096;
/// Longest value in a suggestion, in characters.
const MAX_VALUE: usize = 120;

/// Renders with or without colors.
pub(crate) struct Style {
    renderer: Renderer,
    has_color: bool,
}

impl Style {
    pub(crate) fn new(has_color: bool) -> Self {
        let renderer = if has_color { Renderer::styled() } else { Renderer::plain() };
        Self { renderer: renderer.decor_style(DecorStyle::Ascii), has_color }
    }

    /// All findings of an object, and a line where it is not rejected.
    pub(crate) fn report(&self, one: &Judged<'_>) -> String {
        let mut text = String::new();
        for placed in one.unfolded() {
            text.push_str(&self.finding(one, placed));
            text.push('\n');
        }
        for note in one.truncation().into_iter().chain(one.manner()) {
            text.push_str(&self.renderer.render(&[Group::with_title(Level::NOTE.primary_title(clean(&note)))]));
            text.push_str("\n\n");
        }
        text.push_str(&self.upgrade(one));
        let word = match one.ruling.verdict {
            Verdict::Accept => "accepted",
            Verdict::Undecided => "not decided",
            Verdict::Reject => {
                if let Some(named) = one.left_to.as_ref().filter(|_| one.count(Severity::Error) == 0) {
                    let (object, place) = (one.document.identity(), one.document.place());
                    text.push_str(&clean(&format!("rejected {object} ({place}), because {named} has errors")));
                    text.push('\n');
                }
                return text;
            }
        };
        text.push_str(&clean(&format!("{word} {} ({})", one.document.identity(), one.document.place())));
        text.push('\n');
        text
    }

    /// What an upgrade changes by default, and what happens to the nodes.
    fn upgrade(&self, one: &Judged<'_>) -> String {
        let Some(upgrade) = &one.upgrade else { return String::new() };
        let mut text = String::new();
        for DefaultChange { rule, pointer, reason, .. } in &upgrade.changes {
            let note = format!("{rule} changes `{pointer}` by default: {reason}");
            text.push_str(&self.renderer.render(&[Group::with_title(Level::NOTE.primary_title(clean(&note)))]));
            text.push_str("\n\n");
        }
        if let Some(nodes) = &upgrade.nodes {
            text.push_str(&nodes::human(nodes, self.has_color));
        }
        text
    }

    /// One finding.
    pub(crate) fn finding(&self, judged: &Judged<'_>, placed: &PlacedFinding) -> String {
        let finding = &placed.finding;
        let level = match finding.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut title = level.primary_title(clean(&headline(finding, Some(judged.document))));
        if let Some(rule) = &finding.rule {
            title = title.id(rule.clone());
        }
        let document = judged.document;
        let mut group = locate(Group::with_title(title), &document.input, placed.span, document.is_secret());
        for help in helps(finding) {
            group = group.element(Level::HELP.message(clean(&help)));
        }
        for note in judged.followers(placed) {
            group = group.element(Level::NOTE.message(clean(&note)));
        }
        if let Some(since) = since(finding) {
            group = group.element(Level::NOTE.message(clean(&since)));
        }
        if let Some(change) = &placed.set_by {
            let note = format!("{} set `{}` by default: {}", change.rule, change.pointer, change.reason);
            group = group.element(Level::NOTE.message(clean(&note)));
        }
        self.renderer.render(&[group]) + "\n"
    }

    /// What breaks a rule in a garden.
    #[cfg(feature = "cluster")]
    pub(crate) fn cause(&self, severity: Severity, rule: &str, cause: &Cause) -> String {
        let level = match severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let (title, objects) = match cause.first.as_slice() {
            [only] if cause.objects == 1 => (only.clone(), &[] as &[String]),
            objects => (count(cause.objects, "object"), objects),
        };
        let mut title = level.primary_title(clean(&title));
        if !rule.is_empty() {
            title = title.id(rule.to_owned());
        }
        let mut group = Group::with_title(title);
        for object in objects {
            group = group.element(Level::NOTE.message(clean(object)));
        }
        if cause.objects > objects.len() && !objects.is_empty() {
            let more = count(cause.objects - objects.len(), "further object");
            group = group.element(Level::NOTE.message(format!("and {more}: `-o json` lists all")));
        }
        if !cause.remedy.is_empty() {
            group = group.element(Level::HELP.message(clean(&cause.remedy)));
        }
        if let Some(since) = &cause.since {
            group = group.element(Level::NOTE.message(clean(since)));
        }
        self.renderer.render(&[group]) + "\n"
    }

    /// A rule that could not be judged, of any number of objects.
    #[cfg(feature = "cluster")]
    pub(crate) fn open(&self, rule: &str, what: &str) -> String {
        let title = Level::NOTE.with_name("undecided").primary_title(clean(what)).id(rule.to_owned());
        self.renderer.render(&[Group::with_title(title)]) + "\n"
    }

    /// Something to know.
    pub(crate) fn note(&self, note: &str) -> String {
        self.renderer.render(&[Group::with_title(Level::NOTE.primary_title(clean(note)))]) + "\n"
    }

    /// An error of a command.
    pub(crate) fn error(&self, error: &CommandError) -> String {
        let mut group = Group::with_title(Level::ERROR.primary_title(clean(&error.to_string())));
        match error.place() {
            Some((input, Some(span))) => {
                group = locate(group, input, span, input.may_have_secrets());
            }
            Some((input, None)) => group = group.element(Origin::path(clean(input.name()))),
            None => {}
        }
        if let Some(help) = error.help() {
            group = group.element(Level::HELP.message(clean(&help)));
        }
        self.renderer.render(&[group]) + "\n"
    }

    /// A warning: something failed, and the command goes on.
    pub(crate) fn warning(&self, warning: &str) -> String {
        self.renderer.render(&[Group::with_title(Level::WARNING.primary_title(clean(warning)))]) + "\n"
    }

    /// A rule that could not be judged.
    pub(crate) fn undecided(&self, judged: &Judged<'_>, undecided: &Undecided) -> String {
        let title = Level::NOTE
            .with_name("undecided")
            .primary_title(clean(&format!(
                "{} ({}): {}",
                judged.document.identity(),
                judged.document.place(),
                undecided.why
            )))
            .id(undecided.rule.clone());
        let mut group = Group::with_title(title);
        if let Some(query) = &undecided.query {
            let help = match object_of(query.get()) {
                Some(object) => {
                    let command =
                        command_for(query.get()).map(|command| format!(": `{command}`")).unwrap_or_default();
                    format!("give {object} in a file{command}, or answer the query with `--facts FILE`")
                }
                None => "answer its query with `--facts FILE`; `-o json` shows the query".to_owned(),
            };
            group = group.element(Level::HELP.message(clean(&help)));
        }
        self.renderer.render(&[group]) + "\n"
    }
}

/// The command that writes the object of a query into a file; none for an object of another cluster than the
/// garden.
fn command_for(query: &str) -> Option<String> {
    let query: serde_json::Value = serde_json::from_str(query).ok()?;
    let text = |name| query.get("call")?.get("parameters")?.get(name)?.as_str();
    let (kind, name) = (text("kind")?, text("name")?);
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
    let namespace = text("namespace").filter(|namespace| !namespace.is_empty());
    // A name from a manifest becomes part of a command that people copy.
    if !text("apiVersion")?.contains("gardener.cloud") || ![kind, name].into_iter().chain(namespace).all(is_plain)
    {
        return None;
    }
    let namespace = namespace.map(|namespace| format!(" -n {namespace}")).unwrap_or_default();
    Some(format!("kubectl get {}{namespace} {name} -o yaml > {name}.yaml", kind.to_ascii_lowercase()))
}

/// The object that a query asks the cluster for, such as the CloudProfile that a Shoot names.
fn object_of(query: &str) -> Option<String> {
    let query: serde_json::Value = serde_json::from_str(query).ok()?;
    let call = query.get("call")?;
    let is_object = call.get("service")? == "kubernetes" && call.get("action")? == "get";
    let text = |name| call.get("parameters")?.get(name)?.as_str();
    let namespace = text("namespace").filter(|namespace| !namespace.is_empty());
    let namespace = namespace.map(|namespace| format!("{namespace}/")).unwrap_or_default();
    is_object.then_some(format!("{} {namespace}{}", text("kind")?, text("name")?))
}

/// The remedy, the values to choose from, and the fix where one is certain.
fn helps(finding: &Finding) -> Vec<String> {
    let mut helps = Vec::new();
    if !finding.remedy.is_empty() {
        helps.push(finding.remedy.clone());
    }
    helps.extend(nearest(finding));
    helps.extend(finding.fix.iter().flatten().map(suggestion));
    helps
}

fn suggestion(PatchOperation { op, from, path, value }: &PatchOperation) -> String {
    let value = value.as_ref().map(|value| shortened(value.get(), MAX_VALUE));
    if let ("move", Some(from)) = (op.as_str(), from) {
        let key = path.rsplit('/').next().unwrap_or(path).replace("~1", "/").replace("~0", "~");
        return format!("rename `{from}` to `{key}`");
    }
    match (op.as_str(), value) {
        ("remove", _) => format!("remove `{path}`"),
        ("add", Some(value)) => match path.strip_suffix("/-") {
            Some(list) => format!("append `{value}` to `{list}`"),
            None => format!("add `{path}` with the value `{value}`"),
        },
        ("replace", Some(value)) => format!("set `{path}` to `{value}`"),
        (other, _) => format!("{other} `{path}`"),
    }
}

/// Text from outside, on one line, and with codes in the place of characters that nobody sees.
pub(crate) fn clean(text: &str) -> String {
    normalize_untrusted_str(&visible(&text.replace(['\n', '\t'], " ")))
}

/// `--> file:line:column` and, unless it must stay hidden, the line with what is wrong underlined.
fn locate<'a>(group: Group<'a>, input: &'a Source, span: Span, is_hidden: bool) -> Group<'a> {
    let place = input.position(span.start);
    let line = input.line(place.line);
    let text = input.slice(line);
    if is_hidden || text.trim().is_empty() || text.len() > MAX_LINE {
        return group.element(Origin::path(clean(input.name())).line(place.line).char_column(place.column));
    }
    let mark = span.start.saturating_sub(line.start)..span.end.saturating_sub(line.start).min(text.len());
    let snippet = Snippet::source(text).path(clean(input.name())).line_start(place.line);
    group.element(snippet.annotation(AnnotationKind::Primary.span(mark)))
}
