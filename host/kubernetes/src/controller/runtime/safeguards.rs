//! What an operator or a person holds back, and how to go on.

use std::fmt;

use crate::controller::runtime::cluster::Cluster;
use crate::controller::runtime::extension::Extension;
use crate::controller::runtime::kind::Kind;
use trellis_runner::plan::guard::{Guard, PlanHold};

/// The annotation of an object, or of its Shoot, that pauses it: nothing is done with the object.
pub const PAUSE: &str = "trellis.gardener.cloud/pause";
/// The annotation of an object, or of its Shoot, with the number of resources that a reconcile may delete or
/// replace.
pub const MOST_DESTRUCTIVE: &str = "trellis.gardener.cloud/max-destructive-changes";

/// The annotation by which a person lets a run take over or delete what has the tag of its Shoot, with nothing
/// recorded.
pub const ADOPT: &str = "infrastructure.trellis.gardener.cloud/adopt";
/// The annotation by which a person lets a run give up the record of a network of which the cloud shows nothing.
pub const FORGET: &str = "infrastructure.trellis.gardener.cloud/forget";

/// What the operator of a process holds back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Safeguards {
    /// Plans are made and reported, and none is carried out.
    pub read_only: bool,
    /// The most resources that a reconcile may delete or replace.
    pub most_destructive: Option<usize>,
}

/// Why nothing is done with an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hold {
    /// An annotation pauses it.
    Paused {
        /// Whose annotation: `Infrastructure` or `Shoot`.
        of: &'static str,
    },
    /// An annotation has a value that nobody can read.
    Unreadable {
        /// The annotation.
        key: &'static str,
        /// What to write.
        wanted: &'static str,
    },
    /// A run held a plan back.
    Plan(PlanHold),
    /// The process only reads, and the operation is more than a plan.
    ReadOnly,
}

/// What pauses an object, if anything does. A value that nobody can read holds the object back too: somebody meant
/// something by it.
pub fn paused(object: &Extension, kind: &'static Kind, cluster: Option<&Cluster>) -> Option<Hold> {
    let of_shoot = |key: &str| cluster.and_then(|cluster| cluster.annotation(key));
    for (of, value) in [(kind.name, object.annotation(PAUSE)), ("Shoot", of_shoot(PAUSE))] {
        match value {
            Some("true") => return Some(Hold::Paused { of }),
            None | Some("false") => {}
            Some(_) => return Some(Hold::Unreadable { key: PAUSE, wanted: "`true` or `false`" }),
        }
    }
    let is_number = |text: &str| text.parse::<usize>().is_ok();
    let most = [object.annotation(MOST_DESTRUCTIVE), of_shoot(MOST_DESTRUCTIVE)];
    let is_readable = most.into_iter().flatten().all(is_number);
    (!is_readable).then_some(Hold::Unreadable { key: MOST_DESTRUCTIVE, wanted: "a whole number, such as `4`" })
}

impl Safeguards {
    /// What a run may carry out. A deletion is exempt from the cap, because somebody asked for it; not where it
    /// destroys what must outlive mistakes.
    pub fn guard(self, object: &Extension, kind: &Kind, cluster: Option<&Cluster>) -> Guard {
        if self.read_only {
            return Guard::ReadOnly;
        }
        if object.is_deleted() && !kind.rules.caps_deletion {
            return Guard::Open;
        }
        let of_shoot = cluster.and_then(|cluster| cluster.annotation(MOST_DESTRUCTIVE));
        let annotated = object.annotation(MOST_DESTRUCTIVE).or(of_shoot);
        let most = annotated.and_then(|text| text.parse().ok()).or(self.most_destructive);
        most.map_or(Guard::Open, Guard::Destructive)
    }
}

impl Hold {
    /// Why, as a label of a metric.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Paused { .. } => "paused",
            Self::Unreadable { .. } => "unreadable",
            Self::ReadOnly | Self::Plan(PlanHold::ReadOnly { .. }) => "readOnly",
            Self::Plan(PlanHold::Destructive { .. }) => "destructive",
        }
    }
}

