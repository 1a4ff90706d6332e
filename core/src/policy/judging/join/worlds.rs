//! What follows from a finding, and what stands behind it: policies judge the object with the change that the
//! finding assumes.

use std::borrow::Cow;
use std::cell::Cell;

use super::{JoinRequest, Sourced};
use crate::collections::NameMap;
use crate::document::{Value, segments};
use crate::policy::RequestError;
use crate::policy::member::known_members;

/// Most findings between one and the last one that it follows from.
const MOST_CAUSES: usize = 4;

/// What the policies said of the object with the changes that some findings assume.
#[derive(Debug)]
pub struct World<'r> {
    /// These findings, by rule and pointer.
    assumes: &'r [Value<'r>],
    /// What the policies said.
    pub said: JoinRequest<'r>,
}

impl<'r> World<'r> {
    pub fn read(value: &'r Value<'r>) -> Result<Self, RequestError> {
        known_members(value, "a world", &["assumes", "opinions"])?;
        let assumes = value.get("assumes").map(Value::items).unwrap_or_default();
        Ok(Self { assumes, said: JoinRequest::of(value.get("opinions"))? })
    }

    fn assumes(&self, finding: &Sourced<'_>) -> bool {
        let is_same = |cause: &Value<'_>| {
            ["rule", "pointer"].iter().all(|key| cause.get(key).and_then(Value::as_str) == Some(finding.text(key)))
        };
        self.assumes.iter().any(is_same)
    }
}

impl<'r> World<'r> {
    /// What the policies said, with its places in the text that the person wrote, where keys have the names that
    /// they have there.
    #[inline(never)]
    fn said_of_text(&self, findings: &[Sourced<'_>]) -> Vec<Sourced<'r>> {
        let mut said = self.said.said().0;
        // What is renamed first is around what is renamed later, and the later one is reported with the names of
        // the text.
        for cause in findings.iter().filter(|finding| self.assumes(finding)) {
            let text = |key| cause.change().and_then(|change| change.get(key)).and_then(Value::as_str);
            let (Some(written), Some(renamed)) = (text("from"), text("path")) else { continue };
            for finding in said.iter_mut().filter(|finding| is_within(finding.text("pointer"), renamed)) {
                rename(finding.value.to_mut(), renamed, written);
            }
        }
        said
    }
}

/// Gives the pointers of a finding, and of the changes in it, another beginning.
fn rename(value: &mut Value<'_>, renamed: &str, written: &str) {
    let Value::Object(members) = value else { return };
    for (key, value) in members {
        match (key.as_ref(), value) {
            ("fix" | "assume", Value::Array(changes)) => {
                for change in changes {
                    rename(change, renamed, written);
                }
            }
            ("pointer" | "path" | "from", Value::String(pointer)) if is_within(pointer, renamed) => {
                *pointer = Cow::Owned([written, pointer.get(renamed.len()..).unwrap_or_default()].concat());
            }
            _ => {}
        }
    }
}

/// Whether a pointer leads to another, or below it.
fn is_within(pointer: &str, ancestor: &str) -> bool {
    let mut place = segments(pointer);
    segments(ancestor).all(|segment| place.next().as_ref() == Some(&segment))
}

/// How the existing extensions begin what they say of a range outside of another one.
const SUBSET: &str = "must be a subset of ";
/// How they begin what they say of a range that has addresses of another one of the Shoot.
const OVERLAP: &str = "must not overlap with \"networking.";
/// How they begin what they say of a range outside of the nodes.
const SUBSET_OF_NODES: &str = "must be a subset of \"networking.nodes\"";
/// Where the ranges are that Gardener itself compares.
const NETWORKING: &str = "/spec/networking/";
/// Where the range of the nodes is.
const NODES: &str = "/spec/networking/nodes";

/// Says of findings that are gone in a world that they follow from what the world assumes, and adds those that are
/// new there.
pub fn explain<'r>(findings: &mut Vec<Sourced<'r>>, worlds: &[World<'r>], trials: &[World<'r>]) {
    let mut before = findings.clone();
    let mut last: Option<&World<'_>> = None;
    for world in worlds {
        let after = world.said_of_text(findings);
        // What is only gone until more can be read follows from nothing.
        let at_last = worlds.last().map(|last| last.said_of_text(findings)).unwrap_or_default();
        let trials: Vec<(&World<'_>, Vec<Sourced<'_>>)> =
            trials.iter().map(|trial| (trial, trial.said_of_text(findings))).collect();
        let is_cause = |finding: &Sourced<'_>| world.assumes(finding);
        // Where a change shows the next value that nobody can read, what is gone is only not said any more.
        let known = findings.clone();
        let reads_on = |said: &[Sourced<'_>]| said.iter().all(|one| one.change().is_none() || one.is_in(&known));
        // What is gone here and not in the world before follows from what this world assumes besides.
        let is_new = |finding: &&Sourced<'_>| is_cause(finding) && !last.is_some_and(|last| last.assumes(finding));
        let all: Vec<Sourced<'_>> = findings.iter().filter(|finding| is_cause(finding)).cloned().collect();
        let causes: Vec<Sourced<'_>> = all.iter().filter(is_new).cloned().collect();
        for finding in findings.iter_mut() {
            let is_gone = finding.is_in(&before) && !finding.is_in(&after) && !finding.is_in(&at_last);
            if !is_gone || is_cause(finding) || finding.value.get("causedBy").is_some() {
                continue;
            }
            let alone = trials
                .iter()
                .find(|(trial, said)| !trial.assumes(finding) && !finding.is_in(said) && reads_on(said));
            let cause = alone.and_then(|(trial, _)| causes.iter().find(|cause| trial.assumes(cause)));
            if let Some(cause) = cause.or_else(|| nearest(finding, &causes)) {
                finding.follows_from(cause);
            }
        }
        // A warning stands for what may be right, and a name only for some right one: what these would bring,
        // nobody knows.
        if causes.iter().any(Sourced::is_error) && !causes.iter().any(Sourced::is_guess) {
            let is_added = |finding: &&Sourced<'_>| {
                !finding.is_in(findings) && !all.iter().any(|cause| cause.removes(finding))
            };
            let mut new: Vec<Sourced<'_>> = after.iter().filter(is_added).cloned().map(Sourced::assumed).collect();
            // What follows from a finding that is not added follows from what that one stands for.
            for finding in &mut new {
                let hides = |cause: &&Sourced<'_>| {
                    after.iter().any(|other| finding.is_caused_by(other) && cause.removes(other))
                };
                if let Some(cause) = all.iter().find(hides) {
                    finding.follows_from(cause);
                }
            }
            findings.extend(new);
        }
        before = after;
        last = Some(world);
    }
}

