//! How many machines a pool has, and how many at once are replaced.

use crate::document::{Path, Value};
use crate::provider::gardener::fields::{integer, text};
use crate::provider::gardener::rules::workers as rules;
use crate::report::{ErrorType, Report, Rule};

/// Judges the numbers of machines.
pub fn judge(pool: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let (minimum, maximum) = (integer(pool, &["minimum"]), integer(pool, &["maximum"]));
    let (at_minimum, at_maximum) = (path.key("minimum"), path.key("maximum"));
    if minimum < 0 {
        let detail = "minimum value must not be negative";
        report.error(&rules::GDN_WRK_007, &at_minimum, ErrorType::Invalid, detail);
    }
    if maximum < 0 {
        let detail = "maximum value must not be negative";
        report.error(&rules::GDN_WRK_008, &at_maximum, ErrorType::Invalid, detail);
    }
    if maximum < minimum {
        let detail = "maximum value must not be less than minimum value";
        report.error(&rules::GDN_WRK_009, &at_maximum, ErrorType::Forbidden, detail);
    }
    let (surge, unavailable) = (Share::of(pool, "maxSurge"), Share::of(pool, "maxUnavailable"));
    let (at_surge, at_unavailable) = (path.key("maxSurge"), path.key("maxUnavailable"));
    form([&rules::GDN_WRK_010, &rules::GDN_WRK_011], surge, &at_surge, report);
    form([&rules::GDN_WRK_012, &rules::GDN_WRK_012], unavailable, &at_unavailable, report);
    if matches!(unavailable, Some(Share::Percent(percent)) if percent > 100) {
        let detail = "must not be greater than 100%";
        report.error(&rules::GDN_WRK_013, &at_unavailable, ErrorType::Invalid, detail);
    }
    if text(pool, &["updateStrategy"]) == "ManualInPlaceUpdate" {
        let detail = "should not be set when `updateStrategy` is `ManualInPlaceUpdate`";
        for (rule, share, path) in
            [(&rules::GDN_WRK_014, surge, &at_surge), (&rules::GDN_WRK_015, unavailable, &at_unavailable)]
        {
            if share.is_some() {
                report.error(rule, path, ErrorType::Invalid, detail);
            }
        }
    } else if surge.is_some_and(Share::is_nothing) && unavailable.is_none_or(Share::is_nothing) {
        let detail = "may not be 0 when `maxSurge` is 0";
        report.error(&rules::GDN_WRK_016, &at_unavailable, ErrorType::Invalid, detail);
    }
}

/// A number of machines, or a part of a pool.
#[derive(Clone, Copy)]
enum Share<'v> {
    Number(i64),
    Percent(u64),
    /// A text that is no percentage.
    Other(&'v str),
}

impl<'v> Share<'v> {
    fn of(pool: &'v Value<'v>, key: &str) -> Option<Self> {
        match pool.get(key)? {
            Value::String(text) => {
                let digits = text.strip_suffix('%').filter(|digits| is_digits(digits));
                // What is too large for the number is more than all.
                Some(digits.map_or(Self::Other(text), |digits| Self::Percent(digits.parse().unwrap_or(u64::MAX))))
            }
            _ => Some(Self::Number(integer(pool, &[key]))),
        }
    }

    /// Whether it stands for no machine. A text that is no number does.
    fn is_nothing(self) -> bool {
        match self {
            Self::Number(number) => number == 0,
            Self::Percent(percent) => percent == 0,
            Self::Other(text) => {
                let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
                !is_digits(digits) || digits.bytes().all(|digit| digit == b'0')
            }
        }
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Judges whether it is a number or a percentage, by the first rule, and not negative, by the second.
fn form(rules: [&'static Rule; 2], share: Option<Share<'_>>, path: &Path<'_>, report: &mut Report<'_>) {
    let [of_form, of_sign] = rules;
    match share {
        Some(Share::Other(_)) => {
            let detail = "must be an integer or percentage (e.g '5%')";
            report.error(of_form, path, ErrorType::Invalid, detail);
        }
        Some(Share::Number(..0)) => {
            let detail = "must be greater than or equal to 0";
            report.error(of_sign, path, ErrorType::Invalid, detail);
        }
        _ => {}
    }
}