/// What is held back, and how to go on.
impl fmt::Display for Hold {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Paused { of } => write!(
                out,
                "held back: the annotation `{PAUSE}` of the {of} pauses it; remove the annotation, and it goes on"
            ),
            Self::Unreadable { key, wanted } => write!(
                out,
                "held back: the annotation `{key}` of the object, or of its Shoot, must be {wanted}; correct it or remove it, and it goes on"
            ),
            Self::ReadOnly => out.write_str(
                "held back: this extension runs with --read-only and changes nothing; to go on, start it without --read-only",
            ),
            Self::Plan(PlanHold::ReadOnly { changes }) => write!(
                out,
                "held back: this extension runs with --read-only, and the plan has {changes} change{}, which the log and the \
                 events of this object list; to go on, start the extension without --read-only",
                if *changes == 1 { "" } else { "s" }
            ),
            Self::Plan(PlanHold::Destructive { resources, most }) => {
                let count = resources.len();
                write!(
                    out,
                    "held back: the plan deletes or replaces {count} resource{} ({}), and a run may do so with {most}; to go \
                     on, annotate the object, or its Shoot where it has one, with {MOST_DESTRUCTIVE}={count}, or undo the edit \
                     where it is one",
                    if count == 1 { "" } else { "s" },
                    resources.join(", ")
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::controller::runtime::kind::{BACKUP_BUCKET, BASTION, DNS_RECORD, INFRASTRUCTURE};

    fn extension(annotations: &serde_json::Value, deleted: bool) -> Extension {
        let mut object = json!({ "metadata": { "name": "a", "annotations": annotations } });
        if deleted {
            object["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        }
        serde_json::from_value(object).unwrap()
    }

    fn cluster(annotations: &serde_json::Value) -> Cluster {
        let shoot = json!({ "metadata": { "annotations": annotations } });
        serde_json::from_value(json!({ "metadata": { "name": "s" }, "spec": { "shoot": shoot } })).unwrap()
    }

    #[test]
    fn an_annotation_of_the_object_counts_more_than_that_of_the_shoot_and_both_more_than_the_flag() {
        let safeguards = Safeguards { read_only: false, most_destructive: Some(1) };
        let most = |text: &str| json!({ MOST_DESTRUCTIVE: text });
        for (object, shoot, guard) in [
            (json!({}), json!({}), Guard::Destructive(1)),
            (json!({}), most("3"), Guard::Destructive(3)),
            (most("0"), most("3"), Guard::Destructive(0)),
        ] {
            let shoot = cluster(&shoot);
            assert_eq!(safeguards.guard(&extension(&object, false), &INFRASTRUCTURE, Some(&shoot)), guard);
        }
        let object = extension(&json!({}), false);
        assert_eq!(Safeguards::default().guard(&object, &INFRASTRUCTURE, None), Guard::Open);
    }

    #[test]
    fn a_deletion_is_exempt_from_the_cap_and_not_from_read_only() {
        let deleted = extension(&json!({}), true);
        let safeguards = Safeguards { read_only: false, most_destructive: Some(0) };
        let read_only = Safeguards { read_only: true, ..safeguards };
        for kind in [&INFRASTRUCTURE, &BASTION, &DNS_RECORD, &BACKUP_BUCKET] {
            let guard = if kind.rules.caps_deletion { Guard::Destructive(0) } else { Guard::Open };
            assert_eq!(safeguards.guard(&deleted, kind, None), guard, "{}", kind.name);
            assert_eq!(read_only.guard(&deleted, kind, None), Guard::ReadOnly, "{}", kind.name);
        }
        let released = extension(&json!({ MOST_DESTRUCTIVE: "1" }), true);
        assert_eq!(safeguards.guard(&released, &BACKUP_BUCKET, None), Guard::Destructive(1));
    }

    #[test]
    fn an_object_without_a_cluster_is_paused_by_its_own_annotations() {
        for (annotations, hold) in [
            (json!({}), None),
            (json!({ PAUSE: "true" }), Some(Hold::Paused { of: "BackupBucket" })),
            (
                json!({ MOST_DESTRUCTIVE: "some" }),
                Some(Hold::Unreadable { key: MOST_DESTRUCTIVE, wanted: "a whole number, such as `4`" }),
            ),
        ] {
            assert_eq!(paused(&extension(&annotations, false), &BACKUP_BUCKET, None), hold);
        }
    }

    #[test]
    fn the_object_or_its_shoot_pauses_it() {
        let pause = json!({ PAUSE: "true" });
        let none = json!({ PAUSE: "false" });
        let of = |object: &serde_json::Value, shoot: &serde_json::Value| {
            paused(&extension(object, false), &INFRASTRUCTURE, Some(&cluster(shoot)))
        };
        assert_eq!(of(&pause, &pause), Some(Hold::Paused { of: "Infrastructure" }));
        assert_eq!(of(&none, &pause), Some(Hold::Paused { of: "Shoot" }));
        assert_eq!(of(&none, &none), None);
        let unreadable = |key: &str, text: &str| json!({ key: text });
        for value in
            [unreadable(PAUSE, "yes"), unreadable(MOST_DESTRUCTIVE, "-5"), unreadable(MOST_DESTRUCTIVE, "")]
        {
            for hold in [of(&value, &none), of(&none, &value)] {
                assert!(matches!(hold, Some(Hold::Unreadable { .. })), "{value}: {hold:?}");
            }
        }
    }
}
