//! Versions that appear and expire: classification, expiration date and lifecycle (GDN-CPR-016 to 024, 061).

use super::gates::Gates;
use crate::collections::NameMap;
use crate::document::{Path, Value};
use crate::kube::semver::SemVer;
use crate::kube::time::Time;
use crate::policy::{Request, RequestError};
use crate::provider::gardener::fields::{items, supported, text};
use crate::provider::gardener::garden::Garden;
use crate::provider::gardener::profile::{NO_TIME, Stage, is_dated};
use crate::provider::gardener::rules::cloud_profile as rules;
use crate::provider::gardener::structure::nearest::{by_likeness, offer};
use crate::report::{ErrorType, Report, Rule};
use crate::text::join;

const CLASSIFICATIONS: [&str; 4] = ["deprecated", "expired", "preview", "supported"];
/// The stages in the order of a version's life. Gardener takes an unknown one for the first.
const STAGES: [&str; 5] = ["unavailable", "preview", "supported", "deprecated", "expired"];
const SUPPORTED: &str = "supported";

/// The rules on versions that appear and expire.
#[derive(Clone, Copy, Debug)]
pub struct Expirable {
    /// The time of the request.
    pub now: Option<Time>,
    has_lifecycles: bool,
    /// Whether only a version with the field `classification` is tested for others that are supported.
    tests_classified: bool,
}

impl Expirable {
    /// The rules of the garden of a request.
    pub fn of(request: &Request<'_>) -> Result<Self, RequestError> {
        let gates = Gates::of(request);
        Ok(Self {
            now: request.now()?,
            has_lifecycles: gates.has_lifecycles,
            tests_classified: Garden::of(request).is_from(149),
        })
    }

    /// Judges one version.
    pub fn judge(&self, version: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
        let (stages, all) = (items(version, &["lifecycle"]), path.key("lifecycle"));
        if !stages.is_empty() && !self.has_lifecycles {
            let detail = "lifecycles are not allowed with disabled VersionClassificationLifecycle feature gate";
            report.error(&rules::GDN_CPR_016, &all, ErrorType::Forbidden, detail);
            return;
        }
        let classification = version.get("classification").and_then(Value::as_str);
        if let Some(classification) = classification {
            let place = path.key("classification");
            known(&rules::GDN_CPR_017, classification, &place, report);
            if stages.is_empty() && classification == "expired" {
                let detail = "cannot specify `classification` expired";
                report.error(&rules::GDN_CPR_018, &place, ErrorType::Forbidden, detail);
            }
        }
        if !stages.is_empty() && (classification.is_some() || version.get("expirationDate").is_some()) {
            let detail = "cannot specify `classification` or `expirationDate` in combination with `lifecycle`";
            report.error(&rules::GDN_CPR_019, path, ErrorType::Forbidden, detail);
        }
        cycle(stages, &all, report);
    }

    /// Judges whether no other version of the same major and minor version is supported in addition to one that is.
    pub fn overlap(&self, all: &Supported<'_>, index: usize, path: &Path<'_>, report: &mut Report<'_>) {
        let Some((own, version)) = all.0.get(index) else { return };
        let has_lifecycle = own.stages.is_some();
        let is_tested = version.get("classification").is_some() || !self.tests_classified && has_lifecycle;
        if !is_tested {
            return;
        }
        let stage = Stage::of(version, self.now);
        let is_open = self.now.is_none() && is_dated(version);
        if stage != Stage::Active(SUPPORTED) && !is_open {
            return;
        }
        if !all.0.iter().any(|(other, _)| own.is_sibling_of(other) && own.overlaps(other)) {
            return;
        }
        if is_open {
            report.undecided(&rules::GDN_CPR_024, NO_TIME, None);
            return;
        }
        let detail = join(
            &[
                "unable to add version \"",
                text(version, &["version"]),
                "\" with classification \"supported\". \"supported\" lifecycle stages must not overlap per minor version",
            ],
            "",
        );
        report.error(&rules::GDN_CPR_024, path, ErrorType::Forbidden, detail);
    }

    /// Judges whether versions that the old object offered become unavailable.
    pub fn withdrawn(&self, olds: &[Value<'_>], news: &[Value<'_>], path: &Path<'_>, report: &mut Report<'_>) {
        let olds: NameMap<'_, &Value<'_>> = olds.iter().map(|old| (text(old, &["version"]), old)).collect();
        for (index, new) in news.iter().enumerate() {
            let Some(old) = olds.get(text(new, &["version"])) else { continue };
            if self.now.is_none() && (is_dated(new) || is_dated(old)) {
                report.undecided(&rules::GDN_CPR_061, NO_TIME, None);
                return;
            }
            let is_unavailable = |version| Stage::of(version, self.now) == Stage::Unavailable;
            if is_unavailable(new) && !is_unavailable(old) {
                let detail =
                    "a version cannot be turned unavailable if it was already moved into a later lifecycle stage";
                report.error(&rules::GDN_CPR_061, &path.index(index), ErrorType::Forbidden, detail);
            }
        }
    }
}

