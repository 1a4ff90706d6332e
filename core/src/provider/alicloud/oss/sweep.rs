//! The deletion of objects by prefix, a page at a time, across plans and runs.
//!
//! A first pass deletes every page. A second one begins at the first object again, and nothing is gone before it finds
//! nothing. What it finds is under retention, or was written meanwhile: what is under retention gets a mark, by which a
//! rule of the bucket deletes it once its time is over.

use super::bucket::{Answer, Bucket};
use super::lifecycle::{mark, put_rules, rules, with_marks};
use super::listing::{Object, Part, objects};
use super::retention::{Retention, retention};
use crate::call::Argument;
use crate::gardener::planning::facts::Facts;
use crate::gardener::planning::steps::step;
use crate::plan::recorded_value;
use crate::policy::{Afterwards, Effects, Plan, State, Step};

/// Key of the state that has the last object of the pages that were done.
pub const MARKER: &str = "Objects/marker";
/// Key of the state that has the number of the pass, unless it is the first one.
pub const PASS: &str = "Objects/pass";
/// Key of the state that has how many objects got a mark, and when the last of them was written.
pub const LEFT: &str = "Objects/left";

/// The pass that looks for what is left.
const SECOND: &str = "2";
/// What the state has for a pass once every object that is left has its mark.
const MARKED: &str = "3";

/// Most objects that are named to a person.
const MOST_NAMED: usize = 5;

/// Ends of ids of steps.
const AGAIN: &str = "/empty-again";
const MARKS: &str = "/mark-";

/// Which objects are deleted.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The bucket.
    pub bucket: Bucket<'a>,
    /// Beginning of their keys; empty for all objects of the bucket.
    pub prefix: &'a str,
    /// The account that they must be of; empty where that does not matter.
    pub account: &'a str,
}

/// How far the deletion is.
#[derive(Debug, Default)]
pub struct Sweep {
    /// Whether the bucket does not exist.
    pub is_gone: bool,
    /// The objects of the page that is next; none where nothing is left.
    pub objects: Vec<Object>,
    /// Where the page after it begins.
    next: Option<String>,
    /// The number of the pass, as the state has it.
    pass: &'static str,
    /// The retention that keeps the objects.
    pub retention: Option<Retention>,
    /// The rules of the bucket with ours about objects with the mark, where it lacks that one.
    with_rule: Option<Vec<Argument>>,
    /// How many objects have a mark, with those of this page, and when the last of them was written.
    left: (usize, String),
}

/// Finds out how far a deletion is; `None` where nobody knows.
pub fn observe(place: &Place<'_>, recorded: &State, facts: &mut Facts<'_>) -> Option<Sweep> {
    let of_state = |key| recorded_value(recorded, key).unwrap_or_default();
    let marker = of_state(MARKER);
    let pass = if of_state(PASS).is_empty() {
        ""
    } else if of_state(PASS) == MARKED {
        MARKED
    } else {
        SECOND
    };
    let mut place_of_page = (pass, marker);
    let mut part = objects(&place.bucket, (place.prefix, marker), place.account, facts);
    if matches!(&part, Answer::Found(page) if page.entries.is_empty()) && !marker.is_empty() {
        // What was left of the pass is gone.
        place_of_page = (if pass.is_empty() { SECOND } else { MARKED }, "");
        part = objects(&place.bucket, (place.prefix, ""), place.account, facts);
    }
    let Part { entries, next } = match part {
        Answer::Unknown => return None,
        Answer::Nothing => return Some(Sweep { is_gone: true, ..Sweep::default() }),
        Answer::Found(page) => page,
    };
    let (pass, marker) = place_of_page;
    let mut sweep = Sweep { objects: entries, next, pass, ..Sweep::default() };
    // Of what has its mark, the first of several pages does not show all: the state has the number.
    let shows_all = pass != MARKED || sweep.next.is_none();
    let before = if marker.is_empty() && shows_all { "" } else { of_state(LEFT) };
    let (count, latest) = before.split_once(' ').unwrap_or_default();
    let page = if shows_all { sweep.objects.as_slice() } else { &[] };
    let written = page.iter().map(|object| object.modified.as_str());
    sweep.left = (
        count.parse().unwrap_or(0_usize) + page.len(),
        written.chain([latest]).max().unwrap_or_default().to_owned(),
    );
    if sweep.objects.is_empty() || pass.is_empty() {
        return Some(sweep);
    }
    let found = match retention(&place.bucket, facts) {
        Answer::Unknown => return None,
        Answer::Nothing => None,
        Answer::Found(retention) => Some(retention).filter(Retention::holds),
    };
    if found.is_some() {
        sweep.with_rule = with_marks(&rules(&place.bucket, facts)?);
    }
    // Of what has its mark something went, or something new came, or nothing keeps it, or no rule deletes it: all
    // begins once more.
    let is_as_marked = || sweep.with_rule.is_none() && sweep.left_text() == of_state(LEFT);
    if pass == MARKED && !(found.is_some() && is_as_marked()) {
        sweep.pass = "";
        return Some(sweep);
    }
    sweep.retention = found;
    Some(sweep)
}