/// The cause that changes what is nearest to a finding.
fn nearest<'c, 'r>(finding: &Sourced<'_>, causes: &'c [Sourced<'r>]) -> Option<&'c Sourced<'r>> {
    let shared = |cause: &Sourced<'_>| {
        let both = segments(cause.changes()).zip(segments(finding.text("pointer")));
        both.take_while(|(one, other)| one == other).count()
    };
    // Of several that are as near, the first.
    causes.iter().rev().max_by_key(|cause| shared(cause))
}

/// Says of errors about one value that all but the first follow from that: one of those that knows a right value,
/// if there is one. So it says of ranges outside of one other range, and of those that overlap with it, which most
/// likely is the one that moved.
pub fn fold(findings: &mut [Sourced<'_>]) {
    let open: Vec<Open<'_>> = findings.iter().enumerate().filter_map(|(at, one)| Open::of(at, one)).collect();
    // Only errors that may be about one mistake are compared: an object may have a thousand errors.
    let mut of_value: NameMap<'_, Vec<&Open<'_>>> = NameMap::new();
    let mut of_range: NameMap<'_, Vec<&Open<'_>>> = NameMap::new();
    // Without a rule, no finding can name the error as its cause.
    for one in open.iter().filter(|one| !one.rule.is_empty()) {
        of_value.or_insert_with(one.pointer, Vec::new).push(one);
        if [SUBSET, OVERLAP].iter().any(|words| one.detail.starts_with(words)) {
            of_range.or_insert_with(one.detail, Vec::new).push(one);
        }
    }
    // Where the nodes are outside of the network, one of both moved, and a range in the other one is outside of it.
    // Where a range is outside of the nodes, it is the nodes that moved: one outside of the network is a mistake of
    // its own.
    let moved_nodes =
        of_value.get(NODES).into_iter().flatten().find(|one| one.detail.starts_with(SUBSET)).copied();
    let is_outside_of_nodes = |one: &Open<'_>| one.detail.starts_with(SUBSET_OF_NODES);
    let is_any_outside_of_nodes = open.iter().any(is_outside_of_nodes);
    for one in &open {
        let is_between = |nodes: &&Open<'_>| {
            let ranges = of_value.get(one.pointer).into_iter().flatten();
            let is_outside_of_one = ranges.filter(|other| other.detail.starts_with(SUBSET)).count() == 1;
            let is_outside_of_network = one.detail == nodes.detail && !is_any_outside_of_nodes;
            one.at != nodes.at && is_outside_of_one && (is_outside_of_nodes(one) || is_outside_of_network)
        };
        let value = of_value.get(one.pointer).into_iter().flatten().filter(|other| other.rule != one.rule);
        let range = of_range.get(one.detail).into_iter().flatten();
        let range = range.filter(|other| other.rule == one.rule && other.pointer != one.pointer);
        let others = value.chain(range).filter(|other| other.cause.get().is_none());
        let before = others.clone().filter(|other| other.at < one.at).map(|other| other.at).min();
        let knowing = others.filter(|other| other.knows_right).map(|other| other.at).min();
        let moved = one.detail.strip_prefix(OVERLAP).and_then(|rest| rest.split_once('"'));
        let moved = moved.and_then(|(key, _)| of_value.get([NETWORKING, key].concat().as_str())?.first());
        let own = if one.knows_right { knowing.filter(|cause| *cause < one.at) } else { knowing.or(before) };
        let nodes = moved_nodes.filter(is_between);
        one.cause.set(nodes.or(moved.copied()).map(|other| other.at).or(own));
    }
    let causes: Vec<(usize, usize)> = open.iter().filter_map(|one| Some((one.at, one.cause.get()?))).collect();
    for (at, cause) in causes {
        let cause = findings.get(cause).cloned();
        if let (Some(finding), Some(cause)) = (findings.get_mut(at), cause) {
            finding.follows_from(&cause);
        }
    }
}