/// Judges the stages of a lifecycle.
fn cycle(stages: &[Value<'_>], path: &Path<'_>, report: &mut Report<'_>) {
    let mut seen: Vec<&str> = Vec::with_capacity(stages.len());
    let mut last_start = None;
    for (index, stage) in stages.iter().enumerate() {
        let (classification, entry) = (text(stage, &["classification"]), path.index(index));
        let place = entry.key("classification");
        known(&rules::GDN_CPR_020, classification, &place, report);
        if seen.contains(&classification) {
            report.error(&rules::GDN_CPR_021, &place, ErrorType::Duplicate, "");
        }
        if let Some(last) = seen.last().filter(|last| rank(classification) < rank(last)) {
            let detail = join(
                &[
                    "lifecycle classifications not in expected order (preview, supported, deprecated, expired): ",
                    classification,
                    " must be before ",
                    last,
                ],
                "",
            );
            report.error(&rules::GDN_CPR_022, &place, ErrorType::Invalid, detail);
        }
        seen.push(classification);
        let start = stage.get("startTime").and_then(Value::as_str).and_then(Time::parse);
        match (start, last_start) {
            (None, _) if index > 0 => {
                let detail = "only the leading lifecycle elements can have the start time optional";
                report.error(&rules::GDN_CPR_023, &entry, ErrorType::Required, detail);
            }
            (Some(start), Some(last)) if start < last => {
                let detail = "lifecycle start times must be monotonically increasing";
                report.error(&rules::GDN_CPR_023, &entry, ErrorType::Invalid, detail);
            }
            _ => {}
        }
        last_start = start.or(last_start);
    }
}

/// Judges a classification.
fn known(rule: &'static Rule, classification: &str, path: &Path<'_>, report: &mut Report<'_>) {
    if !CLASSIFICATIONS.contains(&classification) {
        let detail = supported(CLASSIFICATIONS.into_iter());
        let entry = report.error(rule, path, ErrorType::NotSupported, detail);
        offer(entry, classification, &CLASSIFICATIONS, by_likeness);
    }
}

fn rank(stage: &str) -> usize {
    STAGES.iter().position(|known| *known == stage).unwrap_or_default()
}

/// When each version of a list is supported.
pub struct Supported<'v>(Vec<(Support<'v>, &'v Value<'v>)>);

impl<'v> Supported<'v> {
    /// Reads the versions once, because each is compared with all others.
    pub fn of(versions: &'v [Value<'v>]) -> Self {
        Self(versions.iter().map(|version| (Support::of(version), version)).collect())
    }
}

/// When a version is supported.
struct Support<'v> {
    /// The number; none where it cannot be read.
    number: Option<SemVer<'v>>,
    /// Whether the version is supported at some time.
    is_supported: bool,
    /// The start of the supported stage and of the stage that follows it, where the version has a lifecycle.
    stages: Option<[Option<Time>; 2]>,
}

impl<'v> Support<'v> {
    fn of(version: &'v Value<'v>) -> Self {
        let stages = items(version, &["lifecycle"]);
        let is_supported = |of: &Value<'_>| text(of, &["classification"]) == SUPPORTED;
        let is_later = |of: &&Value<'_>| rank(text(of, &["classification"])) > rank(SUPPORTED);
        let start = |stage: &Value<'_>| Time::parse(text(stage, &["startTime"]));
        let supported = stages.iter().find(|stage| is_supported(stage));
        Self {
            number: SemVer::parse(text(version, &["version"])),
            is_supported: is_supported(version) || supported.is_some(),
            stages: (!stages.is_empty())
                .then(|| [supported.and_then(start), stages.iter().find(is_later).and_then(start)]),
        }
    }

    /// Whether another version has the same major and minor version.
    fn is_sibling_of(&self, other: &Self) -> bool {
        let (Some(own), Some(other)) = (&self.number, &other.number) else { return false };
        own != other && (own.major(), own.minor()) == (other.major(), other.minor())
    }

    /// Whether another version is supported at some time at which this one is.
    fn overlaps(&self, other: &Self) -> bool {
        let (Some([start, end]), Some([other_start, other_end])) = (self.stages, other.stages) else {
            return other.is_supported;
        };
        self.is_supported
            && other.is_supported
            && match (end, other_end) {
                (None, None) => true,
                (None, Some(end)) => start.is_none_or(|start| start < end),
                (Some(end), None) => other_start.is_none_or(|start| start < end),
                (Some(_), Some(_)) => false,
            }
    }
}