impl Sweep {
    /// Whether all that is left has its mark, and nothing more can be done.
    pub fn is_marked(&self) -> bool {
        self.pass == MARKED && self.retention.is_some()
    }

    /// Whether this page is the last one to get marks.
    pub fn ends_marks(&self) -> bool {
        self.retention.is_some() && self.next.is_none()
    }

    /// How many objects there are from this page on, for people.
    pub fn count(&self) -> String {
        let more = if self.next.is_some() { "at least " } else { "" };
        format!("{more}{}", self.objects.len())
    }

    /// What is left, and until when, where a retention keeps it.
    pub fn kept(&self) -> Option<String> {
        let retention = self.retention.as_ref()?;
        let (count, latest) = &self.left;
        let mut named: Vec<&str> =
            self.objects.iter().map(|object| object.key.as_str()).take(MOST_NAMED).collect();
        if *count > named.len() {
            named.push("…");
        }
        let (until, named) = (retention.until(latest), named.join(", "));
        Some(format!("objects under retention: {count}, the last one until {until}: {named}"))
    }

    fn left_text(&self) -> String {
        format!("{} {}", self.left.0, self.left.1)
    }

    /// The steps that do the page.
    pub fn steps(&self, place: &Place<'_>, id: &str) -> Vec<Step> {
        let mut steps = match self.retention {
            Some(_) => self.marks(place, id),
            None => vec![self.removal(place, id)],
        };
        let ended = if self.retention.is_some() { MARKED } else { SECOND };
        let pass = if self.next.is_some() { self.pass } else { ended };
        let mut conclude = Effects::from_iter([
            (MARKER, self.next.clone()),
            (PASS, Some(pass.to_owned()).filter(|pass| !pass.is_empty())),
            (LEFT, self.retention.as_ref().map(|_| self.left_text())),
        ]);
        if let Some(last) = steps.last_mut() {
            std::mem::swap(&mut last.conclude, &mut conclude);
        }
        steps
    }

    fn removal(&self, place: &Place<'_>, id: &str) -> Step {
        let object = |object: &Object| Argument::data([("Key", object.key.as_str().into())]);
        let all = Argument::List(self.objects.iter().map(object).collect());
        let call = place.bucket.call_with("DeleteMultipleObjects", "Object", all);
        // A cloud may show for a while what is gone: the host counts how often it looks.
        let verb = if self.pass.is_empty() { "/empty" } else { AGAIN };
        step(id, &verb[1..], call)
    }

    /// The rule comes before the marks, so that no object has a mark that nothing acts on.
    fn marks(&self, place: &Place<'_>, id: &str) -> Vec<Step> {
        let rule = self.with_rule.as_ref().map(|all| step(id, "rule", put_rules(&place.bucket, all.clone())));
        let mark = |(index, object): (usize, &Object)| {
            let tags = Argument::data([("Tag", Argument::List(vec![mark()]))]);
            let body = Argument::data([("TagSet", tags)]);
            let parameters = [("key", object.key.as_str().into()), ("body", (&body).into())];
            step(id, &format!("{}{index}", &MARKS[1..]), place.bucket.call("PutObjectTagging", &parameters))
        };
        rule.into_iter().chain(self.objects.iter().enumerate().map(mark)).collect()
    }
}

/// Lets a plan do side by side what needs no order, and lets the host count plans that delete what should be gone.
pub fn finish(plan: &mut Plan) {
    if plan.steps.iter().any(|step| step.id.ends_with(AGAIN)) && plan.afterwards == Some(Afterwards::More) {
        plan.afterwards = None;
    }
    let mut marks: Vec<&mut Step> = plan.steps.iter_mut().filter(|step| step.id.contains(MARKS)).collect();
    let Some((last, others)) = marks.split_last_mut() else { return };
    let Some(first) = others.first().map(|first| first.after.clone()) else { return };
    for mark in others.iter_mut() {
        mark.after.clone_from(&first);
    }
    // It concludes the page.
    last.after = others.iter().map(|mark| mark.id.clone()).collect();
}
