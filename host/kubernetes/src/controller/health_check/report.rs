//! What the checks of a condition found, as the condition says it (reference: gardener-contract 6.1).

use std::fmt::Write as _;
use std::time::Duration;

/// The most bytes of a message.
const MOST_BYTES: usize = 4 << 10;

const SUCCESSFUL: &str = "HealthCheckSuccessful";

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// All is well.
    Healthy,
    /// Something is wrong, with Gardener's codes for it.
    Unhealthy(String, Vec<String>),
    /// Something is not well yet, and is expected to be so before long.
    Progressing {
        /// What it is.
        detail: String,
        /// After how long the check counts as failed.
        most: Duration,
    },
    /// The check could not be carried out.
    Unknown(String),
}

/// `status` of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All is well.
    True,
    /// Something is wrong.
    False,
    /// Something is not well yet.
    Progressing,
    /// Nobody knows.
    Unknown,
}

/// What a condition says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Its status.
    pub status: Status,
    /// Why it is so, as a code.
    pub reason: &'static str,
    /// The same for people.
    pub message: String,
    /// Gardener's codes, sorted.
    pub codes: Vec<String>,
}

impl Status {
    /// As objects have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Progressing => "Progressing",
            Self::Unknown => "Unknown",
        }
    }
}

impl Report {
    /// Of a Shoot that hibernates: nothing is checked.
    pub fn hibernated() -> Self {
        Self::new(Status::True, SUCCESSFUL, "Shoot is hibernated".to_owned())
    }

    /// Of what all checks of a condition found. `before` is the status that the condition had, and for how long.
    pub fn of(found: &[Found], before: Option<(&str, Duration)>) -> Self {
        let unknown = found.iter().filter(|found| matches!(found, Found::Unknown(_))).count();
        if unknown > 0 {
            let message = format!("failed to execute {unknown} health {}: {}", checks(unknown), details(found));
            return Self::new(Status::Unknown, "ConditionCheckError", message);
        }
        let mut codes = Vec::new();
        let mut most: Option<Duration> = None;
        let mut has_failed = false;
        for found in found {
            match found {
                Found::Unhealthy(_, more) => {
                    has_failed = true;
                    codes.extend(more.iter().cloned());
                }
                Found::Progressing { most: other, .. } => {
                    most = Some(most.map_or(*other, |most| most.min(*other)));
                }
                Found::Healthy | Found::Unknown(_) => {}
            }
        }
        codes.sort();
        codes.dedup();
        let (status, reason) = match most {
            None if !has_failed => {
                return Self::new(Status::True, SUCCESSFUL, "All health checks successful".to_owned());
            }
            Some(most) if !has_failed && is_in_time(before, most) => {
                (Status::Progressing, "HealthCheckProgressing")
            }
            _ => (Status::False, "HealthCheckUnsuccessful"),
        };
        Self { codes, ..Self::new(status, reason, details(found)) }
    }

    fn new(status: Status, reason: &'static str, mut message: String) -> Self {
        if message.len() > MOST_BYTES {
            message.truncate(message.floor_char_boundary(MOST_BYTES - '…'.len_utf8()));
            message.push('…');
        }
        Self { status, reason, message, codes: Vec::new() }
    }
}

/// Whether a condition may still be `Progressing`.
fn is_in_time(before: Option<(&str, Duration)>, most: Duration) -> bool {
    match before {
        None | Some(("True", _)) => true,
        Some(("False", _)) => false,
        Some((_, lasted)) => lasted <= most,
    }
}

/// What is not well, in the words and the order of Gardener.
fn details(found: &[Found]) -> String {
    let group = |of: fn(&Found) -> Option<&str>| found.iter().filter_map(of).collect::<Vec<_>>();
    let unknown = group(|found| if let Found::Unknown(why) = found { Some(why) } else { None });
    let failed = group(|found| if let Found::Unhealthy(why, _) = found { Some(why) } else { None });
    let progressing =
        group(|found| if let Found::Progressing { detail, .. } = found { Some(detail) } else { None });
    let groups = [("Unable to execute", unknown), ("Failed", failed), ("Progressing", progressing)];
    let are_several = groups.iter().filter(|(_, details)| !details.is_empty()).count() > 1;
    let mut text = String::new();
    for (name, details) in groups.iter().filter(|(_, details)| !details.is_empty()) {
        // A string takes all.
        if are_several {
            let _ = write!(text, "{name} {}: ", checks(details.len()));
        }
        for (at, detail) in details.iter().enumerate() {
            let number = if details.len() == 1 { String::new() } else { format!("{}) ", at + 1) };
            let dot = if detail.ends_with('.') { "" } else { "." };
            let _ = write!(text, "{number}{detail}{dot} ");
        }
    }
    text.pop();
    text
}