/// An error about a value that follows from no other finding so far.
struct Open<'f> {
    /// Its place in the list.
    at: usize,
    rule: &'f str,
    pointer: &'f str,
    detail: &'f str,
    /// Whether the error says a right value.
    knows_right: bool,
    /// The place of the error that this one follows from, once that is found.
    cause: Cell<Option<usize>>,
}

impl<'f> Open<'f> {
    fn of(at: usize, finding: &'f Sourced<'_>) -> Option<Self> {
        let has = |key| finding.value.get(key).is_some();
        // A wrong key is not about its value.
        let is_open =
            finding.is_error() && !has("causedBy") && !has("atKey") && finding.value.member("badValue").is_some();
        let [rule, pointer, detail] = ["rule", "pointer", "detail"].map(|key| finding.text(key));
        let knows_right = has("fix") || has("assume");
        is_open.then_some(Self { at, rule, pointer, detail, knows_right, cause: Cell::new(None) })
    }
}

/// Says of what follows from a finding that follows itself from another one that it follows from the latter.
pub fn root(findings: &mut [Sourced<'_>]) {
    // Causes of causes are few: the list is gone through once for each.
    for _ in 0..MOST_CAUSES {
        let known: Vec<Sourced<'_>> =
            findings.iter().filter(|finding| finding.value.get("causedBy").is_some()).cloned().collect();
        let mut is_changed = false;
        for finding in findings.iter_mut() {
            let further = known
                .iter()
                .find(|other| finding.is_caused_by(other))
                .and_then(|other| other.value.get("causedBy").cloned());
            if let Some(further) = further.filter(|further| finding.value.get("causedBy") != Some(further)) {
                finding.set("causedBy", further);
                is_changed = true;
            }
        }
        if !is_changed {
            return;
        }
    }
}

/// The pointer to the object or list around a place.
fn around(pointer: &str) -> Option<&str> {
    pointer.rsplit_once('/').map(|(parent, _)| parent)
}

impl<'r> Sourced<'r> {
    /// Whether the finding assumes one of several right values.
    fn is_guess(&self) -> bool {
        self.text("type") == "FieldValueNotSupported"
    }

    #[inline(never)]
    fn is_in(&self, findings: &[Sourced<'_>]) -> bool {
        findings.iter().any(|other| {
            self.source == other.source
                && ["rule", "pointer"].iter().all(|key| self.text(key) == other.text(key))
                && self.value.get("atKey").is_some() == other.value.get("atKey").is_some()
        })
    }

    /// The first change that the finding assumes.
    fn change(&self) -> Option<&Value<'_>> {
        self.value.get("assume").and_then(|changes| changes.items().first())
    }

    /// The place that the finding assumes to be changed.
    fn changes(&self) -> &str {
        self.change().and_then(|change| change.get("path")).and_then(Value::as_str).unwrap_or_default()
    }

    /// Whether the other finding may be there only because this one assumes nothing in its place: it stands there,
    /// at the object around, or says that a neighbouring value is missing. Nobody reports as missing what is there
    /// in a wrong form.
    fn removes(&self, other: &Sourced<'_>) -> bool {
        let Some(change) = self.change() else { return false };
        let is_text = |key, text| change.get(key).and_then(Value::as_str) == Some(text);
        let is_nothing = is_text("op", "replace") && matches!(change.get("value"), None | Some(Value::Null));
        let (own, place) = (self.changes(), other.text("pointer"));
        let is_around = around(own) == Some(place);
        let is_neighbour = around(own) == around(place) && other.text("type") == "FieldValueRequired";
        is_nothing && (is_within(place, own) || is_around || is_neighbour)
    }

    fn is_caused_by(&self, other: &Sourced<'_>) -> bool {
        let cause = |key| self.value.at(&["causedBy", key]).and_then(Value::as_str);
        ["rule", "pointer"].iter().all(|key| cause(key) == Some(other.text(key)))
    }

    fn follows_from(&mut self, cause: &Sourced<'_>) {
        let cause = ["rule", "pointer"].map(|key| (key, Value::string(cause.text(key).to_owned())));
        self.set("causedBy", Value::object(cause));
    }

    fn assumed(mut self) -> Self {
        self.set("assumed", Value::Bool(true));
        self
    }

    fn set(&mut self, key: &'static str, value: Value<'r>) {
        if let Value::Object(members) = self.value.to_mut() {
            members.retain(|(known, _)| known != key);
            members.push((Cow::Borrowed(key), value));
        }
    }
}