fn checks(count: usize) -> &'static str {
    if count > 1 { "checks" } else { "check" }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_mins(1);

    fn failed(detail: &str) -> Found {
        Found::Unhealthy(detail.to_owned(), Vec::new())
    }

    fn unknown(why: &str) -> Found {
        Found::Unknown(why.to_owned())
    }

    fn progressing(detail: &str, minutes: u32) -> Found {
        Found::Progressing { detail: detail.to_owned(), most: minutes * MINUTE }
    }

    #[test]
    fn each_result_has_its_status_its_reason_and_its_words() {
        for (found, status, reason, message) in [
            (vec![], "True", "HealthCheckSuccessful", "All health checks successful"),
            (vec![Found::Healthy; 2], "True", "HealthCheckSuccessful", "All health checks successful"),
            (vec![Found::Healthy, failed("a")], "False", "HealthCheckUnsuccessful", "a."),
            (vec![failed("a."), failed("b")], "False", "HealthCheckUnsuccessful", "1) a. 2) b."),
            (
                vec![progressing("p", 1), failed("a"), failed("b")],
                "False",
                "HealthCheckUnsuccessful",
                "Failed checks: 1) a. 2) b. Progressing check: p.",
            ),
            (vec![progressing("p", 1)], "Progressing", "HealthCheckProgressing", "p."),
            (
                vec![progressing("p", 1), progressing("q", 2)],
                "Progressing",
                "HealthCheckProgressing",
                "1) p. 2) q.",
            ),
            (
                vec![unknown("u"), Found::Healthy],
                "Unknown",
                "ConditionCheckError",
                "failed to execute 1 health check: u.",
            ),
            (
                vec![unknown("u"), unknown("v")],
                "Unknown",
                "ConditionCheckError",
                "failed to execute 2 health checks: 1) u. 2) v.",
            ),
            (
                vec![failed("a"), progressing("p", 1), unknown("u"), unknown("v")],
                "Unknown",
                "ConditionCheckError",
                "failed to execute 2 health checks: Unable to execute checks: 1) u. 2) v. Failed check: a. Progressing check: p.",
            ),
        ] {
            let report = Report::of(&found, None);
            assert_eq!((report.status.name(), report.reason), (status, reason), "{found:?}");
            assert_eq!(report.message, message);
        }
        let asleep = Report::hibernated();
        assert_eq!(
            (asleep.status.name(), asleep.reason, &*asleep.message),
            ("True", "HealthCheckSuccessful", "Shoot is hibernated")
        );
    }

    #[test]
    fn what_is_under_way_fails_after_the_shortest_of_its_times_and_stays_failed() {
        let found = [progressing("p", 5), progressing("q", 2), Found::Healthy];
        for (before, status) in [
            (None, "Progressing"),
            (Some(("True", 9 * MINUTE)), "Progressing"),
            (Some(("Progressing", 2 * MINUTE)), "Progressing"),
            (Some(("Progressing", 3 * MINUTE)), "False"),
            (Some(("Unknown", MINUTE)), "Progressing"),
            (Some(("Unknown", 3 * MINUTE)), "False"),
            (Some(("False", Duration::ZERO)), "False"),
        ] {
            assert_eq!(Report::of(&found, before).status.name(), status, "{before:?}");
        }
    }

    #[test]
    fn codes_are_sorted_and_single_and_only_of_what_failed() {
        let coded =
            |code: &[&str]| Found::Unhealthy("a".to_owned(), code.iter().map(|code| (*code).to_owned()).collect());
        let report = Report::of(&[coded(&["B", "A"]), coded(&["A"])], None);
        assert_eq!(report.codes, ["A", "B"]);
        let report = Report::of(&[coded(&["A"]), unknown("u")], None);
        assert_eq!(report.codes.len(), 0);
    }

    #[test]
    fn a_long_message_is_cut() {
        let report = Report::of(&[failed(&"ü".repeat(9000))], None);
        assert!(report.message.len() <= MOST_BYTES && report.message.ends_with("ü…"));
    }
}
